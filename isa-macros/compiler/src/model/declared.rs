//! The declarations of sets of values and operand types, and the numbers that they reserve.

use proc_macro2::{Ident, Span};

use super::cube::{self, Cube};
use super::kinds::names;
use super::{Kind, Shape, Value, Values};
use crate::diag::{Code, Diagnostics, bits};
use crate::syntax::ast::{Number, OperandDecl, SetDecl, ValueDecl, ValueName};

/// Lowers a set of values. A part with an error is reported, and replaced by a valid one.
pub(super) fn lower_set(set: SetDecl, diag: &mut Diagnostics) -> Kind {
    let SetDecl { docs, vis, name, width, values, incomplete, origin } = set;
    let broken = width.is_none() || incomplete || values.iter().any(|value| value.raw.is_none());
    let width_span = width.map_or_else(|| name.span(), |width| width.span);
    let checked = width.map_or(Ok(64), |width| check_width(width.value, width.span, diag));
    let broken = broken || checked.is_err();
    let width = checked.unwrap_or_else(|nearest| nearest);
    if values.is_empty() && !incomplete {
        let message =
            format!("`{name}` has no values; write `{name}: {width} {{ NAME = 0, ... }}`");
        diag.error(Code::EmptySet, name.span(), message);
    }
    let (mut kept, mut lacks_values) = (Values::default(), incomplete);
    for ValueDecl { docs, name: ValueName { ident, text }, also, raw } in values {
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
        kept.push(Value { docs, name: ident, text, also: names, raw });
    }
    let raws: Vec<u64> = kept.all().iter().map(|value| value.raw).collect();
    let reserved =
        if width > 24 && raws.is_empty() { Vec::new() } else { cube::missing_values(width, &raws) };
    let shape = Shape::Set(kept);
    Kind { docs, vis, name, width, width_span, shape, reserved, origin, broken, lacks_values }
}

/// The constants that each set of values has in Rust, with a description.
const CONSTANTS: [(&str, &str); 2] = [("ALL", "with all its values"), ("KIND", "with its table")];

/// Returns whether a name is already the name of a constant of the set, of an earlier value, or one
/// of the `own` names of the same value. If it is, reports an error.
fn is_known(
    ident: &Ident,
    text: &str,
    own: &[ValueName],
    kept: &Values,
    set: &Ident,
    diag: &mut Diagnostics,
) -> bool {
    if let Some((constant, what)) = CONSTANTS.iter().find(|(name, _)| ident == name) {
        let message = format!(
            "`{constant}` is what `{set}` calls its constant {what} in Rust\nhelp: give the value another name \
             in Rust: `NAME \"{text}\" = NUMBER`"
        );
        diag.error(Code::DuplicateName, ident.span(), message);
        return true;
    }
    let earlier = |name: &String| {
        let value = kept.named(name);
        let own = own.iter().find(|own| names(&own.ident, &own.text).contains(name));
        let own = own.map(|own| (&own.ident, &own.text, own.text == text));
        let is_text = |value: &Value| value.spellings().any(|spelled| spelled == text);
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
                "`{text}` and `{other_text}` of `{set}` are both called `{name}`\nhelp: give one of \
                 the two another name in Rust: `NAME \"{text}\" = NUMBER`"
            ),
            format!("`{other_text}` is declared here"),
        ),
    };
    diag.error_with(Code::DuplicateName, ident.span(), message, other.span(), note);
    true
}

/// Returns the number of a value, if it is valid.
fn lower_raw(
    raw: Number,
    width: u8,
    set: &Ident,
    value: &str,
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
        format!(
            "`{value}` has the number {raw} of `{}`; one number, one value\nhelp: where both are \
             names of one value, they stand together: `{} | {value} = {raw}`",
            other.text, other.text
        ),
        other.name.span(),
        format!("`{}` has the number {raw}", other.text),
    );
    None
}

/// Returns a number for a value whose own number is invalid. It is a high number, which is unlikely
/// to be used by a valid value.
fn unused_number(kept: &Values) -> u64 {
    (0..u64::MAX).rev().find(|&raw| kept.numbered(raw).is_none()).unwrap_or(0)
}

/// Returns the width of a set or operand type. If the width is invalid, reports this, and returns
/// the nearest valid width as the error.
fn check_width(width: u64, span: Span, diag: &mut Diagnostics) -> Result<u8, u8> {
    if (1..=64).contains(&width) {
        return Ok(width as u8);
    }
    diag.error(Code::FieldWidth, span, format!("a width of {}; it must be 1 to 64", bits(width)));
    Err(width.clamp(1, 64) as u8)
}

/// Lowers an operand type. If it has no width, its type is unknown.
pub(super) fn lower_operand(operand: OperandDecl, diag: &mut Diagnostics) -> Kind {
    let OperandDecl { docs, vis, name, width, path, reserved, origin } = operand;
    let Some(width) = width else {
        return Kind { docs, vis, origin, ..Kind::unknown(&name) };
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
                format!("a pattern is at most {width} of `0`, `1` and `x`, such as \"x1\""),
            ),
        }
    }
    let (shape, reserved) = (Shape::Operand(path), cubes);
    Kind {
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
