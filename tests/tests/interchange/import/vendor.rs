//! A family of 40 opcodes in a vendor's form, with the values file that completes it: the result compiles
//! and has the properties of every set, a later import is a small difference, and mistakes are found at
//! their lines.

use std::fs;

use isa_import::{ImportError, ImportOptions, ImportResult, Source, format};
use isa_verify::Check;

use super::{integer, samples};

const FAMILY: &str = include_str!("integer.txt");
const VALUES: &str = include_str!("integer.toml");

/// Returns the options with a values file.
fn with_values(text: &str) -> ImportOptions<'_> {
    ImportOptions { values: Some(Source { name: "integer.toml", text }), ..Default::default() }
}

fn import(text: &str, options: &ImportOptions<'_>) -> ImportResult {
    let file = Source { name: "integer.txt", text };
    format("defgroup")
        .unwrap()
        .import(&[file], options)
        .unwrap_or_else(|found| panic!("{found:#?}"))
}

/// Returns the errors of a check.
fn errors(text: &str) -> Vec<ImportError> {
    let file = Source { name: "integer.txt", text };
    match format("defgroup").unwrap().check(&[file], &with_values(VALUES)) {
        Ok(errors) | Err(errors) => errors,
    }
}

#[test]
fn a_values_file_completes_a_family() {
    let imported = import(FAMILY, &with_values(VALUES));
    assert_eq!(imported.assumptions, []);
    let path = samples().join("integer.rs");
    if std::env::var_os("ISA_BLESS").is_some() {
        fs::write(&path, &imported.source).unwrap();
    }
    let expected = fs::read_to_string(path).unwrap_or_default();
    assert_eq!(imported.source, expected, "run with ISA_BLESS=1 to write the file again");
    assert_eq!(errors(FAMILY), []);
    // LDG is 13, RI is 1, the guard is PT, and B64 is 5, as in the values file.
    let load: integer::Integer = "LDG.B64 R2, [R4+16];".parse().unwrap();
    let word = 13 | 1 << 8 | 7 << 12 | 2 << 16 | 4 << 24 | 16 << 32 | 5 << 80;
    assert_eq!(load.encode().unwrap(), word);
    assert_eq!(load.to_string(), "LDG.B64 R2, [R4+16];");
    let store: integer::Integer = "@!P1 STG [R4+-8], R2;".parse().unwrap();
    assert_eq!(store.encode().unwrap() >> 32 & 0xff_ffff, 0xff_fff8);
    assert!("STG.S8 [R4+-8], R2;".parse::<integer::Integer>().is_err());
}

#[test]
fn the_family_has_the_properties_of_every_set() {
    Check::<integer::Integer>::new().run();
}

#[test]
fn the_values_file_of_the_first_import_gives_the_same_result() {
    let first = import(FAMILY, &ImportOptions::default());
    let wait = "integer.txt:6:5: assumed that `Wait`, which has 4 bits, is \
                `isa_core::operand::Unsigned<4>`";
    assert!(
        first.assumptions.iter().any(|one| one.to_string() == wait),
        "{:#?}",
        first.assumptions
    );
    let values = first.values.unwrap();
    let second = import(FAMILY, &with_values(&values));
    assert_eq!(second.assumptions, []);
    let notes = [
        "/* name and width are not in the source */",
        "/* the numbers are not in the source */",
        "/* not in the source */",
    ];
    let plain = |source: &str| {
        // Comments mark assumptions, and a short enum without them is on one line.
        let source = notes.iter().fold(source.to_owned(), |text, note| text.replace(note, ""));
        let documented = ["/// A ", "/// Two ", "/// The format "];
        let lines = source.lines().filter(|line| documented.iter().all(|doc| !line.contains(doc)));
        let text: String = lines.collect::<String>().split_whitespace().collect();
        text.replace(",}", "}")
    };
    assert_eq!(plain(&second.source), plain(&first.source));
    assert_eq!(second.values.as_deref(), Some(&*values));
}

#[test]
fn a_later_import_differs_only_in_the_edited_lines() {
    let before = import(FAMILY, &with_values(VALUES)).source;
    assert_eq!(import(FAMILY, &with_values(VALUES)).source, before);
    for (old, new, changed) in [
        ("Carry x = NoX;", "Carry x = X;", 2),
        ("Adds two integers: Rd = Ra + SrcB.", "Adds integers: Rd = Ra + SrcB.", 2),
        // The list, and the enum with the new value.
        ("{.CTA, .GPU, .SYS}", "{.CTA, .GPU, .SYS, .CLUSTER}", 9),
    ] {
        let after = import(&FAMILY.replacen(old, new, 1), &with_values(VALUES)).source;
        let mut old: Vec<&str> = before.lines().collect();
        let is_new = |line: &&str| match old.iter().position(|other| other == line) {
            Some(at) => {
                old.remove(at);
                false
            }
            None => true,
        };
        let new_lines: Vec<&str> = after.lines().filter(is_new).collect();
        assert_eq!(new_lines.len() + old.len(), changed, "{new}: {new_lines:#?} {old:#?}");
    }
}

#[test]
fn imports_of_other_sets_replace_declarations() {
    let options = ImportOptions { uses: &["isa_defs::base::Base"], ..Default::default() };
    let all = import(FAMILY, &options);
    assert!(all.source.contains("    use isa_defs::base::Base;\n"), "{}", all.source);
    assert!(!all.source.contains("\n    operand ") && !all.source.contains("\n    enum "));
    let some =
        VALUES.to_owned() + "\n[use]\n\"isa_defs::base::Base\" = [\"Reg\", \"PModi\", \"not\"]\n";
    let some = import(FAMILY, &with_values(&some)).source;
    for name in ["operand Reg:", "enum PModi:", "affix \"!\""] {
        assert!(!some.contains(name), "{name}");
    }
    assert!(some.contains("operand Pred: 3") && some.contains("enum IType: 1"));
}

#[test]
fn positions_are_comments() {
    let options = ImportOptions { positions: true, ..with_values(VALUES) };
    let source = import(FAMILY, &options).source;
    let line =
        FAMILY.lines().position(|line| line.starts_with("__DefOpcode IMAD_RRI")).unwrap() + 1;
    assert!(source.contains(&format!("    opcode IMAD_RRI : [IMAD] {{ // integer.txt:{line}\n")));
}

/// Mistakes: a text, the text with the mistake, the line (counted from that of the text), and the
/// beginning of the message.
const MISTAKES: [(&str, &str, usize, &str); 30] = [
    (
        "I_MEM : [ALL]",
        "I_MEM : [ALLL]",
        0,
        "no definition has the name `ALLL`; did you mean `ALL`?",
    ),
    (
        "IADD : [I_ARITH]",
        "IADD : [I_ARTIH]",
        0,
        "no definition has the name `I_ARTIH`; did you mean `I_ARITH`?",
    ),
    (
        "field<112, 4> Wait",
        "field<126, 4> Wait",
        0,
        "field out of range: expected 1 to 64 bits in a word of at most 128 bits",
    ),
    (
        "field<112, 4> Wait",
        "field<112, 4> Wiat",
        0,
        "the values file has no `Wiat`; did you mean `Wait`?",
    ),
    (
        "Cache cache = CA",
        "Cahce cache = CA",
        0,
        "the values file has no `Cahce`; did you mean `Cache`?",
    ),
    (
        "Cache cache = CA",
        "Cache cache = CC",
        0,
        "no value `CC` in the list of `.cache`; did you mean `CA`?",
    ),
    ("field<24,  8> Reg ra", "field<20,  8> Reg ra", 0, "[ISA0010] "),
    (
        "field<24,  8> Reg ra",
        "field<24,  8> Reg rd",
        0,
        "[ISA0006] `rd` is declared twice in group `I_ARITH`",
    ),
    (
        "optype == IMUL;",
        "optype == IMULL;",
        0,
        "the values file has no `IMULL`; did you mean `IMUL`?",
    ),
    (
        "_RU : [IADD]\n  __Encoding\n    field< 8,  4> SType stype == RU",
        "_RU : [IADD]\n  __Encoding\n    field< 8,  4> SType stype == RI",
        0,
        "[ISA0031] all encodings of `IADD_RU`",
    ),
    (
        "SrcB{, {!}pp}",
        "SrcB{, {!}pp",
        0,
        "expected tokens with balanced brackets and closed quotes",
    ),
    ("IADD{.X} Rd, {-}Ra", "IADD{.X} Rd, {~}Ra", 0, "[ISA0023] undeclared affix `{~}`"),
    ("IMUL{.half}{.type} Rd", "IMUL{.half}{.half}{.type} Rd", 0, "[ISA0017] `.half`"),
    (
        "(ra.neg==\"True\")",
        "(ra.ng==\"True\")",
        0,
        "[ISA0004] unknown field `ra.ng`; did you mean `ra.neg`?",
    ),
    ("(ra.neg==\"True\")", "(x==\"NoX\")", 0, "[ISA0016] "),
    ("InList<pg, ra, rb, rc>;", "InList<pg, ra, rb, rd>;", 2, "[ISA0021] `rc` is in `Order`"),
    ("Order<pg, rd, ra, rb, rc>;", "Order<pg, rd, ra, rb>;", 0, "[ISA0021] `rc` is an operand of"),
    (
        "InList<pg, ra, cb>;",
        "InList<pg, ra, cc>;",
        0,
        "[ISA0004] `LOP_RC` has no field `cc`; did you mean `cb`?",
    ),
    ("Bitwidth<cb>", "Bitwidth<cx>", 0, "[ISA0004] `LOP_RC` has no field `cx`; did you mean `cb`?"),
    ("OutList<pu, pv>", "OutList<pu, pw>", 0, "[ISA0004] `ISETP_RR` has no field `pw`"),
    (".half = {.LO*, .HI}", ".half = {.LO, .HI*}", 0, "[ISA0026] "),
    (
        ".half = {.LO*, .HI}",
        ".hlaf = {.LO*, .HI}",
        0,
        "[ISA0004] unknown field `hlaf`; did you mean `half`?",
    ),
    (".NE, .GE}", ".NE}", 0, "[ISA0026] "),
    (
        "IADD.X R1, R2",
        "IADD.Y R1, R2",
        0,
        "[ISA0029] no template of optype `IADD` accepts `Y` \
                                           here",
    ),
    ("[R4+16]", "[R4-16]", 0, "[ISA0029] no template of optype `LDG` accepts `-` here"),
    ("[R2+R8], R4;", "[R2+R8, R4;", 0, "expected tokens with balanced brackets and closed quotes"),
    ("__DefOpcode MOV_I ", "__DefOpcode MOV_R ", 0, "[ISA0006] `MOV_R` is declared twice"),
    (
        "  __Encoding",
        "  __Encodign",
        0,
        "expected a heading, found `__Encodign`: write `__Encoding`",
    ),
    ("Scope scope;", "Scope scope", 0, "expected `;` at the end of the statement"),
    (
        "__DefOptype LDC",
        "__DefOptyp LDC",
        0,
        "expected a heading, found `__DefOptyp`: write `__DefOptype`",
    ),
];

#[test]
fn mistakes_are_found_at_their_lines() {
    for (right, wrong, below, message) in MISTAKES {
        let at = FAMILY.find(right).unwrap_or_else(|| panic!("{right}"));
        let line = FAMILY[..at].matches('\n').count() + 1 + below;
        let found = errors(&FAMILY.replacen(right, wrong, 1));
        let is_it = |one: &ImportError| one.line == line && one.message.starts_with(message);
        assert!(found.iter().any(is_it), "{wrong}: expected line {line}, {message}\n{found:#?}");
    }
}

#[test]
fn errors_of_a_values_file_have_places() {
    for (old, new, message) in [
        ("width = 128", "width = \"x\"", "integer.toml:4:9: "),
        ("guards", "guard", "integer.toml:5:1: unknown field `guard`"),
        (
            "\nReg = ",
            "\nRge = ",
            "integer.toml:10:1: no field has the type `Rge`; did you mean `Reg`?",
        ),
        ("HI = 1", "HI = 2", ": expected a number of `MulHalf` below 2, found `HI = 2`"),
        (
            "[enums.PModi]",
            "[nodes.LDQ]\n[enums.PModi]",
            ": no definition has the name `LDQ`; did you mean `LDC`?",
        ),
        (
            "[enums.PModi]",
            "[nodes.LDG]\nencoding = [\"field<0> X x;\"]\n[enums.PModi]",
            "integer.toml:20:20: expected `field<POSITION, WIDTH>",
        ),
    ] {
        assert!(VALUES.contains(old), "{old}");
        let values = VALUES.replacen(old, new, 1);
        let file = Source { name: "integer.txt", text: FAMILY };
        let found = format("defgroup").unwrap().import(&[file], &with_values(&values)).unwrap_err();
        let found: Vec<String> = found.iter().map(ToString::to_string).collect();
        assert!(
            found.iter().any(|one| one.starts_with("integer.toml:") && one.contains(message)),
            "{new}: {found:#?}"
        );
    }
}
