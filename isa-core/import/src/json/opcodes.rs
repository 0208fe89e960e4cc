//! Items for opcodes and aliases.

use std::collections::HashSet;

use isa_compiler::Fragment;
use isa_core::table::Cube;
use isa_export::description::{
    AliasDescription, AtPath, CompositeOperand, Description, DescriptionError, FieldDescription,
    FieldType, FlowRule, LaneAccess, OpcodeDescription, OperandAccess, PrintPart, PropertyValue,
    ShortWordDescription,
};

use super::operand_types::has_item;
use super::{DescriptionIndex, Imported, LocatedRow, doc};
use crate::code::{Code, code};
use crate::macro_call::{
    CallItem, CallNode, FieldStatement, NOTE, NodeSection, SectionLine, listed, slots,
};

/// The class of the exceptions that follow from words of two widths.
const SHORT_WORD: &str = "ShortWord";

/// Returns the name of the function in a call.
fn function(call: &str) -> &str {
    call.split('(').next().unwrap_or_default()
}

/// Returns the names of the functions that conditions call.
pub(super) fn functions(set: &Description) -> Vec<&str> {
    let illegal = LocatedRow::all(set).flat_map(|row| &row.row.illegal);
    let cases = illegal.filter(|one| one.class != SHORT_WORD).flat_map(|one| &one.cases);
    distinct(cases.flat_map(|case| &case.when).map(|one| function(&one.function)))
}

/// Returns the names of the functions that compute the lanes or the widths of operands.
pub(super) fn lane_functions(set: &Description) -> Vec<&str> {
    let lanes = set.opcodes.iter().flat_map(|row| &row.lanes).filter(|one| is_function(one));
    distinct(lanes.filter_map(|one| one.mask.as_deref().or(one.count.as_deref())).map(function))
}

/// Returns names without repetitions.
fn distinct<'d>(names: impl Iterator<Item = &'d str>) -> Vec<&'d str> {
    let mut known = Vec::new();
    for name in names {
        if !known.contains(&name) {
            known.push(name);
        }
    }
    known
}

/// Returns whether a function computes the lanes or their number.
fn is_function(lanes: &LaneAccess) -> bool {
    lanes.count.is_some() || lanes.mask.as_ref().is_some_and(|mask| mask.contains('('))
}

/// Returns the line of a field. It contains the field's value if `set_here` is true.
pub(super) fn field(
    field: &FieldDescription,
    set_here: bool,
    set: &Description,
) -> Imported<SectionLine> {
    let kind = &set.kinds[field.kind];
    let pieces = field.pieces.iter().map(|piece| (piece.position.into(), piece.width.into()));
    Ok(SectionLine::Field(FieldStatement {
        pieces: pieces.collect(),
        kind: Code::type_name(&kind.name).at("kind")?,
        name: Code::field_name(&field.name).at("name")?,
        value: if set_here { setting(field, kind)? } else { Code::default() },
        note: None,
    }))
}

/// Returns ` == value`, ` = value`, or nothing.
fn setting(field: &FieldDescription, kind: &FieldType) -> Imported<Code> {
    let settings = [(field.fixed, "==", "fixed"), (field.default, "=", "default")];
    let Some((raw, sign, key)) =
        settings.into_iter().find_map(|(raw, sign, key)| Some((raw?, sign, key)))
    else {
        return Ok(Code::default());
    };
    let value = match kind.values.iter().find(|value| value.raw == raw) {
        Some(value) => Code::value_name(&value.name).at(key)?,
        None => Code::numeral(&format!("{raw:#x}")),
    };
    let ignored = if field.ignored { ", ignored" } else { "" };
    Ok(code!(" {} {}{}", sign, value, ignored))
}

/// Adds the conditions of a row that `place` declares, except the conditions that the sections already
/// contain.
pub(super) fn conditions(
    row: &OpcodeDescription,
    place: &str,
    encoding: &mut Vec<SectionLine>,
    exception: &mut Vec<SectionLine>,
) -> Imported<()> {
    let add = |lines: &mut Vec<SectionLine>, code: Code| {
        let line = SectionLine::from(code);
        if !lines.contains(&line) {
            lines.push(line);
        }
    };
    let own = row.illegal.iter().enumerate().filter(|(_, illegal)| illegal.declared_in == place);
    for (at, illegal) in own {
        let at = |key: &str| format!("illegal[{at}].{key}");
        let condition = source(&illegal.condition);
        match illegal.class.as_str() {
            "SpecialCase" | SHORT_WORD => {}
            "ForbiddenValue" => {
                let line = condition.replacen(" == ", " != ", 1).replacen(" in {", " != {", 1);
                let (name, value) = line.split_at(line.find(' ').unwrap_or(line.len()));
                let declared = encoding.iter_mut().find_map(|line| match line {
                    SectionLine::Field(field) if *field.name == *name => Some(field),
                    _ => None,
                });
                match declared {
                    Some(field) => field.value = Code::setting(value).at(at("condition"))?,
                    None => {
                        let code = Code::statement(Fragment::Encoding, &format!("{line};"));
                        add(encoding, code.at(at("condition"))?);
                    }
                }
            }
            "UnmetCondition" => {
                let reason = illegal.reason.split('`').nth(1);
                let met = reason.ok_or("a reason names its condition").at(at("reason"))?;
                let code = format!("where {};", source(met));
                add(encoding, Code::statement(Fragment::Encoding, &code).at(at("reason"))?);
            }
            class => {
                let class = Code::name(class).at(at("class"))?;
                let head = code!("EncodingError<{}, {}>", class, Code::quoted(&illegal.reason));
                let text = format!("{} = {condition};", &*head);
                let code = Code::statement(Fragment::Exception, &text).at(at("condition"))?;
                add(exception, code.broken(Fragment::Exception, "= "));
            }
        }
    }
    Ok(())
}

/// Returns a condition as source code. Values whose names begin with a digit are quoted.
fn source(condition: &str) -> String {
    let is_name = |word: &str| {
        let number = word.strip_prefix("0x").is_some() || word.bytes().all(|b| b.is_ascii_digit());
        word.starts_with(|c: char| c.is_ascii_digit()) && !number
    };
    let words = condition.split_inclusive(|c: char| !c.is_ascii_alphanumeric() && c != '_');
    let words = words.map(|word| {
        let end = word.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(word.len());
        let (word, rest) = word.split_at(end);
        if is_name(word) { format!("{word:?}{rest}") } else { format!("{word}{rest}") }
    });
    words.collect()
}

/// Returns the prefix and suffix operators of operands, which are found by the printed texts.
pub(super) fn affixes(set: &Description) -> Imported<Vec<CallItem>> {
    let (mut found, mut known) = (Vec::new(), HashSet::new());
    for row in LocatedRow::all(set) {
        let mut open = vec![&row.row.prints];
        while let Some(prints) = open.pop() {
            for part in prints {
                let PrintPart::Optional(part) = part else { continue };
                open.push(&part.prints);
                let place = part.values.first().map_or(usize::MAX, |(place, _)| *place);
                let field = row.row.fields.get(place).and_then(|own| own.name.rsplit_once('.'));
                let (Some((_, name)), Some(PrintPart::Text(sign)), "mark") =
                    (field, part.prints.first(), part.part.as_str())
                else {
                    continue;
                };
                if known.insert(sign) {
                    let name = Code::name(name).at(format_args!("fields[{place}].name")).at(row)?;
                    let code = Code::quoted(sign);
                    let twice = if sign == "|" { code!(" {}", code) } else { Code::default() };
                    let text = code!("affix {}{} = {};", code, twice, name);
                    found.push(CallItem::Line { doc: Vec::new(), text });
                }
            }
        }
    }
    Ok(found)
}

/// Adds an opcode with its aliases, and comments for the parts that have no source code.
pub(super) fn opcode(
    row: LocatedRow<'_>,
    index: &DescriptionIndex<'_>,
    items: &mut Vec<CallItem>,
) -> Imported<()> {
    let OpcodeDescription { groups, fields, semantics, .. } = row.row;
    let own = row.row.name.as_str();
    let name = Code::name(own).at("name").at(row)?;
    let known = groups.iter().filter_map(|group| index.groups.get(group.as_str()));
    let above: HashSet<&String> = known.flat_map(|group| &group.parents).collect();
    let direct = groups.iter().enumerate().filter(|(_, group)| !above.contains(group));
    let direct =
        direct.map(|(at, group)| Code::name(group).at(format_args!("groups[{at}]")).at(row));
    let parents = listed(" : [", &direct.collect::<Imported<Vec<_>>>()?, "]");
    let around = index.around.get(own).map_or(&[][..], Vec::as_slice).iter();
    let around = around.map(|around| Code::name(&around.row.name).at("name").at(around));
    let inside = listed(" inside ", &around.collect::<Imported<Vec<_>>>()?, "");
    let mut encoding = Vec::new();
    if index.set.widths.len() > 1 {
        encoding.push(word_line(row.row).at(row)?.into());
    }
    for (at, one) in fields.iter().enumerate().filter(|(_, field)| field.declared_in == own) {
        encoding.push(field(one, true, index.set).at(format_args!("fields[{at}]")).at(row)?);
    }
    let after = tried_first(&row.row.after, index).at(row)?;
    let head = code!("opcode {}{}{}{}", name, parents, inside, after);
    items.push(CallItem::Node(node(row.row, head, encoding, index.set, false).at(row)?));
    if let Some(body) = semantics {
        let lines = body.lines().map(|line| format!("    {line}"));
        items.push(CallItem::Comment(
            [format!("semantics of {own}:")].into_iter().chain(lines).collect(),
        ));
    }
    for own in row.aliases() {
        items.push(alias(own, row, &name, index)?);
    }
    Ok(())
}

/// Returns the line with the width of an opcode's words.
fn word_line(row: &OpcodeDescription) -> Imported<Code> {
    let bits = row.bits;
    match &row.short {
        None => Ok(code!("word<{}>;", u32::from(bits))),
        Some(ShortWordDescription { bits: short, condition, long: _ }) => {
            let text = format!("word<{bits}> if {} else word<{short}>;", source(condition));
            Code::statement(Fragment::Encoding, &text).at("short.condition")
        }
    }
}

/// Returns the item of an alias or a synonym.
fn alias(
    own: LocatedRow<'_>,
    opcode: LocatedRow<'_>,
    opcode_name: &Code,
    index: &DescriptionIndex<'_>,
) -> Imported<CallItem> {
    let at = own.alias.unwrap_or_default();
    let OpcodeDescription { name, syntax, .. } = own.row;
    if is_unsaid(own.row, index.set) {
        return Ok(CallItem::Comment(vec![format!(
            "alias {name} of {}, `{syntax}`: its spelling is not in the source",
            opcode.row.name
        )]));
    }
    let aliases = &opcode.row.aliases;
    let AliasDescription { printed, after, .. } = &aliases[at];
    let after = tried_first(after, index).at(format_args!("aliases[{at}]")).at(opcode)?;
    let before = opcode.aliases().zip(aliases).skip(at + 1);
    let before = before.filter(|(_, other)| *printed && other.printed && meet(own.row, &other.row));
    let before = before.map(|(other, _)| Code::name(&other.row.name).at("name").at(other));
    let before = listed(" before ", &before.collect::<Imported<Vec<_>>>()?, "");
    let word = if *printed { "alias" } else { "synonym" };
    let name = Code::name(name).at("name").at(own)?;
    let head = code!("{} {} of {}{}{}", word, name, opcode_name, before, after);
    Ok(CallItem::Node(alias_node(own.row, head, index.set).at(own)?))
}

/// Returns the node of an alias or a synonym.
fn alias_node(row: &OpcodeDescription, head: Code, set: &Description) -> Imported<CallNode> {
    let mut encoding = Vec::new();
    let fields = row.fields.iter().enumerate();
    for (at, field) in fields.filter(|(_, field)| field.declared_in == row.name) {
        let path = format!("fields[{at}]");
        let value = setting(field, &set.kinds[field.kind]).at(&path)?;
        if !value.is_empty() {
            let name = Code::field_name(&field.name).at("name").at(&path)?;
            encoding.push(code!("{}{};", name, value).into());
        }
    }
    node(row, head, encoding, set, true)
}

/// Returns ` else NAME, ...`, or nothing if all rows that are parsed first are only comments.
fn tried_first(after: &[String], index: &DescriptionIndex<'_>) -> Imported<Code> {
    let all = after.iter().enumerate();
    let has_item = all.filter(|(_, name)| !index.unsaid.contains(name.as_str()));
    let names = has_item.map(|(at, name)| Code::name(name).at(format_args!("after[{at}]")));
    Ok(listed(" else ", &names.collect::<Imported<Vec<_>>>()?, ""))
}

/// Returns whether two rows share valid words. Returns false if one of the rows has all fixed bits
/// of the other row.
fn meet(a: &OpcodeDescription, b: &OpcodeDescription) -> bool {
    let common = a.fixed.mask & b.fixed.mask;
    let both = Cube::new(a.fixed.mask | b.fixed.mask, a.fixed.value | b.fixed.value);
    let is_illegal = |row: &OpcodeDescription| {
        let mut words = row.illegal.iter().flat_map(|illegal| &illegal.words);
        words.any(|words| words.mask & both.mask == words.mask && words.contains(both.value))
    };
    (a.fixed.value ^ b.fixed.value) & common == 0
        && common != a.fixed.mask
        && common != b.fixed.mask
        && !is_illegal(a)
        && !is_illegal(b)
}

fn node(
    row: &OpcodeDescription,
    head: Code,
    mut encoding: Vec<SectionLine>,
    set: &Description,
    is_alias: bool,
) -> Imported<CallNode> {
    let mut exception = Vec::new();
    conditions(row, &row.name, &mut encoding, &mut exception)?;
    let examples = row.examples.iter().enumerate().map(|(at, text)| {
        let code = Code::statement(Fragment::Example, text);
        code.at(format_args!("examples[{at}]")).map(SectionLine::from)
    });
    let examples = examples.collect::<Imported<Vec<_>>>()?;
    let flow = row.flow.iter().enumerate();
    let flow = flow.map(|(at, rule)| flow_statement(rule).at(format_args!("flow[{at}]")));
    let flow = flow.collect::<Imported<Vec<_>>>()?;
    let template = Code::statement(Fragment::Template, &template(row)).at("syntax")?;
    let mut sections = vec![
        NodeSection::new("encoding", encoding),
        NodeSection::new("syntax", [template.into()]),
        NodeSection::new("operands", operands(row, set, is_alias)?),
        NodeSection::new("exception", exception),
        NodeSection::new("flow", flow),
        NodeSection::new("properties", properties(row)?),
        NodeSection::new("examples", examples),
    ];
    sections.retain(|section| !section.lines.is_empty());
    Ok(CallNode { doc: doc(&row.doc), head, sections })
}

/// Returns the lines of the `properties` section.
fn properties(row: &OpcodeDescription) -> Imported<Vec<SectionLine>> {
    let lines = row.properties.iter().map(|(name, value)| {
        let path = format!("properties.{name}");
        let code = match value {
            PropertyValue::Named(value) => Code::value_name(value).at(&path)?,
            PropertyValue::Bool(value) => code!("{}", if *value { "true" } else { "false" }),
            PropertyValue::Number(value) => {
                let sign = if *value < 0 { "-" } else { "" };
                code!("{}{}", sign, Code::numeral(&value.unsigned_abs().to_string()))
            }
        };
        Ok(code!("{} = {};", Code::name(name).at(&path)?, code).into())
    });
    lines.collect()
}

/// Returns the items that declare the properties.
pub(super) fn property_items(set: &Description) -> Imported<Vec<CallItem>> {
    let items = set.properties.iter().enumerate().map(|(at, property)| {
        let path = format!("properties[{at}]");
        let name = Code::name(&property.name).at("name").at(&path)?;
        let ty = Code::type_name(&property.type_name).at("type").at(&path)?;
        let text = code!("property {}: {};", name, ty);
        Ok(CallItem::Line { doc: doc(&property.doc), text })
    });
    items.collect()
}

/// Returns a statement of the `flow` section.
fn flow_statement(rule: &FlowRule) -> Result<SectionLine, String> {
    let star = if rule.is_indirect { "*" } else { "" };
    let target = rule.target.as_ref().map(|target| format!(" {star}{target}"));
    let next = if rule.or_next { " or next" } else { "" };
    let condition = match rule.condition.as_str() {
        "" => String::new(),
        condition => format!(" if {}", source(condition)),
    };
    let text = format!("{}{}{next}{condition};", rule.kind, target.unwrap_or_default());
    Code::statement(Fragment::Flow, &text).map(SectionLine::from)
}

/// Returns the template as source code. It quotes printed names, and characters that have another
/// meaning in the source, such as brackets and digits.
fn template(row: &OpcodeDescription) -> String {
    let (mnemonic, syntax) = (row.mnemonic.as_str(), row.syntax.trim_end());
    let (before, rest) = match syntax.find(mnemonic) {
        Some(at) => syntax.split_at(at + mnemonic.len()),
        None => ("", syntax),
    };
    let mut out = match crate::is_name(mnemonic) {
        true => before.to_owned(),
        false => before.replace(mnemonic, &format!("{mnemonic:?}")),
    };
    let fields = row.fields.iter().map(|field| field.name.to_lowercase());
    let views = row.views.iter().map(|view| view.slot.to_lowercase());
    let slots: Vec<String> = fields.chain(views).collect();
    let mut printed = String::new();
    constant_texts(&row.prints, &mut printed);
    let mut rest = rest;
    while let Some(c) = rest.chars().next() {
        let end = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(rest.len());
        let word = &rest[..end.max(c.len_utf8())];
        let fixed = crate::is_name(word)
            && !out.ends_with(['.', '$'])
            && !slots.contains(&word.to_lowercase())
            && printed.contains(word);
        let quoted = fixed || matches!(c, '(' | ')' | '[' | ']' | '0'..='9');
        // Blanks are needed because Rust literals can have prefixes and suffixes.
        out += &if quoted { format!(" {word:?} ") } else { word.to_owned() };
        rest = &rest[word.len()..];
    }
    out.split_whitespace().collect::<Vec<_>>().join(" ").replace(" ,", ",").replace(" ;", ";")
}

/// Adds the constant parts of a printed text, each in a line.
fn constant_texts(prints: &[PrintPart], texts: &mut String) {
    for part in prints {
        match part {
            PrintPart::Text(text) => {
                texts.push_str(text);
                texts.push('\n');
            }
            PrintPart::Field(_) => {}
            PrintPart::Optional(part) => constant_texts(&part.prints, texts),
        }
    }
}

/// Returns the indexes of operands in the order of the placeholders, if it can be determined.
fn order(row: &OpcodeDescription) -> Option<Vec<usize>> {
    if !row.views.is_empty() {
        return None;
    }
    let (slots, operands) = (slots(&row.syntax, &row.mnemonic), &row.operands);
    let called = |slot: &String| {
        let lower = slot.to_lowercase();
        operands.iter().position(|operand| operand.field == *slot || operand.field == lower)
    };
    let by_name: Option<Vec<usize>> = slots.iter().map(called).collect();
    // Placeholders with other names are only identified by their positions.
    let fits = |(slot, operand): (&String, &OperandAccess)| match called(slot) {
        Some(found) => operands[found].field == operand.field,
        None => row.fields.iter().all(|field| field.name != *slot),
    };
    let by_place = slots.len() == operands.len() && slots.iter().zip(operands).all(fits);
    let order = by_name.or_else(|| by_place.then(|| (0..operands.len()).collect()));
    order.filter(|order| !order.is_empty())
}

/// Returns the indexes of the fields that a composite operand consists of, by their bits.
fn fields_of(view: &CompositeOperand, fields: &[FieldDescription]) -> Imported<Vec<usize>> {
    let mut found = Vec::new();
    let mut pieces = view.pieces.as_slice();
    while !pieces.is_empty() {
        let fits = |field: &FieldDescription| {
            !field.pieces.is_empty() && pieces.starts_with(&field.pieces)
        };
        let place = fields.iter().position(fits);
        let place = place.ok_or("the `pieces` of a view must be pieces of fields")?;
        found.push(place);
        pieces = &pieces[fields[place].pieces.len()..];
    }
    Ok(found)
}

/// Returns whether a row contains a placeholder whose text is not in the description.
pub(super) fn is_unsaid(row: &OpcodeDescription, set: &Description) -> bool {
    let mut of_views = row.formats.iter().filter(|format| format.place >= row.fields.len());
    of_views.any(|format| !has_item(format, &set.texts))
}

fn operands(
    row: &OpcodeDescription,
    set: &Description,
    is_alias: bool,
) -> Imported<Vec<SectionLine>> {
    let mut lines = Vec::new();
    if !is_alias && !row.operands.is_empty() {
        lists(row, &mut lines)?;
    }
    let fields = &row.fields;
    let joined = |places: &[usize]| {
        let name = |place: &usize| {
            Code::field_name(&fields[*place].name).at(format_args!("fields[{place}].name"))
        };
        let names: Imported<Vec<Code>> = places.iter().map(name).collect();
        Ok::<_, DescriptionError>(Code::joined(&names?, ", "))
    };
    for (at, format) in row.formats.iter().enumerate() {
        let place = format.place;
        let args = format.args.iter().copied().filter(|arg| *arg < fields.len());
        // If an alias fixes an operand, its template may lack the operand. The format of the
        // operand then has no effect.
        if is_alias && !prints(&row.prints, place) {
            continue;
        }
        if !has_item(format, &set.texts) {
            let field = fields.get(place).map_or("", |field| &field.name);
            let name = &format.name;
            lines.push(SectionLine::Comment(format!(" AsmFormat<{field}> = {name}(); {NOTE}")));
            continue;
        }
        let name = Code::type_name(&format.name).at(format_args!("formats[{at}].name"))?;
        lines.push(SectionLine::from(match place.checked_sub(fields.len()) {
            None => {
                let all: Vec<usize> = [place].into_iter().chain(args).collect();
                code!("AsmFormat<{}> = {}({});", joined(&[place])?, name, joined(&all)?)
            }
            Some(view_place) => {
                let view = &row.views[view_place];
                let path = format!("views[{view_place}]");
                let slot = Code::field_name(&view.slot).at("slot").at(&path)?;
                let shown = joined(&fields_of(view, fields).at(&path)?)?;
                let args = joined(&args.collect::<Vec<_>>())?;
                code!("AsmFormat<{}: {}> = {}({});", slot, shown, name, args)
            }
        }));
    }
    Ok(lines)
}

/// Returns true if a part of a printed template is the field or composite operand with an index.
fn prints(parts: &[PrintPart], place: usize) -> bool {
    parts.iter().any(|part| match part {
        PrintPart::Text(_) => false,
        PrintPart::Field(own) => *own == place,
        PrintPart::Optional(part) => prints(&part.prints, place),
    })
}

/// Adds the lists of operands that are read and written, and their widths.
fn lists(row: &OpcodeDescription, lines: &mut Vec<SectionLine>) -> Imported<()> {
    let operand = |at: usize| {
        Code::field_name(&row.operands[at].field).at(format_args!("operands[{at}].field"))
    };
    let joined = |all: Vec<usize>| {
        let names: Imported<Vec<Code>> = all.into_iter().map(operand).collect();
        Ok::<_, DescriptionError>(Code::joined(&names?, ", "))
    };
    let all = || row.operands.iter().enumerate();
    let except = |access: &str| {
        joined(all().filter(|(_, one)| one.access != access).map(|(at, _)| at).collect())
    };
    lines.push(code!("InList<{}>;", except("write")?).into());
    lines.push(code!("OutList<{}>;", except("read")?).into());
    if let Some(order) = order(row) {
        lines.push(code!("Order<{}>;", joined(order)?).into());
    }
    for (at, one) in all().filter(|(_, one)| one.bits > 0) {
        lines.push(code!("Bitwidth<{}> = {};", operand(at)?, one.bits).into());
    }
    let lanes = row.lanes.iter().enumerate();
    for (at, LaneAccess { field, bits, mask, .. }) in lanes.filter(|(_, one)| !is_function(one)) {
        let name = |name: &str, key| Code::field_name(name).at(format_args!("lanes[{at}].{key}"));
        let mask = match mask {
            Some(mask) => code!(" * {}", name(mask, "mask")?),
            None => Code::default(),
        };
        lines.push(code!("Lanes<{}> = {}{};", name(field, "field")?, *bits, mask).into());
    }
    Ok(())
}
