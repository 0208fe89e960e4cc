//! The collector of faults, and the table of their codes.

use std::cell::Cell;
use std::fmt::Display;

use isa_bdd::{HashMap, HashSet};
use proc_macro2::{Ident, Span, TokenStream};
use quote::quote_spanned;

mod fold;

/// What is wrong, as a stable number: `ISA0004` is [`Code::UnknownField`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u16)]
pub(crate) enum Code {
    /// Text that is no item, section or statement of the language.
    Unreadable = 1,
    /// A field type that is no set, no operand kind.
    UnknownType = 2,
    /// A parent in `[...]` that does not exist.
    UnknownParent = 3,
    /// A field that the group, optype or opcode does not have.
    UnknownField = 4,
    /// A value that its set does not have.
    UnknownValue = 5,
    /// Two things of one name.
    DuplicateName = 6,
    /// A group that is its own ancestor.
    InheritanceCycle = 7,
    /// A field with bits beyond the word.
    FieldOutsideWord = 8,
    /// A field of a width that does not fit: zero, over 64, or not its type's.
    FieldWidth = 9,
    /// Two fields of one opcode with a common bit.
    FieldOverlap = 10,
    /// A value with more bits than its set or field.
    ValueTooWide = 11,
    /// One number with two names in a set.
    DuplicateValue = 12,
    /// A child that gives other bits, or another type, to an inherited field.
    FieldChanged = 13,
    /// Two opcodes that decode the same word.
    OpcodeOverlap = 14,
    /// An opcode no word of which is legal.
    NeverLegal = 15,
    /// An exception that no legal word can meet.
    ExceptionNever = 16,
    /// A template that does not say a first word, or says one thing twice.
    Template = 17,
    /// `.name` in a template that is neither a field nor a value.
    UnknownModifier = 18,
    /// A field that can differ but does not show in the text.
    HiddenField = 19,
    /// Slots and operands that do not pair up.
    SlotMismatch = 20,
    /// `InList`, `OutList` and `Order` that disagree.
    OperandLists = 21,
    /// A section that an opcode cannot do without.
    MissingSection = 22,
    /// A mark such as `{-}` without an `affix` line.
    UnknownAffix = 23,
    /// A modifier that could fill two slots.
    AmbiguousModifier = 24,
    /// Two opcodes that accept the same text.
    SameText = 25,
    /// A value list under a template that disagrees with the set.
    ValueList = 26,
    /// A word width that no word has.
    WordWidth = 27,
    /// A set without a value.
    EmptySet = 28,
    /// An example of an opcode that does not inherit from where the example stands.
    Example = 29,
    /// Two opcodes with the very same words.
    SameEncoding = 30,
    /// An opcode whose words are all words of another, which nobody said.
    UndeclaredInside = 31,
    /// An opcode that is said to be inside another and is not.
    NotInside = 32,
    /// An opcode all words of which belong to others.
    NeverDecoded = 33,
    /// An exception that leaves an opcode no word.
    ExceptionAlways = 34,
    /// An exception that excludes only what another excludes.
    ExceptionImplied = 35,
    /// A part that counts once and stands twice.
    Repeated = 36,
    /// An operand of the lists that the semantics never touch.
    UntouchedOperand = 37,
    /// Documentation that refers to a name of the specification that does not exist.
    UnknownReference = 38,
    /// An `operand` line that disagrees with its Rust type.
    #[expect(dead_code, reason = "only the compiler of the expansion can see it, and reports it")]
    OperandDisagrees = 39,
    /// A template whose text is not read back as what was printed.
    Unparsable = 40,
    /// A field without bits that has no fixed value.
    BitlessField = 41,
    /// Aliases of one opcode that share words, where nothing says which is printed.
    AliasOrder = 42,
    /// An alias that is more, or less, than another spelling of some words of its opcode.
    NoAlias = 43,
    /// An exception whose words are too many patterns of bits, or exceptions of an opcode whose legal
    /// words are too hard to find.
    ExceptionSize = 44,
    /// An operand that the semantics take for something that it is not.
    OperandUse = 45,
    /// Fields that cannot be compared so.
    Comparison = 46,
    /// A function in a condition that cannot be a table.
    Predicate = 47,
    /// A row of `flow` that no word comes to, or whose target is no operand.
    Flow = 48,
    /// Lanes of what is no operand, or that its bits are not cut into.
    Lanes = 49,
    /// Sets of one union whose bytes stand in memory in different orders.
    ByteOrder = 50,
    /// An opcode with too many fields, too many names in the template, or too long a text.
    TooLarge = 51,
    /// A call whose loops produce too many iterations or tokens.
    TooLong = 54,
}

/// What may be wrong only because something else could not be read.
const CONSEQUENCES: &[Code] = &[
    Code::UnknownField,
    Code::UnknownModifier,
    Code::ExceptionNever,
    Code::HiddenField,
    Code::SlotMismatch,
    Code::OperandLists,
    Code::MissingSection,
];

/// One fault: a code, the token that must change, what is wrong and what to write instead.
#[derive(Debug)]
struct Fault {
    code: Code,
    span: Span,
    message: String,
    /// The opcodes that have it, where that is noted.
    of: Vec<String>,
    /// For a message that ends where the names of its opcodes begin, the text behind these names.
    /// Any other message has the name of the first opcode in it.
    behind: Option<String>,
    /// The turns of a loop in which it was met, and how many turns there are.
    turns: Vec<String>,
    /// The same, to find them.
    known_turns: HashSet<String>,
    all: usize,
    /// How many faults like this one are left out.
    alike: usize,
}

impl Fault {
    fn new(code: Code, span: Span, message: String) -> Self {
        Fault {
            code,
            span,
            message,
            of: Vec::new(),
            behind: None,
            turns: Vec::new(),
            known_turns: HashSet::default(),
            all: 0,
            alike: 0,
        }
    }

    /// The message with its code.
    fn text(&self) -> String {
        let Fault { code, message, of, behind, .. } = self;
        let mut text = format!("[ISA{:04}] {message}", *code as u16);
        if !self.turns.is_empty() && self.turns.len() < self.all {
            let more = self.turns.len().saturating_sub(MOST_QUOTED);
            let named = &self.turns[..self.turns.len() - more];
            text += &format!("\nnote: in the iteration in which {}", named.join(", or "));
            if more > 0 {
                text += &format!(", and in {more} more");
            }
        }
        text = match (behind, &of[..]) {
            (Some(behind), all) => format!("{text}{}{behind}", quoted_or(all.iter(), ", ")),
            (None, [] | [_]) => text,
            (None, [_, others @ ..]) => {
                format!("{text}\nnote: so it is with {}", quoted_first(others.iter()))
            }
        };
        text + &fold::note(self.alike)
    }
}

/// A message with its code, and where the compiler would show it, counted from 1.
#[cfg(test)]
#[derive(Debug)]
pub(crate) struct Located {
    pub(crate) message: String,
    pub(crate) line: usize,
    pub(crate) column: usize,
    /// The line and the column behind the token.
    pub(crate) end: (usize, usize),
}

/// Collects the faults of one call. It must be [emptied](Diagnostics::finish) before it is
/// dropped.
#[derive(Debug)]
pub(crate) struct Diagnostics {
    faults: Vec<Fault>,
    /// The places and messages of the faults.
    known: HashMap<(String, String), usize>,
    /// The faults that several opcodes may have, by place and by the message less the name of the
    /// opcode.
    shared: HashMap<(String, String), usize>,
    /// The opcodes that have each of these faults.
    sharing: HashSet<(usize, String)>,
    /// How often a fault was met, reported or not.
    met: usize,
    forgiving: bool,
    /// What the names of the loops stand for that are read now, and how many turns these have.
    turn: Vec<(String, usize)>,
    /// By name the items that loops made, each with its iteration.
    made: HashMap<String, Iteration>,
    /// The item that is looked at, if a loop made it: its name, and what it is called in messages.
    item: Option<(String, String)>,
}

/// An iteration of a loop, or of loops inside of each other.
#[derive(Debug, Clone)]
struct Iteration {
    /// "`R` is `X`".
    title: String,
    /// How many there are.
    all: usize,
}

impl Default for Diagnostics {
    fn default() -> Self {
        COMPARED.set(0);
        Diagnostics {
            faults: Vec::new(),
            known: HashMap::default(),
            shared: HashMap::default(),
            sharing: HashSet::default(),
            met: 0,
            forgiving: false,
            turn: Vec::new(),
            made: HashMap::default(),
            item: None,
        }
    }
}

impl Diagnostics {
    /// Reports `message` at `span`, once. Lower case, no full stop; a line of help may follow
    /// as `"...\nhelp: ..."`.
    pub(crate) fn error(&mut self, code: Code, span: Span, message: impl Into<String>) {
        self.report(Fault::new(code, span, message.into()));
    }

    /// Reports a fault of one opcode, at a place that it shares with others. What differs from a
    /// fault of another one in the name alone is told with that.
    pub(crate) fn error_of(
        &mut self,
        opcode: &Ident,
        code: Code,
        span: Span,
        message: impl Into<String>,
    ) {
        let (name, message) = (opcode.to_string(), message.into());
        let key = (place_of(span), message.replace(&format!("`{name}`"), "`_`"));
        self.share(key, Fault { of: vec![name], ..Fault::new(code, span, message) });
    }

    /// Reports a fault of one opcode, once for all that have it, at the place of the first: the
    /// message is what stands before their names and what stands behind.
    pub(crate) fn error_of_all(
        &mut self,
        opcode: &Ident,
        code: Code,
        span: Span,
        [message, behind]: [String; 2],
    ) {
        let key = (String::new(), message.clone());
        let of = vec![opcode.to_string()];
        self.share(key, Fault { of, behind: Some(behind), ..Fault::new(code, span, message) });
    }

    /// Takes up a fault, but for one that may only follow from another; whether it is new.
    fn report(&mut self, fault: Fault) -> bool {
        self.met += 1;
        if self.forgiving && CONSEQUENCES.contains(&fault.code) {
            return false;
        }
        let place = self.faults.len();
        let iteration = self.iteration_of(&fault.message);
        let known = *self.known.entry((place_of(fault.span), fault.text())).or_insert(place);
        if known == place {
            self.faults.push(fault);
        }
        self.add_iteration(known, iteration);
        known == place
    }

    /// The iteration in which a message came up, with the item that it is about where the message does
    /// not name that: by the loops that are read, by the item that is looked at, or by the first name in
    /// the message that an item of a loop has.
    fn iteration_of(&self, message: &str) -> Option<Iteration> {
        let Some((name, shown)) = &self.item else {
            let quoted = message.split('`').skip(1).step_by(2);
            let named = || quoted.into_iter().find_map(|name| self.made.get(name)).cloned();
            return self.iteration().or_else(named);
        };
        let iteration = self.iteration().or_else(|| self.made.get(name).cloned())?;
        Some(match message.contains(&format!("`{name}`")) {
            true => iteration,
            false => Iteration { title: format!("{} ({shown})", iteration.title), ..iteration },
        })
    }

    /// The iteration that is read now.
    fn iteration(&self) -> Option<Iteration> {
        let titles: Vec<&str> = self.turn.iter().map(|(title, _)| title.as_str()).collect();
        let all = self.turn.iter().map(|(_, count)| count).product();
        (!titles.is_empty()).then(|| Iteration { title: titles.join(" and "), all })
    }

    fn add_iteration(&mut self, fault: usize, iteration: Option<Iteration>) {
        if let (Some(fault), Some(Iteration { title, all })) =
            (self.faults.get_mut(fault), iteration)
        {
            if fault.known_turns.insert(title.clone()) {
                fault.turns.push(title);
            }
            fault.all = all;
        }
    }

    /// Takes note of an item that is read, whose messages name the iteration if a loop makes it.
    pub(crate) fn read_item(&mut self, keyword: &str, name: &Ident) {
        if let Some(iteration) = self.iteration() {
            self.made.insert(name.to_string(), iteration);
            self.at_item(keyword, name);
        }
    }

    /// Makes an item the one that messages are about, until another one or [`Diagnostics::leave_item`].
    pub(crate) fn at_item(&mut self, keyword: &str, name: &Ident) {
        self.item = None;
        if !self.made.is_empty() {
            let name = name.to_string();
            let shown = format!("{keyword} `{name}`");
            self.item = self.made.contains_key(&name).then_some((name, shown));
        }
    }

    /// Ends what [`Diagnostics::at_item`] began.
    pub(crate) fn leave_item(&mut self) {
        self.item = None;
    }

    /// Does `work` as one of so many turns of a loop: a fault says in which it was met, where not
    /// in all.
    pub(crate) fn in_turn<T>(
        &mut self,
        title: String,
        count: usize,
        work: impl FnOnce(&mut Self) -> T,
    ) -> T {
        self.turn.push((title, count));
        let result = work(self);
        self.leave_item();
        self.turn.pop();
        result
    }

    fn share(&mut self, key: (String, String), mut fault: Fault) {
        if let Some(&known) = self.shared.get(&key) {
            self.met += 1;
            let iteration = self.iteration_of(&fault.message);
            self.add_iteration(known, iteration);
            fault.of.retain(|name| self.sharing.insert((known, name.clone())));
            self.faults[known].of.extend(fault.of);
            return;
        }
        let of = fault.of.clone();
        if self.report(fault) {
            let place = self.faults.len() - 1;
            self.sharing.extend(of.into_iter().map(|name| (place, name)));
            self.shared.insert(key, place);
        }
    }

    /// Reports a fault with two places: the one to change, and the one it disagrees with.
    pub(crate) fn error_with(
        &mut self,
        code: Code,
        span: Span,
        message: impl Into<String>,
        other: Span,
        note: impl Into<String>,
    ) {
        self.error(code, span, message);
        // The other place is that of another item, if the note names one.
        let item = self.item.take();
        self.error(code, other, note);
        self.item = item;
    }

    /// Reports `what`, which counts once, where it stands the second time and the first.
    pub(crate) fn repeated(&mut self, what: &str, place: &str, span: Span, first: Span) {
        let message = format!(
            "`{what}` stands twice in {place}, where one counts\nhelp: join the two, or leave one out"
        );
        self.error_with(Code::Repeated, span, message, first, format!("`{what}` is first here"));
    }

    /// Says that there is a fault here that is reported with another.
    pub(crate) fn reported_elsewhere(&mut self) {
        self.met += 1;
    }

    /// Does `work`; where `incomplete`, without reporting what may only follow from what is
    /// missing. Returns its result, and whether it met no fault.
    pub(crate) fn with_error_scope<T>(
        &mut self,
        incomplete: bool,
        work: impl FnOnce(&mut Self) -> T,
    ) -> (T, bool) {
        let (met, before) = (self.met, self.forgiving);
        self.forgiving |= incomplete;
        let result = work(self);
        self.forgiving = before;
        (result, self.met == met)
    }

    /// Takes over a fault that the parser found.
    pub(crate) fn syntax(&mut self, error: syn::Error) {
        for error in error {
            self.error(Code::Unreadable, error.span(), error.to_string());
        }
    }

    /// The faults as `compile_error!` items, in the order in which they were found.
    pub(crate) fn finish(&mut self) -> TokenStream {
        fold::folded(self.faults.drain(..))
            .into_iter()
            .map(|fault| {
                let (text, span) = (fault.text(), fault.span);
                quote_spanned!(span=> ::core::compile_error! { #text })
            })
            .collect()
    }

    /// Takes all faults out and returns the message of the first.
    pub(crate) fn take_first(&mut self) -> Option<String> {
        std::mem::take(&mut self.faults).first().map(Fault::text)
    }

    /// The messages, for tests.
    #[cfg(test)]
    pub(crate) fn messages(&mut self) -> Vec<String> {
        self.located().into_iter().map(|fault| fault.message).collect()
    }

    /// The messages and where they are shown, for tests.
    #[cfg(test)]
    pub(crate) fn located(&mut self) -> Vec<Located> {
        let located = |f: Fault| {
            let (start, end) = (f.span.start(), f.span.end());
            let message = f.text();
            let end = (end.line, end.column + 1);
            Located { message, line: start.line, column: start.column + 1, end }
        };
        fold::folded(self.faults.drain(..)).into_iter().map(located).collect()
    }
}

impl Drop for Diagnostics {
    fn drop(&mut self) {
        debug_assert!(
            self.faults.is_empty() || std::thread::panicking(),
            "faults were collected and not reported"
        );
    }
}

/// `; did you mean ...` for the name among `known` that is nearest to `name`, or nothing.
pub(crate) fn did_you_mean<'k>(name: &str, known: impl IntoIterator<Item = &'k str>) -> String {
    nearest(name, known)
        .map(|candidate| format!("; did you mean `{candidate}`?"))
        .unwrap_or_default()
}

/// The most names that all hints of a call compare, because each error could look at each name.
const MOST_COMPARED: usize = 1 << 18;

thread_local! {
    /// How many names the hints of the call that is compiled have compared.
    static COMPARED: Cell<usize> = const { Cell::new(0) };
}

/// The name among `known` that is probably meant by `name`; none if the call has very many names and errors.
pub(crate) fn nearest<'k>(name: &str, known: impl IntoIterator<Item = &'k str>) -> Option<&'k str> {
    let is_left = || COMPARED.replace(COMPARED.get() + 1) < MOST_COMPARED;
    known
        .into_iter()
        .take_while(|_| is_left())
        .map(|candidate| (distance(name, candidate), candidate))
        .filter(|&(distance, candidate)| {
            distance < candidate.len() && distance <= candidate.len().max(3) / 3
        })
        .min()
        .map(|(_, candidate)| candidate)
}

/// Each of the names in backquotes, with the text `between` them.
pub(crate) fn quoted(names: impl IntoIterator<Item = impl Display>, between: &str) -> String {
    let names: Vec<String> = names.into_iter().map(|name| format!("`{name}`")).collect();
    names.join(between)
}

/// How many names of many are written out.
const MOST_QUOTED: usize = 4;

/// The names in backquotes; of many the first few, and how many more there are.
pub(crate) fn quoted_first(names: impl ExactSizeIterator<Item = impl Display>) -> String {
    let more = names.len().saturating_sub(MOST_QUOTED);
    let listed = quoted(names.take(MOST_QUOTED), ", ");
    if more == 0 { listed } else { format!("{listed} and {more} more") }
}

/// Few names with the text `between` them; of many the first, and how many more there are.
pub(crate) fn quoted_or(
    names: impl ExactSizeIterator<Item = impl Display>,
    between: &str,
) -> String {
    if names.len() > MOST_QUOTED { quoted_first(names) } else { quoted(names, between) }
}

/// Where a token is, as text: what is the same for two tokens only if they are one. Spans have no
/// comparison, and lines and columns do not tell one file from another.
pub(crate) fn place_of(span: Span) -> String {
    format!("{span:?}")
}

/// `1 bit`, `2 bits`.
pub(crate) fn bits(count: impl Into<u64>) -> String {
    match count.into() {
        1 => "1 bit".to_owned(),
        count => format!("{count} bits"),
    }
}

/// The number of edits, letter case left aside, between two names: a character that is missing, added or
/// another, or two neighbours that are exchanged.
fn distance(a: &str, b: &str) -> usize {
    let [a, b] = [a, b].map(|name| name.to_lowercase().chars().collect::<Vec<char>>());
    let mut before: Vec<usize> = Vec::new();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.iter().enumerate() {
        let mut next = vec![i + 1];
        for (j, y) in b.iter().enumerate() {
            let mut least = (row[j] + usize::from(x != y)).min(row[j + 1] + 1).min(next[j] + 1);
            if i > 0 && j > 0 && *x == b[j - 1] && a[i - 1] == *y {
                least = least.min(before[j - 1] + 1);
            }
            next.push(least);
        }
        before = std::mem::replace(&mut row, next);
    }
    row[row.len() - 1]
}

#[cfg(test)]
mod tests {
    use super::{did_you_mean, distance};

    #[test]
    fn the_nearest_name_is_offered_and_a_far_one_is_not() {
        assert_eq!(distance("hsel", "hsel2"), 1);
        assert_eq!(distance("FZT", "FTZ"), 1, "two letters exchanged");
        assert_eq!(distance("A_RGE", "A_REG"), 1);
        assert_eq!(distance("ab", "ba"), 1);
        assert_eq!(distance("abc", "cba"), 2);
        assert_eq!(distance("esle", "else"), 1);
        assert_eq!(did_you_mean("HSel", ["Reg", "HSel2"]), "; did you mean `HSel2`?");
        assert_eq!(did_you_mean("frobnicate", ["Reg", "HSel2"]), "");
        assert_eq!(did_you_mean("D", ["A", "B"]), "", "nothing in common");
        assert_eq!(did_you_mean("a", ["A", "B"]), "; did you mean `A`?");
    }
}
