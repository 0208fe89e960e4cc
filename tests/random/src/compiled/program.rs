/// Removes white space from a text, because the position of printed spaces is not compared.
fn dense(text: &str) -> String {
    text.split_whitespace().collect()
}

fn main() {
    let expected = std::fs::read_to_string("expected.txt").expect("the expectations");
    let mut set = None;
    let mut place = 0;
    for line in expected.lines() {
        let parts: Vec<&str> = line.split('\t').collect();
        match parts[..] {
            ["S", number] => {
                place = number.parse().expect("a number");
                set = SETS.iter().find(|(known, _)| *known == place).map(|(_, set)| set());
            }
            ["W", word, name, text, plain, back] => {
                let Some(set) = set else { continue };
                let word = u128::from_str_radix(word, 16).expect("a word");
                check_word(set, place, word, [name, text, plain, back]);
            }
            ["T", word, text] => {
                let Some(set) = set else { continue };
                check_text(set, place, word, text);
            }
            _ => panic!("{line}"),
        }
    }
    println!("done");
}

fn check_word(set: &'static isa_core::table::InstructionSet, place: usize, word: u128, expected: [&str; 4]) {
    let [name, text, plain, back] = expected;
    let found = set.decode(word).ok();
    let found_name = found.map_or("", |opcode| opcode.name);
    if found_name != name {
        println!("{place}\tdecodes another opcode\t{word:#x} is {found_name:?}, not {name:?}");
        return;
    }
    let Some(opcode) = found else { return };
    let print = |how: fn(&isa_core::table::Opcode, u128, &mut isa_core::text::Line)| {
        let mut line = isa_core::text::Line::new();
        how(opcode, word, &mut line);
        line.as_str().to_owned()
    };
    let printed = print(|opcode, word, line| opcode.print(word, line));
    for (how, found, expected) in [
        ("", printed.clone(), text),
        (" without aliases", print(|opcode, word, line| opcode.print_plain(word, line)), plain),
        (" by template", print(|opcode, word, line| opcode.print_template(word, line)), plain),
    ] {
        if dense(&found) != dense(expected) {
            println!("{place}\tprints another text{how}\t{word:#x} is {found:?}, not {expected:?}");
        }
    }
    let read = set.parse(&printed).ok().map(|parsed| parsed.word());
    if (read == Some(word)).to_string() != back {
        println!("{place}\treads otherwise what it prints\t{printed:?} of {word:#x} is {read:x?}, {back}");
    }
    if opcode.reads_back(word).to_string() != back {
        println!("{place}\tsays wrongly what is read back\t{printed:?} of {word:#x}, not {back}");
    }
}

/// A program in which every name without a dot is a label at address 0.
struct AllHere;

impl isa_core::text::Labels for AllHere {
    fn address(&self, name: &str) -> Option<u64> {
        (!name.contains('.')).then_some(0)
    }

    fn name(&self, _: u64) -> Option<&str> {
        None
    }
}

fn check_text(set: &'static isa_core::table::InstructionSet, place: usize, word: &str, text: &str) {
    let expected = (word != "-").then(|| u128::from_str_radix(word, 16).expect("a word"));
    let site = isa_core::text::InstructionContext::new(0, &AllHere);
    let mut cursor = isa_core::text::Cursor::in_context(text, &site);
    let mut found = set.parse_next(&mut cursor);
    if cursor.peek().is_some() {
        found = Ok(None);
    }
    let read = found.as_ref().ok().and_then(|parsed| parsed.as_ref()).map(|parsed| parsed.word());
    if read != expected {
        let class = match (read, expected) {
            (None, _) => "refuses a text",
            (_, None) => "reads a text that is none",
            _ => "reads another word",
        };
        let error = found.err().map_or(String::new(), |error| error.to_string().replace('\n', " "));
        println!("{place}\t{class}\t{text:?} is {read:x?}, not {expected:x?} {error}");
    }
    let mut cursor = isa_core::text::Cursor::in_context(text, &site);
    let slow = set.parse_next_by_template(&mut cursor).ok().flatten().map(|parsed| parsed.word());
    if cursor.peek().is_none() && slow != read {
        println!("{place}\ttwo readers disagree\t{text:?} is {read:x?} and {slow:x?}");
    }
}

