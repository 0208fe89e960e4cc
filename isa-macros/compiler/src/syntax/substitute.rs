//! Substitutes the values of loop variables in the items of loops.
//!
//! The variables of all loops around an item are substituted at once, so the nesting order of the
//! loops makes no difference.
//!
//! The number of tokens that the loops of a call produce is limited. Each token is counted before it is
//! created. So a call that produces too many tokens is rejected before it uses too much memory, and no
//! further loop of the call is expanded.

use std::cell::Cell;
use std::ffi::CString;
use std::rc::Rc;

use proc_macro2::{Delimiter, Group, Ident, Literal, Span, TokenStream, TokenTree};
use syn::ext::IdentExt;
use syn::parse::Parser;
use syn::{Error, Lit, Result};

use super::assembly_text::is_word;
use super::const_expr;
use super::split::is_dollar;
use crate::diag::{Diagnostics, did_you_mean, nearest};

/// The values of the variables of the loops around an item.
#[derive(Debug, Clone, Default)]
pub(super) struct LoopValues {
    /// The pairs of all loops, those of the outermost loop first. If a name occurs several times,
    /// the last pair with this name applies.
    pairs: Vec<(Rc<str>, Rc<[TokenTree]>)>,
    /// The number of tokens that all loops of the call may still produce.
    pub(super) budget: Budget,
}

impl LoopValues {
    /// Returns the values inside an inner loop: the values of the outer loops, and those in
    /// `inner`.
    pub(super) fn and(&self, inner: impl IntoIterator<Item = (String, Vec<TokenTree>)>) -> Self {
        let inner = inner.into_iter().map(|(name, value)| (name.into(), value.into()));
        let pairs = self.pairs.iter().cloned().chain(inner).collect();
        Self { pairs, budget: self.budget.clone() }
    }

    /// Returns whether there is a loop around the item.
    pub(super) fn is_in_loop(&self) -> bool {
        !self.pairs.is_empty()
    }

    /// Substitutes every name in an item. If an error has an obvious correction, it is reported,
    /// and the result is the corrected item.
    pub(super) fn item(
        &self,
        item: Vec<TokenTree>,
        diag: &mut Diagnostics,
    ) -> Result<Vec<TokenTree>> {
        if self.pairs.is_empty() { Ok(item) } else { self.fill(&item, TokenContext::Item, diag) }
    }

    /// Substitutes every name in tokens that are not an item.
    pub(super) fn tokens(
        &self,
        tokens: &[TokenTree],
        diag: &mut Diagnostics,
    ) -> Result<Vec<TokenTree>> {
        if self.pairs.is_empty() {
            Ok(tokens.to_vec())
        } else {
            self.fill(tokens, TokenContext::Section, diag)
        }
    }

    fn of(&self, name: &str) -> Option<&[TokenTree]> {
        let (_, value) = self.pairs.iter().rev().find(|(known, _)| **known == *name)?;
        Some(value)
    }

    /// Returns the value and the position of `$NAME`, `${NAME}` or `${NAME + 1}`. `tree` is the
    /// token tree after the `$`.
    fn behind_dollar(&self, tree: &TokenTree) -> Result<Option<(Vec<TokenTree>, Span)>> {
        let name = match tree {
            TokenTree::Ident(name) => name.clone(),
            TokenTree::Group(group) if group.delimiter() == Delimiter::Brace => {
                match syn::parse2::<Ident>(group.stream()) {
                    Ok(name) => name,
                    Err(_) => {
                        let number = self.sum(group.stream(), group.span())?;
                        return Ok(number.map(|number| (vec![number.into()], group.span())));
                    }
                }
            }
            _ => return Ok(None),
        };
        let Some(value) = self.of(&name.to_string()) else { return Ok(None) };
        self.budget.count(weight(value), name.span())?;
        Ok(Some((value.to_vec(), name.span())))
    }

    /// Evaluates an expression such as `N + 1`, if it contains the name of a loop variable.
    fn sum(&self, tokens: TokenStream, span: Span) -> Result<Option<Literal>> {
        let is_known = |name: &str| self.of(name).is_some();
        if !const_expr::is_sum(tokens.clone(), &is_known) {
            return Ok(None);
        }
        let number = const_expr::number(tokens, span, &|name| self.of(name))?;
        Ok(Some(Literal::u64_unsuffixed(number)))
    }

    /// Substitutes every name in the tokens.
    fn fill(
        &self,
        trees: &[TokenTree],
        within: TokenContext,
        diag: &mut Diagnostics,
    ) -> Result<Vec<TokenTree>> {
        let mut filled: Vec<TokenTree> = Vec::new();
        let (mut rest, mut last) = (trees, LastToken::Other);
        let is_item = within == TokenContext::Item;
        while let Some((tree, behind)) = rest.split_first() {
            if let Some(mut part) = self.part(rest, &filled, last, within)? {
                rest = &rest[part.length..];
                if is_item && !part.joins && is_behind_name(&filled, &part.trees) {
                    diag.syntax(apart(&part));
                    part.joins = true;
                }
                if part.joins {
                    let before = filled.pop().filter(|_| last != LastToken::Other);
                    let joined = joined(before, &part)?;
                    self.budget.count_text(joined.to_string().len(), part.span)?;
                    filled.push(joined);
                } else {
                    let place = |tree: &TokenTree| placed(tree.clone(), part.span);
                    filled.extend(part.trees.iter().map(place));
                }
                let is_word = (part.joins || !part.trees.is_empty())
                    && matches!(filled.last(), Some(TokenTree::Ident(_) | TokenTree::Literal(_)));
                last = if is_word { LastToken::Value } else { LastToken::Other };
                continue;
            }
            rest = behind;
            self.budget.count(1, tree.span())?;
            if is_item
                && last == LastToken::Value
                && is_behind_name(&filled, std::slice::from_ref(tree))
            {
                let part = NamePart {
                    trees: vec![tree.clone()],
                    span: tree.span(),
                    length: 1,
                    joins: true,
                    shown: tree.to_string(),
                    is_value: false,
                };
                diag.syntax(apart(&part));
                let before = filled.pop();
                filled.push(joined(before, &part)?);
                continue;
            }
            if is_item && is_dollar(tree) && header(&filled).is_some() {
                self.check_known(behind)?;
            }
            last = if matches!(tree, TokenTree::Ident(_)) {
                LastToken::Name
            } else {
                LastToken::Other
            };
            filled.push(match tree {
                TokenTree::Group(group) => {
                    let inside: Vec<TokenTree> = group.stream().into_iter().collect();
                    let inside = self.fill(&inside, within.group_behind(&filled), diag)?;
                    let mut copy = Group::new(group.delimiter(), inside.into_iter().collect());
                    copy.set_span(group.span());
                    copy.into()
                }
                TokenTree::Literal(literal) => self.in_text(literal)?.into(),
                other => other.clone(),
            });
        }
        Ok(filled)
    }

    /// Returns the value, or the part of a name, with which `trees` begin.
    ///
    /// `filled` contains the tokens before `trees`, after substitution. `last` describes the last
    /// token of `filled`.
    fn part(
        &self,
        trees: &[TokenTree],
        filled: &[TokenTree],
        last: LastToken,
        within: TokenContext,
    ) -> Result<Option<NamePart>> {
        let part = |trees: Vec<TokenTree>, span, length, joins, behind: &TokenTree| {
            let shown = format!("${}", behind.to_string().replace(' ', ""));
            NamePart { trees, span, length, joins, shown, is_value: true }
        };
        match trees {
            [first, second, name, ..] if is_dollar(first) && is_dollar(second) => {
                if let Some((value, span)) = self.behind_dollar(name)? {
                    if last == LastToken::Other {
                        return Err(nothing_before(name, span));
                    }
                    return Ok(Some(part(value, span, 3, true, name)));
                }
                let joins = last == LastToken::Value && word_of(name).is_some();
                Ok(joins.then(|| part(vec![name.clone()], name.span(), 3, true, name)))
            }
            [first, name, ..] if is_dollar(first) => {
                let Some((value, span)) = self.behind_dollar(name)? else { return Ok(None) };
                let is_open = match filled.last() {
                    Some(TokenTree::Ident(before)) => {
                        before.to_string().ends_with('_') && !within.is_glue(before)
                    }
                    _ => false,
                };
                Ok(Some(part(value, span, 2, is_open, name)))
            }
            [TokenTree::Ident(name), ..]
                if last == LastToken::Value
                    && name.to_string().starts_with('_')
                    && !within.is_glue(name) =>
            {
                let name = TokenTree::from(name.clone());
                Ok(Some(part(vec![name.clone()], name.span(), 1, true, &name)))
            }
            _ => Ok(None),
        }
    }

    /// Checks that the name after a `$` in the name of an item is the name of a loop variable.
    fn check_known(&self, behind: &[TokenTree]) -> Result<()> {
        let name = match behind.first() {
            Some(TokenTree::Ident(name)) => name.clone(),
            Some(TokenTree::Group(group)) => match syn::parse2::<Ident>(group.stream()) {
                Ok(name) => name,
                Err(_) => return Ok(()),
            },
            _ => return Ok(()),
        };
        let text = name.to_string();
        let known = || self.pairs.iter().map(|(known, _)| &**known);
        let starts = known().filter_map(|known| Some((known, text.strip_prefix(known)?)));
        let help = match starts.max_by_key(|(known, _)| known.len()) {
            Some((known, tail)) => {
                let joined = match tail.starts_with('_') {
                    true => format!("${{{known}}}{tail}"),
                    false => format!("${known}$${tail}"),
                };
                format!("\nhelp: to append `{tail}` to the value of `${known}`, write `{joined}`")
            }
            None => did_you_mean(&text, known()),
        };
        Err(Error::new(name.span(), format!("no enclosing loop has the name `${text}`{help}")))
    }

    /// Substitutes every name in quoted text or documentation.
    fn in_text(&self, literal: &Literal) -> Result<Literal> {
        if !literal.to_string().contains('$') {
            return Ok(literal.clone());
        }
        let span = literal.span();
        let parsed = Lit::new(literal.clone());
        let text = match &parsed {
            Lit::Str(text) => Some(text.value()),
            // Bytes that are not valid text contain no names.
            Lit::ByteStr(bytes) => String::from_utf8(bytes.value()).ok(),
            Lit::CStr(text) => text.value().into_string().ok(),
            _ => None,
        };
        let text = text.filter(|_| parsed.suffix().is_empty());
        let Some(text) = text else { return Ok(literal.clone()) };
        let filled = self.in_string(&text, span)?.and_then(|text| match parsed {
            Lit::Str(_) => Some(Literal::string(&text)),
            Lit::ByteStr(_) => Some(Literal::byte_string(text.as_bytes())),
            _ => CString::new(text).ok().map(|text| Literal::c_string(&text)),
        });
        let mut filled = filled.unwrap_or_else(|| literal.clone());
        filled.set_span(span);
        Ok(filled)
    }

    /// Substitutes every name in a text. Returns `None` if it contains none.
    fn in_string(&self, text: &str, span: Span) -> Result<Option<String>> {
        let (mut rest, mut filled, mut is_filled) = (text, String::new(), false);
        while let Some((before, behind)) = rest.split_once('$') {
            filled.push_str(before);
            let braced = behind.strip_prefix('{').and_then(|inside| inside.split_once('}'));
            let (name, tail) = braced.unwrap_or_else(|| {
                behind.split_at(behind.find(|c| !is_word(c)).unwrap_or(behind.len()))
            });
            let value = match (self.of(name), braced) {
                (Some(value), _) => Some(shown(value)),
                (None, Some((inside, _))) if inside.len() <= const_expr::MOST => {
                    let tokens = inside.parse().unwrap_or_default();
                    self.sum(tokens, span)?.map(|number| number.to_string())
                }
                _ => None,
            };
            is_filled |= value.is_some();
            match value {
                Some(value) => {
                    self.budget.count_text(value.len(), span)?;
                    filled.push_str(&value);
                    rest = tail;
                }
                None => {
                    filled.push('$');
                    rest = behind;
                }
            }
        }
        filled.push_str(rest);
        Ok(is_filled.then_some(filled))
    }
}

/// The context of some tokens.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum TokenContext {
    /// Outside all brackets: the tokens are an item.
    Item,
    /// Inside the brackets of a template.
    Template,
    /// Inside other brackets.
    Section,
}

impl TokenContext {
    /// Returns the context of the tokens of a group, given the tokens before the group.
    fn group_behind(self, filled: &[TokenTree]) -> TokenContext {
        match filled.last() {
            _ if self == TokenContext::Template => self,
            Some(TokenTree::Ident(word)) if word == "syntax" => TokenContext::Template,
            _ => TokenContext::Section,
        }
    }

    /// Returns whether a word is the `_` of a template, which suppresses a space and is not part of
    /// a name.
    fn is_glue(self, word: &Ident) -> bool {
        self == TokenContext::Template && word == "_"
    }
}

/// The last token. It decides whether a word after it is joined to it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum LastToken {
    /// A word of the item.
    Name,
    /// A word, number or text that is the value of a loop variable or contains one.
    Value,
    Other,
}

/// A value, or a part of a name after a value.
struct NamePart {
    trees: Vec<TokenTree>,
    span: Span,
    /// The number of its tokens in the item.
    length: usize,
    /// Whether the part is joined to the name before it.
    joins: bool,
    /// The part as written, for messages: `$NAME`.
    shown: String,
    is_value: bool,
}

/// Returns the text that replaces a value inside a string. The quotes of a value in quotes are removed.
fn shown(value: &[TokenTree]) -> String {
    match value {
        [tree] => word_of(tree).unwrap_or_else(|| tree.to_string()),
        several => several.iter().cloned().collect::<TokenStream>().to_string(),
    }
}

/// Returns the text of a word, of a number or of a text in quotes.
fn word_of(tree: &TokenTree) -> Option<String> {
    match tree {
        TokenTree::Ident(name) => Some(name.unraw().to_string()),
        TokenTree::Literal(literal) => match Lit::new(literal.clone()) {
            Lit::Str(text) => Some(text.value()),
            _ => Some(literal.to_string()).filter(|text| text.chars().all(is_word)),
        },
        _ => None,
    }
}

/// The keywords of items that are followed by a name.
const NAMED: [&str; 8] =
    ["group", "optype", "opcode", "alias", "synonym", "enum", "operand", "format"];

/// Returns the tokens after the keyword of `item`, as far as they are known. Returns `None` if
/// items with that keyword have no name.
fn header(item: &[TokenTree]) -> Option<&[TokenTree]> {
    let is_word = |tree: &TokenTree, words: &[&str]| match tree {
        TokenTree::Ident(found) => words.iter().any(|word| found == word),
        _ => false,
    };
    let is_attribute = |tree: &TokenTree| match tree {
        TokenTree::Punct(mark) => mark.as_char() == '#',
        TokenTree::Group(group) => group.delimiter() != Delimiter::Brace,
        other => is_word(other, &["pub"]),
    };
    let keyword = item.iter().position(|tree| !is_attribute(tree))?;
    let (keyword, behind) = item.get(keyword..)?.split_first()?;
    is_word(keyword, &NAMED).then_some(behind)
}

/// The words that may follow the name of an item.
const CLAUSES: [&str; 3] = ["inside", "of", "else"];

/// Returns whether a word is one of [`CLAUSES`], or is so similar to one that it cannot be a part
/// of a name.
fn is_clause(word: &str) -> bool {
    let long = || CLAUSES.into_iter().filter(|clause| clause.len() > 3);
    CLAUSES.contains(&word) || word.len() > 2 && nearest(word, long()).is_some()
}

/// Returns whether `filled` ends with the name of an item, and `value` can only be another part of
/// the name.
fn is_behind_name(filled: &[TokenTree], value: &[TokenTree]) -> bool {
    let is_part = match value {
        [TokenTree::Ident(word)] => !is_clause(&word.to_string()),
        [TokenTree::Literal(_)] => true,
        _ => false,
    };
    is_part && matches!(header(filled), Some([TokenTree::Ident(_)]))
}

/// Returns the error for a value or a word that comes after a name but is not a part of it.
fn apart(part: &NamePart) -> Error {
    let shown = &part.shown;
    let message = match part.is_value {
        true => format!(
            "the value of `{shown}` is a separate word here, not a part of the name before \
             it\nhelp: write `${shown}` to join it to that name; after a name that ends with \
             `_`, write `{shown}`"
        ),
        false => format!(
            "`{shown}` is a separate word here, not a part of the name before it\nhelp: write \
             `$${shown}` to join it to that name"
        ),
    };
    Error::new(part.span, message)
}

/// Returns the error for `$$NAME` without a name before it.
fn nothing_before(name: &TokenTree, span: Span) -> Error {
    let name = name.to_string().replace(' ', "");
    let message = format!(
        "`$${name}` joins a value to the name before it, but there is no name before it\nhelp: \
         write `${name}` for the value alone"
    );
    Error::new(span, message)
}

/// Joins a name with the value after it, or a value with the word after it.
fn joined(before: Option<TokenTree>, part: &NamePart) -> Result<TokenTree> {
    let span = before.as_ref().map_or(part.span, TokenTree::span);
    let tail = match &part.trees[..] {
        [] => Some(String::new()),
        [tree] => word_of(tree),
        _ => None,
    };
    let head = before.as_ref().map_or(Some(String::new()), word_of);
    let (Some(head), Some(tail)) = (head, tail) else {
        let message = "a value in a name must be one word, one number or one text in quotes";
        return Err(Error::new(part.span, message));
    };
    let text = head + &tail;
    // The result has the position of its first part, but not its spelling.
    let place = Span::call_site().located_at(span);
    if text.is_empty() {
        let mut nothing = Literal::string("");
        nothing.set_span(place);
        return Ok(nothing.into());
    }
    match Ident::parse_any.parse_str(&text) {
        Ok(mut name) => {
            name.set_span(place);
            Ok(name.into())
        }
        // The text differs between iterations, so the message does not contain it: the error is the
        // same in all iterations.
        Err(_) => Err(Error::new(
            span,
            "these parts do not form a name\nhelp: a name consists of letters, digits and `_`, \
             and does not begin with a digit",
        )),
    }
}

/// Returns a token with unchanged name resolution at another position.
fn placed(mut tree: TokenTree, span: Span) -> TokenTree {
    tree.set_span(tree.span().located_at(span));
    tree
}

/// The maximum number of tokens that the loops of a call produce. Long names and texts count as
/// several tokens.
pub(super) const MOST_TOKENS: usize = 1 << 20;

/// In a name or text, each multiple of this number of bytes counts as one more token.
const LONG: usize = 64;

/// The number of tokens that the loops of a call may still produce, shared by all of its loops.
#[derive(Debug, Clone)]
pub(super) struct Budget {
    left: Rc<Cell<usize>>,
    is_spent: Rc<Cell<bool>>,
}

impl Default for Budget {
    fn default() -> Self {
        Budget { left: Rc::new(Cell::new(MOST_TOKENS)), is_spent: Rc::default() }
    }
}

impl Budget {
    /// Returns whether the call has reached a limit, which is reported once.
    pub(super) fn is_spent(&self) -> bool {
        self.is_spent.get()
    }

    /// Adds `tokens` to the number of counted tokens.
    ///
    /// # Errors
    ///
    /// Fails if the loops of the call produce too many tokens.
    pub(super) fn count(&self, tokens: usize, span: Span) -> Result<()> {
        match self.left.get().checked_sub(tokens) {
            Some(left) => {
                self.left.set(left);
                Ok(())
            }
            None => Err(self.stop(span, "tokens", MOST_TOKENS)),
        }
    }

    /// Counts a text of `bytes` bytes. The token that contains the text is not included.
    ///
    /// # Errors
    ///
    /// Fails as [`Budget::count`] does.
    pub(super) fn count_text(&self, bytes: usize, span: Span) -> Result<()> {
        self.count(bytes / LONG, span)
    }

    /// Stops the expansion of all loops, and returns the error.
    pub(super) fn stop(&self, span: Span, what: &str, most: usize) -> Error {
        self.is_spent.set(true);
        let message = format!(
            "the loops of this call produce more than {most} {what}\nhelp: split the set into \
             several sets, and `include` them in one"
        );
        Error::new(span, message)
    }
}

/// Returns the number of tokens, including those inside brackets.
pub(super) fn weight(trees: &[TokenTree]) -> usize {
    let own = |tree: &TokenTree| match tree {
        TokenTree::Group(group) => weight(&group.stream().into_iter().collect::<Vec<_>>()),
        TokenTree::Ident(_) | TokenTree::Literal(_) => tree.to_string().len() / LONG,
        TokenTree::Punct(_) => 0,
    };
    trees.iter().map(|tree| 1 + own(tree)).sum()
}
