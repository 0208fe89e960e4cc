//! Random specifications whose words resemble each other.

use super::conditions::{condition, is_needed, state};
use crate::random::Random;
use crate::spec::{Field, Init, Kind, KindText, Line, Node, Piece, Resolved, Row, Spec, Value};

/// Returns a specification with few opcodes whose words sometimes overlap. All fields use only a
/// few bits, so that all words can be enumerated.
#[must_use]
pub fn encodings(random: &mut Random) -> Spec {
    let mut maker = Maker { spec: Spec::default(), random, bits: Vec::new() };
    maker.widths();
    maker.sets();
    for _ in 0..maker.random.below(3) {
        maker.group();
    }
    for place in 0..2 + maker.random.below(4) {
        maker.opcode(place);
    }
    maker.inside();
    maker.exceptions();
    maker.templates();
    maker.spec
}

struct Maker<'r> {
    spec: Spec,
    random: &'r mut Random,
    /// The bit positions that fields use.
    bits: Vec<u32>,
}

impl Maker<'_> {
    fn widths(&mut self) {
        self.spec.widths = match self.random.below(14) {
            0..3 => vec![16],
            3 => vec![32],
            4 => vec![64],
            5 => vec![128],
            6 => vec![16, 32],
            7 => vec![32, 64],
            8 => vec![16, 128],
            9 => vec![24],
            10 => vec![8, 16, 24],
            11 => vec![16, 32, 48],
            12 => vec![40, 96],
            _ => vec![16, 32, 64],
        };
        let widest = self.spec.widths.iter().copied().max().unwrap_or(16) as usize;
        let shortest = self.spec.widths.iter().copied().min().unwrap_or(16) as usize;
        let orders = ["", "little_endian", "big_endian", "little_endian_halfwords"];
        let has_halfwords = self.spec.widths.iter().all(|width| width % 16 == 0);
        self.spec.byte_order = orders[self.random.below(3 + usize::from(has_halfwords))];
        let is_high_first =
            matches!(self.spec.byte_order, "big_endian" | "little_endian_halfwords");
        let count = 5 + self.random.below(5);
        // Most bits are in the part that all words have, or among the bits that come first in
        // memory.
        while self.bits.len() < count {
            let low = self.random.chance(75);
            let mut bit = self.random.below(if low { shortest } else { widest }) as u32;
            if low && is_high_first && self.random.chance(50) {
                let widths = &self.spec.widths;
                bit += widths[self.random.below(widths.len())] - shortest as u32;
            }
            if !self.bits.contains(&bit) {
                self.bits.push(bit);
            }
        }
        self.bits.sort_unstable();
    }

    /// Adds enums of one to three bits, some of which have reserved values.
    fn sets(&mut self) {
        for (name, width) in [("One", 1), ("Two", 2), ("Gap", 2), ("Three", 3)] {
            let mut numbers: Vec<u64> = (0..1 << width).collect();
            if name == "Gap" || width > 1 && self.random.chance(40) {
                self.random.shuffle(&mut numbers);
                numbers.truncate(1 + self.random.below((1 << width) - 1));
            }
            let values =
                numbers.into_iter().map(|raw| Value::new(&format!("{name}{raw}"), raw)).collect();
            self.spec.kinds.push(Kind {
                name: name.to_owned(),
                width,
                text: KindText::Set(values),
            });
        }
        for (name, width) in [("Nat", 2), ("Number", 3)] {
            let text = KindText::Unsigned;
            self.spec.kinds.push(Kind { name: name.to_owned(), width, text });
        }
    }

    /// Returns fields on some of the free bits.
    fn fields(&mut self, prefix: &str, free: &mut Vec<u32>, end: u32) -> Vec<Line> {
        let mut lines = Vec::new();
        for number in 0..1 + self.random.below(4) {
            let kind = self.random.below(self.spec.kinds.len());
            let width = self.spec.kinds[kind].width;
            let mut room: Vec<u32> = free.iter().copied().filter(|bit| *bit < end).collect();
            if room.len() < width as usize {
                continue;
            }
            if self.random.chance(20) {
                self.random.shuffle(&mut room);
            } else {
                room.drain(..self.random.below(room.len() - width as usize + 1));
            }
            room.truncate(width as usize);
            free.retain(|bit| !room.contains(bit));
            let name = format!("{prefix}{number}");
            // The most significant piece first. Adjacent bits form one piece.
            let mut pieces: Vec<(u32, u32)> = Vec::new();
            for &bit in room.iter().rev() {
                match pieces.last_mut() {
                    Some((at, width)) if bit + 1 == *at => (*at, *width) = (bit, *width + 1),
                    _ => pieces.push((bit, 1)),
                }
            }
            let init = self.init(kind);
            lines.push(Line::Declare(Field { name, pieces, kind, init }));
        }
        lines
    }

    fn init(&mut self, kind: usize) -> Init {
        let values = self.spec.kinds[kind].sample();
        let raw = *self.random.pick(&values);
        match self.random.below(100) {
            0..45 => Init::Fixed(raw),
            45..55 => Init::Default(raw),
            55..65 if values.len() > 2 => Init::Never(vec![raw]),
            _ => Init::Required,
        }
    }

    fn group(&mut self) {
        let number = self.spec.groups.len();
        let mut free = self.bits.clone();
        let lines = self.fields(&format!("g{number}x"), &mut free, self.shortest());
        let name = format!("G{number}");
        self.spec.groups.push(Node { name, lines, ..Node::default() });
    }

    fn shortest(&self) -> u32 {
        self.spec.widths.iter().copied().min().unwrap_or(16)
    }

    fn opcode(&mut self, place: usize) {
        let copied = place > 0 && self.random.chance(35);
        let mut node = if copied {
            let of = self.random.below(self.spec.opcodes.len());
            let mut node = self.spec.opcodes[of].clone();
            self.change(&mut node);
            node
        } else {
            self.fresh()
        };
        node.name = format!("N{place}");
        self.spec.opcodes.push(node);
    }

    /// Returns an opcode that is mostly unrelated to the others.
    fn fresh(&mut self) -> Node {
        let width = *self.random.pick(&self.spec.widths.clone());
        let mut free: Vec<u32> = self.bits.clone();
        let word = (self.spec.widths.len() > 1).then_some(width);
        let mut node = Node { word, ..Node::default() };
        if !self.spec.groups.is_empty() && self.random.chance(60) {
            let parent = self.random.below(self.spec.groups.len());
            node.parents.push(parent);
            for line in self.spec.groups[parent].lines.clone() {
                let Line::Declare(field) = line else { continue };
                free.retain(|bit| !field.pieces.iter().any(|(at, w)| (*at..at + w).contains(bit)));
                let open = matches!(field.init, Init::Required | Init::Default(_));
                if open && self.random.chance(50) {
                    let init = self.init(field.kind);
                    if init != Init::Required {
                        node.lines.push(Line::Refine(field.name, init));
                    }
                }
            }
        }
        node.lines.extend(self.fields("f", &mut free, width));
        node
    }

    /// Changes a value, adds a fixed field, or removes one.
    fn change(&mut self, node: &mut Node) {
        for _ in 0..1 + self.random.below(2) {
            if node.lines.is_empty() {
                return;
            }
            let at = self.random.below(node.lines.len());
            if self.random.chance(10) {
                node.lines.remove(at);
                continue;
            }
            if let Line::Declare(Field { kind, .. }) = node.lines[at] {
                let new = self.init(kind);
                if let Line::Declare(field) = &mut node.lines[at] {
                    field.init = new;
                }
            }
        }
    }

    /// Declares some opcodes to be inside others, sometimes wrongly.
    fn inside(&mut self) {
        let rows = self.spec.rows();
        for (at, row) in rows.iter().enumerate() {
            for (general, other) in rows.iter().enumerate().filter(|(other, _)| *other != at) {
                let fixes = |field: &Resolved| {
                    let own = row.field(&field.name).map(|at| &row.fields[at]);
                    field.fixed.is_none() || own.is_some_and(|own| own.fixed == field.fixed)
                };
                let count = |row: &Row| row.fields.iter().filter(|f| f.fixed.is_some()).count();
                let near = row.bits == other.bits
                    && other.fields.iter().all(fixes)
                    && count(row) > count(other);
                let said = self.spec.opcodes[general].inside.contains(&row.name);
                let percent = if near { 75 } else { 2 };
                if !said && self.random.chance(percent) {
                    self.spec.opcodes[at].inside.push(other.name.clone());
                }
            }
        }
    }

    /// Adds exceptions. Each of them excludes a word that nothing else excludes, and leaves a valid
    /// word.
    fn exceptions(&mut self) {
        for at in 0..self.spec.opcodes.len() {
            for _ in 0..self.random.below(3) {
                let row = &self.spec.rows()[at];
                if let Some(new) = condition(self.random, &self.spec.kinds, row) {
                    let before = self.spec.opcodes[at].clone();
                    state(self.random, &mut self.spec.opcodes[at], new);
                    if !is_needed(&self.spec.kinds, &self.spec.rows()[at]) {
                        self.spec.opcodes[at] = before;
                    }
                }
            }
        }
    }

    /// Adds a template for each opcode that shows all fields that are not fixed.
    fn templates(&mut self) {
        let rows = self.spec.rows();
        for (node, row) in self.spec.opcodes.iter_mut().zip(rows) {
            let mut pieces = vec![Piece::Mnemonic(row.name.clone())];
            let free = row.fields.iter().filter(|field| field.fixed.is_none());
            let dot = |field: &Resolved| Piece::Dot { name: field.name.clone(), braces: false };
            pieces.extend(free.map(dot));
            pieces.push(Piece::Text(";".to_owned()));
            node.template = Some(pieces);
        }
    }
}
