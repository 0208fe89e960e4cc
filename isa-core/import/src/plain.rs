//! Escapes foreign text for comments, documentation and messages.

use std::borrow::Cow;

use isa_core::shown::is_shown;

/// Returns whether a character can end a line, change the order of the text around it, or is
/// invisible.
pub(crate) fn is_hidden(c: char) -> bool {
    !is_shown(c)
}

/// Converts text to one line: hidden characters become escapes, and tabs become blanks.
pub(crate) fn line(text: &str) -> Cow<'_, str> {
    if !text.contains(is_hidden) {
        return Cow::Borrowed(text);
    }
    let mut out = String::new();
    for c in text.chars() {
        match c {
            '\t' => out.push(' '),
            c if is_hidden(c) => out.extend(c.escape_unicode()),
            c => out.push(c),
        }
    }
    Cow::Owned(out)
}

/// Returns the beginning of a text, for a message.
pub(crate) fn short(text: &str) -> Cow<'_, str> {
    const MOST: usize = 60;
    match text.char_indices().nth(MOST) {
        Some((end, _)) => Cow::Owned(format!("{}...", line(&text[..end]))),
        None => line(text),
    }
}

/// The beginnings of the words that mark a block as Rust code for rustdoc.
const RUST: [&str; 9] =
    ["rust", "should", "no", "ignore", "custom", "test", "compile", "edition", "E0"];

/// Returns lines of documentation that rustdoc does not compile. A code block becomes a text block
/// unless it names another language. All other lines are indented too little to be code.
pub(crate) fn doc(lines: &[String]) -> Vec<String> {
    let mut fence: Option<&str> = None;
    let mut out = Vec::new();
    for text in lines {
        let (marks, rest) = container(text);
        let sign = ["```", "~~~"].into_iter().find(|sign| rest.starts_with(sign));
        match (fence, sign) {
            (Some(open), Some(sign)) if open == sign => fence = None,
            (None, Some(sign)) => {
                fence = Some(sign);
                let info = rest.trim_start_matches(['`', '~']).trim();
                let is_word = !info.is_empty() && info.chars().all(|c| c.is_ascii_alphanumeric());
                let is_other = is_word && !RUST.iter().any(|start| info.starts_with(start));
                let bars = &rest[..rest.len() - rest.trim_start_matches(['`', '~']).len()];
                let info = if is_other { info } else { "text" };
                out.push(line(&format!("{marks}{bars}{info}")).into_owned());
                continue;
            }
            _ => {}
        }
        let outside = fence.is_none() && sign.is_none();
        let text = if outside { format!("{marks}{rest}") } else { text.clone() };
        out.push(line(&text).into_owned());
    }
    out.extend(fence.map(str::to_owned));
    out
}

/// Splits a line into its container and the rest. The container consists of the blanks and the
/// markers of quotes and lists at the beginning, each after at most three blanks.
pub(crate) fn container(text: &str) -> (String, &str) {
    let (mut marks, mut rest) = (String::new(), text);
    loop {
        let inside = rest.trim_start();
        marks.extend(rest.chars().take(3.min(rest.len() - inside.len())).map(|_| ' '));
        rest = inside;
        let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        let sign = &rest[digits..];
        let is_mark = match digits {
            0 => sign.starts_with('>') || sign.starts_with(['-', '*', '+']) && is_blank_at(sign, 1),
            1..=9 => sign.starts_with(['.', ')']) && is_blank_at(sign, 1),
            _ => false,
        };
        if !is_mark {
            return (marks, rest);
        }
        let (mark, behind) = rest.split_at(digits + 1);
        marks += mark;
        rest = behind;
    }
}

fn is_blank_at(text: &str, at: usize) -> bool {
    text[at..].starts_with([' ', '\t'])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn docs(text: &str) -> String {
        doc(&text.lines().map(str::to_owned).collect::<Vec<_>>()).join("\n")
    }

    #[test]
    fn no_documentation_is_compiled() {
        for (text, shown) in [
            ("```\nlet a;\n```", "```text\nlet a;\n```"),
            ("```rust\n    a\n```\nb", "```text\n    a\n```\nb"),
            ("```asm   \nADD\n```", "```asm\nADD\n```"),
            ("```python\na\n```", "```python\na\n```"),
            ("```edition2024\na\n```", "```text\na\n```"),
            ("```asm,rust\na\n```", "```text\na\n```"),
            ("> - ~~~ {.rust}\n> a", "> - ~~~text\n> a\n~~~"),
            ("a\n\n      code\n\n\tcode", "a\n\n   code\n\n code"),
            ("-      code", "-   code"),
            ("1.     code", "1.   code"),
            ("-x * 2", "-x * 2"),
            ("é\u{2028}*/\u{202e}", "é\\u{2028}*/\\u{202e}"),
        ] {
            assert_eq!(docs(text), shown, "{text}");
        }
    }
}
