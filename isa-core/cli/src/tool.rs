//! The builder of a tool, which is the public interface of this crate.

use core::fmt;
use core::marker::PhantomData;
use std::ffi::OsString;
use std::process::ExitCode;
use std::rc::Rc;

use isa_core::Isa;
use isa_core::asm::Assembler;
use isa_core::machine::{ExecuteWord, Machine, NamedMachine, Outcome, Warp};
use isa_verify::SetUnderTest;

use crate::command::run;
use crate::custom_command::{CustomCommand, ProgramCode, Report};
use crate::gdb_target::GdbTarget;
use crate::object_format::ObjectFormat;
use crate::process;
use crate::profile::{Profile, Samples, SubjectFactory};
use crate::set::ToolSet;
use crate::simulator::Simulator;
use crate::{Io, Status};

/// The command line of the set `I`.
///
/// The documentation of the [crate](crate) has an example.
pub struct Tool<I> {
    pub(crate) profile: Profile,
    isa: PhantomData<fn() -> I>,
}

impl<I: Isa> Tool<I> {
    /// Creates a tool called `name` with all commands except `exec`, which needs a machine.
    #[must_use]
    pub fn new(name: &'static str) -> Self {
        let profile = Profile {
            set: ToolSet::new(I::SET),
            features: None,
            name,
            about: None,
            version: None,
            comment: None,
            machine: None,
            ends: |_| false,
            warp: None,
            samples: None,
            object: None,
            gdb: None,
            commands: Vec::new(),
            directives: &[],
            padding: &[],
            subject: SubjectFactory(Rc::new(SetUnderTest::of::<I>)),
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

    /// Sets the machine, which adds the command `exec`. `executor` is the method of the set's enum
    /// with the type of the machine: `MySet::executor::<MyMachine>`. Each run begins with the
    /// default value of the machine.
    ///
    /// If the machine has a program counter, `exec` follows jumps. Otherwise it executes the
    /// statements one after the other.
    #[must_use]
    pub fn machine<M: NamedMachine + Default + 'static, O: Outcome + 'static>(
        mut self,
        executor: fn(I) -> ExecuteWord<I::Word, M, O>,
    ) -> Self {
        self.profile.machine = Some(Simulator::of(executor));
        self.profile.subject = SubjectFactory(Rc::new(move || {
            SetUnderTest::of::<I>().machine(move |one: I, state: &mut M| {
                let word = one.encode().map_err(|error| error.to_string())?;
                executor(one)(word, state).into_result().map_err(|trap| trap.to_string())
            })
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
        let is_big_endian = self.profile.set.tables.byte_order.is_big_endian();
        self.profile.object = Some(ObjectFormat { is_big_endian, ..format });
        self
    }

    /// Declares the architecture of the set in gdb, if gdb knows it, for `exec --gdb`. This option requires
    /// the feature `gdb` of the crate.
    #[must_use]
    pub fn gdb(mut self, target: GdbTarget) -> Self {
        self.profile.gdb = Some(target);
        self
    }

    /// Adds a command that belongs to this set. It reads an ELF file or assembly text, and passes the
    /// code and the names of the given flags to `run`, which can also read the bytes of an ELF file
    /// ([`ProgramCode::file`](crate::ProgramCode::file)). `about` is a sentence for the help text without a full
    /// stop, and `flags` contains the names of the flags with their help texts.
    ///
    /// If `run` returns an error, the tool reports the message as an invalid command line.
    ///
    /// ```
    /// # isa_core::define_isa! {
    /// #     /// One instruction.
    /// #     isa Tiny: u16;
    /// #     enum Op: 16 { NOP = 1 }
    /// #     opcode NOP { encoding { field<0, 16> Op op == NOP; } syntax { NOP; } }
    /// # }
    /// use isa_cli::{Io, Report, Status, Tool};
    ///
    /// let tool = Tool::<Tiny>::new("tiny").command("count", "Counts words", &[], |code, _| {
    ///     let count: usize = code.sections.iter().map(|section| section.words.len()).sum();
    ///     Ok(Report { text: format!("{count}\n"), is_success: count > 0 })
    /// });
    /// let (mut input, mut output, mut errors) = (&b"NOP; NOP;"[..], vec![], vec![]);
    /// let io = Io::of(&mut input, &mut output, &mut errors);
    /// assert_eq!(tool.run(["count"], io), Status::Success);
    /// assert_eq!(output, b"2\n");
    /// ```
    #[must_use]
    pub fn command(
        mut self,
        name: &'static str,
        about: &'static str,
        flags: &'static [(&'static str, &'static str)],
        run: fn(&ProgramCode, &[&str]) -> Result<Report, String>,
    ) -> Self {
        self.profile.commands.push(CustomCommand { name, about, flags, run });
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
