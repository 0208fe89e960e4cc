//! Source code that an import writes. Foreign text can become part of it in three ways: as a name that
//! the language accepts, as a quoted literal, or as exactly one statement that the language's parser
//! accepts in its section. Such a part has balanced tokens and contains no comment, so foreign text
//! cannot end the code around it.

use std::cell::RefCell;
use std::collections::{HashMap, HashSet};
use std::fmt::{Arguments, Display};
use std::ops::Deref;

use isa_compiler::Fragment;
use proc_macro2::Literal;

use crate::plain::{is_hidden, short};

/// The source code of some tokens of a call.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Code {
    text: String,
    /// The line of the input from which the code is, if it is from one line.
    origin: Option<LineOrigin>,
}

/// A line of the input.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct LineOrigin {
    /// The index of the file.
    pub(crate) file: usize,
    /// The line, counted from 1.
    pub(crate) line: usize,
}

impl Deref for Code {
    type Target = str;

    fn deref(&self) -> &str {
        &self.text
    }
}

/// Formats code. The format is a literal, and the arguments are code, numbers or constant texts of this
/// crate, but never foreign text.
macro_rules! code {
    ($format:literal $(, $piece:expr)* $(,)?) => {
        $crate::code::Code::of_macro(format_args!($format $(, $crate::code::CodeArgument::as_display(&$piece))*))
    };
}
pub(crate) use code;

/// An argument of [`code!`].
pub(crate) trait CodeArgument {
    fn as_display(&self) -> &dyn Display;
}

macro_rules! pieces {
    ($($ty:ty)*) => {$(
        impl CodeArgument for $ty {
            fn as_display(&self) -> &dyn Display {
                self
            }
        }
    )*};
}
pieces! { &'static str u32 u64 usize }

impl CodeArgument for Code {
    fn as_display(&self) -> &dyn Display {
        &self.text
    }
}

impl CodeArgument for &Code {
    fn as_display(&self) -> &dyn Display {
        &self.text
    }
}

impl Code {
    fn unplaced(text: String) -> Code {
        Code { text, origin: None }
    }

    /// Returns the same code with the line of the input from which it is.
    pub(crate) fn at_line(self, origin: LineOrigin) -> Code {
        Code { origin: Some(origin), ..self }
    }

    /// Returns the line of the input from which the code is.
    pub(crate) fn origin(&self) -> Option<LineOrigin> {
        self.origin
    }

    /// Creates code from formatted text. Only [`code!`] may call it.
    pub(crate) fn of_macro(text: Arguments<'_>) -> Code {
        Code::unplaced(text.to_string())
    }

    /// Returns the name of an opcode, a group, an optype or an alias.
    pub(crate) fn name(text: &str) -> Result<Code, String> {
        Code::named(Fragment::Name, text)
    }

    /// Returns the name of a set, an operand type or a format.
    pub(crate) fn type_name(text: &str) -> Result<Code, String> {
        Code::named(Fragment::TypeName, text)
    }

    /// Returns the name of a field, which may contain a dot.
    pub(crate) fn field_name(text: &str) -> Result<Code, String> {
        Code::named(Fragment::FieldName, text)
    }

    /// Returns the name of a value, in quotes unless it is a name in Rust.
    pub(crate) fn value_name(text: &str) -> Result<Code, String> {
        Code::named(Fragment::Name, text).or_else(|error| {
            let quoted = Code::quoted(text);
            let is_value = check(Fragment::ValueName, &quoted).is_ok();
            if is_value { Ok(quoted) } else { Err(error) }
        })
    }

    /// Returns the path of a set, such as `isa_defs::base::Base`.
    pub(crate) fn path(text: &str) -> Result<Code, String> {
        if text.split("::").all(|name| Code::name(name).is_ok()) {
            return Ok(Code::unplaced(text.to_owned()));
        }
        Err(format!(
            "expected the path of a set such as `isa_defs::base::Base`, found `{}`",
            short(text)
        ))
    }

    fn named(sort: Fragment, text: &str) -> Result<Code, String> {
        let is_plain = |c: char| c.is_alphanumeric() || c == '_' || c == '.';
        if text.chars().all(is_plain) && check(sort, text).is_ok() {
            return Ok(Code::unplaced(text.to_owned()));
        }
        Err(format!(
            "expected a name of letters, digits and `_`, found `{}`: write {}",
            short(text),
            instead(sort, text)
        ))
    }

    /// Returns a string literal.
    pub(crate) fn quoted(text: &str) -> Code {
        Code::unplaced(Literal::string(text).to_string())
    }

    /// Returns a number with the same spelling as in the source.
    pub(crate) fn numeral(text: &str) -> Code {
        let lower = text.to_ascii_lowercase();
        let is_number = lower.chars().all(|c| c.is_ascii_alphanumeric())
            && lower.starts_with(|c: char| c.is_ascii_digit());
        Code::unplaced(if is_number { lower } else { "0".to_owned() })
    }

    /// Returns a statement with its `;`, a template or a list of values.
    pub(crate) fn statement(sort: Fragment, text: &str) -> Result<Code, String> {
        let text = tidy(text)?;
        check(sort, &text)?;
        Ok(Code::unplaced(text))
    }

    /// Returns the Rust type of an operand type, which `reserved(...)` may follow.
    pub(crate) fn operand_type(text: &str) -> Result<Code, String> {
        Code::statement(Fragment::OperandType, text)
    }

    /// Returns the text after the name of a field: ` = value`, ` == value`, ` != {0, 1}`.
    pub(crate) fn setting(text: &str) -> Result<Code, String> {
        let whole = Code::statement(Fragment::Encoding, &format!("x{text};"))?;
        Ok(Code::unplaced(whole.text[1..whole.text.len() - 1].to_owned()))
    }

    /// Splits the statement into two lines. The second line begins at the first `at` that is not in
    /// quotes, and it is indented.
    pub(crate) fn broken(&self, sort: Fragment, at: &str) -> Code {
        let found = outside(&self.text).find(|&place| self.text[place..].starts_with(at));
        let Some(place) = found else { return self.clone() };
        let (first, second) = self.text.split_at(place);
        let text = format!("{}\n    {}", first.trim_end(), second.trim_start());
        if check(sort, &text).is_ok() { Code { text, ..*self } } else { self.clone() }
    }

    /// Joins codes with a text between them.
    pub(crate) fn joined(all: &[Code], between: &'static str) -> Code {
        let texts: Vec<&str> = all.iter().map(|code| &*code.text).collect();
        Code::unplaced(texts.join(between))
    }
}

thread_local! {
    /// Texts that the parser accepted, as a cache, because many opcodes have the same statements.
    static ACCEPTED: RefCell<HashMap<Fragment, HashSet<String>>> = RefCell::default();
}

/// Checks a text with the parser of the language. A text that was accepted before is not parsed
/// again.
fn check(sort: Fragment, text: &str) -> Result<(), String> {
    const MOST: usize = 1 << 16;
    ACCEPTED.with_borrow_mut(|accepted| {
        let known = accepted.entry(sort).or_default();
        if known.contains(text) {
            return Ok(());
        }
        sort.check(text)?;
        if known.len() >= MOST {
            known.clear();
        }
        known.insert(text.to_owned());
        Ok(())
    })
}

/// Returns a valid name that is similar to a text, in backquotes.
fn instead(sort: Fragment, text: &str) -> String {
    let dot = if sort == Fragment::FieldName { '.' } else { '_' };
    let kept = |c: char| if c.is_ascii_alphanumeric() || c == '_' || c == dot { c } else { '_' };
    let name: String = text.trim().chars().take(40).map(|c| kept(narrow(c))).collect();
    let name = name.trim_matches('.').to_owned();
    let tries = [name.clone(), format!("{name}_"), format!("_{name}"), "name".to_owned()];
    let good = tries.into_iter().find(|name| !name.is_empty() && check(sort, name).is_ok());
    format!("`{}`", good.unwrap_or_default())
}

/// Converts a full-width character to its ASCII character. Returns other characters unchanged.
pub(crate) fn narrow(c: char) -> char {
    match u32::from(c) {
        wide @ 0xff01..=0xff5e => char::from_u32(wide - 0xfee0).unwrap_or(c),
        _ => c,
    }
}

/// Returns the positions of characters that are not in quotes.
pub(crate) fn outside(text: &str) -> impl Iterator<Item = usize> {
    let (mut quoted, mut escaped) = (false, false);
    text.char_indices().filter_map(move |(at, c)| {
        let was = quoted;
        match c {
            '"' if !escaped => quoted = !quoted,
            _ => {}
        }
        escaped = was && c == '\\' && !escaped;
        (!was && c != '"').then_some(at)
    })
}

/// Replaces hidden characters: by blanks outside of quotes, and by escapes in quotes. Returns an
/// error if there is a comment outside of quotes.
fn tidy(text: &str) -> Result<String, String> {
    let mut out = String::with_capacity(text.len());
    let mut places = outside(text).peekable();
    for (at, c) in text.char_indices() {
        let is_outside = places.next_if_eq(&at).is_some();
        let rest = &text[at..];
        if is_outside && (rest.starts_with("//") || rest.starts_with("/*")) {
            return Err("expected no comment inside a statement".to_owned());
        }
        match c {
            c if is_outside && c.is_whitespace() => out.push(' '),
            c if is_hidden(c) => out.extend(c.escape_unicode()),
            c => out.push(c),
        }
    }
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_names_and_messages_have_what_to_write() {
        for text in ["ADD", "_a1", "match", "é"] {
            assert_eq!(&*Code::name(text).unwrap(), text);
        }
        for (text, instead) in [
            ("", "`name`"),
            ("a b", "`a_b`"),
            ("1a", "`_1a`"),
            ("self", "`self_`"),
            ("r#type", "`r_type`"),
            ("a\n} pub fn x() {", "`a___pub_fn_x____`"),
            ("Ａ（", "`A_`"),
            ("a//b", "`a__b`"),
            ("a.b", "`a_b`"),
        ] {
            let message = Code::name(text).unwrap_err();
            assert!(message.ends_with(&format!("write {instead}")), "{text}: {message}");
            assert!(!message.contains('\n'));
        }
        assert_eq!(&*Code::field_name("ra.neg").unwrap(), "ra.neg");
        assert!(Code::type_name("match").is_err());
        assert_eq!(&*Code::value_name("8b").unwrap(), "\"8b\"");
        assert!(Code::value_name("8 b").is_err());
        assert_eq!(&*Code::quoted("a\"\n\u{202e}"), "\"a\\\"\\n\\u{202e}\"");
        assert_eq!(&*Code::numeral("0X1F"), "0x1f");
    }

    #[test]
    fn statements_are_exactly_one() {
        let good = |sort, text: &str| assert!(Code::statement(sort, text).is_ok(), "{text}");
        good(Fragment::Encoding, "field<0, 4 : 8, 1> Op op == ADD;");
        good(Fragment::Encoding, "where rd != 0;");
        good(Fragment::Exception, "EncodingError<Illegal, \"} /* \\\" ; */\"> = a == b;");
        good(Fragment::Template, "ADD{.X} Rd, {-}{|}Ra{|}, \"[\" Rb \"]\" $sched;");
        good(Fragment::ValueList, ".rnd = {.RN*, .RP}");
        good(Fragment::Flow, "branch to or next if rd == 0;");
        good(Fragment::Flow, "branch *to;");
        for (sort, text) in [
            (Fragment::Encoding, "a == 1; b == 2;"),
            (Fragment::Encoding, "a == 1"),
            (Fragment::Encoding, ";"),
            (Fragment::Encoding, "a == 1; } x {"),
            (Fragment::Encoding, "#[doc = include_str!(\"/etc/passwd\")] a == 1;"),
            (Fragment::Encoding, "a == 1; // b"),
            (Fragment::Encoding, "a == /* b */ 1;"),
            (Fragment::Encoding, "for X in [1] { a == 1 };"),
            (Fragment::Exception, "EncodingError<A, r\"x\"> = a == b;"),
            (Fragment::Exception, "EncodingError<A, \"x> = a == b;"),
            (Fragment::Template, "ADD rd; SUB rd;"),
            (Fragment::Template, "ADD (rd);"),
            (Fragment::Operands, "semantics { };"),
            (Fragment::ValueList, ".a = {.b} .c = {.d}"),
            (Fragment::ValueList, ""),
            (Fragment::Flow, "loop { };"),
        ] {
            assert!(Code::statement(sort, text).is_err(), "{text}");
        }
        let code = Code::statement(
            Fragment::Exception,
            "EncodingError<A,\t\"\u{2028}> = \"> = a\u{85}== b;",
        );
        let code = code.unwrap();
        assert_eq!(&*code, "EncodingError<A, \"\\u{2028}> = \"> = a == b;");
        assert!(code.broken(Fragment::Exception, "= a").ends_with(">\n    = a == b;"));
    }
}
