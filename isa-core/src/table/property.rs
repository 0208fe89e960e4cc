//! Properties of opcodes, for example a latency or an execution unit.

use core::fmt::{self, Display, Formatter};

use super::{Kind, Opcode, Value};

/// A property that a specification declares for all its opcodes, for example `property latency: u8;`.
#[derive(Debug)]
pub struct Property {
    /// The name.
    pub name: &'static str,
    /// The documentation in the specification. Without the crate's feature `describe` it is empty.
    pub doc: &'static str,
    /// The type of its values.
    pub ty: PropertyType,
}

/// The type of a [`Property`].
#[derive(Debug, Clone, Copy)]
pub enum PropertyType {
    /// `bool`.
    Bool,
    /// An unsigned number of 8, 16 or 32 bits.
    Unsigned(u8),
    /// A signed number of 8, 16 or 32 bits.
    Signed(u8),
    /// A value set.
    Named(&'static Kind),
}

impl PropertyType {
    /// Returns the name of the type in the specification, for example `u8`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            PropertyType::Bool => "bool",
            PropertyType::Unsigned(8) => "u8",
            PropertyType::Unsigned(16) => "u16",
            PropertyType::Unsigned(_) => "u32",
            PropertyType::Signed(8) => "i8",
            PropertyType::Signed(16) => "i16",
            PropertyType::Signed(_) => "i32",
            PropertyType::Named(kind) => kind.name,
        }
    }
}

/// The value of a [`Property`]. It is printed as in the specification.
#[derive(Debug, Clone, Copy)]
pub enum PropertyValue {
    /// A value of the type `bool`.
    Bool(bool),
    /// A number.
    Number(i64),
    /// A value of a value set.
    Named(&'static Value),
}

impl Display for PropertyValue {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            PropertyValue::Bool(value) => value.fmt(f),
            PropertyValue::Number(value) => value.fmt(f),
            PropertyValue::Named(value) => f.pad(value.name),
        }
    }
}

/// The properties of one opcode.
///
/// ```
/// isa_core::define_isa! {
///     /// Two instructions with their latencies.
///     pub isa Timed: u8;
///     enum Op: 4 { ADD = 1, MUL = 2 }
///     enum Unit: 1 { ALU = 0, FMA = 1 }
///     /// The number of cycles before a dependent instruction can start.
///     property latency: u8;
///     property unit: Unit;
///     group ALL { encoding { field<0, 4> Op op; } properties { latency = 4; unit = ALU; } }
///     opcode ADD : [ALL] { encoding { op == ADD; } syntax { ADD; } }
///     opcode MUL : [ALL] {
///         encoding   { op == MUL; }
///         syntax     { MUL; }
///         properties { latency = 6; unit = FMA; }
///     }
/// }
///
/// let mul = Timed::decode(2).unwrap();
/// assert_eq!((mul.latency(), mul.unit()), (6, Unit::FMA));
/// let mut properties = mul.opcode().properties.iter().map(|(property, value)| {
///     format!("{} = {value}", property.name)
/// });
/// assert_eq!(properties.next().as_deref(), Some("latency = 6"));
/// assert_eq!(Add::OPCODE.properties.get("unit").unwrap().to_string(), "ALU");
/// ```
#[derive(Debug, Clone, Copy)]
pub struct Properties(Option<&'static PropertyList>);

/// The properties of some opcodes of a call. A row refers to its list, so that rows without properties stay
/// small.
#[doc(hidden)]
#[derive(Debug)]
pub struct PropertyList {
    declared: &'static [Property],
    /// A value for each declared property: a number, 1 for `true`, or the bits of a named value.
    values: &'static [i64],
}

impl PropertyList {
    /// Creates a list of values. It contains a value for each declared property.
    #[must_use]
    pub const fn new(declared: &'static [Property], values: &'static [i64]) -> Self {
        PropertyList { declared, values }
    }
}

impl Properties {
    /// No properties.
    pub const NONE: Properties = Properties(None);

    /// Returns the properties in the order of their declarations, each with its value.
    pub fn iter(&self) -> impl Iterator<Item = (&'static Property, PropertyValue)> + use<> {
        let lists = self.0.into_iter();
        let values = lists.flat_map(|list| list.declared.iter().zip(list.values));
        values.filter_map(|(property, &value)| Some((property, typed(property, value)?)))
    }

    /// Returns the value of the property `name`, or `None` if the opcode does not have it.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<PropertyValue> {
        self.iter().find(|(property, _)| property.name == name).map(|(_, value)| value)
    }

    /// Returns the value of the property `name` as a number. The index of the property is usually
    /// `place`. In a set that includes other sets, the index can differ between its opcodes.
    #[doc(hidden)]
    #[must_use]
    #[inline]
    pub fn raw(&self, place: usize, name: &str) -> i64 {
        let Some(PropertyList { declared, values }) = self.0 else { return 0 };
        let is_it = |property: &Property| property.name == name;
        let place = match declared.get(place).is_some_and(is_it) {
            true => Some(place),
            false => declared.iter().position(is_it),
        };
        place.and_then(|place| values.get(place)).copied().unwrap_or_default()
    }
}

/// Returns the value that a number represents, or `None` if the value set does not contain it.
fn typed(property: &Property, value: i64) -> Option<PropertyValue> {
    Some(match property.ty {
        PropertyType::Bool => PropertyValue::Bool(value != 0),
        PropertyType::Unsigned(_) | PropertyType::Signed(_) => PropertyValue::Number(value),
        PropertyType::Named(kind) => {
            let raw = value.cast_unsigned();
            PropertyValue::Named(kind.values.iter().find(|value| value.raw == raw)?)
        }
    })
}

/// A Rust type of a property.
#[doc(hidden)]
pub trait TypedProperty {
    /// Returns the value that a number represents.
    fn from_number(number: i64) -> Self;
}

impl<T: crate::operand::ValueSet + crate::operand::FieldValue> TypedProperty for T {
    #[inline]
    fn from_number(number: i64) -> Self {
        T::from_raw(number.cast_unsigned())
    }
}

impl TypedProperty for bool {
    #[inline]
    fn from_number(number: i64) -> Self {
        number != 0
    }
}

macro_rules! typed_numbers {
    ($($number:ident)*) => {
        $(
            impl TypedProperty for $number {
                // The macro checked the range of the number.
                #[inline]
                fn from_number(number: i64) -> Self {
                    number as $number
                }
            }
        )*
    };
}

typed_numbers!(u8 u16 u32 i8 i16 i32);

/// Sets the properties of rows. `own` contains, for each row, the index of its list of values.
///
/// # Panics
///
/// Panics at compile time if an index is out of bounds.
#[doc(hidden)]
#[must_use]
pub const fn with_properties<const N: usize>(
    mut rows: [Opcode; N],
    lists: &'static [PropertyList],
    own: [u16; N],
) -> [Opcode; N] {
    let mut i = 0;
    while i < N {
        rows[i].properties = Properties(Some(&lists[own[i] as usize]));
        i += 1;
    }
    rows
}
