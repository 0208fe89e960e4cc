//! Measures processor time, which other work on the machine affects less than it affects elapsed
//! time.

use std::collections::HashMap;
use std::fs;
use std::path::Path;
use std::time::Duration;

/// The unit of times in `/proc`, the same for every processor that Linux supports.
const TICK: Duration = Duration::from_millis(10);

/// Returns the processor time of this thread, or `None` if the system does not provide it in a
/// file.
#[must_use]
pub fn of_this_thread() -> Option<Duration> {
    Some(Entry::read(Path::new("/proc/thread-self/stat"))?.time)
}

/// Returns the processor time of a process and of all its descendants that are running or were
/// waited for. Returns `None` if the system does not provide it in files.
#[must_use]
pub fn of_family(process: u32) -> Option<Duration> {
    let folders = fs::read_dir("/proc").ok()?.flatten().filter_map(|folder| {
        let number = folder.file_name().to_str()?.parse::<u32>().ok()?;
        Some((number, Entry::read(&folder.path().join("stat"))?))
    });
    let entries: HashMap<u32, Entry> = folders.collect();
    entries.get(&process)?;
    let is_one = |mut number: u32| {
        // The depth is limited to the number of processes, because the system may reuse a process
        // id during the loop.
        for _ in 0..=entries.len() {
            if number == process {
                return true;
            }
            let Some(entry) = entries.get(&number) else { return false };
            number = entry.parent;
        }
        false
    };
    Some(entries.iter().filter(|(number, _)| is_one(**number)).map(|(_, entry)| entry.time).sum())
}

/// Data that Linux reports about a process or a thread.
#[derive(Debug, Clone, Copy)]
pub struct Entry {
    /// The id of the parent process.
    pub parent: u32,
    /// The processor time of the process, including its children that were waited for.
    pub time: Duration,
}

impl Entry {
    fn read(file: &Path) -> Option<Entry> {
        Entry::parse(&fs::read_to_string(file).ok()?)
    }

    /// Parses a line such as `12 (a name) S 1 ...`, in which the name may contain any character.
    /// Returns `None` if the line has another form.
    #[must_use]
    pub fn parse(line: &str) -> Option<Entry> {
        let (_, rest) = line.rsplit_once(')')?;
        let fields: Vec<&str> = rest.split_whitespace().collect();
        // User and system time, of the process and of its children.
        let ticks = fields.get(11..15)?.iter().map(|field| field.parse::<u32>().ok());
        let ticks: u32 = ticks.sum::<Option<u32>>()?;
        Some(Entry { parent: fields.get(1)?.parse().ok()?, time: TICK * ticks })
    }
}
