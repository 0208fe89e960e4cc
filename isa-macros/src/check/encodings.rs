//! Rules over encodings: every opcode has words of its own.

use proc_macro2::Ident;

use crate::diag::{Code, Diagnostics};
use crate::model::cube::{Cube, witness};
use crate::model::{Field, Init, Model, Opcode, describe};

/// At least one word of each opcode is legal.
pub(crate) fn check_legal(model: &Model, diag: &mut Diagnostics) {
    for opcode in model.encoding_opcodes() {
        if witness(opcode.identity(), &opcode.illegal).is_none() {
            let message = format!(
                "no word of `{}` is legal: its exceptions and reserved values exclude all",
                opcode.name
            );
            diag.error(Code::NeverLegal, opcode.name.span(), message);
        }
    }
}

/// One opcode as the overlap rule sees it: of this call, or of an included set.
struct Party<'m> {
    name: &'m Ident,
    bits: u8,
    identity: Cube,
    /// The bits that no field covers.
    unused: u128,
    illegal: Vec<Cube>,
    fixes: String,
    own: bool,
}

/// No two opcodes decode the same word. Exact: `(va ^ vb) & ma & mb == 0` first, then a search
/// for a word that neither excludes. A short word must not be the start of a longer one: no
/// stream could tell where it ends.
pub(crate) fn check_overlap(model: &Model, diag: &mut Diagnostics) {
    let parties = parties(model);
    for (i, a) in parties.iter().enumerate() {
        for b in &parties[..i] {
            let Some(common) = a.identity.and(b.identity) else { continue };
            if !a.own && !b.own && same_set(model, a, b) {
                continue;
            }
            let without: Vec<Cube> = a.illegal.iter().chain(&b.illegal).copied().collect();
            if let Some(word) = witness(common, &without) {
                report_overlap(a, b, word, diag);
            }
        }
    }
}

/// Whether both come from one included set, whose own call has checked them.
fn same_set(model: &Model, a: &Party<'_>, b: &Party<'_>) -> bool {
    let module = |party: &Party<'_>| {
        let included = model.included.iter().find(|opcode| opcode.name == *party.name)?;
        let path = included.path.to_string();
        path.rsplit_once("::").map(|(module, _)| module.to_owned())
    };
    module(a) == module(b)
}

fn parties(model: &Model) -> Vec<Party<'_>> {
    let included = model.included.iter().map(|opcode| Party {
        name: &opcode.name,
        bits: opcode.bits,
        identity: Cube { mask: opcode.mask, value: opcode.value },
        unused: opcode.unused,
        illegal: opcode.illegal.iter().map(|&(mask, value)| Cube { mask, value }).collect(),
        fixes: opcode.fixes.clone(),
        own: false,
    });
    let own = model.encoding_opcodes().map(|opcode| Party {
        name: &opcode.name,
        bits: opcode.bits,
        identity: opcode.identity(),
        unused: opcode.unused,
        illegal: opcode.illegal.clone(),
        fixes: fixed_fields(model, opcode),
        own: true,
    });
    included.chain(own).collect()
}

fn report_overlap(a: &Party<'_>, b: &Party<'_>, word: u128, diag: &mut Diagnostics) {
    let digits = usize::from(a.bits.max(b.bits) / 4);
    let help = match (a.unused & b.unused, a.unused | b.unused) {
        (0, 0) => "no bit is unused in either: give one of the two an exception".to_owned(),
        (0, either) => format!("no bit is unused in both; in one of them {}", show_bits(either)),
        (both, _) => format!("unused in both, to tell them apart: {}", show_bits(both)),
    };
    let message = format!(
        "`{}` and `{}` both decode 0x{word:0digits$x}\nnote: `{}` fixes {}\nnote: `{}` fixes \
         {}\nhelp: {help}",
        a.name, b.name, a.name, a.fixes, b.name, b.fixes,
    );
    let note = format!("`{}` decodes the same word", b.name);
    diag.error_with(Code::OpcodeOverlap, a.name.span(), message, b.name.span(), note);
}

/// What fixes the bits of an opcode: `optype == 0x30 (optype HADD2), stype == ...`.
pub(crate) fn fixed_fields(model: &Model, opcode: &Opcode) -> String {
    let fields = opcode.fields.iter().map(|&id| &model.fields[id]);
    let fixed: Vec<String> = fields.filter_map(|field| show_fixed_field(model, field)).collect();
    let fixed = if fixed.is_empty() { "no field".to_owned() } else { fixed.join(", ") };
    match opcode.unused {
        0 => fixed,
        unused => format!("{fixed}, and has 0 in {}, which no field covers", show_bits(unused)),
    }
}

fn show_fixed_field(model: &Model, field: &Field) -> Option<String> {
    let Init::Fixed(raw) = field.init else {
        return None;
    };
    let node = describe(&model.nodes[field.node]);
    Some(format!("{} == 0x{raw:x} ({node})", field.text))
}

/// `bits 3, 8..=11`
fn show_bits(mask: u128) -> String {
    let mut runs = Vec::new();
    let mut rest = mask;
    while rest != 0 {
        let low = rest.trailing_zeros();
        let run = (rest >> low).trailing_ones();
        runs.push(if run == 1 { low.to_string() } else { format!("{low}..={}", low + run - 1) });
        rest &= !((u128::MAX >> (128 - run)) << low);
    }
    let word = if mask.count_ones() == 1 { "bit" } else { "bits" };
    format!("{word} {}", runs.join(", "))
}
