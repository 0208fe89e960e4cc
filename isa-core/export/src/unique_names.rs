//! Converts names to identifiers of other languages.

use std::collections::HashSet;

/// The names that are used in a file, so that two items never get the same name.
#[derive(Debug, Default)]
pub(crate) struct UniqueNames(HashSet<String>);

impl UniqueNames {
    /// Creates a list that contains the names that the file itself uses.
    pub(crate) fn reserved(names: &[&str]) -> Self {
        UniqueNames(names.iter().map(|name| (*name).to_owned()).collect())
    }

    /// Returns the name if it is not used yet, and otherwise the first unused name of `name_2`, `name_3`
    /// and so on.
    pub(crate) fn claim(&mut self, name: &str) -> String {
        self.claim_with(name, |name| vec![name.to_owned()])
    }

    /// Returns the first of `name`, `name_2`, `name_3` and so on for which no name in `derived` is used yet,
    /// and claims the names in `derived`.
    pub(crate) fn claim_with(
        &mut self,
        name: &str,
        derived: impl Fn(&str) -> Vec<String>,
    ) -> String {
        let further = (2..).map(|number| format!("{name}_{number}"));
        let mut names = std::iter::once(name.to_owned()).chain(further);
        loop {
            // The sequence never ends.
            let name = names.next().unwrap_or_default();
            let derived = derived(&name);
            if !derived.iter().any(|name| self.0.contains(name)) {
                self.0.extend(derived);
                return name;
            }
        }
    }
}

/// Replaces characters that are not ASCII letters, digits or `_` by `_`.
pub(crate) fn identifier(name: &str) -> String {
    name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_given_once() {
        let mut names = UniqueNames::reserved(&["int"]);
        let all = ["int", "a", "a", "a_2", "a"].map(|name| names.claim(name));
        assert_eq!(all, ["int_2", "a", "a_2", "a_2_2", "a_3"]);
        assert_eq!(identifier("c.ld 8b/ß"), "c_ld_8b__");
    }
}
