//! What the log says of a gateway, so often at most: who has a gateway's certificate must not fill the journal.

use std::collections::HashMap;
use std::time::{Duration, Instant};

const MOST: u32 = 5;
const STRETCH: Duration = Duration::from_secs(600);

/// By gateway and what is said of it: since when, and how often since. Only names of certificates get here, so they are
/// few.
#[derive(Default)]
pub struct Sayings(HashMap<(String, &'static str), (Instant, u32)>);

impl Sayings {
    /// Whether this may be said once more.
    pub fn may(&mut self, gateway: &str, what: &'static str, now: Instant) -> bool {
        let (since, times) = self.0.entry((gateway.to_owned(), what)).or_insert((now, 0));
        if now.duration_since(*since) >= STRETCH {
            (*since, *times) = (now, 0);
        }
        *times = times.saturating_add(1);
        *times <= MOST
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_thing_is_said_of_each_gateway_five_times_in_ten_minutes() {
        let mut sayings = Sayings::default();
        let now = Instant::now();
        let mut said = |gateway, what, at| (0..9).filter(|_| sayings.may(gateway, what, at)).count();
        assert_eq!(said("roof", "unreadable", now), 5);
        assert_eq!(said("roof", "unreadable", now + STRETCH / 2), 0);
        assert_eq!(said("roof", "doubled", now), 5);
        assert_eq!(said("yard", "unreadable", now), 5);
        assert_eq!(said("roof", "unreadable", now + STRETCH), 5);
    }
}
