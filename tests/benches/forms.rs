//! Measures how long it takes to parse a statement if its mnemonic has a hundred templates, and if
//! each template has its own mnemonic.
//!
//! ```text
//! cargo bench -p isa-tests --bench forms
//! ```

#[path = "record/mod.rs"]
mod record;
#[path = "codec/timer.rs"]
mod timer;

use std::hint::black_box;

use isa_core::table::InstructionSet;
use timer::{Case, table};

isa_core::registers! {
    /// A register.
    pub Register: 5 = "x0" to "x31" of u64;
}

mod base {
    isa_core::define_isa! {
        /// Declarations that both sets share.
        pub isa Base: u32;
        operand Reg: 5 = super::Register;
        operand Imm: 5 = isa_core::operand::Signed<5>;
        operand Code: 7 = isa_core::operand::Unsigned<7>;
        group ALL { encoding { field<0, 7> Code code; field<7, 5> Reg rd; field<12, 5> Reg ra; } }
        group IMM : [ALL] { encoding { field<17, 5> Imm imm; } }
        group REG : [ALL] { encoding { field<17, 5> Reg rb; } }
    }
}

mod one {
    isa_core::define_isa! {
        /// A hundred templates with the same mnemonic.
        pub isa One: u32;
        use crate::base::Base;
        for $N in 0..25 {
            opcode K_$N : [ALL] { encoding { code == $N; } syntax { mov rd, ra, "k$N"; } }
        }
        for $N in 25..50 {
            opcode AT_$N : [IMM] { encoding { code == $N; } syntax { mov rd, "[" ra ", " imm "]", "m$N"; } }
        }
        for $N in 50..75 {
            opcode TO_$N : [IMM] { encoding { code == $N; } syntax { mov rd, ra, imm, "lsl #$N"; } }
        }
        for $N in 75..100 {
            opcode OF_$N : [REG] { encoding { code == $N; } syntax { mov rd, "{" ra ", " rb "}[$N]"; } }
        }
    }
}

mod each {
    isa_core::define_isa! {
        /// The same templates, each with its own mnemonic.
        pub isa Each: u32;
        use crate::base::Base;
        for $N in 0..25 {
            opcode K_$N : [ALL] { encoding { code == $N; } syntax { mov$N rd, ra, "k$N"; } }
        }
        for $N in 25..50 {
            opcode AT_$N : [IMM] { encoding { code == $N; } syntax { mov$N rd, "[" ra ", " imm "]", "m$N"; } }
        }
        for $N in 50..75 {
            opcode TO_$N : [IMM] { encoding { code == $N; } syntax { mov$N rd, ra, imm, "lsl #$N"; } }
        }
        for $N in 75..100 {
            opcode OF_$N : [REG] { encoding { code == $N; } syntax { mov$N rd, "{" ra ", " rb "}[$N]"; } }
        }
    }
}

/// Returns random instructions of a set as text. Both sets have the same words.
fn lines(set: &InstructionSet) -> Vec<String> {
    let mut seed = 1u64;
    let words = std::iter::repeat_with(|| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        u128::from(seed >> 42)
    });
    let opcodes = words.filter_map(|word| set.decode(word).ok().map(|opcode| (word, opcode)));
    let texts = opcodes.map(|(word, opcode)| {
        let mut line = isa_core::text::Line::new();
        opcode.print(word, &mut line);
        let text = line.as_str().to_owned();
        assert_eq!(set.parse(&text).map(|parsed| parsed.word()).ok(), Some(word), "{text}");
        text
    });
    texts.take(1 << 14).collect()
}

fn case(name: &'static str, set: &'static InstructionSet) -> Case<'static> {
    let lines = lines(set);
    Case::new(name, move |part| {
        let lines = black_box(&lines)[part].iter();
        let sum: u128 = lines.map(|line| set.parse(line).map_or(0, |parsed| parsed.word())).sum();
        black_box(sum);
    })
}

fn main() {
    let cases = vec![
        case("read: a mnemonic for each template", each::Each::SET),
        case("read: one mnemonic, a hundred templates", one::One::SET),
    ];
    table("forms", "forms of one mnemonic", 1 << 14, cases);
}
