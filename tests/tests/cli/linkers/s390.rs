//! Objects of S/390, which have relocations in the middle of instructions.

use super::sets::s390;
use super::*;

const S390: Judge = Judge {
    run: |args, stdin| run(&s390::tool(), args, stdin),
    prefix: "s390x-linux-gnu-",
    programs: &programs(
        "apt-get install binutils-s390x-linux-gnu",
        [
            "s390x-linux-gnu-as",
            "s390x-linux-gnu-ld",
            "s390x-linux-gnu-objdump",
            "s390x-linux-gnu-readelf",
        ],
    ),
    options: &["-m64", "-march=z900"],
    prelude: "",
    linker: &[],
};

/// The GNU assembler pads code to four bytes, so the sections of this text have multiples of four
/// bytes.
const S390_TEXT: &str = "\
.globl start
start:
 larl %r3,text
 larl %r4,text+4
 brasl %r14,helper
 brasl %r14,helper+6
 brasl %r14,helper-2
 j far
 j far + 0x10
 lghi %r1,-4
again: brasl %r14,again
 larl %r5,again+4
 larl %r5,text - 2
 j more
 larl %r2,.rodata+8
 larl %r6,table
 br %r14
 br %r14
.section .text.more, \"ax\", @progbits
more: br %r14
 j more
 brasl %r14,again
 brasl %r14,again+6
 br %r14
.section .rodata
.balign 8
 .8byte 7, table
text: .8byte more + 2
.data
.8byte 1
.globl table
table: .8byte text + 4, outside - 8
 .4byte later
later: .4byte 9
";

const S390_OTHER: &str = "\
.globl helper
.globl far
.globl outside
helper: br %r14
 br %r14
far: br %r14
.data
outside: .8byte 5
";

/// Returns the relocations of an object by section and offset, each with the data at its symbol.
/// Assemblers refer either to a label of the object or to its section.
fn relocations(file: &[u8]) -> Vec<(String, u64, String, String, i64)> {
    let file = object::File::parse(file).unwrap();
    let mut all = Vec::new();
    for section in file.sections() {
        for (offset, it) in section.relocations() {
            let object::RelocationTarget::Symbol(symbol) = it.target() else { panic!("{it:?}") };
            let symbol = file.symbol_by_index(symbol).unwrap();
            let own = symbol.section_index().filter(|_| symbol.is_local());
            let (name, start) = match own {
                Some(own) => (
                    file.section_by_index(own).unwrap().name().unwrap().to_owned(),
                    symbol.address(),
                ),
                None => (symbol.name().unwrap().to_owned(), 0),
            };
            let (kind, addend) = (format!("{:?}", it.flags()), it.addend() + start.cast_signed());
            all.push((section.name().unwrap().to_owned(), offset, kind, name, addend));
        }
    }
    all.sort();
    all
}

#[test]
fn relocations_of_s390_stand_at_the_field() {
    if !S390.is_here() {
        return;
    }
    check(S390, S390_TEXT, S390_OTHER);
    let (own, gnu) = (S390.own(S390_TEXT), S390.gnu(S390_TEXT));
    assert_eq!(contents(&own), contents(&gnu));
    assert_eq!(relocations(&own), relocations(&gnu));
    let file = Temporary::new("o");
    fs::write(&file.0, &own).unwrap();
    let listed = S390.say("objdump", &["-dr", file.0.to_str().unwrap()]);
    assert_has(&listed, &["e: R_390_PC32DBL\thelper+0x2", "20: R_390_PC16DBL\tfar+0x2"]);
}
