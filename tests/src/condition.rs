//! The conditions of exceptions, evaluated from their text.
//!
//! `define_isa!` turns a condition into masked comparisons. This evaluates the text of the
//! specification instead, so that the two can be compared.

use isa_core::asm::Cursor;
use isa_core::table::{Field, Opcode};

/// A condition over the fields of one opcode.
#[derive(Debug)]
pub enum Condition {
    /// All of them.
    And(Vec<Condition>),
    /// At least one of them.
    Or(Vec<Condition>),
    /// The opposite.
    Not(Box<Condition>),
    /// A field, as an index into [`Opcode::fields`], has one of these values.
    Is(usize, Vec<u64>),
}

impl Condition {
    /// Reads `(hfmt_v2 == BF16_V2) and (ftz == FTZ or sat == SAT)`.
    ///
    /// # Panics
    ///
    /// Where the text is no condition over the fields of `opcode`.
    #[must_use]
    pub fn parse(text: &str, opcode: &'static Opcode) -> Self {
        let mut reader = Reader { tokens: tokens(text), opcode, text };
        let condition = reader.either();
        assert!(reader.tokens.is_empty(), "`{text}` goes on with {:?}", reader.tokens);
        condition
    }

    /// Whether the condition holds for the values that `get` gives for the fields.
    pub fn holds(&self, get: &impl Fn(usize) -> u64) -> bool {
        match self {
            Condition::And(all) => all.iter().all(|one| one.holds(get)),
            Condition::Or(any) => any.iter().any(|one| one.holds(get)),
            Condition::Not(inner) => !inner.holds(get),
            Condition::Is(field, values) => values.contains(&get(*field)),
        }
    }

    /// The fields that the condition looks at, in ascending order.
    #[must_use]
    pub fn fields(&self) -> Vec<usize> {
        let mut fields = match self {
            Condition::And(parts) | Condition::Or(parts) => {
                parts.iter().flat_map(Condition::fields).collect()
            }
            Condition::Not(inner) => inner.fields(),
            Condition::Is(field, _) => vec![*field],
        };
        fields.sort_unstable();
        fields.dedup();
        fields
    }
}

/// Words, comparison signs and brackets, the last first.
fn tokens(text: &str) -> Vec<&str> {
    let is_word = |c: char| c.is_alphanumeric() || c == '_' || c == '.';
    let mut tokens = Vec::new();
    let mut rest = text.trim_start();
    while let Some(first) = rest.chars().next() {
        let len = if is_word(first) {
            rest.find(|c| !is_word(c)).unwrap_or(rest.len())
        } else if rest.starts_with("==") || rest.starts_with("!=") {
            2
        } else {
            first.len_utf8()
        };
        let (token, tail) = rest.split_at(len);
        tokens.push(token);
        rest = tail.trim_start();
    }
    tokens.reverse();
    tokens
}

struct Reader<'t> {
    tokens: Vec<&'t str>,
    opcode: &'static Opcode,
    text: &'t str,
}

impl<'t> Reader<'t> {
    fn next(&mut self) -> &'t str {
        self.tokens.pop().unwrap_or_else(|| panic!("`{}` is cut off", self.text))
    }

    fn eat(&mut self, token: &str) -> bool {
        let found = self.tokens.last() == Some(&token);
        if found {
            self.tokens.pop();
        }
        found
    }

    fn either(&mut self) -> Condition {
        let mut parts = vec![self.both()];
        while self.eat("or") {
            parts.push(self.both());
        }
        Condition::Or(parts)
    }

    fn both(&mut self) -> Condition {
        let mut parts = vec![self.single()];
        while self.eat("and") {
            parts.push(self.single());
        }
        Condition::And(parts)
    }

    fn single(&mut self) -> Condition {
        if self.eat("not") {
            return Condition::Not(Box::new(self.single()));
        }
        if self.eat("(") {
            let inner = self.either();
            assert!(self.eat(")"), "`{}` lacks a bracket", self.text);
            return inner;
        }
        self.comparison()
    }

    fn comparison(&mut self) -> Condition {
        let name = self.next();
        let index = self.opcode.fields.iter().position(|field| field.name == name);
        let index = index.unwrap_or_else(|| panic!("no field `{name}` in `{}`", self.text));
        let field = self.opcode.fields[index];
        match self.next() {
            "==" => Condition::Is(index, vec![value(field, self.next())]),
            "!=" => Condition::Not(Box::new(Condition::Is(index, vec![value(field, self.next())]))),
            "in" => Condition::Is(index, self.list(field)),
            sign => panic!("`{sign}` in `{}`", self.text),
        }
    }

    fn list(&mut self, field: &Field) -> Vec<u64> {
        assert!(self.eat("{"), "`{}` lacks a list", self.text);
        let mut values = Vec::new();
        while !self.eat("}") {
            values.push(value(field, self.next()));
            self.eat(",");
        }
        values
    }
}

/// A value by its name, its text or its number.
fn value(field: &Field, text: &str) -> u64 {
    if let Some(value) = field.kind.values.iter().find(|value| value.name == text) {
        return value.raw;
    }
    let read = field.kind.text.map(|kind| (kind.read)(&mut Cursor::new(text), &[]));
    match read {
        Some(Ok(raw)) => raw,
        _ => text.parse().unwrap_or_else(|_| panic!("`{}` has no value `{text}`", field.name)),
    }
}
