//! Tests the interactive page in Chromium, with the engines of three sets as WebAssembly. It must
//! match the tools bit by bit, by mouse, by keyboard and by link.

use std::path::PathBuf;
use std::process::Command;
use std::sync::LazyLock;

use super::super::engine::{SUBJECTS, Subject};
use super::*;

/// The target of WebAssembly, which is not a program. If it is missing, this contains the command
/// that installs it.
const TARGET: Tool = Tool {
    program: "wasm32-unknown-unknown",
    release: "",
    install: "rustup target add wasm32-unknown-unknown",
};

/// The manuals with engines, or `None` if the target is missing.
static LIVE: LazyLock<Option<[Manual; 3]>> = LazyLock::new(|| {
    if !has_target() {
        return None;
    }
    let engine = |it: &Subject| build(&format!("{}_engine", it.name), it.package, &[]);
    let [gpu, rv, a64] = SUBJECTS.each_ref().map(engine);
    Some([
        Manual::write(&isa_defs::cli::tool(), "live-gpu", Some(&gpu)),
        Manual::write(&isa_riscv::tool(), "live-rv", Some(&rv)),
        Manual::write(&isa_a64::tool(), "live-a64", Some(&a64)),
    ])
});

/// Returns whether WebAssembly can be built on this machine.
fn has_target() -> bool {
    let library = Command::new("rustc")
        .args(["--print", "target-libdir", "--target", "wasm32-unknown-unknown"])
        .output()
        .expect("a compiler starts");
    PathBuf::from(String::from_utf8_lossy(&library.stdout).trim()).is_dir()
}

/// Builds an engine with the command of the documentation and additional arguments.
fn build(example: &str, package: &str, more: &[&str]) -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    // The target folder of this test, without its profile.
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).parent().unwrap();
    let mut cargo = Command::new(env!("CARGO"));
    cargo.current_dir(root).env("CARGO_TARGET_DIR", target);
    cargo.args(["build", "--profile", "web", "--target", "wasm32-unknown-unknown"]);
    cargo.args(["--no-default-features", "-p", package, "--example", example]).args(more);
    let built = cargo.output().expect("cargo starts");
    assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
    target.join(format!("wasm32-unknown-unknown/web/examples/{example}.wasm"))
}

/// Returns the manuals with their subjects, if everything that a test needs is installed.
fn subjects() -> Option<impl Iterator<Item = (&'static Subject, &'static Manual)>> {
    if !are_here(&[CHROMIUM]) {
        return None;
    }
    match &*LIVE {
        Some(live) => Some(SUBJECTS.iter().zip(live)),
        None => {
            assert!(!are_here(&[TARGET]), "the target is missing");
            None
        }
    }
}

impl Browser {
    /// Opens the page of a manual, with a state if it is not empty, and waits for the engine.
    fn open_live(&mut self, manual: &Manual, state: &str) {
        self.open(&manual.address(&format!("try/index.html{state}")));
        self.evaluate("window.isaTry.then(() => 0)");
    }

    /// Returns the answer of the page's engine.
    fn ask(&mut self, request: &str) -> String {
        let answer = self.evaluate(&format!("isaTry.then(ask => ask({}))", json!(request)));
        answer.as_str().expect("a text").to_owned()
    }

    /// Returns the text of an element, or the value of an input.
    fn shown(&mut self, name: &str) -> String {
        let it = format!("document.getElementById('try-{name}')");
        let shown =
            self.evaluate(&format!("({it} || {{}}).value ?? ({it} || {{}}).textContent ?? ''"));
        shown.as_str().expect("a text").to_owned()
    }

    /// Types into an input.
    fn put(&mut self, name: &str, text: &str) {
        self.evaluate(&format!(
            "(it => {{ it.value = {}; it.dispatchEvent(new Event('input', {{bubbles: true}})); }})\
             (document.getElementById('try-{name}'))",
            json!(text)
        ));
    }

    /// Presses a key.
    fn press(&mut self, key: &str, code: u32) {
        for kind in ["keyDown", "keyUp"] {
            let text = if key == " " { " " } else { "" };
            let event =
                json!({"type": kind, "key": key, "windowsVirtualKeyCode": code, "text": text});
            self.call("Input.dispatchKeyEvent", event);
        }
    }
}

#[test]
#[ignore = "needs a browser and a target; `.ci/run` runs it"]
fn addresses_beyond_2_to_the_53_are_shown_as_they_are() {
    let Some(mut subjects) = subjects() else { return };
    let (_, rv) = subjects.nth(1).expect("RISC-V");
    let mut browser = Browser::start();
    // The address also contains the number of the selected word, which may be any text.
    browser.open_live(
        rv,
        "#text=c.addi+a0%2C+1%0Ac.addi+a0%2C+2&at=0.5&state=pc%3D0xffffffff80000000",
    );
    let shown = browser.shown("done");
    assert!(shown.contains("0xffffffff80000002"), "{shown}");
    browser.put("state", "pc=0xffffffff80000001");
    let shown = browser.shown("done");
    assert!(shown.contains("Stopped at 0xffffffff80000001: "), "{shown}");
    assert_eq!(browser.errors, [""; 0]);
}

#[test]
#[ignore = "needs a browser and a target; `.ci/run` runs it"]
fn a_page_says_what_the_tool_says() {
    let Some(subjects) = subjects() else { return };
    let mut browser = Browser::start();
    for (subject, manual) in subjects {
        browser.open_live(manual, "");
        let mut ask = |request: &str| browser.ask(request);
        subject.compare_texts(&subject.words(100_000), &mut ask);
        subject.compare_explanations(&subject.words(500), &mut ask);
        subject.compare_examples(manual.set, &mut ask);
        subject.compare_executions(300, &mut ask);
    }
    assert_eq!(browser.errors, [""; 0]);
}

/// Clicks on each bit of the word twice and returns the state of the page after the first click:
/// the word, its text, whether it is valid, the reason if not, the elements that are marked as
/// invalid, and finally the assembly.
const TOGGLE: &str = "(() => {
    const get = name => document.getElementById('try-' + name);
    const bit = at => document.querySelector('#try-bits [data-bit=\"' + at + '\"]');
    const first = get('word').value, found = [];
    for (let at = 0; at < document.querySelectorAll('#try-bits button').length; at++) {
        const before = bit(at).textContent;
        bit(at).click();
        const reason = document.querySelector('#try-said .reason');
        const rows = document.querySelectorAll('#try-parts tr[data-field]');
        found.push([get('word').value, get('printed').textContent, get('legal').textContent,
            reason && reason.textContent, rows.length, get('text').value, before === bit(at).textContent]);
        bit(at).click();
        if (get('word').value !== first) throw new Error('bit ' + at + ' does not go back');
    }
    return found;
})()";

#[test]
#[ignore = "needs a browser and a target; `.ci/run` runs it"]
fn toggled_bits_say_what_explain_says() {
    let Some(subjects) = subjects() else { return };
    let mut browser = Browser::start();
    for (subject, manual) in subjects {
        browser.open_live(manual, "");
        for word in subject.tool(&["random", "--as", "hex", "--count", "12"], "").lines() {
            browser.put("word", word);
            let found = browser.evaluate(TOGGLE);
            let found = found.as_array().unwrap();
            assert_eq!(found.len(), word.len() * 4);
            let words: Vec<&str> = found.iter().map(|it| it[0].as_str().unwrap()).collect();
            let explained = subject.tool(&["explain", "--json"], &words.join("\n"));
            assert_eq!(explained.lines().count(), words.len());
            for (at, (it, explained)) in found.iter().zip(explained.lines()).enumerate() {
                let toggled = u128::from_str_radix(word, 16).unwrap() ^ 1 << at;
                assert_eq!(u128::from_str_radix(words[at], 16), Ok(toggled), "{word} {at}");
                if !subject.is_whole(words[at]) {
                    assert_eq!(
                        (&it[1], &it[2]),
                        (&json!(format!(".2byte 0x{};", words[at])), &json!("invalid"))
                    );
                    continue;
                }
                let explained: Value = serde_json::from_str(explained).unwrap();
                assert_eq!(it[1], explained["text"], "{}", words[at]);
                assert_eq!(it[2] == "valid", explained["legal"] == true, "{}", words[at]);
                assert_eq!(it[3], explained["reason"], "{}", words[at]);
                assert_eq!(it[4], explained["parts"].as_array().unwrap().len(), "{}", words[at]);
                assert_eq!(it[6], json!(false), "the button has not changed");
                // The text must assemble to the word.
                let again = subject.tool(&["asm"], it[5].as_str().unwrap());
                assert_eq!(again.trim_end(), words[at], "{it}");
            }
        }
    }
    assert_eq!(browser.errors, [""; 0]);
}

#[test]
#[ignore = "needs a browser and a target; `.ci/run` runs it"]
fn a_program_runs_and_its_link_has_it_all() {
    let Some(subjects) = subjects() else { return };
    let mut browser = Browser::start();
    for (subject, manual) in subjects {
        let [program, state, written] = subject.program;
        browser.open_live(manual, "");
        browser.put("text", program);
        browser.put("state", state);
        assert_eq!(browser.shown("written"), format!("Written: {written}"));
        // Select the second instruction and invert one of its bits.
        browser.evaluate("document.querySelectorAll('#try-lines button')[1].click()");
        browser.evaluate("document.querySelector('#try-bits [data-bit=\"13\"]').click()");
        let names = ["text", "word", "said", "parts", "state", "done", "lines"];
        let shown = names.map(|name| browser.shown(name));
        assert_ne!(shown[0], program);
        assert_eq!(shown[0].lines().count(), program.lines().count(), "{}", shown[0]);
        let link = browser.evaluate("location.hash");
        browser.open_live(manual, link.as_str().unwrap());
        assert_eq!(names.map(|name| browser.shown(name)), shown, "{link}");
        // Follow a link on the page itself.
        browser.evaluate("new Promise(done => { addEventListener('hashchange', done); location.hash = '#text=x'; }).then(() => 0)");
        assert_eq!(browser.shown("text"), "x");
        assert!(browser.shown("errors").starts_with("1:1 "), "{}", browser.shown("errors"));
        // The link also contains invalid text, and the example of an opcode leads to this page.
        browser.put("text", "y \u{e4}\u{1f600}&=+#");
        let link = browser.evaluate("location.hash");
        browser.open_live(manual, link.as_str().unwrap());
        assert_eq!(browser.shown("text"), "y \u{e4}\u{1f600}&=+#");
        let (file, _) = manual.pages.iter().find(|(file, _)| file.starts_with("opcode/")).unwrap();
        browser.open(&manual.address(file));
        let example = "document.querySelector('.example a[href*=\"try/index.html#\"]')";
        let text = browser
            .evaluate(&format!("{example}.closest('.example').querySelector('.text').textContent"));
        let address = browser.evaluate(&format!("{example}.href"));
        browser.open(address.as_str().unwrap());
        browser.evaluate("window.isaTry.then(() => 0)");
        let text = text.as_str().unwrap();
        assert_eq!(browser.shown("text").trim_end_matches(';'), text.trim_end_matches(';'));
        assert_eq!(browser.shown("legal"), "valid");
    }
    assert_eq!(browser.errors, [""; 0]);
}

#[test]
#[ignore = "needs a browser and a target; `.ci/run` runs it"]
fn bits_are_reached_and_toggled_by_keys() {
    let Some(mut subjects) = subjects() else { return };
    let Some((_, manual)) = subjects.next() else { return };
    let mut browser = Browser::start();
    browser.screen(1280, 900, "light");
    browser.open_live(manual, "");
    let first = browser.shown("word");
    let focus = "document.activeElement.getAttribute('aria-label') || document.activeElement.id";
    browser.evaluate("document.getElementById('try-word').focus()");
    // All bits together are one tab stop.
    browser.press("Tab", 9);
    if browser.evaluate(focus) != json!("Bit 127, unused") {
        browser.press("Tab", 9);
    }
    assert_eq!(browser.evaluate(focus), "Bit 127, unused");
    for (key, code, bit) in [
        ("ArrowRight", 39, "126"),
        ("ArrowDown", 40, "94"),
        ("ArrowUp", 38, "126"),
        ("End", 35, "0"),
        ("ArrowLeft", 37, "1"),
    ] {
        browser.press(key, code);
        assert_eq!(browser.evaluate("document.activeElement.dataset.bit"), bit, "{key}");
    }
    browser.press(" ", 32);
    let toggled = browser.shown("word");
    let number = |digits: &str| u128::from_str_radix(digits, 16).unwrap();
    assert_eq!(number(&toggled) ^ number(&first), 2);
    // The button was created again and still has the focus.
    assert_eq!(browser.evaluate("document.activeElement.dataset.bit"), "1");
    browser.press(" ", 32);
    assert_eq!(browser.shown("word"), first);
    assert_eq!(browser.errors, [""; 0]);
}

#[test]
#[ignore = "needs a browser and a target; `.ci/run` runs it"]
fn the_page_fits_a_phone_and_axe_finds_nothing_serious() {
    let Some(subjects) = subjects() else { return };
    let mut browser = Browser::start();
    for (subject, manual) in subjects {
        for (width, scheme) in [(1280, "light"), (390, "dark")] {
            browser.screen(width, 900, scheme);
            let [program, state, _] = subject.program;
            browser.open_live(manual, "");
            // With and without errors.
            for text in [program, "x y z", ".word 0x8;"] {
                browser.put("text", text);
                browser.put("state", if text == program { state } else { "R=" });
                let wide = browser.evaluate("document.documentElement.scrollWidth");
                assert!(wide.as_u64().unwrap() <= u64::from(width), "{text}: {wide} wide");
                assert_eq!(browser.errors, [""; 0]);
                if are_here(&[AXE]) {
                    let serious = browser.serious("document");
                    // axe tries to read style sheets, which a page from a disk must not do.
                    browser.errors.clear();
                    assert!(
                        serious.is_empty(),
                        "{text}, {width}, {scheme}:\n{}",
                        serious.join("\n")
                    );
                }
            }
        }
    }
}

/// Returns the size of a file in bytes after compression, as a server sends it.
fn packed(file: &Path) -> usize {
    let packed = Command::new("gzip").arg("-9c").arg(file).output().expect("gzip starts");
    packed.stdout.len()
}

#[test]
#[ignore = "needs a target; `.ci/run` runs it"]
fn the_engines_of_two_sets_in_one_module_are_small() {
    if !has_target() {
        assert!(!are_here(&[TARGET]), "the target is missing");
        return;
    }
    let engines = build("both_engines", "isa-riscv", &["--features", "both"]);
    let bytes = packed(&engines);
    assert!((20_000..=150_000).contains(&bytes), "{bytes} bytes by gzip");
}

/// Prints the size of the engines, the load time of a page, and the number of words that a page
/// decodes and prints.
#[test]
#[ignore = "measures; run with --nocapture"]
fn figures() {
    let Some(subjects) = subjects() else { return };
    let mut browser = Browser::start();
    browser.screen(1280, 900, "light");
    for (subject, manual) in subjects {
        let target = Path::new(env!("CARGO_TARGET_TMPDIR")).parent().unwrap();
        let engine = target
            .join(format!("wasm32-unknown-unknown/web/examples/{}_engine.wasm", subject.name));
        let size = fs::metadata(&engine).unwrap().len();
        println!("{}: {size} bytes, {} by gzip -9", subject.name, packed(&engine));
        // From the start of the navigation to the first paint, and to the first answer of the
        // engine.
        for (what, entry) in [
            ("painted", "performance.getEntriesByName('first-contentful-paint')[0]"),
            ("answers", "performance.getEntriesByName('isa-shown')[0]"),
        ] {
            let mut times: Vec<f64> = (0..9)
                .map(|_| {
                    browser.open_live(manual, "");
                    let wait =
                        "new Promise(done => requestAnimationFrame(() => setTimeout(done, 50)))";
                    let time = format!("{wait}.then(() => {entry}.startTime)");
                    browser.evaluate(&time).as_f64().unwrap()
                })
                .collect();
            times.sort_by(f64::total_cmp);
            println!("  {what} after {:.0} ms, at most {:.0}", times[4], times[8]);
        }
        let words = subject.tool(&["random", "--as", "hex", "--count", "100000"], "");
        let time = browser.evaluate(&format!(
            "isaTry.then(ask => {{ const request = {}; let best = Infinity;
                for (let i = 0; i < 7; i++) {{
                    const start = performance.now(); ask(request);
                    best = Math.min(best, performance.now() - start);
                }} return best; }})",
            json!(format!("disassemble\n{words}"))
        ));
        println!("  {:.2} million words a second", 100.0 / time.as_f64().unwrap());
    }
}

/// Writes new pictures of the page to `tests/manual`.
#[test]
#[ignore = "writes to the sources if ISA_PICTURES is set"]
fn pictures_of_the_page() {
    let is_wanted = std::env::var("ISA_PICTURES").is_ok();
    let Some(subjects) = is_wanted.then(subjects).flatten() else { return };
    let mut browser = Browser::start();
    let screens = [("try-wide", 1280, 900, "light"), ("try-narrow", 390, 1400, "dark")];
    for ((subject, manual), (name, width, height, scheme)) in subjects.zip(screens) {
        browser.screen(width, height, scheme);
        browser.open_live(manual, "");
        let [program, state, _] = subject.program;
        browser.put("text", program);
        browser.put("state", state);
        browser.keep_picture(name);
    }
}
