//! The subjects of a manual's pages, and the addresses of these pages.

use std::collections::HashMap;

use isa_core::table::{Field, Group, InstructionSet, Kind, Opcode};

use super::html::Html;
use super::language::ScriptCounts;
use super::markdown;
use super::space::EncodingSpace;
use crate::Manual;

/// A set with the pages of its manual.
pub(crate) struct Site<'p> {
    pub(crate) manual: &'p Manual,
    pub(crate) set: &'static InstructionSet,
    /// The opcodes, in the order of the set.
    pub(crate) opcodes: Vec<Topic<Opcode>>,
    /// The groups and optypes. A group that several calls import is included once.
    pub(crate) groups: Vec<Topic<Group>>,
    /// The value sets and operand types, each included once.
    pub(crate) kinds: Vec<Topic<Kind>>,
    /// For each instruction word, the opcode that it belongs to.
    pub(crate) space: EncodingSpace,
    /// The language tag of the pages.
    pub(crate) language: String,
    /// The address of each subject's page, by the subject's address in memory and by its name.
    by_place: HashMap<usize, String>,
    by_name: HashMap<&'static str, String>,
}

/// A subject with a page.
pub(crate) struct Topic<T: 'static> {
    pub(crate) it: &'static T,
    /// The path of the page in the folder of the manual: `opcode/ADD.html`.
    pub(crate) page: String,
}

fn place<T>(it: &'static T) -> usize {
    core::ptr::from_ref(it).addr()
}

impl<'p> Site<'p> {
    pub(crate) fn new(manual: &'p Manual) -> Site<'p> {
        let set = manual.set;
        let mut site = Site {
            manual,
            set,
            opcodes: Vec::new(),
            groups: Vec::new(),
            kinds: Vec::new(),
            space: EncodingSpace::of(set),
            language: String::new(),
            by_place: HashMap::new(),
            by_name: HashMap::new(),
        };
        let mut names = HashMap::new();
        for &opcode in set.opcodes {
            let page = page("opcode", opcode.name, &mut names);
            site.known(opcode.name, place(opcode), &page);
            for alias in opcode.aliases {
                let address = format!("{page}#{}", anchor("spelling", alias.row.name));
                site.known(alias.row.name, place(alias.row), &address);
            }
            site.opcodes.push(Topic { it: opcode, page });
        }
        site.add_groups(&mut names);
        site.add_kinds(&mut names);
        site.language = manual.language.clone().unwrap_or_else(|| site.language_of_docs().into());
        site
    }

    /// Returns the language of the descriptions.
    fn language_of_docs(&self) -> &'static str {
        let opcodes = self.opcodes.iter().map(|entry| entry.it.doc);
        let groups = self.groups.iter().map(|entry| entry.it.doc);
        let kinds = self
            .kinds
            .iter()
            .flat_map(|entry| entry.it.values.iter().map(|value| value.doc).chain([entry.it.doc]));
        let mut counts = ScriptCounts::default();
        opcodes.chain(groups).chain(kinds).chain([self.set.doc]).for_each(|doc| counts.add(doc));
        counts.language()
    }

    fn known(&mut self, name: &'static str, place: usize, page: &str) {
        self.by_place.insert(place, page.to_owned());
        self.by_name.entry(name).or_insert_with(|| page.to_owned());
    }

    /// Adds the groups. A group that several calls import has a row in each call, but only one
    /// page.
    fn add_groups(&mut self, names: &mut FileNameCounts) {
        let mut pages = HashMap::new();
        for group in self.set.groups() {
            let key = (group.name, group.doc, group.is_optype, group.parents);
            let found = pages.get(&key).cloned();
            let page = found.unwrap_or_else(|| {
                let page = page("group", group.name, names);
                self.groups.push(Topic { it: group, page: page.clone() });
                pages.insert(key, page.clone());
                page
            });
            self.known(group.name, place(group), &page);
        }
    }

    fn add_kinds(&mut self, names: &mut FileNameCounts) {
        let mut pages = HashMap::new();
        for kind in self.set.kinds() {
            let values: Vec<_> = kind.values.iter().map(|value| (value.name, value.raw)).collect();
            let key = (kind.name, kind.doc, kind.width, values);
            let found = pages.get(&key).cloned();
            let page = found.unwrap_or_else(|| {
                let page = page("kind", kind.name, names);
                self.kinds.push(Topic { it: kind, page: page.clone() });
                pages.insert(key, page.clone());
                page
            });
            self.known(kind.name, place(kind), &page);
        }
    }

    /// Returns the address of a subject's page, relative to a page in a folder.
    pub(crate) fn address<T>(&self, it: &'static T) -> String {
        self.by_place.get(&place(it)).map_or_else(String::new, |page| format!("../{page}"))
    }

    /// Appends a link to a subject's page.
    pub(crate) fn link<T>(&self, it: &'static T, name: &str, html: &mut Html) {
        match self.by_place.get(&place(it)) {
            Some(page) => _ = html.link(&format!("../{page}"), name),
            None => _ = html.text(name),
        }
    }

    /// Appends the name of the group from which an opcode inherits a field or an exception, with a
    /// link.
    pub(crate) fn declared(&self, opcode: &'static Opcode, name: &str, html: &mut Html) {
        match opcode.lineage.groups().find(|group| group.name == name) {
            Some(group) => self.link(group, name, html),
            None => _ = html.text(name),
        }
    }

    /// Appends documentation to a page in a folder.
    pub(crate) fn doc(&self, doc: &str, html: &mut Html) {
        markdown::render(doc, &|name| self.named(name), html);
    }

    /// Appends the first paragraph of documentation without links, for use inside other elements.
    pub(crate) fn summary(&self, doc: &str, html: &mut Html) {
        markdown::summary(doc, &|_| None, html);
    }

    fn named(&self, name: &str) -> Option<String> {
        self.by_name.get(name).map(|page| format!("../{page}"))
    }

    /// Returns the opcodes that inherit from a group.
    pub(crate) fn heirs<'s>(
        &'s self,
        group: &'static Group,
    ) -> impl Iterator<Item = &'s Topic<Opcode>> {
        let page = self.by_place.get(&place(group));
        self.opcodes.iter().filter(move |entry| {
            entry.it.lineage.groups().any(|of| self.by_place.get(&place(of)) == page)
        })
    }

    /// Returns the fields with a value set or operand type in all opcodes, each with its opcode.
    pub(crate) fn uses<'s>(
        &'s self,
        kind: &'static Kind,
    ) -> impl Iterator<Item = (&'s Topic<Opcode>, &'static Field)> {
        let page = self.by_place.get(&place(kind));
        self.opcodes.iter().flat_map(move |entry| {
            let fields = entry.it.fields.iter().copied();
            let fields = fields.filter(move |field| self.by_place.get(&place(field.kind)) == page);
            fields.map(move |field| (entry, field))
        })
    }
}

/// The number of uses of each file name in lower case, because some file systems ignore letter
/// case.
type FileNameCounts = HashMap<String, usize>;

/// Returns a unique path for a page in a folder.
fn page(folder: &str, name: &str, names: &mut FileNameCounts) -> String {
    let mut file = format!("{folder}/{}", plain(name));
    loop {
        let taken = names.entry(file.to_lowercase()).or_insert(0);
        *taken += 1;
        match *taken {
            1 => return file + ".html",
            count => file = format!("{folder}/{}-{count}", plain(name)),
        }
    }
}

/// Returns the anchor of a part of a page.
pub(crate) fn anchor(part: &str, name: &str) -> String {
    format!("{part}-{}", plain(name))
}

/// Returns a name in the form that is valid in file names and anchors.
fn plain(name: &str) -> String {
    let plain = |c: char| if c.is_alphanumeric() || c == '_' || c == '.' { c } else { '-' };
    let name: String = name.chars().map(plain).collect();
    // The name must not be a hidden file or lead to another folder.
    name.trim_start_matches('.').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_page_has_a_file_of_its_own() {
        let mut names = FileNameCounts::new();
        let mut page = |name| page("opcode", name, &mut names);
        assert_eq!(page("ADD"), "opcode/ADD.html");
        assert_eq!(page("add"), "opcode/add-2.html");
        assert_eq!(page("add"), "opcode/add-3.html");
        assert_eq!(page("add-2"), "opcode/add-2-2.html");
        assert_eq!(page("../x"), "opcode/-x.html");
    }
}
