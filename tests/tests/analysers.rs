//! Tests the programs `pressure`, `rewrite` and `blocks` of `tests/examples` with two sets: their
//! results, and that rewritten programs have the same effect.

use std::collections::{BTreeMap, BTreeSet};

use isa_core::asm::Assembler;
use isa_core::machine::{NamedMachine, Recorder, StateLocation};
use isa_core::table::FlowKind::{self, Branch, Call, Next, Return, Stop, Trap};
use isa_core::table::{Field, FlowTarget, Init, Opcode};
use isa_core::{Isa, Operands};
use isa_defs::gpu::Gpu;
use isa_riscv::Rv64imac;
use isa_riscv::cpu::Cpu;
use isa_verify::Generator;

#[path = "../examples/blocks.rs"]
#[expect(dead_code, reason = "its `main` is for people")]
mod blocks;
#[path = "../examples/pressure.rs"]
#[expect(dead_code, reason = "its `main` is for people")]
mod pressure;
#[path = "../examples/rewrite.rs"]
#[expect(dead_code, reason = "its `main` is for people")]
mod rewrite;

/// Returns lines `TEXT: live N, PLACE from NUMBER ...`.
fn chains<I: Isa, M: NamedMachine + Default>(text: &str) -> Vec<String> {
    let steps = pressure::chains(I::SET, M::default().files(), text).unwrap();
    let line = |step: &pressure::Step| {
        let uses = step.uses.iter().map(|(name, by)| match by {
            Some(number) => format!(" {name} from {number}"),
            None => format!(" {name}"),
        });
        format!("{} live {},{}", step.text, step.live, uses.collect::<String>())
    };
    steps.iter().map(line).collect()
}

#[test]
fn uses_lead_to_definitions() {
    let text = "HMUL2 R1, R2, RZ; @P0 HADD2 R1, R1, c[0x0][0x160]; @PT HADD2 R2, R1, R1; HADD2 R3, R2, R1;";
    assert_eq!(
        chains::<Gpu, Recorder>(text),
        [
            "HMUL2 R1, R2, RZ; live 2, R2",
            "@P0 HADD2 R1, R1, c[0x0][0x160]; live 1, R1 from 0 P0",
            "HADD2 R2, R1, R1; live 2, R1 from 1",
            "HADD2 R3, R2, R1; live 0, R1 from 1 R2 from 2",
        ]
    );
    // The program reads only the low half of R1 and nothing of R9, because all bytes of r4 are
    // results.
    let text = "HMUL2 R1, R2, R3; vadd4.u32.u32.u32 r4, r1.b1010, rz, r9; \
                vadd4.u32.u32.u32 r1.b32, r4, rz, r1; vadd2.u32.u32.u32 r1, r1.h00, r2.h33, r8;";
    assert_eq!(
        chains::<Gpu, Recorder>(text),
        [
            "HMUL2 R1, R2, R3; live 2, R2 R3",
            "vadd4.u32.u32.u32 r4, r1.b1010, rz, r9; live 3, R1 from 0",
            "vadd4.u32.u32.u32 r1.b32, r4, rz, r1; live 2, R1 from 0 R4 from 1",
            "vadd2.u32.u32.u32 r1, r1.h00, r2.h33, r8; live 0, R1 from 2 R2",
        ]
    );
    assert_eq!(
        chains::<Rv64imac, Cpu>("addi a0, a1, 1; add a2, a0, zero; sd a2, 8(sp);"),
        [
            "addi a0, a1, 1; live 2, a1",
            "add a2, a0, zero; live 2, a0 from 0",
            "sd a2, 8(sp); live 0, sp a2 from 1",
        ]
    );
}

/// Checks the texts of instructions and the lanes of each operand that has lanes.
#[test]
fn lanes_are_those_of_the_manuals() {
    for (text, expected) in [
        ("HADD2 R1, R2.H0_H0, -|R3|.H1_H1;", &[0b11, 0b01, 0b10][..]),
        ("HADD2.F32 R1, R2, UR3.H1_H1;", &[0b11, 0b01, 0b10]),
        ("HADD2.F32 R1, R2.H1_H1, 1, 2;", &[0b11, 0b10]),
        ("HMUL2.BF16_V2 R1, R2.H0_H0, c[0x0][0x160].H1_H1;", &[0b11, 0b01, 0b10]),
        ("@P0 HFMA2 R0, R1, R2.H1_H1, R3.H0_H0;", &[0b11, 0b11, 0b10, 0b01]),
        ("HSETP2.LE.AND P0, P1, R4.H0_H0, R6, P2;", &[0b01, 0b11]),
        // Lanes 3 and 1 are results. Their selectors choose byte 7 of the pool (byte 3 of b), byte
        // 1 of a, and bytes 7 and 5. The rest of the destination comes from c.
        ("vadd4.u32.u32.u32 r1.b31, r2.b7210, r3.b7654, r4;", &[0b1111, 0b0010, 0b1010, 0b0101]),
        ("vsub4.s32.s32.s32.sat r1.b0, r2.b0123, r3.b0123, r1;", &[0b1111, 0b1000, 0, 0b1110]),
        ("vmin4.u32.u32.u32 r1, r2, r3, r4;", &[0b1111, 0b1111, 0b1111, 0]),
        ("vsub2.s32.s32.s32.sat r1.h0, r2.h10, r3.h32, r1;", &[0b11, 0b01, 0b01, 0b10]),
        ("vabsdiff2.u32.u32.u32.add r0.h1, r1.h20, r2.h00, r0;", &[0b11, 0b01, 0b01, 0b11]),
    ] {
        let instruction: Gpu = text.parse().unwrap_or_else(|error| panic!("{text}: {error}"));
        let lanes = instruction.operands().filter_map(|operand| operand.lanes());
        assert_eq!(lanes.map(|lanes| lanes.mask).collect::<Vec<_>>(), expected, "{text}");
    }
    let described = isa_core::describe::json(Gpu::SET).to_string();
    for line in [
        r#"{"field":"ra","bits":16,"mask":"crate::halu::low_lanes(ra.hsel2, f32)"}"#,
        r#"{"field":"d","bits":8}"#,
    ] {
        assert!(described.contains(line), "{line}");
    }
    let none: Rv64imac = "addw a0, a1, a2;".parse().unwrap();
    assert!(none.operands().all(|operand| operand.lanes().is_none()));
}

/// Returns the state locations with these names.
fn places<M: NamedMachine + Default>(names: &[&str]) -> BTreeSet<StateLocation> {
    let files = M::default().files();
    names.iter().map(|name| files.place(name).unwrap()).collect()
}

fn rewritten<I: Isa, M: NamedMachine + Default>(
    text: &str,
    execute: impl Fn(I, &mut M),
    kept: &[&str],
) -> Vec<String> {
    let code = Assembler::new(I::SET).assemble(text).unwrap().bytes;
    let left = rewrite::rewrite(&code, &execute, places::<M>(kept));
    left.iter().map(ToString::to_string).collect()
}

#[test]
fn copies_and_dead_code_go() {
    let text = "vadd4.u32.u32.u32 r5, r2, rz, rz; HADD2 R6, R5, R3; HMUL2 R7, R5, R5; @P1 HADD2 R6, R6, R5;";
    assert_eq!(
        rewritten(text, |one: Gpu, m: &mut Recorder| one.execute(m), &["R6"]),
        ["HADD2 R6, R2, R3;", "@P1 HADD2 R6, R6, R2;"]
    );
    // All bytes of r5 are results, so r9 is not read and its computation is removed.
    let text = "HMUL2 R9, R3, R3; vadd4.u32.u32.u32 r5, r2, rz, r9; HADD2 R6, R5, R3;";
    assert_eq!(
        rewritten(text, |one: Gpu, m: &mut Recorder| one.execute(m), &["R6"]),
        ["HADD2 R6, R2, R3;"]
    );
    let text = "addi a5, a1, 0; add a6, a5, a2; mul a7, a5, a5; sd a6, 8(a5); addi a1, a1, 1; sub a0, a6, a5;";
    assert_eq!(
        rewritten(text, |one: Rv64imac, m: &mut Cpu| _ = one.execute(m), &["a0"]),
        ["mv a5, a1;", "add a6, a1, a2;", "sd a6, 8(a1);", "sub a0, a6, a5;"]
    );
}

/// Checks that a rewritten random program has the same effect as the original, in the registers
/// that are kept and in memory.
fn same<I: Isa, M: NamedMachine + Default>(
    execute: impl Fn(I, &mut M),
    weight: impl Fn(&'static Opcode) -> u32,
    kept: &[&str],
) {
    let mut generator = Generator::new(I::SET, 1).weigh(weight);
    let (kept, files) = (places::<M>(kept), M::default().files());
    let is_kept = |place: &StateLocation| {
        kept.contains(place) || files.file(*place).is_some_and(|file| file.count() == 0)
    };
    let (mut before, mut behind) = (0, 0);
    for _ in 0..60 {
        let program = generator.program(40).bytes();
        let whole: Vec<I> = I::stream(&program).map(|(_, one)| one.unwrap()).collect();
        let left = rewrite::rewrite(&program, &execute, kept.clone());
        for seed in 100..104 {
            let [found, expected] = [&left, &whole].map(|code| {
                let all = rewrite::results(code.iter().copied(), &execute, seed);
                all.into_iter().filter(|(place, _)| is_kept(place)).collect::<Vec<_>>()
            });
            assert_eq!(found, expected, "{whole:?}\nbecomes\n{left:?}");
        }
        before += whole.len();
        behind += left.len();
    }
    assert!(behind > 60 && behind < before * 9 / 10, "{behind} of {before} are left");
}

#[test]
fn what_is_left_does_the_same() {
    let all: Vec<String> = (0..255).step_by(4).map(|number| format!("R{number}")).collect();
    let all: Vec<&str> = all.iter().map(String::as_str).collect();
    same(|one: Gpu, machine: &mut Recorder| one.execute(machine), |_| 1, &all);
    const PLAIN: [&str; 8] = ["ADD", "ADDI", "SUB", "MUL", "SLLI", "SD", "LW", "C_MV"];
    let weight = |opcode: &'static Opcode| u32::from(PLAIN.contains(&opcode.name));
    same(|one: Rv64imac, cpu: &mut Cpu| _ = one.execute(cpu), weight, &["a0", "a5", "t0", "s3"]);
}

/// Texts of instructions at 0x1000, and for each its control flow, whether it can continue at the
/// next instruction, and its target: an address, or the index of an operand.
type Flows = [(&'static str, FlowKind, bool, FlowTarget)];

fn flows<I: Isa>(expected: &Flows) {
    for &(text, kind, falls_through, target) in expected {
        let instruction: I = text.parse().unwrap_or_else(|error| panic!("{text}: {error}"));
        let bytes = Assembler::new(I::SET).assemble(text).unwrap().bytes;
        let (_, word, _) = I::SET.first(&bytes).unwrap();
        let flow = instruction.opcode().flow(word, 0x1000);
        assert_eq!(
            (flow.kind, flow.falls_through, flow.target),
            (kind, falls_through, target),
            "{text}"
        );
    }
}

#[test]
fn instructions_go_on_as_the_manuals_say() {
    let (to, by, none) = (FlowTarget::Address, FlowTarget::Operand, FlowTarget::None);
    flows::<Rv64imac>(&[
        ("beq a0, a1, 16;", Branch, true, to(0x1010)),
        ("bne a0, a1, -16;", Branch, true, to(0xff0)),
        ("blt a0, a1, 4094;", Branch, true, to(0x1ffe)),
        ("bge a0, a1, -4096;", Branch, true, to(0)),
        ("bltu a0, a1, 2;", Branch, true, to(0x1002)),
        ("bgeu a0, a1, 8;", Branch, true, to(0x1008)),
        ("beqz a0, 8;", Branch, true, to(0x1008)),
        ("jal ra, 16;", Call, false, to(0x1010)),
        ("jal t0, 16;", Call, false, to(0x1010)),
        ("j 16;", Branch, false, to(0x1010)),
        ("jal a0, 16;", Branch, false, to(0x1010)),
        ("jalr ra, 8(a0);", Call, false, by(2)),
        ("jalr ra, 0(ra);", Call, false, by(2)),
        ("ret;", Return, false, by(2)),
        ("jr t0;", Return, false, by(2)),
        ("jr a0;", Branch, false, by(2)),
        ("jalr a1, 0(ra);", Branch, false, by(2)),
        ("c.j -2;", Branch, false, to(0xffe)),
        ("c.beqz a0, 6;", Branch, true, to(0x1006)),
        ("c.bnez a0, -6;", Branch, true, to(0xffa)),
        ("c.jr ra;", Return, false, by(0)),
        ("c.jr a0;", Branch, false, by(0)),
        ("c.jalr a0;", Call, false, by(0)),
        ("ecall;", Trap, false, none),
        ("ebreak;", Trap, false, none),
        ("c.ebreak;", Trap, false, none),
        ("c.unimp;", Stop, false, none),
        ("auipc a0, 1;", Next, true, none),
        ("fence.i;", Next, true, none),
    ]);
    flows::<isa_a64::A64>(&[
        ("b #16;", Branch, false, to(0x1010)),
        ("bl #-16;", Call, false, to(0xff0)),
        ("b.eq #8;", Branch, true, to(0x1008)),
        ("b.al #8;", Branch, false, to(0x1008)),
        ("cbnz x0, #8;", Branch, true, to(0x1008)),
        ("tbz x0, #33, #8;", Branch, true, to(0x1008)),
        ("br x1;", Branch, false, by(0)),
        ("blr x1;", Call, false, by(0)),
        ("ret;", Return, false, by(0)),
        ("eret;", Return, false, none),
        ("svc #0;", Trap, false, none),
        ("adr x0, #8;", Next, true, none),
    ]);
    flows::<Gpu>(&[("@P0 HADD2 R1, R1, R2;", Next, true, none)]);
}

isa_core::define_isa! {
    /// A branch with a guard, and one whose condition is a function.
    isa Guarded: u16;
    operand Pred: 3 = isa_core::operand::Pred;
    operand Jump: 8 = isa_core::operand::Relative<8, 1>;
    affix "!" = not;
    enum Not: 1 { False = 0, True = 1 }
    enum Op: 4 { BRA = 1, ODD = 2 }
    opcode BRA {
        encoding {
            field<0, 8> Jump to; field<8, 4> Op op == BRA; field<12, 3> Pred pg = PT; field<15, 1> Not pg.not = False;
        }
        syntax   { {@{!}pg} BRA to; }
        operands { InList<pg, to>; OutList<>; Order<pg, to>; }
        flow     { branch to; }
    }
    opcode ODD {
        encoding { field<0, 8> Jump to; field<8, 4> Op op == ODD; }
        syntax   { ODD to; }
        flow     { branch to if is_odd(to); stop; }
    }
}

const fn is_odd(number: u64) -> bool {
    number % 2 == 1
}

#[test]
fn a_guard_makes_any_flow_conditional() {
    let to = FlowTarget::Address(0x1008);
    flows::<Guarded>(&[
        ("BRA 8;", Branch, false, to),
        ("@P1 BRA 8;", Branch, true, to),
        ("@!PT BRA 8;", Branch, true, to),
        ("ODD 2;", Branch, false, FlowTarget::Address(0x1002)),
        ("ODD 4;", Stop, false, FlowTarget::None),
    ]);
    let row = |text: &str| {
        text.parse::<Guarded>().map(|one| Guarded::SET.explain(one.encode().unwrap().into()))
    };
    let text = row("@P1 BRA 8;").unwrap().text();
    assert!(text.contains("\nflow    branch to; next if its guard is false\n"), "{text}");
    let json = row("ODD 2;").unwrap().json();
    assert!(json.contains(r#""flow": "branch to if is_odd(to)""#), "{json}");
}

/// Returns the blocks of a program at 0x1000: `START: COUNT instructions`, the blocks that may
/// follow, and the calls.
fn blocks_of<I: Isa>(text: &str) -> Vec<String> {
    let program = Assembler::new(I::SET).origin(0x1000).assemble(text).unwrap();
    let blocks = blocks::blocks(I::SET, &program.bytes, 0x1000);
    let graph = blocks::graph(&blocks);
    let line = |(start, block): (&u64, &blocks::Block)| {
        for to in &block.next {
            assert!(graph.contains(&format!("    b{start:x} -> b{to:x};\n")), "{graph}");
        }
        let leaves = if block.leaves { ", leaves" } else { "" };
        let (count, next, calls) = (block.text.len(), &block.next, &block.calls);
        format!("{start:x}: {count} to {next:x?} calls {calls:x?}{leaves}")
    };
    blocks.iter().map(line).collect()
}

#[test]
fn blocks_end_where_control_goes_elsewhere() {
    let riscv = "loop: addi a0, a0, -1; c.beqz a0, done; jal ra, step; nop; j loop; done: ecall; ret; \
                 step: add a1, a1, a0; c.jr ra;";
    assert_eq!(
        blocks_of::<Rv64imac>(riscv),
        [
            "1000: 2 to {1006, 1012} calls {}",
            "1006: 3 to {1000} calls {101a}",
            "1012: 2 to {} calls {}, leaves",
            "101a: 2 to {} calls {}, leaves",
        ]
    );
    let a64 = "again: sub x0, x0, #1; tbnz x0, #63, done; bl step; b again; done: br x1; step: b.al step;";
    assert_eq!(
        blocks_of::<isa_a64::A64>(a64),
        [
            "1000: 2 to {1008, 1010} calls {}",
            "1008: 2 to {1000} calls {1014}",
            "1010: 1 to {} calls {}, leaves",
            "1014: 1 to {1014} calls {}",
        ]
    );
}

#[test]
fn modifiers_are_taken_over_by_name() {
    let read = |text: &str| text.parse::<Gpu>().unwrap();
    for (to, from, becomes, lost) in [
        ("HADD2 R1, R2, R3;", "HMUL2.FTZ.SAT.RZ R4, R5, R6;", "HADD2.FTZ.SAT.RZ R1, R2, R3;", ""),
        ("HADD2.FTZ R1, R2, R3;", "HMUL2 R4, R5, R6;", "HADD2 R1, R2, R3;", ""),
        // Operands with their prefix and suffix operators and the guard stay unchanged.
        ("@P1 HADD2 R1, -R2, R3;", "@P2 HADD2.SAT R4, R5, |R6|;", "@P1 HADD2.SAT R1, -R2, R3;", ""),
        ("HMUL2 R1, R2, R3;", "HADD2.F32.SAT R4, R5, R6;", "HMUL2.SAT R1, R2, R3;", "f32"),
        // Modifiers that have their default in the other instruction are copied, too.
        ("HADD2.BF16_V2 R1, R2, R3;", "HMUL2.FTZ R4, R5, R6;", "HADD2.FTZ R1, R2, R3;", ""),
    ] {
        let (word, left) = read(to).with_modifiers_of(read(from));
        let left: Vec<&str> = left.map(|field| field.name).collect();
        assert_eq!(
            (word.to_string().as_str(), left.join(" ").as_str()),
            (becomes, lost),
            "{to} {from}"
        );
    }
    let add =
        isa_defs::halu::Hadd2Rr::decode(read("HADD2.SAT R1, R2, R3;").encode().unwrap()).unwrap();
    let mul = isa_defs::halu::Hmul2Rr::decode(read("HMUL2 R4, R5, R6;").encode().unwrap()).unwrap();
    assert_eq!(mul.with_modifiers_of(add).0.to_string(), "HMUL2.SAT R4, R5, R6;");
}

/// Returns the fields of a word that are not fixed and that are neither operands nor their
/// sub-fields, with their values as text. The text is empty if the field has its default.
fn settings(opcode: &'static Opcode, word: u128) -> BTreeMap<&'static str, String> {
    let is_operand = |name: &str| Operands::new(opcode, word).any(|operand| operand.name() == name);
    let open = opcode.fields.iter().filter(|field| !matches!(field.init, Init::Fixed(_)));
    let own = open.filter(|field| !field.name.contains('.') && !is_operand(field.name));
    let text = |field: &Field, raw| match (field.kind.value(raw), field.init) {
        (_, Init::Default(default)) if default == raw => String::new(),
        (Some(value), _) => value.name.to_owned(),
        (None, _) => format!("{} {raw}", field.kind.name),
    };
    own.map(|field| (field.name, text(field, field.get(word)))).collect()
}

/// Checks that each modifier of another instruction is copied or reported as lost, that the word is
/// valid, and that nothing else in the word changed.
#[test]
fn no_modifier_is_lost_unsaid() {
    let (mut generator, mut kept, mut missing) = (Generator::new(Gpu::SET, 3), 0, 0);
    for _ in 0..2_000 {
        let [own, other] = [(); 2].map(|()| generator.next().unwrap());
        let (word, lost) = own.opcode.with_modifiers_of(own.word, other.opcode, other.word);
        let (lost, text) = (lost.map(|field| field.name).collect::<Vec<_>>(), own.text());
        own.opcode.validate(word).unwrap();
        let (found, wanted) = (settings(own.opcode, word), settings(other.opcode, other.word));
        for (name, value) in &wanted {
            let said = lost.contains(name) || value.is_empty() && !found.contains_key(name);
            assert_ne!(
                found.get(name) == Some(value),
                said,
                "{name}: {text} from {}",
                other.text()
            );
        }
        let mut back = word;
        for field in own.opcode.fields.iter().filter(|field| wanted.contains_key(field.name)) {
            back = field.set(back, field.get(own.word));
        }
        assert_eq!(back, own.word, "{text} from {}", other.text());
        (kept, missing) = (kept + wanted.len() - lost.len(), missing + lost.len());
    }
    assert!(kept > 5_000 && missing > 500, "{kept} are kept, {missing} lost");
}
