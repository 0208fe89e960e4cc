//! Tests sections: the placement of statements, the relocations that remain, and errors in the
//! directives.

use isa_core::asm::{Assembler, Program, Reference};

use super::{Mixed, bytes, says};

/// The relocations for short jumps and for two bytes of data.
const KIND: fn(Reference) -> Option<u32> = |reference| match reference {
    Reference::Operand { kind: "Near", .. } => Some(10),
    Reference::Data { bytes: 2, .. } => Some(2),
    _ => None,
};

fn object(text: &str) -> Program {
    let assembled = Assembler::new(Mixed::SET).relocations(KIND).assemble(text);
    assembled.unwrap_or_else(|errors| panic!("{text}\n{errors}"))
}

fn refused(text: &str) -> String {
    let assembled = Assembler::new(Mixed::SET).relocations(KIND).assemble(text);
    assembled.expect_err(text).to_string()
}

/// Returns the name, flags and bytes of each section.
fn sections(program: &Program) -> Vec<(&str, String, &[u8])> {
    let sections = program.sections.iter().map(|it| {
        let flags =
            [(it.is_loaded, 'a'), (it.is_writable, 'w'), (it.is_code, 'x'), (it.is_room, 'r')];
        let flags = flags.into_iter().filter(|(is_there, _)| *is_there).map(|(_, sign)| sign);
        (it.name.as_str(), flags.collect(), &program.bytes[it.bytes.clone()])
    });
    sections.collect()
}

#[test]
fn the_name_of_a_section_may_stand_in_quotes() {
    let quoted = ".section \".text\"; INC R1; .section \".rodata.str1.4\",\"aMS\",@progbits,1; .byte 1; \
                  .section \"a b; //\"; .byte 2; .section .rodata.str1.4; .byte 3;";
    let names = [".text", ".rodata.str1.4", "a b; //"].map(str::to_owned);
    let program = object(quoted);
    assert_eq!(program.bytes, [1, 1, 1, 3, 2]);
    assert!(program.sections.iter().map(|section| &section.name).eq(&names));
    // The same if statements end at the end of the line.
    let lines = Assembler::new(Mixed::SET)
        .lines("#")
        .relocations(KIND)
        .assemble(".section \"#\" # x\n.byte 1");
    assert_eq!(lines.unwrap().sections[1].name, "#");
}

#[test]
fn sections_follow_one_another() {
    // Programs begin at 0x1000 here.
    let text = ".data; x: .2byte y; .text; INC R1; .data; .2byte x; .section .y; y: .byte 7; .text;
                z: .2byte z;";
    assert_eq!(bytes(text), [1, 1, 2, 0x10, 8, 0x10, 4, 0x10, 7]);
    // A label directly before the directive, or at the end, belongs to the section that ends there.
    let text = "INC R1; a: .data; b: .byte 1; c: .text; d: .2byte a, b; .2byte c, d; e: .data; f:";
    let program = Assembler::new(Mixed::SET).assemble(text).unwrap();
    assert_eq!(program.bytes, [1, 1, 2, 0, 10, 0, 11, 0, 2, 0, 1]);
    let labels: Vec<_> = program.labels.iter().collect();
    assert_eq!(labels, [("a", 2), ("d", 2), ("b", 10), ("e", 10), ("c", 11), ("f", 11)]);
    // Distances between sections are known, and addresses are relative to the program's.
    assert_eq!(
        bytes(".data; x: .byte far, 1; .org 0x1008; .text; y: J x; .equ far, x - y;"),
        [4, 0, 2, 1, 0, 0, 0, 0]
    );
    // The long form of the directive is equivalent to the short one, and alignment depends on the
    // address of the section in the program.
    assert_eq!(bytes(".text; INC R1; .section .text; INC R2;"), bytes("INC R1; INC R2;"));
    assert_eq!(bytes(".data; .byte 3; .balign 4; .byte 4; .text; .byte 1;"), [1, 3, 0, 0, 4]);
}

#[test]
fn sections_have_flags_by_their_lines_or_names() {
    let program = object(
        ".section .rodata; .byte 1; .data; .section .data.rel; .section .bss; .zero 2; .section .text.hot;
         .section other; .section .note.GNU-stack, \"\", @progbits; .section .x, \"wax\"; .zero 1;
         .section .room, \"aw\", @nobits; .zero 1; .section .full, \"aw\", %nobits; .zero 1; .byte 0;
         .section .bss; .balign 8; .section .x, \"axw\"; .byte 9; .section .rodata, \"a\", @progbits;",
    );
    let flags = |name, flags: &str, bytes: &'static [u8]| (name, flags.to_owned(), bytes);
    assert_eq!(
        sections(&program),
        [
            flags(".text", "ax", &[]),
            flags(".rodata", "a", &[1]),
            flags(".data", "aw", &[]),
            flags(".data.rel", "aw", &[]),
            flags(".bss", "awr", &[]),
            flags(".text.hot", "ax", &[]),
            flags("other", "a", &[]),
            flags(".note.GNU-stack", "", &[]),
            flags(".x", "awx", &[0, 9]),
            flags(".room", "awr", &[]),
            flags(".full", "aw", &[0, 0]),
        ]
    );
    // Reserved space without contents has only a size.
    let sizes: Vec<u64> = program.sections.iter().map(|section| section.size).collect();
    assert_eq!(sizes, [0, 1, 0, 0, 8, 0, 0, 0, 2, 1, 2]);
    assert_eq!(program.bytes, [1, 0, 9, 0, 0]);
    assert_eq!(program.sections[4].align, 8);
    assert_eq!(program.align, 8);
}

/// A relocation: its address, symbol, addend and number.
type Found<'p> = (u64, Option<&'p str>, i64, u32);

/// Returns the relocations of each section.
fn relocations(program: &Program) -> Vec<Vec<Found<'_>>> {
    let sections = program.sections.iter().map(|section| {
        let all = program.relocations[section.relocations.clone()].iter();
        all.map(|it| (it.address, it.symbol.as_deref(), it.addend, it.kind)).collect()
    });
    sections.collect()
}

#[test]
fn of_objects_each_section_begins_at_0() {
    let program = object(
        "INC R1; a: J a; J b; .2byte b + 4, .; .data; .byte 5; .balign 4; b: .2byte a, .;
         .equ n, c - b; c: J b; .equ d, b + 2; .text; .equ m, e - a; .2byte d; f: .byte m;
         e: .section .r; .org 3; .byte n; J a; .equ sum, c - b + e - a; .byte sum;",
    );
    let found: Vec<_> = sections(&program).into_iter().map(|(_, _, bytes)| bytes).collect();
    let expected: [&[u8]; 3] = [
        &[1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 11],
        // A distance within the section is filled in: four bytes back.
        &[5, 0, 0, 0, 0, 0, 0, 0, 0xf8, 0],
        &[0, 0, 0, 4, 0, 0, 15],
    ];
    assert_eq!(found, expected);
    let expected = [
        vec![(4, Some("b"), 0, 10), (6, Some("b"), 4, 2), (8, None, 6, 2), (10, Some("d"), 0, 2)],
        vec![(4, Some("a"), 0, 2), (6, None, 4, 2)],
        vec![(4, Some("a"), 0, 10)],
    ];
    assert_eq!(relocations(&program), expected);
    let sections = ["a", "b", "d", "e", "n", "x"].map(|name| program.labels.section(name));
    assert_eq!(sections, [Some(0), Some(1), Some(1), Some(0), None, None]);
    assert_eq!(program.labels.iter().find(|(name, _)| *name == "d"), Some(("d", 6)));
}

#[test]
fn wrong_lines_say_what_is_meant() {
    for (text, said) in [
        (".section;", "1:9: expected the name of a section, such as `.rodata`"),
        (".section \"\";", "1:10: expected the name of a section, such as `.rodata`"),
        (".section \"a\\n\";", "1:10: expected the name of a section, such as `.rodata`"),
        (".section \"a;", "1:10: expected the name of a section, such as `.rodata`"),
        (".section \"a\" \"aw\";", "1:13: expected `,` or `;` after the name"),
        (".section .x \"aw\";", "1:12: expected `,` or `;` after the name"),
        (
            ".section .x, aw;",
            "1:14: expected flags in quotes: `a` (loaded), `w` (writable), `x` (code)",
        ),
        (
            ".section .x, ;",
            "1:14: expected flags in quotes: `a` (loaded), `w` (writable), `x` (code)",
        ),
        (
            ".section .x, \"aG\";",
            "1:14: expected flags in quotes: `a` (loaded), `w` (writable), `x` (code)",
        ),
        (
            ".section .x, \"é\";",
            "1:14: expected flags in quotes: `a` (loaded), `w` (writable), `x` (code)",
        ),
        (
            ".section .x, \"aw;",
            "1:14: expected flags in quotes: `a` (loaded), `w` (writable), `x` (code)",
        ),
        (".section .x, \"aw\", @bits;", "1:20: expected `@progbits` or `@nobits`"),
        (
            ".section .x, \"aMS\", @progbits, x;",
            "1:32: not a number: expected decimal, `0x` hexadecimal or `0b` binary digits",
        ),
        (".section .x, \"aw\", nobits;", "1:20: expected `@progbits` or `@nobits`"),
        (".section .x, \"aw\" @nobits;", "1:18: expected `;` after the section"),
        (".text 1;", "1:6: expected `;` after the section"),
        (".data, x;", "1:6: expected `;` after the section"),
        (
            ".section .x; .section .x, \"w\";",
            "1:23: conflicting flags for section `.x`; remove the flags here: the first directive or the name sets them",
        ),
        (
            ".section .text, \"aw\"; .section .b, \"\", @nobits; .section .b, \"\";",
            "1:10: conflicting flags for section `.text`; remove the flags here: the first directive or the name sets them\n\
             1:58: conflicting flags for section `.b`; remove the flags here: the first directive or the name sets them",
        ),
    ] {
        assert_eq!(says(text), said, "{text}");
    }
    // A `.section` line with an error after the name still selects the section.
    assert_eq!(
        says(".section .x, \"q\"; x: J y; .section .x; .zero 60; y: J y; .text; .zero 1;"),
        "1:14: expected flags in quotes: `a` (loaded), `w` (writable), `x` (code)"
    );
}

#[test]
fn what_a_linker_cannot_fill_in_is_refused() {
    let unknown = "is not known before the program is linked";
    let apart = "is a distance between sections; subtract a label of the same section";
    let none = "the label is in `.data`, and the object format has no relocation for this \
                operand; put both in one section";
    for (text, said) in [
        ("a: .data; .equ n, x - a; x: .byte 1;", format!("1:16: `n` {apart}")),
        ("a: .data; .equ n, . - a; .byte n;", format!("1:16: `n` {apart}")),
        ("a: .data; .equ b, a + 1; .equ n, 4 - b + c; c:", format!("1:31: `n` {apart}")),
        ("SKIP x; .data; x: .byte 1;", format!("1:6: the address of `x` {unknown}; {none}")),
        ("CALL R1, x; .data; x: .byte 1;", format!("1:10: the address of `x` {unknown}; {none}")),
        (
            ".data; x: .text; .byte 1, x;",
            format!(
                "1:27: the address of `x` {unknown}; \
                 the object format has no relocation for a byte of data"
            ),
        ),
        // An error in every program is also an error here.
        ("J y; .data; x:", "1:3: unknown label `y`; define it: write `NAME:` before".into()),
    ] {
        match text.starts_with("J y") {
            true => assert_eq!(object(text).relocations.len(), 1, "another object has it"),
            false => assert_eq!(refused(text), said, "{text}"),
        }
        assert!(Assembler::new(Mixed::SET).assemble(text).is_err() == text.starts_with("J y"));
    }
}

/// A relocation that a random program expects: its address, label, addend and number.
type Fill = (u64, Option<String>, i64, u32);

/// A statement of a random program.
#[derive(Debug, Clone, Copy)]
enum Item {
    Byte(u8),
    Align(u64),
    /// An `.org` that skips up to this number of bytes.
    Org(u64),
    Label,
    /// The address of the label with this number.
    Address(usize),
    Jump(usize),
}

const NAMES: [&str; 4] = [".text", ".data", ".rodata", "other"];

/// A random program: items with their sections.
struct Random {
    items: Vec<(usize, Item)>,
}

/// The addresses of the items, the labels with their sections, and the order of the sections.
struct Layout {
    addresses: Vec<u64>,
    labels: Vec<(usize, u64)>,
    ranks: Vec<usize>,
}

impl Random {
    /// Computes the layout by definition. Sections are in the order of their names in the text,
    /// `.text` first. They follow each other from `origin`, or each begins at 0 if `is_apart`.
    fn place(&self, origin: u64, is_apart: bool) -> Layout {
        let mut ranks = vec![0];
        for (section, _) in &self.items {
            if !ranks.contains(section) {
                ranks.push(*section);
            }
        }
        let mut layout =
            Layout { addresses: vec![0; self.items.len()], labels: vec![], ranks: ranks.clone() };
        let mut labels = vec![None; self.items.len()];
        let mut address = origin;
        for section in ranks {
            address = if is_apart { 0 } else { address };
            for (number, (_, item)) in
                self.items.iter().enumerate().filter(|(_, item)| item.0 == section)
            {
                layout.addresses[number] = address;
                address = match item {
                    Item::Byte(_) => address + 1,
                    Item::Align(align) => address.next_multiple_of(*align),
                    Item::Org(more) => address + more,
                    Item::Label => {
                        labels[number] = Some((section, address));
                        address
                    }
                    Item::Address(_) | Item::Jump(_) => address + 2,
                };
            }
        }
        layout.labels = labels.into_iter().flatten().collect();
        layout
    }

    /// Returns the text, the bytes of each section, and its relocations.
    fn written(&self, layout: &Layout, is_apart: bool) -> (String, Vec<Vec<u8>>, Vec<Vec<Fill>>) {
        let (mut text, mut current, mut label) = (String::new(), 0, 0);
        let mut bytes = vec![vec![]; layout.ranks.len()];
        let mut fills = vec![vec![]; layout.ranks.len()];
        for (number, (section, item)) in self.items.iter().enumerate() {
            if *section != current || number % 7 == 3 {
                let name = NAMES[*section];
                let is_short = *section < 2 && number % 2 == 0;
                text += &if is_short { format!("{name};") } else { format!(".section {name};") };
                current = *section;
            }
            let rank = layout.ranks.iter().position(|it| it == section).expect("it is placed");
            let (own, address) = (&mut bytes[rank], layout.addresses[number]);
            let fill = &mut fills[rank];
            match *item {
                Item::Byte(byte) => {
                    text += &format!(".byte {byte};");
                    own.push(byte);
                }
                Item::Align(align) => {
                    text += &format!(".balign {align};");
                    let count = address.next_multiple_of(align) - address;
                    own.extend(vec![0; count as usize]);
                }
                Item::Org(more) => {
                    text += &format!(".org {};", address + more);
                    own.extend(vec![0; more as usize]);
                }
                Item::Label => {
                    text += &format!("L{label}: ");
                    label += 1;
                }
                Item::Address(number) => {
                    let (_, to) = layout.labels[number];
                    text += &format!(".2byte L{number};");
                    own.extend(if is_apart { [0, 0] } else { (to as u16).to_le_bytes() });
                    if is_apart {
                        fill.push((address, Some(format!("L{number}")), 0, 2));
                    }
                }
                Item::Jump(number) => {
                    let (there, to) = layout.labels[number];
                    let (distance, is_near) = (to as i64 - address as i64, there == *section);
                    let is_known = is_near || !is_apart;
                    let fits = distance % 2 == 0 && (-64..=62).contains(&distance);
                    if is_known && !fits {
                        text += "INC R3;";
                        own.extend([1, 3]);
                        continue;
                    }
                    text += &format!("J L{number};");
                    own.push(if is_known { (distance * 2) as u8 } else { 0 });
                    own.push(0);
                    if !is_known {
                        fill.push((address, Some(format!("L{number}")), 0, 10));
                    }
                }
            }
        }
        (text, bytes, fills)
    }
}

#[test]
fn random_programs_are_placed_by_the_definition() {
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let mut below = |limit: u64| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state % limit
    };
    let mut several = 0;
    for _ in 0..1000 {
        let (count, mut section) = (below(24), 0);
        let mut items: Vec<(usize, Item)> = Vec::new();
        let labels = below(4);
        for _ in 0..count {
            section = if below(3) == 0 { below(4) as usize } else { section };
            let item = match below(7) {
                0 | 1 if labels > 0 => Item::Address(below(labels) as usize),
                2 | 3 if labels > 0 => Item::Jump(below(labels) as usize),
                4 => Item::Align(1 << below(5)),
                5 => Item::Org(below(5)),
                _ => Item::Byte(below(256) as u8),
            };
            items.push((section, item));
        }
        for _ in 0..labels {
            let at = below(items.len() as u64 + 1) as usize;
            let section = items.get(at).or(items.last()).map_or(0, |(section, _)| *section);
            items.insert(at, (section, Item::Label));
        }
        let random = Random { items };
        let layout = random.place(0x1000, false);
        let (text, expected, _) = random.written(&layout, false);
        assert_eq!(bytes(&text), expected.concat(), "{text}");
        several += usize::from(expected.len() > 2);

        let (text, expected, fills) = random.written(&random.place(0, true), true);
        let program = object(&text);
        let found: Vec<_> = sections(&program).into_iter().map(|(_, _, bytes)| bytes).collect();
        assert_eq!(found, expected, "{text}");
        let found: Vec<Vec<Fill>> = relocations(&program)
            .into_iter()
            .map(|it| {
                it.into_iter().map(|it| (it.0, it.1.map(str::to_owned), it.2, it.3)).collect()
            })
            .collect();
        assert_eq!(found, fills, "{text}");
    }
    assert!(several > 300, "{several}");
}
