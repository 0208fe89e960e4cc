//! Assembly that the disassembler does not print: modifiers in any order, and errors.

use isa_core::asm::{Assembler, Disassembler};

use crate::llvm;
use crate::set::Rdna3;

/// The modifiers of a packed instruction.
const MODIFIERS: [&str; 5] =
    ["op_sel:[0,1]", "op_sel_hi:[1,0]", "neg_lo:[1,0]", "neg_hi:[0,1]", "clamp"];

/// Returns all orders of the elements of a list.
fn orders(list: &[&'static str]) -> Vec<Vec<&'static str>> {
    if list.is_empty() {
        return vec![Vec::new()];
    }
    let mut all = Vec::new();
    for (place, first) in list.iter().enumerate() {
        let rest = [&list[..place], &list[place + 1..]].concat();
        all.extend(orders(&rest).into_iter().map(|rest| [&[*first][..], &rest].concat()));
    }
    all
}

#[test]
fn modifiers_are_accepted_in_any_order() {
    let printed = format!("v_pk_add_f16 v1, v2, v3 {};", MODIFIERS.join(" "));
    for order in orders(&MODIFIERS) {
        let text = format!("v_pk_add_f16 v1, v2, v3 {};", order.join(" "));
        let parsed: Rdna3 = text.parse().unwrap_or_else(|error| panic!("{text}: {error}"));
        assert_eq!(parsed.to_string(), printed);
    }
    for some in MODIFIERS {
        let text = format!("v_pk_add_f16 v1, v2, v3 {some};");
        assert_eq!(text.parse::<Rdna3>().unwrap().to_string(), text);
    }
}

/// Texts that both assemblers accept, and their lengths in bytes.
const ACCEPTED: [(&str, usize); 9] = [
    ("v_add_f16_e32 v1, 0x1234, v3", 8),
    ("v_add_f16_e32 v1, -16, v3", 4),
    ("v_pk_add_f16 v1, 0x12345678, 0x12345678", 12),
    ("v_pk_fma_f16 v1, v2, 0x12345678, s4 op_sel:[1,0,0] clamp", 12),
    ("v_pk_fma_f16 v1, v2, v3, 0.15915494", 8),
    ("v_fma_mix_f32 v1, -v2, |v3|, -|s4| op_sel_hi:[1,0,1]", 8),
    ("v_fma_mixlo_f16 v1, neg(0x1234), -1.0, neg(-1.0) clamp", 12),
    ("v_fmamk_f16 v1, 0x1234, 0x1234, v2", 8),
    ("v_fmaak_f16 v1, v3, v2, 0x5", 8),
];

#[test]
fn both_assemblers_accept_the_same_texts() {
    if !llvm::is_here() {
        return;
    }
    let texts = ACCEPTED.map(|(text, _)| text);
    for ((text, length), theirs) in ACCEPTED.into_iter().zip(llvm::assembled(&texts)) {
        let ours = Assembler::new(Rdna3::SET).assemble(&format!("{text};")).unwrap().bytes;
        assert_eq!((Ok(&ours), ours.len()), (theirs.as_ref(), length), "{text}");
    }
}

#[test]
fn one_instruction_has_one_literal() {
    for text in ["v_pk_add_f16 v1, 0x1234, 0x1235", "v_fmamk_f16 v1, 0x1234, 0x1235, v2"] {
        let error = format!("{text};").parse::<Rdna3>().unwrap_err().to_string();
        assert_eq!(error, "`literal` has two different values");
        if llvm::is_here() {
            assert!(llvm::assembled(&[text])[0].is_err(), "{text}");
        }
    }
}

/// A program with instructions of 4, 8 and 12 bytes is divided and assembled again.
#[test]
fn programs_of_mixed_lengths_survive() {
    let program: String = ACCEPTED.iter().map(|(text, _)| format!("{text};\n")).collect();
    let bytes = Assembler::new(Rdna3::SET).assemble(&program).unwrap().bytes;
    assert_eq!(bytes.len(), ACCEPTED.iter().map(|(_, length)| length).sum::<usize>());
    let text = Disassembler::new(Rdna3::SET).disassemble(&bytes);
    assert_eq!(text.lines().count(), ACCEPTED.len(), "{text}");
    assert_eq!(Assembler::new(Rdna3::SET).assemble(&text).unwrap().bytes, bytes);
    // A literal at the end of a buffer is cut off.
    let last = &bytes[bytes.len() - 8..];
    let error = Rdna3::decode_first(&last[..6]).unwrap_err().to_string();
    assert_eq!(error, "truncated word: expected 8 bytes, found 6");
}
