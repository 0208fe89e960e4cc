//! Random specifications whose texts resemble each other.

use super::conditions::{condition, is_needed, state};
use super::inits::init;
use super::templates::{Draft, Palette, Wanted, simple};
use crate::random::Random;
use crate::spec::{
    Affix, Alias, Field, Init, Kind, KindText, Line, Node, OTHER_NAMES, Piece, Row, Spec, Value,
};
use crate::{loose, orders, views};

/// The type of the field that distinguishes the opcodes in the word.
const OP: usize = 0;
/// The width of that field.
const OP_BITS: u32 = 4;

/// Returns a specification with few opcodes that share templates, mnemonics and names of values.
#[must_use]
pub fn texts(random: &mut Random) -> Spec {
    let mut maker = Maker { spec: start(random), random, ops: 0, end: 0, palette: palette_of() };
    maker.palette = palette(&maker.spec);
    for _ in 0..1 + maker.random.below(2) {
        maker.family();
    }
    if maker.random.chance(12) {
        maker.special();
    }
    for _ in 0..maker.random.below(2) {
        maker.alias();
    }
    maker.exceptions();
    loose::choose(maker.random, &mut maker.spec, &mut maker.end);
    if let KindText::Set(values) = &mut maker.spec.kinds[OP].text {
        values.truncate(maker.ops as usize);
    }
    maker.widths();
    let Maker { mut spec, random, .. } = maker;
    views::choose(random, &mut spec);
    orders::choose(random, &mut spec);
    spec
}

/// Returns a word width for this many bits: the width of a Rust type, or the required number of
/// whole bytes.
fn width_for(bits: u32, in_whole_bytes: bool) -> u32 {
    if in_whole_bytes {
        return bits.div_ceil(8).max(1) * 8;
    }
    [16, 32, 64].into_iter().find(|width| *width >= bits).unwrap_or(128)
}

fn palette_of() -> Palette {
    Palette { sets: Vec::new(), switches: Vec::new(), operands: Vec::new() }
}

/// Returns a specification with the enums, the operand types, and the prefix and suffix operators.
fn start(random: &mut Random) -> Spec {
    let ops = (0..1 << OP_BITS).map(|number| Value::new(&format!("OP{number}"), number)).collect();
    let set = |name: &str, width, values| Kind {
        name: name.to_owned(),
        width,
        text: KindText::Set(values),
    };
    let any_case = random.chance(15);
    let mut kinds = vec![set("Op", OP_BITS, ops)];
    for name in ["S", "T", "U"].into_iter().take(2 + random.below(2)) {
        let width = 1 + random.below(2) as u32;
        let mut names = ["A", "B", "C", "D", "E", "XA", "8b", "4"];
        random.shuffle(&mut names);
        let mut numbers: Vec<u64> = (0..1 << width).collect();
        random.shuffle(&mut numbers);
        let count = if random.chance(75) { 2 } else { 1 + random.below(1 << width) };
        // Use another letter case than in the other enums.
        let names = names.map(|text| match any_case && name == "T" {
            true => text.to_ascii_lowercase(),
            false => text.to_owned(),
        });
        let mut others = names.iter().skip(count);
        let values = names.iter().zip(numbers).take(count).map(|(name, raw)| {
            let rust = random.chance(10).then(|| format!("V{name}"));
            let more = if random.chance(25) { 1 + random.below(OTHER_NAMES) } else { 0 };
            let also = others.by_ref().take(more).map(|name| (*name).to_owned()).collect();
            Value { rust, also, ..Value::new(name, raw) }
        });
        kinds.push(set(name, width, values.collect()));
    }
    kinds.push(set("Bit", 1, vec![Value::new("OFF", 0), Value::new("ON", 1)]));
    // Without other operand types, the compiler can answer every question itself.
    if random.chance(50) {
        let mut operands = [
            ("Reg", 8, KindText::Reg),
            ("Pred", 3, KindText::Pred),
            ("Int", 3, KindText::Signed),
            ("Nat", 2, KindText::Unsigned),
            ("Code", 5, KindText::Hex),
            ("Number", 3, KindText::Marked),
            ("Goal", 4, KindText::Target),
            ("Bank", 2, KindText::Bank(bank())),
            ("Sigil", 2, KindText::Sigil),
            ("Place", 3, KindText::Place),
        ];
        let kind = |(name, width, text): (&str, u32, KindText)| Kind {
            name: name.to_owned(),
            width,
            text,
        };
        // Use only a few operand types, so that most texts remain distinguishable.
        random.shuffle(&mut operands);
        kinds.extend(operands.into_iter().take(4).map(kind));
    }
    let affix = |(open, close, sub): (&str, &str, &str)| Affix {
        open: open.to_owned(),
        close: close.to_owned(),
        sub: sub.to_owned(),
    };
    let affixes = [
        ("-", "", "neg"),
        ("!", "", "not"),
        ("|", "|", "abs"),
        ("(", ")", "par"),
        ("*", "", "at"),
        ("/", "/", "inv"),
    ];
    // A copy of the generator decides, so that older seeds still make the same specifications.
    let closes_first = random.clone().chance(50);
    let affixes = affixes.map(affix).to_vec();
    Spec { any_case, kinds, affixes, closes_first, ..Spec::default() }
}

/// Returns the names of [`kinds::Bank`](crate::kinds::Bank).
fn bank() -> Vec<Value> {
    let name = |(raw, (name, also)): (u64, (&str, &[&str]))| {
        let also = also.iter().map(|name| (*name).to_owned()).collect();
        Value { also, ..Value::new(name, raw) }
    };
    let names: [(&str, &[&str]); 4] = [("A", &["r0"]), ("r1", &[]), ("r2", &[]), ("by", &["Xa"])];
    (0..).zip(names).map(name).collect()
}

fn palette(spec: &Spec) -> Palette {
    let mut palette = palette_of();
    for (place, kind) in spec.kinds.iter().enumerate().skip(OP + 1) {
        match &kind.text {
            KindText::Set(values) => {
                palette.sets.push(place);
                if kind.width == 1 && values.len() == 2 {
                    palette.switches.push(place);
                }
            }
            _ => palette.operands.push(place),
        }
    }
    palette
}

struct Maker<'r> {
    spec: Spec,
    random: &'r mut Random,
    palette: Palette,
    /// The number of opcodes so far.
    ops: u64,
    /// The width of the longest encoding.
    end: u32,
}

/// A field of a family: its position, and whether the opcodes inherit it.
struct Laid {
    wanted: Wanted,
    pieces: Vec<(u32, u32)>,
    /// The declaration in the optype, if the optype declares the field.
    inherited: Option<Init>,
    /// The declaration in an opcode, unless another one is chosen for it.
    usual: Init,
}

impl Maker<'_> {
    /// Sets one width for all words, or for each opcode the narrowest width that its fields fit in.
    fn widths(&mut self) {
        let in_whole_bytes = self.random.chance(30);
        let width_for = |bits| width_for(bits, in_whole_bytes);
        self.spec.widths = vec![width_for(self.end)];
        if !self.random.chance(20) {
            return;
        }
        let last = |row: &Row| {
            let pieces = row.fields.iter().flat_map(|field| &field.pieces);
            pieces.map(|(at, width)| at + width).max().unwrap_or_default()
        };
        let rows = self.spec.rows();
        let widths: Vec<u32> = rows.iter().map(|row| width_for(last(row))).collect();
        for (opcode, width) in self.spec.opcodes.iter_mut().zip(&widths) {
            opcode.word = Some(*width);
        }
        self.spec.widths = widths;
        self.spec.widths.sort_unstable();
        self.spec.widths.dedup();
    }

    /// Adds an optype with a template, and one to four opcodes that share it.
    fn family(&mut self) {
        let mnemonic = *self.random.pick(&["X", "Y", "X", "Y", "X", "Y", ""]);
        let ordered = self.random.chance(8);
        let mut draft = Draft {
            random: self.random,
            spec: &self.spec,
            palette: &self.palette,
            fields: Vec::new(),
            ordered,
        };
        let key = draft.random.chance(50).then(|| draft.key(mnemonic.is_empty())).flatten();
        let mut template = draft.template(mnemonic);
        if let Some(piece) = key {
            let dots = |piece: &Piece| matches!(piece, Piece::Dot { .. });
            let behind = 1 + template[1..].iter().take_while(|piece| dots(piece)).count();
            match dots(&piece) {
                true => template.insert(1, piece),
                false => {
                    let gap = Piece::Text(",".to_owned());
                    let gap = matches!(template[behind], Piece::Slot { .. }).then_some(gap);
                    template.splice(behind..behind, [piece].into_iter().chain(gap));
                }
            }
        }
        draft.name_fields(&mut template);
        let wanted = draft.fields;
        let guard = self.random.chance(20);
        let mut parents = if guard { self.guard() } else { self.trailer(&mut template) };
        let wrapped = guard && !parents.is_empty();
        let laid = self.lay(wanted);
        let own = self.random.chance(25);
        let count = if own { 1 } else { 1 + self.random.below(3) };
        if !own {
            let lines = laid.iter().filter_map(|field| {
                let init = field.inherited.clone()?;
                Some(Line::Declare(declared(field, init)))
            });
            self.spec.groups.push(Node {
                name: format!("F{}", self.spec.groups.len()),
                is_optype: self.random.chance(50),
                parents: std::mem::take(&mut parents),
                lines: lines.collect(),
                template: Some(template.clone()),
                ..Node::default()
            });
            parents = vec![self.spec.groups.len() - 1];
        }
        for number in 0..count {
            // At least one opcode has all fields of the template.
            let mut node = self.opcode(&laid, own || ordered || number == 0, own);
            node.parents.clone_from(&parents);
            if ordered {
                let slots = laid.iter().filter(|field| field.wanted.is_operand);
                let slots = slots.map(|field| field.wanted.name.clone());
                let guard = wrapped.then(|| "pg".to_owned());
                node.order = Some(guard.into_iter().chain(slots).collect());
            }
            if own {
                node.template = Some(template.clone());
            }
            self.spec.opcodes.push(node);
        }
    }

    /// Adds a group whose template puts a guard before other templates. Returns its index, if the
    /// specification has predicates.
    fn guard(&mut self) -> Vec<usize> {
        let pred = self.spec.kinds.iter().position(|kind| kind.text == KindText::Pred);
        let bit = self.spec.kinds.iter().position(|kind| kind.name == "Bit");
        let (Some(pred), Some(bit)) = (pred, bit) else {
            return Vec::new();
        };
        let with_not = self.random.chance(60);
        let at = self.reserve(4);
        let field = |name: &str, pieces, kind, raw| {
            let init = Init::Default(raw);
            Line::Declare(Field { name: name.to_owned(), pieces: vec![pieces], kind, init })
        };
        let mut lines = vec![field("pg", (at, 3), pred, 7)];
        if with_not {
            lines.push(field("pg.not", (at + 3, 1), bit, 0));
        }
        let not = self.spec.affixes.iter().position(|affix| affix.sub == "not");
        let marks = not.into_iter().filter(|_| with_not).collect();
        let slot = Piece::Slot { name: "pg".to_owned(), marks, dots: Vec::new() };
        let guard = Piece::Part(vec![Piece::Text("@".to_owned()), slot]);
        self.spec.groups.push(Node {
            name: format!("G{}", self.spec.groups.len()),
            lines,
            template: Some(vec![guard, Piece::Rest]),
            ..Node::default()
        });
        vec![self.spec.groups.len() - 1]
    }

    /// Sometimes adds a group whose template puts a trailing attribute after other templates, and
    /// returns its index. The template then ends with the group's part.
    fn trailer(&mut self, template: &mut Vec<Piece>) -> Vec<usize> {
        // A value in braces could be a value of that attribute.
        let kinds = &self.spec.kinds;
        let is_value = |piece: &Piece| match piece {
            Piece::Dot { name, .. } => {
                kinds.iter().flat_map(Kind::values).any(|value| value.is_read_as(name))
            }
            _ => false,
        };
        if template.iter().any(is_value) || !self.random.chance(10) {
            return Vec::new();
        }
        let kind = *self.random.pick(&self.palette.sets);
        let at = self.reserve(self.spec.kinds[kind].width);
        let pieces = vec![(at, self.spec.kinds[kind].width)];
        let init = Init::Default(self.spec.kinds[kind].sample()[0]);
        template.pop();
        self.spec.groups.push(Node {
            name: format!("G{}", self.spec.groups.len()),
            lines: vec![Line::Declare(Field { name: "w".to_owned(), pieces, kind, init })],
            template: Some(vec![
                Piece::Rest,
                Piece::Tag("w".to_owned()),
                Piece::Text(";".to_owned()),
            ]),
            ..Node::default()
        });
        vec![self.spec.groups.len() - 1]
    }

    /// Reserves bits after all others and returns the position of the first.
    fn reserve(&mut self, bits: u32) -> u32 {
        let at = self.end.max(OP_BITS);
        self.end = at + bits;
        at
    }

    fn lay(&mut self, wanted: Vec<Wanted>) -> Vec<Laid> {
        let mut laid = Vec::new();
        for wanted in wanted {
            let kind = &self.spec.kinds[wanted.kind];
            let usual = init(self.random, kind, wanted.shown);
            let is_shared = self.random.chance(60);
            let kept = self.random.chance(70);
            let inherited = match &usual {
                Init::Never(_) | Init::Required => Init::Required,
                usual if kept => usual.clone(),
                _ => Init::Required,
            };
            let width = kind.width;
            let at = self.reserve(width);
            let cut = if width > 1 { self.random.below(width as usize) as u32 } else { 0 };
            let pieces = match cut {
                0 => vec![(at, width)],
                cut => vec![(at, cut), (at + cut, width - cut)],
            };
            let inherited = is_shared.then_some(inherited);
            laid.push(Laid { wanted, pieces, inherited, usual });
        }
        laid
    }

    /// Returns one opcode of a family.
    fn opcode(&mut self, laid: &[Laid], whole: bool, own: bool) -> Node {
        let number = self.ops;
        self.ops += 1;
        let op = Field {
            name: "op".to_owned(),
            pieces: vec![(0, OP_BITS)],
            kind: OP,
            init: Init::Fixed(number),
        };
        let mut lines = vec![Line::Declare(op)];
        let mut lost: Vec<&str> = Vec::new();
        for field in laid {
            let name = &field.wanted.name;
            let kind = &self.spec.kinds[field.wanted.kind];
            let fresh = self.random.chance(30);
            let init = if *name == "k" {
                // Each opcode has its own value.
                let values = kind.sample();
                Init::Fixed(values[number as usize % values.len()])
            } else if fresh {
                init(self.random, kind, field.wanted.shown)
            } else {
                field.usual.clone()
            };
            match (&field.inherited, own) {
                (Some(known), false) => {
                    let changes = init != *known && init != Init::Required;
                    if changes && !matches!(known, Init::Fixed(_)) {
                        lines.push(Line::Refine(name.clone(), init));
                    }
                }
                _ => {
                    let base = name.split('.').next().unwrap_or_default();
                    let lacks = self.random.chance(if field.wanted.is_operand { 1 } else { 15 });
                    if lost.contains(&base) || lacks && !whole {
                        lost.push(name);
                        continue;
                    }
                    let mut declared = declared(field, init);
                    if matches!(declared.init, Init::Fixed(_)) && self.random.chance(8) {
                        // The value is the same in all words and is stored in none of their bits.
                        declared.pieces.clear();
                    }
                    lines.push(Line::Declare(declared));
                }
            }
        }
        Node { name: format!("N{number}"), lines, ..Node::default() }
    }

    /// Adds a special case of an opcode, with its own mnemonic.
    fn special(&mut self) {
        let of = self.random.below(self.spec.opcodes.len());
        let row = &self.spec.rows()[of];
        let mut node = self.spec.opcodes[of].clone();
        let Some((name, raw)) = fixable(self.random, &self.spec.kinds, row) else { return };
        let own = node.lines.iter_mut().find_map(|line| match line {
            Line::Declare(field) if field.name == name => Some(&mut field.init),
            _ => None,
        });
        match own {
            Some(init) => *init = Init::Fixed(raw),
            None => {
                node.lines.retain(|line| !matches!(line, Line::Refine(known, _) if *known == name));
                node.lines.push(Line::Refine(name.clone(), Init::Fixed(raw)));
            }
        }
        node.name = "I0".to_owned();
        node.inside = vec![self.spec.opcodes[of].name.clone()];
        node.order = None;
        node.template = Some(simple(self.random, &self.spec, row, &name, "Z"));
        self.spec.opcodes.push(node);
    }

    /// Adds an alias or a synonym of an opcode.
    fn alias(&mut self) {
        let of = self.random.below(self.spec.opcodes.len());
        let row = &self.spec.rows()[of];
        if self.spec.opcodes.iter().any(|other| other.inside.contains(&row.name)) {
            return;
        }
        let is_synonym = self.random.chance(40);
        let fixes = fixable(self.random, &self.spec.kinds, row);
        let Some((name, raw)) = fixes.clone().or(is_synonym.then(Default::default)) else { return };
        let left_out = if is_synonym && self.random.chance(50) { "" } else { &name };
        let mnemonic = *self.random.pick(&["X", "Y", "Q"]);
        let template = simple(self.random, &self.spec, row, left_out, mnemonic);
        let lines = if left_out.is_empty() {
            Vec::new()
        } else {
            vec![Line::Refine(name, Init::Fixed(raw))]
        };
        let node = Node {
            name: format!("A{}", self.spec.aliases.len()),
            lines,
            template: Some(template),
            ..Node::default()
        };
        let of = self.spec.opcodes[of].name.clone();
        if self.spec.aliases.iter().all(|alias| alias.of != of) {
            self.spec.aliases.push(Alias { node, of, is_synonym });
        }
    }

    /// Adds exceptions to some opcodes. They exclude some valid words and leave others.
    fn exceptions(&mut self) {
        for at in 0..self.spec.opcodes.len() {
            let row = &self.spec.rows()[at];
            let special = self.spec.opcodes.iter().any(|other| other.inside.contains(&row.name));
            let alias = self.spec.aliases.iter().any(|alias| alias.of == row.name);
            if special || alias || !row.inside.is_empty() || !self.random.chance(20) {
                continue;
            }
            let Some(condition) = condition(self.random, &self.spec.kinds, row) else { continue };
            let before = self.spec.opcodes[at].clone();
            state(self.random, &mut self.spec.opcodes[at], condition);
            if !is_needed(&self.spec.kinds, &self.spec.rows()[at]) {
                self.spec.opcodes[at] = before;
            }
        }
    }
}

fn declared(field: &Laid, init: Init) -> Field {
    Field {
        name: field.wanted.name.clone(),
        pieces: field.pieces.clone(),
        kind: field.wanted.kind,
        init,
    }
}

/// Returns a field that is not fixed and one of its values, if the field has another possible
/// value.
fn fixable(random: &mut Random, kinds: &[Kind], row: &Row) -> Option<(String, u64)> {
    let fields: Vec<_> = row.fields.iter().filter(|field| field.fixed.is_none()).collect();
    if fields.is_empty() {
        return None;
    }
    let field = *random.pick(&fields);
    let legal = |raw: &u64| !field.never.contains(raw);
    let values: Vec<u64> = kinds[field.kind].sample().into_iter().filter(legal).collect();
    (values.len() > 1).then(|| (field.name.clone(), *random.pick(&values)))
}
