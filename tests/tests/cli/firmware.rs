//! Programs of a machine that has instructions in flash and variables in another memory.

use isa_cli::{ObjectFormat, Tool as AnyTool};
use isa_core::machine::{Counter, RecordedMemory, RecordedRegisters, RegisterFile};

use super::*;

isa_core::registers! {
    /// A register.
    pub R: 4 = "r0" to "r15" of u8, in Chip { reg, set_reg };
}

/// The state that instructions require.
pub(crate) trait Chip {
    fn reg(&self, number: u8) -> u8;
    fn set_reg(&mut self, number: u8, value: u8);
    fn flash(&self, address: u8) -> u8;
}

/// The reason why the machine stopped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Stopped {
    /// The instruction `brk`.
    Break,
}

impl core::fmt::Display for Stopped {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str("break")
    }
}

isa_core::define_isa! {
    /// Numbers, and the contents of flash memory.
    isa Firmware: u16;
    machine self::Chip;
    trap self::Stopped;
    operand R: 4;
    operand Imm: 8 = isa_core::operand::Unsigned<8>;
    enum Op: 4 { LDI = 1, LPM = 2, BRK = 3 }

    group WORD { encoding { field<12, 4> Op op; } }
    opcode LDI : [WORD] {
        encoding { op == LDI; field<8, 4> R rd; field<0, 8> Imm imm; }
        syntax { ldi Rd, imm; }
        operands { InList<imm>; OutList<rd>; Order<rd, imm>; }
        semantics { Rd = imm.value as u8; }
    }
    opcode LPM : [WORD] {
        encoding { op == LPM; field<8, 4> R rd; field<4, 4> R ra; }
        syntax { lpm Rd, Ra; }
        operands { InList<ra>; OutList<rd>; Order<rd, ra>; }
        semantics(chip: Chip) { Rd = chip.flash(Ra.value); }
    }
    opcode BRK : [WORD] {
        encoding { op == BRK; }
        syntax { brk; }
        operands { InList<>; OutList<>; }
        semantics { return Err(Stopped::Break); }
    }
}

isa_core::named_state! {
    /// Registers, flash and a program counter.
    struct Board {
        const R: RecordedRegisters<u8> = RegisterFile::numbered("r", 16);
        const PC: Counter = RegisterFile::listed(&["pc"]);
        const FLASH: RecordedMemory = RegisterFile::memory("flash");
    }
}

impl Chip for Board {
    fn reg(&self, number: u8) -> u8 {
        self.state.read(Self::R, number)
    }
    fn set_reg(&mut self, number: u8, value: u8) {
        self.state.write(Self::R, number, value);
    }
    fn flash(&self, address: u8) -> u8 {
        self.state.load(Self::FLASH, address.into(), 1) as u8
    }
}

const OBJECTS: ObjectFormat = ObjectFormat::elf32(0x1234);

fn tool(format: ObjectFormat) -> AnyTool<Firmware> {
    AnyTool::new("fw").machine(Firmware::executor::<Board>).object(format)
}

/// The virtual address of a segment, its physical address, and its bytes.
type Segment<'b> = (u32, u32, &'b [u8]);

/// Returns an executable of code and data, with the label `f` two bytes after its first
/// instruction. The order of its parts is that of the ELF standard.
fn executable((linked, loaded, code): Segment<'_>, data: Segment<'_>) -> Vec<u8> {
    const HEADERS: u32 = 52 + 2 * 32;
    let (code_size, data_size) = (code.len() as u32, data.2.len() as u32);
    let (data_at, names_at) = (HEADERS + code_size, HEADERS + code_size + data_size);
    let names = b"\0f\0\0";
    let symbols_at = names_at + names.len() as u32;
    let sections_at = symbols_at + 2 * 16;
    let mut file = b"\x7fELF\x01\x01\x01\0\0\0\0\0\0\0\0\0".to_vec();
    let half = |high: u32, low: u32| high << 16 | low;
    let header = [half(0x1234, 2), 1, linked, 52, sections_at, 0, half(32, 52), half(40, 2)];
    let programs = [
        [1, HEADERS, linked, loaded, code_size, code_size, 5, 2],
        [1, data_at, data.0, data.1, data_size, data_size, 6, 1],
    ];
    // The null section, the code, the symbols, the names.
    let sections = [
        [0; 10],
        [0, 1, 6, linked, HEADERS, code_size, 0, 0, 2, 0],
        [0, 2, 0, 0, symbols_at, 32, 3, 1, 4, 16],
        [0, 3, 0, 0, names_at, names.len() as u32, 0, 0, 1, 0],
    ];
    let symbols = [[0; 4], [1, linked + 2, 0, half(1, 0)]];
    let put = |file: &mut Vec<u8>, numbers: &[u32]| {
        file.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
    };
    put(&mut file, &header);
    put(&mut file, &[half(3, 4)]);
    programs.iter().for_each(|program| put(&mut file, program));
    [code, data.2, names].iter().for_each(|bytes| file.extend_from_slice(bytes));
    symbols.iter().for_each(|symbol| put(&mut file, symbol));
    sections.iter().for_each(|section| put(&mut file, section));
    file
}

/// Returns the words of a text.
fn code(text: &str) -> Vec<u8> {
    run(&tool(OBJECTS), &["asm", "--emit", "bin"], text.as_bytes()).out
}

/// Checks that a program is loaded at physical addresses like a flash programmer does it: the
/// initial values of variables are in flash, after the code.
#[test]
fn firmware_stands_at_physical_addresses() {
    let physical = tool(OBJECTS.physical_addresses());
    let code = code("ldi r1, 0x47; lpm r0, r1;");
    let file = executable((0x10, 0x10, &code), (0x80_0100, 0x44, &[1, 2, 3, 4]));
    assert_eq!(run(&physical, &["exec"], &file).fine(), "r0 = 0x04\nr1 = 0x47\n");
    let virtually = run(&tool(OBJECTS), &["exec"], &file);
    assert_eq!(virtually.fine(), "r0 = 0x00\nr1 = 0x47\n", "as a system loads programs");
    // If all physical addresses are 0, they are not used.
    let file = executable((0x10, 0, &code), (0x47, 0, &[9]));
    for format in [OBJECTS, OBJECTS.physical_addresses()] {
        assert_eq!(run(&tool(format), &["exec"], &file).fine(), "r0 = 0x09\nr1 = 0x47\n");
    }
}

/// Checks code that is linked for another address than the one where it is loaded: it begins at the
/// load address, and its labels are found.
#[test]
fn the_entry_and_the_labels_are_those_of_the_code() {
    let code = code("ldi r1, 1; brk; ldi r1, 2;");
    let file = executable((0x100, 0x20, &code), (0x8000, 0x26, &[]));
    for (format, place) in [(OBJECTS, "0x102 <f>"), (OBJECTS.physical_addresses(), "0x22 <f>")] {
        let stopped = run(&tool(format), &["exec"], &file);
        let expected = format!("at {place}: trap: break");
        assert_has(stopped.failed(Status::Failure), &[&expected]);
        assert_has(run(&tool(format), &["dis", "--addresses"], &file).fine(), &["00000102"]);
    }
}

/// Checks that a trap that ends a program is not an error. Any other trap is an error, and nothing
/// is written.
#[test]
fn a_trap_may_be_the_end() {
    let text = b"ldi r1, 1; brk; ldi r1, 2;";
    let request = br#"{"asm": "ldi r1, 1; brk; ldi r1, 2;"}"#;
    let known = AnyTool::<Firmware>::new("fw").ends(|trap| trap == "break");
    let known = known.machine(Firmware::executor::<Board>).object(OBJECTS);
    assert_eq!(run(&known, &["exec"], text).fine(), "r1 = 0x01\n");
    assert_eq!(
        run(
            &known,
            &["exec"],
            &executable((0, 0, &code("ldi r1, 1; brk; ldi r1, 2;")), (0, 6, &[]))
        )
        .fine(),
        "r1 = 0x01\n"
    );
    assert_eq!(
        run(&known, &["exec", "--jsonl"], request).fine(),
        "{\"state\": {\"r1\": \"0x01\"}}\n"
    );
    let trace = run(&known, &["exec", "--trace"], text);
    assert_has(
        trace.fine(),
        &[
            "    writes  r1 = 0x01\n",
            "brk;\n    reads   nothing\n    writes  nothing\n\nr1 = 0x01\n",
        ],
    );
    let other = tool(OBJECTS).ends(|trap| trap == "other");
    assert_has(run(&other, &["exec"], text).failed(Status::Failure), &["trap: break", "1:12"]);
    assert_has(
        run(&other, &["exec", "--jsonl"], request).fine(),
        &[r#"{"error": "asm:1:12: break"}"#],
    );
    assert_eq!(run(&other.ends(|_| true), &["exec"], text).fine(), "r1 = 0x01\n");
}

/// Registers without a program counter: statements are executed one after the other.
mod straight {
    use super::*;

    isa_core::named_state! {
        /// Registers alone.
        struct Registers8 {
            const R: RecordedRegisters<u8> = RegisterFile::numbered("r", 16);
        }
    }

    impl Chip for Registers8 {
        fn reg(&self, number: u8) -> u8 {
            self.state.read(Self::R, number)
        }
        fn set_reg(&mut self, number: u8, value: u8) {
            self.state.write(Self::R, number, value);
        }
        fn flash(&self, _: u8) -> u8 {
            0
        }
    }

    #[test]
    fn what_follows_the_end_is_not_executed() {
        let tool = AnyTool::new("fw").machine(Firmware::executor::<Registers8>);
        let text = b"ldi r1, 1; brk; ldi r1, 2;";
        assert_has(run(&tool, &["exec"], text).failed(Status::Failure), &["break"]);
        let tool = tool.ends(|trap| trap == "break");
        assert_eq!(run(&tool, &["exec"], text).fine(), "r1 = 0x01\n");
        let request = br#"{"asm": "ldi r1, 1; brk; ldi r1, 2;"}"#;
        let answer = run(&tool, &["exec", "--jsonl"], request);
        assert_eq!(answer.fine(), "{\"state\": {\"r1\": \"0x01\"}}\n");
        // The text after the trap is parsed nevertheless.
        assert_has(run(&tool, &["exec"], b"brk; what;").failed(Status::Failure), &["1:6"]);
    }
}
