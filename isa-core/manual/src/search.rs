//! The search index of the pages, as a script, because a page that is opened from disk cannot read
//! any other file.

use std::collections::{BTreeSet, HashMap};

use isa_core::json::quoted;

use super::markdown::words;
use super::site::{Site, Topic, anchor};

/// Returns the entries, each with name, category, page, description and mnemonic. The entry of an opcode
/// also contains the indexes of its groups' entries, because their descriptions apply to the opcode.
pub(crate) fn index(site: &Site<'_>) -> String {
    let mut index = SearchIndex { script: String::from("window.isaIndex=["), count: 0 };
    let mut groups = HashMap::new();
    for Topic { it, page } in &site.groups {
        groups.insert(format!("../{page}"), index.count);
        index.add(it.name, if it.is_optype { "optype" } else { "group" }, page, it.doc, "");
    }
    for Topic { it, page } in &site.opcodes {
        index.add(it.name, "opcode", page, it.doc, it.syntax.mnemonic);
        let inherited = it.lineage.groups().filter_map(|group| groups.get(&site.address(group)));
        index.inherits(&inherited.copied().collect::<Vec<_>>());
        for alias in it.aliases {
            let row = alias.row;
            let address = format!("{page}#{}", anchor("spelling", row.name));
            index.add(row.name, "spelling", &address, row.doc, row.syntax.mnemonic);
        }
    }
    let mut fields = BTreeSet::new();
    for Topic { it, page } in &site.opcodes {
        for field in it.fields.iter().filter(|it| fields.insert((it.name, it.kind.name))) {
            let address = format!("{page}#{}", anchor("field", field.name));
            let doc = if field.doc.is_empty() { field.kind.doc } else { field.doc };
            index.add(field.name, "field", &address, doc, "");
        }
    }
    for Topic { it, page } in &site.kinds {
        index.add(it.name, if it.text.is_some() { "operand" } else { "values" }, page, it.doc, "");
        for value in it.values {
            let address = format!("{page}#{}", anchor("value", value.name));
            let note = if value.doc.is_empty() { it.name } else { value.doc };
            index.add(value.name, "value", &address, note, "");
        }
    }
    index.script + "];\n"
}

struct SearchIndex {
    script: String,
    count: usize,
}

impl SearchIndex {
    fn add(&mut self, text: &str, sort: &str, page: &str, doc: &str, mnemonic: &str) {
        let parts = [text, sort, page, &words(doc), mnemonic].map(quoted);
        if self.count > 0 {
            self.script.push_str(",\n");
        }
        self.count += 1;
        self.script.push('[');
        self.script.push_str(&parts.join(","));
        self.script.push(']');
    }

    /// Adds the indexes of other entries to the last entry, in reverse order: the nearest group first.
    fn inherits(&mut self, entries: &[usize]) {
        let entries: Vec<String> = entries.iter().rev().map(ToString::to_string).collect();
        if !entries.is_empty() && self.script.pop().is_some() {
            self.script += &format!(",[{}]]", entries.join(","));
        }
    }
}
