//! A fault that lasts is said once, again after ten minutes, and at once when its reason is another.

use std::time::{Duration, Instant};

const REMIND: Duration = Duration::from_secs(600);

/// What was said last, and when.
#[derive(Debug, Default)]
pub struct Reminder(Option<(String, Instant)>);

impl Reminder {
    /// Whether this reason is to be said now; notes that it is.
    pub fn is_due(&mut self, reason: &str, now: Instant) -> bool {
        let said = self.0.as_ref();
        let due = said.is_none_or(|(before, at)| before != reason || now.duration_since(*at) >= REMIND);
        if due {
            self.0 = Some((reason.to_owned(), now));
        }
        due
    }

    /// The fault is over: the next one is new, whatever its reason.
    pub fn forget(&mut self) {
        self.0 = None;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reason_is_said_once_in_ten_minutes_and_another_one_at_once() {
        let now = Instant::now();
        let mut reminder = Reminder::default();
        let said = (0..3600).filter(|s| reminder.is_due("full", now + Duration::from_secs(*s)));
        assert_eq!(said.collect::<Vec<_>>(), [0, 600, 1200, 1800, 2400, 3000]);
        let now = now + Duration::from_secs(3600);
        assert!(reminder.is_due("broken", now) && !reminder.is_due("broken", now));
        reminder.forget();
        assert!(reminder.is_due("broken", now));
    }
}
