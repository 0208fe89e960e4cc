//! Test cases for the semantics: a word, and the state in which it is executed.

use std::sync::OnceLock;

use isa_a64::cpu::{Cpu, Segment};
use isa_a64::machine::{Control, Memory, Nzcv};
use isa_a64::{A64, Trap};
use isa_core::table::Opcode;
use isa_verify::random::SplitMix64;

use crate::emulated::Outcome;
use crate::sample::edged;

/// The address of the code, and of the word that is executed.
pub(crate) const CODE: u64 = 0x40_0000;
pub(crate) const SLOT: u64 = CODE + 0x1000;

/// The address of the data. Accessed addresses are near the middle.
pub(crate) const DATA: u64 = 0x1000_0000;
const SIZE: usize = 0x1_0000;
const MIDDLE: u64 = DATA + SIZE as u64 / 2;

/// The number of bytes of memory that are compared.
pub(crate) const WINDOW: usize = 48;

/// Returns the bytes of the code or data that begins at `start`. Each byte is computed from its
/// address.
pub(crate) fn pattern(start: u64) -> &'static [u8] {
    static CODE_BYTES: OnceLock<Vec<u8>> = OnceLock::new();
    static DATA_BYTES: OnceLock<Vec<u8>> = OnceLock::new();
    let byte = |address: u64| (address.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 56) as u8;
    let bytes = if start == CODE { &CODE_BYTES } else { &DATA_BYTES };
    bytes.get_or_init(|| (start..start + SIZE as u64).map(byte).collect())
}

/// The registers and flags before or after an instruction.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct State {
    pub(crate) x: [u64; 31],
    pub(crate) sp: u64,
    pub(crate) nzcv: u8,
    pub(crate) v: [u128; 8],
}

/// A word and the state before it.
#[derive(Debug, Clone)]
pub(crate) struct Case {
    pub(crate) word: u32,
    pub(crate) seed: u64,
    pub(crate) state: State,
    /// The start of the memory that is compared. An accessed address is 16 bytes after it.
    pub(crate) window: u64,
    /// The reservation of the accessed address: none, 1, 2, 4 or 8 bytes, two times 4, or two times
    /// 8 bytes.
    pub(crate) reserve: u8,
}

/// Returns a number from the list of edge cases, or any number.
fn number(random: &mut SplitMix64) -> u64 {
    const EDGES: [u64; 12] = [
        0,
        1,
        2,
        0x7f,
        0x80,
        0x7fff_ffff,
        0x8000_0000,
        0xffff_ffff,
        i64::MAX as u64,
        i64::MIN as u64,
        u64::MAX,
        u64::MAX - 1,
    ];
    match random.below(4) {
        0 => *random.pick(&EDGES),
        1 => random.bits() >> random.below(64),
        2 => !(random.bits() >> random.below(64)),
        _ => random.bits(),
    }
}

const fn is_memory(word: u32) -> bool {
    word & 0x0a00_0000 == 0x0800_0000
}

/// Returns a register that is added to an address: up to 4 KiB, or its negative if the extension is
/// signed. If only 32 of its bits are used, the others are random.
fn index(word: u32, random: &mut SplitMix64) -> u64 {
    let (far, others) = (random.bits() >> 52, random.bits() << 32);
    let (signed, half) = (word >> 15 & 1 == 1, word >> 13 & 1 == 0);
    let number = if signed { far.wrapping_neg() } else { far };
    if half { number & 0xffff_ffff | others } else { number }
}

impl Case {
    /// Creates a case. The state depends only on the seed, except for registers that are used as
    /// addresses.
    pub(crate) fn new(word: u32, seed: u64) -> Self {
        let mut random = SplitMix64::new(seed);
        let mut state = State {
            x: std::array::from_fn(|_| number(&mut random)),
            sp: MIDDLE,
            nzcv: random.bits() as u8 & 15,
            v: std::array::from_fn(|_| random.word()),
        };
        let (n, m) = ((word >> 5 & 31) as usize, (word >> 16 & 31) as usize);
        let mut window = MIDDLE - 16;
        if is_memory(word) {
            if word & 0x3f20_0c00 == 0x3820_0800 && m != 31 {
                state.x[m] = index(word, &mut random);
            }
            if n != 31 {
                state.x[n] = MIDDLE;
            }
            if let Some(address) = accessed(word, &state) {
                window = address.wrapping_sub(16);
            }
        }
        if word & 0xfe00_0000 == 0xd600_0000 && n != 31 {
            state.x[n] = SLOT + 8;
        }
        // An exclusive store finds a matching reservation or none.
        let of = (word >> 30) as u8 + 1 + 2 * (word >> 21 & 1) as u8;
        let store = word & 0x3fc0_0000 == 0x0800_0000 && random.below(3) != 0;
        Case { word, seed, state, window, reserve: if store { of } else { 0 } }
    }

    fn cpu(&self) -> Cpu {
        let segments = vec![
            Segment { start: DATA, bytes: pattern(DATA).to_vec(), writable: true },
            Segment { start: CODE, bytes: pattern(CODE).to_vec(), writable: false },
        ];
        cpu(segments, &self.state)
    }

    /// Executes the word in this state with our semantics.
    pub(crate) fn run(&self) -> Result<Outcome, Trap> {
        let mut cpu = self.cpu();
        let (bytes, all) =
            [(0, 0), (1, 1), (2, 2), (4, 4), (8, 8), (4, 8), (8, 16)][usize::from(self.reserve)];
        if self.reserve != 0 {
            cpu.load_reserved(self.window + 16, bytes, all)?;
        }
        cpu.execute(A64::decode(self.word).map_err(|_| Trap::Undefined)?)?;
        if cpu.pc() != SLOT + 4 && cpu.pc() != SLOT + 8 {
            return Err(Trap::AccessFault(cpu.pc()));
        }
        let around = self.window..self.window + WINDOW as u64;
        let memory: Result<Vec<u8>, Trap> =
            around.map(|address| cpu.load(address, 1).map(|byte| byte as u8)).collect();
        Ok(Outcome {
            state: State {
                x: cpu.x,
                sp: cpu.sp,
                nzcv: cpu.nzcv.0,
                v: *cpu.v.first_chunk().expect("eight of 32"),
            },
            jumped: cpu.pc() == SLOT + 8,
            memory: memory?,
        })
    }

    /// Returns the differences between the states before and after the word, as text.
    pub(crate) fn changes(&self, outcome: &Outcome) -> String {
        let mut text = Vec::new();
        let (before, behind) = (&self.state, &outcome.state);
        for (number, (a, b)) in
            before.x.iter().zip(&behind.x).enumerate().filter(|(_, (a, b))| a != b)
        {
            let _ = a;
            text.push(format!("x{number}={b:x}"));
        }
        if before.sp != behind.sp {
            text.push(format!("sp={:x}", behind.sp));
        }
        if before.nzcv != behind.nzcv {
            text.push(format!("nzcv={:x}", behind.nzcv));
        }
        for (number, (a, b)) in before.v.iter().zip(&behind.v).enumerate() {
            if a != b {
                text.push(format!("v{number}={b:x}"));
            }
        }
        if outcome.jumped {
            text.push("jumped".to_owned());
        }
        let all = pattern(DATA);
        let offset = (self.window - DATA) as usize;
        for (place, byte) in outcome.memory.iter().enumerate() {
            if all[offset + place] != *byte {
                text.push(format!("[{}]={byte:x}", place as i64 - 16));
            }
        }
        text.join(" ")
    }
}

fn cpu(segments: Vec<Segment>, state: &State) -> Cpu {
    let mut cpu = Cpu::new(segments, SLOT);
    (cpu.x, cpu.sp, cpu.nzcv) = (state.x, state.sp, Nzcv(state.nzcv));
    cpu.v[..8].copy_from_slice(&state.v);
    cpu
}

/// Returns the address within the data that a word accesses.
fn accessed(word: u32, state: &State) -> Option<u64> {
    match cpu(Vec::new(), state).execute(A64::decode(word).ok()?) {
        Err(Trap::AccessFault(address)) => Some(address).filter(|at| *at >= DATA),
        _ => None,
    }
}

/// Opcodes whose words stop a program or depend on the system.
pub(crate) const OTHERS: [&str; 14] = [
    "svc", "hvc", "smc", "brk", "hlt", "dcps1", "dcps2", "dcps3", "eret", "drps", "mrs", "msr",
    "wfe", "wfi",
];

/// Changes a word so that it continues only at the next instruction or at the one after it.
fn tame(word: u32) -> u32 {
    match word {
        _ if word & 0x7c00_0000 == 0x1400_0000 => word & 0xfc00_0000 | 2,
        _ if word & 0xfe00_0000 == 0x5400_0000 => word & 0xff00_001f | 2 << 5,
        _ if word & 0x7e00_0000 == 0x3400_0000 => word & 0xff00_001f | 2 << 5,
        _ if word & 0x7e00_0000 == 0x3600_0000 => word & 0xfff8_001f | 2 << 5,
        // Only the first eight vector registers have values.
        _ if word & 0x9f20_0400 == 0x0e20_0400 => word & !0x0018_0318,
        // Literal loads: the address is some pages ahead, where memory contains the pattern.
        _ if word & 0x3f00_0000 == 0x1800_0000 => word & 0xff03_ffff & !(0xf << 16) | 1 << 16,
        _ => word,
    }
}

/// Returns cases of a class, using its opcodes in turn.
pub(crate) fn cases(opcodes: &[&Opcode], count: usize, seed: u64) -> Vec<Case> {
    let opcodes: Vec<_> = opcodes.iter().filter(|opcode| !OTHERS.contains(&opcode.name)).collect();
    let mut random = SplitMix64::new(seed);
    let mut cases = Vec::new();
    while cases.len() < count {
        let row = opcodes[cases.len() % opcodes.len()];
        let free = edged(&mut random) & !(row.fixed.mask | row.unused) as u32;
        let case = Case::new(tame(free | row.fixed.value as u32), random.bits());
        if case.run().is_ok() {
            cases.push(case);
        }
    }
    cases
}
