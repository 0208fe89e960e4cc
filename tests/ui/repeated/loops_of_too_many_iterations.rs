isa_core::define_isa! {
    pub isa Toy: u32;

    for $A in 0..257 {
        for $B in 0..257 {
            group G_${A}_$B { }
        }
    }
}

fn main() {}
