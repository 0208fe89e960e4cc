//! A specification as data, and its opcodes after all inheritance is resolved.

/// A complete specification.
#[derive(Debug, Clone, Default)]
pub struct Spec {
    /// The widths of words.
    pub widths: Vec<u32>,
    /// The order of bytes in memory. Empty for the default of the language.
    pub byte_order: &'static str,
    /// Whether any letter case is accepted.
    pub any_case: bool,
    /// Enums and operand types.
    pub kinds: Vec<Kind>,
    /// The prefix and suffix operators and their fields.
    pub affixes: Vec<Affix>,
    /// Whether closing operators are printed before the modifiers of their operand.
    pub closes_first: bool,
    /// Groups and optypes. A parent comes before its descendants.
    pub groups: Vec<Node>,
    /// The opcodes.
    pub opcodes: Vec<Node>,
    /// Aliases and synonyms.
    pub aliases: Vec<Alias>,
    /// Fields that are declared as two fields and shown by a composite operand.
    pub views: Vec<String>,
}

/// An enum or an operand type.
#[derive(Debug, Clone)]
pub struct Kind {
    /// Its name in the specification.
    pub name: String,
    /// The width of a field in bits.
    pub width: u32,
    /// The form of its text.
    pub text: KindText,
}

/// The form of the text of an operand type.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum KindText {
    /// Names with their numbers. Other numbers are reserved.
    Set(Vec<Value>),
    /// `R0` to `R254`, and `RZ`.
    Reg,
    /// `P0` to `P6`, and `PT`.
    Pred,
    /// A number in two's complement.
    Signed,
    /// An unsigned number.
    Unsigned,
    /// An unsigned number in hexadecimal.
    Hex,
    /// `#` and an unsigned number.
    Marked,
    /// A number in two's complement, or the name of a label.
    Target,
    /// Names. All numbers have one.
    Bank(Vec<Value>),
    /// `%r0` to `%r3`.
    Sigil,
    /// An unsigned number in brackets.
    Place,
}

/// The maximum number of names of a value in addition to the printed one.
pub const OTHER_NAMES: usize = 2;

/// A literal that prints nothing and suppresses the blank at its position.
pub const GLUE: &str = "_";

/// A named value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Value {
    /// Its name in Rust, if that differs from its name in text.
    pub rust: Option<String>,
    /// Its name in text.
    pub text: String,
    /// Other names, which are accepted but not printed.
    pub also: Vec<String>,
    /// Its number.
    pub raw: u64,
}

/// `affix "|" "|" = abs;`
#[derive(Debug, Clone)]
pub struct Affix {
    /// The text before the operand.
    pub open: String,
    /// The text after the operand. It may be empty.
    pub close: String,
    /// The sub-field that the operator shows.
    pub sub: String,
}

/// A group, an optype or an opcode, as it is written.
#[derive(Debug, Clone, Default)]
pub struct Node {
    /// Its name.
    pub name: String,
    /// Whether a group is written as an `optype`.
    pub is_optype: bool,
    /// The parents, as indexes of groups.
    pub parents: Vec<usize>,
    /// `word<N>;`
    pub word: Option<u32>,
    /// Its field declarations and refinements.
    pub lines: Vec<Line>,
    /// The conditions of its exceptions.
    pub exceptions: Vec<Condition>,
    /// The conditions that its words must satisfy, `where condition;`.
    pub wheres: Vec<Condition>,
    /// Its template.
    pub template: Option<Vec<Piece>>,
    /// The fields of the operand placeholders, if they are not bound by name.
    pub order: Option<Vec<String>>,
    /// The opcodes after `inside`. This opcode is a special case of each of them.
    pub inside: Vec<String>,
    /// The opcodes and aliases that are parsed first.
    pub after: Vec<String>,
    /// Its own fields that no text shows.
    pub ignored: Vec<String>,
}

/// One line of an encoding.
#[derive(Debug, Clone)]
pub enum Line {
    /// A field with its position and type.
    Declare(Field),
    /// A refinement of an inherited field: `name == value;`
    Refine(String, Init),
}

/// The declared values of a field.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Init {
    /// The text must contain a value.
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
    /// The operand type, as an index into [`Spec::kinds`].
    pub kind: usize,
    /// The values that its declaration allows.
    pub init: Init,
}

/// The condition of an exception.
#[derive(Debug, Clone)]
pub enum Condition {
    /// All conditions must be true.
    And(Vec<Condition>),
    /// At least one condition must be true.
    Or(Vec<Condition>),
    /// The condition must be false.
    Not(Box<Condition>),
    /// A field that has one of these values, or none of them.
    Is {
        /// The field.
        field: String,
        /// The values.
        values: Vec<u64>,
        /// Whether the field must have none of the values.
        negated: bool,
    },
    /// A comparison of two sums.
    Compare(Sum, Sign, Sum),
}

/// An optional field plus a number.
#[derive(Debug, Clone)]
pub struct Sum {
    /// The field.
    pub field: Option<String>,
    /// The number.
    pub by: i128,
}

/// The operator of a comparison.
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
    /// The mnemonic. Empty for a text without a mnemonic.
    Mnemonic(String),
    /// `.name`, or `{.name}` in braces: a field or a value.
    Dot {
        /// The name after the dot.
        name: String,
        /// Whether it is in braces.
        braces: bool,
    },
    /// An operand placeholder.
    Slot {
        /// The name of the placeholder.
        name: String,
        /// The prefix and suffix operators, as indexes of affixes.
        marks: Vec<usize>,
        /// The modifiers, and whether each is in braces.
        dots: Vec<(String, bool)>,
    },
    /// A literal.
    Text(String),
    /// An optional group.
    Part(Vec<Piece>),
    /// `$name`
    Tag(String),
    /// `..`
    Rest,
}

/// An alias or a synonym of an opcode.
#[derive(Debug, Clone)]
pub struct Alias {
    /// Its name, lines and template.
    pub node: Node,
    /// The name of the opcode.
    pub of: String,
    /// Whether it is only accepted on input.
    pub is_synonym: bool,
}

/// A field of one opcode, with inherited declarations applied.
#[derive(Debug, Clone)]
pub struct Resolved {
    /// `ra`, or `ra.neg`.
    pub name: String,
    /// Positions and widths, the most significant first.
    pub pieces: Vec<(u32, u32)>,
    /// The operand type, as an index into [`Spec::kinds`].
    pub kind: usize,
    /// `= value`
    pub default: Option<u64>,
    /// `== value`
    pub fixed: Option<u64>,
    /// `!= value`
    pub never: Vec<u64>,
}

/// An opcode, alias or synonym, with everything that it inherits.
#[derive(Debug, Clone)]
pub struct Row {
    /// The name of the opcode or alias.
    pub name: String,
    /// The width of its words in bits.
    pub bits: u32,
    /// Its fields.
    pub fields: Vec<Resolved>,
    /// Conditions under which a word is invalid.
    pub conditions: Vec<Condition>,
    /// The opcodes that it is inside of.
    pub inside: Vec<String>,
    /// The opcodes and aliases that are parsed first.
    pub after: Vec<String>,
    /// The fields that no text shows.
    pub ignored: Vec<String>,
    /// The shared template, before it is reduced to this opcode.
    pub template: Vec<Piece>,
    /// The id of the template. Opcodes that share a template have the same id.
    pub family: usize,
    /// The fields of the operand placeholders, if they are not bound by name.
    pub order: Option<Vec<String>>,
    /// For an alias or synonym, the index of its opcode among the rows, and whether it is only
    /// accepted on input.
    pub alias: Option<(usize, bool)>,
}

impl Kind {
    /// Returns the name of its Rust type, which messages show.
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

    /// Returns the values of an enum.
    #[must_use]
    pub fn values(&self) -> &[Value] {
        match &self.text {
            KindText::Set(values) => values,
            _ => &[],
        }
    }

    /// Returns whether a number is not reserved.
    #[must_use]
    pub fn exists(&self, raw: u64) -> bool {
        match &self.text {
            KindText::Set(values) => values.iter().any(|value| value.raw == raw),
            _ => raw >> self.width == 0,
        }
    }

    /// Returns all values, or some of them if there are many.
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
    /// Creates a value with the same name in Rust and in text.
    #[must_use]
    pub fn new(name: &str, raw: u64) -> Self {
        Value { rust: None, text: name.to_owned(), also: Vec::new(), raw }
    }

    /// Returns whether the word is a name of the value.
    #[must_use]
    pub fn is_read_as(&self, word: &str) -> bool {
        self.text == word || self.also.iter().any(|other| other == word)
    }

    /// Returns one of its names: the printed name for 0, or else another name. If there are fewer
    /// names, it returns the last.
    #[must_use]
    pub fn name(&self, number: usize) -> &str {
        let others = &self.also[..number.min(self.also.len())];
        others.last().unwrap_or(&self.text)
    }
}

impl Row {
    /// Returns values as an assembler encodes them: fields that no text shows have their defaults.
    #[must_use]
    pub fn written(&self, values: &[u64]) -> Vec<u64> {
        let written = |(field, raw): (&Resolved, &u64)| match field.default {
            Some(default) if self.ignored.contains(&field.name) => default,
            _ => *raw,
        };
        self.fields.iter().zip(values).map(written).collect()
    }

    /// Returns the index of a field.
    #[must_use]
    pub fn field(&self, name: &str) -> Option<usize> {
        self.fields.iter().position(|field| field.name == name)
    }
}

impl Spec {
    /// Returns every opcode, followed by every alias and synonym, with everything that they
    /// inherit.
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

    /// Returns the ancestors of an opcode followed by the opcode, each with a unique number.
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

    /// Adds a group after its ancestors, each once.
    pub(crate) fn ancestors(&self, group: usize, line: &mut Vec<usize>) {
        for &parent in &self.groups[group].parents {
            self.ancestors(parent, line);
        }
        if !line.contains(&group) {
            line.push(group);
        }
    }
}

/// Returns the conditions under which a word is invalid.
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

/// Returns the template of the last node: the nearest template without `..`, inserted into the later
/// templates with `..`. Also returns the nodes that declare these templates.
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
