//! The template that one opcode uses to parse and print: the shared template without the parts that
//! the opcode lacks.

use crate::spec::{GLUE, Piece, Row, Spec};

/// A position for a value: after a dot, or among the trailing attributes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    /// The field, as an index into the fields of the row.
    pub field: usize,
    /// The only possible value, if not all values are possible.
    pub only: Option<u64>,
    /// Whether the text must contain the value.
    pub required: bool,
}

/// A prefix or suffix operator of an operand.
#[derive(Debug, Clone)]
pub struct Mark {
    /// The field, as an index into the fields of the row.
    pub field: usize,
    /// The text before the operand.
    pub open: String,
    /// The text after the operand. It may be empty.
    pub close: String,
    /// The value of the field if the operator is present.
    pub value: u64,
    /// Whether the closing text is printed before the modifiers of the operand.
    pub closes_first: bool,
}

/// An item of the template of one opcode.
#[derive(Debug, Clone)]
pub enum Item {
    /// The mnemonic, or its position.
    Word(String),
    /// A literal.
    Text(String),
    /// Values after dots, in any order.
    Dots(Vec<Place>),
    /// An operand.
    Operand {
        /// The field, as an index into the fields of the row.
        field: usize,
        /// The prefix and suffix operators.
        marks: Vec<Mark>,
        /// The modifiers after the operand.
        dots: Vec<Place>,
    },
    /// An optional group. It is present only if the text begins like its first item.
    Part(Vec<Item>),
    /// The trailing attributes.
    Tags(Vec<Place>),
}

/// A template of one opcode.
pub type Own = Vec<Item>;

struct Maker<'s> {
    spec: &'s Spec,
    rows: &'s [Row],
    row: &'s Row,
    /// The number of operand placeholders so far.
    slots: usize,
}

/// Returns the template of the row at `place`.
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

    /// Returns whether an optional group contains any field, of this opcode or of others.
    fn names(&self, pieces: &[Piece]) -> bool {
        pieces.iter().any(|piece| match piece {
            Piece::Part(inner) => self.names(inner),
            Piece::Dot { .. } | Piece::Slot { .. } | Piece::Tag(_) => true,
            Piece::Mnemonic(_) | Piece::Text(_) | Piece::Rest => false,
        })
    }

    /// Returns the opcodes that share the template.
    fn members(&self) -> impl Iterator<Item = &Row> {
        self.rows.iter().filter(|other| other.family == self.row.family)
    }

    /// Resolves `.name` to the field of that name, or to the field that has a value of that name.
    fn modifier(&self, name: &str, required: bool) -> Option<Place> {
        if self.members().any(|row| row.field(name).is_some()) {
            return self.row.field(name).map(|field| Place { field, only: None, required });
        }
        let (field, only) = self.field_with(name)?;
        let field = self.row.field(&field)?;
        Some(Place { field, only: Some(only), required })
    }

    /// Returns the field that has a value of this name. A field that is not fixed in some opcode of
    /// the template takes precedence over a field that all opcodes fix.
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
            // A fixed value may be omitted here, like a default.
            let field = &self.row.fields[at];
            let required = field.default.is_none() && field.fixed.is_none();
            Some(Place { field: at, only: None, required })
        });
        Some(Item::Operand { field, marks, dots: dots.collect() })
    }

    /// Returns the value that an operator represents: the value that is not the default. If the
    /// opcode has no default, the default of another opcode is used.
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

/// Handles an optional group that begins with the same literal that follows the group. The items
/// after the literal decide whether the group is present, so the literal is moved before the group
/// and repeated at its end. Returns whether there was such a group.
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

/// Returns the field of a placeholder: by `Order`, or by its name as written or in lower case.
fn slot_field(row: &Row, slot: usize, name: &str) -> Option<usize> {
    match &row.order {
        Some(order) => row.field(order.get(slot)?),
        None => row.field(name).or_else(|| row.field(&name.to_lowercase())),
    }
}

/// Returns the sub-field of an operand, or else the field of that name.
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

/// Collects every field that an item shows, once for each time.
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

/// Returns the number of operands in some items.
pub fn slots(items: &[Item]) -> usize {
    let count = |item: &Item| match item {
        Item::Operand { .. } => 1,
        Item::Part(inner) => slots(inner),
        _ => 0,
    };
    items.iter().map(count).sum()
}

/// Returns the number of operand placeholders in the pieces of a template.
pub fn slots_in(pieces: &[Piece]) -> usize {
    let count = |piece: &Piece| match piece {
        Piece::Slot { .. } => 1,
        Piece::Part(inner) => slots_in(inner),
        _ => 0,
    };
    pieces.iter().map(count).sum()
}
