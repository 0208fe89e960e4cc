//! A set of words whose width no integer type of a language has.

isa_core::define_isa! {
    /// Words of 24, 48 and 96 bits.
    pub isa Odd: u24 | u48 | u96;

    operand Byte: 8 = isa_core::operand::Unsigned<8>;
    operand Half: 16 = isa_core::operand::Unsigned<16>;
    operand Number: 32 = isa_core::operand::Unsigned<32>;
    enum Length: 2 { SHORT = 0, MIDDLE = 1, LONG = 3 }
    enum Mode: 3 { near = 0, far = 2, back = 5 }

    opcode short {
        encoding { word<24>; field<0, 2> Length length == SHORT; field<3, 8> Byte a; field<16, 8> Byte b; where a != b; }
        syntax { short a, b; }
    }
    opcode middle {
        encoding { word<48>; field<0, 2> Length length == MIDDLE; field<2, 3> Mode mode; field<16, 32> Number a; }
        syntax { middle.mode a; }
    }
    /// A field across the middle of 128 bits, one in two pieces, and one at the end.
    opcode long {
        encoding {
            word<96>; field<0, 2> Length length == LONG; field<56, 16> Half a; field<8, 16 : 24, 16> Number b;
            field<88, 8> Byte c; where c > 2; where a != 7 or c != 9;
        }
        syntax { long a, b, c; }
    }
}
