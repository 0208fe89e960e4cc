//! The page on which you can assemble, explain, modify and execute instructions. The engine of the
//! set, a WebAssembly module, performs these operations, and the page displays the results.

use std::fmt::Write as _;

use isa_core::json::quoted;
use isa_core::parse::Parsed;
use isa_core::table::Opcode;
use isa_core::text::Line;

use super::frame::Page;
use super::html::Html;
use super::site::{Site, Topic};

/// The path of the page in the folder of the manual.
pub(crate) const PAGE: &str = "try/index.html";

/// The script of the page.
pub(crate) const SCRIPT: &str = include_str!("assets/try.js");

/// Returns the engine as a script, because a page that is opened from disk cannot read any other
/// file.
pub(crate) fn engine_script(module: &[u8]) -> String {
    let mut script = String::with_capacity(module.len() * 4 / 3 + 32);
    script.push_str("window.isaModule=\"");
    base64(module, &mut script);
    script.push_str("\";\n");
    script
}

/// Appends bytes in base64.
fn base64(bytes: &[u8], to: &mut String) {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for group in bytes.chunks(3) {
        let number = [0, 1, 2].map(|at| group.get(at).copied().unwrap_or_default());
        let number = number.into_iter().fold(0, |number, byte| number << 8 | usize::from(byte));
        for place in 0..4 {
            let digit = DIGITS[number >> (18 - 6 * place) & 63];
            to.push(if place <= group.len() { char::from(digit) } else { '=' });
        }
    }
}

/// Returns the address of this page with a text to show, relative to a page in a folder. Returns `None`
/// if there is no engine.
pub(crate) fn address(site: &Site<'_>, text: &str) -> Option<String> {
    site.manual.engine.as_ref()?;
    let mut address = format!("../{PAGE}#text=");
    for &byte in text.as_bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'_' | b'.' | b'~' => {
                address.push(char::from(byte));
            }
            _ => _ = write!(address, "%{byte:02X}"),
        }
    }
    Some(address)
}

/// Returns the page.
pub(crate) fn page(site: &Site<'_>) -> String {
    let mut page = Page::begin(site, PAGE, "Try it");
    page.title("", "Try it");
    let html = &mut page.html;
    match site.manual.engine {
        Some(_) => with_engine(site, html),
        None => html.raw(WITHOUT).end_section(),
    }
    page.finish(site)
}

/// The text about how to add an engine to a manual.
const WITHOUT: &str = "<section><p>This manual was written without an engine, so you cannot try instructions \
here. All other pages are complete. The engine of a set is a WebAssembly module, built from a crate of one line:</p>\n\
<pre tabindex=\"0\" role=\"region\" aria-label=\"The crate of an engine\"><code>isa_web::engine!(isa_web::Engine::new::&lt;MySet&gt;());</code></pre>\n\
<p>Build the crate for the target <code>wasm32-unknown-unknown</code>, which <code>rustup target add \
wasm32-unknown-unknown</code> installs, and pass the module to the command <code>manual</code> with \
<code>--engine FILE</code>. The documentation of the crate <code>isa-web</code> describes all steps.</p>\n";

fn with_engine(site: &Site<'_>, html: &mut Html) {
    html.raw(
        "<noscript><p>This page requires JavaScript, which is disabled in the browser.</p></noscript>\n",
    );
    html.raw("<p id=\"try-wait\" role=\"status\">Loading the engine …</p>\n");
    html.raw("<article id=\"try\" hidden>\n");
    html.section("assembly", "Assembly");
    html.raw("<div class=\"asked\"><label for=\"try-text\">Instructions</label>\n");
    html.raw(
        "<textarea id=\"try-text\" rows=\"2\" spellcheck=\"false\" autocomplete=\"off\" \
              autocapitalize=\"off\" aria-describedby=\"try-errors\"></textarea></div>\n",
    );
    html.raw("<div id=\"try-errors\" class=\"refused\" role=\"status\"></div>\n");
    html.raw("<div class=\"asked\"><label for=\"try-example\">Examples</label>\n<select id=\"try-example\">");
    html.raw("<option value=\"\">Choose one</option>");
    for entry in &site.opcodes {
        if let Some(text) = example(site, entry.it) {
            html.open("option", &[("value", &text)]);
            html.text(&format!("{}: {text}", entry.it.name)).close("option");
        }
    }
    html.raw("</select>\n<button id=\"try-copy\" type=\"button\">Copy a link to this</button>\n");
    html.raw("<span id=\"try-copied\" role=\"status\"></span></div>\n");
    html.raw("<div id=\"try-lines\"></div>\n").end_section();
    html.section("bits", "Bits");
    html.raw("<div class=\"asked\"><label for=\"try-word\">Word</label>\n");
    html.raw(
        "<input id=\"try-word\" spellcheck=\"false\" autocomplete=\"off\" autocapitalize=\"off\" \
              aria-describedby=\"try-refused\"></div>\n",
    );
    html.raw("<div id=\"try-refused\" class=\"refused\" role=\"status\"></div>\n");
    html.raw("<p id=\"try-said\" role=\"status\"></p>\n");
    html.raw("<p class=\"note\">Each bit is a button: click it or press the space bar to toggle it. The arrow keys move \
              between bits.</p>\n");
    html.raw("<div id=\"try-bits\" role=\"group\" aria-label=\"The bits of the word\"></div>\n");
    html.raw("<div id=\"try-parts\"></div>\n").end_section();
    html.section("execution", "Execution");
    html.raw("<div class=\"asked\"><label for=\"try-state\">Initial values</label>\n");
    html.raw(
        "<input id=\"try-state\" spellcheck=\"false\" autocomplete=\"off\" autocapitalize=\"off\" \
              aria-describedby=\"try-places\"></div>\n",
    );
    html.raw("<p id=\"try-places\" class=\"note\"></p>\n");
    html.raw("<div id=\"try-done\" aria-live=\"polite\"></div>\n").end_section();
    html.raw("</article>\n");
    html.raw("<script type=\"application/json\" id=\"try-pages\">");
    let pages = site.opcodes.iter().map(|Topic { it, page }| {
        // The `<` is escaped, so that no name can end the script element.
        format!("{}:{}", quoted(it.name), quoted(page)).replace('<', "\\u003c")
    });
    html.raw(&format!("{{{}}}", pages.collect::<Vec<_>>().join(",\n"))).raw("</script>\n");
    html.raw("<script defer src=\"../assets/engine.js\"></script>\n");
    html.raw("<script defer src=\"../assets/try.js\"></script>\n");
}

/// Returns the first example that is an instruction of the opcode, or its word of default values.
fn example(site: &Site<'_>, opcode: &'static Opcode) -> Option<String> {
    let own = opcode.examples.iter().map(|text| format!("{};", text.trim_end_matches(';')));
    let mut own = own.filter(|text| {
        let parsed = site.set.parse(text);
        let of = match parsed {
            Ok(Parsed::Instruction { opcode, .. }) => site.set.opcodes.get(opcode).copied(),
            _ => None,
        };
        of.is_some_and(|of| std::ptr::eq(of, opcode))
    });
    own.next().or_else(|| {
        let at = site.opcodes.iter().position(|entry| std::ptr::eq(entry.it, opcode))?;
        let word = site.space.shares.get(at)?.word.filter(|word| opcode.reads_back(*word))?;
        let mut line = Line::new();
        opcode.print(word, &mut line);
        Some(line.to_string())
    })
}

#[cfg(test)]
mod tests {
    use super::base64;

    #[test]
    fn base_64_has_its_test_vectors() {
        for (bytes, text) in [
            ("", ""),
            ("f", "Zg=="),
            ("fo", "Zm8="),
            ("foo", "Zm9v"),
            ("foob", "Zm9vYg=="),
            ("fooba", "Zm9vYmE="),
            ("foobar", "Zm9vYmFy"),
        ] {
            let mut out = String::new();
            base64(bytes.as_bytes(), &mut out);
            assert_eq!(out, text);
        }
        let mut out = String::new();
        base64(&[0xff, 0xef], &mut out);
        assert_eq!(out, "/+8=");
    }
}
