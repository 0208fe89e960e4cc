//! Checks the encoding of each opcode: its size, whether a valid encoding is left, whether it suits its
//! general form if it is a special case, and the byte order. Reports questions about encodings that no
//! rule could answer within the search limit.

use std::collections::BTreeMap;
use std::rc::Rc;

use super::overlap::fixed_fields;
use crate::diag::{Code, Diagnostics, quoted_first, quoted_or};
use crate::model::cube::Cube;
use crate::model::features::limits;
use crate::model::{DefaultValue, Init, MOST_FIELDS, MOST_NAMES, Model, Opcode, ResolvedField};
use crate::syntax::ast::ByteOrder;

/// Checks that an opcode declared `inside` another one is a special case of it.
pub(crate) fn check_inside(model: &Model, diag: &mut Diagnostics) {
    for opcode in model.opcodes_with_valid_fields() {
        for said in &opcode.inside {
            let general = &model.opcodes[said.opcode];
            if !general.has_valid_fields || opcode.is_special_case_of(general) {
                continue;
            }
            let (name, other) = (&opcode.name, &general.name);
            let message = not_inside(model, opcode, general);
            let note = format!("`{name}` is declared `inside` this opcode, `{other}`");
            diag.error_with(Code::NotInside, said.span, message, other.span(), note);
        }
    }
}

const SPECIAL_CASE: &str = "a special case must fix all bits that the general opcode fixes, and \
                            at least one more";

/// Explains why an opcode is not a special case of another.
fn not_inside(model: &Model, opcode: &Opcode, general: &Opcode) -> String {
    let (name, other) = (&opcode.name, &general.name);
    let shorter = |opcode: &Opcode| opcode.short.as_ref().map(|short| short.bits);
    if shorter(opcode) != shorter(general) {
        let word = general.short.as_ref().map_or_else(
            || format!("word<{}>;", general.bits),
            |short| {
                format!("word<{}> if {} else word<{}>;", general.bits, short.condition, short.bits)
            },
        );
        return format!(
            "`{name}` is not inside `{other}`: only one of the two has words of two widths\nhelp: \
             declare `{word}` for both"
        );
    }
    if opcode.bits != general.bits {
        return format!(
            "`{name}` is not inside `{other}`: its words have {} bits, but those of `{other}` \
             have {}",
            opcode.bits, general.bits
        );
    }
    let fixes = format!(
        "note: `{name}` fixes {}\nnote: `{other}` fixes {}",
        fixed_fields(model, opcode),
        fixed_fields(model, general)
    );
    let (own, wider) = (opcode.identity(), general.identity());
    if own == wider {
        return format!(
            "`{name}` is not inside `{other}`: both fix the same bits\n{fixes}\nhelp: \
             {SPECIAL_CASE}"
        );
    }
    let outside = wider.complement().into_iter().filter_map(|cube| cube.and(own));
    let legal = |cube| opcode.word_of(cube, &opcode.illegal).ok().flatten();
    let why = match outside.into_iter().find_map(legal) {
        Some(word) => {
            let digits = usize::from(opcode.bits / 4);
            format!("0x{word:0digits$x} would be `{name}` but is not `{other}`")
        }
        None => {
            format!("it does not fix every bit that `{other}` fixes; exceptions do not count")
        }
    };
    let help = if own.covers(wider) {
        format!("reverse the declaration: `{other}` is inside `{name}`")
    } else if own.and(wider).is_none() {
        "the two have no encoding in common: remove `inside`".to_owned()
    } else {
        SPECIAL_CASE.to_owned()
    };
    format!("`{name}` is not inside `{other}`: {why}\n{fixes}\nhelp: {help}")
}

/// Checks that each opcode has at least one valid encoding.
pub(crate) fn check_legal(model: &Model, diag: &mut Diagnostics) {
    // The opcodes that each exception leaves without a valid encoding, by exception.
    let mut always: BTreeMap<usize, Vec<&Opcode>> = BTreeMap::new();
    for opcode in model.opcodes_with_valid_fields() {
        if opcode.word_of(opcode.identity(), &opcode.illegal) != Ok(None) {
            check_exists(model, opcode, diag);
            continue;
        }
        let is_special = |id: &usize| model.exceptions[*id].special.is_some();
        let (special, own): (Vec<usize>, Vec<usize>) =
            opcode.exceptions.iter().copied().partition(is_special);
        let exclude_all = |ids: &[usize]| {
            opcode.word_of(opcode.identity(), &illegal_by(model, opcode, ids)) == Ok(None)
        };
        if let Some(&exception) = own.iter().find(|id| exclude_all(&[**id])) {
            always.entry(exception).or_default().push(opcode);
        } else if exclude_all(&own) {
            let message = format!(
                "`{}` has no valid encoding: its exceptions and reserved values reject all of \
                 them\nhelp: narrow the condition of one of the exceptions",
                opcode.name
            );
            diag.error(Code::NoValidEncoding, opcode.name.span(), message);
        } else {
            let filled = exclude_all(&special);
            report_filled(model, opcode, &special, filled, diag);
        }
    }
    for (exception, opcodes) in always {
        let opcodes = quoted_or(opcodes.iter().map(|opcode| &opcode.name), " and of ");
        let exception = &model.exceptions[exception];
        let message = match exception.unmet.is_some() {
            true => format!(
                "this condition rejects every encoding of {opcodes}\nhelp: correct the \
                 condition, or move it to the opcodes that need it"
            ),
            false => format!(
                "this exception rejects every encoding of {opcodes}\nhelp: narrow the condition, \
                 or move the exception to the opcodes that need it"
            ),
        };
        diag.error(Code::ExceptionRejectsAll, exception.span, message);
    }
}

/// Checks that an encoding exists with some combination of features.
fn check_exists(model: &Model, opcode: &Opcode, diag: &mut Diagnostics) {
    let limits = limits(model, opcode);
    let (identity, all): (_, Vec<_>) = (opcode.identity(), limits.iter().collect());
    let names = [&opcode.name];
    let found = model.features.word(&model.search, &names, identity, &opcode.illegal, &all);
    if limits.is_empty() || found != Ok(None) {
        return;
    }
    let conditions = opcode.requirements.iter().map(|&id| &model.requirements[id]);
    let conditions = conditions.map(|one| match &one.subject[..] {
        "" => format!("the opcode requires {}", one.condition),
        subject => format!("{subject} requires {}", one.condition),
    });
    let message = format!(
        "`{}` has no valid encoding with any combination of features: {}\nhelp: correct one of the \
         conditions, or remove the opcode",
        opcode.name,
        conditions.collect::<Vec<_>>().join("; ")
    );
    diag.error(Code::NoValidEncoding, opcode.name.span(), message);
}

/// Returns the words of an opcode that its reserved values and the given exceptions exclude.
fn illegal_by(model: &Model, opcode: &Opcode, exceptions: &[usize]) -> Vec<Cube> {
    let cubes = exceptions.iter().flat_map(|&id| &model.exceptions[id].cubes).copied();
    opcode.reserved(model).into_iter().chain(cubes).collect()
}

/// Reports a general opcode that has no encoding left for itself: its special cases cover all its
/// encodings, or its exceptions exclude the rest.
fn report_filled(
    model: &Model,
    opcode: &Opcode,
    special: &[usize],
    filled: bool,
    diag: &mut Diagnostics,
) {
    let special: Vec<&Opcode> = special
        .iter()
        .filter_map(|&id| model.exceptions[id].special)
        .map(|special| &model.opcodes[special])
        .collect();
    let name = &opcode.name;
    let others = quoted_or(special.iter().map(|other| &other.name), ", ");
    let (code, message) = if filled {
        let message = format!(
            "`{name}` is never decoded: all its encodings belong to the opcodes inside it, \
             {others}\nhelp: remove `{name}` or one of the others"
        );
        (Code::NeverDecoded, message)
    } else {
        let message = format!(
            "`{name}` has no valid encoding: its exceptions reject all encodings that do not \
             belong to the opcodes inside it, {others}\nhelp: remove `{name}`, or narrow the \
             condition of one of its exceptions"
        );
        (Code::NoValidEncoding, message)
    };
    let Some(other) = special.first() else { return };
    let note = format!("`{}` is inside `{name}`", other.name);
    diag.error_with(code, name.span(), message, other.name.span(), note);
}

/// Reports opcodes and aliases with too many fields, or with too many names in the template. The
/// maximum length of a line is checked later by rustc, because only rustc knows the length of operand
/// text.
pub(crate) fn check_size(model: &Model, diag: &mut Diagnostics) {
    for opcode in model.valid_spellings() {
        let fields = opcode.fields.len() + opcode.composite_operands.len();
        let symbols = model.syntaxes[opcode.syntax].placeholders.len();
        let message = if fields > MOST_FIELDS {
            format!(
                "`{}` has {fields} fields and composite operands, expected at most \
                 {MOST_FIELDS}\nhelp: merge fields that belong together",
                opcode.name
            )
        } else if symbols > MOST_NAMES {
            format!(
                "the template of `{}` has {symbols} names, expected at most {MOST_NAMES}\nhelp: \
                 print several fields as one operand: `AsmFormat<name: field, field> = Format();`",
                opcode.name
            )
        } else {
            continue;
        };
        diag.error_of(&opcode.name, Code::TooLarge, opcode.name.span(), message);
    }
}

/// Checks that no short word lacks a bit that is 1 in every word or by default.
pub(crate) fn check_short_words(model: &Model, diag: &mut Diagnostics) {
    for opcode in model.opcodes_with_valid_fields() {
        let Some(short) = &opcode.short else { continue };
        let missing = |field: &&ResolvedField| match field.init {
            Init::Fixed(raw) | Init::Default(DefaultValue::Number(raw)) => {
                field.spread(raw.into()) >> short.bits != 0
            }
            Init::Default(DefaultValue::Named(..)) | Init::Required => false,
        };
        let Some(field) = opcode.fields_in(model).find(missing) else { continue };
        if opcode.word_of(opcode.identity(), &short.long) == Ok(None) {
            continue;
        }
        let message = format!(
            "`{}` {} other than 0, but words with `{}` do not contain it\nhelp: use the \
             value 0, declare `word<{}>;`, or fix a field so that the condition of the long words \
             holds",
            field.text,
            if field.is_fixed() { "is fixed to a value" } else { "has a default" },
            short.opposite,
            opcode.bits
        );
        let span = if field.node == opcode.node { field.name.span() } else { opcode.name.span() };
        diag.error_of(&opcode.name, Code::WordWidth, span, message);
    }
}

/// Checks that words consist of whole half-words if the byte order is by half-words.
pub(crate) fn check_halfwords(model: &Model, diag: &mut Diagnostics) {
    if model.byte_order != ByteOrder::LittleEndianHalfwords {
        return;
    }
    for width in model.header.widths.iter().filter(|width| width.value % 16 != 0) {
        let message = format!(
            "words of {} do not consist of whole half-words of 16 bits, as `bytes \
             little_endian_halfwords;` requires\nhelp: `bytes little_endian;` and `bytes \
             big_endian;` allow words of any number of bytes",
            crate::diag::bits(width.value),
        );
        diag.error(Code::ByteOrder, width.span, message);
    }
}

/// Checks that each included set has the byte order of this set.
pub(crate) fn check_byte_order(model: &Model, diag: &mut Diagnostics) {
    let sets = model.included.chunk_by(|a, b| Rc::ptr_eq(&a.set, &b.set));
    for included in sets.filter_map(<[_]>::first) {
        let (own, other) = (model.byte_order, included.set.byte_order);
        if own != other {
            let message = format!(
                "the included set with `{}` has `bytes {};`, but this set has `bytes {};`\nhelp: \
                 declare the same order in both, or once in a set that both `use`; the default \
                 is `bytes little_endian;`",
                included.name,
                other.name(),
                own.name(),
            );
            diag.error(Code::ByteOrder, included.place, message);
        }
    }
}

/// Reports the opcodes whose valid encodings were too hard to compare. No rule has reported an error
/// that depends on the answer.
pub(super) fn report_unresolved(model: &Model, diag: &mut Diagnostics) {
    let names = model.search.open();
    let Some(first) = names.first() else { return };
    let message = format!(
        "the valid encodings of {} are too hard to find: their exceptions depend on each other \
         in too many ways\nhelp: use only a few fields in each exception, or declare a separate \
         opcode for each group of valid values",
        quoted_first(names.iter())
    );
    diag.error(Code::ExceptionSize, first.span(), message);
}
