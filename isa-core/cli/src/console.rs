//! Writes diagnostics to standard error, and progress if it is a terminal.

mod render;

use std::ffi::OsString;
use std::io::Write;
use std::time::{Duration, Instant};

use crate::output::Spool;

pub(crate) use render::{Diagnostic, SHOWN, SourceLocation, char_start, excerpt};

/// The time after which progress is shown, and (in `INTERVAL`) the time between updates.
const DELAY: Duration = Duration::from_secs(1);
const INTERVAL: Duration = Duration::from_millis(200);

/// The options for diagnostics.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct DiagnosticStyle {
    /// Whether diagnostics are coloured. If `None`, it depends on the terminal.
    pub(crate) color: Option<bool>,
    /// Whether diagnostics are JSON.
    pub(crate) json: bool,
    /// The maximum number of errors that are shown.
    pub(crate) limit: usize,
}

/// The default maximum number of errors that are shown.
const ERROR_LIMIT: usize = 20;

impl Default for DiagnosticStyle {
    fn default() -> Self {
        DiagnosticStyle { color: None, json: false, limit: ERROR_LIMIT }
    }
}

impl DiagnosticStyle {
    /// Returns the options for diagnostics before the other arguments are checked, because these options
    /// also apply to errors in the command line.
    pub(crate) fn guess(args: &[OsString]) -> DiagnosticStyle {
        let mut style = DiagnosticStyle::default();
        let args = args.iter().map(|arg| arg.to_str().unwrap_or_default());
        let args: Vec<&str> = args.take_while(|arg| *arg != "--").collect();
        for (at, arg) in args.iter().enumerate() {
            let value = arg
                .strip_prefix("--color=")
                .or_else(|| args.get(at + 1).copied().filter(|_| *arg == "--color"));
            style.color = value.map_or(style.color, color_choice);
            style.json |= *arg == "--json";
        }
        style
    }
}

/// Returns whether a value of `--color` enables colour, or `None` if it depends on the terminal.
pub(crate) fn color_choice(when: &str) -> Option<bool> {
    match when {
        "always" => Some(true),
        "never" => Some(false),
        _ => None,
    }
}

/// The standard error stream.
///
/// Failures to write to it are ignored.
pub(crate) struct Console<'a> {
    err: &'a mut dyn Write,
    style: DiagnosticStyle,
    /// Whether messages are coloured by default.
    color: bool,
    errors: usize,
    /// The part of the summary that describes how the errors affect the result.
    consequence: &'static str,
    /// Reports that are held back until the end of the output.
    held: Option<Spool>,
    progress: Option<Progress>,
}

/// The progress display.
struct Progress {
    next: Instant,
    shown: bool,
}

impl<'a> Console<'a> {
    pub(crate) fn new(err: &'a mut dyn Write, color: bool, progress: bool) -> Self {
        let progress = progress.then(|| Progress { next: Instant::now() + DELAY, shown: false });
        Console {
            err,
            style: DiagnosticStyle::default(),
            color,
            errors: 0,
            consequence: "nothing was written",
            held: None,
            progress,
        }
    }

    /// Applies the options for diagnostics.
    pub(crate) fn set_style(&mut self, style: DiagnosticStyle) {
        self.style = style;
    }

    /// Holds all further reports back until [`Console::release`]. Used by commands that continue
    /// their output after an error. The summary then describes the consequence for the result.
    pub(crate) fn hold_reports(&mut self, consequence: &'static str) {
        self.consequence = consequence;
        self.held = Some(Spool::default());
    }

    /// Disables progress, because the output goes to the same terminal.
    pub(crate) fn stop_progress(&mut self) {
        self.clear_progress();
        self.progress = None;
    }

    /// Returns the number of errors reported so far.
    pub(crate) fn errors(&self) -> usize {
        self.errors
    }

    fn is_coloured(&self) -> bool {
        self.style.color.unwrap_or(self.color)
    }

    /// Reports an error in the input, or only counts it if the limit is reached.
    pub(crate) fn report(&mut self, diagnostic: &Diagnostic<'_>) {
        if self.count_error() {
            self.draw(diagnostic);
        }
    }

    /// Reports an error like [`Console::report`], but creates the diagnostic only if it is shown.
    pub(crate) fn report_by<'d>(&mut self, diagnostic: impl FnOnce() -> Diagnostic<'d>) {
        if self.count_error() {
            self.draw(&diagnostic());
        }
    }

    /// Counts an error and returns whether it is shown.
    fn count_error(&mut self) -> bool {
        self.errors += 1;
        self.errors <= self.style.limit
    }

    fn draw(&mut self, diagnostic: &Diagnostic<'_>) {
        let text = match self.style.json {
            true => render::render_json(diagnostic),
            false => render::render(diagnostic, self.is_coloured()),
        };
        self.show(&text);
    }

    /// Reports an error in the input that has no position in a text.
    pub(crate) fn report_plain(&mut self, code: &str, message: &str) {
        if self.count_error() {
            let text = self.line("error", Some(code), message);
            self.show(&text);
        }
    }

    fn show(&mut self, text: &str) {
        self.clear_progress();
        let held = self.held.as_mut().map(|held| held.put(text.as_bytes()));
        if !matches!(held, Some(Ok(()))) {
            let _ = self.err.write_all(text.as_bytes());
        }
    }

    /// Shows the reports that were held back.
    pub(crate) fn release(&mut self) {
        if let Some(held) = self.held.take() {
            self.clear_progress();
            let _ = held.release(self.err);
        }
    }

    /// Prints a warning, which does not count as an error.
    #[cfg(feature = "import")]
    pub(crate) fn warning(&mut self, code: &str, message: &str) {
        let text = self.line("warning", Some(code), message);
        self.show(&text);
    }

    /// Reports an error that is not in the input.
    pub(crate) fn message(&mut self, code: &str, message: &str) {
        let text = self.line("error", Some(code), message);
        self.print(&text);
    }

    /// Formats a message without a position.
    fn line(&self, level: &str, code: Option<&str>, message: &str) -> String {
        match self.style.json {
            true => render::message_json(level, code, message),
            false => render::message(level, message, self.is_coloured()),
        }
    }

    /// Prints a line that is not an error.
    #[cfg(feature = "gdb")]
    pub(crate) fn note(&mut self, line: &str) {
        self.print(&format!("{line}\n"));
    }

    fn print(&mut self, text: &str) {
        self.clear_progress();
        let _ = self.err.write_all(text.as_bytes());
        let _ = self.err.flush();
    }

    /// Prints the number of errors and their consequence.
    pub(crate) fn summary(&mut self) {
        let more = self.errors.saturating_sub(self.style.limit);
        if self.consequence.is_empty() && more == 0 {
            return;
        }
        let plural = if self.errors == 1 { "" } else { "s" };
        let mut message = format!("{} error{plural}", self.errors);
        if more > 0 {
            message += &format!(", {more} of them not shown (`--error-limit 0` shows all)");
        }
        if !self.consequence.is_empty() {
            message += &format!("; {}", self.consequence);
        }
        let text = self.line("note", None, &message);
        self.print(&text);
    }

    /// Shows that `done` of `total` bytes have been read, if an update is due.
    pub(crate) fn progress(&mut self, done: u64, total: Option<u64>) {
        self.progress_as(|| describe(done, total));
    }

    /// Shows the progress of the work, if an update is due.
    pub(crate) fn progress_as(&mut self, describe: impl FnOnce() -> String) {
        let Some(progress) = &mut self.progress else {
            return;
        };
        let now = Instant::now();
        if now < progress.next {
            return;
        }
        progress.next = now + INTERVAL;
        progress.shown = true;
        let _ = write!(self.err, "\r\x1b[K{}", describe());
        let _ = self.err.flush();
    }

    /// Removes the progress display from the terminal.
    pub(crate) fn clear_progress(&mut self) {
        if let Some(progress) = &mut self.progress
            && core::mem::take(&mut progress.shown)
        {
            let _ = self.err.write_all(b"\r\x1b[K");
        }
    }
}

impl Drop for Console<'_> {
    fn drop(&mut self) {
        self.release();
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
        console.message("test", "stop");
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
