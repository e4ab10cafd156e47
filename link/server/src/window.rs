//! The replay window of one device and epoch: the highest counter accepted, and which of the 64 below and at it were.

pub const WINDOW: u32 = 64;

/// `seen` bit i: counter `highest - i` was accepted. No counter accepted yet: `None` in `highest`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Window {
    pub highest: Option<u32>,
    pub seen: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Never seen; the window now holds it.
    New,
    Replay,
    /// Too old to tell a late frame from a replayed one.
    Outside,
}

impl Window {
    /// Judges an authentic frame's counter and, if it is new, notes it.
    ///
    /// The first frame of an epoch may carry any counter: a device that was reset skips ahead, and its first frames may
    /// be lost. Nothing else moves the window, and nothing moves it back: there is no switch to relax it.
    pub fn judge(&mut self, counter: u32) -> Verdict {
        let Some(highest) = self.highest else {
            *self = Window {
                highest: Some(counter),
                seen: 1,
            };
            return Verdict::New;
        };
        if counter > highest {
            let ahead = counter - highest;
            self.seen = if ahead >= WINDOW { 0 } else { self.seen << ahead } | 1;
            self.highest = Some(counter);
            return Verdict::New;
        }
        let behind = highest - counter;
        if behind >= WINDOW {
            return Verdict::Outside;
        }
        let bit = 1u64 << behind;
        if self.seen & bit != 0 {
            return Verdict::Replay;
        }
        self.seen |= bit;
        Verdict::New
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    /// The plain rule, without bit tricks: a counter is new if it was never accepted and is less than 64 below the
    /// highest.
    fn expected(accepted: &HashSet<u32>, counter: u32) -> Verdict {
        let Some(&highest) = accepted.iter().max() else {
            return Verdict::New;
        };
        if u64::from(counter) + u64::from(WINDOW) <= u64::from(highest) {
            Verdict::Outside
        } else if accepted.contains(&counter) {
            Verdict::Replay
        } else {
            Verdict::New
        }
    }

    #[test]
    fn agrees_with_the_plain_rule_around_every_edge() {
        let mut state = 1u64;
        for start in [
            0u32,
            1,
            62,
            63,
            64,
            65,
            (1 << 16) - 70,
            (1 << 16) - 1,
            u32::MAX - 200,
            u32::MAX - 64,
            u32::MAX,
        ] {
            let mut window = Window::default();
            let mut accepted = HashSet::new();
            let mut counter = start;
            for _ in 0..5000 {
                assert_eq!(
                    window.judge(counter),
                    expected(&accepted, counter),
                    "counter {counter} after {start}"
                );
                if u64::from(counter) + u64::from(WINDOW) > u64::from(accepted.iter().max().copied().unwrap_or(0)) {
                    accepted.insert(counter);
                }
                state = state
                    .wrapping_mul(6364136223846793005)
                    .wrapping_add(1442695040888963407);
                let step = i64::try_from(state >> 40).unwrap_or(0) % 160 - 75;
                counter = u32::try_from((i64::from(counter) + step).clamp(0, i64::from(u32::MAX))).unwrap_or(0);
            }
        }
    }
}
