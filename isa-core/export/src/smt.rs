//! Exports functions on bit vectors in SMT-LIB 2, for solvers that prove statements about all words
//! at once.

use isa_core::table::{Cube, Field, InstructionSet, Opcode, Piece};

use super::masked_patterns::of_map;
use super::valid_words::{FunctionCondition, ValidWords, is_open, line, widened};
use super::{ExportError, ExportFile, ExportFormat, Generator, plain};

pub(crate) const FORMAT: ExportFormat = ExportFormat {
    name: "smt",
    about: "Functions over bit vectors in SMT-LIB 2, for proofs about all words",
    make: Generator::OfWords(make),
};

/// The width of an opcode's index in bits.
const NUMBER: usize = 16;

#[expect(clippy::unnecessary_wraps, reason = "other formats can refuse a set")]
fn make(set: &'static InstructionSet) -> Result<Vec<ExportFile>, ExportError> {
    let Definitions { text, .. } = Definitions::new(set);
    Ok(vec![ExportFile { name: format!("{}.smt2", plain(set.name)), text }])
}

struct Definitions {
    /// The width of words in bits.
    bits: u8,
    text: String,
}

impl Definitions {
    fn new(set: &'static InstructionSet) -> Self {
        let mut own = Definitions { bits: set.bits, text: String::new() };
        own.top(set);
        for (&opcode, legal) in set.opcodes.iter().zip(&ValidWords::of_set(set)) {
            own.opcode(opcode, legal);
        }
        own.whole(set);
        own
    }

    fn top(&mut self, set: &InstructionSet) {
        let (name, doc) = (line(set.name), line(set.doc));
        self.text += &format!(
            "; {name}: {doc}\n;\n\
             ; A word is a vector of {} bits; the upper bits of a narrower word are 0. Functions of a word:\n\
             ;\n\
             ;   legal        whether it is a valid instruction\n\
             ;   opcode       the number of its opcode, or #xffff if it is not a valid instruction\n\
             ;   |matches X|  whether it has the fixed bits of opcode X, and 0 in unused bits\n\
             ;   |legal X|    whether it is a valid instruction X\n\
             ;   |X.FIELD|    a field of opcode X\n\
             ;\n\
             ; |encode X| returns the word with the given fields of X, valid or not.\n\n\
             (set-logic QF_BV)\n\n",
            self.bits
        );
    }

    /// Writes a definition such as `(define-fun NAME ((w (_ BitVec 32))) SORT BODY)`.
    fn define(&mut self, name: &str, sort: &str, body: &str) {
        self.text +=
            &format!("(define-fun |{name}| ((w (_ BitVec {}))) {sort}\n  {body})\n", self.bits);
    }

    fn opcode(&mut self, opcode: &'static Opcode, legal: &ValidWords) {
        let name = opcode.name;
        self.text += &format!("; {} {}\n", line(opcode.syntax.source), line(opcode.doc));
        let matches = self.contains(widened(legal.plain, opcode.bits, self.bits));
        self.define(&format!("matches {name}"), "Bool", &matches);
        let mut lines = vec![format!("(|matches {name}| w)")];
        for wrong in &legal.wrong {
            let any = wrong.cubes.iter().map(|cube| self.contains(*cube));
            let conditional = wrong.conditional.iter().map(|one| self.function_condition(one));
            let any: Vec<String> = any.chain(conditional).collect();
            lines.push(format!("; {}", wrong.why));
            lines.push(format!("(not (or false {}))", any.join(" ")));
        }
        let body = format!("(and true {})", lines.join("\n    "));
        self.define(&format!("legal {name}"), "Bool", &body);
        let fields: Vec<&Field> =
            opcode.fields.iter().copied().filter(|field| !field.pieces.is_empty()).collect();
        for field in &fields {
            let sort = format!("(_ BitVec {})", field.width());
            let parts = field.pieces.iter().map(|piece| extract(*piece, "w"));
            self.define(&format!("{name}.{}", field.name), &sort, &concat(parts.collect()));
        }
        let open: Vec<&Field> = fields.iter().filter(|field| is_open(field)).copied().collect();
        self.encode(name, &open, legal.plain.value);
        self.text.push('\n');
    }

    /// Writes the function that computes a word from its fields, as a concatenation from the
    /// highest bit on.
    fn encode(&mut self, name: &str, open: &[&Field], value: u128) {
        let arguments =
            open.iter().map(|field| format!("(|{}| (_ BitVec {}))", field.name, field.width()));
        let arguments: Vec<String> = arguments.collect();
        // The pieces, the highest first. Each contains its position, its width, its field, and its
        // position in the field's value.
        let mut pieces = Vec::new();
        for field in open {
            let mut above = field.width() as u8;
            for Piece { position, width } in field.pieces {
                above -= width;
                pieces.push((*position, *width, field.name, above));
            }
        }
        pieces.sort_unstable_by(|a, b| b.cmp(a));
        let (mut parts, mut top) = (Vec::new(), self.bits);
        for (position, width, field, place) in pieces {
            let end = position + width;
            if end < top {
                parts.push(literal(value >> end, top - end));
            }
            parts.push(extract(Piece { position: place, width }, &format!("|{field}|")));
            top = position;
        }
        if top > 0 {
            parts.push(literal(value, top));
        }
        let (bits, arguments, body) = (self.bits, arguments.join(" "), concat(parts));
        self.text +=
            &format!("(define-fun |encode {name}| ({arguments}) (_ BitVec {bits})\n  {body})\n");
    }

    fn contains(&self, Cube { mask, value }: Cube) -> String {
        format!("(= (bvand w {}) {})", literal(mask, self.bits), literal(value, self.bits))
    }

    /// Returns a condition for words that match patterns and for which functions return given
    /// results. Each function is expressed as the patterns of its values.
    fn function_condition(&self, condition: &FunctionCondition) -> String {
        let any = |cubes: &[Cube]| {
            let all: Vec<String> = cubes.iter().map(|cube| self.contains(*cube)).collect();
            format!("(or false {})", all.join(" "))
        };
        let when: Vec<String> =
            condition.when.iter().map(|(_, map, said)| any(&of_map(map, *said))).collect();
        format!("(and {} {})", when.join(" "), any(&condition.cubes))
    }

    fn whole(&mut self, set: &InstructionSet) {
        let all: Vec<String> =
            set.opcodes.iter().map(|opcode| format!("(|legal {}| w)", opcode.name)).collect();
        self.define("legal", "Bool", &format!("(or false\n    {})", all.join("\n    ")));
        let number = |number: usize| format!("#x{number:04x}");
        let mut body = String::new();
        for (place, own) in all.iter().enumerate() {
            body += &format!("(ite {own} {}\n    ", number(place));
        }
        body += &format!("#xffff{}", ")".repeat(all.len()));
        self.define("opcode", &format!("(_ BitVec {NUMBER})"), &body);
    }
}

/// Returns an expression for `width` bits of the vector `of`, starting at bit `position`.
fn extract(Piece { position, width }: Piece, of: &str) -> String {
    format!("((_ extract {} {position}) {of})", position + width - 1)
}

/// Returns the low bits of a number as a bit vector.
fn literal(number: u128, bits: u8) -> String {
    let number = number & (u128::MAX >> (128 - u32::from(bits)));
    match bits % 4 {
        0 => format!("#x{number:0digits$x}", digits = usize::from(bits / 4)),
        _ => format!("#b{number:0digits$b}", digits = usize::from(bits)),
    }
}

/// Concatenates vectors, the highest first.
fn concat(parts: Vec<String>) -> String {
    match parts.as_slice() {
        [one] => one.clone(),
        all => format!("(concat {})", all.join(" ")),
    }
}
