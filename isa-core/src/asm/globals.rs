//! The directive `.globl`, also written `.global`: labels that other objects may use.

use super::data;
use crate::error::ParseError;
use crate::text::{Cursor, begins_name};

/// The message for text that is not the name of a label.
pub(super) const LABEL_EXPECTED: &str = "expected the name of a label";

/// Parses the labels after the directive, and calls `each` for every label. A label that the program
/// does not define is not an error, because another object may define it.
pub(super) fn read<'t>(
    cursor: &mut Cursor<'t>,
    mut each: impl FnMut(&'t str),
) -> Result<(), ParseError> {
    loop {
        cursor.skip_trivia();
        let start = cursor.position();
        let is_name = begins_name(cursor.rest());
        let name = cursor.name();
        if !is_name || name == "." {
            let fault = cursor.fault(start, LABEL_EXPECTED);
            return Err(ParseError::fault(cursor, fault));
        }
        if let Some(site) = cursor.context() {
            // This lookup records for editors that the label is used here.
            let _ = site.labels.address(name);
        }
        each(name);
        if !data::goes_on(cursor, "expected `,` or `;` after the label")? {
            return Ok(());
        }
    }
}
