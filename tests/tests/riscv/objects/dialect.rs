//! Directives that a compiler emits, compared with the bytes that the GNU assembler assembles from
//! the same text.

use super::sections::gnu_for;
use super::*;

/// Directives of GCC, with quoted text, alignments in code and in data, and debugging information.
/// No instruction has a shorter form. The code ends at its alignment, to which the GNU assembler
/// pads sections.
const PROGRAM: &str = "\
\t.file\t\"a;b.c\"
\t.option nopic
\t.option norelax
\t.attribute unaligned_access, 0
\t.text
\t.align\t1
\t.globl\tmain
\t.type\tmain, @function
main:
.LFB0:
\t.cfi_startproc
\taddi\ta0,a1,100
\t.cfi_def_cfa_offset 16
\tc.nop
\t.p2align 4,,11
.L2:
\taddi\ta0,a0,100
\t.p2align 4,,3
.L3:\tbne\ta0,a1,.L2   # a comment; with signs \"
\tc.nop
\t.balign 8
\tjalr\tzero,4(ra)
\t.p2align 4
\t.cfi_endproc
\t.size\tmain, .-main
\t.section\t.rodata.str1.8,\"aMS\",@progbits,1
\t.align\t3
.LC0:
\t.string\t\"hello; world # no /* comment // \\\"x\\\"\\n\"
\t.string\t\"\"
\t.ascii\t\"a\\0\\101\\x41\\t\", \"b\\\\\", \"é\"
\t.asciz\t\"c\",\"d\"
\t.data
\t.align\t3
\t.half\t1, -2
\t.short\t3
\t.word\t4, 0x80000000
\t.long\t5
\t.dword\t-6
\t.quad\t7
\t.byte\t8
\t.balign 8, 0x11
\t.skip\t3
\t.space\t2, 0xff
\t.zero\t1
\t.p2align 3,,2
\t.byte 9
\t.bss
\t.align\t4
\t.zero\t12
\t.ident\t\"GCC: (Debian) 12\"
\t.section\t.note.GNU-stack,\"\",@progbits
";

#[test]
fn directives_of_compilers_make_the_bytes_of_the_gnu_assembler() {
    if !tools::are_here(&["riscv64-linux-gnu-as"]) {
        return;
    }
    let read = |file: &Temporary| std::fs::read(&file.0).expect("it was written");
    let (own, theirs) = (read(&object(PROGRAM)), read(&gnu_for("-march=rv64imac", PROGRAM)));
    for name in [".text", ".rodata.str1.8", ".data"] {
        let (own, theirs) = (section(&own, name), section(&theirs, name));
        assert_eq!(own, theirs, "{name}");
        assert!(own.len() >= 32, "{name}");
    }
}
