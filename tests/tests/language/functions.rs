//! Conditions that call Rust functions, checked against the functions for every word.

use isa_verify::count::legal_words;
use isa_verify::model::Model;

/// Returns whether an even number of bits is set.
pub(crate) const fn is_even(number: u64) -> bool {
    number.count_ones().is_multiple_of(2)
}

/// Returns whether two numbers have a common bit.
pub(crate) const fn share(a: u64, b: u64) -> bool {
    a & b != 0
}

/// Returns whether exactly one bit is set.
pub(crate) const fn is_single(number: u64) -> bool {
    number.count_ones() == 1
}

isa_core::define_isa! {
    /// Words whose opcodes depend on functions.
    pub isa Told: u16;

    operand Number: 6 = isa_core::operand::Unsigned<6>;
    enum Op: 4 { PAIR = 1, HALF = 2, MOVE = 3, MIX = 4 }

    group TWO {
        encoding { field<12, 4> Op op; field<0, 6> Number a; field<6, 6> Number b; }
        syntax { .. a, b; }
    }
    /// Two numbers with a common bit.
    opcode PAIR : [TWO] { encoding { op == PAIR; where crate::functions::share(a, b); } syntax { PAIR } }
    /// Two opcodes with the same fields. A function selects one of them.
    opcode HALF : [TWO] { encoding { op == HALF; where crate::functions::is_even(a); } syntax { HALF } }
    opcode REST : [TWO] {
        encoding { op == HALF; where crate::functions::is_single(a) and a != b; }
        syntax { REST }
    }
    /// Spellings that are printed if a function returns true.
    opcode MOVE : [TWO] { encoding { op == MOVE; } syntax { MOVE } }
    alias EVEN of MOVE { encoding { where crate::functions::is_even(a); } syntax { EVEN a, b; } }
    alias BOTH of MOVE before EVEN {
        encoding { where crate::functions::is_even(a) and crate::functions::is_even(b); }
        syntax { BOTH a, b; }
    }
    alias SAME of MOVE before EVEN, BOTH { encoding { where a == b; } syntax { SAME a, b; } }
    /// Functions combined with comparisons.
    opcode MIX : [TWO] {
        encoding { op == MIX; where a < b or not crate::functions::share(b, a); }
        syntax { MIX }
        exception {
            EncodingError<Odd, "they are odd">
                = a > 40 and not (crate::functions::is_even(b) or b == a + 1);
        }
    }
}

/// A group whose condition calls a function, for calls that use the group.
mod base {
    isa_core::define_isa! {
        /// Only groups.
        pub isa Base: u16;
        operand Number: 6 = isa_core::operand::Unsigned<6>;
        group ONE {
            encoding { field<0, 6> Number a; where crate::functions::is_even(a); }
            syntax { .. a; }
        }
    }
}

mod used {
    isa_core::define_isa! {
        /// A set that uses the groups and another function.
        pub isa Used: u16;
        use crate::functions::base::Base;
        enum Op: 4 { ONE = 1, TWO = 2 }
        opcode FIRST : [ONE] { encoding { field<12, 4> Op op == ONE; } syntax { FIRST } }
        opcode SECOND : [ONE] {
            encoding {
                field<12, 4> Op op == TWO; field<6, 6> Number b;
                where crate::functions::is_even(b);
            }
            syntax { SECOND a, b; }
        }
    }
}

isa_core::define_isa! {
    /// A set that includes it.
    pub isa Including: u16;
    include crate::functions::used::Used;
}

#[test]
fn conditions_of_functions_are_inherited_and_included() {
    for word in 0..=u16::MAX {
        let (a, b) = (u64::from(word & 63), u64::from(word >> 6 & 63));
        let expected = match word >> 12 {
            1 => b == 0 && is_even(a),
            2 => is_even(a) && is_even(b),
            _ => false,
        };
        assert_eq!(used::Used::decode(word).is_ok(), expected, "{word:#x}");
        assert_eq!(Including::decode(word).is_ok(), expected, "{word:#x}");
    }
    let json = isa_core::describe::json(used::Used::SET).to_string();
    assert!(
        json.contains(r#""function":"crate::functions::is_even(b)","pieces":[[6,6]]"#),
        "{json}"
    );
    assert!(json.contains(r#""values":"6996966996696996","is":false"#), "{json}");
}

/// Returns the mnemonic of a valid word, or `None` if the word is invalid.
fn told(word: u16) -> Option<&'static str> {
    let (a, b) = (u64::from(word & 63), u64::from(word >> 6 & 63));
    let name = match word >> 12 {
        1 if share(a, b) => "PAIR",
        2 if is_even(a) => "HALF",
        2 if is_single(a) && a != b => "REST",
        3 if a == b => "SAME",
        3 if is_even(a) && is_even(b) => "BOTH",
        3 if is_even(a) => "EVEN",
        3 => "MOVE",
        4 if (a < b || !share(a, b)) && !(a > 40 && !(is_even(b) || b == a + 1)) => "MIX",
        _ => return None,
    };
    Some(name)
}

#[test]
fn words_are_those_of_which_functions_say_so() {
    let model = Model::new(Told::SET);
    let mut legal = 0_u128;
    for word in 0..=u16::MAX {
        let (decoded, expected) = (Told::decode(word), told(word));
        assert_eq!(decoded.is_ok(), expected.is_some(), "{word:#x}");
        assert_eq!(model.opcodes.iter().any(|row| row.is_legal(word.into())), expected.is_some());
        let Ok(instruction) = decoded else { continue };
        legal += 1;
        let text = instruction.to_string();
        assert_eq!(text.split(' ').next(), expected, "{word:#x}: {text}");
        assert_eq!(text.parse().ok(), Some(instruction), "{text}");
    }
    assert_eq!(model.opcodes.iter().map(legal_words).sum::<Option<u128>>(), Some(legal));
}

#[test]
fn a_function_that_says_no_is_named() {
    let error = Told::decode(0x1042).unwrap_err().to_string();
    assert!(error.contains("`crate::functions::share(a, b)` is not satisfied"), "{error}");
    let error = "EVEN 1, 2;".parse::<Told>().unwrap_err().to_string();
    assert!(error.contains("`crate::functions::is_even(a)` is not satisfied"), "{error}");
}
