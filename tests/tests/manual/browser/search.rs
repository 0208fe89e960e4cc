//! Searches for words inside descriptions, and looks for the rules of arithmetic on the pages that the
//! search finds.

use super::super::prose::COUNTERS;
use super::*;

/// Types a text into the search, and returns the names and addresses of all results.
const RESULTS: &str = "(async text => {
    const input = document.getElementById('search'), found = document.getElementById('found');
    input.value = text;
    input.dispatchEvent(new Event('input'));
    while (found.hidden) await new Promise(done => setTimeout(done, 1));
    return [...found.querySelectorAll('a')].map(link =>
        [link.querySelector('b').textContent, link.href, link.querySelector('small').textContent]);
})";

/// The rules of `DECISIONS.md` in `shared/spec`, section 5: a query, the optype whose page states the rule,
/// and words of the rule on this page.
const RULES: [(&str, &str, &str); 16] = [
    ("7fff", "HFMA2", "If a source is NaN"),
    (
        "HFMA2 infinities",
        "HFMA2",
        "the result is 0x7FFF. .RELU keeps NaN; with .SAT, NaN becomes +0.",
    ),
    ("HFMA2 .RM -0", "HFMA2", "an exact zero sum of opposite signs is +0, with .RM -0"),
    ("HFMA2 +0 .SAT", "HFMA2", ".RELU keeps -0; with .SAT, -0 becomes +0."),
    ("HFMA2 subnormal", "HFMA2", "with .FTZ, both become zeros of the same sign"),
    (
        "absolute negation exact product .RELU",
        "HFMA2",
        "half-select, absolute value, negation, .FTZ of the sources, the exact product and sum with one \
         rounding, .SAT or .RELU, and .FTZ of the result",
    ),
    ("excludes RELU", "HFMA2", ".RELU replaces each result below zero by +0. .SAT excludes .RELU."),
    ("HADD2 7fff", "HADD2", "infinities of opposite signs are added, the result is 0x7FFF"),
    (
        "F32 32-bit lane",
        "HADD2",
        "only lane 0 is added. Its finished result, rounded to 16 bits, is converted",
    ),
    ("7fffffff", "HADD2", "NaN becomes 0x7FFFFFFF"),
    ("HMUL2 -0 differ", "HMUL2", "a zero product is -0 if the signs of the sources differ"),
    ("HMNMX2 .NAN", "HMNMX2", "with .NAN, the result is NaN"),
    ("HMNMX2 smaller -0", "HMNMX2", "-0 is smaller than +0"),
    ("HSETP2 NaN false", "HSETP2", "the comparisons .LT to .GE are false"),
    ("pu pv same register", "HSETP2", "it keeps the result of pv, which is lane 1"),
    ("HSET2 0xFFFF", "HSET2", "True is written as 0xFFFF, or with .BF as 1.0"),
];

impl Browser {
    /// Returns the results of a search on the current page: names, addresses and excerpts.
    fn search(&mut self, text: &str) -> Vec<[String; 3]> {
        let found = self.evaluate(&format!("{RESULTS}({})", json!(text)));
        let part = |it: &Value, place: usize| it[place].as_str().unwrap().to_owned();
        let found = found.as_array().unwrap().iter();
        found.map(|it| [0, 1, 2].map(|place| part(it, place))).collect()
    }
}

#[test]
#[ignore = "needs a browser; `.ci/run` runs it"]
fn the_search_finds_the_rules_of_arithmetic() {
    if !are_here(&[CHROMIUM]) {
        return;
    }
    let mut browser = Browser::start();
    for (query, optype, rule) in RULES {
        browser.open(&MANUALS[0].address("index.html"));
        let found = browser.search(query);
        let result = found.iter().find(|[name, ..]| name == optype);
        let [_, address, excerpt] = result.unwrap_or_else(|| panic!("{query}: {found:?}"));
        if !query.contains(' ') {
            assert!(excerpt.to_lowercase().contains(query), "{query}: {excerpt}");
        }
        // The description of the optype is also on the pages of its opcodes.
        let opcode = MANUALS[0]
            .set
            .opcodes
            .iter()
            .find(|opcode| opcode.lineage.groups().any(|group| group.name == optype));
        let opcode = MANUALS[0].address(&format!("opcode/{}.html", opcode.unwrap().name));
        for address in [address, &opcode] {
            browser.open(address);
            let text = browser.evaluate("document.querySelector('.doc').innerText");
            let words: Vec<&str> = text.as_str().unwrap().split_whitespace().collect();
            let text = words.join(" ");
            assert!(
                text.to_lowercase().contains(&rule.to_lowercase()),
                "{address}: {rule}\n{text}"
            );
        }
    }
    assert_eq!(browser.errors, [""; 0]);
}

#[test]
#[ignore = "needs a browser; `.ci/run` runs it"]
fn the_search_finds_words_of_any_script() {
    if !are_here(&[CHROMIUM]) {
        return;
    }
    let mut browser = Browser::start();
    browser.open(&COUNTERS.address("index.html"));
    for (query, names) in [
        // A part of a line, the end of one line with the beginning of the next, and code.
        ("没有其他", &["STEP", "STEP_R"][..]),
        ("加一，越界", &["STEP", "STEP_R"]),
        ("BEEF", &["STEP", "STEP_R"]),
        ("公共部分", &["COUNTERS", "STEP_R", "BACK_R"]),
        ("寄存器 最大值", &["STEP_R"]),
        ("乘法", &[]),
    ] {
        let found = browser.search(query);
        let mut found: Vec<&str> = found.iter().map(|[name, ..]| name.as_str()).collect();
        let mut names = names.to_vec();
        found.sort_unstable();
        names.sort_unstable();
        assert_eq!(found, names, "{query}");
    }
    assert_eq!(browser.errors, [""; 0]);
}
