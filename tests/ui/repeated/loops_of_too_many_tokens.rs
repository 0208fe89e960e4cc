isa_core::define_isa! {
    pub isa Toy: u32;

    // Each loop has one iteration, and a value twice as long as the one before.
    for $A0 in $(1 + 1) { for $A1 in $($A0 + $A0) { for $A2 in $($A1 + $A1) {
    for $A3 in $($A2 + $A2) { for $A4 in $($A3 + $A3) { for $A5 in $($A4 + $A4) {
    for $A6 in $($A5 + $A5) { for $A7 in $($A6 + $A6) { for $A8 in $($A7 + $A7) {
    for $A9 in $($A8 + $A8) { for $A10 in $($A9 + $A9) { for $A11 in $($A10 + $A10) {
    for $A12 in $($A11 + $A11) { for $A13 in $($A12 + $A12) { for $A14 in $($A13 + $A13) {
    for $A15 in $($A14 + $A14) { for $A16 in $($A15 + $A15) { for $A17 in $($A16 + $A16) {
    for $A18 in $($A17 + $A17) { for $A19 in $($A18 + $A18) { for $A20 in $($A19 + $A19) {
        enum E: 32 { V = $A20 }
    }}}}}}}}}}}}}}}}}}}}}
}

fn main() {}
