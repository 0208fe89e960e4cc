//! Work on the parts of a large input, by as many threads as the machine has cores, with the
//! results in the order of the parts.

use std::collections::VecDeque;
use std::num::NonZero;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::{self, Builder, Scope};

/// The most threads besides the one that hands out the parts, which is alone in that.
const MOST: usize = 7;

/// How many parts a thread has at most: one that it works on, and one that waits.
const PARTS: usize = 2;

/// The stack of a thread in bytes: it prints or reads one statement at a time.
const STACK: usize = 256 << 10;

/// How many threads to work with besides this one: as many as there are other cores.
pub(super) fn threads() -> usize {
    let cores = thread::available_parallelism().map_or(1, NonZero::get);
    (cores - 1).min(MOST)
}

/// This thread, which hands out the parts of an input, and those that help it.
///
/// A helper is started when there is a part for it. Where the system gives none, and where all have
/// enough to do, this thread does the work itself.
pub(super) struct Workers<'scope, 'env, Part, Work> {
    scope: &'scope Scope<'scope, 'env>,
    work: &'env Work,
    /// How many helpers there may be.
    most: usize,
    helpers: Vec<Helper<Part>>,
    /// What helpers have done, with its place and theirs, and the way there.
    done: Receiver<(Place, thread::Result<Part>)>,
    to_done: Sender<(Place, thread::Result<Part>)>,
    /// For each part that was handed in and not given back, in order, the part if it is done.
    out: VecDeque<Option<Part>>,
    /// How many parts were given back.
    returned: usize,
}

/// A thread that helps.
struct Helper<Part> {
    to: Sender<(Place, Part)>,
    /// How many parts it has.
    parts: usize,
}

/// Which part it is, and whose.
#[derive(Clone, Copy)]
struct Place {
    part: usize,
    helper: usize,
}

/// Calls `body` with workers that do `work` on each part, at most so many besides this thread.
pub(super) fn with_workers<Part, Work, Result>(
    most: usize,
    work: &Work,
    body: impl FnOnce(&mut Workers<'_, '_, Part, Work>) -> Result,
) -> Result
where
    Part: Send,
    Work: Fn(&mut Part) + Sync,
{
    thread::scope(|scope| {
        let (to_done, done) = channel();
        let (helpers, out) = (Vec::new(), VecDeque::new());
        body(&mut Workers { scope, work, most, helpers, done, to_done, out, returned: 0 })
    })
}

impl<'scope, Part, Work> Workers<'scope, '_, Part, Work>
where
    Part: Send + 'scope,
    Work: Fn(&mut Part) + Sync,
{
    /// Has the work done on a part. Gives the first part that was handed in and not given back yet
    /// if it is done, or if more parts would be out than the helpers can have.
    pub(super) fn push(&mut self, mut part: Part) -> Option<Part> {
        while let Ok((place, result)) = self.done.try_recv() {
            self.keep(place, result);
        }
        self.start_helper();
        let place = self.returned + self.out.len();
        let helpers = self.helpers.iter_mut().enumerate();
        let idlest = helpers.min_by_key(|(_, helper)| helper.parts);
        match idlest.filter(|(_, helper)| helper.parts < PARTS) {
            Some((number, helper)) => {
                helper.parts += 1;
                // It takes parts as long as this thread is there.
                let _ = helper.to.send((Place { part: place, helper: number }, part));
                self.out.push_back(None);
            }
            None => {
                (self.work)(&mut part);
                self.out.push_back(Some(part));
            }
        }
        match self.out.front() {
            Some(None) if self.out.len() <= PARTS * self.helpers.len() => None,
            _ => self.pop(),
        }
    }

    /// Gives the first part that was handed in and not given back yet, if there is one, when the
    /// work is done.
    pub(super) fn pop(&mut self) -> Option<Part> {
        while let Some(None) = self.out.front() {
            let (place, result) = self.done.recv().ok()?;
            self.keep(place, result);
        }
        self.returned += self.out.len().min(1);
        self.out.pop_front().flatten()
    }

    /// Keeps a part that a helper has done until it is its turn; a panic goes on in this thread.
    fn keep(&mut self, place: Place, result: thread::Result<Part>) {
        self.helpers[place.helper].parts -= 1;
        let part = result.unwrap_or_else(|panic| resume_unwind(panic));
        self.out[place.part - self.returned] = Some(part);
    }

    /// Starts a helper, if there may be one more.
    fn start_helper(&mut self) {
        if self.helpers.len() == self.most {
            return;
        }
        let ((to, parts), done, work) = (channel(), self.to_done.clone(), self.work);
        let run = move || {
            for (place, mut part) in parts {
                let whole = || {
                    work(&mut part);
                    part
                };
                // Nobody takes it where writing has failed.
                if done.send((place, catch_unwind(AssertUnwindSafe(whole)))).is_err() {
                    return;
                }
            }
        };
        match Builder::new().stack_size(STACK).spawn_scoped(self.scope, run) {
            Ok(_) => self.helpers.push(Helper { to, parts: 0 }),
            Err(_) => self.most = self.helpers.len(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_come_back_in_order_with_the_work_done() {
        for most in [0, 1, 3] {
            for count in [0, 1, 5, 1000] {
                let work = |part: &mut (usize, usize)| part.1 = part.0 * part.0;
                let mut squares = Vec::new();
                with_workers(most, &work, |workers| {
                    for number in 0..count {
                        squares.extend(workers.push((number, 0)));
                        let out = number + 1 - squares.len();
                        assert!(out <= PARTS * most, "{out} are out of {most} helpers");
                    }
                    squares.extend(std::iter::from_fn(|| workers.pop()));
                });
                assert!(squares.iter().copied().eq((0..count).map(|n| (n, n * n))));
            }
        }
    }

    #[test]
    fn all_that_work_are_different_threads() {
        // Each part waits for the others, so that nobody can do two.
        let barrier = std::sync::Barrier::new(3);
        let work = |part: &mut Option<thread::ThreadId>| {
            barrier.wait();
            *part = Some(thread::current().id());
        };
        let mut ids = Vec::new();
        with_workers(2, &work, |workers| {
            (0..2).for_each(|_| ids.extend(workers.push(None)));
            workers.helpers.iter_mut().for_each(|helper| helper.parts = PARTS);
            ids.extend(workers.push(None));
            workers.helpers.iter_mut().for_each(|helper| helper.parts = 1);
            ids.extend(std::iter::from_fn(|| workers.pop()));
        });
        assert_eq!(ids.len(), 3);
        assert!(ids[0] != ids[1] && ids[0] != ids[2] && ids[1] != ids[2]);
        assert_eq!(ids[2], Some(thread::current().id()));
    }

    #[test]
    #[should_panic(expected = "the third")]
    fn a_panic_goes_on_in_this_thread() {
        let work = |part: &mut usize| assert!(*part != 2, "the third");
        let done = with_workers(2, &work, |workers| {
            let mut done: Vec<usize> = (0..4).filter_map(|part| workers.push(part)).collect();
            done.extend(std::iter::from_fn(|| workers.pop()));
            done
        });
        assert_eq!(done, [0, 1], "nothing behind it comes back");
    }

    #[test]
    fn what_is_out_may_be_left() {
        let work = |part: &mut usize| *part += 1;
        let first = with_workers(2, &work, |workers| (0..9).find_map(|n| workers.push(n)));
        assert_eq!(first, Some(1));
    }
}
