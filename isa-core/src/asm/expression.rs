//! Expressions of numbers, constants and labels, with the operators of the GNU assembler.
//!
//! An expression is evaluated while it is parsed, with 128 bits. Its value is a number plus or minus
//! labels whose addresses are not needed yet: only the linker may know them. The distance between two
//! labels of one section is a number.

use alloc::vec::Vec;

use crate::IS_SMALL;
use crate::text::{Cause, Cursor, InstructionContext, OperandError, begins_name, character};

/// The maximum number of open parentheses and unary operators.
const MOST_NESTED: u8 = 64;

/// The maximum number of labels in a value.
const MOST_SYMBOLS: usize = 4;

/// A label in a value, or `.`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Symbol<'t> {
    pub(super) name: &'t str,
    /// The position of the name.
    pub(super) start: usize,
    /// The address and the section; `None` if the program does not define the label.
    pub(super) place: Option<(u64, u32)>,
}

/// The value of an expression: a number, plus some labels, minus other labels.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Value<'t> {
    pub(super) number: i128,
    /// The labels. The first element of each is true if the label is subtracted.
    symbols: [Option<(bool, Symbol<'t>)>; MOST_SYMBOLS],
}

impl<'t> Value<'t> {
    pub(super) const fn of_number(number: i128) -> Self {
        Value { number, symbols: [None; MOST_SYMBOLS] }
    }

    pub(super) const fn of_symbol(symbol: Symbol<'t>) -> Self {
        Value { number: 0, symbols: [Some((false, symbol)), None, None, None] }
    }

    /// Returns the label if the value is a label plus a number, and `None` if it is only a number. In
    /// all other cases it returns an unknown or superfluous label as an error.
    pub(super) fn label(&self) -> Result<Option<Symbol<'t>>, Symbol<'t>> {
        match self.label_pair()? {
            (added, Some(taken)) => Err(added.filter(|it| it.place.is_none()).unwrap_or(taken)),
            (label, None) => Ok(label),
        }
    }

    /// Returns the label that is added, and the label that is subtracted. If there are more, it
    /// returns the first superfluous label as an error.
    pub(super) fn label_pair(
        &self,
    ) -> Result<(Option<Symbol<'t>>, Option<Symbol<'t>>), Symbol<'t>> {
        let (mut added, mut taken) = (None, None);
        for &(is_taken, symbol) in self.symbols.iter().flatten() {
            let place = if is_taken { &mut taken } else { &mut added };
            if place.replace(symbol).is_some() {
                return Err(symbol);
            }
        }
        Ok((added, taken))
    }

    fn negated(self) -> Option<Self> {
        let symbols = self.symbols.map(|it| it.map(|(is_taken, symbol)| (!is_taken, symbol)));
        Some(Value { number: self.number.checked_neg()?, symbols })
    }

    /// Returns the sum; `None` if it has more than 128 bits or too many labels.
    fn plus(mut self, other: Self) -> Option<Self> {
        self.number = self.number.checked_add(other.number)?;
        for &(is_taken, symbol) in other.symbols.iter().flatten() {
            let distance = |known: &Option<(bool, Symbol<'t>)>| {
                let (other, known) = (*known)?;
                if other == is_taken {
                    return None;
                }
                match (known.place, symbol.place) {
                    (Some((from, near)), Some((to, section))) if near == section => {
                        Some(i128::from(to) - i128::from(from))
                    }
                    _ if known.name == symbol.name && symbol.name != "." => Some(0),
                    _ => None,
                }
            };
            let known = self.symbols.iter_mut().find_map(|it| Some((distance(it)?, it)));
            if let Some((distance, known)) = known {
                *known = None;
                self.number =
                    self.number.checked_add(if is_taken { -distance } else { distance })?;
            } else {
                *self.symbols.iter_mut().find(|it| it.is_none())? = Some((is_taken, symbol));
            }
        }
        Some(self)
    }

    /// Returns the value with another name and position of its only label.
    pub(super) fn named(mut self, name: &'t str, start: usize) -> Self {
        if let [Some((_, symbol)), None, ..] = &mut self.symbols {
            (symbol.name, symbol.start) = (name, start);
        }
        self
    }

    fn first_symbol(&self) -> Option<Symbol<'t>> {
        self.symbols.iter().flatten().map(|(_, symbol)| *symbol).next()
    }
}

/// A binary operator with its precedence.
type Operator = (&'static str, u8, Operation);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Operation {
    Multiply,
    Divide,
    Remainder,
    ShiftLeft,
    ShiftRight,
    Or,
    And,
    Xor,
    OrNot,
    Add,
    Subtract,
    Equal,
    NotEqual,
    Less,
    Greater,
    GreaterOrEqual,
    LessOrEqual,
    LogicalAnd,
    LogicalOr,
}

/// All binary operators. An operator that begins with another operator precedes it.
const OPERATORS: [Operator; 20] = [
    ("<<", 6, Operation::ShiftLeft),
    (">>", 6, Operation::ShiftRight),
    ("<>", 3, Operation::NotEqual),
    ("!=", 3, Operation::NotEqual),
    ("==", 3, Operation::Equal),
    (">=", 3, Operation::GreaterOrEqual),
    ("<=", 3, Operation::LessOrEqual),
    ("&&", 2, Operation::LogicalAnd),
    ("||", 1, Operation::LogicalOr),
    ("*", 6, Operation::Multiply),
    ("/", 6, Operation::Divide),
    ("%", 6, Operation::Remainder),
    ("|", 5, Operation::Or),
    ("&", 5, Operation::And),
    ("^", 5, Operation::Xor),
    ("!", 5, Operation::OrNot),
    ("+", 4, Operation::Add),
    ("-", 4, Operation::Subtract),
    ("<", 3, Operation::Less),
    (">", 3, Operation::Greater),
];

impl Operation {
    /// Computes the operation for two numbers.
    fn of_numbers(self, a: i128, b: i128) -> Result<i128, &'static str> {
        const TOO_LARGE: &str = "the result has more than 128 bits";
        const BY_ZERO: &str = "division by zero";
        let (truth, logical) = (|is: bool| -i128::from(is), |is: bool| i128::from(is));
        let checked = match self {
            Operation::Multiply => a.checked_mul(b),
            Operation::Divide | Operation::Remainder if b == 0 => return Err(BY_ZERO),
            Operation::Divide => a.checked_div(b),
            Operation::Remainder => a.checked_rem(b),
            Operation::ShiftLeft | Operation::ShiftRight if !(0..64).contains(&b) => {
                return Err("shift count out of range: expected a number from 0 to 63");
            }
            Operation::ShiftLeft => a.checked_mul(1 << b),
            // A negative number is shifted as its 64 bits in two's complement.
            Operation::ShiftRight if a < 0 => Some(i128::from((a as u64 >> b).cast_signed())),
            Operation::ShiftRight => Some(a >> b),
            Operation::Or => Some(a | b),
            Operation::And => Some(a & b),
            Operation::Xor => Some(a ^ b),
            Operation::OrNot => Some(a | !b),
            Operation::Add => a.checked_add(b),
            Operation::Subtract => a.checked_sub(b),
            Operation::Equal => Some(truth(a == b)),
            Operation::NotEqual => Some(truth(a != b)),
            Operation::Less => Some(truth(a < b)),
            Operation::Greater => Some(truth(a > b)),
            Operation::GreaterOrEqual => Some(truth(a >= b)),
            Operation::LessOrEqual => Some(truth(a <= b)),
            Operation::LogicalAnd => Some(logical(a != 0 && b != 0)),
            Operation::LogicalOr => Some(logical(a != 0 || b != 0)),
        };
        checked.ok_or(TOO_LARGE)
    }
}

/// The operators that small modules support.
const SUMS: &[Operator] = &[("+", 4, Operation::Add), ("-", 4, Operation::Subtract)];

/// A parser of one expression.
pub(super) struct Expression<'c, 't> {
    cursor: &'c mut Cursor<'t>,
    /// Returns the value of a name at a position.
    names: &'c mut dyn FnMut(&'t str, usize) -> Value<'t>,
    /// A position from which on no operator belongs to the expression.
    limit: usize,
    /// Whether operators are parsed, but not computed.
    is_dry: bool,
    nested: u8,
    /// The positions of the binary operators outside parentheses, in order.
    pub(super) operators: Vec<usize>,
    /// Whether the text is not an expression; other errors are errors of its value.
    pub(super) is_malformed: bool,
}

impl<'c, 't> Expression<'c, 't> {
    pub(super) fn new(
        cursor: &'c mut Cursor<'t>,
        names: &'c mut dyn FnMut(&'t str, usize) -> Value<'t>,
    ) -> Self {
        Expression {
            cursor,
            names,
            limit: usize::MAX,
            is_dry: false,
            nested: 0,
            operators: Vec::new(),
            is_malformed: false,
        }
    }

    /// Parses only operators before a position.
    pub(super) fn up_to(self, limit: usize) -> Self {
        Expression { limit, ..self }
    }

    /// Parses without computing operators.
    pub(super) fn dry(self) -> Self {
        Expression { is_dry: true, ..self }
    }

    /// Parses the expression and returns its value.
    pub(super) fn value(&mut self) -> Result<Value<'t>, OperandError> {
        self.binary(1)
    }

    /// Parses operands with binary operators of at least this precedence between them.
    fn binary(&mut self, lowest: u8) -> Result<Value<'t>, OperandError> {
        let mut left = self.operand()?;
        loop {
            let behind = self.cursor.position();
            self.cursor.skip_trivia();
            let at = self.cursor.position();
            let (text, rest) = (self.cursor.text(), self.cursor.rest());
            let operators = if IS_SMALL { SUMS } else { &OPERATORS };
            let found = operators.iter().find(|(sign, ..)| rest.starts_with(sign.as_bytes()));
            let found = found.filter(|(_, rank, _)| *rank >= lowest && at < self.limit);
            let Some(&(sign, rank, operation)) = found else {
                self.cursor.seek(behind);
                return Ok(left);
            };
            debug_assert!(text.len() >= at + sign.len());
            if self.nested == 0 {
                self.operators.push(at);
            }
            self.cursor.seek(at + sign.len());
            let right = self.binary(rank + 1)?;
            if !self.is_dry {
                left = self.computed(operation, left, right, at..at + sign.len())?;
            }
        }
    }

    /// Computes a binary operator at `span`.
    fn computed(
        &self,
        operation: Operation,
        left: Value<'t>,
        right: Value<'t>,
        span: core::ops::Range<usize>,
    ) -> Result<Value<'t>, OperandError> {
        let fault = |message| OperandError::new(span.clone(), message);
        let too_large = || fault("the result has more than 128 bits or too many labels");
        let difference = || right.negated().and_then(|right| left.plus(right));
        let is_compared = matches!(OPERATORS.iter().find(|it| it.2 == operation), Some((_, 3, _)));
        match operation {
            Operation::Add => return left.plus(right).ok_or_else(too_large),
            Operation::Subtract => return difference().ok_or_else(too_large),
            _ if IS_SMALL => return Err(too_large()),
            // Addresses of one section can be compared.
            _ if is_compared && left.first_symbol().is_some() => {
                let distance = difference().ok_or_else(too_large)?;
                let number = self.number(distance)?;
                return operation.of_numbers(number, 0).map(Value::of_number).map_err(fault);
            }
            _ => {}
        }
        let (left, right) = (self.number(left)?, self.number(right)?);
        operation.of_numbers(left, right).map(Value::of_number).map_err(fault)
    }

    /// Returns the value as a number. Labels in it are an error.
    fn number(&self, value: Value<'t>) -> Result<i128, OperandError> {
        match value.first_symbol() {
            Some(symbol) => Err(not_a_number(self.cursor, symbol)),
            None => Ok(value.number),
        }
    }

    /// Parses an operand with its unary operators.
    fn operand(&mut self) -> Result<Value<'t>, OperandError> {
        let first = self.cursor.peek();
        let at = self.cursor.position();
        match first {
            Some(sign @ (b'-' | b'+' | b'~' | b'!')) => {
                self.cursor.seek(at + 1);
                let value = self.enter(at, Self::operand)?;
                let fault = || OperandError::new(at..at + 1, "the result has more than 128 bits");
                match sign {
                    _ if self.is_dry => Ok(value),
                    b'+' => Ok(value),
                    b'-' => value.negated().ok_or_else(fault),
                    _ if IS_SMALL => Err(self.malformed(at, "expected a number or a label")),
                    b'~' => self.number(value).map(|number| Value::of_number(!number)),
                    _ => {
                        let number = self.number(value)?;
                        Ok(Value::of_number(i128::from(number == 0)))
                    }
                }
            }
            Some(b'(') => {
                self.cursor.seek(at + 1);
                let limit = core::mem::replace(&mut self.limit, usize::MAX);
                let value = self.enter(at, |it| it.binary(1))?;
                self.limit = limit;
                let behind = self.cursor.position();
                if !self.cursor.eat(b')') {
                    self.cursor.seek(behind);
                    return Err(self.malformed(behind, "expected an operator or `)`"));
                }
                Ok(value)
            }
            Some(b'\'') if !IS_SMALL => match character(self.cursor.rest()) {
                Some((number, length)) => {
                    self.cursor.seek(at + length);
                    Ok(Value::of_number(number.into()))
                }
                None => Err(self.malformed(at, "expected a character after `'`, such as `'a'`")),
            },
            Some(b'0'..=b'9') => {
                let number = self.cursor.number().and_then(|number| {
                    let number = i128::try_from(number);
                    number.map_err(|_| self.cursor.fault(at, "the number has more than 127 bits"))
                });
                self.is_malformed |= number.is_err();
                number.map(Value::of_number)
            }
            Some(_) if begins_name(self.cursor.rest()) => {
                let name = self.cursor.name();
                Ok((self.names)(name, at))
            }
            _ => Err(self.malformed(at, "expected a number, a label or `(`")),
        }
    }

    /// Parses with `parse` one level deeper. `at` is the position of the operator or parenthesis.
    fn enter(
        &mut self,
        at: usize,
        parse: impl FnOnce(&mut Self) -> Result<Value<'t>, OperandError>,
    ) -> Result<Value<'t>, OperandError> {
        if self.nested == MOST_NESTED {
            let message = "the expression is nested too deeply: expected at most 64 levels";
            return Err(OperandError::new(at..at + 1, message));
        }
        self.nested += 1;
        let value = parse(self);
        self.nested -= 1;
        value
    }

    fn malformed(&mut self, at: usize, message: &'static str) -> OperandError {
        self.is_malformed = true;
        self.cursor.fault(at, message)
    }
}

/// Returns the error for a label in a position that requires a number.
fn not_a_number(cursor: &Cursor<'_>, symbol: Symbol<'_>) -> OperandError {
    let labels = cursor.context_unasked().map(|site| site.labels);
    let is_label = labels.is_none_or(|labels| labels.has(symbol.name));
    let is_known = symbol.name == "." || symbol.place.is_some() && is_label;
    let (cause, message) = match is_known {
        true => (Cause::Text, "expected a number, found an address: subtract another address"),
        false => (Cause::UnknownConstant, "unknown constant"),
    };
    let span = symbol.start..symbol.start + symbol.name.len();
    OperandError { cause, ..OperandError::new(span, message) }
}

/// Returns the error for a label in a value that must be a label plus a number, or a number.
pub(super) fn superfluous(symbol: Symbol<'_>) -> OperandError {
    let (cause, message) = match symbol.place {
        None => (Cause::UnknownLabel, "unknown label"),
        Some(_) => (
            Cause::Text,
            "expected at most one address, or the distance between two labels of one section",
        ),
    };
    let span = symbol.start..symbol.start + symbol.name.len();
    OperandError { cause, ..OperandError::new(span, message) }
}

/// Returns the value of a name in a program: its number if it is a constant, and otherwise a label.
pub(super) fn of_name<'t>(site: &InstructionContext<'_>, name: &'t str, start: usize) -> Value<'t> {
    if let Some(number) = site.labels.constant(name) {
        return Value::of_number(number);
    }
    if name == "." {
        site.ask();
    }
    Value::of_symbol(Symbol { name, start, place: site.labels.place(name, site.address) })
}

/// Parses an expression at the cursor. Without a program, names are labels without an address.
pub(super) fn value<'t>(cursor: &mut Cursor<'t>) -> Result<Value<'t>, OperandError> {
    value_at(cursor, 0)
}

/// Parses an expression like [`value`]. `.` is the address `further` bytes after the start of the
/// statement.
pub(super) fn value_at<'t>(
    cursor: &mut Cursor<'t>,
    further: u64,
) -> Result<Value<'t>, OperandError> {
    let site = cursor.context_unasked();
    let mut names = |name: &'t str, start| match site {
        Some(site) if name == "." => {
            let here = of_name(site, name, start);
            Value { number: further.into(), ..here }
        }
        Some(site) => of_name(site, name, start),
        None => Value::of_symbol(Symbol { name, start, place: None }),
    };
    Expression::new(cursor, &mut names).value()
}

/// Parses an expression whose value must be a number.
pub(super) fn number(cursor: &mut Cursor<'_>) -> Result<i128, OperandError> {
    let value = value(cursor)?;
    match value.first_symbol() {
        Some(symbol) => Err(not_a_number(cursor, symbol)),
        None => Ok(value.number),
    }
}
