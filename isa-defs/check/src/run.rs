//! Running a campaign: over threads, in shards, from where it was left.

use std::fs;
use std::io;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;

use serde_json::{Map, Value, json};

use crate::campaign::{Campaign, Tally};

/// The units whose number leaves `index` when divided by `count`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shard {
    /// From 0.
    pub index: u64,
    /// At least 1.
    pub count: u64,
}

impl Shard {
    /// Everything.
    pub const WHOLE: Shard = Shard { index: 0, count: 1 };

    /// Reads `i/n`, with `i` from 1.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let (index, count) = text.split_once('/')?;
        let (index, count): (u64, u64) = (index.parse().ok()?, count.parse().ok()?);
        (1..=count).contains(&index).then(|| Shard { index: index - 1, count })
    }

    /// How many of so many units are in this shard.
    #[must_use]
    pub fn units(self, units: u64) -> u64 {
        (units + self.count - 1 - self.index) / self.count
    }
}

/// How far a campaign is.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Progress {
    /// Units of the shard that are done: the first ones.
    pub done: u64,
    /// What they showed.
    pub tally: Tally,
    /// The time they took, over all runs.
    pub seconds: f64,
}

impl Progress {
    /// Runs the next units, at most `most`, on some threads.
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
        // The first differences are the same ones on any number of threads.
        found.sort_by_key(|(place, _)| *place);
        found.into_iter().for_each(|(_, tally)| self.tally.add(tally));
        self.done = end;
    }

    /// Whether nothing is left of the shard.
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

/// The campaigns of a run with their progress, as a file. What the results depend on is its key: a
/// state that was saved under another key says nothing about this run.
#[derive(Debug)]
pub struct Saved {
    key: Value,
    campaigns: Map<String, Value>,
}

impl Saved {
    /// A run with nothing done, of a state of the sources and a shard. What names the state is a
    /// commit, or a digest of a set and a seed.
    #[must_use]
    pub fn new(commit: &str, shard: Shard) -> Self {
        let key = json!({ "commit": commit, "shard": [shard.index + 1, shard.count] });
        Saved { key, campaigns: Map::new() }
    }

    /// Takes over what a file has, if there is one.
    ///
    /// # Errors
    ///
    /// Where the file cannot be read, is none of these, or is of another commit or shard.
    pub fn load(&mut self, path: &Path) -> Result<(), String> {
        let text = match fs::read_to_string(path) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
            Err(error) => return Err(error.to_string()),
        };
        let value: Value = serde_json::from_str(&text).map_err(|error| error.to_string())?;
        if value["key"] != self.key {
            return Err(format!("it is the state of {}, not of {}", value["key"], self.key));
        }
        let campaigns = value["campaigns"].as_object().ok_or("it has no campaigns")?;
        self.campaigns = campaigns.clone();
        Ok(())
    }

    /// The progress of a campaign.
    ///
    /// # Errors
    ///
    /// Where what was saved is of a campaign of another size, or damaged.
    pub fn progress(&self, campaign: &Campaign) -> Result<Progress, String> {
        let Some(value) = self.campaigns.get(&campaign.name) else {
            return Ok(Progress::default());
        };
        let same = value["size"] == json!([campaign.units, campaign.cases_each]);
        let progress = Progress::from_json(value).filter(|progress| {
            progress.done.checked_mul(campaign.cases_each) == Some(progress.tally.cases)
        });
        progress.filter(|_| same).ok_or(format!("its state of {} does not fit", campaign.name))
    }

    /// Writes the file anew with the progress of a campaign: whole or not at all.
    ///
    /// # Errors
    ///
    /// Where it cannot be written.
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
