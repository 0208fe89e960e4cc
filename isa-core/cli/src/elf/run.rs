//! Runs ELF files for the command `exec`.

use isa_core::shown::Shown;

use crate::CommandError;
use crate::console::{Console, Diagnostic};
use crate::input::Input;
use crate::input::words::at_bytes;
use crate::object_format::ObjectFormat;
use crate::profile::Profile;
use crate::simulator::HaltMessage;

use super::read::{ElfBytes, ElfFile};
use super::{LoadedProgram, RunProgram, read_all, refused_file};

/// Runs an executable, or an object that needs no linking, from its first instruction until control
/// leaves its code.
pub(crate) fn execute(
    profile: &Profile,
    mut input: Input<'_>,
    steps: u64,
    console: &mut Console<'_>,
    run: &mut RunProgram<'_>,
) -> Result<(), CommandError> {
    let name = input.name.clone();
    let format = profile.object.ok_or_else(|| refused_file(profile, &name))?;
    let bytes = read_all(&mut input, console)?;
    let image = ProgramImage::read(&name, &bytes, format)?;
    let (code, data): (Vec<&ElfBytes<'_>>, Vec<_>) =
        image.parts.iter().partition(|part| part.is_code);
    let program = LoadedProgram {
        entry: image.entry,
        data: data
            .iter()
            .map(|part| (part.address, part.bytes, part.zeros))
            .chain(code.iter().filter_map(zeros))
            .collect(),
        code: code.iter().map(|part| (part.address, part.bytes)).collect(),
    };
    let Err((address, halt)) = run(&program, console)? else { return Ok(()) };
    let HaltMessage { code, title, help, .. } = HaltMessage::of_halt(&halt, steps);
    let offset = image.offset(address);
    let title = format!("at {}: {title}", image.object.place(address));
    console.report(&Diagnostic { help, ..at_bytes(code, &name, offset..offset, title) });
    Err(CommandError::Reported)
}

/// Returns the zeros after code as data.
fn zeros<'d>(part: &&ElfBytes<'d>) -> Option<(u64, &'d [u8], u64)> {
    let start = part.address.checked_add(part.bytes.len() as u64)?;
    (part.zeros > 0).then_some((start, &[], part.zeros))
}

/// A loaded program.
#[derive(Debug)]
struct ProgramImage<'d> {
    /// The address of the first instruction.
    entry: u64,
    /// All bytes of instructions and data.
    parts: Vec<ElfBytes<'d>>,
    object: ElfFile<'d>,
}

impl<'d> ProgramImage<'d> {
    /// Reads a file: the segments of an executable, or the only section of an object, which must be
    /// code.
    fn read(name: &str, bytes: &'d [u8], format: ObjectFormat) -> Result<Self, CommandError> {
        let unfit =
            |why: &str| CommandError::System(format!("cannot execute {}: {why}", Shown(name)));
        let object =
            ElfFile::read(bytes, format).map_err(|error| CommandError::reading(name, &error))?;
        if object.is_dynamic {
            return Err(unfit(
                "the program is dynamically linked; link it as a static program at fixed addresses",
            ));
        }
        let (entry, parts) = match object.is_relocatable {
            true => of_object(&object).map_err(unfit)?,
            false => (object.entry, object.segments.iter().map(|segment| segment.part).collect()),
        };
        let is_in =
            |part: &&ElfBytes<'_>| entry.wrapping_sub(part.address) < part.bytes.len() as u64;
        if !parts.iter().filter(|part| part.is_code).any(|part| is_in(&part)) {
            return Err(unfit(&format!("the entry address {entry:#x} is not in the code")));
        }
        if parts.iter().any(|part| part.address.checked_add(part.bytes.len() as u64).is_none()) {
            return Err(unfit("it extends beyond the last address"));
        }
        Ok(ProgramImage { entry, parts, object })
    }

    /// Returns the offset in the file of a byte in memory.
    fn offset(&self, address: u64) -> u64 {
        let distance = |part: &ElfBytes<'_>| address.wrapping_sub(part.address);
        let mut parts = self.parts.iter();
        let part = parts.find(|part| distance(part) < part.bytes.len() as u64);
        part.map_or(0, |part| part.offset.saturating_add(distance(part)))
    }
}

/// Returns the entry and the code of an object that needs no linking.
fn of_object<'d>(object: &ElfFile<'d>) -> Result<(u64, Vec<ElfBytes<'d>>), &'static str> {
    let mut filled = object.sections.iter().filter(|section| section.size > 0);
    let (Some(section), None) = (filled.next(), filled.next()) else {
        return Err("expected an object with one section; link it first");
    };
    if !section.relocations.is_empty() {
        return Err("the object contains relocations; link it first");
    }
    let start = object.symbols.iter().find(|symbol| symbol.name == "_start");
    let entry = start.map_or(section.part.address, |start| start.address);
    Ok((entry, vec![section.part]))
}
