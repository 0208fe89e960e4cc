//! Tests the pages in Chromium: no script errors, no page wider than a phone, a search that finds
//! each mnemonic, and no serious accessibility problem reported by axe.

mod client;
mod live;
mod rustdoc;
mod search;

use isa_tests::tools::{Tool, are_here};
use serde_json::{Value, json};

use super::{MANUALS, Manual, Path, fs};
use client::Browser;

const CHROMIUM: Tool =
    Tool { program: "chromium", release: "Chromium", install: "apt-get install chromium" };

/// The accessibility checker, as `.ci/run` downloads it.
const AXE: Tool = Tool {
    program: concat!(env!("CARGO_MANIFEST_DIR"), "/../target/axe/package/axe.min.js"),
    release: "",
    install: "mkdir -p target/axe && npm pack axe-core@4.10.3 --pack-destination target/axe && \
              tar -xzf target/axe/axe-core-4.10.3.tgz -C target/axe",
};

impl Manual {
    /// Returns the address of a page.
    fn address(&self, page: &str) -> String {
        format!("file://{}/{page}", self.folder.display())
    }
}

#[test]
#[ignore = "takes half a minute; `.ci/run` runs it"]
fn no_page_has_an_error_or_is_wider_than_a_phone() {
    if !are_here(&[CHROMIUM]) {
        return;
    }
    let mut browser = Browser::start();
    browser.screen(390, 844, "light");
    for manual in &MANUALS[..2] {
        for (file, _) in &manual.pages {
            browser.open(&manual.address(file));
            let width = browser.evaluate("document.documentElement.scrollWidth");
            assert!(width.as_u64().unwrap() <= 390, "{file} is {width} wide");
            let tools = browser.evaluate("!document.querySelector('.tools').hidden");
            assert_eq!(tools, json!(true), "{file}: the script has not run");
            assert_eq!(browser.errors, [""; 0], "{file}");
        }
    }
}

#[test]
#[ignore = "needs a browser; `.ci/run` runs it"]
fn the_page_of_a_difference_fits_a_phone_and_axe_finds_nothing_serious() {
    if !are_here(&[CHROMIUM]) {
        return;
    }
    let (page, mut browser) = (super::versions::page(), Browser::start());
    for (width, scheme) in [(1280, "light"), (390, "dark")] {
        browser.screen(width, 900, scheme);
        browser.open(&format!("file://{}", page.0.display()));
        let wide = browser.evaluate("document.documentElement.scrollWidth");
        assert!(wide.as_u64().unwrap() <= u64::from(width), "{wide} wide");
        assert_eq!(browser.evaluate("window.hit || 0"), 0, "text of the set was run");
        assert_eq!(browser.errors, [""; 0]);
        if are_here(&[AXE]) {
            let serious = browser.serious("document");
            browser.errors.clear();
            assert!(serious.is_empty(), "{width}, {scheme}:\n{}", serious.join("\n"));
        }
    }
}

/// Types each text into the search, and returns the first result for each.
const SEARCH: &str = "(async texts => {
    const input = document.getElementById('search'), found = document.getElementById('found');
    const first = [];
    for (const text of texts) {
        input.value = text;
        input.dispatchEvent(new Event('input'));
        while (found.hidden) await new Promise(done => setTimeout(done, 1));
        const link = found.querySelector('a');
        first.push(link && [link.getAttribute('href'), link.querySelector('i').textContent]);
        input.value = '';
        input.dispatchEvent(new Event('input'));
    }
    return first;
})";

#[test]
#[ignore = "needs a browser; `.ci/run` runs it"]
fn the_search_finds_each_mnemonic() {
    if !are_here(&[CHROMIUM]) {
        return;
    }
    let mut browser = Browser::start();
    for manual in &*MANUALS {
        browser.open(&manual.address("language/index.html"));
        let mnemonics = manual.set.mnemonics.iter().filter(|mnemonic| !mnemonic.text.is_empty());
        let mnemonics: Vec<_> = mnemonics.collect();
        let texts: Vec<&str> = mnemonics.iter().map(|mnemonic| mnemonic.text).collect();
        let found = browser.evaluate(&format!("{SEARCH}({})", json!(texts)));
        for (mnemonic, found) in mnemonics.iter().zip(found.as_array().unwrap()) {
            let page = found[0].as_str().unwrap_or_default();
            let page = page.trim_start_matches("../").split('#').next().unwrap();
            let name = manual.page(page).all("h1").next().unwrap().text.clone();
            let rows = mnemonic.opcodes.iter().map(|&at| manual.set.spellings[usize::from(at)]);
            let is_it = |row: &isa_core::table::Opcode| {
                row.name == name || {
                    let of = manual.set.opcodes.iter().find(|opcode| opcode.name == name);
                    of.is_some_and(|of| of.aliases.iter().any(|alias| alias.row.name == row.name))
                }
            };
            assert!(rows.into_iter().any(is_it), "{}: {found}", mnemonic.text);
        }
    }
    assert_eq!(browser.errors, [""; 0]);
}

#[test]
#[ignore = "needs a browser; `.ci/run` runs it"]
fn keys_themes_and_the_map_work() {
    if !are_here(&[CHROMIUM]) {
        return;
    }
    let mut browser = Browser::start();
    browser.screen(1280, 900, "light");
    let gpu = &MANUALS[0];
    browser.open(&gpu.address("opcode/HADD2_RR.html"));
    let key = |key: &str| {
        format!(
            "document.body.dispatchEvent(new KeyboardEvent('keydown', {{key: '{key}', bubbles: true}}))"
        )
    };
    browser.evaluate(&key("/"));
    assert_eq!(browser.evaluate("document.activeElement.id"), "search");
    let colour = "getComputedStyle(document.body).backgroundColor";
    assert_eq!(browser.evaluate(colour), "rgb(255, 255, 255)");
    browser.evaluate("document.getElementById('theme').click()");
    assert_eq!(browser.evaluate(colour), "rgb(20, 24, 30)");
    browser.evaluate("localStorage.clear()");
    // An address opens an opcode on the map, and clicks enter an area and leave it again.
    browser.open(&gpu.address("map/index.html#opcode-HADD2_RC"));
    assert_eq!(
        browser.evaluate("document.querySelector('.plane .here b').textContent"),
        "HADD2_RC"
    );
    browser.evaluate("document.querySelector('.crumbs button').click()");
    assert_eq!(browser.evaluate("document.querySelectorAll('.plane > .split').length"), 18);
    browser.evaluate("document.querySelector('.plane button').click()");
    assert_eq!(browser.evaluate("document.querySelectorAll('.crumbs button').length"), 1);
    // Free patterns of at least this number of bits.
    let rows = "document.querySelectorAll('tr[data-free]:not([hidden])').length";
    let all = browser.evaluate(rows).as_u64().unwrap();
    let ask = "document.querySelector('.ask input').value = 121;
               document.querySelector('.ask input').dispatchEvent(new Event('input'));";
    browser.evaluate(ask);
    let some = browser.evaluate(rows).as_u64().unwrap();
    assert!(0 < some && some < all, "{some} of {all}");
    assert_eq!(browser.errors, [""; 0]);
}

/// Checks addresses with invalid parts: the script runs to its end and throws no error.
#[test]
#[ignore = "needs a browser; `.ci/run` runs it"]
fn a_malformed_address_does_no_harm() {
    if !are_here(&[CHROMIUM]) {
        return;
    }
    let mut browser = Browser::start();
    browser.screen(1280, 900, "light");
    for end in ["#%", "#%ff", "#%E0%A4%A", "?q=%", "?q=%ff#%", "#opcode-none", "#"] {
        // The map is the last thing that the script creates. A page without a map opens the element
        // that the address refers to.
        browser.open(&MANUALS[0].address(&format!("map/index.html{end}")));
        let areas = browser.evaluate("document.querySelectorAll('.plane > *').length");
        assert!(areas.as_u64().unwrap() > 1, "{end}: no map");
        browser.open(&MANUALS[0].address(&format!("opcode/HADD2_RR.html{end}")));
        browser.evaluate("location.hash = '#%'");
        browser.evaluate("new Promise(done => setTimeout(done, 50))");
        assert_eq!(browser.errors, [""; 0], "{end}");
    }
}

/// One page of each type.
const SORTS: [&str; 10] = [
    "index.html",
    "opcode/HADD2_RI.html",
    "opcode/HFMA2_RRR.html",
    "group/H_ARITH.html",
    "kind/HSel2.html",
    "kinds/index.html",
    "language/index.html",
    "illegal/index.html",
    "map/index.html",
    "try/index.html",
];

#[test]
#[ignore = "needs a browser; `.ci/run` runs it"]
fn axe_finds_nothing_serious() {
    if !are_here(&[CHROMIUM, AXE]) {
        return;
    }
    let mut browser = Browser::start();
    for (width, scheme) in [(1280, "light"), (390, "dark")] {
        browser.screen(width, 900, scheme);
        for file in SORTS {
            browser.open(&MANUALS[0].address(file));
            let serious = browser.serious("document");
            assert!(serious.is_empty(), "{file}, {width}, {scheme}:\n{}", serious.join("\n"));
        }
    }
}

impl Browser {
    /// Returns the serious and critical problems that axe reports for a part of the page, given as
    /// an expression.
    fn serious(&mut self, part: &str) -> Vec<String> {
        let axe = fs::read_to_string(AXE.program).unwrap();
        self.evaluate(&format!("{axe};0"));
        let found = self.evaluate(&format!("axe.run({part}).then(result => result.violations)"));
        let serious = found.as_array().unwrap().iter().filter(|violation| {
            violation["impact"] == "serious" || violation["impact"] == "critical"
        });
        serious.map(shown).collect()
    }
}

/// Returns a problem reported by axe as a line, with the first elements.
fn shown(violation: &Value) -> String {
    let nodes = violation["nodes"].as_array().map_or(&[][..], Vec::as_slice);
    let nodes: Vec<String> = nodes.iter().take(3).map(|node| node["html"].to_string()).collect();
    format!("{}: {}: {}", violation["id"], violation["help"], nodes.join(" "))
}

/// The pictures that are kept: file, page, width, light or dark.
const PICTURES: [(&str, usize, &str, u32, &str); 5] = [
    ("opcode-wide", 0, "opcode/HADD2_RI.html", 1280, "light"),
    ("opcode-narrow", 1, "opcode/BEQ.html", 390, "dark"),
    ("map-wide", 1, "map/index.html#opcode-ADD", 1280, "light"),
    ("index-narrow", 1, "index.html", 390, "light"),
    ("examples-wide", 0, "opcode/HFMA2_RRR.html#examples", 1280, "dark"),
];

/// Writes new pictures to `tests/manual`.
#[test]
#[ignore = "writes to the sources if ISA_PICTURES is set"]
fn pictures() {
    if std::env::var("ISA_PICTURES").is_err() || !are_here(&[CHROMIUM]) {
        return;
    }
    let mut browser = Browser::start();
    for (name, set, page, width, scheme) in PICTURES {
        browser.screen(width, if width < 600 { 844 } else { 860 }, scheme);
        browser.open(&MANUALS[set].address(page));
        browser.keep_picture(name);
    }
}

impl Browser {
    /// Saves a screenshot in `tests/manual`.
    fn keep_picture(&mut self, name: &str) {
        self.evaluate("new Promise(done => setTimeout(done, 200))");
        let picture = self.picture();
        assert!(picture.len() < 150_000, "{name}: {} bytes", picture.len());
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("manual");
        fs::create_dir_all(&folder).unwrap();
        fs::write(folder.join(format!("{name}.png")), picture).unwrap();
    }
}
