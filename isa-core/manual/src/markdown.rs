//! Converts documentation to HTML, for the part of Markdown that authors of specifications use.
//!
//! It supports paragraphs, headings, lists, tables (shown as plain text), and fenced and indented
//! code. Within a line it supports code, emphasis and links. Everything else is plain text.

use super::html::Html;

/// Returns the address of the page about a name of the set, or `None` for other names.
pub(crate) type Resolve<'r> = &'r dyn Fn(&str) -> Option<String>;

/// Appends documentation.
pub(crate) fn render(doc: &str, resolve: Resolve<'_>, html: &mut Html) {
    let lines = lines(doc);
    let mut rest = lines.as_slice();
    while let [first, behind @ ..] = rest {
        rest = match first.trim() {
            "" => behind,
            start if start.starts_with("```") || start.starts_with("~~~") => {
                fenced(&start[..3], behind, html)
            }
            start if heading(start).is_some() => {
                let text = start.trim_start_matches('#').trim();
                html.open("h3", &[]);
                inline(text, resolve, html);
                html.close("h3").raw("\n");
                behind
            }
            _ if first.starts_with("    ") => indented(rest, html),
            start if item(start).is_some() => list(rest, resolve, html),
            start if start.starts_with('|') => rows(rest, html),
            _ => paragraph(rest, resolve, html),
        };
    }
}

/// Appends the first paragraph of documentation on one line, for lists.
pub(crate) fn summary(doc: &str, resolve: Resolve<'_>, html: &mut Html) {
    inline(&first_paragraph(doc), resolve, html);
}

/// Returns the first paragraph on one line.
pub(crate) fn first_paragraph(doc: &str) -> String {
    let lines = lines(doc);
    let paragraph = lines.iter().map(|line| line.trim()).skip_while(|line| line.is_empty());
    let paragraph: Vec<&str> = paragraph.take_while(|line| !line.is_empty()).collect();
    paragraph.join(" ")
}

/// Returns the lines without the space after `///`.
fn lines(doc: &str) -> Vec<&str> {
    let is_set_in = doc.lines().all(|line| line.trim().is_empty() || line.starts_with(' '));
    let lines = doc.lines();
    lines
        .map(|line| if is_set_in { line.strip_prefix(' ').unwrap_or(line) } else { line })
        .collect()
}

fn heading(line: &str) -> Option<&str> {
    let rest = line.trim_start_matches('#');
    (rest.len() < line.len() && rest.starts_with(' ')).then_some(rest)
}

/// Returns the text of a list item, and whether the list is numbered.
fn item(line: &str) -> Option<(&str, bool)> {
    let line = line.trim_start();
    let bullets = ["- ", "* ", "+ "];
    if let Some(text) = bullets.iter().find_map(|bullet| line.strip_prefix(bullet)) {
        return Some((text, false));
    }
    let digits = line.bytes().take_while(u8::is_ascii_digit).count();
    let text = line.get(digits..).filter(|_| (1..4).contains(&digits))?;
    Some((text.strip_prefix(". ").or(text.strip_prefix(") "))?, true))
}

fn fenced<'d>(fence: &str, rest: &'d [&'d str], html: &mut Html) -> &'d [&'d str] {
    let end = rest.iter().position(|line| line.trim_start().starts_with(fence));
    let end = end.unwrap_or(rest.len());
    code(&rest[..end], html);
    rest.get(end + 1..).unwrap_or_default()
}

fn indented<'d>(rest: &'d [&'d str], html: &mut Html) -> &'d [&'d str] {
    let is_code = |line: &&&str| line.starts_with("    ") || line.trim().is_empty();
    let end = rest.iter().take_while(is_code).count();
    let lines: Vec<&str> = rest[..end].iter().map(|line| line.get(4..).unwrap_or("")).collect();
    let last = lines.iter().rposition(|line| !line.trim().is_empty()).map_or(0, |last| last + 1);
    code(&lines[..last], html);
    &rest[end..]
}

fn code(lines: &[&str], html: &mut Html) {
    html.raw("<pre tabindex=\"0\"><code>").text(&lines.join("\n")).raw("</code></pre>\n");
}

/// Appends a table with the layout of its source text.
fn rows<'d>(rest: &'d [&'d str], html: &mut Html) -> &'d [&'d str] {
    let end = rest.iter().take_while(|line| line.trim_start().starts_with('|')).count();
    code(&rest[..end], html);
    &rest[end..]
}

fn list<'d>(mut rest: &'d [&'d str], resolve: Resolve<'_>, html: &mut Html) -> &'d [&'d str] {
    let is_numbered = rest.first().and_then(|line| item(line)).is_some_and(|(_, is)| is);
    let tag = if is_numbered { "ol" } else { "ul" };
    html.open(tag, &[]).raw("\n");
    while let [first, behind @ ..] = rest {
        let Some((text, _)) = item(first) else { break };
        let more = behind.iter().take_while(|line| {
            line.starts_with(' ') && !line.trim().is_empty() && item(line).is_none()
        });
        let more: Vec<&str> = more.map(|line| line.trim()).collect();
        rest = &behind[more.len()..];
        let text: Vec<&str> = [text.trim()].into_iter().chain(more).collect();
        html.open("li", &[]);
        inline(&text.join(" "), resolve, html);
        html.close("li").raw("\n");
    }
    html.close(tag).raw("\n");
    rest
}

fn paragraph<'d>(rest: &'d [&'d str], resolve: Resolve<'_>, html: &mut Html) -> &'d [&'d str] {
    let goes_on = |line: &&&str| {
        let line = line.trim();
        !line.is_empty()
            && !line.starts_with("```")
            && item(line).is_none()
            && heading(line).is_none()
    };
    let end = 1 + rest[1..].iter().take_while(goes_on).count();
    let text: Vec<&str> = rest[..end].iter().map(|line| line.trim()).collect();
    html.open("p", &[]);
    inline(&text.join("\n"), resolve, html);
    html.close("p").raw("\n");
    &rest[end..]
}

/// Appends a line of text with its code, emphasis and links.
pub(crate) fn inline(text: &str, resolve: Resolve<'_>, html: &mut Html) {
    let mut rest = text;
    while let Some(at) = rest.find(['`', '*', '[', '<', '\\']) {
        let (before, from) = rest.split_at(at);
        html.text(before);
        rest = match from.as_bytes()[0] {
            b'`' => span(from, resolve, html),
            b'*' => emphasis(from, resolve, html),
            b'[' => link(from, resolve, html),
            b'<' => address(from, html),
            _ => escaped(from, html),
        };
    }
    html.text(rest);
}

/// Appends the first character as text, and returns the rest.
fn literal<'t>(from: &'t str, html: &mut Html) -> &'t str {
    let (sign, rest) = from.split_at(1);
    html.text(sign);
    rest
}

fn escaped<'t>(from: &'t str, html: &mut Html) -> &'t str {
    match from.as_bytes().get(1) {
        Some(sign) if sign.is_ascii_punctuation() => {
            html.text(&from[1..2]);
            &from[2..]
        }
        _ => literal(from, html),
    }
}

fn span<'t>(from: &'t str, resolve: Resolve<'_>, html: &mut Html) -> &'t str {
    let ticks = from.bytes().take_while(|byte| *byte == b'`').count();
    let (fence, behind) = from.split_at(ticks);
    let Some(end) = behind.find(fence) else {
        html.text(fence);
        return behind;
    };
    let code = &behind[..end];
    match resolve(code) {
        Some(address) => {
            html.open("a", &[("href", &address)]).element("code", "", code).close("a");
        }
        None => _ = html.element("code", "", code),
    }
    &behind[end + ticks..]
}

fn emphasis<'t>(from: &'t str, resolve: Resolve<'_>, html: &mut Html) -> &'t str {
    let (sign, tag) = if from.starts_with("**") { ("**", "strong") } else { ("*", "em") };
    let behind = &from[sign.len()..];
    let opens = behind.starts_with(|c: char| !c.is_whitespace() && c != '*');
    match behind.find(sign).filter(|end| opens && !behind[..*end].ends_with(' ')) {
        Some(end) => {
            html.open(tag, &[]);
            inline(&behind[..end], resolve, html);
            html.close(tag);
            &behind[end + sign.len()..]
        }
        None => {
            html.text(sign);
            behind
        }
    }
}

/// Appends `[text](address)`, or `[name]` if a page about this name exists. Only web addresses
/// become links, because other addresses refer to the documentation of the program.
fn link<'t>(from: &'t str, resolve: Resolve<'_>, html: &mut Html) -> &'t str {
    let Some(end) = closing(from) else { return literal(from, html) };
    let (text, behind) = (&from[1..end], &from[end + 1..]);
    let target = behind.strip_prefix('(').and_then(|rest| rest.split_once(')'));
    let target = target.or_else(|| behind.strip_prefix('[').and_then(|rest| rest.split_once(']')));
    let name = text.trim_matches('`');
    let known = resolve(name).or_else(|| resolve(target?.0.trim_matches('`')));
    let web = target.map(|(address, _)| address).filter(|it| is_web(it)).map(str::to_owned);
    match known.or(web) {
        Some(address) if !text.is_empty() => {
            html.open("a", &[("href", &address)]);
            inline(text, &|_| None, html);
            html.close("a");
        }
        // A name in brackets is a link to the documentation of the program, so the brackets are
        // removed. Other brackets are text.
        _ if target.is_some() || text.starts_with('`') => inline(text, &|_| None, html),
        _ => return literal(from, html),
    }
    target.map_or(behind, |(_, rest)| rest)
}

/// Returns the position of the bracket that closes the first one.
fn closing(from: &str) -> Option<usize> {
    let mut depth = 0;
    for (at, byte) in from.bytes().enumerate() {
        match byte {
            b'[' => depth += 1,
            b']' if depth == 1 => return Some(at),
            b']' => depth -= 1,
            _ => {}
        }
    }
    None
}

/// Appends the link `<https://...>`.
fn address<'t>(from: &'t str, html: &mut Html) -> &'t str {
    match from[1..].split_once('>') {
        Some((address, rest)) if is_web(address) => {
            html.link(address, address);
            rest
        }
        _ => literal(from, html),
    }
}

fn is_web(address: &str) -> bool {
    let is_clean = !address.contains(|c: char| c.is_whitespace() || c.is_control());
    is_clean && (address.starts_with("https://") || address.starts_with("http://"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rendered(doc: &str) -> String {
        let mut html = Html::default();
        let resolve = |name: &str| (name == "ADD").then(|| "ADD.html".to_owned());
        render(doc, &resolve, &mut html);
        html.finish().replace('\n', "~")
    }

    #[test]
    fn documentation_is_rendered() {
        for (doc, html) in [
            ("", ""),
            (" Adds.\n Wraps.\n\n Twice.", "<p>Adds.~Wraps.</p>~<p>Twice.</p>~"),
            ("a `b<c` d", "<p>a <code>b&lt;c</code> d</p>~"),
            ("a *b* **c** 2 * 3 * 4", "<p>a <em>b</em> <strong>c</strong> 2 * 3 * 4</p>~"),
            ("see `ADD`", "<p>see <a href=\"ADD.html\"><code>ADD</code></a></p>~"),
            (
                "[`ADD`] [`Sub`] [x]",
                "<p><a href=\"ADD.html\"><code>ADD</code></a> <code>Sub</code> [x]</p>~",
            ),
            ("[a](https://b.c/d)", "<p><a href=\"https://b.c/d\">a</a></p>~"),
            ("[a](javascript:b) [c](../d.html)", "<p>a c</p>~"),
            ("<https://b.c> <b>", "<p><a href=\"https://b.c\">https://b.c</a> &lt;b&gt;</p>~"),
            ("- a\n  b\n- c\nd", "<ul>~<li>a b</li>~<li>c</li>~</ul>~<p>d</p>~"),
            ("1. a\n2. b", "<ol>~<li>a</li>~<li>b</li>~</ol>~"),
            ("```rust\na < b\n```\nc", "<pre tabindex=\"0\"><code>a &lt; b</code></pre>~<p>c</p>~"),
            ("     a\n      b\n\n c", "<pre tabindex=\"0\"><code>a~ b</code></pre>~<p>c</p>~"),
            ("# Title\ntext", "<h3>Title</h3>~<p>text</p>~"),
            ("| a | b |\n|---|---|", "<pre tabindex=\"0\"><code>| a | b |~|---|---|</code></pre>~"),
            ("a \\* b \\q `c", "<p>a * b \\q `c</p>~"),
        ] {
            assert_eq!(rendered(doc), html, "{doc}");
        }
    }

    #[test]
    fn no_text_makes_a_panic_or_a_tag() {
        let signs =
            ["`", "``", "*", "**", "[", "]", "(", ")", "<", ">", "\\", "\n", "#", "- ", "é", "|"];
        let mut seed = 1u64;
        for _ in 0..20_000 {
            let mut doc = String::new();
            for _ in 0..12 {
                seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                doc += signs[(seed >> 33) as usize % signs.len()];
            }
            let html = rendered(&doc);
            let opened = html.matches('<').count();
            let known =
                ["<p>", "</p>", "<code>", "</code>", "<em>", "</em>", "<strong>", "</strong>"];
            let blocks = [
                "<pre tabindex=\"0\">",
                "</pre>",
                "<ul>",
                "</ul>",
                "<li>",
                "</li>",
                "<h3>",
                "</h3>",
            ];
            let tags = known.iter().chain(&blocks).map(|tag| html.matches(tag).count());
            assert_eq!(opened, tags.sum::<usize>(), "{doc}: {html}");
        }
    }
}
