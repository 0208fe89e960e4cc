//! Computes the maximum length of the assembly of an opcode, as it is printed.

use std::collections::BTreeMap;

use crate::model::opcode_template::{
    Modifier, OpcodeTemplate, OperandSlot, ShownField, TemplatePart, TextFns, TextSource, by_field,
    shown,
};
use crate::model::{DefaultValue, Init, Model, NamedValue, Opcode};

/// The longest assembly of an opcode. The macro does not know the length of operand text; only the Rust
/// types know it.
#[derive(Debug)]
pub(crate) struct LongestLine<'m> {
    pub(crate) opcode: &'m Opcode,
    /// The number of bytes of all text that the macro knows.
    pub(crate) known: usize,
    /// The text functions that print the other parts of the text, sorted. A function occurs once for
    /// each operand that it prints.
    pub(crate) texts: Vec<TextFns>,
    /// The text, with a placeholder such as `<Reg>` for each operand that a Rust type prints.
    pub(crate) shown: String,
}

/// Returns the longest assembly of opcodes and aliases. If several have the same text functions, only
/// the one with the most known text is returned.
pub(super) fn longest(model: &Model) -> Vec<LongestLine<'_>> {
    let mut all: BTreeMap<Vec<TextFns>, LongestLine<'_>> = BTreeMap::new();
    for opcode in model.spellings() {
        let own = LongestLine::of(model, opcode);
        match all.get(&own.texts) {
            Some(known) if known.known >= own.known => {}
            _ => {
                all.insert(own.texts.clone(), own);
            }
        }
    }
    all.into_values().collect()
}

impl<'m> LongestLine<'m> {
    fn of(model: &'m Model, opcode: &'m Opcode) -> Self {
        let mut line =
            LineLength { model, opcode, known: 0, texts: Vec::new(), shown: String::new() };
        let OpcodeTemplate { parts, .. } = &opcode.text;
        line.parts(parts);
        let LineLength { known, mut texts, shown, .. } = line;
        texts.sort_unstable();
        LongestLine { opcode, known, texts, shown }
    }
}

/// The state while a line is printed.
struct LineLength<'m> {
    model: &'m Model,
    opcode: &'m Opcode,
    known: usize,
    texts: Vec<TextFns>,
    shown: String,
}

/// The values of a field that are printed at a position of the text.
#[derive(Clone, Copy)]
struct Printing<'a> {
    /// Whether the position is omitted if the field has its default.
    omits_default: bool,
    /// The values that the position represents, if not all.
    only: Option<&'a [u64]>,
}

const ANY: Printing<'static> = Printing { omits_default: false, only: None };
const NOT_DEFAULT: Printing<'static> = Printing { omits_default: true, only: None };

impl LineLength<'_> {
    fn text(&mut self, text: &str) {
        self.known += text.len();
        self.shown.push_str(text);
    }

    fn parts(&mut self, parts: &[TemplatePart]) {
        for part in parts {
            match part {
                TemplatePart::Text(text) => self.text(text),
                TemplatePart::Mnemonic => {
                    let mnemonic = &self.model.syntaxes[self.opcode.syntax].mnemonic;
                    self.text(mnemonic);
                }
                TemplatePart::Modifiers(modifiers) => self.modifiers(modifiers),
                TemplatePart::Slot(slot) => self.slot(slot, ANY),
                // If an optional part consists of a single field and is printed, this field does not
                // have its default.
                TemplatePart::Optional(inner) => match &inner[..] {
                    _ if shown(inner).len() > 1 => self.parts(inner),
                    _ => inner.iter().for_each(|part| match part {
                        TemplatePart::Slot(slot) => self.slot(slot, NOT_DEFAULT),
                        other => self.parts(std::slice::from_ref(other)),
                    }),
                },
                TemplatePart::Settings(settings) => {
                    settings.iter().for_each(|setting| self.marked(" ", *setting, NOT_DEFAULT));
                }
            }
        }
    }

    fn modifiers(&mut self, modifiers: &[Modifier]) {
        for place in by_field(modifiers) {
            let (omits_default, only) = (!place.mandatory, place.only.as_deref());
            self.marked(".", place.shown, Printing { omits_default, only });
        }
    }

    fn slot(
        &mut self,
        OperandSlot { value, marks, modifiers }: &OperandSlot,
        printing: Printing<'_>,
    ) {
        let can_be = |mark: &&crate::model::opcode_template::BoundAffix| {
            let init = &self.model.at(self.opcode, mark.shown.place).init;
            !matches!(init, Init::Fixed(raw) if *raw != mark.present)
        };
        let marks: Vec<_> = marks.iter().filter(can_be).collect();
        marks.iter().for_each(|mark| self.text(&mark.open));
        self.marked("", *value, printing);
        modifiers.iter().for_each(|modifier| self.marked(".", modifier.shown, NOT_DEFAULT));
        marks.iter().rev().for_each(|mark| self.text(&mark.close));
    }

    /// Adds the longest text of a field after fixed text, unless the field is never printed at this
    /// position.
    fn marked(&mut self, mark: &str, ShownField { place, .. }: ShownField, printing: Printing<'_>) {
        let (model, opcode) = (self.model, self.opcode);
        let field = model.at(opcode, place);
        let Some(text) = TextFns::of(TextSource::of(model, opcode, place)) else {
            let is_printed = |value: &&NamedValue| match &field.init {
                Init::Fixed(raw) => *raw == value.raw,
                Init::Default(DefaultValue::Number(raw)) if printing.omits_default => {
                    *raw != value.raw
                }
                _ => true,
            };
            let is_meant =
                |value: &&NamedValue| printing.only.is_none_or(|all| all.contains(&value.raw));
            let values = model.type_of(field).values().iter();
            let names = values.filter(is_printed).filter(is_meant).map(|value| &value.text);
            if let Some(name) = names.max_by_key(|name| name.len()) {
                self.text(mark);
                self.text(name);
            }
            return;
        };
        self.text(mark);
        let name = match text {
            TextFns::Kind(kind) => &model.field_types[kind].name,
            TextFns::Format(format) => &model.formats[format].name,
        };
        self.shown += &format!("<{name}>");
        self.texts.push(text);
    }
}

#[cfg(test)]
mod tests {
    use super::longest;
    use crate::diag::Diagnostics;
    use crate::{check, model, syntax};

    /// Describes the longest line of an opcode with the fields `fields` and the sections `rest`.
    /// Returns the number of known bytes, the number of operands that Rust types print, and the text.
    fn line(fields: &str, rest: &str) -> (usize, usize, String) {
        let spec = format!(
            "isa Toy: u64; operand Reg: 8 = isa_core::operand::Reg; enum Sign: 1 {{ PLUS = 0, MINUS = 1 }} \
             enum OperandSize: 2 {{ BYTE = 0, H = 1, LONGEST = 2 }} affix \"-\" = neg; affix \"|\" \"|\" = abs; \
             format Both; opcode X {{ encoding {{ {fields} }} {rest} }}"
        );
        let mut diag = Diagnostics::default();
        let spec = syntax::parse_spec(spec.parse().unwrap(), &mut diag);
        let model = model::lower(spec, &mut diag);
        check::check(&model, &mut diag);
        assert_eq!(diag.messages(), [""; 0], "{fields} {rest}");
        let mut lines = longest(&model);
        let line = lines.pop().unwrap();
        (line.known, line.texts.len(), line.shown)
    }

    #[track_caller]
    fn is(fields: &str, rest: &str, texts: usize, shown: &str) {
        let known = shown.replace("<Reg>", "").replace("<Both>", "").len();
        assert_eq!(line(fields, rest), (known, texts, shown.to_owned()), "{fields} {rest}");
    }

    const RA: &str = "field<0, 8> Reg ra;";
    const SIGNS: &str = "field<8, 1> Sign ra.neg = PLUS; field<9, 1> Sign ra.abs = PLUS;";

    #[test]
    fn marks_are_as_long_as_they_are_written() {
        is(RA, "syntax { X ra; }", 1, "X <Reg>;");
        is(&format!("{RA} {SIGNS}"), "syntax { X {-}{|}ra{|}; }", 1, "X -|<Reg>|;");
        let fixed = "field<8, 1> Sign ra.neg == PLUS;";
        is(&format!("{RA} {fixed}"), "syntax { X {-}ra; }", 1, "X <Reg>;");
    }

    #[test]
    fn what_a_format_prints_counts_once() {
        let fields = "field<0, 8> Reg ra; field<8, 2> OperandSize size;";
        let both = "syntax { X both; } operands { AsmFormat<both: size, ra> = Both(); }";
        is(fields, both, 1, "X <Both>;");
        let other = "syntax { X.size ra; } operands { AsmFormat<ra> = Both(ra, size); }";
        is(fields, other, 1, "X.LONGEST <Both>;");
    }

    #[test]
    fn a_default_that_is_left_out_has_no_length() {
        let size = |init: &str| format!("{RA} field<8, 2> OperandSize size {init};");
        is(&size(""), "syntax { X.size ra; }", 1, "X.LONGEST <Reg>;");
        is(&size("= LONGEST"), "syntax { X.size ra; }", 1, "X.LONGEST <Reg>;");
        is(&size("= LONGEST"), "syntax { X{.size} ra; }", 1, "X.BYTE <Reg>;");
        is(&size("= LONGEST"), "syntax { X ra $size; }", 1, "X <Reg> BYTE;");
        is(&size("= LONGEST"), "syntax { X ra{, size}; }", 1, "X <Reg>, BYTE;");
        is(&size("== H"), "syntax { X{.size} ra; }", 1, "X.H <Reg>;");
    }

    #[test]
    fn a_field_that_stands_twice_is_as_long_twice() {
        is(RA, "syntax { X ra, ra; }", 2, "X <Reg>, <Reg>;");
    }
}
