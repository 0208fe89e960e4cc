//! Compares this assembler with other assemblers on operands at the limits of their ranges. All of them
//! must accept the same texts and emit the same bytes.

use std::collections::{BTreeMap, BTreeSet};
use std::process::Command;

use isa_core::asm::Assembler;
use isa_core::table::{InstructionSet, Opcode};
use isa_core::text::Line;
use isa_verify::random::SplitMix64;

use crate::share::share;
use crate::tools::{Temporary, run};

/// The distance in bytes between two texts in the object of another assembler. No text has a longer
/// encoding.
const SLOT: usize = 64;

/// An assembler from another project.
#[derive(Debug, Clone, Copy)]
pub struct Foreign {
    /// The program, which reads text from standard input.
    pub program: &'static str,
    /// The arguments of the program. The name of the object follows the last argument.
    pub args: &'static [&'static str],
    /// The program that extracts the code from an object.
    pub objcopy: &'static str,
    /// Returns the directives that a text requires before it. They end with `;`.
    pub before: fn(&str) -> &'static str,
    /// Whether numbers in place of targets are distances, as in this assembler.
    pub has_distances: bool,
}

impl Foreign {
    /// Returns the code of each text, followed by zeros, or `None` if the assembler rejects the
    /// text.
    ///
    /// # Panics
    ///
    /// Panics if the program fails without an error that names a line.
    #[must_use]
    pub fn assemble(&self, texts: &[&str]) -> Vec<Option<Vec<u8>>> {
        let (object, code) = (Temporary::new("o"), Temporary::new("bin"));
        let mut rejected = BTreeSet::new();
        loop {
            let mut input = String::new();
            for (at, text) in texts.iter().enumerate() {
                let text = if rejected.contains(&at) { "" } else { text };
                input += &format!("{}.org {:#x}; {text}\n", (self.before)(text), at * SLOT);
            }
            let mut command = Command::new(self.program);
            let output = run(command.args(self.args).arg(&object.0), input);
            if output.status.success() {
                break;
            }
            let said = String::from_utf8_lossy(&output.stderr);
            let before = rejected.len();
            rejected.extend(said.lines().filter_map(line_of_error));
            assert!(rejected.len() > before, "{}: {said}", self.program);
        }
        let copy = ["-O", "binary", "--only-section=.text"];
        let copied =
            run(Command::new(self.objcopy).args(copy).args([&object.0, &code.0]), String::new());
        assert!(copied.status.success(), "{}", String::from_utf8_lossy(&copied.stderr));
        let mut bytes = std::fs::read(&code.0).expect("the code");
        bytes.resize(texts.len() * SLOT, 0);
        let slots = bytes.chunks(SLOT).enumerate();
        slots.map(|(at, slot)| (!rejected.contains(&at)).then(|| slot.to_vec())).collect()
    }
}

/// Returns the line, counted from 0, of an error message.
fn line_of_error(message: &str) -> Option<usize> {
    let (_, message) = message.strip_prefix(['<', '{'])?.split_once([':'])?;
    let (line, message) = message.split_once(':')?;
    let is_error = message.contains("rror: ");
    line.parse::<usize>().ok().filter(|_| is_error)?.checked_sub(1)
}

/// Returns numbers around each power of two, and around the limits of fields that count in larger steps.
fn edges() -> Vec<i128> {
    let mut edges = BTreeSet::new();
    for bit in (0..=13).chain([15, 16, 20, 21, 31, 32, 47, 48, 63, 64]) {
        let power = 1i128 << bit;
        edges.extend([power - 1, power, -power, -power - 1]);
    }
    edges.extend([24, 48, 62, 60, 124, 252, 504, 508, 496, 1008, 1020, 16380, 32760, -264, -520]);
    edges.into_iter().collect()
}

/// Numbers that are combined if a text contains two numbers.
const PAIRED: [i128; 12] = [0, 1, 2, 16, 30, 31, 32, 33, 48, 62, 63, 64];

/// Returns the ranges of the numbers in a text: digits that are not part of a name, with their
/// sign.
fn numbers(text: &str) -> Vec<core::ops::Range<usize>> {
    let bytes = text.as_bytes();
    let in_word = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.');
    let mut found = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        let length = bytes[at..].iter().take_while(|byte| in_word(byte)).count();
        if length > 0 && bytes[at].is_ascii_digit() {
            let signed = at > 0 && bytes[at - 1] == b'-';
            found.push(at - usize::from(signed)..at + length);
        }
        at += length.max(1);
    }
    found
}

/// Replaces the numbers in some ranges, which are sorted.
fn replaced(text: &str, places: &[core::ops::Range<usize>], numbers: &[i128]) -> String {
    let mut text = text.to_owned();
    for (place, number) in places.iter().zip(numbers).rev() {
        text.replace_range(place.clone(), &number.to_string());
    }
    text
}

/// Returns variants of a text with a number removed or added, at positions where assemblers often
/// allow it.
fn reshaped(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    let changes = [(" 0(", " ("), (" (", " 0("), ("]", ", #0]"), (", #0]", "]")];
    for (from, to) in changes {
        if text.contains(from) {
            found.push(text.replace(from, to));
        }
    }
    // The last number may have a default.
    if let Some((rest, last)) = text.rsplit_once(", ") {
        if last.bytes().any(|byte| byte.is_ascii_digit()) {
            found.push(rest.to_owned());
        }
        found.push(format!("{text}, {}0", if text.contains('#') { "#" } else { "" }));
        found.push(format!("{text}, lsl #0"));
    }
    found
}

/// Collects texts of a row: the printed texts of some words, variants with other numbers, and variants
/// in other forms.
fn texts_of(row: &Opcode, random: &mut SplitMix64, texts: &mut BTreeSet<String>) {
    let free = !(row.fixed.mask | row.unused | row.ignored) & u128::MAX >> (128 - row.bits);
    let mut words = vec![row.fixed.value];
    words.extend((0..3).map(|_| u128::from(random.bits()) & free | row.fixed.value));
    for word in words {
        let mut line = Line::new();
        row.print_plain(word, &mut line);
        let text = line.as_str().trim_end_matches(';');
        texts.insert(text.to_owned());
        texts.extend(reshaped(text));
        let places = numbers(text);
        for place in &places {
            let one = core::slice::from_ref(place);
            texts.extend(edges().iter().map(|number| replaced(text, one, &[*number])));
        }
        if let [.., first, second] = &places[..] {
            let both = [first.clone(), second.clone()];
            for a in PAIRED {
                texts.extend(PAIRED.map(|b| replaced(text, &both, &[a, b])));
            }
        }
    }
}

/// Returns whether a text contains a number that other assemblers truncate, because they calculate
/// with 64 or 32 bits. This assembler rejects such a number.
#[must_use]
pub fn wraps(text: &str) -> bool {
    let places = numbers(text).into_iter();
    let mut found = places.filter_map(|place| text[place].parse::<i128>().ok());
    found.any(|number| !(-(1 << 31)..1 << 63).contains(&number))
}

/// A known reason for a different result. It applies to some texts, depending on the text and on the
/// bytes of both sides.
#[derive(Debug)]
pub struct Difference {
    /// The reason.
    pub why: &'static str,
    /// Whether it applies.
    pub applies: Applies,
}

/// Returns whether a difference applies to a text, the bytes of this assembler, and the bytes of the
/// other assemblers.
pub type Applies = fn(&str, Option<&[u8]>, Option<&[u8]>) -> bool;

/// Compares the texts of all opcodes, aliases and synonyms of a set. If all other assemblers encode a
/// text as the same single instruction, this assembler must emit the same bytes. If all of them reject a
/// text, this assembler must reject it. Returns the number of compared texts, and how often each
/// difference applied.
/// Without `ISA_SHARE=1`, only a [`share`] of the texts is compared.
///
/// # Panics
///
/// Panics if results differ without a known reason.
#[must_use]
pub fn compare(
    set: &'static InstructionSet,
    foreign: &[Foreign],
    differences: &[Difference],
) -> (usize, BTreeMap<&'static str, usize>) {
    let (mut random, mut distances, mut others) =
        (SplitMix64::new(20), BTreeSet::new(), BTreeSet::new());
    for row in set.spellings {
        let has_target = row.fields.iter().any(|field| field.kind.is_target());
        texts_of(row, &mut random, if has_target { &mut distances } else { &mut others });
    }
    let (mut wrong, mut met, mut compared) = (Vec::new(), BTreeMap::new(), 0);
    for (texts, has_target) in [(&distances, true), (&others, false)] {
        let texts: Vec<&str> = texts.iter().map(String::as_str).step_by(share()).collect();
        let them = foreign.iter().filter(|foreign| !has_target || foreign.has_distances);
        let theirs: Vec<_> = them.map(|foreign| foreign.assemble(&texts)).collect();
        for (at, text) in texts.iter().enumerate() {
            let said: Vec<Option<&[u8]>> = theirs.iter().map(|all| all[at].as_deref()).collect();
            let Some(first) = said.first().filter(|first| said.iter().all(|one| one == *first))
            else {
                continue;
            };
            let ours = Assembler::new(set).assemble(&format!("{text};"));
            let ours = ours.ok().map(|program| program.bytes);
            compared += 1;
            let is_same = match (&ours, first) {
                (Some(ours), Some(theirs)) => {
                    theirs.starts_with(ours) && theirs[ours.len()..].iter().all(|byte| *byte == 0)
                }
                (ours, theirs) => ours.is_none() && theirs.is_none(),
            };
            if is_same {
                continue;
            }
            match differences.iter().find(|d| (d.applies)(text, ours.as_deref(), *first)) {
                Some(difference) => *met.entry(difference.why).or_default() += 1,
                None => wrong
                    .push(format!("{text}: {ours:02x?}, not {:02x?}", first.map(|it| &it[..8]))),
            }
        }
    }
    let shown = std::env::var("ISA_SHOWN").ok().and_then(|shown| shown.parse().ok()).unwrap_or(40);
    let some = wrong.len().min(shown);
    assert!(wrong.is_empty(), "{} of {compared} texts:\n{}", wrong.len(), wrong[..some].join("\n"));
    (compared, met)
}
