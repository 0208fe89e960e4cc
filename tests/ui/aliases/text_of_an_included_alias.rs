//! Two included sets share a text: an opcode of one, an alias of the other.

mod sums {
    isa_core::define_isa! {
        /// Sums.
        pub isa Sums: u32;
        operand Reg: 8 = isa_core::operand::Reg;
        enum Op: 4 { ADD = 1 }
        opcode ADD {
            encoding { field<0, 4> Op op == ADD; field<8, 8> Reg rd; field<16, 8> Reg ra; }
            syntax { ADD Rd, Ra; }
        }
        alias CLEAR of ADD { encoding { ra == 255; } syntax { CLEAR Rd; } }
    }
}

mod stores {
    isa_core::define_isa! {
        /// Stores.
        pub isa Stores: u32;
        operand Reg: 8 = isa_core::operand::Reg;
        enum Op: 4 { CLEAR = 2 }
        opcode CLEAR_MEMORY {
            encoding { field<0, 4> Op op == CLEAR; field<8, 8> Reg rd; }
            syntax { CLEAR Rd; }
        }
    }
}

isa_core::define_isa! {
    /// Both.
    pub isa Both: u32;
    include crate::sums::Sums;
    include crate::stores::Stores;
}

fn main() {}
