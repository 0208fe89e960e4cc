//! Tests the assertions about operand types in an expansion: two texts differ if their operands
//! begin differently.

use isa_core::operand::{Starts, are_apart, meetings};

use super::tokens;
use crate::check::{self, DisjointnessClaim, TextStart, TokenPatterns};
use crate::diag::Diagnostics;
use crate::{model, syntax};

/// The forms with which the text of each operand type begins, as its Rust type would declare them.
const FORMS: &[(&str, &[&str])] = &[
    ("Reg", &["R0", "RZ"]),
    ("UReg", &["UR0", "URZ"]),
    ("Num", &["0"]),
    ("Count", &["0"]),
    ("Any", &["*"]),
    ("Letter", &["A"]),
    ("Index", &["[0]"]),
];

/// Fields that the templates name, two for most operand types.
const FIELDS: &str = "
    field<4, 2> Reg r = 0; field<6, 2> Reg s = 0; field<8, 2> UReg u = 0; field<10, 2> UReg v = 0;
    field<12, 2> Num n = 0; field<14, 2> Num o = 0; field<16, 2> Count c = 0;
    field<18, 2> Count d = 0; field<20, 2> Any a = 0; field<22, 2> Any b = 0;
    field<24, 2> Mode m = A; field<26, 2> Mode k = A; field<28, 2> Num p = 0; field<30, 2> Num q = 0;
    field<32, 2> Count e = 0; field<34, 2> Count f = 0; field<36, 2> Letter l = 0;
    field<38, 2> Index i = 0;";

/// Returns a set with an opcode for each template. An opcode has the fields whose one-letter names
/// are in its template.
fn set(templates: &[&str]) -> String {
    let mut spec = "isa Toy: u64; operand Reg: 2; operand UReg: 2; operand Num: 2;
        operand Count: 2; operand Any: 2; operand Letter: 2; operand Index: 2; enum Op: 4 { A0 = 0, A1 = 1, A2 = 2, A3 = 3, A4 = 4 }
        enum Mode: 2 { A = 0, B = 1, C = 2 }"
        .to_owned();
    for (number, template) in templates.iter().enumerate() {
        // Quoted parts of a template are literals, not names of fields.
        let named: String = template.split('"').step_by(2).collect();
        let words: Vec<&str> = named.split(|c: char| !c.is_alphanumeric()).collect();
        let has = |line: &&str| {
            let name = line.split('=').next().and_then(|head| head.split_whitespace().last());
            name.is_some_and(|name| words.contains(&name))
        };
        let fields: String = FIELDS.split_inclusive(';').filter(has).collect();
        spec += &format!(
            "opcode OP{number} {{ encoding {{ field<0, 4> Op op == A{number}; {fields} }}
             syntax {{ {template} }} }}"
        );
    }
    spec
}

/// Returns the assertions for a specification, after a check that its errors have these codes.
fn claims(spec: &str, faults: &[&str]) -> Vec<DisjointnessClaim> {
    let mut diag = Diagnostics::default();
    let spec = syntax::parse_spec(tokens(spec), &mut diag);
    let model = model::lower(spec, &mut diag);
    let claims = check::check(&model, &mut diag).claims;
    let messages = diag.messages();
    let codes: Vec<&str> = messages.iter().map(|message| &message[1..8]).collect();
    assert_eq!(codes, faults, "{messages:#?}");
    claims
}

/// Evaluates an assertion as rustc does in the expansion.
fn holds(claim: &DisjointnessClaim) -> bool {
    let forms = |side: &TextStart| -> Vec<&'static str> {
        match &side.forms {
            TokenPatterns::Of(reader) => {
                let known = FORMS.iter().find(|(name, _)| *name == reader.name);
                known.unwrap_or_else(|| panic!("no forms of {}", reader.name)).1.to_vec()
            }
            TokenPatterns::GoingOn(reader) => match &*reader.name {
                // The text of an `Index` ends with a bracket, so it cannot continue as a word.
                "Index" => Vec::new(),
                _ => vec!["_", "0*"],
            },
            TokenPatterns::Given(forms) => forms.iter().map(|form| &*form.clone().leak()).collect(),
        }
    };
    let (mut all, mut steps) = (Vec::new(), Vec::new());
    for step in &claim.steps {
        let first = all.len() as u32;
        all.extend(step.iter().flat_map(|(a, b)| {
            let forms = [forms(a), forms(b)];
            let starts = [Starts::new(&forms[0]), Starts::new(&forms[1])];
            meetings(&starts, &[(&a.prefix, 0, &b.prefix, 1, claim.fold)])
        }));
        steps.push((first..all.len() as u32).collect::<Vec<u32>>());
    }
    let steps: Vec<&[u32]> = steps.iter().map(Vec::as_slice).collect();
    are_apart(&all, &[&steps]) == [true]
}

/// Returns how templates are distinguished: by the macro (`sure`), by the forms of operand types
/// (`told`), or not at all (`alike`).
fn verdict(templates: &[&str]) -> &'static str {
    let claims = claims(&set(templates), &[]);
    match claims.iter().all(holds) {
        _ if claims.is_empty() => "sure",
        true => "told",
        false => "alike",
    }
}

#[test]
fn opcodes_are_told_apart_by_their_operands() {
    for (first, second, expected) in [
        ("GO r;", "GO u;", "told"),
        ("GO r;", "GO a;", "alike"),
        ("GO r, n;", "GO r \"+\" n;", "sure"),
        // Text after two distinct operand types is not significant.
        ("GO r, n;", "GO u \"+\" c;", "told"),
        ("GO n, r;", "GO o, u;", "told"),
        ("GO n, r;", "GO r, n;", "told"),
        ("GO{ r,} n;", "GO u;", "told"),
        ("GO{ a,} n;", "GO u;", "alike"),
        // The end of these operands is unknown.
        ("GO a \"+\";", "GO r \"-\";", "alike"),
        // Numbers of two operand types end at the same position, so the next position is
        // significant.
        ("GO n;", "GO c;", "alike"),
        ("GO n \"+\";", "GO c \"-\";", "told"),
        ("GO n \"+\" o;", "GO c;", "told"),
        ("GO n, r;", "GO c, u;", "told"),
        ("GO n, r;", "GO c, s;", "alike"),
        ("GO n{, r};", "GO c;", "alike"),
        ("GO n \"+\"{ r} \"+\";", "GO c \"+\"{ u} \"-\";", "told"),
        // An assertion has at most four steps.
        ("GO n, o, p, r;", "GO c, d, e, u;", "told"),
        ("GO n, o, p, q, r;", "GO c, d, e, f, u;", "alike"),
    ] {
        assert_eq!(verdict(&[first, second]), expected, "{first} {second}");
        assert_eq!(verdict(&[second, first]), expected, "{second} {first}");
    }
}

#[test]
fn an_operand_is_told_from_fixed_text() {
    for (operand, text, expected) in [
        ("GO r;", "GO \"RX\";", "told"),
        ("GO r;", "GO \"R\";", "told"),
        ("GO r;", "GO \"RZ\";", "alike"),
        ("GO r;", "GO \"rz\";", "told"),
        ("GO r;", "GO \"R5\";", "alike"),
        ("GO r \"+\";", "GO \"R5\" \"-\";", "alike"),
        ("GO r;", "GO;", "told"),
        ("GO u;", "GO \"U\" r;", "alike"),
        ("GO u;", "GO \"V\" r;", "told"),
        ("GO u, n;", "GO \"U\" r, o;", "alike"),
        ("GO r;", "GO $m;", "told"),
        ("GO a;", "GO $m;", "alike"),
        ("GO a;", "GO;", "alike"),
        ("GO n \"+\" r;", "GO \"5\" \"+\" u;", "alike"),
        // A literal dot may also be the dot of a modifier.
        ("GO \"+\" l{.m};", "GO \"+\" $k \".x\";", "alike"),
        ("GO \"+\" l;", "GO \"+\" $k \".x\";", "told"),
    ] {
        assert_eq!(verdict(&[operand, text]), expected, "{operand} {text}");
        assert_eq!(verdict(&[text, operand]), expected, "{text} {operand}");
    }
}

#[test]
fn modifiers_of_a_kind_are_told_apart() {
    for (first, second, expected) in [
        ("GO.r;", "GO.u;", "told"),
        ("GO.r;", "GO.a;", "alike"),
        ("GO.r;", "GO.m;", "told"),
        ("GO.a;", "GO.m;", "alike"),
        ("GO.a;", "GO;", "sure"),
        ("GO.r.m;", "GO.k.u;", "told"),
        ("GO.r.m;", "GO.k.b;", "alike"),
        ("GO.r.s;", "GO.u;", "sure"),
        ("GO.r{.s};", "GO.u{.k};", "told"),
    ] {
        assert_eq!(verdict(&[first, second]), expected, "{first} {second}");
        assert_eq!(verdict(&[second, first]), expected, "{second} {first}");
    }
}

#[test]
fn two_values_of_a_kind_need_no_claim() {
    for template in ["GO.r;", "GO r;"] {
        let fixed = |value: u32| {
            format!(
                "opcode OP{value} {{ encoding {{ field<0, 4> Op op == A{value};
                 field<4, 2> Reg r == {value}; }} syntax {{ {template} }} }}"
            )
        };
        assert!(claims(&(set(&[]) + &fixed(1) + &fixed(2)), &[]).is_empty(), "{template}");
    }
}

#[test]
fn what_may_be_left_out_is_told_from_what_follows() {
    for (template, expected) in [
        ("GO{ u} r;", "told"),
        ("GO{ a} r;", "alike"),
        ("GO{ r};", "told"),
        ("GO{ a};", "alike"),
        ("GO r{, a};", "sure"),
        ("GO{ n} \"5\";", "alike"),
        ("GO{ r} \"rz\";", "alike"),
        ("GO{ u} \"U\" r;", "alike"),
        ("GO{.r}{.u};", "told"),
        ("GO{.r}{.a};", "alike"),
        ("GO{.r}.m;", "told"),
        ("GO{.a}.m;", "alike"),
        ("GO.m{.a};", "sure"),
    ] {
        assert_eq!(verdict(&[template]), expected, "{template}");
    }
}

#[test]
fn a_claim_is_made_once() {
    let count = |templates: &[&str]| claims(&set(templates), &[]).len();
    assert_eq!(count(&["GO r;", "GO u;", "TO s;", "TO v;"]), 1);
    assert_eq!(count(&["GO r;", "GO u;", "TO s;", "TO n;"]), 2);
    // The case-sensitive and the case-insensitive assertion count separately.
    assert_eq!(count(&["GO r;", "GO u;", "TO{ r} u;"]), 2);
}

#[test]
fn a_claim_says_what_fails() {
    let message = |templates: &[&str]| claims(&set(templates), &[]).remove(0).message;
    let forms = |kinds: &str| {
        format!(
            "\nhelp: declare in the constant `FORMS` of {kinds} how the text begins; text after \
             a form that ends in `*` is not compared"
        )
    };
    let two = "[ISA0025] `OP1` and `OP0` accept the same assembly text: `<Reg>` and `<UReg>` can begin \
         in the same way";
    assert_eq!(message(&["GO r;", "GO u;"]), two.to_owned() + &forms("`Reg` and of `UReg`"));
    let text = "[ISA0025] `OP1` and `OP0` accept the same assembly text: `<Reg>` and `RX;` can \
                begin in the same way";
    assert_eq!(message(&["GO r;", "GO \"RX\";"]), text.to_owned() + &forms("`Reg`"));
    let names = "[ISA0025] `OP1` and `OP0` accept the same assembly text: `<Reg>` and `A`, `B`, `C` can \
         begin in the same way";
    assert_eq!(message(&["GO.r;", "GO.m;"]), names.to_owned() + &forms("`Reg`"));
    let prefix = "[ISA0025] `OP1` and `OP0` accept the same assembly text: `<UReg>` and `V<Reg>` can \
         begin in the same way";
    assert_eq!(
        message(&["GO u;", "GO \"V\" r;"]),
        prefix.to_owned() + &forms("`UReg` and of `Reg`")
    );
    let slots = "[ISA0024] the same text could be `r` or `u`, because the first is optional: \
                 `<Reg>` and `<UReg>` can begin in the same way";
    assert_eq!(message(&["GO{.r}{.u};"]), slots.to_owned() + &forms("`Reg` and of `UReg`"));
    let part = "[ISA0040] the template of `OP0` does not round-trip: a `UReg` is optional, but \
                the text without it may continue in the same way: `<UReg>` and `<Reg>` can begin \
                in the same way";
    assert_eq!(message(&["GO{ u} r;"]), part.to_owned() + &forms("`UReg` and of `Reg`"));
    // If the optional group and the following items begin with the same text, it precedes both.
    assert_eq!(message(&["GO{, u}, r;"]), part.to_owned() + &forms("`UReg` and of `Reg`"));
    assert_eq!(message(&["GO r{, u}{, n}, s;"]).split('`').nth(3), Some("UReg"));
    let names = "[ISA0040] the template of `OP0` does not round-trip: `A`, `B`, `C` is optional, \
                 but the text without it may continue in the same way: `A` and `<Reg>` can begin \
                 in the same way";
    assert_eq!(message(&["GO $m r;"]), names.to_owned() + &forms("`Reg`"));
}

/// After a word without a space, nothing may begin with a letter or a digit.
#[test]
fn what_prints_directly_behind_a_word_is_told_from_it() {
    for (template, expected) in [
        ("GO _ r;", "alike"),
        ("GO _ n;", "alike"),
        ("GO _ a;", "alike"),
        ("GO r;", "sure"),
        ("GO \"(\" _ r \")\";", "sure"),
        ("GO{ r,} _ n;", "alike"),
        // A literal has a known end.
        ("GO r, \"x\" n;", "sure"),
        ("GO m _ r;", "alike"),
        ("GO m r;", "sure"),
        ("GO{.m} _ r;", "alike"),
        ("GO r _ s;", "alike"),
        ("GO n _ r;", "alike"),
        ("GO r _ m;", "alike"),
        ("GO r _ \"x\" s;", "alike"),
        ("GO r{, i} _ s;", "alike"),
        ("GO r{.m} _ s;", "alike"),
        ("GO r _ i;", "told"),
        ("GO i _ r;", "told"),
        ("GO i _ m;", "told"),
        ("GO i _ \"x\" r;", "told"),
        ("GO i.m _ r;", "alike"),
        ("GO r _ \"+\" s;", "sure"),
        // `//` and `/*` start comments.
        ("GO r \"/\" n;", "told"),
        ("GO r \"/\" _ a;", "alike"),
        ("GO r \"/\"{ i} n;", "told"),
        ("GO r \"/\", a;", "sure"),
        // A mnemonic is a word as well.
        ("{@r _} GO n;", "alike"),
        ("{@i _} GO n;", "told"),
        ("{@r} GO n;", "sure"),
    ] {
        assert_eq!(verdict(&[template]), expected, "{template}");
    }
}

/// A word followed by `:` is a label, unless it begins with a digit or a punctuation mark.
#[test]
fn an_operand_that_begins_a_text_is_no_label() {
    for (template, expected) in [
        ("_ r \":\" n;", "alike"),
        ("_ a \":\" n;", "alike"),
        ("_ n \":\" r;", "told"),
        ("_ i \":\" r;", "told"),
        ("_ \"[\" r \"]\" \":\" n;", "sure"),
        ("_ n, r \":\" s;", "sure"),
        ("_{ r,} n \":\";", "told"),
    ] {
        assert_eq!(verdict(&[template]), expected, "{template}");
    }
    let faults = super::faults(&set(&["_ m \":\" n;"]));
    assert!(faults[0].contains("a word before `:` is parsed as a label"), "{faults:#?}");
}

/// Names and literals that continue the word before them are errors. No operand type is needed to
/// detect them.
#[test]
fn words_that_print_as_one_are_refused() {
    for (template, [word, next]) in [
        ("GO _ m;", ["GO", "A"]),
        ("GO _ \"x\" r;", ["GO", "x"]),
        ("GO m _ k;", ["A", "A"]),
        ("GO{.m} _ k;", ["GO", "A"]),
        ("GO{ r,} _ m;", ["GO", "A"]),
        ("\"GO.\" _ \"x\" r;", ["GO.", "x"]),
    ] {
        let faults = super::faults(&set(&[template]));
        let parts = format!(
            "`{word}` is printed directly before `{next}`, and both are parsed as one word"
        );
        assert!(faults.len() == 1 && faults[0].contains(&parts), "{template}: {faults:#?}");
    }
    for (template, next) in [("GO r \"/\" _ \"*\" s;", "*"), ("GO r \"/\" _{ \"+\"} \"/x\";", "/")]
    {
        let faults = super::faults(&set(&[template]));
        let parts =
            format!("`/` is printed directly before `{next}`, and `//` and `/*` begin comments");
        assert!(faults.len() == 1 && faults[0].contains(&parts), "{template}: {faults:#?}");
    }
    for template in ["GO m k;", "GO{.m} k;", "GO _ \"(\" m \")\";", "GO r \"x\" m;"] {
        assert_eq!(super::faults(&set(&[template])), [""; 0], "{template}");
    }
}
