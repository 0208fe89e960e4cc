//! The block of a `machine` item: the classes of the methods of the machine.

use proc_macro2::{Ident, Span, TokenStream};
use syn::ext::IdentExt;
use syn::parse::ParseStream;
use syn::punctuated::Punctuated;
use syn::{Result, Token};

use super::ast::{MachineMethod, MethodClass};
use super::common::help;
use super::split;
use crate::diag::{Code, Diagnostics, did_you_mean};

const FORM: &str = "a class of methods is `pc: method, method;`, `jump: method;`, `load: method;`, \
                    `store: method;` or `state: method;`";

/// A line of the block: a class, its position, and its methods.
struct ClassLine {
    class: MethodClass,
    span: Span,
    methods: Vec<Ident>,
}

/// Parses the lines of the block. A line with an error is reported and left out.
pub(super) fn parse_method_classes(
    block: TokenStream,
    diag: &mut Diagnostics,
) -> Vec<MachineMethod> {
    let mut classes: Vec<(MethodClass, Span)> = Vec::new();
    let mut known: Vec<MachineMethod> = Vec::new();
    for statement in split::statements(block) {
        let ClassLine { class, span, methods } = match split::parse(statement, parse_line) {
            Ok(line) => line,
            Err(error) => {
                diag.syntax(help(error, FORM));
                continue;
            }
        };
        if let Some((_, first)) = classes.iter().find(|(other, _)| *other == class) {
            diag.repeated(class.keyword(), "the block of `machine`", span, *first);
            continue;
        }
        classes.push((class, span));
        for name in methods {
            add_method(MachineMethod { class, name }, &mut known, diag);
        }
    }
    known
}

/// Parses `load: load, swap`.
fn parse_line(input: ParseStream<'_>) -> Result<ClassLine> {
    let keyword = Ident::parse_any(input)?;
    let Some(class) = MethodClass::ALL.into_iter().find(|class| keyword == class.keyword()) else {
        let hint = did_you_mean(&keyword.to_string(), MethodClass::ALL.map(MethodClass::keyword));
        let message = format!("expected a class of methods, found `{keyword}`{hint}");
        return Err(syn::Error::new(keyword.span(), message));
    };
    let colon = input.parse::<Token![:]>()?;
    if input.is_empty() {
        let message = format!("expected the names of methods of the class `{keyword}`");
        return Err(syn::Error::new(colon.span, message));
    }
    let methods = Punctuated::<Ident, Token![,]>::parse_terminated_with(input, Ident::parse_any)?;
    let methods = methods.iter().map(Ident::unraw).collect();
    Ok(ClassLine { class, span: keyword.span(), methods })
}

/// Adds a method. A method may be in several classes, but only once in each class. A method in `state`
/// is in no other class.
fn add_method(method: MachineMethod, known: &mut Vec<MachineMethod>, diag: &mut Diagnostics) {
    let MachineMethod { class, name } = &method;
    let is_state = |class| class == MethodClass::State;
    let mut same = known.iter().filter(|other| other.name == *name);
    let repeated = same.clone().find(|other| other.class == *class);
    let contradicts = same.find(|other| is_state(other.class) || is_state(*class));
    let span = name.span();
    if let Some(first) = repeated {
        let place = format!("the class `{}`", class.keyword());
        diag.repeated(&name.to_string(), &place, span, first.name.span());
    } else if let Some(first) = contradicts {
        let message = format!(
            "`{name}` is in the classes `{}` and `{}`\nhelp: remove it from `state`, whose methods \
             access only registers and flags",
            first.class.keyword(),
            class.keyword()
        );
        let note = format!("first `{name}` here");
        diag.error_with(Code::Repeated, span, message, first.name.span(), note);
    } else {
        known.push(method);
    }
}
