//! Highlights keywords, numbers, strings and comments in Rust code.

use super::html::Html;

const KEYWORDS: [&str; 26] = [
    "as", "break", "const", "continue", "else", "enum", "false", "fn", "for", "if", "impl", "in",
    "let", "loop", "match", "move", "mut", "pub", "ref", "return", "self", "struct", "true", "use",
    "where", "while",
];

/// Appends Rust code as a block, without its common indentation.
pub(crate) fn source(text: &str, html: &mut Html) {
    html.raw("<pre class=\"source\" tabindex=\"0\"><code>");
    rust(text, html);
    html.raw("</code></pre>\n");
}

fn rust(text: &str, html: &mut Html) {
    let text = dedented(text);
    let mut rest = text.as_str();
    while let Some(first) = rest.chars().next() {
        let (class, length) = token(rest, first);
        let (own, behind) = rest.split_at(length);
        match class {
            "" => _ = html.text(own),
            class => _ = html.element("span", class, own),
        }
        rest = behind;
    }
}

/// Returns whether the character belongs to a name or a keyword.
pub(crate) fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// Returns the class of the first token in the text and its length in bytes.
fn token(rest: &str, first: char) -> (&'static str, usize) {
    let length = |is: &dyn Fn(char) -> bool| rest.find(|c| !is(c)).unwrap_or(rest.len());
    if rest.starts_with("//") {
        return ("comment", length(&|c| c != '\n'));
    }
    match first {
        '"' => ("text", end_of_text(rest)),
        '0'..='9' => ("number", length(&|c| is_word(c) || c == '.').min(end_of_number(rest))),
        c if is_word(c) => {
            let length = length(&is_word);
            (if KEYWORDS.contains(&&rest[..length]) { "keyword" } else { "" }, length)
        }
        c => ("", c.len_utf8()),
    }
}

/// Returns the end of a number: `1..4` is a number, two dots and a number.
fn end_of_number(rest: &str) -> usize {
    rest.find("..").unwrap_or(rest.len()).max(1)
}

fn end_of_text(rest: &str) -> usize {
    let mut escaped = false;
    for (at, c) in rest.char_indices().skip(1) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '"' => return at + 1,
            _ => {}
        }
    }
    rest.len()
}

/// Returns the text without the spaces with which all its lines begin. The first line is compared only
/// if it begins with a space.
fn dedented(text: &str) -> String {
    let text = text.trim_end().trim_start_matches(['\n', '\r']);
    let is_first_set_in = text.starts_with(' ');
    let indent = |line: &&str| line.len() - line.trim_start_matches(' ').len();
    let lines: Vec<&str> = text.lines().collect();
    let counted = lines.iter().skip(usize::from(!is_first_set_in));
    let least =
        counted.filter(|line| !line.trim().is_empty()).map(indent).min().unwrap_or_default();
    let cut = |(place, line): (usize, &&str)| match place {
        0 if !is_first_set_in => (*line).to_owned(),
        _ => line.get(least..).unwrap_or_default().to_owned(),
    };
    lines.iter().enumerate().map(cut).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_is_marked_and_stays_as_it_is() {
        let mut html = Html::default();
        rust(
            "let a = match b {\n        1..=4 => \"<\\\"x\", // c\n        _ => é,\n    };",
            &mut html,
        );
        assert_eq!(
            html.finish(),
            "<span class=\"keyword\">let</span> a = <span class=\"keyword\">match</span> b {\n    \
             <span class=\"number\">1</span>..=<span class=\"number\">4</span> =&gt; \
             <span class=\"text\">&quot;&lt;\\&quot;x&quot;</span>, <span class=\"comment\">// c</span>\n    \
             _ =&gt; é,\n};"
        );
    }
}
