// Two opcodes do not have a value, and a third has one of the wrong type.

isa_core::define_isa! {
    /// Three instructions.
    pub isa Timed: u8;
    enum Op: 4 { ADD = 1, SUB = 2, MUL = 3 }
    property latency: u8;
    group ALL { encoding { field<0, 4> Op op; } }
    opcode ADD : [ALL] { encoding { op == ADD; } syntax { ADD; } }
    opcode SUB : [ALL] { encoding { op == SUB; } syntax { SUB; } }
    opcode MUL : [ALL] { encoding { op == MUL; } syntax { MUL; } properties { latency = 300; } }
}

fn main() {}
