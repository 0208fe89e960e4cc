//! Tests drafts: after any edits they report the same as the assembler reports for the whole text.

use core::ops::Range;

use isa_core::asm::{AssembleError, Assembler, Draft, LabelMap};
use isa_core::operand::OperandKind;
use isa_core::table::InstructionSet;
use isa_core::text::{Cursor, Line, OperandError};

use super::constants::COUNTS;
use super::{Mixed, Plain, Restless};

/// An address ahead, written as a number. Its parser needs the address of the instruction, but no
/// label.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Ahead(u8);

impl OperandKind for Ahead {
    type Value = u64;
    const WIDTH: u8 = 4;
    const EXPECTS: &'static str = "an address within 15 bytes";
    const MAX_LEN: usize = 4;

    fn from_bits(raw: u64) -> Self {
        Ahead(raw as u8)
    }
    fn to_bits(self) -> u64 {
        self.0.into()
    }
    fn read(cursor: &mut Cursor<'_>) -> Result<Self, OperandError> {
        let start = cursor.position();
        let target = cursor.number()? as u64;
        let distance = target.wrapping_sub(cursor.context().map_or(0, |site| site.address));
        match distance {
            0..16 => Ok(Ahead(distance as u8)),
            _ => Err(cursor.fault(start, "too far")),
        }
    }
    fn write(self, line: &mut Line) {
        line.push_decimal(self.0.into());
    }
}

isa_core::define_isa! {
    /// Operands that depend on addresses without labels.
    isa Placed: u16 | u32;
    operand Ahead: 4;
    operand Near: 8 = isa_core::operand::Relative<8, 1>;
    enum Op: 4 { INC = 1, GO = 2, J = 3 }
    opcode INC { encoding { word<16>; field<0, 4> Op op == INC; } syntax { INC; } }
    opcode GO { encoding { word<32>; field<0, 4> Op op == GO; field<4, 4> Ahead to; } syntax { GO to; } }
    opcode J { encoding { word<16>; field<0, 4> Op op == J; field<8, 8> Near to; } syntax { J to; } }
}

/// The pieces from which texts are built.
const PIECES: &[&str] = &[
    "a: ",
    "b:",
    "c : ",
    "outside: ",
    ".L1: ",
    "J a;",
    "J b;",
    "J c;\n",
    "J . + 2;",
    "J nowhere;",
    "J outside;",
    "INC R1;",
    "INC R1; ",
    "INC R300;",
    "INC",
    "SKIP a;",
    "SKIP b;",
    "CALL R2, c;",
    "CALL R2, .L1;",
    "CALL",
    "\n",
    ";",
    " ",
    "/*",
    "*/",
    "// x",
    "#",
    "/",
    "*",
    "é",
    "XYZ;",
    "a",
    ".byte 1, 2;",
    ".byte c;",
    ".2byte a, b;",
    ".4byte",
    ".word 0x1;",
    ".",
    ",",
    "GO 0x1004;",
    "GO 0x1008;",
    "GO 0x1010;",
    "INC;",
    "INC;",
    ".8byte 0,0,0,0,0,0,0,0;",
    ".zero 3;",
    ".zero",
    ".balign 4;",
    ".balign 3;",
    ".p2align 3;",
    ".org 0x1010;",
    ".equ N, 2;",
    ".equ b, a + 4;",
    ".set M, N + 1;",
    ".equ N, M;",
    ".equ N, c - a;",
    ".equ c, .",
    "ADD R1, N;",
    "ADD R1, M;",
    ".zero N;",
    ".byte N, b;",
    "J N;",
    "N: ",
    "R1",
    "a: J a;\n",
    ".data;",
    ".text;",
    ".section .x;",
    ".section .x, \"a\";",
    ".section .x, \"q\";",
    ".section",
    ".byte 7; .data; ",
    ".ascii \"a; /* b\";",
    ".asciz \"//\\\"\", \"#\"\n",
    "\"",
    ".file \"a: J a;\" 1 2;",
    ".string",
];

/// Pseudorandom numbers, the same in each run.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % limit.max(1) as u64) as usize
    }

    fn text(&mut self, most: usize) -> String {
        (0..self.below(most + 1)).map(|_| PIECES[self.below(PIECES.len())]).collect()
    }

    /// Returns an edit. About every third one adds or removes the beginning or end of a comment.
    fn edit(&mut self, text: &str) -> (Range<usize>, String) {
        let range = self.range(text);
        let places: Vec<_> = ["/*", "*/"].iter().filter_map(|it| text.find(it)).collect();
        match self.below(9) {
            0 => (range.start..range.start, "/*".into()),
            1 => (range.start..range.start, "*/".into()),
            2 if !places.is_empty() => {
                let at = places[self.below(places.len())];
                (at..at + 1 + self.below(2), String::new())
            }
            _ => (range, self.text(2)),
        }
    }

    fn range(&mut self, text: &str) -> Range<usize> {
        let start = self.below(text.len() + 1);
        let end = (start + self.below(1 + self.0 as usize % 12)).min(text.len());
        let boundary = |at| (0..=at).rev().find(|&at| text.is_char_boundary(at)).unwrap();
        boundary(start)..boundary(end)
    }
}

fn all(errors: &[AssembleError]) -> Vec<(String, Range<usize>, &'static str)> {
    errors.iter().map(|error| (error.to_string(), error.span.clone(), error.label())).collect()
}

/// Compares a draft with the assembler's result for the whole text.
#[track_caller]
fn assert_same(assembler: &Assembler, draft: &Draft, history: &[String]) {
    let text = draft.text();
    match assembler.assemble(text) {
        Ok(program) => {
            assert_eq!(all(&draft.errors()), [], "{text:?} after {history:?}");
            assert_eq!(draft.labels(), &program.labels, "{text:?} after {history:?}");
            let words = |instruction: Option<(usize, u128)>| instruction.map(|(_, word)| word);
            let mut placed: Vec<_> = program.statements.iter().collect();
            placed.sort_by_key(|it| it.span.start);
            let placed: Vec<_> = placed
                .iter()
                .map(|it| (it.address, words(it.instruction), it.span.clone()))
                .collect();
            let drafted: Vec<_> = draft
                .statements()
                .filter_map(|it| {
                    let word = it.instruction().map(|(_, word)| word);
                    Some((it.address(), word, it.code()?))
                })
                .collect();
            assert_eq!(drafted, placed, "{text:?} after {history:?}");
        }
        Err(errors) => {
            assert_eq!(all(&draft.errors()), all(&errors.into_vec()), "{text:?} after {history:?}");
        }
    }
}

fn try_edits(set: &'static InstructionSet, lines: Option<&'static str>, seed: u64, count: usize) {
    // Without an origin, `.org` can set the address of the program.
    for assembler in [Assembler::new(set).origin(0x1000), Assembler::new(set)] {
        try_edits_of(assembler, lines, seed, count / 2);
    }
}

fn try_edits_of(mut assembler: Assembler, lines: Option<&'static str>, seed: u64, count: usize) {
    let mut numbers = Numbers(seed);
    assembler = assembler.labels(LabelMap::from_iter([("outside", 0x1010)]));
    if let Some(comment) = lines {
        assembler = assembler.lines(comment);
    }
    for _ in 0..count {
        let text = numbers.text(12);
        let mut history = vec![text.clone()];
        let mut draft = Draft::new(assembler.clone(), text);
        assert_same(&assembler, &draft, &history);
        for _ in 0..8 {
            let (range, new) = numbers.edit(draft.text());
            let mut expected = draft.text().to_owned();
            expected.replace_range(range.clone(), &new);
            history.push(format!("{range:?} {new:?}"));
            draft.edit(range, &new);
            assert_eq!(draft.text(), expected);
            assert_same(&assembler, &draft, &history);
        }
    }
}

#[test]
fn after_edits_a_draft_is_as_if_read_as_a_whole() {
    for (seed, set) in
        [Mixed::SET, Plain::SET, Restless::SET, Placed::SET, COUNTS].into_iter().enumerate()
    {
        for lines in [None, Some("#"), Some("")] {
            try_edits(set, lines, seed as u64 + 1, 1000);
        }
    }
}

#[test]
fn what_was_right_once_counts_no_more() {
    let far = ".8byte 0, 0, 0, 0, 0, 0, 0, 0, 0";
    let assembler = Assembler::new(Mixed::SET).lines("");
    let text = format!("x:\nSKIP a\na: INC R1\nb: {far}\nJ b");
    let mut draft = Draft::new(assembler.clone(), text);
    assert_same(&assembler, &draft, &[]);
    assert_eq!(draft.errors().len(), 1, "too far");
    // With the label before it, the target is 0 bytes away, so the length of the statement is
    // ambiguous.
    draft.edit(10..11, "y");
    draft.edit(0..1, "a");
    assert_same(&assembler, &draft, &[]);
    assert!(draft.errors()[0].to_string().contains("SKIP"), "{:?}", draft.errors());
}

#[test]
fn statements_alone_are_those_that_are_read_one_after_the_other() {
    let mut numbers = Numbers(7);
    for _ in 0..500 {
        let mut draft = Draft::of_statements(Mixed::SET, numbers.text(12));
        for _ in 0..4 {
            let (range, new) = numbers.edit(draft.text());
            draft.edit(range, &new);
            let mut cursor = isa_core::text::Cursor::new(draft.text());
            let mut errors = Vec::new();
            loop {
                match Mixed::SET.parse_next(&mut cursor) {
                    Ok(None) => break,
                    Ok(Some(_)) => {}
                    Err(error) => errors.push((error.title().to_string(), error.span.clone())),
                }
            }
            let mut drafted: Vec<_> = draft.errors();
            // A comment without an end after an error is an additional error.
            drafted.retain(|error| {
                let span = error.span.clone();
                errors.iter().any(|(_, known)| *known == span) || &draft.text()[span] != "/*"
            });
            let drafted: Vec<_> =
                drafted.into_iter().map(|it| (it.title().to_string(), it.span.clone())).collect();
            assert_eq!(drafted, errors, "{:?}", draft.text());
        }
    }
}

#[test]
fn places_beyond_the_text_and_within_characters_are_taken_for_others() {
    let mut draft = Draft::new(Assembler::new(Mixed::SET), "// é\nINC R1;".into());
    draft.edit(4..4, "");
    assert_eq!(draft.text(), "// é\nINC R1;");
    draft.edit(100..200, " INC R2;");
    assert_eq!(draft.text(), "// é\nINC R1; INC R2;");
    draft.edit(Range { start: 8, end: 2 }, "X");
    assert_eq!(draft.statements().count(), 2);
}

#[test]
fn references_are_names_that_are_read_as_labels() {
    let draft = Draft::new(
        Assembler::new(Mixed::SET),
        "J: J J /* J */; R1: CALL R1, R1; .2byte J, R1, other; J J; INC R1; J .;".into(),
    );
    let named: Vec<_> = draft.statements().flat_map(|statement| statement.references()).collect();
    assert_eq!(named, [5..6, 29..31, 40..41, 43..45, 47..52, 56..57]);
    let definitions = draft.statements().flat_map(|it| it.labels().collect::<Vec<_>>());
    assert_eq!(definitions.collect::<Vec<_>>(), [("J", 0..1), ("R1", 16..18)]);
}
