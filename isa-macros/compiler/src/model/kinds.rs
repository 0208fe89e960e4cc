//! Field types (sets of values and operand types), formats, and the fields.

use std::collections::BTreeMap;

use proc_macro2::{Ident, Span, TokenStream};

use super::cube::Cube;
use crate::syntax::ast::{Docs, FieldName, Origin, ValueName};
use crate::syntax::rust_name;

/// A field type: a set of values or an operand type.
#[derive(Debug)]
pub(crate) struct Kind {
    pub(crate) docs: Docs,
    pub(crate) vis: TokenStream,
    pub(crate) name: Ident,
    pub(crate) width: u8,
    pub(crate) width_span: Span,
    pub(crate) shape: Shape,
    /// The numbers that are not values, as cubes over the number's bits.
    pub(crate) reserved: Vec<Cube>,
    /// The module of the call that declares the type, if that is a different call.
    pub(crate) origin: Origin,
    /// Whether a part of the declaration had an error, and was replaced by a valid one.
    pub(crate) broken: bool,
    /// Whether the name of a value is missing, because it could not be parsed or is a duplicate.
    pub(crate) lacks_values: bool,
}

/// The contents of a field type.
#[derive(Debug)]
pub(crate) enum Shape {
    Set(Values),
    /// The path of the Rust type, if it is not in scope under the same name.
    Operand(Option<TokenStream>),
    /// The bits of several fields. Only a format can print them.
    Bits,
    /// An unknown type, in a specification with errors.
    Unknown,
}

/// A named value.
#[derive(Debug)]
pub(crate) struct Value {
    pub(crate) docs: Docs,
    /// The name in Rust.
    pub(crate) name: Ident,
    /// The name that is printed in assembly text.
    pub(crate) text: String,
    /// Other names, which are only accepted on input.
    pub(crate) also: Vec<ValueName>,
    pub(crate) raw: u64,
}

impl Value {
    /// Returns all names that are accepted on input, the printed one first.
    pub(crate) fn spellings(&self) -> impl Iterator<Item = &String> {
        std::iter::once(&self.text).chain(self.also.iter().map(|other| &other.text))
    }

    /// Returns all names by which a specification may refer to the value.
    fn names(&self) -> impl Iterator<Item = String> {
        let also = self.also.iter().flat_map(|other| names(&other.ident, &other.text));
        names(&self.name, &self.text).into_iter().chain(also)
    }
}

/// Returns the names by which a specification may refer to a value: its assembly name, its name in
/// Rust, and the Rust name that is derived from its assembly name.
pub(super) fn names(name: &Ident, text: &str) -> [String; 3] {
    let derived = rust_name(text, Span::call_site()).to_string();
    [text.to_owned(), name.to_string(), derived]
}

/// The values of a set. Each name and each number belongs to only one value.
#[derive(Debug, Default)]
pub(crate) struct Values {
    all: Vec<Value>,
    /// The index in `all` of the value with each name.
    by_name: BTreeMap<String, usize>,
    by_number: BTreeMap<u64, usize>,
}

impl Values {
    /// Adds a value. Its names and its number must not belong to another value.
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
    /// Returns an unknown type called `name`.
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

    /// Returns the type of composite operands of `width` bits.
    pub(super) fn bits(width: u8) -> Kind {
        let name = Ident::new(&format!("__isa_bits_{width}"), Span::call_site());
        let unknown = Kind::unknown(&name);
        Kind { width, shape: Shape::Bits, broken: false, lacks_values: false, ..unknown }
    }

    /// Returns the values of a set, or an empty list for an operand type.
    pub(crate) fn values(&self) -> &[Value] {
        match &self.shape {
            Shape::Set(values) => values.all(),
            Shape::Operand(_) | Shape::Bits | Shape::Unknown => &[],
        }
    }

    /// Returns whether the type is a set of named values.
    pub(crate) fn is_set(&self) -> bool {
        matches!(self.shape, Shape::Set(_))
    }

    /// Returns whether the type was declared or imported.
    pub(crate) fn is_known(&self) -> bool {
        !matches!(self.shape, Shape::Bits | Shape::Unknown)
    }

    /// Returns whether the set has one bit and two values, as in `{ NoFTZ = 0, FTZ = 1 }`.
    pub(crate) fn is_switch(&self) -> bool {
        self.width == 1 && self.values().len() == 2
    }

    /// Returns the value with the number `raw`.
    pub(crate) fn value(&self, raw: u64) -> Option<&Value> {
        match &self.shape {
            Shape::Set(values) => values.numbered(raw),
            Shape::Operand(_) | Shape::Bits | Shape::Unknown => None,
        }
    }

    /// Returns the name of a value, or its number if it has no name.
    pub(crate) fn shown(&self, raw: u64) -> String {
        self.value(raw).map_or_else(|| raw.to_string(), |value| value.text.clone())
    }

    /// Returns the value called `name`.
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
    /// Set if the macro created the format: the operand type of the equal fields that it prints
    /// once, and the number of these fields.
    pub(crate) once: Option<(usize, usize)>,
}

/// A field. It is stored once, for the node that declares it.
#[derive(Debug)]
pub(crate) struct Field {
    pub(crate) docs: Docs,
    pub(crate) name: FieldName,
    /// The name as text, including the dot of a sub-field.
    pub(crate) text: String,
    /// The node that declares it.
    pub(crate) node: usize,
    /// The position and width of each piece, the most significant first. A field without bits has
    /// no pieces and is fixed.
    pub(crate) pieces: Vec<(u8, u8)>,
    /// The type, an index into [`Model::kinds`].
    pub(crate) kind: usize,
    pub(crate) init: Init,
    /// Whether no text shows the value of the field. The field then has a default.
    pub(crate) ignored: bool,
    /// Whether a part of the declaration had an error, and was replaced by a valid one.
    pub(crate) broken: bool,
    /// Whether the field has no methods, because their names would clash with others.
    pub(crate) nameless: bool,
}

impl Field {
    /// Returns the bits of the field in the word.
    pub(crate) fn mask(&self) -> u128 {
        self.spread(u128::MAX)
    }

    /// Returns the number of bits.
    pub(crate) fn width(&self) -> u8 {
        self.pieces.iter().map(|&(_, width)| width).sum()
    }

    /// Returns the bits of a value at their positions in the word.
    pub(crate) fn spread(&self, raw: u128) -> u128 {
        let (mut rest, mut word) = (raw, 0);
        for &(position, width) in self.pieces.iter().rev() {
            let low = if width == 128 { u128::MAX } else { (1 << width) - 1 };
            word |= (rest & low) << position;
            rest = rest.checked_shr(width.into()).unwrap_or(0);
        }
        word
    }

    /// Converts a cube over the field's value to a cube over the word.
    pub(crate) fn lift(&self, cube: Cube) -> Cube {
        Cube { mask: self.spread(cube.mask), value: self.spread(cube.value) }
    }

    /// Returns the words in which the field has the value `raw`.
    pub(crate) fn equals(&self, raw: u64) -> Cube {
        Cube { mask: self.mask(), value: self.spread(raw.into()) }
    }

    /// Returns the words in which the field has the value `raw`, or `None` if there are none. A
    /// field without bits has its value in every word.
    pub(crate) fn having(&self, raw: u64) -> Option<Cube> {
        let never = self.pieces.is_empty() && self.init != Init::Fixed(raw);
        (!never).then(|| self.equals(raw))
    }

    /// Returns the default as a number, if the field has one.
    pub(crate) fn default_number(&self) -> Option<u64> {
        match self.init {
            Init::Default(DefaultValue::Number(raw)) => Some(raw),
            _ => None,
        }
    }

    /// Returns whether the field is fixed.
    pub(crate) fn is_fixed(&self) -> bool {
        matches!(self.init, Init::Fixed(_))
    }
}

/// The fixed value or default of a field.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Init {
    Fixed(u64),
    Default(DefaultValue),
    Required,
}

/// A default: a number, or the name of a value. Only the Rust type of the operand knows the number
/// of this value.
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
