//! Errors in a program.

use alloc::borrow::ToOwned;
use alloc::boxed::Box;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt::{self, Display};
use core::ops::Range;

use super::dialect::main_directives;
use crate::asm::LabelMap;
use crate::error::{ParseError, ParseErrorKind, list, sort_by_key, suggestions};
use crate::text::{Cause, Cursor, Labels};

/// An error in a program, with its position in the text.
///
/// [`Display`] prints the position, the message and the help on one line. For a diagnostic of
/// several lines use the fields and [`AssembleError::title`], [`AssembleError::label`] and
/// [`AssembleError::help`].
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct AssembleError {
    /// The offending bytes of the text.
    pub span: Range<usize>,
    /// The line of its first byte, from 1.
    pub line: usize,
    /// The column of its first byte in characters, from 1.
    pub column: usize,
    /// The reason for the error.
    pub kind: AssembleErrorKind,
    /// The line of the first definition of a label that is defined twice.
    first: Option<usize>,
}

/// The reason why an object file cannot leave an address to the linker.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Missing {
    /// The object format has no relocation for the position of the address.
    Relocation,
    /// No operand of the instruction is declared as an address with
    /// [`TARGET`](crate::operand::OperandKind::TARGET).
    Target,
    /// The instruction has several targets, and a linker can only fill in one.
    OneTarget,
}

/// The reasons for an error in a program.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub enum AssembleErrorKind {
    /// A statement is invalid, or it refers to a label that does not exist or is too far away.
    #[non_exhaustive]
    Statement {
        /// The error in the statement.
        error: Box<ParseError>,
        /// The label that was probably meant.
        near: Option<String>,
    },
    /// A label or a constant is defined twice.
    #[non_exhaustive]
    LabelTwice {
        /// The name.
        name: String,
        /// The position of the first definition; `None` if the caller passed the name to the
        /// assembler.
        first: Option<Range<usize>>,
    },
    /// The program contains a label, although no instruction of the set has a target.
    #[non_exhaustive]
    NoTargets {
        /// The name of the set.
        set: &'static str,
    },
    /// The definitions of constants are circular.
    #[non_exhaustive]
    Circular {
        /// The names of the constants. The value of each depends on the next one, and the last one
        /// depends on the first.
        names: Vec<String>,
    },
    /// The value of a constant is neither a number nor an address.
    #[non_exhaustive]
    NoConstant {
        /// The name.
        name: String,
        /// True if the number has more than 64 bits. Otherwise the value is a sum of addresses.
        is_too_large: bool,
    },
    /// The length of a statement depends on the address of a label in such a way that no layout is
    /// consistent.
    Unsettled,
    /// An object file refers to an address that is only known after linking, and its format has no
    /// relocation for this.
    #[non_exhaustive]
    NoRelocation {
        /// The label, or `.`.
        name: String,
        /// The size of the value in bytes; 0 for the target of an instruction.
        bytes: usize,
        /// The section of the label, if it differs from the section of the instruction.
        section: Option<String>,
        /// The reason why a linker cannot fill in the address.
        missing: Missing,
    },
    /// The value of a constant is a distance between two sections of an object file.
    #[non_exhaustive]
    Sections {
        /// The name.
        name: String,
    },
    /// A line declares other flags of a section than an earlier line.
    #[non_exhaustive]
    SectionFlags {
        /// The name of the section.
        name: String,
    },
    /// The program reserves more space than the assembler allows.
    #[non_exhaustive]
    TooMuchRoom {
        /// The maximum number of bytes that all directives for space can reserve together.
        most: usize,
    },
}

impl From<ParseError> for AssembleErrorKind {
    fn from(error: ParseError) -> Self {
        AssembleErrorKind::Statement { error: Box::new(error), near: None }
    }
}

/// The number of errors for which a suggestion is always searched, regardless of the number of names.
const SUGGESTED: usize = 20;

/// The number of names that are compared for the suggestions of all further errors.
const COMPARED: usize = 1 << 18;

/// Adds suggestions to errors, which are in the order of the text. The search compares a wrong name
/// with all names, so its cost is limited: after the first [`SUGGESTED`] errors, it stops as soon as
/// [`COMPARED`] names were compared.
fn suggest(text: &str, kinds: &mut [(Range<usize>, AssembleErrorKind)], labels: &LabelMap) {
    let mut left = COMPARED;
    for (number, (span, kind)) in kinds.iter_mut().enumerate() {
        let AssembleErrorKind::Statement { error, near } = kind else { continue };
        let Some(is_label) = names_a_label(error) else { continue };
        let name = Cursor::new(text.get(span.clone()).unwrap_or_default()).whole_name();
        // If the constant exists, its name is not the error.
        if name.is_empty() || labels.constant(name).is_some() {
            continue;
        }
        let count = labels.count();
        if number >= SUGGESTED && left < count {
            return;
        }
        left = left.saturating_sub(count);
        let names = labels.names_of_all(is_label);
        *near = suggestions::nearest(name.as_bytes(), names).map(ToOwned::to_owned);
    }
}

/// Returns `Some(true)` if the text of an error is probably a misspelled label, `Some(false)` if it can
/// only be a constant, and `None` otherwise.
fn names_a_label(error: &ParseError) -> Option<bool> {
    match error.kind() {
        ParseErrorKind::Operand(fault) => match fault.cause {
            Cause::UnknownLabel => Some(true),
            Cause::Text | Cause::UnknownConstant => Some(false),
            _ => None,
        },
        ParseErrorKind::NoOperand { .. } | ParseErrorKind::NoForm { .. } => Some(false),
        _ => None,
    }
}

impl AssembleError {
    /// Returns the message: lower case, without a full stop.
    #[must_use]
    pub fn title(&self) -> impl Display + '_ {
        match &self.kind {
            AssembleErrorKind::Statement { error, .. } => error.title().to_string(),
            AssembleErrorKind::LabelTwice { name, .. } => {
                format!("`{name}` is defined twice")
            }
            AssembleErrorKind::Circular { names } => {
                format!(
                    "the value of `{}` depends on itself",
                    names.first().map_or("", |name| name)
                )
            }
            AssembleErrorKind::NoConstant { name, is_too_large: true } => {
                format!("the value of `{name}` needs more than 64 bits")
            }
            AssembleErrorKind::NoConstant { name, .. } => {
                format!("`{name}` is neither a number nor an address")
            }
            AssembleErrorKind::NoTargets { set } => {
                format!("programs for `{set}` cannot have labels")
            }
            AssembleErrorKind::Unsettled => {
                "the statement length and the label address depend on each other".to_owned()
            }
            AssembleErrorKind::NoRelocation { name, .. } => {
                format!("the address of `{name}` is not known before the program is linked")
            }
            AssembleErrorKind::Sections { name } => {
                format!("`{name}` is a distance between sections")
            }
            AssembleErrorKind::SectionFlags { name } => {
                format!("conflicting flags for section `{name}`")
            }
            AssembleErrorKind::TooMuchRoom { most } => {
                format!("the program reserves more than {most} bytes")
            }
        }
    }

    /// Returns a short label for the position in the text.
    #[must_use]
    pub fn label(&self) -> &'static str {
        match &self.kind {
            AssembleErrorKind::Statement { error, .. } => error.label(),
            AssembleErrorKind::LabelTwice { .. } => "second definition",
            AssembleErrorKind::Circular { .. } => "circular definition",
            AssembleErrorKind::NoConstant { is_too_large: true, .. } => "too large",
            AssembleErrorKind::NoConstant { .. } => "a sum of addresses",
            AssembleErrorKind::NoTargets { .. } => "no instruction can refer to it",
            AssembleErrorKind::Unsettled => "no consistent length",
            AssembleErrorKind::NoRelocation { .. } => "a linker must fill this in",
            AssembleErrorKind::Sections { .. } => "only the linker can compute it",
            AssembleErrorKind::SectionFlags { .. } => "differs from an earlier line",
            AssembleErrorKind::TooMuchRoom { .. } => "exceeds the limit",
        }
    }

    /// Returns a suggestion for a correction, if there is one.
    #[must_use]
    pub fn help(&self) -> Option<String> {
        match &self.kind {
            AssembleErrorKind::Statement { error, near } => statement_help(error, near.as_deref()),
            AssembleErrorKind::LabelTwice { .. } => Some(match self.first {
                Some(line) => format!("the first definition is on line {line}; rename one of them"),
                None => "it was already passed to the assembler; rename one of them".to_owned(),
            }),
            AssembleErrorKind::Circular { names } => Some(circle(names)),
            AssembleErrorKind::NoConstant { is_too_large, .. } => Some(
                match is_too_large {
                    true => "expected a value from -9223372036854775808 to 18446744073709551615",
                    false => "use at most one address, or subtract one for each further address",
                }
                .to_owned(),
            ),
            AssembleErrorKind::NoTargets { .. } => Some("remove the label".to_owned()),
            AssembleErrorKind::Unsettled => Some("write the distance as a number".to_owned()),
            AssembleErrorKind::Sections { .. } => {
                Some("subtract a label of the same section".to_owned())
            }
            AssembleErrorKind::TooMuchRoom { .. } => Some(
                "reserve fewer bytes with `.zero`, `.balign`, `.p2align` and `.org`".to_owned(),
            ),
            AssembleErrorKind::SectionFlags { .. } => {
                Some("remove the flags here: the first directive or the name sets them".to_owned())
            }
            AssembleErrorKind::NoRelocation { section: Some(section), .. } => Some(format!(
                "the label is in `{section}`, and the object format has no relocation for this \
                 operand; put both in one section"
            )),
            AssembleErrorKind::NoRelocation { missing: Missing::Target, .. } => Some(
                "a linker cannot fill in this operand: its operand type does not define `TARGET`"
                    .to_owned(),
            ),
            AssembleErrorKind::NoRelocation { missing: Missing::OneTarget, .. } => Some(
                "a linker can fill in only one target, but this instruction has several".to_owned(),
            ),
            AssembleErrorKind::NoRelocation { name, bytes, .. } => {
                Some(match (name.as_str(), *bytes) {
                    (".", 0) => "write a label instead of `.`".to_owned(),
                    (_, 0) => "the object format has no relocation for this operand".to_owned(),
                    (_, 1) => "the object format has no relocation for a byte of data".to_owned(),
                    (_, bytes) => {
                        format!("the object format has no relocation for {bytes} bytes of data")
                    }
                })
            }
        }
    }
}

fn statement_help(error: &ParseError, near: Option<&str>) -> Option<String> {
    if let Some(name) = near {
        return Some(format!("did you mean `{name}`?"));
    }
    match error.kind() {
        ParseErrorKind::Operand(fault) if fault.cause == Cause::UnknownLabel => {
            Some("define it: write `NAME:` before a statement".to_owned())
        }
        ParseErrorKind::Operand(fault) if fault.cause == Cause::UnknownConstant => {
            Some("define it: `.equ NAME, NUMBER;`".to_owned())
        }
        ParseErrorKind::UnknownDirective if error.found() == ".align" => Some(
            "`.align` counts bytes on some machines and powers of two on others: write `.balign 8` or \
             `.p2align 3`"
                .to_owned(),
        ),
        ParseErrorKind::UnknownDirective => {
            let mut help = "the directives are ".to_owned();
            let names = main_directives().map(|name| format!("`{name}`"));
            // Writing to a string cannot fail.
            let _ = list::joined(&mut help, names, "and");
            Some(help)
        }
        _ => error.help().map(|help| help.to_string()),
    }
}

/// Returns the help for constants with circular definitions.
fn circle(names: &[String]) -> String {
    /// The maximum number of names in a message.
    const MOST: usize = 4;
    let mut text = "write its value as a number".to_owned();
    let others = names.iter().skip(1);
    if others.len() > 0 {
        let more = others.len().saturating_sub(MOST);
        let rest = (more > 0).then(|| format!("{more} more"));
        let names = others.take(MOST).map(|name| format!("`{name}`")).chain(rest);
        text += "; it depends on ";
        // Writing to a string cannot fail.
        let _ = list::joined(&mut text, names, "and");
    }
    text
}

impl Display for AssembleError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.line, self.column, self.title())?;
        match self.help() {
            Some(help) => write!(f, "; {help}"),
            None => Ok(()),
        }
    }
}

impl core::error::Error for AssembleError {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        match &self.kind {
            AssembleErrorKind::Statement { error, .. } => Some(error),
            _ => None,
        }
    }
}

/// All errors of a program, in the order of the text; at least one.
///
/// [`Display`] prints each error on its own line.
#[derive(Debug, Clone)]
pub struct AssembleErrors(Vec<AssembleError>);

impl AssembleErrors {
    /// Creates the list of errors of a text, with suggestions from its labels.
    pub(crate) fn new(
        text: &str,
        mut kinds: Vec<(Range<usize>, AssembleErrorKind)>,
        labels: &LabelMap,
    ) -> Self {
        sort_by_key(&mut kinds, |(span, _)| span.start);
        suggest(text, &mut kinds, labels);
        let mut lines = LinePositions::of(text);
        let errors = kinds.into_iter().map(|(span, mut kind)| {
            if let AssembleErrorKind::Statement { error, .. } = &mut kind {
                error.see_line_end(text);
            }
            let (line, column) = lines.place(span.start.min(text.len()));
            let first = match &kind {
                AssembleErrorKind::LabelTwice { first: Some(first), .. } => {
                    Some(lines.before(first.start) + 1)
                }
                _ => None,
            };
            let end = |place: usize| place.min(text.len());
            AssembleError { span: end(span.start)..end(span.end), line, column, kind, first }
        });
        AssembleErrors(errors.collect())
    }

    /// Returns the errors as a vector.
    #[must_use]
    pub fn into_vec(self) -> Vec<AssembleError> {
        self.0
    }

    /// Returns the errors in the order of the text.
    pub fn iter(&self) -> core::slice::Iter<'_, AssembleError> {
        self.0.iter()
    }
}

impl<'e> IntoIterator for &'e AssembleErrors {
    type Item = &'e AssembleError;
    type IntoIter = core::slice::Iter<'e, AssembleError>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl Display for AssembleErrors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut gap = "";
        self.iter().try_for_each(|error| {
            write!(f, "{gap}{error}")?;
            gap = "\n";
            Ok(())
        })
    }
}

impl core::error::Error for AssembleErrors {}

/// The lines of a text, for the conversion of offsets to lines and columns.
struct LinePositions<'t> {
    text: &'t str,
    /// The offsets of all line breaks.
    breaks: Vec<usize>,
    /// The offset of the last lookup, and the number of characters before it in its line.
    last: (usize, usize),
}

impl<'t> LinePositions<'t> {
    fn of(text: &'t str) -> Self {
        let breaks = text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n');
        LinePositions { text, breaks: breaks.map(|(at, _)| at).collect(), last: (0, 0) }
    }

    /// Returns the number of lines that end before an offset.
    fn before(&self, place: usize) -> usize {
        self.breaks.partition_point(|&end| end < place)
    }

    /// Returns the line and the column of an offset, which must not be before the offset of the
    /// last call. The characters of a line are counted only once, even if many offsets in it are
    /// looked up.
    fn place(&mut self, place: usize) -> (usize, usize) {
        let before = self.before(place);
        let end = before.checked_sub(1).and_then(|last| self.breaks.get(last));
        let start = end.map_or(0, |end| end + 1);
        let (from, column) = if self.last.0 < start { (start, 0) } else { self.last };
        let passed = self.text.get(from..place).unwrap_or_default();
        self.last = (place, column + passed.chars().count());
        (before + 1, self.last.1 + 1)
    }
}
