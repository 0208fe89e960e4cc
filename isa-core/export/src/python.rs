//! Exports a Python module without dependencies: the set as data, with a decoder and an encoder.

use isa_core::table::{Cube, Field, Init, InstructionSet, Kind, Opcode, Piece, TruthTable};

use super::properties::columns;
use super::unique_names::{UniqueNames, identifier};
use super::valid_words::{InvalidWords, ValidWords, line};
use super::{ExportError, ExportFile, ExportFormat, Generator, plain};

pub(crate) const FORMAT: ExportFormat = ExportFormat {
    name: "python",
    about: "A Python module with fields, value sets, a decoder and an encoder",
    make: Generator::OfWords(make),
};

/// The code that every module contains.
const ENGINE: &str = include_str!("python/engine.py");

/// The names that the module itself uses.
const TAKEN: &[&str] = &[
    "BY_NAME",
    "Dict",
    "Field",
    "Function",
    "Illegal",
    "NamedTuple",
    "OPCODES",
    "Opcode",
    "Optional",
    "PROPERTIES",
    "Tuple",
    "VALUES",
    "_BY_MASK",
    "any",
    "all",
    "bool",
    "bytes",
    "decode",
    "dict",
    "enum",
    "int",
    "property",
    "reversed",
    "str",
    "sum",
    "KeyError",
    "ValueError",
];

/// Keywords of the language, including soft keywords.
const KEYWORDS: &[&str] = &[
    "False", "None", "True", "and", "as", "assert", "async", "await", "break", "case", "class",
    "continue", "def", "del", "elif", "else", "except", "finally", "for", "from", "global", "if",
    "import", "in", "is", "lambda", "match", "nonlocal", "not", "or", "pass", "raise", "return",
    "try", "type", "while", "with", "yield",
];

/// Names that every number and every member of an enumeration already has.
const OF_NUMBERS: &[&str] = &[
    "as_integer_ratio",
    "bit_count",
    "bit_length",
    "conjugate",
    "denominator",
    "from_bytes",
    "imag",
    "is_integer",
    "mro",
    "name",
    "numerator",
    "real",
    "to_bytes",
    "value",
];

#[expect(clippy::unnecessary_wraps, reason = "other formats can refuse a set")]
fn make(set: &'static InstructionSet) -> Result<Vec<ExportFile>, ExportError> {
    let name = plain(set.name);
    let about = documented(&format!("{}: {}", set.name, line(set.doc)));
    let (values, opcodes) = (values(set, &name), opcodes(set));
    let text = format!("{about}\n\n{ENGINE}\n\n{values}\n{opcodes}");
    Ok(vec![ExportFile { name: format!("{name}.py"), text }])
}

/// Returns the name. If it is taken or is not a valid identifier, the result begins with the set's name.
fn own(name: &str, set: &str, taken: &[&[&str]]) -> String {
    let name = identifier(name);
    // Names that begin with `_` are private or have a special meaning.
    let is_plain = name.starts_with(|c: char| c.is_ascii_alphabetic());
    match is_plain && !taken.iter().any(|taken| taken.contains(&name.as_str())) {
        true => name,
        false => format!("{set}_{name}"),
    }
}

fn values(set: &'static InstructionSet, name: &str) -> String {
    let mut names = UniqueNames::reserved(&[KEYWORDS, TAKEN].concat());
    let (mut text, mut all) = (String::new(), String::new());
    let mut keys = UniqueNames::default();
    for kind in set.kinds().into_iter().filter(|kind| !kind.values.is_empty()) {
        let class = names.claim(&own(kind.name, name, &[KEYWORDS, TAKEN]));
        text += &class_of(kind, &class, name);
        all += &format!("    {}: {class},\n", quoted(&keys.claim(kind.name)));
    }
    format!("{text}\n# The value sets by their names.\nVALUES = {{\n{all}}}\n")
}

fn class_of(kind: &Kind, class: &str, set: &str) -> String {
    let mut text =
        format!("\nclass {class}(enum.IntEnum):\n    {}\n\n", documented(&line(kind.doc)));
    let mut names = UniqueNames::default();
    for value in kind.values {
        let name = names.claim(&own(value.name, set, &[KEYWORDS, OF_NUMBERS]));
        let doc = line(value.doc);
        let doc = if doc.is_empty() { doc } else { format!("  # {doc}") };
        text += &format!("    {name} = {}{doc}\n", value.raw);
    }
    text + "\n"
}

fn opcodes(set: &'static InstructionSet) -> String {
    let mut text = "# All opcodes, in the order of the specification.\nOPCODES = (\n".to_owned();
    for (&opcode, legal) in set.opcodes.iter().zip(&ValidWords::of_set(set)) {
        text += &row(opcode, legal);
    }
    let mut properties = String::new();
    for column in columns(set) {
        let numbers = set.opcodes.iter().zip(&column.numbers);
        let numbers = numbers.map(|(opcode, number)| format!("{}: {number}", quoted(opcode.name)));
        let numbers: Vec<String> = numbers.collect();
        properties += &format!(
            "    # {}\n    {}: {{\n        {},\n    }},\n",
            column.about,
            quoted(column.name),
            numbers.join(",\n        ")
        );
    }
    if !properties.is_empty() {
        properties = format!("# The properties of opcodes.\nPROPERTIES = {{\n{properties}}}\n\n");
    }
    text + ")\n\n"
        + &properties
        + "\
        # The opcodes by name.\n\
        BY_NAME = {opcode.name: opcode for opcode in OPCODES}\n\n\
        # For each mask, the opcodes by their match values.\n\
        _BY_MASK = [\n    \
        (mask, {\n        \
        match: [own for own in OPCODES if (own.mask, own.match) == (mask, match)]\n        \
        for match in {own.match for own in OPCODES if own.mask == mask}\n    \
        })\n    \
        for mask in sorted({own.mask for own in OPCODES})\n]\n"
}

fn row(opcode: &'static Opcode, legal: &ValidWords) -> String {
    let Opcode { name, doc, bits, syntax, .. } = opcode;
    let digits = 2 + usize::from(*bits).div_ceil(4);
    let Cube { mask, value } = legal.plain;
    let fields: String = opcode.fields.iter().map(|field| of_field(field)).collect();
    let illegal: String = legal.wrong.iter().map(|wrong| of_wrong(wrong, digits)).collect();
    format!(
        "    Opcode(\n        {}, {}, {},\n        {bits}, {mask:#0digits$x}, {value:#0digits$x},\n        \
         ({fields}),\n        ({illegal}),\n        {},\n    ),\n",
        quoted(name),
        quoted(syntax.mnemonic),
        quoted(syntax.source),
        quoted(&line(doc)),
    )
}

fn of_field(field: &Field) -> String {
    let (fixed, default) = match field.init {
        Init::Fixed(raw) => (raw.to_string(), "None".to_owned()),
        Init::Default(raw) => ("None".to_owned(), raw.to_string()),
        Init::Required => ("None".to_owned(), "None".to_owned()),
    };
    let (name, kind, doc) = (quoted(field.name), quoted(field.kind.name), quoted(&line(field.doc)));
    let pieces = pieces(field.pieces);
    format!("\n            Field({name}, {kind}, {pieces}, {fixed}, {default}, {doc}),")
}

fn of_wrong(wrong: &InvalidWords, digits: usize) -> String {
    let plain = (!wrong.cubes.is_empty()).then(|| (String::new(), &wrong.cubes));
    let conditional = wrong.conditional.iter().map(|condition| {
        let when = condition.when.iter().map(|(call, map, said)| function(call, map, *said));
        (when.collect(), &condition.cubes)
    });
    let illegal = |(when, cubes): (String, &Vec<Cube>)| {
        let words = cubes
            .iter()
            .map(|Cube { mask, value }| format!("({mask:#0digits$x}, {value:#0digits$x}),"));
        let words: String = words.collect();
        format!("\n            Illegal({}, ({when}), ({words})),", quoted(&wrong.why))
    };
    plain.into_iter().chain(conditional).map(illegal).collect()
}

fn function(call: &str, map: &TruthTable, said: bool) -> String {
    let values: String = map.values().iter().map(|byte| format!("{byte:02x}")).collect();
    let said = if said { "True" } else { "False" };
    format!(
        "Function({}, {}, bytes.fromhex(\"{values}\"), {said}),",
        quoted(call),
        pieces(map.pieces())
    )
}

fn pieces(pieces: &[Piece]) -> String {
    let pieces = pieces.iter().map(|Piece { position, width }| format!("({position}, {width}),"));
    format!("({})", pieces.collect::<String>())
}

/// Returns a text as a string literal.
fn quoted(text: &str) -> String {
    let mut quoted = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => quoted.extend(['\\', c]),
            c if c.is_control() => quoted += &format!("\\x{:02x}", u32::from(c)),
            c => quoted.push(c),
        }
    }
    quoted + "\""
}

/// Returns a line as the docstring of a module or class.
fn documented(text: &str) -> String {
    format!("\"\"{}\"\"", quoted(text))
}
