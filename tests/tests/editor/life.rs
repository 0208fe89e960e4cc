//! Whether a server still does something, by what does not depend on other work on the machine.

use std::time::{Duration, Instant};

use isa_tests::processor;

/// Without any sign of life for so long, a server is taken for dead. A sign is a message, or
/// processor time that it or a process of its has used. A second of work takes a minute where 60
/// programs share a processor, and is seen in the first of these all the same.
const SILENCE: Duration = Duration::from_secs(30 * 60);

/// So much processor time nothing here takes: a server that has used it goes round in circles. The
/// whole test takes 20 seconds.
const WORK: Duration = Duration::from_secs(30 * 60);

/// The signs of life of a process.
pub(crate) struct Life {
    process: u32,
    last: Instant,
    /// The processor time at the last sign, where the system says it.
    used: Option<Duration>,
    silence: Duration,
    work: Duration,
}

impl Life {
    pub(crate) fn new(process: u32) -> Self {
        Life { process, last: Instant::now(), used: None, silence: SILENCE, work: WORK }
    }

    /// A message came.
    pub(crate) fn sign(&mut self) {
        self.last = Instant::now();
    }

    /// Looks for other signs; says what is wrong where there is no hope.
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
    // No process has this number, so that it never takes time.
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
