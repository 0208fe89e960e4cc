//! The template of one opcode: the template of its syntax without the parts that the opcode does
//! not have.
//!
//! `language.md` describes the meaning of each part under "What a template accepts". The rules for
//! assembly text and the layout for printing use only this form, so they need not check whether an
//! opcode has the field of a part.

use super::{Affix, FieldTypeKind, Init, Model, Opcode, ResolvedField, TemplateItem};

/// All parts of an opcode's text, including the mnemonic if it has one.
#[derive(Debug, Default)]
pub(crate) struct OpcodeTemplate {
    pub(crate) parts: Vec<TemplatePart>,
    /// The fields that it shows, in the order in which they are parsed.
    pub(crate) shown: Vec<ShownField>,
}

/// A part of an opcode's template.
#[derive(Debug)]
pub(crate) enum TemplatePart {
    /// Fixed text with its canonical blanks.
    Text(String),
    Mnemonic,
    /// The modifiers of the mnemonic.
    Modifiers(Vec<Modifier>),
    Slot(OperandSlot),
    /// A part that is left out if all its fields have their defaults. It contains at least one
    /// field.
    Optional(Vec<TemplatePart>),
    /// Trailing attributes.
    Settings(Vec<ShownField>),
}

/// An operand with its prefix and suffix operators and its modifiers.
#[derive(Debug)]
pub(crate) struct OperandSlot {
    pub(crate) value: ShownField,
    /// The operators, the outermost first.
    pub(crate) marks: Vec<BoundAffix>,
    pub(crate) modifiers: Vec<Modifier>,
}

/// A field that the text shows.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ShownField {
    /// The placeholder, as an index into [`super::Syntax::placeholders`].
    pub(crate) symbol: usize,
    /// The index of a field of the opcode, or of a composite operand.
    pub(crate) place: usize,
}

/// A modifier after a dot.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Modifier {
    pub(crate) shown: ShownField,
    /// Whether the text must contain the modifier. Otherwise the default of its field is not
    /// printed.
    pub(crate) mandatory: bool,
    /// The only value that the modifier represents, if it does not represent all values of its
    /// field.
    pub(crate) only: Option<u64>,
}

/// The modifiers of one field, for example `{.UP}{.DOWN}`. Only one of them can be in a text.
#[derive(Debug)]
pub(crate) struct FieldModifiers {
    pub(crate) shown: ShownField,
    /// Whether the text must contain one of the modifiers.
    pub(crate) mandatory: bool,
    /// The values of the modifiers, if they do not represent all values of their field.
    pub(crate) only: Option<Vec<u64>>,
}

/// Groups the modifiers by field, in the order of the template.
pub(crate) fn by_field(modifiers: &[Modifier]) -> Vec<FieldModifiers> {
    let mut places: Vec<FieldModifiers> = Vec::new();
    for &Modifier { shown, mandatory, only } in modifiers {
        match places.iter_mut().find(|place| place.shown.symbol == shown.symbol) {
            Some(place) => {
                place.mandatory |= mandatory;
                place.only = place.only.take().zip(only).map(|(mut all, only)| {
                    all.push(only);
                    all
                });
            }
            None => {
                places.push(FieldModifiers { shown, mandatory, only: only.map(|only| vec![only]) })
            }
        }
    }
    places
}

/// A prefix or suffix operator of an operand.
#[derive(Debug)]
pub(crate) struct BoundAffix {
    pub(crate) shown: ShownField,
    /// The value of the field if the operator is present.
    pub(crate) present: u64,
    pub(crate) open: String,
    /// The text after the operand. It is empty for a prefix operator.
    pub(crate) close: String,
    /// The number of the operand's modifiers that are printed before `close`.
    pub(crate) inside: usize,
}

/// A part of the text after an operand.
#[derive(Debug)]
pub(crate) enum AfterOperand<'s> {
    Modifier(Modifier),
    Close(&'s BoundAffix),
}

impl OperandSlot {
    /// Returns the modifiers and the closing parts of operators, in the order in which they are
    /// printed.
    pub(crate) fn after_operand(&self) -> Vec<AfterOperand<'_>> {
        let mut behind = Vec::new();
        for place in 0..=self.modifiers.len() {
            let closes = |mark: &&BoundAffix| mark.inside == place && !mark.close.is_empty();
            behind.extend(self.marks.iter().rev().filter(closes).map(AfterOperand::Close));
            behind.extend(self.modifiers.get(place).copied().map(AfterOperand::Modifier));
        }
        behind
    }
}

/// The functions or names that print and parse the values of a field.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum TextSource {
    /// The names of its set of values.
    Names,
    /// The Rust type of its operand type, an index into [`Model::field_types`].
    Kind(usize),
    /// A format, an index into [`Model::formats`].
    Format(usize),
}

impl TextSource {
    /// Returns the writer of the field at index `place` of an opcode: its format, or else its type.
    pub(crate) fn of(model: &Model, opcode: &Opcode, place: usize) -> Self {
        let kind = model.at(opcode, place).ty;
        match (opcode.format_of(place), &model.field_types[kind].shape) {
            (Some(format), _) => TextSource::Format(format.format),
            (None, FieldTypeKind::Operand(_)) => TextSource::Kind(kind),
            (None, FieldTypeKind::Set(_) | FieldTypeKind::Bits | FieldTypeKind::Unknown) => {
                TextSource::Names
            }
        }
    }
}

/// The functions that print and parse a field, if only Rust code knows its text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum TextFns {
    /// An operand type, an index into [`Model::field_types`].
    Kind(usize),
    /// A format, an index into [`Model::formats`].
    Format(usize),
}

impl TextFns {
    /// Returns the text functions, or `None` for the names of a value set, which need no code.
    pub(crate) fn of(writer: TextSource) -> Option<Self> {
        match writer {
            TextSource::Names => None,
            TextSource::Kind(kind) => Some(TextFns::Kind(kind)),
            TextSource::Format(format) => Some(TextFns::Format(format)),
        }
    }
}

/// Sets the template of each opcode and each alias.
pub(super) fn lower_texts(model: &mut Model) {
    let texts: Vec<OpcodeTemplate> =
        model.spellings().map(|opcode| OpcodeTemplate::of(model, opcode)).collect();
    let aliases = model.aliases.iter_mut().map(|alias| &mut alias.row);
    for (opcode, text) in model.opcodes.iter_mut().chain(aliases).zip(texts) {
        opcode.text = text;
    }
}

impl OpcodeTemplate {
    fn of(model: &Model, opcode: &Opcode) -> Self {
        let syntax = &model.syntaxes[opcode.syntax];
        let own = TemplateReducer { model, opcode };
        let mut parts = own.items(&syntax.before);
        if syntax.mnemonic.is_empty() {
            parts.extend(own.items(&syntax.after));
            return OpcodeTemplate { shown: shown(&parts), parts };
        }
        parts.push(TemplatePart::Mnemonic);
        let modifier = |modifier: &super::TemplateModifier| {
            let shown = own.shown(modifier.symbol)?;
            Some(Modifier { shown, mandatory: !modifier.optional, only: modifier.only })
        };
        parts.push(TemplatePart::Modifiers(syntax.modifiers.iter().filter_map(modifier).collect()));
        parts.extend(own.items(&syntax.after));
        OpcodeTemplate { shown: shown(&parts), parts }
    }
}

/// Returns the fields that `parts` show, in the order in which they are parsed.
pub(crate) fn shown(parts: &[TemplatePart]) -> Vec<ShownField> {
    let mut all = Vec::new();
    for part in parts {
        match part {
            TemplatePart::Text(_) | TemplatePart::Mnemonic => {}
            TemplatePart::Modifiers(modifiers) => all.extend(modifiers.iter().map(|m| m.shown)),
            TemplatePart::Slot(OperandSlot { value, marks, modifiers }) => {
                all.push(*value);
                all.extend(modifiers.iter().map(|modifier| modifier.shown));
                all.extend(marks.iter().map(|mark| mark.shown));
            }
            TemplatePart::Optional(inner) => all.extend(shown(inner)),
            TemplatePart::Settings(settings) => all.extend(settings),
        }
    }
    all
}

/// Returns whether some texts of an opcode omit an optional part. This is the case if all fields of
/// the part have defaults. A part with a fixed field is always present.
pub(crate) fn may_be_left_out(model: &Model, opcode: &Opcode, parts: &[TemplatePart]) -> bool {
    let init = |shown: &ShownField| &model.at(opcode, shown.place).init;
    shown(parts).iter().all(|shown| matches!(init(shown), Init::Default(_)))
}

struct TemplateReducer<'m> {
    model: &'m Model,
    opcode: &'m Opcode,
}

impl TemplateReducer<'_> {
    fn shown(&self, symbol: usize) -> Option<ShownField> {
        Some(ShownField { symbol, place: self.opcode.bound(symbol)? })
    }

    fn field(&self, shown: ShownField) -> &ResolvedField {
        self.model.at(self.opcode, shown.place)
    }

    fn items(&self, items: &[TemplateItem]) -> Vec<TemplatePart> {
        items.iter().filter_map(|item| self.item(item)).collect()
    }

    fn item(&self, item: &TemplateItem) -> Option<TemplatePart> {
        Some(match item {
            TemplateItem::Text(text) => TemplatePart::Text(text.clone()),
            TemplateItem::Optional(inner) => {
                let inner = self.items(inner);
                (!shown(&inner).is_empty()).then_some(TemplatePart::Optional(inner))?
            }
            TemplateItem::Tags(symbols) => TemplatePart::Settings(
                symbols.iter().filter_map(|&symbol| self.shown(symbol)).collect(),
            ),
            TemplateItem::Slot { symbol, affixes, suffixes } => TemplatePart::Slot(OperandSlot {
                value: self.shown(*symbol)?,
                marks: affixes.iter().filter_map(|affix| self.mark(affix, suffixes)).collect(),
                modifiers: suffixes.iter().filter_map(|&symbol| self.suffix(symbol)).collect(),
            }),
        })
    }

    fn mark(&self, affix: &Affix, suffixes: &[usize]) -> Option<BoundAffix> {
        let Affix { symbol, present, open, close, inside } = affix;
        let shown = self.shown(*symbol)?;
        let inside = suffixes.iter().take(*inside).filter(|symbol| self.shown(**symbol).is_some());
        let inside = inside.count();
        Some(BoundAffix {
            shown,
            present: *present,
            open: open.clone(),
            close: close.clone(),
            inside,
        })
    }

    /// Returns the modifier of an operand.
    fn suffix(&self, symbol: usize) -> Option<Modifier> {
        let shown = self.shown(symbol)?;
        let mandatory = self.field(shown).init == Init::Required;
        Some(Modifier { shown, mandatory, only: None })
    }
}
