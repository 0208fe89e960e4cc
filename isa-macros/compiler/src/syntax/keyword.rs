//! The reserved words of Rust.

/// The words that cannot be an identifier in the edition that reserves the most words: the strict
/// and the reserved keywords of all editions.
///
/// A macro cannot know the edition of its caller, and a raw identifier is valid in every edition.
#[rustfmt::skip]
const RESERVED: [&str; 53] = [
    "Self", "_", "abstract", "as", "async", "await", "become", "box", "break", "const", "continue",
    "crate", "do", "dyn", "else", "enum", "extern", "false", "final", "fn", "for", "gen", "if",
    "impl", "in", "let", "loop", "macro", "match", "mod", "move", "mut", "override", "priv", "pub",
    "ref", "return", "self", "static", "struct", "super", "trait", "true", "try", "type", "typeof",
    "unsafe", "unsized", "use", "virtual", "where", "while", "yield",
];

/// The reserved words that cannot be a raw identifier either.
const NEVER_RAW: [&str; 5] = ["self", "Self", "super", "crate", "_"];

/// Returns whether Rust reserves a word in any edition.
pub(crate) fn is_reserved(word: &str) -> bool {
    RESERVED.binary_search(&word).is_ok()
}

/// Returns whether a word cannot be a name in Rust, not even as `r#word`.
pub(crate) fn is_never_a_name(word: &str) -> bool {
    NEVER_RAW.contains(&word)
}

#[cfg(test)]
mod tests {
    use proc_macro2::Ident;

    use super::*;

    /// The lists of *The Rust Reference*, section Keywords, each named after its first edition.
    const STRICT: &str = "as break const continue crate else enum extern false fn for if impl in let \
                          loop match mod move mut pub ref return self Self static struct super trait \
                          true type unsafe use where while _";
    const STRICT_2018: &str = "async await dyn";
    const FOR_LATER: &str =
        "abstract become box do final macro override priv typeof unsized virtual yield";
    const FOR_LATER_2018: &str = "try";
    const FOR_LATER_2024: &str = "gen";
    const WEAK: &str = "macro_rules raw safe union auto default";

    #[test]
    fn all_editions_are_covered() {
        let lists = [STRICT, STRICT_2018, FOR_LATER, FOR_LATER_2018, FOR_LATER_2024];
        let mut words: Vec<&str> = lists.iter().flat_map(|list| list.split(' ')).collect();
        words.sort_unstable();
        assert_eq!(words, RESERVED);
        for word in WEAK.split(' ') {
            assert!(!is_reserved(word), "{word}");
        }
    }

    /// `syn` reserves the words of the edition 2021, and knows which of them cannot be raw
    /// identifiers.
    #[test]
    fn the_parser_agrees() {
        for word in RESERVED {
            let is_name = syn::parse_str::<Ident>(word).is_ok();
            assert_eq!(is_name, word == "gen", "{word}");
            let is_raw = syn::parse_str::<Ident>(&format!("r#{word}")).is_ok();
            assert_eq!(is_raw, !is_never_a_name(word), "{word}");
        }
    }
}
