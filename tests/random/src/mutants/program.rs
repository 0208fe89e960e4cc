/// How many random words, spellings and damaged texts of each opcode are vectors.
const COUNT: u64 = 40;

/// Holds all sets against the vectors of the last, which is the unchanged one, and prints how many
/// notice each.
fn main() {
    let (_, unchanged) = SETS.last().expect("a set");
    let text = isa_verify::Vectors::record(unchanged(), 1, COUNT).to_string();
    let vectors: isa_verify::Vectors = text.parse().expect("vectors");
    for (place, set) in SETS {
        println!("{place}\t{}", vectors.differences(set()).len());
    }
    println!("{}", vectors.len());
}

