//! The diagnostics of a text, with the messages of the command `asm`.

use core::ops::Range;

use isa_core::asm::{AssembleError, AssembleErrorKind};
use isa_core::error::ParseErrorKind;
use isa_core::shown::Shown;
use serde_json::{Value, json};

use super::document::Document;
use super::position::Encoding;
use crate::profile::Profile;
use crate::program::{error_code, needs_all_text};

/// The maximum number of diagnostics published for one text.
const MOST: usize = 1000;

/// Returns the diagnostics of a text.
pub(super) fn of(
    profile: &Profile,
    document: &Document,
    uri: &str,
    encoding: Encoding,
) -> Vec<Value> {
    let is_program = needs_all_text(profile);
    let range = |span: &Range<usize>| document.lines.range(document.text(), span, encoding);
    let errors = document.draft.errors();
    let diagnostic = |error: &AssembleError| {
        let (title, label, help) = words(error, is_program);
        let mut message = Shown(&title).to_string();
        if !label.is_empty() {
            message += &format!("\n{}", Shown(&label));
        }
        if let Some(help) = &help {
            message += &format!("\nhelp: {}", Shown(help));
        }
        let mut diagnostic = json!({
            "range": range(&error.span),
            "severity": 1,
            "code": error_code(&error.kind),
            "source": profile.name,
            "message": message,
        });
        if let AssembleErrorKind::LabelTwice { first: Some(first), .. } = &error.kind {
            let location = json!({ "uri": uri, "range": range(first) });
            diagnostic["relatedInformation"] =
                json!([{ "location": location, "message": "the first is here" }]);
        }
        diagnostic
    };
    errors.iter().take(MOST).map(diagnostic).collect()
}

/// Returns the title, label and help of an error.
fn words(error: &AssembleError, is_program: bool) -> (String, String, Option<String>) {
    match &error.kind {
        AssembleErrorKind::Statement { error, .. } if !is_program => match error.kind() {
            // This message is the same as the message for a text that is read in several pieces.
            ParseErrorKind::UnfinishedComment => {
                ("unterminated comment".into(), String::new(), Some("end it with `*/`".into()))
            }
            _ => (
                error.title().to_string(),
                error.label().into(),
                error.help().map(|help| help.to_string()),
            ),
        },
        _ => (error.title().to_string(), error.label().into(), error.help()),
    }
}
