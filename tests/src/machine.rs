//! A machine that notes what is written, with state in the text form of the vector files.

use std::collections::BTreeMap;

use isa_core::machine::{ConstMemory, GeneralRegs, Predicates, UniformRegs};

/// Named locations with their values; what is not named is 0 or false.
#[derive(Debug, Clone, Default)]
pub struct Recorder {
    state: BTreeMap<String, u32>,
    written: BTreeMap<String, u32>,
}

impl Recorder {
    /// A machine in the state `R1=0x3c00 P0=1 c[0x0][0x160]=0x1`, or `-` for none.
    ///
    /// # Panics
    ///
    /// Where the text is no state.
    #[must_use]
    pub fn parse(text: &str) -> Self {
        Recorder { state: parse_state(text), written: BTreeMap::new() }
    }

    /// What was written, in the same form, sorted by name.
    #[must_use]
    pub fn written(&self) -> &BTreeMap<String, u32> {
        &self.written
    }

    fn get(&self, name: &str) -> u32 {
        self.state.get(name).copied().unwrap_or(0)
    }

    fn set(&mut self, name: String, value: u32) {
        self.state.insert(name.clone(), value);
        self.written.insert(name, value);
    }
}

/// The locations of a state in text form.
///
/// # Panics
///
/// Where the text is no state.
#[must_use]
pub fn parse_state(text: &str) -> BTreeMap<String, u32> {
    let number = |text: &str| match text.strip_prefix("0x") {
        Some(digits) => u32::from_str_radix(digits, 16),
        None => text.parse(),
    };
    text.split_whitespace()
        .filter(|part| *part != "-")
        .map(|part| {
            let (name, value) = part.split_once('=').unwrap_or_else(|| panic!("{part}"));
            (name.to_owned(), number(value).unwrap_or_else(|e| panic!("{part}: {e}")))
        })
        .collect()
}

impl GeneralRegs for Recorder {
    fn reg(&self, number: u8) -> u32 {
        self.get(&format!("R{number}"))
    }
    fn set_reg(&mut self, number: u8, value: u32) {
        self.set(format!("R{number}"), value);
    }
}

impl UniformRegs for Recorder {
    fn uniform_reg(&self, number: u8) -> u32 {
        self.get(&format!("UR{number}"))
    }
    fn set_uniform_reg(&mut self, number: u8, value: u32) {
        self.set(format!("UR{number}"), value);
    }
}

impl Predicates for Recorder {
    fn pred(&self, number: u8) -> bool {
        self.get(&format!("P{number}")) != 0
    }
    fn set_pred(&mut self, number: u8, value: bool) {
        self.set(format!("P{number}"), value.into());
    }
}

impl ConstMemory for Recorder {
    fn const_word(&self, bank: u8, offset: u32) -> u32 {
        self.get(&format!("c[{bank:#x}][{offset:#x}]"))
    }
}
