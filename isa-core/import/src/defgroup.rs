//! Import of a vendor's definition files: `__DefGroup`, `__DefOptype`, `__DefOpcode`.
//!
//! A definition consists of sections. A section is a line such as `__Encoding` or `__Syntax`, followed
//! by the lines of its content. Sections of statements become sections of `define_isa!`, and prose
//! becomes documentation. The files use names of value sets and operand types without declaring them.
//! The import declares such names in marked items before the definitions.

mod definition;
mod family;
mod heading;
mod prose;
mod section;
mod sets;
mod split;
mod values;

use std::collections::HashSet;

use isa_compiler::{Fragment, similar};

use crate::code::{Code, code};
use crate::macro_call::{
    CallItem, CallNode, MacroCall, NOTE, NodeSection, SectionLine, camel, listed, slots, word_width,
};
use crate::{ImportError, ImportFormat, ImportOptions, Source, set_name};
use definition::{Definition, SourceLine};
use family::Family;
use sets::MissingField;
use split::split;
use values::{ValuesFile, ValuesTemplate};

pub(crate) const FORMAT: ImportFormat = ImportFormat {
    name: "defgroup",
    about: "A vendor's definitions: __DefGroup, __DefOptype, __DefOpcode",
    read,
};

/// Parses files as one sequence of definitions.
fn read(files: &[Source<'_>], options: &ImportOptions<'_>) -> Result<MacroCall, Vec<ImportError>> {
    let mut faults = Vec::new();
    let first = files.first().copied().unwrap_or(Source { name: "", text: "" });
    let values = ValuesFile::parse(options, files.len(), &mut faults);
    let files = files.iter().copied().enumerate();
    let mut defs: Vec<Definition<'_>> = files.flat_map(|file| split(file, &mut faults)).collect();
    if defs.is_empty() && faults.is_empty() {
        let message = "expected a definition such as `__DefGroup NAME : [PARENT]`";
        faults.push(ImportError::at(first.name, (1, first.text), first.text, message.to_owned()));
    }
    values.add_statements(&mut defs, &mut faults);
    misspelled_parents(&defs, &mut faults);
    if !faults.is_empty() {
        // Further errors could be consequences, for example of missing fields.
        return Err(faults);
    }
    prose::finish(&mut defs);
    let family = Family::of(&defs);
    let mut assumed =
        Assumptions { values: &values, template: ValuesTemplate::default(), all: Vec::new() };
    let mut items = assumed.imports();
    items.extend(sets::items(&family, &mut assumed, &mut faults));
    let guards = guards(&family, &mut faults);
    let (name, width) = assumed.name_and_width(&family, options, &mut faults);
    if faults.is_empty() {
        items.extend(assumed.groups(&defs));
    }
    for def in &defs {
        if !def.before.is_empty() {
            items.push(CallItem::Comment(def.before.clone()));
        }
        match node(def, &family, &guards, &mut assumed) {
            Ok(node) => items.push(CallItem::Node(node)),
            Err(message) => faults.push(def.place.fault(message)),
        }
    }
    if !faults.is_empty() {
        return Err(faults);
    }
    let template = ValuesTemplate {
        name: name.0.to_string(),
        width: width.unwrap_or_default(),
        ..assumed.template
    };
    Ok(MacroCall {
        doc: vec![format!("The instruction set that `{}` defines.", first.name)],
        name: name.0,
        note: name.1,
        widths: width.into_iter().collect(),
        items,
        values: Some(template.text(&values.uses)),
        assumptions: sorted(assumed.all),
        ..MacroCall::default()
    })
}

/// Reports each parent that no definition has as its name, if the name is similar to that of a definition.
fn misspelled_parents(defs: &[Definition<'_>], faults: &mut Vec<ImportError>) {
    let mut known: HashSet<&str> = defs.iter().map(|def| def.name).collect();
    for (name, place) in
        defs.iter().flat_map(|def| def.parents.iter().map(|name| (*name, def.place)))
    {
        let groups = defs.iter().filter(|def| def.word != "opcode").map(|def| def.name);
        if known.insert(name)
            && let Some(near) = similar(name, groups)
        {
            let message = format!(
                "no definition has the name `{name}`; did you mean `{near}`? If another file defines \
                 `{name}`, import both files, or write `[nodes.{name}]` in the values file"
            );
            faults.push(place.fault_at_name(name, message));
        }
    }
}

/// Sorts errors or assumptions by their positions.
fn sorted(mut all: Vec<ImportError>) -> Vec<ImportError> {
    all.sort_by_key(|one| (one.line, one.column));
    all
}

/// The facts that the source lacks: those in the values file, and those that the import assumes.
struct Assumptions<'v, 's> {
    values: &'v ValuesFile<'s>,
    template: ValuesTemplate,
    /// The assumptions, each with the line that needs it.
    all: Vec<ImportError>,
}

impl<'s> Assumptions<'_, 's> {
    /// Records an assumption.
    fn assume(&mut self, place: &SourceLine<'_>, message: String) {
        self.all.push(place.fault(message));
    }

    /// Returns the imports of other sets.
    fn imports(&self) -> Vec<CallItem> {
        let uses = self.values.uses.iter();
        uses.map(|(path, _)| CallItem::Line { doc: Vec::new(), text: code!("use {};", path) })
            .collect()
    }

    /// Returns the name of the set with the comment after it, and the width of its words. Both come from
    /// the options, the values file, or the definitions.
    fn name_and_width(
        &mut self,
        family: &Family<'_, 's>,
        options: &ImportOptions<'_>,
        faults: &mut Vec<ImportError>,
    ) -> ((Code, &'static str), Option<u32>) {
        let Some(def) = family.defs.first() else { return Default::default() };
        let known = options.name.or_else(|| self.values.name());
        let options = ImportOptions { name: known, ..*options };
        let name = set_name(&options, &camel(def.name)).unwrap_or_else(|message| {
            faults.push(def.place.fault(message));
            Code::default()
        });
        let given = options.width.or_else(|| self.values.width());
        let bits = family.defs.iter().flat_map(|def| &def.fields);
        let bits = bits.flat_map(|(field, _)| &field.pieces).map(|(at, width)| at + width);
        let width = given.or_else(|| word_width(bits.max().unwrap_or(16)));
        let note = match (known, given) {
            (Some(_), Some(_)) => "",
            (Some(_), None) => "/* the width is not in the source */",
            (None, Some(_)) => "/* the name is not in the source */",
            (None, None) => "/* name and width are not in the source */",
        };
        if known.is_none() {
            let message =
                format!("assumed that the set has the name `{}`: write `--name NAME`", &*name);
            self.assume(&def.place, message);
        }
        if let (None, Some(width)) = (given, width) {
            let message = format!("assumed that words have {width} bits: write `--width N`");
            self.assume(&def.place, message);
        }
        ((name, note), width)
    }

    /// Returns an empty group for each parent that no definition has as its name.
    fn groups(&mut self, defs: &[Definition<'s>]) -> Vec<CallItem> {
        let mut known: HashSet<&str> = defs.iter().map(|def| def.name).collect();
        let parents =
            defs.iter().flat_map(|def| def.parents.iter().map(move |name| (*name, def.place)));
        let mut items = Vec::new();
        for (name, place) in parents.filter(|(name, _)| known.insert(name)) {
            let Ok(code) = Code::name(name) else { continue };
            self.template.groups.push(name.to_owned());
            if self.values.is_declared_elsewhere(name) {
                continue;
            }
            self.assume(&place, format!("assumed that the parent `{name}` is an empty group"));
            let text = code!("group {} {{}} {}", code, NOTE).at_line(place.origin());
            let doc = vec!["No file of the source defines it.".to_owned()];
            items.push(CallItem::Line { doc, text });
        }
        items
    }
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
                "`Order` has {} operands, but the template has {slots}: list the operands of the template, \
                 after the guard if there is one",
                order.len()
            ))),
        }
    }
    guards
}

fn node<'s>(
    def: &Definition<'s>,
    family: &Family<'_, 's>,
    guards: &[(String, bool)],
    assumed: &mut Assumptions<'_, 's>,
) -> Result<CallNode, String> {
    let parents: Result<Vec<Code>, String> =
        def.parents.iter().map(|parent| Code::name(parent)).collect();
    let gone = sets::without_field(family, def);
    for MissingField { name, part, .. } in &gone {
        let place = def.template_place.unwrap_or(def.place);
        let part = part.trim();
        assumed.assume(
            &place,
            format!(
                "removed `{part}` from the template of `{}`: no field has the name `{name}`",
                def.name
            ),
        );
        assumed.template.missing.push((def.name.to_owned(), part.to_owned()));
    }
    let mut sections = vec![
        NodeSection::new("encoding", def.encoding.iter().cloned()),
        NodeSection::new("syntax", syntax(def, &gone)?),
    ];
    let declared: HashSet<&str> = def.fields.iter().map(|(field, _)| &*field.name).collect();
    for (guard, inverted) in guards.iter().filter(|(name, _)| declared.contains(&**name)) {
        let text = section::guard(guard, *inverted)?;
        assumed.template.guards.push(guard.clone());
        if !assumed.values.is_guard(guard) {
            let message = format!(
                "assumed that `{guard}` is a guard before the template of each opcode in `{}`",
                def.name
            );
            assumed.assume(&def.place, message);
        }
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
    let head = head.at_line(def.place.origin());
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
        let place = def.template_place.unwrap_or(def.place);
        let code = code.at_line(place.origin());
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

/// Moves the condition of a long exception to a separate line.
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
