//! Specifications with random damage: never a panic, and always Rust comes out.

use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};

use super::tokens;
use crate::diag::nearest;
use crate::pipeline::expand;

/// Every item and every kind of statement of the language.
const SPEC: &str = r#"
    /// A toy.
    pub isa Toy: u16 | u32;
    machine isa_core::machine::Machine;
    operand Reg: 8 = isa_core::operand::Reg;
    operand CMem: 22 = isa_core::operand::CMem, reserved("1x", "x1");
    format CvtFImm = isa_core::operand::CvtFImm;
    affix "-" = neg;
    affix "|" "|" = abs;
    enum Mode: 2 { A = 0, B = 1, /** The last. */ C = 2 }
    enum Bit: 1 { OFF = 0, ON = 1 }
    enum Only: 2 { D = 3 }
    group TOP { encoding { word<32>; field<0, 2> Mode mode = A; } syntax { {@{-}pg} .. } }
    group PRED : [TOP] { encoding { field<2, 1> Bit pg = ON; field<3, 1> Bit pg.neg = OFF; } }
    optype MOVES : [PRED] {
        encoding { field<28, 4 : 4, 4> Reg rd; field<8, 8> Reg ra; field<16, 1> Bit ra.abs = OFF; }
        syntax { MOVE{.mode} Rd, {|}Ra{|}; .mode = {.A*, .B, .C} }
        operands { OutList<rd>; Bitwidth<rd> = 32; }
        semantics { Rd = Ra.value; }
    }
    opcode MOVE_A : [MOVES] {
        encoding { field<20, 2> Mode low == A; }
        operands { InList<pg, ra>; Order<pg, rd, ra>; AsmFormat<ra> = CvtFImm(ra, mode); }
        exception { EncodingError<Illegal, "why"> = (mode == "B") and not (ra.abs == ON or pg != OFF); }
        examples { MOVE R1, R2; MOVE.B R1, |R2|; }
    }
    opcode NOP {
        encoding { word<16>; field<0, 2> Only kind == D; field<2, 8> Reg zero == {}; }
        syntax { NOP; }
        guard { true }
    }
"#;

/// Tokens that damage may put in.
const INTRUDERS: &str = "self Self _ type r#in crate 0 1 129 18446744073709551616 0u8 1.5 'c' \"\" \"#\" \
                         ; : , . .. < > = == # $ @ {} [] () {{}} enum opcode field use é";

/// SplitMix64.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ z >> 31) % limit as u64) as usize
    }
}

/// The tokens of a stream and of all groups in it.
fn count(stream: &TokenStream) -> usize {
    let inside = |tree: TokenTree| match tree {
        TokenTree::Group(group) => 1 + count(&group.stream()),
        _ => 1,
    };
    stream.clone().into_iter().map(inside).sum()
}

/// The stream with damage at its `place`-th token, counted into groups.
fn damage(
    stream: TokenStream,
    place: &mut usize,
    random: &mut Random,
    intruders: &[TokenTree],
) -> TokenStream {
    let mut trees: Vec<TokenTree> = stream.into_iter().collect();
    for index in 0..trees.len() {
        if *place == 0 {
            *place = usize::MAX;
            match random.below(5) {
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

/// Whether a body of Rust, which is passed on as it is, is no Rust.
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
    let mut random = Random(1);
    for round in 0..rounds() {
        let mut damaged = spec.clone();
        for _ in 0..1 + random.below(3) {
            let mut place = random.below(count(&damaged).max(1));
            damaged = damage(damaged, &mut place, &mut random, &intruders);
        }
        // Parsing the output takes longer than making it, so that is done for some only.
        if round % 8 == 0 {
            expand_to_rust(&damaged);
        } else {
            expand(damaged);
        }
    }
}

/// A second's worth, or as many as `ROUNDS` says.
fn rounds() -> usize {
    std::env::var("ROUNDS").ok().and_then(|rounds| rounds.parse().ok()).unwrap_or(600)
}
