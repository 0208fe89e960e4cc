//! Compares the effects in the table with execution.

use isa_core::machine::{RegisterFile, StateLocation};
use isa_core::table::Opcode;

use crate::case::TestCase;
use crate::parse_check::ensure;
use crate::set_under_test::{ADDRESS, Execution};
use crate::text::{bytes_of, printed};

/// Executes a valid word in a random state, and checks that its opcode has each effect of the execution.
pub(crate) fn effects(case: &mut TestCase<'_>) -> Result<(), String> {
    let opcode: &'static Opcode = case.set().opcodes[case.opcode()];
    let effects = opcode.effects;
    if !effects.is_known() || effects.has_others() {
        return Ok(());
    }
    let (_, word) = case.legal()?;
    case.text = Some(printed(opcode, word).to_string());
    let (bytes, seed) = (bytes_of(case.set(), opcode, word), case.generator.random.bits());
    let found = case.subject.execute_from(&bytes, seed, &mut |machine| machine.start_trace())?;
    let Some(Execution { next, trap, trace, files, .. }) = found else { return Ok(()) };
    let in_memory = |places: &[(StateLocation, u128)]| {
        let place = places.iter().find(|(place, _)| files.file(*place).is_some_and(is_memory));
        place.map(|(place, _)| files.name(*place))
    };
    let goes_elsewhere = |next: &u64| *next != ADDRESS + bytes.len() as u64;
    let jump = next.filter(|next| trap.is_none() && goes_elsewhere(next));
    let jump = jump.map(|next| format!("{next:#x}"));
    for (is_declared, found, does) in [
        (effects.jumps(), jump, "continues at"),
        (effects.loads(), in_memory(&trace.reads), "reads"),
        (effects.stores(), in_memory(&trace.writes), "writes"),
        (effects.may_trap(), trap, "traps:"),
    ] {
        let fits = is_declared || found.is_none();
        let found = found.unwrap_or_default();
        ensure(fits, || {
            format!("{does} {found}, but the effects in its table row are `{effects}`")
        })?;
    }
    Ok(())
}

/// Returns whether a file is memory that instructions can write.
const fn is_memory(file: &RegisterFile) -> bool {
    file.count() == 0 && file.bank_sizes().is_none()
}
