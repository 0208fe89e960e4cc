//! Defines the properties of every set. Each is a function that tests one case.

use isa_core::Operands;
use isa_core::asm::{Assembler, Disassembler};
use isa_core::table::{FlowKind, FlowTarget, Opcode};
use isa_core::text::Line;

use crate::case::TestCase;
use crate::effects::effects;
use crate::field_values::{field_value, with_value};
use crate::garble::garble;
use crate::generate::Generator;
use crate::lanes::lanes;
use crate::model::Verdict;
use crate::parse_check::{ensure, parse_all, parse_whole};
use crate::set_under_test::ADDRESS;
use crate::spelling::spell;
use crate::text::{bytes_of, is_read_as_printed, plain_reads_back, printed, round_trip};

/// A property.
pub(crate) struct Property {
    pub(crate) name: &'static str,
    /// The description for lists.
    pub(crate) about: &'static str,
    /// Only one in this many cases is tested, because a case takes as long as this many cases of
    /// other properties.
    share: u64,
    pub(crate) needs_machine: bool,
    pub(crate) check: fn(&mut TestCase<'_>) -> Result<(), String>,
}

impl Property {
    /// Returns the number of cases that are tested if `cases` cases were requested.
    pub(crate) const fn share_of(&self, cases: u64) -> u64 {
        cases.div_ceil(self.share)
    }

    const fn new(
        name: &'static str,
        about: &'static str,
        check: fn(&mut TestCase<'_>) -> Result<(), String>,
    ) -> Self {
        Property { name, about, share: 1, needs_machine: false, check }
    }
}

/// Returns the names and descriptions of the properties.
pub fn properties() -> impl Iterator<Item = (&'static str, &'static str)> {
    PROPERTIES.iter().map(|property| (property.name, property.about))
}

/// All properties.
pub(crate) const PROPERTIES: [Property; 12] = [
    Property::new("round-trips", "a valid word decodes, prints and parses to itself", round_trips),
    Property::new(
        "any-word",
        "a word is a valid instruction, or it is rejected with the reason",
        any_word,
    ),
    Property::new("spellings", "a text parses to its word in every spelling", spellings),
    Property::new(
        "damaged-texts",
        "any text that parses is printed as an equal instruction",
        damaged_texts,
    ),
    Property::new("types", "typed instructions behave like the tables", types),
    Property::new("fields", "setting a field changes only this field", fields),
    Property::new(
        "streams",
        "bytes are split into instructions at the widths of the words",
        streams,
    ),
    Property {
        share: 16,
        ..Property::new("programs", "programs with labels assemble to their bytes", programs)
    },
    Property {
        needs_machine: true,
        ..Property::new("semantics", "execution does not panic and is deterministic", semantics)
    },
    Property {
        needs_machine: true,
        ..Property::new("flow", "execution continues at an address that `flow` declares", flow)
    },
    Property {
        needs_machine: true,
        ..Property::new("lanes", "only the lanes that `Lanes` declares are read and written", lanes)
    },
    Property {
        needs_machine: true,
        ..Property::new("effects", "execution has only effects of the table row", effects)
    },
];

fn round_trips(case: &mut TestCase<'_>) -> Result<(), String> {
    let (index, word) = case.legal()?;
    let set = case.set();
    let opcode: &'static Opcode = set.opcodes[index];
    let found = set.index(word).map_err(|error| error.to_string())?;
    ensure(found == index, || {
        format!("is {} instead of {}", set.opcodes[found].name, opcode.name)
    })?;
    opcode.validate(word).map_err(|error| format!("does not encode: {error}"))?;
    let text = printed(opcode, word);
    case.text = Some(text.to_string());
    let (mut plain, mut template) = (Line::new(), Line::new());
    opcode.print_plain(word, &mut plain);
    opcode.print_template(word, &mut template);
    ensure(plain.as_str() == template.as_str(), || {
        format!("prints as {plain:?} with the steps, and as {template:?} with the template")
    })?;
    if case.subject.reads_back(opcode, word) {
        round_trip(set, word)?;
        let summary = parse_all(set, text.as_str())?;
        ensure(summary.accepted == 1, || format!("parses to {summary:?}"))?;
        is_read_as_printed(set, word)?;
    }
    if plain.as_str() != text.as_str() && opcode.after.is_empty() && plain_reads_back(opcode, word)
    {
        case.text = Some(plain.to_string());
        let parsed = set.parse(plain.as_str()).map(|parsed| parsed.word());
        ensure(parsed.as_ref().ok() == Some(&word), || format!("parses to {parsed:x?}"))?;
    }
    Ok(())
}

/// Returns a word that may be invalid: a random word, a word with the fixed bits of an opcode, a valid
/// word in which one or two bits or one field were changed, or a word with few bits set.
fn some_word(case: &mut TestCase<'_>) -> Result<u128, String> {
    let bits = u64::from(case.set().bits);
    let width = u128::MAX >> (128 - bits);
    let turn = case.number / case.generator.opcode_count().max(1) as u64;
    let opcode = case.opcode();
    let one = |case: &mut TestCase<'_>| 1_u128 << case.generator.random.below(bits);
    Ok(match turn % 6 {
        0 => case.generator.random.word() & width,
        1 | 2 => case.generator.plausible(opcode) & width,
        3 => case.legal()?.1 ^ one(case),
        4 if case.generator.random.below(2) == 0 => {
            let few = one(case) | one(case);
            if case.generator.random.below(2) == 0 { few } else { width & !few }
        }
        4 => case.legal()?.1 ^ one(case) ^ one(case),
        _ => {
            let (_, word) = case.legal()?;
            let fields = case.set().opcodes[opcode].fields;
            let field = *case.generator.random.pick(fields);
            let raw = case.generator.raw(field);
            with_value(field, word, raw)
        }
    })
}

fn any_word(case: &mut TestCase<'_>) -> Result<(), String> {
    let word = some_word(case)?;
    case.word = Some(word);
    let (set, model) = (case.set(), &case.subject.model);
    let name = |index: usize| set.opcodes[index].name;
    let reads_back = match (set.index(word), model.classify(word)) {
        (Ok(found), Verdict::Legal(index)) if found == index => {
            case.subject.reads_back(set.opcodes[index], word)
        }
        (Ok(found), Verdict::Legal(index)) => {
            return Err(format!("decodes as {}, but it is {}", name(found), name(index)));
        }
        (Ok(found), verdict) => {
            return Err(format!("decodes as {}, but it is {verdict:?}", name(found)));
        }
        (Err(error), verdict) => {
            let said = error.word() == word && model.explains(&error);
            ensure(said, || format!("is rejected: {error}; but it is {verdict:?}"))?;
            // The text shows the fields of the opcode that the word resembles; it must not assemble
            // to the word.
            if let Verdict::Illegal(index, _) = verdict {
                let text = printed(set.opcodes[index], word);
                case.text = Some(text.to_string());
                parse_all(set, text.as_str())?;
            }
            true
        }
    };
    if reads_back { round_trip(set, word) } else { Ok(()) }
}

fn spellings(case: &mut TestCase<'_>) -> Result<(), String> {
    let (index, word) = case.legal()?;
    let opcode = case.set().opcodes[index];
    let mut rows: Vec<&'static Opcode> = vec![opcode];
    rows.extend(opcode.aliases.iter().map(|alias| alias.row).filter(|row| row.check(word)));
    // Another row that is tried first may accept the text.
    rows.retain(|row| row.after.is_empty() && plain_reads_back(row, word));
    if !case.subject.reads_back(opcode, word) {
        return Ok(());
    }
    if rows.is_empty() {
        return Ok(());
    }
    let row = *case.generator.random.pick(&rows);
    let text = spell(row, word, &mut case.generator.random);
    case.text = Some(text.clone());
    let parsed = case.set().parse(&text).map_err(|error| format!("{error} ({})", row.name))?;
    ensure(parsed.word() == word, || format!("parses to {:#x}", parsed.word()))?;
    parse_whole(case.set(), &text).map(drop)
}

fn damaged_texts(case: &mut TestCase<'_>) -> Result<(), String> {
    let (index, word) = case.legal()?;
    let (_, other) = TestCase::legal(case)?;
    let opcode = case.set().opcodes[index];
    let text = match case.number % 4 {
        0 => spell(opcode, word, &mut case.generator.random),
        1 => format!(".word {word:#x};"),
        _ => printed(opcode, word).to_string(),
    };
    let neighbour = case.generator.random.below(case.generator.opcode_count() as u64) as usize;
    let other = printed(case.set().opcodes[neighbour], other);
    let text = garble(&text, other.as_str(), &mut case.generator.random);
    case.word = None;
    case.text = Some(text.clone());
    parse_whole(case.set(), &text).map(drop)
}

fn types(case: &mut TestCase<'_>) -> Result<(), String> {
    let (index, word) = case.legal()?;
    let opcode = case.set().opcodes[index];
    let subject = case.subject;
    (subject.typed)(subject.features, opcode, word, subject.reads_back(opcode, word))
}

fn fields(case: &mut TestCase<'_>) -> Result<(), String> {
    let (index, word) = case.legal()?;
    let opcode = case.set().opcodes[index];
    for &field in opcode.fields.iter().filter(|field| !field.pieces.is_empty()) {
        let raw = case.generator.raw(field);
        let changed = field.set(word, raw);
        let name = field.name;
        ensure(field.get(word) == field_value(field, word), || {
            format!("{name} differs from its bits")
        })?;
        ensure(changed == with_value(field, word, raw), || {
            format!("setting {name} to {raw:#x} gives a wrong word")
        })?;
        ensure(field.get(changed) == raw, || {
            format!("{name} is not {raw:#x} after it was set to this value")
        })?;
        let legal = case.generator.opcode(index).is_legal(changed);
        ensure(opcode.check(changed) == legal, || {
            format!("with {name} = {raw:#x} it should {}be valid", if legal { "" } else { "not " })
        })?;
    }
    for operand in Operands::new(opcode, word) {
        let held = operand.field().get(word);
        ensure(operand.bits() == held, || format!("the operand {} is wrong", operand.name()))?;
    }
    Ok(())
}

fn streams(case: &mut TestCase<'_>) -> Result<(), String> {
    let mut bytes = Vec::new();
    for _ in 0..1 + case.generator.random.below(4) {
        case.number = case.number.wrapping_add(bytes.len() as u64);
        let (index, word) = case.legal()?;
        let word =
            if case.generator.random.below(4) == 0 { case.generator.random.word() } else { word };
        bytes.extend(bytes_of(case.set(), case.set().opcodes[index], word));
    }
    bytes.truncate(case.generator.random.below(bytes.len() as u64 + 1) as usize);
    case.word = None;
    case.text = Some(format!("{bytes:02x?}"));
    let (set, mut rest) = (case.set(), &bytes[..]);
    while !rest.is_empty() {
        let found = set.first(rest).ok();
        let expected = case.subject.model.first_instruction(rest);
        ensure(found == expected, || {
            format!("{rest:02x?} begins with {found:x?} instead of {expected:x?}")
        })?;
        let length = set.length(rest);
        let fits = length > 0 && length <= rest.len();
        let same = found.is_none_or(|(_, _, own)| own == length);
        let told = case.subject.model.length(rest);
        let same = same && told.is_none_or(|told| told.min(rest.len()) == length);
        ensure(fits && same, || format!("{rest:02x?} is reported to begin with {length} bytes"))?;
        rest = &rest[length..];
    }
    Ok(())
}

fn programs(case: &mut TestCase<'_>) -> Result<(), String> {
    let seed = case.generator.random.bits();
    let mut generator = Generator::over(&case.subject.model, seed);
    let count = 1 + case.generator.random.below(12) as usize;
    let mut program = generator.program(count);
    program.instructions.retain(|one| case.subject.reads_back(one.opcode, one.word));
    let text = program.text();
    case.text = Some(text.clone());
    let set = case.set();
    let assembler = Assembler::new(set).origin(program.origin);
    let assembled = assembler.assemble(&text).map_err(|errors| errors.to_string())?;
    let bytes = program.bytes();
    ensure(assembled.bytes == bytes, || {
        format!("assembles to {:02x?} instead of {bytes:02x?}", assembled.bytes)
    })?;
    let again = Disassembler::new(set).origin(program.origin).disassemble(&assembled.bytes);
    ensure(again == text, || format!("is disassembled as {again:?}"))?;
    // A garbled program must either assemble or cause errors at positions in the text.
    let text = garble(&text, &again, &mut case.generator.random);
    case.text = Some(text.clone());
    match assembler.assemble(&text) {
        Ok(program) => ensure(
            program.statements.iter().all(|statement| {
                program.bytes.len() as u64 >= statement.address.wrapping_sub(program.origin)
            }),
            || "a statement is outside of its program".to_owned(),
        ),
        Err(errors) => errors.iter().try_for_each(|error| {
            let inside = text.get(error.span.clone()).is_some();
            ensure(inside, || format!("an error is at {:?}: {error}", error.span))
        }),
    }
}

/// Executes a valid word in a random state. Returns the opcode, the word, and the address of the
/// next instruction.
fn executed(case: &mut TestCase<'_>) -> Result<(&'static Opcode, u128, Option<u64>), String> {
    let (index, word) = case.legal()?;
    let opcode = case.set().opcodes[index];
    case.text = Some(printed(opcode, word).to_string());
    let seed = case.generator.random.bits();
    let next = case.subject.execute(&bytes_of(case.set(), opcode, word), seed)?;
    Ok((opcode, word, next))
}

fn semantics(case: &mut TestCase<'_>) -> Result<(), String> {
    executed(case).map(drop)
}

fn flow(case: &mut TestCase<'_>) -> Result<(), String> {
    let (opcode, word, next) = executed(case)?;
    let Some(next) = next else { return Ok(()) };
    let (flow, after) =
        (opcode.flow(word, ADDRESS), ADDRESS + u64::from(opcode.width_of(word) / 8));
    let goes_on = flow.falls_through && next == after;
    let fits = match (flow.kind, flow.target) {
        (FlowKind::Next, _) => goes_on,
        (FlowKind::Stop | FlowKind::Trap, _) => true,
        (_, FlowTarget::Address(target)) => goes_on || next == target,
        // An operand can contain any address.
        _ => true,
    };
    ensure(fits, || {
        format!("from {ADDRESS:#x} execution continues at {next:#x}, which is not in {flow:x?}")
    })
}
