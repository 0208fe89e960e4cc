//! The collector of errors, and the table of their codes.
//!
//! An error has a code and the span of the token to change. If two declarations disagree, the span of the
//! other declaration is reported too. An error that may only be a consequence of another error is not
//! reported ([`Diagnostics::with_error_scope`]).
//!
//! Similar errors are folded: the first ones are reported in full, followed by the number of the others.

use std::cell::Cell;
use std::fmt::{self, Display, Formatter};

use isa_bdd::{HashMap, HashSet};
use proc_macro2::{Ident, Span, TokenStream};
use quote::quote_spanned;

/// The code of an error, a stable number: `ISA0004` is [`Code::UnknownField`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u16)]
pub(crate) enum Code {
    /// Unexpected tokens. They are not an item, section or statement of the language.
    UnexpectedTokens = 1,
    /// An unknown field type. It is neither an `enum` nor an operand type.
    UnknownType = 2,
    /// An unknown parent or opcode. An unknown name is in `[...]`, or after `inside` or `of`.
    UnknownParent = 3,
    /// An unknown field. The group, optype or opcode does not have it.
    UnknownField = 4,
    /// An unknown value. Its `enum` does not contain it.
    UnknownValue = 5,
    /// Two items or fields with the same name.
    DuplicateName = 6,
    /// A group that is its own ancestor.
    InheritanceCycle = 7,
    /// A field outside the word.
    FieldOutsideWord = 8,
    /// A field with an invalid width. It is zero, over 64, or different from the width of its type.
    FieldWidth = 9,
    /// Two fields that share a bit.
    FieldOverlap = 10,
    /// A value that is too wide. It has more bits than its `enum` or field.
    ValueTooWide = 11,
    /// Two values with the same number or name.
    DuplicateValue = 12,
    /// A child that changes an inherited field. It changes the bits or the type of the field.
    FieldChanged = 13,
    /// Two opcodes that decode the same word.
    OpcodeOverlap = 14,
    /// An opcode without a valid encoding.
    NoValidEncoding = 15,
    /// An exception that rejects nothing. No otherwise valid word satisfies its condition.
    ExceptionWithoutEffect = 16,
    /// An invalid template. For example, it has no mnemonic or a repeated part.
    InvalidTemplate = 17,
    /// An unknown modifier. The name in `.name` is neither a field nor a value.
    UnknownModifier = 18,
    /// A field that the template does not show. The field is not fixed.
    HiddenField = 19,
    /// Operand placeholders that do not match the operands.
    PlaceholderMismatch = 20,
    /// Operand lists that disagree. The lists are `InList`, `OutList` and `Order`.
    OperandLists = 21,
    /// A missing section or header.
    MissingSection = 22,
    /// An undeclared affix. For example, `{-}` requires an `affix` line.
    UndeclaredAffix = 23,
    /// An ambiguous modifier. It could set two fields.
    AmbiguousModifier = 24,
    /// Two opcodes that accept the same assembly text.
    SameText = 25,
    /// A value list that does not match its value set.
    ValueList = 26,
    /// A word width that the set does not have.
    WordWidth = 27,
    /// An `enum` without a value.
    EmptyEnum = 28,
    /// An example that does not match its opcode or group.
    Example = 29,
    /// Two opcodes with the same encodings.
    SameEncoding = 30,
    /// A special case without `inside`. All words of an opcode belong to another opcode.
    UndeclaredInside = 31,
    /// An invalid `inside`. The opcode is not a special case of the other opcode.
    NotInside = 32,
    /// An opcode that is never decoded. All its words belong to other opcodes.
    NeverDecoded = 33,
    /// An exception that rejects every encoding.
    ExceptionRejectsAll = 34,
    /// A redundant exception. It rejects only words that another exception also rejects.
    RedundantException = 35,
    /// A repeated part that is allowed only once.
    Repeated = 36,
    /// An operand that the semantics do not use.
    UnusedOperand = 37,
    /// An unknown name in documentation.
    UnknownReference = 38,
    /// An `operand` item that does not match its Rust type.
    #[expect(dead_code, reason = "only the compiler of the expansion can see it, and reports it")]
    OperandDisagrees = 39,
    /// A template that does not round-trip. Its printed text might not be parsed as the same word.
    NoRoundTrip = 40,
    /// A field without bits and without a value.
    BitlessField = 41,
    /// A missing or invalid `before` or `else`.
    AliasOrder = 42,
    /// An invalid alias. It is not only another spelling of some words of its opcode. For example,
    /// it matches all words of the opcode, or has its own semantics.
    InvalidAlias = 43,
    /// Exceptions that are too complex. An exception needs too many masked patterns, or the valid
    /// words of an opcode are too hard to find.
    ExceptionSize = 44,
    /// An invalid use of an operand or the machine. It is in the semantics.
    OperandUse = 45,
    /// Fields that cannot be compared.
    Comparison = 46,
    /// An invalid function in a condition. It cannot become a truth table.
    Predicate = 47,
    /// An invalid row of `flow`. It applies to no word, or its target is not an operand.
    Flow = 48,
    /// Invalid lanes. The field is not an operand, or the lanes do not divide its width.
    Lanes = 49,
    /// An invalid byte order. The widths of the words do not allow it, or it differs from the order
    /// of an included set.
    ByteOrder = 50,
    /// An opcode that is too large. It has too many fields, too many names in its template, or a
    /// text that is too long.
    TooLarge = 51,
    /// Loops that produce too many iterations or tokens.
    LoopLimit = 54,
    /// An invalid property. It is unknown, an opcode has no value for it, or a value does not match its
    /// type.
    Property = 55,
    /// An invalid feature or requirement. A feature is unknown, or a condition is never satisfied.
    Feature = 56,
}

impl Display for Code {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "[ISA{:04}]", *self as u16)
    }
}

/// The errors that can be consequences of a part that could not be parsed.
const CONSEQUENCES: &[Code] = &[
    Code::UnknownField,
    Code::UnknownModifier,
    Code::ExceptionWithoutEffect,
    Code::HiddenField,
    Code::PlaceholderMismatch,
    Code::OperandLists,
    Code::MissingSection,
];

/// An error: its code, the token to change, and a message with the problem and its solution.
#[derive(Debug)]
struct Diagnostic {
    code: Code,
    span: Span,
    message: String,
    /// The opcodes that have the error, if this is recorded.
    opcodes: Vec<String>,
    /// The text after the names of the opcodes, if the message lists these names. Otherwise the
    /// message contains the name of the first opcode.
    after_opcodes: Option<String>,
    /// The iterations of a loop in which the error was found.
    iterations: Vec<String>,
    /// The same titles as a set, for fast lookup.
    known_iterations: HashSet<String>,
    iteration_count: usize,
    /// The number of similar errors that are left out.
    similar: usize,
}

impl Diagnostic {
    fn new(code: Code, span: Span, message: String) -> Self {
        Diagnostic {
            code,
            span,
            message,
            opcodes: Vec::new(),
            after_opcodes: None,
            iterations: Vec::new(),
            known_iterations: HashSet::default(),
            iteration_count: 0,
            similar: 0,
        }
    }

    /// Returns the message with its code.
    fn text(&self) -> String {
        let Diagnostic { code, message, opcodes: of, after_opcodes: behind, .. } = self;
        let mut text = format!("{code} {message}");
        if !self.iterations.is_empty() && self.iterations.len() < self.iteration_count {
            let more = self.iterations.len().saturating_sub(MOST_QUOTED);
            let named = &self.iterations[..self.iterations.len() - more];
            text += &format!("\nnote: only if {}", named.join(", or "));
            if more > 0 {
                text += &format!(", or in {more} more iterations");
            }
        }
        text = match (behind, &of[..]) {
            (Some(behind), all) => format!("{text}{}{behind}", quoted_or(all.iter(), ", ")),
            (None, [] | [_]) => text,
            (None, [_, others @ ..]) => {
                format!("{text}\nnote: the same error occurs in {}", quoted_first(others.iter()))
            }
        };
        text + &similar_note(self.similar)
    }
}

/// An error of a specification, with its position in the text.
#[cfg(any(test, feature = "positions"))]
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct SpecificationError {
    /// The code in brackets and the message. Lines of help and notes follow, such as `help: ...`.
    pub message: String,
    /// The line of the token to change, counted from 1.
    pub line: usize,
    /// The column of this token in characters, counted from 1.
    pub column: usize,
    /// The line and the column after the token.
    pub end: (usize, usize),
}

/// Collects the errors of one call. It must be [emptied](Diagnostics::finish) before it is dropped.
#[derive(Debug)]
pub(crate) struct Diagnostics {
    diagnostics: Vec<Diagnostic>,
    /// The index of each error, by its position and message.
    known: HashMap<(String, String), usize>,
    /// The index of each error that several opcodes can share. The key is its position and its
    /// message without the name of the opcode.
    shared: HashMap<(String, String), usize>,
    /// The opcodes that have each of these errors.
    sharing: HashSet<(usize, String)>,
    /// The number of errors that were found, including errors that are not reported.
    found: usize,
    ignores_consequences: bool,
    /// The current values of the loop variables, each with the number of iterations of its loop.
    open_loops: Vec<(String, usize)>,
    /// The items that loops produced, by name, each with its iteration.
    loop_items: HashMap<String, Iteration>,
    /// The current item, if a loop produced it: its name, and its description in messages.
    item: Option<(String, String)>,
}

/// An iteration of a loop, or of nested loops.
#[derive(Debug, Clone)]
struct Iteration {
    /// The values of the loop variables, for example "`R` is `X`".
    title: String,
    /// The number of iterations.
    all: usize,
}

impl Default for Diagnostics {
    fn default() -> Self {
        COMPARED.set(0);
        Diagnostics {
            diagnostics: Vec::new(),
            known: HashMap::default(),
            shared: HashMap::default(),
            sharing: HashSet::default(),
            found: 0,
            ignores_consequences: false,
            open_loops: Vec::new(),
            loop_items: HashMap::default(),
            item: None,
        }
    }
}

impl Diagnostics {
    /// Reports `message` at `span`, unless the same error is already reported. The message is in
    /// lower case and has no full stop. A line of help may follow as
    /// `"...\nhelp: ..."`.
    pub(crate) fn error(&mut self, code: Code, span: Span, message: impl Into<String>) {
        self.report(Diagnostic::new(code, span, message.into()));
    }

    /// Reports an error of an opcode. The position belongs to several opcodes, so errors that
    /// differ only in the name of the opcode are reported as one.
    pub(crate) fn error_of(
        &mut self,
        opcode: &Ident,
        code: Code,
        span: Span,
        message: impl Into<String>,
    ) {
        let (name, message) = (opcode.to_string(), message.into());
        let key = (place_of(span), message.replace(&format!("`{name}`"), "`_`"));
        self.share(key, Diagnostic { opcodes: vec![name], ..Diagnostic::new(code, span, message) });
    }

    /// Reports an error that several opcodes may have. It is reported once, at the position of the
    /// first opcode. The message consists of the text before and the text after the names of the
    /// opcodes.
    pub(crate) fn error_of_all(
        &mut self,
        opcode: &Ident,
        code: Code,
        span: Span,
        [message, behind]: [String; 2],
    ) {
        let key = (String::new(), message.clone());
        let of = vec![opcode.to_string()];
        self.share(
            key,
            Diagnostic {
                opcodes: of,
                after_opcodes: Some(behind),
                ..Diagnostic::new(code, span, message)
            },
        );
    }

    /// Adds an error, unless it can be a consequence of an earlier error. Returns whether the error
    /// is new.
    fn report(&mut self, fault: Diagnostic) -> bool {
        self.found += 1;
        if self.ignores_consequences && CONSEQUENCES.contains(&fault.code) {
            return false;
        }
        let place = self.diagnostics.len();
        let iteration = self.iteration_of(&fault.message);
        let known = *self.known.entry((place_of(fault.span), fault.text())).or_insert(place);
        if known == place {
            self.diagnostics.push(fault);
        }
        self.add_iteration(known, iteration);
        known == place
    }

    /// Returns the iteration in which an error was found. If a loop is being parsed, this is its
    /// current iteration. Otherwise it is the iteration that produced the current item, or else the
    /// iteration that produced the first name in the message. The title also contains the current
    /// item if the message does not name it.
    fn iteration_of(&self, message: &str) -> Option<Iteration> {
        let Some((name, shown)) = &self.item else {
            let quoted = message.split('`').skip(1).step_by(2);
            let named = || quoted.into_iter().find_map(|name| self.loop_items.get(name)).cloned();
            return self.iteration().or_else(named);
        };
        let iteration = self.iteration().or_else(|| self.loop_items.get(name).cloned())?;
        Some(match message.contains(&format!("`{name}`")) {
            true => iteration,
            false => Iteration { title: format!("{} ({shown})", iteration.title), ..iteration },
        })
    }

    /// Returns the iteration that is being parsed.
    fn iteration(&self) -> Option<Iteration> {
        let titles: Vec<&str> = self.open_loops.iter().map(|(title, _)| title.as_str()).collect();
        let all = self.open_loops.iter().map(|(_, count)| count).product();
        (!titles.is_empty()).then(|| Iteration { title: titles.join(" and "), all })
    }

    fn add_iteration(&mut self, fault: usize, iteration: Option<Iteration>) {
        if let (Some(fault), Some(Iteration { title, all })) =
            (self.diagnostics.get_mut(fault), iteration)
        {
            if fault.known_iterations.insert(title.clone()) {
                fault.iterations.push(title);
            }
            fault.iteration_count = all;
        }
    }

    /// Records an item that is being parsed. If a loop produces it, its messages name the
    /// iteration.
    pub(crate) fn read_item(&mut self, keyword: &str, name: &Ident) {
        if let Some(iteration) = self.iteration() {
            self.loop_items.insert(name.to_string(), iteration);
            self.at_item(keyword, name);
        }
    }

    /// Sets the item that messages are about, until the next call or [`Diagnostics::leave_item`].
    pub(crate) fn at_item(&mut self, keyword: &str, name: &Ident) {
        self.item = None;
        if !self.loop_items.is_empty() {
            let name = name.to_string();
            let shown = format!("{keyword} `{name}`");
            self.item = self.loop_items.contains_key(&name).then_some((name, shown));
        }
    }

    /// Ends the effect of [`Diagnostics::at_item`].
    pub(crate) fn leave_item(&mut self) {
        self.item = None;
    }

    /// Calls `work` as one of `count` iterations of a loop. If an error is found in some iterations
    /// but not in all, its message names these iterations.
    pub(crate) fn in_iteration<T>(
        &mut self,
        title: String,
        count: usize,
        work: impl FnOnce(&mut Self) -> T,
    ) -> T {
        self.open_loops.push((title, count));
        let result = work(self);
        self.leave_item();
        self.open_loops.pop();
        result
    }

    fn share(&mut self, key: (String, String), mut fault: Diagnostic) {
        if let Some(&known) = self.shared.get(&key) {
            self.found += 1;
            let iteration = self.iteration_of(&fault.message);
            self.add_iteration(known, iteration);
            fault.opcodes.retain(|name| self.sharing.insert((known, name.clone())));
            self.diagnostics[known].opcodes.extend(fault.opcodes);
            return;
        }
        let of = fault.opcodes.clone();
        if self.report(fault) {
            let place = self.diagnostics.len() - 1;
            self.sharing.extend(of.into_iter().map(|name| (place, name)));
            self.shared.insert(key, place);
        }
    }

    /// Reports an error with two positions: the position to change, and the position that it
    /// disagrees with.
    pub(crate) fn error_with(
        &mut self,
        code: Code,
        span: Span,
        message: impl Into<String>,
        other: Span,
        note: impl Into<String>,
    ) {
        self.error(code, span, message);
        // If the note names an item, the second position belongs to that item and not to the
        // current one.
        let item = self.item.take();
        self.error(code, other, note);
        self.item = item;
    }

    /// Reports that `what` is repeated although it is allowed only once. The error shows the second
    /// and the first position.
    pub(crate) fn repeated(&mut self, what: &str, place: &str, span: Span, first: Span) {
        let message = format!(
            "`{what}` is repeated in {place}, expected at most one\nhelp: merge the two, or \
             remove one"
        );
        self.error_with(Code::Repeated, span, message, first, format!("first `{what}` here"));
    }

    /// Records an error here that is reported at another position.
    pub(crate) fn reported_elsewhere(&mut self) {
        self.found += 1;
    }

    /// Calls `work`. Returns its result, and whether no error was found during the call. If
    /// `incomplete`, errors that can be consequences of a missing part are not reported.
    pub(crate) fn with_error_scope<T>(
        &mut self,
        incomplete: bool,
        work: impl FnOnce(&mut Self) -> T,
    ) -> (T, bool) {
        let (met, before) = (self.found, self.ignores_consequences);
        self.ignores_consequences |= incomplete;
        let result = work(self);
        self.ignores_consequences = before;
        (result, self.found == met)
    }

    /// Reports an error that the parser found.
    pub(crate) fn syntax(&mut self, error: syn::Error) {
        for error in error {
            self.error(Code::UnexpectedTokens, error.span(), error.to_string());
        }
    }

    /// Returns the errors as `compile_error!` items, in the order in which they were found.
    pub(crate) fn finish(&mut self) -> TokenStream {
        fold_similar(self.diagnostics.drain(..))
            .into_iter()
            .map(|fault| {
                let (text, span) = (fault.text(), fault.span);
                quote_spanned!(span=> ::core::compile_error! { #text })
            })
            .collect()
    }

    /// Removes all errors and returns the message of the first.
    pub(crate) fn take_first(&mut self) -> Option<String> {
        std::mem::take(&mut self.diagnostics).first().map(Diagnostic::text)
    }

    /// Returns the messages, for tests.
    #[cfg(test)]
    pub(crate) fn messages(&mut self) -> Vec<String> {
        self.located().into_iter().map(|fault| fault.message).collect()
    }

    /// Removes and returns the errors, in the order in which they were found.
    #[cfg(any(test, feature = "positions"))]
    pub(crate) fn located(&mut self) -> Vec<SpecificationError> {
        let located = |f: Diagnostic| {
            let (start, end) = (f.span.start(), f.span.end());
            let message = f.text();
            let end = (end.line, end.column + 1);
            SpecificationError { message, line: start.line, column: start.column + 1, end }
        };
        fold_similar(self.diagnostics.drain(..)).into_iter().map(located).collect()
    }
}

impl Drop for Diagnostics {
    fn drop(&mut self) {
        debug_assert!(
            self.diagnostics.is_empty() || std::thread::panicking(),
            "errors were collected but not reported"
        );
    }
}

/// Returns `; did you mean ...` with the name among `known` that is nearest to `name`, or an empty
/// string.
pub(crate) fn did_you_mean<'k>(name: &str, known: impl IntoIterator<Item = &'k str>) -> String {
    nearest(name, known)
        .map(|candidate| format!("; did you mean `{candidate}`?"))
        .unwrap_or_default()
}

/// The maximum number of names that all hints of a call compare. Without this limit, each error
/// could compare every name.
const MOST_COMPARED: usize = 1 << 18;

thread_local! {
    /// The number of names that the hints of the current call have compared.
    static COMPARED: Cell<usize> = const { Cell::new(0) };
}

/// Returns the name among `known` that is closest to `name`, if it is close enough. Returns `None`
/// if the call already compared [`MOST_COMPARED`] names.
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

/// Returns the names in backquotes, separated by `between`.
pub(crate) fn quoted(names: impl IntoIterator<Item = impl Display>, between: &str) -> String {
    let names: Vec<String> = names.into_iter().map(|name| format!("`{name}`")).collect();
    names.join(between)
}

/// The maximum number of names that a list in a message contains.
const MOST_QUOTED: usize = 4;

/// Returns the names in backquotes. If the list is long, returns the first few names and the number
/// of the other names.
pub(crate) fn quoted_first(names: impl ExactSizeIterator<Item = impl Display>) -> String {
    let more = names.len().saturating_sub(MOST_QUOTED);
    let listed = quoted(names.take(MOST_QUOTED), ", ");
    if more == 0 { listed } else { format!("{listed} and {more} more") }
}

/// Returns a short list of names separated by `between`. If the list is long, returns the first
/// names and the number of the other names.
pub(crate) fn quoted_or(
    names: impl ExactSizeIterator<Item = impl Display>,
    between: &str,
) -> String {
    if names.len() > MOST_QUOTED { quoted_first(names) } else { quoted(names, between) }
}

/// Returns the position of a token as text. Different tokens have different text. Spans cannot be
/// compared, and the same line and column may occur in several files.
pub(crate) fn place_of(span: Span) -> String {
    format!("{span:?}")
}

/// Returns `1 bit`, `2 bits` and so on.
pub(crate) fn bits(count: impl Into<u64>) -> String {
    match count.into() {
        1 => "1 bit".to_owned(),
        count => format!("{count} bits"),
    }
}

/// Returns the edit distance of two names, without regard to letter case. An edit inserts, removes
/// or replaces a character, or exchanges two neighbours.
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

/// The maximum number of similar errors that are reported in full.
pub(crate) const MOST_ALIKE: usize = 20;

/// Folds similar errors: removes errors if there are already [`MOST_ALIKE`] similar ones. The last error that is kept
/// gets a note with the number of removed errors.
fn fold_similar(faults: impl Iterator<Item = Diagnostic>) -> Vec<Diagnostic> {
    let mut patterns: HashMap<(u16, String), Vec<usize>> = HashMap::default();
    let mut kept: Vec<Diagnostic> = Vec::new();
    let mut left_out: HashMap<usize, usize> = HashMap::default();
    for fault in faults {
        let known = patterns.entry((fault.code as u16, pattern_of(&fault.message))).or_default();
        if known.len() < MOST_ALIKE {
            known.push(kept.len());
            kept.push(fault);
        } else {
            *left_out.entry(known[MOST_ALIKE - 1]).or_default() += 1;
        }
    }
    for (place, count) in left_out {
        kept[place].similar = count;
    }
    kept
}

/// Returns a message without quoted names and digits. Similar errors have the same result.
fn pattern_of(message: &str) -> String {
    let mut pattern = String::new();
    for (place, part) in message.split('`').enumerate() {
        match place % 2 {
            0 => pattern.extend(part.chars().filter(|c| !c.is_ascii_digit())),
            _ => pattern.push('`'),
        }
    }
    pattern
}

/// Returns the note with the number of similar errors that are left out.
fn similar_note(alike: usize) -> String {
    if alike == 0 { String::new() } else { format!("\nnote: and {alike} more similar errors") }
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

#[cfg(test)]
mod fold_tests {
    use proc_macro2::Span;

    use super::*;

    #[test]
    fn faults_of_one_kind_are_folded_and_others_are_not() {
        let mut diag = Diagnostics::default();
        for number in 0..500 {
            let message = format!("no field `F{number}` at bit {number}");
            diag.error(Code::UnknownField, Span::call_site(), message);
            if number < 3 {
                diag.error(Code::UnknownField, Span::call_site(), format!("no value `F{number}`"));
                diag.error(Code::UnknownValue, Span::call_site(), format!("no field `F{number}`"));
            }
        }
        let messages = diag.messages();
        assert_eq!(messages.len(), MOST_ALIKE + 6, "{messages:#?}");
        let folded: Vec<&String> =
            messages.iter().filter(|message| message.contains("more similar errors")).collect();
        let last = "[ISA0004] no field `F19` at bit 19\nnote: and 480 more similar errors";
        assert_eq!(folded, [last]);
    }
}
