//! Writes the constructor of a row: the words that it matches, its output and its semantics.

use isa_core::table::{Access, Cube, Field, FlowKind, FlowRow, Opcode, Piece};

use super::aliases::aliases;
use super::constructor::Constructor;
use super::disjoint_words::{conditions, known, legal};
use super::flow::{self, ControlFlow, FlowResult};
use super::template::RowWriter;
use crate::ExportError;
use crate::masked_patterns::{is_inside, meet};
use crate::valid_words::fixed_bits;

impl RowWriter<'_> {
    /// Writes the constructor of the row. `others` contains all rows of the set.
    pub(super) fn write(
        &mut self,
        others: &[&'static Opcode],
        operation: &str,
    ) -> Result<(), ExportError> {
        let one = self.shown();
        let mut pattern = self.fixed_bits();
        pattern.extend(self.conditions(others)?);
        let mut all = Constructor { pattern, ..Constructor::default() };
        let semantics = self.semantics(operation, &mut all);
        all.push(one);
        let written = self.spec.instruction(self.row.bits, &all, &semantics);
        written.map_err(|error| ExportError::new(format!("{}: {error}", self.row.name)))?;
        let own = if self.is_exact(others) { legal(self.row) } else { None };
        for (alias, cubes) in aliases(self.row, own.as_deref()) {
            self.alias(alias, cubes, operation)?;
        }
        Ok(())
    }

    /// Writes an alias for the words that match a pattern in `cubes`. The constructor prints the text
    /// of the alias and has the semantics of the row.
    fn alias(
        &mut self,
        alias: &'static Opcode,
        cubes: Option<Vec<Cube>>,
        operation: &str,
    ) -> Result<(), ExportError> {
        let Some(cubes) = cubes else {
            self.spec.notes.insert(format!(
                "{}: its words are printed as {}, because the words of the alias require too many patterns in \
                 SLEIGH",
                alias.name, self.row.name,
            ));
            return Ok(());
        };
        if cubes.is_empty() {
            return Ok(());
        }
        let mut all = Constructor::default();
        all.demand(self.any_of(&cubes));
        let semantics = self.semantics(operation, &mut all);
        let shown = RowWriter::new(alias, self.spec, self.rules, self.registers).shown();
        all.push(shown);
        let written = self.spec.instruction(self.row.bits, &all, &semantics);
        written.map_err(|error| ExportError::new(format!("{}: {error}", alias.name)))
    }

    /// Returns comparisons of the bits that are the same in all words of the row.
    fn fixed_bits(&mut self) -> Vec<String> {
        let row = self.row;
        let (mut all, mut rest) = (Vec::new(), fixed_bits(row).mask);
        for field in row.fields {
            if let Some(raw) = known(row, field).filter(|_| field.mask() & rest == field.mask()) {
                all.extend(self.is(field, raw));
                rest &= !field.mask();
            }
        }
        all.extend(self.cube(Cube::new(rest, fixed_bits(row).value & rest)));
        all
    }

    /// Returns comparisons of the bits of a pattern.
    fn cube(&mut self, cube: Cube) -> Vec<String> {
        let mut all = Vec::new();
        let mut rest = cube.mask;
        while rest != 0 {
            let low = rest.trailing_zeros();
            let within = self.row.fields.iter().find_map(|field| {
                let piece = field.pieces.iter().find(|piece| {
                    (piece.position..piece.position + piece.width).contains(&(low as u8))
                })?;
                Some((field.name, u32::from(piece.position + piece.width)))
            });
            let (name, end) = within.unwrap_or(("bits", 128));
            // A comparison uses a number of at most 64 bits.
            let width = (rest >> low).trailing_ones().min(end - low).min(32) as u8;
            let piece = Piece { position: low as u8, width };
            let name = self.spec.field(self.row.bits, name, piece, false);
            let value = cube.value >> low & ((1 << width) - 1);
            all.push(format!("{name}={value:#x}"));
            rest &= !(((1u128 << width) - 1) << low);
        }
        all
    }

    /// Returns the conditions of the fields and exceptions of the row.
    fn conditions(&mut self, others: &[&'static Opcode]) -> Result<Vec<String>, ExportError> {
        let too_many = || {
            ExportError::new(format!(
                "{}: the excluded words require too many patterns in SLEIGH",
                self.row.name
            ))
        };
        if self.is_exact(others) {
            let legal = legal(self.row).ok_or_else(too_many)?;
            let mask = fixed_bits(self.row).mask;
            let legal: Vec<Cube> =
                legal.iter().map(|cube| Cube::new(cube.mask & !mask, cube.value & !mask)).collect();
            return Ok(self.any_of(&legal).into_iter().collect());
        }
        let all: Option<Vec<Vec<Cube>>> = conditions(self.row).into_iter().collect();
        let mut demands = Vec::new();
        for condition in all.ok_or_else(too_many)? {
            if let [cube] = condition.as_slice() {
                demands.extend(self.cube(*cube));
                continue;
            }
            let mut cases = Vec::new();
            for cube in condition {
                cases.push(Constructor { pattern: self.cube(cube), ..Constructor::default() });
            }
            demands.push(self.spec.table(self.row.bits, "legal", &cases));
        }
        Ok(demands)
    }

    /// Returns whether the pattern of the row must match exactly its valid words. SLEIGH selects a
    /// constructor only by its pattern. If a table in the constructor does not match, SLEIGH does not
    /// try a more general constructor.
    fn is_exact(&self, others: &[&'static Opcode]) -> bool {
        let own = fixed_bits(self.row);
        others.iter().any(|other| {
            let same_bits = other.bits == self.row.bits && !std::ptr::eq(*other, self.row);
            let theirs = fixed_bits(other);
            let is_general = is_inside(theirs, own) && !is_inside(own, theirs);
            same_bits && meet(own, theirs) && !is_general
        })
    }

    /// Returns a pattern for the words that match any of the masked patterns, or `None` if all words
    /// match.
    fn any_of(&mut self, cubes: &[Cube]) -> Option<String> {
        if cubes.iter().any(|cube| cube.mask == 0) {
            return None;
        }
        let all: Vec<String> =
            cubes.iter().map(|cube| format!("({})", self.cube(*cube).join(" & "))).collect();
        Some(format!("({})", all.join(" | ")))
    }

    /// Returns the semantics of the row in braces, and adds the operands that they need to the
    /// pattern. If the row may change the control flow, a table contains the semantics for the
    /// words of each row of `flow`.
    fn semantics(&mut self, operation: &str, all: &mut Constructor) -> String {
        let goes = |(flow, _): &(Option<&FlowRow>, _)| {
            flow.is_some_and(|flow| !matches!(flow.kind, FlowKind::Next | FlowKind::Trap))
        };
        let parts = flow::parts(self.row).filter(|parts| parts.iter().any(goes));
        let parts = parts.unwrap_or_else(|| vec![(None, Vec::new())]);
        if let [(flow, _)] = parts[..] {
            return format!("{{{} }}", self.operation(operation, flow, all));
        }
        let mut cases = Vec::new();
        for (flow, cubes) in parts {
            let mut one = Constructor::default();
            one.demand(self.any_of(&cubes));
            one.does = self.operation(operation, flow, &mut one);
            cases.push(one);
        }
        let table = self.spec.table(self.row.bits, &format!("{operation}_flow"), &cases);
        all.demand([table.clone()]);
        format!("{{ build {table}; }}")
    }

    /// Returns a call of the row's operation with its inputs, and the control flow after it.
    fn operation(
        &mut self,
        operation: &str,
        flow: Option<&FlowRow>,
        all: &mut Constructor,
    ) -> String {
        let row = self.row;
        let (mut arguments, mut results) = (Vec::new(), Vec::new());
        let open = row.fields.iter().filter(|field| known(row, field).is_none());
        let mut settings = open.fold(0, |mask, field| mask | field.mask());
        for operand in row.operands {
            let Some(field) = row.fields.get(usize::from(operand.field)) else { continue };
            let Some((name, size)) = self.register(field, all) else {
                arguments.extend(self.constant(field, all));
                settings &= !field.mask();
                continue;
            };
            settings &= !field.mask();
            if operand.access != Access::Write {
                arguments.push(name.clone());
            }
            if operand.access != Access::Read {
                results.push((name, size));
            }
        }
        for pieces in gathered(settings) {
            arguments.push(self.number("settings", &pieces, all));
        }
        let goes = flow.map(|flow| self.control_flow(flow, all)).unwrap_or_default();
        statements(operation, &arguments, &results, &goes, self.registers.address_bits())
    }

    /// Returns the register of a field and its size in bytes.
    fn register(&mut self, field: &'static Field, all: &mut Constructor) -> Option<(String, u16)> {
        let registers = self.registers;
        let names = registers.of_field(field)?;
        let sizes = names.iter().flatten().filter_map(|name| registers.sizes.get(name));
        let size = sizes.max().copied().unwrap_or_default().div_ceil(8);
        if let Some(raw) = known(self.row, field) {
            return Some((names.get(raw as usize)?.clone()?, size));
        }
        let [piece] = field.pieces else { return None };
        let plain = self.spec.field(self.row.bits, field.name, *piece, false);
        let name = self.spec.with_registers(&plain, names);
        all.demand([name.clone()]);
        Some((name, size))
    }

    /// Returns the value of a field that is not a register, or `None` if the value is the same in every
    /// word of the row.
    fn constant(&mut self, field: &'static Field, all: &mut Constructor) -> Option<String> {
        if known(self.row, field).is_some() {
            return None;
        }
        Some(self.number(field.name, field.pieces, all))
    }

    /// Returns the value of the bits in `pieces`, the most significant first.
    fn number(&mut self, hint: &str, pieces: &[Piece], all: &mut Constructor) -> String {
        let width: u32 = pieces.iter().map(|piece| u32::from(piece.width)).sum();
        let size = width.div_ceil(8);
        let (value, fields) = self.expression(hint, pieces, false);
        if let [_] = pieces {
            all.demand(fields);
            return format!("{value}:{size}");
        }
        // A computed value must be exported by a table.
        let name = self.computed(hint, pieces);
        let mut one = Constructor::symbol(&name);
        one.pattern = fields;
        one.actions.push(format!("{name} = {value};"));
        one.value = format!("*[const]:{size} {name}");
        let table = self.spec.table(self.row.bits, &format!("{hint}_value"), &[one]);
        all.demand([table.clone()]);
        table
    }
}

/// Returns the runs of bits under a mask, the highest first, in lists of at most 64 bits.
fn gathered(mask: u128) -> Vec<Vec<Piece>> {
    let (mut all, mut rest): (Vec<Vec<Piece>>, u128) = (Vec::new(), mask);
    let mut free = 0;
    while rest != 0 {
        let position = rest.trailing_zeros() as u8;
        let width = (rest >> position).trailing_ones().min(64) as u8;
        rest &= !(((1u128 << width) - 1) << position);
        match all.last_mut().filter(|_| width <= free) {
            Some(pieces) => pieces.insert(0, Piece { position, width }),
            None => {
                all.push(vec![Piece { position, width }]);
                free = 64;
            }
        }
        free -= width;
    }
    all
}

/// Returns a call of an operation and the statements after it. In SLEIGH an operation has one
/// result. If a row writes several registers, or if the control flow depends on a result, the
/// operation is called once for each result, with its index as the first argument.
fn statements(
    operation: &str,
    arguments: &[String],
    results: &[(String, u16)],
    ControlFlow { said, does }: &ControlFlow,
    address_bits: u8,
) -> String {
    let call = |number: Option<usize>| {
        let number = number.map(|number| format!("{number}:1"));
        let all: Vec<String> = number.into_iter().chain(arguments.iter().cloned()).collect();
        format!("{operation}({});", all.join(", "))
    };
    let mut text = match (results, &said[..]) {
        ([], []) => format!(" {}", call(None)),
        ([(name, _)], []) => format!(" {name} = {}", call(None)),
        _ => {
            let more = said.iter().map(|said| match said {
                FlowResult::Taken => 1,
                FlowResult::Target => u16::from(address_bits) / 8,
            });
            let sizes: Vec<u16> = results.iter().map(|(_, size)| *size).chain(more).collect();
            let mut text = String::new();
            for (number, size) in sizes.iter().enumerate() {
                let number_of = Some(number).filter(|_| sizes.len() > 1);
                text += &format!(" local r{number}:{size} = {}", call(number_of));
            }
            for (number, (name, _)) in results.iter().enumerate() {
                text += &format!(" {name} = r{number};");
            }
            text
        }
    };
    let mut does = does.clone();
    for (said, number) in said.iter().zip(results.len()..) {
        let name = match said {
            FlowResult::Taken => "{taken}",
            FlowResult::Target => "{to}",
        };
        does = does.replace(name, &format!("r{number}"));
    }
    text += &does;
    text
}
