//! A set that includes more families than the compiler's limit for nested macro expansions.

#![allow(dead_code, reason = "little is called of so many sets")]

macro_rules! families {
    ($($module:ident $set:ident $opcode:ident $number:tt;)*) => {
        $(mod $module {
            isa_core::define_isa! {
                pub(crate) isa $set: u16;
                operand Number: 8 = isa_core::operand::Unsigned<8>;
                opcode $opcode {
                    encoding { field<0, 8> Number op == $number; field<8, 8> Number value; }
                    syntax { $opcode value; }
                }
            }
        })*
        isa_core::define_isa! {
            /// All families.
            pub(crate) isa All: u16;
            $(include crate::$module::$set;)*
        }
    };
}

#[rustfmt::skip]
families! {
    f00 F00 OP00 0;
    f01 F01 OP01 1;
    f02 F02 OP02 2;
    f03 F03 OP03 3;
    f04 F04 OP04 4;
    f05 F05 OP05 5;
    f06 F06 OP06 6;
    f07 F07 OP07 7;
    f08 F08 OP08 8;
    f09 F09 OP09 9;
    f10 F10 OP10 10;
    f11 F11 OP11 11;
    f12 F12 OP12 12;
    f13 F13 OP13 13;
    f14 F14 OP14 14;
    f15 F15 OP15 15;
    f16 F16 OP16 16;
    f17 F17 OP17 17;
    f18 F18 OP18 18;
    f19 F19 OP19 19;
    f20 F20 OP20 20;
    f21 F21 OP21 21;
    f22 F22 OP22 22;
    f23 F23 OP23 23;
    f24 F24 OP24 24;
    f25 F25 OP25 25;
    f26 F26 OP26 26;
    f27 F27 OP27 27;
    f28 F28 OP28 28;
    f29 F29 OP29 29;
    f30 F30 OP30 30;
    f31 F31 OP31 31;
    f32 F32 OP32 32;
    f33 F33 OP33 33;
    f34 F34 OP34 34;
    f35 F35 OP35 35;
    f36 F36 OP36 36;
    f37 F37 OP37 37;
    f38 F38 OP38 38;
    f39 F39 OP39 39;
    f40 F40 OP40 40;
    f41 F41 OP41 41;
    f42 F42 OP42 42;
    f43 F43 OP43 43;
    f44 F44 OP44 44;
    f45 F45 OP45 45;
    f46 F46 OP46 46;
    f47 F47 OP47 47;
    f48 F48 OP48 48;
    f49 F49 OP49 49;
}

#[test]
fn a_set_may_include_many_families() {
    assert_eq!(All::SET.opcodes.len(), 50);
    for (number, opcode) in All::SET.opcodes.iter().enumerate() {
        assert_eq!(opcode.name, format!("OP{number:02}"), "they stand in the order of the call");
        let word = 0x0500 | number as u16;
        assert_eq!(All::decode(word).unwrap().to_string(), format!("OP{number:02} 5;"));
    }
}
