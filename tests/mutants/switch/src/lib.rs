//! Selects the mutant that is active.
//!
//! The environment selects it: `ISA_MUTANT`, read when a test starts, for code that runs, and
//! `ISA_MUTANT_BUILT`, read when the test is built, for code that the compiler evaluates. With
//! `ISA_MUTANTS_REACHED` no mutant is active, and the id of each mutant that is reached is written
//! to that file, in four bytes.

// These features distinguish constant evaluation from execution, which stable Rust cannot do. The
// build of the copy enables them only for this crate.
#![allow(internal_features)]
#![feature(core_intrinsics, const_eval_select)]

use std::fs::{File, OpenOptions};
use std::io::Write;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering::Relaxed};

/// The environment was not read yet.
const UNREAD: u32 = u32::MAX;
/// No mutant is active; mutants that are reached are recorded.
const RECORDING: u32 = u32::MAX - 1;
/// The limit on mutant ids when recording; mutants with higher ids are not recorded.
const MOST: usize = 1 << 16;

static CHOSEN: AtomicU32 = AtomicU32::new(UNREAD);
static SEEN: [AtomicBool; MOST] = [const { AtomicBool::new(false) }; MOST];
static REACHED: OnceLock<File> = OnceLock::new();

/// Returns whether the mutant with this id is active. Ids start at 1.
#[inline(always)]
#[must_use]
pub const fn on(mutant: u32) -> bool {
    core::intrinsics::const_eval_select((mutant,), when_built, when_run)
}

const fn when_built(mutant: u32) -> bool {
    const CHOSEN: u32 = match option_env!("ISA_MUTANT_BUILT") {
        Some(number) => match u32::from_str_radix(number, 10) {
            Ok(number) => number,
            Err(_) => panic!("ISA_MUTANT_BUILT is no number"),
        },
        None => 0,
    };
    mutant == CHOSEN
}

#[inline(always)]
fn when_run(mutant: u32) -> bool {
    let chosen = CHOSEN.load(Relaxed);
    chosen == mutant || chosen >= RECORDING && read_or_record(mutant, chosen)
}

#[cold]
fn read_or_record(mutant: u32, chosen: u32) -> bool {
    if chosen == UNREAD {
        let number = std::env::var("ISA_MUTANT").ok().and_then(|number| number.parse().ok());
        let recording = std::env::var_os("ISA_MUTANTS_REACHED").is_some();
        CHOSEN.store(if recording { RECORDING } else { number.unwrap_or(0) }, Relaxed);
        return when_run(mutant);
    }
    if SEEN.get(mutant as usize).is_some_and(|seen| !seen.swap(true, Relaxed)) {
        let open = || {
            let path = std::env::var_os("ISA_MUTANTS_REACHED").unwrap_or_default();
            OpenOptions::new().append(true).create(true).open(path).expect("a file for what is reached")
        };
        let mut file = REACHED.get_or_init(open);
        file.write_all(&mutant.to_le_bytes()).expect("the file takes a number");
    }
    false
}
