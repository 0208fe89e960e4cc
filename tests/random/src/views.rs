//! Fields that are declared as two fields and shown together by a composite operand. The text is
//! the same either way, so the rest of this crate treats them as one field.

use crate::random::Random;
use crate::spec::{Condition, Field, Init, Kind, Line, Node, Piece, Spec};

/// Chooses the operands of a specification that are written as composite operands of two fields:
/// most of those for which that is possible.
pub(crate) fn choose(random: &mut Random, spec: &mut Spec) {
    let names = ["ra", "rb", "rc"].into_iter();
    let chosen = names.filter(|name| random.chance(80) && can_be_split(spec, name));
    spec.views = chosen.map(str::to_owned).collect();
}

/// Returns whether all fields of a name are operands that two fields can replace. Only plain
/// placeholders and values may refer to them.
fn can_be_split(spec: &Spec, name: &str) -> bool {
    let aliases = spec.aliases.iter().map(|alias| &alias.node);
    let nodes = || spec.groups.iter().chain(&spec.opcodes).chain(aliases.clone());
    let fields = || nodes().flat_map(|node| &node.lines).filter(|line| line_name(line) == name);
    let declared = |line: &Line| match line {
        Line::Declare(field) => {
            let kind = &spec.kinds[field.kind];
            kind.values().is_empty() && kind.width > 1 && !field.pieces.is_empty()
        }
        Line::Refine(..) => true,
    };
    let plain = |line: &Line| !matches!(init_of(line), Init::Never(_)) && declared(line);
    let prefix = format!("{name}.");
    let has_parts = nodes().flat_map(|n| &n.lines).any(|l| line_name(l).starts_with(&prefix));
    let is_asked = |node: &Node| {
        node.order.is_some()
            || node.exceptions.iter().chain(&node.wheres).any(|it| speaks_of(it, name))
            || node.template.iter().flatten().any(|piece| is_shown_otherwise(piece, name))
    };
    fields().count() > 0 && fields().all(plain) && !has_parts && !nodes().any(is_asked)
}

fn line_name(line: &Line) -> &str {
    match line {
        Line::Declare(field) => &field.name,
        Line::Refine(name, _) => name,
    }
}

fn init_of(line: &Line) -> &Init {
    let (Line::Declare(Field { init, .. }) | Line::Refine(_, init)) = line;
    init
}

fn speaks_of(condition: &Condition, name: &str) -> bool {
    match condition {
        Condition::And(terms) | Condition::Or(terms) => {
            terms.iter().any(|term| speaks_of(term, name))
        }
        Condition::Not(inner) => speaks_of(inner, name),
        Condition::Is { field, .. } => field == name,
        Condition::Compare(left, _, right) => {
            [left, right].iter().any(|sum| sum.field.as_deref() == Some(name))
        }
    }
}

/// Returns whether a field is shown by more than a placeholder with its own name.
fn is_shown_otherwise(piece: &Piece, name: &str) -> bool {
    match piece {
        Piece::Dot { name: shown, .. } | Piece::Tag(shown) => shown == name,
        Piece::Slot { name: slot, marks, dots } => {
            slot.eq_ignore_ascii_case(name) && !(marks.is_empty() && dots.is_empty())
        }
        Piece::Part(inner) => inner.iter().any(|piece| is_shown_otherwise(piece, name)),
        Piece::Mnemonic(_) | Piece::Text(_) | Piece::Rest => false,
    }
}

/// Returns the names of the two fields, the upper field first.
pub(crate) fn names(name: &str) -> [String; 2] {
    [format!("{name}_h"), format!("{name}_l")]
}

/// Returns the width of the lower field.
fn low_bits(kind: &Kind) -> u32 {
    kind.width / 2
}

/// Returns the widths of the two fields.
pub(crate) fn widths(kind: &Kind) -> [u32; 2] {
    [kind.width - low_bits(kind), low_bits(kind)]
}

/// Returns the positions of the two fields: the pieces of the original field, split.
pub(crate) fn places(kind: &Kind, pieces: &[(u32, u32)]) -> [Vec<(u32, u32)>; 2] {
    let (mut high, mut low, mut left) = (Vec::new(), Vec::new(), low_bits(kind));
    for &(at, width) in pieces.iter().rev() {
        let taken = left.min(width);
        left -= taken;
        low.extend((taken > 0).then_some((at, taken)));
        high.extend((taken < width).then_some((at + taken, width - taken)));
    }
    high.reverse();
    low.reverse();
    [high, low]
}

/// Returns the declared values of the two fields.
pub(crate) fn inits(kind: &Kind, init: &Init) -> [Init; 2] {
    let cut = |raw: u64| [raw >> low_bits(kind), raw & ((1 << low_bits(kind)) - 1)];
    match init {
        Init::Required | Init::Never(_) => [Init::Required, Init::Required],
        Init::Default(raw) => cut(*raw).map(Init::Default),
        Init::Fixed(raw) => cut(*raw).map(Init::Fixed),
    }
}

#[cfg(test)]
mod tests {
    use super::{inits, places};
    use crate::spec::{Init, Kind, KindText};

    #[test]
    fn the_two_fields_have_the_bits_of_the_one() {
        let kind = Kind { name: "Reg".to_owned(), width: 8, text: KindText::Reg };
        assert_eq!(places(&kind, &[(4, 8)]), [vec![(8, 4)], vec![(4, 4)]]);
        // The upper two bits are at 4, the lower six bits at 10.
        assert_eq!(places(&kind, &[(4, 2), (10, 6)]), [vec![(4, 2), (14, 2)], vec![(10, 4)]]);
        assert_eq!(places(&kind, &[(4, 6), (10, 2)]), [vec![(6, 4)], vec![(4, 2), (10, 2)]]);
        assert_eq!(inits(&kind, &Init::Fixed(0xa5)), [Init::Fixed(10), Init::Fixed(5)]);
    }
}
