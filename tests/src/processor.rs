//! Processor time, which other work on the machine does not change as it changes the time of day.

use std::collections::HashMap;
use std::fs;
use std::path::Path;
use std::time::Duration;

/// The unit of the times in `/proc`, for every processor that Linux runs on.
const TICK: Duration = Duration::from_millis(10);

/// What this thread has taken; `None` where the system does not say it in a file.
#[must_use]
pub fn of_this_thread() -> Option<Duration> {
    Some(Entry::read(Path::new("/proc/thread-self/stat"))?.time)
}

/// What a process, those that it started and those that they started have taken, as far as they
/// run or were waited for; `None` where the system does not say it in files.
#[must_use]
pub fn of_family(process: u32) -> Option<Duration> {
    let folders = fs::read_dir("/proc").ok()?.flatten().filter_map(|folder| {
        let number = folder.file_name().to_str()?.parse::<u32>().ok()?;
        Some((number, Entry::read(&folder.path().join("stat"))?))
    });
    let entries: HashMap<u32, Entry> = folders.collect();
    entries.get(&process)?;
    let is_one = |mut number: u32| {
        // No deeper than there are processes: numbers may be given anew while they are read.
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

/// What Linux says of a process or a thread.
struct Entry {
    parent: u32,
    /// With that of its children that were waited for.
    time: Duration,
}

impl Entry {
    fn read(file: &Path) -> Option<Entry> {
        Entry::parse(&fs::read_to_string(file).ok()?)
    }

    /// `12 (a name) S 1 ...`: a name may hold anything.
    fn parse(line: &str) -> Option<Entry> {
        let (_, rest) = line.rsplit_once(')')?;
        let fields: Vec<&str> = rest.split_whitespace().collect();
        // Times of its own and of its children, in the program and in the system.
        let ticks = fields.get(11..15)?.iter().map(|field| field.parse::<u32>().ok());
        let ticks: u32 = ticks.sum::<Option<u32>>()?;
        Some(Entry { parent: fields.get(1)?.parse().ok()?, time: TICK * ticks })
    }
}

#[cfg(test)]
mod tests {
    use std::hint::black_box;
    use std::process;

    use super::*;

    #[test]
    fn a_line_has_four_times() {
        let line = "7 (a) b) R 3 7 7 0 -1 4 1 2 3 4 100 20 3 1 20 0 1 0 5";
        let entry = Entry::parse(line).unwrap();
        assert_eq!((entry.parent, entry.time), (3, Duration::from_millis(1240)));
        assert!(Entry::parse("").is_none());
        assert!(Entry::parse("7 (a) R 3").is_none());
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn work_takes_time_of_this_thread_and_of_its_process() {
        let (thread, family) = (of_this_thread().unwrap(), of_family(process::id()).unwrap());
        let mut number = 1_u64;
        while of_this_thread().unwrap() == thread || of_family(process::id()).unwrap() <= family {
            for _ in 0..100_000 {
                number = black_box(number.wrapping_mul(5));
            }
        }
        assert_eq!(of_family(u32::MAX), None);
    }
}
