//! What the daemon has seen and done since its start, shared by its threads and reported in its status.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::Mutex;

use link_wire::mqtt::Uuid;
use link_wire::serial::Status;

use crate::outbox::Answered;

/// Each field is independent of the others, so relaxed order is enough.
#[derive(Debug, Default)]
pub struct Counters {
    pub port_open: AtomicBool,
    pub port_openings: AtomicU64,
    pub serial_bytes: AtomicU64,
    pub frames: AtomicU64,
    /// Stretches between two zeros that were no frame.
    pub damaged_frames: AtomicU64,
    pub chunks: AtomicU64,
    /// Chunks that the microcontroller sent, by its own count, and that did not arrive.
    pub lost_chunks: AtomicU64,
    pub bursts: AtomicU64,
    pub paper_frames: AtomicU64,
    /// The module puts a byte behind each packet that tells how strongly it was received.
    pub signal: AtomicBool,
    /// An input that is read once has been read, and what it held has been handed over.
    pub input_ended: AtomicBool,
    /// The microcontroller's last words about itself.
    pub microcontroller: Mutex<Option<Status>>,

    pub stored_rows: AtomicU64,
    pub commits: AtomicU64,
    pub outbox_rows: AtomicU64,
    /// Bursts are waiting in memory because the disk has no room for them.
    pub disk_full: AtomicBool,
    pub disk_full_times: AtomicU64,
    /// A part of the file that opening does not touch is damaged: the daemon ends, and the outbox is set aside.
    pub outbox_damaged: AtomicBool,

    /// A server's question that is not answered yet, and the last one that is.
    pub question: Mutex<Option<Uuid>>,
    pub answered: Mutex<Option<Answered>>,

    /// Frames to devices: from a server, and written to the microcontroller when the device was heard.
    pub down_taken: AtomicU64,
    pub down_written: AtomicU64,
    /// The port took them not, or there is none.
    pub down_lost: AtomicU64,

    pub connected: AtomicBool,
    pub connections: AtomicU64,
    pub sent_rows: AtomicU64,
    pub resent_rows: AtomicU64,
    pub acknowledged_rows: AtomicU64,
}

/// What a mutex holds, whatever became of the threads that held it.
pub fn held<T: Copy>(mutex: &Mutex<T>) -> T {
    *mutex.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
}

pub fn hold<T>(mutex: &Mutex<T>, value: T) {
    *mutex.lock().unwrap_or_else(|poisoned| poisoned.into_inner()) = value;
}

pub fn add(counter: &AtomicU64, amount: u64) {
    counter.fetch_add(amount, Relaxed);
}

pub fn get(counter: &AtomicU64) -> u64 {
    counter.load(Relaxed)
}
