//! Formats an explanation as Markdown for editors.

use alloc::format;
use alloc::string::String;
use core::fmt::Write as _;

use super::page::TITLES;
use super::{Explanation, digits, syntax};
use crate::table::Opcode;

impl Explanation {
    /// Returns a fragment of Markdown: the instruction, its opcode as formatted by
    /// [`opcode_markdown`], and the table of its bits.
    ///
    /// ```
    /// # isa_core::define_isa! {
    /// #     /// One instruction.
    /// #     isa Tiny: u16;
    /// #     operand Reg: 8 = isa_core::operand::Reg;
    /// #     enum Op: 8 { NEG = 1 }
    /// #     /// Changes the sign.
    /// #     opcode NEG { encoding { field<8, 8> Op op == NEG; field<0, 8> Reg rd; } syntax { NEG Rd; } }
    /// # }
    /// assert_eq!(Tiny::SET.explain(0x0105).markdown(), "\
    /// `NEG R5;` = `0x0105`
    ///
    /// **NEG** `NEG rd:Reg;`
    ///
    /// Changes the sign.
    ///
    /// | bits | field | raw | meaning |
    /// |---:|---|---:|---|
    /// | 15..8 | op | 0x1 | NEG  (Op, fixed by NEG) |
    /// | 7..0 | rd | 0x5 | R5  (Reg) |
    /// ");
    /// ```
    #[must_use]
    pub fn markdown(&self) -> String {
        let mut text = format!("{} = `{}`\n", code(&self.text), digits(self.word, self.bits));
        if let Some(reason) = &self.reason {
            let _ = write!(text, "\nIllegal: {}\n", plain(reason));
        }
        let Some(opcode) = self.opcode else { return text };
        let _ = write!(text, "\n{}\n", opcode_markdown(opcode));
        if let Some(flow) = self.flow() {
            let _ = writeln!(text, "Flow: {}\n", code(&flow));
        }
        let _ = writeln!(text, "| {} |\n|---:|---|---:|---|", TITLES.join(" | "));
        for row in self.rows() {
            let _ = writeln!(text, "| {} |", row.map(|cell| plain(&cell)).join(" | "));
        }
        for broken in self.broken() {
            let _ = write!(text, "\nIllegal: {}\n", plain(&broken));
        }
        text
    }
}

/// Returns an opcode as a fragment of Markdown: its name, its syntax, and its documentation, which is
/// already Markdown.
#[must_use]
pub fn opcode_markdown(opcode: &Opcode) -> String {
    let mut text = format!("**{}** {}\n", plain(opcode.name), code(&syntax(opcode)));
    if !opcode.doc.trim().is_empty() {
        text.push('\n');
    }
    for line in opcode.doc.lines() {
        let _ = writeln!(text, "{}", line.strip_prefix(' ').unwrap_or(line).trim_end());
    }
    text
}

/// Formats text as code, with more backticks than the text contains.
fn code(text: &str) -> String {
    let mut fence = String::from("`");
    while text.contains(fence.as_str()) {
        fence.push('`');
    }
    let gap = if fence.len() > 1 { " " } else { "" };
    format!("{fence}{gap}{text}{gap}{fence}")
}

/// Escapes all characters that have a meaning in Markdown.
fn plain(text: &str) -> String {
    let mut output = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\n' | '\r' => output.push(' '),
            '\\' | '`' | '*' | '_' | '|' | '<' | '>' | '[' | ']' | '&' | '~' | '#' => {
                output.extend(['\\', c]);
            }
            c => output.push(c),
        }
    }
    output
}
