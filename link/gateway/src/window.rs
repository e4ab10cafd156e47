//! What has been sent and not yet acknowledged by the server, and when it is to be sent again. No input or output.
//!
//! A row in flight is sent again when it has waited for `resend_after` while the server acknowledges others (its
//! payload was lost). If the server acknowledges nothing at all, only the oldest payload is repeated, at growing
//! intervals, as a question whether it is back: everything else would only fill the broker's queues.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use link_wire::ranges::{self, Range};

/// Rows in flight: ten thousand sensors at 5 s send 2,000 a second, a server commits within a second.
pub const ROWS: usize = 16_384;
/// Payloads in flight: at low rates each has one row.
const PAYLOADS: usize = 512;

#[derive(Debug)]
struct Sent {
    /// Unacknowledged, ascending, not empty.
    ids: Vec<u64>,
    at: Instant,
}

#[derive(Debug)]
pub struct Window {
    sent: VecDeque<Sent>,
    rows: usize,
    resend_after: Duration,
    longest_pause: Duration,
    /// Of the last acknowledgement, or of the beginning of what is in flight.
    alive: Instant,
    next_question: Option<Instant>,
    pause: Duration,
}

impl Window {
    pub fn new(resend_after: Duration, longest_pause: Duration, now: Instant) -> Window {
        let longest_pause = longest_pause.max(resend_after);
        Window {
            sent: VecDeque::new(),
            rows: 0,
            resend_after,
            longest_pause,
            alive: now,
            next_question: None,
            pause: resend_after,
        }
    }

    pub fn is_open(&self) -> bool {
        self.rows < ROWS && self.sent.len() < PAYLOADS
    }

    #[cfg(test)]
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// Whether the server has been silent for so long that only questions are sent.
    pub fn is_silent(&self) -> bool {
        self.next_question.is_some()
    }

    pub fn sent(&mut self, ids: Vec<u64>, now: Instant) {
        if ids.is_empty() {
            return;
        }
        if self.sent.is_empty() {
            self.alive = now;
        }
        self.rows += ids.len();
        self.sent.push_back(Sent { ids, at: now });
    }

    /// Takes an acknowledgement; gives back the ranges of rows that were in flight and no longer are.
    pub fn acknowledge(&mut self, acknowledged: &[Range], now: Instant) -> Vec<Range> {
        let mut removed = Vec::new();
        for sent in &mut self.sent {
            let (Some(&first), Some(&last)) = (sent.ids.first(), sent.ids.last()) else {
                continue;
            };
            for range in acknowledged
                .iter()
                .filter(|range| range.first <= last && first <= range.last)
            {
                sent.ids.retain(|&id| {
                    let hit = range.contains(id);
                    if hit {
                        removed.push(id);
                    }
                    !hit
                });
            }
        }
        self.sent.retain(|sent| !sent.ids.is_empty());
        self.rows -= removed.len();
        if !removed.is_empty() {
            self.alive = now;
            self.next_question = None;
            self.pause = self.resend_after;
        }
        ranges::from_ids(removed)
    }

    /// The ids of a payload that is to be sent again now; counted as sent by this call.
    pub fn due(&mut self, now: Instant) -> Option<Vec<u64>> {
        let oldest = self.sent.iter().map(|sent| sent.at).min()?;
        if now < oldest + self.resend_after {
            return None;
        }
        if now >= self.alive + self.resend_after {
            // Silence: one question now, the next after a longer pause.
            if self.next_question.is_some_and(|at| now < at) {
                return None;
            }
            self.next_question = Some(now + self.pause);
            self.pause = (self.pause * 2).min(self.longest_pause);
            return self.repeat(0, now);
        }
        let index = self.sent.iter().position(|sent| now >= sent.at + self.resend_after)?;
        self.repeat(index, now)
    }

    fn repeat(&mut self, index: usize, now: Instant) -> Option<Vec<u64>> {
        let sent = self.sent.get_mut(index)?;
        sent.at = now;
        Some(sent.ids.clone())
    }

    /// When `due` is to be asked next.
    pub fn wake_at(&self) -> Option<Instant> {
        let oldest = self.sent.iter().map(|sent| sent.at).min()?;
        let expires = oldest + self.resend_after;
        Some(self.next_question.map_or(expires, |question| question.max(expires)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const RESEND: Duration = Duration::from_secs(5);
    const PAUSE: Duration = Duration::from_secs(20);

    fn range(first: u64, last: u64) -> Range {
        Range { first, last }
    }

    fn after(start: Instant, s: u64) -> Instant {
        start + Duration::from_secs(s)
    }

    #[test]
    fn a_gap_in_the_acknowledgement_stays_in_flight() {
        let start = Instant::now();
        let mut window = Window::new(RESEND, PAUSE, start);
        window.sent(vec![1, 2, 3], start);
        window.sent(vec![4, 6, 7], start);
        assert_eq!(
            window.acknowledge(&[range(1, 1), range(3, 6)], start),
            [range(1, 1), range(3, 4), range(6, 6)]
        );
        assert_eq!(window.rows(), 2);
        // Acknowledged before, or never sent: not in flight.
        assert_eq!(window.acknowledge(&[range(3, 6), range(8, u64::MAX)], start), []);
        assert_eq!(
            window.acknowledge(&[range(0, u64::MAX)], start),
            [range(2, 2), range(7, 7)]
        );
        assert_eq!((window.rows(), window.due(after(start, 100))), (0, None));
    }

    #[test]
    fn a_lost_payload_is_repeated_while_the_server_answers() {
        let start = Instant::now();
        let mut window = Window::new(RESEND, PAUSE, start);
        window.sent(vec![1, 2], start);
        window.sent(vec![3], start);
        window.acknowledge(&[range(3, 3)], after(start, 4));
        assert_eq!(window.due(after(start, 4)), None);
        assert_eq!(window.wake_at(), Some(after(start, 5)));
        assert_eq!(window.due(after(start, 5)), Some(vec![1, 2]));
        assert_eq!(window.due(after(start, 5)), None);
        assert!(!window.is_silent());
    }

    #[test]
    fn a_silent_server_is_asked_at_growing_intervals_and_gets_all_when_it_is_back() {
        let start = Instant::now();
        let mut window = Window::new(RESEND, PAUSE, start);
        for id in 1..=3 {
            window.sent(vec![id], start);
        }
        let mut asked = Vec::new();
        for s in 0..60 {
            while let Some(ids) = window.due(after(start, s)) {
                assert_eq!(ids, [1]);
                asked.push(s);
            }
        }
        assert_eq!(asked, [5, 10, 20, 40]);
        assert!(window.is_silent());
        window.acknowledge(&[range(1, 1)], after(start, 60));
        assert!(!window.is_silent());
        assert_eq!(window.due(after(start, 60)), Some(vec![2]));
        assert_eq!(window.due(after(start, 60)), Some(vec![3]));
        assert_eq!(window.due(after(start, 60)), None);
    }

    #[test]
    fn what_is_in_flight_is_bounded() {
        let start = Instant::now();
        let mut window = Window::new(RESEND, PAUSE, start);
        let mut id = 0;
        while window.is_open() {
            id += 1;
            window.sent(vec![id], start);
        }
        assert_eq!(id as usize, PAYLOADS);
        let mut window = Window::new(RESEND, PAUSE, start);
        while window.is_open() {
            window.sent((id..id + 200).collect(), start);
            id += 200;
        }
        assert!(window.rows() < ROWS + 200);
    }
}
