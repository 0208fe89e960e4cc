//! The template that one opcode reads and prints by: the shared one without what the opcode lacks.

use crate::spec::{GLUE, Piece, Row, Spec};

/// Where a value stands behind a dot, or among the trailing settings.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    /// An index into the fields of the row.
    pub field: usize,
    /// The one value that stands here, where not all do.
    pub only: Option<u64>,
    /// Whether it must be given.
    pub required: bool,
}

/// A mark at an operand.
#[derive(Debug, Clone)]
pub struct Mark {
    /// An index into the fields of the row.
    pub field: usize,
    /// The text in front.
    pub open: String,
    /// The text behind; may be empty.
    pub close: String,
    /// The value that the mark stands for.
    pub value: u64,
    /// Whether it is printed closed before the modifiers of its operand.
    pub closes_first: bool,
}

/// A piece of a template of one opcode.
#[derive(Debug, Clone)]
pub enum Item {
    /// The mnemonic, or its place.
    Word(String),
    /// Fixed text.
    Text(String),
    /// What stands behind dots, in any order.
    Dots(Vec<Place>),
    /// An operand.
    Operand {
        /// An index into the fields of the row.
        field: usize,
        /// In front of it and behind it.
        marks: Vec<Mark>,
        /// Behind dots.
        dots: Vec<Place>,
    },
    /// What stands only if the text begins so.
    Part(Vec<Item>),
    /// The trailing settings.
    Tags(Vec<Place>),
}

/// A template of one opcode.
pub type Own = Vec<Item>;

struct Maker<'s> {
    spec: &'s Spec,
    rows: &'s [Row],
    row: &'s Row,
    /// How many slots were met.
    slots: usize,
}

/// The template of the row at `place`.
#[must_use]
pub fn own(spec: &Spec, rows: &[Row], place: usize) -> Own {
    let mut maker = Maker { spec, rows, row: &rows[place], slots: 0 };
    maker.items(&rows[place].template)
}

impl Maker<'_> {
    fn items(&mut self, pieces: &[Piece]) -> Vec<Item> {
        let mut items: Vec<Item> = Vec::new();
        for piece in pieces {
            match piece {
                Piece::Mnemonic(word) if word.is_empty() => items.push(Item::Word(String::new())),
                Piece::Mnemonic(word) => {
                    items.push(Item::Word(word.clone()));
                    items.push(Item::Dots(Vec::new()));
                }
                Piece::Text(text) => items.push(Item::Text(text.clone())),
                Piece::Dot { name, braces } => {
                    let place = self.modifier(name, !braces);
                    if let (Some(place), Some(Item::Dots(dots))) = (place, items.last_mut()) {
                        dots.push(place);
                    }
                }
                Piece::Slot { name, marks, dots } => items.extend(self.operand(name, marks, dots)),
                Piece::Part(inner) => {
                    let names = self.names(inner);
                    let inner = self.items(inner);
                    if !names || inner.iter().any(has_field) {
                        items.push(Item::Part(inner));
                    }
                }
                Piece::Tag(name) => {
                    if !matches!(items.last(), Some(Item::Tags(_))) {
                        items.push(Item::Tags(Vec::new()));
                    }
                    let place = self.row.field(name);
                    if let (Some(field), Some(Item::Tags(tags))) = (place, items.last_mut()) {
                        tags.push(Place { field, only: None, required: false });
                    }
                }
                Piece::Rest => {}
            }
        }
        while share(&mut items) {}
        items
    }

    /// Whether a part speaks of any field, of this opcode or of others.
    fn names(&self, pieces: &[Piece]) -> bool {
        pieces.iter().any(|piece| match piece {
            Piece::Part(inner) => self.names(inner),
            Piece::Dot { .. } | Piece::Slot { .. } | Piece::Tag(_) => true,
            Piece::Mnemonic(_) | Piece::Text(_) | Piece::Rest => false,
        })
    }

    /// The opcodes that share the template.
    fn members(&self) -> impl Iterator<Item = &Row> {
        self.rows.iter().filter(|other| other.family == self.row.family)
    }

    /// `.name`: the field of that name, or the one that has a value of that name.
    fn modifier(&self, name: &str, required: bool) -> Option<Place> {
        if self.members().any(|row| row.field(name).is_some()) {
            return self.row.field(name).map(|field| Place { field, only: None, required });
        }
        let (field, only) = self.field_with(name)?;
        let field = self.row.field(&field)?;
        Some(Place { field, only: Some(only), required })
    }

    /// The field that has a value of a name: one that can differ in some opcode of the template
    /// before one that all fix.
    fn field_with(&self, name: &str) -> Option<(String, u64)> {
        [false, true].into_iter().find_map(|fixed| {
            let mut fields = self.members().flat_map(|row| {
                row.fields.iter().filter(|field| !row.ignored.contains(&field.name))
            });
            fields.find_map(|field| {
                let mut values = self.spec.kinds[field.kind].values().iter();
                let named = values.find(|value| value.is_read_as(name));
                let fits = field.fixed.is_some() == fixed && !field.name.contains('.');
                named.filter(|_| fits).map(|value| (field.name.clone(), value.raw))
            })
        })
    }

    fn operand(&mut self, name: &str, marks: &[usize], dots: &[(String, bool)]) -> Option<Item> {
        let slot = self.slots;
        self.slots += 1;
        let field = slot_field(self.row, slot, name)?;
        let marks = marks.iter().filter_map(|&mark| {
            let affix = &self.spec.affixes[mark];
            let at = sub_field(self.row, field, &affix.sub)?;
            let value = self.mark_value(slot, name, &affix.sub, at);
            let (open, close) = (affix.open.clone(), affix.close.clone());
            let closes_first = self.spec.closes_first;
            Some(Mark { field: at, open, close, value, closes_first })
        });
        let marks = marks.collect();
        let dots = dots.iter().filter_map(|(sub, _)| {
            let at = sub_field(self.row, field, sub)?;
            // What is fixed may be left out here, as what has a default may.
            let field = &self.row.fields[at];
            let required = field.default.is_none() && field.fixed.is_none();
            Some(Place { field: at, only: None, required })
        });
        Some(Item::Operand { field, marks, dots: dots.collect() })
    }

    /// What a mark stands for: not the default; where there is none, what it stands for in others.
    fn mark_value(&self, slot: usize, name: &str, sub: &str, own: usize) -> u64 {
        let default = |row: &Row, field: usize| row.fields[field].default;
        let others = || {
            self.members().find_map(|row| {
                let field = sub_field(row, slot_field(row, slot, name)?, sub)?;
                default(row, field)
            })
        };
        default(self.row, own).or_else(others).map_or(1, |default| 1 - default.min(1))
    }
}

/// A part that begins with the text that follows it is there if what follows the text tells so: that text is
/// one that comes first, and the part has it at its end. Whether there was such a part.
fn share(items: &mut [Item]) -> bool {
    let text_of = |item: Option<&Item>| match item {
        Some(Item::Text(text)) if text != GLUE => Some(text.clone()),
        _ => None,
    };
    for at in 0..items.len() {
        let Item::Part(inner) = &items[at] else { continue };
        let (first, next) = (text_of(inner.first()), text_of(items.get(at + 1)));
        if let (Some(text), true, true) = (&first, first == next, inner.len() > 1) {
            let mut inner = [&inner[1..], &[Item::Text(text.clone())]].concat();
            while share(&mut inner) {}
            items[at + 1] = Item::Part(inner);
            items[at] = Item::Text(text.clone());
            return true;
        }
    }
    false
}

/// The field in a slot: by `Order`, or by name as written or in lower case.
fn slot_field(row: &Row, slot: usize, name: &str) -> Option<usize> {
    match &row.order {
        Some(order) => row.field(order.get(slot)?),
        None => row.field(name).or_else(|| row.field(&name.to_lowercase())),
    }
}

/// The sub-field of an operand, or else the field of that name.
fn sub_field(row: &Row, operand: usize, sub: &str) -> Option<usize> {
    let base = &row.fields[operand].name;
    row.field(&format!("{base}.{sub}")).or_else(|| row.field(sub))
}

fn has_field(item: &Item) -> bool {
    match item {
        Item::Word(_) | Item::Text(_) => false,
        Item::Dots(places) | Item::Tags(places) => !places.is_empty(),
        Item::Operand { .. } => true,
        Item::Part(inner) => inner.iter().any(has_field),
    }
}

/// Every field that an item shows, as often as it does.
pub fn fields_of(items: &[Item], fields: &mut Vec<usize>) {
    for item in items {
        match item {
            Item::Word(_) | Item::Text(_) => {}
            Item::Dots(places) | Item::Tags(places) => {
                fields.extend(places.iter().map(|place| place.field));
            }
            Item::Operand { field, marks, dots } => {
                fields.push(*field);
                fields.extend(marks.iter().map(|mark| mark.field));
                fields.extend(dots.iter().map(|place| place.field));
            }
            Item::Part(inner) => fields_of(inner, fields),
        }
    }
}

/// How many operands some items have.
pub fn slots(items: &[Item]) -> usize {
    let count = |item: &Item| match item {
        Item::Operand { .. } => 1,
        Item::Part(inner) => slots(inner),
        _ => 0,
    };
    items.iter().map(count).sum()
}

/// How many slots the pieces of a template have.
pub fn slots_in(pieces: &[Piece]) -> usize {
    let count = |piece: &Piece| match piece {
        Piece::Slot { .. } => 1,
        Piece::Part(inner) => slots_in(inner),
        _ => 0,
    };
    pieces.iter().map(count).sum()
}
