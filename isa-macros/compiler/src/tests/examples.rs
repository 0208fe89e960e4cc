//! Tests the rules about examples: the message shows the point at which an example stops matching
//! its opcode, and the possible continuations.

use super::faults;

/// Returns a set with this example, of `GO`, which has a modifier, an operand and a trailing
/// attribute, or of `UP`, which has none of these.
fn spec(node: &str, example: &str) -> String {
    let in_node =
        |name| if name == node { format!("examples {{ {example} }}") } else { String::new() };
    format!(
        "isa Toy: u32; operand Reg: 8; enum Op: 2 {{ GO = 0, UP = 1 }}
         enum Mode: 2 {{ A = 0, B = 1, C = 2 }} enum Unit: 2 {{ S = 0, MS = 1 }}
         group NONE {{ encoding {{ field<0, 2> Op op; }} {none} }}
         group ALL {{ encoding {{ field<0, 2> Op op; }} }}
         opcode GO : [ALL] {{
             encoding {{
                 op == GO; field<2, 2> Mode mode = A; field<4, 2> Unit unit = S;
                 field<6, 2> Mode fixed == B; field<8, 8> Reg ra; field<16, 8> Reg rb = 0;
             }}
             syntax {{ GO{{.mode}} ra{{, rb}} \"to\" $unit; }}
             {go}
         }}
         opcode UP : [ALL] {{ encoding {{ op == UP; }} syntax {{ UP; }} {up} }}",
        none = in_node("NONE"),
        go = in_node("GO"),
        up = in_node("UP"),
    )
}

fn told(node: &str, example: &str) -> Vec<String> {
    faults(&spec(node, example))
}

#[test]
fn examples_of_nothing_and_of_what_is_wrong_are_not_looked_at() {
    assert_eq!(told("NONE", "STOP;"), [""; 0], "no opcode inherits");
    let wrong = faults(&spec("GO", "STOP;").replace("Reg ra", "Rag ra"));
    assert!(wrong.len() == 1 && wrong[0].starts_with("[ISA0002]"), "{wrong:#?}");
}

#[test]
fn a_line_stops_at_its_first_wrong_word() {
    for (node, example, what, help) in [
        ("GO", "R1 GO;", "no template of opcode `GO` accepts `R1` here", "expected `GO`"),
        (
            "UP",
            "UP.A;",
            "no template of opcode `UP` accepts `A` here",
            "no further modifier is \
                                                                    accepted",
        ),
        (
            "GO",
            "GO.A.B R1 to S;",
            "no template of opcode `GO` accepts `B` here",
            "no further modifier is accepted",
        ),
        ("UP", "UP R1;", "no template of opcode `UP` accepts `R1` here", "expected `;`"),
        (
            "GO",
            "GO.D R1;",
            "no template of opcode `GO` accepts `D` here",
            "expected one of `.A`, `.B`, `.C`",
        ),
        (
            "GO",
            "GO;",
            "the line ends too early for every template of opcode `GO`",
            "expected a `Reg`",
        ),
    ] {
        let faults = told(node, example);
        let expected = format!("[ISA0029] {what}\nhelp: {help}");
        assert_eq!(faults, [expected], "{example}");
    }
}

#[test]
fn right_lines_are_taken() {
    for example in
        ["GO R1 to S;", "GO.B R1 to MS;", "GO R1, R2 to;", "GO c[0][4] to S;", "GO a b, c d to"]
    {
        assert_eq!(told("GO", example), [""; 0], "{example}");
    }
}

#[test]
fn values_have_marks_and_settings_end() {
    let spec = |example: &str| {
        faults(&format!(
            "isa Toy: u16; enum Mode: 2 {{ A = 0, B = 1, C = 2 }} enum Bit: 1 {{ OFF = 0, ON = 1 }}
             affix \"-\" = neg; affix \"|\" \"|\" = abs;
             opcode GO {{
                 encoding {{
                     field<0, 2> Mode mode; field<2, 1> Bit mode.neg = OFF;
                     field<3, 1> Bit mode.abs = OFF; field<4, 1> Bit mode.big = OFF;
                     field<5, 2> Mode fixed == B; field<7, 2> Mode set = A; field<9, 2> Mode late == C;
                 }}
                 syntax {{ GO.fixed {{-}}{{|}}mode{{|}}{{.big}}, late $set \"now\"; }}
                 examples {{ {example} }}
             }}"
        ))
    };
    for example in [
        "GO.B A, C A now;",
        "GO.B -A, C A now;",
        "GO.B |A|, C now;",
        "GO.B -|C|.ON, C now;",
        "GO.B B.OFF, C B now",
    ] {
        assert_eq!(spec(example), [""; 0], "{example}");
    }
    for (example, found, help) in [
        ("GO.A A, C now;", "`A`", "expected `.B`"),
        ("GO.B -D, C now;", "`D`", "expected one of `A`, `B`, `C`"),
        ("GO.B -|D|, C now;", "`D`", "expected one of `A`, `B`, `C`"),
        ("GO.B A, B now;", "`B`", "expected `C`"),
        ("GO.B A. ON C now;", "`C`", "expected `,`"),
    ] {
        let expected =
            format!("[ISA0029] no template of opcode `GO` accepts {found} here\nhelp: {help}");
        assert_eq!(spec(example), [expected], "{example}");
    }
    let end = "[ISA0029] no template of opcode `GO` accepts `A` here\nhelp: expected `now`";
    assert_eq!(spec("GO.B A, C A then;"), [end], "a setting may be left out");
}
