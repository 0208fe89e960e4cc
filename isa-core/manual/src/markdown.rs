//! Converts documentation to HTML. Documentation is Markdown: CommonMark with tables, and links such as
//! `[[FADD]]` and `[text](FADD.md#rounding)` to the pages of opcodes, groups and types. A link without
//! such a page becomes text. Chinese and Japanese lines are joined without a blank.
//!
//! HTML in documentation is shown as text, because a specification must not add scripts or styles to
//! a page. For the same reason, only web addresses and pages of the manual become links.

use std::ops::Range;

use isa_core::shown::needs_blank;
use pulldown_cmark::{Alignment, BrokenLink, Event, LinkType, Options, Parser, Tag, TagEnd};

use super::html::Html;

/// Returns the address of the page about a name of the set, or `None` for other names.
pub(crate) type LinkResolver<'r> = &'r dyn Fn(&str) -> Option<String>;

/// Appends documentation.
pub(crate) fn render(doc: &str, resolve: LinkResolver<'_>, html: &mut Html) {
    blocks(&lines(doc).join("\n"), resolve, html);
}

/// Appends the first paragraph of documentation on one line, for lists.
pub(crate) fn summary(doc: &str, resolve: LinkResolver<'_>, html: &mut Html) {
    inline(&first_paragraph(doc), resolve, html);
}

/// Appends a line of text with its code, emphasis and links.
pub(crate) fn inline(text: &str, resolve: LinkResolver<'_>, html: &mut Html) {
    // A letter at the beginning makes the line a paragraph, even if it looks like a list or a heading.
    let mut paragraph = Html::default();
    blocks(&format!("x{}", joined(text.split('\n'))), resolve, &mut paragraph);
    let paragraph = paragraph.finish();
    let line = paragraph.strip_prefix("<p>x").and_then(|rest| rest.strip_suffix("</p>\n"));
    html.raw(line.unwrap_or_default());
}

/// Returns the first paragraph on one line.
pub(crate) fn first_paragraph(doc: &str) -> String {
    let lines = lines(doc);
    let paragraph = lines.iter().map(|line| line.trim()).skip_while(|line| line.is_empty());
    joined(paragraph.take_while(|line| !line.is_empty()))
}

/// Joins the lines of a paragraph.
fn joined<'d>(lines: impl Iterator<Item = &'d str>) -> String {
    let (mut text, mut before) = (String::new(), "");
    for line in lines {
        if !text.is_empty() && needs_blank(before, line) {
            text.push(' ');
        }
        text.push_str(line);
        before = line;
    }
    text
}

/// Returns the words of documentation without markup, as one line for the search.
pub(crate) fn words(doc: &str) -> String {
    let doc = lines(doc).join("\n");
    let mut text = String::new();
    for (event, range) in Parser::new_ext(&doc, OPTIONS).into_offset_iter() {
        match event {
            Event::Text(part) | Event::Code(part) | Event::Html(part) | Event::InlineHtml(part) => {
                text.push_str(&part);
            }
            Event::SoftBreak if !is_blank(&doc, &range) => {}
            Event::End(TagEnd::Link | TagEnd::Emphasis | TagEnd::Strong | TagEnd::Image)
            | Event::Start(Tag::Link { .. } | Tag::Emphasis | Tag::Strong | Tag::Image { .. }) => {}
            _ => text.push(' '),
        }
    }
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Returns whether a line break at `range` is shown as a blank.
fn is_blank(doc: &str, range: &Range<usize>) -> bool {
    let before = doc.get(..range.start).and_then(|text| text.lines().next_back());
    let after = doc.get(range.end..).and_then(|text| text.lines().next());
    needs_blank(before.unwrap_or_default().trim(), after.unwrap_or_default().trim())
}

/// Returns the lines without the space after `///`.
fn lines(doc: &str) -> Vec<&str> {
    let is_set_in = doc.lines().all(|line| line.trim().is_empty() || line.starts_with(' '));
    let lines = doc.lines();
    lines
        .map(|line| if is_set_in { line.strip_prefix(' ').unwrap_or(line) } else { line })
        .collect()
}

const OPTIONS: Options = Options::ENABLE_TABLES.union(Options::ENABLE_WIKILINKS);

/// Appends paragraphs and other blocks.
fn blocks(doc: &str, resolve: LinkResolver<'_>, html: &mut Html) {
    // `[name]` is a link if a page about this name exists. Other names in brackets are text, except
    // [`name`] and [text][name], which are links to the documentation of the program. Such a link gets
    // no address, so that only its text is shown.
    let unresolved = |link: BrokenLink<'_>| {
        let name = link.reference.trim_matches('`');
        let is_program = name != &*link.reference || link.link_type != LinkType::Shortcut;
        let address = resolve(name).or(is_program.then(String::new))?;
        Some((address.into(), "".into()))
    };
    let (mut is_link, mut is_head) = (false, false);
    // The alignments of the columns in the current table, and the index of the next cell.
    let (mut columns, mut column) = (Vec::new(), 0);
    let parser = Parser::new_with_broken_link_callback(doc, OPTIONS, Some(unresolved));
    for (event, range) in parser.into_offset_iter() {
        match event {
            Event::Start(Tag::Link { link_type, dest_url, .. }) => {
                let address = address(link_type, &dest_url, resolve);
                is_link = address.is_some();
                if let Some(address) = address {
                    html.open("a", &[("href", &address)]);
                }
            }
            Event::End(TagEnd::Link) => {
                html.raw(if is_link { "</a>" } else { "" });
                is_link = false;
            }
            Event::Start(Tag::List(Some(first @ 2..))) => {
                html.open("ol", &[("start", &first.to_string())]).raw("\n");
            }
            Event::Start(Tag::TableCell) => {
                let class = match columns.get(column) {
                    Some(Alignment::Right) => "right",
                    Some(Alignment::Center) => "center",
                    _ => "",
                };
                column += 1;
                let class = Some(("class", class)).filter(|_| !class.is_empty());
                let scope = is_head.then_some(("scope", "col"));
                let attributes: Vec<_> = scope.into_iter().chain(class).collect();
                html.open(if is_head { "th" } else { "td" }, &attributes);
            }
            Event::Start(tag) => {
                is_head |= tag == Tag::TableHead;
                column = 0;
                html.raw(markup(tag.to_end(), is_head).0);
                if let Tag::Table(alignments) = tag {
                    columns = alignments;
                }
            }
            Event::End(tag) => {
                html.raw(markup(tag, is_head).1);
                is_head &= tag != TagEnd::TableHead;
            }
            Event::Code(code) => match resolve(&code).filter(|_| !is_link) {
                Some(address) => {
                    html.open("a", &[("href", &address)]).element("code", "", &code).close("a");
                }
                None => _ = html.element("code", "", &code),
            },
            Event::Text(text) | Event::Html(text) | Event::InlineHtml(text) => _ = html.text(&text),
            Event::SoftBreak if !is_blank(doc, &range) => {}
            Event::HardBreak => _ = html.raw("<br>\n"),
            Event::Rule => _ = html.raw("<hr>\n"),
            // A line break. The options exclude the other events: footnotes, tasks and formulas.
            _ => _ = html.raw("\n"),
        }
    }
}

/// Returns the address of a link if it belongs to the web or to a page of the manual.
fn address(link_type: LinkType, address: &str, resolve: LinkResolver<'_>) -> Option<String> {
    let page = match link_type {
        // The address comes from `resolve`, or is empty.
        LinkType::ReferenceUnknown | LinkType::CollapsedUnknown | LinkType::ShortcutUnknown => {
            Some(address.to_owned()).filter(|address| !address.is_empty())
        }
        _ => resolve(address.trim_matches('`')).or_else(|| resolve(page_name(address)?)),
    };
    page.or_else(|| is_web(address).then(|| address.to_owned()))
}

/// Returns the name of the page that `name.md`, `name.md#heading` or `folder/name.md` refers to.
fn page_name(address: &str) -> Option<&str> {
    let path = address.split('#').next()?.strip_suffix(".md")?;
    path.rsplit('/').next()
}

/// Returns the markup at the beginning and at the end of an element.
fn markup(tag: TagEnd, is_head: bool) -> (&'static str, &'static str) {
    match tag {
        TagEnd::Paragraph | TagEnd::HtmlBlock => ("<p>", "</p>\n"),
        // The sections of a page have headings of the first two levels.
        TagEnd::Heading(_) => ("<h3>", "</h3>\n"),
        TagEnd::BlockQuote(_) => ("<blockquote>", "</blockquote>\n"),
        TagEnd::CodeBlock => ("<pre tabindex=\"0\"><code>", "</code></pre>\n"),
        TagEnd::List(false) => ("<ul>\n", "</ul>\n"),
        TagEnd::List(true) => ("<ol>\n", "</ol>\n"),
        TagEnd::Item => ("<li>", "</li>\n"),
        TagEnd::Emphasis => ("<em>", "</em>"),
        TagEnd::Strong => ("<strong>", "</strong>"),
        TagEnd::Table => (
            "<div class=\"wide\" tabindex=\"0\" role=\"region\" aria-label=\"Table\"><table>",
            "</tbody></table></div>\n",
        ),
        TagEnd::TableHead => ("<thead><tr>", "</tr></thead><tbody>\n"),
        TagEnd::TableRow => ("<tr>", "</tr>\n"),
        TagEnd::TableCell if is_head => ("", "</th>"),
        TagEnd::TableCell => ("", "</td>"),
        // An image is shown as its description.
        _ => ("", ""),
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
            ("- a\n  b\n- c\n\nd", "<ul>~<li>a~b</li>~<li>c</li>~</ul>~<p>d</p>~"),
            ("1. a\n2. b", "<ol>~<li>a</li>~<li>b</li>~</ol>~"),
            ("3) a", "<ol start=\"3\">~<li>a</li>~</ol>~"),
            (
                "```rust\na < b\n```\nc",
                "<pre tabindex=\"0\"><code>a &lt; b~</code></pre>~<p>c</p>~",
            ),
            ("     a\n      b\n\n c", "<pre tabindex=\"0\"><code>a~ b~</code></pre>~<p>c</p>~"),
            ("# Title\ntext", "<h3>Title</h3>~<p>text</p>~"),
            (
                "| a | b |\n|---|--:|\n| `c` | <i> |",
                "<div class=\"wide\" tabindex=\"0\" role=\"region\" aria-label=\"Table\"><table>\
                 <thead><tr><th scope=\"col\">a</th><th scope=\"col\" class=\"right\">b</th></tr></thead><tbody>~\
                 <tr><td><code>c</code></td><td class=\"right\">&lt;i&gt;</td></tr>~</tbody></table></div>~",
            ),
            ("<div>\n<script>a</script>", "<p>&lt;div&gt;~&lt;script&gt;a&lt;/script&gt;</p>~"),
            ("![a](https://b.c/d.png)", "<p>a</p>~"),
            ("> a  \n> b\n\n---", "<blockquote><p>a<br>~b</p>~</blockquote>~<hr>~"),
            (
                "写入低位。\n结果`x`\n**为**零\n9",
                "<p>写入低位。结果<code>x</code><strong>为</strong>零~9</p>~",
            ),
            (
                "[[ADD]] [[SUB]] [[ADD|a]] [b](ADD.md#c) [d](x/ADD.md) [e](SUB.md#f)",
                "<p><a href=\"ADD.html\">ADD</a> SUB <a href=\"ADD.html\">a</a> \
                 <a href=\"ADD.html\">b</a> <a href=\"ADD.html\">d</a> e</p>~",
            ),
            ("a \\* b \\q `c", "<p>a * b \\q `c</p>~"),
        ] {
            assert_eq!(rendered(doc), html, "{doc}");
        }
    }

    #[test]
    fn words_are_without_markup() {
        for (doc, text) in [
            ("", ""),
            ("# A\nb *c*\n`d`\n\n- e\n- f", "A b c d e f"),
            ("写入\n低位\n\n| [甲](x.md) | 乙 |\n|:--:|---|\n| 1 | 2 |", "写入低位 甲 乙 1 2"),
            ("```asm\nd = 0x7FFF;\n```", "d = 0x7FFF;"),
        ] {
            assert_eq!(words(doc), text);
        }
    }

    #[test]
    fn a_line_is_not_a_block() {
        for (text, html) in [
            ("", ""),
            ("- `a`", "- <code>a</code>"),
            ("# a\n1. *b*", "# a 1. <em>b</em>"),
            ("<b> | c", "&lt;b&gt; | c"),
        ] {
            let mut line = Html::default();
            inline(text, &|_| None, &mut line);
            assert_eq!(line.finish(), html, "{text}");
        }
    }

    #[test]
    fn no_text_makes_a_panic_or_a_tag() {
        const TAGS: &str =
            "p code em strong pre ul ol li h3 blockquote br hr div table thead tbody tr th td";
        let signs = [
            "`", "``", "*", "**", "[", "]", "(", ")", "<", ">", "\\", "\n", "#", "- ", "é", "|",
            "<b>", "<!--",
        ];
        let mut seed = 1u64;
        for _ in 0..20_000 {
            let mut doc = String::new();
            for _ in 0..12 {
                seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                doc += signs[(seed >> 33) as usize % signs.len()];
            }
            let html = rendered(&doc);
            for tag in html.split('<').skip(1) {
                let name = tag.trim_start_matches('/').split(['>', ' ']).next().unwrap();
                assert!(TAGS.split(' ').any(|known| known == name), "{doc}: {html}");
            }
        }
    }
}
