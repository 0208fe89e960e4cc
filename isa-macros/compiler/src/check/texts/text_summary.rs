//! Writes the text of an opcode as one literal, for calls that include it, and parses it.
//!
//! `"R"` is fixed text, `<A B>` is one of these names, and `!` is the mnemonic. `%2` is the Rust type with
//! index 2, `%2=5` the same with its value fixed to 5, and `%2=4/6` the same with the value 4 in the
//! bits of the mask 6. `.[<A B> <C>?]` is a list of modifiers, in which `?` marks an optional one. `$[%0
//! %1]` is a list of trailing attributes, and `(|"@"%0)` is a choice.

use std::fmt::Write as _;
use std::rc::Rc;

use proc_macro2::TokenStream;

use super::grammar::{DotModifier, FieldText, FixedBits, OpaqueText, TextPart};

/// Writes texts as strings, in which each Rust type with its own text has one index.
#[derive(Default)]
pub(super) struct Summarizer {
    text: String,
    /// The Rust types by their index.
    pub(super) readers: Vec<Rc<OpaqueText>>,
}

impl Summarizer {
    /// Writes a text as a string. Different texts have different strings.
    pub(super) fn summary(&mut self, parts: &[TextPart]) -> String {
        self.parts(parts);
        std::mem::take(&mut self.text)
    }

    fn parts(&mut self, parts: &[TextPart]) {
        for part in parts {
            match part {
                TextPart::Mnemonic => self.text.push('!'),
                TextPart::Text(text) => {
                    let _ = write!(self.text, "{text:?}");
                }
                TextPart::Value(filler) => self.filler(filler),
                TextPart::Dots(dots) => self.list('.', dots, |summary, dot| {
                    summary.filler(&dot.filler);
                    summary.text.push_str(if dot.mandatory { "" } else { "?" });
                }),
                TextPart::Tags(fillers) => self.list('$', fillers, Summarizer::filler),
                TextPart::Choice(choices) => {
                    for (i, parts) in choices.iter().enumerate() {
                        self.text.push(if i == 0 { '(' } else { '|' });
                        self.parts(parts);
                    }
                    self.text.push(')');
                }
            }
        }
    }

    fn list<T>(&mut self, mark: char, items: &[T], mut each: impl FnMut(&mut Self, &T)) {
        self.text.push(mark);
        self.text.push('[');
        for item in items {
            each(self, item);
        }
        self.text.push(']');
    }

    fn filler(&mut self, filler: &FieldText) {
        match filler {
            FieldText::Names(names) => {
                self.text.push('<');
                for (i, name) in names.iter().enumerate() {
                    self.text.push_str(if i == 0 { "" } else { " " });
                    self.text.push_str(name);
                }
                self.text.push('>');
            }
            FieldText::Read(reader, fixed) => {
                let known = self.readers.iter().position(|r| r.path == reader.path);
                let number = known.unwrap_or(self.readers.len());
                if known.is_none() {
                    self.readers.push(Rc::clone(reader));
                }
                let _ = write!(self.text, "%{number}");
                match fixed {
                    Some(FixedBits { mask: u64::MAX, value }) => {
                        let _ = write!(self.text, "={value}");
                    }
                    Some(FixedBits { mask, value }) => {
                        let _ = write!(self.text, "={value}/{mask}");
                    }
                    None => {}
                }
            }
        }
    }
}

/// Parses a summary to the parts of its text. If the summary is invalid, returns the parts before the
/// error.
pub(super) fn read(summary: &str, readers: &[TokenStream]) -> Vec<TextPart> {
    let readers = readers.iter().map(|path| Rc::new(OpaqueText::new(path.clone()))).collect();
    Scanner { rest: summary, readers }.parts()
}

/// Returns the start of a summary up to the mnemonic, inclusive.
pub(super) fn up_to_mnemonic(summary: &str) -> &str {
    let (mut quoted, mut escaped) = (false, false);
    let end = summary.char_indices().find(|&(_, c)| {
        quoted ^= c == '"' && !escaped;
        escaped = c == '\\' && !escaped;
        c == '!' && !quoted
    });
    end.map_or(summary, |(place, _)| &summary[..=place])
}

struct Scanner<'s> {
    rest: &'s str,
    readers: Vec<Rc<OpaqueText>>,
}

impl<'s> Scanner<'s> {
    fn eat(&mut self, mark: char) -> bool {
        let rest = self.rest.strip_prefix(mark);
        self.rest = rest.unwrap_or(self.rest);
        rest.is_some()
    }

    /// Returns the text up to the first character for which `stops` is true.
    fn until(&mut self, stops: impl Fn(char) -> bool) -> &'s str {
        let (text, rest) = self.rest.split_at(self.rest.find(stops).unwrap_or(self.rest.len()));
        self.rest = rest;
        text
    }

    fn parts(&mut self) -> Vec<TextPart> {
        let mut parts = Vec::new();
        loop {
            if self.eat('!') {
                parts.push(TextPart::Mnemonic);
            } else if self.rest.starts_with('"') {
                parts.push(TextPart::Text(self.quoted()));
            } else if self.eat('.') {
                self.eat('[');
                parts.push(TextPart::Dots(
                    self.list(|scanner, filler| DotModifier {
                        filler,
                        mandatory: !scanner.eat('?'),
                    }),
                ));
            } else if self.eat('$') {
                self.eat('[');
                parts.push(TextPart::Tags(self.list(|_, filler| filler)));
            } else if self.eat('(') {
                let mut choices = vec![self.parts()];
                while self.eat('|') {
                    choices.push(self.parts());
                }
                self.eat(')');
                parts.push(TextPart::Choice(choices));
            } else if let Some(filler) = self.filler() {
                parts.push(TextPart::Value(filler));
            } else {
                return parts;
            }
        }
    }

    fn list<T>(&mut self, each: impl Fn(&mut Self, FieldText) -> T) -> Vec<T> {
        let mut items = Vec::new();
        while let Some(filler) = self.filler() {
            items.push(each(self, filler));
        }
        self.eat(']');
        items
    }

    fn filler(&mut self) -> Option<FieldText> {
        if self.eat('<') {
            let names = self.until(|c| c == '>').split_whitespace().map(str::to_owned).collect();
            self.eat('>');
            return Some(FieldText::Names(Rc::new(names)));
        }
        if !self.eat('%') {
            return None;
        }
        let number: usize = self.until(|c| !c.is_ascii_digit()).parse().ok()?;
        let fixed = if self.eat('=') { self.fixed() } else { None };
        Some(FieldText::Read(Rc::clone(self.readers.get(number)?), fixed))
    }

    fn fixed(&mut self) -> Option<FixedBits> {
        let value = self.until(|c| !c.is_ascii_digit()).parse().ok()?;
        let mask = match self.eat('/') {
            true => self.until(|c| !c.is_ascii_digit()).parse().ok()?,
            false => u64::MAX,
        };
        Some(FixedBits { mask, value })
    }

    /// Parses a string literal.
    fn quoted(&mut self) -> String {
        let mut escaped = false;
        let end = self.rest.char_indices().skip(1).find(|&(_, c)| {
            let closes = c == '"' && !escaped;
            escaped = c == '\\' && !escaped;
            closes
        });
        let end = end.map_or(self.rest.len(), |(place, _)| place + 1);
        let (literal, rest) = self.rest.split_at(end);
        self.rest = rest;
        syn::parse_str::<syn::LitStr>(literal).map_or_else(|_| String::new(), |text| text.value())
    }
}

#[cfg(test)]
mod tests {
    use quote::quote;

    use super::*;

    #[test]
    fn a_summary_gives_the_text_back() {
        let reader = |path| Rc::new(OpaqueText::new(path));
        let names =
            |text: &str| FieldText::Names(Rc::new(text.split(' ').map(str::to_owned).collect()));
        let parts = vec![
            TextPart::Choice(vec![
                vec![],
                vec![
                    TextPart::Text("@\"\\)".to_owned()),
                    TextPart::Value(FieldText::Read(reader(quote!(a::__isa_text_Pred)), None)),
                    TextPart::Dots(vec![]),
                ],
            ]),
            TextPart::Mnemonic,
            TextPart::Dots(vec![
                DotModifier { filler: names("A B"), mandatory: true },
                DotModifier { filler: names("type"), mandatory: false },
            ]),
            TextPart::Value(FieldText::Read(
                reader(quote!(__isa_text_Reg)),
                Some(FixedBits::whole(17)),
            )),
            TextPart::Value(FieldText::Read(reader(quote!(a::__isa_text_Pred)), None)),
            TextPart::Tags(vec![
                names("X"),
                FieldText::Read(
                    reader(quote!(__isa_text_Reg)),
                    Some(FixedBits { mask: 6, value: 4 }),
                ),
            ]),
            TextPart::Text(";".to_owned()),
        ];
        let mut summarizer = Summarizer::default();
        let (summary, readers) = (summarizer.summary(&parts), summarizer.readers);
        let expected = r#"(|"@\"\\)"%0.[])!.[<A B><type>?]%1=17%0$[<X>%1=4/6]";""#;
        assert_eq!(summary, expected);
        assert_eq!(readers.len(), 2);
        let paths: Vec<TokenStream> =
            readers.iter().map(|reader| reader.path.tokens.clone()).collect();
        assert_eq!(read(&summary, &paths), parts);
        assert_eq!(up_to_mnemonic(&summary), r#"(|"@\"\\)"%0.[])!"#);
        assert_eq!(up_to_mnemonic(r#""!"!.[]"#), r#""!"!"#);
    }
}
