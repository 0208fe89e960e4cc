//! Field types (sets of values and operand types) with their declarations, formats, and the fields.

use std::collections::BTreeMap;

use proc_macro2::{Ident, Span, TokenStream};

use super::cube::{self, Cube};
use crate::diag::{Code, Diagnostics, bits};
use crate::syntax::ast::{
    Docs, FeatureCondition, FieldName, NumberLiteral, OperandDecl, Origin, SetDecl, ValueDecl,
    ValueName,
};
use crate::syntax::rust_name;

/// A field type: a set of values or an operand type.
#[derive(Debug)]
pub(crate) struct FieldType {
    pub(crate) docs: Docs,
    pub(crate) vis: TokenStream,
    pub(crate) name: Ident,
    pub(crate) width: u8,
    pub(crate) width_span: Span,
    pub(crate) shape: FieldTypeKind,
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
pub(crate) enum FieldTypeKind {
    Set(ValueSet),
    /// The path of the Rust type, if it is not in scope under the same name.
    Operand(Option<TokenStream>),
    /// The bits of several fields. Only a format can print them.
    Bits,
    /// An unknown type, in a specification with errors.
    Unknown,
}

/// A named value.
#[derive(Debug)]
pub(crate) struct NamedValue {
    pub(crate) docs: Docs,
    /// The name in Rust.
    pub(crate) name: Ident,
    /// The name that is printed in assembly text.
    pub(crate) text: String,
    /// Other names, which are only accepted on input.
    pub(crate) also: Vec<ValueName>,
    pub(crate) raw: u64,
    /// The features with which the value exists.
    pub(crate) requires: Option<FeatureCondition>,
}

impl NamedValue {
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
pub(crate) struct ValueSet {
    all: Vec<NamedValue>,
    /// The index in `all` of the value with each name.
    by_name: BTreeMap<String, usize>,
    by_number: BTreeMap<u64, usize>,
}

impl ValueSet {
    /// Adds a value. Its names and its number must not belong to another value.
    pub(super) fn push(&mut self, value: NamedValue) {
        self.by_name.extend(value.names().map(|name| (name, self.all.len())));
        self.by_number.insert(value.raw, self.all.len());
        self.all.push(value);
    }

    pub(super) fn all(&self) -> &[NamedValue] {
        &self.all
    }

    pub(super) fn docs_mut(&mut self) -> impl Iterator<Item = &mut Docs> {
        self.all.iter_mut().map(|value| &mut value.docs)
    }

    pub(super) fn named(&self, name: &str) -> Option<&NamedValue> {
        self.by_name.get(name).map(|&place| &self.all[place])
    }

    pub(super) fn numbered(&self, raw: u64) -> Option<&NamedValue> {
        self.by_number.get(&raw).map(|&place| &self.all[place])
    }
}

impl FieldType {
    /// Returns an unknown type called `name`.
    pub(crate) fn unknown(name: &Ident) -> FieldType {
        FieldType {
            docs: Docs::default(),
            vis: TokenStream::new(),
            name: name.clone(),
            width: 1,
            width_span: name.span(),
            shape: FieldTypeKind::Unknown,
            reserved: Vec::new(),
            origin: Origin::ThisCall,
            broken: true,
            lacks_values: true,
        }
    }

    /// Returns the type of composite operands of `width` bits.
    pub(super) fn bits(width: u8) -> FieldType {
        let name = Ident::new(&format!("__isa_bits_{width}"), Span::call_site());
        let unknown = FieldType::unknown(&name);
        FieldType {
            width,
            shape: FieldTypeKind::Bits,
            broken: false,
            lacks_values: false,
            ..unknown
        }
    }

    /// Returns the values of a set, or an empty list for an operand type.
    pub(crate) fn values(&self) -> &[NamedValue] {
        match &self.shape {
            FieldTypeKind::Set(values) => values.all(),
            FieldTypeKind::Operand(_) | FieldTypeKind::Bits | FieldTypeKind::Unknown => &[],
        }
    }

    /// Returns whether the type is a set of named values.
    pub(crate) fn is_set(&self) -> bool {
        matches!(self.shape, FieldTypeKind::Set(_))
    }

    /// Returns whether the type was declared or imported.
    pub(crate) fn is_known(&self) -> bool {
        !matches!(self.shape, FieldTypeKind::Bits | FieldTypeKind::Unknown)
    }

    /// Returns whether the set has one bit and two values, as in `{ NoFTZ = 0, FTZ = 1 }`.
    pub(crate) fn is_switch(&self) -> bool {
        self.width == 1 && self.values().len() == 2
    }

    /// Returns the value with the number `raw`.
    pub(crate) fn value(&self, raw: u64) -> Option<&NamedValue> {
        match &self.shape {
            FieldTypeKind::Set(values) => values.numbered(raw),
            FieldTypeKind::Operand(_) | FieldTypeKind::Bits | FieldTypeKind::Unknown => None,
        }
    }

    /// Returns the name of a value, or its number if it has no name.
    pub(crate) fn shown(&self, raw: u64) -> String {
        self.value(raw).map_or_else(|| raw.to_string(), |value| value.text.clone())
    }

    /// Returns the value called `name`.
    pub(crate) fn value_named(&self, name: &str) -> Option<&NamedValue> {
        match &self.shape {
            FieldTypeKind::Set(values) => values.named(name),
            FieldTypeKind::Operand(_) | FieldTypeKind::Bits | FieldTypeKind::Unknown => None,
        }
    }
}

/// A text format for operands.
#[derive(Debug)]
pub(crate) struct OperandFormat {
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
pub(crate) struct ResolvedField {
    pub(crate) docs: Docs,
    pub(crate) name: FieldName,
    /// The name as text, including the dot of a sub-field.
    pub(crate) text: String,
    /// The node that declares it.
    pub(crate) node: usize,
    /// The position and width of each piece, the most significant first. A field without bits has
    /// no pieces and is fixed.
    pub(crate) pieces: Vec<(u8, u8)>,
    /// The type, an index into [`super::Model::field_types`].
    pub(crate) ty: usize,
    pub(crate) init: Init,
    /// Whether no text shows the value of the field. The field then has a default.
    pub(crate) ignored: bool,
    /// Whether a part of the declaration had an error, and was replaced by a valid one.
    pub(crate) broken: bool,
    /// Whether the field has no methods, because their names would clash with others.
    pub(crate) nameless: bool,
}

impl ResolvedField {
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

/// Lowers a set of values. A part with an error is reported, and replaced by a valid one.
pub(super) fn lower_set(set: SetDecl, diag: &mut Diagnostics) -> FieldType {
    let SetDecl { docs, vis, name, width, values, incomplete, origin } = set;
    let broken = width.is_none() || incomplete || values.iter().any(|value| value.raw.is_none());
    let width_span = width.map_or_else(|| name.span(), |width| width.span);
    let checked = width.map_or(Ok(64), |width| check_width(width.value, width.span, diag));
    let broken = broken || checked.is_err();
    let width = checked.unwrap_or_else(|nearest| nearest);
    if values.is_empty() && !incomplete {
        let message =
            format!("`{name}` has no values; write `{name}: {width} {{ NAME = 0, ... }}`");
        diag.error(Code::EmptyEnum, name.span(), message);
    }
    let (mut kept, mut lacks_values) = (ValueSet::default(), incomplete);
    for ValueDecl { docs, name: ValueName { ident, text }, also, raw, requires } in values {
        if is_known(&ident, &text, &[], &kept, &name, diag) {
            lacks_values = true;
            continue;
        }
        let mut names = vec![ValueName { ident, text }];
        for ValueName { ident, text } in also {
            if !is_known(&ident, &text, &names, &kept, &name, diag) {
                names.push(ValueName { ident, text });
            }
        }
        let ValueName { ident, text } = names.remove(0);
        let raw = raw.and_then(|raw| lower_raw(raw, width, &name, &text, &kept, diag));
        let raw = raw.unwrap_or_else(|| unused_number(&kept));
        kept.push(NamedValue { docs, name: ident, text, also: names, raw, requires });
    }
    let raws: Vec<u64> = kept.all().iter().map(|value| value.raw).collect();
    let reserved =
        if width > 24 && raws.is_empty() { Vec::new() } else { cube::missing_values(width, &raws) };
    let shape = FieldTypeKind::Set(kept);
    FieldType { docs, vis, name, width, width_span, shape, reserved, origin, broken, lacks_values }
}

/// The constants that each set of values has in Rust, with a description.
const CONSTANTS: [(&str, &str); 2] = [("ALL", "with all its values"), ("KIND", "with its table")];

/// Returns whether a name is already the name of a constant of the set, of an earlier value, or one
/// of the `own` names of the same value. If it is, reports an error.
fn is_known(
    ident: &Ident,
    text: &str,
    own: &[ValueName],
    kept: &ValueSet,
    set: &Ident,
    diag: &mut Diagnostics,
) -> bool {
    if let Some((constant, what)) = CONSTANTS.iter().find(|(name, _)| ident == name) {
        let message = format!(
            "the name `{constant}` is reserved for the constant of `{set}` {what} in Rust\nhelp: \
             use another Rust name: `NAME \"{text}\" = NUMBER`"
        );
        diag.error(Code::DuplicateName, ident.span(), message);
        return true;
    }
    let earlier = |name: &String| {
        let value = kept.named(name);
        let own = own.iter().find(|own| names(&own.ident, &own.text).contains(name));
        let own = own.map(|own| (&own.ident, &own.text, own.text == text));
        let is_text = |value: &NamedValue| value.spellings().any(|spelled| spelled == text);
        value.map(|value| (&value.name, &value.text, is_text(value))).or(own)
    };
    let known = names(ident, text).into_iter().find_map(|name| Some((earlier(&name)?, name)));
    let Some(((other, other_text, is_same_text), name)) = known else { return false };
    let (message, note) = match is_same_text {
        true => (
            format!("`{text}` is declared twice in `{set}`"),
            format!("`{text}` is first declared here"),
        ),
        false => (
            format!(
                "`{text}` and `{other_text}` of `{set}` are both called `{name}` in Rust\nhelp: \
                 use another Rust name for one of the two: `NAME \"{text}\" = NUMBER`"
            ),
            format!("`{other_text}` is declared here"),
        ),
    };
    diag.error_with(Code::DuplicateName, ident.span(), message, other.span(), note);
    true
}

/// Returns the number of a value, if it is valid.
fn lower_raw(
    raw: NumberLiteral,
    width: u8,
    set: &Ident,
    value: &str,
    kept: &ValueSet,
    diag: &mut Diagnostics,
) -> Option<u64> {
    let NumberLiteral { value: raw, span } = raw;
    if width < 64 && raw >> width != 0 {
        let message = format!(
            "{raw} does not fit the {} of `{set}`, whose largest number is {}\nhelp: use a \
             smaller number, or widen the value set: `enum {set}: WIDTH`",
            bits(width),
            u64::MAX >> (64 - width)
        );
        diag.error(Code::ValueTooWide, span, message);
        return None;
    }
    let Some(other) = kept.numbered(raw) else {
        return Some(raw);
    };
    diag.error_with(
        Code::DuplicateValue,
        span,
        format!(
            "`{value}` has the same number as `{}`, {raw}\nhelp: if both are names of one value, \
             declare them together: `{} | {value} = {raw}`",
            other.text, other.text
        ),
        other.name.span(),
        format!("`{}` also has the number {raw}", other.text),
    );
    None
}

/// Returns a number for a value whose own number is invalid. It is a high number, which is unlikely
/// to be used by a valid value.
fn unused_number(kept: &ValueSet) -> u64 {
    (0..u64::MAX).rev().find(|&raw| kept.numbered(raw).is_none()).unwrap_or(0)
}

/// Returns the width of a set or operand type. If the width is invalid, reports this, and returns
/// the nearest valid width as the error.
fn check_width(width: u64, span: Span, diag: &mut Diagnostics) -> Result<u8, u8> {
    if (1..=64).contains(&width) {
        return Ok(width as u8);
    }
    diag.error(
        Code::FieldWidth,
        span,
        format!(
            "width out of range: expected 1 to 64 bits, found \
                                                {}",
            bits(width)
        ),
    );
    Err(width.clamp(1, 64) as u8)
}

/// Lowers an operand type. If it has no width, its type is unknown.
pub(super) fn lower_operand(operand: OperandDecl, diag: &mut Diagnostics) -> FieldType {
    let OperandDecl { docs, vis, name, width, path, reserved, origin } = operand;
    let Some(width) = width else {
        return FieldType { docs, vis, origin, ..FieldType::unknown(&name) };
    };
    let width_span = width.span;
    let checked = check_width(width.value, width.span, diag);
    let broken = checked.is_err();
    let width = checked.unwrap_or_else(|nearest| nearest);
    let mut cubes = Vec::new();
    for (pattern, span) in reserved {
        match parse_pattern(&pattern, width) {
            Some(cube) => cubes.push(cube),
            None => diag.error(
                Code::ValueTooWide,
                span,
                format!("expected at most {width} characters `0`, `1` or `x`, such as \"x1\""),
            ),
        }
    }
    let (shape, reserved) = (FieldTypeKind::Operand(path), cubes);
    FieldType {
        docs,
        vis,
        name,
        width,
        width_span,
        shape,
        reserved,
        origin,
        broken,
        lacks_values: false,
    }
}

/// Parses `"1x"`, the lowest bits of a number. The bits to the left are free.
fn parse_pattern(pattern: &str, width: u8) -> Option<Cube> {
    if pattern.len() > width.into() {
        return None;
    }
    pattern.chars().try_fold(Cube::ALL, |cube, c| {
        let (mask, value) = match c {
            '0' => (1, 0),
            '1' => (1, 1),
            'x' => (0, 0),
            _ => return None,
        };
        Some(Cube { mask: cube.mask << 1 | mask, value: cube.value << 1 | value })
    })
}
