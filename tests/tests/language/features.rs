//! Features: opcodes, values and fields that exist only on some processors. All words are compared with
//! a model for each combination of features.

use isa_core::table::{FeatureSet, InstructionSet};

mod base {
    isa_core::define_isa! {
        pub(crate) isa Base: u16;

        /// The first processor.
        feature OLD;
        /// The second processor, which has a multiplier and another shift.
        feature NEW: OLD;
        /// Packed numbers, which the second processor does not have.
        feature PACKED: OLD, not NEW;

        operand Reg: 3 = isa_core::operand::Unsigned<3>;
        enum Op: 4 { ADD = 1, SHIFT = 2, MUL = 3, HINT = 4, PACK = 5 }
        enum Round: 2 { RN = 0, RZ = 1, RM = 2 requires NEW, RP = 3 requires NEW or PACKED }

        group ALL { encoding { field<12, 4> Op op; field<0, 3> Reg rd; } }
    }
}

mod shifts {
    isa_core::define_isa! {
        pub(crate) isa Shifts: u16;

        use super::base::Base;

        // The same words and the same texts on both processors, with the amount at another position.
        opcode SHIFT_OLD : [ALL] requires not NEW {
            encoding { op == SHIFT; field<3, 3> Reg ra; field<6, 3> Reg amount; field<9, 3> Reg zero == 0; }
            syntax { SHIFT Rd, Ra, amount; }
            operands { InList<ra, amount>; OutList<rd>; Order<rd, ra, amount>; }
        }
        opcode SHIFT_NEW : [ALL] requires NEW {
            encoding { op == SHIFT; field<6, 3> Reg ra; field<3, 3> Reg amount; field<9, 3> Reg zero == 0; }
            syntax { SHIFT Rd, Ra, amount; }
            operands { InList<ra, amount>; OutList<rd>; Order<rd, ra, amount>; }
        }
    }
}

mod packs {
    isa_core::define_isa! {
        pub(crate) isa Packs: u16;

        use super::base::Base;
        requires PACKED and not NEW;

        operand Nine: 9 = isa_core::operand::Unsigned<9>;
        opcode PACK : [ALL] {
            encoding { op == PACK; field<3, 9> Nine number == 1; }
            syntax { PACK Rd; }
            operands { InList<>; OutList<rd>; Order<rd>; }
        }
    }
}

isa_core::define_isa! {
    pub(crate) isa Chips: u16;

    use base::Base;
    include shifts::Shifts;
    include packs::Packs;

    opcode ADD : [ALL] {
        encoding {
            op == ADD;
            field<3, 3> Reg ra;
            field<6, 2> Round round = RN;
            field<8, 4> Number scale = 0 requires NEW;
        }
        syntax { ADD{.round} Rd, Ra{, "scale " scale}; }
        operands { InList<ra, scale>; OutList<rd>; Order<rd, ra, scale>; }
    }
    operand Number: 4 = isa_core::operand::Unsigned<4>;

    group WIDE : [ALL] requires NEW { encoding { field<3, 3> Reg ra; field<6, 6> Bits zero == 0; } }
    operand Bits: 6 = isa_core::operand::Unsigned<6>;
    opcode MUL : [WIDE] {
        encoding { op == MUL; }
        syntax { MUL Rd, Ra; }
        operands { InList<ra>; OutList<rd>; Order<rd, ra>; }
    }

    // On the second processor, one hint is an instruction.
    opcode HINT : [ALL] {
        encoding { op == HINT; field<3, 9> Nine number; }
        syntax { HINT Rd, number; }
        operands { InList<rd, number>; OutList<>; Order<rd, number>; }
        exception { EncodingError<Hint, "there is no hint 5"> = number == 5 requires PACKED; }
    }
    operand Nine: 9 = isa_core::operand::Unsigned<9>;
    opcode SLEEP : [ALL] inside HINT requires NEW {
        encoding { op == HINT; field<3, 9> Nine number == 7; }
        syntax { SLEEP Rd; }
        operands { InList<rd>; OutList<>; Order<rd>; }
    }
}

/// Returns the text of a word on a processor, or `None` if the word is invalid. `new` and `packed` are
/// the features that are on.
fn model(word: u16, new: bool, packed: bool) -> Option<String> {
    let [rd, low, high] = [0, 3, 6].map(|position| word >> position & 7);
    let (top, rest) = (word >> 9 & 7, word >> 3 & 0x1ff);
    let round = word >> 6 & 3;
    let scale = word >> 8 & 15;
    match word >> 12 {
        1 if (scale == 0 || new) && (round < 2 || new || round == 3 && packed) => {
            let round = ["", ".RZ", ".RM", ".RP"][usize::from(round)];
            let scale = if scale == 0 { String::new() } else { format!(", scale {scale}") };
            Some(format!("ADD{round} {rd}, {low}{scale};"))
        }
        2 if top == 0 => {
            let (ra, amount) = if new { (high, low) } else { (low, high) };
            Some(format!("SHIFT {rd}, {ra}, {amount};"))
        }
        3 if new && rest >> 3 == 0 => Some(format!("MUL {rd}, {low};")),
        4 if packed && rest == 5 => None,
        4 if new && rest == 7 => Some(format!("SLEEP {rd};")),
        4 => Some(format!("HINT {rd}, {rest};")),
        5 if packed && rest == 1 => Some(format!("PACK {rd};")),
        _ => None,
    }
}

#[test]
fn every_word_is_what_the_model_says_on_every_processor() {
    let mut valid = [0; 4];
    for (place, (list, new, packed)) in
        [("", false, false), ("OLD", false, false), ("NEW", true, false), ("PACKED", false, true)]
            .into_iter()
            .enumerate()
    {
        let on = Chips::SET.feature_set(list).unwrap();
        let set: &'static InstructionSet = Box::leak(Box::new(Chips::SET.with_features(on)));
        for word in 0..=u16::MAX {
            let expected = model(word, new, packed);
            let typed = Chips::decode_with(on, word).ok();
            assert_eq!(typed.map(|it| it.to_string()), expected, "{list}: {word:#06x}");
            let row = set.decode(word.into()).ok();
            assert_eq!(row.map(|row| row.name), typed.map(|it| it.opcode().name));
            let Some(text) = expected else { continue };
            assert_eq!(set.parse(&text).unwrap().word(), u128::from(word), "{list}: {text}");
            let parsed = Chips::parse_with(on, &text).unwrap();
            assert_eq!(parsed, typed.unwrap(), "{list}: {text}");
            valid[place] += 1;
        }
    }
    // ADD has 64 words for each value of `round` and of `scale`; SHIFT has 512, HINT 4096. With
    // PACKED, there are 8 words of PACK and 8 less of HINT.
    let both = 512 + 4096;
    assert_eq!(valid, [both + 2 * 64, both + 2 * 64, both + 4 * 16 * 64 + 64, both + 3 * 64]);
}

#[test]
fn the_default_has_each_feature_that_no_earlier_one_excludes() {
    let names = |on| Chips::SET.feature_names(on).collect::<Vec<_>>();
    assert_eq!(names(Chips::SET.enabled), ["NEW"]);
    assert!((0..=u16::MAX).all(|word| {
        Chips::decode(word).ok().map(|it| it.to_string()) == model(word, true, false)
    }));
    assert_eq!("MUL 1, 2;".parse::<Chips>().unwrap().encode().unwrap(), 0x3011);
}

#[test]
fn a_list_of_features_is_checked() {
    let set = Chips::SET;
    let list = |text| set.feature_set(text).map(|on| set.feature_names(on).collect::<Vec<_>>());
    assert_eq!(list("NEW"), Ok(vec!["NEW"]));
    assert_eq!(list(" OLD , PACKED "), Ok(vec!["PACKED"]));
    assert_eq!(list(""), Ok(vec![]));
    assert_eq!(list("-NEW"), Ok(vec!["OLD"]));
    assert_eq!(list("-NEW,+PACKED"), Ok(vec!["PACKED"]));
    assert_eq!(list("-OLD"), Ok(vec![]));
    let error = |text| set.feature_set(text).unwrap_err().to_string();
    assert_eq!(error("PACKD"), "unknown feature `PACKD`");
    assert_eq!(error("PACKED,NEW"), "the feature `PACKED` cannot be combined with `NEW`");
    assert_eq!(error("OLD,,NEW"), "unknown feature ``");
    assert_eq!(set.feature_set("OLD").map(FeatureSet::bits), Ok(1));
}

#[test]
fn what_is_missing_is_named() {
    let set = Chips::SET;
    let old = set.feature_set("OLD").unwrap();
    for (word, text, message) in [
        (0x3011, "MUL 1, 2;", "MUL: requires NEW"),
        (0x5008, "PACK 0;", "PACK: requires PACKED and not NEW"),
        (0x10c0, "ADD.RP 0, 0;", "ADD: `RP` of `round` requires NEW or PACKED"),
        (0x1100, "ADD 0, 0, scale 1;", "ADD: `scale` requires NEW"),
    ] {
        assert_eq!(Chips::decode_with(old, word).unwrap_err().to_string(), message);
        assert_eq!(Chips::parse_with(old, text).unwrap_err().to_string(), message, "{text}");
    }
    // The word is a hint there, but the text does not exist.
    let error = Chips::parse_with(old, "SLEEP 1;").unwrap_err();
    assert_eq!(error.to_string(), "SLEEP: requires NEW");
    assert_eq!(Chips::parse_with(old, "HINT 1, 7;").unwrap().encode().unwrap(), 0x4039);
    let packed = set.feature_set("PACKED").unwrap();
    let error = Chips::decode_with(packed, 0x4028).unwrap_err().to_string();
    assert_eq!(error, "HINT: `number == 5` (there is no hint 5) requires not PACKED");
    let error = "HINT 1, 7;".parse::<Chips>().unwrap_err().to_string();
    assert!(error.contains("requires that `SLEEP` does not exist"), "{error}");
}

#[test]
fn a_combination_can_be_a_constant() {
    static OLD: InstructionSet = Chips::SET.with_features(match Chips::SET.feature_set("OLD") {
        Ok(features) => features,
        Err(_) => panic!(),
    });
    assert!(OLD.decode(0x3011).is_err());
    assert_eq!(OLD.decode(0x2000).unwrap().name, "SHIFT_OLD");
    assert_eq!(Chips::SET.decode(0x2000).unwrap().name, "SHIFT_NEW");
}
