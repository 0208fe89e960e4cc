//! Import of a vendor's definition files: `__DefGroup`, `__DefOptype`, `__DefOpcode`.
//!
//! A definition consists of sections. A section is a line such as `__Encoding` or `__Syntax`, followed
//! by the lines of its content. Sections of statements become sections of `define_isa!`, and prose
//! becomes documentation. The files use names of value sets and operand types without declaring them.
//! The import declares such names in marked items before the definitions.

mod definition;
mod family;
mod heading;
mod section;
mod sets;
mod split;

use std::collections::HashSet;

use isa_compiler::Fragment;

use crate::code::{Code, code};
use crate::macro_call::{
    CallItem, CallNode, MacroCall, NOTE, NodeSection, SectionLine, camel, listed, slots, word_width,
};
use crate::{ImportError, ImportFormat, ImportOptions, Source, set_name};
use definition::Definition;
use family::Family;
use sets::MissingField;
use split::split;

pub(crate) const FORMAT: ImportFormat = ImportFormat {
    name: "defgroup",
    about: "A vendor's definitions: __DefGroup, __DefOptype, __DefOpcode",
    read,
};

/// Parses files as one sequence of definitions.
fn read(files: &[Source<'_>], options: &ImportOptions<'_>) -> Result<MacroCall, Vec<ImportError>> {
    let mut faults = Vec::new();
    let defs: Vec<Definition<'_>> =
        files.iter().flat_map(|file| split(*file, &mut faults)).collect();
    if defs.is_empty() && faults.is_empty() {
        let (file, line) = files.first().map_or(("", ""), |file| (file.name, file.text));
        let message = "no definition: one begins with `__DefGroup NAME : [PARENT]`";
        faults.push(ImportError::at(file, (1, line), line, message.to_owned()));
    }
    let family = Family::of(&defs);
    let items = sets::items(&family, &mut faults);
    let guards = guards(&family, &mut faults);
    let bits = defs.iter().flat_map(|def| &def.fields).flat_map(|(field, _)| &field.pieces);
    let bits = bits.map(|(at, width)| at + width).max().unwrap_or(16);
    let own = defs.first().map_or(String::new(), |def| camel(def.name));
    let name = set_name(options, &own).or_else(|message| match defs.first() {
        Some(def) => {
            faults.push(def.place.fault(message));
            Ok(Code::default())
        }
        None => Ok::<_, String>(Code::default()),
    });
    let mut spec = MacroCall {
        doc: vec![format!("What `{}` defines.", files.first().map_or("", |file| file.name))],
        name: name.unwrap_or_default(),
        note: "/* name and width are not in the source */",
        widths: word_width(bits).into_iter().collect(),
        items,
        ..MacroCall::default()
    };
    if faults.is_empty() {
        spec.items.extend(missing(&defs));
    }
    for def in &defs {
        if !def.before.is_empty() {
            spec.items.push(CallItem::Comment(def.before.clone()));
        }
        match node(def, &family, &guards) {
            Ok(node) => spec.items.push(CallItem::Node(node)),
            Err(message) => faults.push(def.place.fault(message)),
        }
    }
    if faults.is_empty() { Ok(spec) } else { Err(faults) }
}

/// Returns an empty group for each parent that is in another file.
fn missing(defs: &[Definition<'_>]) -> Vec<CallItem> {
    let mut known: HashSet<&str> = defs.iter().map(|def| def.name).collect();
    let parents = defs.iter().flat_map(|def| &def.parents);
    let missing = parents.filter(|parent| known.insert(parent));
    let group = |name: &&str| {
        let text = code!("group {} {{}} {}", Code::name(name).ok()?, NOTE);
        Some(CallItem::Line { doc: vec!["What it has stands in another file.".to_owned()], text })
    };
    missing.filter_map(group).collect()
}

/// Returns the operands in `Order` that come before the operands of the template. They are guards, which
/// such templates omit. Each flag is true if a sub-field inverts the guard.
fn guards<'s>(family: &Family<'_, 's>, faults: &mut Vec<ImportError>) -> Vec<(String, bool)> {
    let mut guards: Vec<(String, bool)> = Vec::new();
    let mut known = HashSet::new();
    for def in family.defs {
        let Some((order, place)) = &def.order else { continue };
        let template = family.ancestors(def).find(|of| !of.template.is_empty());
        let slots = template.map_or(order.len(), |of| {
            let mnemonic = of.template.split(['{', '.', ' ']).next().unwrap_or_default();
            slots(&of.template, mnemonic).len()
        });
        match order.len().checked_sub(slots) {
            Some(0) => {}
            Some(1) if family.fields(def, &order[0]).any(|field| *field.name == *order[0]) => {
                let inverted = format!("{}.not", order[0]);
                let inverted = family.fields(def, &inverted).next().is_some();
                if known.insert(&order[0]) {
                    guards.push((order[0].clone(), inverted));
                }
            }
            _ => faults.push(place.fault(format!(
                "`Order` has {} operands and the template {slots}: write an operand for each of the \
                 template, and before them the guard if there is one",
                order.len()
            ))),
        }
    }
    guards
}

fn node(
    def: &Definition<'_>,
    family: &Family<'_, '_>,
    guards: &[(String, bool)],
) -> Result<CallNode, String> {
    let parents: Result<Vec<Code>, String> =
        def.parents.iter().map(|parent| Code::name(parent)).collect();
    let gone = sets::without_field(family, def);
    let mut sections = vec![
        NodeSection::new("encoding", def.encoding.iter().cloned()),
        NodeSection::new("syntax", syntax(def, &gone)?),
    ];
    let declared: HashSet<&str> = def.fields.iter().map(|(field, _)| &*field.name).collect();
    for (guard, inverted) in guards.iter().filter(|(name, _)| declared.contains(&**name)) {
        let text = section::guard(guard, *inverted)?;
        sections.push(NodeSection::new("syntax", [text.into()]));
    }
    sections.push(NodeSection::new("operands", def.operands.iter().cloned()));
    sections.push(NodeSection::new("exception", def.exception.iter().map(exception)));
    sections.push(NodeSection::new("examples", examples(def, &gone)));
    sections.retain(|section| section.lines.iter().any(|line| *line != SectionLine::Empty));
    for section in &mut sections {
        trim(&mut section.lines);
    }
    let parents = listed(" : [", &parents?, "]");
    let head = code!("{} {}{}", def.word, Code::name(def.name)?, parents);
    Ok(CallNode { doc: def.doc.clone(), head, sections })
}

/// The maximum length of a section's line that is not split.
const WIDTH: usize = 88;

/// Returns the lines of the syntax section. Parts of the template that have no field in the source
/// are removed and listed in a comment.
fn syntax(def: &Definition<'_>, gone: &[MissingField]) -> Result<Vec<SectionLine>, String> {
    let mut template = def.template.clone();
    let mut lines = Vec::new();
    if !gone.is_empty() {
        for part in gone.iter().map(|gone| gone.part.as_str()) {
            template = template.replacen(part, "", 1);
        }
        template = template.replace(" ;", ";");
        let parts: Vec<&str> = gone.iter().map(|gone| gone.part.trim()).collect();
        lines.push(SectionLine::Comment(format!(
            " Without a field in the source: {}",
            parts.join(" ")
        )));
    }
    lines.extend(def.above.iter().cloned());
    if !template.is_empty() {
        let code = Code::statement(Fragment::Template, &template)?;
        let long = template.len() > WIDTH;
        let code = if long { code.broken(Fragment::Template, " ") } else { code };
        lines.push(code.into());
    }
    let is_gone = |text: &str| gone.iter().any(|gone| list_name(text) == Some(&gone.name));
    lines.extend(def.lists.iter().map(|line| match line {
        SectionLine::Code(text, _) if is_gone(text) => {
            SectionLine::Comment(format!(" {}", &**text))
        }
        line => line.clone(),
    }));
    Ok(lines)
}

/// Returns the field of a value list such as `.rnd = {.RN}`.
fn list_name(text: &str) -> Option<&str> {
    Some(text.strip_prefix('.')?.split_once('=')?.0.trim())
}

/// Moves the condition of a long exception to a line of its own.
fn exception(line: &SectionLine) -> SectionLine {
    match line {
        SectionLine::Code(code, note) if code.len() > WIDTH => {
            SectionLine::Code(code.broken(Fragment::Exception, "= "), note.clone())
        }
        line => line.clone(),
    }
}

/// Returns the examples. An example becomes a comment if it contains a modifier without a field in
/// the source.
fn examples(def: &Definition<'_>, gone: &[MissingField]) -> Vec<SectionLine> {
    let lines = def.examples.iter().map(|line| match line {
        SectionLine::Code(text, note) => {
            let mnemonic = text.split([' ', ';']).next().unwrap_or_default();
            let known =
                |word: &&str| gone.iter().any(|gone| gone.texts.iter().any(|text| text == word));
            match mnemonic.split('.').skip(1).find(known) {
                Some(word) => {
                    let note = note.as_ref().map_or(String::new(), |note| format!(" //{note}"));
                    SectionLine::Comment(format!(" `.{word}` has no field: {}{note}", &**text))
                }
                None => line.clone(),
            }
        }
        _ => line.clone(),
    });
    lines.collect()
}

/// Removes empty lines at both ends.
fn trim(lines: &mut Vec<SectionLine>) {
    let empty = |line: &SectionLine| *line == SectionLine::Empty;
    while lines.last().is_some_and(empty) {
        lines.pop();
    }
    let first = lines.iter().position(|line| !empty(line)).unwrap_or(0);
    lines.drain(..first);
}
