//! Execution of programs, with the values that each step read and wrote.

use std::convert::Infallible;

use isa_core::json::{Object, array, quoted};
use isa_core::machine::{Executor, Halt, RegisterFiles, StateLocation, run_each};

use crate::Engine;
use crate::answer::{Utf16Offsets, address, digits, error, list};
use crate::engine::MachineFactory;

/// The maximum number of steps in a request.
const MOST: u64 = 1_000_000;
/// The maximum number of steps in an answer.
const SHOWN: usize = 200;

/// Executes a program. The first line of `request` contains the maximum number of steps and the
/// initial values, `1000 R1=5 pc=0x100`. The program follows.
pub(crate) fn executed(engine: &Engine, request: &str) -> String {
    let Some(machine) = &engine.machine else { return error("this engine has no machine") };
    let (head, text) = request.split_once('\n').unwrap_or((request, ""));
    let mut settings = head.split_ascii_whitespace();
    let steps: u64 = settings.next().and_then(|steps| steps.parse().ok()).unwrap_or_default();
    let (mut executor, mut places) = ((machine.make)(), Vec::new());
    for setting in settings {
        match set_location(machine, setting, &mut *executor) {
            Ok(place) => places.push((place, setting)),
            Err(message) => {
                let mut object = Object::new();
                object.text("setting", setting).text("error", &message);
                return object.finish();
            }
        }
    }
    if let Err(message) = machine.files.distinct(places) {
        return error(&message.to_string());
    }
    let origin = executor.state().next();
    let program = match engine.assembler(Some(origin)).assemble(text) {
        Ok(program) => program,
        Err(errors) => return Object::new().raw("errors", list(&errors, text)).clone().finish(),
    };
    let (mut shown, mut count) = (Vec::new(), 0u64);
    executor.state().load_program(origin, &program.bytes);
    executor.state().start_trace();
    let ended = run_each(engine.set, &mut *executor, steps.min(MOST), &mut |it, at, bytes| {
        count += 1;
        let trace = it.state().take_trace();
        if shown.len() < SHOWN {
            let files = it.state().files();
            let mut object = Object::new();
            object.text("address", &address(at)).text("word", &digits(bytes));
            object
                .raw("reads", pairs(files, &trace.reads))
                .raw("writes", pairs(files, &trace.writes));
            shown.push(object.finish());
        }
        Ok::<(), Infallible>(())
    });
    let Ok(ended) = ended;
    let state = executor.state();
    let written: Vec<_> =
        state.written().into_iter().map(|place| (place, state.get(place, 0))).collect();
    let mut object = Object::new();
    object.raw("executed", count).raw("steps", array(shown.into_iter()));
    object.raw("written", pairs(state.files(), &written));
    let stopped = ended.err().map(|(address, halt)| {
        let statements = program.statements.iter().rev();
        let mut statements = statements.filter(|statement| statement.length > 0);
        let found = statements.find(|statement| statement.address <= address);
        let start = found.map_or(0, |found| Utf16Offsets::new(text).units(found.span.start));
        let reason = match halt {
            Halt::Error(fault) => fault.to_string(),
            Halt::Endless => {
                format!("the program has not ended after {} instructions", steps.min(MOST))
            }
        };
        let mut object = Object::new();
        object.text("address", &self::address(address)).raw("start", start).text("reason", &reason);
        object.finish()
    });
    object.raw_or_null("stopped", stopped);
    object.finish()
}

/// Sets a register or other location of the machine as in `NAME=VALUE`, and returns the location.
fn set_location(
    machine: &MachineFactory,
    setting: &str,
    executor: &mut dyn Executor,
) -> Result<StateLocation, String> {
    let (name, value) = setting.split_once('=').ok_or("expected NAME=VALUE")?;
    let place = machine.files.place(name).map_err(|error| error.to_string())?;
    let value = machine.files.value(place, value);
    let value = value.map_err(|error| format!("{}: {error}", machine.files.name(place)))?;
    executor.state().set(place, 0, value);
    Ok(place)
}

/// Returns locations with their values, as a JSON list of pairs.
fn pairs(files: RegisterFiles, places: &[(StateLocation, u128)]) -> String {
    let pairs = places.iter().map(|&(place, value)| {
        format!("[{}, {}]", quoted(&files.name(place)), quoted(&files.show(place, value)))
    });
    array(pairs)
}
