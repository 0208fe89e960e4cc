//! Tests the properties of a set: one case, or campaigns of many cases.

use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::campaign::Campaign;
use crate::case::{Failure, TestCase};
use crate::encoding;
use crate::property::{PROPERTIES, Property};
use crate::set_under_test::SetUnderTest;

impl SetUnderTest {
    /// Returns the names of the properties that can be tested. The properties of semantics can be tested
    /// only with a machine.
    pub fn property_names(&self) -> impl Iterator<Item = &'static str> {
        self.properties().map(|known| known.name)
    }

    /// Returns the properties that can be tested. The properties of semantics can be tested only with a
    /// machine.
    pub(crate) fn properties(&self) -> impl Iterator<Item = &'static Property> {
        PROPERTIES.iter().filter(|property| !property.needs_machine || self.has_machine())
    }

    /// Tests one case of a property, by the name of the property and the index of the case. A panic
    /// is a failure.
    ///
    /// # Errors
    ///
    /// Returns the failure, or an error if the property does not exist.
    pub fn try_case(&self, property: &str, seed: u64, number: u64) -> Result<(), Box<Failure>> {
        let known = self.properties().find(|known| known.name == property);
        let mut case = TestCase::new(self, property, seed, number);
        let Some(known) = known else {
            let names: Vec<_> = self.property_names().collect();
            let message = format!("unknown property; expected {}", names.join(", "));
            return Err(Box::new(case.failure(message)));
        };
        match catch_unwind(AssertUnwindSafe(|| (known.check)(&mut case))) {
            Ok(Ok(())) => Ok(()),
            Ok(Err(message)) => Err(Box::new(case.failure(message))),
            Err(panic) => {
                let text = panic.downcast_ref::<String>().map(String::as_str);
                let text = text.or(panic.downcast_ref::<&str>().copied());
                let message = format!("panics: {}", text.unwrap_or("without a message"));
                Err(Box::new(case.failure(message)))
            }
        }
    }

    /// Returns the test campaigns of the set: each property with `cases` cases, and the encodings.
    #[must_use]
    pub fn campaigns(&self, seed: u64, cases: u64) -> Vec<Campaign> {
        let properties = self.properties().map(|property| {
            let (subject, name) = (self.clone(), property.name);
            let each = cases.clamp(1, BLOCK);
            let units = property.share_of(cases).div_ceil(each).max(1);
            let size = [units, each];
            Campaign::new(name.to_owned(), property.about, size, move |unit, tally| {
                for number in unit * each..(unit + 1) * each {
                    let outcome = subject.try_case(name, seed, number);
                    let wrong = outcome.err().map(|failure| failure.to_string());
                    tally.check(wrong.is_none(), || wrong.unwrap_or_default());
                }
            })
        });
        let mut campaigns: Vec<Campaign> = properties.collect();
        campaigns.extend(encoding::any("encoding", &self.model));
        campaigns
    }
}

/// The number of cases in a unit of a property's campaign.
const BLOCK: u64 = 1024;
