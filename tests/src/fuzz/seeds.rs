//! The seeds of each target, created from the examples of the sets.

use isa_core::table::InstructionSet;
use isa_defs::gpu::Gpu;

use super::{Target, import};
use isa_riscv::Rv64imac;
use isa_verify::random::SplitMix64;
use isa_verify::text::disassemble;
use isa_verify::word_generator::WordGenerator;

/// Files that contain calls of the macro.
const CALLS: [&str; 5] = [
    include_str!("../../tests/tutorial/step1.rs"),
    include_str!("../../tests/tutorial/step3.rs"),
    include_str!("../../tests/tutorial/step6.rs"),
    include_str!("../../../isa-defs/riscv/src/formats.rs"),
    include_str!("../../../isa-defs/riscv/src/m.rs"),
];

/// Returns the seeds of a target.
///
/// # Panics
///
/// Panics if the target does not exist.
#[must_use]
pub fn seeds(target: &Target) -> Vec<Vec<u8>> {
    let texts = examples();
    match target.name {
        "asm" | "exec" => with_choices(&programs(&texts), 2),
        "decode" | "round_trip" => words().iter().map(|word| word.to_le_bytes().into()).collect(),
        "dis" => dumps(),
        "import" => import::seeds(),
        "elf" => files(),
        "jsonl" => requests(&texts),
        "lane" => lanes(),
        "parse" => sentences(&texts),
        "spec" => CALLS.map(|file| call(file).as_bytes().to_vec()).into(),
        "stream" => streams(),
        name => panic!("no target is called {name}"),
    }
}

/// Returns one example of each opcode that has examples.
fn examples() -> Vec<&'static str> {
    let opcodes = Gpu::SET.opcodes.iter();
    opcodes.filter_map(|opcode| opcode.examples.first().copied()).collect()
}

/// Returns programs, each of which consists of a few examples, comments and a `.word`.
fn programs(texts: &[&str]) -> Vec<Vec<u8>> {
    let chunk = |texts: &[&str]| format!("// seed\n{}\n.word 0x12; /* end */", texts.join("\n"));
    texts.chunks(6).map(|texts| chunk(texts).into_bytes()).collect()
}

/// Returns each input preceded by each of the choices.
fn with_choices(inputs: &[Vec<u8>], choices: u8) -> Vec<Vec<u8>> {
    let of = |input: &Vec<u8>, choice: u8| [&[b'0' + choice], &input[..]].concat();
    inputs.iter().flat_map(|input| (0..choices).map(move |choice| of(input, choice))).collect()
}

/// Returns a valid word of each opcode.
fn legal(set: &'static InstructionSet) -> Vec<u128> {
    let mut generator = WordGenerator::new(set, 1);
    (0..generator.opcode_count()).map(|opcode| generator.uniform(opcode)).collect()
}

fn words() -> Vec<u128> {
    let mut words = legal(Gpu::SET);
    words.extend([0, u128::MAX]);
    words
}

fn sentences(texts: &[&str]) -> Vec<Vec<u8>> {
    let gpu = texts.iter().map(|text| format!("0{text}"));
    let riscv = legal(Rv64imac::SET).into_iter().step_by(8);
    let riscv = riscv.map(|word| format!("1{}", disassemble(Rv64imac::SET, word)));
    gpu.chain(riscv).map(String::into_bytes).collect()
}

/// Returns groups of a few words, as numbers and as bytes.
fn dumps() -> Vec<Vec<u8>> {
    let mut dumps = Vec::new();
    for words in words().chunks(8) {
        let numbers = words.iter().map(|word| format!("{word:032x}\n")).collect::<String>();
        let bytes = words.iter().flat_map(|word| word.to_le_bytes()).collect::<Vec<u8>>();
        dumps.push([b"0", numbers.as_bytes()].concat());
        dumps.push([b"1", &bytes[..]].concat());
    }
    dumps
}

fn requests(texts: &[&str]) -> Vec<Vec<u8>> {
    let states = [
        r#"{"R1": "0x3c003c00", "R2": 1006648320}"#,
        r#"{"P0": true, "UR4": "0x4000", "c[0x0][0x160]": "16384"}"#,
        "{}",
    ];
    let requests = texts.chunks(4).enumerate().map(|(i, texts)| {
        let text = serde_json::Value::from(texts.join("\n"));
        format!("{{\"asm\": {text}, \"state\": {}}}\n", states[i % states.len()]).into_bytes()
    });
    requests.collect()
}

fn lanes() -> Vec<Vec<u8>> {
    let texts = [
        "0",
        "-0",
        "1.5",
        "-2.0e3",
        "+INF",
        "-INF",
        "QNAN",
        "0x7e01",
        "65504",
        "65520",
        "1e-8",
        "5.960464477539063e-8",
        "0.000030517578125",
        "3.3895313892515355e38",
        "1E+5",
        "123456789e-9",
    ];
    texts.map(|text| text.as_bytes().to_vec()).into()
}

/// Returns an object after each choice that selects a file, and random recipes after the other choice.
fn files() -> Vec<Vec<u8>> {
    let texts = [
        "f: addi a0, a1, 1\nc.j f\n.globl f\n",
        "lui a0, %hi(x)\njal ra, g\n.data\nx: .8byte g + 8, x\n.bss\ny: .zero 64\n",
        ".section .text.a, \"ax\"\n.type h, %function\nh: bnez a0, h\n.byte 1, 2\nebreak\n",
    ];
    let mut files = Vec::new();
    for (number, text) in texts.iter().enumerate() {
        let (mut out, mut err) = (vec![2 * number as u8], Vec::new());
        let mut input = text.as_bytes();
        let io = isa_defs::cli::Io::of(&mut input, &mut out, &mut err);
        let _ = isa_riscv::tool().run(["asm", "--emit", "elf"], io);
        files.push(out);
    }
    let mut random = SplitMix64::new(5);
    files.extend((0..16).map(|number| {
        let recipe = (0..48).map(|_| random.bits() as u8);
        std::iter::once(2 * number + 1).chain(recipe).collect()
    }));
    files
}

/// Returns sequences of instructions of both lengths.
fn streams() -> Vec<Vec<u8>> {
    let mut random = SplitMix64::new(3);
    let words = legal(Rv64imac::SET);
    let stream = |random: &mut SplitMix64| {
        let chosen = (0..6).map(|_| *random.pick(&words));
        let code = chosen.flat_map(|word| {
            let length = if word & 3 == 3 { 4 } else { 2 };
            word.to_le_bytes().into_iter().take(length)
        });
        code.collect::<Vec<u8>>()
    };
    (0..12).map(|_| stream(&mut random)).collect()
}

/// Returns the input of the first call of the macro in a file.
fn call(file: &str) -> &str {
    let (_, rest) = file.split_once("define_isa! {\n").expect("a file has a call");
    let (call, _) = rest.split_once("\n}").expect("a call ends in the first column");
    call
}
