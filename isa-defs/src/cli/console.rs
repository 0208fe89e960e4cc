//! Standard error: diagnostics, and progress on a terminal.

use std::io::Write;
use std::time::{Duration, Instant};

use super::render::{self, Diagnostic};

/// Progress is shown from here on, and this often.
const DELAY: Duration = Duration::from_secs(1);
const INTERVAL: Duration = Duration::from_millis(200);

/// The person at the terminal, or the log that stands in.
///
/// A standard error that cannot be written is nothing to fail for.
pub(super) struct Console<'a> {
    err: &'a mut dyn Write,
    color: bool,
    errors: usize,
    progress: Option<Progress>,
}

/// Progress of the command.
struct Progress {
    next: Instant,
    shown: bool,
}

impl<'a> Console<'a> {
    pub(super) fn new(err: &'a mut dyn Write, color: bool, progress: bool) -> Self {
        let progress = progress.then(|| Progress { next: Instant::now() + DELAY, shown: false });
        Console { err, color, errors: 0, progress }
    }

    /// The number of errors reported so far.
    pub(super) fn errors(&self) -> usize {
        self.errors
    }

    /// Reports an error in the input.
    pub(super) fn report(&mut self, diagnostic: &Diagnostic<'_>) {
        self.clear_progress();
        self.errors += 1;
        let text = render::render(diagnostic, self.color);
        let _ = self.err.write_all(text.as_bytes());
    }

    /// Reports an error that has no place in the input.
    pub(super) fn message(&mut self, message: &str) {
        self.clear_progress();
        let text = render::message(message, self.color);
        let _ = self.err.write_all(text.as_bytes());
        let _ = self.err.flush();
    }

    /// Says how many errors there were, and what that means.
    pub(super) fn summary(&mut self) {
        let plural = if self.errors == 1 { "" } else { "s" };
        let message = format!("{} error{plural}; nothing is written", self.errors);
        self.message(&message);
    }

    /// Shows that `done` of `total` bytes are read, if it is time to.
    pub(super) fn progress(&mut self, done: u64, total: Option<u64>) {
        let Some(progress) = &mut self.progress else {
            return;
        };
        let now = Instant::now();
        if now < progress.next {
            return;
        }
        progress.next = now + INTERVAL;
        progress.shown = true;
        let _ = write!(self.err, "\r\x1b[K{}", describe(done, total));
        let _ = self.err.flush();
    }

    /// Takes the progress off the terminal.
    pub(super) fn clear_progress(&mut self) {
        if let Some(progress) = &mut self.progress
            && core::mem::take(&mut progress.shown)
        {
            let _ = self.err.write_all(b"\r\x1b[K");
        }
    }
}

impl Drop for Console<'_> {
    fn drop(&mut self) {
        self.clear_progress();
        let _ = self.err.flush();
    }
}

fn describe(done: u64, total: Option<u64>) -> String {
    let mib = |bytes: u64| bytes >> 20;
    match total {
        Some(total) if total > 0 => {
            let percent = (u128::from(done) * 100 / u128::from(total)).min(100);
            format!("{percent:3} %  {} of {} MiB", mib(done), mib(total))
        }
        _ => format!("{} MiB", mib(done)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn progress_says_how_much_of_what() {
        assert_eq!(describe(512 << 20, Some(1 << 30)), " 50 %  512 of 1024 MiB");
        assert_eq!(describe(3 << 20, None), "3 MiB");
        assert_eq!(describe(0, Some(0)), "0 MiB");
    }

    #[test]
    fn progress_is_taken_off_before_a_message() {
        let mut err = Vec::new();
        let mut console = Console::new(&mut err, false, true);
        if let Some(progress) = &mut console.progress {
            progress.next = Instant::now();
        }
        console.progress(1 << 20, None);
        console.message("stop");
        drop(console);
        assert_eq!(err, b"\r\x1b[K1 MiB\r\x1b[Kerror: stop\n");
    }

    #[test]
    fn without_a_terminal_there_is_no_progress() {
        let mut err = Vec::new();
        Console::new(&mut err, false, false).progress(1 << 40, None);
        assert!(err.is_empty());
    }
}
