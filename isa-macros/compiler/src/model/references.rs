//! References in documentation: [`ra.neg`], [`HSel2::H1_H0`], [`HADD2_RR`]. Names of the
//! specification are resolved. They become links if there is a Rust item, or else plain code.

use std::collections::BTreeMap;

use proc_macro2::{Group, Ident, Literal, Span, TokenStream, TokenTree};
use syn::LitStr;

use super::{FieldType, Model};
use crate::diag::{Code, Diagnostics, nearest};
use crate::syntax::ast::Docs;

/// The associated items of a set of values, other than its values.
const OF_SETS: &[&str] = &["ALL", "KIND", "from_bits", "to_bits", "name"];

/// Words that have a meaning in Rust, even if they are similar to a name.
const OF_RUST: &[&str] = &[
    "Box", "Clone", "Copy", "Debug", "Default", "Display", "Err", "From", "FromStr", "Into",
    "None", "Ok", "Option", "Result", "Self", "Some", "String", "Vec", "bool", "char", "crate",
    "f32", "f64", "i8", "i16", "i32", "i64", "i128", "isize", "self", "str", "super", "u8", "u16",
    "u32", "u64", "u128", "usize",
];

/// Resolves the references of all documentation. Imported documentation was checked in its own
/// call.
pub(crate) fn resolve_references(model: &mut Model, diag: &mut Diagnostics) {
    if !all_docs(model).any(has_reference) {
        return;
    }
    let known = DeclaredNames::of(model);
    let mut resolve = |docs: &mut Docs, own: bool, item: Option<(&str, &Ident)>| {
        if has_reference(docs) {
            if let Some((keyword, name)) = item {
                diag.at_item(keyword, name);
            }
            known.resolve(docs, own, diag);
            diag.leave_item();
        }
    };
    resolve(&mut model.header.docs, true, None);
    for kind in &mut model.field_types {
        let own = kind.origin.is_this_call();
        let keyword = if kind.is_set() { "enum" } else { "operand" };
        let item = Some((keyword, &kind.name));
        resolve(&mut kind.docs, own, item);
        if let super::FieldTypeKind::Set(values) = &mut kind.shape {
            values.docs_mut().for_each(|docs| resolve(docs, own, item));
        }
    }
    for field in &mut model.fields {
        let node = &model.nodes[field.node];
        let item = Some((node.level.keyword(), &node.name));
        resolve(&mut field.docs, node.origin.is_this_call(), item);
    }
    for node in &mut model.nodes {
        let item = Some((node.level.keyword(), &node.name));
        resolve(&mut node.docs, node.origin.is_this_call(), item);
    }
}

/// Returns all documentation that may contain references.
fn all_docs(model: &Model) -> impl Iterator<Item = &Docs> {
    let values = model.field_types.iter().flat_map(FieldType::values).map(|value| &value.docs);
    let kinds = model.field_types.iter().map(|kind| &kind.docs);
    let fields = model.fields.iter().map(|field| &field.docs);
    let nodes = model.nodes.iter().map(|node| &node.docs);
    [&model.header.docs].into_iter().chain(kinds).chain(values).chain(fields).chain(nodes)
}

fn has_reference(docs: &Docs) -> bool {
    docs.text.contains("[`")
}

/// The target of a reference.
enum ReferenceTarget {
    /// A name of the specification for which there is no Rust item here.
    Plain,
    /// A Rust item with the spelling of the reference.
    Item,
    /// The Rust item with this name.
    Link(String),
    /// A name that does not belong to the specification.
    Foreign,
    /// An unknown name, and the name that was probably intended.
    Missing(Option<String>),
}

/// The names of a specification.
struct DeclaredNames {
    names: BTreeMap<String, ReferenceTarget>,
    /// The values of each set, and whether this call declares the set.
    sets: BTreeMap<String, (Vec<String>, bool)>,
}

impl DeclaredNames {
    fn of(model: &Model) -> Self {
        let mut names = BTreeMap::new();
        let plain = |name: &dyn ToString| (name.to_string(), ReferenceTarget::Plain);
        names.extend(
            model.field_types.iter().flat_map(FieldType::values).map(|value| plain(&value.name)),
        );
        names.extend(model.fields.iter().map(|field| plain(&field.text)));
        names.extend(model.nodes.iter().map(|node| plain(&node.name)));
        names.extend(model.formats.iter().map(|format| plain(&format.name)));
        names.extend(model.field_types.iter().map(|kind| {
            let item = kind.origin.is_this_call() && kind.is_known();
            (
                kind.name.to_string(),
                if item { ReferenceTarget::Item } else { ReferenceTarget::Plain },
            )
        }));
        for opcode in &model.opcodes {
            let ty = opcode.type_name.to_string();
            names.insert(opcode.name.to_string(), ReferenceTarget::Link(ty.clone()));
            names.insert(ty, ReferenceTarget::Item);
        }
        let empty = model.opcodes.is_empty() && model.included.is_empty();
        let set = if empty { ReferenceTarget::Plain } else { ReferenceTarget::Item };
        names.insert(model.header.name.to_string(), set);
        let sets = model.field_types.iter().filter(|kind| kind.is_set()).map(|kind| {
            let values = kind.values().iter().flat_map(|value| {
                let also = value.also.iter().map(|other| other.ident.to_string());
                std::iter::once(value.name.to_string()).chain(also)
            });
            (kind.name.to_string(), (values.collect(), kind.origin.is_this_call()))
        });
        let sets = sets.collect();
        DeclaredNames { names, sets }
    }

    /// Resolves the references in `docs`, and rewrites them so that rustdoc finds the items. In
    /// text that is not for rustdoc, such as tables, the references become plain code.
    fn resolve(&self, docs: &mut Docs, own: bool, diag: &mut Diagnostics) {
        let (mut text, mut fenced) = (String::new(), false);
        docs.attrs = map_docs(docs.attrs.clone(), &mut |line, span| {
            let (mut linked, mut plain) = (Vec::new(), Vec::new());
            for line in line.split('\n') {
                fenced ^= line.trim_start().starts_with("```");
                let (for_rustdoc, for_text) = match fenced {
                    true => (line.to_owned(), line.to_owned()),
                    false => self.line(line, span, own, diag),
                };
                linked.push(for_rustdoc);
                plain.push(for_text);
            }
            text.push_str(&plain.join("\n"));
            text.push('\n');
            linked.join("\n")
        });
        docs.text = text;
    }

    /// Returns a line for rustdoc, and the line for text.
    fn line(&self, line: &str, span: Span, own: bool, diag: &mut Diagnostics) -> (String, String) {
        let (mut linked, mut plain, mut rest) = (String::new(), String::new(), line);
        while let Some((before, reference, behind)) = next_reference(rest) {
            linked.push_str(before);
            plain.push_str(before);
            let code = format!("`{reference}`");
            let meaning = self.meaning(reference);
            if let ReferenceTarget::Missing(meant) = &meaning
                && own
            {
                report(reference, meant.as_deref(), span, diag);
            }
            linked.push_str(&match &meaning {
                ReferenceTarget::Link(ty) if own => format!("[{code}]({ty})"),
                ReferenceTarget::Item if own => format!("[{code}]"),
                ReferenceTarget::Foreign => format!("[{code}]"),
                _ => code.clone(),
            });
            plain.push_str(&match &meaning {
                ReferenceTarget::Foreign => format!("[{code}]"),
                _ => code,
            });
            rest = behind;
        }
        (linked + rest, plain + rest)
    }

    fn meaning(&self, reference: &str) -> ReferenceTarget {
        if let Some((set, value)) = reference.split_once("::") {
            return match self.sets.get(set) {
                None => ReferenceTarget::Foreign,
                Some(_) if OF_SETS.contains(&value) => ReferenceTarget::Item,
                Some((values, own)) if values.iter().any(|known| known == value) => match own {
                    true if syn::parse_str::<syn::Ident>(value).is_ok() => ReferenceTarget::Item,
                    _ => ReferenceTarget::Plain,
                },
                Some((values, _)) => {
                    let meant = nearest(value, values.iter().map(String::as_str));
                    ReferenceTarget::Missing(meant.map(|meant| format!("{set}::{meant}")))
                }
            };
        }
        match self.names.get(reference) {
            Some(ReferenceTarget::Link(ty)) => return ReferenceTarget::Link(ty.clone()),
            Some(ReferenceTarget::Item) => return ReferenceTarget::Item,
            Some(_) => return ReferenceTarget::Plain,
            None => {}
        }
        let capital = |name: &str| name.starts_with(char::is_uppercase);
        let names = || self.names.keys().map(String::as_str);
        let alike = names().filter(|name| capital(name) == capital(reference));
        let meant = nearest(reference, alike).or_else(|| nearest(reference, names()));
        let meant = meant.map(str::to_owned);
        match meant {
            None if !reference.contains('.') => ReferenceTarget::Foreign,
            _ if OF_RUST.contains(&reference) => ReferenceTarget::Foreign,
            meant => ReferenceTarget::Missing(meant),
        }
    }
}

fn report(reference: &str, meant: Option<&str>, span: Span, diag: &mut Diagnostics) {
    let hint = meant.map(|meant| format!("; did you mean `{meant}`?")).unwrap_or_default();
    let message = format!(
        "the documentation refers to `{reference}`, but the specification does not contain \
         it{hint}\nhelp: remove the brackets, or add the target of the link: \
         [`{reference}`](path)"
    );
    diag.error(Code::UnknownReference, span, message);
}

/// Returns the next [`name`] without a target: the text before it, the name, and the text after it.
fn next_reference(text: &str) -> Option<(&str, &str, &str)> {
    let mut from = 0;
    loop {
        let open = from + text.get(from..)?.find("[`")?;
        let inside = open + 2;
        let close = inside + text.get(inside..)?.find('`')?;
        let name = &text[inside..close];
        let behind = &text[close + 1..];
        let target =
            behind.starts_with("](") || behind.starts_with("][") || behind.starts_with("]:");
        if behind.starts_with(']') && !target && is_reference(name) && !text[..open].ends_with('\\')
        {
            return Some((&text[..open], name, &behind[1..]));
        }
        from = close + 1;
    }
}

/// Returns whether the text is a name, `name.part` or `Set::VALUE`.
fn is_reference(text: &str) -> bool {
    let is_name = |part: &str| {
        let mut letters = part.chars();
        letters.next().is_some_and(|c| c.is_alphabetic() || c == '_')
            && letters.all(|c| c.is_alphanumeric() || c == '_')
    };
    let parts: Vec<&str> = match text.split_once("::") {
        Some((set, value)) => vec![set, value],
        None => text.split('.').collect(),
    };
    parts.len() <= 2 && parts.into_iter().all(is_name)
}

/// Returns the attributes after changing the text of each `#[doc = "..."]`.
fn map_docs(attrs: TokenStream, change: &mut dyn FnMut(&str, Span) -> String) -> TokenStream {
    let tree = |tree: TokenTree| match tree {
        TokenTree::Group(group) => TokenTree::Group(map_doc(&group, change)),
        other => other,
    };
    attrs.into_iter().map(tree).collect()
}

fn map_doc(group: &Group, change: &mut dyn FnMut(&str, Span) -> String) -> Group {
    let mut trees: Vec<TokenTree> = group.stream().into_iter().collect();
    if let [TokenTree::Ident(word), TokenTree::Punct(_), value] = &mut trees[..]
        && word == "doc"
        && let Ok(text) = syn::parse2::<LitStr>(value.clone().into())
    {
        let mut literal = Literal::string(&change(&text.value(), text.span()));
        literal.set_span(text.span());
        *value = literal.into();
    }
    let mut copy = Group::new(group.delimiter(), trees.into_iter().collect());
    copy.set_span(group.span());
    copy
}
