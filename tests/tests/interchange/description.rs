//! The description of a set is sufficient to decode its words without the crates. This test uses
//! only the JSON.

use isa_core::describe;
use isa_core::table::InstructionSet;
use isa_defs::gpu::Gpu;
use isa_riscv::Rv64imac;
use isa_verify::word_generator::WordGenerator;
use serde_json::Value as Json;

/// A description as it is read from a file.
struct Description(Json);

fn number(text: &Json) -> u128 {
    let digits = text.as_str().and_then(|text| text.strip_prefix("0x"));
    u128::from_str_radix(digits.expect("a hexadecimal number"), 16).unwrap()
}

fn list<'j>(json: &'j Json, key: &str) -> &'j [Json] {
    json[key].as_array().unwrap_or_else(|| panic!("no list `{key}` in {json}"))
}

/// Returns whether the bits under a mask have a value, `[mask, value]`.
fn fits(word: u128, pair: &Json) -> bool {
    word & number(&pair[0]) == number(&pair[1])
}

/// Returns the value of a field.
fn value(word: u128, field: &Json) -> u128 {
    list(field, "pieces").iter().fold(0, |value, piece| {
        let [position, width] = [0, 1].map(|place| piece[place].as_u64().unwrap());
        value << width | word >> position & ((1 << width) - 1)
    })
}

impl Description {
    fn new(set: &InstructionSet) -> Self {
        let text = describe::json(set).to_string();
        let json: Json = serde_json::from_str(&text).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!((&json["format"], &json["version"]), (&"define-isa".into(), &2.into()));
        Description(json)
    }

    /// Returns the names of the opcodes that match a word of this width.
    fn decode(&self, word: u128, bits: u8) -> Vec<&str> {
        let opcodes = list(&self.0, "opcodes").iter();
        let own = opcodes.filter(|opcode| opcode["bits"] == bits && self.is(opcode, word));
        own.map(|opcode| opcode["name"].as_str().unwrap()).collect()
    }

    fn is(&self, opcode: &Json, word: u128) -> bool {
        let exists = |field: &Json| {
            let kind = &self.0["kinds"][field["kind"].as_u64().unwrap() as usize];
            let reserved = list(kind, "reserved");
            !reserved.iter().any(|pair| fits(value(word, field), pair))
        };
        let broken = |illegal: &Json| list(illegal, "words").iter().any(|pair| fits(word, pair));
        fits(word, &opcode["fixed"])
            && word & number(&opcode["unused"]) == 0
            && list(opcode, "fields").iter().all(exists)
            && !list(opcode, "illegal").iter().any(broken)
    }
}

fn check(set: &'static InstructionSet, rounds: usize) -> Description {
    let (description, mut generator) = (Description::new(set), WordGenerator::new(set, 7));
    let (mut legal, mut all) = (0, 0);
    for opcode in 0..generator.opcode_count() {
        for _ in 0..rounds {
            let bits = set.opcodes[opcode].bits;
            let last = u128::MAX >> (128 - bits);
            let own = [generator.legal(opcode), generator.plausible(opcode) & last];
            let flipped = own.map(|word| word ^ 1 << (generator.random.bits() % u64::from(bits)));
            for word in own.into_iter().chain(flipped) {
                let found = set.index(word).map(|index| set.opcodes[index]);
                let found = found.iter().filter(|row| row.bits == bits).map(|row| row.name);
                let found: Vec<&str> = found.collect();
                assert_eq!(description.decode(word, bits), found, "{word:#x}");
                (legal, all) = (legal + found.len(), all + 1);
            }
        }
    }
    println!("{}: {all} words, {legal} legal", set.name);
    assert!(legal * 4 > all && legal < all, "{legal} of {all} words are legal");
    description
}

#[test]
fn a_description_decodes_the_words_of_a_set() {
    check(Gpu::SET, 60);
    check(Rv64imac::SET, 60);
}

#[test]
fn a_description_says_what_its_set_says() {
    let Description(json) = Description::new(Gpu::SET);
    let named = |list: &'static str, name: &str| {
        let all = json[list].as_array().unwrap().iter();
        let mut own = all.filter(|one| one["name"] == name);
        own.next().unwrap_or_else(|| panic!("no `{name}` among {list}"))
    };
    let add = named("opcodes", "HADD2_RR");
    let groups: Vec<&str> = list(add, "groups").iter().map(|name| name.as_str().unwrap()).collect();
    assert!(groups.contains(&"HADD2"), "{groups:?}");
    let optype = named("groups", "HADD2");
    assert_eq!(optype["optype"], true);
    assert!(optype["doc"].as_str().is_some_and(|doc| doc.contains("Adds")), "{optype}");
    let body = add["semantics"].as_str().unwrap_or_default();
    assert!(body.contains('\n') && body.contains("Rd = "), "{body}");
    let field = list(add, "fields").iter().find(|field| field["name"] == "ftz").unwrap();
    let kind = &json["kinds"][field["kind"].as_u64().unwrap() as usize];
    let values = list(kind, "values").iter().map(|value| value["name"].as_str().unwrap());
    assert_eq!(values.collect::<Vec<_>>(), ["NoFTZ", "FTZ"]);
    for opcode in list(&json, "opcodes") {
        for group in list(opcode, "groups") {
            let _ = named("groups", group.as_str().unwrap());
        }
    }
}
