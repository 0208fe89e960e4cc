//! A functional simulator of a GPU: it computes the results of a kernel, without times.
//!
//! - A *grid* consists of blocks, which run one after another. They share the global memory.
//! - A *block* consists of warps, which share a memory and wait for each other at barriers.
//! - A *warp* executes an instruction in 32 lanes at once. Each lane is a thread. If the lanes take
//!   different branches, the lanes at the lowest address continue, until they reach the other lanes.
//!
//! `set.rs` defines the instructions, and the files `*.isa` contain kernels.
//! `cargo run --release -p isa-defs --features simd --example simulator` runs them.

mod set;

use std::cell::Cell;
use std::rc::Rc;

use isa_core::asm::{AssembleErrors, Assembler};
use isa_core::machine::{Lane, Warp};
use set::kernel::{Space, Special};
use set::{Simulated, Thread};

const LANES: usize = 32;

/// The address of a lane that has ended.
const ENDED: usize = usize::MAX;

/// A memory of 32-bit words, which the warps share.
pub(crate) type Memory = Rc<[Cell<u32>]>;

/// The payload of a warp: the state of its lanes in addition to their registers.
struct Context {
    global: Memory,
    shared: Memory,
    /// The column and the row of the block in the grid.
    block: [u32; 2],
    /// The number of the warp in the block.
    warp: u32,
    /// Whether semantics used an invalid address.
    is_invalid: bool,
}

impl Thread for Lane<'_, LANES, Context> {
    fn special(&self, register: Special) -> u32 {
        let Context { block, warp, .. } = *self.payload();
        match register {
            Special::SR_TID => warp * LANES as u32 + self.index() as u32,
            Special::SR_CTAID_X => block[0],
            Special::SR_CTAID_Y => block[1],
        }
    }

    fn add(&mut self, address: u32, number: u32) -> u32 {
        let Context { global, is_invalid, .. } = self.payload_mut();
        let word = word(global, address);
        *is_invalid |= word.is_none();
        word.map_or(0, |word| word.replace(word.get().wrapping_add(number)))
    }
}

/// Returns the word at an address, unless it is not aligned or not in the memory.
fn word(memory: &[Cell<u32>], address: u32) -> Option<&Cell<u32>> {
    if address.is_multiple_of(4) { memory.get(address as usize / 4) } else { None }
}

/// Returns the words of all lanes if their addresses are consecutive.
fn row<'m>(memory: &'m [Cell<u32>], addresses: &[u32; LANES]) -> Option<&'m [Cell<u32>; LANES]> {
    // The compiler vectorizes this loop, because it contains no branch.
    let (first, mut is_row) = (addresses[0], true);
    for (lane, &address) in (0..).zip(addresses) {
        is_row &= address == first.wrapping_add(lane * 4);
    }
    let from = (is_row && first.is_multiple_of(4)).then_some(first as usize / 4)?;
    memory.get(from..)?.first_chunk()
}

/// Loads a word in each of `lanes`. Returns `None` if an address is invalid. Most loads access consecutive
/// words or a single word, which is faster than to check the address of each lane.
fn load(
    memory: &[Cell<u32>],
    addresses: &[u32; LANES],
    lanes: &[bool; LANES],
) -> Option<[u32; LANES]> {
    let mut values = [0; LANES];
    if *addresses == [addresses[0]; LANES] && lanes[0] {
        return Some([word(memory, addresses[0])?.get(); LANES]);
    }
    if let Some(row) = row(memory, addresses) {
        values.iter_mut().zip(row).for_each(|(value, word)| *value = word.get());
        return Some(values);
    }
    for lane in (0..LANES).filter(|&lane| lanes[lane]) {
        values[lane] = word(memory, addresses[lane])?.get();
    }
    Some(values)
}

/// Stores a word in each of `lanes`. Returns `None` if an address is invalid. If several lanes store to the
/// same word, the last lane wins.
fn store(
    memory: &[Cell<u32>],
    addresses: &[u32; LANES],
    lanes: &[bool; LANES],
    values: &[u32; LANES],
) -> Option<()> {
    let row = row(memory, addresses).filter(|_| *lanes == [true; LANES]);
    if let Some(row) = row {
        row.iter().zip(values).for_each(|(word, &value)| word.set(value));
        return Some(());
    }
    for lane in (0..LANES).filter(|&lane| lanes[lane]) {
        word(memory, addresses[lane])?.set(values[lane]);
    }
    Some(())
}

/// A decoded instruction.
#[derive(Clone, Copy)]
enum Step {
    /// The function that executes the opcode in all lanes of a warp, and the word.
    Execute(fn(u128, &mut Warp<'_, LANES, Context>), u128),
    /// An instruction without semantics.
    Own(Simulated),
}

/// A program for the threads of a grid.
pub(crate) struct Kernel(Vec<Step>);

/// The size of a grid, and the parameters of its kernel.
pub(crate) struct Launch<'p> {
    /// The number of columns and rows of blocks.
    pub(crate) grid: [u32; 2],
    /// The number of warps in a block.
    pub(crate) warps: u32,
    /// The number of words of shared memory in a block.
    pub(crate) shared: usize,
    /// The words of constant bank 0.
    pub(crate) params: &'p [u32],
}

impl Kernel {
    /// Assembles a kernel and decodes its instructions.
    pub(crate) fn assemble(text: &str) -> Result<Self, AssembleErrors> {
        let program = Assembler::new(Simulated::SET).assemble(text)?;
        let decode = |bytes: &[u8; 16]| {
            let word = u128::from_le_bytes(*bytes);
            let instruction = Simulated::decode(word).expect("a kernel contains only instructions");
            match instruction.warp_executor() {
                Some(execute) => Step::Execute(execute, word),
                None => Step::Own(instruction),
            }
        };
        Ok(Kernel(program.bytes.as_chunks().0.iter().map(decode).collect()))
    }

    /// Runs the kernel. The words of the global memory are changed even if there is an error.
    pub(crate) fn launch(&self, launch: &Launch<'_>, global: &Memory) -> Result<(), String> {
        let [columns, rows] = launch.grid;
        let params: Vec<u8> = launch.params.iter().flat_map(|word| word.to_le_bytes()).collect();
        for block in (0..rows).flat_map(|y| (0..columns).map(move |x| [x, y])) {
            let shared = memory(&vec![0; launch.shared]);
            let warp = |warp| {
                let (global, shared) = (Rc::clone(global), Rc::clone(&shared));
                let payload = Context { global, shared, block, warp, is_invalid: false };
                let mut warp = Warp::with_payload(payload);
                warp.set_bank(0, &params);
                Threads { warp, pc: 0, next: [0; LANES], rejoin: ENDED }
            };
            let mut warps: Vec<_> = (0..launch.warps).map(warp).collect();
            // Each warp runs to its next barrier. Then the warps that have not ended continue.
            while !warps.is_empty() {
                for warp in &mut warps {
                    let run = warp.run(&self.0);
                    run.map_err(|e| format!("block {block:?}, instruction {}: {e}", warp.pc))?;
                }
                warps.retain(|warp| warp.pc != ENDED);
            }
        }
        Ok(())
    }
}

/// A warp, and the addresses of its lanes: the index of the next instruction.
struct Threads<'p> {
    warp: Warp<'p, LANES, Context>,
    /// The address of the active lanes.
    pc: usize,
    /// The addresses of the other lanes.
    next: [usize; LANES],
    /// The lowest address of the other lanes.
    rejoin: usize,
}

impl Threads<'_> {
    /// Executes instructions until all lanes wait at a barrier or have ended.
    fn run(&mut self, steps: &[Step]) -> Result<(), &'static str> {
        while self.pc != ENDED {
            if self.pc >= self.rejoin {
                self.move_lanes([self.pc; LANES]);
            }
            match *steps.get(self.pc).ok_or("no instruction")? {
                Step::Execute(execute, word) => {
                    execute(word, &mut self.warp);
                    if self.warp.payload().is_invalid {
                        return Err("invalid address");
                    }
                    self.pc += 1;
                }
                Step::Own(Simulated::Bar(barrier)) => {
                    let lanes = barrier.guarded_lanes(&mut self.warp);
                    if lanes != self.warp.active() || self.rejoin != ENDED {
                        return Err("not all lanes of the warp wait at the barrier");
                    }
                    self.pc += 1;
                    return Ok(());
                }
                Step::Own(instruction) => self.step(instruction)?,
            }
        }
        Ok(())
    }

    /// Executes an instruction without semantics.
    fn step(&mut self, instruction: Simulated) -> Result<(), &'static str> {
        let (warp, after) = (&mut self.warp, self.pc + 1);
        let lanes = instruction.guarded_lanes(warp);
        match instruction {
            Simulated::Bra(branch) => {
                let target = branch.get_to().target(self.pc as u64 * 16) as usize / 16;
                if lanes == warp.active() {
                    self.pc = target;
                } else {
                    self.move_lanes(lanes.map(|is_taken| if is_taken { target } else { after }));
                }
                return Ok(());
            }
            Simulated::Exit(_) => {
                self.move_lanes(lanes.map(|ends| if ends { ENDED } else { after }));
                return Ok(());
            }
            Simulated::Ld(i) => {
                let offset = i.get_offset().get() as u32;
                let addresses = warp.fetch(i.get_ra()).map(|base| base.wrapping_add(offset));
                let values = load(warp.payload().memory(i.get_space()), &addresses, &lanes);
                let values = values.ok_or("invalid address")?;
                warp.store(i.get_rd(), &lanes, |lane| values[lane]);
            }
            Simulated::St(i) => {
                let offset = i.get_offset().get() as u32;
                let addresses = warp.fetch(i.get_ra()).map(|base| base.wrapping_add(offset));
                let (values, payload) = (warp.fetch(i.get_rb()), warp.payload());
                let stored = store(payload.memory(i.get_space()), &addresses, &lanes, &values);
                stored.ok_or("invalid address")?;
            }
            _ => return Err("no semantics"),
        }
        self.pc = after;
        Ok(())
    }

    /// Moves each active lane to its address in `targets`, and activates the lanes at the lowest address.
    fn move_lanes(&mut self, targets: [usize; LANES]) {
        let active = self.warp.active();
        for lane in (0..LANES).filter(|&lane| active[lane]) {
            self.next[lane] = targets[lane];
        }
        let lowest = self.next.into_iter().fold(ENDED, usize::min);
        let others = self.next.into_iter().filter(|&next| next != lowest);
        (self.pc, self.rejoin) = (lowest, others.fold(ENDED, usize::min));
        self.warp.set_active(self.next.map(|next| next == lowest));
    }
}

impl Context {
    fn memory(&self, space: Space) -> &Memory {
        if space == Space::S { &self.shared } else { &self.global }
    }
}

/// Returns a memory with these words.
pub(crate) fn memory(words: &[u32]) -> Memory {
    words.iter().copied().map(Cell::new).collect()
}

/// Returns the product of a matrix with `m` rows and `k` columns and one with `k` rows and `n` columns. A
/// word contains two 16-bit floats of a row. `m` and `k` must be multiples of 32, and `n` of 128.
pub(crate) fn multiply([m, n, k]: [u32; 3], a: &[u32], b: &[u32]) -> Result<Vec<u32>, String> {
    let global = memory(&[a, b, &vec![0; (m * n / 2) as usize]].concat());
    let (b, product) = (a.len() as u32 * 4, (a.len() + b.len()) as u32 * 4);
    let params = &[0, b, product, k * 2, n * 2];
    let launch = Launch { grid: [n / 128, m / 32], warps: 4, shared: 2560, params };
    let kernel = Kernel::assemble(include_str!("gemm.isa")).map_err(|error| error.to_string())?;
    kernel.launch(&launch, &global)?;
    Ok(global[product as usize / 4..].iter().map(Cell::get).collect())
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let numbers: Vec<u32> = (1..=32).chain([0; 32]).collect();
    let global = memory(&numbers);
    let launch = Launch { grid: [1, 1], warps: 1, shared: 0, params: &[0, 128] };
    Kernel::assemble(include_str!("collatz.isa"))?.launch(&launch, &global)?;
    println!("steps of the Collatz sequences of 1 to 32: {:?}", &global[32..]);

    let ([m, n, k], half) = ([256, 256, 256], 0x3800_3800);
    let start = std::time::Instant::now();
    let product = multiply([m, n, k], &vec![half; 256 * 128], &vec![half; 256 * 128])?;
    let rate = f64::from(m * n / 2 * k) / start.elapsed().as_secs_f64() / 1e6;
    println!("product: {:#x}, {rate:.0} million `HFMA2` of a thread in a second", product[0]);
    Ok(())
}
