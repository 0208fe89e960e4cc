//! Splits the page into sections and blocks.

/// A part of the page under a heading.
pub(crate) struct Section<'p> {
    /// The number in the heading.
    pub(crate) step: Option<usize>,
    /// The fenced blocks.
    pub(crate) blocks: Vec<Block<'p>>,
}

/// A fenced block.
pub(crate) struct Block<'p> {
    /// The language, which follows the opening fence.
    pub(crate) language: &'p str,
    /// The lines, including their line breaks.
    pub(crate) text: &'p str,
}

/// Returns the sections of the page.
pub(crate) fn sections(page: &str) -> Vec<Section<'_>> {
    let sections = page.split("\n## ").map(|text| Section {
        step: text.split_once(". ").and_then(|(number, _)| number.parse().ok()),
        blocks: blocks(text),
    });
    sections.collect()
}

fn blocks(text: &str) -> Vec<Block<'_>> {
    const FENCE: &str = "\n```";
    let (mut blocks, mut rest) = (Vec::new(), text);
    while let Some(start) = rest.find(FENCE) {
        let (language, body) = rest[start + FENCE.len()..].split_once('\n').unwrap();
        assert!(["toml", "rs", "rust", "console"].contains(&language), "a block of `{language}`");
        let end = body.find(FENCE).unwrap() + 1;
        blocks.push(Block { language, text: &body[..end] });
        rest = &body[end + FENCE.len() - 1..];
    }
    blocks
}

/// Returns the command and its output if the block is a console session.
pub(crate) fn console<'p>(block: &Block<'p>) -> Option<(&'p str, &'p str)> {
    let (command, printed) = block.text.split_once('\n')?;
    (block.language == "console").then_some(())?;
    Some((command.strip_prefix("$ ").expect("a prompt"), printed))
}

/// Returns the compiler output for a case with the positions in `src/main.rs` instead.
pub(crate) fn in_main(answer: &str) -> String {
    let lines = answer.lines().map(|line| match line.trim_start().strip_prefix("--> tutorial/") {
        None => format!("{line}\n"),
        Some(place) => {
            let indent = line.len() - line.trim_start().len();
            let (_, place) = place.split_once(':').expect("a line and a column");
            format!("{:indent$}--> src/main.rs:{place}\n", "")
        }
    });
    lines.collect()
}
