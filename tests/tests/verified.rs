//! Checks that the page of verified properties matches the reports.

use std::fs;

use isa_tests::verify::page::{Reports, folder};
use isa_tests::verify::{Campaign, catalogue};

#[test]
fn the_page_agrees_with_the_reports() {
    let reports = Reports::load(&folder()).expect("they are checked in");
    let read = |path| fs::read_to_string(path).expect("it is checked in");
    let template = read(folder().join("template.md"));
    let page = reports.page(&template, &catalogue::all(catalogue::TRIPLES));
    let found = read(folder().with_file_name("VERIFIED.md"));
    assert!(found == page, "VERIFIED.md is not of these reports: run `verify page`");
}

fn campaign(name: &str, units: u64) -> Campaign {
    Campaign::new(name.to_owned(), "none", [units, 10], |_, _| {})
}

fn report(name: &str, cases: u64, differences: u64, shard: [u64; 2]) -> String {
    format!(
        r#"{{"campaign": "{name}", "cases": {cases}, "differences": {differences}, "oracle": "o",
            "seconds": 1.6, "threads": 2, "shard": {shard:?}, "commit": "0123456789abcdef+",
            "cpu": "c"}}"#
    )
}

const TEMPLATE: &str = "{campaigns}\n{missing}\n{fuzz}\n{others}";

#[test]
fn shards_and_opcodes_are_summed() {
    let all = [campaign("a/b", 200), campaign("encoding/s/p/X", 1), campaign("encoding/s/p/Y", 1)];
    let mut reports = Reports::default();
    let mut add = |line: String| reports.add(&line, "2026-01-02").expect("it is a report");
    add(report("a/b", 1000, 0, [1, 2]));
    add(report("encoding/s/p/X", 10, 1, [1, 1]));
    let half = reports.page(TEMPLATE, &all);
    assert!(half.contains("- `a/b`: 1,000 of 2,000 cases\n- `encoding/s/p/*`: 10 of 20"), "{half}");

    let mut add = |line: String| reports.add(&line, "2026-01-02").expect("it is a report");
    add(report("a/b", 1000, 2, [2, 2]));
    add(report("encoding/s/p/Y", 10, 0, [1, 1]));
    // A second report with the same name replaces the first.
    add(report("encoding/s/p/X", 10, 0, [1, 1]));
    let whole = reports.page(TEMPLATE, &all);
    let line = "| `a/b` | 2,000 | 2 | o | 3 | c, 2 threads | 01234567+ | 2026-01-02 |\n";
    assert!(whole.contains(line), "{whole}");
    assert!(whole.contains("| `encoding/s/p/*` | 20 | 0 | o | 3 |"), "{whole}");
    assert!(whole.contains("Every campaign was run to its end."), "{whole}");
}

#[test]
fn runs_of_the_fuzzer_add_up_by_seed() {
    let mut reports = Reports::default();
    for (seed, cases) in [(1, 100), (2, 50), (2, 60)] {
        let line = report("fuzz/t", cases, seed - 1, [1, 1]);
        let line = line.replacen('{', &format!("{{\"seed\": {seed},"), 1);
        reports.add(&line, "2026-01-02").expect("it is a report");
    }
    let page = reports.page(TEMPLATE, &[]);
    assert!(page.contains("| `t` | 160 | 1 | 3 | 50 |"), "{page}");
    assert!(page.contains("| all | 160 | 1 |"), "{page}");
}

#[test]
fn what_is_no_report_is_refused() {
    let mut reports = Reports::default();
    for line in ["", "{}", "[1]", r#"{"campaign": "a", "cases": "1"}"#] {
        assert!(reports.add(line, "").is_err(), "{line}");
    }
    assert_eq!(reports, Reports::default());
}
