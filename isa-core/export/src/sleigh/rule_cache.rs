//! Caches the rules of operand types and formats.

use std::collections::BTreeMap;

use isa_core::table::{Kind, Text};
use isa_core::text::Line;

use super::print_rule::{PrintRule, RuleSearch};

/// The key of a rule: the addresses of the type and of the text functions, the arguments and the
/// width.
type RuleKey = (usize, usize, Vec<u64>, u32);

/// The rules that have been determined.
#[derive(Debug, Default)]
pub(super) struct RuleCache(BTreeMap<RuleKey, Option<PrintRule>>);

impl RuleCache {
    /// Returns the rule of an operand type or value set.
    pub(super) fn of_kind(&mut self, kind: &'static Kind, width: u32) -> Option<PrintRule> {
        match kind.text {
            Some(text) => self.of_text(text, kind, &[], width),
            None => {
                let key = (std::ptr::from_ref(kind).addr(), 0, Vec::new(), width);
                self.find(key, kind, width, &|raw| named(kind, raw))
            }
        }
    }

    /// Returns the rule of `text`, the text functions of a format or of the operand type `kind`,
    /// with the arguments `args`.
    pub(super) fn of_text(
        &mut self,
        text: &'static Text,
        kind: &'static Kind,
        args: &[u64],
        width: u32,
    ) -> Option<PrintRule> {
        let places = (std::ptr::from_ref(kind).addr(), std::ptr::from_ref(text).addr());
        let key = (places.0, places.1, args.to_vec(), width);
        self.find(key, kind, width, &|raw| {
            let mut line = Line::new();
            (text.write)(raw, args, &mut line);
            line.as_str().to_owned()
        })
    }

    fn find(
        &mut self,
        key: RuleKey,
        kind: &Kind,
        width: u32,
        text: &dyn Fn(u64) -> String,
    ) -> Option<PrintRule> {
        let exists = |raw| kind.admits(raw);
        let width = u8::try_from(width).ok()?;
        let find = || RuleSearch { width, text, exists: &exists }.rule();
        self.0.entry(key).or_insert_with(find).clone()
    }
}

/// Returns the name of a value, or its number if it has no name.
pub(super) fn named(kind: &Kind, raw: u64) -> String {
    kind.value(raw).map_or_else(|| format!("{raw:#x}"), |value| value.name.to_owned())
}
