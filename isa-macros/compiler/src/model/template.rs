//! Resolves the parts of one template: guard, mnemonic, modifiers, operands.

use proc_macro2::{Ident, Span};

use super::blanks::{Draft, Drafts, is_word};
use super::{Affix, Model, Opcode, Placeholder, Role, TemplateItem, TemplateModifier};
use crate::diag::{Code, Diagnostics, did_you_mean, quoted};
use crate::syntax::ast::{AffixDecl, TemplatePiece};

/// A resolved template without the list of its placeholders.
pub(crate) struct ResolvedTemplate {
    pub(crate) mnemonic: String,
    pub(crate) before: Vec<TemplateItem>,
    pub(crate) modifiers: Vec<TemplateModifier>,
    pub(crate) after: Vec<TemplateItem>,
}

/// Resolves a template against the opcodes that share it.
pub(crate) struct TemplateResolver<'m> {
    model: &'m Model,
    members: &'m [(&'m Opcode, Option<&'m [usize]>)],
    affixes: &'m [AffixDecl],
    diag: &'m mut Diagnostics,
    symbols: Vec<Placeholder>,
    slots: usize,
}

impl<'m> TemplateResolver<'m> {
    pub(crate) fn new(
        model: &'m Model,
        members: &'m [(&'m Opcode, Option<&'m [usize]>)],
        affixes: &'m [AffixDecl],
        diag: &'m mut Diagnostics,
    ) -> Self {
        TemplateResolver { model, members, affixes, diag, symbols: Vec::new(), slots: 0 }
    }

    pub(crate) fn into_symbols(self) -> Vec<Placeholder> {
        self.symbols
    }

    /// Splits the pieces at the mnemonic and at the last modifier.
    pub(crate) fn template(
        &mut self,
        pieces: &[TemplatePiece],
        span: Span,
    ) -> Option<ResolvedTemplate> {
        let Some(at) = pieces.iter().position(|piece| first_word(piece).is_some()) else {
            let message = "the template has no mnemonic; start it with a word: `HADD2{.FTZ} Rd, \
                           Ra;`, or with `_` if the assembly text has no mnemonic: `_ Rd \" = \" \
                           Ra;`";
            self.diag.error(Code::InvalidTemplate, span, message);
            return None;
        };
        let mnemonic = first_word(&pieces[at])?;
        if matches!(pieces[at], TemplatePiece::Nothing) {
            return Some(self.nameless(&pieces[..at], &pieces[at + 1..], span));
        }
        let words = mnemonic.strip_suffix('.').unwrap_or(&mnemonic);
        if !words.split('.').all(|word| !word.is_empty() && word.chars().all(is_word)) {
            let quotes =
                if mnemonic.contains(' ') { "; do not write the template in quotes" } else { "" };
            let message = format!(
                "`{mnemonic}` cannot be a mnemonic\nhelp: a mnemonic is one or more words of \
                 ASCII letters, digits and `_`, separated by dots; it may end with a dot{quotes}"
            );
            self.diag.error(Code::InvalidTemplate, span, message);
            return None;
        }
        // The parser would skip text that is not a word and take the text after it as the mnemonic.
        if let Some(text) = pieces[..at].iter().find_map(numbered_text) {
            let message = format!(
                "`{text}` cannot be a mnemonic, because it does not begin with a letter\nhelp: \
                 begin the template with the mnemonic, or with a guard and the mnemonic; write \
                 `_` if the assembly text has no mnemonic"
            );
            self.diag.error(Code::InvalidTemplate, span, message);
            return None;
        }
        let before = self.drafts(&pieces[..at]);
        let rest = &pieces[at + 1..];
        let count = rest.iter().take_while(|piece| as_modifier(piece).is_some()).count();
        let modifiers = self.modifiers(rest[..count].iter().filter_map(as_modifier));
        let after = self.drafts(&rest[count..]);
        Some(self.placed(Drafts { before, mnemonic, after }, modifiers, span))
    }

    /// Resolves a template without a mnemonic.
    fn nameless(
        &mut self,
        before: &[TemplatePiece],
        after: &[TemplatePiece],
        span: Span,
    ) -> ResolvedTemplate {
        let (before, after) = (self.drafts(before), self.drafts(after));
        self.placed(Drafts { before, mnemonic: String::new(), after }, Vec::new(), span)
    }

    /// Returns the template with its blanks.
    fn placed(
        &mut self,
        mut drafts: Drafts,
        modifiers: Vec<TemplateModifier>,
        span: Span,
    ) -> ResolvedTemplate {
        let ([before, after], misfit) = drafts.placed();
        if let Some(message) = misfit {
            self.diag.error(Code::InvalidTemplate, span, message);
        }
        ResolvedTemplate { mnemonic: drafts.mnemonic, before, modifiers, after }
    }

    fn symbol(&mut self, name: String, span: Span, role: Role) -> usize {
        if let Some(known) = self.symbols.iter().position(|symbol| symbol.role == role) {
            return known;
        }
        self.symbols.push(Placeholder { name, span, role });
        self.symbols.len() - 1
    }

    /// Returns the modifiers of the mnemonic. Reports two modifiers that represent the same value
    /// of a field.
    fn modifiers<'p>(
        &mut self,
        names: impl Iterator<Item = (&'p Ident, bool)>,
    ) -> Vec<TemplateModifier> {
        let mut all: Vec<TemplateModifier> = Vec::new();
        for (name, optional) in names {
            let Some(modifier) = self.modifier(name, optional) else { continue };
            let is_twice = |other: &TemplateModifier| {
                other.symbol == modifier.symbol
                    && (other.only.is_none()
                        || modifier.only.is_none()
                        || other.only == modifier.only)
            };
            if all.iter().any(is_twice) {
                let field = &self.symbols[modifier.symbol].name;
                let message = format!(
                    "`.{name}` represents the field `{field}`, but another modifier of this \
                     mnemonic already represents it\nhelp: remove one of the two; `{{.{field}}}` \
                     alone prints all values except the default"
                );
                self.diag.error(Code::InvalidTemplate, name.span(), message);
                continue;
            }
            all.push(modifier);
        }
        all
    }

    /// Resolves `.name` to the field called `name`, or else to the field that has a value called
    /// `name`.
    fn modifier(&mut self, name: &Ident, optional: bool) -> Option<TemplateModifier> {
        let text = name.to_string();
        let (field, only) = if self.field_exists(&text) {
            let only = if optional { self.own_value(&text) } else { None };
            (text, only)
        } else {
            let (field, raw) = self.field_with_value(name)?;
            (field, Some(raw))
        };
        let symbol = self.symbol(field.clone(), name.span(), Role::Field(field));
        Some(TemplateModifier { symbol, optional, only })
    }

    fn field_exists(&self, name: &str) -> bool {
        self.members.iter().any(|(opcode, _)| opcode.field(self.model, name).is_some())
    }

    /// Returns the value of the field `name` that has the same name as the field, if its only other
    /// value is the default. For example, if a field `sat` has the values `nosat` and `sat`, the
    /// text of `{.sat}` is either this modifier or empty.
    fn own_value(&self, name: &str) -> Option<u64> {
        let raws = self.members.iter().filter_map(|(opcode, _)| {
            let field = opcode.field_at(self.model, opcode.field(self.model, name)?);
            let kind = self.model.type_of(field);
            let own = kind.value_named(name)?.raw;
            let off = field.default_number().is_some_and(|default| default != own);
            Some((kind.values().len() == 2 && off).then_some(own))
        });
        raws.reduce(|one, other| if one == other { one } else { None }).flatten()
    }

    fn field_with_value(&mut self, name: &Ident) -> Option<(String, u64)> {
        let text = name.to_string();
        let mut found: Vec<(String, u64)> = Vec::new();
        // A field that can differ takes precedence over fields that are fixed everywhere.
        for fixed in [false, true] {
            let fields = self.members.iter().flat_map(|(opcode, _)| &opcode.fields);
            for field in fields.map(|&id| &self.model.fields[id]) {
                let value = self.model.type_of(field).value_named(&text);
                let is_new = !found.iter().any(|(known, _)| *known == field.text);
                if let (Some(value), None, true) = (value, &field.name.sub, is_new)
                    && field.is_fixed() == fixed
                    && !field.ignored
                {
                    found.push((field.text.clone(), value.raw));
                }
            }
            if !found.is_empty() {
                break;
            }
        }
        match &found[..] {
            [one] => return Some(one.clone()),
            [] => self.report_unknown_modifier(name),
            _ => {
                let message = format!(
                    "`.{name}` is a value of {}; name the field instead: `{{.{}}}`",
                    quoted(found.iter().map(|(field, _)| field), " and of "),
                    found[0].0
                );
                self.diag.error(Code::AmbiguousModifier, name.span(), message);
            }
        }
        None
    }

    fn report_unknown_modifier(&mut self, name: &Ident) {
        let fields = self.members.iter().flat_map(|(opcode, _)| &opcode.fields);
        let mut known: Vec<String> = Vec::new();
        for &id in fields {
            let field = &self.model.fields[id];
            known.push(field.text.clone());
            let values = self.model.type_of(field).values();
            known.extend(values.iter().map(|value| value.text.clone()));
        }
        let hint = did_you_mean(&name.to_string(), known.iter().map(String::as_str));
        let message = format!(
            "`.{name}` is neither a field of these opcodes nor a value of such a \
             field{hint}\nhelp: `field<position, width> Type {name} = default;` in an `encoding` \
             section declares it"
        );
        self.diag.error(Code::UnknownModifier, name.span(), message);
    }

    /// Returns all parts except the mnemonic and its modifiers.
    fn drafts(&mut self, pieces: &[TemplatePiece]) -> Vec<Draft> {
        let mut drafts = Vec::new();
        let mut rest = pieces;
        while let Some((piece, tail)) = rest.split_first() {
            if let Some((slot, tail)) = self.slot(rest) {
                drafts.push(slot);
                rest = tail;
                continue;
            }
            rest = tail;
            match piece {
                TemplatePiece::Text(text) if text.is_empty() => {}
                TemplatePiece::Text(text) => drafts.push(Draft::Text(text.clone())),
                TemplatePiece::Comma => drafts.push(Draft::Comma),
                TemplatePiece::Optional(inner, _) => {
                    drafts.push(Draft::Optional(self.drafts(inner)))
                }
                TemplatePiece::Tag(name) => self.tag(name, &mut drafts),
                TemplatePiece::Dot(name) => {
                    let message = format!("`.{name}` must follow a mnemonic or an operand");
                    self.diag.error(Code::InvalidTemplate, name.span(), message);
                }
                TemplatePiece::Nothing => drafts.push(Draft::Tight),
                TemplatePiece::Word(_) | TemplatePiece::Rest => {}
            }
        }
        drafts
    }

    fn tag(&mut self, name: &Ident, drafts: &mut Vec<Draft>) {
        let text = name.to_string();
        if !self.field_exists(&text) {
            let known: Vec<&str> = self
                .members
                .iter()
                .flat_map(|(opcode, _)| &opcode.fields)
                .map(|&id| self.model.fields[id].text.as_str())
                .collect();
            let hint = did_you_mean(&text, known);
            let message = format!(
                "`${text}` is not a field of these opcodes{hint}\nhelp: `field<position, width> \
                 Type {text} = default;` in an `encoding` section declares it"
            );
            self.diag.error(Code::UnknownField, name.span(), message);
            return;
        }
        let known = self.symbols.len();
        let symbol = self.symbol(text.clone(), name.span(), Role::Setting(text));
        if symbol < known {
            let message = format!("`${name}` is repeated\nhelp: remove one of the two");
            self.diag.error(Code::InvalidTemplate, name.span(), message);
            return;
        }
        match drafts.last_mut() {
            Some(Draft::Tags(tags)) => tags.push(symbol),
            _ => drafts.push(Draft::Tags(vec![symbol])),
        }
    }

    /// Resolves `{-}{|}Ra{.hsel2}{|}`, or returns `None` if the pieces start with something else.
    fn slot<'p>(&mut self, pieces: &'p [TemplatePiece]) -> Option<(Draft, &'p [TemplatePiece])> {
        let marks = pieces.iter().take_while(|piece| as_mark(piece).is_some()).count();
        let Some(TemplatePiece::Word(name)) = pieces.get(marks) else {
            return None;
        };
        let slot = self.slots;
        self.slots += 1;
        let symbol = self.symbol(name.to_string(), name.span(), Role::Slot(slot));
        let marks: Vec<(String, Span)> = pieces[..marks].iter().filter_map(as_mark).collect();
        let after = &pieces[marks.len() + 1..];
        let affixes: Vec<Option<Affix>> =
            marks.iter().map(|(mark, span)| self.affix(mark, *span, slot, name)).collect();
        let (suffixes, inside, rest) = self.suffixes(after, slot, name, &marks);
        let closed = |(affix, inside): (Option<Affix>, _)| Some(Affix { inside, ..affix? });
        let affixes = affixes.into_iter().zip(inside).filter_map(closed).collect();
        let item = TemplateItem::Slot { symbol, affixes, suffixes };
        Some((Draft::Slot { item, name: name.to_string() }, rest))
    }

    /// Resolves `{.hsel2}` and the closing parts of operators after an operand. Returns the
    /// modifiers and, for each operator, the number of modifiers before its closing part.
    fn suffixes<'p>(
        &mut self,
        pieces: &'p [TemplatePiece],
        slot: usize,
        name: &Ident,
        marks: &[(String, Span)],
    ) -> (Vec<usize>, Vec<usize>, &'p [TemplatePiece]) {
        let (mut suffixes, declared) = (Vec::new(), self.affixes);
        let close = |mark: &String| declared.iter().find(|a| a.open == *mark);
        let closes = marks.iter().map(|(mark, _)| close(mark).map_or("", |affix| &affix.close));
        // The operators that are not closed yet, the outermost first.
        let mut open: Vec<(usize, &str)> =
            closes.enumerate().filter(|(_, close)| !close.is_empty()).collect();
        let mut inside = vec![0; marks.len()];
        let mut rest = pieces;
        while let Some((piece, tail)) = rest.split_first() {
            if let Some((sub, _)) = as_modifier(piece) {
                let known = self.symbols.len();
                match self.sub_symbol(sub, slot, name) {
                    Some(symbol) if symbol < known => {
                        let message = format!(
                            "`.{sub}` of `{name}` is repeated\nhelp: remove one of the two"
                        );
                        self.diag.error(Code::InvalidTemplate, sub.span(), message);
                    }
                    symbol => suffixes.extend(symbol),
                }
            } else if let Some((mark, span)) = as_mark(piece)
                && let Some(place) = open.iter().rposition(|(_, close)| **close == mark)
            {
                if let Some((_, inner)) = open.get(place + 1) {
                    let message = format!(
                        "`{{{mark}}}` is closed before the inner affix `{{{inner}}}`\nhelp: \
                         write `{{{inner}}}` first: closing affixes follow the operand in the \
                         opposite order"
                    );
                    self.diag.error(Code::InvalidTemplate, span, message);
                }
                inside[open.remove(place).0] = suffixes.len();
            } else {
                break;
            }
            rest = tail;
        }
        if let Some((_, close)) = open.first() {
            let message = format!("expected a closing `{{{close}}}` after `{name}`");
            self.diag.error(Code::InvalidTemplate, name.span(), message);
        }
        (suffixes, inside, rest)
    }

    fn sub_symbol(&mut self, sub: &Ident, slot: usize, name: &Ident) -> Option<usize> {
        let text = sub.to_string();
        if self.sub_fields(slot, name, &text).is_empty() {
            if !self.are_formatted(slot, name) {
                let hint = self.similar_sub(slot, name, &text);
                let message = format!(
                    "no operand of the placeholder `{name}` has a sub-field \
                     `{text}`{hint}\nhelp: declare a sub-field of an operand `ra` as \
                     `field<position, width> Type ra.{text};`"
                );
                self.diag.error(Code::UnknownField, sub.span(), message);
            }
            return None;
        }
        Some(self.symbol(format!("{name}.{text}"), sub.span(), Role::Sub(slot, text)))
    }

    fn affix(&mut self, mark: &str, span: Span, slot: usize, name: &Ident) -> Option<Affix> {
        let Some(decl) = self.affixes.iter().find(|affix| affix.open == mark) else {
            let message = format!(
                "undeclared affix `{{{mark}}}`\nhelp: declare the sub-field that it represents: \
                 `affix \"{mark}\" = name;`"
            );
            self.diag.error(Code::UndeclaredAffix, span, message);
            return None;
        };
        let sub = decl.sub.to_string();
        let fields = self.sub_fields(slot, name, &sub);
        if fields.is_empty() {
            if self.are_formatted(slot, name) {
                return None;
            }
            let hint = self.similar_sub(slot, name, &sub);
            let message = format!(
                "`{{{mark}}}` represents the sub-field `{sub}`, but no operand of the \
                 placeholder `{name}` has it{hint}\nhelp: declare the sub-field of an operand \
                 `ra` as `field<position, 1> Type ra.{sub};`"
            );
            self.diag.error(Code::UnknownField, span, message);
            return None;
        }
        let is_switch = |&id: &usize| self.model.field_types[self.model.fields[id].ty].is_switch();
        if !fields.iter().all(is_switch) {
            let message = format!(
                "`{{{mark}}}` requires a sub-field of one bit with two values, but `{sub}` is \
                 different\nhelp: write it after the operand, as `{{.{sub}}}`"
            );
            self.diag.error(Code::FieldWidth, span, message);
            return None;
        }
        let known = self.symbols.len();
        let symbol = self.symbol(format!("{name}.{sub}"), span, Role::Sub(slot, sub.clone()));
        if symbol < known {
            let message = format!(
                "`{{{mark}}}` represents the sub-field `{sub}`, but another part of this operand \
                 already represents it\nhelp: remove one of the two"
            );
            self.diag.error(Code::InvalidTemplate, span, message);
            return None;
        }
        // Its value is determined later, when the fields of each opcode are known.
        let (open, close) = (mark.to_owned(), decl.close.clone());
        Some(Affix { symbol, present: 1, open, close, inside: 0 })
    }

    /// Returns the fields of all opcodes that a sub-name of a placeholder refers to.
    fn sub_fields(&self, slot: usize, name: &Ident, sub: &str) -> Vec<usize> {
        let operands = self.operands(slot, name);
        let field = |(opcode, place): (&Opcode, usize)| {
            opcode.sub_field(place, sub, self.model).map(|place| opcode.fields[place])
        };
        operands.filter_map(field).collect()
    }

    /// Returns the suggestion for a sub-field that no operand in a placeholder has.
    fn similar_sub(&self, slot: usize, name: &Ident, sub: &str) -> String {
        let fields = self.operands(slot, name).flat_map(|(opcode, place)| {
            let base = &self.model.at(opcode, place).name.base;
            let own = opcode.fields.iter().map(|&id| &self.model.fields[id].name);
            own.filter(move |field| field.base == *base).filter_map(|field| field.sub.as_ref())
        });
        let known: Vec<String> = fields.map(Ident::to_string).collect();
        did_you_mean(sub, known.iter().map(String::as_str))
    }

    /// Returns whether all operands in a placeholder have their own text format, as immediates do.
    /// The template may then contain sub-fields that only opcodes added later have.
    fn are_formatted(&self, slot: usize, name: &Ident) -> bool {
        let formatted = |(opcode, place): (&Opcode, usize)| opcode.format_of(place).is_some();
        self.operands(slot, name).all(formatted)
    }

    /// Returns each opcode with the index of the operand that a placeholder shows in it.
    fn operands(&self, slot: usize, name: &Ident) -> impl Iterator<Item = (&'m Opcode, usize)> {
        let (model, name) = (self.model, name.to_string());
        self.members.iter().filter_map(move |&(opcode, order)| {
            let place = match order {
                Some(order) => order.get(slot).copied(),
                None => opcode.slot_by_name(&name, model),
            };
            Some((opcode, place?))
        })
    }
}

/// Returns the mnemonic if a piece can be one: a word, or text that starts with a letter. The
/// mnemonic is empty for `_`.
pub(super) fn first_word(piece: &TemplatePiece) -> Option<String> {
    match piece {
        TemplatePiece::Word(word) => Some(word.to_string()),
        TemplatePiece::Nothing => Some(String::new()),
        TemplatePiece::Text(text) if text.starts_with(|c: char| c.is_alphabetic()) => {
            Some(text.clone())
        }
        _ => None,
    }
}

/// Returns text with letters or digits that cannot be a mnemonic.
fn numbered_text(piece: &TemplatePiece) -> Option<&str> {
    match piece {
        TemplatePiece::Text(text) if text.contains(char::is_alphanumeric) => Some(text),
        _ => None,
    }
}

/// Returns the name in `.name` or `{.name}`, and whether it is optional.
pub(super) fn as_modifier(piece: &TemplatePiece) -> Option<(&Ident, bool)> {
    match piece {
        TemplatePiece::Dot(name) => Some((name, false)),
        TemplatePiece::Optional(inner, _) => match &inner[..] {
            [TemplatePiece::Dot(name)] => Some((name, true)),
            _ => None,
        },
        _ => None,
    }
}

/// Returns the text of a group that contains only punctuation, such as `{-}`.
fn as_mark(piece: &TemplatePiece) -> Option<(String, Span)> {
    let TemplatePiece::Optional(inner, span) = piece else {
        return None;
    };
    let texts: Option<Vec<&str>> = inner
        .iter()
        .map(|piece| match piece {
            TemplatePiece::Text(text) => Some(text.as_str()),
            TemplatePiece::Comma => Some(","),
            _ => None,
        })
        .collect();
    texts.filter(|texts| !texts.is_empty()).map(|texts| (texts.concat(), *span))
}

/// Returns the names of the placeholders, in the order of the text.
pub(crate) fn slots(pieces: &[TemplatePiece]) -> Vec<&Ident> {
    let mnemonic = pieces.iter().position(|piece| first_word(piece).is_some());
    let others = pieces.iter().enumerate().filter(|(at, _)| Some(*at) != mnemonic);
    others.flat_map(|(_, piece)| words(piece)).collect()
}

/// Returns the words of a part of a template.
pub(crate) fn words(piece: &TemplatePiece) -> Vec<&Ident> {
    match piece {
        TemplatePiece::Word(word) => vec![word],
        TemplatePiece::Optional(inner, _) => inner.iter().flat_map(words).collect(),
        _ => Vec::new(),
    }
}

/// Returns the nodes whose templates make up an opcode's syntax, the innermost last, or `None` if
/// it has no syntax. An alias must have its own template.
pub(super) fn owners(opcode: &Opcode, model: &Model) -> Option<Vec<usize>> {
    let with_template = |&&node: &&usize| model.nodes[node].template.is_some();
    let lineage: Vec<usize> =
        model.lineage[opcode.node].iter().filter(with_template).copied().collect();
    let is_wrapper = |node: usize| {
        let template = model.nodes[node].template.as_ref();
        template.is_some_and(|t| t.pieces.iter().any(|piece| matches!(piece, TemplatePiece::Rest)))
    };
    let owner = *lineage.iter().rev().find(|&&node| !is_wrapper(node))?;
    let decl = &model.nodes[opcode.node];
    if decl.level.is_alias() && decl.template.is_none() {
        return None;
    }
    let mut owners: Vec<usize> = lineage.into_iter().filter(|&node| is_wrapper(node)).collect();
    owners.push(owner);
    Some(owners)
}

/// Returns the template of the last item of `owners` inside the templates of the other items, which
/// contain `..`. If the inner template ends with `;`, the text ends there, and the pieces after it
/// in the other templates are left out.
pub(super) fn wrapped_pieces(owners: &[usize], model: &Model) -> Vec<TemplatePiece> {
    let pieces = |node: usize| model.nodes[node].template.as_ref().map_or(&[][..], |t| &t.pieces);
    let Some((&owner, wrappers)) = owners.split_last() else {
        return Vec::new();
    };
    wrappers.iter().rev().fold(pieces(owner).to_vec(), |inner, &wrapper| {
        let mut whole = Vec::new();
        for piece in pieces(wrapper) {
            match piece {
                TemplatePiece::Rest => {
                    whole.extend(inner.iter().cloned());
                    if ends_statement(&whole) {
                        break;
                    }
                }
                other => whole.push(other.clone()),
            }
        }
        whole
    })
}

fn ends_statement(pieces: &[TemplatePiece]) -> bool {
    matches!(pieces.last(), Some(TemplatePiece::Text(text)) if text == ";")
}

/// Returns the part of a template after the mnemonic, formatted for people.
pub(crate) fn format_after_mnemonic(pieces: &[TemplatePiece]) -> String {
    let modifiers = pieces.iter().take_while(|piece| as_modifier(piece).is_some()).count();
    let (modifiers, operands) = pieces.split_at(modifiers);
    let text = format!("{} {}", format_pieces(modifiers), format_pieces(operands).trim_start());
    text.replace(" ;", ";").replace(" {, ", "{, ")
}

/// Returns a template, formatted for people.
pub(crate) fn format_template(pieces: &[TemplatePiece]) -> String {
    let Some(at) = pieces.iter().position(|piece| first_word(piece).is_some()) else {
        return format_pieces(pieces);
    };
    let rest = &pieces[at + 1..];
    let modifiers = rest.iter().take_while(|piece| as_modifier(piece).is_some()).count();
    let (before, mnemonic) =
        (format_pieces(&pieces[..at]), format_pieces(&pieces[at..at + 1 + modifiers]));
    let after = format_pieces(&rest[modifiers..]);
    let gap = if before.is_empty() { "" } else { " " };
    let text = format!("{before}{gap}{mnemonic} {}", after.trim_start());
    text.trim_start().replace(" ;", ";").replace(" {, ", "{, ")
}

fn format_pieces(pieces: &[TemplatePiece]) -> String {
    let mut text = String::new();
    for piece in pieces {
        match piece {
            TemplatePiece::Word(word) => {
                if text.ends_with(char::is_alphanumeric) {
                    text.push(' ');
                }
                text.push_str(&word.to_string());
            }
            TemplatePiece::Dot(name) => text.push_str(&format!(".{name}")),
            TemplatePiece::Optional(inner, _) => {
                text.push_str(&format!("{{{}}}", format_pieces(inner)))
            }
            TemplatePiece::Tag(name) => text.push_str(&format!(" ${name}")),
            TemplatePiece::Comma => text.push_str(", "),
            TemplatePiece::Text(mark) => text.push_str(mark),
            TemplatePiece::Rest => text.push_str(".."),
            TemplatePiece::Nothing => {}
        }
    }
    text
}
