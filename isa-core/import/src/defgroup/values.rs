//! The values file: what a vendor's definitions leave out, in TOML. The import writes the file from its
//! assumptions, the user corrects it, and later imports read it.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::ops::Range;

use isa_compiler::similar;
use serde::Deserialize;
use toml::Spanned;

use super::definition::{Definition, SourceLine};
use super::section;
use crate::code::Code;
use crate::{ImportError, ImportOptions, Source};

/// A table whose keys have positions.
type Table<T> = BTreeMap<Spanned<String>, T>;

/// The tables of the file.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Tables {
    /// The name of the set.
    name: Option<Spanned<String>>,
    /// The width of words in bits.
    width: Option<Spanned<u32>>,
    /// For each imported set, the names that it declares.
    #[serde(rename = "use")]
    uses: Table<Vec<Spanned<String>>>,
    /// The Rust type of each operand type, as it is written after `operand Name: WIDTH = `.
    operands: Table<Spanned<String>>,
    /// The Rust type of each format.
    formats: Table<Spanned<String>>,
    /// The texts of each prefix or suffix operator: one, or one before and one after the operand.
    affixes: Table<Vec<Spanned<String>>>,
    /// The operands that are guards before the templates.
    guards: Vec<Spanned<String>>,
    /// The number of each value of each enum.
    enums: Table<Table<Spanned<u64>>>,
    /// Statements that are added to definitions.
    nodes: Table<NodeStatements>,
}

/// Statements that are added to a definition. `syntax` replaces its template.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct NodeStatements {
    encoding: Vec<Spanned<String>>,
    syntax: Option<Spanned<String>>,
    operands: Vec<Spanned<String>>,
    exception: Vec<Spanned<String>>,
    examples: Vec<Spanned<String>>,
}

/// A parsed values file, or an empty one.
pub(super) struct ValuesFile<'s> {
    file: Source<'s>,
    /// The index of the file, after the indices of the files with definitions.
    index: usize,
    tables: Tables,
    /// The sets whose names the import leaves out: all that it would assume, if the list is `None`.
    pub(super) uses: Vec<(Code, Option<Vec<String>>)>,
}

impl<'s> ValuesFile<'s> {
    /// Parses the file of the options. An invalid file is reported and has no effect.
    pub(super) fn parse(
        options: &ImportOptions<'s>,
        index: usize,
        faults: &mut Vec<ImportError>,
    ) -> Self {
        let file = options.values.unwrap_or(Source { name: "", text: "" });
        let mut values = ValuesFile { file, index, tables: Tables::default(), uses: Vec::new() };
        match toml::from_str(file.text) {
            Ok(tables) => values.tables = tables,
            Err(error) => {
                let message = error.message().replace('\n', "; ");
                faults.push(values.fault(error.span().unwrap_or_default(), message));
            }
        }
        let paths = values.tables.uses.iter().map(|(path, names)| {
            let names = names.iter().map(|name| name.get_ref().clone()).collect();
            (path.get_ref().as_str(), Some(path.span()), Some(names))
        });
        let given = options.uses.iter().filter(|path| !values.tables.uses.contains_key(**path));
        let paths = paths.chain(given.map(|path| (*path, None, None)));
        let mut uses = Vec::new();
        for (path, span, names) in paths {
            match Code::path(path) {
                Ok(code) => uses.push((code, names)),
                Err(message) => faults.push(match span {
                    Some(span) => values.fault(span, message),
                    None => ImportError::of_option("--use", message),
                }),
            }
        }
        values.uses = if options.standalone { Vec::new() } else { uses };
        values
    }

    /// Returns whether an imported set declares a name.
    pub(super) fn is_declared_elsewhere(&self, name: &str) -> bool {
        self.uses.iter().any(|(_, names)| match names {
            None => true,
            Some(names) => names.iter().any(|known| known == name),
        })
    }

    pub(super) fn name(&self) -> Option<&str> {
        self.tables.name.as_ref().map(|name| name.get_ref().as_str())
    }

    pub(super) fn width(&self) -> Option<u32> {
        self.tables.width.as_ref().map(|width| *width.get_ref())
    }

    /// Returns the Rust type of an operand type, with the line at which it is written.
    pub(super) fn operand(&self, name: &str) -> Option<(&str, SourceLine<'s>)> {
        let value = self.tables.operands.get(name)?;
        Some((value.get_ref(), self.line(value.span())))
    }

    /// Returns the names of the operand types and enums.
    pub(super) fn types(&self) -> impl Iterator<Item = &str> {
        let operands = self.tables.operands.keys();
        let enums = self.tables.enums.keys();
        operands.chain(enums).map(|name| name.get_ref().as_str())
    }

    /// Returns the type of the file to whose name the name of another type is similar.
    pub(super) fn misspelled_type(&self, name: &str) -> Option<&str> {
        if self.types().any(|known| known == name) {
            return None;
        }
        similar(name, self.types())
    }

    /// Returns the Rust type of a format, with the line at which it is written.
    pub(super) fn format(&self, name: &str) -> Option<(&str, SourceLine<'s>)> {
        let value = self.tables.formats.get(name)?;
        Some((value.get_ref(), self.line(value.span())))
    }

    /// Returns the names of the operators.
    pub(super) fn affixes(&self) -> impl Iterator<Item = &str> {
        self.tables.affixes.keys().map(|name| name.get_ref().as_str())
    }

    /// Returns the texts of an operator.
    pub(super) fn affix(&self, name: &str) -> Option<Code> {
        let texts = self.tables.affixes.get(name)?.iter();
        let texts: Vec<Code> = texts.map(|text| Code::quoted(text.get_ref())).collect();
        Some(Code::joined(&texts, " "))
    }

    pub(super) fn is_guard(&self, name: &str) -> bool {
        self.tables.guards.iter().any(|guard| guard.get_ref() == name)
    }

    pub(super) fn is_enum(&self, name: &str) -> bool {
        self.tables.enums.contains_key(name)
    }

    /// Returns the values of an enum with their numbers and lines, sorted by number.
    pub(super) fn values(&self, name: &str) -> Vec<(&str, u64, SourceLine<'s>)> {
        let Some(table) = self.tables.enums.get(name) else { return Vec::new() };
        let mut values: Vec<_> = table
            .iter()
            .map(|(name, raw)| (name.get_ref().as_str(), *raw.get_ref(), self.line(name.span())))
            .collect();
        values.sort_by_key(|&(_, raw, _)| raw);
        values
    }

    /// Reports tables about names that the definitions do not use, with the nearest name that they use.
    pub(super) fn report_unused<'k>(
        &self,
        types: impl Iterator<Item = &'k str> + Clone,
        faults: &mut Vec<ImportError>,
    ) {
        let operands = self.tables.operands.keys().map(|name| ("operands", name));
        let enums = self.tables.enums.keys().map(|name| ("enums", name));
        for (table, key) in operands.chain(enums) {
            let name = key.get_ref().as_str();
            if types.clone().any(|known| known == name) {
                continue;
            }
            let hint = match similar(name, types.clone()) {
                Some(near) => format!("; did you mean `{near}`?"),
                None => format!(": remove it from `[{table}]`"),
            };
            faults.push(self.fault(key.span(), format!("no field has the type `{name}`{hint}")));
        }
    }

    /// Adds the statements of the file to the definitions. If a group is only named as a parent, it is
    /// defined here.
    pub(super) fn add_statements(
        &'s self,
        defs: &mut Vec<Definition<'s>>,
        faults: &mut Vec<ImportError>,
    ) {
        for (key, added) in &self.tables.nodes {
            let name = key.get_ref().as_str();
            let is_parent = |def: &Definition<'_>| def.parents.contains(&name);
            let at = match defs.iter().position(|def| def.name == name) {
                Some(at) => at,
                None if defs.iter().any(is_parent) => {
                    defs.insert(
                        0,
                        Definition::new("group", name, Vec::new(), self.line(key.span())),
                    );
                    0
                }
                None => {
                    let names = defs.iter().map(|def| def.name);
                    let hint = match similar(name, names) {
                        Some(near) => format!("did you mean `{near}`?"),
                        None => "write the name of a definition or of a parent".to_owned(),
                    };
                    let message = format!("no definition has the name `{name}`; {hint}");
                    faults.push(self.fault(key.span(), message));
                    continue;
                }
            };
            let def = &mut defs[at];
            if added.syntax.is_some() {
                def.template.clear();
                def.lists.clear();
            }
            for (section, statements) in [
                ("Encoding", added.encoding.as_slice()),
                ("Syntax", added.syntax.as_slice()),
                ("OperandInfo", added.operands.as_slice()),
                ("Exception", added.exception.as_slice()),
                ("Examples", added.examples.as_slice()),
            ] {
                for statement in statements {
                    let first = self.line(statement.span());
                    let lines = statement.get_ref().lines();
                    let lines: Vec<SourceLine<'s>> =
                        (0..).zip(lines).map(|(at, line)| first.with_line(at, line)).collect();
                    let known = faults.len();
                    section::read(def, (section, 0), &lines, faults);
                    // These columns are counted from the start of the statement.
                    let text = statement.get_ref().lines().next().unwrap_or_default();
                    let before = first.line.find(text).map_or("", |at| &first.line[..at]);
                    for fault in faults[known..].iter_mut().filter(|one| one.line == first.number) {
                        fault.column += before.chars().count();
                    }
                }
            }
        }
    }

    /// Returns the line at a position.
    fn line(&self, span: Range<usize>) -> SourceLine<'s> {
        let start = span.start.min(self.file.text.len());
        let before = &self.file.text[..start];
        let begin = before.rfind('\n').map_or(0, |at| at + 1);
        let line = self.file.text[begin..].lines().next().unwrap_or_default();
        let number = before.matches('\n').count() + 1;
        SourceLine { file: self.file.name, file_index: self.index, number, line }
    }

    fn fault(&self, span: Range<usize>, message: String) -> ImportError {
        let place = self.line(span.clone());
        let part = self.file.text.get(span.start..).unwrap_or_default();
        place.fault_at(part, message)
    }
}

/// The values file that an import would have needed, with the assumptions that it made.
#[derive(Default)]
pub(super) struct ValuesTemplate {
    pub(super) name: String,
    pub(super) width: u32,
    /// Each operand type with its Rust type.
    pub(super) operands: Vec<(String, String)>,
    /// Each enum with its values.
    pub(super) enums: Vec<(String, Vec<(String, u64)>)>,
    /// The parts of templates that have no field: the definition and the part.
    pub(super) missing: Vec<(String, String)>,
    /// Each format with its Rust type.
    pub(super) formats: Vec<(String, String)>,
    /// Each operator with its texts.
    pub(super) affixes: Vec<(String, String)>,
    pub(super) guards: Vec<String>,
    /// The parents that the source does not define.
    pub(super) groups: Vec<String>,
}

impl ValuesTemplate {
    /// Returns the text of the file.
    pub(super) fn text(&self, uses: &[(Code, Option<Vec<String>>)]) -> String {
        let mut text = String::from(
            "# The import assumed the following. Correct it, and pass this file with `--values` from now on.\n\n",
        );
        let quoted = |text: &str| toml::Value::from(text).to_string();
        let key = |name: &str| {
            let is_bare = |c: char| c.is_ascii_alphanumeric() || c == '_';
            if name.chars().all(is_bare) { name.to_owned() } else { quoted(name) }
        };
        let _ = writeln!(text, "name = {}\nwidth = {}", quoted(&self.name), self.width);
        if !self.guards.is_empty() {
            let guards: Vec<String> = self.guards.iter().map(|name| quoted(name)).collect();
            let _ = writeln!(text, "guards = [{}]", guards.join(", "));
        }
        if !uses.is_empty() {
            text += "\n[use]\n";
        }
        for (path, names) in uses {
            let named = self.operands.iter().chain(&self.formats).chain(&self.affixes);
            let named = named.map(|(name, _)| name);
            let all = named.chain(self.enums.iter().map(|(name, _)| name)).chain(&self.groups);
            let names = names.as_ref().map_or_else(|| all.cloned().collect(), Vec::clone);
            let names: Vec<String> = names.iter().map(|name| quoted(name)).collect();
            let _ = writeln!(text, "{} = [{}]", quoted(path), names.join(", "));
        }
        for (table, rows) in [("operands", &self.operands), ("formats", &self.formats)] {
            if !rows.is_empty() {
                let _ = writeln!(text, "\n[{table}]");
            }
            for (name, path) in rows {
                let _ = writeln!(text, "{} = {}", key(name), quoted(path));
            }
        }
        if !self.affixes.is_empty() {
            text += "\n[affixes]\n";
        }
        for (name, texts) in &self.affixes {
            let _ = writeln!(text, "{} = [{}]", key(name), texts.replace("\" \"", "\", \""));
        }
        for (name, values) in &self.enums {
            let _ = writeln!(text, "\n[enums.{}]", key(name));
            for (name, raw) in values {
                let _ = writeln!(text, "{} = {raw}", key(name));
            }
        }
        for (node, parts) in grouped(&self.missing) {
            let parts = parts.join(" ");
            let _ = write!(
                text,
                "\n# No field for {parts}:\n# [nodes.{}]\n# encoding = [\"field<POSITION, WIDTH> TYPE NAME = DEFAULT;\"]\n",
                key(node)
            );
        }
        text
    }
}

/// Joins neighbours with the same first element.
fn grouped(pairs: &[(String, String)]) -> Vec<(&str, Vec<&str>)> {
    let runs = pairs.chunk_by(|(a, _), (b, _)| a == b);
    runs.map(|run| (run[0].0.as_str(), run.iter().map(|(_, part)| part.as_str()).collect()))
        .collect()
}
