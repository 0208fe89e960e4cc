//! Definitions cut out of a file, and their sections read.

use crate::spec::{Field, Line};
use crate::{Fault, Source, is_name, numbered};

/// One definition.
pub(super) struct Def<'s> {
    /// `group`, `optype` or `opcode`.
    pub(super) word: &'static str,
    pub(super) name: &'s str,
    pub(super) parents: Vec<&'s str>,
    /// Comments before it.
    pub(super) before: Vec<String>,
    pub(super) doc: Vec<String>,
    pub(super) encoding: Vec<Line>,
    pub(super) syntax: Vec<Line>,
    pub(super) operands: Vec<Line>,
    pub(super) exception: Vec<Line>,
    pub(super) examples: Vec<Line>,
    /// The fields of the encoding, with their places.
    pub(super) fields: Vec<(Field, Place<'s>)>,
    /// The template without its lists.
    pub(super) template: String,
    /// The operands of `Order`.
    pub(super) order: Option<(Vec<String>, Place<'s>)>,
}

/// A line of a file.
#[derive(Clone, Copy)]
pub(super) struct Place<'s> {
    file: &'s str,
    number: usize,
    line: &'s str,
}

impl Place<'_> {
    pub(super) fn fault(&self, message: String) -> Fault {
        self.fault_at(self.line.trim_start(), message)
    }

    fn fault_at(&self, part: &str, message: String) -> Fault {
        Fault::at(self.file, (self.number, self.line), part, message)
    }
}

const WORDS: [(&str, &str); 3] =
    [("__DefGroup", "group"), ("__DefOptype", "optype"), ("__DefOpcode", "opcode")];

/// The definitions of a file, without those that cannot be read.
pub(super) fn cut<'s>(file: Source<'s>, faults: &mut Vec<Fault>) -> Vec<Def<'s>> {
    let mut defs: Vec<Def<'s>> = Vec::new();
    // Lines since the last heading, and comments since the last line that is none.
    let mut section: Option<&str> = None;
    let (mut lines, mut before): (Vec<Place<'s>>, Vec<Place<'s>>) = Default::default();
    let mut fenced = false;
    for (number, line) in numbered(file.text) {
        let place = Place { file: file.name, number, line };
        let text = line.trim();
        fenced ^= text.starts_with("```");
        let heading = !fenced && text.starts_with("__");
        let new = WORDS.iter().find_map(|(word, name)| Some((*name, text.strip_prefix(word)?)));
        if !heading {
            if line.starts_with("//") && !fenced || text.is_empty() && !before.is_empty() {
                before.push(place);
            } else {
                lines.append(&mut before);
                lines.push(place);
            }
            continue;
        }
        if new.is_none() {
            lines.append(&mut before);
        }
        finish(&mut defs, section, &lines, faults);
        lines.clear();
        match new {
            Some((word, rest)) => match opened(word, rest) {
                Ok(mut def) => {
                    def.before = comments(&before);
                    defs.push(def);
                }
                Err(message) => faults.push(place.fault_at(rest.trim(), message)),
            },
            None if defs.is_empty() => faults.push(place.fault(
                "a section before the first definition: write `__DefGroup NAME : [PARENT]` above it"
                    .to_owned(),
            )),
            None => {}
        }
        before.clear();
        section = new.is_none().then_some(text.trim_start_matches("__"));
    }
    lines.append(&mut before);
    finish(&mut defs, section, &lines, faults);
    defs
}

/// The texts of comments.
fn comments(lines: &[Place<'_>]) -> Vec<String> {
    let texts = lines.iter().filter(|place| !place.line.trim().is_empty());
    texts.map(|place| place.line.trim_start_matches('/').trim().to_owned()).collect()
}

/// ` NAME : [PARENT, PARENT]`
fn opened<'s>(word: &'static str, rest: &'s str) -> Result<Def<'s>, String> {
    let (name, parents) = rest.split_once(':').unwrap_or((rest, "[]"));
    let name = name.trim();
    if !is_name(name) {
        return Err(format!("`{name}` is no name: letters, digits and `_` are meant here"));
    }
    let list = parents.trim().strip_prefix('[').and_then(|list| list.strip_suffix(']'));
    let list = list.ok_or("parents stand in brackets: `: [PARENT, PARENT]`")?;
    let parents: Vec<&str> = list.split(',').map(str::trim).filter(|p| !p.is_empty()).collect();
    if let Some(parent) = parents.iter().find(|parent| !is_name(parent)) {
        return Err(format!("`{parent}` is no name of a parent"));
    }
    let [encoding, syntax, operands, exception, examples] = Default::default();
    Ok(Def {
        word,
        name,
        parents,
        before: Vec::new(),
        doc: Vec::new(),
        encoding,
        syntax,
        operands,
        exception,
        examples,
        fields: Vec::new(),
        template: String::new(),
        order: None,
    })
}

/// Reads the lines of a section.
fn finish<'s>(
    defs: &mut [Def<'s>],
    section: Option<&str>,
    lines: &[Place<'s>],
    faults: &mut Vec<Fault>,
) {
    let Some(def) = defs.last_mut() else {
        let stray = lines.iter().find(|place| !place.line.trim().is_empty());
        faults.extend(stray.map(|place| {
            place.fault("text before the first definition: a comment begins with `//`".to_owned())
        }));
        return;
    };
    match section {
        Some("Encoding") => encoding(def, lines, faults),
        Some("Syntax") => syntax(def, lines, faults),
        Some("Exception") => def.exception.extend(plain(lines)),
        Some("Examples") => def.examples.extend(plain(lines)),
        Some("OperandInfo") if lines.iter().all(|place| is_statement(place.line.trim())) => {
            def.operands.extend(plain(lines));
            let order = lines.iter().find_map(|place| {
                let list = place.line.trim().strip_prefix("Order<")?.split('>').next()?;
                Some((list.split(',').map(|name| name.trim().to_owned()).collect(), *place))
            });
            def.order = order.or(def.order.take());
        }
        Some(prose) => doc(def, prose, lines),
        None => doc(def, "Description", lines),
    }
}

/// Whether a line is none of prose.
fn is_statement(line: &str) -> bool {
    let begins = |rest: &str| is_name(rest.split('<').next().unwrap_or_default());
    line.is_empty()
        || line.starts_with("//")
        || line.contains('<') && begins(line) && line.contains(">")
}

/// Lines as far in as the source has them beside each other.
fn dedented<'s>(lines: &[Place<'s>]) -> Vec<&'s str> {
    let lines: Vec<&str> = lines.iter().map(|place| place.line.trim_end()).collect();
    let depth = |line: &&str| line.len() - line.trim_start().len();
    let least = lines.iter().filter(|line| !line.is_empty()).map(depth).min().unwrap_or(0);
    lines.iter().map(|line| line.get(least..).unwrap_or_default()).collect()
}

/// Lines without fences.
fn plain(lines: &[Place<'_>]) -> Vec<Line> {
    let fence = |place: &&Place<'_>| place.line.trim_start().starts_with("```");
    let lines: Vec<Place<'_>> = lines.iter().filter(|place| !fence(place)).copied().collect();
    let line = |text: &str| match text {
        "" => Line::Empty,
        text => Line::Text(text.to_owned()),
    };
    dedented(&lines).into_iter().map(line).collect()
}

/// Prose, below a heading unless it is the description.
fn doc(def: &mut Def<'_>, section: &str, lines: &[Place<'_>]) {
    let texts = dedented(lines);
    let first = texts.iter().position(|text| !text.is_empty()).unwrap_or(texts.len());
    let last = texts.iter().rposition(|text| !text.is_empty()).map_or(first, |last| last + 1);
    if first == last {
        return;
    }
    if !def.doc.is_empty() {
        def.doc.push(String::new());
    }
    if section != "Description" {
        def.doc.extend([format!("# {section}"), String::new()]);
    }
    let mut fenced = false;
    for text in &texts[first..last] {
        let fence = text.trim_start().starts_with("```");
        def.doc.push(match (fenced, fence) {
            // What rustdoc would take for Rust, or for a link to it.
            (false, true) if text.trim() == "```" => "```text".to_owned(),
            (false, false) => format!("{:.3}{}", indent(text), text.trim_start())
                .replace("[[", "\\[\\[")
                .replace("]]", "\\]\\]"),
            _ => (*text).to_owned(),
        });
        fenced ^= fence;
    }
    if fenced {
        def.doc.push("```".to_owned());
    }
}

/// The blanks that a line begins with.
fn indent(line: &str) -> &str {
    &line[..line.len() - line.trim_start().len()]
}

fn encoding<'s>(def: &mut Def<'s>, lines: &[Place<'s>], faults: &mut Vec<Fault>) {
    for place in lines {
        let text = place.line.trim();
        let (statements, note) = match text.find("//") {
            Some(at) => (text[..at].trim(), text[at..].to_owned()),
            None => (text, String::new()),
        };
        if statements.is_empty() {
            def.encoding.push(if note.is_empty() { Line::Empty } else { Line::Text(note) });
            continue;
        }
        if !statements.ends_with(';') {
            let message = "a statement ends with `;`, on the line that it begins on".to_owned();
            faults.push(place.fault_at(&statements[statements.len()..], message));
            continue;
        }
        for statement in statements.trim_end_matches(';').split(';').map(str::trim) {
            match field(statement) {
                Ok(field) => {
                    def.encoding.push(Line::Field(field.clone()));
                    def.fields.push((field, *place));
                }
                // What is said of an inherited field, or a condition.
                Err(_) if !statement.starts_with("field") => {
                    def.encoding.push(Line::Text(format!("{statement};")));
                }
                Err((part, message)) => faults.push(place.fault_at(part, message)),
            }
        }
        if let (false, Some(Line::Field(last))) = (note.is_empty(), def.encoding.last_mut()) {
            last.note = note;
        }
    }
}

/// `field<72, 1> SignModi ra.neg = False`
fn field(statement: &str) -> Result<Field, (&str, String)> {
    let meant = "a field is `field<POSITION, WIDTH> Kind name = value;`";
    let wrong = |part| (part, meant.to_owned());
    let rest = statement.strip_prefix("field").map(str::trim_start);
    let rest = rest.and_then(|rest| rest.strip_prefix('<')).ok_or_else(|| wrong(statement))?;
    let (places, rest) = rest.split_once('>').ok_or_else(|| wrong(rest))?;
    let mut pieces = Vec::new();
    for piece in places.split(':') {
        let numbers = piece.split_once(',').and_then(|(at, width)| {
            Some((at.trim().parse::<u32>().ok()?, width.trim().parse::<u32>().ok()?))
        });
        let (at, width) = numbers.ok_or_else(|| wrong(piece.trim_start()))?;
        if width == 0 || width > 64 || at.checked_add(width).is_none_or(|end| end > 128) {
            let message = "a field has 1 to 64 bits of a word of up to 128".to_owned();
            return Err((piece.trim_start(), message));
        }
        pieces.push((at, width));
    }
    let rest = rest.trim_start();
    let (kind, rest) = rest.split_once(char::is_whitespace).ok_or_else(|| wrong(rest))?;
    let end = rest.find(['=', '!']).unwrap_or(rest.len());
    let (name, value) = (rest[..end].trim(), rest[end..].trim());
    if !is_name(kind) || !name.split('.').all(is_name) {
        return Err(wrong(if is_name(kind) { rest } else { kind }));
    }
    let split = value.find(|c| c != '=' && c != '!').unwrap_or(value.len());
    let (sign, number) = value.split_at(split);
    let value = match sign {
        "" => String::new(),
        "=" | "==" | "!=" if !number.trim().is_empty() => format!(" {sign} {}", number.trim()),
        _ => return Err((value, "`= value`, `== value` or `!= value` is meant here".to_owned())),
    };
    Ok(Field { pieces, kind: kind.to_owned(), name: name.to_owned(), value, note: String::new() })
}

/// The template on one line, and the lists below it.
fn syntax<'s>(def: &mut Def<'s>, lines: &[Place<'s>], faults: &mut Vec<Fault>) {
    let mut template = String::new();
    let mut ended = false;
    for line in plain(lines) {
        match line {
            Line::Text(text) if !ended && !text.starts_with("//") => {
                ended = text.trim_end().ends_with(';');
                let words: Vec<&str> = text.split_whitespace().collect();
                template +=
                    &format!("{}{}", if template.is_empty() { "" } else { " " }, words.join(" "));
                if ended {
                    template = template.replace(" ;", ";");
                    def.syntax.push(Line::Text(template.clone()));
                }
            }
            line => def.syntax.push(line),
        }
    }
    if !ended && !template.is_empty() {
        let place =
            lines.iter().find(|place| !place.line.trim().is_empty() && !place.line.contains("```"));
        faults.extend(place.map(|place| place.fault("the template ends with `;`".to_owned())));
    }
    def.template = template;
}
