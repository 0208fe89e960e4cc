// A call with a property includes a set whose opcodes do not have it.

mod plain {
    isa_core::define_isa! {
        /// One instruction without properties.
        pub isa Plain: u8;
        enum Op: 4 { ADD = 1 }
        opcode ADD { encoding { field<0, 4> Op op == ADD; } syntax { ADD; } }
    }
}

isa_core::define_isa! {
    /// Requires a latency.
    pub isa Timed: u8;
    property latency: u8;
    include plain::Plain;
}

fn main() {}
