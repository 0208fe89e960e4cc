//! The command `sass info`.

use isa_cli::{ProgramCode, Report};
use isa_core::shown::Shown;

use crate::schedule::command::counted;

use super::{Attribute, Cubin, Function, check};

/// Lists the functions of a file, and checks them.
pub(crate) fn run(code: &ProgramCode, _: &[&str]) -> Result<Report, String> {
    if code.file.is_empty() {
        return Err("expected an ELF file".to_owned());
    }
    let cubin = match Cubin::read(&code.file) {
        Ok(cubin) => cubin,
        Err(error) => {
            let text = format!("error: {}\n", Shown(&error.to_string()));
            return Ok(Report { text, is_success: false });
        }
    };
    let (mut text, mut errors) = (String::new(), 0);
    for function in &cubin.functions {
        text += &summary(function);
        for attribute in &function.attributes {
            text += &line(&cubin, attribute);
        }
        let findings = check(code.set, function);
        for finding in &findings {
            text += &format!("error: {finding}\n");
        }
        errors += findings.len();
        text += "\n";
    }
    if !cubin.attributes.is_empty() {
        text += "file:\n";
        for attribute in &cubin.attributes {
            text += &line(&cubin, attribute);
        }
        text += "\n";
    }
    let functions = counted(cubin.functions.len(), "function");
    text += &format!("{functions}, {}\n", counted(errors, "error"));
    Ok(Report { text, is_success: errors == 0 })
}

/// Returns the line about a function: its registers, instructions and memory.
fn summary(function: &Function) -> String {
    let kind = if function.is_kernel { "kernel" } else { "function" };
    let mut text = format!("{kind} {}:", Shown(&function.name));
    if let Some(count) = function.registers() {
        text += &format!(" {count} registers,");
    }
    text += &format!(
        " {} instructions, {} bytes of shared memory, {} bytes of local memory",
        function.words.len(),
        function.shared,
        function.local
    );
    for (value, name) in [(function.frame, "frame"), (function.stack, "minimum stack")] {
        if let Some(size) = value {
            text += &format!(", {name} of {size} bytes");
        }
    }
    text + "\n"
}

/// Returns the line about an attribute.
fn line(cubin: &Cubin<'_>, attribute: &Attribute) -> String {
    let value = cubin.value_text(attribute);
    let line = format!("  {:<32} {}", attribute.to_string(), Shown(&value));
    line.trim_end().to_owned() + "\n"
}
