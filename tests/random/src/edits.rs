//! Random specifications and edits of them. The reported differences between the two are compared
//! with the meanings of all words of both.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::Path;
use std::{fs, io};

use crate::compiled::{candidate, cargo, collect_refused, prepare};
use crate::random::Random;
use crate::shrink::smaller;
use crate::spec::{Field, Init, KindText, Line, Node, Piece, Spec};
use crate::verdict::verdict;
use crate::write::write;

/// The program that compares.
const PROGRAM: &str = include_str!("edits/program.rs");

/// A specification and versions of it that are one edit away.
pub struct Edited {
    /// The seed from which it was made.
    pub seed: u64,
    /// The specification, followed by the edited ones.
    pub specs: Vec<String>,
}

/// Returns a specification of 16-bit words with at most `most` edits that the compiler accepts.
/// Returns `None` if the seed does not make such a specification.
#[must_use]
pub fn edited(seed: u64, most: usize) -> Option<Edited> {
    let spec = candidate(seed)?.spec;
    if spec.widths != [16] {
        return None;
    }
    let mut random = Random::new(seed ^ 0xed17);
    let mut all: Vec<String> = smaller(&spec).iter().chain(&others(&spec)).map(write).collect();
    all.extend(renamed(&spec));
    let own = write(&spec);
    all.retain(|text| *text != own);
    random.shuffle(&mut all);
    let is_taken = |text: &String| {
        let verdict = verdict(text);
        verdict.faults.is_empty() && !verdict.claims
    };
    let edits = all.into_iter().filter(|text| text.contains("opcode ")).filter(is_taken);
    let specs = [own].into_iter().chain(edits.take(most)).collect();
    Some(Edited { seed, specs })
}

/// The number of edits of one specification that are compared.
const EDITS: usize = 11;

/// Returns specifications for one crate, starting at a seed, and the seed to continue with. The
/// edited specifications count towards `most`.
#[must_use]
pub fn batch(seed: u64, most: usize) -> (Vec<Edited>, u64) {
    let (mut all, mut count, mut seed) = (Vec::new(), 0, seed);
    while count < most {
        let found = edited(seed, EDITS).filter(|edited| edited.specs.len() > 1);
        count += found.as_ref().map_or(0, |edited| edited.specs.len());
        all.extend(found);
        seed += 1;
    }
    (all, seed)
}

/// Returns edits that remove nothing: other numbers, names, positions and orders.
fn others(spec: &Spec) -> Vec<Spec> {
    let mut all = Vec::new();
    let mut with = |change: &dyn Fn(&mut Spec)| {
        let mut copy = spec.clone();
        change(&mut copy);
        all.push(copy);
    };
    for kind in 0..spec.kinds.len() {
        let count = spec.kinds[kind].values().len();
        for place in 1..count {
            with(&|spec| {
                let KindText::Set(values) = &mut spec.kinds[kind].text else { return };
                let (raw, other) = (values[place].raw, values[place - 1].raw);
                (values[place].raw, values[place - 1].raw) = (other, raw);
            });
            with(&|spec| {
                let KindText::Set(values) = &mut spec.kinds[kind].text else { return };
                drop(values.remove(place));
            });
        }
        with(&|spec| match &mut spec.kinds[kind].text {
            text @ KindText::Signed => *text = KindText::Unsigned,
            text @ KindText::Unsigned => *text = KindText::Signed,
            _ => {}
        });
    }
    for opcode in 0..spec.opcodes.len() {
        let name = spec.opcodes[opcode].name.clone();
        let is_named = spec.aliases.iter().any(|alias| alias.of == name)
            || spec.opcodes.iter().any(|other| other.inside.contains(&name));
        if !is_named {
            with(&|spec| spec.opcodes[opcode].name += "_NEW");
        }
        with(&|spec| {
            for piece in spec.opcodes[opcode].template.iter_mut().flatten() {
                if let Piece::Mnemonic(word) = piece {
                    word.push('Q');
                }
            }
        });
        with(&|spec| {
            spec.opcodes[opcode].template.iter_mut().for_each(|pieces| swap_slots(pieces))
        });
    }
    for node in 0..spec.groups.len() + spec.opcodes.len() {
        for line in 0..self::node(&mut spec.clone(), node).lines.len() {
            with(&|spec| moved(&mut self::node(spec, node).lines[line], 1));
            with(&|spec| moved(&mut self::node(spec, node).lines[line], -1));
            with(&|spec| {
                if let Line::Declare(Field { pieces, .. }) = &mut self::node(spec, node).lines[line]
                {
                    pieces.reverse();
                }
            });
            with(&|spec| {
                let (Line::Declare(Field { init, .. }) | Line::Refine(_, init)) =
                    &mut self::node(spec, node).lines[line];
                if let Init::Default(raw) | Init::Fixed(raw) = init {
                    *raw ^= 1;
                }
            });
        }
        with(&|spec| self::node(spec, node).lines.reverse());
    }
    all
}

/// Returns a group, or for an index after the groups, an opcode.
fn node(spec: &mut Spec, place: usize) -> &mut Node {
    match place.checked_sub(spec.groups.len()) {
        None => &mut spec.groups[place],
        Some(place) => &mut spec.opcodes[place],
    }
}

/// Moves a field some bits up or down.
fn moved(line: &mut Line, by: i32) {
    if let Line::Declare(Field { pieces, .. }) = line {
        for (position, _) in pieces {
            *position = position.saturating_add_signed(by);
        }
    }
}

/// Returns texts in which one field is renamed everywhere.
fn renamed(spec: &Spec) -> Vec<String> {
    let text = write(spec);
    let lines = spec.groups.iter().chain(&spec.opcodes).flat_map(|node| &node.lines);
    let mut names: Vec<&str> = lines
        .filter_map(|line| match line {
            Line::Declare(field) if !field.name.contains('.') => Some(&*field.name),
            _ => None,
        })
        .collect();
    names.sort_unstable();
    names.dedup();
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let rename = |name: &str| {
        let (mut renamed, mut end) = (String::new(), 0);
        for (at, _) in text.match_indices(name) {
            renamed += &text[end..at];
            end = at + name.len();
            let alone = !text[..at].ends_with(is_word) && !text[end..].starts_with(is_word);
            renamed += name;
            renamed += if alone { "_new" } else { "" };
        }
        renamed + &text[end..]
    };
    names.into_iter().map(rename).collect()
}

/// The result of a run.
#[derive(Debug, Default)]
pub struct Outcome {
    /// The failures, one sentence each.
    pub failures: Vec<String>,
    /// The number of edits that were compared.
    pub edits: usize,
    /// The number of edits that change the meaning of a word.
    pub altering: usize,
    /// The number of changes that were checked word by word.
    pub changes: usize,
}

/// Compiles specifications and their edits in a folder, and runs the program that compares them.
///
/// # Errors
///
/// Returns an error if the folder cannot be written, the compiler cannot be started, or the program
/// fails without naming a specification.
pub fn run(all: &[Edited], folder: &Path) -> io::Result<Outcome> {
    prepare(folder, &["isa-core", "isa-core/export"])?;
    let manifest = fs::OpenOptions::new().append(true).open(folder.join("Cargo.toml"));
    // These crates decode and print all words, so they are compiled with optimization.
    let fast = ["isa-core", "isa-export"];
    let fast = fast.map(|name| format!("[profile.dev.package.{name}]\nopt-level = 1\n"));
    manifest?.write_all(fast.concat().as_bytes())?;
    let mut refused = BTreeMap::new();
    let output = loop {
        fs::write(folder.join("src/main.rs"), program(all, &refused))?;
        let built = cargo(folder, &["build", "--message-format=short"])?;
        if built.status.success() {
            break cargo(folder, &["run"])?;
        }
        let known = refused.len();
        let messages = String::from_utf8_lossy(&built.stderr).into_owned();
        let count = all.iter().map(|edited| edited.specs.len()).sum();
        collect_refused(&messages, count, &mut refused);
        if refused.len() == known {
            return Err(io::Error::other(messages));
        }
    };
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let mut outcome = Outcome::default();
    for line in text.lines() {
        match line.split('\t').collect::<Vec<_>>()[..] {
            ["done", edits, altering, changes] => {
                let number = |text: &str| text.parse().unwrap_or_default();
                outcome.edits = number(edits);
                (outcome.altering, outcome.changes) = (number(altering), number(changes));
            }
            _ => outcome.failures.push(line.to_owned()),
        }
    }
    if outcome.edits == 0 {
        return Err(io::Error::other(String::from_utf8_lossy(&output.stderr).into_owned()));
    }
    Ok(outcome)
}

/// Writes each specification as a module on one line, and the pairs to compare.
fn program(all: &[Edited], refused: &BTreeMap<usize, String>) -> String {
    let mut text = "#![allow(warnings)] ".to_owned();
    let (mut pairs, mut place) = (String::new(), 0);
    for Edited { seed, specs } in all {
        let first = place;
        for spec in specs {
            if !refused.contains_key(&place) {
                let spec = spec.replace('\n', " ");
                // Two public macro calls of one crate must differ.
                let _ = write!(
                    text,
                    "mod m{place} {{ isa_core::define_isa! {{ #[doc = \"{place}\"] {spec} }} \
                     pub fn set() -> &'static isa_core::table::InstructionSet {{ Toy::SET }} }}"
                );
                if place > first && !refused.contains_key(&first) {
                    let _ = write!(pairs, "({seed}, m{first}::set, m{place}::set),");
                }
            }
            text.push('\n');
            place += 1;
        }
    }
    let set = "fn() -> &'static isa_core::table::InstructionSet";
    text + PROGRAM + &format!("const PAIRS: &[(u64, {set}, {set})] = &[{pairs}];\n")
}

fn swap_slots(pieces: &mut [Piece]) {
    let slots: Vec<usize> =
        (0..pieces.len()).filter(|place| matches!(pieces[*place], Piece::Slot { .. })).collect();
    if let [first, second, ..] = slots[..] {
        pieces.swap(first, second);
    }
}
