//! Computes the positions in the word of the fields that a text shows.

use super::bit_gather::BitRun;
use super::limits::ABSENT;
use super::parse_steps::ParseStep;
use super::print_program::run;
use crate::model::{DefaultValue, Init, Model, Opcode};

/// The position of a placeholder's value, if it is the same in all opcodes of a syntax.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ValueBits {
    pub(crate) run: BitRun,
    pub(crate) default: ReadDefault,
}

/// The value that the start value of an opcode contains at that position.
#[derive(Debug, Clone, Copy)]
pub(crate) enum ReadDefault {
    Number(u8),
    /// The default of a field, an index into [`Model::fields`].
    Field(usize),
}

/// Returns, for each placeholder of a syntax, the position of its value, if it is the same in all
/// opcodes of `heirs`. `steps` parses these opcodes.
pub(super) fn read_places(
    model: &Model,
    heirs: &[&Opcode],
    steps: &[ParseStep],
) -> Vec<Option<ValueBits>> {
    let (Some(first), false) = (heirs.first(), steps.is_empty()) else { return Vec::new() };
    let runs: Vec<Vec<BitRun>> = heirs.iter().map(|opcode| places(model, opcode)).collect();
    // A missing prefix or suffix operator may also set a value. This applies even to opcodes without
    // the field of the operator.
    let marks = steps.iter().flat_map(|step| match step {
        ParseStep::Operand(slot) => &slot.marks[..],
        _ => &[],
    });
    let unsure: Vec<usize> = marks.filter(|mark| mark.always).map(|mark| mark.symbol).collect();
    let place = |symbol: usize| {
        let mut having = heirs.iter().zip(&runs).filter_map(|(opcode, runs)| {
            Some((opcode.fields.get(opcode.bind[symbol]?), runs[symbol]))
        });
        let (first, run) = having.next()?;
        let (id, field) = (*first?, &model.fields[*first?]);
        // A text that shows several fields has no single default.
        let is_same = |other: &usize| model.fields[*other].init == field.init;
        let is_one = having.all(|(other, place)| place == run && other.is_some_and(is_same));
        if !is_one || !(1..=64).contains(&run.1) || unsure.contains(&symbol) {
            return None;
        }
        let default = match field.init {
            Init::Required => ReadDefault::Number(0),
            Init::Fixed(raw) | Init::Default(DefaultValue::Number(raw)) => {
                ReadDefault::Number(u8::try_from(raw).ok()?)
            }
            Init::Default(DefaultValue::Named(..)) => ReadDefault::Field(id),
        };
        Some(ValueBits { run, default })
    };
    (0..first.bind.len()).map(place).collect()
}

/// Returns, for each placeholder of the syntax, the position and width of the opcode's field. The width
/// is [`ABSENT`] if the field is not a single run of bits in one half of the word, or if another
/// placeholder shares some of its bits.
pub(super) fn places(model: &Model, opcode: &Opcode) -> Vec<BitRun> {
    let mask = |own: &Option<usize>| own.map_or(0, |place| model.at(opcode, place).mask());
    let masks: Vec<u128> = opcode.bind.iter().map(mask).collect();
    let place = |(symbol, own): (usize, &Option<usize>)| {
        let Some(place) = own else { return (0, 0) };
        let mut others = masks.iter().enumerate().filter(|(other, _)| *other != symbol);
        let is_single = others.all(|(_, mask)| mask & masks[symbol] == 0);
        run(model.at(opcode, *place), 64).filter(|_| is_single).unwrap_or((0, ABSENT))
    };
    opcode.bind.iter().enumerate().map(place).collect()
}
