//! Names as other languages have them.

use std::collections::HashSet;

/// Names that are taken in a file, so that no two things get one.
#[derive(Debug, Default)]
pub(crate) struct Names(HashSet<String>);

impl Names {
    /// None but those of the file's own text.
    pub(crate) fn reserved(names: &[&str]) -> Self {
        Names(names.iter().map(|name| (*name).to_owned()).collect())
    }

    /// The name, or where it is taken the first of `name_2`, `name_3` and so on that is not.
    pub(crate) fn claim(&mut self, name: &str) -> String {
        let further = (2..).map(|number| format!("{name}_{number}"));
        let mut names = std::iter::once(name.to_owned()).chain(further);
        loop {
            // The numbers do not end.
            let name = names.next().unwrap_or_default();
            if self.0.insert(name.clone()) {
                return name;
            }
        }
    }
}

/// A name with `_` for what is no letter of English, no digit and no `_`.
pub(crate) fn identifier(name: &str) -> String {
    name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_given_once() {
        let mut names = Names::reserved(&["int"]);
        let all = ["int", "a", "a", "a_2", "a"].map(|name| names.claim(name));
        assert_eq!(all, ["int_2", "a", "a_2", "a_2_2", "a_3"]);
        assert_eq!(identifier("c.ld 8b/ß"), "c_ld_8b__");
    }
}
