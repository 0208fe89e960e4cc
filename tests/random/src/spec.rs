//! A specification as data, and what each opcode of it has when all inheritance is resolved.

/// A whole specification.
#[derive(Debug, Clone, Default)]
pub struct Spec {
    /// The widths of words.
    pub widths: Vec<u32>,
    /// In which order bytes stand in memory; empty for what the language has without a line.
    pub byte_order: &'static str,
    /// Whether any letter case is read.
    pub any_case: bool,
    /// Value sets and operand kinds.
    pub kinds: Vec<Kind>,
    /// What marks stand for.
    pub affixes: Vec<Affix>,
    /// Whether operands with closing marks have their modifiers after these.
    pub closes_first: bool,
    /// Groups and optypes. A parent stands in front of its heirs.
    pub groups: Vec<Node>,
    /// The opcodes.
    pub opcodes: Vec<Node>,
    /// Other spellings.
    pub aliases: Vec<Alias>,
    /// Fields that are written as two, and shown by a view of them.
    pub views: Vec<String>,
}

/// A value set or an operand kind.
#[derive(Debug, Clone)]
pub struct Kind {
    /// Its name in the specification.
    pub name: String,
    /// The bits of a field.
    pub width: u32,
    /// What its text is.
    pub text: KindText,
}

/// The text of a kind.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum KindText {
    /// Names with their numbers; other numbers are reserved.
    Set(Vec<Value>),
    /// `R0` to `R254`, and `RZ`.
    Reg,
    /// `P0` to `P6`, and `PT`.
    Pred,
    /// A number in two's complement.
    Signed,
    /// A number from 0 on.
    Unsigned,
    /// A number from 0 on, in hexadecimal.
    Hex,
    /// `#` and a number from 0 on.
    Marked,
    /// A number in two's complement, or the name of a label.
    Target,
    /// Names, all of which exist.
    Bank(Vec<Value>),
    /// `%r0` to `%r3`.
    Sigil,
    /// A number from 0 on in brackets.
    Place,
}

/// How many names a value has at most beside the printed one.
pub const OTHER_NAMES: usize = 2;

/// The text of a template that stands for nothing, and for no blank where one would be printed.
pub const GLUE: &str = "_";

/// A named value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Value {
    /// Its name in Rust, where it is not that in text.
    pub rust: Option<String>,
    /// Its name in text.
    pub text: String,
    /// Other names, which are read and not printed.
    pub also: Vec<String>,
    /// Its number.
    pub raw: u64,
}

/// `affix "|" "|" = abs;`
#[derive(Debug, Clone)]
pub struct Affix {
    /// In front of the operand.
    pub open: String,
    /// Behind it; empty where nothing stands there.
    pub close: String,
    /// The sub-field that the mark shows.
    pub sub: String,
}

/// A group, an optype or an opcode, as it is written.
#[derive(Debug, Clone, Default)]
pub struct Node {
    /// Its name.
    pub name: String,
    /// Whether a group is written as an `optype`.
    pub is_optype: bool,
    /// Indices of groups.
    pub parents: Vec<usize>,
    /// `word<N>;`
    pub word: Option<u32>,
    /// Its lines about fields.
    pub lines: Vec<Line>,
    /// The conditions of its exceptions.
    pub exceptions: Vec<Condition>,
    /// The conditions of its words, `where condition;`.
    pub wheres: Vec<Condition>,
    /// Its template.
    pub template: Option<Vec<Piece>>,
    /// The fields of the slots, where they do not go by name.
    pub order: Option<Vec<String>>,
    /// The opcodes of which it is a special case.
    pub inside: Vec<String>,
    /// The opcodes and aliases that are read first.
    pub after: Vec<String>,
    /// The fields of its own that no text shows.
    pub ignored: Vec<String>,
}

/// One line of an encoding.
#[derive(Debug, Clone)]
pub enum Line {
    /// A field with its place and type.
    Declare(Field),
    /// More about an inherited field: `name == value;`
    Refine(String, Init),
}

/// What a line says of the values of a field.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Init {
    /// Text has to give it.
    Required,
    /// `= value`
    Default(u64),
    /// `== value`
    Fixed(u64),
    /// `!= {value, value}`
    Never(Vec<u64>),
}

/// A field of an encoding.
#[derive(Debug, Clone)]
pub struct Field {
    /// `ra`, or `ra.neg`.
    pub name: String,
    /// Positions and widths, the most significant first. Empty for a field without bits.
    pub pieces: Vec<(u32, u32)>,
    /// An index into [`Spec::kinds`].
    pub kind: usize,
    /// What its own line says.
    pub init: Init,
}

/// The condition of an exception.
#[derive(Debug, Clone)]
pub enum Condition {
    /// All of them.
    And(Vec<Condition>),
    /// One of them.
    Or(Vec<Condition>),
    /// The opposite.
    Not(Box<Condition>),
    /// A field that is one of these values, or none of them.
    Is {
        /// The field.
        field: String,
        /// The values.
        values: Vec<u64>,
        /// Whether it is none of them.
        negated: bool,
    },
    /// Two sums that compare so.
    Compare(Sum, Sign, Sum),
}

/// A field, if there is one, and a number that is added to it.
#[derive(Debug, Clone)]
pub struct Sum {
    /// The field.
    pub field: Option<String>,
    /// The number.
    pub by: i128,
}

/// How two numbers compare.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs, reason = "they are their names")]
pub enum Sign {
    Equal,
    Unequal,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
}

/// A piece of a template.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Piece {
    /// The first word; empty where a text has no mnemonic.
    Mnemonic(String),
    /// `.name` or, in braces, `{.name}`: a field or a value.
    Dot {
        /// What stands behind the dot.
        name: String,
        /// Whether it stands in braces.
        braces: bool,
    },
    /// An operand.
    Slot {
        /// The name of the slot.
        name: String,
        /// Indices of affixes.
        marks: Vec<usize>,
        /// Names behind dots, in braces or not.
        dots: Vec<(String, bool)>,
    },
    /// Fixed text.
    Text(String),
    /// A part in braces.
    Part(Vec<Piece>),
    /// `$name`
    Tag(String),
    /// `..`
    Rest,
}

/// Another spelling of some words of an opcode.
#[derive(Debug, Clone)]
pub struct Alias {
    /// Its name, lines and template.
    pub node: Node,
    /// The opcode.
    pub of: String,
    /// Whether it is only read.
    pub is_synonym: bool,
}

/// A field of one opcode.
#[derive(Debug, Clone)]
pub struct Resolved {
    /// `ra`, or `ra.neg`.
    pub name: String,
    /// Positions and widths, the most significant first.
    pub pieces: Vec<(u32, u32)>,
    /// An index into [`Spec::kinds`].
    pub kind: usize,
    /// `= value`
    pub default: Option<u64>,
    /// `== value`
    pub fixed: Option<u64>,
    /// `!= value`
    pub never: Vec<u64>,
}

/// An opcode, or another spelling of one, with all that it inherits.
#[derive(Debug, Clone)]
pub struct Row {
    /// The name of the opcode or alias.
    pub name: String,
    /// The bits of its words.
    pub bits: u32,
    /// Its fields.
    pub fields: Vec<Resolved>,
    /// Conditions under which a word is illegal.
    pub conditions: Vec<Condition>,
    /// The opcodes that it is inside of.
    pub inside: Vec<String>,
    /// The opcodes and aliases that are read first.
    pub after: Vec<String>,
    /// The fields that no text shows.
    pub ignored: Vec<String>,
    /// The template, not yet its own.
    pub template: Vec<Piece>,
    /// Which opcodes share the template: the same number.
    pub family: usize,
    /// The fields of the slots, where they do not go by name.
    pub order: Option<Vec<String>>,
    /// For another spelling, the place of its opcode among the rows, and whether it is only read.
    pub alias: Option<(usize, bool)>,
}

impl Kind {
    /// The name of its type in Rust, which messages show.
    #[must_use]
    pub fn rust_name(&self) -> &str {
        match self.text {
            KindText::Set(_) => &self.name,
            KindText::Reg => "Reg",
            KindText::Pred => "Pred",
            KindText::Signed => "Signed",
            KindText::Unsigned => "Unsigned",
            KindText::Hex => "Hex",
            KindText::Marked => "Marked",
            KindText::Target => "Relative",
            KindText::Bank(_) => "Bank",
            KindText::Sigil => "Sigil",
            KindText::Place => "Place",
        }
    }

    /// The names of a value set.
    #[must_use]
    pub fn values(&self) -> &[Value] {
        match &self.text {
            KindText::Set(values) => values,
            _ => &[],
        }
    }

    /// Whether a number is no reserved one.
    #[must_use]
    pub fn exists(&self, raw: u64) -> bool {
        match &self.text {
            KindText::Set(values) => values.iter().any(|value| value.raw == raw),
            _ => raw >> self.width == 0,
        }
    }

    /// All values; of a kind with many, some.
    #[must_use]
    pub fn sample(&self) -> Vec<u64> {
        match &self.text {
            KindText::Set(values) => values.iter().map(|value| value.raw).collect(),
            KindText::Reg => vec![0, 7, 10, 254, 255],
            _ if self.width <= 3 => (0..1 << self.width).collect(),
            _ => vec![
                0,
                1,
                (1 << (self.width - 1)) - 1,
                1 << (self.width - 1),
                (1 << self.width) - 1,
            ],
        }
    }
}

impl Value {
    /// A value that is called alike in Rust and in text.
    #[must_use]
    pub fn new(name: &str, raw: u64) -> Self {
        Value { rust: None, text: name.to_owned(), also: Vec::new(), raw }
    }

    /// Whether the value is read where this word stands.
    #[must_use]
    pub fn is_read_as(&self, word: &str) -> bool {
        self.text == word || self.also.iter().any(|other| other == word)
    }

    /// One of its names: the printed one for 0, or else another; the last one where there are not so
    /// many.
    #[must_use]
    pub fn name(&self, number: usize) -> &str {
        let others = &self.also[..number.min(self.also.len())];
        others.last().unwrap_or(&self.text)
    }
}

impl Row {
    /// Values as an assembler writes them: those of fields that no text shows are the defaults.
    #[must_use]
    pub fn written(&self, values: &[u64]) -> Vec<u64> {
        let written = |(field, raw): (&Resolved, &u64)| match field.default {
            Some(default) if self.ignored.contains(&field.name) => default,
            _ => *raw,
        };
        self.fields.iter().zip(values).map(written).collect()
    }

    /// The place of a field.
    #[must_use]
    pub fn field(&self, name: &str) -> Option<usize> {
        self.fields.iter().position(|field| field.name == name)
    }
}

impl Spec {
    /// Every opcode, then every other spelling, with all that they inherit.
    #[must_use]
    pub fn rows(&self) -> Vec<Row> {
        let mut families: Vec<Vec<usize>> = Vec::new();
        let mut rows: Vec<Row> = Vec::new();
        for opcode in 0..self.opcodes.len() {
            rows.push(self.row(&self.nodes(opcode), &mut families));
        }
        for alias in &self.aliases {
            let Some(of) = self.opcodes.iter().position(|opcode| opcode.name == alias.of) else {
                continue;
            };
            // It inherits from its opcode.
            let mut nodes = self.nodes(of);
            nodes.push((usize::MAX - rows.len(), &alias.node));
            let mut row = self.row(&nodes, &mut families);
            (row.inside, row.order, row.alias) = (Vec::new(), None, Some((of, alias.is_synonym)));
            rows.push(row);
        }
        rows
    }

    /// The ancestors of an opcode and itself, each with a number of its own.
    fn nodes(&self, opcode: usize) -> Vec<(usize, &Node)> {
        let mut line = Vec::new();
        for &parent in &self.opcodes[opcode].parents {
            self.ancestors(parent, &mut line);
        }
        let groups = line.into_iter().map(|at| (at, &self.groups[at]));
        groups.chain([(self.groups.len() + opcode, &self.opcodes[opcode])]).collect()
    }

    fn row(&self, nodes: &[(usize, &Node)], families: &mut Vec<Vec<usize>>) -> Row {
        let mut fields = Vec::new();
        nodes.iter().flat_map(|(_, n)| &n.lines).for_each(|line| apply(&mut fields, line));
        let (template, owners) = template_of(nodes);
        let family = families.iter().position(|known| *known == owners).unwrap_or_else(|| {
            families.push(owners);
            families.len() - 1
        });
        let widest = self.widths.iter().copied().max().unwrap_or(16);
        let last = nodes.last();
        Row {
            name: last.map(|(_, n)| n.name.clone()).unwrap_or_default(),
            bits: nodes.iter().rev().find_map(|(_, n)| n.word).unwrap_or(widest),
            fields,
            conditions: nodes.iter().flat_map(|(_, n)| illegal(n)).collect(),
            inside: last.map(|(_, n)| n.inside.clone()).unwrap_or_default(),
            after: last.map(|(_, n)| n.after.clone()).unwrap_or_default(),
            ignored: nodes.iter().flat_map(|(_, n)| n.ignored.iter().cloned()).collect(),
            template,
            family,
            order: nodes.iter().rev().find_map(|(_, n)| n.order.clone()),
            alias: None,
        }
    }

    /// A group behind its ancestors, each once.
    pub(crate) fn ancestors(&self, group: usize, line: &mut Vec<usize>) {
        for &parent in &self.groups[group].parents {
            self.ancestors(parent, line);
        }
        if !line.contains(&group) {
            line.push(group);
        }
    }
}

/// The conditions under which a word is illegal.
fn illegal(node: &Node) -> impl Iterator<Item = Condition> + '_ {
    let unmet = node.wheres.iter().map(|condition| Condition::Not(Box::new(condition.clone())));
    node.exceptions.iter().cloned().chain(unmet)
}

fn apply(fields: &mut Vec<Resolved>, line: &Line) {
    let (name, init) = match line {
        Line::Declare(field) => {
            fields.push(Resolved {
                name: field.name.clone(),
                pieces: field.pieces.clone(),
                kind: field.kind,
                default: None,
                fixed: None,
                never: Vec::new(),
            });
            (&field.name, &field.init)
        }
        Line::Refine(name, init) => (name, init),
    };
    let Some(field) = fields.iter_mut().find(|field| field.name == *name) else { return };
    match init {
        Init::Required => {}
        Init::Default(raw) => field.default = Some(*raw),
        Init::Fixed(raw) => (field.fixed, field.default) = (Some(*raw), None),
        Init::Never(values) => {
            field.never.extend(values);
            field.default = None;
        }
    }
}

/// The nearest template without `..`, inside those with one, and the nodes that they come from.
fn template_of(nodes: &[(usize, &Node)]) -> (Vec<Piece>, Vec<usize>) {
    let with = |&(at, node): &(usize, &Node)| node.template.clone().map(|pieces| (at, pieces));
    let (wrappers, inner): (Vec<_>, Vec<_>) =
        nodes.iter().filter_map(with).partition(|(_, pieces)| pieces.contains(&Piece::Rest));
    let Some((owner, mut whole)) = inner.into_iter().next_back() else {
        return Default::default();
    };
    for (_, wrapper) in wrappers.iter().rev() {
        let at = wrapper.iter().position(|piece| *piece == Piece::Rest).unwrap_or_default();
        let ends = whole.last() == Some(&Piece::Text(";".to_owned()));
        let behind = if ends { &[] } else { &wrapper[at + 1..] };
        whole = [&wrapper[..at], &whole, behind].concat();
    }
    let owners = wrappers.into_iter().map(|(at, _)| at).chain([owner]).collect();
    (whole, owners)
}
