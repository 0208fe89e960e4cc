//! Exports a SystemVerilog package with the encodings of a set, and a decoder module.

use std::collections::HashMap;

use isa_core::table::{Cube, InstructionSet, Kind, Opcode, Piece, TruthTable};

use super::decision_tree::DecisionTree;
use super::properties::{PropertyColumn, columns};
use super::unique_names::{UniqueNames, identifier};
use super::valid_words::{InvalidWords, ValidWords, comment_lines, is_open, line, widened};
use super::{ExportError, ExportFile, ExportFormat, Generator, plain};

pub(crate) const FORMAT: ExportFormat = ExportFormat {
    name: "systemverilog",
    about: "A package with enums, packed structs and validity checks, and a decoder module",
    make: Generator::OfWords(make),
};

#[expect(clippy::unnecessary_wraps, reason = "other formats can refuse a set")]
fn make(set: &'static InstructionSet) -> Result<Vec<ExportFile>, ExportError> {
    let package = Package::new(set);
    let name = &package.name;
    // Tools expect a package or a module in a file of its name.
    Ok(vec![
        ExportFile { name: format!("{name}_pkg.sv"), text: package.text() },
        ExportFile { name: format!("{name}_decoder.sv"), text: package.module() },
    ])
}

/// The reserved words of IEEE 1800-2017.
#[rustfmt::skip]
const KEYWORDS: &[&str] = &[
    "accept_on", "alias", "always", "always_comb", "always_ff", "always_latch", "and", "assert",
    "assign", "assume", "automatic", "before", "begin", "bind", "bins", "binsof", "bit", "break",
    "buf", "bufif0", "bufif1", "byte", "case", "casex", "casez", "cell", "chandle", "checker",
    "class", "clocking", "cmos", "config", "const", "constraint", "context", "continue", "cover",
    "covergroup", "coverpoint", "cross", "deassign", "default", "defparam", "design", "disable",
    "dist", "do", "edge", "else", "end", "endcase", "endchecker", "endclass", "endclocking",
    "endconfig", "endfunction", "endgenerate", "endgroup", "endinterface", "endmodule",
    "endpackage", "endprimitive", "endprogram", "endproperty", "endsequence", "endspecify",
    "endtable", "endtask", "enum", "event", "eventually", "expect", "export", "extends", "extern",
    "final", "first_match", "for", "force", "foreach", "forever", "fork", "forkjoin", "function",
    "generate", "genvar", "global", "highz0", "highz1", "if", "iff", "ifnone", "ignore_bins",
    "illegal_bins", "implements", "implies", "import", "incdir", "include", "initial", "inout",
    "input", "inside", "instance", "int", "integer", "interconnect", "interface", "intersect",
    "join", "join_any", "join_none", "large", "let", "liblist", "library", "local", "localparam",
    "logic", "longint", "macromodule", "matches", "medium", "modport", "module", "nand", "negedge",
    "nettype", "new", "nexttime", "nmos", "nor", "noshowcancelled", "not", "notif0", "notif1",
    "null", "or", "output", "package", "packed", "parameter", "pmos", "posedge", "primitive",
    "priority", "program", "property", "protected", "pull0", "pull1", "pulldown", "pullup",
    "pulsestyle_ondetect", "pulsestyle_onevent", "pure", "rand", "randc", "randcase",
    "randsequence", "rcmos", "real", "realtime", "ref", "reg", "reject_on", "release", "repeat",
    "restrict", "return", "rnmos", "rpmos", "rtran", "rtranif0", "rtranif1", "s_always",
    "s_eventually", "s_nexttime", "s_until", "s_until_with", "scalared", "sequence", "shortint",
    "shortreal", "showcancelled", "signed", "small", "soft", "solve", "specify", "specparam",
    "static", "string", "strong", "strong0", "strong1", "struct", "super", "supply0", "supply1",
    "sync_accept_on", "sync_reject_on", "table", "tagged", "task", "this", "throughout", "time",
    "timeprecision", "timeunit", "tran", "tranif0", "tranif1", "tri", "tri0", "tri1", "triand",
    "trior", "trireg", "type", "typedef", "union", "unique", "unique0", "unsigned", "until",
    "until_with", "untyped", "use", "uwire", "var", "vectored", "virtual", "void", "wait",
    "wait_order", "wand", "weak", "weak0", "weak1", "while", "wildcard", "wire", "with", "within",
    "wor", "xnor", "xor",
];

/// The other words that C++ reserves. Verilator translates to C++ and warns about these names.
#[rustfmt::skip]
const KEYWORDS_OF_CPP: &[&str] = &[
    "alignas", "alignof", "and_eq", "asm", "auto", "bitand", "bitor", "bool", "catch", "char",
    "char16_t", "char32_t", "char8_t", "co_await", "co_return", "co_yield", "compl", "concept",
    "const_cast", "consteval", "constexpr", "constinit", "decltype", "delete", "double",
    "dynamic_cast", "explicit", "false", "float", "friend", "goto", "inline", "long", "mutable",
    "namespace", "noexcept", "not_eq", "nullptr", "operator", "or_eq", "private", "public",
    "register", "reinterpret_cast", "requires", "short", "sizeof", "static_assert", "static_cast",
    "switch", "template", "thread_local", "throw", "true", "try", "typeid", "typename", "using",
    "volatile", "wchar_t", "xor_eq",
];

/// Returns a name as an identifier of the language. A name that begins with a digit gets a `_` before it,
/// and a reserved word gets a `_` after it.
fn member(name: &str) -> String {
    let name = identifier(name);
    if KEYWORDS.contains(&name.as_str()) || KEYWORDS_OF_CPP.contains(&name.as_str()) {
        return name + "_";
    }
    if name.starts_with(|c: char| c.is_ascii_digit()) { format!("_{name}") } else { name }
}

/// A set and the names in its package.
struct Package {
    set: &'static InstructionSet,
    /// The name of the set.
    name: String,
    /// The opcodes with their names.
    rows: Vec<(&'static Opcode, String)>,
    valid: Vec<ValidWords>,
    /// The truth tables of functions, each once.
    tables: Vec<TruthTableName>,
    /// The members of the struct that contains the fields of any opcode. Each has the name of the field,
    /// the name of the member, and the width of the widest field.
    members: Vec<(&'static str, String, u32)>,
    /// The names of the value sets, by their addresses.
    types: HashMap<*const Kind, String>,
    /// The declarations of the value sets.
    values: String,
    /// The properties, each with the name of its function.
    properties: Vec<(String, PropertyColumn)>,
}

/// The truth table of a function, with its name in the package and a call of the function.
struct TruthTableName {
    name: String,
    call: &'static str,
    map: TruthTable,
}

impl Package {
    fn new(set: &'static InstructionSet) -> Self {
        let own = ["OP_NONE", "word_t", "opcode_t", "fields_t", "decode", "fields_of"];
        let mut names = UniqueNames::reserved(&own);
        let derived =
            |name: &str| vec![format!("OP_{name}"), format!("{name}_t"), format!("is_{name}")];
        let rows = set
            .opcodes
            .iter()
            .map(|&opcode| (opcode, names.claim_with(&identifier(opcode.name), derived)));
        let rows: Vec<_> = rows.collect();
        let valid = ValidWords::of_set(set);
        let conditional =
            valid.iter().flat_map(|valid| &valid.wrong).flat_map(|wrong| &wrong.conditional);
        let mut tables: Vec<TruthTableName> = Vec::new();
        for (call, map, _) in conditional.flat_map(|conditional| &conditional.when) {
            if !tables.iter().any(|table| table.map.values() == map.values()) {
                let name = names.claim(&format!("TABLE_{}", tables.len()));
                tables.push(TruthTableName { name, call, map: *map });
            }
        }
        let properties = columns(set)
            .into_iter()
            .map(|column| (names.claim(&format!("property_{}", identifier(column.name))), column));
        let properties = properties.collect();
        let (mut types, mut values) = (HashMap::new(), String::new());
        for kind in set.kinds().into_iter().filter(|kind| kind.width > 0) {
            if kind.values.is_empty() {
                continue;
            }
            let stem = identifier(kind.name);
            let own = names.claim(&member(&format!("{stem}_e")));
            let constants = kind.values.iter().map(|value| {
                let name = names.claim(&member(&format!("{stem}_{}", identifier(value.name))));
                let doc =
                    if value.doc.is_empty() { String::new() } else { comment(value.doc, "    ") };
                format!("{doc}    {name} = {}", literal(value.raw.into(), kind.width.into()))
            });
            let constants: Vec<String> = constants.collect();
            values += &format!(
                "{}  typedef enum logic [{}:0] {{\n{}\n  }} {own};\n\n",
                comment(&format!("{}: {}", kind.name, kind.doc), "  "),
                kind.width - 1,
                constants.join(",\n")
            );
            types.insert(std::ptr::from_ref(kind), own);
        }
        let (mut members, mut own) = (Vec::<(&str, String, u32)>::new(), UniqueNames::default());
        for field in
            set.opcodes.iter().flat_map(|opcode| opcode.fields).filter(|field| is_open(field))
        {
            match members.iter_mut().find(|(name, ..)| *name == field.name) {
                Some((.., width)) => *width = field.width().max(*width),
                None => members.push((field.name, own.claim(&member(field.name)), field.width())),
            }
        }
        let name = plain(set.name);
        Package { set, name, rows, valid, tables, members, types, values, properties }
    }

    fn text(&self) -> String {
        let Package { set, name, .. } = self;
        let top = comment(&format!("{}: {}", set.name, set.doc), "");
        format!(
            "{top}\
             //\n\
             // The package {name}_pkg contains the opcodes (opcode_t), the value sets, a packed struct X_t for\n\
             // each opcode X, is_X, which checks a word completely, and decode, which returns the opcode of\n\
             // a word or OP_NONE if the word is not a valid instruction. The module {name}_decoder has the\n\
             // opcode and the fields as outputs. If a word has fewer than {bits} bits, its upper bits are 0.\n\n\
             package {name}_pkg;\n\
             \x20 typedef logic [{top_bit}:0] word_t;\n\n\
             {opcodes}{values}{structs}{fields}{checks}{decoder}\n{extraction}{properties}endpackage\n",
            bits = set.bits,
            top_bit = set.bits - 1,
            opcodes = self.opcodes(),
            values = self.values,
            structs = self.structs(),
            fields = self.fields(),
            checks = self.checks(),
            decoder = self.decoder(),
            extraction = self.extraction(),
            properties = self.properties(),
        )
    }

    /// Returns the width of opcode ids in bits.
    fn id_width(&self) -> u32 {
        usize::BITS - self.rows.len().leading_zeros()
    }

    fn opcodes(&self) -> String {
        let width = self.id_width();
        let ids = self.rows.iter().enumerate().map(|(id, (opcode, name))| {
            let doc = comment(&format!("{} {}", opcode.syntax.source, opcode.doc), "    ");
            format!("{doc}    OP_{name} = {},\n", literal(id as u128, width))
        });
        format!(
            "  // The opcodes. OP_NONE is not a valid instruction.\n  typedef enum logic [{}:0] {{\n{}    \
             OP_NONE = {}\n  }} opcode_t;\n\n",
            width - 1,
            ids.collect::<String>(),
            literal(self.rows.len() as u128, width)
        )
    }

    /// Returns a packed struct for each opcode. A field of several pieces has a member for each piece.
    fn structs(&self) -> String {
        let mut text = String::new();
        for (opcode, name) in &self.rows {
            let mut pieces: Vec<(Piece, String, Option<&Kind>)> = Vec::new();
            let mut names = UniqueNames::default();
            for field in opcode.fields {
                let (own, mut above) = (names.claim(&member(field.name)), field.width());
                for piece in field.pieces {
                    above -= u32::from(piece.width);
                    let (piece_name, kind) = match field.pieces {
                        [_] => (own.clone(), Some(field.kind)),
                        _ => {
                            let high = above + u32::from(piece.width) - 1;
                            (names.claim(&format!("{own}_{high}_{above}")), None)
                        }
                    };
                    pieces.push((Piece::new(piece.position, piece.width), piece_name, kind));
                }
            }
            pieces.sort_unstable_by_key(|(piece, ..)| std::cmp::Reverse(piece.position));
            let (mut members, mut top) = (String::new(), opcode.bits);
            let mut gap = |high: u8, low: u8, members: &mut String| {
                if high > low {
                    let name = names.claim(&format!("unused_{}_{low}", high - 1));
                    *members += &format!("    logic [{}:0] {name};\n", high - low - 1);
                }
            };
            for (piece, name, kind) in pieces {
                gap(top, piece.position + piece.width, &mut members);
                let ty = kind.and_then(|kind| self.types.get(&std::ptr::from_ref(kind)));
                members += &match ty {
                    Some(ty) => format!("    {ty} {name};\n"),
                    None => format!("    logic [{}:0] {name};\n", piece.width - 1),
                };
                top = piece.position;
            }
            gap(top, 0, &mut members);
            text += &format!(
                "  // {}\n  typedef struct packed {{\n{members}  }} {name}_t;\n\n",
                safe(opcode.syntax.source)
            );
        }
        text
    }

    fn fields(&self) -> String {
        let members = self
            .members
            .iter()
            .map(|(_, name, width)| format!("    logic [{}:0] {name};\n", width - 1));
        let mut members: String = members.collect();
        if members.is_empty() {
            // A packed struct needs a member.
            members = "    logic [0:0] none;\n".to_owned();
        }
        format!(
            "  // The fields of any opcode. A field that an opcode does not have, or that it fixes, is 0.\n  \
             typedef struct packed {{\n{members}  }} fields_t;\n\n"
        )
    }

    /// Returns the truth tables of functions: one bit for each value of the function's fields.
    fn truth_tables(&self) -> String {
        let tables = self.tables.iter().map(|TruthTableName { name, call, map }| {
            let bits =
                1usize << map.pieces().iter().map(|piece| u32::from(piece.width)).sum::<u32>();
            let bytes = map.values().iter().rev();
            let digits: String = bytes.map(|byte| format!("{byte:02x}")).collect();
            let digits = &digits[digits.len() - bits.div_ceil(4).min(digits.len())..];
            format!(
                "  // {}: one bit for each value of its fields.\n  \
                 localparam logic [{}:0] {name} = {bits}'h{digits};\n\n",
                safe(call),
                bits - 1
            )
        });
        tables.collect()
    }

    /// Returns the functions that check the words of each opcode.
    fn checks(&self) -> String {
        let mut text = self.truth_tables();
        for ((opcode, name), valid) in self.rows.iter().zip(&self.valid) {
            let plain = widened(valid.plain, opcode.bits, self.set.bits);
            let mut body = format!("    is_{name} = {};\n", self.contains(plain));
            for wrong in &valid.wrong {
                body += &format!("    // {}\n", safe(&wrong.why));
                for condition in self.refusals(wrong) {
                    body += &format!("    if ({condition}) is_{name} = 1'b0;\n");
                }
            }
            text += &format!(
                "  // Returns whether a word is a valid instruction {}.\n  \
                 function automatic logic is_{name}(input word_t word);\n{body}  endfunction\n\n",
                safe(opcode.name)
            );
        }
        text
    }

    /// Returns the conditions of invalid words.
    fn refusals(&self, wrong: &InvalidWords) -> Vec<String> {
        let any =
            |cubes: &[Cube]| cubes.iter().map(|cube| self.contains(*cube)).collect::<Vec<_>>();
        let conditional = wrong.conditional.iter().map(|conditional| {
            let when = conditional.when.iter().filter_map(|(_, map, result)| {
                let mut tables = self.tables.iter();
                let table = tables.find(|table| table.map.values() == map.values())?;
                let not = if *result { "" } else { "!" };
                Some(format!("{not}{}[{}]", table.name, extract(map.pieces())))
            });
            let when: Vec<String> = when.collect();
            format!("{} && ({})", when.join(" && "), any(&conditional.cubes).join(" || "))
        });
        any(&wrong.cubes).into_iter().chain(conditional).collect()
    }

    /// Returns the condition that a word matches a pattern.
    fn contains(&self, Cube { mask, value }: Cube) -> String {
        let bits = self.set.bits.into();
        if mask == 0 {
            return "1'b1".to_owned();
        }
        format!("(word & {}) == {}", literal(mask, bits), literal(value & mask, bits))
    }

    fn decoder(&self) -> String {
        let plain: Vec<Cube> = self.valid.iter().map(|valid| valid.plain).collect();
        let body = self.choose(&DecisionTree::of(&plain), "    ");
        format!(
            "  // Returns the opcode of a word, or OP_NONE if the word is not a valid instruction.\n  \
             function automatic opcode_t decode(input word_t word);\n    decode = OP_NONE;\n{body}  endfunction\n"
        )
    }

    fn choose(&self, choice: &DecisionTree, indent: &str) -> String {
        match choice {
            DecisionTree::Candidates(rows) => {
                let test = |&row: &usize| {
                    let name = &self.rows[row].1;
                    format!("{indent}if (is_{name}(word)) decode = OP_{name};\n")
                };
                rows.iter().map(test).collect()
            }
            DecisionTree::Switch(piece, arms) => {
                let mut text = format!("{indent}case ({})\n", extract(std::slice::from_ref(piece)));
                for (value, next) in arms {
                    let body = self.choose(next, &format!("{indent}    "));
                    let value = literal(u128::from(*value), piece.width.into());
                    text += &format!("{indent}  {value}: begin\n{body}{indent}  end\n");
                }
                text + &format!("{indent}  default: ;\n{indent}endcase\n")
            }
        }
    }

    /// Returns the function that extracts the fields of a word.
    fn extraction(&self) -> String {
        let mut cases = String::new();
        for (opcode, own) in &self.rows {
            let fields = opcode.fields.iter().filter(|field| is_open(field));
            let lines = fields.filter_map(|field| {
                let mut members = self.members.iter();
                let (_, member, width) = members.find(|(name, ..)| *name == field.name)?;
                let value = match width - field.width() {
                    0 => extract(field.pieces),
                    missing => format!("{{{}, {}}}", literal(0, missing), extract(field.pieces)),
                };
                Some(format!("        fields.{member} = {value};\n"))
            });
            let lines: String = lines.collect();
            if !lines.is_empty() {
                cases += &format!("      OP_{own}: begin\n{lines}      end\n");
            }
        }
        format!(
            "  // Returns the fields of a word with this opcode. Some bits may belong to no field.\n  \
             /* verilator lint_off UNUSEDSIGNAL */\n  \
             function automatic fields_t fields_of(input opcode_t opcode, input word_t word);\n    \
             fields_t fields;\n    fields = 0;\n    case (opcode)\n{cases}      default: ;\n    \
             endcase\n    fields_of = fields;\n  endfunction\n  \
             /* verilator lint_on UNUSEDSIGNAL */\n"
        )
    }

    /// Returns a function for each property.
    fn properties(&self) -> String {
        let functions = self.properties.iter().map(|(name, column)| {
            let cases = self.rows.iter().zip(&column.numbers).map(|((_, opcode), number)| {
                format!("      OP_{opcode}: {name} = {number};\n")
            });
            format!(
                "\n{}  function automatic longint {name}(input opcode_t opcode);\n    case (opcode)\n{}      \
                 default: {name} = 0;\n    endcase\n  endfunction\n",
                comment(&column.about, "  "),
                cases.collect::<String>()
            )
        });
        functions.collect()
    }

    fn module(&self) -> String {
        let Package { name, .. } = self;
        format!(
            "// Decodes one word of {name}_pkg without a clock.\n\
             module {name}_decoder\n\
             \x20 import {name}_pkg::*;\n\
             (\n\
             \x20 input  word_t   word,\n\
             \x20 output logic    illegal,\n\
             \x20 output opcode_t opcode,\n\
             \x20 output fields_t fields\n\
             );\n\
             \x20 assign opcode  = decode(word);\n\
             \x20 assign illegal = opcode == OP_NONE;\n\
             \x20 assign fields  = fields_of(opcode, word);\n\
             endmodule\n"
        )
    }
}

/// Returns a number of `bits` bits.
fn literal(number: u128, bits: u32) -> String {
    format!("{bits}'h{number:x}")
}

/// Returns the bits of some pieces of `word`, the most significant first.
fn extract(pieces: &[Piece]) -> String {
    let one = |Piece { position, width }: &Piece| match width {
        1 => format!("word[{position}]"),
        _ => format!("word[{}:{position}]", position + width - 1),
    };
    match pieces {
        [piece] => one(piece),
        _ => format!("{{{}}}", pieces.iter().map(one).collect::<Vec<_>>().join(", ")),
    }
}

/// Returns a text in one line without a `\` at its end, which would continue a comment.
fn safe(text: &str) -> String {
    line(text).trim_end_matches('\\').to_owned()
}

/// Returns a comment with line breaks.
fn comment(text: &str, indent: &str) -> String {
    let lines = comment_lines(&safe(text));
    lines.iter().map(|line| format!("{indent}// {}\n", line.trim_end_matches('\\'))).collect()
}
