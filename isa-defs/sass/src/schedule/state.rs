//! The accesses that are still in progress at a point of a program.

use std::collections::BTreeMap;

use crate::Unit;

use super::effect::{AnyRegister, Effect, File, Guard, Role, Use, barrier_set};
use super::latency::Chip;

/// The number of cycles after which every result with a fixed latency is ready.
const LONGEST: u8 = 40;

/// The cycles until a barrier that an instruction sets can be waited for.
const BARRIER_DELAY: u8 = 2;

/// Whether an access in progress reads or writes a register.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum AccessDirection {
    Read,
    Write,
}

/// The identity of an access in progress.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct AccessKey {
    register: AnyRegister,
    direction: AccessDirection,
    /// The index of the instruction.
    producer: usize,
    /// The barriers that are released only after the access. If the set is empty and the latency
    /// is variable, no wait is sufficient.
    barriers: u8,
    /// The index of the register in the operand.
    part: u8,
}

/// The properties of an access in progress that differ between the paths to a point.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct AccessState {
    /// The cycles since the instruction was issued.
    age: u8,
    /// The guard of the instruction, until its predicate is written.
    guard: Option<Guard>,
}

/// The accesses in progress.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct State {
    accesses: BTreeMap<AccessKey, AccessState>,
    /// For each barrier, the instructions that set it, with the cycles since then.
    setters: BTreeMap<(u8, usize), u8>,
}

/// The reason why an instruction is issued too early.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Reason {
    ReadAfterWrite,
    WriteAfterWrite,
    WriteAfterRead,
    BarrierDelay,
}

/// A violated dependency.
#[derive(Debug, Clone, Copy)]
pub(super) struct Violation {
    pub(super) reason: Reason,
    pub(super) producer: usize,
    pub(super) register: Option<AnyRegister>,
    /// The needed and the actual cycles, or `None` if a wait is missing.
    pub(super) cycles: Option<(u8, u8)>,
    /// The barriers. A wait for any of them is sufficient.
    pub(super) barriers: u8,
}

/// A unit that finishes its instructions in order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Queue {
    Function,
    Double,
    Matrix,
    Special,
    Shared,
    /// All accesses to memory read their sources in order, but their results are ready in any order.
    Memory,
}

impl Queue {
    /// Returns the queue in which a unit reads its sources.
    fn of_reads(unit: Unit) -> Option<Self> {
        match unit {
            Unit::SHARED | Unit::MEMORY => Some(Queue::Memory),
            _ => Queue::of_writes(unit),
        }
    }

    /// Returns the queue in which a unit writes its results.
    fn of_writes(unit: Unit) -> Option<Self> {
        match unit {
            Unit::FUNCTION => Some(Queue::Function),
            Unit::DOUBLE => Some(Queue::Double),
            Unit::MATRIX => Some(Queue::Matrix),
            Unit::SPECIAL => Some(Queue::Special),
            Unit::SHARED => Some(Queue::Shared),
            _ => None,
        }
    }

    /// Returns whether two instructions are in the same queue.
    fn is_shared(of: fn(Unit) -> Option<Self>, first: Unit, second: Unit) -> bool {
        of(first).is_some_and(|queue| of(second) == Some(queue))
    }
}

impl State {
    /// Adds the accesses of another path to the same point. Returns whether the state changes.
    pub(super) fn join(&mut self, other: &State) -> bool {
        let mut changed = false;
        for (key, &new) in &other.accesses {
            let old = *self.accesses.entry(*key).or_insert_with(|| {
                changed = true;
                new
            });
            let guard = old.guard.filter(|_| old.guard == new.guard);
            let joined = AccessState { age: old.age.min(new.age), guard };
            if joined != old {
                changed = true;
                self.accesses.insert(*key, joined);
            }
        }
        for (key, &new) in &other.setters {
            let old = self.setters.get(key).copied();
            if old.is_none_or(|old| new < old) {
                changed = true;
                self.setters.insert(*key, new);
            }
        }
        changed
    }

    /// Removes the accesses of instructions that the threads on a path do not execute, because the path
    /// requires that `guard` is true.
    pub(super) fn assume(&mut self, guard: Guard) {
        let excluded = (guard.0, !guard.1);
        self.accesses.retain(|_, access| access.guard != Some(excluded));
    }

    /// Removes everything. Used after a call, and after an instruction with unknown effects.
    pub(super) fn clear(&mut self) {
        *self = State::default();
    }

    /// Issues the instruction with the index `index`. Passes the dependencies that it violates to
    /// `report`.
    pub(super) fn issue(
        &mut self,
        chip: Chip,
        program: &[Effect],
        index: usize,
        report: &mut dyn FnMut(Violation),
    ) {
        let Some(effect) = program.get(index) else { return };
        self.wait(effect.control.req, report);
        for used in &effect.reads {
            self.read(chip, program, effect, *used, report);
        }
        if effect.unit == Unit::UNKNOWN {
            self.clear();
            return;
        }
        for used in &effect.writes {
            self.write(chip, program, effect, *used, report);
        }
        self.release(program, effect);
        self.begin(chip, program, effect, index);
        self.advance(chip, program, effect.control.cycles());
    }

    /// Waits for a set of barriers.
    fn wait(&mut self, barriers: u8, report: &mut dyn FnMut(Violation)) {
        for (&(barrier, producer), &age) in &self.setters {
            if barriers & barrier_set(barrier) != 0 && age < BARRIER_DELAY {
                report(Violation {
                    reason: Reason::BarrierDelay,
                    producer,
                    register: None,
                    cycles: Some((BARRIER_DELAY, age)),
                    barriers: barrier_set(barrier),
                });
            }
        }
        self.accesses.retain(|key, _| key.barriers & barriers == 0);
    }

    /// Returns the accesses to a register in progress, except those of threads that do not execute an
    /// instruction with this guard.
    fn accesses_to(
        &self,
        register: AnyRegister,
        guard: Option<Guard>,
    ) -> impl Iterator<Item = (AccessKey, AccessState)> {
        let first = AccessKey {
            register,
            direction: AccessDirection::Read,
            producer: 0,
            barriers: 0,
            part: 0,
        };
        let opposite = guard.map(|(predicate, negated)| (predicate, !negated));
        self.accesses
            .range(first..)
            .take_while(move |(key, _)| key.register == register)
            .filter(move |(_, access)| opposite.is_none() || access.guard != opposite)
            .map(|(key, access)| (*key, *access))
    }

    /// Checks that a register is ready to be read.
    fn read(
        &self,
        chip: Chip,
        program: &[Effect],
        effect: &Effect,
        used: Use,
        report: &mut dyn FnMut(Violation),
    ) {
        let guard = effect.guard.filter(|_| used.role != Role::Guard);
        for (key, access) in self.accesses_to(used.register, guard) {
            let Some(producer) = program.get(key.producer) else { continue };
            if key.direction == AccessDirection::Read {
                continue;
            }
            let needed = if is_variable(chip, producer) {
                None
            } else {
                let written = Use { part: key.part, ..used };
                Some(chip.read_after_write((producer.unit, written), (effect.unit, used)))
            };
            report_early(Reason::ReadAfterWrite, key, access, needed, report);
        }
    }

    /// Checks that a register is ready to be overwritten.
    fn write(
        &self,
        chip: Chip,
        program: &[Effect],
        effect: &Effect,
        used: Use,
        report: &mut dyn FnMut(Violation),
    ) {
        for (key, access) in self.accesses_to(used.register, effect.guard) {
            let Some(producer) = program.get(key.producer) else { continue };
            let (reason, of): (_, fn(Unit) -> Option<Queue>) = match key.direction {
                AccessDirection::Read => (Reason::WriteAfterRead, Queue::of_reads),
                AccessDirection::Write => (Reason::WriteAfterWrite, Queue::of_writes),
            };
            let is_ordered = Queue::is_shared(of, producer.unit, effect.unit);
            let needed = match is_variable(chip, producer) {
                true if is_ordered => continue,
                true => None,
                false => Some(chip.write_after_write(producer.unit, effect.unit)),
            };
            report_early(reason, key, access, needed, report);
        }
    }

    /// Adds the barriers that the instruction sets to earlier accesses of the same queue, because these
    /// are finished before the barrier is released.
    fn release(&mut self, program: &[Effect], effect: &Effect) {
        if effect.unit == Unit::SYNC {
            // A barrier of all threads of a block waits until all accesses to memory have read their sources.
            let is_memory = |producer: usize| {
                let effect = program.get(producer);
                effect.is_some_and(|it| Queue::of_reads(it.unit) == Some(Queue::Memory))
            };
            self.accesses.retain(|key, _| {
                key.direction == AccessDirection::Write || !is_memory(key.producer)
            });
            return;
        }
        let (written, any) = (barrier_set(effect.control.wr), effect.control.sets());
        if any == 0 || Queue::of_reads(effect.unit).is_none() {
            return;
        }
        let mut changed = Vec::new();
        self.accesses.retain(|key, access| {
            let Some(producer) = program.get(key.producer) else { return false };
            let (of, released): (fn(Unit) -> Option<Queue>, _) = match key.direction {
                AccessDirection::Read => (Queue::of_reads, any),
                AccessDirection::Write => (Queue::of_writes, written),
            };
            let barriers = key.barriers | released;
            let is_kept =
                barriers == key.barriers || !Queue::is_shared(of, producer.unit, effect.unit);
            if !is_kept {
                changed.push((AccessKey { barriers, ..*key }, *access));
            }
            is_kept
        });
        self.accesses.extend(changed);
    }

    /// Adds the accesses of an instruction.
    fn begin(&mut self, chip: Chip, program: &[Effect], effect: &Effect, index: usize) {
        for used in &effect.writes {
            let register = used.register;
            if matches!(register.file, File::Predicate | File::UniformPredicate) {
                for access in self.accesses.values_mut() {
                    access.guard = access.guard.filter(|guard| guard.0 != register);
                }
            }
            if effect.guard.is_none() {
                self.accesses.retain(|key, _| key.register != register);
            }
        }
        let access = AccessState {
            age: 0,
            guard: effect.guard.filter(|guard| !effect.has_written(guard.0)),
        };
        if is_variable(chip, effect) {
            let barriers = effect.control.sets();
            for used in effect.reads.iter().filter(|used| used.register.file == File::Vector) {
                if effect.guard.is_none() {
                    self.forget_reads(program, used.register, effect.unit);
                }
                let key = AccessKey {
                    register: used.register,
                    direction: AccessDirection::Read,
                    producer: index,
                    barriers,
                    part: 0,
                };
                self.accesses.insert(key, access);
            }
        }
        for used in &effect.writes {
            let key = AccessKey {
                register: used.register,
                direction: AccessDirection::Write,
                producer: index,
                barriers: barrier_set(effect.control.wr),
                part: used.part,
            };
            self.accesses.insert(key, access);
        }
        for barrier in [effect.control.wr, effect.control.rd] {
            if barrier_set(barrier) != 0 {
                self.setters.insert((barrier, index), 0);
            }
        }
    }

    /// Removes the reads of a register that are finished when a later read of the same queue is finished.
    fn forget_reads(&mut self, program: &[Effect], register: AnyRegister, unit: Unit) {
        self.accesses.retain(|key, _| {
            let is_earlier = key.register == register && key.direction == AccessDirection::Read;
            !is_earlier
                || !program
                    .get(key.producer)
                    .is_some_and(|producer| Queue::is_shared(Queue::of_reads, producer.unit, unit))
        });
    }

    /// Lets cycles pass, and removes results with a fixed latency that are ready.
    fn advance(&mut self, chip: Chip, program: &[Effect], cycles: u8) {
        self.accesses.retain(|key, access| {
            access.age = access.age.saturating_add(cycles).min(LONGEST);
            access.age < LONGEST
                || program.get(key.producer).is_some_and(|producer| is_variable(chip, producer))
        });
        self.setters.retain(|_, age| {
            *age = age.saturating_add(cycles);
            *age < BARRIER_DELAY
        });
    }
}

/// Returns whether other instructions must wait for a barrier before they use the results.
fn is_variable(chip: Chip, effect: &Effect) -> bool {
    chip.is_variable(effect.unit) || effect.control.sets() != 0
}

/// Reports an access in progress. `needed` is the latency, or `None` if a wait is missing.
fn report_early(
    reason: Reason,
    key: AccessKey,
    access: AccessState,
    needed: Option<u8>,
    report: &mut dyn FnMut(Violation),
) {
    if needed.is_some_and(|needed| access.age >= needed) {
        return;
    }
    report(Violation {
        reason,
        producer: key.producer,
        register: Some(key.register),
        cycles: needed.map(|needed| (needed, access.age)),
        barriers: key.barriers,
    });
}
