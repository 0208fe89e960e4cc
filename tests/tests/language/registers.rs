//! Operand types of a `registers!` line for parts of a register file: the names that their fields
//! have, and the numbers that a machine gets.

use isa_verify::{Check, check};

/// A machine: the registers of the file by number.
pub(crate) trait Machine {
    fn reg(&self, number: u8) -> u8;
    fn set_reg(&mut self, number: u8, value: u8);
}

isa_core::registers! {
    /// A register.
    pub R: 5 = "r0" to "r31" of u8, in Machine { reg, set_reg };
    /// A register of the upper half.
    pub High: 4 = "r16" to "r31" of u8, in Machine { reg, set_reg };
    /// One of eight, in steps.
    pub Even: 3 = "r0" to "r14" step 2 of u8, in Machine { reg, set_reg };
    /// One of three pairs, or what no register is.
    pub Pair: 2 = "r26" to "r30" step 2, "zero" of u8, in Machine { reg, set_reg };
    /// One of three, whose field has room for four.
    pub Few: 2 = "r1" to "r3" of u8, in Machine { reg, set_reg };
}

isa_core::define_isa! {
    /// Copies between parts of a register file.
    isa Parts: u16;
    machine self::Machine;
    operand R: 5;
    operand High: 4;
    operand Even: 3;
    operand Pair: 2;
    operand Few: 2, reserved("11");
    operand Imm: 4 = isa_core::operand::Unsigned<4>;
    enum Bit: 1 { One = 0, All = 1 }
    enum Op: 3 { ANY = 1, HIGH = 2, EVEN = 3, PAIR = 4, ADD = 5, CLR = 6, CLEAR = 7 }
    group WORD {
        encoding { field<13, 3> Op op; }
        operands { InList<rr>; OutList<rd>; Order<rd, rr>; }
        semantics { Rd = Rr.value; }
    }
    opcode MOV_ANY : [WORD] { encoding { op == ANY; field<0, 5> R rd; field<5, 5> R rr; } syntax { mov Rd, Rr; } }
    opcode MOV_HIGH : [WORD] { encoding { op == HIGH; field<0, 4> High rd; field<4, 4> High rr; } syntax { movh Rd, Rr; } }
    opcode MOV_EVEN : [WORD] { encoding { op == EVEN; field<0, 3> Even rd; field<4, 4> High rr; } syntax { move Rd, Rr; } }
    opcode MOV_PAIR : [WORD] { encoding { op == PAIR; field<0, 2> Pair rd; field<2, 2> Few rr; } syntax { movp "(" Rd ")", Rr; } }
    opcode ADD : [WORD] {
        encoding { op == ADD; field<0, 2> Pair rd; field<2, 4> Imm rr; }
        syntax { mov Rd, Rr; }
        semantics { Rd = Rr.value as u8; }
    }
    opcode CLEAR_PAIR { encoding { field<13, 3> Op op == CLR; field<0, 2> Pair rd; } syntax { clrp Rd; } operands { InList<>; OutList<rd>; Order<rd>; } semantics { Rd = 0; } }
    opcode CLEAR { encoding { field<13, 3> Op op == CLEAR; field<0, 5> R rd; field<8, 1> Bit all = One; } syntax { clrr{.all} Rd; } operands { InList<>; OutList<rd>; Order<rd>; } semantics { Rd = 0; } }
    synonym CLR_PAIR of CLEAR_PAIR { syntax { clr rd; } }
    /// Registers that do not form a pair.
    alias CLR of CLEAR else CLR_PAIR { encoding { all == One; } syntax { clr rd; } }
    /// Sets all bits.
    alias SER of MOV_HIGH { encoding { rd == 15; } syntax { ser rr; } }
}

#[test]
fn a_set_with_parts_of_a_file_keeps_its_promises() {
    check::<Parts>();
    let any_case = Check::<Parts>::new().cases(2_000).seed(7);
    any_case.run();
}

#[test]
fn fields_count_from_their_first_name() {
    for (text, word) in [
        ("mov r17, r31;", 0x2000 | 17 | 31 << 5),
        ("movh r17, r16;", 0x4000 | 1),
        ("ser r18;", 0x4000 | 15 | 2 << 4),
        ("move r14, r31;", 0x6000 | 7 | 15 << 4),
        ("movp (r28), r3;", 0x8000 | 1 | 2 << 2),
        ("movp (zero), r1;", 0x8000 | 3),
        ("mov r30, 9;", 0xa000 | 2 | 9 << 2),
    ] {
        assert_eq!(text.parse::<Parts>().unwrap().encode().unwrap(), word, "{text}");
        assert_eq!(Parts::decode(word).unwrap().to_string(), text);
    }
    for (text, why) in [
        ("movh r15, r16;", "no such name: expected `r16` to `r31`"),
        ("move r3, r16;", "no such name: expected `r0` to `r14` in steps of 2"),
        ("move r16, r16;", "no such name: expected `r0` to `r14` in steps of 2"),
        ("movp (r24), r1;", "no such name: expected `r26` to `r30` in steps of 2, or `zero`"),
        ("movp (r26), r0;", "no such name: expected `r1` to `r3`"),
        ("movp (r26), r4;", "no such name: expected `r1` to `r3`"),
    ] {
        let error = text.parse::<Parts>().unwrap_err().to_string();
        assert!(error.contains(why), "{text}: {error}");
    }
    assert!(Parts::decode(0x8000 | 3 << 2).is_err(), "a reserved value");
    assert_eq!(Parts::SET.opcodes.len(), 7);
}

#[test]
fn numbers_are_those_of_the_names() {
    assert_eq!(High::new(16).map(|it| (it.number(), it.to_string())), Some((16, "r16".into())));
    assert_eq!([0, 15, 32].map(High::new), [None; 3]);
    assert_eq!(
        [25, 26, 27, 30, 32, 34].map(|it| Pair::new(it).is_some()),
        [false, true, false, true, true, false]
    );
    assert_eq!(Pair::new(32).unwrap().to_string(), "zero");
    assert_eq!(
        format!("{:?} {:?}", High::new(20).unwrap(), Pair::new(28).unwrap()),
        "High(20) Pair(28)"
    );

    /// All registers, followed by zero.
    struct File([u8; 33]);
    impl Machine for File {
        fn reg(&self, number: u8) -> u8 {
            self.0[usize::from(number)]
        }
        fn set_reg(&mut self, number: u8, value: u8) {
            self.0[usize::from(number)] = value;
        }
    }
    let mut file = File(core::array::from_fn(|number| 100 + number as u8));
    for text in ["movh r16, r31;", "move r6, r17;", "movp (r28), r3;"] {
        text.parse::<Parts>().unwrap().execute(&mut file);
    }
    assert_eq!([file.0[16], file.0[6], file.0[28], file.0[0]], [131, 117, 103, 100]);
}

/// Checks the description of an alias whose text another form with other numbers also accepts:
/// `unless` contains the words that the alias does not print.
#[test]
fn a_description_knows_numbers_that_begin_elsewhere() {
    let text = isa_core::describe::json(Parts::SET).to_string();
    let set: serde_json::Value = serde_json::from_str(&text).unwrap();
    let row =
        &set["opcodes"].as_array().unwrap().iter().find(|row| row["name"] == "CLEAR").unwrap();
    let unless = row["aliases"][0]["unless"].as_array().unwrap();
    let number = |value: &serde_json::Value| {
        u16::from_str_radix(value.as_str().unwrap().trim_start_matches("0x"), 16).unwrap()
    };
    for register in 0..32 {
        let word = 0xe000 | register;
        let is_unless = unless.iter().any(|cube| word & number(&cube[0]) == number(&cube[1]));
        let printed = Parts::decode(word).unwrap().to_string();
        assert_eq!(printed.starts_with("clrr"), is_unless, "{printed}");
        assert_eq!(is_unless, [26, 28, 30].contains(&register), "{printed}");
    }
}
