//! Expressions and constants in instructions.
//!
//! An instruction is first parsed without them. If this fails, an expression at the position of the
//! error is replaced by its value, which is a number or a label plus a number, and the instruction is
//! parsed again, until it is valid or no expression helps. Therefore programs without expressions are
//! parsed at full speed, and every operand type that accepts a number also accepts an expression. The
//! text of the set takes precedence: if a constant has the same name as a register, it is a register,
//! and in `8(a0)` the parenthesis is not a part of the number. In `(N)`, the parentheses belong to the
//! expression only if the template cannot contain them there.
//!
//! If several expressions begin at a position, the longest one is used with which the parser gets
//! past its end: in `N - |R4|` only `N` is an expression.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::ops::Range;

use super::expression::{self, Expression, Value, of_name};
use crate::IS_SMALL;
use crate::error::{ParseError, ParseErrorKind};
use crate::parse::Parsed;
use crate::table::InstructionSet;
use crate::text::{Cause, Cursor, InstructionContext, OperandError, WORD, begins_name, quoted_len};

/// The maximum number of expressions that are tried in one instruction. Without this limit, the time
/// for a hostile text would be quadratic.
const MOST_TRIED: usize = 40;

/// Parses a statement with `parse`. If `parse` fails, replaces the expressions at the positions of the
/// errors by their values and tries again. Also returns whether there are any expressions. `prefix` is a
/// sign before numbers that the text may omit; it is empty if there is none.
fn with_values<T>(
    cursor: &mut Cursor<'_>,
    prefix: &str,
    parse: impl Fn(&mut Cursor<'_>) -> Result<T, ParseError>,
) -> Result<(T, bool), ParseError> {
    let start = cursor.position();
    let error = match parse(cursor) {
        Ok(parsed) => return Ok((parsed, false)),
        Err(error) => error,
    };
    let Some(site) = cursor.context_unasked() else { return Err(error) };
    let statement = cursor.text().get(start..cursor.position()).unwrap_or_default();
    let (Some(from), Some(to)) =
        (error.span.start.checked_sub(start), error.span.end.checked_sub(start))
    else {
        return Err(error);
    };
    let any_case = cursor.any_case();
    let mut search =
        Search { site, prefix, any_case, left: MOST_TRIED, mistake: None, shown: error, start };
    // Most wrong statements contain no expression, and need no copy of their text.
    let place = (from..to, is_about_target(&search.shown));
    if Candidates::new(statement, site, (prefix, any_case), place.clone()).next().is_none() {
        return Err(search.shown);
    }
    let mut text = Changed { text: statement.to_string(), places: Vec::new() };
    let mut place = place;
    loop {
        match search.improved(text, place, &parse) {
            Improved::Parsed(parsed) => return Ok((parsed, true)),
            Improved::Further(further, span) => (text, place) = (further, span),
            Improved::Nothing => return Err(search.mistake.unwrap_or(search.shown)),
        }
    }
}

/// The position of an error, and whether it is about a target.
type ErrorPlace = (Range<usize>, bool);

/// The result of a replacement.
enum Improved<T> {
    Parsed(T),
    /// The parser gets past the expression; the range is the position of the next error.
    Further(Changed, ErrorPlace),
    Nothing,
}

/// The search for expressions in one statement.
struct Search<'s> {
    site: &'s InstructionContext<'s>,
    prefix: &'s str,
    any_case: bool,
    /// The number of expressions that may still be tried.
    left: usize,
    /// The first error of an expression or of its value.
    mistake: Option<ParseError>,
    /// The last error of the parser.
    shown: ParseError,
    /// The position of the statement in the program.
    start: usize,
}

impl Search<'_> {
    /// Replaces the first expression at the position `place` of an error with which the parser gets past
    /// its end.
    fn improved<T>(
        &mut self,
        text: Changed,
        place: ErrorPlace,
        parse: &impl Fn(&mut Cursor<'_>) -> Result<T, ParseError>,
    ) -> Improved<T> {
        let source = text.text.clone();
        // An error at or after the end of the expression is progress, unless the expression is before
        // the last error. In this case, the new error must be after the last error.
        let last = place.0.start;
        let candidates = Candidates::new(&source, self.site, (self.prefix, self.any_case), place);
        for candidate in candidates {
            let Some(left) = self.left.checked_sub(1) else { break };
            self.left = left;
            let Candidate { span, value } = candidate;
            let (is_before, mut is_value_refused) = (span.end < last, false);
            let spelled = value.and_then(|value| spelling(&value));
            let spelled = match spelled {
                Ok(spelled) => spelled,
                Err(fault) => {
                    let error = ParseError::fault(&Cursor::new(&source), fault);
                    self.keep_mistake(&text, error);
                    continue;
                }
            };
            let is_number = !begins_name(spelled.as_bytes());
            // The value must not continue the word before the expression.
            let before = source.as_bytes().get(span.start.wrapping_sub(1));
            let is_glued = before.is_some_and(|&byte| WORD[usize::from(byte)]);
            let spelled = if is_glued { format!(" {spelled}") } else { spelled };
            let has_prefix = IS_SMALL
                || self.prefix.is_empty()
                || !is_number
                || source.get(..span.start).is_some_and(|it| it.trim_end().ends_with(self.prefix));
            let with_prefix = (!has_prefix).then(|| format!("{}{spelled}", self.prefix));
            let plain = Some(spelled).filter(|it| source.get(span.clone()) != Some(it));
            for new in plain.into_iter().chain(with_prefix) {
                let mut changed = text.clone();
                changed.replace(span.clone(), &new);
                let mut cursor = Cursor::in_context(&changed.text, self.site);
                let error = match parse(&mut cursor) {
                    Ok(parsed) => return Improved::Parsed(parsed),
                    Err(error) => error,
                };
                let place = (error.span.clone(), is_about_target(&error));
                let is_behind = place.0.start >= span.start + new.len();
                let is_further = place.0.start + span.len() > last + new.len();
                if is_behind && (is_further || !is_before) {
                    self.shown = self.in_program(&changed, error);
                    self.mistake = None;
                    return Improved::Further(changed, place);
                }
                if is_refused(&error) && place.0.start >= span.start && !is_before {
                    self.keep_mistake(&changed, error);
                    is_value_refused = true;
                }
            }
            // The operand is a number, so another expression at this position does not help.
            if is_value_refused {
                break;
            }
        }
        Improved::Nothing
    }

    fn keep_mistake(&mut self, text: &Changed, error: ParseError) {
        if self.mistake.is_none() {
            self.mistake = Some(self.in_program(text, error));
        }
    }

    /// Returns an error of a changed text with its position in the program.
    fn in_program(&self, text: &Changed, mut error: ParseError) -> ParseError {
        let Range { start, end } = text.span_before(&error.span);
        error.span = self.start + start..self.start + end;
        error
    }
}

impl InstructionSet {
    /// Parses like [`InstructionSet::parse_next`], with values for expressions. Also returns whether
    /// there are any expressions.
    pub(super) fn next_with_values(
        &self,
        cursor: &mut Cursor<'_>,
        prefix: &str,
    ) -> Result<(Option<Parsed>, bool), ParseError> {
        with_values(cursor, prefix, |cursor| self.parse_next(cursor))
    }

    /// Parses like [`InstructionSet::parse_whole`], with values for expressions. Also returns whether
    /// there are any expressions.
    pub(super) fn parse_with_values(
        &self,
        cursor: &mut Cursor<'_>,
        prefix: &str,
    ) -> Result<(Parsed, bool), ParseError> {
        with_values(cursor, prefix, |cursor| {
            let outcome = self.parse_whole(cursor.clone());
            cursor.seek(usize::MAX);
            outcome
        })
    }
}

/// Returns whether the error is about a label or a target, and not about its text.
fn is_about_target(error: &ParseError) -> bool {
    matches!(error.kind(), ParseErrorKind::Operand(_)) && !is_refused(error)
}

/// Returns whether the error is in the text of an operand.
fn is_refused(error: &ParseError) -> bool {
    match error.kind() {
        ParseErrorKind::Operand(fault) => fault.cause == Cause::Text,
        ParseErrorKind::NoForm { is_operand, .. } => *is_operand,
        _ => false,
    }
}

/// Returns the text of a value that operand types accept: `-8`, `table`, `table+8`.
fn spelling(value: &Value<'_>) -> Result<String, OperandError> {
    let number = value.number;
    match value.label().map_err(expression::superfluous)? {
        None => Ok(signed(number, "")),
        Some(label) if number == 0 => Ok(label.name.to_string()),
        Some(label) => Ok(format!("{}{}", label.name, signed(number, "+"))),
    }
}

/// Returns a number in decimal, after `plus` unless it is negative. Numbers of 64 bits have small code,
/// and operand types accept no larger numbers.
fn signed(number: i128, plus: &str) -> String {
    let sign = if number < 0 { "-" } else { plus };
    match u64::try_from(number.unsigned_abs()) {
        Ok(number) => format!("{sign}{number}"),
        Err(_) => format!("{sign}{:#x}", number.unsigned_abs()),
    }
}

/// A text that may be replaced by its value.
struct Candidate<'t> {
    span: Range<usize>,
    value: Result<Value<'t>, OperandError>,
}

/// The expressions at the position of an error, and the expressions after it, because the parser may
/// report that an optional part of the syntax is missing that contains an error. They are in the order of
/// their starts, and of all expressions that begin at a position, the longest is first.
struct Candidates<'t> {
    text: &'t str,
    site: &'t InstructionContext<'t>,
    /// Whether a plain number is also an expression, because a prefix may be added to it.
    has_prefix: bool,
    /// Whether only texts with operators are expressions: a target that is a constant is an address,
    /// which may be wrong.
    needs_operator: bool,
    /// The position of the error.
    place: Range<usize>,
    cursor: Cursor<'t>,
    /// The starts of operators outside parentheses in the last expression, and the start of the
    /// expression.
    shorter: (Vec<usize>, usize),
    /// The number of texts that may still be parsed.
    left: usize,
}

impl<'t> Candidates<'t> {
    fn new(
        text: &'t str,
        site: &'t InstructionContext<'t>,
        (prefix, any_case): (&str, bool),
        (place, needs_operator): ErrorPlace,
    ) -> Self {
        let mut cursor = Cursor::in_context(text, site);
        cursor.set_reader(any_case, 64);
        // The error may be only about a sign, or a sign may have been found instead of another token,
        // as in `label + SIZE`.
        let mut end = cursor.clone();
        end.seek(place.start);
        while end.peek().is_some_and(|byte| b"+-#".contains(&byte)) {
            end.seek(end.position() + 1);
        }
        let place = place.start..place.end.max(end.position());
        // The first word is the mnemonic or a register.
        cursor.whole_name();
        if cursor.position() > place.start {
            cursor.seek(0);
        }
        let (has_prefix, shorter) = (!prefix.is_empty(), (Vec::new(), 0));
        Candidates {
            text,
            site,
            has_prefix,
            needs_operator,
            place,
            cursor,
            shorter,
            left: MOST_TRIED,
        }
    }

    /// Returns whether the text at the cursor is only a name that is not a constant. The operand types
    /// look up such a name if it is a label.
    fn is_plain_name(&self) -> bool {
        let mut ahead = self.cursor.clone();
        let is_name = begins_name(ahead.rest());
        let name = ahead.name();
        is_name
            && self.site.labels.constant(name).is_none()
            && !ahead.peek().is_some_and(|byte| b"*/%<>|&^!+-=".contains(&byte))
    }

    /// Parses the expression at a position, up to the operator at `limit`. If the text is an expression
    /// that touches the error, returns it.
    fn at(&mut self, start: usize, limit: usize) -> Option<Candidate<'t>> {
        self.left = self.left.checked_sub(1)?;
        let mut cursor = self.cursor.clone();
        cursor.seek(start);
        let site = self.site;
        let mut is_plain = true;
        let mut names = |name: &'t str, start| {
            let value = of_name(site, name, start);
            is_plain &= value.label() != Ok(None);
            value
        };
        let mut expression = Expression::new(&mut cursor, &mut names).up_to(limit);
        let value = expression.value();
        let is_malformed = expression.is_malformed;
        self.shorter = (core::mem::take(&mut expression.operators), start);
        self.shorter.0.retain(|&at| at < limit);
        let has_operator = !self.shorter.0.is_empty();
        let span = start..cursor.position();
        let text = self.text.get(span.clone()).unwrap_or_default();
        // A plain name is a label or a register, and the operand types parse it. A plain number is
        // only an expression if a prefix may be added.
        let is_word = is_plain
            && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_.$".contains(&byte));
        let is_number = text.starts_with(|first: char| matches!(first, '0'..='9' | '+' | '-'));
        // If the parser got past the parenthesis, the template contains it: in `LDA (N), Y` the
        // expression is `N`.
        let is_literal = text.starts_with('(') && !has_operator && self.place.start > start;
        let is_own = match () {
            () if is_malformed || is_literal => false,
            () if has_operator => true,
            () if self.needs_operator => false,
            () if is_word => !IS_SMALL && is_number && self.has_prefix,
            // Parentheses around a name may belong to the template.
            () => match &value {
                Ok(value) => match value.label() {
                    Ok(Some(label)) => label.name == "." || site.labels.has(label.name),
                    _ => true,
                },
                Err(fault) => fault.cause == Cause::Text,
            },
        };
        if span.end < self.place.start {
            // The parser accepted this text as it is written, but another form may need a prefix before
            // it.
            self.shorter.0.clear();
            if is_malformed {
                return None;
            }
            self.cursor.seek(span.end);
            if IS_SMALL || !(self.has_prefix && is_own && is_word) {
                self.left += 1;
                return None;
            }
        }
        is_own.then_some(Candidate { span, value })
    }
}

impl<'t> Iterator for Candidates<'t> {
    type Item = Candidate<'t>;

    fn next(&mut self) -> Option<Candidate<'t>> {
        loop {
            // Small modules try only the longest expression, and their tools have no prefix.
            if !IS_SMALL && let Some(limit) = self.shorter.0.pop() {
                let (mut rest, start) = core::mem::take(&mut self.shorter);
                let found = self.at(start, limit);
                rest.retain(|&at| at < limit);
                self.shorter = (rest, start);
                if found.is_some() {
                    return found;
                }
                continue;
            }
            let next = self.cursor.peek().filter(|&byte| byte != b';')?;
            let start = self.cursor.position();
            if let quoted @ 1.. = quoted_len(self.cursor.rest()) {
                self.cursor.seek(start + quoted);
                continue;
            }
            let is_start = next.is_ascii_digit()
                || b"(-+~!'".contains(&next)
                || begins_name(self.cursor.rest()) && !self.is_plain_name();
            let found = if is_start { self.at(start, usize::MAX) } else { None };
            if self.cursor.position() > start {
                if found.is_some() {
                    return found;
                }
                continue;
            }
            if self.cursor.whole_name().is_empty() && self.cursor.word().is_empty() {
                self.cursor.seek(self.cursor.next_boundary(start));
            }
            if found.is_some() {
                return found;
            }
        }
    }
}

/// A text in which expressions are replaced by their values.
#[derive(Clone)]
struct Changed {
    text: String,
    /// For each value, in order: the position of the expression in the original text, its length, and
    /// the length of the value.
    places: Vec<(usize, usize, usize)>,
}

impl Changed {
    fn replace(&mut self, span: Range<usize>, new: &str) {
        let before = self.span_before(&span);
        // Values in the span become a part of the new value.
        self.places.retain(|&(at, ..)| !before.contains(&at));
        let behind = self.places.partition_point(|&(other, ..)| other < before.start);
        self.places.insert(behind, (before.start, before.len(), new.len()));
        self.text.replace_range(span, new);
    }

    /// Returns a span of the original text.
    fn span_before(&self, span: &Range<usize>) -> Range<usize> {
        let start = self.origin(span.start).map_or_else(|at| at, |name| name.start);
        match span.end.checked_sub(1).filter(|_| !span.is_empty()) {
            Some(last) => start..self.origin(last).map_or_else(|at| at + 1, |name| name.end),
            None => start..start,
        }
    }

    /// Returns the original expression if the position is in a value that replaced it, and otherwise the
    /// original position.
    fn origin(&self, at: usize) -> Result<Range<usize>, usize> {
        let (mut gone, mut new) = (0, 0);
        for &(place, length, digits) in &self.places {
            let start = place + new - gone;
            if at < start {
                break;
            }
            if at < start + digits {
                return Ok(place..place + length);
            }
            gone += length;
            new += digits;
        }
        Err(at + gone - new)
    }
}
