//! The directive `.globl`, also written `.global`: which labels other objects may name.

use super::cursor::{Cursor, begins_name};
use super::data;
use crate::error::ParseError;

/// Reads the labels behind the directive, and hands on each. Labels that the program does not have are
/// no mistake, as elsewhere: the linker finds them.
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
            let fault = cursor.fault(start, "expected the name of a label");
            return Err(ParseError::fault(cursor, fault));
        }
        if let Some(site) = cursor.site() {
            // Editors learn by this that the label is named here.
            let _ = site.labels.address(name);
        }
        each(name);
        if !data::goes_on(cursor, "expected `,` or `;` behind the label")? {
            return Ok(());
        }
    }
}
