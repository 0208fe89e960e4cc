//! Resolves instructions that share words.

use std::collections::HashMap;

use super::arguments::Argument;
use super::line_parser::{Instruction, run};

/// The item that a line becomes.
pub(super) enum LineResult {
    Opcode {
        name: String,
        /// The instructions that contain its words.
        inside: Vec<String>,
    },
    Alias {
        name: String,
        of: String,
        /// `alias`, or `synonym` if it is never printed.
        word: &'static str,
        /// The aliases that share words with this alias and have a lower priority.
        before: Vec<String>,
        /// The fields of the instruction that the alias fixes, with their values.
        fixed: Vec<(String, u64)>,
        /// Pairs of equal fields: the text shows the first field, and the second field is equal to it.
        equal: Vec<(String, String)>,
        slots: Vec<String>,
    },
    /// The reason why the line does not become an item.
    Left(String),
}

/// Instructions in buckets by width and by the bits that all instructions of the width fix. Two
/// instructions that share a word are in the same bucket.
struct Buckets<'a, 's> {
    all: &'a [&'a Instruction<'s>],
    common: HashMap<u32, u64>,
    found: HashMap<(u32, u64), Vec<usize>>,
}

impl<'a, 's> Buckets<'a, 's> {
    fn new(all: &'a [&'a Instruction<'s>]) -> Self {
        let mut common = HashMap::new();
        for one in all {
            *common.entry(one.width).or_insert(u64::MAX) &= one.mask;
        }
        Buckets { all, common, found: HashMap::new() }
    }

    fn key(&self, at: usize) -> (u32, u64) {
        let one = self.all[at];
        (one.width, one.value & self.common.get(&one.width).copied().unwrap_or(0))
    }

    fn add(&mut self, at: usize) {
        self.found.entry(self.key(at)).or_default().push(at);
    }

    /// Returns the instructions that can share a word with an instruction, in order.
    fn near(&self, at: usize) -> &[usize] {
        self.found.get(&self.key(at)).map_or(&[], Vec::as_slice)
    }
}

/// Returns the result for each instruction.
pub(super) fn shapes(all: &[&Instruction<'_>]) -> Vec<LineResult> {
    let names = names(all);
    let mut shapes: Vec<Option<LineResult>> = all.iter().map(|_| None).collect();
    let (mut bases, mut pseudo) = (HashMap::<_, Vec<usize>>::new(), Buckets::new(all));
    for (at, one) in all.iter().enumerate().filter(|(_, one)| one.base.is_none()) {
        bases.entry(one.name).or_default().push(at);
    }
    for (at, one) in all.iter().enumerate().filter(|(_, one)| one.base.is_some()) {
        let is_second = pseudo.near(at).iter().any(|&other| is_same(one, all[other]));
        shapes[at] = alias(one, (all, &names), &bases, at, is_second);
        pseudo.add(at);
    }
    // The other instructions are opcodes. Each of them is compared with the opcodes before it.
    let mut opcodes = Buckets::new(all);
    for at in 0..all.len() {
        if shapes[at].is_some() {
            continue;
        }
        let near = opcodes.near(at);
        let clash = near.iter().find(|&&other| {
            meet(all[at], all[other])
                && !within(all[at], all[other])
                && !within(all[other], all[at])
        });
        let same = near.iter().find(|&&other| is_same(all[at], all[other]));
        shapes[at] = match (same, clash) {
            (Some(&other), _) => {
                Some(LineResult::Left(format!("has the same words as {}, above", names[other])))
            }
            (None, Some(&other)) => {
                let word = all[at].value | all[other].value;
                Some(LineResult::Left(format!(
                    "shares words with {}, for example {word:#x}",
                    names[other]
                )))
            }
            (None, None) => {
                opcodes.add(at);
                None
            }
        };
    }
    for at in 0..all.len() {
        if shapes[at].is_some() {
            continue;
        }
        let is_around = |&other: &usize| {
            other != at && meet(all[at], all[other]) && within(all[at], all[other])
        };
        let around: Vec<usize> = opcodes.near(at).iter().copied().filter(is_around).collect();
        let nearest = around.iter().filter(|&&other| {
            !around.iter().any(|&one| one != other && within(all[one], all[other]))
        });
        let inside = nearest.map(|&other| names[other].clone()).collect();
        shapes[at] = Some(LineResult::Opcode { name: names[at].clone(), inside });
    }
    let mut shapes: Vec<LineResult> = shapes.into_iter().flatten().collect();
    order(all, &mut shapes);
    shapes
}

/// Returns unique names of items.
fn names(all: &[&Instruction<'_>]) -> Vec<String> {
    // For each name, the last number that was appended to it.
    let mut known: HashMap<String, usize> = HashMap::new();
    let mut names: Vec<String> = Vec::new();
    for one in all {
        let upper = |c: char| if c.is_ascii_alphanumeric() { c.to_ascii_uppercase() } else { '_' };
        let name: String = one.name.chars().map(upper).collect();
        let mut count = known.get(&name).copied().unwrap_or(0) + 1;
        let mut free = if count == 1 { name.clone() } else { format!("{name}_{count}") };
        while count > 1 && known.contains_key(&free) {
            count += 1;
            free = format!("{name}_{count}");
        }
        known.insert(name, count);
        known.entry(free.clone()).or_insert(1);
        names.push(free);
    }
    names
}

/// Returns whether two instructions share a word: no fixed bit distinguishes them, and neither
/// fixes a field to a value that the other one excludes.
fn meet(a: &Instruction<'_>, b: &Instruction<'_>) -> bool {
    let excluded =
        |a: &Instruction<'_>, b: &Instruction<'_>| a.args.iter().any(|arg| never(arg, b));
    a.width == b.width
        && (a.value ^ b.value) & a.mask & b.mask == 0
        && !excluded(a, b)
        && !excluded(b, a)
}

/// Returns whether another instruction fixes an argument to a value that the argument never has.
fn never(arg: &Argument, other: &Instruction<'_>) -> bool {
    let [(low, width)] = arg.pieces[..] else { return false };
    let bits = run(low, width);
    let value = (other.value & bits) >> low;
    let is = |number: u64| arg.never.contains(&number.to_string());
    other.mask & bits == bits && (value == 0 || value == 2) && is(value)
}

/// Returns whether `a` is a proper special case of `b`. `a` must have all fixed bits and all pairs of
/// equal arguments of `b`, and at least one more fixed bit or pair.
fn within(a: &Instruction<'_>, b: &Instruction<'_>) -> bool {
    a.mask & b.mask == b.mask
        && (a.mask, &a.equal) != (b.mask, &b.equal)
        && a.value & b.mask == b.value
        && b.equal.iter().all(|pair| a.equal.contains(pair))
}

fn is_same(a: &Instruction<'_>, b: &Instruction<'_>) -> bool {
    (a.width, a.mask, a.value, &a.equal) == (b.width, b.mask, b.value, &b.equal) && meet(a, b)
}

/// Returns a pseudo-instruction as an alias or a synonym of its instruction, if its bits are fields
/// of that instruction.
fn alias(
    one: &Instruction<'_>,
    (all, names): (&[&Instruction<'_>], &[String]),
    bases: &HashMap<&str, Vec<usize>>,
    at: usize,
    is_second: bool,
) -> Option<LineResult> {
    let (extension, base) = one.base?;
    let bases = bases.get(base)?;
    let found = bases.iter().find(|&&other| all[other].place.file == extension);
    let &base = found.or_else(|| bases.first())?;
    let (of, name) = (all[base], &names[base]);
    if one.mask & of.mask != of.mask || one.value & of.mask != of.value || one.width != of.width {
        return None;
    }
    let bits =
        |arg: &Argument| arg.pieces.iter().fold(0, |bits, &(low, width)| bits | run(low, width));
    let mut fixed = Vec::new();
    for arg in &of.args {
        let given = bits(arg) & one.mask;
        if given == bits(arg) {
            let value = arg.pieces.iter().fold(0, |value, &(low, width)| {
                value << width | (one.value & run(low, width)) >> low
            });
            fixed.push((arg.name.clone(), value));
        } else if given != 0 {
            return None;
        }
    }
    // Arguments are compared by position, because a pseudo-instruction can have another name for an
    // argument.
    let slot = |arg: &Argument| of.args.iter().find(|other| other.pieces == arg.pieces);
    let slots: Option<Vec<String>> =
        one.args.iter().map(|arg| slot(arg).map(|other| other.name.clone())).collect();
    let named = |name: &str| {
        let arg = one.args.iter().find(|arg| arg.name == name)?;
        slot(arg).map(|other| other.name.clone())
    };
    let equal = one.equal.iter().map(|(other, one)| Some((named(other)?, named(one)?)));
    let equal = equal.collect::<Option<Vec<_>>>()?;
    let slots = slots.filter(|slots| slots.len() + fixed.len() == of.args.len())?;
    let is_special = !fixed.is_empty() || !equal.is_empty();
    let printed = is_special && !is_second;
    let word = if printed { "alias" } else { "synonym" };
    Some(LineResult::Alias {
        name: names[at].clone(),
        of: name.clone(),
        word,
        before: Vec::new(),
        fixed,
        equal,
        slots,
    })
}

/// Sets the priority of aliases that share words: the alias that fixes more bits is printed. If two
/// aliases fix the same number of bits, the first one is printed.
fn order(all: &[&Instruction<'_>], shapes: &mut [LineResult]) {
    let rank = |at: usize| (32 - all[at].mask.count_ones(), usize::MAX - all[at].equal.len(), at);
    let mut aliases: HashMap<String, Vec<usize>> = HashMap::new();
    for (at, shape) in shapes.iter().enumerate() {
        if let LineResult::Alias { of, word: "alias", .. } = shape {
            aliases.entry(of.clone()).or_default().push(at);
        }
    }
    for group in aliases.values() {
        for &at in group {
            let is_after = |&other: &usize| {
                rank(at) < rank(other) && meet(all[at], all[other]) && !within(all[at], all[other])
            };
            let later = group.iter().copied().filter(is_after);
            let names = later.filter_map(|other| match &shapes[other] {
                LineResult::Alias { name, .. } => Some(name.clone()),
                _ => None,
            });
            let names: Vec<String> = names.collect();
            if let LineResult::Alias { before, .. } = &mut shapes[at] {
                *before = names;
            }
        }
    }
}
