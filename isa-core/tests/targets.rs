//! Tests targets: distances, labels, and their text.

use isa_core::ParseError;
use isa_core::operand::{OperandKind, Relative, parse};
use isa_core::text::{Cause, Cursor, InstructionContext, Labels, Line, OperandError};

/// A distance in half-words, relative to the instruction.
type Near = Relative<4, 1>;
/// A distance in words, relative to the next instruction.
type Next = Relative<8, 2, 4>;

isa_core::define_isa! {
    /// Jumps to a near target and to an address.
    pub isa Jumps: u16;

    operand Near: 4;
    operand Next: 8;
    operand Page: 4;
    enum Op: 4 { J = 1, CALL = 2, JP = 3, NOP = 4, LOOP = 5 }

    opcode J    { encoding { field<0, 4> Op op == J; field<4, 4> Near to; } syntax { J to; } }
    opcode CALL { encoding { field<0, 4> Op op == CALL; field<4, 8> Next to; } syntax { CALL to; } }
    opcode JP   { encoding { field<0, 4> Op op == JP; field<4, 4> Page to; } syntax { JP to; } }
    opcode NOP  { encoding { field<0, 4> Op op == NOP; } syntax { NOP; } }
    opcode LOOP {
        encoding { field<0, 4> Op op == LOOP; field<4, 4> Near to; field<8, 4> Near out = 2; }
        syntax   { LOOP to {, out}; }
        operands { InList<to, out>; OutList<>; Order<to, out>; }
    }
    /// A loop without a target for its end.
    alias AGAIN of LOOP { encoding { out == 0; } syntax { AGAIN to; } }
}

/// A page of 4096 bytes with an absolute number: an operand type of the set itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Page(u8);

impl OperandKind for Page {
    type Value = u64;
    const WIDTH: u8 = 4;
    const EXPECTS: &'static str = "a page (`%0` to `%15`), or a label";
    const MAX_LEN: usize = 8;
    const TARGET: Option<fn(Self, u64) -> u64> = Some(|page, _| u64::from(page.0) << 12);

    fn from_bits(raw: u64) -> Self {
        Page(raw as u8)
    }
    fn to_bits(self) -> u64 {
        self.0.into()
    }
    fn read(cursor: &mut Cursor<'_>) -> Result<Self, OperandError> {
        let start = cursor.position();
        let address = match cursor.eat(b'%') {
            true => cursor.number()? << 12,
            false => cursor.address()?.into(),
        };
        let fits = address % 4096 == 0 && address >> 16 == 0;
        fits.then_some(Page((address >> 12) as u8))
            .ok_or_else(|| cursor.fault(start, "pages begin at multiples of 4096 below 65536"))
    }
    fn write(self, line: &mut Line) {
        line.push(b'%');
        line.push_decimal(self.0.into());
    }
}

const LABELS: [(&str, u64); 5] =
    [("start", 0x1000), ("odd", 0x1003), ("far", 0x2000), (".x.$9", 0x100a), (".L", 0x1006)];

fn read(text: &str, address: u64) -> Result<u16, ParseError> {
    Jumps::parse_at(text, address, &LABELS).map(|jump| jump.encode().unwrap())
}

fn says(text: &str) -> String {
    read(text, 0x1000).unwrap_err().to_string()
}

#[test]
fn every_distance_survives() {
    for raw in 0..16 {
        let near = Near::from_bits(raw);
        assert_eq!(near.to_bits(), raw);
        assert_eq!(near.get(), ((raw as i64 + 8) % 16 - 8) * 2);
        assert_eq!(Near::new(near.get()), Some(near));
        assert_eq!(parse::<Near>(&near.to_string()), Ok(near));
        for address in [0, 2, 0x1000, u64::MAX - 1] {
            assert_eq!(Near::to(address, near.target(address)), Some(near));
        }
    }
    assert_eq!((Near::MIN, Near::MAX), (-16, 14));
    assert_eq!([16, 1, -18].map(Near::new), [None; 3]);
    assert_eq!(Next::new(8).unwrap().target(0x1000), 0x100c);
    assert_eq!(Next::to(0x1000, 0x1000).unwrap().get(), -4);
    assert_eq!(Relative::<64>::new(i64::MIN).unwrap().target(0), 1 << 63);
    assert_eq!(Near::EXPECTS, "a multiple of 2 from -16 to 14, or a label");
}

#[test]
fn labels_are_distances() {
    assert_eq!(read("J start;", 0x1000).unwrap(), 0x01);
    assert_eq!(read("J start;", 0x1002).unwrap(), 0xf1);
    assert_eq!(read("J .x.$9 ;", 0x1000).unwrap(), 0x51);
    assert_eq!(read("J .+/* two */4;", 0x1000).unwrap(), 0x21);
    assert_eq!(read("J .;", 0x1234).unwrap(), 0x01);
    assert_eq!(read("J . + 0xe;", 0x1234).unwrap(), 0x71);
    assert_eq!(read("J .-16;", 0x1234).unwrap(), 0x81);
    assert_eq!(read("J  .-16 ;", 0x1234).unwrap(), 0x81, "no modifier, whatever the blanks");
    assert_eq!(read("J\n\t.L /* */ ;", 0x1000).unwrap(), 0x31);
    assert_eq!(read("J -16;", 0x1234).unwrap(), 0x81);
    assert_eq!(read("CALL start;", 0x1000).unwrap(), 0xff2, "from the next instruction");
    assert_eq!(read("JP far;", 0x1000).unwrap(), 0x23);
    assert_eq!(read("LOOP start, .x.$9;", 0x1000).unwrap(), 0x505);
}

#[test]
fn targets_are_printed_as_labels() {
    let print = |word, address| Jumps::decode(word).unwrap().at(address, &LABELS).to_string();
    assert_eq!(print(0x01, 0x1000), "J start;");
    assert_eq!(print(0x51, 0x1000), "J .x.$9;");
    assert_eq!(print(0x51, 0x1002), "J 10;", "no label there");
    assert_eq!(print(0xff2, 0x1000), "CALL start;");
    assert_eq!(print(0x23, 0), "JP far;");
    assert_eq!(print(0x505, 0x1000), "LOOP start, .x.$9;");
    assert_eq!(print(0x205, 0x1008), "LOOP 0;", "a default is left out");
    assert_eq!(print(0x04, 0x1000), "NOP;");
    assert_eq!(Jumps::decode(0x51).unwrap().to_string(), "J 10;");
    assert_eq!(format!("{:>9}", Jumps::decode(0x01).unwrap().at(0x1000, &LABELS)), " J start;");
}

#[test]
fn an_alias_has_labels_too() {
    let again = Jumps::parse_at("AGAIN start;", 0x1002, &LABELS).unwrap();
    assert_eq!(again.encode().unwrap(), 0x0f5);
    assert_eq!(again.at(0x1002, &LABELS).to_string(), "AGAIN start;");
    assert_eq!(format!("{:#}", again.at(0x1002, &LABELS)), "LOOP start, 0;");
}

#[test]
fn a_label_that_would_not_be_read_back_is_not_printed() {
    let print = |word, name: &str| Jumps::decode(word).unwrap().at(0, &[(name, 0)]).to_string();
    let longest = "l".repeat(Near::LONGEST_LABEL);
    assert_eq!(print(0x01, &longest), format!("J {longest};"));
    assert_eq!(print(0x01, &"l".repeat(Near::LONGEST_LABEL + 1)), "J 0;");
    assert_eq!(print(0x03, "nine_long"), "JP %0;", "beyond the kind's own bound");
    assert_eq!(print(0x01, "a.b"), "J a.b;");
    for name in ["", ".", "4x", "a.", "a..b", "a.$", "$", "a b", "a;", "é"] {
        assert_eq!(print(0x01, name), "J 0;", "{name}");
    }
}

#[test]
fn what_is_wrong_with_a_target() {
    assert_eq!(says("J strat;"), "unknown label `strat`");
    assert_eq!(
        says("J far;"),
        "`far` is 4096 bytes ahead, out of range: expected a multiple of 2 from -16 to 14"
    );
    assert_eq!(
        says("J . - 18;"),
        "`. - 18` is 18 bytes back, out of range: expected a multiple of 2 from -16 to \
         14"
    );
    assert_eq!(
        says("J odd;"),
        "`odd` is 3 bytes ahead, misaligned: expected a multiple of 2 from -16 to 14"
    );
    assert_eq!(says("J.L;"), "`J` has no modifier `.L`; remove the modifier");
    assert_eq!(says("NOP .L;"), "`NOP` has no modifier `.L`; remove the modifier");
    assert_eq!(says("J 16;"), "out of range: expected a multiple of 2 from -16 to 14");
    assert_eq!(says("JP odd;"), "pages begin at multiples of 4096 below 65536");
    assert_eq!(says("J . + 0x10000000000000000;"), "the number has more than 64 bits");
    assert_eq!(says("J . + 2 4;"), "expected `;`, found `4`; the syntax is `J to;`");
    assert_eq!(
        says("J;"),
        "expected `to`, found `;`; `to` is a multiple of 2 from -16 to 14, or a label"
    );
    let error = "J start;".parse::<Jumps>().unwrap_err();
    assert_eq!(error.to_string(), "labels are valid only in a program: write a number instead");
    assert_eq!(error.span, 2..7);
    let fault = Cursor::in_context("x", &InstructionContext::new(0, &())).address().unwrap_err();
    assert_eq!((fault.cause, fault.span), (Cause::UnknownLabel, 0..1));
}

#[test]
fn the_table_says_where_a_branch_goes() {
    let jump = Jumps::decode(0x505).unwrap();
    let targets: Vec<_> = jump.operands().map(|operand| operand.target(0x1000)).collect();
    assert_eq!(targets, [Some(0x1000), Some(0x100a)]);
    assert_eq!(jump.opcode().targets(0x505, 0x1000).collect::<Vec<_>>(), [0x1000, 0x100a]);
    assert_eq!(Jumps::decode(0x04).unwrap().opcode().targets(0x04, 0).count(), 0);
    assert!(Jumps::SET.has_targets());
    let kinds = Jumps::SET.opcodes[0].fields.iter().map(|field| field.kind.is_target());
    assert_eq!(kinds.collect::<Vec<_>>(), [false, true]);
}

#[test]
fn labels_of_a_list() {
    assert_eq!(LABELS.address("far"), Some(0x2000));
    assert_eq!(LABELS[1..].name(0x1000), None);
    assert_eq!(().address("far"), None);
}

/// This set needs its own module, because the names of its types also occur in another set of this file.
#[cfg(feature = "alloc")]
mod after_operands {
    isa_core::registers! {
        /// A register.
        pub R: 3 = "r0" to "r7" of u32;
        /// A register that has no parts.
        pub S: 3 = "s0" to "s7" of u32;
    }

    isa_core::define_isa! {
        /// Returns: an operand with an optional modifier, or one without, and a target.
        pub isa Returns: u16;

        operand R: 3;
        operand S: 3;
        operand Near: 8 = isa_core::operand::Relative<8, 0>;
        enum Op: 1 { R = 0, S = 1 }
        enum Part: 1 { WHOLE = 0, LOW = 1 }

        optype RET { encoding { field<15, 1> Op op; field<0, 8> Near to; } syntax { RET ra{.part} to; } }
        opcode RET_R : [RET] { encoding { op == R; field<8, 3> R ra; field<11, 1> Part ra.part = WHOLE; } }
        opcode RET_S : [RET] { encoding { op == S; field<8, 3> S ra; } }
    }
}

#[test]
#[cfg(feature = "alloc")]
fn a_dot_after_an_operand_can_be_the_address_of_the_instruction() {
    use after_operands::Returns;
    use isa_core::asm::Assembler;

    for (text, word) in [
        ("RET r1 . - 4;", 0x01fc),
        ("RET r1 .+4;", 0x0104),
        ("RET r1.LOW . - 4;", 0x09fc),
        ("RET r1 .LOW . - 4;", 0x09fc),
        ("RET s1 . - 4;", 0x81fc),
        ("RET s1 /* here */ .;", 0x8100),
    ] {
        let program = Assembler::new(Returns::SET).assemble(text).map(|program| program.bytes);
        let expected = u16::to_le_bytes(word).to_vec();
        assert_eq!(program.map_err(|error| error.to_string()), Ok(expected), "{text}");
    }
    for text in ["RET r1 .HIGH 4;", "RET s1 .LOW 4;", "RET r1.. - 4;"] {
        let error = Assembler::new(Returns::SET).assemble(text).expect_err(text).to_string();
        assert!(error.contains("modifier") || error.contains("`."), "{text}: {error}");
    }
}
