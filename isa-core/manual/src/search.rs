//! The search index of the pages, as a script, because a page that is opened from disk cannot read
//! any other file.

use std::collections::BTreeSet;

use isa_core::json::quoted;

use super::markdown::first_paragraph;
use super::site::{Site, Topic, anchor};

/// The maximum number of characters of documentation in an entry.
const NOTE: usize = 120;

/// Returns the entries, each with text, category, page, note and mnemonic.
pub(crate) fn index(site: &Site<'_>) -> String {
    let mut index = SearchIndex { script: String::from("window.isaIndex=["), count: 0 };
    for Topic { it, page } in &site.opcodes {
        let note = match it.doc.trim() {
            "" => it.lineage.groups().last().map_or("", |group| group.doc),
            doc => doc,
        };
        index.add(it.name, "opcode", page, note, it.syntax.mnemonic);
        for alias in it.aliases {
            let row = alias.row;
            let address = format!("{page}#{}", anchor("spelling", row.name));
            index.add(row.name, "spelling", &address, row.doc, row.syntax.mnemonic);
        }
    }
    for Topic { it, page } in &site.groups {
        index.add(it.name, if it.is_optype { "optype" } else { "group" }, page, it.doc, "");
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
        let note: String = first_paragraph(doc).chars().take(NOTE).collect();
        let parts = [text, sort, page, &note, mnemonic].map(quoted);
        if self.count > 0 {
            self.script.push_str(",\n");
        }
        self.count += 1;
        self.script.push('[');
        self.script.push_str(&parts.join(","));
        self.script.push(']');
    }
}
