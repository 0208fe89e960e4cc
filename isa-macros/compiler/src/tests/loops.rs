//! Tests that a loop expands like its iterations, written one after the other.

use super::{faults_of, tokens};

/// Checks that a loop and the written items have the same expansion.
fn is_written_out(looped: &str, written: &str) {
    let [looped, written] = [looped, written].map(|items| {
        let spec = format!(
            "isa Toy: u32; operand Reg: 8 = isa_core::operand::Reg; enum Op: 4 {{ ADD_W = 0, \
             ADD_X = 1, SUB_W = 2, SUB_X = 3 }} enum W: 1 {{ W0 = 0, W1 = 1 }} {items}"
        );
        let faults = faults_of(tokens(&spec));
        assert!(faults.is_empty(), "{faults:?} in {spec}");
        let expanded = crate::expand(tokens(&spec)).to_string();
        // The name of the macro for imports contains a hash of the call.
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

#[test]
fn values_can_have_the_names_of_the_loop() {
    let opcode = |name: &str, reg: &str| {
        format!(
            "opcode {name} {{ encoding {{ field<0, 8> Reg {reg}; field<8, 4> Op op == {name}; }} \
             syntax {{ {name} {reg}; }} }}"
        )
    };
    let looped = format!(
        "for $OP, $R in (R: ra, OP: ADD_W), (ADD_X, rb), (OP: SUB_W, R: $(rc)) {{ {} }}",
        opcode("$OP", "$R")
    );
    let written = [("ADD_W", "ra"), ("ADD_X", "rb"), ("SUB_W", "rc")];
    is_written_out(&looped, &written.map(|(name, reg)| opcode(name, reg)).concat());
}

#[test]
fn reserved_numbers_are_patterns() {
    let expanded = |reserved: &str| {
        let spec = format!(
            "isa Toy: u8; operand Few: 4 = crate::Few, reserved({reserved}); \
             opcode A {{ encoding {{ field<0, 4> Few few; }} syntax {{ A few; }} }}"
        );
        let written = tokens(&format!("reserved({reserved})")).to_string();
        let text = crate::expand(tokens(&spec)).to_string();
        assert!(text.contains(&written) && faults_of(tokens(&spec)).is_empty(), "{reserved}");
        // The expansion repeats the item for other calls, and names of macros contain a hash of the call.
        let words = text.replace(&written, "").replace(' ', "\n");
        words.lines().filter(|word| !word.contains("__isa_export_Toy_")).collect::<String>()
    };
    for (numbers, patterns) in [
        ("7", r#""0111""#),
        ("5..8", r#""0101", "011x""#),
        ("1..=12", r#""0001", "001x", "01xx", "10xx", "1100""#),
        (r#""xx11", 0, 8..16"#, r#""xx11", "0000", "1xxx""#),
        ("0..8", r#""0xxx""#),
    ] {
        assert_eq!(expanded(numbers), expanded(patterns), "{numbers}");
        assert_ne!(expanded(numbers), expanded(r#""0000""#), "{numbers}");
    }
}

/// A loop value after the name of an item may be a separate word, such as `of`, instead of part of
/// the name.
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
fn values_are_any_tokens_or_none() {
    is_written_out(
        r#"for $O, $F, $S in (ADD, $(field<8, 8> Reg rd), $(rd ",")), (SUB, $(), $()) {
            #[doc = "Has <$F>."]
            opcode ${O}_W {
                encoding { field<0, 4> Op op == ${O}_W; $F; field<24, 8> Reg ra; }
                syntax { "${O}x" $S ra; }
            }
        }
        for $L in $(), l { for $TWO in $(field<4, 1> W w; field<5, 1> W v) {
            group i$$L$$n_$L { encoding { $TWO; } }
        } }"#,
        r#"#[doc = "Has <field < 8 , 8 > Reg rd>."]
        opcode ADD_W {
            encoding { field<0, 4> Op op == ADD_W; field<8, 8> Reg rd; field<24, 8> Reg ra; }
            syntax { "ADDx" rd "," ra; }
        }
        #[doc = "Has <>."]
        opcode SUB_W {
            encoding { field<0, 4> Op op == SUB_W; field<24, 8> Reg ra; }
            syntax { "SUBx" ra; }
        }
        group in_ { encoding { field<4, 1> W w; field<5, 1> W v; } }
        group iln_l { encoding { field<4, 1> W w; field<5, 1> W v; } }"#,
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

/// The meaning of names does not depend on which loop is the inner one, and a value of an outer
/// loop directly before a name of an inner loop does not hide that name.
#[test]
fn the_order_of_loops_is_free() {
    let inside = r#"
        #[doc = "Sets $OP$C${L}."]
        opcode $OP$$C$$L {
            encoding { field<0, 4> Op op == ${OP}_$C; field<8, 8> Reg rd; field<4, 1> W w == $L; }
            syntax { "$OP$C.$L" rd; }
            examples { $OP$$C.$L R1; }
        }
    "#;
    let heads = ["for $C in W, X", "for $OP in ADD, SUB", "for $L in W0, W1"];
    let written = |order: [usize; 3]| {
        let mut items = String::new();
        for turn in 0..8 {
            let mut values = [""; 3];
            for (place, at) in order.into_iter().enumerate() {
                let all = [["W", "X"], ["ADD", "SUB"], ["W0", "W1"]];
                values[at] = all[at][turn >> (2 - place) & 1];
            }
            let [c, op, l] = values;
            items += &format!(
                r##"#[doc = "Sets {op}{c}{l}."]
                opcode {op}{c}{l} {{
                    encoding {{
                        field<0, 4> Op op == {op}_{c}; field<8, 8> Reg rd; field<4, 1> W w == {l};
                    }}
                    syntax {{ "{op}{c}.{l}" rd; }}
                    examples {{ {op}{c}.{l} R1; }}
                }}"##
            );
        }
        items
    };
    for order in [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
        let [a, b, c] = order.map(|at| heads[at]);
        let looped = format!("{a} {{ {b} {{ {c} {{ {inside} }} }} }}");
        is_written_out(&looped, &written(order));
    }
}

/// The values of a loop can use the values of enclosing loops. The innermost definition of a name
/// takes precedence.
#[test]
fn loops_have_the_values_of_those_around_them() {
    is_written_out(
        r#"for $A in ADD, SUB { for $N in 1 { for $A, $M in (${A}_W, $N), (${A}_X, ${N + 1}) {
            opcode I_$A { encoding { field<0, 4> Op op == $A; field<4, 4> Op n == $M; } syntax { i_$A; } }
            for $K in $N..2 { group G_$A$$K { } }
        } } }"#,
        r#"opcode I_ADD_W { encoding { field<0, 4> Op op == ADD_W; field<4, 4> Op n == 1; } syntax { i_ADD_W; } }
        group G_ADD_W1 { }
        opcode I_ADD_X { encoding { field<0, 4> Op op == ADD_X; field<4, 4> Op n == 2; } syntax { i_ADD_X; } }
        group G_ADD_X1 { }
        opcode I_SUB_W { encoding { field<0, 4> Op op == SUB_W; field<4, 4> Op n == 1; } syntax { i_SUB_W; } }
        group G_SUB_W1 { }
        opcode I_SUB_X { encoding { field<0, 4> Op op == SUB_X; field<4, 4> Op n == 2; } syntax { i_SUB_X; } }
        group G_SUB_X1 { }"#,
    );
}

/// After a value, `$$` also joins a word or a number, not only another value.
#[test]
fn words_are_joined_to_values() {
    is_written_out(
        r#"for $OP in ADD, SUB {
            opcode ${OP}$$l {
                encoding { field<0, 4> Op op == $OP$$_W; field<8, 8> Reg rd; }
                syntax { "${OP}l" rd; }
                examples { $OP$$l R1; }
            }
            operand In$$OP$$8: 8 = ops::p$$OP$$s;
            alias ${OP}$$s_I3 of $OP$$l { encoding { rd == 3; } syntax { $OP$$s$$OP; } }
        }"#,
        r#"opcode ADDl {
            encoding { field<0, 4> Op op == ADD_W; field<8, 8> Reg rd; }
            syntax { "ADDl" rd; }
            examples { ADDl R1; }
        }
        operand InADD8: 8 = ops::pADDs;
        alias ADDs_I3 of ADDl { encoding { rd == 3; } syntax { ADDsADD; } }
        opcode SUBl {
            encoding { field<0, 4> Op op == SUB_W; field<8, 8> Reg rd; }
            syntax { "SUBl" rd; }
            examples { SUBl R1; }
        }
        operand InSUB8: 8 = ops::pSUBs;
        alias SUBs_I3 of SUBl { encoding { rd == 3; } syntax { SUBsSUB; } }"#,
    );
}

/// The `_` of a template does not join anything to a name: it marks a missing space.
#[test]
fn a_blank_that_is_left_out_is_no_part_of_a_name() {
    is_written_out(
        r#"for $OP, $N, $R in (ADD, 0, rd), (SUB, 1, ra) {
            opcode ${OP}_$R {
                encoding { field<0, 4> Op op == ADD_W; field<4, 1> W w == $N; field<8, 8> Reg $R; }
                syntax { $OP _ "+" $R "]" _ "[" _ $R "]"; }
            }
        }"#,
        r#"opcode ADD_rd {
            encoding { field<0, 4> Op op == ADD_W; field<4, 1> W w == 0; field<8, 8> Reg rd; }
            syntax { ADD _ "+" rd "]" _ "[" _ rd "]"; }
        }
        opcode SUB_ra {
            encoding { field<0, 4> Op op == ADD_W; field<4, 1> W w == 1; field<8, 8> Reg ra; }
            syntax { SUB _ "+" ra "]" _ "[" _ ra "]"; }
        }"#,
    );
}

/// A quoted value inserts its contents, in literals and in names; an empty one inserts nothing. A
/// Rust keyword is treated like any other name.
#[test]
fn values_in_quotes_are_their_texts() {
    is_written_out(
        r##"for $L, $N in ("", 0), ("l", 1), (r#"_x"#, 2) { for $TF, $W in (f, 0), ("t", 1) {
            #[doc = r"Branch\$L: ${TF}."]
            opcode BC1$$TF$$L {
                encoding { field<0, 4> Op op == $N; field<4, 1> W w == $W; field<8, 8> Reg rd; }
                syntax { "b$L.$TF" rd; }
            }
            group $L$$TF { }
            group in_$TF$$L { }
            group i$$L$$n_$N$$TF { }
        } }"##,
        &[("", 0), ("l", 1), ("_x", 2)]
            .iter()
            .flat_map(|(l, n)| [("f", 0), ("t", 1)].map(|(tf, w)| (l, n, tf, w)))
            .map(|(l, n, tf, w)| {
                format!(
                    r##"#[doc = "Branch\\{l}: {tf}."]
                    opcode BC1{tf}{l} {{
                        encoding {{ field<0, 4> Op op == {n}; field<4, 1> W w == {w}; field<8, 8> Reg rd; }}
                        syntax {{ "b{l}.{tf}" rd; }}
                    }}
                    group {l}{tf} {{ }}
                    group in_{tf}{l} {{ }}
                    group i{l}n_{n}{tf} {{ }}"##
                )
            })
            .collect::<String>(),
    );
}

/// Expressions are evaluated in items, in text and in the heads of loops, with Rust's precedence.
#[test]
fn numbers_are_computed() {
    is_written_out(
        r#"for $N in 2..4 {
            #[doc = "Bit ${N - 2}, ${ 1 << N } of ${N}."]
            opcode I$${2 * N + 1}_${(N - 1) * 2} {
                encoding { field<0, 4> Op op == ${N - 2}; field<${N + 2}, ${(9 - N) % 4 * 2 + 12 / N}> K$$N n; }
                syntax { "i${N+1}" n; }
            }
        }
        for $A in 1, 0x10 { for $B in ${A >> 1}..${A / 2 + 1} { operand Raw$$A$${A - B}: $A = u64; } }
        operand K2: 12 = u64; operand K3: 8 = u64;"#,
        r#"#[doc = "Bit 0, 4 of 2."]
        opcode I5_2 {
            encoding { field<0, 4> Op op == 0; field<4, 12> K2 n; }
            syntax { "i3" n; }
        }
        #[doc = "Bit 1, 8 of 3."]
        opcode I7_4 {
            encoding { field<0, 4> Op op == 1; field<5, 8> K3 n; }
            syntax { "i4" n; }
        }
        operand Raw11: 1 = u64;
        operand Raw0x108: 0x10 = u64;
        operand K2: 12 = u64; operand K3: 8 = u64;"#,
    );
}

/// A `$` in text remains if the name of a loop does not follow it.
#[test]
fn other_text_stays() {
    is_written_out(
        r#"for $R in W {
            #[doc = r"\$X ${Y} ${Y + 1} $ $$R ${R"]
            #[also(b"$R\xff", br"\$$R", c"$R.", '$', "$R"suffix)]
            group A { }
        }"#,
        r##"#[doc = "\\$X ${Y} ${Y + 1} $ $W ${R"]
        #[also(b"$R\xff", b"\\$W", c"W.", '$', "$R"suffix)]
        group A { }"##,
    );
}

#[test]
fn too_many_turns_are_refused() {
    let spec = "isa Toy: u32; for $A in 0..300 { for $B in 0..300 { } }";
    let faults = faults_of(tokens(spec));
    assert_eq!(faults.len(), 1, "{faults:?}");
    assert!(faults[0].message.contains("more than 65536 iterations"), "{faults:?}");
}
