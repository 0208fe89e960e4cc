//! The requests of a page, and the dispatch to their answers.

use isa_core::json::Object;

use crate::answer::{self, error};
use crate::{Engine, disassembly, execute};

impl Engine {
    /// Answers a request. Its first line is the name of the request, and the rest is the input:
    ///
    /// | first line | the rest | answer |
    /// |---|---|---|
    /// | `describe` | | JSON: the set's name, its widths, and the files of the machine |
    /// | `assemble` | a program | JSON: its statements with their words, or its errors |
    /// | `disassemble` | words in hexadecimal, all digits | a line for each, as the command `dis` prints it |
    /// | `explain` | one such word | JSON, as `explain --json` prints it |
    /// | `execute` | a line: step limit, `NAME=VALUE`...; a program | JSON: reads and writes of each step |
    ///
    /// Positions in a text are UTF-16 offsets, as in JavaScript. Addresses and values are texts
    /// such as `"0x1f"`, because numbers in JavaScript are exact only up to 2^53. The answer to an
    /// invalid request is JSON with the key `error`.
    #[must_use]
    pub fn answer(&self, request: &str) -> String {
        let (what, rest) = request.split_once('\n').unwrap_or((request, ""));
        match what {
            "describe" => self.describe(),
            "assemble" => answer::assembled(self, rest),
            "disassemble" => disassembly::disassemble(self.set, self.directives, rest),
            "explain" => match disassembly::read(self.set, rest.trim()) {
                Ok((word, bits)) => self.set.explain_as(word, bits).json(),
                Err(message) => error(&message),
            },
            "execute" => execute::executed(self, rest),
            _ => error("expected the request describe, assemble, disassemble, explain or execute"),
        }
    }

    fn describe(&self) -> String {
        let mut object = Object::new();
        object.text("name", self.set.name);
        object.list("widths", self.set.widths.iter().map(|width| width.bits));
        let files = self.machine.as_ref().map_or(&[][..], |machine| machine.files.0);
        let files = files.iter().map(|file| {
            let mut object = Object::new();
            object.text("all", &file.all()).raw("settable", !file.is_counter());
            object.finish()
        });
        object.raw("executes", self.machine.is_some()).list("files", files);
        object.finish()
    }
}
