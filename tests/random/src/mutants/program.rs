/// The number of random words, spellings and damaged texts of each opcode that become vectors.
const COUNT: u64 = 40;

/// Checks all sets with the vectors of the last set, which is unchanged. Prints the number of
/// vectors that detect each set.
fn main() {
    let (_, unchanged) = SETS.last().expect("a set");
    let text = isa_verify::Vectors::record(unchanged(), 1, COUNT).to_string();
    let vectors: isa_verify::Vectors = text.parse().expect("vectors");
    for (place, set) in SETS {
        println!("{place}\t{}", vectors.differences(set()).len());
    }
    println!("{}", vectors.len());
}

