//! Bursts between the serial thread and the keeper: bounded, and closed to new ones while the disk is full.
//!
//! It is as long as a bad SD card may take for one commit: the kernel keeps 4 kB of a serial port, a third of a
//! second's worth.

use std::collections::VecDeque;
use std::sync::{Condvar, Mutex, MutexGuard};
use std::time::{Duration, Instant};

use link_wire::burst::Burst;

/// A second at 20,000 frames/s; a minute at what 115,200 baud can carry; 2 MB.
const BURSTS: usize = 20_000;

#[derive(Debug, Default)]
struct State {
    bursts: VecDeque<Burst>,
    /// Nothing may be added for the time being.
    paused: bool,
    /// Nothing will be added any more.
    no_more: bool,
    /// Nothing will be taken any more.
    abandoned: bool,
}

#[derive(Debug, Default)]
pub struct Queue {
    state: Mutex<State>,
    changed: Condvar,
}

impl Queue {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    /// Adds bursts, waiting for room and for the end of a pause. Does nothing once the thread that takes them has
    /// ended.
    pub fn add(&self, bursts: Vec<Burst>) {
        let full = |state: &mut State| (state.paused || state.bursts.len() >= BURSTS) && !state.abandoned;
        let mut state = self
            .changed
            .wait_while(self.lock(), full)
            .unwrap_or_else(|poisoned| poisoned.into_inner());
        if !state.abandoned {
            state.bursts.extend(bursts);
        }
        drop(state);
        self.changed.notify_all();
    }

    /// Waits for the first burst, for `patience` at most, then for `collect_for` more or until there are `limit`.
    /// None if there are none and there will be none.
    pub fn take(&self, patience: Duration, collect_for: Duration, limit: usize) -> Option<Vec<Burst>> {
        let mut state = self.wait(self.lock(), Instant::now() + patience, 1);
        if !state.bursts.is_empty() {
            state = self.wait(state, Instant::now() + collect_for, limit);
        }
        if state.bursts.is_empty() && state.no_more {
            return None;
        }
        let count = state.bursts.len().min(limit);
        let taken = state.bursts.drain(..count).collect();
        drop(state);
        self.changed.notify_all();
        Some(taken)
    }

    fn wait<'a>(&self, state: MutexGuard<'a, State>, until: Instant, count: usize) -> MutexGuard<'a, State> {
        let too_few = |state: &mut State| state.bursts.len() < count && !state.no_more;
        let patience = until.saturating_duration_since(Instant::now());
        match self.changed.wait_timeout_while(state, patience, too_few) {
            Ok((state, _)) => state,
            Err(poisoned) => poisoned.into_inner().0,
        }
    }

    pub fn pause(&self, paused: bool) {
        self.lock().paused = paused;
        self.changed.notify_all();
    }

    /// Says that nothing will be added any more.
    pub fn close(&self) {
        self.lock().no_more = true;
        self.changed.notify_all();
    }

    /// Says that nothing will be taken any more; how many bursts that leaves.
    pub fn abandon(&self) -> usize {
        let mut state = self.lock();
        state.abandoned = true;
        let left = std::mem::take(&mut state.bursts).len();
        drop(state);
        self.changed.notify_all();
        left
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LONG: Duration = Duration::from_secs(60);

    fn bursts(count: usize) -> Vec<Burst> {
        (0..count)
            .map(|number| Burst {
                received_ms: number as u64,
                bytes: vec![1],
            })
            .collect()
    }

    #[test]
    fn what_was_added_before_the_close_is_still_taken_in_order() {
        let queue = Queue::default();
        queue.add(bursts(5));
        queue.close();
        let first = queue.take(LONG, LONG, 3).expect("three");
        assert_eq!(
            first.iter().map(|burst| burst.received_ms).collect::<Vec<_>>(),
            [0, 1, 2]
        );
        assert_eq!(queue.take(LONG, LONG, 3).map(|rest| rest.len()), Some(2));
        assert_eq!(queue.take(LONG, LONG, 3), None);
    }

    #[test]
    fn nothing_yet_is_not_the_end() {
        assert_eq!(Queue::default().take(Duration::ZERO, LONG, 3), Some(vec![]));
    }

    #[test]
    fn whoever_adds_waits_for_room() {
        let queue = Queue::default();
        std::thread::scope(|scope| {
            scope.spawn(|| {
                for _ in 0..10 * BURSTS / 1000 {
                    queue.add(bursts(1000));
                }
                queue.close();
            });
            let mut taken = 0;
            while let Some(some) = queue.take(LONG, Duration::ZERO, usize::MAX) {
                assert!(some.len() < BURSTS + 1000);
                taken += some.len();
            }
            assert_eq!(taken, 10 * BURSTS);
        });
    }

    #[test]
    fn a_pause_holds_up_until_it_ends_and_an_end_frees_whoever_waits() {
        let queue = Queue::default();
        queue.pause(true);
        std::thread::scope(|scope| {
            scope.spawn(|| {
                queue.add(bursts(1));
                queue.add(bursts(BURSTS));
                queue.add(bursts(1));
                queue.add(bursts(1));
            });
            assert_eq!(queue.take(Duration::from_millis(20), LONG, 1), Some(vec![]));
            queue.pause(false);
            assert_eq!(queue.take(LONG, LONG, 1).map(|one| one.len()), Some(1));
            queue.abandon();
        });
    }
}
