//! For every word: the decoder says what the model says, and assembling the disassembly gives
//! the word.

use isa_core::table::InstructionSet;
use isa_defs::gpu::Gpu;
use isa_defs::halu::Halu;
use isa_tests::model::Verdict;
use isa_tests::share::part_of;
use isa_tests::space::Space;
use isa_tests::text::check_round_trip;

/// Compares the decoder with the model, and every so often the text too.
struct Checker {
    space: Space,
    cases: u64,
    legal: u64,
    texts: u64,
}

impl Checker {
    fn new(set: &'static InstructionSet, seed: u64) -> Self {
        Checker { space: Space::new(set, seed), cases: 0, legal: 0, texts: 0 }
    }

    fn check(&mut self, word: u128, every: u64) {
        let model = &self.space.model;
        match (model.set.index(word), model.judge(word)) {
            (Ok(found), Verdict::Legal(index)) => {
                assert_eq!(found, index, "{word:#034x}");
                self.legal += 1;
            }
            (Err(error), verdict) => {
                assert_eq!(error.word(), word);
                assert!(model.explains(&error), "{word:#034x}: {error}, but it is {verdict:?}");
            }
            (Ok(index), verdict) => {
                let name = model.set.opcodes[index].name;
                panic!("{word:#034x} decodes as {name}, but it is {verdict:?}");
            }
        }
        if self.cases.is_multiple_of(every) {
            check_round_trip(self.space.model.set, word);
            self.texts += 1;
        }
        self.cases += 1;
    }

    /// The opcodes in turn.
    fn opcode(&self) -> usize {
        (self.cases % self.space.opcodes() as u64) as usize
    }

    fn report(&self, what: &str) {
        let Checker { space, cases, legal, texts } = self;
        println!("{}, {what}: {cases} words, {legal} legal, {texts} as text", space.model.set.name);
    }
}

fn check_random(set: &'static InstructionSet, words: u64) {
    let mut checker = Checker::new(set, 1);
    for _ in 0..part_of(words) {
        let word = checker.space.random.word();
        checker.check(word, 16);
    }
    checker.report("uniform");
}

fn check_plausible(set: &'static InstructionSet, words: u64) {
    let mut checker = Checker::new(set, 2);
    for _ in 0..part_of(words) {
        let opcode = checker.opcode();
        let word = checker.space.plausible(opcode);
        checker.check(word, 16);
    }
    checker.report("with the fixed fields of an opcode");
    assert!(checker.legal > checker.cases / 20);
}

fn check_flips(set: &'static InstructionSet, words: u64) {
    let mut checker = Checker::new(set, 3);
    for opcode in 0..checker.space.opcodes() {
        for _ in 0..part_of(words) {
            let word = checker.space.legal(opcode);
            checker.check(word, 1);
            (0..128).for_each(|bit| checker.check(word ^ 1 << bit, 16));
        }
    }
    checker.report("legal with one bit changed");
}

fn check_boundaries(set: &'static InstructionSet) {
    let mut checker = Checker::new(set, 4);
    for opcode in 0..checker.space.opcodes() {
        for _ in 0..2 {
            for word in checker.space.field_boundaries(opcode) {
                checker.check(word, 2);
            }
        }
    }
    checker.report("fields at their edges");
}

/// Few bits set, or few clear: the words that people write first.
fn check_sparse(set: &'static InstructionSet) {
    let mut checker = Checker::new(set, 5);
    for a in 0..128 {
        for b in 0..=a {
            let word = 1 << a | 1 << b;
            checker.check(word, 4);
            checker.check(!word, 4);
        }
    }
    checker.check(0, 1);
    checker.check(u128::MAX, 1);
    checker.report("one or two bits");
}

#[test]
fn random() {
    check_random(Halu::SET, 200_000);
    check_random(Gpu::SET, 500_000);
}

#[test]
fn plausible() {
    check_plausible(Halu::SET, 500_000);
    check_plausible(Gpu::SET, 1_200_000);
}

#[test]
fn flips() {
    check_flips(Halu::SET, 50);
    check_flips(Gpu::SET, 150);
}

#[test]
fn boundaries() {
    check_boundaries(Halu::SET);
    check_boundaries(Gpu::SET);
}

#[test]
fn sparse() {
    check_sparse(Halu::SET);
    check_sparse(Gpu::SET);
}
