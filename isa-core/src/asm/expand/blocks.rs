//! Macros, repetitions and conditions while a program is expanded.

use alloc::rc::Rc;
use alloc::string::String;
use alloc::vec::Vec;

use super::trace::{Origin, Traced};

/// An open condition.
pub(super) struct Condition {
    /// Whether the current branch is assembled.
    pub(super) is_active: bool,
    /// Whether another branch was or is assembled, or none may be because of an outer condition.
    pub(super) is_done: bool,
    pub(super) has_else: bool,
    pub(super) origin: Origin,
}

/// A macro.
pub(super) struct Macro {
    pub(super) parameters: Vec<Parameter>,
    pub(super) body: Traced,
}

pub(super) struct Parameter {
    pub(super) name: String,
    /// The argument if the call has none.
    pub(super) default: Traced,
    pub(super) is_required: bool,
    /// Whether the parameter takes all further arguments.
    pub(super) is_rest: bool,
}

/// The iterations of a repetition that are still to come.
pub(super) struct Repetition {
    pub(super) body: Rc<Traced>,
    /// The name that the values replace, and the values, the last first.
    pub(super) values: Option<(String, Vec<Traced>)>,
    /// The number of iterations.
    pub(super) left: u64,
}
