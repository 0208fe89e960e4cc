//! Names and paths of generated items, and clashes between them.

use std::collections::BTreeMap;

use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use quote::{format_ident, quote};

use super::{FieldType, FieldTypeKind, Model, Opcode, OperandFormat, ResolvedField, describe};
use crate::core_path::CORE;
use crate::diag::{Code, Diagnostics};
use crate::syntax::ast::{NodeDecl, Origin};

/// The methods of every instruction. Fields must not have these names.
const METHODS: &[&str] = &["new", "decode", "from_decoded", "encode", "operands", "execute"];

/// The methods of a set's enum.
pub(crate) const SET_METHODS: [&str; 20] = [
    "decode",
    "decode_with",
    "decode_first",
    "encode",
    "opcode",
    "operands",
    "flow",
    "with_modifiers_of",
    "parse_at",
    "parse_with",
    "at",
    "execute",
    "execute_warp",
    "executor",
    "warp_executor",
    "guarded_lanes",
    "clone",
    "from",
    "into",
    "to_string",
];

/// Reports names that are already used. If two opcodes have the same type name, the later opcode is
/// removed. If two fields would have the same method, the later field has no methods.
pub(crate) fn resolve_clashes(model: &mut Model, diag: &mut Diagnostics) {
    check_set_name(model, diag);
    let mut taken = type_names(model);
    model.included.retain(|included| {
        let ty = included.type_name.to_string();
        let what = format!("the included opcode `{}`", included.name);
        let Some((first, owner)) = taken.get(&ty) else {
            taken.insert(ty, (included.name.span(), what));
            return true;
        };
        let message = format!(
            "the type of {what} and {owner} are both called `{ty}`\nhelp: include each set once, \
             and use different opcode names in different sets"
        );
        let note = format!("{owner} uses the name `{ty}`");
        diag.error_with(Code::DuplicateName, included.name.span(), message, *first, note);
        false
    });
    let Model { opcodes, nodes, .. } = model;
    // The new index of each opcode.
    let (mut places, mut count) = (Vec::new(), 0);
    opcodes.retain(|opcode| {
        let ty = opcode.type_name.to_string();
        let what = describe(&nodes[opcode.node]);
        let Some((first, owner)) = taken.get(&ty) else {
            taken.insert(ty, (opcode.name.span(), what));
            places.push(Some(count));
            count += 1;
            return true;
        };
        places.push(None);
        let message = format!(
            "the type of {what} and {owner} would both be called `{ty}`; rename one of the two"
        );
        let note = format!("{owner} uses the name `{ty}`");
        diag.error_with(Code::DuplicateName, opcode.name.span(), message, *first, note);
        false
    });
    move_opcodes(model, &places);
    for index in 0..model.opcodes.len() {
        for field in method_clashes(model, &model.opcodes[index], diag) {
            model.fields[field].nameless = true;
        }
    }
}

/// Reports a set that has the same name as a type, and renames the set.
fn check_set_name(model: &mut Model, diag: &mut Diagnostics) {
    let name = model.header.name.clone();
    let Some(kind) =
        model.field_types.iter().find(|kind| kind.origin.is_this_call() && kind.name == name)
    else {
        return;
    };
    let what = if kind.is_set() { "enum" } else { "operand type" };
    let message = format!(
        "the instruction set and the {what} are both called `{name}`; rename one of the two"
    );
    let note = format!("the {what} `{name}` uses the name");
    diag.error_with(Code::DuplicateName, name.span(), message, kind.name.span(), note);
    model.header.name = Ident::new(&format!("{name}Instructions"), name.span());
}

/// Updates the indexes of opcodes. Items that belong to a removed opcode are removed too.
fn move_opcodes(model: &mut Model, places: &[Option<usize>]) {
    model.aliases.retain_mut(|alias| match places[alias.of] {
        Some(place) => {
            alias.of = place;
            true
        }
        None => false,
    });
    let opcodes = model.opcodes.iter_mut().chain(model.aliases.iter_mut().map(|a| &mut a.row));
    for opcode in opcodes {
        opcode.inside.retain_mut(|general| match places[general.opcode] {
            Some(place) => {
                general.opcode = place;
                true
            }
            None => false,
        });
    }
    for exception in &mut model.exceptions {
        exception.special = exception.special.and_then(|opcode| places[opcode]);
    }
}

/// Returns the types that do not come from opcodes of this call.
fn type_names(model: &Model) -> BTreeMap<String, (Span, String)> {
    let own = |kind: &&FieldType| kind.origin.is_this_call();
    let entry =
        |name: &Ident, what: &str| (name.to_string(), (name.span(), format!("{what} `{name}`")));
    let mut taken: BTreeMap<_, _> =
        model.field_types.iter().filter(own).map(|kind| entry(&kind.name, "the type")).collect();
    taken.extend([entry(&model.header.name, "the set")]);
    taken
}

/// Returns the fields of an opcode whose method names are used by another field or by every
/// instruction.
fn method_clashes(model: &Model, opcode: &Opcode, diag: &mut Diagnostics) -> Vec<usize> {
    let mut clashes = Vec::new();
    let mut seen: BTreeMap<String, usize> = BTreeMap::new();
    let variable = opcode.fields.iter().copied().filter(|&id| !model.fields[id].is_fixed());
    for id in variable {
        let field = &model.fields[id];
        let method = field.text.replace('.', "_");
        if METHODS.contains(&method.as_str()) {
            let message = format!(
                "a field cannot be called `{}`, because every instruction has a method \
                 `{method}`; rename the field",
                field.text
            );
            diag.error(Code::DuplicateName, field.name.span(), message);
            clashes.push(id);
            continue;
        }
        let getter = format!("get_{method}");
        let other = seen.get(&method).or_else(|| seen.get(&getter)).copied();
        if let Some(other) = other {
            let other = &model.fields[other];
            let message = format!(
                "`{}` and `{}` would both have the method `{method}`; rename one of the two",
                other.text, field.text
            );
            let note = format!("`{}` has the method `{method}`", other.text);
            let (span, first) = (field.name.span(), other.name.span());
            diag.error_with(Code::DuplicateName, span, message, first, note);
            clashes.push(id);
            continue;
        }
        seen.extend([(method, id), (getter, id)]);
    }
    clashes
}

/// Converts `HADD2_RR` to `Hadd2Rr`. A name that is already spelled as a type is not changed,
/// because an editor that renames the type also writes the new name here.
pub(super) fn type_name(node: &NodeDecl, diag: &mut Diagnostics) -> Ident {
    let name = &node.name;
    let text = name.to_string();
    let is_type = text.starts_with(|c: char| c.is_uppercase())
        && text.contains(|c: char| c.is_lowercase())
        && !text.contains('_');
    let ty = if is_type { text } else { camel(&text) };
    if ty != "Self" && syn::parse_str::<Ident>(&ty).is_ok() {
        return Ident::new(&ty, name.span());
    }
    let message = match ty.as_str() {
        "" => format!("`{name}` contains no letter, so its type would have no name"),
        _ => format!(
            "the type of `{name}` would be called `{ty}`, which is not a valid name in \
                      Rust"
        ),
    };
    // An alias has no type.
    if !node.level.is_alias() {
        let help = "rename the opcode; this does not change its mnemonic, which is in `syntax`";
        diag.error(Code::UnexpectedTokens, name.span(), format!("{message}\nhelp: {help}"));
    }
    Ident::new(&format!("Opcode{ty}"), name.span())
}

/// Returns a name that is derived from a name of the specification, with its position, so that an
/// editor can jump there.
///
/// If the spelling differs from the specification, the name belongs to the expansion. An editor
/// then refuses to rename it, because the new name would be wrong at that position.
pub(crate) fn derived(text: &str, origin: &Ident) -> Ident {
    let (place, spelled_alike) = (origin.span(), origin == text);
    let span = if spelled_alike { place } else { place.resolved_at(Span::call_site()) };
    Ident::new(text, span)
}

/// Converts `HADD2_RR` to `Hadd2Rr`.
pub(crate) fn camel(name: &str) -> String {
    let mut camel = String::new();
    for part in name.split('_') {
        let mut letters = part.chars();
        if let Some(first) = letters.next() {
            camel.extend(first.to_uppercase());
            camel.push_str(&letters.as_str().to_lowercase());
        }
    }
    camel
}

/// Returns the path of a name in the module that declares it.
pub(crate) fn at_origin(origin: &Origin, name: &Ident) -> TokenStream {
    match origin.module() {
        Some(module) => quote!(#module::#name),
        None => quote!(#name),
    }
}

/// Returns whether a path has generic arguments: `Signed<12>`.
pub(crate) fn has_arguments(path: &TokenStream) -> bool {
    path.clone().into_iter().any(|tree| matches!(tree, TokenTree::Punct(p) if p.as_char() == '<'))
}

/// Returns the path of the Rust type of a field type. It is the name under which the type is
/// imported, so rustc reports an invalid path only once, at the import.
pub(crate) fn kind_type(kind: &FieldType) -> TokenStream {
    at_origin(&kind.origin, &kind.name)
}

/// Describes a field in a documentation line: its name, its operand type and its bits.
pub(crate) fn describe_field(field: &ResolvedField, kind: &FieldType) -> String {
    let places: Vec<String> = field
        .pieces
        .iter()
        .map(|&(position, width)| match width {
            1 => format!("bit {position}"),
            _ => format!("bits {position}..={}", position + width - 1),
        })
        .collect();
    format!("`{}`: `{}`, {}", field.text, kind.name, places.join(" and "))
}

/// Returns the path of the table entry of a field type.
pub(crate) fn kind_static(kind: &FieldType) -> TokenStream {
    at_origin(&kind.origin, &hidden_kind(&kind.name))
}

/// Returns the path of the text functions of an operand type.
pub(crate) fn text_static(kind: &FieldType) -> TokenStream {
    at_origin(&kind.origin, &hidden_text(&kind.name))
}

/// Returns the path of the text functions of a format.
pub(crate) fn format_static(format: &OperandFormat) -> TokenStream {
    at_origin(&format.origin, &hidden_text(&format.name))
}

/// Returns the name of the table entry in the module of the field type.
pub(crate) fn hidden_kind(name: &Ident) -> Ident {
    format_ident!("__isa_kind_{name}")
}

/// Returns the name of the text functions in the module of the operand type or format.
pub(crate) fn hidden_text(name: &Ident) -> Ident {
    format_ident!("__isa_text_{name}")
}

/// Returns the text functions of an operand type, for assertions. Types from `isa_core` have the
/// same path in all sets.
pub(crate) fn kind_text(kind: &FieldType) -> TokenStream {
    let path = match &kind.shape {
        FieldTypeKind::Operand(path) => path.as_ref().and_then(in_core),
        _ => None,
    };
    match path {
        Some(path) => quote!(#CORE::operand::text_of::<#CORE #path>()),
        None => text_static(kind),
    }
}

/// Returns the text functions of a format, for assertions.
pub(crate) fn format_text(format: &OperandFormat) -> TokenStream {
    match format.path.as_ref().and_then(in_core) {
        Some(path) => quote!(#CORE::operand::format_of::<#CORE #path>()),
        None => format_static(format),
    }
}

/// Returns the rest of a path into `isa_core`, without the name of that crate.
fn in_core(path: &TokenStream) -> Option<TokenStream> {
    let mut trees = path.clone().into_iter();
    let first = trees.next();
    let is_core = matches!(first, Some(TokenTree::Ident(first)) if first == "isa_core");
    is_core.then(|| trees.collect())
}
