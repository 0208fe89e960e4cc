isa_core::define_isa! {
    /// A toy set with 16-bit words.
    isa Toy: u16;
    /// The operation.
    enum Op: 4 { HALT = 0 }

    /// Stops the machine.
    opcode HALT {
        encoding { field<12, 4> Op op == HALT; }
        syntax   { HALT; }
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let instruction: Toy = "HALT;".parse()?;
    println!("{:#06x}  {instruction}", instruction.encode()?);
    println!("{}", Toy::decode(0x8000).unwrap_err());
    Ok(())
}
