//! Tests the pages without a browser: each item has a page, and links have a target.

use std::collections::{BTreeMap, BTreeSet};

use isa_core::parse::Parsed;

use super::*;

#[test]
fn every_opcode_has_its_page() {
    let mut silent = 0;
    for Manual { set, pages, .. } in &*MANUALS {
        for opcode in set.opcodes {
            let title = |page: &&(String, Page)| {
                page.0.starts_with("opcode/")
                    && page.1.all("h1").any(|title| title.text == opcode.name)
            };
            let found: Vec<_> = pages.iter().filter(title).collect();
            assert_eq!(found.len(), 1, "{}", opcode.name);
            let page = &found[0].1;
            let fields = page.table("Fields");
            for field in opcode.fields {
                let row = fields.iter().find(|row| row[1] == field.name);
                let row = row.unwrap_or_else(|| panic!("{}: {}", opcode.name, field.name));
                assert_eq!(row[2], field.kind.name, "{}: {}", opcode.name, field.name);
            }
            for exception in opcode.exceptions {
                let rows = page.table("Invalid combinations");
                assert!(rows.iter().any(|row| row[0] == exception.condition), "{}", opcode.name);
            }
            for alias in opcode.aliases {
                let rows = page.table("Other spellings");
                assert!(rows.iter().any(|row| row[0] == alias.row.name), "{}", opcode.name);
            }
            let semantics = page.all("pre").any(|it| it.get("class") == Some("source"));
            assert_eq!(semantics, opcode.lineage.semantics().is_some(), "{}", opcode.name);
            // All opcodes of these sets can be executed. Some do nothing, and have no text.
            silent += usize::from(!semantics);
        }
    }
    assert!(silent < 20, "{silent} opcodes have no semantics");
}

#[test]
fn semantics_show_the_functions_that_they_call() {
    let page = |name: &str| {
        let pages = MANUALS.iter().flat_map(|manual| &manual.pages);
        let page = pages.into_iter().find(|(path, _)| *path == format!("opcode/{name}.html"));
        &page.unwrap_or_else(|| panic!("{name}")).1
    };
    let listed = |name: &str| -> Vec<&str> {
        let lists = page(name).all("dl").filter(|list| list.get("class") == Some("functions"));
        lists.map(|list| list.text.as_str()).collect()
    };
    let fma = listed("HFMA2_RRR");
    let rule = "rounds the exact sum once, applies .SAT or .RELU, flushes the result with .FTZ";
    assert!(fma.len() == 1 && fma[0].replace('\n', " ").contains(rule), "{fma:?}");
    assert!(fma[0].contains("fn engine<const L: usize>"), "called by `fma`: {fma:?}");
    assert!(!fma[0].contains("fn compare_lanes"), "{fma:?}");
    assert!(listed("HSETP2_RR")[0].contains("fn comparison(cmp: FCMPOp)"));
    assert!(listed("vadd2")[0].contains("fn operate"));
}

#[test]
fn examples_stand_with_their_words() {
    for Manual { set, pages, .. } in &*MANUALS {
        for opcode in set.opcodes {
            let page = format!("opcode/{}.html", opcode.name);
            let Some((_, page)) = pages.iter().find(|(file, _)| *file == page) else { continue };
            let shown = page.all("summary").map(|summary| summary.text.as_str());
            let shown: Vec<&str> = shown.collect();
            for example in opcode.examples {
                let statement = format!("{};", example.trim_end_matches(';'));
                let Ok(Parsed::Instruction { opcode: index, word, .. }) = set.parse(&statement)
                else {
                    continue;
                };
                if !std::ptr::eq(set.opcodes[index], *opcode) {
                    continue;
                }
                let digits = usize::from(opcode.bits).div_ceil(4);
                let word = format!("{word:0digits$x}");
                let is_it = |text: &&str| {
                    text.starts_with(example) && text.replace(' ', "").ends_with(&word)
                };
                assert!(shown.iter().any(is_it), "{}: {example} {word} {shown:?}", opcode.name);
            }
            assert!(!page.table("The bits of example 1").is_empty(), "{}", opcode.name);
        }
    }
}

#[test]
fn every_value_and_group_has_its_place() {
    for manual in &*MANUALS {
        let titles = |folder: &'static str| {
            let pages = manual.pages.iter().filter(move |(file, _)| file.starts_with(folder));
            pages.flat_map(|(_, page)| page.all("h1").map(move |title| (title.text.as_str(), page)))
        };
        let groups: BTreeMap<&str, &Page> = titles("group/").collect();
        for group in manual.set.groups() {
            assert!(groups.contains_key(group.name), "{}", group.name);
        }
        for kind in manual.set.kinds() {
            let has = |(title, page): &(&str, &Page)| {
                let rows = page.table("Values");
                let names: Vec<&str> =
                    rows.iter().map(|row| row[0].split(',').next().unwrap()).collect();
                *title == kind.name && kind.values.iter().map(|value| value.name).eq(names)
            };
            assert!(titles("kind/").any(|page| has(&page)), "{}", kind.name);
        }
    }
}

/// Returns the file that a link on a page leads to, and the anchor in it.
fn target(from: &str, link: &str) -> (String, Option<String>) {
    let (path, anchor) = match link.split_once('#') {
        Some((path, anchor)) => (path, Some(anchor.to_owned())),
        None => (link, None),
    };
    if path.is_empty() {
        return (from.to_owned(), anchor);
    }
    let mut parts: Vec<&str> = from.split('/').collect();
    parts.pop();
    for part in path.split('/') {
        match part {
            ".." => assert!(parts.pop().is_some(), "{from}: {link} leads out of the folder"),
            part => parts.push(part),
        }
    }
    (parts.join("/"), anchor)
}

#[test]
fn no_link_is_broken() {
    for Manual { pages, folder, .. } in &*MANUALS {
        let ids: BTreeMap<&str, BTreeSet<&str>> =
            pages.iter().map(|(file, page)| (file.as_str(), page.ids().collect())).collect();
        let mut count = 0;
        let mut check = |from: &str, link: &str| {
            if link.starts_with("https://") || link.starts_with("http://") {
                return;
            }
            count += 1;
            let (file, anchor) = target(from, link);
            assert!(folder.join(&file).is_file(), "{from}: {link}");
            if let Some(anchor) = anchor {
                assert!(ids[file.as_str()].contains(anchor.as_str()), "{from}: {link}");
            }
        };
        for (file, page) in pages {
            for element in &page.elements {
                for name in ["href", "src"] {
                    element.get(name).into_iter().for_each(|link| check(file, link));
                }
            }
        }
        for entry in index(folder) {
            check("index.html", entry[2].as_str().unwrap());
        }
        assert!(count > 1_000);
    }
}

/// Returns the search index.
fn index(folder: &Path) -> Vec<serde_json::Value> {
    let script = fs::read_to_string(folder.join("assets/search.js")).unwrap();
    let list = script.strip_prefix("window.isaIndex=").unwrap().trim_end().trim_end_matches(';');
    serde_json::from_str(list).unwrap()
}

#[test]
fn the_search_knows_each_mnemonic_field_and_value() {
    for Manual { set, folder, .. } in &*MANUALS {
        let index = index(folder);
        let column = |place: usize| index.iter().map(move |entry| entry[place].as_str().unwrap());
        let (texts, mnemonics): (BTreeSet<&str>, BTreeSet<&str>) =
            (column(0).collect(), column(4).collect());
        for mnemonic in set.mnemonics {
            assert!(mnemonics.contains(mnemonic.text), "{}", mnemonic.text);
        }
        for field in set.opcodes.iter().flat_map(|opcode| opcode.fields) {
            assert!(texts.contains(field.name), "{}", field.name);
        }
        for value in set.kinds().iter().flat_map(|kind| kind.values) {
            assert!(texts.contains(value.name), "{}", value.name);
        }
    }
}

#[test]
fn pictures_have_names_and_cover_each_bit() {
    for Manual { set, pages, .. } in &*MANUALS {
        for (file, page) in pages {
            for picture in page.all("svg") {
                assert_eq!(picture.get("role"), Some("img"), "{file}");
                assert!(!picture.get("aria-label").unwrap().is_empty(), "{file}");
            }
        }
        for opcode in set.opcodes {
            let file = format!("opcode/{}.html", opcode.name);
            let Some((_, page)) = pages.iter().find(|(name, _)| *name == file) else { continue };
            let first = page.elements.iter().position(|element| element.name == "svg").unwrap();
            let groups = page.elements.iter().enumerate();
            let groups = groups.filter(|(_, it)| it.name == "g" && it.parent == first);
            let boxes = groups.map(|(group, _)| {
                let of = |it: &&Element| it.name == "rect" && it.parent == group;
                page.elements.iter().find(of).unwrap().get("width").unwrap().parse::<u32>().unwrap()
            });
            assert_eq!(boxes.sum::<u32>(), 25 * u32::from(opcode.bits), "{}", opcode.name);
        }
    }
}
