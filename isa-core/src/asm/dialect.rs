//! The directives of programs: one list for the parser, error messages, completion and grammars.

use super::data::{self, Data};
use crate::text::{Cursor, is_name};

/// The effect of a directive.
#[derive(Debug, Clone, Copy)]
pub(super) enum Directive {
    /// A word of the widest width. This directive is not parsed here, but by the parser of
    /// instructions.
    Word,
    /// Values with a fixed number of bytes each.
    Data(&'static Data),
    /// Bytes that are 0.
    Room(PaddingTarget),
    /// Labels that other objects may use.
    Globals,
    /// The type of a label for a linker.
    Type,
    /// A name for a number.
    Constant,
    /// The section with this name, or the section whose name follows if there is no name.
    Section(Option<&'static str>),
    /// Quoted texts. If `ends` is true, a byte 0 follows each text.
    Text { ends: bool },
    /// A directive that only other tools use. It is ignored up to the end of the statement.
    Ignored,
}

/// All directives.
const ALL: [(&str, Directive); 20] = [
    (".word", Directive::Word),
    (".byte", Directive::Data(&data::BYTE)),
    (".2byte", Directive::Data(&data::TWO)),
    (".4byte", Directive::Data(&data::FOUR)),
    (".8byte", Directive::Data(&data::EIGHT)),
    (".ascii", Directive::Text { ends: false }),
    (".asciz", Directive::Text { ends: true }),
    (".zero", Directive::Room(PaddingTarget::Bytes)),
    (".balign", Directive::Room(PaddingTarget::Multiple)),
    (".p2align", Directive::Room(PaddingTarget::Power)),
    (".org", Directive::Room(PaddingTarget::Address)),
    (".globl", Directive::Globals),
    (".global", Directive::Globals),
    (".type", Directive::Type),
    (".equ", Directive::Constant),
    (".set", Directive::Constant),
    (".section", Directive::Section(None)),
    (".text", Directive::Section(Some(".text"))),
    (".data", Directive::Section(Some(".data"))),
    (".bss", Directive::Section(Some(".bss"))),
];

/// The directives that disassemblers and listings print. They have the same meaning in every
/// dialect, so printed text assembles to the same bytes.
const KEPT: [&str; 11] = [
    ".byte", ".2byte", ".4byte", ".8byte", ".zero", ".balign", ".globl", ".type", ".equ",
    ".section", ".text",
];

/// Further names that the GNU assembler accepts for every machine. Each is paired with the directive
/// that has the same effect, or with the empty string if it is ignored.
const GNU: [(&str, &str); 17] = [
    (".string", ".asciz"),
    (".short", ".2byte"),
    (".hword", ".2byte"),
    (".half", ".2byte"),
    (".long", ".4byte"),
    (".int", ".4byte"),
    (".quad", ".8byte"),
    (".dword", ".8byte"),
    (".xword", ".8byte"),
    (".skip", ".zero"),
    (".space", ".zero"),
    (".file", ""),
    (".ident", ""),
    (".size", ""),
    (".loc", ""),
    (".addrsig", ""),
    // The last entry matches all names with this prefix.
    (".cfi_*", ""),
];

/// The names of all directives of programs, including the dots. The list also contains names of the GNU
/// assembler, which are ignored or have the same effect as another directive, such as `.short` for
/// `.2byte`. Outside programs, only `.word` is accepted.
///
/// ```
/// use isa_core::asm::DIRECTIVES;
///
/// assert!(DIRECTIVES.contains(&".word") && DIRECTIVES.contains(&".short"));
/// ```
pub const DIRECTIVES: [&str; ALL.len() + GNU.len() - 1] = {
    let (mut names, mut i) = ([""; ALL.len() + GNU.len() - 1], 0);
    while i < names.len() {
        names[i] = if i < ALL.len() { ALL[i].0 } else { GNU[i - ALL.len()].0 };
        i += 1;
    }
    names
};

/// Returns the directives that messages list: all of [`DIRECTIVES`] except other names for one of
/// them.
pub(crate) fn main_directives() -> impl Iterator<Item = &'static str> {
    ALL.iter().map(|(name, _)| *name)
}

/// The meaning of the number after a directive.
#[derive(Debug, Clone, Copy)]
pub(super) enum PaddingTarget {
    /// The number of bytes.
    Bytes,
    /// The alignment: the next address must be a multiple of this number.
    Multiple,
    /// An exponent: the next address must be a multiple of two to this power.
    Power,
    /// The next address.
    Address,
}

/// The settings of a tool for its programs: additional names of directives, and the padding between
/// instructions.
#[derive(Debug, Clone, Copy)]
pub(super) struct Dialect {
    /// Names as in [`GNU`], which take precedence.
    pub(super) names: &'static [(&'static str, &'static str)],
    /// The bytes of instructions that do nothing, the longest first.
    pub(super) padding: &'static [&'static [u8]],
}

impl Dialect {
    pub(super) const NONE: Self = Dialect { names: &[], padding: &[] };

    /// Moves the cursor past the name of a directive, if there is one, and returns the directive.
    #[inline]
    pub(super) fn take(self, cursor: &mut Cursor<'_>) -> Option<Directive> {
        if cursor.peek() != Some(b'.') {
            return None;
        }
        let mut ahead = cursor.clone();
        let directive = self.find(ahead.name())?;
        // Operands of directives have no modifiers, so a dot never begins one.
        ahead.set_takes_dots(true);
        *cursor = ahead;
        Some(directive)
    }

    /// Returns the directive at the start of the statement at a position, with a cursor after its
    /// name.
    pub(super) fn at(self, text: &str, start: usize) -> Option<(Directive, Cursor<'_>)> {
        let mut cursor = Cursor::new(text).moved_to(start);
        Some((self.take(&mut cursor)?, cursor))
    }

    /// Returns whether the statement at a position is a directive that reserves bytes.
    pub(super) fn is_room(self, text: &str, start: usize) -> bool {
        matches!(self.at(text, start), Some((Directive::Room(_), _)))
    }

    pub(super) fn find(self, name: &str) -> Option<Directive> {
        let known = |name: &str| {
            let (_, directive) = ALL.iter().find(|(known, _)| *known == name)?;
            Some(*directive)
        };
        let is_meant = |(other, _): &&(&str, &str)| match other.strip_suffix('*') {
            Some(beginning) => name.starts_with(beginning),
            None => *other == name,
        };
        match self.names.iter().find(is_meant) {
            // These directives keep their meaning, even if a name with a `*` matches them.
            _ if KEPT.contains(&name) => return known(name),
            Some((_, "")) => return Some(Directive::Ignored),
            Some((_, meant)) => return known(meant),
            None => {}
        }
        known(name).or_else(|| match GNU.iter().find(is_meant)? {
            (_, "") => Some(Directive::Ignored),
            (_, meant) => known(meant),
        })
    }
}

/// Returns whether all names can begin a directive: a dot, followed by letters, digits, `_`, `.`
/// and `$`, with an optional `*` at the end.
pub(super) const fn are_names(names: &[(&str, &str)]) -> bool {
    let mut rest = names;
    while let [(name, _), behind @ ..] = rest {
        rest = behind;
        let [b'.', name @ ..] = name.as_bytes() else { return false };
        let ([name @ .., b'*'] | name) = name;
        let mut name = name;
        while let [byte, behind @ ..] = name {
            name = behind;
            if !is_name(*byte) {
                return false;
            }
        }
    }
    true
}

/// Returns whether no name redefines a directive that has the same meaning in every dialect.
pub(super) const fn are_free(names: &[(&str, &str)]) -> bool {
    let mut rest = names;
    while let [(name, meant), behind @ ..] = rest {
        rest = behind;
        let mut place = 0;
        while place < KEPT.len() {
            if is_same(name, KEPT[place]) && !is_same(name, meant) {
                return false;
            }
            place += 1;
        }
    }
    true
}

const fn is_same(a: &str, b: &str) -> bool {
    let (mut a, mut b) = (a.as_bytes(), b.as_bytes());
    while let ([first, a_behind @ ..], [second, b_behind @ ..]) = (a, b) {
        if *first != *second {
            return false;
        }
        (a, b) = (a_behind, b_behind);
    }
    a.is_empty() && b.is_empty()
}

/// Returns the directive for values of a size, if there is one.
pub(super) fn of_size(bytes: usize) -> Option<&'static str> {
    let found = ALL
        .iter()
        .find(|(_, directive)| matches!(directive, Directive::Data(data) if data.size() == bytes));
    found.map(|(name, _)| *name)
}
