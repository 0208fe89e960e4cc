//! Compiles specifications with random damage: the compiler never panics and always emits Rust, and
//! its decoder agrees with a naive scan.

mod compiled;
mod naive;

use naive::Scan;
use proc_macro2::{Delimiter, Group, Literal, TokenStream, TokenTree};

use super::tokens;
use crate::diag::{Diagnostics, nearest};
use crate::model::Model;
use crate::model::cube::Cube;
use crate::pipeline::expand;
use crate::plan::tree;
use crate::{check, model, syntax};

/// A specification with every item and every statement of the language.
// The paths of the types are those that `compiled` needs.
const SPEC: &str = r#"
    /// A toy.
    pub isa Toy: u16 | u32;
    machine ::isa_core::machine::Machine;
    operand Reg: 8 = ::isa_core::operand::Reg;
    operand Pred: 3 = ::isa_core::operand::Pred;
    operand CMem: 22 = ::isa_defs::base::CMem, reserved("1x", "x1");
    format CvtFImm = ::isa_defs::base::CvtFImm;
    affix "!" = neg;
    affix "|" "|" = abs;
    enum Mode: 2 { A = 0, B = 1, /** The last. */ C = 2 }
    enum Bit: 1 { OFF = 0, ON = 1 }
    enum Only: 2 { D = 3 }
    group TOP { encoding { word<32>; field<0, 2> Mode mode = A; } syntax { {@{!}pg} .. } }
    group PRED : [TOP] { encoding { field<24, 3> Pred pg = PT; field<3, 1> Bit pg.neg = OFF; } }
    optype MOVES : [PRED] {
        encoding { field<28, 4 : 4, 4> Reg rd; field<8, 8> Reg ra; field<16, 1> Bit ra.abs = OFF; }
        syntax { MOVE{.mode} Rd, {|}Ra{|}; .mode = {.A*, .B, .C} }
        operands { OutList<rd>; Bitwidth<rd> = 32; }
        semantics { let _ = pg; Rd = Ra.value; }
    }
    opcode MOVE_A : [MOVES] {
        encoding { field<20, 2> Mode low == A; }
        operands { InList<pg, ra>; Order<pg, rd, ra>; AsmFormat<ra> = CvtFImm(ra, mode); }
        exception { EncodingError<Illegal, "why"> = (mode == "B") and not (ra.abs == ON or pg != 7); }
        examples { MOVE R1, R2; MOVE.B R1, |R2|; }
    }
    alias STAY of MOVE_A before FIRST {
        encoding { mode == B; ra.abs == OFF; } syntax { STAY Rd, Ra; } examples { STAY R1, R2; }
    }
    alias FIRST of MOVE_A { encoding { rd == 0; mode != {A, C}; } syntax { FIRST.mode {|}Ra{|}; } }
    synonym OLD of MOVE_A { encoding { ra.abs == ON; } syntax { OLD{.mode} Ra, Rd; } }
    opcode NOP {
        encoding { word<16>; field<0, 2> Only kind == D; field<2, 8> Reg zero == {}; }
        syntax { NOP; }
        guard { true }
    }
"#;

/// Encodings that are nearly equal, so that a small change makes them overlap, and another small
/// change makes them distinct again.
const DENSE: &str = r#"
    pub isa Dense: u16 | u32;
    enum Bit: 1 { ZERO = 0, ONE = 1 }
    enum Two: 2 { A = 0, B = 1, C = 2, D = 3 }
    enum Gap: 3 { P = 1, Q = 2, R = 5, S = 6 }
    operand Odd: 4 = super::Odd, reserved("xx0", "111");
    group SHORT { encoding { word<16>; field<0, 2> Two low == A; } }
    group LONG { encoding { word<32>; field<0, 2> Two low == D; field<2, 3> Gap gap = P; } }
    group PAIR : [LONG] {
        encoding { field<5, 1> Bit a = ZERO; field<6, 1> Bit b = ONE; }
        exception { EncodingError<Bad, "one"> = a == ONE and b == ONE; }
    }
    opcode S1 : [SHORT] { encoding { field<4, 2> Two kind == B; field<6, 1> Bit x; } syntax { S1.x; } }
    opcode S2 : [SHORT] {
        encoding { field<4, 2> Two kind == C; field<6, 1> Bit x; field<8, 2> Two y != {C, D}; }
        syntax { S2.x.y; }
    }
    opcode S3 : [SHORT] inside S2 {
        encoding { field<4, 2> Two kind == C; field<6, 1> Bit x == ONE; } syntax { S3; }
    }
    opcode S4 : [SHORT] {
        encoding { field<5, 1> Bit top == ONE; field<4, 1> Bit mid == ONE; field<8, 4> Odd odd != 3; }
        syntax { S4 odd; }
    }
    opcode L1 : [PAIR] { encoding { field<8, 2 : 12, 1> Gap g == P; } syntax { L1.gap.a.b; } }
    opcode L2 : [PAIR] {
        encoding { field<8, 2 : 12, 1> Gap g; field<16, 2> Two t == B; }
        encoding { b != ZERO; }
        syntax { L2.gap.a.b.g; }
        exception { EncodingError<Bad, "not P"> = g == P or (g in {Q, R} and not a == ZERO); }
    }
    alias L5 of L2 before L6 { encoding { gap == S; } syntax { L5.a.b.g; } }
    alias L6 of L2 { encoding { a == ZERO; g == S; } syntax { L6.gap.b; } }
    opcode L3 : [LONG] {
        encoding { field<8, 2> Two h == D; field<16, 2> Two t; field<20, 1> Bit u == ONE; }
        syntax { L3.gap.t; }
        exception { EncodingError<Bad, "gap"> = gap != P and t != A; }
    }
    opcode L4 : [LONG] inside L3 {
        encoding { field<8, 2> Two h == D; field<16, 2> Two t == C; field<20, 1> Bit u == ONE;
                   gap == P; }
        syntax { L4; }
    }
"#;

/// Tokens that damage may insert.
const INTRUDERS: &str = "self Self _ type r#in crate 0 1 129 18446744073709551616 0u8 1.5 'c' \"\" \"#\" \
                         ; : , . .. < > = == # $ @ {} [] () {{}} enum opcode field use é";

/// The SplitMix64 generator of random numbers.
struct SplitMix(u64);

impl SplitMix {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ z >> 31) % limit as u64) as usize
    }
}

/// Returns the number of tokens in a stream, including those in groups.
fn count(stream: &TokenStream) -> usize {
    let inside = |tree: TokenTree| match tree {
        TokenTree::Group(group) => 1 + count(&group.stream()),
        _ => 1,
    };
    stream.clone().into_iter().map(inside).sum()
}

/// Returns the stream with damage at its token number `place`. Tokens in groups count as well.
fn damage(
    stream: TokenStream,
    place: &mut usize,
    random: &mut SplitMix,
    intruders: &[TokenTree],
) -> TokenStream {
    let mut trees: Vec<TokenTree> = stream.into_iter().collect();
    for index in 0..trees.len() {
        if *place == 0 {
            *place = usize::MAX;
            match random.below(8) {
                5 => trees[index] = alike(&trees[index], random, intruders),
                6 | 7 => trees[index] = alike(&trees[index], random, intruders),
                0 => drop(trees.remove(index)),
                1 => trees.insert(index, trees[index].clone()),
                2 => {
                    let other = random.below(trees.len());
                    trees.swap(index, other);
                }
                3 => trees[index] = intruders[random.below(intruders.len())].clone(),
                _ => trees.truncate(index),
            }
            break;
        }
        *place = place.wrapping_sub(1);
        if let TokenTree::Group(group) = &trees[index] {
            let (delimiter, size) = (group.delimiter(), count(&group.stream()));
            if *place < size {
                let inside = damage(group.stream(), place, random, intruders);
                trees[index] = Group::new(delimiter, inside).into();
                break;
            }
            *place -= size;
        }
    }
    trees.into_iter().collect()
}

/// Returns another token of the same sort: a similar number, or a word of the specification.
fn alike(tree: &TokenTree, random: &mut SplitMix, words: &[TokenTree]) -> TokenTree {
    match tree {
        TokenTree::Literal(literal) => match literal.to_string().parse::<u64>() {
            Ok(number) => {
                let other = (number + 4).saturating_sub(random.below(9) as u64);
                Literal::u64_unsuffixed(other).into()
            }
            Err(_) => tree.clone(),
        },
        TokenTree::Ident(_) => {
            let words: Vec<_> = words.iter().filter(|w| matches!(w, TokenTree::Ident(_))).collect();
            words
                .get(random.below(words.len().max(1)))
                .map_or_else(|| tree.clone(), |w| (*w).clone())
        }
        _ => tree.clone(),
    }
}

/// Returns all tokens, including those in groups, but not the groups.
fn flat(stream: TokenStream) -> Vec<TokenTree> {
    let inside = |tree: TokenTree| match tree {
        TokenTree::Group(group) => flat(group.stream()),
        tree => vec![tree],
    };
    stream.into_iter().flat_map(inside).collect()
}

/// Returns whether a section that must be Rust is not valid Rust.
fn has_broken_body(stream: &TokenStream) -> bool {
    let trees: Vec<TokenTree> = stream.clone().into_iter().collect();
    let is_body = |word: &TokenTree| match word {
        TokenTree::Ident(word) => nearest(&word.to_string(), ["semantics", "guard"]).is_some(),
        _ => false,
    };
    let is_rust = |body: &TokenTree| syn::parse2::<syn::Block>(body.clone().into()).is_ok();
    trees.windows(2).any(|pair| match &pair[1] {
        TokenTree::Group(group) if group.delimiter() == Delimiter::Brace => {
            is_body(&pair[0]) && !is_rust(&pair[1])
        }
        _ => false,
    }) || trees.iter().any(|tree| match tree {
        TokenTree::Group(group) => has_broken_body(&group.stream()),
        _ => false,
    })
}

fn expand_to_rust(spec: &TokenStream) {
    let output = expand(spec.clone());
    if let Err(error) = syn::parse2::<syn::File>(output.clone()) {
        assert!(has_broken_body(spec), "{error} in the expansion of {spec}\n\n{output}");
    }
}

#[test]
fn the_undamaged_specification_is_right() {
    assert_eq!(super::faults(SPEC), [""; 0]);
    expand_to_rust(&tokens(SPEC));
}

#[test]
fn damage_never_panics_and_always_gives_rust() {
    let spec = tokens(SPEC);
    let intruders: Vec<TokenTree> = tokens(INTRUDERS).into_iter().collect();
    let mut random = SplitMix(1);
    for round in 0..rounds() {
        let mut damaged = spec.clone();
        for _ in 0..1 + random.below(3) {
            let mut place = random.below(count(&damaged).max(1));
            damaged = damage(damaged, &mut place, &mut random, &intruders);
        }
        // Parsing the output takes longer than producing it, so only some outputs are parsed.
        if round % 8 == 0 {
            expand_to_rust(&damaged);
        } else {
            expand(damaged);
        }
    }
}

#[test]
fn what_is_taken_is_decoded_as_by_a_scan() {
    assert_eq!(super::faults(DENSE), [""; 0]);
    let mut random = SplitMix(2);
    let mut taken = 0;
    for spec in [SPEC, DENSE] {
        let spec = tokens(spec);
        let words = flat(spec.clone());
        compare(&spec, &mut random);
        for _ in 0..2 * rounds() {
            taken += usize::from(compare(&damaged(&spec, &mut random, &words), &mut random));
        }
    }
    assert!(taken > rounds() / 4, "only {taken} damaged specifications were right");
}

/// Compares the two decoders if the specification is right. Returns whether it is.
fn compare(input: &TokenStream, random: &mut SplitMix) -> bool {
    let Some(model) = right(input) else {
        return false;
    };
    // Lowering consumes the parsed specification, so it is parsed again.
    let spec = syntax::parse_spec(input.clone(), &mut Diagnostics::default());
    let scan = Scan::new(&spec);
    let decoder = Decoder::new(&model);
    for word in words(&model, random) {
        let found = decoder.decode(word);
        let expected = scan.decode(word);
        let found: Vec<String> = found.into_iter().collect();
        assert!(expected.len() < 2, "{word:#x} is {expected:?} in\n{input}");
        assert_eq!(found, expected, "{word:#x} in\n{input}");
    }
    assert!(scan.opcodes.iter().all(|row| row.bits() <= 128));
    true
}

/// Returns the model of a specification, or `None` if it has errors.
fn right(input: &TokenStream) -> Option<Model> {
    let mut diag = Diagnostics::default();
    let spec = syntax::parse_spec(input.clone(), &mut diag);
    let model = model::lower(spec, &mut diag);
    check::check(&model, &mut diag);
    diag.messages().is_empty().then_some(model)
}

/// The generated decoder: the tree yields candidates, and masks and masked patterns confirm them.
struct Decoder<'m> {
    model: &'m Model,
    tree: tree::DecodeTree,
}

impl<'m> Decoder<'m> {
    fn new(model: &'m Model) -> Self {
        let identities: Vec<Cube> = model.opcodes.iter().map(|o| o.identity()).collect();
        Decoder { model, tree: tree::build(&identities) }
    }

    fn decode(&self, word: u128) -> Option<String> {
        let mut entry = self.tree.lookup(word);
        loop {
            let index = usize::from(entry).checked_sub(1)?;
            let opcode = self.model.opcodes.get(index)?;
            let above = u128::MAX.checked_shl(opcode.bits.into()).unwrap_or(0);
            let has = |cube: &Cube| word & cube.mask == cube.value;
            if has(&opcode.identity()) && word & above == 0 && !opcode.illegal.iter().any(has) {
                return Some(opcode.name.to_string());
            }
            entry = self.tree.general.get(index).copied().unwrap_or(0);
        }
    }
}

/// Returns words for which the two decoders could differ: random words, and words with the fixed
/// bits of an opcode and few other bits.
fn words(model: &Model, random: &mut SplitMix) -> Vec<u128> {
    let mut draw = || (random.below(1 << 62) as u128) << 64 | random.below(1 << 62) as u128;
    let mut words = vec![0, u128::MAX];
    for opcode in &model.opcodes {
        let (identity, low) = (opcode.identity(), u128::MAX >> (128 - u32::from(opcode.bits)));
        for _ in 0..16 {
            let word = identity.value | draw() & !identity.mask & low;
            words.extend([word, word ^ 1 << (draw() % 40), word & draw(), draw() & low]);
        }
    }
    words
}

/// Returns the specification with damage at one to four places.
fn damaged(spec: &TokenStream, random: &mut SplitMix, words: &[TokenTree]) -> TokenStream {
    let mut damaged = spec.clone();
    for _ in 0..1 + random.below(4) {
        let mut place = random.below(count(&damaged).max(1));
        damaged = damage(damaged, &mut place, random, words);
    }
    damaged
}

/// Returns the number of rounds: `ROUNDS` of the environment (600 in `.ci/run`), or else a number
/// that takes about a second.
fn rounds() -> usize {
    std::env::var("ROUNDS").ok().and_then(|rounds| rounds.parse().ok()).unwrap_or(150)
}
