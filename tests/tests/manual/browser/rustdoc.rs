//! The pages that rustdoc creates for opcodes: the drawn bits, and the methods of an opcode.

use std::path::PathBuf;
use std::process::Command;

use isa_core::table::Init;
use isa_defs::gpu::Gpu;
use isa_tests::tools::are_here;
use serde_json::json;

use super::super::{Path, fs};
use super::{AXE, Browser, CHROMIUM};

/// Builds the pages of the two families with `cargo doc`.
fn documented() -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).parent().unwrap();
    let mut cargo = Command::new(env!("CARGO"));
    cargo.current_dir(root).env("CARGO_TARGET_DIR", target);
    let written =
        cargo.args(["doc", "-p", "isa-defs", "--no-deps"]).output().expect("cargo starts");
    assert!(written.status.success(), "{}", String::from_utf8_lossy(&written.stderr));
    target.join("doc/isa_defs")
}

/// Returns properties of the drawn bits: the columns of each row, the minimum width of a bit, and
/// the texts that are broken into two lines.
const DRAWN: &str = "(() => {
    const rows = [...document.querySelector('table.isa-bits').rows].map(row => [...row.cells]);
    const cells = rows.flat();
    return {
        columns: rows.map(cells => cells.reduce((sum, cell) => sum + cell.colSpan, 0)),
        least: Math.min(...cells.map(cell => cell.getBoundingClientRect().width / cell.colSpan)),
        cut: cells.flatMap(cell => [cell, ...cell.children].flatMap(part => [...part.childNodes]))
            .filter(text => text.nodeType === Node.TEXT_NODE)
            .filter(text => {
                const range = document.createRange();
                range.selectNode(text);
                return range.getClientRects().length > 1;
            }).map(text => text.data),
    };
})()";

/// Returns the addresses that the table of fields links to, with their texts.
const METHODS: &str =
    "[...document.querySelectorAll('.docblock table:not(.isa-bits) td:last-child a')]
    .map(link => [link.textContent, link.href])";

#[test]
#[ignore = "runs rustdoc; `.ci/run` runs it"]
fn the_pages_of_rustdoc_draw_the_bits_and_name_the_methods_of_each_opcode() {
    if !are_here(&[CHROMIUM]) {
        return;
    }
    let (folder, mut browser) = (documented(), Browser::start());
    for (index, opcode) in Gpu::SET.opcodes.iter().enumerate() {
        let file = format!("type.{}.html", camel(opcode.name));
        let page = ["halu", "video"].map(|family| folder.join(family).join(&file));
        let page = page.into_iter().find(|page| page.exists()).unwrap_or_else(|| panic!("{file}"));
        let address = format!("file://{}", page.display());
        for (width, scheme) in [(1280, "light"), (390, "dark")] {
            browser.screen(width, 900, scheme);
            browser.open(&address);
            let drawn = browser.evaluate(DRAWN);
            assert_eq!(drawn["columns"], json!([32, 32, 32, 32]), "{file}");
            assert!(drawn["least"].as_f64().unwrap() >= 24.0, "{file}: {drawn}");
            assert_eq!(drawn["cut"], json!([]), "{file}, {width}");
            let wide = browser.evaluate("document.documentElement.scrollWidth");
            assert!(wide.as_u64().unwrap() <= u64::from(width), "{file}: {wide} wide");
            if index % 13 == 0 && are_here(&[AXE]) {
                let serious = browser.serious("'table.isa-bits'");
                assert!(serious.is_empty(), "{file}, {width}:\n{}", serious.join("\n"));
            }
        }
        let open = opcode.fields.iter().filter(|field| !matches!(field.init, Init::Fixed(_)));
        let methods = open.flat_map(|field| {
            let name = field.name.replace('.', "_");
            [name.clone(), format!("get_{name}")]
        });
        let (mut methods, mut named) = (methods.collect::<Vec<_>>(), Vec::new());
        for link in browser.evaluate(METHODS).as_array().unwrap() {
            let [text, href] = [0, 1].map(|place| link[place].as_str().unwrap());
            let (page, place) = href.strip_prefix("file://").unwrap().split_once('#').unwrap();
            let page = fs::read_to_string(page).unwrap();
            assert!(page.contains(&format!("id=\"{place}\"")), "{file}: {href}");
            named.push(text.to_owned());
        }
        methods.sort();
        named.sort();
        assert_eq!(named, methods, "{file}");
    }
}

/// Converts `HADD2_RR` to `Hadd2Rr`.
fn camel(name: &str) -> String {
    let words = name.split('_').filter_map(|word| word.split_at_checked(1));
    words.map(|(first, rest)| first.to_uppercase() + &rest.to_lowercase()).collect()
}
