//! Prints specifications as text.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use crate::spec::{
    Alias, Condition, Field, GLUE, Init, Kind, KindText, Line, Node, Piece, Sign, Spec, Sum, Value,
};
use crate::views;

/// Returns the specification in the language of `define_isa!`. The name of the set is `Toy`.
#[must_use]
pub fn write(spec: &Spec) -> String {
    let widths: Vec<String> = spec.widths.iter().map(|width| format!("u{width}")).collect();
    let mut text = format!("pub isa Toy: {};\n", widths.join(" | "));
    if !spec.byte_order.is_empty() {
        let _ = writeln!(text, "bytes {};", spec.byte_order);
    }
    if spec.any_case {
        text += "text any_case;\n";
    }
    let nodes = || {
        let aliases = spec.aliases.iter().map(|alias| &alias.node);
        spec.groups.iter().chain(&spec.opcodes).chain(aliases)
    };
    let has = |node: &Node, kind: usize| {
        node.lines.iter().any(|line| matches!(line, Line::Declare(field) if field.kind == kind))
    };
    let is_used = |(place, _): &(usize, &Kind)| nodes().any(|node| has(node, *place));
    for (_, kind) in spec.kinds.iter().enumerate().filter(is_used) {
        text += &kind_item(kind);
    }
    text += &view_items(spec, &nodes().flat_map(|node| &node.lines).collect::<Vec<_>>());
    let mut marks = Vec::new();
    nodes().flat_map(|node| &node.template).for_each(|pieces| collect_marks(pieces, &mut marks));
    for (place, affix) in spec.affixes.iter().enumerate() {
        if !marks.contains(&place) {
            continue;
        }
        let close =
            if affix.close.is_empty() { String::new() } else { format!(" {:?}", affix.close) };
        let _ = writeln!(text, "affix {:?}{close} = {};", affix.open, affix.sub);
    }
    for group in &spec.groups {
        let level = if group.is_optype { "optype" } else { "group" };
        text += &node(spec, level, group);
    }
    for opcode in &spec.opcodes {
        text += &node(spec, "opcode", opcode);
    }
    for alias in &spec.aliases {
        text += &self::alias(spec, alias);
    }
    text
}

fn collect_marks(pieces: &[Piece], known: &mut Vec<usize>) {
    for piece in pieces {
        match piece {
            Piece::Slot { marks, .. } => known.extend(marks),
            Piece::Part(inner) => collect_marks(inner, known),
            _ => {}
        }
    }
}

fn kind_item(kind: &Kind) -> String {
    let (name, width) = (&kind.name, kind.width);
    match &kind.text {
        KindText::Set(values) => {
            let values: Vec<String> =
                values.iter().map(|value| format!("{} = {}", names(value), value.raw)).collect();
            format!("enum {name}: {width} {{ {} }}\n", values.join(", "))
        }
        _ => format!("operand {name}: {width} = {};\n", kind_path(kind)),
    }
}

/// Returns the path of the Rust type of an operand type, with its width.
fn kind_path(kind: &Kind) -> String {
    let (name, width) = (kind.rust_name(), kind.width);
    match kind.text {
        KindText::Set(_) | KindText::Reg | KindText::Pred => format!("isa_core::operand::{name}"),
        KindText::Marked => {
            format!("isa_core::operand::HashPrefixed<isa_core::operand::Unsigned<{width}>>")
        }
        KindText::Signed | KindText::Unsigned | KindText::Hex | KindText::Target => {
            format!("isa_core::operand::{name}<{width}>")
        }
        KindText::Bank(_) | KindText::Sigil | KindText::Place => format!("crate::kinds::{name}"),
    }
}

/// Returns the operand types of fields that composite operands show, and the formats of the
/// composite operands.
fn view_items(spec: &Spec, lines: &[&Line]) -> String {
    let viewed = lines.iter().filter_map(|line| match line {
        Line::Declare(field) if spec.views.contains(&field.name) => Some(field.kind),
        _ => None,
    });
    let kinds: BTreeSet<usize> = viewed.collect();
    let kinds = || kinds.iter().map(|kind| &spec.kinds[*kind]);
    let widths: BTreeSet<u32> = kinds().flat_map(views::widths).collect();
    let parts = widths.iter().map(|width| {
        format!("operand Part{width}: {width} = isa_core::operand::Unsigned<{width}>;\n")
    });
    let formats = kinds().map(|kind| {
        let path = kind_path(kind);
        format!("format As{} = isa_core::operand::FixedText<{path}>;\n", kind.name)
    });
    parts.chain(formats).collect()
}

fn alias(spec: &Spec, alias: &Alias) -> String {
    let level = if alias.is_synonym { "synonym" } else { "alias" };
    let head =
        format!("{level} {} of {}{}", alias.node.name, alias.of, trailing(spec, &alias.node));
    let of = spec.rows().into_iter().find(|row| row.name == alias.of);
    let kinds = of.map(|row| row.fields.into_iter().map(|f| (f.name, f.kind)).collect::<Vec<_>>());
    sections(spec, &head, &alias.node, &kinds.unwrap_or_default())
}

fn node(spec: &Spec, level: &str, node: &Node) -> String {
    let mut head = format!("{level} {}", node.name);
    if !node.parents.is_empty() {
        let parents: Vec<&str> =
            node.parents.iter().map(|&parent| spec.groups[parent].name.as_str()).collect();
        let _ = write!(head, " : [{}]", parents.join(", "));
    }
    if !node.inside.is_empty() {
        let _ = write!(head, " inside {}", node.inside.join(", "));
    }
    head += &trailing(spec, node);
    let mut kinds = Vec::new();
    node.parents.iter().for_each(|&parent| collect_kinds(spec, &spec.groups[parent], &mut kinds));
    kinds.extend(declared(node));
    sections(spec, &head, node, &kinds)
}

fn trailing(spec: &Spec, node: &Node) -> String {
    let names = crate::orders::written(spec, node);
    if names.is_empty() { String::new() } else { format!(" else {}", names.join(", ")) }
}

/// Collects the types of the fields that a node and its ancestors declare.
fn collect_kinds(spec: &Spec, node: &Node, kinds: &mut Vec<(String, usize)>) {
    node.parents.iter().for_each(|&parent| collect_kinds(spec, &spec.groups[parent], kinds));
    kinds.extend(declared(node));
}

fn declared(node: &Node) -> impl Iterator<Item = (String, usize)> {
    node.lines.iter().filter_map(|line| match line {
        Line::Declare(field) => Some((field.name.clone(), field.kind)),
        Line::Refine(..) => None,
    })
}

fn sections(spec: &Spec, head: &str, node: &Node, kinds: &[(String, usize)]) -> String {
    let mut text = format!("{head} {{\n");
    let kind_of = |name: &str| {
        let known = kinds.iter().find(|(known, _)| known == name);
        &spec.kinds[known.map_or(0, |(_, kind)| *kind)]
    };
    if node.word.is_some() || !node.lines.is_empty() || !node.wheres.is_empty() {
        text += "    encoding {";
        if let Some(word) = node.word {
            let _ = write!(text, " word<{word}>;");
        }
        for line in &node.lines {
            text += &match line {
                Line::Declare(field) if spec.views.contains(&field.name) => {
                    two_declarations(field, &spec.kinds[field.kind])
                }
                Line::Declare(field) if node.ignored.contains(&field.name) => {
                    let line = declaration(field, &spec.kinds[field.kind]);
                    line.replace(';', ", ignored;")
                }
                Line::Declare(field) => declaration(field, &spec.kinds[field.kind]),
                Line::Refine(name, init) if spec.views.contains(name) => {
                    two_refinements(name, init, kind_of(name))
                }
                Line::Refine(name, init) => format!(" {name}{};", self::init(init, kind_of(name))),
            };
        }
        for condition in &node.wheres {
            let _ = write!(text, " where {};", self::condition(condition, &kind_of));
        }
        text += " }\n";
    }
    if let Some(template) = &node.template {
        let _ = writeln!(text, "    syntax {{ {} }}", pieces(spec, template));
    }
    if let Some(order) = &node.order {
        let order = order.join(", ");
        let _ = writeln!(text, "    operands {{ InList<{order}>; OutList<>; Order<{order}>; }}");
    }
    // A format of an operand that the template does not contain has no effect, which is an error.
    let template = node.template.as_ref().map(|template| pieces(spec, template));
    let is_shown = |name: &str| {
        let is_name = |word: &str| word.eq_ignore_ascii_case(name);
        let is_other = |c: char| !c.is_alphanumeric() && c != '_';
        template.as_ref().is_none_or(|text: &String| text.split(is_other).any(is_name))
    };
    let views = declared(node).filter(|(name, _)| spec.views.contains(name) && is_shown(name));
    for (name, kind) in views {
        let (fields, kind) = (views::names(&name).join(", "), &spec.kinds[kind].name);
        let _ = writeln!(text, "    operands {{ AsmFormat<{name}: {fields}> = As{kind}(); }}");
    }
    for (place, condition) in node.exceptions.iter().enumerate() {
        let condition = self::condition(condition, &kind_of);
        let name = &node.name;
        let _ = writeln!(
            text,
            "    exception {{ EncodingError<Illegal, \"{name} {place}\"> = {condition}; }}"
        );
    }
    text + "}\n"
}

fn declaration(field: &Field, kind: &Kind) -> String {
    let pieces: Vec<String> =
        field.pieces.iter().map(|(at, width)| format!("{at}, {width}")).collect();
    let (pieces, name) = (pieces.join(" : "), &field.name);
    format!(" field<{pieces}> {} {name}{};", kind.name, init(&field.init, kind))
}

/// Returns the declarations of the two fields of a composite operand.
fn two_declarations(field: &Field, kind: &Kind) -> String {
    let (names, widths) = (views::names(&field.name), views::widths(kind));
    let (places, inits) = (views::places(kind, &field.pieces), views::inits(kind, &field.init));
    let mut text = String::new();
    for (((name, width), pieces), init) in names.into_iter().zip(widths).zip(places).zip(inits) {
        let part = part(width);
        let field = Field { name, pieces, init, ..field.clone() };
        text += &declaration(&field, &part);
    }
    text
}

fn two_refinements(name: &str, init: &Init, kind: &Kind) -> String {
    let parts = views::names(name).into_iter().zip(views::widths(kind));
    let lines = parts.zip(views::inits(kind, init));
    lines
        .map(|((name, width), init)| format!(" {name}{};", self::init(&init, &part(width))))
        .collect()
}

/// Returns the type of one of the fields of a composite operand.
fn part(width: u32) -> Kind {
    Kind { name: format!("Part{width}"), width, text: KindText::Unsigned }
}

fn init(init: &Init, kind: &Kind) -> String {
    match init {
        Init::Required => String::new(),
        Init::Default(raw) => format!(" = {}", value(kind, *raw)),
        Init::Fixed(raw) => format!(" == {}", value(kind, *raw)),
        Init::Never(values) => match &values[..] {
            [one] => format!(" != {}", value(kind, *one)),
            many => format!(" != {{{}}}", list(kind, many)),
        },
    }
}

fn list(kind: &Kind, values: &[u64]) -> String {
    let values: Vec<String> = values.iter().map(|raw| value(kind, *raw)).collect();
    values.join(", ")
}

/// Returns a value as its name or as a number.
pub(crate) fn value(kind: &Kind, raw: u64) -> String {
    let named = kind.values().iter().find(|known| known.raw == raw);
    named.map_or_else(
        || raw.to_string(),
        |value| match &value.rust {
            Some(rust) if raw % 2 == 1 => rust.clone(),
            _ => word(value.name(raw as usize)),
        },
    )
}

/// Returns `A`, `"8b"` or `V8 "8b"`, followed by the other names.
fn names(Value { rust, text, also, .. }: &Value) -> String {
    let first = match rust {
        Some(rust) => format!("{rust} {text:?}"),
        None => word(text),
    };
    also.iter().fold(first, |names, other| format!("{names} | {}", word(other)))
}

/// Returns a word, in quotes if it is not a valid name in Rust.
fn word(text: &str) -> String {
    if text.starts_with(|c: char| c.is_ascii_digit()) {
        format!("{text:?}")
    } else {
        text.to_owned()
    }
}

fn condition<'k>(it: &Condition, kind_of: &impl Fn(&str) -> &'k Kind) -> String {
    let join = |terms: &[Condition], word: &str| {
        let terms: Vec<String> =
            terms.iter().map(|term| format!("({})", condition(term, kind_of))).collect();
        terms.join(word)
    };
    match it {
        Condition::And(terms) => join(terms, " and "),
        Condition::Or(terms) => join(terms, " or "),
        Condition::Not(inner) => format!("not ({})", condition(inner, kind_of)),
        Condition::Is { field, values, negated } => match (&values[..], negated) {
            ([one], false) => format!("{field} == {}", value(kind_of(field), *one)),
            ([one], true) => format!("{field} != {}", value(kind_of(field), *one)),
            (many, false) => format!("{field} in {{{}}}", ranges(kind_of(field), many)),
            (many, true) => format!("not {field} in {{{}}}", ranges(kind_of(field), many)),
        },
        Condition::Compare(left, sign, right) => {
            let sign = match sign {
                Sign::Equal => "==",
                Sign::Unequal => "!=",
                Sign::Less => "<",
                Sign::LessOrEqual => "<=",
                Sign::Greater => ">",
                Sign::GreaterOrEqual => ">=",
            };
            format!("{} {sign} {}", sum(left), sum(right))
        }
    }
}

/// Returns the field, followed by the number if it is not 0.
fn sum(Sum { field, by }: &Sum) -> String {
    match (field, by) {
        (None, by) => by.to_string(),
        (Some(field), 0) => field.clone(),
        (Some(field), 1..) => format!("{field} + {by}"),
        (Some(field), _) => format!("{field} - {}", -by),
    }
}

/// Returns the same as [`list`], but consecutive numbers as a range.
fn ranges(kind: &Kind, values: &[u64]) -> String {
    let is_row = values.windows(2).all(|pair| pair[0] + 1 == pair[1]);
    match values {
        [first, .., last] if is_row && kind.values().is_empty() => format!("{first}..={last}"),
        _ => list(kind, values),
    }
}

fn pieces(spec: &Spec, template: &[Piece]) -> String {
    let mut text = String::new();
    for piece in template {
        match piece {
            Piece::Dot { .. } => {}
            _ if text.is_empty() => {}
            _ => text.push(' '),
        }
        match piece {
            Piece::Mnemonic(word) if word.is_empty() => text += "_ ",
            Piece::Mnemonic(word) if word.contains('.') => text += &format!("{word:?}"),
            Piece::Mnemonic(word) => text += word,
            Piece::Dot { name, braces } => text += &dot(name, *braces),
            Piece::Slot { name, marks, dots } => {
                let marks = || marks.iter().map(|&mark| &spec.affixes[mark]);
                marks().for_each(|affix| text += &format!("{{{}}}", quoted(&affix.open)));
                let dots = dots.iter().map(|(name, braces)| dot(name, *braces));
                let closing = marks().rev().filter(|affix| !affix.close.is_empty());
                let closing = closing.map(|affix| format!("{{{}}}", quoted(&affix.close)));
                let (dots, closing): (String, String) = (dots.collect(), closing.collect());
                let behind = if spec.closes_first { [closing, dots] } else { [dots, closing] };
                text += &[name.clone(), behind.concat()].concat();
            }
            Piece::Text(mark) if [";", ",", "@", GLUE].contains(&&**mark) => text += mark,
            Piece::Text(mark) => text += &format!("{mark:?}"),
            Piece::Part(inner) => text += &format!("{{{}}}", pieces(spec, inner)),
            Piece::Tag(name) => text += &format!("${name}"),
            Piece::Rest => text += "..",
        }
    }
    text
}

fn quoted(mark: &str) -> String {
    if mark.len() == 1 && "-!|~+".contains(mark) { mark.to_owned() } else { format!("{mark:?}") }
}

fn dot(name: &str, braces: bool) -> String {
    let name = word(name);
    if braces { format!("{{.{name}}}") } else { format!(".{name}") }
}
