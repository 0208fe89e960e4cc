//! Conditions over fields, as written, and the statements that consist of a condition.

use proc_macro2::{Ident, Span, TokenStream};

use super::{FeatureCondition, FieldName, NumberLiteral, ValueRef};

/// A condition as written.
#[derive(Debug)]
pub(crate) enum Condition {
    /// The terms of a chain are stored in one list, so the depth of the tree does not grow with the
    /// length of the chain.
    And(Vec<Condition>),
    Or(Vec<Condition>),
    Not(Box<Condition>),
    /// `field == value`, `field != value`, `field in {a, 4..=7}`. If a single name after `==` or
    /// `!=` is not a value, it is the name of a field.
    Is {
        field: FieldName,
        values: Vec<ListedValue>,
        negated: bool,
    },
    /// `imms + 1 == immr`, `imms < 3`
    Compare(Comparison),
    /// `crate::is_move_wide(imm)`
    Call(FunctionCall),
}

/// `EncodingError<IllegalBitFieldCombination, "..."> = condition;`
#[derive(Debug)]
pub(crate) struct ExceptionDecl {
    pub(crate) class: Ident,
    pub(crate) reason: String,
    pub(crate) condition: Condition,
    /// `requires SM90`: the features with which the exception applies.
    pub(crate) requires: Option<FeatureCondition>,
    /// The position of the keyword.
    pub(crate) span: Span,
}

/// `if condition else word<32>`: the condition of the long words, and the width of all other words.
#[derive(Debug)]
pub(crate) struct ShortWordDecl {
    pub(crate) condition: Condition,
    pub(crate) width: NumberLiteral,
    /// The position of the keyword `if`.
    pub(crate) span: Span,
}

/// `where condition;`
#[derive(Debug)]
pub(crate) struct WhereDecl {
    pub(crate) condition: Condition,
    /// The position of the keyword.
    pub(crate) span: Span,
}

/// A call of a Rust function that decides whether a condition holds. The arguments are fields.
#[derive(Debug)]
pub(crate) struct FunctionCall {
    pub(crate) path: TokenStream,
    /// The arguments, at least one.
    pub(crate) fields: Vec<FieldName>,
}

impl FunctionCall {
    /// Returns the path without the arguments.
    pub(crate) fn name(&self) -> String {
        // A path from another call begins with `$crate`.
        self.path.to_string().replace([' ', '$'], "")
    }

    pub(crate) fn text(&self) -> String {
        let fields: Vec<String> = self.fields.iter().map(FieldName::dotted).collect();
        format!("{}({})", self.name(), fields.join(", "))
    }
}

/// An element of a list of values.
#[derive(Debug)]
pub(crate) enum ListedValue {
    One(ValueRef),
    /// `4..=7`: the first and the last number.
    Range(NumberLiteral, NumberLiteral),
}

/// A comparison of two sums. At least one of them contains a field.
#[derive(Debug)]
pub(crate) struct Comparison {
    pub(crate) left: FieldSum,
    pub(crate) sign: ComparisonOperator,
    pub(crate) right: FieldSum,
    /// The position of the operator.
    pub(crate) span: Span,
}

/// A sum of numbers and at most one field. Numbers may be subtracted.
#[derive(Debug)]
pub(crate) struct FieldSum {
    pub(crate) terms: Vec<Term>,
}

#[derive(Debug)]
pub(crate) enum Term {
    Field(FieldName),
    /// A number, and whether it is subtracted.
    Number(NumberLiteral, bool),
}

/// A comparison operator.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ComparisonOperator {
    Equal,
    Unequal,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
}

impl ComparisonOperator {
    pub(crate) const ALL: [ComparisonOperator; 6] = [
        ComparisonOperator::Equal,
        ComparisonOperator::Unequal,
        ComparisonOperator::Less,
        ComparisonOperator::LessOrEqual,
        ComparisonOperator::Greater,
        ComparisonOperator::GreaterOrEqual,
    ];

    /// Returns the operator of the negated comparison.
    pub(crate) fn negated(self) -> ComparisonOperator {
        match self {
            ComparisonOperator::Equal => ComparisonOperator::Unequal,
            ComparisonOperator::Unequal => ComparisonOperator::Equal,
            ComparisonOperator::Less => ComparisonOperator::GreaterOrEqual,
            ComparisonOperator::LessOrEqual => ComparisonOperator::Greater,
            ComparisonOperator::Greater => ComparisonOperator::LessOrEqual,
            ComparisonOperator::GreaterOrEqual => ComparisonOperator::Less,
        }
    }

    /// Returns the operator for the same comparison with exchanged operands.
    pub(crate) fn turned(self) -> ComparisonOperator {
        match self {
            ComparisonOperator::Equal | ComparisonOperator::Unequal => self,
            ComparisonOperator::Less => ComparisonOperator::Greater,
            ComparisonOperator::LessOrEqual => ComparisonOperator::GreaterOrEqual,
            ComparisonOperator::Greater => ComparisonOperator::Less,
            ComparisonOperator::GreaterOrEqual => ComparisonOperator::LessOrEqual,
        }
    }

    /// Returns whether the operator compares by order, not only for equality.
    pub(crate) fn is_order(self) -> bool {
        !matches!(self, ComparisonOperator::Equal | ComparisonOperator::Unequal)
    }

    pub(crate) fn text(self) -> &'static str {
        match self {
            ComparisonOperator::Equal => "==",
            ComparisonOperator::Unequal => "!=",
            ComparisonOperator::Less => "<",
            ComparisonOperator::LessOrEqual => "<=",
            ComparisonOperator::Greater => ">",
            ComparisonOperator::GreaterOrEqual => ">=",
        }
    }
}

impl FieldSum {
    /// Returns the field, if there is one.
    pub(crate) fn field(&self) -> Option<&FieldName> {
        self.terms.iter().find_map(|term| match term {
            Term::Field(field) => Some(field),
            Term::Number(..) => None,
        })
    }

    /// Returns the sum of the numbers.
    pub(crate) fn number(&self) -> i128 {
        let numbers = self.terms.iter().map(|term| match term {
            Term::Field(_) => 0,
            Term::Number(number, false) => i128::from(number.value),
            Term::Number(number, true) => -i128::from(number.value),
        });
        numbers.sum()
    }

    /// Returns whether the sum is only a field.
    pub(crate) fn is_field(&self) -> bool {
        matches!(&self.terms[..], [Term::Field(_)])
    }

    fn text(&self) -> String {
        let mut text = String::new();
        for (place, term) in self.terms.iter().enumerate() {
            let (minus, shown) = match term {
                Term::Field(field) => (false, field.dotted()),
                Term::Number(number, minus) => (*minus, number.value.to_string()),
            };
            if place > 0 {
                text += if minus { " - " } else { " + " };
            }
            text += &shown;
        }
        text
    }
}

impl Condition {
    /// Returns the condition as text.
    pub(crate) fn text(&self) -> String {
        self.shown(false)
    }

    /// Returns the negated condition as text.
    pub(crate) fn opposite(&self) -> String {
        match self {
            Condition::Not(inner) => inner.text(),
            Condition::Is { field, values, negated } if values.len() == 1 => {
                shown_values(field, values, !negated)
            }
            Condition::Compare(comparison) => comparison.shown(comparison.sign.negated()),
            _ => format!("not {}", self.shown(true)),
        }
    }

    /// Returns the text, in parentheses if it needs them inside another condition.
    fn shown(&self, inner: bool) -> String {
        let joined = |terms: &[Condition], between: &str| {
            let terms: Vec<String> = terms.iter().map(|term| term.shown(true)).collect();
            terms.join(between)
        };
        let text = match self {
            Condition::And(terms) => joined(terms, " and "),
            Condition::Or(terms) => joined(terms, " or "),
            Condition::Not(a) => return format!("not {}", a.shown(true)),
            Condition::Is { field, values, negated } => {
                return shown_values(field, values, *negated);
            }
            Condition::Compare(comparison) => return comparison.shown(comparison.sign),
            Condition::Call(call) => return call.text(),
        };
        if inner { format!("({text})") } else { text }
    }
}

impl Comparison {
    fn shown(&self, sign: ComparisonOperator) -> String {
        format!("{} {} {}", self.left.text(), sign.text(), self.right.text())
    }
}

fn shown_values(field: &FieldName, values: &[ListedValue], negated: bool) -> String {
    let field = field.dotted();
    if let [ListedValue::One(value)] = values {
        let sign = if negated { "!=" } else { "==" };
        return format!("{field} {sign} {}", value.text());
    }
    let values = values.iter().map(|value| match value {
        ListedValue::One(value) => value.text(),
        ListedValue::Range(first, last) => format!("{}..={}", first.value, last.value),
    });
    let list = values.collect::<Vec<_>>().join(", ");
    if negated { format!("not {field} in {{{list}}}") } else { format!("{field} in {{{list}}}") }
}
