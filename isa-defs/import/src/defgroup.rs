//! `__DefGroup`, `__DefOptype`, `__DefOpcode`: a vendor's definition files.
//!
//! A definition has sections, each a line `__Encoding`, `__Syntax` and so on with lines below it. Sections
//! of statements become those of `define_isa!`, prose becomes documentation. Such files name their value
//! sets and operand kinds, and leave them to other files: they become items in front, marked.

mod cut;
mod sets;

use crate::spec::{Field, Item, Line, NOTE, Node, Section, Spec, camel, slots, word_width};
use crate::{Fault, Format, Options, Source};
use cut::{Def, cut};
use sets::Gone;

pub(crate) const FORMAT: Format = Format {
    name: "defgroup",
    about: "A vendor's definitions: __DefGroup, __DefOptype, __DefOpcode",
    read,
};

/// Reads files, whose definitions follow on each other.
fn read(files: &[Source<'_>], _: &Options<'_>) -> Result<Spec, Vec<Fault>> {
    let mut faults = Vec::new();
    let defs: Vec<Def<'_>> = files.iter().flat_map(|file| cut(*file, &mut faults)).collect();
    if defs.is_empty() && faults.is_empty() {
        let (file, line) = files.first().map_or(("", ""), |file| (file.name, file.text));
        let message = "no definition: one begins with `__DefGroup NAME : [PARENT]`";
        faults.push(Fault::at(file, (1, line), line, message.to_owned()));
    }
    let family = Family::of(&defs);
    let items = sets::items(&family, &mut faults);
    let guards = guards(&family, &mut faults);
    if !faults.is_empty() {
        return Err(faults);
    }
    let bits = defs.iter().flat_map(|def| &def.fields).flat_map(|(field, _)| &field.pieces);
    let bits = bits.map(|(at, width)| at + width).max().unwrap_or(16);
    let mut spec = Spec {
        doc: vec![format!("What `{}` defines.", files[0].name)],
        name: camel(defs[0].name),
        note: "/* name and width are not in the source */".to_owned(),
        widths: word_width(bits).into_iter().collect(),
        items,
        ..Spec::default()
    };
    spec.items.extend(missing(&defs));
    for def in &defs {
        if !def.before.is_empty() {
            spec.items.push(Item::Comment(def.before.clone()));
        }
        spec.items.push(Item::Node(node(def, &family, &guards)));
    }
    Ok(spec)
}

/// Definitions and who inherits from whom.
struct Family<'d, 's> {
    defs: &'d [Def<'s>],
}

impl<'d, 's> Family<'d, 's> {
    fn of(defs: &'d [Def<'s>]) -> Self {
        Family { defs }
    }

    /// Whether one is the other, or inherits from it.
    fn inherits(&self, heir: &Def<'_>, of: &str) -> bool {
        // A circle of parents is the macro's to report; here a walk ends.
        let mut open = vec![heir.name];
        let mut known = Vec::new();
        while let Some(name) = open.pop() {
            if name == of {
                return true;
            }
            if !known.contains(&name) {
                known.push(name);
                let parents = self.defs.iter().filter(|def| def.name == name);
                open.extend(parents.flat_map(|def| def.parents.iter().copied()));
            }
        }
        false
    }

    /// The definitions that one inherits from, itself, and its heirs.
    fn kin<'f>(&'f self, of: &'f Def<'s>) -> impl Iterator<Item = &'d Def<'s>> + 'f {
        let related = |def: &&Def<'s>| self.inherits(def, of.name) || self.inherits(of, def.name);
        self.defs.iter().filter(related)
    }

    /// The fields that a definition or its kin has under a name: in full, or behind the dot.
    fn fields<'f>(
        &'f self,
        of: &'f Def<'s>,
        name: &'f str,
    ) -> impl Iterator<Item = &'d Field> + 'f {
        let named = move |field: &str| field == name || field.rsplit('.').next() == Some(name);
        let all = self.kin(of).flat_map(|def| def.fields.iter().map(|(field, _)| field));
        all.filter(move |field| named(&field.name))
    }
}

/// Groups that are inherited from and stand in another file.
fn missing(defs: &[Def<'_>]) -> Vec<Item> {
    let mut names: Vec<&str> = Vec::new();
    for parent in defs.iter().flat_map(|def| &def.parents) {
        if !names.contains(parent) && defs.iter().all(|def| def.name != *parent) {
            names.push(parent);
        }
    }
    let group = |name: &&str| Item::Line {
        doc: vec!["What it has stands in another file.".to_owned()],
        text: format!("group {name} {{}} {NOTE}"),
    };
    names.iter().map(group).collect()
}

/// Operands that stand in `Order` before those of the template: guards, which such templates leave out.
/// With each the sub-field that inverts it.
fn guards<'s>(family: &Family<'_, 's>, faults: &mut Vec<Fault>) -> Vec<(String, bool)> {
    let mut guards: Vec<(String, bool)> = Vec::new();
    for def in family.defs {
        let Some((order, place)) = &def.order else { continue };
        let template =
            family.defs.iter().find(|of| !of.template.is_empty() && family.inherits(def, of.name));
        let slots = template.map_or(order.len(), |of| {
            let mnemonic = of.template.split(['{', '.', ' ']).next().unwrap_or_default();
            slots(&of.template, mnemonic).len()
        });
        match order.len().checked_sub(slots) {
            Some(0) => {}
            Some(1) if family.fields(def, &order[0]).any(|field| field.name == order[0]) => {
                let inverted = format!("{}.not", order[0]);
                let inverted = family.fields(def, &inverted).next().is_some();
                if guards.iter().all(|(name, _)| *name != order[0]) {
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

fn node(def: &Def<'_>, family: &Family<'_, '_>, guards: &[(String, bool)]) -> Node {
    let parents = match def.parents.as_slice() {
        [] => String::new(),
        parents => format!(" : [{}]", parents.join(", ")),
    };
    let gone = sets::without_field(family, def);
    let mut sections = vec![
        Section::new("encoding", def.encoding.iter().cloned()),
        Section::new("syntax", syntax(def, &gone)),
    ];
    let declares = |name: &str| def.fields.iter().any(|(field, _)| field.name == name);
    for (guard, inverted) in guards.iter().filter(|(name, _)| declares(name)) {
        let not = if *inverted { "{!}" } else { "" };
        let text = format!("{NOTE} {{@{not}{guard}}} ..");
        sections.push(Section::new("syntax", [Line::Text(text)]));
    }
    sections.push(Section::new("operands", def.operands.iter().cloned()));
    sections.push(Section::new("exception", def.exception.iter().map(exception)));
    sections.push(Section::new("examples", examples(def, &gone)));
    sections.retain(|section| section.lines.iter().any(|line| *line != Line::Empty));
    for section in &mut sections {
        trim(&mut section.lines);
    }
    Node { doc: def.doc.clone(), head: format!("{} {}{parents}", def.word, def.name), sections }
}

/// The longest line of a section that stays one.
const WIDTH: usize = 88;

/// A template without what the source has no field for, which a comment names.
fn syntax(def: &Def<'_>, gone: &[Gone]) -> Vec<Line> {
    let mut template = def.template.clone();
    let mut lines = Vec::new();
    if !gone.is_empty() {
        for part in gone.iter().map(|gone| gone.part.as_str()) {
            template = template.replacen(part, "", 1);
        }
        template = template.replace(" ;", ";");
        let parts: Vec<&str> = gone.iter().map(|gone| gone.part.trim()).collect();
        lines.push(Line::Text(format!("// Without a field in the source: {}", parts.join(" "))));
    }
    if let (true, Some((mnemonic, operands))) = (template.len() > WIDTH, template.split_once(' ')) {
        template = format!("{mnemonic}\n    {operands}");
    }
    let listed = |text: &str| gone.iter().any(|gone| text.starts_with(&format!(".{} ", gone.name)));
    for line in &def.syntax {
        lines.push(match line {
            Line::Text(text) if *text == def.template => Line::Text(template.clone()),
            Line::Text(text) if listed(text) => Line::Text(format!("// {text}")),
            line => line.clone(),
        });
    }
    lines
}

/// A long exception has its condition on a line of its own.
fn exception(line: &Line) -> Line {
    match line {
        Line::Text(text) if text.len() > WIDTH && !text.starts_with("//") => {
            Line::Text(text.replacen("> = ", ">\n    = ", 1))
        }
        line => line.clone(),
    }
}

/// Examples, those in a comment that have a modifier which the source has no field for.
fn examples(def: &Def<'_>, gone: &[Gone]) -> Vec<Line> {
    let lines = def.examples.iter().map(|line| match line {
        Line::Text(text) if !text.starts_with("//") => {
            let mnemonic = text.split([' ', ';']).next().unwrap_or_default();
            let known =
                |word: &&str| gone.iter().any(|gone| gone.texts.iter().any(|text| text == word));
            match mnemonic.split('.').skip(1).find(known) {
                Some(word) => Line::Text(format!("// `.{word}` has no field: {text}")),
                None => line.clone(),
            }
        }
        _ => line.clone(),
    });
    lines.collect()
}

/// Takes empty lines off both ends.
fn trim(lines: &mut Vec<Line>) {
    let empty = |line: &Line| *line == Line::Empty;
    while lines.last().is_some_and(empty) {
        lines.pop();
    }
    let first = lines.iter().position(|line| !empty(line)).unwrap_or(0);
    lines.drain(..first);
}
