//! The language of the descriptions, for screen readers, fonts and line breaks.

use isa_core::shown::is_cjk;

use super::markdown::words;

/// The numbers of words in descriptions by their scripts. Each Chinese, Japanese or Korean character
/// counts as a word.
#[derive(Default)]
pub(crate) struct ScriptCounts {
    han: usize,
    kana: usize,
    hangul: usize,
    other: usize,
}

impl ScriptCounts {
    /// Adds the words of a description.
    pub(crate) fn add(&mut self, doc: &str) {
        let mut in_word = false;
        for c in words(doc).chars() {
            let count = match c {
                '\u{3040}'..='\u{30ff}' => &mut self.kana,
                '\u{ac00}'..='\u{d7a3}' => &mut self.hangul,
                c if is_cjk(c) => &mut self.han,
                c if c.is_alphabetic() && !in_word => &mut self.other,
                _ => {
                    in_word &= c.is_alphanumeric();
                    continue;
                }
            };
            in_word = c.is_alphabetic() && !is_cjk(c);
            *count += 1;
        }
    }

    /// Returns the language tag of most words. All scripts other than those of Chinese, Japanese and
    /// Korean belong to many languages, so their tag is `en`.
    pub(crate) fn language(&self) -> &'static str {
        match self.han + self.kana {
            cjk if self.hangul > cjk.max(self.other) => "ko",
            cjk if cjk <= self.other => "en",
            // Japanese text contains more kana than Chinese characters, Chinese text contains none.
            cjk if self.kana * 5 > cjk => "ja",
            _ => "zh",
        }
    }
}

/// Returns whether a text is a language tag such as `zh`, `en-GB` or `zh-Hant-TW`.
pub(crate) fn is_tag(text: &str) -> bool {
    let mut parts = text.split('-');
    let is_language =
        |part: &str| (2..=8).contains(&part.len()) && part.chars().all(|c| c.is_ascii_alphabetic());
    let is_part = |part: &str| {
        (1..=8).contains(&part.len()) && part.chars().all(|c| c.is_ascii_alphanumeric())
    };
    parts.next().is_some_and(is_language) && parts.all(is_part)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_script_determines_the_language() {
        for (doc, language) in [
            ("", "en"),
            ("Adds two registers, 加法.", "en"),
            ("将 Ra 与 SrcB 相加，结果写入 Rd。", "zh"),
            ("レジスタの和を求めます。", "ja"),
            ("두 레지스터를 더합니다.", "ko"),
            ("Складывает регистры.", "en"),
        ] {
            let mut counts = ScriptCounts::default();
            counts.add(doc);
            assert_eq!(counts.language(), language, "{doc}");
        }
    }

    #[test]
    fn tags_are_words_with_hyphens() {
        assert!(["zh", "en-GB", "zh-Hant-TW", "es-419"].into_iter().all(is_tag));
        assert!(!["", "z", "zh_CN", "zh-", "-zh", "中文", "en\" x"].into_iter().any(is_tag));
    }
}
