//! Detects whether a server is still working, independently of the load of the machine.

use std::time::{Duration, Instant};

use isa_tests::processor;

/// A server is considered dead after this time without a sign of life. A sign is a message, or
/// processor time that the server or one of its child processes used. If 60 programs share a
/// processor, one second of work takes a minute, but the first second is already a sign.
const SILENCE: Duration = Duration::from_secs(30 * 60);

/// The limit of processor time. A server that used it is in an endless loop, because the whole test
/// takes only 20 seconds.
const WORK: Duration = Duration::from_secs(30 * 60);

/// The signs of life of a process.
pub(crate) struct Life {
    process: u32,
    last: Instant,
    /// The processor time at the last sign, if the system reports it.
    used: Option<Duration>,
    silence: Duration,
    work: Duration,
}

impl Life {
    pub(crate) fn new(process: u32) -> Self {
        Life { process, last: Instant::now(), used: None, silence: SILENCE, work: WORK }
    }

    /// Records the arrival of a message.
    pub(crate) fn sign(&mut self) {
        self.last = Instant::now();
    }

    /// Checks for other signs of life. Returns the reason if the server is considered dead.
    pub(crate) fn check(&mut self) -> Result<(), String> {
        let used = processor::of_family(self.process);
        if used != self.used {
            (self.used, self.last) = (used, Instant::now());
        }
        if self.last.elapsed() > self.silence {
            return Err(format!("there is no sign of life for {:?}", self.silence));
        }
        match used {
            Some(used) if used > self.work => Err(format!("it has worked for {used:?}")),
            _ => Ok(()),
        }
    }
}

#[test]
fn silence_and_endless_work_are_noticed() {
    let mut life = Life::new(std::process::id());
    assert_eq!(life.check(), Ok(()));
    // No process has this id, so it never uses processor time.
    let mut life = Life { process: u32::MAX, silence: Duration::ZERO, ..life };
    std::thread::sleep(Duration::from_millis(1));
    assert!(life.check().is_err_and(|reason| reason.contains("no sign of life")));
    life.sign();
    life.silence = SILENCE;
    assert_eq!(life.check(), Ok(()));
    if processor::of_family(std::process::id()).is_some_and(|used| used > Duration::ZERO) {
        let mut life = Life { work: Duration::ZERO, ..Life::new(std::process::id()) };
        assert!(life.check().is_err_and(|reason| reason.contains("worked")));
    }
}
