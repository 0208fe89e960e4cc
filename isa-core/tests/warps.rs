//! Tests warps with a payload, guards of a warp, and sets that a warp can execute only in part.

use isa_core::machine::{Lane, Machine, Predicates, Warp};

/// A thread with a memory that the lanes share.
pub trait Thread: Machine {
    /// Returns the index of the lane.
    fn index(&self) -> u32;
    /// Returns a word of the memory, or `None` outside of it.
    fn load(&self, address: u32) -> Option<u32>;
    /// Changes a word of the memory.
    fn store(&mut self, address: u32, value: u32);
}

/// The payload. It borrows the memory, and counts stores.
struct Context<'m> {
    memory: &'m mut [u32],
    stores: usize,
}

impl<const N: usize> Thread for Lane<'_, N, Context<'_>> {
    fn index(&self) -> u32 {
        Lane::index(self) as u32
    }
    fn load(&self, address: u32) -> Option<u32> {
        self.payload().memory.get(address as usize).copied()
    }
    fn store(&mut self, address: u32, value: u32) {
        let Context { memory, stores } = self.payload_mut();
        memory[address as usize] = value;
        *stores += 1;
    }
}

/// The trap of the loads.
#[derive(Debug, PartialEq)]
pub struct Outside(u32);

mod base {
    isa_core::define_isa! {
        /// Two guards with the same expression, whose operands are at different bits.
        pub isa Base: u32;

        machine crate::Thread;

        operand Reg: 8 = isa_core::operand::Reg;
        operand Pred: 3 = isa_core::operand::Pred;
        enum Op: 4 { INDEX = 1, STORE = 2, JUMP = 3, STOP = 4, SYNC = 5, LOAD = 6, ODD = 7 }
        enum Not: 1 { PLAIN = 0, INVERTED = 1 }
        affix "!" = not;

        group GUARDED {
            encoding { field<0, 4> Op op; }
            syntax   { {@{!}pg} .. ; }
            guard    { pg.value != (pg.not == Not::INVERTED) }
        }
        group LOW : [GUARDED] {
            encoding { field<4, 3> Pred pg = PT; field<7, 1> Not pg.not = PLAIN; }
        }
        group HIGH : [GUARDED] {
            encoding { field<28, 3> Pred pg = PT; field<31, 1> Not pg.not = PLAIN; }
        }
    }
}

mod memory {
    isa_core::define_isa! {
        /// Semantics that use the machine, and opcodes without semantics.
        pub isa Memory: u32;

        use crate::base::Base;

        opcode INDEX : [LOW] {
            encoding { op == INDEX; field<8, 8> Reg rd; }
            syntax   { INDEX Rd }
            operands { InList<pg>; OutList<rd>; Order<pg, rd>; }
            semantics(thread: crate::Thread) { Rd = thread.index(); }
        }
        opcode STORE : [HIGH] {
            encoding { op == STORE; field<8, 8> Reg ra; field<16, 8> Reg rb; }
            syntax   { STORE "[" Ra "]", Rb }
            operands { InList<pg, ra, rb>; OutList<>; Order<pg, ra, rb>; }
            semantics(thread: crate::Thread) { thread.store(Ra.value, Rb.value); }
        }
        opcode JUMP : [HIGH] {
            encoding { op == JUMP; field<8, 8> Reg ra; }
            syntax   { JUMP Ra }
            operands { InList<pg, ra>; OutList<>; Order<pg, ra>; }
        }
        opcode STOP : [LOW] {
            encoding { op == STOP; }
            syntax   { STOP }
            operands { InList<pg>; OutList<>; Order<pg>; }
        }
        opcode SYNC { encoding { field<0, 4> Op op == SYNC; } syntax { SYNC; } }
    }
}

mod loads {
    isa_core::define_isa! {
        /// A set with a trap.
        pub isa Loads: u32;

        use crate::base::Base;
        trap crate::Outside;

        opcode LOAD : [LOW] {
            encoding { op == LOAD; field<8, 8> Reg rd; field<16, 8> Reg ra; }
            syntax   { LOAD Rd, "[" Ra "]" }
            operands { InList<pg, ra>; OutList<rd>; Order<pg, rd, ra>; }
            semantics(thread: crate::Thread) {
                Rd = thread.load(Ra.value).ok_or(crate::Outside(Ra.value))?;
            }
        }
    }
}

mod odd {
    isa_core::define_isa! {
        /// A wider word, and a guard without operands of the instruction.
        pub isa Wide: u64;

        operand Reg: 8 = isa_core::operand::Reg;
        enum Op: 4 { ODD = 7 }

        opcode ODD {
            encoding  { field<0, 4> Op op == ODD; field<8, 8> Reg rd; }
            syntax    { ODD Rd; }
            operands  { InList<rd>; OutList<rd>; }
            guard     { Rd.value % 2 == 1 }
            semantics { Rd = Rd.wrapping_add(1); }
        }
    }
}

isa_core::define_isa! {
    /// All of them.
    pub isa All: u64;

    machine crate::Thread;
    trap crate::Outside;

    include self::memory::Memory;
    include self::loads::Loads;
    include self::odd::Wide;
}

fn memory(text: &str) -> memory::Memory {
    text.parse().unwrap_or_else(|error| panic!("{text}\n{error}"))
}

/// Returns a warp of 4 lanes. Lane 1 is not active, and P2 is true in the lanes 2 and 3.
fn warp<P>(payload: P) -> Warp<'static, 4, P> {
    let mut warp = Warp::with_payload(payload);
    warp.set_active([true, false, true, true]);
    for lane in 2..4 {
        warp.lane(lane).set_pred(2, true);
    }
    warp
}

#[test]
fn lanes_share_the_payload_and_run_one_after_another() {
    let mut words = [0; 4];
    let mut warp = warp(Context { memory: &mut words, stores: 0 });
    let execute = |text: &str, warp: &mut Warp<'_, 4, Context<'_>>| {
        let instruction = memory(text);
        instruction.warp_executor().unwrap()(instruction.encode().unwrap(), warp);
    };
    execute("INDEX R1;", &mut warp);
    assert_eq!(warp.row(1), [0, 0, 2, 3]);
    warp.set_row(2, [1, 1, 1, 0]);
    // The lanes 0 and 2 store to the same word, and the last wins.
    execute("STORE [R2], R1;", &mut warp);
    assert_eq!((&*warp.payload().memory, warp.payload().stores), (&[3, 2, 0, 0][..], 3));
    execute("@!P2 STORE [R1], R2;", &mut warp);
    assert_eq!((&*warp.payload().memory, warp.payload().stores), (&[1, 2, 0, 0][..], 4));
    warp.payload_mut().stores = 0;
    assert_eq!(warp.payload().stores, 0);
    assert_eq!((warp.lane(3).index(), warp.lane(9).index()), (3, 3));
}

#[test]
fn guarded_lanes_are_active_and_have_a_true_guard() {
    let mut words = [];
    let mut warp = warp(Context { memory: &mut words, stores: 0 });
    let active = [true, false, true, true];
    for (text, lanes) in [
        ("INDEX R1;", active),
        ("@P2 INDEX R1;", [false, false, true, true]),
        ("@P2 STORE [R1], R1;", [false, false, true, true]),
        // Opcodes without semantics.
        ("JUMP R1;", active),
        ("@P2 JUMP R1;", [false, false, true, true]),
        ("@!P2 JUMP R1;", [true, false, false, false]),
        ("@!P2 STOP;", [true, false, false, false]),
        // An opcode without a guard.
        ("SYNC;", active),
    ] {
        assert_eq!(memory(text).guarded_lanes(&mut warp), lanes, "{text}");
        let all: All = text.parse().unwrap();
        assert_eq!(all.guarded_lanes(&mut warp), lanes, "{text}");
        let typed = match memory(text) {
            memory::Memory::Index(i) => i.guarded_lanes(&mut warp),
            memory::Memory::Store(i) => i.guarded_lanes(&mut warp),
            memory::Memory::Jump(i) => i.guarded_lanes(&mut warp),
            memory::Memory::Stop(i) => i.guarded_lanes(&mut warp),
            memory::Memory::Sync(i) => i.guarded_lanes(&mut warp),
        };
        assert_eq!(typed, lanes, "{text}");
    }
    warp.set_row(5, [1, 3, 2, 7]);
    let odd: All = "ODD R5;".parse().unwrap();
    assert_eq!(odd.guarded_lanes(&mut warp), [true, false, false, true]);
}

#[test]
fn a_set_executes_the_opcodes_that_a_warp_can_execute() {
    let executes = |text: &str| {
        let all: All = text.parse().unwrap();
        all.warp_executor::<4, Context<'static>>().is_some()
    };
    let texts =
        ["INDEX R1;", "STORE [R1], R1;", "ODD R1;", "JUMP R1;", "STOP;", "SYNC;", "LOAD R1, [R1];"];
    assert_eq!(texts.map(executes), [true, true, true, false, false, false, false]);

    // An included opcode executes a word of the set.
    let mut words = [];
    let mut warp = warp(Context { memory: &mut words, stores: 0 });
    warp.set_row(5, [1, 3, 2, 7]);
    let odd: All = "ODD R5;".parse().unwrap();
    odd.warp_executor().unwrap()(odd.encode().unwrap(), &mut warp);
    assert_eq!(warp.row(5), [2, 3, 2, 8]);
}

#[test]
fn a_simulator_executes_traps_lane_by_lane() {
    let mut words = [10, 20, 30];
    let mut warp = warp(Context { memory: &mut words, stores: 0 });
    warp.set_row(1, [2, 9, 3, 1]);
    let load: loads::Loads = "LOAD R2, [R1];".parse().unwrap();
    let lanes = load.guarded_lanes(&mut warp);
    let outcomes: Vec<_> =
        (0..4).filter(|&lane| lanes[lane]).map(|lane| load.execute(&mut warp.lane(lane))).collect();
    assert_eq!(outcomes, [Ok(()), Err(Outside(3)), Ok(())]);
    assert_eq!(warp.row(2), [30, 0, 0, 20]);
}
