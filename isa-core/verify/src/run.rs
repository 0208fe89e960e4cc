//! Runs a test campaign: on several threads, in shards, and from a saved state.

use std::fs;
use std::io;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;

use serde_json::{Map, Value, json};

use crate::campaign::{Campaign, Tally};

/// The units whose index has the remainder `index` when divided by `count`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shard {
    /// The index of the shard, from 0.
    pub index: u64,
    /// The number of shards, at least 1.
    pub count: u64,
}

impl Shard {
    /// All units.
    pub const WHOLE: Shard = Shard { index: 0, count: 1 };

    /// Parses `i/n`, with `i` from 1.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let (index, count) = text.split_once('/')?;
        let (index, count): (u64, u64) = (index.parse().ok()?, count.parse().ok()?);
        (1..=count).contains(&index).then(|| Shard { index: index - 1, count })
    }

    /// Returns how many of `units` units are in this shard.
    #[must_use]
    pub fn units(self, units: u64) -> u64 {
        (units + self.count - 1 - self.index) / self.count
    }
}

/// The progress of a campaign.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Progress {
    /// The number of completed units. These are the first units of the shard.
    pub done: u64,
    /// The results of the completed units.
    pub tally: Tally,
    /// The time that the completed units took in all runs, in seconds.
    pub seconds: f64,
}

impl Progress {
    /// Runs the next units, at most `most`, on several threads.
    pub fn advance(&mut self, campaign: &Campaign, shard: Shard, threads: usize, most: u64) {
        let end = shard.units(campaign.units).min(self.done.saturating_add(most));
        let next = AtomicU64::new(self.done);
        let found = Mutex::new(Vec::new());
        thread::scope(|scope| {
            for _ in 0..threads.max(1) {
                scope.spawn(|| {
                    loop {
                        let place = next.fetch_add(1, Ordering::Relaxed);
                        if place >= end {
                            break;
                        }
                        let tally = campaign.run_unit(place * shard.count + shard.index);
                        found.lock().expect("no thread panicked").push((place, tally));
                    }
                });
            }
        });
        let mut found = found.into_inner().expect("no thread panicked");
        // Sorting makes the first differences independent of the number of threads.
        found.sort_by_key(|(place, _)| *place);
        found.into_iter().for_each(|(_, tally)| self.tally.add(tally));
        self.done = end;
    }

    /// Returns whether all units of the shard are done.
    #[must_use]
    pub fn is_complete(&self, campaign: &Campaign, shard: Shard) -> bool {
        self.done == shard.units(campaign.units)
    }

    fn to_json(&self) -> Value {
        json!({
            "done": self.done, "cases": self.tally.cases, "differences": self.tally.differences,
            "first": self.tally.first, "seconds": self.seconds,
        })
    }

    fn from_json(value: &Value) -> Option<Self> {
        let first = value["first"].as_array()?.iter();
        Some(Progress {
            done: value["done"].as_u64()?,
            tally: Tally {
                cases: value["cases"].as_u64()?,
                differences: value["differences"].as_u64()?,
                first: first.map(|one| one.as_str().map(str::to_owned)).collect::<Option<_>>()?,
            },
            seconds: value["seconds"].as_f64()?,
        })
    }
}

/// The progress of a run's campaigns in a file. The key contains everything that affects the
/// results. A state that was saved with another key is rejected.
#[derive(Debug)]
pub struct Saved {
    key: Value,
    campaigns: Map<String, Value>,
}

impl Saved {
    /// Creates a state without progress, for a version of the sources and a shard. The version is
    /// identified by a commit, or by a digest of a set and a seed.
    #[must_use]
    pub fn new(commit: &str, shard: Shard) -> Self {
        let key = json!({ "commit": commit, "shard": [shard.index + 1, shard.count] });
        Saved { key, campaigns: Map::new() }
    }

    /// Loads the state from a file, if the file exists.
    ///
    /// # Errors
    ///
    /// Returns an error if the file cannot be read, is not a state, or belongs to another commit or
    /// shard.
    pub fn load(&mut self, path: &Path) -> Result<(), String> {
        let text = match fs::read_to_string(path) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
            Err(error) => return Err(error.to_string()),
        };
        let value: Value = serde_json::from_str(&text).map_err(|error| error.to_string())?;
        if value["key"] != self.key {
            return Err(format!("wrong state: expected {}, found {}", self.key, value["key"]));
        }
        let campaigns = value["campaigns"].as_object().ok_or("the state contains no campaigns")?;
        self.campaigns = campaigns.clone();
        Ok(())
    }

    /// Returns the progress of a campaign.
    ///
    /// # Errors
    ///
    /// Returns an error if the saved state belongs to a campaign of another size, or is damaged.
    pub fn progress(&self, campaign: &Campaign) -> Result<Progress, String> {
        let Some(value) = self.campaigns.get(&campaign.name) else {
            return Ok(Progress::default());
        };
        let same = value["size"] == json!([campaign.units, campaign.cases_each]);
        let progress = Progress::from_json(value).filter(|progress| {
            progress.done.checked_mul(campaign.cases_each) == Some(progress.tally.cases)
        });
        progress.filter(|_| same).ok_or(format!("the state of {} does not match", campaign.name))
    }

    /// Replaces the file with a new state that includes the progress of a campaign. The replacement
    /// is atomic.
    ///
    /// # Errors
    ///
    /// Returns an error if the file cannot be written.
    pub fn save(&mut self, path: &Path, campaign: &Campaign, at: &Progress) -> io::Result<()> {
        let mut value = at.to_json();
        value["size"] = json!([campaign.units, campaign.cases_each]);
        self.campaigns.insert(campaign.name.clone(), value);
        let text = json!({ "key": self.key, "campaigns": self.campaigns }).to_string();
        let mut beside = path.as_os_str().to_owned();
        beside.push(".new");
        fs::write(&beside, text)?;
        fs::rename(&beside, path)
    }
}
