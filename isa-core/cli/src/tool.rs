//! The builder of a tool: its set, machine, object format and texts.

use core::fmt;
use core::marker::PhantomData;
use std::ffi::OsString;
use std::process::ExitCode;
use std::sync::Arc;

use isa_core::Isa;
use isa_core::asm::Assembler;
use isa_core::machine::{Machine, NamedMachine, Outcome, RegisterFiles, StateLocation, Warp};
use isa_core::parse::Parsed;
use isa_core::text::Line;
use isa_verify::SetUnderTest;

use super::machine::{Ends, Simulator};
use super::object::ObjectFormat;
use super::set::Set;
use super::{Io, Status, process, run};
use isa_core::json::quoted;

/// The command line of the set `I`.
///
/// The documentation of the [crate](crate) has an example.
pub struct Tool<I> {
    pub(crate) profile: Profile,
    isa: PhantomData<fn() -> I>,
}

/// The properties of a tool that its commands use.
#[derive(Debug)]
pub(crate) struct Profile {
    pub(crate) set: Set,
    pub(crate) name: &'static str,
    pub(crate) about: Option<&'static str>,
    pub(crate) version: Option<&'static str>,
    /// The text that begins a comment, if statements end at the end of a line.
    pub(crate) comment: Option<&'static str>,
    /// Other names of directives, and (in `padding`) the instructions that fill code.
    pub(crate) directives: &'static [(&'static str, &'static str)],
    pub(crate) padding: &'static [&'static [u8]],
    pub(crate) machine: Option<Simulator>,
    pub(crate) ends: Ends,
    pub(crate) warp: Option<Simulator>,
    pub(crate) samples: Option<Samples>,
    pub(crate) object: Option<ObjectFormat>,
    pub(crate) subject: Tested,
}

/// Creates the set as the test campaigns need it, with its machine if there is one.
pub(crate) struct Tested(Box<dyn Fn() -> SetUnderTest>);

impl Tested {
    pub(crate) fn make(&self) -> SetUnderTest {
        (self.0)()
    }
}

impl fmt::Debug for Tested {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Tested").finish_non_exhaustive()
    }
}

/// Examples for help texts and messages of `exec`.
#[derive(Debug, Clone)]
pub struct Samples {
    /// An argument of `--set`: `R1=0x10`.
    pub setting: String,
    /// A line that `exec` prints for a register: `R1 = 0x00000010`.
    pub written: String,
    /// A request to `exec --jsonl`.
    pub request: String,
    /// The answer to a request.
    pub answer: String,
}

impl Profile {
    /// Returns the sentence about the tool, without a full stop.
    pub(crate) fn about(&self) -> String {
        let does = match self.machine {
            Some(_) => "Assembles, disassembles, explains and executes",
            None => "Assembles, disassembles and explains",
        };
        let about = self.about.map(str::to_owned);
        about.unwrap_or_else(|| format!("{does} instructions of {}", self.set.0.name))
    }

    /// Returns the name and the version.
    pub(crate) fn full_name(&self) -> String {
        [self.name].into_iter().chain(self.version).collect::<Vec<_>>().join(" ")
    }

    /// Returns the declared examples, or else generated ones.
    pub(crate) fn samples(&self) -> Samples {
        self.samples.clone().unwrap_or_else(|| self.made_samples())
    }

    /// Returns the assembly of the first opcode with its default values.
    fn first_text(&self) -> String {
        let mut line = Line::new();
        if let Some(opcode) = self.set.0.opcodes.first() {
            opcode.print(opcode.initial(), &mut line);
        }
        line.to_string()
    }

    /// Returns examples made from the first register that can be set, and from the first example
    /// instruction in the specification.
    fn made_samples(&self) -> Samples {
        let files = self.machine.as_ref().map_or(RegisterFiles(&[]), |machine| machine.files);
        let place = |start| StateLocation { file: 0, start, length: 1 };
        let settable = |&place: &StateLocation| files.place(&files.name(place)) == Ok(place);
        let place = [1, 0].map(place).into_iter().find(settable).unwrap_or(place(0));
        let (name, value) = (files.name(place), files.show(place, 1));
        let quote = if files.is_flag(place) { "" } else { "\"" };
        let mut examples = self.set.0.opcodes.iter().flat_map(|opcode| opcode.examples);
        // The specification stores the example as tokens, so it is parsed and printed in the usual
        // spelling.
        let printed = |example: &'static str| match self.set.0.parse(example) {
            Ok(Parsed::Instruction { opcode, word, .. }) => {
                let mut line = Line::new();
                self.set.0.opcodes.get(opcode)?.print(word, &mut line);
                Some(line.to_string())
            }
            _ => None,
        };
        let asm = examples.find_map(|&example| printed(example));
        let asm = asm.unwrap_or_else(|| self.first_text());
        let state = format!("\"state\": {{\"{name}\": {quote}{value}{quote}}}");
        Samples {
            setting: format!("{name}={value}"),
            written: format!("{name} = {value}"),
            request: format!("{{\"asm\": {}, {state}}}", quoted(&asm)),
            answer: format!("{{{state}}}"),
        }
    }
}

impl<I: Isa> Tool<I> {
    /// Creates a tool called `name` with all commands except `exec`, which needs a machine.
    #[must_use]
    pub fn new(name: &'static str) -> Self {
        let profile = Profile {
            set: Set::new(I::SET),
            name,
            about: None,
            version: None,
            comment: None,
            machine: None,
            ends: |_| false,
            warp: None,
            samples: None,
            object: None,
            directives: &[],
            padding: &[],
            subject: Tested(Box::new(SetUnderTest::of::<I>)),
        };
        Tool { profile, isa: PhantomData }
    }

    /// Sets the sentence about the tool in its help text, without a full stop.
    #[must_use]
    pub fn about(mut self, about: &'static str) -> Self {
        self.profile.about = Some(about);
        self
    }

    /// Sets the version that `--version` prints: `env!("CARGO_PKG_VERSION")`.
    #[must_use]
    pub fn version(mut self, version: &'static str) -> Self {
        self.profile.version = Some(version);
        self
    }

    /// Makes statements end at the end of a line or at `;`. `comment` is a sign that begins a comment in
    /// addition to `//`. If it is empty, there is no such sign.
    #[must_use]
    pub fn lines(mut self, comment: &'static str) -> Self {
        self.profile.comment = Some(comment);
        self
    }

    /// Adds names of directives. Each name is a synonym of the directive that is paired with it. If that
    /// directive is empty, the assembler ignores the name: see [`Assembler::directives`].
    ///
    /// ```
    /// # isa_core::define_isa! {
    /// #     /// One instruction.
    /// #     isa Tiny: u16;
    /// #     enum Op: 16 { NOP = 1 }
    /// #     opcode NOP { encoding { field<0, 16> Op op == NOP; } syntax { nop; } }
    /// # }
    /// let tool = isa_cli::Tool::<Tiny>::new("tiny")
    ///     .directives(&[(".align", ".p2align"), (".option", "")])
    ///     .padding(&[&[1, 0]]);
    /// ```
    ///
    /// # Panics
    ///
    /// With debug assertions enabled, if a name does not begin with a dot, contains a character
    /// that labels cannot contain, or is a directive that disassemblers print, such as `.byte`.
    #[must_use]
    pub fn directives(mut self, names: &'static [(&'static str, &'static str)]) -> Self {
        // This call panics if a name is invalid.
        let _ = Assembler::new(I::SET).directives(names);
        self.profile.directives = names;
        self.profile.set = self.profile.set.directives(names);
        self
    }

    /// Sets the bytes of instructions that do nothing, the longest first. They fill code up to an
    /// alignment: [`Assembler::padding`](isa_core::asm::Assembler::padding).
    #[must_use]
    pub fn padding(mut self, padding: &'static [&'static [u8]]) -> Self {
        self.profile.padding = padding;
        self
    }

    /// Sets the machine, which adds the command `exec`. `execute` is the method of the set's enum
    /// with the type of the machine: `MySet::execute::<MyMachine>`. Each run begins with the
    /// default value of the machine.
    ///
    /// If the machine has a program counter, `exec` follows jumps. Otherwise it executes the
    /// statements one after the other.
    #[must_use]
    pub fn machine<M: NamedMachine + Default + 'static, O: Outcome>(
        mut self,
        execute: impl Fn(I, &mut M) -> O + Send + Sync + 'static,
    ) -> Self {
        let execute = Arc::new(execute);
        let tested = Arc::clone(&execute);
        self.profile.machine = Some(Simulator::of(move |one, state: &mut M| execute(one, state)));
        self.profile.subject = Tested(Box::new(move || {
            let tested = Arc::clone(&tested);
            SetUnderTest::of::<I>().machine(move |one: I, state: &mut M| tested(one, state))
        }));
        self
    }

    /// Declares the traps that end a program, as on microcontrollers. `ends` receives the text of a
    /// trap. `exec` then prints the changes that the program made before the trap. Any other trap
    /// is an error, and `exec` prints no result.
    ///
    /// ```
    /// # isa_core::define_isa! {
    /// #     /// One instruction.
    /// #     isa Tiny: u16;
    /// #     enum Op: 16 { BREAK = 1 }
    /// #     opcode BREAK { encoding { field<0, 16> Op op == BREAK; } syntax { BREAK; } }
    /// # }
    /// let tool = isa_cli::Tool::<Tiny>::new("tiny").ends(|trap| trap == "breakpoint");
    /// ```
    #[must_use]
    pub fn ends(mut self, ends: fn(&str) -> bool) -> Self {
        self.profile.ends = ends;
        self
    }

    /// Adds `exec --warp` with `N` lanes. Pass the methods of the set's enum: `execute` as `one`,
    /// and `execute_warp` as `all`.
    #[must_use]
    pub fn warp<const N: usize>(
        mut self,
        one: impl Fn(I, &mut dyn Machine) + 'static,
        all: impl Fn(I, &mut Warp<'_, N>) + 'static,
    ) -> Self {
        self.profile.warp = Some(Simulator::of_lanes(one, all));
        self
    }

    /// Adds support for ELF objects: `asm --emit elf`, and ELF files as input of `dis` and `exec`.
    /// It requires the feature `elf` of the crate; without it, these commands report an error.
    #[must_use]
    pub fn object(mut self, format: ObjectFormat) -> Self {
        let is_big_endian = self.profile.set.0.byte_order.is_big_endian();
        self.profile.object = Some(ObjectFormat { is_big_endian, ..format });
        self
    }

    /// Sets the examples for messages and for the help text of `exec`.
    #[must_use]
    pub fn samples(mut self, samples: Samples) -> Self {
        self.profile.samples = Some(samples);
        self
    }

    /// Runs the tool. `args` are the arguments after the program name.
    ///
    /// It never panics, whatever the arguments and the input are.
    pub fn run<A>(&self, args: A, io: Io<'_>) -> Status
    where
        A: IntoIterator,
        A::Item: Into<OsString>,
    {
        run(&self.profile, args.into_iter().map(Into::into).collect(), io)
    }

    /// Runs the tool on the arguments and the streams of this process.
    #[must_use]
    pub fn main(&self) -> ExitCode {
        process::main(&self.profile)
    }
}

impl<I> fmt::Debug for Tool<I> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Tool").field("name", &self.profile.name).finish_non_exhaustive()
    }
}
