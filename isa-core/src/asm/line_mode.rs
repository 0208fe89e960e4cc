//! Text in which a statement ends with its line.

use crate::text::{Cursor, OPEN_QUOTE, quoted};
use alloc::string::String;

/// Returns the text with a `;` at the end of each line that contains a statement, and with spaces
/// instead of comments. Each byte keeps its position.
pub(super) fn terminate_lines(text: &str, comment: &str) -> String {
    let mut output = String::with_capacity(text.len() + 1);
    let (mut rest, mut start) = (text, 0);
    // All other characters are copied.
    let stops = [b'/', b'\n', b';', b'"', comment.as_bytes().first().copied().unwrap_or(b'/')];
    loop {
        let plain = rest.bytes().position(|byte| stops.contains(&byte)).unwrap_or(rest.len());
        let (plain, behind) = rest.split_at_checked(plain).unwrap_or((rest, ""));
        output.push_str(plain);
        rest = behind;
        let Some(next) = rest.chars().next() else { break };
        let (skipped, (quoted, is_closed)) = (comment_len(rest, comment), quoted(rest.as_bytes()));
        let taken = match (skipped, quoted) {
            (0, 0) => next.len_utf8(),
            _ => skipped.max(quoted),
        };
        let (taken, behind) = rest.split_at_checked(taken).unwrap_or((rest, ""));
        match next {
            _ if skipped != 0 => {
                // The line ends in a comment of several lines are kept, but do not end a statement.
                output.extend(taken.bytes().map(|byte| if byte == b'\n' { '\n' } else { ' ' }));
            }
            '/' if rest.starts_with("/*") => {
                // An unclosed comment extends to the end.
                output.push_str(rest);
                break;
            }
            '\n' | ';' => {
                let ends = has_statement(output.get(start..).unwrap_or_default());
                let blank = if next == ';' { ' ' } else { next };
                output.push(if ends { ';' } else { blank });
                start = output.len();
            }
            '"' if is_closed => output.push_str(taken),
            '"' => {
                // The unmatched quote extends to the end of its line, so the rest of the line is
                // replaced by spaces.
                output.push(OPEN_QUOTE);
                output.extend(taken.bytes().skip(1).map(|_| ' '));
            }
            next => output.push(next),
        }
        rest = behind;
    }
    if has_statement(output.get(start..).unwrap_or_default()) {
        output.push(';');
    }
    output
}

/// Returns the length of a comment at the start of a text; 0 if there is none. Returns 0 for an
/// unclosed comment too, so that the comment remains in the text and is reported.
pub(super) fn comment_len(text: &str, sign: &str) -> usize {
    let is_line = text.starts_with("//") || !sign.is_empty() && text.starts_with(sign);
    if is_line {
        return text.find('\n').unwrap_or(text.len());
    }
    let inner = text.strip_prefix("/*").unwrap_or_default();
    inner.as_bytes().windows(2).position(|pair| pair == b"*/").map_or(0, |end| end + 4)
}

/// Moves the cursor past a label and its `:`, if there is one, and returns its name.
pub(super) fn label<'t>(cursor: &mut Cursor<'t>) -> Option<&'t str> {
    let mut ahead = cursor.clone();
    let name = ahead.whole_name();
    if name.is_empty() || name == "." || !ahead.eat(b':') {
        return None;
    }
    *cursor = ahead;
    Some(name)
}

/// Returns whether anything follows the labels of a line.
fn has_statement(line: &str) -> bool {
    let mut cursor = Cursor::new(line);
    while label(&mut cursor).is_some() {}
    cursor.peek().is_some()
}

#[cfg(test)]
mod tests {
    use super::terminate_lines;

    #[test]
    fn each_byte_stands_where_it_stood() {
        let text = "INC R1 /* a\nb */ # c\n\nL: # d\nL2: INC R2; INC R3\nINC R4";
        let ends = "INC R1     \n        ;\nL:    \nL2: INC R2; INC R3;INC R4;";
        assert_eq!(terminate_lines(text, "#"), ends);
        let text = ".ascii \"a;b # //\\\"\" # c\n.x \"y; z #\n.ascii \"/*\"";
        let ends = ".ascii \"a;b # //\\\"\"    ;.x \u{1}      ;.ascii \"/*\";";
        assert_eq!(terminate_lines(text, "#"), ends);
        assert_eq!(terminate_lines("/* not closed\nINC R1", ""), "/* not closed\nINC R1");
        assert_eq!(terminate_lines("INC R1 /* not closed\nb", "#"), "INC R1 /* not closed\nb;");
        assert_eq!(terminate_lines("INC \u{e9}R1 \u{e8}x\n/y", "\u{e8}"), "INC \u{e9}R1    ;/y;");
    }
}
