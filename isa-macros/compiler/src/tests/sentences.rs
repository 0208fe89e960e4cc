//! Tests that messages about the encodings of random sets are true for every word.
//!
//! Only six bits of the 16-bit words vary, the others are 0, so a 64-bit number represents a set of
//! words. The words of an opcode are computed one by one from its random definition. This
//! computation shares no code with the compiler's rules.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::faults;

/// A set of words that differ in six bits: one bit for each word.
type SixBitWords = u64;

/// The SplitMix64 generator of random numbers.
struct SplitMix(u64);

impl SplitMix {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        (z ^ z >> 31) % limit
    }
}

fn words(has: impl Fn(u64) -> bool) -> SixBitWords {
    (0..64).filter(|&word| has(word)).fold(0, |words, word| words | 1 << word)
}

/// A field of an opcode: its lowest bit, its width, and whether the highest value is reserved.
#[derive(Clone, Copy)]
struct DrawnField {
    position: u64,
    width: u64,
    reserved: bool,
    fixed: Option<u64>,
}

impl DrawnField {
    fn value(self, word: u64) -> u64 {
        word >> self.position & ((1 << self.width) - 1)
    }

    fn is(self, value: u64) -> SixBitWords {
        words(|word| self.value(word) == value)
    }

    /// Returns the number of its valid values.
    fn values(self) -> u64 {
        (1 << self.width) - u64::from(self.reserved)
    }

    fn ty(self) -> String {
        format!("{}{}", if self.reserved { "Odd" } else { "Any" }, self.width)
    }
}

/// A condition and the words that satisfy it.
#[derive(Clone)]
struct DrawnCondition {
    text: String,
    words: SixBitWords,
}

/// An opcode or an alias with random properties.
#[derive(Clone, Default)]
struct Drawn {
    name: String,
    fields: Vec<DrawnField>,
    conditions: Vec<DrawnCondition>,
    inside: Vec<usize>,
    /// The words with its fixed bits and zeros outside its fields.
    identity: SixBitWords,
    /// The words with a reserved value.
    reserved: SixBitWords,
    legal: SixBitWords,
}

impl Drawn {
    fn condition(&self, random: &mut SplitMix, depth: u64) -> DrawnCondition {
        let term = |random: &mut SplitMix| self.condition(random, depth - 1);
        let joint = if depth == 0 { 9 } else { random.below(6) };
        match joint {
            0 | 1 => {
                let [a, b] = [term(random), term(random)];
                let (word, words) =
                    if joint == 0 { ("and", a.words & b.words) } else { ("or", a.words | b.words) };
                DrawnCondition { text: format!("({} {word} {})", a.text, b.text), words }
            }
            2 => {
                let inner = term(random);
                DrawnCondition { text: format!("not {}", inner.text), words: !inner.words }
            }
            _ => {
                let place = random.below(self.fields.len() as u64) as usize;
                let field = self.fields[place];
                let value = random.below(field.values());
                let (sign, words) = match random.below(3) {
                    0 => ("!=", !field.is(value)),
                    _ => ("==", field.is(value)),
                };
                DrawnCondition { text: format!("f{place} {sign} {value}"), words }
            }
        }
    }

    fn finish(&mut self) {
        let all = |is: &dyn Fn(&DrawnField) -> SixBitWords| {
            self.fields.iter().fold(!0, |all, f| all & is(f))
        };
        let covered =
            self.fields.iter().fold(0, |bits, f| bits | ((1 << f.width) - 1) << f.position);
        let fixed = all(&|field| field.fixed.map_or(!0, |value| field.is(value)));
        self.identity = fixed & words(|word| word & !covered == 0);
        let good = all(&|field| match (field.fixed, field.reserved) {
            (None, true) => !field.is((1 << field.width) - 1),
            _ => !0,
        });
        self.reserved = !good;
        let broken = self.conditions.iter().fold(0, |words, c| words | c.words);
        self.legal = self.identity & good & !broken;
    }

    fn exceptions(&self) -> String {
        let each = |c: &DrawnCondition| format!("EncodingError<Odd, \"why\"> = {};", c.text);
        let all: String = self.conditions.iter().map(each).collect();
        if all.is_empty() { all } else { format!("exception {{ {all} }}") }
    }

    fn slots(&self) -> String {
        let free = self.fields.iter().enumerate().filter(|(_, field)| field.fixed.is_none());
        free.map(|(place, _)| format!("f{place}")).collect::<Vec<_>>().join(", ")
    }
}

/// Returns opcodes that overlap or nearly overlap.
fn opcodes(random: &mut SplitMix, count: u64) -> Vec<Drawn> {
    let mut all: Vec<Drawn> = Vec::new();
    for number in 0..count {
        let mut drawn = Drawn { name: format!("OP{number}"), ..Drawn::default() };
        let mut position = 0;
        while position < 6 {
            let width = (1 + random.below(3)).min(6 - position);
            let reserved = random.below(4) == 0;
            let mut field = DrawnField { position, width, reserved, fixed: None };
            field.fixed = (random.below(2) == 0).then(|| random.below(2) % field.values());
            if random.below(8) > 0 {
                drawn.fields.push(field);
            }
            position += width;
        }
        // Often copy the fields of the opcode before, so that two are equal or nearly equal.
        if let (true, Some(last)) = (random.below(3) == 0, all.last()) {
            drawn.fields = last.fields.clone();
            if let (true, Some(field)) = (random.below(3) > 0, drawn.fields.last_mut()) {
                field.fixed = Some(random.below(field.values()));
            }
        }
        if drawn.fields.is_empty() {
            let (position, width) = (0, 1);
            drawn.fields.push(DrawnField { position, width, reserved: false, fixed: None });
        }
        for _ in 0..random.below(3) {
            let condition = drawn.condition(random, 2);
            drawn.conditions.push(condition);
        }
        if random.below(3) == 0 && number > 0 {
            drawn.inside.push(random.below(number) as usize);
        }
        drawn.finish();
        all.push(drawn);
    }
    for special in all.clone() {
        for &general in &special.inside {
            let general = &mut all[general];
            let within = special.identity & !general.identity == 0;
            if within && special.identity != general.identity {
                general.legal &= !special.identity;
            }
        }
    }
    all
}

const KINDS: &str = "operand Any1: 1; operand Any2: 2; operand Any3: 3;
    operand Odd1: 1, reserved(\"1\"); operand Odd2: 2, reserved(\"11\"); operand Odd3: 3, reserved(\"111\");";

fn spec(opcodes: &[Drawn], offset: u64) -> String {
    let mut spec = format!("pub isa Toy: u16; {KINDS}");
    for drawn in opcodes {
        let inside: Vec<&str> = drawn.inside.iter().map(|&at| opcodes[at].name.as_str()).collect();
        let inside =
            if inside.is_empty() { String::new() } else { format!("inside {}", inside.join(",")) };
        write!(spec, "opcode {} {inside} {{ encoding {{", drawn.name).unwrap();
        for (place, field) in drawn.fields.iter().enumerate() {
            let (at, ty) = (field.position + offset, field.ty());
            let fixed = field.fixed.map_or_else(String::new, |value| format!(" == {value}"));
            write!(spec, "field<{at}, {}> {ty} f{place}{fixed};", field.width).unwrap();
        }
        let (name, slots) = (&drawn.name, drawn.slots());
        write!(spec, "}} syntax {{ {name} {slots}; }} {} }}", drawn.exceptions()).unwrap();
    }
    spec
}

/// A parsed message: its text with `*` for names and `#` for words, and these names and words.
struct ParsedMessage {
    code: String,
    shape: String,
    names: Vec<String>,
    words: Vec<u64>,
}

fn said(message: &str) -> ParsedMessage {
    let line = message.lines().next().unwrap();
    let (code, text) = (line[1..8].to_owned(), &line[10..]);
    let (mut shape, mut names, mut numbers) = (String::new(), Vec::new(), Vec::new());
    for (i, part) in text.split('`').enumerate() {
        if i % 2 == 1 {
            names.push(part.to_owned());
            shape.push('*');
            continue;
        }
        for (j, word) in part.split(' ').enumerate() {
            shape.push_str(if j == 0 { "" } else { " " });
            let digits = word.trim_end_matches([':', ',']);
            let number = digits.strip_prefix("0x").map(|digits| u64::from_str_radix(digits, 16));
            match number {
                Some(Ok(number)) => {
                    numbers.push(number);
                    shape += &word.replace(digits, "#");
                }
                _ => shape.push_str(word),
            }
        }
    }
    // Replace lists of any length by one `*`.
    while shape.contains("*, *") {
        shape = shape.replace("*, *", "*");
    }
    while shape.contains("* or *") {
        shape = shape.replace("* or *", "*");
    }
    while shape.contains("* and of *") {
        shape = shape.replace("* and of *", "*");
    }
    ParsedMessage { code, shape, names, words: numbers }
}

/// Returns whether a message about encodings is true, or `None` for a message of another rule.
fn is_true(said: &ParsedMessage, opcodes: &BTreeMap<&str, &Drawn>, offset: u64) -> Option<bool> {
    let of = |at: usize| opcodes[said.names[at].as_str()];
    let rest = || said.names[1..].iter().map(|name| opcodes[name.as_str()]);
    let word = || {
        let window = said.words[0] >> offset;
        assert_eq!(window << offset, said.words[0], "a word of no opcode");
        1u64.checked_shl(window as u32).unwrap_or(0)
    };
    let in_all = |from: SixBitWords| rest().all(|other| other.legal & !from == 0);
    Some(match (said.code.as_str(), said.shape.as_str()) {
        ("ISA0030", "* and * have the same encoding: both decode #") => {
            of(0).legal == of(1).legal && of(0).legal & word() != 0
        }
        ("ISA0030", "* has the same encodings as *") => {
            rest().all(|other| other.legal == of(0).legal)
        }
        ("ISA0030", "* has the same encoding") => of(0).legal != 0,
        ("ISA0031", "all encodings of *, such as #, are also encodings of *") => {
            of(0).legal & !of(1).legal == 0 && of(0).legal & word() != 0
        }
        ("ISA0031", "all encodings of * are also encodings of *") => {
            let outer = of(said.names.len() - 1).legal;
            (0..said.names.len()).all(|at| of(at).legal & !outer == 0)
        }
        ("ISA0031", "* decodes all encodings of *") => in_all(of(0).legal),
        ("ISA0031" | "ISA0014", "* decodes some of the same words" | "* decodes the same word") => {
            of(0).legal != 0
        }
        ("ISA0014", "* and * both decode #") => of(0).legal & of(1).legal & word() != 0,
        (
            "ISA0014",
            "* decodes words that other opcodes also decode: *"
            | "* decodes words that other opcodes also decode: *; some of these also share words with \
               each other",
        ) => rest().all(|other| other.legal & of(0).legal != 0),
        ("ISA0032", "* is not inside *: # would be * but is not *") => {
            let (own, other) = (of(0), of(1));
            own.legal & word() != 0 && (other.legal | other.identity) & word() == 0
        }
        ("ISA0032", "* is not inside *: both fix the same bits") => {
            of(0).identity == of(1).identity
        }
        (
            "ISA0032",
            "* is not inside *: it does not fix every bit that * fixes; exceptions do not count",
        ) => of(0).identity & !of(1).identity != 0 && of(0).legal & !of(1).identity == 0,
        ("ISA0032", "* is declared * this opcode, *") => true,
        ("ISA0033", "every encoding of * is also an encoding of *") => {
            let all = rest().fold(0, |all, other| all | other.legal);
            of(0).legal != 0 && of(0).legal & !all == 0
        }
        ("ISA0033", "* decodes some of the encodings of *") => of(0).legal & of(1).legal != 0,
        ("ISA0033", "* is never decoded: all its encodings belong to the opcodes inside it, *") => {
            let all = rest().fold(0, |all, other| all | other.identity);
            let own = of(0).identity & !of(0).reserved;
            of(0).legal == 0 && own & !all == 0 && own != 0
        }
        (
            "ISA0015",
            "* has no valid encoding: its exceptions reject all encodings that do not belong to the opcodes inside it, *",
        ) => {
            let all = rest().fold(0, |all, other| all | other.identity);
            of(0).legal == 0 && of(0).identity & !of(0).reserved & !all != 0
        }
        ("ISA0033" | "ISA0015", "* is inside *") => of(0).identity & !of(1).identity == 0,
        (
            "ISA0015",
            "* has no valid encoding: its exceptions and reserved values reject all of them",
        ) => {
            let broken = of(0).conditions.iter().fold(0, |words, c| words | c.words);
            of(0).identity & !of(0).reserved & !broken == 0
        }
        ("ISA0034", "this exception rejects every encoding of *") => {
            said.names.iter().all(|name| {
                let own = opcodes[name.as_str()];
                let all = own.identity & !own.reserved;
                own.conditions.iter().any(|condition| all & !condition.words == 0)
            })
        }
        ("ISA0014" | "ISA0015" | "ISA0030" | "ISA0031" | "ISA0032" | "ISA0033" | "ISA0034", _) => {
            panic!("no one knows what this means: {}", said.shape)
        }
        _ => return None,
    })
}

/// Returns the number of random sets.
fn rounds() -> u64 {
    std::env::var("ROUNDS").ok().and_then(|rounds| rounds.parse().ok()).unwrap_or(1_500)
}

#[test]
fn what_is_said_of_opcodes_is_true() {
    let mut random = SplitMix(11);
    let mut seen: BTreeMap<String, u64> = BTreeMap::new();
    for _ in 0..rounds() {
        let (count, offset) = (2 + random.below(4), random.below(11));
        let drawn = opcodes(&mut random, count);
        let by_name = drawn.iter().map(|d| (d.name.as_str(), d)).collect();
        let spec = spec(&drawn, offset);
        let told = faults(&spec);
        for message in &told {
            let said = said(message);
            if let Some(is_true) = is_true(&said, &by_name, offset) {
                assert!(is_true, "{message}\n{spec}");
                *seen.entry(format!("{} {}", said.code, said.shape)).or_default() += 1;
            }
        }
        is_complete(&drawn, &told, &spec);
    }
    println!("{seen:#?}");
    for code in ["ISA0014", "ISA0015", "ISA0030", "ISA0031", "ISA0032", "ISA0033", "ISA0034"] {
        assert!(seen.keys().any(|known| known.starts_with(code)), "{code} is never said");
    }
}

/// Checks that two opcodes with a common word are reported and, if the set has only two opcodes,
/// with the exact code.
fn is_complete(drawn: &[Drawn], told: &[String], spec: &str) {
    let told = |code: &str| told.iter().any(|line| line[1..8] == *code);
    for (i, a) in drawn.iter().enumerate() {
        for (j, b) in drawn[..i].iter().enumerate() {
            let is_said = a.inside.contains(&j) || b.inside.contains(&i);
            if is_said || a.legal & b.legal == 0 {
                continue;
            }
            let code = match (a.legal & !b.legal, b.legal & !a.legal) {
                (0, 0) => "ISA0030",
                (0, _) | (_, 0) => "ISA0031",
                _ => "ISA0014",
            };
            let any = ["ISA0014", "ISA0030", "ISA0031", "ISA0033"].iter().any(|code| told(code));
            assert!(any, "`{}` and `{}` have words in common\n{spec}", a.name, b.name);
            assert!(drawn.len() > 2 || told(code), "{code} is not told\n{spec}");
        }
    }
    for own in drawn {
        let reported = ["ISA0015", "ISA0033", "ISA0034"].iter().any(|code| told(code));
        assert!(own.legal != 0 || reported, "`{}` has no legal word\n{spec}", own.name);
    }
}

/// Returns aliases of an opcode with three fields of two bits. None of them has `before`.
fn aliases(random: &mut SplitMix, of: &Drawn) -> Vec<Drawn> {
    let count = 2 + random.below(3);
    (0..count)
        .map(|number| {
            let mut drawn = Drawn { name: format!("AL{number}"), ..of.clone() };
            for field in drawn.fields.iter_mut() {
                if random.below(2) == 0 {
                    field.fixed = Some(random.below(3));
                }
            }
            for _ in 0..random.below(3) {
                let condition = drawn.condition(random, 1);
                drawn.conditions.push(condition);
            }
            drawn.finish();
            drawn.legal &= of.legal;
            drawn
        })
        .collect()
}

#[test]
fn what_is_said_of_aliases_is_true() {
    let mut random = SplitMix(12);
    let (mut unsaid, mut dead, mut settled) = (0, 0, 0);
    for _ in 0..rounds() {
        let reserved = random.below(2) == 0;
        let field =
            |place: u64| DrawnField { position: 2 * place, width: 2, reserved, fixed: None };
        let mut opcode = Drawn { name: "OP".to_owned(), ..Drawn::default() };
        opcode.fields = (0..3).map(field).collect();
        opcode.finish();
        let aliases = aliases(&mut random, &opcode);
        let mut spec = spec(std::slice::from_ref(&opcode), 0);
        for alias in &aliases {
            let fixed = alias.fields.iter().enumerate().filter_map(|(place, field)| {
                field.fixed.map(|value| format!("f{place} == {value};"))
            });
            let (name, fixed, slots) = (&alias.name, fixed.collect::<String>(), alias.slots());
            write!(
                spec,
                "alias {name} of OP {{ encoding {{ {fixed} }} syntax {{ {name} {slots}; }} {} }}",
                alias.exceptions()
            )
            .unwrap();
        }
        let told = faults(&spec);
        for message in &told {
            let said = said(message);
            let find =
                |at: usize| aliases.iter().find(|alias| alias.name == said.names[at]).unwrap();
            let is_true = match (said.code.as_str(), said.shape.as_str()) {
                (
                    "ISA0042",
                    "* and * both match #, and no * decides which is printed"
                    | "* and * both match # and no * decides which is printed",
                ) => {
                    let (a, b) = (find(0).legal, find(1).legal);
                    a & b & 1 << said.words[0] != 0 && a & !b != 0 && b & !a != 0
                }
                (
                    "ISA0042",
                    "* and * match the same encodings, but only one of them can be printed",
                ) => find(0).legal == find(1).legal,
                ("ISA0015", _) => find(1).legal == 0,
                _ => true,
            };
            assert!(is_true, "{message}\n{spec}");
        }
        let has = |code: &str| told.iter().any(|line| line[1..8] == *code);
        let mut open = false;
        for (i, a) in aliases.iter().enumerate() {
            for b in &aliases[..i] {
                let (only_a, only_b) = (a.legal & !b.legal != 0, b.legal & !a.legal != 0);
                let meet = a.legal & b.legal != 0;
                open |= meet && only_a == only_b;
                settled += u64::from(meet && only_a != only_b);
            }
        }
        assert_eq!(has("ISA0042"), open, "{told:#?}\n{spec}");
        unsaid += u64::from(open);
        let is_dead = |alias: &Drawn| {
            let words = alias.identity & !alias.reserved;
            alias.conditions.iter().any(|condition| condition.words & words == 0)
        };
        let idle = aliases.iter().any(is_dead);
        assert_eq!(has("ISA0016"), idle, "{told:#?}\n{spec}");
        dead += u64::from(idle);
    }
    assert!(unsaid > 50 && dead > 50 && settled > 50, "{unsaid} {dead} {settled}");
}
