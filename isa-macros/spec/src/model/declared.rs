//! The declarations of value sets and operand kinds: what a kind is, and which numbers it reserves.

use proc_macro2::{Ident, Span};

use super::cube::{self, Cube};
use super::{Kind, Shape, Value, Values};
use crate::diag::{Code, Diagnostics, bits};
use crate::syntax::ast::{Number, OperandDecl, SetDecl, ValueDecl, ValueName};

/// A set of values. What has a fault is reported, and replaced by something harmless.
pub(super) fn lower_set(set: SetDecl, diag: &mut Diagnostics) -> Kind {
    let SetDecl { docs, vis, name, width, values, incomplete, origin } = set;
    let broken = width.is_none() || incomplete || values.iter().any(|value| value.raw.is_none());
    let width_span = width.map_or_else(|| name.span(), |width| width.span);
    let width = width.map_or(64, |width| check_width(width.value, width.span, diag));
    if values.is_empty() && !incomplete {
        let message =
            format!("`{name}` has no values; write `{name}: {width} {{ NAME = 0, ... }}`");
        diag.error(Code::EmptySet, name.span(), message);
    }
    let (mut kept, mut lacks_values) = (Values::default(), incomplete);
    for ValueDecl { docs, name: ValueName { ident, text }, raw } in values {
        let mut value = Value { docs, name: ident, text, raw: 0 };
        if is_known(&value, &kept, &name, diag) {
            lacks_values = true;
            continue;
        }
        let raw = raw.and_then(|raw| lower_raw(raw, width, &name, &value, &kept, diag));
        value.raw = raw.unwrap_or_else(|| unused_number(&kept));
        kept.push(value);
    }
    let raws: Vec<u64> = kept.all().iter().map(|value| value.raw).collect();
    let reserved =
        if width > 24 && raws.is_empty() { Vec::new() } else { cube::missing_values(width, &raws) };
    let shape = Shape::Set(kept);
    Kind { docs, vis, name, width, width_span, shape, reserved, origin, broken, lacks_values }
}

/// Whether a value has a name of an earlier one, which is reported.
fn is_known(value: &Value, kept: &Values, set: &Ident, diag: &mut Diagnostics) -> bool {
    let known = value.names().find_map(|name| Some((kept.named(&name)?, name)));
    let Some((other, name)) = known else { return false };
    let (message, note) = match value.text == other.text {
        true => (
            format!("`{name}` is declared twice in `{set}`"),
            format!("`{name}` is first declared here"),
        ),
        false => (
            format!(
                "`{}` and `{}` of `{set}` are both called `{name}`\nhelp: give one of the two \
                 another name in Rust: `NAME \"{}\" = NUMBER`",
                value.text, other.text, value.text
            ),
            format!("`{}` is declared here", other.text),
        ),
    };
    diag.error_with(Code::DuplicateName, value.name.span(), message, other.name.span(), note);
    true
}

/// The number of a value, where it is one that the value can have.
fn lower_raw(
    raw: Number,
    width: u8,
    set: &Ident,
    value: &Value,
    kept: &Values,
    diag: &mut Diagnostics,
) -> Option<u64> {
    let Number { value: raw, span } = raw;
    if width < 64 && raw >> width != 0 {
        let message = format!(
            "{raw} does not fit the {} of `{set}`, whose largest number is {}\nhelp: take a smaller \
             number, or widen the set: `enum {set}: WIDTH`",
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
        format!("`{}` has the number {raw} of `{}`; one number, one name", value.text, other.text),
        other.name.span(),
        format!("`{}` has the number {raw}", other.text),
    );
    None
}

/// A number for a value whose own number is wrong. High numbers, which no right one is likely
/// to be.
fn unused_number(kept: &Values) -> u64 {
    (0..u64::MAX).rev().find(|&raw| kept.numbered(raw).is_none()).unwrap_or(0)
}

fn check_width(width: u64, span: Span, diag: &mut Diagnostics) -> u8 {
    if (1..=64).contains(&width) {
        return width as u8;
    }
    diag.error(Code::FieldWidth, span, format!("a width of {}; it must be 1 to 64", bits(width)));
    width.clamp(1, 64) as u8
}

/// An operand kind; one without a width is of no known type.
pub(super) fn lower_operand(operand: OperandDecl, diag: &mut Diagnostics) -> Kind {
    let OperandDecl { docs, vis, name, width, path, reserved, origin } = operand;
    let Some(width) = width else {
        return Kind { docs, vis, origin, ..Kind::unknown(&name) };
    };
    let width_span = width.span;
    let width = check_width(width.value, width.span, diag);
    let mut cubes = Vec::new();
    for (pattern, span) in reserved {
        match parse_pattern(&pattern, width) {
            Some(cube) => cubes.push(cube),
            None => diag.error(
                Code::ValueTooWide,
                span,
                format!("a pattern is at most {width} of `0`, `1` and `x`, such as \"x1\""),
            ),
        }
    }
    let (shape, reserved) = (Shape::Operand(path), cubes);
    let (broken, lacks_values) = (false, false);
    Kind { docs, vis, name, width, width_span, shape, reserved, origin, broken, lacks_values }
}

/// `"1x"`: the lowest bits of a number; bits to the left are free.
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
