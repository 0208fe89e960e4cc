pub mod mine {
    isa_core::define_isa! {
        /// A family of another crate.
        pub isa Mine: u128;

        use isa_defs::base::Base;

        /// Uses the encodings of `HADD2_RR`.
        opcode CLASH : [GUARDED] {
            encoding {
                field< 0, 8> Optype optype == HADD2;
                field< 8, 4> SType  stype  == RR;
                field<16, 8> Reg    rd;
                field<24, 8> Reg    ra;
            }
            syntax { {@{!}pg} CLASH Rd, Ra $sched $req; }
        }
    }
}

isa_core::define_isa! {
    pub isa Extended: u128;

    include isa_defs::gpu::Gpu;
    include crate::mine::Mine;
}

fn main() {}
