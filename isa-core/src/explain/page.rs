//! Formats an explanation as lines of text, as JSON and as HTML.

use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec;
use alloc::vec::Vec;
use core::fmt::{self, Display, Write as _};

use super::{FieldPart, WordPart, digits, properties, syntax};
use crate::table::{Access, Exception, Init, InstructionSet, Opcode};
use crate::text::Line;

/// The explanation of a word for people and for programs. The command `explain` of a tool prints
/// it.
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
/// let explanation = Tiny::SET.explain(0x0105);
/// assert_eq!(explanation.text(), "\
/// NEG R5;
/// word    0x0105
/// opcode  NEG
/// syntax  NEG rd:Reg;
///         Changes the sign.
///
///  bits  field  raw  meaning
/// 15..8  op     0x1  NEG  (Op, fixed by NEG)
///  7..0  rd     0x5  R5  (Reg)
/// ");
/// assert!(explanation.json().starts_with(r#"{"word": "0x0105", "text": "NEG R5;", "legal": true"#));
/// assert!(explanation.html().contains("<tr><td>7..0</td><td>rd</td><td>0x5</td><td>R5  (Reg)</td></tr>"));
/// ```
#[derive(Debug, Clone)]
pub struct Explanation {
    /// The word.
    pub word: u128,
    /// The width of the word in bits.
    pub bits: u8,
    /// The word as assembly text.
    pub text: String,
    /// The reason why it is not a valid instruction; `None` if it is valid.
    pub reason: Option<String>,
    /// The opcode of the word, or the closest opcode if the word is invalid.
    pub opcode: Option<&'static Opcode>,
}

impl InstructionSet {
    /// Explains a valid or invalid word. The width is the width of the word's instruction.
    #[must_use]
    pub fn explain(&self, word: u128) -> Explanation {
        self.explain_as(word, self.decode(word).map_or(self.bits, |opcode| opcode.width_of(word)))
    }

    /// Explains a word of `bits` bits, which is a width of the set or another whole number of
    /// bytes.
    #[must_use]
    pub fn explain_as(&self, word: u128, bits: u8) -> Explanation {
        let mut line = Line::new();
        let (opcode, reason) = match self.decode_as(word, bits) {
            Ok(opcode) => {
                opcode.print(word, &mut line);
                (Some(opcode), None)
            }
            Err(error) => {
                self.print_data(word, bits, &mut line);
                (error.closest(), Some(error.to_string()))
            }
        };
        Explanation { word, bits, text: line.to_string(), reason, opcode }
    }
}

impl Explanation {
    /// Returns lines of text: the instruction, its opcode, and a table with one line for each run
    /// of bits, the highest first.
    #[must_use]
    pub fn text(&self) -> String {
        let mut text = String::new();
        let _ = writeln!(text, "{}\nword    {}", self.text, digits(self.word, self.bits));
        if let Some(reason) = &self.reason {
            let _ = writeln!(text, "illegal {reason}");
            if let Some(opcode) = self.opcode {
                let _ = writeln!(text, "nearest opcode {}:", opcode.name);
            }
        }
        let Some(opcode) = self.opcode else { return text };
        let _ = writeln!(text, "opcode  {}\nsyntax  {}", opcode.name, syntax(opcode));
        for line in opcode.doc.lines() {
            let _ = writeln!(text, "        {}", line.trim());
        }
        for needed in self.requires() {
            let _ = writeln!(text, "requires {needed}");
        }
        if let Some(flow) = self.flow() {
            let _ = writeln!(text, "flow    {flow}");
        }
        for (property, value) in properties(opcode) {
            let _ = writeln!(text, "{:<7} {value}", property.name);
        }
        text.push('\n');
        table(&self.rows(), &mut text);
        for broken in self.broken() {
            let _ = writeln!(text, "\nillegal {broken}");
        }
        text
    }

    /// Returns a fragment of HTML without styles: the instruction, its documentation, and the
    /// table.
    #[must_use]
    pub fn html(&self) -> String {
        let mut html = String::new();
        let (text, word) = (Html(&self.text), digits(self.word, self.bits));
        let _ = writeln!(html, "<p><code>{text}</code> <code>{word}</code></p>");
        if let Some(reason) = &self.reason {
            let _ = writeln!(html, "<p class=\"illegal\">{}</p>", Html(reason));
        }
        let Some(opcode) = self.opcode else { return html };
        let (name, syntax) = (Html(opcode.name), syntax(opcode));
        let _ = writeln!(html, "<p>{name}: <code>{}</code></p>", Html(&syntax));
        let _ = writeln!(html, "<p>{}</p>", Html(opcode.doc.trim()));
        for needed in self.requires() {
            let _ = writeln!(html, "<p>requires: <code>{}</code></p>", Html(&needed));
        }
        if let Some(flow) = self.flow() {
            let _ = writeln!(html, "<p>flow: <code>{}</code></p>", Html(&flow));
        }
        for (property, value) in properties(opcode) {
            let (name, value) = (property.name, value.to_string());
            let _ = writeln!(html, "<p>{name}: <code>{}</code></p>", Html(&value));
        }
        html.push_str("<table>\n");
        let _ = writeln!(html, "<tr><th>{}</th></tr>", TITLES.join("</th><th>"));
        for row in self.rows() {
            let cells = row.each_ref().map(|cell| Html(cell).to_string());
            let _ = writeln!(html, "<tr><td>{}</td></tr>", cells.join("</td><td>"));
        }
        html.push_str("</table>\n");
        for broken in self.broken() {
            let _ = writeln!(html, "<p class=\"illegal\">{}</p>", Html(&broken));
        }
        html
    }

    /// Returns the cells of the table: bits, field, raw value, meaning; the highest bits first.
    #[must_use]
    pub fn rows(&self) -> Vec<[String; 4]> {
        self.parts().iter().map(row).collect()
    }

    /// Returns the parts of the word, the highest bits first.
    pub(super) fn parts(&self) -> Vec<WordPart> {
        let parts = self.opcode.map(|opcode| opcode.explain(self.word).collect());
        let mut parts: Vec<WordPart> = parts.unwrap_or_default();
        parts.reverse();
        parts
    }

    /// Returns the row of `flow` that applies to the word, if there is one.
    pub(super) fn flow(&self) -> Option<String> {
        self.opcode.filter(|_| self.reason.is_none())?.flow_of(self.word)
    }

    /// Returns the conditions over features that the word must meet, each with the part of the
    /// instruction that has the condition.
    pub(super) fn requires(&self) -> impl Iterator<Item = String> + '_ {
        let requires = self.opcode.map_or(&[][..], |opcode| opcode.requires).iter();
        requires.filter(|one| one.applies_to(self.word)).map(|one| match one.subject {
            "" => one.condition.to_owned(),
            subject => format!("{} ({subject})", one.condition),
        })
    }

    /// Returns the exceptions that reject the word.
    pub(super) fn exceptions(&self) -> impl Iterator<Item = &'static Exception> + use<> {
        self.opcode.unwrap_or(&Opcode::NONE).broken(self.word)
    }

    /// Returns a sentence for each invalid combination of values in this word.
    pub(super) fn broken(&self) -> impl Iterator<Item = String> + '_ {
        self.exceptions().map(|broken| {
            let (condition, class) = (broken.condition, broken.class);
            format!("{condition} ({class}, declared in {}): {}", broken.declared_in, broken.reason)
        })
    }
}

/// Returns the cells of a row: bits, field, raw value, meaning.
fn row(part: &WordPart) -> [String; 4] {
    let bits = match (part.high(), part.low()) {
        _ if part.piece.width == 0 => "none".into(),
        (high, low) if high == low => low.to_string(),
        (high, low) => format!("{high}..{low}"),
    };
    let raw = match &part.field {
        Some(field) if part.piece.width == 0 => format!("{:#x}", field.raw),
        _ => format!("{:#x}", part.bits),
    };
    match &part.field {
        Some(field) => [bits, name(field), raw, meaning(field)],
        None if part.is_legal() => [bits, "-".into(), raw, "unused".into()],
        None => [bits, "-".into(), raw, "ILLEGAL: unused bits must be 0".into()],
    }
}

fn name(part: &FieldPart) -> String {
    match part.field.pieces.len() {
        0 | 1 => part.field.name.into(),
        count => format!("{} ({} of {count})", part.field.name, part.piece + 1),
    }
}

/// Returns the meaning of a field's value, its origin, and the access of the instruction.
fn meaning(part: &FieldPart) -> String {
    let field = part.field;
    let mut notes = vec![field.kind.name.to_owned()];
    if let Some(access) = part.access() {
        notes.push(
            match access {
                Access::Read => "read",
                Access::Write => "written",
                Access::ReadWrite => "read and written",
            }
            .into(),
        );
    }
    if let Some(lanes) = part.lanes() {
        notes.push(lanes.to_string());
    }
    if part.is_fixed() {
        notes.push(format!("fixed by {}", field.declared_in));
    } else if part.is_default() {
        notes.push("default".into());
    }
    if let Some(value) = field.kind.value(part.raw).filter(|value| !value.also.is_empty()) {
        notes.push(format!("also spelled {}", value.also.join(", ")));
    }
    if part.field.pieces.len() > 1 {
        notes.push(format!("complete value {:#x}", part.raw));
    }
    let mut text = value(part);
    let _ = write!(text, "  ({})", notes.join(", "));
    if !part.doc().is_empty() {
        let _ = write!(text, ": {}", part.doc().trim());
    }
    text
}

/// Returns the value as assembly text, or the reason why the value is invalid.
fn value(part: &FieldPart) -> String {
    let field = part.field;
    match field.init {
        Init::Fixed(value) if value != part.raw => {
            let named = field.kind.value(value).map_or("", |value| value.name);
            format!("ILLEGAL: must be {value:#x} {named}").trim_end().into()
        }
        _ if !field.kind.admits(part.raw) => "ILLEGAL: reserved value".into(),
        _ => {
            let mut line = Line::new();
            part.meaning(&mut line);
            line.to_string()
        }
    }
}

/// The columns of the table.
pub(super) const TITLES: [&str; 4] = ["bits", "field", "raw", "meaning"];

/// Appends rows with aligned columns, except for the last column.
fn table(rows: &[[String; 4]], text: &mut String) {
    let width = |column: usize| {
        let cells = rows.iter().map(|row| row[column].chars().count());
        cells.chain([TITLES[column].len()]).max().unwrap_or_default()
    };
    let [bits, field, raw] = [0, 1, 2].map(width);
    let titles = TITLES.map(String::from);
    for [a, b, c, d] in core::iter::once(&titles).chain(rows) {
        let _ = writeln!(text, "{a:>bits$}  {b:field$}  {c:>raw$}  {d}");
    }
}

/// Text that is escaped for HTML.
struct Html<'t>(&'t str);

impl Display for Html<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.chars().try_for_each(|c| match c {
            '&' => f.write_str("&amp;"),
            '<' => f.write_str("&lt;"),
            '>' => f.write_str("&gt;"),
            '"' => f.write_str("&quot;"),
            c => f.write_char(c),
        })
    }
}
