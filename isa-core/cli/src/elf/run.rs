//! Runs ELF files for the command `exec`.

use super::read::{Object, Part};
use super::read_all;
use crate::Stop;
use crate::console::Console;
use crate::exec::{Run, described, endless};
use crate::input::Input;
use crate::object::{ObjectFormat, refused_file};
use crate::render::Diagnostic;
use crate::tool::Profile;
use crate::words::at_bytes;
use isa_core::machine::Halt;
use isa_core::shown::Shown;

/// Runs an executable, or an object that needs no linking, from its first instruction until control
/// leaves its code.
pub(crate) fn execute(
    profile: &Profile,
    mut input: Input<'_>,
    steps: u64,
    run: &mut Run<'_>,
    console: &mut Console<'_>,
) -> Result<(), Stop> {
    let name = input.name.clone();
    let format = profile.object.ok_or_else(|| refused_file(profile, &name))?;
    let bytes = read_all(&mut input, console)?;
    let image = Image::read(&name, &bytes, format)?;
    for part in image.parts.iter().filter(|part| !part.is_code) {
        run.load(part.address, part.bytes);
    }
    let code = image.parts.iter().filter(|part| part.is_code);
    let code: Vec<_> = code.map(|part| (part.address, part.bytes)).collect();
    let Err((address, halt)) = run.run(image.entry, &code, steps)? else { return Ok(()) };
    let (code, title, help) = match halt {
        Halt::Error(fault) => {
            let (code, title, _) = described(&fault);
            (code, title, vec![])
        }
        Halt::Endless => {
            let (title, help) = endless(steps);
            ("endless", title, help)
        }
    };
    let offset = image.offset(address);
    let title = format!("at {}: {title}", image.object.place(address));
    console.report(&Diagnostic { help, ..at_bytes(code, &name, offset..offset, title) });
    Err(Stop::Reported)
}

/// A loaded program.
#[derive(Debug)]
struct Image<'d> {
    /// The address of the first instruction.
    entry: u64,
    /// All bytes of instructions and data.
    parts: Vec<Part<'d>>,
    object: Object<'d>,
}

impl<'d> Image<'d> {
    /// Reads a file: the segments of an executable, or the only section of an object, which must be
    /// code.
    fn read(name: &str, bytes: &'d [u8], format: ObjectFormat) -> Result<Self, Stop> {
        let unfit = |why: &str| Stop::System(format!("cannot execute {}: {why}", Shown(name)));
        let object = Object::read(bytes, format)
            .map_err(|error| Stop::System(format!("cannot read {}: {error}", Shown(name))))?;
        if object.is_dynamic {
            return Err(unfit(
                "it needs a loader of libraries; link it as a static program at fixed addresses",
            ));
        }
        let (entry, parts) = match object.is_relocatable {
            true => of_object(&object).map_err(unfit)?,
            false => (object.entry, object.segments.iter().map(|segment| segment.part).collect()),
        };
        let is_in = |part: &&Part<'_>| entry.wrapping_sub(part.address) < part.bytes.len() as u64;
        if !parts.iter().filter(|part| part.is_code).any(|part| is_in(&part)) {
            return Err(unfit(&format!("its first address, {entry:#x}, is not in its code")));
        }
        if parts.iter().any(|part| part.address.checked_add(part.bytes.len() as u64).is_none()) {
            return Err(unfit("it goes beyond the last address"));
        }
        Ok(Image { entry, parts, object })
    }

    /// Returns the offset in the file of a byte in memory.
    fn offset(&self, address: u64) -> u64 {
        let distance = |part: &Part<'_>| address.wrapping_sub(part.address);
        let mut parts = self.parts.iter();
        let part = parts.find(|part| distance(part) < part.bytes.len() as u64);
        part.map_or(0, |part| part.offset.saturating_add(distance(part)))
    }
}

/// Returns the entry and the code of an object that needs no linking.
fn of_object<'d>(object: &Object<'d>) -> Result<(u64, Vec<Part<'d>>), &'static str> {
    let mut filled = object.sections.iter().filter(|section| section.size > 0);
    let (Some(section), None) = (filled.next(), filled.next()) else {
        return Err("it is an object with several sections, or none; link it first");
    };
    if !section.relocations.is_empty() {
        return Err("it is an object with addresses that a linker fills in; link it first");
    }
    let start = object.symbols.iter().find(|symbol| symbol.name == "_start");
    let entry = start.map_or(section.part.address, |start| start.address);
    Ok((entry, vec![section.part]))
}
