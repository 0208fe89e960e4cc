//! Writes the text of an opcode as one literal, for calls that include it, and parses it.
//!
//! `"R"` is fixed text, `<A B>` is one of these names, and `!` is the mnemonic. `%2` is the reader with
//! index 2, `%2=5` the same with its value fixed to 5, and `%2=4/6` the same with the value 4 in the
//! bits of the mask 6. `.[<A B> <C>?]` is a list of modifiers, in which `?` marks an optional one. `$[%0
//! %1]` is a list of trailing attributes, and `(|"@"%0)` is a choice.

use std::fmt::Write as _;
use std::rc::Rc;

use proc_macro2::TokenStream;

use super::grammar::{Dot, Filler, Fixed, Part, Reader};

/// Writes texts as strings, in which each reader has one index.
#[derive(Default)]
pub(super) struct Summarizer {
    text: String,
    /// The readers by their index.
    pub(super) readers: Vec<Rc<Reader>>,
}

impl Summarizer {
    /// Writes a text as a string. Different texts have different strings.
    pub(super) fn summary(&mut self, parts: &[Part]) -> String {
        self.parts(parts);
        std::mem::take(&mut self.text)
    }

    fn parts(&mut self, parts: &[Part]) {
        for part in parts {
            match part {
                Part::Mnemonic => self.text.push('!'),
                Part::Text(text) => {
                    let _ = write!(self.text, "{text:?}");
                }
                Part::Value(filler) => self.filler(filler),
                Part::Dots(dots) => self.list('.', dots, |summary, dot| {
                    summary.filler(&dot.filler);
                    summary.text.push_str(if dot.mandatory { "" } else { "?" });
                }),
                Part::Tags(fillers) => self.list('$', fillers, Summarizer::filler),
                Part::Choice(choices) => {
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

    fn filler(&mut self, filler: &Filler) {
        match filler {
            Filler::Names(names) => {
                self.text.push('<');
                for (i, name) in names.iter().enumerate() {
                    self.text.push_str(if i == 0 { "" } else { " " });
                    self.text.push_str(name);
                }
                self.text.push('>');
            }
            Filler::Read(reader, fixed) => {
                let known = self.readers.iter().position(|r| r.path == reader.path);
                let number = known.unwrap_or(self.readers.len());
                if known.is_none() {
                    self.readers.push(Rc::clone(reader));
                }
                let _ = write!(self.text, "%{number}");
                match fixed {
                    Some(Fixed { mask: u64::MAX, value }) => {
                        let _ = write!(self.text, "={value}");
                    }
                    Some(Fixed { mask, value }) => {
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
pub(super) fn read(summary: &str, readers: &[TokenStream]) -> Vec<Part> {
    let readers = readers.iter().map(|path| Rc::new(Reader::new(path.clone()))).collect();
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
    readers: Vec<Rc<Reader>>,
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

    fn parts(&mut self) -> Vec<Part> {
        let mut parts = Vec::new();
        loop {
            if self.eat('!') {
                parts.push(Part::Mnemonic);
            } else if self.rest.starts_with('"') {
                parts.push(Part::Text(self.quoted()));
            } else if self.eat('.') {
                self.eat('[');
                parts.push(Part::Dots(
                    self.list(|scanner, filler| Dot { filler, mandatory: !scanner.eat('?') }),
                ));
            } else if self.eat('$') {
                self.eat('[');
                parts.push(Part::Tags(self.list(|_, filler| filler)));
            } else if self.eat('(') {
                let mut choices = vec![self.parts()];
                while self.eat('|') {
                    choices.push(self.parts());
                }
                self.eat(')');
                parts.push(Part::Choice(choices));
            } else if let Some(filler) = self.filler() {
                parts.push(Part::Value(filler));
            } else {
                return parts;
            }
        }
    }

    fn list<T>(&mut self, each: impl Fn(&mut Self, Filler) -> T) -> Vec<T> {
        let mut items = Vec::new();
        while let Some(filler) = self.filler() {
            items.push(each(self, filler));
        }
        self.eat(']');
        items
    }

    fn filler(&mut self) -> Option<Filler> {
        if self.eat('<') {
            let names = self.until(|c| c == '>').split_whitespace().map(str::to_owned).collect();
            self.eat('>');
            return Some(Filler::Names(Rc::new(names)));
        }
        if !self.eat('%') {
            return None;
        }
        let number: usize = self.until(|c| !c.is_ascii_digit()).parse().ok()?;
        let fixed = if self.eat('=') { self.fixed() } else { None };
        Some(Filler::Read(Rc::clone(self.readers.get(number)?), fixed))
    }

    fn fixed(&mut self) -> Option<Fixed> {
        let value = self.until(|c| !c.is_ascii_digit()).parse().ok()?;
        let mask = match self.eat('/') {
            true => self.until(|c| !c.is_ascii_digit()).parse().ok()?,
            false => u64::MAX,
        };
        Some(Fixed { mask, value })
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
        let reader = |path| Rc::new(Reader::new(path));
        let names =
            |text: &str| Filler::Names(Rc::new(text.split(' ').map(str::to_owned).collect()));
        let parts = vec![
            Part::Choice(vec![
                vec![],
                vec![
                    Part::Text("@\"\\)".to_owned()),
                    Part::Value(Filler::Read(reader(quote!(a::__isa_text_Pred)), None)),
                    Part::Dots(vec![]),
                ],
            ]),
            Part::Mnemonic,
            Part::Dots(vec![
                Dot { filler: names("A B"), mandatory: true },
                Dot { filler: names("type"), mandatory: false },
            ]),
            Part::Value(Filler::Read(reader(quote!(__isa_text_Reg)), Some(Fixed::whole(17)))),
            Part::Value(Filler::Read(reader(quote!(a::__isa_text_Pred)), None)),
            Part::Tags(vec![
                names("X"),
                Filler::Read(reader(quote!(__isa_text_Reg)), Some(Fixed { mask: 6, value: 4 })),
            ]),
            Part::Text(";".to_owned()),
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
