//! Compares expressions, macros and other text with the GNU assembler: equal bytes.

use std::process::Command;

use isa_a64::A64;
use isa_core::asm::Assembler;
use isa_tests::tools::{self, Temporary};
use isa_verify::random::SplitMix64;

fn ours(text: &str) -> Result<Vec<u8>, String> {
    let assembler = Assembler::new(A64::SET).lines("").directives(isa_a64::DIRECTIVES);
    let assembler = assembler.padding(isa_a64::PADDING).optional_prefix("#");
    let program = assembler.assemble(text).map_err(|errors| errors.to_string())?;
    Ok(program.bytes)
}

/// Returns the bytes that the GNU assembler assembles.
fn theirs(text: &str) -> Vec<u8> {
    let (object, code) = (Temporary::new("o"), Temporary::new("bin"));
    let mut gnu = Command::new("aarch64-linux-gnu-as");
    let output = tools::run(gnu.arg("-o").arg(&object.0), text.to_owned());
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}");
    let mut copy = Command::new("aarch64-linux-gnu-objcopy");
    let copy = copy.args(["-O", "binary", "-j", ".text"]).args([&object.0, &code.0]);
    assert!(tools::run(copy, String::new()).status.success());
    std::fs::read(&code.0).expect("the code")
}

#[track_caller]
fn assert_equal(text: &str) {
    let (ours, theirs) = (ours(text).unwrap_or_else(|error| panic!("{error}")), theirs(text));
    if let Some(at) = (0..ours.len().max(theirs.len())).find(|&at| ours.get(at) != theirs.get(at)) {
        panic!("{text}\nbyte {at} of {} and {} differs", ours.len(), theirs.len());
    }
}

/// A random expression whose values are small enough that 64 and 128 bits have the same result.
fn expression(random: &mut SplitMix64, depth: u32) -> String {
    let mut below = |bound: u64| random.below(bound);
    if depth == 0 || below(4) == 0 {
        return match below(6) {
            0 => format!("{:#x}", below(64)),
            1 => "N".into(),
            2 => "M".into(),
            3 => format!("'{}'", char::from(b"abcXYZ;#/ "[below(10) as usize])),
            _ => below(9).to_string(),
        };
    }
    let blank = if below(2) == 0 { " " } else { "" };
    let choice = below(24);
    let operators =
        ["*", "|", "&", "^", "+", "-", "==", "<>", "!=", "<", ">", ">=", "<=", "&&", "||"];
    let first = expression(random, depth - 1);
    match choice {
        0 => format!("-{blank}{first}"),
        1 => format!("~{blank}{first}"),
        2 => format!("(!{first})"),
        3 | 4 => format!("({first})"),
        5 => format!("{first}{blank}<<{blank}{}", random.below(8)),
        6 => format!("{first}{blank}>>{blank}{}", random.below(8)),
        7 => format!("{first}{blank}/{blank}{}", 1 + random.below(8)),
        8 => format!("{first}{blank}%{blank}{}", 1 + random.below(8)),
        choice => {
            let second = expression(random, depth - 1);
            let operator = operators[choice as usize - 9];
            format!("{first}{blank}{operator}{blank}{second}")
        }
    }
}

#[test]
fn random_expressions() {
    if !super::tools::gnu_is_here() {
        return;
    }
    let mut random = SplitMix64::new(7);
    let mut text = "\t.equ N, 5\n\t.set M, N*3-40\n".to_owned();
    let (header, mut count) = (text.clone(), 0);
    for number in 0..2_000 {
        let value = expression(&mut random, 1 + number % 4);
        let line = format!("\t.8byte {value}\n");
        // The GNU assembler truncates values of more than 64 bits.
        if ours(&format!("{header}{line}")).is_ok() {
            text += &line;
            count += 1;
        }
    }
    assert!(count > 1_900, "{count}");
    assert_equal(&text);
}

/// Instructions without `#`, with expressions, as GCC and people write them.
#[test]
fn operands() {
    if !super::tools::gnu_is_here() {
        return;
    }
    assert_equal(
        "\t.equ\tN, 5
\t.set\tK, (N << 2) | 1
start:
\tadd\tx0, x1, 16
\tmov\tw0, 5
\tmov\tw0, -1
\tstp\tx29, x30, [sp, -32]!
\tldp\tx29, x30, [sp], 32
\tldr\tx0, [x1, 8*2]
\tldr\tx0, [x1, #N*8]
\tldrb\tw3, [x2, 1]!
\tlsl\tx0, x1, 3
\tadd\tx0, x1, x2, lsl N-2
\tubfx\tx0, x1, 3, 5
\tcmp\tw0, 'A'
\tcmp\tw0, #'A'
\tand\tx0, x1, 1<<3
\tand\tx0, x1, #(1<<3)
\tand\tx0, x1, ~1
\tmovk\tx0, 0x12, lsl 16
\tb\tstart+4*2
\tb.ne\t.-8
\tadd\tx0, x0, end-start
\ttbz\tw0, N+1, end
\tcbz\tx0, end-4
\tsub\tsp, sp, #K
\tldr\tx0, [x1, x2, lsl 3]
\tccmp\tw0, 5, N-1, eq
end:
\t.word\tend-start, start-end+1, 1<<3, .-start
\t.byte\t'a', '\\n', 'b'+1, 1+2*3
\t.hword\t(end-start)>>1
\t.zero\t32 - (end-start)%16
\t.balign\t1<<2
\t.xword\t~0>>1, -1
",
    );
}

#[test]
fn expansions() {
    if !super::tools::gnu_is_here() {
        return;
    }
    assert_equal(
        "\t.macro\tst3 a, b=7, c:req
\t.byte\t\\a, \\b, \\c
\t.endm
\tst3\t1,,3
\tst3\t1 c=5
\tst3\tc=1, a=2
\t.macro\tall first, rest:vararg
\t.byte\t\\first
\t.ifnb\t\\rest
\tall\t\\rest
\t.endif
\t.endm
\tall\t1, 2, 3, 4
\t.macro\tcount
\t.byte\t\\@
\t.endm
\tcount
\tcount
\t.irp\tq, 1, 2, 3+4
\t.byte\t\\q
\t.endr
\t.irpc\tq, 123
\t.byte\t\\q, 0x\\q\\()0
\t.endr
\t.set\ti, 0
\t.rept\t4
\t.byte\ti, -i
\t.set\ti, i+1
\t.endr
i = i * 2
\t.if\ti == 8
\t.byte\t1
\t.elseif\ti > 3
\t.byte\t2
\t.else
\t.byte\t3
\t.endif
\t.ifdef\tnone
\t.byte\t4
\t.else
\t.byte\t5
\t.endif
\t.ifc\ta b, a b
\t.byte\t6
\t.endif
\t.balign\t4
1:\tb\t1f
1:\tb\t1b
\tcbz\tx0, 2f
2:\t.word\t2b-1b, 3f-2b
3:\t.fill\t3, 2, 0x102
\t.fill\t2
\t.fill\t1, 8, 5
\t.uleb128\t0, 127, 128, 624485
\t.sleb128\t-1, -128, 63, 64, -123456
\t.float\t1.5, -0.0, 3.14159
\t.double\t0.1, 1e300
\t.balign\t4
\t. = . + 8
\t.ascii\t\"a;b\\\"#\"
\t.macro\tearly n
\t.byte\t1
\t.if\t\\n
\t.exitm
\t.endif
\t.byte\t2
\t.endm
\tearly\t0
\tearly\t1
\t.macro\touter
\t.macro\tinner n
\t.byte\t\\n
\t.endm
\t.endm
\touter
\tinner\t5
# 12 \"file.c\"
\t.byte\t1<<3|1
",
    );
}
