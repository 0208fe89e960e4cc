//! The page of the differences between two versions of a set.

use std::collections::BTreeSet;
use std::fs;

use isa_tests::tools::Temporary;
use serde_json::Value;

use super::page::Page;
use super::{Io, Status};

/// Runs the tool with two versions and these arguments. The last argument is the file of the page.
fn run(arguments: &[&str]) -> (Status, String) {
    let (mut output, mut errors) = (vec![], vec![]);
    let status =
        isa_defs::cli::tool().run(arguments, Io::of(&mut &b""[..], &mut output, &mut errors));
    assert!(errors.is_empty(), "{}", String::from_utf8_lossy(&errors));
    (status, String::from_utf8(output).unwrap())
}

/// Returns two versions of the GPU set. In the new version, one opcode has another name, one has a
/// rule with another reason, one is removed, and one has its fields at other positions.
fn versions() -> [Temporary; 2] {
    let (status, text) = run(&["export", "json"]);
    assert_eq!(status, Status::Success);
    let mut json: Value = serde_json::from_str(&text).unwrap();
    let opcodes = json["opcodes"].as_array_mut().unwrap();
    opcodes.pop();
    opcodes[0]["name"] = "HADD2_<RR> & \"more\"".into();
    let with_rules = opcodes.iter_mut().skip(1).find(|it| it["illegal"].get(0).is_some());
    with_rules.unwrap()["illegal"][0]["reason"] = "</td><script>window.hit = 1</script>".into();
    let pieces = |field: &Value| field["pieces"].clone();
    let fields = opcodes[3]["fields"].as_array_mut().unwrap();
    let mut operands = fields
        .iter_mut()
        .filter(|field| field["fixed"].is_null() && field["pieces"][0][1].as_u64() == Some(8));
    let (one, other) = (operands.next().unwrap(), operands.next().unwrap());
    let moved = pieces(one);
    one["pieces"] = pieces(other);
    other["pieces"] = moved;
    [text, json.to_string()].map(|text| {
        let file = Temporary::new("json");
        fs::write(&file.0, text).unwrap();
        file
    })
}

/// Returns a file with the page of two versions.
pub(super) fn page() -> Temporary {
    let [old, new] = versions();
    let page = Temporary::new("html");
    let [from, to, file] = [&old, &new, &page].map(|it| it.0.to_str().unwrap());
    assert_eq!(run(&["diff", from, to, "--html", file]).0, Status::Failure);
    page
}

#[test]
fn the_page_of_a_difference_says_what_is_printed_and_draws_each_opcode() {
    let [old, new] = versions();
    let [old, new] = [&old, &new].map(|it| it.0.to_str().unwrap());
    let (status, text) = run(&["diff", old, new, "--html", "-"]);
    assert_eq!(status, Status::Failure);
    let page = Page::read("diff", &text);
    // No text of the set is interpreted as markup.
    assert_eq!(page.all("script").count(), 0);
    let ids: BTreeSet<&str> = page.ids().collect();
    for link in page.all("a") {
        let place = link.get("href").unwrap().strip_prefix('#').unwrap();
        assert!(ids.contains(place), "{place}");
    }
    let (_, lines) = run(&["diff", old, new, "--json"]);
    let rows = page.table("Changes");
    assert_eq!(rows.len(), lines.lines().count());
    let mut witnesses = 0;
    for (row, line) in rows.iter().zip(lines.lines()) {
        let change: Value = serde_json::from_str(line).unwrap();
        assert_eq!(
            (row[0], row[2]),
            (
                change["what"].as_str().unwrap(),
                change["message"].as_str().unwrap().replace('`', "").as_str()
            )
        );
        if let Some(witness) = change["witness"].as_str() {
            let witness = format!("{:#x}", u128::from_str_radix(&witness[2..], 16).unwrap());
            for part in
                [&witness, change["before"].as_str().unwrap(), change["after"].as_str().unwrap()]
            {
                assert!(row[3].contains(part), "{row:?} lacks {part}");
            }
            witnesses += 1;
        }
    }
    assert!(witnesses >= 3, "{lines}");
    // The pictures have rows of 32 bits and of 16 bits, of the old and of the new version, with and
    // without a word.
    let pictures = |name: &str| {
        let label = format!("The bits of {name} by fields, ");
        let drawn =
            page.all("svg").filter(|svg| svg.get("aria-label").unwrap().starts_with(&label));
        drawn
            .map(|svg| svg.get("aria-label").unwrap()[label.len()..].to_owned())
            .collect::<Vec<_>>()
    };
    assert_eq!(pictures("HADD2_<RR> & \"more\""), ["before", "before", "now", "now"]);
    let changes = lines.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    for change in changes.filter(|change| change["what"] == "removed") {
        let gone = pictures(change["places"][0].as_str().unwrap());
        assert!(!gone.is_empty() && gone.iter().all(|when| when == "before"), "{gone:?}");
    }
    // Equal versions have a page that reports that nothing is different.
    let (status, text) = run(&["diff", old, old, "--html", "-"]);
    assert_eq!(status, Status::Success);
    assert!(text.contains("The two sets are equal.") && !text.contains("<svg"), "{text}");
}
