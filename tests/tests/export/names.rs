//! Sets that are difficult to export: one whose names are keywords of other languages or become
//! equal there, and sets that a format cannot represent.

isa_core::define_isa! {
    /// Names that are reserved elsewhere: `*/`, "quotes", `int`, and a \ as well.
    pub isa Int: u64;

    operand Byte: 8 = isa_core::operand::Unsigned<8>;
    operand Half: 16 = isa_core::operand::Unsigned<16>;
    operand Long: 32 = isa_core::operand::Unsigned<32>;
    operand Longer: 40 = isa_core::operand::Unsigned<40>;
    /// The operation.
    enum OP: 4 { add = 1, OP = 2, ADD = 3, sub = 4, cut = 5, wide = 6 }
    /// Names that Python already uses.
    enum Field: 3 { "None" = 0, "8b" = 1, mro = 3, name = 4, real = 5 }

    /// Cycles. */ "
    property int: i8;
    property kind: OP;
    property true: bool;
    group ALL {
        encoding { field<0, 4> OP op; }
        properties { int = -4; kind = sub; true = true; }
    }

    /// Names of fields that are words of C, Python or the export. */ /*
    opcode auto : [ALL] {
        encoding {
            op == add;
            field<4, 3> Field class; field<8, 8> Byte default; field<16, 8> Byte v; field<24, 8> Byte w;
            field<32, 8 : 60, 4 : 44, 4> Half lambda;
        }
        syntax { auto.class default, v, w, lambda; }
    }
    /// The usual name of the pattern of invalid words.
    opcode illegal : [ALL] {
        encoding {
            op == OP; field<8, 8> Byte a; field<16, 8> Byte b; where a != b;
        }
        syntax { illegal a, b; }
    }
    /// Names that become equal.
    opcode c_ld : [ALL] {
        encoding { op == ADD; field<8, 32> Long long; field<40, 3> Field short; where short != 3; }
        syntax { "c.ld".short long; }
    }
    /// A function decides whether an encoding is valid.
    opcode fork : [ALL] {
        encoding { op == sub; field<8, 8> Byte a; where crate::names::is_triple(a) and a != 6; }
        syntax { fork a; }
    }
    /// The other words with the same fixed bits, without `inside`.
    opcode rest : [ALL] {
        encoding { op == sub; field<8, 8> Byte a; where not crate::names::is_triple(a); }
        syntax { rest a; }
    }
    /// A number of more than 32 bits, whose bits are not in order.
    opcode wide : [ALL] {
        encoding { op == wide; field<4, 20 : 44, 20> Longer number; }
        syntax { wide number; }
        properties { int = 127; true = false; }
    }
}

/// Returns whether a number is a multiple of three.
const fn is_triple(number: u64) -> bool {
    number.is_multiple_of(3)
}

mod knot {
    isa_core::define_isa! {
        /// Two opcodes that differ only by the order of two numbers.
        pub isa Knot: u16;
        operand Byte: 8 = isa_core::operand::Unsigned<8>;
        opcode LESS { encoding { field<0, 8> Byte a; field<8, 8> Byte b; where a < b; } syntax { LESS a, b; } }
        opcode MORE { encoding { field<0, 8> Byte a; field<8, 8> Byte b; where a > b; } syntax { MORE a, b; } }
    }
}

pub(crate) mod clash {
    isa_core::define_isa! {
        /// Names that are equal to names that an export derives for other parts.
        pub isa Clash: u16;
        operand Byte: 8 = isa_core::operand::Unsigned<8>;
        enum OP: 2 { word = 0, fields_of = 1, "NONE" = 2, illegal = 3 }
        enum always: 2 { comb = 0, ff = 1, "0" = 2 }
        enum TABLE: 1 { "0" = 0, "1" = 1 }
        property OP_NONE: i8;
        group ALL { encoding { field<0, 2> OP op; } properties { OP_NONE = 1; } }
        opcode word : [ALL] {
            encoding {
                op == word; field<8, 8> Byte word; field<2, 2> always opcode; field<4, 1> TABLE e;
                where crate::names::is_triple(word);
            }
            syntax { word.opcode.e word; }
        }
        opcode opcode : [ALL] {
            encoding { op == fields_of; field<8, 8> Byte fields; where not crate::names::is_triple(fields); }
            syntax { opcode fields; }
        }
        opcode NONE : [ALL] { encoding { op == NONE; } syntax { NONE; } }
        opcode fields : [ALL] {
            encoding { op == illegal; field<8, 8> Byte illegal; where illegal != 3; }
            syntax { fields illegal; }
        }
    }
}

#[test]
fn a_format_says_what_it_cannot_say() {
    let decodetree = isa_export::format("decodetree").unwrap();
    let refused = |set| decodetree.files(set).unwrap_err().to_string();
    assert_eq!(
        refused(isa_defs::gpu::Gpu::SET),
        "Gpu has words of 128 bits, but decodetree supports words of 16, 32 or 64 bits"
    );
    assert_eq!(
        refused(knot::Knot::SET),
        "the fixed bits of LESS, MORE overlap, and each contains words that are invalid for another: \
         decodetree distinguishes patterns only by fixed bits"
    );
}

#[test]
fn names_that_are_taken_get_the_name_of_the_set() {
    let text =
        |format: &str| isa_export::format(format).unwrap().files(Int::SET).unwrap().remove(0).text;
    let has =
        |text: &str, line: &str| assert!(text.lines().any(|own| own.trim() == line), "{line}");
    let c = text("c");
    for line in ["INT_OP_auto = 0,", "INT_OP_wide = 5,", "INT_OP_wide_2 = 6,", "INT_Field_8b = 1,"]
    {
        has(&c, line);
    }
    let python = text("python");
    for line in ["class int_Field(enum.IntEnum):", "int_None = 0", "int_8b = 1", "int_mro = 3"] {
        has(&python, line);
    }
    has(&text("decodetree"), "&a_b a b");
}

/// Checks the lists of properties; the programs of the other tests compile them.
#[test]
fn properties_are_lists_of_numbers() {
    let text =
        |format: &str| isa_export::format(format).unwrap().files(Int::SET).unwrap().remove(0).text;
    let c = text("c");
    for lines in [
        "static const int64_t int_property_int[] = {\n    -4, -4, -4, -4, -4, 127\n};",
        "static const int64_t int_property_kind[] = {\n    4, 4, 4, 4, 4, 4\n};",
        "static const int64_t int_property_true[] = {\n    1, 1, 1, 1, 1, 0\n};",
    ] {
        assert!(c.contains(lines), "{lines}");
    }
    assert!(text("python").contains("        \"rest\": -4,\n        \"wide\": 127,\n"));
    assert!(text("systemverilog").contains("      OP_wide: property_int = 127;\n"));
    assert!(text("csv").contains(",-4,sub,true,"));
}
