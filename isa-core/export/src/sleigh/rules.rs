//! Caches the rules of operand types and formats.

use std::collections::BTreeMap;

use isa_core::table::{Kind, Text};
use isa_core::text::Line;

use super::show::named;
use super::text::{Rule, Writer};

/// The key of a rule: the addresses of the type and of the text functions, the arguments and the
/// width.
type Key = (usize, usize, Vec<u64>, u32);

/// The rules that have been determined.
#[derive(Debug, Default)]
pub(super) struct Rules(BTreeMap<Key, Option<Rule>>);

impl Rules {
    /// Returns the rule of an operand type or value set.
    pub(super) fn of_kind(&mut self, kind: &'static Kind, width: u32) -> Option<Rule> {
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
    ) -> Option<Rule> {
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
        key: Key,
        kind: &Kind,
        width: u32,
        text: &dyn Fn(u64) -> String,
    ) -> Option<Rule> {
        let exists = |raw| kind.admits(raw);
        let width = u8::try_from(width).ok()?;
        let find = || Writer { width, text, exists: &exists }.rule();
        self.0.entry(key).or_insert_with(find).clone()
    }
}
