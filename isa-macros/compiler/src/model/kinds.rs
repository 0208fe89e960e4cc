//! Sets of values, operand kinds and formats, and the fields that are of them.

use std::collections::BTreeMap;

use proc_macro2::{Ident, Span, TokenStream};

use super::cube::Cube;
use crate::syntax::ast::{Docs, FieldName, Origin, ValueName};
use crate::syntax::rust_name;

/// A set of values or an operand kind.
#[derive(Debug)]
pub(crate) struct Kind {
    pub(crate) docs: Docs,
    pub(crate) vis: TokenStream,
    pub(crate) name: Ident,
    pub(crate) width: u8,
    pub(crate) width_span: Span,
    pub(crate) shape: Shape,
    /// Numbers that are no value, as cubes of the number's bits.
    pub(crate) reserved: Vec<Cube>,
    /// The module of another call that declares it.
    pub(crate) origin: Origin,
    /// Whether a part of the declaration was wrong, and is something harmless here.
    pub(crate) broken: bool,
    /// Whether the name of a value is missing, since it could not be read or stands twice.
    pub(crate) lacks_values: bool,
}

/// What makes up a kind.
#[derive(Debug)]
pub(crate) enum Shape {
    Set(Values),
    /// The path of the Rust type, where it is not in scope under the kind's name.
    Operand(Option<TokenStream>),
    /// Bits of several fields, of which only a format knows more.
    Bits,
    /// A type that is not known, in a specification with faults.
    Unknown,
}

/// A named value.
#[derive(Debug)]
pub(crate) struct Value {
    pub(crate) docs: Docs,
    /// The name in Rust.
    pub(crate) name: Ident,
    /// The name in assembly text, as it is printed.
    pub(crate) text: String,
    /// Other names, which are read too.
    pub(crate) also: Vec<ValueName>,
    pub(crate) raw: u64,
}

impl Value {
    /// All names that are read, the printed one first.
    pub(crate) fn spellings(&self) -> impl Iterator<Item = &String> {
        std::iter::once(&self.text).chain(self.also.iter().map(|other| &other.text))
    }

    /// All by which a specification may call the value.
    fn names(&self) -> impl Iterator<Item = String> {
        let also = self.also.iter().flat_map(|other| names(&other.ident, &other.text));
        names(&self.name, &self.text).into_iter().chain(also)
    }
}

/// By what a specification may call a value of this name: its text, its name in Rust, and the one
/// that it would have in Rust by its text alone.
pub(super) fn names(name: &Ident, text: &str) -> [String; 3] {
    let derived = rust_name(text, Span::call_site()).to_string();
    [text.to_owned(), name.to_string(), derived]
}

/// The values of a set, no two with one name or one number.
#[derive(Debug, Default)]
pub(crate) struct Values {
    all: Vec<Value>,
    /// Places in `all`.
    by_name: BTreeMap<String, usize>,
    by_number: BTreeMap<u64, usize>,
}

impl Values {
    /// Adds a value that has neither a name nor the number of another.
    pub(super) fn push(&mut self, value: Value) {
        self.by_name.extend(value.names().map(|name| (name, self.all.len())));
        self.by_number.insert(value.raw, self.all.len());
        self.all.push(value);
    }

    pub(super) fn all(&self) -> &[Value] {
        &self.all
    }

    pub(super) fn docs_mut(&mut self) -> impl Iterator<Item = &mut Docs> {
        self.all.iter_mut().map(|value| &mut value.docs)
    }

    pub(super) fn named(&self, name: &str) -> Option<&Value> {
        self.by_name.get(name).map(|&place| &self.all[place])
    }

    pub(super) fn numbered(&self, raw: u64) -> Option<&Value> {
        self.by_number.get(&raw).map(|&place| &self.all[place])
    }
}

impl Kind {
    /// A kind of which nothing is known but the name.
    pub(crate) fn unknown(name: &Ident) -> Kind {
        Kind {
            docs: Docs::default(),
            vis: TokenStream::new(),
            name: name.clone(),
            width: 1,
            width_span: name.span(),
            shape: Shape::Unknown,
            reserved: Vec::new(),
            origin: None,
            broken: true,
            lacks_values: true,
        }
    }

    /// The kind of views of so many bits.
    pub(super) fn bits(width: u8) -> Kind {
        let name = Ident::new(&format!("__isa_bits_{width}"), Span::call_site());
        let unknown = Kind::unknown(&name);
        Kind { width, shape: Shape::Bits, broken: false, lacks_values: false, ..unknown }
    }

    /// The values of a set; none for an operand kind.
    pub(crate) fn values(&self) -> &[Value] {
        match &self.shape {
            Shape::Set(values) => values.all(),
            Shape::Operand(_) | Shape::Bits | Shape::Unknown => &[],
        }
    }

    /// Whether this is a set of named values.
    pub(crate) fn is_set(&self) -> bool {
        matches!(self.shape, Shape::Set(_))
    }

    /// Whether there is a type of this name.
    pub(crate) fn is_known(&self) -> bool {
        !matches!(self.shape, Shape::Bits | Shape::Unknown)
    }

    /// Whether the set has one bit and two values, as `{ NoFTZ = 0, FTZ = 1 }`.
    pub(crate) fn is_switch(&self) -> bool {
        self.width == 1 && self.values().len() == 2
    }

    /// The value with this number.
    pub(crate) fn value(&self, raw: u64) -> Option<&Value> {
        match &self.shape {
            Shape::Set(values) => values.numbered(raw),
            Shape::Operand(_) | Shape::Bits | Shape::Unknown => None,
        }
    }

    /// The name of a value, or the number where it has none.
    pub(crate) fn shown(&self, raw: u64) -> String {
        self.value(raw).map_or_else(|| raw.to_string(), |value| value.text.clone())
    }

    /// The value of this name.
    pub(crate) fn value_named(&self, name: &str) -> Option<&Value> {
        match &self.shape {
            Shape::Set(values) => values.named(name),
            Shape::Operand(_) | Shape::Bits | Shape::Unknown => None,
        }
    }
}

/// A text format for operands.
#[derive(Debug)]
pub(crate) struct Format {
    pub(crate) vis: TokenStream,
    pub(crate) name: Ident,
    pub(crate) path: Option<TokenStream>,
    pub(crate) origin: Origin,
    /// The kind of the fields that it writes once, and how many they are, where the macro made it.
    pub(crate) once: Option<(usize, usize)>,
}

/// A field, once for the node that declares it.
#[derive(Debug)]
pub(crate) struct Field {
    pub(crate) docs: Docs,
    pub(crate) name: FieldName,
    /// The dotted name.
    pub(crate) text: String,
    /// The node that declares it.
    pub(crate) node: usize,
    /// Position and width, the most significant piece first. A field without bits has none, and
    /// is fixed.
    pub(crate) pieces: Vec<(u8, u8)>,
    /// An index into [`Model::kinds`].
    pub(crate) kind: usize,
    pub(crate) init: Init,
    /// Whether no text shows what the field is; it has a default then.
    pub(crate) ignored: bool,
    /// Whether a part of the declaration was wrong, and is something harmless here.
    pub(crate) broken: bool,
    /// Whether the methods of the field would clash with others, and are left out.
    pub(crate) nameless: bool,
}

impl Field {
    /// The bits of the word.
    pub(crate) fn mask(&self) -> u128 {
        self.spread(u128::MAX)
    }

    /// The number of bits.
    pub(crate) fn width(&self) -> u8 {
        self.pieces.iter().map(|&(_, width)| width).sum()
    }

    /// The bits of a value, at their places in the word.
    pub(crate) fn spread(&self, raw: u128) -> u128 {
        let (mut rest, mut word) = (raw, 0);
        for &(position, width) in self.pieces.iter().rev() {
            let low = if width == 128 { u128::MAX } else { (1 << width) - 1 };
            word |= (rest & low) << position;
            rest = rest.checked_shr(width.into()).unwrap_or(0);
        }
        word
    }

    /// A cube of the field's value as a cube of the word.
    pub(crate) fn lift(&self, cube: Cube) -> Cube {
        Cube { mask: self.spread(cube.mask), value: self.spread(cube.value) }
    }

    /// The words in which the field has this value.
    pub(crate) fn equals(&self, raw: u64) -> Cube {
        Cube { mask: self.mask(), value: self.spread(raw.into()) }
    }

    /// The words in which the field has this value, as a union: a field without bits has a value in
    /// every word or in none.
    pub(crate) fn having(&self, raw: u64) -> Option<Cube> {
        let never = self.pieces.is_empty() && self.init != Init::Fixed(raw);
        (!never).then(|| self.equals(raw))
    }

    /// The number of the default, where it has one.
    pub(crate) fn default_number(&self) -> Option<u64> {
        match self.init {
            Init::Default(DefaultValue::Number(raw)) => Some(raw),
            _ => None,
        }
    }

    /// Whether the field is fixed.
    pub(crate) fn is_fixed(&self) -> bool {
        matches!(self.init, Init::Fixed(_))
    }
}

/// How a field is initialised.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Init {
    Fixed(u64),
    Default(DefaultValue),
    Required,
}

/// A default: a number, or a named operand that the operand kind knows.
#[derive(Debug, Clone)]
pub(crate) enum DefaultValue {
    Number(u64),
    Named(String, Span),
}

impl PartialEq for DefaultValue {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (DefaultValue::Number(a), DefaultValue::Number(b)) => a == b,
            (DefaultValue::Named(a, _), DefaultValue::Named(b, _)) => a == b,
            _ => false,
        }
    }
}

impl Eq for DefaultValue {}
