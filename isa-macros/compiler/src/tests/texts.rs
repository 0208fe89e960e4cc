//! Tests the rules about assembly text: texts that two opcodes share, and texts that do not
//! round-trip.

use super::faults;

/// Returns the errors of a set of 32-bit words with registers, enumerations and these opcodes.
fn toy(opcodes: &str) -> Vec<String> {
    faults(&format!(
        "pub isa Toy: u32;
         operand Reg: 4 = isa_core::operand::Reg;
         operand UReg: 4 = isa_defs::base::UReg;
         format Lanes = isa_defs::base::CvtFImm;
         enum Mode: 2 {{ A = 0, B = 1, C = 2 }}
         enum Other: 2 {{ C = 0, D = 1, E = 2 }}
         enum Bit: 1 {{ OFF = 0, ON = 1 }}
         enum Long: 2 {{ AB = 0, ABC = 1 }}
         enum Odd: 1 {{ plain = 0, größe = 1 }}
         enum Wide: 1 {{ \"8b\" = 0, E = 1 }}
         affix \"-\" = neg;
         affix \"!\" = not;
         affix \"--\" = dec;
         affix \"|\" \"|\" = abs;
         {opcodes}"
    ))
}

/// The fields that the templates of the tests name.
const FIELDS: &str = "
    field<4, 4> Reg ra; field<8, 4> Reg rb = RZ; field<12, 4> Reg rc;
    field<16, 2> Mode m = A; field<18, 2> Mode n = A; field<20, 2> Mode o; field<22, 2> Other x = C;";

/// Returns an opcode with this template and the chosen fields.
fn opcode(number: u32, fields: &str, template: &str) -> String {
    let chosen: Vec<&str> = fields.split_whitespace().collect();
    let lines = FIELDS.split_inclusive(';').filter(|line| {
        let name = line.split(['=', ';']).next().and_then(|head| head.split_whitespace().last());
        name.is_some_and(|name| chosen.contains(&name))
    });
    let lines: String = lines.collect();
    format!(
        "opcode OP{number} {{ encoding {{ field<0, 2> Mode op == {number}; {lines} }}
         syntax {{ {template} }} }}"
    )
}

/// Returns the errors of a set of opcodes with these templates.
fn faults_of(templates: &[(&str, &str)]) -> Vec<String> {
    let opcodes = templates.iter().enumerate();
    toy(&opcodes.map(|(i, (fields, text))| opcode(i as u32, fields, text)).collect::<String>())
}

/// Returns the text at the end of the first line of a message.
fn shown(message: &str) -> Option<String> {
    message.lines().next()?.split('`').nth_back(1).map(str::to_owned)
}

/// Returns the text that two templates share.
fn shared(first: (&str, &str), second: (&str, &str)) -> Option<String> {
    let faults = faults_of(&[first, second]);
    let line = faults.first()?;
    assert!(line.starts_with("[ISA0025]") && faults.len() == 2, "{faults:#?}");
    shown(line)
}

#[test]
fn opcodes_of_one_text_are_one_fault() {
    let texts = |count| faults_of(&vec![("ra", "X ra;"); count]);
    let two = texts(2);
    assert_eq!(two.len(), 2, "{two:#?}");
    assert!(
        two[0].contains("`OP1` and `OP0` accept the same assembly text: `X <Reg>;`"),
        "{two:#?}"
    );
    let three = texts(3);
    assert_eq!(three.len(), 2, "{three:#?}");
    let said = "`OP2` accepts the same assembly text as `OP0`, `OP1`: `X <Reg>;`";
    assert!(three[0].contains(said), "{three:#?}");
}

#[test]
fn one_opcode_that_accepts_the_texts_of_others_is_one_fault() {
    let code = |name: &str, fields: &str| {
        format!("opcode {name} : [G] {{ encoding {{ {fields} }} syntax {{ X.m; }} }}")
    };
    let others: String =
        ["A", "B", "C"].map(|m| code(m, &format!("op == {m}; m == {m};"))).concat();
    let group = "group G { encoding { field<0, 2> Mode op; field<2, 2> Mode m; } }";
    let more = "enum Last: 1 { LAST = 1 }";
    let last = "opcode OP { encoding { field<0, 1> Last l == LAST; field<1, 1> Bit b == ON;
        field<2, 2> Mode m; } syntax { X.m; } }";
    let all = toy(&format!("{more} {group} {others} {last}"));
    assert_eq!(all.len(), 2, "{all:#?}");
    let said = "`OP` accepts assembly text that `A`, `B`, `C` also accept, such as `X.A;`";
    assert!(all[0].contains(said), "{all:#?}");
}

#[test]
fn what_has_no_word_of_its_own_needs_no_text_of_its_own() {
    let set = |group: &str, own: &str| {
        toy(&format!(
            "group G {{ encoding {{ field<0, 2> Mode op; }} {group} }}
             opcode A : [G] {{ encoding {{ op == A; }} {own} }} opcode B : [G] {{ {own} }}"
        ))
    };
    let shared = set("syntax { X.op; }", "");
    assert!(shared.len() == 2 && shared[0].starts_with("[ISA0031]"), "{shared:#?}");
    // If two templates are equal by mistake, that is a separate error.
    let apart = set("", "syntax { X.op; }");
    assert!(apart.len() == 4 && apart[2].starts_with("[ISA0025]"), "{apart:#?}");
}

#[test]
fn what_cannot_be_read_back_is_reported_of_every_template() {
    let template = |mnemonic| format!("{mnemonic} {{ra}} rb;");
    let (x, y) = (template("X"), template("Y"));
    let faults = faults_of(&[("ra rb", &x), ("ra rb", &y)]);
    let unread = faults.iter().filter(|fault| fault.contains("`Reg` is optional, but"));
    assert_eq!(unread.count(), 2, "{faults:#?}");
}

#[test]
fn modifiers_tell_apart_where_one_must_stand() {
    assert_eq!(shared(("ra o", "SET.o ra;"), ("ra", "SET ra;")), None);
    assert_eq!(shared(("ra m", "SET{.m} ra;"), ("ra", "SET ra;")).unwrap(), "SET <Reg>;");
    assert_eq!(shared(("ra o", "SET.o ra;"), ("ra m", "SET{.m} ra;")).unwrap(), "SET.A <Reg>;");
    assert_eq!(shared(("ra o", "SET.o ra;"), ("ra x", "SET{.x} ra;")).unwrap(), "SET.C <Reg>;");
    assert_eq!(shared(("ra o", "SET.o ra;"), ("ra x", "SET{.D}{.E} ra;")), None);
}

#[test]
fn optional_parts_and_marks_are_seen() {
    let pair = ("ra rb", "ADD ra{, rb};");
    assert_eq!(shared(pair, ("ra", "ADD ra;")).unwrap(), "ADD <Reg>;");
    assert_eq!(shared(pair, ("ra rc", "ADD ra, rc;")).unwrap(), "ADD <Reg>, <Reg>;");
    assert_eq!(shared(pair, ("ra rc", "ADD ra \"+\" rc;")), None);
    assert_eq!(shared(("ra", "ADD ra \"up\";"), ("ra", "ADD ra \"upper\";")), None);
    assert_eq!(shared(("m", "GO $m;"), ("", "GO \"B\";")).unwrap(), "GO B;");
    assert_eq!(shared(("m", "GO $m;"), ("", "GO \"BC\";")), None, "names are whole words");
    assert_eq!(shared(("m x", "GO $m $x;"), ("", "GO \"B D\";")).unwrap(), "GO B D;");
    assert_eq!(shared(("m x", "GO $m $x;"), ("", "GO \"BD\";")), None, "a word is in one piece");
}

#[test]
fn the_end_of_one_is_not_the_start_of_another() {
    assert!(shared(("ra", "ADD ra"), ("ra", "ADD ra;")).is_some());
    assert!(shared(("ra", "ADD ra"), ("ra", "ADD ra")).is_some());
}

#[test]
fn a_mnemonic_with_dots_is_not_one_with_modifiers() {
    let line = faults_of(&[("ra m", "BRA{.m} ra;"), ("rc", "\"BRA.B\" rc;")]);
    assert!(line[0].contains("`BRA.B` is the mnemonic of `OP1`, but also `BRA` with"), "{line:#?}");
    assert_eq!(faults_of(&[("ra m", "BRA{.m} ra;"), ("rc", "\"BRA.D\" rc;")]), [""; 0]);
    assert_eq!(faults_of(&[("ra m", "BRA{.m} ra;"), ("rc", "\"BRA.B.B\" rc;")]), [""; 0]);
}

/// Returns the code of the only error of a template, or an empty string. `tests/language` also
/// tests each template without an error.
fn code(fields: &str, template: &str) -> String {
    let faults = faults_of(&[(fields, template)]);
    assert!(faults.len() <= 1, "{template}: {faults:#?}");
    faults.first().map_or(String::new(), |line| line[1..8].to_owned())
}

#[test]
fn templates_that_are_not_read_back() {
    let refused = [
        ("ra rb rc", "ADD ra{, rb}, rc;"),
        ("ra rb rc", "ADD ra{rb} rc;"),
        ("ra m", "ADD ra \".x\" $m;"),
        ("ra m", "ADD \".x\" ra $m;"),
        ("ra", "ADD ra \"//\";"),
        ("ra", "ADD ra \"/\" \"*\";"),
        ("ra", "ADD ra \"\\t\";"),
        ("ra m", "ADD.B ra;"),
        ("ra m", "ADD{.B} ra;"),
        ("ra o", "ADD{.o} ra;"),
        ("ra o", "ADD ra $o;"),
        ("ra rc", "ADD ra{, rc};"),
        ("ra m", "ADD ra $m \"B\";"),
    ];
    for (fields, template) in refused {
        assert_eq!(code(fields, template), "ISA0040", "{template}");
    }
}

#[test]
fn templates_that_are_read_back() {
    let right = [
        ("ra rb rc", "ADD ra{, rb} \"+\" rc;"),
        ("ra rb rc", "ADD ra{, rb \":\"} \"+\" rc;"),
        ("ra rb", "ADD ra{rb};"),
        ("ra m", "ADD \"[\" \".x\" ra $m;"),
        ("ra", "ADD ra \"/\" \" \" \"/\";"),
        ("ra rb", "{@rb} ADD ra;"),
        ("ra m", "ADD{.B}{.C} ra;"),
        ("ra m", "ADD ra $m \"D\";"),
        ("ra o n", "ADD.o{.n} ra;"),
        ("ra o m", "ADD.o ra $m;"),
    ];
    for (fields, template) in right {
        assert_eq!(faults_of(&[(fields, template)]), [""; 0], "{template}");
    }
}

#[test]
fn a_modifier_is_the_first_slot_that_takes_it() {
    assert_eq!(code("ra m n", "ADD{.m}{.n} ra;"), "ISA0024");
    assert_eq!(code("ra m o", "ADD{.m}.o ra;"), "ISA0024");
    assert_eq!(code("ra m o", "ADD.o{.m} ra;"), "");
    assert_eq!(code("ra m x", "ADD{.m}{.D} ra;"), "ISA0040", "`x` can be `E`");
    assert_eq!(code("ra m x", "ADD{.m}{.x} ra;"), "", "`C` is the default of `x`, and not printed");
    assert_eq!(code("ra m x", "ADD{.x}{.m} ra;"), "ISA0024");
    assert_eq!(code("ra m n", "ADD ra $m $n;"), "ISA0024");
}

#[test]
fn fixed_fields_and_exceptions_count() {
    let spec = |init: &str, exception: &str| {
        toy(&format!(
            "opcode OP {{
                encoding {{ field<0, 2> Mode m = A; field<2, 2> Mode n {init}; }}
                syntax {{ OP{{.m}}{{.n}}; }} {exception}
            }}"
        ))
    };
    assert_eq!(spec("= A", "").len(), 1);
    assert_eq!(spec("== A", "").len(), 1);
    let excluded = "exception { EncodingError<Illegal, \"n needs m\"> = m == A and n != A; }";
    assert_eq!(spec("= A", excluded), [""; 0]);
}

#[test]
fn marks_that_begin_alike_are_not_read_back() {
    let spec = toy(
        "opcode OP {
            encoding { field<0, 4> Reg ra; field<4, 1> Bit ra.neg = OFF; field<5, 1> Bit ra.dec = OFF; }
            syntax { OP {-}{--}ra; }
        }",
    );
    assert!(spec.len() == 1 && spec[0].starts_with("[ISA0040]"), "{spec:#?}");
    let swapped = "opcode OP {
        encoding { field<0, 4> Reg ra; field<4, 1> Bit ra.neg = OFF; field<5, 1> Bit ra.dec = OFF; }
        syntax { OP {--}{-}ra; }
    }";
    assert_eq!(toy(swapped), [""; 0]);
}

#[test]
fn names_that_are_no_words() {
    let spec = toy("opcode OP { encoding { field<0, 1> Odd odd = plain; } syntax { OP{.odd}; } }
         opcode ÖP { encoding { field<0, 2> Mode m == C; } syntax { ÖP; } }");
    let codes: Vec<&str> = spec.iter().map(|line| &line[..9]).collect();
    assert_eq!(codes, ["[ISA0017]", "[ISA0040]"], "{spec:#?}");
}

#[test]
fn a_format_reads_what_stands_before_it() {
    let spec = |template: &str| {
        toy(&format!(
            "opcode OP {{
                encoding {{ field<0, 4> Reg ra; field<4, 2> Mode m = A; }}
                syntax {{ {template} }}
                operands {{ InList<ra>; OutList<>; Order<ra>; AsmFormat<ra> = Lanes(ra, m); }}
            }}"
        ))
    };
    assert_eq!(spec("OP{.m} ra;"), [""; 0]);
    let faults = spec("OP ra $m;");
    assert!(faults.len() == 1 && faults[0].contains("depends on `m`"), "{faults:#?}");
}

#[test]
fn a_shared_text_is_shown_as_it_is_written() {
    let same = |fields: &'static str, template: &'static str| {
        shared((fields, template), (fields, template))
    };
    assert_eq!(same("ra rc", "ADD ra rc;").unwrap(), "ADD <Reg> <Reg>;");
    assert_eq!(same("ra", "ADD \"+\" ra;").unwrap(), "ADD +<Reg>;");
    assert_eq!(same("ra rc", "ADD ra \"+\" rc;").unwrap(), "ADD <Reg>+<Reg>;");
    assert_eq!(same("ra rc", "ADD \"up\" ra, rc;").unwrap(), "ADD up <Reg>, <Reg>;");
    assert_eq!(same("ra rb", "{@rb} ADD ra;").unwrap(), "ADD <Reg>;");
}

/// Returns the text that two opcodes with these fields and this template share.
fn shared_by(fields: [&str; 2], template: &str) -> Option<String> {
    let opcode = |number: usize| {
        format!(
            "opcode OP{number} {{ encoding {{ field<30, 1> Bit op == {number}; {} }}
             syntax {{ {template} }} }}",
            fields[number]
        )
    };
    let faults = toy(&(opcode(0) + &opcode(1)));
    let line = faults.first()?;
    assert!(line.starts_with("[ISA0025]") && faults.len() == 2, "{faults:#?}");
    shown(line)
}

#[test]
fn a_fixed_value_has_a_text_of_its_own() {
    let reg = |init: &str| format!("field<0, 4> Reg ra {init};");
    let mode = |init: &str| format!("field<0, 2> Mode m {init};");
    let shares = |a: &String, b: &String, template: &str| shared_by([a, b], template);
    for (template, text) in [("GO ra;", "GO <Reg>;"), ("GO.ra;", "GO.<Reg>;")] {
        assert_eq!(shares(&reg("== 1"), &reg("== 2"), template), None, "{template}");
        assert_eq!(shares(&reg("== 1"), &reg("== 1"), template).as_deref(), Some(text));
        assert_eq!(shares(&reg("== 1"), &reg(""), template).as_deref(), Some(text));
        assert_eq!(shares(&reg(""), &reg("== 1"), template).as_deref(), Some(text));
    }
    for (template, text) in [("GO m;", "GO B;"), ("GO.m;", "GO.B;")] {
        assert_eq!(shares(&mode("== A"), &mode("== B"), template), None, "{template}");
        assert_eq!(shares(&mode("== B"), &mode("== B"), template).as_deref(), Some(text));
        assert_eq!(shares(&mode("== B"), &mode(""), template).as_deref(), Some(text));
    }
}

/// `.8b` alone would be parsed as the start of a number and rejected.
#[test]
fn a_common_text_is_text_of_both_opcodes() {
    let faults = toy("group G {
             encoding { field<0, 4> UReg m = 0; field<4, 1> Wide n = \"8b\"; }
             syntax { GO.k{.m}{.n}; }
         }
         opcode A : [G] { encoding { field<30, 1> Bit op == 0; } }
         opcode B : [G] { encoding { field<30, 1> Bit op == 1; field<5, 1> Wide k == \"8b\"; } }");
    assert!(faults[0].contains("accept the same assembly text: `GO.<UReg>.8b;`"), "{faults:#?}");
    // `.E` alone could be parsed as the name of a label.
    let faults = toy("operand Goal: 4 = isa_core::operand::Relative<4>;
         group G {
             encoding { field<0, 4> Goal m = 0; field<4, 1> Wide n; }
             syntax { GO{.m}.n; }
         }
         opcode A : [G] { encoding { field<30, 1> Bit op == 0; } }
         opcode B : [G] { encoding { field<30, 1> Bit op == 1; } }");
    assert!(faults[0].contains("accept the same assembly text: `GO.<Goal>.E;`"), "{faults:#?}");
}

#[test]
fn a_fixed_mark_stands_or_does_not() {
    let neg = |init: &str| format!("field<0, 4> Reg ra; field<4, 1> Bit ra.neg {init};");
    let template = "GO {-}ra;";
    assert_eq!(shared_by([&neg("== OFF"), &neg("== ON")], template), None);
    assert_eq!(shared_by([&neg("== ON"), &neg("== ON")], template).unwrap(), "GO -<Reg>;");
    assert_eq!(shared_by([&neg("== OFF"), &neg("== OFF")], template).unwrap(), "GO <Reg>;");
    assert_eq!(shared_by([&neg("== ON"), &neg("= OFF")], template).unwrap(), "GO -<Reg>;");
    let suffix = |init: &str| format!("field<0, 4> Reg ra; field<4, 2> Mode ra.m {init};");
    assert_eq!(shared_by([&suffix("== B"), &suffix("")], "GO ra.m;").unwrap(), "GO <Reg>.B;");
}

#[test]
fn names_are_whole_words() {
    let both = |template: [&str; 2], fields: [&str; 2]| {
        toy(&format!(
            "opcode A {{ encoding {{ field<30, 1> Bit op == 0; {} }} syntax {{ {} }} }}
             opcode B {{ encoding {{ field<30, 1> Bit op == 1; {} }} syntax {{ {} }} }}",
            fields[0], template[0], fields[1], template[1]
        ))
    };
    let (mode, long) = ("field<0, 2> Mode m;", "field<0, 2> Long w;");
    assert_eq!(both(["GO m \"B\";", "GO w;"], [mode, long]), [""; 0], "`A B` and `AB`");
    assert_eq!(both(["GO m \"B\";", "GO \"AB\";"], [mode, ""]), [""; 0], "`A B` and `AB`");
    assert_eq!(both(["GO \"A\" m;", "GO \"AB\";"], [mode, ""]).len(), 2, "no blank is needed");
    assert_eq!(both(["GO m \"B\";", "GO \"A B\";"], [mode, ""]).len(), 2, "two words");
    assert_eq!(both(["GO m \"BC\";", "GO w \"C\";"], [mode, long]), [""; 0]);
    assert_eq!(
        both(["GO w;", "GO w;"], [long, long]).len(),
        2,
        "the letters of a name stand together"
    );
    // An optional item is not a prefix of the following items.
    let left_out = |template: &str| {
        toy(&format!(
            "opcode A {{ encoding {{ field<0, 2> Mode m = A; field<2, 2> Long w; }}
             syntax {{ {template} }} }}"
        ))
    };
    assert_eq!(left_out("GO{ m} w;"), [""; 0]);
    assert_eq!(left_out("GO{ m} \"A\" w;").len(), 1);
    assert_eq!(left_out("GO{ m} \"Ay\" w;"), [""; 0], "a word stands in one piece");
}

#[test]
fn many_settings_are_compared() {
    let fields: String = (0..7).map(|n| format!("field<{}, 2> Mode s{n} = A;", 2 * n)).collect();
    let settings: String = (0..7).map(|n| format!(" $s{n}")).collect();
    // Names that are equal within one list are a different error.
    let faults = |ends: [&str; 2]| {
        let opcode = |n: usize| {
            format!(
                "opcode OP{n} {{ encoding {{ field<30, 1> Bit op == {n}; {fields} }}
                 syntax {{ GO \"+\"{settings} \"{}\"; }} }}",
                ends[n]
            )
        };
        let faults = toy(&(opcode(0) + &opcode(1)));
        faults.iter().filter(|fault| fault.starts_with("[ISA0025]")).count()
    };
    assert_eq!(faults(["x", "y"]), 0);
    assert_eq!(faults(["x", "x"]), 2);
}

#[test]
fn suffixes_and_marks_that_may_be_left_out() {
    let both = |one: (&str, &str), two: (&str, &str)| {
        let opcode = |number: u32, (fields, template): (&str, &str)| {
            format!(
                "opcode OP{number} {{ encoding {{ field<30, 1> Bit op == {number};
                 field<0, 4> Reg ra; {fields} }} syntax {{ {template} }} }}"
            )
        };
        let faults = toy(&(opcode(0, one) + &opcode(1, two)));
        let line = faults.first()?;
        assert!(line.starts_with("[ISA0025]") && faults.len() == 2, "{faults:#?}");
        shown(line)
    };
    let (optional, mandatory) = ("field<4, 2> Mode ra.m = A;", "field<4, 2> Mode ra.m;");
    assert_eq!(both((mandatory, "GO ra.m;"), ("", "GO ra;")), None);
    assert_eq!(both((optional, "GO ra.m;"), ("", "GO ra;")).unwrap(), "GO <Reg>;");
    let bars = ("field<4, 1> Bit ra.abs = OFF;", "GO {|}ra{|};");
    assert_eq!(both(bars, ("", "GO \"|\" ra;")), None);
    assert_eq!(both(bars, ("", "GO ra \"|\";")), None);
    assert_eq!(both(bars, ("", "GO \"|\" ra \"|\";")).unwrap(), "GO |<Reg>|;");
}

#[test]
fn what_stands_before_a_mnemonic_is_told_from_it() {
    let with = |before: &str, other: &str| {
        let lock = if before.contains("lk") { "field<9, 1> Lock lk = free;" } else { "" };
        let fields = format!("field<4, 4> Reg pg = RZ; field<8, 1> Bit pg.not = OFF; {lock}");
        toy(&format!(
            "enum Lock: 1 {{ free = 0, lock = 1 }}
            opcode OP {{
                encoding {{
                    field<0, 4> Reg ra; {fields} field<31, 1> Bit op == OFF;
                }}
                syntax {{ {before} GO ra; }}
            }}
            opcode ELSE {{
                encoding {{ field<0, 4> Reg ra; field<31, 1> Bit op == ON; }} syntax {{ {other} ra; }}
            }}"
        ))
    };
    for before in ["{@{!}pg}", "{\"(\" {!}pg \")\"}", "{lk} {@{!}pg}", "{\"if\" \"(\" {!}pg \")\"}"]
    {
        assert_eq!(with(before, "STOP"), [""; 0], "{before}");
    }
    let refused = |before: &str, other: &str, word: &str| {
        let faults = with(before, other);
        assert!(faults.len() == 1 && faults[0].starts_with("[ISA0040]"), "{faults:#?}");
        assert!(faults[0].contains(word), "{faults:#?}");
    };
    refused("{lk} {@{!}pg}", "lock", "`lock` can precede the mnemonic of `OP`");
    refused("{\"if\" \"(\" {!}pg \")\"}", "if", "`if` can precede");
    refused("{{!}pg}", "STOP", "begins with an operand");
    refused("{@{!}pg}", "@ STOP", "`@` is followed by the mnemonic of `ELSE`");
}

#[test]
fn a_part_that_begins_as_what_follows_is_told_by_its_operand() {
    for (fields, template) in [
        ("ra m rb", "ADD ra{, m}, rb;"),
        ("ra m rb", "ADD ra{\"+\" m}\"+\" rb;"),
        ("ra m rb n", "ADD ra{\"+\" \"[\" m {, n}}\"+\" rb;"),
    ] {
        assert_eq!(faults_of(&[(fields, template)]), [""; 0], "{template}");
    }
    let alike = faults_of(&[("ra rb rc", "ADD ra{, rb}, rc;")]);
    let said = "a `Reg` is optional, but the text without it can continue as `<Reg>`";
    assert!(alike.len() == 1 && alike[0].contains(said), "{alike:#?}");
    // Here both items after the comma are optional.
    assert_eq!(code("ra m rb", "ADD ra{, m}{, rb};"), "ISA0040");
}

#[test]
fn a_blank_that_depends_on_several_parts_is_refused() {
    for template in
        ["LD {m} {rb} \"[\" ra \"]\";", "LD {m} {rb} \" [\" ra \"]\";", "LD {m}{, rb} \"+\" ra;"]
    {
        assert_eq!(code("m rb ra", template), "", "{template}");
    }
    let faults = faults_of(&[("ra m rb", "LD ra {\"+\" m \"+\" _} rb;")]);
    assert!(faults.len() == 1 && faults[0].starts_with("[ISA0017] the blank"), "{faults:#?}");
    assert!(
        faults[0].contains("between `_` and `rb` depends on several optional groups"),
        "{faults:#?}"
    );
    assert_eq!(code("ra m rb", "LD ra {\"+\" m \"+\" _} \" \" rb;"), "");
}

#[test]
fn closing_marks_and_modifiers_follow_an_operand() {
    let spec = |template: &str, more: &str| {
        toy(&format!(
            "affix \"(\" \")\" = par;
             group G {{ encoding {{
                 field<0, 2> Mode op; field<4, 4> Reg ra; field<8, 1> Bit ra.abs = OFF;
                 field<9, 1> Bit ra.par = OFF; field<10, 2> Mode ra.m; field<12, 2> Other x = C;
             }} }}
             opcode OP : [G] {{ encoding {{ op == A; }} syntax {{ {template} $x; }} }} {more}"
        ))
    };
    for template in [
        "OP {|}{\"(\"}ra{.m}{\")\"}{|}",
        "OP {|}{\"(\"}ra{\")\"}{.m}{|}",
        "OP {|}{\"(\"}ra{\")\"}{|}{.m}",
    ] {
        assert_eq!(spec(template, ""), [""; 0], "{template}");
    }
    let crossed = spec("OP {|}{\"(\"}ra{.m}{|}{\")\"}", "");
    assert!(
        crossed.len() == 1 && crossed[0].starts_with("[ISA0017] `{|}` is closed"),
        "{crossed:#?}"
    );
    // A modifier is accepted on either side of a closing mark. The comparison of texts must
    // consider this.
    let two = "opcode TWO : [G] { encoding { op == B; ra.abs == ON; ra.par == OFF; }
        syntax { OP {|}ra{|}.m $x; } }";
    for template in ["OP {|}{\"(\"}ra.m{\")\"}{|}", "OP {|}{\"(\"}ra{\")\"}{|}.m"] {
        let faults = spec(template, two);
        assert!(
            faults.iter().any(|fault| fault.starts_with("[ISA0025]")),
            "{template} {faults:#?}"
        );
    }
}
