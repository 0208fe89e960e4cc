//! Specifications of any size, with the number of messages that each must cause.
//!
//! The tests compile each specification at small sizes. `cargo run --release -p isa-tests --bin
//! bounds` measures each one at its full size, at half and at a quarter of it.

/// A specification of variable size.
pub(crate) struct Input {
    /// The part that grows, for example `opcodes of one encoding`.
    pub(crate) name: &'static str,
    /// Returns the specification of a given size.
    pub(crate) make: fn(usize) -> String,
    /// The largest size that is measured.
    pub(crate) full: usize,
    /// The number of messages at every size from an eighth of `full` on. An error that names a
    /// second place causes two messages.
    pub(crate) messages: usize,
}

const fn input(
    name: &'static str,
    full: usize,
    messages: usize,
    make: fn(usize) -> String,
) -> Input {
    Input { name, make, full, messages }
}

/// All growing specifications.
pub(crate) const ALL: &[Input] = &[
    input("fields with `!=`, joined by `and`", 8, 1, |n| excepted(&unequal(n))),
    input("not (fields with `==`, joined by `or`)", 8, 1, |n| {
        excepted(&format!("not ({})", equal(n)))
    }),
    input("not (fields with `!=`, joined by `and`)", 8, 0, |n| {
        excepted(&format!("not ({})", unequal(n)))
    }),
    input("terms with `or`", 20_000, 0, |n| excepted(&terms(n, " or ", 5))),
    input("terms with `and`", 20_000, 0, |n| excepted(&terms(n, " and ", 8))),
    input("times `not`", 100_000, 0, |n| excepted(&format!("{} a == 1", "not ".repeat(n / 2 * 2)))),
    input("braces, one in another", 5_000, 1, |n| {
        format!("{FIELDS} opcode OP {}{}", "{".repeat(n), "}".repeat(n))
    }),
    input("parentheses, one in another", 5_000, 1, |n| {
        excepted(&format!("{}a == 1{}", "(".repeat(n), ")".repeat(n)))
    }),
    input("parents like a ladder of diamonds", 400, 0, ladder),
    input("parents in a chain", 4_000, 0, chain),
    input("parents in a ring", 4_000, 1, |n| {
        chain(n).replace("group G0 {", &format!("group G0 : [G{}] {{", n - 1))
    }),
    input("parents of one opcode", 4_000, 0, parents),
    input("opcodes, each with a parent of its own", 4_000, 0, with_parents),
    input("opcodes without a common bit", 400, 0, random_opcodes),
    input("opcodes", 4_000, 0, |n| group(n, |_| true)),
    input("opcodes that share a template", 4_000, 0, |n| template(n, "OP.op Ra;", n)),
    input("opcodes that share a template without what they differ in", 4_000, 2, |n| {
        template(n, "OP Ra;", n)
    }),
    input("opcodes that share a template, of which one lacks its value", 4_000, 2, |n| {
        template(n, "OP.op Ra;", n * 2 / 5)
    }),
    input("opcodes told apart by their last operand", 4_000, 0, |n| template(n, "OP Ra, op;", n)),
    input("opcodes of one encoding", 4_000, 2, |n| group(n, |_| false)),
    input("opcodes of which one lacks its value", 4_000, 2, |n| group(n, |i| i != n * 2 / 5)),
    input("opcodes that exclude a value each", 2_000, 2, exclusive),
    input("opcodes with an exception each", 4_000, 0, excepting),
    input("exceptions of one opcode", 4_000, 0, exceptions),
    input("exceptions of one opcode, each of two fields", 4_000, 0, crossed),
    input("sets that are included", 1_000, 0, included),
    input("opcodes of two sets that are included, with one mnemonic", 4_000, 0, mixed),
    input("opcodes of a set that is included", 4_000, 0, summaries),
    input("sets whose declarations are used", 1_000, 0, used),
    input("imports", 16_000, 1, imports),
    input("aliases of one opcode", 4_000, 0, |n| aliases(n, 1)),
    input("aliases of an opcode each", 4_000, 0, |n| aliases(n, n)),
    input("aliases that clash", 400, 2, clashing),
    input("special cases of one opcode", 4_000, 0, special),
    input("opcodes, half of them with `else GROUP`", 4_000, 0, |n| {
        otherwise(n, "M{i}", "Label", "G")
    }),
    input("opcodes of one mnemonic, half of them with `else GROUP`", 4_000, 0, |n| {
        otherwise(n, "M.op", "Label", "G")
    }),
    input("opcodes, half of them with `else` and another group", 4_000, 40, |n| {
        otherwise(n, "M{i}", "Reg", "H")
    }),
    input("opcodes of two groups, each with `else` and the other", 4_000, 20, |n| {
        otherwise(n, "M{i}", "Label", "G").replace(" : [G] {", " : [G] else L {")
    }),
    input("opcodes of groups after groups, eight to a mnemonic", 4_000, 0, |n| ranks(n, 8)),
    input("opcodes of groups after groups, all of one mnemonic", 48, 0, |n| ranks(n, n)),
    input("values of a set", 16_000, 0, values),
    input("loops in each other that double a value", 40, 1, |n| doubling(n + 20)),
    input("iterations of two loops", 66_000, 1, |n| {
        looped(
            "O_${A}_$B",
            &format!("for $A in 0..{} {{ for $B in 0..257 {{", n * 8 / 257 + 1),
            "}}",
        )
    }),
    input("opcodes of a loop with one error each", 16_000, 20, |n| {
        looped("O_$A", &format!("for $A in 0..{n} {{"), "}").replace("O_$A {", "O_$A : [P_$A] {")
    }),
    input("fields of a group of opcodes", 64, 0, fields),
];

/// The declaration of a set with 128-bit words and eight 8-bit fields.
pub(crate) const FIELDS: &str = "pub isa Toy: u128; operand Byte: 8;
    group G { encoding {
        field<0, 8> Byte a; field<8, 8> Byte b; field<16, 8> Byte c; field<24, 8> Byte d;
        field<32, 8> Byte e; field<40, 8> Byte f; field<48, 8> Byte g; field<56, 8> Byte h;
    } }";

/// Returns `count` terms, separated by `between`.
pub(crate) fn joined(count: usize, between: &str, term: impl Fn(usize) -> String) -> String {
    (0..count).map(term).collect::<Vec<_>>().join(between)
}

/// Returns the name of one of the fields.
pub(crate) fn field(number: usize) -> char {
    char::from(b'a' + number as u8)
}

/// Returns an opcode with these fields and one exception.
pub(crate) fn excepted(condition: &str) -> String {
    format!(
        "{FIELDS} opcode OP : [G] {{ syntax {{ OP a, b, c, d, e, f, g, h; }}
         exception {{ EncodingError<Odd, \"why\"> = {condition}; }} }}"
    )
}

pub(crate) fn unequal(count: usize) -> String {
    joined(count, " and ", |i| format!("{} != {}", field(i), i + 1))
}

pub(crate) fn equal(count: usize) -> String {
    joined(count, " or ", |i| format!("{} == {}", field(i), i + 1))
}

/// Returns terms that repeat.
pub(crate) fn terms(count: usize, between: &str, values: usize) -> String {
    joined(count, between, |i| format!("{} == {}", field(i % 8), i % values))
}

/// Returns a ladder of parents: the number of paths to its top is two to the power of `rungs`.
pub(crate) fn ladder(rungs: usize) -> String {
    let rung = |i: usize| {
        let parents = if i == 0 { "G0".to_owned() } else { format!("L{i}, R{i}") };
        let next = i + 1;
        format!("group L{next} : [{parents}] {{ }} group R{next} : [{parents}] {{ }}")
    };
    format!(
        "pub isa Toy: u16; group G0 {{ }} {}
         opcode OP : [L{rungs}, R{rungs}] {{ encoding {{ }} syntax {{ OP; }} }}",
        joined(rungs, " ", rung)
    )
}

/// Returns a chain of groups, each the parent of the next.
pub(crate) fn chain(count: usize) -> String {
    format!(
        "pub isa Toy: u16; group G0 {{ }} {}
         opcode OP : [G{}] {{ encoding {{ }} syntax {{ OP; }} }}",
        joined(count - 1, " ", |i| format!("group G{} : [G{i}] {{ }}", i + 1)),
        count - 1
    )
}

fn parents(count: usize) -> String {
    format!(
        "pub isa Toy: u16; {} opcode OP : [{}] {{ encoding {{ }} syntax {{ OP; }} }}",
        joined(count, " ", |i| format!("group G{i} {{ }}")),
        joined(count, ", ", |i| format!("G{i}"))
    )
}

fn with_parents(count: usize) -> String {
    let opcode = |i: usize| {
        format!(
            "group G{i} {{ encoding {{ field<12, 8> Reg ra; }} }}
             opcode O{i} : [G{i}] {{ encoding {{ field<0, 12> Op op == V{i}; }} syntax {{ O{i} Ra; }} }}"
        )
    };
    format!("{} {}", head(count), joined(count, " ", opcode))
}

/// Returns the header of a set whose enumeration has a value for each opcode.
fn head(count: usize) -> String {
    let values = joined(count, ", ", |i| format!("V{i} = {i}"));
    format!("pub isa Toy: u32; enum Op: 12 {{ {values} }} operand Reg: 8;")
}

/// Returns opcodes of a group. A field distinguishes those that fix its value, as `fixes` decides.
pub(crate) fn group(count: usize, fixes: impl Fn(usize) -> bool) -> String {
    let opcode = |i: usize| {
        let (fixed, shown) =
            if fixes(i) { (format!("op == V{i};"), "") } else { (String::new(), ".op") };
        format!("opcode O{i} : [G] {{ encoding {{ {fixed} }} syntax {{ O{i}{shown} Ra; }} }}")
    };
    format!(
        "{} group G {{ encoding {{ field<0, 12> Op op; field<12, 8> Reg ra; }} }} {}",
        head(count),
        joined(count, " ", opcode)
    )
}

/// Returns opcodes with one template; the opcode `lacks` does not fix the field that distinguishes
/// them.
fn template(count: usize, text: &str, lacks: usize) -> String {
    let opcode = |i: usize| {
        let fixed = if i == lacks { String::new() } else { format!("op == V{i};") };
        format!("opcode V{i} : [G] {{ encoding {{ {fixed} }} }}")
    };
    format!(
        "{} group G {{ encoding {{ field<0, 12> Op op; field<12, 8> Reg ra; }} syntax {{ {text} }} }} {}",
        head(count),
        joined(count, " ", opcode)
    )
}

/// Returns opcodes with equal fields, each of which excludes different words.
pub(crate) fn exclusive(count: usize) -> String {
    let opcode = |i: usize| {
        format!(
            "opcode O{i} {{ encoding {{ field<0, 12> Twelve op; field<12, 8> Reg ra; }}
             syntax {{ O{i} op, ra; }} exception {{ EncodingError<Odd, \"why\"> = op == {i}; }} }}"
        )
    };
    format!("pub isa Toy: u32; operand Twelve: 12; operand Reg: 8; {}", joined(count, " ", opcode))
}

fn excepting(count: usize) -> String {
    let opcode = |i: usize| {
        format!(
            "opcode O{i} : [G] {{ encoding {{ op == V{i}; }} syntax {{ O{i} Ra; }}
             exception {{ EncodingError<Odd, \"why\"> = ra == {}; }} }}",
            i % 256
        )
    };
    format!(
        "{} group G {{ encoding {{ field<0, 12> Op op; field<12, 8> Reg ra; }} }} {}",
        head(count),
        joined(count, " ", opcode)
    )
}

/// Returns exceptions, each of which excludes different words.
pub(crate) fn exceptions(count: usize) -> String {
    let each = |i: usize| {
        let (a, b) = (i % 200, i / 200);
        format!("EncodingError<Odd, \"why\"> = a == {a} and b == {b} and c == {};", i % 7)
    };
    format!(
        "{FIELDS} opcode OP : [G] {{ syntax {{ OP a, b, c, d, e, f, g, h; }} exception {{ {} }} }}",
        joined(count, " ", each)
    )
}

/// Returns exceptions, each of which shares words with most others.
fn crossed(count: usize) -> String {
    let each = |i: usize| {
        let (one, other) = (i % 8, (i + 1 + i / 8 % 7) % 8);
        let (x, y) = (i / 56 % 256, i / 56 * 7 % 256);
        format!(
            "EncodingError<Odd, \"why\"> = {} == {x} and {} == {y};",
            field(one.min(other)),
            field(one.max(other)),
        )
    };
    let mut known = std::collections::BTreeSet::new();
    let all: Vec<String> =
        (0..).map(each).filter(|text| known.insert(text.clone())).take(count).collect();
    format!(
        "{FIELDS} opcode OP : [G] {{ syntax {{ OP a, b, c, d, e, f, g, h; }} exception {{ {} }} }}",
        all.join(" ")
    )
}

/// Returns the summary of an opcode that a call gets from another call.
fn summary(number: usize) -> String {
    format!(
        "S{number} S{number} \"32 0 0 fff00fff {number:x} fff00000\\nS{number}\\n!.[]%0.[]\\\";\\\"\\n\
         op == S{number} (opcode `S{number}`)\";"
    )
}

/// Returns an import of a set that has some opcodes.
fn brought(set: usize, opcodes: &str) -> String {
    format!(
        "__imported include [crate :: f{set}] {{ [] [F{set}Instruction] [F{set}Opcode]
         [[:: isa_core :: operand :: text_of :: < :: isa_core :: operand :: Reg > ()]] [little_endian] [] [] [] {{ {opcodes} }} }}"
    )
}

fn included(count: usize) -> String {
    let sets = joined(count, " ", |i| brought(i, &summary(i)));
    format!("{sets} pub isa All: u32;")
}

fn summaries(count: usize) -> String {
    format!("{} pub isa All: u32;", brought(0, &joined(count, " ", summary)))
}

/// Returns opcodes of two sets that have one mnemonic and differ in a modifier.
fn mixed(count: usize) -> String {
    let opcode =
        |i: usize| summary(i).replace(&format!("\\nS{i}\\n!.[]"), &format!("\\nS\\n!.[<S{i}>]"));
    let all: Vec<String> = (0..count).map(opcode).collect();
    let (first, second) = all.split_at(count / 2);
    format!("{} {} pub isa All: u32;", brought(0, &first.concat()), brought(1, &second.concat()))
}

fn used(count: usize) -> String {
    let set = |i: usize| {
        format!(
            "__imported use [crate :: f{i}] {{
                enum E{i}: 2 {{ A = 0, B = 1, C = 2, D = 3 }} operand Reg{i}: 8 = isa_core::operand::Reg;
                group G{i} {{ encoding {{ field<0, 2> E{i} e; field<2, 8> Reg{i} ra; }} }}
             }}"
        )
    };
    format!(
        "{} pub isa All: u32; opcode OP : [G0] {{ syntax {{ OP.e Ra; }} }}",
        joined(count, " ", set)
    )
}

fn imports(count: usize) -> String {
    format!("pub isa All: u16; {}", joined(count, " ", |i| format!("include crate::f{i}::F{i};")))
}

/// Returns aliases of `opcodes` opcodes, each for different words.
fn aliases(count: usize, opcodes: usize) -> String {
    let opcode = |i: usize| {
        format!("opcode O{i} : [G] {{ encoding {{ op == V{i}; }} syntax {{ O{i} ra, rb; }} }}")
    };
    let alias = |i: usize| {
        format!(
            "alias A{i} of O{} {{ encoding {{ ra == {i}; }} syntax {{ A{i} rb; }} }}",
            i % opcodes
        )
    };
    format!(
        "{} operand Twelve: 12;
         group G {{ encoding {{ field<0, 12> Op op; field<12, 12> Twelve ra; field<24, 8> Reg rb; }} }} {} {}",
        head(opcodes),
        joined(opcodes, " ", opcode),
        joined(count, " ", alias)
    )
}

/// Returns aliases of one opcode, most of which share words.
pub(crate) fn clashing(count: usize) -> String {
    let alias = |i: usize| {
        let fixed = i % 8;
        let others: Vec<String> =
            (0..8).filter(|&at| at != fixed).map(|at| field(at).to_string()).collect();
        let (fixed, value, shown) = (field(fixed), i / 8, others.join(", "));
        format!(
            "alias A{i} of OP {{ encoding {{ {fixed} == {value}; }} syntax {{ A{i} {shown}; }} }}"
        )
    };
    let opcode = "opcode OP : [G] { syntax { OP a, b, c, d, e, f, g, h; } }";
    format!("{FIELDS} {opcode} {}", joined(count, " ", alias))
}

fn special(count: usize) -> String {
    let opcode = |i: usize| {
        format!("opcode S{i} : [G] inside OP {{ encoding {{ op == {i}; }} syntax {{ S{i} Ra; }} }}")
    };
    format!(
        "pub isa Toy: u32; operand Twelve: 13; operand Reg: 8;
         group G {{ encoding {{ field<0, 13> Twelve op; field<13, 8> Reg ra; }} }}
         opcode OP : [G] {{ syntax {{ OP op, Ra; }} }} {}",
        joined(count, " ", opcode)
    )
}

/// Returns nested loops of one iteration, each with a value that is twice the value of the loop
/// around it.
fn doubling(count: usize) -> String {
    let start = (0..count).map(|i| match i {
        0 => "for $A0 in $(1 + 1) {".to_owned(),
        _ => format!("for $A{i} in $($A{0} + $A{0}) {{", i - 1),
    });
    let start: String = start.collect();
    format!("pub isa Toy: u32; {start} enum E: 32 {{ V = $A{} }} {}", count - 1, "}".repeat(count))
}

/// Returns an opcode in loops.
fn looped(name: &str, start: &str, end: &str) -> String {
    format!(
        "pub isa Toy: u32; operand One: 1; {start}
         opcode {name} {{ encoding {{ field<0, 1> One one; }} syntax {{ {name} one; }} }} {end}"
    )
}

/// Returns pairs of opcodes, one of group `G` and one of `L`. The second of each pair has `else`
/// and a group.
fn otherwise(count: usize, mnemonic: &str, second: &str, group: &str) -> String {
    let pair = |i: usize| {
        let (mnemonic, own, other) = (mnemonic.replace("{i}", &i.to_string()), 2 * i, 2 * i + 1);
        format!(
            "opcode R{i} : [G] {{ encoding {{ op == V{own}; field<20, 8> Reg rb; }} syntax {{ {mnemonic} ra, rb; }} }}
             opcode L{i} : [L] else {group} {{
                 encoding {{ op == V{other}; field<20, 8> {second} rb; }} syntax {{ {mnemonic} ra, rb; }}
             }}"
        )
    };
    format!(
        "{} operand Label: 8; operand One: 1;
         group ALL {{ encoding {{ field<0, 12> Op op; field<12, 8> Reg ra; }} }}
         group G : [ALL]{{ }} group L : [ALL]{{ }} group H {{ }}
         opcode OTHER : [H] {{ encoding {{ field<28, 1> One one == 1; }} syntax {{ OTHER; }} }} {}",
        head(count),
        joined(count / 2, " ", pair)
    )
}

/// Returns opcodes of `groups` groups that share mnemonics. Each group comes after all groups
/// before it.
fn ranks(count: usize, groups: usize) -> String {
    let types = joined(groups, " ", |i| format!("operand T{i}: 8; group G{i} : [ALL] {{ }}"));
    let opcode = |i: usize| {
        let (mnemonic, rank) = (i / groups, i % groups);
        let first = joined(rank, ", ", |i| format!("G{i}"));
        let first = if rank == 0 { first } else { format!("else {first}") };
        format!(
            "opcode O{i} : [G{rank}] {first} {{
                 encoding {{ op == V{i}; field<20, 8> T{rank} rb; }} syntax {{ M{mnemonic} ra, rb; }}
             }}"
        )
    };
    format!(
        "{} group ALL {{ encoding {{ field<0, 12> Op op; field<12, 8> Reg ra; }} }} {types} {}",
        head(count),
        joined(count, " ", opcode)
    )
}

fn values(count: usize) -> String {
    format!(
        "pub isa Toy: u32; enum E: 32 {{ {} }} opcode OP {{ encoding {{ field<0, 32> E e; }} syntax {{ OP.e; }} }}",
        joined(count, ", ", |i| format!("V{i} = {}", i * 7))
    )
}

fn fields(count: usize) -> String {
    let opcode = |i: usize| {
        let exceptions = joined(i, " ", |f| format!("EncodingError<Odd, \"why\"> = f{f} == 1;"));
        let shown: Vec<String> = (0..count).filter(|&f| f != i).map(|f| format!("f{f}")).collect();
        format!(
            "opcode O{i} : [G] {{ encoding {{ f{i} == 1; }} syntax {{ O{i} {}; }}
             exception {{ {exceptions} }} }}",
            shown.join(", ")
        )
    };
    format!(
        "pub isa Toy: u128; operand One: 1; group G {{ encoding {{ {} }} }} {}",
        joined(count, " ", |i| format!("field<{i}, 1> One f{i};")),
        joined(count, " ", opcode)
    )
}

/// Returns opcodes of 128 bits that fix 64 bits at random positions.
pub(crate) fn random_opcodes(count: usize) -> String {
    let mut random = random();
    let mut spec =
        "pub isa Toy: u128; operand Key: 64; operand Low: 32; operand High: 32;".to_owned();
    for i in 0..count {
        let mut places: Vec<u32> = (0..128).collect();
        for place in 0..128 {
            places.swap(place, place + (random() % (128 - place as u64)) as usize);
        }
        let pieces = |part: &[u32]| joined(part.len(), ":", |i| format!("{}, 1", part[i]));
        spec += &format!(
            "opcode O{i} {{ encoding {{ field<{}> Key k == {}; field<{}> Low a; field<{}> High b; }}
             syntax {{ O{i} a, b; }} }}",
            pieces(&places[..64]),
            random(),
            pieces(&places[64..96]),
            pieces(&places[96..])
        );
    }
    spec
}

/// Returns a generator of pseudorandom numbers.
pub(crate) fn random() -> impl FnMut() -> u64 {
    let mut state = 0x2545_f491_4f6c_dd1du64;
    move || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }
}
