//! Tests the manual of a set with a vendor's documentation in Chinese: tables, code, links, the order of
//! headings, joined lines and the language of the page.

use super::*;

#[path = "../interchange/import/prose.rs"]
mod counters;

/// The manual of the imported set.
pub(crate) static COUNTERS: LazyLock<Manual> =
    LazyLock::new(|| Manual::write(&Tool::<counters::Counters>::new("counters"), "counters", None));

#[test]
fn prose_is_rendered_as_the_vendor_wrote_it() {
    let page = COUNTERS.page("opcode/STEP_R.html");
    assert_eq!(page.all("html").next().unwrap().get("lang"), Some("zh"));
    let doc = page.all("div").find(|it| it.get("class") == Some("doc")).unwrap();
    // All sections of prose, in the order of the file.
    let titles: Vec<&str> = page.all("h3").map(|title| title.text.as_str()).collect();
    assert_eq!(titles, ["OperandInfo", "ModifierInfo", "Semantics", "Timing", "Simulation"]);
    let cells = [vec!["Rd[15:0]", "16"], vec!["Rd[31:16]", "16"]];
    assert_eq!(page.table("Table"), cells);
    assert!(!doc.text.contains('|') && !doc.text.contains(":--"), "{}", doc.text);
    for line in [
        "把计数器加一，越界时停在最大值。参考BACK和JUMP指令，以及回绕规则（BACK）与跳转规则。\n",
        "Rd保存计数器的值，.WRAP对它没有其他要求。\n",
        ".WRAP表示越界之后从零开始\n",
        "每条指令<2>个周期。\n",
    ] {
        assert!(doc.text.contains(line), "{line}{}", doc.text);
    }
    let code = page.all("pre").filter(|it| it.get("class").is_none());
    let code: Vec<&str> = code.map(|it| it.text.as_str()).take(2).collect();
    assert_eq!(
        code,
        [
            "// 越界\nif (rd == 0xbeef) rd = wrap ? 0 : 0xbeef;\n",
            "next = step(rd,\n            wrap);\n"
        ]
    );
    // `BACK` has a page, and `JUMP` has none.
    let links = page.all("a").filter(|it| it.get("href") == Some("../group/BACK.html"));
    assert_eq!(links.filter(|link| link.text == "BACK").count(), 2);
    let mut links = COUNTERS.page("opcode/BACK_R.html").all("a");
    assert!(links.any(|it| it.get("href") == Some("../opcode/STEP_R.html") && it.text == "STEP_R"));
    assert_eq!(page.all("a").find(|it| it.text.contains("JUMP")).map(|it| &it.text), None);
}
