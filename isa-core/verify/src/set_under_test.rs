//! Represents a set under test.

use std::fmt;
use std::sync::{Arc, OnceLock};

use isa_core::Isa;
use isa_core::machine::{NamedMachine, Outcome, RegisterFiles, StateLocation, Trace, fetch};
use isa_core::table::{FeatureSet, InstructionSet, Opcode};
use isa_core::text::Line;

use crate::field_values::boundary_values;
use crate::model::Model;
use crate::parse_check::ensure;
use crate::random::SplitMix64;
use crate::text::{bytes_of, printed};

/// Checks a word with the typed interface of the set.
type Typed = fn(Option<FeatureSet>, &'static Opcode, u128, reads_back: bool) -> Result<(), String>;

/// Executes a word at [`ADDRESS`] in a random state, which a function may change first.
type Execute = dyn Fn(
        Option<FeatureSet>,
        &[u8],
        u64,
        &mut dyn FnMut(&mut dyn NamedMachine),
    ) -> Result<Execution, String>
    + Send
    + Sync;

/// The result of executing an instruction.
pub(crate) struct Execution {
    /// The address of the next instruction, if the machine has a program counter.
    pub(crate) next: Option<u64>,
    /// The places that were written, and their values.
    pub(crate) written: Vec<(StateLocation, u128)>,
    /// The trap, if the instruction trapped.
    pub(crate) trap: Option<String>,
    /// The reads and writes, if a trace was started before the execution.
    pub(crate) trace: Trace,
    /// The files of the machine.
    pub(crate) files: RegisterFiles,
}

/// The address at which instructions are executed.
pub(crate) const ADDRESS: u64 = 0x1000;

/// Values of fields, each with the index of its field.
type Edges = Vec<(usize, u64)>;

/// A set with its model, ready to be tested.
///
/// ```
/// use isa_verify::SetUnderTest;
/// # isa_core::define_isa! {
/// #     /// One instruction.
/// #     isa Tiny: u16;
/// #     operand Reg: 8 = isa_core::operand::Reg;
/// #     enum Op: 8 { NEG = 1 }
/// #     opcode NEG { encoding { field<8, 8> Op op == NEG; field<0, 8> Reg rd; } syntax { NEG Rd; } }
/// # }
///
/// let tiny = SetUnderTest::of::<Tiny>();
/// assert!(tiny.try_case("spellings", 1, 17).is_ok());
/// ```
#[derive(Clone)]
pub struct SetUnderTest {
    /// The tables of the set. If the set has features, these are the tables of one processor.
    pub set: &'static InstructionSet,
    /// The tables of the enum.
    all: &'static InstructionSet,
    /// The features that were chosen.
    pub(crate) features: Option<FeatureSet>,
    /// The reference implementation of validity.
    pub model: Arc<Model>,
    pub(crate) typed: Typed,
    /// For each opcode, the boundary values of its fields with their indexes. They are computed on
    /// first use.
    edges: Arc<[OnceLock<Edges>]>,
    execute: Option<Arc<Execute>>,
    read_otherwise: fn(u128) -> bool,
}

impl fmt::Debug for SetUnderTest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SetUnderTest").field("set", &self.set.name).finish_non_exhaustive()
    }
}

impl SetUnderTest {
    /// Creates the set under test for the set of an enum.
    #[must_use]
    pub fn of<I: Isa>() -> Self {
        let set = match I::SET.choice() {
            None => I::SET,
            Some(on) => I::SET.specialized(on),
        };
        let model = Arc::new(Model::new(set));
        SetUnderTest {
            set,
            all: I::SET,
            features: None,
            edges: model.opcodes.iter().map(|_| OnceLock::new()).collect(),
            model,
            typed: check_typed::<I>,
            execute: None,
            read_otherwise: |_| false,
        }
    }

    /// Chooses the features of the processor. `None` chooses those that the set turns on.
    #[must_use]
    pub fn features(self, features: Option<FeatureSet>) -> Self {
        let Some(on) = features.filter(|_| self.all.choice().is_some()) else { return self };
        let set = self.all.specialized(on);
        let model = Arc::new(Model::new(set));
        let edges = model.opcodes.iter().map(|_| OnceLock::new()).collect();
        SetUnderTest { set, edges, model, features, ..self }
    }

    /// Adds a machine, so that instructions are executed. `execute` is the method of the set's enum
    /// for the type of the machine. The initial state is the default of this type with random
    /// values.
    #[must_use]
    pub fn machine<I: Isa, M: NamedMachine + Default, O: Outcome>(
        mut self,
        execute: impl Fn(I, &mut M) -> O + Send + Sync + 'static,
    ) -> Self {
        let run = move |features: Option<FeatureSet>,
                        bytes: &[u8],
                        seed: u64,
                        prepare: &mut dyn FnMut(&mut dyn NamedMachine)| {
            let features = features.unwrap_or(I::SET.enabled);
            let instruction = fetch::<I>(features, bytes).map_err(|error| error.to_string())?;
            let mut machine = random_state::<M>(seed);
            prepare(&mut machine);
            machine.begin(ADDRESS, ADDRESS + bytes.len() as u64);
            let trap = execute(instruction, &mut machine).into_result().err();
            let trap = trap.map(|trap| trap.to_string());
            let next = machine.has_counter().then(|| machine.next());
            let (trace, files) = (machine.take_trace(), machine.files());
            Ok(Execution { next, written: state_of(&machine), trap, trace, files })
        };
        self.execute = Some(Arc::new(run));
        self
    }

    /// Declares words whose text is parsed as a different word for a reason that no operand type or
    /// format declares.
    #[must_use]
    pub fn read_otherwise(self, read_otherwise: fn(u128) -> bool) -> Self {
        SetUnderTest { read_otherwise, ..self }
    }

    /// Returns whether the text of a word must be parsed as the same word.
    pub(crate) fn reads_back(&self, opcode: &'static Opcode, word: u128) -> bool {
        opcode.reads_back(word) && !(self.read_otherwise)(word)
    }

    /// Returns the boundary values of the fields of an opcode, each with the index of its field.
    pub(crate) fn edges(&self, opcode: usize) -> &[(usize, u64)] {
        self.edges[opcode].get_or_init(|| {
            let row = &self.model.opcodes[opcode];
            let of_field = |index| {
                let values = boundary_values(row.opcode.fields[index]).into_iter();
                values.filter(move |raw| row.has_value(index, *raw)).map(move |raw| (index, raw))
            };
            row.free().flat_map(of_field).collect()
        })
    }

    /// Returns whether the set has a machine that executes its instructions.
    pub(crate) fn has_machine(&self) -> bool {
        self.execute.is_some()
    }

    /// Executes a word twice in the same random state, and returns the address of the next
    /// instruction.
    pub(crate) fn execute(&self, bytes: &[u8], seed: u64) -> Result<Option<u64>, String> {
        let [first, second] = [(); 2].map(|()| self.execute_from(bytes, seed, &mut |_| ()));
        let (Some(first), Some(second)) = (first?, second?) else { return Ok(None) };
        let (first, second, next) = (first.written, second.written, first.next);
        ensure(first == second, || format!("two executions write {first:?} and {second:?}"))?;
        Ok(next)
    }

    /// Executes a word in a random state, which `prepare` may change first. Returns `None` without
    /// a machine.
    pub(crate) fn execute_from(
        &self,
        bytes: &[u8],
        seed: u64,
        prepare: &mut dyn FnMut(&mut dyn NamedMachine),
    ) -> Result<Option<Execution>, String> {
        let execute = self.execute.as_ref();
        execute.map(|execute| execute(self.features, bytes, seed, prepare)).transpose()
    }
}

/// Checks that the enum of a set encodes, decodes, prints and parses a valid word.
fn check_typed<I: Isa>(
    features: Option<FeatureSet>,
    opcode: &'static Opcode,
    word: u128,
    reads_back: bool,
) -> Result<(), String> {
    let bytes = bytes_of(I::SET, opcode, word);
    let decoded = match features {
        None => I::decode_first(&bytes),
        Some(features) => I::decode_first_with(features, &bytes),
    };
    let (instruction, length) = decoded.map_err(|error| format!("as a stream: {error}"))?;
    let found = instruction.opcode();
    // The rows of a processor are copies of the rows of its set.
    let is_same = match I::SET.choice() {
        None => core::ptr::eq(found, opcode),
        Some(_) => found.name == opcode.name,
    };
    ensure(is_same, || format!("its type is that of {}", found.name))?;
    ensure(length == bytes.len(), || format!("as a stream it has {length} bytes"))?;
    let encoded = instruction.encode().map_err(|error| format!("it does not encode: {error}"))?;
    // The other functions of the type use the features that the set turns on.
    let is_usual = features.is_none();
    ensure(!is_usual || I::try_from(encoded).ok() == Some(instruction), || {
        "it encodes to a different word".to_owned()
    })?;
    let (text, expected) = (instruction.to_string(), printed(opcode, word));
    ensure(text == expected.as_str(), || format!("its type prints as {text:?}"))?;
    ensure(!format!("{instruction:?}").is_empty(), || "its `Debug` text is empty".to_owned())?;
    let mut line = Line::new();
    opcode.print_plain(word, &mut line);
    let plain = format!("{instruction:#}");
    ensure(plain == line.as_str(), || format!("its type prints without aliases as {plain:?}"))?;
    if reads_back && is_usual {
        let read = text.parse::<I>();
        let same = read.as_ref().is_ok_and(|read| *read == instruction);
        ensure(same, || format!("its type parses {text:?} as {read:?}"))?;
    }
    let all: Vec<_> = I::stream(&bytes).map(|(offset, found)| (offset, found.ok())).collect();
    ensure(!is_usual || all == [(0, Some(instruction))], || format!("as a stream it is {all:?}"))
}

/// Returns a machine with random values in its registers and in some memory. The same seed gives
/// the same values. A program counter keeps its initial value.
///
/// ```
/// use isa_core::machine::{NamedMachine, Recorder};
///
/// let [one, same]: [Recorder; 2] = [5, 5].map(isa_verify::random_state);
/// let r7 = one.files().place("R7")?;
/// assert_eq!(one.get(r7, 0), same.get(r7, 0));
/// # Ok::<(), isa_core::machine::NameError>(())
/// ```
#[must_use]
pub fn random_state<M: NamedMachine + Default>(seed: u64) -> M {
    let (mut machine, mut random) = (M::default(), SplitMix64::new(seed));
    for (file, number) in machine.files().0.iter().zip(0..).filter(|(file, _)| !file.is_counter()) {
        // Only the first bytes of memory are filled.
        let count = if file.count() == 0 { 64 } else { file.count().min(REGISTERS) };
        for start in 0..count {
            let place = StateLocation { file: number, start, length: 1 };
            let value = match random.below(4) {
                0 => random.below(4).into(),
                1 => u128::MAX - u128::from(random.below(4)),
                _ => random.word(),
            };
            let most = u128::MAX >> 128_u32.saturating_sub(machine.files().bits(place)).min(127);
            for lane in 0..machine.lanes() {
                machine.set(place, lane, value & most);
            }
        }
    }
    machine
}

/// Registers of a file after this number keep their initial values.
const REGISTERS: u64 = 1024;

/// Returns the places in a machine that were written, and their values.
fn state_of(machine: &dyn NamedMachine) -> Vec<(StateLocation, u128)> {
    let lanes = 0..machine.lanes();
    let of =
        |place: StateLocation| lanes.clone().map(move |lane| (place, machine.get(place, lane)));
    machine.written().into_iter().flat_map(of).collect()
}
