//! Converts sections of prose to documentation: Markdown without parts that rustdoc or a manual would
//! show differently from the vendor's pages.

use std::collections::HashSet;

use isa_core::shown::{is_cjk, needs_blank};

use super::definition::{Definition, SourceLine};
use super::heading::is_known;
use crate::plain::container;

/// Adds a section to the documentation, below a heading. The description has no heading and comes first.
/// `depth` is the indentation of the section's heading in the file.
pub(super) fn add(def: &mut Definition<'_>, section: &str, depth: usize, lines: &[SourceLine<'_>]) {
    let (texts, indentation) = dedented(lines);
    let first = texts.iter().position(|text| !text.is_empty()).unwrap_or(texts.len());
    let last = texts.iter().rposition(|text| !text.is_empty()).map_or(first, |last| last + 1);
    let is_description = section == "Description";
    // The heading of an empty section is kept as information, unless the section belongs to the
    // format.
    if first == last && (is_description || is_known(section)) {
        return;
    }
    let is_program = matches!(section, "Semantics" | "Simulation")
        && indentation >= depth + 4
        && !texts.iter().any(|text| is_fence(text));
    let mut text = code_in_fences(&texts[first..last], is_program);
    if is_description {
        let at = def.description;
        // An empty line separates the description from other text.
        if !def.doc.is_empty() {
            text.insert(if at == 0 { text.len() } else { 0 }, String::new());
        }
        def.description += text.len();
        def.doc.splice(at..at, text);
        return;
    }
    if !def.doc.is_empty() {
        def.doc.push(String::new());
    }
    def.doc.push(format!("# {section}"));
    def.doc.extend((!text.is_empty()).then(String::new));
    def.doc.append(&mut text);
}

fn is_fence(line: &str) -> bool {
    line.trim_start().starts_with("```")
}

/// Removes the common indentation of lines, and returns its number of characters.
fn dedented<'s>(lines: &[SourceLine<'s>]) -> (Vec<&'s str>, usize) {
    let lines: Vec<&str> = lines.iter().map(|place| place.line.trim_end()).collect();
    let depth = |line: &&str| line.chars().take_while(|c| c.is_whitespace()).count();
    let least = lines.iter().filter(|line| !line.is_empty()).map(depth).min().unwrap_or(0);
    let cut = |line: &'s str| line.char_indices().nth(least).map_or("", |(at, _)| &line[at..]);
    (lines.iter().map(|line| cut(line)).collect(), least)
}

/// Puts code that is indented, as in Markdown, between fences. If `is_program` is true, all lines are code.
fn code_in_fences(lines: &[&str], is_program: bool) -> Vec<String> {
    let (mut out, mut fenced, mut in_list) = (Vec::<String>::new(), false, false);
    // The index in `out` after the last line of the current code.
    let mut end: Option<usize> = None;
    for line in lines {
        let is_fence = is_fence(line);
        let inside = line.trim_start_matches([' ', '\t']);
        let is_deep = line.starts_with("    ") || line[..line.len() - inside.len()].contains('\t');
        let begins = end.is_some() || out.last().is_none_or(String::is_empty) && !in_list;
        if line.is_empty() {
            out.push(String::new());
        } else if !(fenced || is_fence) && (is_program || is_deep && begins) {
            out.extend(end.is_none().then(|| "```text".to_owned()));
            let code = line.strip_prefix("    ").filter(|_| !is_program);
            out.push(code.unwrap_or(if is_program { line } else { inside }).to_owned());
            end = Some(out.len());
        } else {
            if let Some(end) = end.take() {
                out.insert(end, "```".to_owned());
            }
            in_list =
                !container(line).0.trim().is_empty() || in_list && line.starts_with([' ', '\t']);
            fenced ^= is_fence;
            out.push((*line).to_owned());
        }
    }
    if let Some(end) = end {
        out.insert(end, "```".to_owned());
    }
    out
}

/// Resolves the links in the documentation of all definitions, and joins the lines of paragraphs that are
/// written without blanks between words.
pub(super) fn finish(defs: &mut [Definition<'_>]) {
    let names: HashSet<&str> =
        defs.iter().flat_map(|def| def.parents.iter().copied().chain([def.name])).collect();
    for def in defs {
        let (mut doc, mut open, mut fenced) = (Vec::new(), String::new(), false);
        for line in std::mem::take(&mut def.doc) {
            let is_fence = is_fence(&line);
            if fenced || is_fence {
                doc.extend(paragraphs(&std::mem::take(&mut open), &names));
                doc.push(line);
            } else {
                open += &line;
                open.push('\n');
            }
            fenced ^= is_fence;
        }
        doc.extend(paragraphs(&open, &names));
        def.doc = doc;
    }
}

/// Returns the lines of a text without fences.
fn paragraphs(text: &str, names: &HashSet<&str>) -> Vec<String> {
    let is_title = |line: &str| line.trim_start().starts_with('#');
    // A row of a table, which can also be without a bar at its beginning.
    let is_row = |line: &str| line.contains('|');
    let mut lines = Vec::<String>::new();
    for line in linked(text, names).lines() {
        let inside = line.trim_start();
        let begins = inside.is_empty() || is_title(inside) || !container(inside).0.is_empty();
        match lines.last_mut() {
            Some(last)
                if !(begins
                    || is_row(line)
                    || is_row(last)
                    || is_title(last)
                    || needs_blank(last, inside)) =>
            {
                last.push_str(inside);
            }
            _ => lines.push(line.to_owned()),
        }
    }
    lines
}

/// Replaces `[[NAME]]` and `[text](NAME.md#heading)` by references to definitions, or by text if there is
/// no such definition. Brackets and tags that rustdoc would interpret become text.
fn linked(text: &str, names: &HashSet<&str>) -> String {
    let (mut out, mut rest) = (String::new(), text);
    while let Some(at) = rest.find(['\\', '`', '!', '[', '<', 'h']) {
        out += &rest[..at];
        rest = &rest[at..];
        let (replaced, length) = replacement(rest, names);
        out += &replaced;
        rest = &rest[length..];
    }
    out + rest
}

/// Returns the replacement of the mark at the beginning of a text, and the length of the replaced part.
fn replacement(text: &str, names: &HashSet<&str>) -> (String, usize) {
    let kept = |length: usize| (text[..length].to_owned(), length);
    let paragraph = text.split_once("\n\n").map_or(text, |(paragraph, _)| paragraph);
    let rest = text.get(1..).unwrap_or_default();
    let is_tag = |c: char| c.is_ascii_alphabetic() || matches!(c, '/' | '!' | '?');
    if text.starts_with('\\') {
        kept(1 + rest.chars().next().map_or(0, char::len_utf8))
    } else if text.starts_with('`') {
        kept(code_end(paragraph))
    } else if text.starts_with('[') {
        let link = wiki_link(paragraph, names).or_else(|| link(paragraph, names));
        link.unwrap_or_else(|| ("\\[".to_owned(), 1))
    } else if rest.starts_with('[')
        && let Some((label, length)) = link(&paragraph[1..], names)
    {
        // An image.
        (label, length + 1)
    } else if text.starts_with('<') && is_web(rest) {
        kept(paragraph.find('>').map_or(1, |end| end + 1))
    } else if text.starts_with('<') && rest.starts_with(is_tag) {
        ("\\<".to_owned(), 1)
    } else if is_web(text) {
        let is_address = |c: char| c.is_ascii_graphic() && !matches!(c, '<' | '>' | '"' | '`');
        let address = text[..text.find(|c| !is_address(c)).unwrap_or(text.len())]
            .trim_end_matches(['.', ',', ';', ':', ')', '!', '?']);
        (format!("<{address}>"), address.len())
    } else {
        kept(1)
    }
}

fn is_web(text: &str) -> bool {
    text.starts_with("https://") || text.starts_with("http://")
}

/// Returns the end of the code that begins with backquotes, or of the backquotes if no code begins there.
fn code_end(text: &str) -> usize {
    let run = |at: usize| text[at..].len() - text[at..].trim_start_matches('`').len();
    let count = run(0);
    let mut at = count;
    while let Some(next) = text[at..].find('`').map(|next| at + next) {
        at = next + run(next);
        if at - next == count {
            return at;
        }
    }
    count
}

/// Returns the replacement and the length of a link `[[NAME]]` or `[[NAME|text]]`.
fn wiki_link(text: &str, names: &HashSet<&str>) -> Option<(String, usize)> {
    let inside = text.strip_prefix("[[")?.split_once("]]")?.0;
    let (name, label) = inside.split_once('|').unwrap_or((inside, inside));
    (!inside.contains(['\n', '[']))
        .then(|| (reference(name.trim(), label, names), inside.len() + 4))
}

/// Returns the replacement and the length of a link `[text](address)` or [`` `NAME` ``].
fn link(text: &str, names: &HashSet<&str>) -> Option<(String, usize)> {
    let end = closing(text, ['[', ']'])?;
    let (label, rest) = (&text[1..end], &text[end + 1..]);
    let Some(length) = rest.starts_with('(').then(|| closing(rest, ['(', ')'])).flatten() else {
        let code = label.strip_prefix('`')?.strip_suffix('`')?;
        let kept = if names.contains(code) { &text[..=end] } else { label };
        return (!code.contains('`')).then(|| (kept.to_owned(), end + 1));
    };
    // A title can follow the address.
    let address = rest[1..length].split_whitespace().next().unwrap_or_default();
    let length = end + length + 2;
    if is_web(address) {
        return Some((text[..length].to_owned(), length));
    }
    let page = address.split('#').next().and_then(|path| path.strip_suffix(".md"));
    let name = page.and_then(|path| path.rsplit('/').next()).unwrap_or_default();
    Some((reference(name, label, names), length))
}

/// Returns the index of the bracket that closes the bracket at the beginning.
fn closing(text: &str, [open, close]: [char; 2]) -> Option<usize> {
    let mut depth = 0usize;
    let mut brackets = text.char_indices().filter(|(_, c)| [open, close].contains(c));
    let last = brackets.find(|&(_, c)| {
        depth = if c == open { depth + 1 } else { depth.saturating_sub(1) };
        depth == 0
    });
    last.map(|(at, _)| at)
}

/// Returns `label` with a reference to the definition `name`. Returns only the label if no definition has this
/// name.
fn reference(name: &str, label: &str, names: &HashSet<&str>) -> String {
    if !names.contains(name) {
        return linked(label, names);
    }
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    match label.split_once(name) {
        Some((before, after)) if !(before.ends_with(is_word) || after.starts_with(is_word)) => {
            format!("{}[`{name}`]{}", linked(before, names), linked(after, names))
        }
        _ if label.ends_with(is_cjk) => format!("{}（[`{name}`]）", linked(label, names)),
        _ => format!("{} ([`{name}`])", linked(label, names)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_lead_to_definitions_or_are_text() {
        let names = HashSet::from(["FADD", "HADD2"]);
        for (text, shown) in [
            ("[[FADD]] [[FMUL]]", "[`FADD`] FMUL"),
            ("参考[[FADD]]指令", "参考[`FADD`]指令"),
            ("[[FADD|sums]] [[FMUL|products]]", "sums ([`FADD`]) products"),
            ("[加法](FADD.md#NaN) [乘法](FMUL.md#NaN)", "加法（[`FADD`]） 乘法"),
            ("[FADD rules](../a/FADD.md \"x\")", "[`FADD`] rules"),
            ("[FADD_R](FADD.md)", "FADD_R ([`FADD`])"),
            ("[a [b] c](x.md)d", "a \\[b] cd"),
            ("[`FADD`] [`FMUL`]", "[`FADD`] `FMUL`"),
            ("d[15:0] `a[1]` \\[x] [", "d\\[15:0] `a[1]` \\[x] \\["),
            (
                "[a](https://b.c/d) https://e.f/g. <https://h.i>",
                "[a](https://b.c/d) <https://e.f/g>. <https://h.i>",
            ),
            ("![图](x.png) a!", "图 a!"),
            ("<b>a</b> 1 < 2 <- Vec<u8>", "\\<b>a\\</b> 1 < 2 <- Vec\\<u8>"),
            ("``a`[b]`` ` [c\n\n`]", "``a`[b]`` ` \\[c\n\n`]"),
            ("[[a\n]] [(", "\\[\\[a\n]] \\[("),
        ] {
            assert_eq!(linked(text, &names), shown, "{text}");
        }
    }

    #[test]
    fn lines_of_paragraphs_are_joined_unless_they_are_blocks() {
        let join = |text: &str| paragraphs(text, &HashSet::new()).join("\n");
        for (text, joined) in [
            ("写入低位。\n高位为零。", "写入低位。高位为零。"),
            ("写入低位。\n\n高位为零。", "写入低位。\n\n高位为零。"),
            ("Adds.\nWraps.", "Adds.\nWraps."),
            ("# 标题\n正文", "# 标题\n正文"),
            ("- 甲\n  乙\n- 丙\n1. 丁\n> 戊", "- 甲乙\n- 丙\n1. 丁\n> 戊"),
            ("| 甲 |\n|:--:|\n| 乙 |\n说明", "| 甲 |\n|:--:|\n| 乙 |\n说明"),
            ("甲 | 乙\n---|---\n丙 | 丁", "甲 | 乙\n---|---\n丙 | 丁"),
        ] {
            assert_eq!(join(text), joined);
        }
    }

    #[test]
    fn indented_code_is_put_in_fences() {
        for (lines, is_program, shown) in [
            ("a\n\n    d = a;\n\n      b\nc", false, "a\n\n```text\nd = a;\n\n  b\n```\nc"),
            ("a\n    b", false, "a\n    b"),
            ("- a\n\n    b", false, "- a\n\n    b"),
            ("d = a;\n  e;", true, "```text\nd = a;\n  e;\n```"),
            ("```asm\n\n    a\n```", false, "```asm\n\n    a\n```"),
        ] {
            let lines: Vec<&str> = lines.lines().collect();
            assert_eq!(code_in_fences(&lines, is_program).join("\n"), shown);
        }
    }
}
