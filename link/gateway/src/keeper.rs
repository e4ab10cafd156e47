//! The thread that owns the outbox: collects bursts and acknowledgements to few commits, and lives through a full disk.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use link_wire::burst::Burst;
use link_wire::ranges::Range;
use tokio::sync::watch;

use crate::counters::{add, get, held, hold, Counters};
use crate::log;
use crate::outbox::{Outbox, StoreError};
use crate::queue::Queue;
use crate::reminder::Reminder;

/// No commit grows beyond this: the serial thread is held up instead, and memory stays bounded.
const COMMIT_BURSTS: usize = 4000;
/// How long acknowledged rows may wait for a commit of their own when nothing arrives: removing them is not urgent.
const REMOVE_AFTER: Duration = Duration::from_millis(200);
const FULL_RETRY: Duration = Duration::from_millis(500);
/// What a server asks for again is many rows: each attempt that fails has written some of them.
const ANSWER_RETRY: Duration = Duration::from_secs(5);

/// Ranges that the server has acknowledged and that are still in the file.
/// Bounded because only ranges of rows in flight get here.
#[derive(Debug, Default)]
pub struct Acknowledged(Mutex<Vec<Range>>);

impl Acknowledged {
    pub fn add(&self, ranges: impl IntoIterator<Item = Range>) {
        self.0
            .lock()
            .unwrap_or_else(|poisoned| poisoned.into_inner())
            .extend(ranges);
    }

    fn take(&self) -> Vec<Range> {
        std::mem::take(&mut *self.0.lock().unwrap_or_else(|poisoned| poisoned.into_inner()))
    }
}

pub struct Keeper {
    pub outbox: Outbox,
    pub queue: Arc<Queue>,
    pub acknowledged: Arc<Acknowledged>,
    /// Told the greatest committed id.
    pub committed: watch::Sender<u64>,
    pub counters: Arc<Counters>,
    pub stop: Arc<AtomicBool>,
    pub collect_for: Duration,
    pub unanswered: Unanswered,
}

/// A server's question that could not be answered yet.
#[derive(Debug, Default)]
pub struct Unanswered {
    tried: Option<Instant>,
    said: Reminder,
}

/// Why bursts in hand, so many, could not be stored.
enum Stopped {
    WithoutRoom(usize),
    Broken(String, usize),
}

impl Keeper {
    /// Runs until the serial thread has gone and everything that it gave is stored; an error ends the daemon.
    pub fn run(mut self) -> Result<(), String> {
        let ended = self.keep();
        let left = self.queue.abandon();
        match ended {
            Ok(()) => Ok(()),
            Err(Stopped::WithoutRoom(held)) => {
                log::error(format_args!(
                    "stopped with a full disk: the last {} bursts are lost",
                    held + left
                ));
                Ok(())
            }
            Err(Stopped::Broken(reason, held)) => Err(format!(
                "the outbox cannot be written ({reason}): the last {} bursts are lost",
                held + left
            )),
        }
    }

    fn keep(&mut self) -> Result<(), Stopped> {
        // Collecting for a while: a commit is a wait for the disk, and wears an SD card.
        while let Some(bursts) = self.queue.take(REMOVE_AFTER, self.collect_for, COMMIT_BURSTS) {
            self.store(&bursts)?;
            self.answer()?;
        }
        self.store(&[])
    }

    /// Brings back what is kept, if a server asks for it; without room it is tried again for as long as there is none.
    fn answer(&mut self) -> Result<(), Stopped> {
        let Some(question) = held(&self.counters.question) else {
            return Ok(());
        };
        if held(&self.counters.answered).is_some_and(|answered| answered.question == question) {
            return Ok(());
        }
        let now = Instant::now();
        if self
            .unanswered
            .tried
            .is_some_and(|at| now.duration_since(at) < ANSWER_RETRY)
        {
            return Ok(());
        }
        match self.outbox.answer(question) {
            Ok((answered, rows)) => {
                self.unanswered = Unanswered::default();
                add(&self.counters.outbox_rows, rows);
                hold(&self.counters.answered, Some(answered));
                log::info(format_args!(
                    "the server's database came back from a backup: {rows} rows that it had acknowledged are sent again"
                ));
            }
            Err(StoreError::Damaged(reason)) => {
                self.counters.outbox_damaged.store(true, Relaxed);
                return Err(Stopped::Broken(reason, 0));
            }
            Err(StoreError::Full(reason) | StoreError::Broken(reason)) => {
                self.unanswered.tried = Some(now);
                if self.unanswered.said.is_due(&reason, now) {
                    log::error(format_args!(
                        "what the server asks for again cannot be brought back: {reason}"
                    ));
                }
            }
        }
        Ok(())
    }

    /// Commits, trying again for as long as the disk is full. The serial port is not read meanwhile, because what is
    /// read could not be stored; rows that the server acknowledges meanwhile are removed.
    fn store(&mut self, bursts: &[Burst]) -> Result<(), Stopped> {
        let mut acknowledged = self.acknowledged.take();
        let mut full_since: Option<Instant> = None;
        while !(bursts.is_empty() && acknowledged.is_empty()) {
            match self.outbox.commit(bursts, &acknowledged) {
                Ok(done) => {
                    self.count(bursts.len() as u64, done.removed);
                    if let Some(last_id) = done.last_id {
                        self.committed.send_replace(last_id);
                    }
                    break;
                }
                Err(StoreError::Damaged(reason)) => {
                    self.counters.outbox_damaged.store(true, Relaxed);
                    return Err(Stopped::Broken(reason, bursts.len()));
                }
                Err(StoreError::Broken(reason)) => return Err(Stopped::Broken(reason, bursts.len())),
                Err(StoreError::Full(reason)) => {
                    if full_since.is_none() {
                        full_since = Some(Instant::now());
                        self.enter_full(&reason);
                    }
                    self.remove(&mut acknowledged);
                    if self.stop.load(Relaxed) {
                        return Err(Stopped::WithoutRoom(bursts.len()));
                    }
                    std::thread::sleep(FULL_RETRY);
                    acknowledged.extend(self.acknowledged.take());
                }
            }
        }
        if let Some(since) = full_since {
            self.leave_full(since);
        }
        Ok(())
    }

    fn leave_full(&self, since: Instant) {
        self.queue.pause(false);
        self.counters.disk_full.store(false, Relaxed);
        log::info(format_args!(
            "the disk has room again after {} s: bursts are stored and the serial port is read",
            since.elapsed().as_secs()
        ));
    }

    fn enter_full(&self, reason: &str) {
        self.queue.pause(true);
        self.counters.disk_full.store(true, Relaxed);
        add(&self.counters.disk_full_times, 1);
        log::error(format_args!(
            "the disk is full ({reason}): the serial port is not read until there is room; {} rows are stored and go \
             on \
             being sent",
            get(&self.counters.outbox_rows)
        ));
        self.outbox.checkpoint();
    }

    fn remove(&mut self, acknowledged: &mut Vec<Range>) {
        if acknowledged.is_empty() {
            return;
        }
        match self.outbox.commit(&[], acknowledged) {
            Ok(done) => {
                self.count(0, done.removed);
                acknowledged.clear();
                self.outbox.checkpoint();
            }
            Err(StoreError::Damaged(_)) => self.counters.outbox_damaged.store(true, Relaxed),
            Err(_) => (),
        }
    }

    fn count(&self, stored: u64, removed: u64) {
        add(&self.counters.commits, 1);
        add(&self.counters.stored_rows, stored);
        add(&self.counters.outbox_rows, stored);
        self.counters.outbox_rows.fetch_sub(removed, Relaxed);
        add(&self.counters.acknowledged_rows, removed);
    }
}
