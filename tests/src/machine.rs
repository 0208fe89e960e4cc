//! A machine that records what is written to it, with its state in the text form of the vector
//! files.

use std::collections::BTreeMap;

use isa_core::machine::{ConstMemory, GeneralRegs, Predicates, UniformRegs};

/// Named locations with their values. A location without a value is 0 or false.
#[derive(Debug, Clone, Default)]
pub struct Recorder {
    state: BTreeMap<String, u32>,
    written: BTreeMap<String, u32>,
}

impl Recorder {
    /// Creates a machine from a state such as `R1=0x3c00 P0=1 c[0x0][0x160]=0x1`, or `-` for an
    /// empty state.
    ///
    /// # Panics
    ///
    /// Panics if the text is not a valid state.
    #[must_use]
    pub fn parse(text: &str) -> Self {
        Recorder { state: parse_state(text), written: BTreeMap::new() }
    }

    /// Returns the written locations with their values, sorted by name.
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

/// Parses a state to its locations.
///
/// # Panics
///
/// Panics if the text is not a valid state.
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
