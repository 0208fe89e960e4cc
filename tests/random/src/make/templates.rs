//! Random templates, and the fields that they use.

use super::inits::Shown;
use crate::random::Random;
use crate::spec::{GLUE, OTHER_NAMES, Piece, Row, Spec};

/// A field that a template uses, before an opcode declares it.
#[derive(Debug, Clone)]
pub(super) struct Wanted {
    pub(super) name: String,
    pub(super) kind: usize,
    pub(super) shown: Shown,
    pub(super) is_operand: bool,
}

/// The operand types of a specification, grouped by their use.
pub(super) struct Palette {
    /// Enums.
    pub(super) sets: Vec<usize>,
    /// Enums of one bit with two values.
    pub(super) switches: Vec<usize>,
    /// Operand types that are not enums.
    pub(super) operands: Vec<usize>,
}

/// A template with the fields that it needs.
pub(super) struct Draft<'r, 's> {
    pub(super) random: &'r mut Random,
    pub(super) spec: &'s Spec,
    pub(super) palette: &'s Palette,
    pub(super) fields: Vec<Wanted>,
    /// Whether operand placeholders are bound by `Order`, and therefore have their own names.
    pub(super) ordered: bool,
}

impl Draft<'_, '_> {
    /// Returns a complete template. If the mnemonic is empty, the template has no modifiers.
    pub(super) fn template(&mut self, mnemonic: &str) -> Vec<Piece> {
        let mut pieces = vec![Piece::Mnemonic(mnemonic.to_owned())];
        for name in ["m", "n", "o"] {
            if self.random.chance(40) && !mnemonic.is_empty() {
                self.modifier(name, &mut pieces);
            }
        }
        let count = self.random.below(4);
        for name in ["ra", "rb", "rc"].into_iter().take(count) {
            self.operand(name, pieces.len() > 1 && name != "ra", &mut pieces);
        }
        if self.random.chance(4) {
            if count > 0 && self.random.chance(25) {
                pieces.push(Piece::Text(GLUE.to_owned()));
            }
            pieces.push(Piece::Text((*self.random.pick(&["+", "by", "]", "/", "*"])).to_owned()));
        }
        for name in ["s", "t"] {
            if self.random.chance(18) {
                self.setting(name, Shown::Maybe);
                pieces.push(Piece::Tag(name.to_owned()));
            }
        }
        self.twice(&mut pieces);
        if self.random.chance(12) {
            self.setting("h", Shown::Never);
        }
        pieces.push(Piece::Text(";".to_owned()));
        pieces
    }

    /// Returns a modifier or an operand that distinguishes opcodes. If `is_operand`, it is an
    /// operand.
    pub(super) fn key(&mut self, is_operand: bool) -> Option<Piece> {
        let large = |set: &&usize| self.spec.kinds[**set].values().len() > 1;
        let sets: Vec<usize> = self.palette.sets.iter().filter(large).copied().collect();
        let operand = (is_operand || self.random.chance(20)) && !self.ordered;
        if is_operand && !operand {
            return None;
        }
        let list = if operand { &[&sets[..], &self.palette.operands].concat() } else { &sets };
        let kind = *list.get(self.random.below(list.len()))?;
        let name = "k".to_owned();
        self.want("k", kind, Shown::Always, operand);
        Some(match operand {
            true => Piece::Slot { name, marks: Vec::new(), dots: Vec::new() },
            false => Piece::Dot { name, braces: self.random.chance(15) },
        })
    }

    fn want(&mut self, name: &str, kind: usize, shown: Shown, is_operand: bool) {
        self.fields.push(Wanted { name: name.to_owned(), kind, shown, is_operand });
    }

    /// Adds a field that is not an operand.
    fn setting(&mut self, name: &str, shown: Shown) -> usize {
        let any = [&self.palette.sets[..], &self.palette.operands].concat();
        let list = if self.random.chance(4) { &any } else { &self.palette.sets };
        let kind = *self.random.pick(list);
        self.want(name, kind, shown, false);
        kind
    }

    /// Adds a modifier: `.m`, `{.m}` or `{.A}`.
    fn modifier(&mut self, name: &str, pieces: &mut Vec<Piece>) {
        let braces = self.random.chance(65);
        let shown = if braces { Shown::Maybe } else { Shown::Always };
        let kind = self.setting(name, shown);
        let values = self.spec.kinds[kind].values();
        let dot = |name: &str, braces| Piece::Dot { name: name.to_owned(), braces };
        // Another field could have the same value, and then the value is ambiguous.
        if braces && !values.is_empty() && self.random.chance(25) {
            let number = self.random.below(OTHER_NAMES + 1);
            let mut values: Vec<&str> = values.iter().map(|value| value.name(number)).collect();
            self.random.shuffle(&mut values);
            let count = (values.len() - 1).max(1);
            pieces.extend(values.into_iter().take(count).map(|value| dot(value, true)));
        } else {
            pieces.push(dot(name, braces));
        }
    }

    fn operand(&mut self, name: &str, joined: bool, pieces: &mut Vec<Piece>) {
        let optional = self.random.chance(20);
        let shown = if optional { Shown::Maybe } else { Shown::Always };
        let list = if self.random.chance(60) { &self.palette.operands } else { &self.palette.sets };
        let kind = *self.random.pick(if list.is_empty() { &self.palette.sets } else { list });
        self.want(name, kind, shown, true);
        let mut slot = self.slot(name, optional);
        let joint = match self.random.below(100) {
            0..70 => Some(","),
            70..80 => Some("+"),
            80..85 => Some(":"),
            85 => Some("/"),
            86..90 => Some("by"),
            90..93 if !optional => Some(GLUE),
            _ => None,
        };
        let joint = joint.filter(|_| joined || optional && self.random.chance(50));
        if !optional && self.random.chance(8) {
            let text = |text: &str| Piece::Text(text.to_owned());
            slot = [vec![text("[")], slot, vec![text("]")]].concat();
        }
        let whole: Vec<Piece> =
            joint.map(|text| Piece::Text(text.to_owned())).into_iter().chain(slot).collect();
        if optional { pieces.push(Piece::Part(whole)) } else { pieces.extend(whole) }
    }

    /// Returns an operand with its prefix and suffix operators and its modifiers.
    fn slot(&mut self, field: &str, optional: bool) -> Vec<Piece> {
        let name = match field {
            _ if self.ordered => format!("S{field}"),
            _ if self.random.chance(40) => format!("{}{}", field[..1].to_uppercase(), &field[1..]),
            _ => field.to_owned(),
        };
        let mut marks = Vec::new();
        if self.random.chance(25) && !self.palette.switches.is_empty() {
            let mut all: Vec<usize> = (0..self.spec.affixes.len()).collect();
            self.random.shuffle(&mut all);
            let count = 1 + self.random.below(2);
            for mark in all.into_iter().take(count) {
                let kind = *self.random.pick(&self.palette.switches);
                let sub = format!("{field}.{}", self.spec.affixes[mark].sub);
                // A field in an optional group needs a default.
                let shown =
                    if optional && self.random.chance(90) { Shown::Maybe } else { Shown::Mark };
                self.want(&sub, kind, shown, false);
                marks.push(mark);
            }
        }
        let mut dots = Vec::new();
        for sub in ["x", "y"] {
            if self.random.chance(12) {
                let shown = if self.random.chance(70) { Shown::Maybe } else { Shown::Always };
                let own = self.random.chance(80);
                let full = if own { format!("{field}.{sub}") } else { sub.to_owned() };
                if !self.fields.iter().any(|wanted| wanted.name == full) {
                    let shown = if optional { Shown::Maybe } else { shown };
                    self.setting(&full, shown);
                }
                dots.push((sub.to_owned(), self.random.chance(60)));
            }
        }
        vec![Piece::Slot { name, marks, dots }]
    }

    /// Adds the name of the field to a value in braces if several fields have that value.
    pub(super) fn name_fields(&self, pieces: &mut Vec<Piece>) {
        let has = |field: &Wanted, value: &str| {
            let mut values = self.spec.kinds[field.kind].values().iter();
            values.any(|known| known.is_read_as(value)) && !field.name.contains('.')
        };
        for piece in pieces.iter_mut() {
            let Piece::Dot { name, .. } = piece else { continue };
            let fields: Vec<&Wanted> = self.fields.iter().filter(|f| has(f, name)).collect();
            if let [first, _, ..] = fields[..] {
                let shown = |field: &&&Wanted| "mno".contains(&field.name);
                *name = fields.iter().find(shown).map_or(&first.name, |field| &field.name).clone();
            }
        }
        let mut known = Vec::new();
        pieces.retain(|piece| match piece {
            Piece::Dot { name, .. } if known.contains(name) => false,
            Piece::Dot { name, .. } => {
                known.push(name.clone());
                true
            }
            _ => true,
        });
    }

    /// Shows a field that is already shown a second time.
    fn twice(&mut self, pieces: &mut Vec<Piece>) {
        if self.fields.is_empty() || self.ordered || !self.random.chance(7) {
            return;
        }
        let field = self.random.pick(&self.fields.clone()).clone();
        if field.name.contains('.') || field.name == "k" {
            return;
        }
        match self.random.below(3) {
            0 if !pieces.contains(&Piece::Tag(field.name.clone())) => {
                pieces.push(Piece::Tag(field.name));
            }
            1 if pieces[0] != Piece::Mnemonic(String::new()) => {
                let again = Piece::Dot { name: field.name, braces: self.random.chance(60) };
                let same = |piece: &Piece| {
                    matches!((piece, &again),
                    (Piece::Dot { name: a, .. }, Piece::Dot { name: b, .. }) if a == b)
                };
                if !pieces.iter().any(same) {
                    pieces.insert(1, again);
                }
            }
            _ => {
                let text = format!("{:?}", pieces);
                let name = match text.contains(&format!("{:?}", field.name)) {
                    true => format!("{}{}", field.name[..1].to_uppercase(), &field.name[1..]),
                    false => field.name,
                };
                if !text.contains(&format!("Slot {{ name: {name:?}"))
                    && !matches!(pieces.last(), Some(Piece::Tag(_)))
                {
                    let known = self.fields.iter_mut().filter(|f| f.name == *name.to_lowercase());
                    known.for_each(|field| field.is_operand = true);
                    pieces.push(Piece::Text(",".to_owned()));
                    pieces.push(Piece::Slot { name, marks: Vec::new(), dots: Vec::new() });
                }
            }
        }
    }
}

/// Returns a template that shows all fields that are not fixed, except one.
pub(super) fn simple(
    random: &mut Random,
    spec: &Spec,
    row: &Row,
    without: &str,
    mnemonic: &str,
) -> Vec<Piece> {
    let wrapped: &[&str] = match row.template.first() {
        Some(Piece::Part(_)) => &["pg", "pg.not"],
        _ => &[],
    };
    let free = |name: &str| {
        let field = row.field(name).map(|at| &row.fields[at]);
        field.is_some_and(|field| field.fixed.is_none()) && name != without
    };
    let mut pieces = vec![Piece::Mnemonic(mnemonic.to_owned())];
    let mut slots = Vec::new();
    for field in row.fields.iter().filter(|f| !wrapped.contains(&&*f.name)) {
        let name = &field.name;
        let (base, sub) = name.split_once('.').unwrap_or((name, ""));
        let is_operand = name.starts_with('r');
        if is_operand && sub.is_empty() {
            let subs = row.fields.iter().filter_map(|f| f.name.strip_prefix(&format!("{base}.")));
            let subs: Vec<&str> = subs.filter(|sub| free(&format!("{base}.{sub}"))).collect();
            if !free(name) && subs.is_empty() {
                continue;
            }
            let affix = |sub: &&str| spec.affixes.iter().position(|affix| affix.sub == **sub);
            let marks = subs.iter().filter_map(affix).collect();
            let dots = subs.iter().filter(|sub| affix(sub).is_none());
            let dots = dots.map(|sub| ((*sub).to_owned(), true)).collect();
            slots.push(Piece::Slot { name: name.clone(), marks, dots });
        } else if sub.is_empty() && free(name) {
            let braces = field.default.is_some() && random.chance(80);
            pieces.push(Piece::Dot { name: name.clone(), braces });
        }
    }
    for (place, slot) in slots.into_iter().enumerate() {
        pieces.extend((place > 0).then(|| Piece::Text(",".to_owned())));
        pieces.push(slot);
    }
    pieces.push(Piece::Text(";".to_owned()));
    pieces
}
