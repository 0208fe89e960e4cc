//! Prints the items of a call as formatted source code.
//!
//! The output consists of [`Code`], whose tokens are balanced, of words in this file, and of
//! comments. A comment extends to the end of its line, and its text cannot end it. Therefore the
//! file always consists of the lines before the call and one call, whatever the foreign text is.

use crate::code::{Code, LineOrigin, code};
use crate::macro_call::{CallItem, CallNode, FieldStatement, MacroCall, NodeSection, SectionLine};
use crate::plain;

/// The maximum length of a line that is joined from two lines.
const WIDTH: usize = 100;

/// Returns the file of a specification, and for each of its lines the line of the input from which it is.
pub(crate) fn write(spec: &MacroCall) -> (String, Vec<Option<LineOrigin>>) {
    let mut out = SourceWriter { files: &spec.files, ..SourceWriter::default() };
    spec.head.iter().for_each(|line| out.line(0, &comment("//", line)));
    spec.before.iter().for_each(|line| out.line(0, line));
    if !spec.head.is_empty() || !spec.before.is_empty() {
        out.gap();
    }
    out.line(0, "isa_core::define_isa! {");
    out.doc(1, &spec.doc);
    let widths: Vec<Code> = spec.widths.iter().map(|width| code!("u{}", *width)).collect();
    let line = code!("pub isa {}: {};", spec.name, Code::joined(&widths, " | "));
    out.line(1, &noted(&line, spec.note));
    let mut before: Option<&CallItem> = None;
    for item in &spec.items {
        let alone = match (before, item) {
            (Some(CallItem::Comment(_)), _) => false,
            (Some(CallItem::Line { doc: above, .. }), CallItem::Line { doc, .. }) => {
                !(above.is_empty() && doc.is_empty())
            }
            _ => true,
        };
        if alone {
            out.gap();
        }
        out.item(item);
        before = Some(item);
    }
    out.line(0, "}");
    (out.text, out.origins)
}

fn noted(text: &str, note: &'static str) -> String {
    if note.is_empty() { text.to_owned() } else { format!("{text} {note}") }
}

/// Returns a line of a comment or of documentation, `//` or `///`.
fn comment(sign: &str, text: &str) -> String {
    format!("{sign} {}", plain::line(text)).trim_end().to_owned()
}

/// Returns a comment that follows a line. The blanks after `//` are copied from the source.
fn trailing_comment(text: &str) -> String {
    // `///` and `//!` would be documentation.
    let text = plain::line(text);
    format!("//{}", text.trim_start_matches(['/', '!'])).trim_end().to_owned()
}

/// Returns the position and the width of a field, `72, 1`, aligned with other fields.
fn place(field: &FieldStatement, (position, width): (usize, usize)) -> String {
    let piece = |&(at, bits): &(u32, u32)| format!("{at:>position$}, {bits:>width$}");
    field.pieces.iter().map(piece).collect::<Vec<_>>().join(" : ")
}

#[derive(Default)]
struct SourceWriter<'c> {
    /// The names of the files whose lines the heads of definitions show.
    files: &'c [String],
    text: String,
    /// For each line, the line of the input from which it is.
    origins: Vec<Option<LineOrigin>>,
    /// The origin of the next lines.
    origin: Option<LineOrigin>,
}

impl SourceWriter<'_> {
    fn line(&mut self, depth: usize, text: &str) {
        if !text.is_empty() {
            self.text += &"    ".repeat(depth);
            self.text += text;
        }
        self.text.push('\n');
        self.origins.push(self.origin);
    }

    /// Adds an empty line, unless there is one already or there is nothing to separate.
    fn gap(&mut self) {
        if !self.text.ends_with("\n\n") && !self.text.ends_with("{\n") {
            self.text.push('\n');
            self.origins.push(None);
        }
    }

    fn doc(&mut self, depth: usize, doc: &[String]) {
        plain::doc(doc).iter().for_each(|line| self.line(depth, &comment("///", line)));
    }

    fn item(&mut self, item: &CallItem) {
        self.origin = None;
        match item {
            CallItem::Comment(lines) if lines.is_empty() => self.gap(),
            CallItem::Comment(lines) => {
                lines.iter().for_each(|line| self.line(1, &comment("//", line)));
            }
            CallItem::Line { doc, text } => {
                self.origin = text.origin();
                self.doc(1, doc);
                self.line(1, text);
            }
            CallItem::Values { doc, name, width, note, values } => {
                self.origin = name.origin();
                self.doc(1, doc);
                let all = values.iter();
                let raw = |raw: u64| if raw < 16 { raw.to_string() } else { format!("{raw:#x}") };
                let all = all.map(|v| noted(&format!("{} = {},", &*v.name, raw(v.raw)), v.note));
                let all: Vec<String> = all.collect();
                let name: &str = name;
                let line = format!("enum {name}: {width} {{ {} }}", all.join(" "));
                let line = noted(line.replace(", }", " }").as_str(), note);
                let documented = values.iter().any(|value| !value.doc.is_empty());
                if line.len() + 4 <= WIDTH && !documented {
                    return self.line(1, &line);
                }
                self.line(1, &noted(&format!("enum {name}: {width} {{"), note));
                for (value, line) in values.iter().zip(&all) {
                    self.doc(2, &value.doc);
                    self.line(2, line);
                }
                self.line(1, "}");
            }
            CallItem::Node(node) => self.node(node),
        }
    }

    fn node(&mut self, node: &CallNode) {
        self.origin = node.head.origin();
        self.doc(1, &node.doc);
        let shown = self.origin.and_then(|at| Some((self.files.get(at.file)?, at.line)));
        let shown = shown.map(|(file, line)| format!(" {file}:{line}"));
        let head = |braces: &str| with(&format!("{} {braces}", &*node.head), shown.as_deref());
        if node.sections.is_empty() {
            return self.line(1, &head("{}"));
        }
        self.line(1, &head("{"));
        node.sections.iter().for_each(|section| self.section(section));
        self.line(1, "}");
    }

    fn section(&mut self, section: &NodeSection) {
        let name = section.name;
        if let [SectionLine::Code(..) | SectionLine::Field(_)] = section.lines.as_slice() {
            let [(line, origin)] = &lines(&section.lines)[..] else { return };
            self.origin = origin.or(self.origin);
            let joined = format!("{name} {{ {line} }}");
            if joined.len() + 8 <= WIDTH && !line.contains("//") && !line.contains('\n') {
                return self.line(2, &joined);
            }
        }
        self.line(2, &format!("{name} {{"));
        for (line, origin) in lines(&section.lines) {
            self.origin = origin.or(self.origin);
            line.split('\n').for_each(|line| self.line(3, line));
        }
        self.line(2, "}");
    }
}

/// Returns a line with a comment after it.
fn with(line: &str, note: Option<&str>) -> String {
    note.map_or_else(|| line.to_owned(), |note| format!("{line} {}", trailing_comment(note)))
}

/// Returns lines with aligned columns for adjacent fields, each with its origin.
fn lines(all: &[SectionLine]) -> Vec<(String, Option<LineOrigin>)> {
    let runs =
        all.chunk_by(|a, b| matches!((a, b), (SectionLine::Field(_), SectionLine::Field(_))));
    runs.flat_map(|run| {
        let fields = || {
            run.iter().filter_map(|line| match line {
                SectionLine::Field(field) => Some(field),
                _ => None,
            })
        };
        let digits = |number: u32| number.to_string().len();
        let simple = || fields().filter(|field| field.pieces.len() == 1);
        let positions = simple().map(|field| digits(field.pieces[0].0)).max().unwrap_or(0);
        let widths = simple().map(|field| digits(field.pieces[0].1)).max().unwrap_or(0);
        let columns = move |field: &FieldStatement| match field.pieces.len() {
            1 => place(field, (positions, widths)),
            _ => place(field, (0, 0)),
        };
        let places = fields().map(|field| columns(field).len()).max().unwrap_or(0);
        let kinds = fields().map(|field| field.kind.len()).max().unwrap_or(0);
        let valued = || fields().filter(|field| !field.value.is_empty());
        let names = valued().map(|field| field.name.len()).max().unwrap_or(0);
        run.iter().map(move |line| match line {
            SectionLine::Field(field) => {
                let at = format!("field<{}>", columns(field));
                let (kind, name, value) = (&*field.kind, &*field.name, &*field.value);
                let line = match value.is_empty() {
                    true => format!("{at:0$} {kind:kinds$} {name};", places + 7),
                    false => format!("{at:0$} {kind:kinds$} {name:names$}{value};", places + 7),
                };
                (with(&line, field.note.as_deref()), field.kind.origin())
            }
            SectionLine::Code(code, note) => (with(code, note.as_deref()), code.origin()),
            SectionLine::Comment(text) => (trailing_comment(text), None),
            SectionLine::Empty => (String::new(), None),
        })
    })
    .collect()
}
