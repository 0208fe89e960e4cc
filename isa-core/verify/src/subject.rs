//! Represents a set under test.

use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, OnceLock};

use isa_core::Isa;
use isa_core::machine::{NamedMachine, StateLocation};
use isa_core::table::{InstructionSet, Opcode};
use isa_core::text::Line;

use crate::campaign::Campaign;
use crate::case::{Case, Failure};
use crate::encoding;
use crate::model::Model;
use crate::property::{PROPERTIES, Property};
use crate::random::Random;
use crate::reading::ensure;
use crate::space::boundaries;
use crate::text::{bytes_of, printed};

/// Checks a word with the typed interface of the set.
type Typed = fn(&'static Opcode, u128, reads_back: bool) -> Result<(), String>;

/// Executes a word at [`ADDRESS`] in a random state, which a function may change first.
type Execute = dyn Fn(&[u8], u64, &mut dyn FnMut(&mut dyn NamedMachine)) -> Result<After, String>
    + Send
    + Sync;

/// The effects of an instruction.
pub(crate) struct After {
    /// The address of the next instruction, if the machine has a program counter.
    pub(crate) next: Option<u64>,
    /// The places that were written, and their values.
    pub(crate) written: Vec<(StateLocation, u128)>,
}

/// The address at which instructions are executed.
pub(crate) const ADDRESS: u64 = 0x1000;

/// Values of fields, each with the index of its field.
type Edges = Vec<(usize, u64)>;

/// A set with its model, ready to be tested.
///
/// ```
/// use isa_verify::Subject;
/// # isa_core::define_isa! {
/// #     /// One instruction.
/// #     isa Tiny: u16;
/// #     operand Reg: 8 = isa_core::operand::Reg;
/// #     enum Op: 8 { NEG = 1 }
/// #     opcode NEG { encoding { field<8, 8> Op op == NEG; field<0, 8> Reg rd; } syntax { NEG Rd; } }
/// # }
///
/// let tiny = Subject::of::<Tiny>();
/// assert!(tiny.try_case("spellings", 1, 17).is_ok());
/// ```
#[derive(Clone)]
pub struct Subject {
    /// The tables of the set.
    pub set: &'static InstructionSet,
    /// The reference implementation of validity.
    pub model: Arc<Model>,
    pub(crate) typed: Typed,
    /// For each opcode, the boundary values of its fields with their indexes. They are computed on
    /// first use.
    edges: Arc<[OnceLock<Edges>]>,
    execute: Option<Arc<Execute>>,
    read_otherwise: fn(u128) -> bool,
}

impl fmt::Debug for Subject {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Subject").field("set", &self.set.name).finish_non_exhaustive()
    }
}

impl Subject {
    /// Creates the subject for the set of an enum.
    #[must_use]
    pub fn of<I: Isa>() -> Self {
        let model = Arc::new(Model::new(I::SET));
        Subject {
            set: I::SET,
            edges: model.rows.iter().map(|_| OnceLock::new()).collect(),
            model,
            typed: check_typed::<I>,
            execute: None,
            read_otherwise: |_| false,
        }
    }

    /// Adds a machine, so that instructions are executed. `execute` is the method of the set's enum
    /// for the type of the machine. The initial state is the default of this type with random
    /// values.
    #[must_use]
    pub fn machine<I: Isa, M: NamedMachine + Default, O>(
        mut self,
        execute: impl Fn(I, &mut M) -> O + Send + Sync + 'static,
    ) -> Self {
        let run = move |bytes: &[u8], seed: u64, prepare: &mut dyn FnMut(&mut dyn NamedMachine)| {
            let (instruction, _) = I::decode_first(bytes).map_err(|error| error.to_string())?;
            let mut machine = random_state::<M>(seed);
            prepare(&mut machine);
            machine.begin(ADDRESS, bytes.len() as u64);
            let _ = execute(instruction, &mut machine);
            Ok(After { next: machine.next(), written: state_of(&machine) })
        };
        self.execute = Some(Arc::new(run));
        self
    }

    /// Declares words whose text is parsed as a different word for a reason that no operand type or
    /// format declares.
    #[must_use]
    pub fn read_otherwise(self, read_otherwise: fn(u128) -> bool) -> Self {
        Subject { read_otherwise, ..self }
    }

    /// Returns whether the text of a word must be parsed as the same word.
    pub(crate) fn reads_back(&self, opcode: &'static Opcode, word: u128) -> bool {
        opcode.reads_back(word) && !(self.read_otherwise)(word)
    }

    /// Returns the boundary values of the fields of an opcode, each with the index of its field.
    pub(crate) fn edges(&self, opcode: usize) -> &[(usize, u64)] {
        self.edges[opcode].get_or_init(|| {
            let row = &self.model.rows[opcode];
            let of_field = |index| {
                let values = boundaries(row.opcode.fields[index]).into_iter();
                values.filter(move |raw| row.exists(index, *raw)).map(move |raw| (index, raw))
            };
            row.free().flat_map(of_field).collect()
        })
    }

    /// Returns the names of the properties that can be tested. The properties of semantics can be tested
    /// only with a machine.
    pub fn property_names(&self) -> impl Iterator<Item = &'static str> {
        self.properties().map(|known| known.name)
    }

    /// Returns the properties that can be tested. The properties of semantics can be tested only with a
    /// machine.
    pub(crate) fn properties(&self) -> impl Iterator<Item = &'static Property> {
        PROPERTIES.iter().filter(|property| !property.needs_machine || self.execute.is_some())
    }

    /// Executes a word twice in the same random state, and returns the address of the next
    /// instruction.
    pub(crate) fn execute(&self, bytes: &[u8], seed: u64) -> Result<Option<u64>, String> {
        let [first, second] = [(); 2].map(|()| self.execute_from(bytes, seed, &mut |_| ()));
        let (Some(first), Some(second)) = (first?, second?) else { return Ok(None) };
        let (first, second, next) = (first.written, second.written, first.next);
        ensure(first == second, || format!("executed twice it writes {first:?}, {second:?}"))?;
        Ok(next)
    }

    /// Executes a word in a random state, which `prepare` may change first. Returns `None` without
    /// a machine.
    pub(crate) fn execute_from(
        &self,
        bytes: &[u8],
        seed: u64,
        prepare: &mut dyn FnMut(&mut dyn NamedMachine),
    ) -> Result<Option<After>, String> {
        self.execute.as_ref().map(|execute| execute(bytes, seed, prepare)).transpose()
    }

    /// Tests one case of a property, by the name of the property and the index of the case. A panic
    /// is a failure.
    ///
    /// # Errors
    ///
    /// Returns the failure, or an error if the property does not exist.
    pub fn try_case(&self, property: &str, seed: u64, number: u64) -> Result<(), Box<Failure>> {
        let known = self.properties().find(|known| known.name == property);
        let mut case = Case::new(self, property, seed, number);
        let Some(known) = known else {
            let names: Vec<_> = self.property_names().collect();
            let message = format!("there is no such property; there are {}", names.join(", "));
            return Err(Box::new(case.failure(message)));
        };
        match catch_unwind(AssertUnwindSafe(|| (known.check)(&mut case))) {
            Ok(Ok(())) => Ok(()),
            Ok(Err(message)) => Err(Box::new(case.failure(message))),
            Err(panic) => {
                let text = panic.downcast_ref::<String>().map(String::as_str);
                let text = text.or(panic.downcast_ref::<&str>().copied());
                let message = format!("panics: {}", text.unwrap_or("without a message"));
                Err(Box::new(case.failure(message)))
            }
        }
    }

    /// Returns the test campaigns of the set: each property with `cases` cases, and the encodings.
    #[must_use]
    pub fn campaigns(&self, seed: u64, cases: u64) -> Vec<Campaign> {
        let properties = self.properties().map(|property| {
            let (subject, name) = (self.clone(), property.name);
            let each = cases.clamp(1, BLOCK);
            let units = property.share_of(cases).div_ceil(each).max(1);
            let size = [units, each];
            Campaign::new(name.to_owned(), property.about, size, move |unit, tally| {
                for number in unit * each..(unit + 1) * each {
                    let outcome = subject.try_case(name, seed, number);
                    let wrong = outcome.err().map(|failure| failure.to_string());
                    tally.check(wrong.is_none(), || wrong.unwrap_or_default());
                }
            })
        });
        let mut campaigns: Vec<Campaign> = properties.collect();
        campaigns.extend(encoding::any("encoding", &self.model));
        campaigns
    }
}

/// The number of cases in a unit of a property's campaign.
const BLOCK: u64 = 1024;

/// Checks that the enum of a set encodes, decodes, prints and parses a valid word.
fn check_typed<I: Isa>(
    opcode: &'static Opcode,
    word: u128,
    reads_back: bool,
) -> Result<(), String> {
    let bytes = bytes_of(I::SET, opcode, word);
    let (instruction, length) =
        I::decode_first(&bytes).map_err(|error| format!("as a stream: {error}"))?;
    let found = instruction.opcode();
    ensure(core::ptr::eq(found, opcode), || format!("its type is that of {}", found.name))?;
    ensure(length == bytes.len(), || format!("as a stream it has {length} bytes"))?;
    let encoded = instruction.encode().map_err(|error| format!("it does not encode: {error}"))?;
    ensure(I::try_from(encoded).ok() == Some(instruction), || "it encodes otherwise".to_owned())?;
    let (text, expected) = (instruction.to_string(), printed(opcode, word));
    ensure(text == expected.as_str(), || format!("its type prints as {text:?}"))?;
    ensure(!format!("{instruction:?}").is_empty(), || "as Debug it is empty".to_owned())?;
    let mut line = Line::new();
    opcode.print_plain(word, &mut line);
    let plain = format!("{instruction:#}");
    ensure(plain == line.as_str(), || format!("its type prints without aliases as {plain:?}"))?;
    if reads_back {
        let read = text.parse::<I>();
        let same = read.as_ref().is_ok_and(|read| *read == instruction);
        ensure(same, || format!("its type reads {text:?} as {read:?}"))?;
    }
    let all: Vec<_> = I::stream(&bytes).map(|(offset, found)| (offset, found.ok())).collect();
    ensure(all == [(0, Some(instruction))], || format!("as a stream it is {all:?}"))
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
    let (mut machine, mut random) = (M::default(), Random::new(seed));
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
