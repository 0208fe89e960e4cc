//! The programs `pressure` and `rewrite` of `tests/examples`, over two sets: what they find, and that
//! what is rewritten does the same.

use std::collections::BTreeSet;

use isa_check::Generator;
use isa_core::Isa;
use isa_core::asm::Assembler;
use isa_core::machine::{Named, Place, Recorder};
use isa_core::table::Opcode;
use isa_defs::gpu::Gpu;
use isa_riscv::Rv64imac;
use isa_riscv::cpu::Cpu;

#[path = "../examples/pressure.rs"]
#[expect(dead_code, reason = "its `main` is for people")]
mod pressure;
#[path = "../examples/rewrite.rs"]
#[expect(dead_code, reason = "its `main` is for people")]
mod rewrite;

/// Lines `TEXT: live N, PLACE from NUMBER ...`.
fn chains<I: Isa, M: Named + Default>(text: &str) -> Vec<String> {
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
    assert_eq!(
        chains::<Rv64imac, Cpu>("addi a0, a1, 1; add a2, a0, zero; sd a2, 8(sp);"),
        [
            "addi a0, a1, 1; live 2, a1",
            "add a2, a0, zero; live 2, a0 from 0",
            "sd a2, 8(sp); live 0, sp a2 from 1",
        ]
    );
}

/// The places with these names.
fn places<M: Named + Default>(names: &[&str]) -> BTreeSet<Place> {
    let files = M::default().files();
    names.iter().map(|name| files.place(name).unwrap()).collect()
}

fn rewritten<I: Isa, M: Named + Default>(
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
    let text = "addi a5, a1, 0; add a6, a5, a2; mul a7, a5, a5; sd a6, 8(a5); addi a1, a1, 1; sub a0, a6, a5;";
    assert_eq!(
        rewritten(text, |one: Rv64imac, m: &mut Cpu| _ = one.execute(m), &["a0"]),
        ["mv a5, a1;", "add a6, a1, a2;", "sd a6, 8(a1);", "sub a0, a6, a5;"]
    );
}

/// Random programs do with what is left of them what they did: in the registers that are kept, and in
/// memory.
fn same<I: Isa, M: Named + Default>(
    execute: impl Fn(I, &mut M),
    weight: impl Fn(&'static Opcode) -> u32,
    kept: &[&str],
) {
    let mut generator = Generator::new(I::SET, 1).weigh(weight);
    let (kept, files) = (places::<M>(kept), M::default().files());
    let is_kept = |place: &Place| {
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
