//! Slows down who guesses passwords: by address, and by the name that is guessed at.

use std::collections::HashMap;
use std::hash::Hash;
use std::net::IpAddr;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use tokio::sync::Semaphore;

use super::line::Line;

const FREE_FAILURES: u32 = 5;
const FIRST_WAIT: Duration = Duration::from_secs(2);
const LONGEST_WAIT: Duration = Duration::from_secs(300);
/// Of attempts that are refused unseen one of an address is recorded in so long, and so many of all.
const NOTED_EVERY: Duration = Duration::from_secs(10);
const MOST_NOTED: usize = 100;
/// Beyond this many addresses or names the limiter forgets those that may try again.
const REMEMBERED: usize = 10_000;

/// Counts failed attempts of each address and at each name, and lets one password be hashed at a time: each takes
/// 19 MB and a good part of a second. One more at a time may be hashed for people who are where they always are.
pub struct Gate {
    addresses: Failures<IpAddr>,
    names: Failures<String>,
    /// Where a name is at home: who shares its address must not guess on by logging in as somebody else in between.
    homes: Failures<(IpAddr, String)>,
    pub hashing: Semaphore,
    pub hashing_usual: Semaphore,
    pub line: Line,
    pub line_usual: Line,
    pub refused: Noted,
}

impl Default for Gate {
    fn default() -> Self {
        Gate {
            addresses: Failures::default(),
            names: Failures::default(),
            homes: Failures::default(),
            hashing: Semaphore::new(1),
            hashing_usual: Semaphore::new(1),
            line: Line::default(),
            line_usual: Line::default(),
            refused: Noted::default(),
        }
    }
}

impl Gate {
    /// How long somebody at this address still has to wait before another attempt at this name. `is_usual`: the name has
    /// been logged in to from there before. What others guess elsewhere does not lock out who is where they always are.
    pub fn wait(&self, address: IpAddr, name: &str, is_usual: bool) -> Duration {
        let of_name = match is_usual {
            true => self.homes.wait(&(address, name.to_owned())),
            false => self.names.wait(&name.to_owned()),
        };
        self.addresses.wait(&address).max(of_name)
    }

    pub fn note(&self, address: IpAddr, name: &str, success: bool) {
        self.addresses.note(address, success);
        self.names.note(name.to_owned(), success);
        self.homes.note((address, name.to_owned()), success);
    }
}

/// When an attempt that was refused unseen was recorded last. Each record is a write: whoever tries on and on must not
/// keep the database busy, nor push out what was recorded before.
#[derive(Default)]
pub struct Noted(Mutex<HashMap<IpAddr, Instant>>);

impl Noted {
    pub fn may(&self, address: IpAddr, now: Instant) -> bool {
        let mut noted = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        noted.retain(|_, at| now.duration_since(*at) < NOTED_EVERY);
        let may = noted.len() < MOST_NOTED && !noted.contains_key(&address);
        if may {
            noted.insert(address, now);
        }
        may
    }
}

struct Failures<K>(Mutex<HashMap<K, (u32, Instant)>>);

impl<K> Default for Failures<K> {
    fn default() -> Self {
        Failures(Mutex::default())
    }
}

impl<K: Eq + Hash> Failures<K> {
    fn wait(&self, of: &K) -> Duration {
        let counts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        counts.get(of).map_or(Duration::ZERO, |(count, last)| {
            wait_after(*count).saturating_sub(last.elapsed())
        })
    }

    fn note(&self, of: K, success: bool) {
        let mut counts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if success {
            counts.remove(&of);
            return;
        }
        if counts.len() >= REMEMBERED {
            counts.retain(|_, (count, last)| last.elapsed() < wait_after(*count));
        }
        let entry = counts.entry(of).or_insert((0, Instant::now()));
        *entry = (entry.0.saturating_add(1), Instant::now());
    }
}

fn wait_after(failures: u32) -> Duration {
    match failures.checked_sub(FREE_FAILURES) {
        None => Duration::ZERO,
        Some(beyond) => LONGEST_WAIT.min(FIRST_WAIT * 2u32.pow(beyond.min(10))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whoever_tries_on_and_on_is_recorded_now_and_then() {
        let noted = Noted::default();
        let now = Instant::now();
        let one = IpAddr::from([10, 0, 0, 1]);
        let times = |address, at| (0..1000).filter(|_| noted.may(address, at)).count();
        assert_eq!(times(one, now), 1);
        assert_eq!(times(IpAddr::from([10, 0, 0, 2]), now), 1);
        assert_eq!(times(one, now + NOTED_EVERY / 2), 0);
        assert_eq!(times(one, now + NOTED_EVERY), 1);
        let many = (0..=255).filter(|last| noted.may(IpAddr::from([10, 0, 1, *last]), now + NOTED_EVERY));
        assert_eq!(many.count(), MOST_NOTED - 1);
    }

    #[test]
    fn waiting_grows_and_ends() {
        assert_eq!(wait_after(FREE_FAILURES - 1), Duration::ZERO);
        assert_eq!(wait_after(FREE_FAILURES), FIRST_WAIT);
        assert_eq!(wait_after(FREE_FAILURES + 1), FIRST_WAIT * 2);
        assert_eq!(wait_after(u32::MAX), LONGEST_WAIT);
    }

    #[test]
    fn a_success_forgets_failures_of_its_address_and_name_only() {
        let gate = Gate::default();
        let (one, other) = (IpAddr::from([10, 0, 0, 1]), IpAddr::from([10, 0, 0, 2]));
        for _ in 0..8 {
            gate.note(one, "ana", false);
            gate.note(other, "bia", false);
        }
        assert!(!gate.wait(one, "ana", false).is_zero());
        gate.note(one, "ana", true);
        assert!(gate.wait(one, "ana", false).is_zero());
        assert!(!gate.wait(other, "ana", false).is_zero());
    }

    #[test]
    fn logging_in_as_oneself_does_not_let_one_guess_on_at_anothers_home() {
        let gate = Gate::default();
        let home = IpAddr::from([10, 0, 0, 1]);
        for _ in 0..8 {
            gate.note(home, "ana", false);
            gate.note(home, "bia", true);
        }
        assert!(!gate.wait(home, "ana", true).is_zero());
        assert!(gate.wait(home, "bia", true).is_zero());
    }

    #[test]
    fn guesses_from_many_addresses_are_slowed_by_the_name_but_not_where_it_is_at_home() {
        let gate = Gate::default();
        for last in 0..8 {
            gate.note(IpAddr::from([10, 0, 1, last]), "ana", false);
        }
        let home = IpAddr::from([10, 0, 0, 1]);
        assert!(!gate.wait(home, "ana", false).is_zero());
        assert!(gate.wait(home, "ana", true).is_zero());
        assert!(gate.wait(home, "bia", false).is_zero());
    }
}
