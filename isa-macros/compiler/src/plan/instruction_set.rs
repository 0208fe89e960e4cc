//! Lays out the table of the set: its opcodes, its mnemonics, and the data for their look-up.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use proc_macro2::{Ident, Span, TokenStream};
use quote::ToTokens;

use super::common_members::{common_members, own_fields, own_properties};
use super::limits::mnemonic_key;
use super::tree::{self, DecodeTree};
use super::validity_check::find_hash;
use super::width::{self, WordStart, WordWidth};
use crate::model::cube::Cube;
use crate::model::{Model, derived};
use crate::syntax::ast::{ByteOrder, CommonMember};

/// All opcodes of the set, declared in this call or included.
#[derive(Debug)]
pub(crate) struct Set<'m> {
    /// The opcodes. Those of included sets come first.
    pub(crate) members: Vec<Member<'m>>,
    /// The calls whose opcodes are included. Each has the index of its first opcode, and the types of
    /// its instructions and of its opcodes.
    pub(crate) families: Vec<(usize, &'m [TokenStream; 2])>,
    pub(crate) aliases: Vec<SetAlias<'m>>,
    pub(crate) tree: DecodeTree,
    /// The widths of the words, the widest first.
    pub(crate) widths: Vec<WordWidth>,
    pub(crate) finder: MnemonicTable,
    /// The mnemonics sorted by text, or by the lower-case text if any letter case is parsed.
    pub(crate) mnemonics: Vec<Mnemonic<'m>>,
    pub(crate) examples: Vec<Example<'m>>,
    /// The fields that all opcodes have.
    pub(crate) fields: Vec<CommonMember>,
    /// The fields that all opcodes of this call have.
    pub(crate) own_fields: Vec<CommonMember>,
    /// The properties that all opcodes have.
    pub(crate) properties: Vec<CommonMember>,
    /// The properties that all opcodes of this call have.
    pub(crate) own_properties: Vec<CommonMember>,
}

/// An opcode of the set.
#[derive(Debug)]
pub(crate) struct Member<'m> {
    pub(crate) variant: Ident,
    pub(crate) path: TokenStream,
    pub(crate) mnemonic: &'m str,
    bits: u8,
    /// The width of the words that are shorter, and the long words.
    short: Option<(u8, Vec<Cube>)>,
    fixed: Cube,
    identity: Cube,
    pub(crate) executes: bool,
    /// Whether `execute` of the opcode returns a `Result`.
    pub(crate) traps: bool,
    /// The span at which rustc reports errors in a call of the opcode. If an included opcode requires
    /// something that the set lacks, the error is reported at the `include`.
    pub(crate) at: Span,
}

/// An alias of an opcode of the set.
#[derive(Debug)]
pub(crate) struct SetAlias<'m> {
    /// The opcode, as the index of a member.
    pub(crate) opcode: usize,
    /// The index of the alias among the aliases of its opcode.
    pub(crate) place: usize,
    mnemonic: &'m str,
}

/// A hash table of the mnemonics without a dot. If there are too many mnemonics, it has no entries, and
/// a search finds the mnemonic instead.
#[derive(Debug, Default)]
pub(crate) struct MnemonicTable {
    pub(crate) magic: u64,
    pub(crate) shift: u32,
    /// The indexes of mnemonics, plus 1.
    pub(crate) entries: Vec<u8>,
    /// Whether there are mnemonics with dots.
    pub(crate) has_dots: bool,
}

/// A mnemonic, with the indexes of its members, followed by the indexes of its aliases.
#[derive(Debug)]
pub(crate) struct Mnemonic<'m> {
    pub(crate) text: &'m str,
    pub(crate) spellings: Vec<u16>,
    /// The same indexes for each call, if several calls have opcodes with this mnemonic.
    pub(crate) calls: Vec<Vec<u16>>,
}

/// A line of assembly, its canonical text if that differs, and the members to which the line may be
/// assembled.
#[derive(Debug)]
pub(crate) struct Example<'m> {
    pub(crate) text: &'m str,
    pub(crate) canonical: Option<&'m str>,
    pub(crate) members: Vec<usize>,
}

impl<'m> Set<'m> {
    pub(super) fn of(model: &'m Model) -> Self {
        let members = members(model);
        let identities: Vec<Cube> =
            members.iter().map(|member| member.sought(model.byte_order)).collect();
        let aliases = aliases(model);
        let families = families(model);
        let own_fields = own_fields(model);
        let own_properties = own_properties(model);
        let mnemonics = mnemonics(model, &members, &aliases, &families);
        Set {
            tree: tree::build(&identities),
            widths: width::widths(members.iter().flat_map(Member::starts), model.byte_order),
            finder: MnemonicTable::of(
                &mnemonics.iter().map(|mnemonic| mnemonic.text).collect::<Vec<_>>(),
            ),
            families,
            mnemonics,
            examples: examples(model),
            fields: common_members(model, &own_fields, |set| &set.fields),
            own_fields,
            properties: common_members(model, &own_properties, |set| &set.properties),
            own_properties,
            members,
            aliases,
        }
    }
}

fn mnemonics<'m>(
    model: &Model,
    members: &[Member<'m>],
    aliases: &[SetAlias<'m>],
    families: &[(usize, &[TokenStream; 2])],
) -> Vec<Mnemonic<'m>> {
    // The call of a member: the last included call that begins at or before it, or this call.
    let call = |member: usize| match member < model.included.len() {
        true => families.partition_point(|(first, _)| *first <= member),
        false => usize::MAX,
    };
    let all = members.iter().enumerate().map(|(member, row)| (row.mnemonic, call(member)));
    let aliases = aliases.iter().map(|alias| (alias.mnemonic, call(alias.opcode)));
    let mut mnemonics: BTreeMap<&str, BTreeMap<usize, Vec<u16>>> = BTreeMap::new();
    for (index, (mnemonic, call)) in all.chain(aliases).enumerate() {
        let calls = mnemonics.entry(mnemonic).or_default();
        calls.entry(call).or_default().push(index as u16);
    }
    let mnemonics = mnemonics.into_iter().map(|(text, calls)| {
        let mut spellings: Vec<u16> = calls.values().flatten().copied().collect();
        spellings.sort_unstable();
        let calls = if calls.len() > 1 { calls.into_values().collect() } else { Vec::new() };
        Mnemonic { text, spellings, calls }
    });
    let mut mnemonics: Vec<Mnemonic<'_>> = mnemonics.collect();
    if model.any_case.is_some() {
        mnemonics.sort_by_cached_key(|mnemonic| mnemonic.text.to_ascii_lowercase());
    }
    mnemonics
}

fn members(model: &Model) -> Vec<Member<'_>> {
    let here = Span::call_site();
    let included = model.included.iter().map(|opcode| {
        let variant = opcode.path.clone().into_iter().last().map(|tree| tree.to_string());
        let identity = Cube { mask: opcode.mask, value: opcode.value };
        Member {
            variant: derived(&variant.unwrap_or_default(), &opcode.name),
            path: opcode.path.clone(),
            mnemonic: &opcode.mnemonic,
            bits: opcode.bits,
            short: opcode.short.as_ref().map(|(bits, long)| {
                (*bits, long.iter().map(|&(mask, value)| Cube { mask, value }).collect())
            }),
            fixed: Cube {
                mask: opcode.mask & !opcode.unused,
                value: opcode.value & !opcode.unused,
            },
            identity,
            executes: opcode.executes,
            traps: opcode.traps,
            at: here.located_at(opcode.place),
        }
    });
    let own = model.opcodes.iter().map(|opcode| Member {
        variant: opcode.type_name.clone(),
        path: opcode.type_name.to_token_stream(),
        mnemonic: &model.syntaxes[opcode.syntax].mnemonic,
        bits: opcode.bits,
        short: opcode.short.as_ref().map(|short| (short.bits, short.long.clone())),
        fixed: opcode.fixed,
        identity: opcode.identity(),
        executes: opcode.semantics.is_some(),
        traps: model.trap.is_some(),
        at: here,
    });
    included.chain(own).collect()
}

/// Returns the aliases of all members.
fn aliases(model: &Model) -> Vec<SetAlias<'_>> {
    let included = model.included.iter().map(|opcode| {
        opcode.aliases.iter().map(|alias| alias.mnemonic.as_str()).collect::<Vec<_>>()
    });
    let own = model.aliases_by_opcode().into_iter().map(|aliases| {
        let syntaxes = aliases.into_iter().map(|alias| model.aliases[alias].row.syntax);
        syntaxes.map(|syntax| model.syntaxes[syntax].mnemonic.as_str()).collect()
    });
    let numbered = included.chain(own).enumerate();
    let alias = |opcode: usize, (place, mnemonic)| SetAlias { opcode, place, mnemonic };
    numbered
        .flat_map(|(opcode, own)| own.into_iter().enumerate().map(move |one| alias(opcode, one)))
        .collect()
}

fn families(model: &Model) -> Vec<(usize, &[TokenStream; 2])> {
    let mut known = BTreeSet::new();
    let mut families = Vec::new();
    let sets = model.included.chunk_by(|a, b| Rc::ptr_eq(&a.set, &b.set));
    let mut first = 0;
    for opcodes in sets {
        let family = &opcodes[0].set.family;
        if known.insert(family[0].to_string()) {
            families.push((first, family));
        }
        first += opcodes.len();
    }
    families
}

impl Member<'_> {
    /// Returns the starts of the opcode's words for each of their widths.
    fn starts(&self) -> Vec<WordStart<'_>> {
        let Member { bits, short, fixed, .. } = self;
        let Some((short_bits, long)) = short else { return vec![WordStart::new(*bits, *fixed)] };
        let long_words = long.iter().filter_map(|cube| {
            let start = WordStart::new(*bits, cube.and(*fixed)?);
            Some(WordStart { pattern: Some(*cube), ..start })
        });
        let first = u128::MAX >> (128 - u32::from(*short_bits));
        let start = Cube { mask: fixed.mask & first, value: fixed.value & first };
        let short_words =
            WordStart { long: Some((*bits, long)), ..WordStart::new(*short_bits, start) };
        long_words.chain([short_words]).collect()
    }

    /// Returns the words of the opcode as the decoder receives them. With little-endian order, the low
    /// bits of a word determine its width, so the bits above the word need not be compared. With other
    /// byte orders these bits must be 0.
    fn sought(&self, order: ByteOrder) -> Cube {
        match order {
            ByteOrder::LittleEndian => self.identity,
            _ => self.identity.as_numbers(self.bits),
        }
    }
}

impl MnemonicTable {
    fn of(mnemonics: &[&str]) -> Self {
        if mnemonics.len() >= u8::MAX.into() {
            return MnemonicTable::default();
        }
        // Texts without a mnemonic are not found by the table.
        let has_key = |text: &str| !text.is_empty() && !text.contains('.');
        let numbered = (1u8..).zip(mnemonics).filter(|(_, text)| has_key(text));
        let plain: Vec<(u8, u64)> =
            numbered.map(|(number, text)| (number, mnemonic_key(text))).collect();
        let keys: Vec<u64> = plain.iter().map(|(_, key)| *key).collect();
        let found = if keys.is_empty() { None } else { find_hash(&keys, u64::MAX) };
        let Some((bits, magic)) = found else { return MnemonicTable::default() };
        let mut entries = vec![0u8; 1 << bits];
        for (number, key) in plain {
            entries[(key.wrapping_mul(magic) >> (64 - bits)) as usize] = number;
        }
        let has_dots = mnemonics.iter().any(|text| text.contains('.'));
        MnemonicTable { magic, shift: 64 - bits, entries, has_dots }
    }
}

/// Returns the examples of the call, each with the members that inherit from the node of the example.
fn examples(model: &Model) -> Vec<Example<'_>> {
    let mut examples = Vec::new();
    let places = model.opcodes.iter().enumerate();
    let places: BTreeMap<usize, usize> =
        places.map(|(place, opcode)| (opcode.node, model.included.len() + place)).collect();
    let aliases = model.aliases.iter();
    let aliases: BTreeMap<usize, usize> =
        aliases.map(|alias| (alias.row.node, model.included.len() + alias.of)).collect();
    let heirs = model.descendants_with_examples(model.opcodes.iter());
    for ((index, node), heirs) in model.nodes.iter().enumerate().zip(heirs) {
        let members: Vec<usize> = match aliases.get(&index) {
            Some(of) => vec![*of],
            None => heirs.iter().map(|opcode| places[&opcode.node]).collect(),
        };
        // If no opcode inherits from a group, the examples of the group cannot be tested.
        let own = node.origin.is_this_call() && !members.is_empty();
        for example in node.examples.iter().filter(|_| own) {
            let (text, canonical) = (example.text.as_str(), example.canonical.as_deref());
            examples.push(Example { text, canonical, members: members.clone() });
        }
    }
    examples
}
