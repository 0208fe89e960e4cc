//! The arguments of instructions by name: their positions in the word and their types.

use super::source_span::{SourceSpan, number};
use crate::code::{Code, code};
use crate::macro_call::{CallItem, ImportedValue, NOTE, camel};
use crate::{ImportError, Source, numbered};

/// The names of arguments by the highest and the lowest bit of their fields.
const PLACES: &[(u32, u32, &str)] = &[
    (11, 7, "rd vd vs3 rd_n0 rd_n2 rd_rs1 rd_rs1_n0 rs1_n0 c_rs1_n0 imm12lo bimm12lo"),
    (19, 15, "rs1 rt vs1 simm5 zimm5 zimm zimm6lo"),
    (24, 20, "rs2 vs2 rs2_n0 shamtw imm5"),
    (31, 27, "rs3 amoop"),
    (31, 20, "imm12 csr"),
    (31, 12, "imm20 jimm20"),
    (31, 25, "imm12hi bimm12hi funct7"),
    (14, 12, "rm funct3"),
    (26, 25, "aqrl funct2"),
    (26, 26, "aq wd zimm6hi"),
    (25, 25, "rl vm"),
    (31, 28, "fm"),
    (27, 24, "pred"),
    (23, 20, "succ shamtw4 imm4 rnum"),
    (26, 20, "shamtq shamt"),
    (25, 20, "shamtd imm6"),
    (31, 30, "bs"),
    (29, 25, "rc"),
    (21, 20, "imm2"),
    (22, 20, "imm3"),
    (27, 20, "imm8"),
    (29, 20, "zimm10"),
    (30, 20, "zimm11"),
    (31, 29, "nf"),
    (6, 0, "opcode"),
    (30, 30, "mop_r_30 mop_r_t_30 mop_rr_30 mop_rr_t_30"),
    (27, 26, "mop_r_27_26 mop_r_t_27_26 mop_rr_27_26 mop_rr_t_27_26"),
    (21, 20, "mop_r_21_20 mop_r_t_21_20"),
    // Arguments of instructions with 16 bits.
    (9, 7, "rs1_p rd_rs1_p c_sreg1"),
    (4, 2, "rs2_p rd_p c_sreg2"),
    (6, 2, "c_rs2 c_rs2_n0 c_nzuimm5 c_imm6lo c_nzimm6lo c_nzimm10lo c_nzimm18lo c_bimm9lo"),
    (6, 2, "c_nzuimm6lo c_uimm8splo c_uimm9splo c_uimm10splo"),
    (12, 12, "c_imm6hi c_nzimm6hi c_nzimm10hi c_nzimm18hi c_nzuimm6hi"),
    (12, 12, "c_uimm8sphi c_uimm9sphi c_uimm10sphi"),
    (12, 10, "c_uimm7hi c_uimm8hi c_uimm9hi c_bimm9hi"),
    (6, 5, "c_uimm7lo c_uimm8lo c_uimm9lo c_uimm2"),
    (12, 7, "c_uimm8sp_s c_uimm9sp_s c_uimm10sp_s"),
    (12, 5, "c_nzuimm10"),
    (12, 2, "c_imm12"),
    (5, 5, "c_uimm1"),
    (7, 4, "c_rlist"),
    (3, 2, "c_spimm"),
    (9, 2, "c_index"),
    (4, 3, "rd_p_e rs2_p_e"),
    (11, 8, "rd_e rd_n0_e"),
    (6, 3, "c_rs2_e"),
    (24, 21, "rs2_e"),
    (10, 8, "c_mop c_mop_t"),
];

/// A number: its name without `hi` and `lo`, its type in `isa_core::operand`, and its bits as
/// positions and widths, beginning with the most significant.
type NumberArgument = (&'static str, &'static str, &'static [(u32, u32)]);

/// Numbers that are signed, that have a unit, or whose bits have another order than in the word.
const NUMBERS: &[NumberArgument] = &[
    ("imm12", "Signed<12>", &[]),
    ("simm5", "Signed<5>", &[]),
    ("bimm12", "Relative<12, 1>", &[(31, 1), (7, 1), (25, 6), (8, 4)]),
    ("jimm20", "Relative<20, 1>", &[(31, 1), (12, 8), (20, 1), (21, 10)]),
    (
        "c_imm12",
        "Relative<11, 1>",
        &[(12, 1), (8, 1), (9, 2), (6, 1), (7, 1), (2, 1), (11, 1), (3, 3)],
    ),
    ("c_bimm9", "Relative<8, 1>", &[(12, 1), (5, 2), (2, 1), (10, 2), (3, 2)]),
    ("c_imm6", "Signed<6>", &[]),
    ("c_nzimm6", "Signed<6>", &[]),
    ("c_nzimm10", "Signed<6, 4>", &[(12, 1), (3, 2), (5, 1), (2, 1), (6, 1)]),
    ("c_nzimm18", "Signed<6>", &[]),
    ("c_nzuimm10", "Unsigned<8, 2>", &[(7, 4), (11, 2), (5, 1), (6, 1)]),
    ("c_uimm7", "Unsigned<5, 2>", &[(5, 1), (10, 3), (6, 1)]),
    ("c_uimm8", "Unsigned<5, 3>", &[(5, 2), (10, 3)]),
    ("c_uimm9", "Unsigned<5, 4>", &[(10, 1), (5, 2), (11, 2)]),
    ("c_uimm8sp", "Unsigned<6, 2>", &[(2, 2), (12, 1), (4, 3)]),
    ("c_uimm9sp", "Unsigned<6, 3>", &[(2, 3), (12, 1), (5, 2)]),
    ("c_uimm10sp", "Unsigned<6, 4>", &[(2, 4), (12, 1), (6, 1)]),
    ("c_uimm8sp_s", "Unsigned<6, 2>", &[(7, 2), (9, 4)]),
    ("c_uimm9sp_s", "Unsigned<6, 3>", &[(7, 3), (10, 3)]),
    ("c_uimm10sp_s", "Unsigned<6, 4>", &[(7, 4), (11, 2)]),
    ("c_uimm2", "Unsigned<2>", &[(5, 1), (6, 1)]),
    ("c_uimm1", "Unsigned<1, 1>", &[]),
];

/// An argument of an instruction.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Argument {
    pub(super) name: String,
    pub(super) kind: ArgumentType,
    /// Position and width of each piece, the most significant first.
    pub(super) pieces: Vec<(u32, u32)>,
    /// The part of the name that excludes values: `n0` or `n2`.
    pub(super) never: &'static str,
}

#[derive(Debug, Clone, PartialEq)]
pub(super) enum ArgumentType {
    /// All registers with a prefix.
    Bank(&'static str, &'static str),
    /// A subset of registers for a narrow field: the name of the set, and its registers.
    Few(String, Vec<String>),
    /// A type in `isa_core::operand`.
    Number(String, Code),
}

impl ArgumentType {
    pub(super) fn name(&self) -> &str {
        match self {
            ArgumentType::Bank(name, _) => name,
            ArgumentType::Few(name, _) | ArgumentType::Number(name, _) => name,
        }
    }

    /// Returns the type of bits that only distinguish instructions.
    pub(super) fn bits(width: u32) -> ArgumentType {
        ArgumentType::Number(format!("Bits{width}"), code!("Unsigned<{}>", width))
    }

    /// Returns the format of two equal fields of the type.
    pub(super) fn twice(&self) -> Result<CallItem, String> {
        let name = Code::type_name(self.name())?;
        let path = match self {
            ArgumentType::Number(_, path) => code!("isa_core::operand::{}", path),
            _ => name.clone(),
        };
        let text = code!("format Twice{} = isa_core::operand::Duplicated<{}>;", name, path);
        Ok(CallItem::line("Two equal operands, written as one.", text))
    }

    /// Returns the item (`operand` or `enum`) that declares this type with the given width.
    pub(super) fn item(&self, width: u32) -> Result<CallItem, String> {
        let name = Code::type_name(self.name())?;
        Ok(match self {
            ArgumentType::Bank(..) => {
                CallItem::line("A register.", code!("operand {}: {};", name, width))
            }
            ArgumentType::Few(_, names) => {
                let value = |(raw, name): (u64, &String)| {
                    let name = Code::value_name(name)?;
                    Ok(ImportedValue { doc: Vec::new(), name, raw, note: "" })
                };
                CallItem::Values {
                    doc: vec!["A register of a small subset.".to_owned()],
                    name,
                    width,
                    note: "/* the names are not in the source */",
                    values: (0..).zip(names).map(value).collect::<Result<_, String>>()?,
                }
            }
            ArgumentType::Number(_, path) if name.starts_with("Bits") => CallItem::line(
                "Bits that only distinguish instructions.",
                code!("operand {}: {} = isa_core::operand::{};", name, width, path),
            ),
            ArgumentType::Number(_, path) => CallItem::line(
                "A number.",
                code!("operand {}: {} = isa_core::operand::{}; {}", name, width, path, NOTE),
            ),
        })
    }
}

/// The positions of arguments: the known positions, and the positions in the file of `--fields`.
pub(super) struct ArgumentTable {
    given: Vec<(String, u32, u32)>,
}

impl ArgumentTable {
    /// Creates the table from the lines `"name", high, low` of a file.
    pub(super) fn new(fields: Option<Source<'_>>, faults: &mut Vec<ImportError>) -> ArgumentTable {
        let mut given = Vec::new();
        let Some(file) = fields else { return ArgumentTable { given } };
        for (line, text) in numbered(file.text) {
            if text.trim().is_empty() || text.starts_with('#') {
                continue;
            }
            let parts: Vec<&str> = text.split(',').map(str::trim).collect();
            let read = match parts[..] {
                [name, high, low] => number(high)
                    .zip(number(low))
                    .map(|(high, low)| (name.trim_matches('"'), high, low)),
                _ => None,
            };
            let meant = "expected `\"name\", high, low`, with bits from 31 to 0";
            let wrong = match read {
                Some((name, high, low)) if low <= high && high < 32 => {
                    given.push((name.to_owned(), high as u32, low as u32));
                    // The name of the type is the name of the field in camel case.
                    let field = Code::field_name(name).and(Code::type_name(&camel(name)));
                    field.err().map(|message| (name, message))
                }
                _ => Some((text.trim_start(), meant.to_owned())),
            };
            faults.extend(
                wrong.map(|(at, message)| ImportError::at(file.name, (line, text), at, message)),
            );
        }
        ArgumentTable { given }
    }

    /// Returns the highest and the lowest bit of an argument.
    pub(super) fn place(&self, name: &str) -> Option<(u32, u32)> {
        let given = self.given.iter().rfind(|(given, ..)| given == name);
        let known =
            || PLACES.iter().find(|(.., names)| names.split(' ').any(|known| known == name));
        let given = given.map(|&(_, high, low)| (high, low));
        given.or_else(|| known().map(|&(high, low, _)| (high, low)))
    }

    /// Returns the operands that the arguments `names` form. The two halves of a number are one
    /// operand, at the position of the second half.
    pub(super) fn operands(
        &self,
        names: &[SourceSpan<'_>],
    ) -> Result<Vec<Argument>, Vec<ImportError>> {
        let mut args: Vec<Argument> = Vec::new();
        let mut faults = Vec::new();
        let has = |name: &str| names.iter().any(|other| other.text == name);
        for place in names {
            let name = place.text;
            let Some((high, low)) = self.place(name) else {
                faults.push(place.fault(format!(
                    "unknown argument `{name}`: add a line `\"{name}\", high, low` to the file of `--fields`"
                )));
                continue;
            };
            let piece = (low, high - low + 1);
            let half = [("hi", "lo"), ("lo", "hi")].into_iter().find_map(|(this, other)| {
                let stem = name.strip_suffix(this).filter(|stem| !stem.is_empty())?;
                has(&format!("{stem}{other}")).then_some((stem, this))
            });
            match half {
                Some((stem, this)) => match args.iter().position(|arg| arg.name == stem) {
                    Some(at) => {
                        let mut arg = args.remove(at);
                        arg.pieces.insert(if this == "hi" { 0 } else { 1 }, piece);
                        args.push(number_of(stem, arg.pieces));
                    }
                    None => {
                        args.push(Argument { pieces: vec![piece], ..number_of(stem, Vec::new()) })
                    }
                },
                None => args.push(arg(name, piece)),
            }
        }
        if faults.is_empty() { Ok(args) } else { Err(faults) }
    }
}

/// Returns an argument of one piece: a register if its name is known, otherwise a number.
fn arg(name: &str, piece: (u32, u32)) -> Argument {
    let plain = name.strip_prefix("c_").unwrap_or(name);
    let is = |start: &str| plain.starts_with(start);
    let registers = |from: usize, step: usize, count: usize| -> Vec<String> {
        (0..count).map(|at| format!("x{}", from + at * step)).collect()
    };
    let pairs = plain.ends_with("_e");
    let kind = match piece.1 {
        5 if is("rd") || is("rs") || plain == "rt" => ArgumentType::Bank("Reg", "x"),
        5 if is("vd") || is("vs") => ArgumentType::Bank("VReg", "v"),
        3 if is("sreg") => {
            let names = ["s0", "s1", "s2", "s3", "s4", "s5", "s6", "s7"];
            ArgumentType::Few("SReg".into(), names.map(String::from).to_vec())
        }
        3 if is("rd") || is("rs") => ArgumentType::Few("CReg".into(), registers(8, 1, 8)),
        4 if pairs => ArgumentType::Few("Pair".into(), registers(0, 2, 16)),
        2 if pairs => ArgumentType::Few("CPair".into(), registers(8, 2, 4)),
        _ => return number_of(name, vec![piece]),
    };
    let never = match plain {
        _ if plain.contains("_n0") => " != 0",
        _ if plain.contains("_n2") => " != {0, 2}",
        _ => "",
    };
    Argument { name: name.to_owned(), kind, pieces: vec![piece], never }
}

/// Returns a number. Its bits have the order of the word, unless the number is known.
fn number_of(name: &str, pieces: Vec<(u32, u32)>) -> Argument {
    let width: u32 = pieces.iter().map(|(_, width)| width).sum();
    let known = NUMBERS.iter().find(|(known, _, bits)| {
        let bits: u32 = bits.iter().map(|(_, width)| width).sum();
        *known == name && (bits == 0 || bits == width)
    });
    let (path, bits) = match known {
        Some((_, path, bits)) => (code!("{}", *path), *bits),
        None => (code!("Unsigned<{}>", width), &[][..]),
    };
    let pieces = if bits.is_empty() { pieces } else { bits.to_vec() };
    Argument {
        name: name.to_owned(),
        kind: ArgumentType::Number(camel(name), path),
        pieces,
        never: "",
    }
}
