//! Parser of a definition's sections, line by line. Each line is a part of a statement, a comment,
//! or prose.

use isa_compiler::Fragment;

use super::definition::{Definition, SourceLine};
use super::prose;
use crate::ImportError;
use crate::code::{Code, code, outside};
use crate::macro_call::{FieldStatement, SectionLine};

/// Parses the lines of a section. `name` is empty for the lines directly below the definition. `depth` is
/// the indentation of the section's heading.
pub(super) fn read<'s>(
    def: &mut Definition<'s>,
    (name, depth): (&str, usize),
    lines: &[SourceLine<'s>],
    faults: &mut Vec<ImportError>,
) {
    match name {
        "Encoding" => encoding(def, lines, faults),
        "Syntax" => syntax(def, lines, faults),
        "Exception" => {
            let found = statements(lines, Fragment::Exception, faults);
            def.exception.extend(found.into_iter().map(|(line, _)| line));
        }
        "Examples" => {
            let found = statements(lines, Fragment::Example, faults);
            def.examples.extend(found.into_iter().map(|(line, _)| line));
        }
        "OperandInfo" => {
            let text = operands(def, lines, faults);
            refuse_statements(&text, faults);
            prose::add(def, name, depth, &text);
        }
        name => {
            refuse_statements(lines, faults);
            prose::add(def, if name.is_empty() { "Description" } else { name }, depth, lines);
        }
    }
}

/// A part of a line.
enum LinePart<'s> {
    /// A piece of a statement, and whether the piece ends with the statement's `;`.
    Code(&'s str, bool),
    /// The text after `//`.
    Comment(&'s str),
}

/// Splits a line into parts. Text in quotes neither ends a statement nor begins a comment.
fn parts(line: &str) -> Vec<LinePart<'_>> {
    let (mut parts, mut start) = (Vec::new(), 0);
    for at in outside(line) {
        let rest = &line[at..];
        if let Some(comment) = rest.strip_prefix("//") {
            if !line[start..at].trim().is_empty() {
                parts.push(LinePart::Code(line[start..at].trim(), false));
            }
            parts.push(LinePart::Comment(comment));
            return parts;
        }
        if rest.starts_with(';') {
            parts.push(LinePart::Code(line[start..=at].trim(), true));
            start = at + 1;
        }
    }
    if !line[start..].trim().is_empty() {
        parts.push(LinePart::Code(line[start..].trim(), false));
    }
    parts
}

fn is_fence(place: &SourceLine<'_>) -> bool {
    place.line.trim_start().starts_with("```")
}

/// Returns the statements and comments in `lines`, without the lines that begin or end blocks. A
/// statement ends with `;`, possibly in a later line. Each result contains its first line.
fn statements<'s>(
    lines: &[SourceLine<'s>],
    sort: Fragment,
    faults: &mut Vec<ImportError>,
) -> Vec<(SectionLine, SourceLine<'s>)> {
    let mut found: Vec<(SectionLine, SourceLine<'s>)> = Vec::new();
    // The unfinished statement and its first line.
    let mut open: Option<(String, SourceLine<'s>)> = None;
    for place in lines.iter().filter(|place| !is_fence(place)) {
        let parts = parts(place.line);
        if parts.is_empty() && open.is_none() {
            found.push((SectionLine::Empty, *place));
        }
        let mut ended = false;
        for part in parts {
            match part {
                LinePart::Code(text, ends) => {
                    let (statement, first) = open.get_or_insert((String::new(), *place));
                    *statement += if statement.is_empty() { "" } else { " " };
                    *statement += text;
                    ended = ends;
                    if !ends {
                        continue;
                    }
                    match Code::statement(sort, statement) {
                        Ok(code) => found.push((code.at_line(first.origin()).into(), *first)),
                        Err(message) => faults.push(first.fault(message)),
                    }
                    open = None;
                }
                LinePart::Comment(text) => match found.last_mut() {
                    Some((SectionLine::Code(_, note), _)) if ended => *note = Some(text.to_owned()),
                    _ => found.push((SectionLine::Comment(text.to_owned()), *place)),
                },
            }
        }
    }
    faults.extend(open.map(|(_, first)| {
        first.fault(
            "expected a statement, which ends with `;`: prose is written after `//`".to_owned(),
        )
    }));
    found
}

/// Words that begin statements.
const WORDS: [&str; 8] =
    ["field", "InList", "OutList", "Order", "Bitwidth", "Lanes", "AsmFormat", "EncodingError"];

/// Returns the first word of a statement in a line of prose, unless it is in backquotes.
fn statement_in(line: &str) -> Option<&'static str> {
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let texts = line.split('`').step_by(2);
    let mut starts =
        texts.flat_map(|text| text.match_indices(['<', '\u{ff1c}']).map(|(at, _)| &text[..at]));
    starts.find_map(|before| {
        let near = before.trim_end().rsplit(|c: char| !is_word(c)).next().unwrap_or_default();
        let word = WORDS.into_iter().find(|word| word.eq_ignore_ascii_case(near))?;
        // For example, `the order < 3` is prose.
        (before.ends_with(near) || word == near && word != "Order" && word != "field")
            .then_some(word)
    })
}

/// Reports lines of prose that contain a statement.
fn refuse_statements(lines: &[SourceLine<'_>], faults: &mut Vec<ImportError>) {
    for place in lines {
        if let Some(word) = statement_in(place.line) {
            let section = match word {
                "field" => "__Encoding",
                "EncodingError" => "__Exception",
                _ => "__OperandInfo",
            };
            faults.push(place.fault(format!(
                "expected prose, found a statement `{word}<...>`: move it to its own line in \
                 `{section}`, or put it in backquotes if it is prose"
            )));
        }
    }
}

/// Parses statements, and returns the prose between them.
fn operands<'s>(
    def: &mut Definition<'s>,
    lines: &[SourceLine<'s>],
    faults: &mut Vec<ImportError>,
) -> Vec<SourceLine<'s>> {
    let (code, text) = divided(lines);
    for (line, place) in statements(&code, Fragment::Operands, faults) {
        if let SectionLine::Code(code, _) = &line
            && let Some(list) = code.strip_prefix("Order").and_then(|rest| rest.split('<').nth(1))
        {
            let names = list.split('>').next().unwrap_or_default().split(',');
            let names = names.map(|name| name.trim().to_owned()).filter(|name| !name.is_empty());
            def.order = Some((names.collect(), place));
        }
        def.operands.push(line);
    }
    text
}

/// Separates the lines of statements from the lines of prose. A block in backquotes belongs to the
/// statements if one of its lines begins a statement. Comments belong to the statements if the section
/// contains any statements.
fn divided<'s>(lines: &[SourceLine<'s>]) -> (Vec<SourceLine<'s>>, Vec<SourceLine<'s>>) {
    let (mut code, mut text) = (Vec::new(), Vec::new());
    let is_code = |place: &SourceLine<'_>| begins_statement(place.line.trim());
    let mut open = false;
    let mut rest = lines;
    while let Some((first, behind)) = rest.split_first() {
        let block = if is_fence(first) {
            let end = behind.iter().position(is_fence).map_or(behind.len(), |at| at + 1);
            &rest[..=end]
        } else {
            &rest[..1]
        };
        rest = &rest[block.len()..];
        let line = first.line.trim();
        let is_note = line.is_empty() || line.starts_with("//");
        let is_statement = open || block.iter().any(is_code);
        if is_statement {
            let last = block.iter().rev().find(|place| !is_fence(place));
            let ends = last.is_some_and(|place| {
                matches!(
                    parts(place.line).iter().rfind(|part| matches!(part, LinePart::Code(..))),
                    Some(LinePart::Code(_, true)) | None
                )
            });
            open = !ends;
        }
        let is_of_code = is_note && lines.iter().any(is_code) && !is_fence(first);
        if is_statement || is_of_code { &mut code } else { &mut text }.extend(block);
        if is_of_code && line.is_empty() {
            text.push(*first);
        }
    }
    (code, text)
}

/// Returns whether a line begins with a name and `<`.
fn begins_statement(line: &str) -> bool {
    let end = line.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(line.len());
    let (word, rest) = line.split_at(end);
    !word.is_empty() && rest.trim_start().starts_with('<')
}

fn encoding<'s>(def: &mut Definition<'s>, lines: &[SourceLine<'s>], faults: &mut Vec<ImportError>) {
    for place in lines {
        let parts = parts(place.line);
        if parts.is_empty() {
            def.encoding.push(SectionLine::Empty);
        }
        for part in parts {
            match part {
                LinePart::Comment(text) => match def.encoding.last_mut() {
                    Some(
                        SectionLine::Field(FieldStatement { note, .. })
                        | SectionLine::Code(_, note),
                    ) if !place.line.trim_start().starts_with("//") => {
                        *note = Some(text.to_owned());
                    }
                    _ => def.encoding.push(SectionLine::Comment(text.to_owned())),
                },
                LinePart::Code(text, false) => {
                    let message = "expected `;` at the end of the statement, on the same line";
                    faults.push(place.fault_at(&text[text.len()..], message.to_owned()));
                }
                LinePart::Code(text, true) => match statement(text) {
                    Ok(SectionLine::Field(mut field)) => {
                        field.kind = field.kind.at_line(place.origin());
                        def.encoding.push(SectionLine::Field(field.clone()));
                        def.fields.push((field, *place));
                    }
                    Ok(SectionLine::Code(code, note)) => {
                        let code = code.at_line(place.origin());
                        def.encoding.push(SectionLine::Code(code, note));
                    }
                    Ok(line) => def.encoding.push(line),
                    Err((part, message)) => faults.push(place.fault_at(part, message)),
                },
            }
        }
    }
}

/// Parses a statement of the encoding.
fn statement(text: &str) -> Result<SectionLine, (&str, String)> {
    let bare = text.strip_suffix(';').unwrap_or(text).trim_end();
    if bare.strip_prefix("field").is_some_and(|rest| rest.trim_start().starts_with('<')) {
        return field(bare).map(SectionLine::Field);
    }
    // The statement is about an inherited field, or it is a condition.
    let code = Code::statement(Fragment::Encoding, text).map_err(|message| (text, message))?;
    if code.starts_with("field") {
        return Err((text, MEANT.to_owned()));
    }
    Ok(code.into())
}

const MEANT: &str = "expected `field<POSITION, WIDTH> Type name = value;`";

/// Parses a field: `field<72, 1> SignModi ra.neg = False`.
fn field(statement: &str) -> Result<FieldStatement, (&str, String)> {
    let wrong = |part| (part, MEANT.to_owned());
    let rest = statement.strip_prefix("field").map(str::trim_start);
    let rest = rest.and_then(|rest| rest.strip_prefix('<')).ok_or_else(|| wrong(statement))?;
    let (places, rest) = rest.split_once('>').ok_or_else(|| wrong(rest))?;
    let mut pieces = Vec::new();
    for piece in places.split(':') {
        let numbers = piece.split_once(',').and_then(|(at, width)| {
            let number = |text: &str| crate::number::<u32>(text.trim(), 10);
            Some((number(at)?, number(width)?))
        });
        let (at, width) = numbers.ok_or_else(|| wrong(piece.trim_start()))?;
        if width == 0 || width > 64 || at.checked_add(width).is_none_or(|end| end > 128) {
            let message = "field out of range: expected 1 to 64 bits in a word of at most 128 bits"
                .to_owned();
            return Err((piece.trim_start(), message));
        }
        pieces.push((at, width));
    }
    if pieces.iter().map(|(_, width)| width).sum::<u32>() > 64 {
        return Err((
            places,
            "field out of range: expected 1 to 64 bits in a word of at most 128 bits".to_owned(),
        ));
    }
    let rest = rest.trim_start();
    let (kind, rest) = rest.split_once(char::is_whitespace).ok_or_else(|| wrong(rest))?;
    let end = rest.find(['=', '!']).unwrap_or(rest.len());
    let (name, value) = (rest[..end].trim(), rest[end..].trim());
    let kind = Code::type_name(kind).map_err(|message| (kind, format!("{MEANT}: {message}")))?;
    let name = Code::field_name(name).map_err(|message| (rest, format!("{MEANT}: {message}")))?;
    let split = value.find(|c| c != '=' && c != '!').unwrap_or(value.len());
    let (sign, number) = value.split_at(split);
    let setting = match sign {
        "" => Code::default(),
        "=" | "==" | "!=" if !number.trim().is_empty() => {
            Code::setting(&format!(" {sign} {}", number.trim()))
                .map_err(|message| (value, message))?
        }
        _ => return Err((value, "expected `= value`, `== value` or `!= value`".to_owned())),
    };
    Ok(FieldStatement { pieces, kind, name, value: setting, note: None })
}

/// Parses the template, which may have several lines, and the value lists below it.
fn syntax<'s>(def: &mut Definition<'s>, lines: &[SourceLine<'s>], faults: &mut Vec<ImportError>) {
    let is_text = |place: &&SourceLine<'_>| !is_fence(place) && !place.line.trim().is_empty();
    if let (Some(first), false) = (lines.iter().find(is_text), def.template.is_empty()) {
        faults.push(first.fault(format!("`{}` has two templates: remove one", def.name)));
        return;
    }
    let mut open: Option<(String, SourceLine<'s>)> = None;
    for place in lines.iter().filter(|place| !is_fence(place)) {
        let parts = parts(place.line);
        if parts.is_empty() && !def.template.is_empty() {
            def.lists.push(SectionLine::Empty);
        }
        for part in parts {
            match part {
                LinePart::Comment(text) => {
                    let lines =
                        if def.template.is_empty() { &mut def.above } else { &mut def.lists };
                    lines.push(SectionLine::Comment(text.to_owned()));
                }
                LinePart::Code(text, ends) => {
                    let (whole, first) = open.get_or_insert((String::new(), *place));
                    *whole += if whole.is_empty() { "" } else { " " };
                    *whole += text;
                    let is_list = !def.template.is_empty();
                    if !(ends || is_list && text.ends_with('}')) {
                        continue;
                    }
                    let done = if is_list { list(whole) } else { template(whole) };
                    match done {
                        Ok(code) if is_list => {
                            def.lists.push(code.at_line(first.origin()).into());
                        }
                        Ok(code) => {
                            def.template = code.to_string();
                            def.template_place = Some(*first);
                        }
                        Err(message) => faults.push(first.fault(message)),
                    }
                    open = None;
                }
            }
        }
    }
    faults.extend(open.map(|(_, first)| match def.template.is_empty() {
        true => first.fault("expected `;` at the end of the template".to_owned()),
        false => {
            first.fault("expected a list of values, `.field = {.DEFAULT*, .OTHER}`".to_owned())
        }
    }));
}

/// Replaces each run of blanks outside of quotes by one blank, and puts brackets in quotes, as the
/// language requires: `LDG Rd, [Ra+imm];` becomes `LDG Rd, "[" Ra+imm "]";`.
fn template(text: &str) -> Result<Code, String> {
    let mut places = outside(text).peekable();
    let mut tidy = String::new();
    for (at, c) in text.char_indices() {
        let is_outside = places.next_if_eq(&at).is_some();
        match c {
            ';' if tidy.ends_with(' ') && at + 1 == text.len() => {
                tidy.pop();
                tidy.push(';');
            }
            // Without blanks, a word next to the quotes would be the prefix or suffix of a literal.
            '[' | ']' | '(' | ')' if is_outside => {
                let is_word = |c: char| c.is_alphanumeric() || c == '_';
                tidy.extend(tidy.ends_with(is_word).then_some(' '));
                tidy.extend(['"', c, '"']);
                tidy.extend(text[at + 1..].starts_with(is_word).then_some(' '));
            }
            _ if is_outside && c.is_whitespace() && tidy.ends_with(' ') => {}
            _ if is_outside && c.is_whitespace() => tidy.push(' '),
            c => tidy.push(c),
        }
    }
    Code::statement(Fragment::Template, &tidy)
}

fn list(text: &str) -> Result<Code, String> {
    Code::statement(Fragment::ValueList, text.strip_suffix(';').unwrap_or(text))
}

/// Returns the template of a guard, which is printed before the inherited template.
pub(super) fn guard(name: &str, inverted: bool) -> Result<Code, String> {
    let not = if inverted { "{!}" } else { "" };
    Ok(code!("/* not in the source */ {{@{}{}}} ..", not, Code::field_name(name)?))
}
