//! The properties of a tool: its set, machines, object format and texts.

use core::fmt;
use std::rc::Rc;

use isa_core::json::quoted;
use isa_core::machine::{RegisterFiles, StateLocation};
use isa_core::parse::Parsed;
use isa_core::table::FeatureSet;
use isa_core::text::Line;
use isa_verify::SetUnderTest;

use crate::custom_command::CustomCommand;
use crate::gdb_target::GdbTarget;
use crate::object_format::ObjectFormat;
use crate::set::ToolSet;
use crate::simulator::{Ends, Processor, Simulator};

/// The properties of a tool that its commands use.
#[derive(Debug, Clone)]
pub(crate) struct Profile {
    pub(crate) set: ToolSet,
    /// The features that the user chose.
    pub(crate) features: Option<FeatureSet>,
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
    /// The architecture of the set in gdb, if gdb knows it.
    pub(crate) gdb: Option<GdbTarget>,
    /// The commands that belong to this set.
    pub(crate) commands: Vec<CustomCommand>,
    pub(crate) subject: SubjectFactory,
}

/// Creates the set as the test campaigns need it, with its machine if there is one.
#[derive(Clone)]
pub(crate) struct SubjectFactory(pub(crate) Rc<dyn Fn() -> SetUnderTest>);

impl SubjectFactory {
    pub(crate) fn make(&self) -> SetUnderTest {
        (self.0)()
    }
}

impl fmt::Debug for SubjectFactory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SubjectFactory").finish_non_exhaustive()
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
    /// Returns the tool for a processor with these features. `None` chooses the features that the set
    /// turns on.
    pub(crate) fn with_features(&self, features: Option<FeatureSet>) -> Profile {
        Profile { set: self.set.with_features(features), features, ..self.clone() }
    }

    /// Returns the properties of the machine that do not depend on its type.
    pub(crate) fn processor(&self) -> Processor {
        Processor { ends: self.ends, features: self.features }
    }

    /// Returns the sentence about the tool, without a full stop.
    pub(crate) fn about(&self) -> String {
        let does = match self.machine {
            Some(_) => "Assembles, disassembles, explains and executes",
            None => "Assembles, disassembles and explains",
        };
        let about = self.about.map(str::to_owned);
        about.unwrap_or_else(|| format!("{does} instructions of {}", self.set.tables.name))
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
        if let Some(opcode) = self.set.tables.opcodes.first() {
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
        let mut examples = self.set.tables.opcodes.iter().flat_map(|opcode| opcode.examples);
        // The specification stores the example as tokens, so it is parsed and printed in the usual
        // spelling.
        let printed = |example: &'static str| match self.set.tables.parse(example) {
            Ok(Parsed::Instruction { opcode, word, .. }) => {
                let mut line = Line::new();
                self.set.tables.opcodes.get(opcode)?.print(word, &mut line);
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
