//! Proves properties of all words with a solver and the functions in SMT-LIB.

use std::fmt::Write;
use std::process::Command;
use std::time::Instant;

use isa_core::table::{Field, Init, InstructionSet, Opcode};
use isa_tests::tools::{are_here, run};
use isa_verify::word_generator::WordGenerator;

use crate::words::{open, words};
use crate::{Z3, export, folder, sets};

/// Formulas that the solver must report as unsatisfiable.
struct Claims {
    text: String,
    count: usize,
}

impl Claims {
    fn never(&mut self, declared: &str, what: &str) {
        writeln!(self.text, "(push)\n{declared}(assert {what})\n(check-sat)\n(pop)").unwrap();
        self.count += 1;
    }
}

fn pieces(opcode: &Opcode) -> impl Iterator<Item = &'static Field> {
    opcode.fields.iter().copied().filter(|field| !field.pieces.is_empty())
}

/// Returns the claims that no word has two opcodes, and that encoding and decoding are inverse.
fn claims(set: &'static InstructionSet) -> Claims {
    let mut claims = Claims { text: String::new(), count: 0 };
    let word = format!("(declare-const w (_ BitVec {}))\n", set.bits);
    claims.never(&word, "(not (= (legal w) (distinct (opcode w) #xffff)))");
    for (number, opcode) in set.opcodes.iter().enumerate() {
        let name = opcode.name;
        let others =
            set.opcodes[number + 1..].iter().map(|other| format!("(|legal {}| w)", other.name));
        let others: String = others.collect();
        claims.never(&word, &format!("(and (|legal {name}| w) (or false {others}))"));
        let fields: Vec<&Field> = open(opcode).collect();
        let read: String =
            fields.iter().map(|field| format!(" (|{name}.{}| w)", field.name)).collect();
        let encode = |arguments: &str| match fields.is_empty() {
            true => format!("|encode {name}|"),
            false => format!("(|encode {name}|{arguments})"),
        };
        claims.never(&word, &format!("(and (|matches {name}| w) (not (= {} w)))", encode(&read)));

        let declared = fields
            .iter()
            .map(|f| format!("(declare-const |{}| (_ BitVec {}))\n", f.name, f.width()));
        let given: String = fields.iter().map(|field| format!(" |{}|", field.name)).collect();
        let encoded = encode(&given);
        let kept = pieces(opcode).map(|field| {
            let value = match field.init {
                Init::Fixed(raw) => format!("(_ bv{raw} {})", field.width()),
                _ => format!("|{}|", field.name),
            };
            format!(" (= (|{name}.{}| {encoded}) {value})", field.name)
        });
        let kept: String = kept.collect();
        let what = format!("(not (and (|matches {name}| {encoded}){kept}))");
        claims.never(&declared.collect::<String>(), &what);
    }
    claims
}

fn prove(set: &'static InstructionSet) {
    let folder = folder(&format!("smt {}", set.name));
    let definitions = std::fs::read_to_string(&export("smt", set, &folder)[0]).unwrap();
    let Claims { text, count } = claims(set);
    let start = Instant::now();
    let output = run(Command::new("z3").arg("-in"), format!("{definitions}{text}"));
    println!("{}: {count} statements in {:.1} s", set.name, start.elapsed().as_secs_f64());
    let said = String::from_utf8(output.stdout).unwrap();
    let proved = said.lines().filter(|line| *line == "unsat").count();
    assert_eq!((proved, said.lines().count()), (count, count), "{}:\n{said}", set.name);
}

#[test]
fn opcodes_are_disjoint_and_words_are_made_of_their_fields() {
    if are_here(&[Z3]) {
        sets().into_iter().filter(|set| set.name != "A64").for_each(prove);
    }
}

#[test]
#[ignore = "takes half a minute; `.ci/run` runs it"]
fn opcodes_of_a64_are_disjoint_and_words_are_made_of_their_fields() {
    if are_here(&[Z3]) {
        prove(isa_a64::A64::SET);
    }
}

/// Checks that the functions have the meaning of the set, so that proofs about the functions apply
/// to the set.
#[test]
fn the_solver_knows_the_opcode_of_a_word() {
    if !are_here(&[Z3]) {
        return;
    }
    for set in sets() {
        let folder = folder(&format!("smt words {}", set.name));
        let mut text = std::fs::read_to_string(&export("smt", set, &folder)[0]).unwrap();
        let words = words(&mut WordGenerator::new(set, 21), None, 400);
        for word in &words {
            let digits = usize::from(set.bits / 4);
            writeln!(text, "(simplify (opcode #x{word:0digits$x}))").unwrap();
        }
        let output = run(Command::new("z3").arg("-in"), text);
        let said = String::from_utf8(output.stdout).unwrap();
        let expected = words.iter().map(|&word| set.index(word).unwrap_or(0xffff));
        let expected: String = expected.map(|number| format!("#x{number:04x}\n")).collect();
        assert!(said == expected, "{}:\n{}", set.name, said.lines().next().unwrap_or_default());
    }
}
