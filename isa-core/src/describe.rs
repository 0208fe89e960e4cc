//! Describes a whole instruction set as data for other programs.
//!
//! [`json`] writes the tables of a set as one JSON object. A program can use it to decode the set's
//! words without this crate:
//!
//! ```text
//! format     "define-isa", and the version of this description, `version`: 2
//! name, doc  of the set; `widths`: those of its words in bits, the widest first; `any_case`, if text is
//!            read in any letter case; `byte_order`, how its words stand in memory: `little_endian`,
//!            `big_endian` or `little_endian_halfwords`; `address_bits`, the width of addresses
//! kinds      each with name, doc, width in bits, `values` (name, raw, doc, and where there are any
//!            other names that are read, `also`), and `reserved`: field values
//!            that do not exist, as masked comparisons. An operand kind has `text`, a place in
//!            `texts`, and if it is a target, `target`: true
//! texts      how operands are written: what the text is in words, `expects`; the `widths` of the
//!            value and of its arguments; and one of `list` and `parts`, or neither
//! groups     the groups and optypes: name, doc, whether it is an `optype`, its `parents`
//! properties the properties that opcodes have, if there are any: name, doc, and `type`, which is `bool`,
//!            a number type such as `u8`, or the name of a value set
//! opcodes    name, doc, bits, `fixed` (mask and value), `unused` bits, which are 0, `groups`,
//!            fields, `illegal` combinations, syntax, operands, `views` (slots that show
//!            the bits of several fields), `flow` (the instructions that can follow, if it is not
//!            only the next one), the `lanes` that it reads and writes, `formats`, the template
//!            that it `prints`, examples, and `aliases`, its other spellings, each with a `row` like
//!            that of an opcode. If the opcode has properties, `properties` maps their names to
//!            numbers, to true or false, or to names of values
//! ```
//!
//! If an opcode has words of two widths, `bits` is the larger width, and `short` is an object: the smaller
//! width `bits`, the `condition` of the long words as text, and the long words as patterns, `long`. In
//! memory, a short word consists of the low `bits` of its number; its other bits are 0, as a combination
//! in `illegal` requires.
//!
//! A word belongs to an opcode if it has the fixed bits, no unused bits and no reserved values, and
//! does not match any of the `words` of an invalid combination. The value of a field consists of its
//! `pieces`, the most significant first, each a position and a width. An `ignored` field does not
//! appear in any text, and assemblers write its default. If the condition of a combination calls Rust
//! functions, the combination also has `cases`: the words for which each function in `when` returns the
//! value of `is`. `values` contains one bit for each value of the function's `pieces`, as bytes; value
//! 0 is the lowest bit of the first byte. Masks and words are hexadecimal strings, because JSON numbers
//! are exact only up to 2^53. Each field contains the index of its type in `kinds`. A fixed field
//! without pieces has its fixed value in every word.
//!
//! The first row of `flow` whose `words` or `cases` contain a word applies. `kind` is `branch`,
//! `call`, `return`, `stop`, `trap` or `next`. `target` is the field that contains the target, if
//! there is one. If `indirect` is true, memory contains the target, at the address in the field.
//! `or_next` is true if execution may continue with the next instruction. If no row applies,
//! execution continues with the next instruction.
//!
//! Each element of `lanes` describes the operand in a `field`, whose value is divided into lanes of
//! `bits` bits. `mask` contains the lanes that are read or written, with bit i for lane i. It is a
//! binary number, or a call of a Rust function with fields as arguments. Without `mask`, all lanes are
//! used. If the width of the operand depends on fields, `count` replaces `mask`: a call of a Rust
//! function that returns the number of lanes.
//!
//! A word is printed as the first alias that satisfies three conditions: `printed` is true, the row of
//! the alias contains the word, and no pattern in `unless` matches the word. If there is no such alias,
//! it is printed as its opcode. `after` lists the rows that the parser tries before this alias. The
//! patterns in `unless` match words whose text is parsed as another word, usually because one of these
//! rows accepts the text. `unless` is null if there were too many words to try. An opcode can also have
//! `after`. Its words are printed even if their texts are parsed as other words.
//!
//! `prints` is a list: a string is printed as it is, and a number is the index of a field or, after the
//! fields, of a composite operand. An object is printed if all fields in `when` have the given values,
//! or if at least one field in `unless` has another value; both are lists of `[place, value]`. `part`
//! is the type of the object: `modifier`, `setting` (a trailing attribute), `mark` (a prefix or suffix
//! operator of an operand), `suffix` (a modifier of an operand), or `optional` (any other optional
//! group).
//!
//! A field is printed by the format whose `place` is the index of the field. If there is no such
//! format, its type prints it, either as the name of the value or as a text. A `list` contains the
//! texts of all values in order. A text can have arguments: the fields whose indexes are in the `args`
//! of the format. The index in the list then consists of the bits of the value, followed by the lower
//! bits of the arguments. `parts` consists of strings and objects. Bits are described as
//! `[which, low, width]`. If `which` is 0, the bits belong to the value; the numbers from 1 on select
//! an argument:
//!
//! ```text
//! number     the bits times `scale`, plus `add`: with a sign of their own if `signed`, and taken for
//!            two's complement of `wrap` bits if that is not 0; with at least `hex` hexadecimal digits,
//!            or, if that is 0, in decimal
//! float      of the `format` `binary16` or `bfloat16`: the shortest decimal that is read as the number
//!            in 64 bits, of several the nearest, of two as near the greater; with an
//!            exponent, as 1e-7, below 1e-4 and from 1e16 on; `+INF`, `-INF`; any NaN in four
//!            hexadecimal digits after `0x`
//! choice     the list of parts among `of` with the number that the bits are; the last for any higher
//! ```
//!
//! An operand type that does not describe its text has neither a list nor parts. A program can then
//! print only the number. The crate `isa-export` contains a JSON Schema of this description, and a
//! reader in Python that decodes and prints.
//!
//! ```
//! isa_core::define_isa! {
//!     /// One instruction.
//!     pub isa Tiny: u16;
//!     enum Op: 4 { NOP = 5 }
//!     opcode NOP { encoding { field<0, 4> Op op == NOP; } syntax { NOP ; } }
//! }
//!
//! let text = isa_core::describe::json(<Tiny as isa_core::Isa>::SET).to_string();
//! assert!(text.contains(r#""fixed":["0x000f","0x0005"]"#));
//! ```

mod aliases;
mod template;
mod texts;

use alloc::vec::Vec;
use core::fmt::{self, Display, Formatter, Write};

use self::texts::DescribedTexts;
use crate::bits::Cube;
use crate::operand::{Kind, Value};
use crate::table::{
    ConditionCase, Exception, Field, FlowRow, Format, FunctionResult, Group, Init, InstructionSet,
    LaneRow, Opcode, OperandRow, Piece, Properties, Property, PropertyType, PropertyValue,
    ShortWord,
};

/// Returns a set as one JSON object, without spaces or line breaks between its parts.
pub fn json(set: &InstructionSet) -> impl Display + '_ {
    SetDescription(set)
}

impl InstructionSet {
    /// Returns the types of all fields and properties, each once. The types of fields are first, in the
    /// order in which opcodes use them.
    #[must_use]
    pub fn kinds(&self) -> Vec<&'static Kind> {
        let fields = self.opcodes.iter().flat_map(|opcode| opcode.fields);
        let of_properties =
            self.properties().into_iter().filter_map(|property| match property.ty {
                PropertyType::Named(kind) => Some(kind),
                _ => None,
            });
        once(fields.map(|field| field.kind).chain(of_properties))
    }

    /// Returns the properties that opcodes have, each name once, in the order in which opcodes use them.
    #[must_use]
    pub fn properties(&self) -> Vec<&'static Property> {
        let mut known = alloc::collections::BTreeSet::new();
        let all = self.opcodes.iter().flat_map(|opcode| opcode.properties.iter());
        all.map(|(property, _)| property).filter(|property| known.insert(property.name)).collect()
    }

    /// Returns the groups and optypes that opcodes inherit from, each once, the most distant first.
    #[must_use]
    pub fn groups(&self) -> Vec<&'static Group> {
        once(self.opcodes.iter().flat_map(|opcode| opcode.lineage.groups()))
    }
}

/// Returns the references of a list without repetitions. Two references are equal if they have the
/// same address.
fn once<T>(all: impl Iterator<Item = &'static T>) -> Vec<&'static T> {
    let mut known = alloc::collections::BTreeSet::new();
    all.filter(|one| known.insert(core::ptr::from_ref::<T>(one))).collect()
}

struct SetDescription<'s>(&'s InstructionSet);

impl Display for SetDescription<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let SetDescription(set) = self;
        let kinds = set.kinds();
        f.write_str(r#"{"format":"define-isa","version":2,"#)?;
        write!(f, r#""name":{},"doc":{},"#, QuotedText(set.name), QuotedText(set.doc))?;
        write!(f, r#""widths":{},"#, list(set.widths, |width, f| width.bits.fmt(f)))?;
        write!(f, r#""any_case":{},"byte_order":"{}","#, set.any_case, set.byte_order.name())?;
        write!(f, r#""address_bits":{},"#, set.address_bits)?;
        let texts = DescribedTexts::of(set, &kinds);
        write!(f, r#""kinds":{},"#, list(&kinds, |kind, f| kind_of(kind, &texts, f)))?;
        write!(f, r#""texts":{texts},"#)?;
        write!(f, r#""groups":{},"#, list(&set.groups(), |group, f| group_of(group, f)))?;
        let properties = set.properties();
        if !properties.is_empty() {
            write!(
                f,
                r#""properties":{},"#,
                list(&properties, |property, f| property_of(property, f))
            )?;
        }
        let opcodes = list(set.opcodes, |opcode, f| {
            let (after, properties) = (opcode.after, opcode.properties);
            TextRow { opcode, after, properties, kinds: &kinds, texts: &texts }.fmt(f)
        });
        write!(f, r#""opcodes":{opcodes}}}"#)
    }
}

fn kind_of(kind: &Kind, texts: &DescribedTexts, f: &mut Formatter<'_>) -> fmt::Result {
    let Kind { name, doc, width, values, reserved, text } = kind;
    write!(f, r#"{{"name":{},"doc":{},"width":{width},"#, QuotedText(name), QuotedText(doc))?;
    let values = list(values, |Value { name, also, raw, doc }, f| {
        write!(f, r#"{{"name":{},"#, QuotedText(name))?;
        if !also.is_empty() {
            write!(f, r#""also":{},"#, list(also, |name, f| QuotedText(name).fmt(f)))?;
        }
        write!(f, r#""raw":"{raw:#x}","doc":{}}}"#, QuotedText(doc))
    });
    let reserved = list(reserved, |cube, f| words(cube, *width, f));
    write!(f, r#""values":{values},"reserved":{reserved}"#)?;
    if let Some(text) = texts.of_kind(kind) {
        write!(f, r#","text":{text}"#)?;
    }
    if text.is_some_and(|text| text.target.is_some()) {
        f.write_str(r#","target":true"#)?;
    }
    f.write_char('}')
}

fn group_of(Group { name, doc, is_optype, parents }: &Group, f: &mut Formatter<'_>) -> fmt::Result {
    let parents = list(parents, |name, f| QuotedText(name).fmt(f));
    let (name, doc) = (QuotedText(name), QuotedText(doc));
    write!(f, r#"{{"name":{name},"doc":{doc},"optype":{is_optype},"parents":{parents}}}"#)
}

fn property_of(Property { name, doc, ty }: &Property, f: &mut Formatter<'_>) -> fmt::Result {
    let (name, doc, ty) = (QuotedText(name), QuotedText(doc), QuotedText(ty.name()));
    write!(f, r#"{{"name":{name},"doc":{doc},"type":{ty}}}"#)
}

/// An opcode or an alias.
struct TextRow<'k> {
    opcode: &'static Opcode,
    /// The rows that the parser tries before this row.
    after: &'static [&'static Opcode],
    /// The properties of an opcode. The row of an alias does not repeat them.
    properties: Properties,
    kinds: &'k [&'static Kind],
    texts: &'k DescribedTexts,
}

impl Display for TextRow<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let TextRow { opcode, after, properties, kinds, texts } = *self;
        let Opcode { name, doc, bits, fixed, unused, fields, exceptions, operands, .. } = *opcode;
        write!(f, r#"{{"name":{},"doc":{},"bits":{bits},"#, QuotedText(name), QuotedText(doc))?;
        if let Some(ShortWord { bits: short, condition, long }) = opcode.short {
            let long = list(long, |cube, f| words(cube, bits, f));
            write!(f, r#""short":{{"bits":{short},"condition":{},"#, QuotedText(condition))?;
            write!(f, r#""long":{long}}},"#)?;
        }
        f.write_str(r#""fixed":"#)?;
        words(&fixed, bits, f)?;
        write!(f, r#","unused":"{unused:#0digits$x}","#, digits = digits(bits))?;
        let groups: Vec<&Group> = opcode.lineage.groups().collect();
        write!(f, r#""groups":{},"#, list(&groups, |group, f| QuotedText(group.name).fmt(f)))?;
        write!(f, r#""fields":{},"#, list(fields, |field, f| field_of(field, opcode, kinds, f)))?;
        let exceptions = list(exceptions, |exception, f| exception_of(exception, bits, f));
        let (mnemonic, syntax) =
            (QuotedText(opcode.syntax.mnemonic), QuotedText(opcode.syntax.source));
        write!(f, r#""illegal":{exceptions},"mnemonic":{mnemonic},"syntax":{syntax},"#)?;
        let operands = list(operands, |operand, f| operand_of(operand, opcode, f));
        let examples = list(opcode.examples, |example, f| QuotedText(example).fmt(f));
        let views = list(opcode.views, |view, f| view_of(view, opcode, f));
        write!(f, r#""operands":{operands},"views":{views},"#)?;
        if !opcode.flow.is_empty() {
            write!(f, r#""flow":{},"#, list(opcode.flow, |row, f| flow_of(row, opcode, f)))?;
        }
        if !opcode.lanes.is_empty() {
            write!(f, r#""lanes":{},"#, list(opcode.lanes, |row, f| lanes_of(row, opcode, f)))?;
        }
        let properties: Vec<_> = properties.iter().collect();
        if let Some((last, others)) = properties.split_last() {
            f.write_str(r#""properties":{"#)?;
            others.iter().try_for_each(|property| write!(f, "{},", SetProperty(property)))?;
            write!(f, "{}}},", SetProperty(last))?;
        }
        if !after.is_empty() {
            write!(f, r#""after":{},"#, names(after))?;
        }
        template::write(opcode, texts, f)?;
        write!(f, r#","examples":{examples},"#)?;
        if let Some(semantics) = opcode.lineage.semantics() {
            write!(f, r#""semantics":{},"#, QuotedText(semantics))?;
        }
        let aliases = list(opcode.aliases, |alias, f| {
            let properties = Properties::NONE;
            let row = TextRow { opcode: alias.row, after: &[], properties, kinds, texts };
            write!(f, r#"{{"printed":{},"unless":"#, alias.printed)?;
            match aliases::unprinted(alias.row).filter(|_| alias.printed) {
                Some(cubes) => list(&cubes, |cube, f| words(cube, bits, f)).fmt(f)?,
                None if alias.printed => f.write_str("null")?,
                None => f.write_str("[]")?,
            }
            write!(f, r#","after":{},"row":{row}}}"#, names(alias.row.after))
        });
        write!(f, r#""aliases":{aliases}}}"#)
    }
}

/// A property and its value.
struct SetProperty<'p>(&'p (&'static Property, PropertyValue));

impl Display for SetProperty<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let SetProperty((property, value)) = self;
        write!(f, "{}:", QuotedText(property.name))?;
        match value {
            PropertyValue::Named(value) => QuotedText(value.name).fmt(f),
            PropertyValue::Bool(_) | PropertyValue::Number(_) => value.fmt(f),
        }
    }
}

fn names(rows: &'static [&'static Opcode]) -> impl Display {
    list(rows, |row, f| QuotedText(row.name).fmt(f))
}

fn field_of(
    field: &Field,
    opcode: &Opcode,
    kinds: &[&'static Kind],
    f: &mut Formatter<'_>,
) -> fmt::Result {
    let Field { name, doc, declared_in, pieces, kind, init } = field;
    let kind = kinds.iter().position(|known| core::ptr::eq(*known, *kind)).unwrap_or_default();
    let pieces = list(pieces, |Piece { position, width }, f| write!(f, "[{position},{width}]"));
    let (name, doc, declared_in) = (QuotedText(name), QuotedText(doc), QuotedText(declared_in));
    write!(f, r#"{{"name":{name},"doc":{doc},"declared_in":{declared_in},"#)?;
    write!(f, r#""kind":{kind},"pieces":{pieces}"#)?;
    if opcode.ignored & field.mask() != 0 {
        f.write_str(r#","ignored":true"#)?;
    }
    match init {
        Init::Fixed(raw) => write!(f, r#","fixed":"{raw:#x}"}}"#),
        Init::Default(raw) => write!(f, r#","default":"{raw:#x}"}}"#),
        Init::Required => f.write_char('}'),
    }
}

fn exception_of(exception: &Exception, bits: u8, f: &mut Formatter<'_>) -> fmt::Result {
    let Exception { class, reason, condition, declared_in, cubes, cases } = exception;
    let (class, reason, condition) = (QuotedText(class), QuotedText(reason), QuotedText(condition));
    write!(f, r#"{{"class":{class},"reason":{reason},"condition":{condition},"#)?;
    write!(f, r#""declared_in":{},"#, QuotedText(declared_in))?;
    met(cubes, cases, bits, f)?;
    f.write_char('}')
}

/// Writes the words that satisfy a condition.
fn met(cubes: &[Cube], cases: &[ConditionCase], bits: u8, f: &mut Formatter<'_>) -> fmt::Result {
    write!(f, r#""words":{}"#, list(cubes, |cube, f| words(cube, bits, f)))?;
    if !cases.is_empty() {
        let cases = list(cases, |ConditionCase { when, cubes }, f| {
            let when = list(when, said_of);
            let cubes = list(cubes, |cube, f| words(cube, bits, f));
            write!(f, r#"{{"when":{when},"words":{cubes}}}"#)
        });
        write!(f, r#","cases":{cases}"#)?;
    }
    Ok(())
}

fn flow_of(row: &FlowRow, opcode: &Opcode, f: &mut Formatter<'_>) -> fmt::Result {
    let FlowRow { kind, or_next, target, is_indirect, condition, cubes, cases } = row;
    write!(f, r#"{{"kind":"{}","or_next":{or_next},"#, kind.name())?;
    if let Some(field) = opcode.fields.get(usize::from(*target)) {
        write!(f, r#""target":{},"#, QuotedText(field.name))?;
        f.write_str(if *is_indirect { r#""indirect":true,"# } else { "" })?;
    }
    write!(f, r#""condition":{},"#, QuotedText(condition))?;
    met(cubes, cases, opcode.bits, f)?;
    f.write_char('}')
}

fn lanes_of(row: &LaneRow, opcode: &Opcode, f: &mut Formatter<'_>) -> fmt::Result {
    let name = opcode.fields.get(usize::from(row.field)).map_or("", |field| field.name);
    write!(f, r#"{{"field":{},"bits":{}"#, QuotedText(name), row.bits)?;
    // Paths, numbers and names of fields contain nothing that JSON escapes.
    if let Some((_, Some(mask))) = opcode.lanes_text(row.field) {
        let key = if row.is_count { "count" } else { "mask" };
        write!(f, r#","{key}":"{mask}""#)?;
    }
    f.write_char('}')
}

/// Writes a Rust function that depends on some bits of the word: the pieces of these bits (the most
/// significant first), and the values for which the function is true. The values are hexadecimal bytes
/// with one bit for each value; value 0 is the lowest bit of the first byte.
fn said_of(
    FunctionResult { text, map, said }: &FunctionResult,
    f: &mut Formatter<'_>,
) -> fmt::Result {
    let pieces =
        list(map.pieces(), |Piece { position, width }, f| write!(f, "[{position},{width}]"));
    write!(f, r#"{{"function":{},"pieces":{pieces},"values":""#, QuotedText(text))?;
    map.values().iter().try_for_each(|byte| write!(f, "{byte:02x}"))?;
    write!(f, r#"","is":{said}}}"#)
}

fn operand_of(operand: &OperandRow, opcode: &Opcode, f: &mut Formatter<'_>) -> fmt::Result {
    let OperandRow { field, access, bits } = operand;
    let name = opcode.fields.get(usize::from(*field)).map_or("", |field| field.name);
    let (name, access) = (QuotedText(name), access.name());
    write!(f, r#"{{"field":{name},"access":"{access}","bits":{bits}"#)?;
    let mut formats = opcode.formats.iter();
    if let Some(format) = formats.find(|format| format.field == *field) {
        write!(f, r#","format":{}"#, QuotedText(format.name))?;
    }
    f.write_char('}')
}

/// Writes a composite operand: its name, its bits, and the name of its format.
fn view_of(view: &'static Field, opcode: &Opcode, f: &mut Formatter<'_>) -> fmt::Result {
    let is_it = |format: &&Format| {
        opcode.at(format.field.into()).is_some_and(|shown| core::ptr::eq(shown, view))
    };
    let format = opcode.formats.iter().find(is_it);
    let pieces =
        list(view.pieces, |Piece { position, width }, f| write!(f, "[{position},{width}]"));
    let (name, format) =
        (QuotedText(view.name), QuotedText(format.map_or("", |format| format.name)));
    write!(f, r#"{{"slot":{name},"pieces":{pieces},"format":{format}}}"#)
}

/// Writes a mask and the value of the bits under it.
fn words(Cube { mask, value }: &Cube, bits: u8, f: &mut Formatter<'_>) -> fmt::Result {
    write!(f, r#"["{mask:#0digits$x}","{value:#0digits$x}"]"#, digits = digits(bits))
}

/// Returns the number of characters of a word, including `0x`.
fn digits(bits: u8) -> usize {
    2 + usize::from(bits).div_ceil(4)
}

/// A list of elements that `show` writes.
struct List<'l, T, F>(&'l [T], F);

fn list<T, F: Fn(&T, &mut Formatter<'_>) -> fmt::Result>(all: &[T], show: F) -> List<'_, T, F> {
    List(all, show)
}

impl<T, F: Fn(&T, &mut Formatter<'_>) -> fmt::Result> Display for List<'_, T, F> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let List(all, show) = self;
        f.write_char('[')?;
        for (place, one) in all.iter().enumerate() {
            if place > 0 {
                f.write_char(',')?;
            }
            show(one, f)?;
        }
        f.write_char(']')
    }
}

/// Text in quotes.
struct QuotedText<'t>(&'t str);

impl Display for QuotedText<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_char('"')?;
        for c in self.0.chars() {
            match c {
                '"' | '\\' => write!(f, "\\{c}")?,
                '\n' => f.write_str("\\n")?,
                ..' ' => write!(f, "\\u{:04x}", u32::from(c))?,
                _ => f.write_char(c)?,
            }
        }
        f.write_char('"')
    }
}
