//! Loops are what their turns are, written one behind the other.

use super::{faults_of, tokens};

/// Compares the expansion of a loop with that of items written out.
fn is_written_out(looped: &str, written: &str) {
    let [looped, written] = [looped, written].map(|items| {
        let spec = format!(
            "isa Toy: u32; operand Reg: 8 = isa_core::operand::Reg; enum Op: 4 {{ ADD_W = 0, \
             ADD_X = 1, SUB_W = 2, SUB_X = 3 }} enum W: 1 {{ W0 = 0, W1 = 1 }} {items}"
        );
        let faults = faults_of(tokens(&spec));
        assert!(faults.is_empty(), "{faults:?} in {spec}");
        let expanded = crate::expand(tokens(&spec)).to_string();
        // The name of the macro for imports has a hash of the call.
        let mut parts = expanded.split("__isa_export_Toy_");
        let first = parts.next().unwrap_or_default().to_owned();
        parts
            .fold(first, |all, part| all + part.trim_start_matches(|c: char| c.is_ascii_hexdigit()))
    });
    let differ = looped.bytes().zip(written.bytes()).position(|(a, b)| a != b);
    let from = differ.unwrap_or_default().saturating_sub(60);
    let [a, b] = [&looped, &written].map(|text| text.get(from..from + 120));
    assert!(looped == written, "{a:?}\nis not\n{b:?}");
}

#[test]
fn a_loop_is_its_turns() {
    is_written_out(
        r#"for $R, $BIT in (W, W0), (X, W1) {
            #[doc = "Adds two $R."]
            opcode ADD_$R {
                encoding { field<0, 4> Op op == ADD_$R; field<4, 1> W w == $BIT; field<8, 8> Reg rd; }
                syntax { "add$R" Rd; }
                examples { add$$R R1; }
            }
        }"#,
        r#"#[doc = "Adds two W."]
        opcode ADD_W {
            encoding { field<0, 4> Op op == ADD_W; field<4, 1> W w == W0; field<8, 8> Reg rd; }
            syntax { "addW" Rd; }
            examples { addW R1; }
        }
        #[doc = "Adds two X."]
        opcode ADD_X {
            encoding { field<0, 4> Op op == ADD_X; field<4, 1> W w == W1; field<8, 8> Reg rd; }
            syntax { "addX" Rd; }
            examples { addX R1; }
        }"#,
    );
}

/// Behind the name of an item a loop's value may stand that is no part of the name, such as `of`.
#[test]
fn values_stand_behind_names() {
    is_written_out(
        r#"for $OF, $NOP, $R in (of, NOP, rd) {
            for $X in : [ALL] { group MORE $X { } }
            opcode NOP : [ALL] { encoding { field<8, 8> Reg rd; field<16, 8> Reg ra; } syntax { format ra $R; } }
            alias ZERO $OF $NOP { encoding { where rd >= 8; } syntax { zero ra $R; } }
            group ALL { encoding { field<0, 4> Op op == ADD_W; } }
        }"#,
        r#"group MORE : [ALL] { }
        opcode NOP : [ALL] { encoding { field<8, 8> Reg rd; field<16, 8> Reg ra; } syntax { format ra rd; } }
        alias ZERO of NOP { encoding { where rd >= 8; } syntax { zero ra rd; } }
        group ALL { encoding { field<0, 4> Op op == ADD_W; } }"#,
    );
}

#[test]
fn loops_nest_and_count() {
    is_written_out(
        r#"for $O in ADD, SUB { for $R in 0..2 {
            opcode ${O}_N_${R}_ {
                encoding { field<0, 4> Op op == ${O}_W; field<8, 8> Reg rd; field<16, 1> W n == $R; }
                syntax { "${O}$R" Rd $wait; }
            }
        } }"#
        .replace(" $wait", "")
        .as_str(),
        r#"opcode ADD_N_0_ {
            encoding { field<0, 4> Op op == ADD_W; field<8, 8> Reg rd; field<16, 1> W n == 0; }
            syntax { "ADD0" Rd; }
        }
        opcode ADD_N_1_ {
            encoding { field<0, 4> Op op == ADD_W; field<8, 8> Reg rd; field<16, 1> W n == 1; }
            syntax { "ADD1" Rd; }
        }
        opcode SUB_N_0_ {
            encoding { field<0, 4> Op op == SUB_W; field<8, 8> Reg rd; field<16, 1> W n == 0; }
            syntax { "SUB0" Rd; }
        }
        opcode SUB_N_1_ {
            encoding { field<0, 4> Op op == SUB_W; field<8, 8> Reg rd; field<16, 1> W n == 1; }
            syntax { "SUB1" Rd; }
        }"#,
    );
}

#[test]
fn settings_of_other_names_stay() {
    is_written_out(
        r#"for $R in W {
            opcode ADD_$R {
                encoding { field<0, 4> Op op == ADD_$R; field<4, 1> W wait = W0; field<8, 8> Reg rd; }
                syntax { ADD Rd $wait; }
            }
        }"#,
        r#"opcode ADD_W {
            encoding { field<0, 4> Op op == ADD_W; field<4, 1> W wait = W0; field<8, 8> Reg rd; }
            syntax { ADD Rd $wait; }
        }"#,
    );
}

#[test]
fn too_many_turns_are_refused() {
    let spec = "isa Toy: u32; for $A in 0..300 { for $B in 0..300 { } }";
    let faults = faults_of(tokens(spec));
    assert_eq!(faults.len(), 1, "{faults:?}");
    assert!(faults[0].message.contains("more than 65536 turns"), "{faults:?}");
}
