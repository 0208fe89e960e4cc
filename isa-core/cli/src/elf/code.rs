//! Reads the code of ELF files for the commands that a tool adds.

use crate::CommandError;
use crate::console::Console;
use crate::custom_command::{CodeSection, ProgramCode};
use crate::input::Input;
use crate::profile::Profile;

use super::read::ElfFile;
use super::{profile_of, read_all, refused_file};

/// Returns the sections with code, and the set for the processor of the file.
pub(crate) fn code(
    profile: &Profile,
    mut input: Input<'_>,
    console: &mut Console<'_>,
) -> Result<ProgramCode, CommandError> {
    let name = input.name.clone();
    let format = profile.object.ok_or_else(|| refused_file(profile, &name))?;
    let bytes = read_all(&mut input, console)?;
    let object =
        ElfFile::read(&bytes, format).map_err(|error| CommandError::reading(&name, &error))?;
    let set = profile_of(profile, &object, &name)?.set;
    let sections = object.sections.iter().filter(|section| section.part.is_code);
    let sections = sections.map(|section| {
        let labels = object
            .symbols
            .iter()
            .filter(|symbol| symbol.is_name() && symbol.section == Some(section.number));
        let labels = labels.map(|label| (label.name.to_string(), label.address)).collect();
        let part = section.part;
        CodeSection::new(set, section.name.to_string(), part.address, part.bytes, labels)
    });
    let sections = sections.collect();
    Ok(ProgramCode { set: set.tables, sections, file: bytes })
}
