//! Tests the functions that generated code calls at compile time to build rows from shared data.

use isa_core::operand::{Reg, Unsigned, format_of, kind_of, text_of};
use isa_core::table::*;

#[path = "toy/gpu.rs"]
mod gpu;

use gpu::TwoFloats;

static BYTE: Kind =
    Kind { name: "Byte", doc: "", width: 8, values: &[], reserved: &[], text: None };

const fn field(name: &'static str, pieces: &'static [Piece], init: Init) -> Field {
    Field { name, doc: "", declared_in: "here", pieces, kind: &BYTE, init }
}

static FIELDS: [Field; 4] = [
    field("low", &[Piece { position: 0, width: 4 }], Init::Default(5)),
    field("wide", &[Piece { position: 8, width: 8 }], Init::Required),
    field("fixed", &[Piece { position: 16, width: 4 }], Init::Fixed(9)),
    // The most significant piece comes first.
    field(
        "split",
        &[Piece { position: 70, width: 2 }, Piece { position: 4, width: 2 }],
        Init::Default(0b0110),
    ),
];

static SYNTAX: Syntax = Syntax {
    mnemonic: "OLD",
    symbols: &["x"],
    before: &[],
    modifiers: &[],
    after: &[Item::Text(";")],
    source: "OLD;",
    reader: ParseProgram::NONE,
};

static FIXED: Cube = Cube { mask: 1 << 100 | 0xf0_0000, value: 0 };

const fn row(name: &'static str) -> Opcode {
    Opcode {
        name,
        doc: "shared",
        bits: 128,
        fixed: FIXED,
        unused: 0,
        screen: ValidityCheck::of(128, FIXED, 0, &[]),
        syntax: &SYNTAX,
        start: 0x100,
        ..Opcode::NONE
    }
}

fn leak<T>(value: T) -> &'static T {
    Box::leak(Box::new(value))
}

fn names<'r>(rows: impl IntoIterator<Item = &'r &'static Opcode>) -> Vec<&'static str> {
    rows.into_iter().map(|row| row.name).collect()
}

#[test]
fn a_word_to_start_from_has_the_defaults() {
    let row = row("ROW").started(0x0f00_0000, &FIELDS.each_ref());
    assert_eq!(row.start, 0x0f00_0000 | 5 | 0b10 << 4 | 0b01 << 70);
    assert_eq!((row.name, row.started(3, &[]).start), ("ROW", 3));
    let all = [&FIELDS[0], &FIELDS[1], &FIELDS[2], &FIELDS[3]];
    let row = Opcode { fields: leak(all), ..row };
    assert_eq!(row.initial(), 5 | 9 << 16 | 0b10 << 4 | 0b01 << 70);
}

#[test]
fn rows_have_what_is_alike_and_what_is_their_own() {
    let fixed = fields(&FIELDS[1], [("A", 3), ("B", 4)]);
    let own = fixed.map(|field| (field.name, field.declared_in, field.init));
    assert_eq!(own, [("wide", "A", Init::Fixed(3)), ("wide", "B", Init::Fixed(4))]);

    let both = syntaxes(&SYNTAX, [("ADD", "ADD;"), ("SUB", "SUB;")]);
    let own = both.map(|syntax| (syntax.mnemonic, syntax.source, syntax.reader.is_joint));
    assert_eq!(own, [("ADD", "ADD;", false), ("SUB", "SUB;", false)]);

    let shared = [&FIELDS[0], &FIELDS[1], &FIELDS[2]];
    let lists = field_lists(&shared, &FIELDS, [2, 0], [[3, 1], [1, 3]]);
    let lists = lists.map(|fields| fields.map(|field| field.name));
    assert_eq!(lists, [["wide", "wide", "split"], ["split", "wide", "wide"]]);

    let picked = pick(&FIELDS, [3, 0, 3]).map(|field| field.name);
    assert_eq!(picked, ["split", "low", "split"]);
}

#[test]
fn opcodes_fix_bits_of_their_own() {
    let lists = leak([[&FIELDS[0], &FIELDS[1]], [&FIELDS[2], &FIELDS[3]]]);
    let syntaxes = leak(syntaxes(&SYNTAX, [("ADD", "ADD;"), ("SUB", "SUB;")]));
    let texts = leak(texts());
    let shared_steps = leak(steps::<2>(texts, &[0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0]));
    let shared = Opcode { program: PrintProgram::new(texts, shared_steps, &[]), ..row("shared") };
    let other = step_lists(
        shared_steps,
        texts,
        &[0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0],
        [1],
        [[&[0, 0, 2, 0, 1, 0, 0, 0]], [&[0, 0, 0, 0, 1, 0, 0, 0]]],
    );
    static GROUPS: [Group; 2] =
        [Group::new("ALL", "", false, &[]), Group::new("SUBS", "Differences.", true, &["ALL"])];
    static LINEAGES: LineageTable = LineageTable::new(&GROUPS, &["Rd = Ra;"], &[]);
    let shared = Opcode { lineage: Lineage::new(&LINEAGES), ..shared };
    let own = [
        ("ADD_R", "adds", 0x10_0000, 0, &[0, 0, 0, 0][..]),
        ("SUB_R", "subtracts", 1 << 100 | 0x80_0000, 1, &[1, 0, 0, 0, 1, 0][..]),
    ];
    let rows = leak(opcodes(&shared, lists, leak(other), syntaxes, own));
    let [add, sub] = rows;
    assert_eq!((add.name, add.doc, add.syntax.mnemonic), ("ADD_R", "adds", "ADD"));
    assert_eq!((sub.name, sub.doc, sub.syntax.mnemonic), ("SUB_R", "subtracts", "SUB"));
    assert_eq!((add.start, sub.start), (0x10_0100, 1 << 100 | 0x80_0100));
    assert_eq!(add.fixed, Cube { value: 0x10_0000, ..FIXED });
    assert!(add.check(0x10_0000) && !add.check(0x80_0000) && !add.check(1 << 100 | 0x10_0000));
    assert!(sub.check(1 << 100 | 0x80_0001) && !sub.check(0x80_0001) && !sub.check(1 << 100));
    let groups = |row: &Opcode| row.lineage.groups().map(|group| group.name).collect::<Vec<_>>();
    assert_eq!((groups(add), groups(sub)), (vec!["ALL"], vec!["ALL", "SUBS"]));
    assert_eq!([add, sub].map(|row| row.lineage.semantics()), [None, Some("Rd = Ra;")]);
    assert_eq!((add.fields[1].name, sub.fields[1].name), ("wide", "split"));
    assert_eq!((add.bits, sub.unused), (128, 0), "the rest is shared");
    let printed = |row: &Opcode, word| {
        let mut line = isa_core::text::Line::new();
        row.print(word, &mut line);
        line.to_string()
    };
    assert_eq!([printed(add, 0), printed(add, 1)], ["ac0", "ac1"]);
    assert_eq!([printed(sub, 0), printed(sub, 1)], ["aa", "ab"]);
    assert_eq!(printed(&shared, 1), "ae");
}

#[test]
fn lists_of_rows() {
    let (first, second) = (leak([row("A"), row("B")]), leak([row("C")]));
    let [a, b] = first;
    assert_eq!(names(&rows::<2, 3>([first, second])), ["A", "B", "C"]);
    assert_eq!(names(&rows::<2, 2>([second, first])), ["C", "A"], "the first of them");
    assert_eq!(names(&both::<2, 1, 3>(&[a, b], [&second[0]])), ["A", "B", "C"]);
    assert_eq!(ordered([&[1, 2][..], &[10, 20, 30]], [1, 0, 1, 1, 0]), [10, 1, 20, 30, 2]);
    assert!(std::panic::catch_unwind(|| both::<1, 1, 3>(&[a], [b])).is_err());
}

fn text(text: &str) -> ShortText {
    ShortText::EMPTY.with_str(text)
}

/// Returns three tables: `a`, `b`, `c0` and `c1`; `d` and `e`; and one of whole optional groups,
/// `f` and `g`.
fn texts() -> TextPool {
    let [plain, kind, whole] = [&["a", "b", "c0", "c1"][..], &["d", "e"], &["f", "g"]];
    let pool: Vec<ShortText> = [plain, kind, whole].concat().into_iter().map(text).collect();
    // The second number selects the lowest bit.
    let gathers = leak([BitGather::NONE, BitGather::new([1, 0], 1 << 63, 63)]);
    TextPool { pool: pool.leak(), plain: 2, sizes: &[4, 2, 2], defaults: &[], gathers }
}

#[test]
fn short_texts_have_room_for_31_bytes() {
    let full = text("0123456789012345678901234567890");
    assert_eq!((full.len(), full.with(b'x')), (31, full));
    assert_eq!(text("01234567890123456789").with_str("012345678901").as_str(), full.as_str());
    assert!(text("").is_empty() && text("").as_str().is_empty() && !text("x").is_empty());
    for number in [0, 9, 10, 90, 99, 100, 101, 305, 990, 999] {
        assert_eq!(text("R").with_decimal(number).as_str(), format!("R{number}"));
    }
    let mut bytes = [0; 64];
    (bytes[0], bytes[31], bytes[32], bytes[33], bytes[63]) = (b'a', 1, b'b', b'c', 2);
    assert_eq!(short_texts::<2>(&bytes), [text("a"), text("bc")]);
    assert_eq!(format!("{:?}", text("bc")), "\"bc\"");
}

#[test]
fn tables_of_texts_stand_one_behind_the_other() {
    let [few, more] = [&[text("a"), text("b")][..], &[text("c"), text("d"), text("e")]];
    assert_eq!((sizes(&[few, more, &[]]), sum(&[2, 3, 4])), ([2, 3, 0], 9));
    let all = ["a", "b", "c", "d", "e"].map(text);
    assert_eq!(pool::<5>(&[few, &[], more]), all);
    assert_eq!(texts_of(leak(Some(all))), all);
    assert!(texts_of::<5>(&None).is_empty());
    assert_eq!(
        defaults(&FIELDS, [0, 3, 1]),
        Cube { mask: 0xff3f | 3 << 70, value: 5 | 0b10 << 4 | 0b01 << 70 },
        "the second has none"
    );
}

#[test]
fn an_optional_part_is_put_together() {
    let first = ["p", "qq", "", "s"].map(text).to_vec().leak();
    let second = ["/", "::"].map(text).to_vec().leak();
    // Bits 0, 1 and 73, which become bits 0 to 2 of an index in this order.
    let gather = BitGather::new([3, 1 << 9], 1 << 61 | 1 << 54, 61);
    let runs = [(0, 2), (73, 1)];
    let parts = [
        GroupPart { texts: first, runs: leak([(0, 1), (1, 1)]) },
        GroupPart { texts: second, runs: leak([(2, 1)]) },
    ];
    let defaults = Cube { mask: 3 | 1 << 73, value: 1 | 1 << 73 };
    let all = ["p/;", "qq/;", "/;", "s/;", "p::;", ";", "::;", "s::;"].map(text);
    assert_eq!(whole::<8>(gather, defaults, &runs, &parts, ";"), Some(all));

    let few = GroupPart { texts: &first[..3], ..parts[0] };
    assert_eq!(whole::<8>(gather, defaults, &runs, &[few, parts[1]], ";"), None);
    // The length of a part, the text after it, and whether 31 bytes are enough for both.
    for (len, behind, fits) in [(30, ";", true), (31, "", true), (31, ";", false)] {
        let long = [text(&"x".repeat(len)), text("y")].to_vec().leak();
        let part = GroupPart { texts: long, runs: leak([(0, 1)]) };
        let never = Cube { mask: 2, value: 2 };
        let gather = BitGather::new([1, 0], 1 << 63, 63);
        let texts = whole::<2>(gather, never, &[(0, 1)], &[part], behind);
        assert_eq!(texts.is_some(), fits, "{len} {behind:?}");
        let behind = GroupPart { texts: leak([text(behind)]), runs: &[] };
        let texts = whole::<2>(gather, never, &[(0, 1)], &[part, behind], "");
        assert_eq!(texts.is_some(), fits, "{len} in two parts");
    }
}

#[test]
fn a_field_may_lie_across_the_middle_of_the_word() {
    let word: u128 = 0x0123_4567_89ab_cdef_fedc_ba98_7654_3210;
    for position in 0..128 {
        for width in 1..=64.min(128 - position) {
            let (piece, mask) = ([Piece::new(position, width)], u64::MAX >> (64 - width));
            let raw = (word >> position) as u64 & mask;
            assert_eq!(extract(&piece, word), raw, "{piece:?}");
            assert_eq!(insert(&piece, 0, u64::MAX), u128::from(mask) << position, "{piece:?}");
            let other = insert(&piece, word, !raw);
            assert_eq!(other ^ word, u128::from(mask) << position, "{piece:?}");
        }
    }
    let pieces = [Piece::new(100, 4), Piece::new(62, 4), Piece::new(0, 4)];
    assert_eq!(insert(&pieces, 0, 0xabc), 0xa << 100 | 0xb << 62 | 0xc);
    assert_eq!(extract(&pieces, 0xa << 100 | 0xb << 62 | 0xc), 0xabc);
}

#[test]
fn text_functions_are_shown_by_what_they_expect() {
    let text = text_of::<Reg>();
    assert!(format!("{text:?}").starts_with("Text { expects: \"a general register"));
}

static NUMBER: Kind = Kind {
    name: "Number",
    doc: "",
    width: 1,
    values: &[
        Value { name: "F16", also: &[], raw: 0, doc: "" },
        Value { name: "BF16", also: &[], raw: 1, doc: "" },
    ],
    reserved: &[],
    text: None,
};
static LANES_TEXT: Text = text_of::<Unsigned<32>>();
static LANES: Kind = kind_of::<Unsigned<32>>("Lanes", "", &LANES_TEXT);
static LANES_FORMAT: Text = format_of::<TwoFloats>();
static IMM: Field =
    Field { kind: &LANES, ..field("imm", &[Piece { position: 0, width: 32 }], Init::Required) };
static FMT: Field =
    Field { kind: &NUMBER, ..field("fmt", &[Piece { position: 32, width: 1 }], Init::Default(1)) };
static LOAD: Syntax = Syntax {
    mnemonic: "LOAD",
    symbols: &["imm", "fmt"],
    after: &[
        Item::Text(" "),
        Item::Slot(Slot { symbol: 0, affixes: &[], suffixes: &[1] }),
        Item::Text(";"),
    ],
    source: "LOAD imm{.fmt};",
    ..SYNTAX
};

static ROW: Opcode = Opcode {
    screen: ValidityCheck::of(128, Cube { mask: 0, value: 0 }, 0, &[]),
    fixed: Cube { mask: 0, value: 0 },
    fields: &[&IMM, &FMT],
    syntax: &LOAD,
    bind: &[0, 1],
    formats: &[Format { field: 0, name: "Lanes", text: &LANES_FORMAT, args: &[1] }],
    ..row("LOAD")
};

static ROWS: [&Opcode; 1] = [&ROW];

fn set(mnemonics: &'static [Mnemonic]) -> InstructionSet {
    InstructionSet {
        name: "Late",
        doc: "",
        bits: 128,
        widths: &[],
        opcodes: &ROWS,
        spellings: &ROWS,
        aliased: &[],
        tree: DecodeTree { root: DecodeRoot::NONE, nodes: &[], entries: &[], general: &[] },
        any_case: false,
        address_bits: 64,
        byte_order: ByteOrder::LittleEndian,
        finder: Finder::NONE,
        mnemonics,
        features: &[],
        enabled: FeatureSet::EMPTY,
    }
}

/// The macro rejects such a template, because the meaning of the operand depends on a later
/// attribute.
#[test]
fn a_setting_behind_the_operand_that_it_decides_about() {
    let set = leak(set(leak([Mnemonic::new("LOAD", &[0], &[])])));
    let read = |text| set.parse(text).map(|parsed| parsed.word()).map_err(|e| e.to_string());
    // In bf16, the default, 1 is 0x3f80; in f16 it would be 0x3c00.
    assert_eq!(read("LOAD 1, -1;"), Ok(0x1_3f80_bf80));
    assert_eq!(read("LOAD 1, -1 .BF16;"), Ok(0x1_3f80_bf80), "as was presumed");
    let late = "expected the modifier before the operand that depends on it";
    assert_eq!(read("LOAD 1, -1 .F16;"), Err(late.to_owned()));
}

#[test]
fn a_list_of_40_mnemonics_helps_and_a_longer_one_does_not() {
    for (count, listed) in [(39, true), (40, true), (41, false), (42, false)] {
        let text = |number| &**leak(format!("A{number}"));
        let mnemonics = (0..count).map(|number| Mnemonic::new(text(number), &[0], &[]));
        let mut mnemonics: Vec<Mnemonic> = mnemonics.collect();
        mnemonics.sort_by_key(|mnemonic| mnemonic.text);
        let set = leak(set(mnemonics.leak()));
        let error = set.parse("XYZXYZ;").unwrap_err().to_string();
        assert_eq!(error.contains("; expected `A0`, `A1`, "), listed, "{count}: {error}");
    }
}

#[test]
fn a_screen_lets_the_legal_words_through() {
    let fixed = Cube { mask: 1 << 70 | 0xf, value: 1 << 70 | 5 };
    let screen = ValidityCheck::of(80, fixed, 0xf0, &[Cube { mask: 0x300, value: 0x300 }]);
    let legal = 1 << 70 | 0x205;
    assert!(screen.passes(legal) && screen.passes(legal | 0x400 | 1 << 79));
    for wrong in [1, 4, 0x10, 0x80, 0x100, 1 << 70, 1 << 80, 1 << 127] {
        assert!(!screen.passes(legal ^ wrong), "{wrong:#x}");
    }
    // The same bit in both halves of the word.
    for wrong in [1 << 6 | 1 << 70, 1 << 16 | 1 << 80] {
        assert!(!screen.passes(legal ^ wrong), "{wrong:#x}");
    }
    let both = ValidityCheck::of(128, Cube { mask: 1 << 65 | 2, value: 2 }, 0, &[]);
    assert!(
        both.passes(2) && !both.passes(1 << 65) && !both.passes(0) && !both.passes(1 << 65 | 2)
    );
}

#[test]
fn a_line_that_is_too_long_is_refused() {
    let text = text_of::<Reg>();
    let known = 512 - 2 * text.max_len;
    let holds = |known, texts: &[&Text]| {
        std::panic::catch_unwind(|| assert_line("ADD", "ADD <Reg>;", known, texts)).is_ok()
    };
    assert!(holds(512, &[]) && holds(known, &[&text, &text]));
    assert!(!holds(513, &[]) && !holds(known + 1, &[&text, &text]));
}

#[test]
fn a_macro_with_another_layout_is_refused() {
    let key = u64::from_le_bytes(*b"ABSDIFF4");
    let mnemonic_key = key ^ u64::from(b'2') << 13 ^ 11 << 58;
    let numbers = [8, 0xfd, 0xff, 32, 255, 6, 0x8000, 64, 31, 8, 8, 254, 64, key, mnemonic_key];
    let holds = |numbers: &[u64]| std::panic::catch_unwind(|| assert_layout(numbers)).is_ok();
    assert!(holds(&numbers));
    assert!(!holds(&numbers[1..]) && !holds(&[&numbers[..], &[0]].concat()));
    for place in 0..numbers.len() {
        let mut other = numbers;
        other[place] += 1;
        assert!(!holds(&other), "number {place}");
    }
}
