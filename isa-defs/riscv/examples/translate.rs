//! Translates a static RISC-V program to a Rust program ahead of time.
//!
//! Each instruction becomes a call of its semantics on a constant word, so rustc knows the registers and
//! the immediates, and optimizes the instructions of a block together. The result is ordinary Rust that
//! needs nothing except the set.
//!
//! ```text
//! cargo run --release -p isa-riscv --example translate -- PROGRAM.elf FOLDER
//! cargo run --release --manifest-path FOLDER/Cargo.toml
//! ```
//!
//! The second command runs the program, and also with `Hart::run`, and compares the states at each system
//! call. Instructions at which no block begins are executed by `Hart::step`. A program must not change its
//! code.

use std::collections::{BTreeMap, BTreeSet};
use std::error::Error;
use std::fmt::Write as _;
use std::path::Path;
use std::{env, fs};

use isa_core::table::FlowTarget;
use isa_riscv::Rv64imac;
use isa_riscv::elf::Executable;

/// The instructions of a program and the length of each in bytes, by address.
type Code = BTreeMap<u64, (Rv64imac, u64)>;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let [program, folder] = &arguments[..] else {
        return Err("expected the file of a static program, and a folder to write".into());
    };
    let executable = Executable::read(&fs::read(program)?)?;
    let code = decode(&executable);
    let source = Path::new(folder).join("src");
    fs::create_dir_all(&source)?;
    fs::write(
        source.join("main.rs"),
        translate(&starts(&executable, &code), &code, &fs::canonicalize(program)?)?,
    )?;
    let set = env!("CARGO_MANIFEST_DIR");
    let manifest = format!(
        "[package]\nname = \"translated\"\nedition = \"2024\"\n\n[workspace]\n\n[dependencies]\n\
         isa-core = {{ path = {:?} }}\nisa-riscv = {{ path = {set:?} }}\n",
        Path::new(set).join("../../isa-core"),
    );
    fs::write(Path::new(folder).join("Cargo.toml"), manifest)?;
    Ok(())
}

/// Decodes all executable segments. Bytes that are not an instruction are skipped.
fn decode(executable: &Executable) -> Code {
    let mut code = Code::new();
    for segment in executable.segments.iter().filter(|segment| segment.executable) {
        let mut at = 0;
        while let Some(rest) = segment.bytes.get(at..).filter(|rest| !rest.is_empty()) {
            let decoded = Rv64imac::decode_first(rest);
            if let Ok((instruction, length)) = decoded {
                code.insert(segment.start + at as u64, (instruction, length as u64));
            }
            at += decoded.map_or(2, |(_, length)| length);
        }
    }
    code
}

/// Returns the addresses at which blocks begin: every target, every address of code that the data contain,
/// and the instruction after each instruction that uses the program counter or can observe the number of
/// executed instructions.
fn starts(executable: &Executable, code: &Code) -> BTreeSet<u64> {
    let words = executable.segments.iter().flat_map(|segment| segment.bytes.as_chunks().0);
    let mut starts: BTreeSet<u64> = words.map(|word| u64::from_le_bytes(*word)).collect();
    let mut after = None;
    for (&address, &(instruction, length)) in code {
        if after != Some(address) {
            starts.insert(address);
        }
        if let FlowTarget::Address(target) = instruction.flow(address).target {
            starts.insert(target);
        }
        after = (!ends_block(instruction)).then_some(address + length);
    }
    starts.retain(|start| code.contains_key(start));
    starts
}

fn ends_block(instruction: Rv64imac) -> bool {
    let effects = instruction.opcode().effects;
    let is_access = effects.loads() || effects.stores();
    // Execution often does not continue after `ebreak`.
    let traps = effects.may_trap() && !is_access;
    traps || effects.reads_pc() || effects.jumps() || effects.has_others()
}

/// Returns the Rust program.
fn translate(
    starts: &BTreeSet<u64>,
    code: &Code,
    program: &Path,
) -> Result<String, Box<dyn Error>> {
    let first = starts.first().copied().unwrap_or(0);
    // The table contains an entry for each address at which an instruction can begin.
    let (mut blocks, mut table, mut entries) = (String::new(), String::new(), 0);
    for &start in starts {
        let end = starts.range(start + 1..).next().copied().unwrap_or(u64::MAX);
        let body: Vec<_> = code.range(start..end).map(|(address, it)| (*address, *it)).collect();
        let _ = writeln!(blocks, "\nfn block_{start:x}(hart: &mut Hart) -> Result<(), Trap> {{");
        for (done, (address, (instruction, length))) in body.iter().enumerate() {
            let (kind, word) = (type_name(instruction.opcode().name), instruction.encode()?);
            let next = address + length;
            let is_last = done + 1 == body.len();
            if is_last {
                // The instruction may use the program counter and the number of instructions.
                let _ = writeln!(blocks, "    hart.begin({address:#x}, {next:#x});");
                let _ = writeln!(blocks, "    hart.retire({done});");
            }
            let counted = if is_last { 0 } else { done };
            let _ = writeln!(
                blocks,
                "    step!(hart, {kind}, {word:#x}, {address:#x}, {next:#x}, {counted}); // {instruction}"
            );
        }
        let _ = writeln!(blocks, "    hart.retire(1);\n    Ok(())\n}}");
        while first + 2 * entries < start {
            table.push_str("None, ");
            entries += 1;
        }
        let _ = write!(table, "Some(block_{start:x}), ");
        entries += 1;
    }
    Ok(format!(
        "//! A translation of {program:?}.\n\n{HEAD}\n/// The first address in `BLOCKS`.\n\
         const FIRST: u64 = {first:#x};\n\n\
         /// The blocks, with an entry for every second address.\n\
         static BLOCKS: &[Option<fn(&mut Hart) -> Result<(), Trap>>] = &[{table}];\n\n\
         const PROGRAM: &[u8] = include_bytes!({program:?});\n{blocks}"
    ))
}

/// Returns the name of an opcode's type: `CAddi4spn` for `C_ADDI4SPN`.
fn type_name(opcode: &str) -> String {
    let words = opcode.split('_').filter_map(|word| word.split_at_checked(1));
    words.map(|(first, rest)| first.to_uppercase() + &rest.to_lowercase()).collect()
}

/// The beginning of a translated program.
const HEAD: &str = r#"#![allow(unused_imports, reason = "a program may use only some extensions")]

use std::io;
use std::time::Instant;

use isa_core::machine::{Processor, Runner};
use isa_riscv::elf::Executable;
use isa_riscv::hart::Hart;
use isa_riscv::linux;
use isa_riscv::machine::Registers;
use isa_riscv::{Rv64imac, Trap, a::*, c::*, i::*, m::*, zicsr::*};

/// Executes one instruction. If it traps, the program counter is at this instruction, and `$count`
/// instructions before it are counted.
macro_rules! step {
    ($hart:ident, $kind:ident, $word:literal, $address:literal, $next:literal, $count:literal) => {
        if let Err(trap) = $kind::from_decoded($word).execute($hart) {
            $hart.begin($address, $next);
            $hart.retire($count);
            return Err(trap);
        }
    };
}

/// Executes instructions until one traps.
fn run(hart: &mut Hart) -> Trap {
    loop {
        let index = hart.next().wrapping_sub(FIRST) / 2;
        let block = usize::try_from(index).ok().and_then(|index| BLOCKS.get(index)).copied().flatten();
        let result = match block {
            Some(block) => block(hart),
            None => {
                let next = hart.next();
                hart.begin(next, next);
                hart.step()
            }
        };
        if let Err(trap) = result {
            return trap;
        }
    }
}

/// Returns the result of `work` and adds its duration to `seconds`.
fn timed<T>(seconds: &mut f64, work: impl FnOnce() -> T) -> T {
    let start = Instant::now();
    let result = work();
    *seconds += start.elapsed().as_secs_f64();
    result
}

/// Runs the program twice until its end, and compares the states at each trap.
fn main() -> Result<(), Box<dyn std::error::Error>> {
    let load = || -> Result<Hart, Box<dyn std::error::Error>> {
        let program = Executable::read(PROGRAM)?;
        linux::start(program, &["program".to_owned()]).ok_or_else(|| "no room for arguments".into())
    };
    let (mut translated, mut interpreted) = (load()?, load()?);
    let mut runner = Runner::new(Rv64imac::executor);
    let mut seconds = [0.0; 2];
    let ended = loop {
        let trap = timed(&mut seconds[0], || run(&mut translated));
        let expected = timed(&mut seconds[1], || interpreted.run_with(&mut runner));
        let [state, other] = [&translated, &interpreted].map(|hart| {
            let registers: Vec<u64> = (0..32).map(|number| hart.reg(number)).collect();
            (Processor::pc(hart), hart.retired(), registers)
        });
        assert_eq!((trap, state), (expected, other));
        let _ = linux::serve(&mut interpreted, trap, &mut io::sink(), &mut io::sink());
        match linux::serve(&mut translated, trap, &mut io::stdout(), &mut io::stderr()) {
            Ok(None) => {}
            Ok(Some(status)) => break format!("status {status}"),
            Err(stop) => break stop.to_string(),
        }
    };
    let count = translated.retired();
    let [fast, slow] = seconds.map(|seconds| count as f64 / seconds / 1e6);
    println!("{ended} after {count} instructions: {fast:.0} M/s, with Hart::run {slow:.0} M/s");
    Ok(())
}
"#;
