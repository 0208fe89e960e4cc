//! Compares objects with those of the GNU assembler, for formats with special features: addends in
//! the program, other mapping symbols, extra bits in the addresses of functions, and relocations in
//! the middle of instructions. Both objects of a text must be linked to the same bytes, and
//! listings of both must assemble to objects that are linked to these bytes again.

mod s390;
mod sets;

use std::process::Command;

use isa_tests::tools::{self, Temporary, Tool};
use object::{Object as _, ObjectSection as _, ObjectSymbol as _};

use self::sets::{mips, thumb};
use super::*;

/// The tools of a machine.
#[derive(Clone, Copy)]
struct Judge {
    run: fn(&[&str], &[u8]) -> Outcome,
    /// The prefix of the program names.
    prefix: &'static str,
    programs: &'static [Tool],
    /// Arguments for the assembler: options, and text before the program.
    options: &'static [&'static str],
    prelude: &'static str,
    linker: &'static [&'static str],
}

const fn programs(install: &'static str, [a, b, c, d]: [&'static str; 4]) -> [Tool; 4] {
    [
        Tool { program: a, release: "2.40", install },
        Tool { program: b, release: "2.40", install },
        Tool { program: c, release: "2.40", install },
        Tool { program: d, release: "2.40", install },
    ]
}

const MIPS: Judge = Judge {
    run: |args, stdin| run(&mips::tool(mips::RELA.rel()), args, stdin),
    prefix: "mips-linux-gnu-",
    programs: &programs(
        "apt-get install binutils-mips-linux-gnu",
        [
            "mips-linux-gnu-as",
            "mips-linux-gnu-ld",
            "mips-linux-gnu-objdump",
            "mips-linux-gnu-readelf",
        ],
    ),
    options: &["-EB", "-mips32r2", "-32", "-mno-shared"],
    prelude: ".set noreorder\n",
    linker: &["-EB", "-no-warn-mismatch"],
};

const THUMB: Judge = Judge {
    run: |args, stdin| run(&thumb::tool(), args, stdin),
    prefix: "arm-none-eabi-",
    programs: &programs(
        "apt-get install binutils-arm-none-eabi",
        ["arm-none-eabi-as", "arm-none-eabi-ld", "arm-none-eabi-objdump", "arm-none-eabi-readelf"],
    ),
    options: &["-mcpu=cortex-a7"],
    prelude: ".syntax unified\n.thumb\n",
    linker: &[],
};

impl Judge {
    fn is_here(self) -> bool {
        tools::are_here(self.programs)
    }

    /// Returns the output of a program.
    #[track_caller]
    fn say(self, program: &str, args: &[&str]) -> String {
        let program = format!("{}{program}", self.prefix);
        let output = tools::run(Command::new(&program).args(args), String::new());
        let error = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success() && error.is_empty(), "{program} {args:?}: {error}");
        String::from_utf8(output.stdout).unwrap()
    }

    /// Returns the object that the GNU assembler assembles from a text.
    #[track_caller]
    fn gnu(self, text: &str) -> Vec<u8> {
        let (from, to) = (Temporary::new("s"), Temporary::new("o"));
        fs::write(&from.0, format!("{}{text}", self.prelude)).unwrap();
        let (from, to) = (from.0.to_str().unwrap(), to.0.to_str().unwrap());
        self.say("as", &[self.options, &["-o", to, from]].concat());
        fs::read(to).unwrap()
    }

    #[track_caller]
    fn own(self, text: &str) -> Vec<u8> {
        let object = (self.run)(&["asm", "--emit", "elf"], text.as_bytes());
        assert_eq!((object.status, object.err.as_str()), (Status::Success, ""), "{text}");
        object.out
    }

    /// Links objects and returns the program.
    #[track_caller]
    fn link(self, objects: &[&[u8]]) -> Vec<u8> {
        let files: Vec<Temporary> = objects.iter().map(|_| Temporary::new("o")).collect();
        for (file, object) in files.iter().zip(objects) {
            fs::write(&file.0, object).unwrap();
        }
        let to = Temporary::new("elf");
        let files = files.iter().map(|file| file.0.to_str().unwrap());
        let place =
            ["-Ttext=0x10000", "-Tdata=0x20000", "-e", "start", "-o", to.0.to_str().unwrap()];
        let args: Vec<&str> = self.linker.iter().copied().chain(place).chain(files).collect();
        self.say("ld", &args);
        fs::read(&to.0).unwrap()
    }
}

/// Returns the bytes of the sections of a file that are not empty in the objects of both
/// assemblers.
fn contents(file: &[u8]) -> Vec<(String, Vec<u8>)> {
    let file = object::File::parse(file).unwrap();
    let of = |name: &str| {
        let section = file.section_by_name(name);
        (name.to_owned(), section.map(|it| it.data().unwrap().to_vec()).unwrap_or_default())
    };
    [".text", ".text.more", ".rodata", ".data"].map(of).to_vec()
}

/// Checks a program that is linked with the object of another text.
fn check(judge: Judge, text: &str, other: &str) {
    let (own, gnu, other) = (judge.own(text), judge.gnu(text), judge.gnu(other));
    let expected = contents(&judge.link(&[&gnu, &other]));
    assert!(expected.iter().all(|(name, bytes)| !bytes.is_empty() || name == ".text.more"));
    assert_eq!(contents(&judge.link(&[&own, &other])), expected);
    // The listing of our object assembles to the same object. The listing of the other assembler's
    // object assembles to an object that is linked to the same program.
    let listed = (judge.run)(&["dis"], &own);
    assert!(judge.own(listed.fine()) == own, "{}", listed.text());
    let listed = (judge.run)(&["dis"], &gnu);
    let again = judge.own(listed.fine());
    assert_eq!(contents(&judge.link(&[&again, &other])), expected, "{}", listed.text());
}

const MIPS_TEXT: &str = "\
.globl start
.type start, @function
start:
 jal helper
 nop
 beq $2, $3, far
 nop
again: addiu $2, $2, -4
 beq $2, $0, again
 nop
 j again
 nop
 beq $4, $0, more
 nop
 .4byte start + 4, later, .data + 4, outside - 8
later: nop
.section .text.more, \"ax\", @progbits
more: nop
 beq $2, $0, more
 nop
 j later
 nop
.section .rodata
 .4byte 7, table
.data
.4byte 1
.globl table
table: .4byte .rodata, more + 8
";

const MIPS_OTHER: &str = "\
.globl helper
.globl far
.globl outside
 nop
helper: nop
far: nop
.data
outside: .4byte 5
";

#[test]
fn mips_has_its_addends_in_the_program() {
    if !MIPS.is_here() {
        return;
    }
    check(MIPS, MIPS_TEXT, MIPS_OTHER);
    let object = MIPS.own(MIPS_TEXT);
    let file = Temporary::new("o");
    fs::write(&file.0, &object).unwrap();
    let listed = MIPS.say("objdump", &["-dr", file.0.to_str().unwrap()]);
    assert_has(&listed, &["R_MIPS_26\thelper", "1043ffff", "R_MIPS_PC16\tfar", "R_MIPS_26\tagain"]);
    let sections = MIPS.say("readelf", &["-SW", file.0.to_str().unwrap()]);
    assert_has(&sections, &[".rel.text ", ".rel.data "]);
    assert!(!sections.contains(".rela"), "{sections}");
    let header = MIPS.say("readelf", &["-hW", file.0.to_str().unwrap()]);
    assert_has(&header, &["MIPS R3000", "big endian", "mips32r2"]);
}

/// Checks that the parts of an addend are in the program, each in its instruction.
#[test]
fn parts_of_addresses_have_those_of_their_addends() {
    if !MIPS.is_here() {
        return;
    }
    let text = "\
.globl start
start:
 lui $5, %hi(table + 0x8004)
 addiu $5, $5, %lo(table + 0x8004)
 lui $6, %hi(outside)
 addiu $6, $6, %lo(outside)
.data
.4byte 1
table: .4byte 2
";
    let (own, gnu, other) = (MIPS.own(text), MIPS.gnu(text), MIPS.gnu(MIPS_OTHER));
    let expected = contents(&MIPS.link(&[&gnu, &other]));
    assert_eq!(contents(&MIPS.link(&[&own, &other])), expected);
    // The lower half of 0x8004 is negative, so the upper half is 1.
    let file = object::File::parse(&*own).unwrap();
    let code = file.section_by_name(".text").unwrap().data().unwrap().to_vec();
    assert_eq!(code[..8], [0x3c, 5, 0, 1, 0x24, 0xa5, 0x80, 4]);
}

/// Checks that a program with addends in the relocations is linked to the same bytes. The bits that
/// the linker fills in are 0.
#[test]
fn addends_beside_the_program_are_linked_alike() {
    let tool = |args: &[&str], stdin: &[u8]| run(&mips::tool(mips::RELA), args, stdin);
    let text = "start: beq $2, $3, far\n nop\n jal far\n nop\n .4byte far + 8\n";
    let object = tool(&["asm", "--emit", "elf"], text.as_bytes()).out;
    let file = object::File::parse(&*object).unwrap();
    let section = file.section_by_name(".text").unwrap();
    let words = section.data().unwrap().to_vec();
    assert_eq!(words[..4], [0x10, 0x43, 0, 0]);
    assert_eq!((&words[8..12], &words[16..]), (&[0x0c, 0, 0, 0][..], &[0; 4][..]));
    let addends: Vec<i64> = section.relocations().map(|(_, it)| it.addend()).collect();
    assert_eq!(addends, [-4, 0, 8]);
    let listed = tool(&["dis"], &object);
    assert!(tool(&["asm", "--emit", "elf"], listed.fine().as_bytes()).out == object);
    if !MIPS.is_here() {
        return;
    }
    let other = MIPS.gnu(MIPS_OTHER);
    let gnu = MIPS.gnu(&format!(".globl start\n{text}"));
    let own = tool(&["asm", "--emit", "elf"], format!(".globl start\n{text}").as_bytes()).out;
    let text = |file: &[u8]| contents(file).swap_remove(0).1;
    assert_eq!(text(&MIPS.link(&[&own, &other])), text(&MIPS.link(&[&gnu, &other])));
}

const THUMB_TEXT: &str = "\
.globl start
.type start, %function
.type local, %function
start:
 movs r1, #1
 bl helper
 b.w far
local: bl start
 bx lr
place: bl place
 .4byte start, local, place, .rodata + 4, outside - 8
.section .rodata
 .4byte 7, table
.data
.4byte 1
.globl table
table: .4byte local, .rodata
";

const THUMB_OTHER: &str = "\
.globl helper
.globl far
.globl outside
.type helper, %function
.type far, %function
helper: bx lr
far: bx lr
.data
outside: .4byte 5
";

#[test]
fn functions_of_thumb_are_told_from_their_addresses() {
    if !THUMB.is_here() {
        return;
    }
    check(THUMB, THUMB_TEXT, THUMB_OTHER);
    let (file, object) = (Temporary::new("o"), THUMB.own(THUMB_TEXT));
    fs::write(&file.0, &object).unwrap();
    let symbols = THUMB.say("readelf", &["-sW", file.0.to_str().unwrap()]);
    let symbols: Vec<String> =
        symbols.lines().map(|it| it.split_whitespace().collect::<Vec<_>>().join(" ")).collect();
    for symbol in [
        "00000000 0 NOTYPE LOCAL DEFAULT 1 $t",
        "00000001 0 FUNC GLOBAL DEFAULT 1 start",
        "0000000b 0 FUNC LOCAL DEFAULT 1 local",
        "00000010 0 NOTYPE LOCAL DEFAULT 1 place",
    ] {
        assert!(symbols.iter().any(|it| it.ends_with(symbol)), "{symbol}\n{symbols:#?}");
    }
    let listed = THUMB.say("objdump", &["-dr", file.0.to_str().unwrap()]);
    assert_has(&listed, &["R_ARM_THM_CALL\thelper", "f7ff fffe", "R_ARM_THM_JUMP24\tfar"]);
    let text = (THUMB.run)(&["dis"], &object);
    let parts =
        [".type start, %function;\n", "start:\n    movs r1, #1;\n    bl helper;\n    b.w far;\n"];
    assert_has(text.fine(), &parts);
}

/// Checks that the entry address of a Thumb program is odd, and that execution begins at the even
/// address below it.
#[test]
fn programs_of_thumb_are_executed() {
    if !THUMB.is_here() {
        return;
    }
    let text = ".globl start\n.type start, %function\n movs r0, #9\nstart: movs r2, #7\n";
    for object in [THUMB.own(text), THUMB.gnu(text)] {
        let program = THUMB.link(&[&object]);
        assert_eq!(object::File::parse(&*program).unwrap().entry(), 0x10003);
        assert_eq!((THUMB.run)(&["exec"], &program).fine(), "r2 = 0x00000007\n");
        assert_has((THUMB.run)(&["dis"], &program).fine(), &["    movs r0, #9;\nstart:\n"]);
    }
}

/// Checks that code after a symbol such as `$a`, which is not a mapping symbol of the format, is
/// treated as data, because it is for another set.
#[test]
fn code_for_another_set_is_data() {
    if !THUMB.is_here() {
        return;
    }
    let object = THUMB.gnu("start: bx lr\n bx lr\n.arm\n mov r0, r0\n.thumb\n bx lr\n");
    let file = object::File::parse(&*object).unwrap();
    assert!(file.symbols().any(|it| it.name() == Ok("$a")));
    let listed = (THUMB.run)(&["dis"], &object);
    assert_has(listed.fine(), &["    bx lr;\n    .word 0x0000e1a0;\n    bx lr;\n"]);
}

/// Checks that labels created by the listing, and labels of two local symbols with the same name,
/// are defined only once.
#[test]
fn names_are_unique_in_a_listing() {
    let text = "start: beq $2, $3, start\n beq $2, $3, .La\n nop\n.La: nop\n\
                .section .text.more, \"ax\"\n nop\n beq $2, $3, .Lb\n nop\n.Lb: nop\n j .Lc\n nop\n\
                .section .bss\n .globl room\n .zero 4\nroom: .zero 8\n\
                .data\n.balign 8\nx: .Lc: .4byte .bss + 4, start, .text.more + 4\n";
    let object = MIPS.own(text);
    let listed = (MIPS.run)(&["dis"], &object);
    let labels: Vec<&str> = listed.fine().lines().filter(|it| it.ends_with(':')).collect();
    let mut unique = labels.clone();
    unique.sort_unstable();
    unique.dedup();
    assert_eq!(unique.len(), labels.len(), "{}", listed.text());
    let parts = [
        ".section .text.more, \"ax\", %progbits;\n",
        ".section .bss, \"aw\", %nobits;\n.globl room;\n    .zero 4;\nroom:\n    .zero 8;\n",
        ".section .data, \"aw\", %progbits;\n.balign 8;\n",
    ];
    assert_has(listed.text(), &parts);
    // The text assembles, also as a program with addresses.
    assert_eq!(contents(&MIPS.own(listed.text())), contents(&object));
    let _ = (MIPS.run)(&["asm"], listed.text().as_bytes()).fine();
}

/// Checks that two local symbols may have the same name, for example if two files were linked to
/// one object.
#[test]
fn local_symbols_of_one_name_are_two_labels() {
    if !MIPS.is_here() {
        return;
    }
    let part = "x: beq $2, $0, x\n nop\n.data\n .4byte x\n";
    let (first, second) = (MIPS.gnu(part), MIPS.gnu(&part.replace("$2", "$3")));
    let files = [first, second].map(|object| {
        let file = Temporary::new("o");
        fs::write(&file.0, object).unwrap();
        file
    });
    let to = Temporary::new("o");
    let [to, first, second] = [&to, &files[0], &files[1]].map(|it| it.0.to_str().unwrap());
    MIPS.say("ld", &["-EB", "-r", "-o", to, first, second]);
    let listed = (MIPS.run)(&["dis"], &fs::read(to).unwrap());
    // The sections of a file are padded to 16 bytes.
    let parts = ["\nx:\n    beq $2, $0, x;\n", "\nx_2:\n    beq $3, $0, x_2;\n"];
    assert_has(listed.fine(), &parts);
    MIPS.own(listed.text());
}

/// Checks that the last of several `.type` lines for a label applies, and that a line with another
/// word is an error.
#[test]
fn types_of_labels_are_function_object_or_none() {
    let text = "x: nop\n.type x, @function\n.type y, %object\n.type x, %notype\n";
    let object = MIPS.own(text);
    let file = object::File::parse(&*object).unwrap();
    let kinds: Vec<_> =
        file.symbols().filter(|it| it.name() == Ok("x")).map(|it| it.kind()).collect();
    // The last line applies.
    assert_eq!(kinds, [object::SymbolKind::Unknown]);
    for (line, place, message) in [
        (".type x, %code", 10, "expected `%function`, `%object` or `%notype`"),
        (".type x, function", 10, "expected `%function`, `%object` or `%notype`"),
        (".type x", 8, "expected `,` after the label"),
        (".type 7, %function", 7, "expected the name of a label"),
        (".type x, %function, y", 19, "expected `;` after the type"),
    ] {
        let wrong = (MIPS.run)(&["asm"], format!("{line}\nx: nop\n").as_bytes());
        let place = format!("<stdin>:1:{place}\n");
        assert_has(wrong.failed(Status::Failure), &[&place, message]);
    }
}

/// Checks that the name of a section is a label of its start, unless another label has the name.
#[test]
fn names_of_sections_are_labels() {
    let bin = |text: &str| (MIPS.run)(&["asm", "--emit", "bin"], text.as_bytes()).out;
    let text = " nop\n.4byte .data, .text + 4\n.data\n.4byte .rodata\n.section .rodata\n.byte 1\n";
    assert_eq!(bin(text), [0, 0, 0, 0, 0, 0, 0, 12, 0, 0, 0, 4, 0, 0, 0, 16, 1]);
    assert_eq!(bin(" nop\n.data: .4byte .data\n"), [0, 0, 0, 0, 0, 0, 0, 4]);
}
