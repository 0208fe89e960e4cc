//! Formats opcodes and words as JSON objects.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::{Explanation, FieldPart, WordPart, alias_condition, digits, properties, syntax};
use crate::json::{Object, array, quoted};
use crate::table::{Access, Alias, Field, Init, Opcode, PropertyValue};
use crate::text::Line;

/// Returns an opcode as a JSON object on one line: name, mnemonic, syntax, doc, the width of the
/// word, mask and value of its fixed bits, and its fields. The `bits` of a field are the highest
/// and the lowest bit of each piece, the most significant piece first. The `fixed`
/// and `default` values are hexadecimal text or null.
#[must_use]
pub fn opcode_json(opcode: &Opcode) -> String {
    object_of(opcode).finish()
}

/// Returns an alias or a synonym of an opcode as a JSON object on one line. It contains the keys of
/// [`opcode_json`] for the words and the text of the alias, and three more keys. `alias_of` is the name
/// of the opcode, and `printed` is true if words are printed in this spelling. `condition` is the
/// result of [`alias_condition`](super::alias_condition) or null.
#[must_use]
pub fn alias_json(opcode: &'static Opcode, alias: &'static Alias) -> String {
    let mut object = object_of(alias.row);
    object.text("alias_of", opcode.name).raw("printed", alias.printed);
    object.text_or_null("condition", alias_condition(opcode, alias).as_deref());
    object.finish()
}

fn object_of(opcode: &Opcode) -> Object {
    let mut object = Object::new();
    object.text("name", opcode.name).text("mnemonic", opcode.syntax.mnemonic);
    object.text("syntax", &syntax(opcode)).text("doc", &doc(opcode));
    object.raw("bits", opcode.bits);
    if let Some(short) = opcode.short {
        object.raw("short_bits", short.bits).text("long_if", short.condition);
    }
    let digits = |word| digits(word, opcode.bits);
    object.text("mask", &digits(opcode.fixed.mask)).text("value", &digits(opcode.fixed.value));
    let fields = opcode.fields.iter().enumerate().map(|(index, described)| {
        let mut operands = opcode.operands.iter();
        let operand = operands.find(|operand| usize::from(operand.field) == index);
        field(described, operand.map(|operand| operand.access))
    });
    object.list("fields", fields);
    let requires = opcode.requires_of_all_words();
    add_requires(requires.map(|one| one.condition.to_string()), &mut object);
    add_properties(opcode, &mut object);
    object
}

/// Adds the requirements of an opcode or of a word, if it has any.
fn add_requires(requires: impl Iterator<Item = String>, object: &mut Object) {
    let mut requires = requires.map(|one| quoted(&one)).peekable();
    if requires.peek().is_some() {
        object.raw("requires", array(requires));
    }
}

/// Adds the properties of an opcode, if it has any.
fn add_properties(opcode: &Opcode, object: &mut Object) {
    let mut values = Object::new();
    for (property, value) in properties(opcode) {
        match value {
            PropertyValue::Named(value) => values.text(property.name, value.name),
            PropertyValue::Bool(_) | PropertyValue::Number(_) => values.raw(property.name, value),
        };
    }
    if properties(opcode).next().is_some() {
        object.raw("properties", values.finish());
    }
}

fn field(field: &Field, access: Option<Access>) -> String {
    let mut object = Object::new();
    object.text("name", field.name).text("kind", field.kind.name);
    let pieces = field.pieces.iter().map(|piece| {
        let high = piece.position + piece.width.saturating_sub(1);
        format!("[{high}, {}]", piece.position)
    });
    object.list("bits", pieces).text_or_null("access", access.map(Access::name));
    let (fixed, default) = match field.init {
        Init::Fixed(value) => (Some(value), None),
        Init::Default(value) => (None, Some(value)),
        Init::Required => (None, None),
    };
    // Values have up to 64 bits, but many JSON parsers read numbers above 2^53 inexactly.
    let text = |value: Option<u64>| value.map(|value| format!("{value:#x}"));
    object.text_or_null("fixed", text(fixed).as_deref());
    object.text_or_null("default", text(default).as_deref());
    object.finish()
}

impl Explanation {
    /// Returns a JSON object on one line, without a line break at the end.
    #[must_use]
    pub fn json(&self) -> String {
        let Explanation { word, bits, text, reason, opcode } = self;
        let mut object = Object::new();
        object.text("word", &digits(*word, *bits)).text("text", text);
        object.raw("legal", reason.is_none()).text_or_null("reason", reason.as_deref());
        object.text_or_null("opcode", opcode.map(|opcode| opcode.name));
        object.text_or_null("mnemonic", opcode.map(|opcode| opcode.syntax.mnemonic));
        object.text_or_null("syntax", opcode.map(syntax).as_deref());
        object.text_or_null("doc", opcode.map(doc).as_deref());
        add_requires(self.requires(), &mut object);
        if let Some(flow) = self.flow() {
            object.text("flow", &flow);
        }
        if let Some(opcode) = opcode {
            add_properties(opcode, &mut object);
        }
        object.list("parts", self.parts().iter().map(part));
        let broken = self.exceptions().map(|exception| {
            let mut object = Object::new();
            object.text("class", exception.class).text("condition", exception.condition);
            object.text("declared_in", exception.declared_in).text("reason", exception.reason);
            object.finish()
        });
        object.list("exceptions", broken);
        object.finish()
    }
}

fn part(part: &WordPart) -> String {
    let mut object = Object::new();
    let has_bits = part.piece.width > 0;
    object.raw_or_null("high", has_bits.then(|| part.high()));
    object.raw_or_null("low", has_bits.then(|| part.low()));
    object.text_or_null("field", part.field.as_ref().map(|part| part.field.name));
    object.raw_or_null("piece", part.field.as_ref().map(|part| part.piece));
    object.raw("raw", quoted(&format!("{:#x}", part.bits)));
    let field = part.field.as_ref();
    object.text_or_null("value", field.map(|part| format!("{:#x}", part.raw)).as_deref());
    object.text_or_null("meaning", field.and_then(meaning).as_deref());
    object.text_or_null("kind", field.map(|part| part.field.kind.name));
    object.text_or_null("access", field.and_then(FieldPart::access).map(Access::name));
    let fixed = field.filter(|part| part.is_fixed());
    object.text_or_null("fixed_by", fixed.map(|part| part.field.declared_in));
    object.raw("default", field.is_some_and(FieldPart::is_default));
    object.raw("legal", part.is_legal());
    let doc = field.map(|part| part.doc().trim()).filter(|doc| !doc.is_empty());
    object.text_or_null("doc", doc);
    object.finish()
}

/// Returns the value as assembly text, or `None` if the field cannot have this value.
fn meaning(part: &FieldPart) -> Option<String> {
    let mut line = Line::new();
    part.is_legal().then(|| part.meaning(&mut line))?;
    Some(line.to_string())
}

/// Returns the documentation of an opcode without spaces at the ends of its lines.
fn doc(opcode: &Opcode) -> String {
    opcode.doc.lines().map(str::trim).collect::<Vec<_>>().join("\n")
}
