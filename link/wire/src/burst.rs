//! Joins the chunks of the serial stream to the bursts that the radio module gave.
//!
//! The microcontroller cuts at 58 bytes, wherever frames begin; the joiner undoes that, so that a frame over a cut is
//! whole again. No burst grows beyond [`BURST_BYTES`]: what continues starts with the last 31 bytes of the burst
//! before, so that every frame of 32 bytes lies whole in one of them, and none in both.

use crate::{air::FRAME_BYTES, mqtt::BURST_BYTES, serial::CHUNK_BYTES};

/// One byte less than a frame.
pub const OVERLAP_BYTES: usize = FRAME_BYTES - 1;

/// A chunk shorter than 58 bytes ended in silence, so nothing is waited for after it. After a full one the rest of the
/// burst takes up to 58 bytes at the module's 9600 baud, 60 ms, and some more for both microcontrollers.
pub const WAIT_MS: u64 = 150;

/// What the radio received without a gap.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Burst {
    /// When its first byte was handed to the joiner (the overlap's bytes do not count), in the caller's clock.
    pub received_ms: u64,
    pub bytes: Vec<u8>,
}

/// Time comes from outside: any clock that does not run backwards will do for `flush`.
#[derive(Debug, Default)]
pub struct Joiner {
    open: Option<Burst>,
    /// Clock of the last chunk of `open`.
    touched_ms: u64,
    /// End of the burst that was handed out last, for a continuation that comes after all.
    tail: Vec<u8>,
}

impl Joiner {
    /// Takes one chunk; bursts that are complete go to `sink`.
    pub fn chunk(&mut self, continues: bool, bytes: &[u8], received_ms: u64, now_ms: u64, mut sink: impl FnMut(Burst)) {
        if !continues {
            self.end(&mut sink);
            self.tail.clear();
        }
        if bytes.is_empty() {
            return;
        }
        if self
            .open
            .as_ref()
            .is_some_and(|open| open.bytes.len() + bytes.len() > BURST_BYTES)
        {
            self.end(&mut sink);
        }
        let tail = &self.tail;
        let open = self.open.get_or_insert_with(|| Burst {
            received_ms,
            bytes: tail.clone(),
        });
        open.bytes.extend_from_slice(bytes);
        self.touched_ms = now_ms;
        if bytes.len() < CHUNK_BYTES {
            self.end(&mut sink);
        }
    }

    /// Something of the stream was lost here: what came before and what comes after are not neighbours.
    pub fn gap(&mut self, mut sink: impl FnMut(Burst)) {
        self.end(&mut sink);
        self.tail.clear();
    }

    /// When an open burst is to be flushed, if there is one.
    pub fn deadline_ms(&self) -> Option<u64> {
        self.open.as_ref().map(|_| self.touched_ms.saturating_add(WAIT_MS))
    }

    /// Ends a burst whose continuation did not come in time.
    pub fn flush(&mut self, now_ms: u64, mut sink: impl FnMut(Burst)) {
        if self.deadline_ms().is_some_and(|deadline| now_ms >= deadline) {
            self.end(&mut sink);
        }
    }

    fn end(&mut self, sink: &mut impl FnMut(Burst)) {
        let Some(burst) = self.open.take() else { return };
        let overlap = burst.bytes.len().min(OVERLAP_BYTES);
        self.tail.clear();
        self.tail.extend_from_slice(&burst.bytes[burst.bytes.len() - overlap..]);
        sink(burst);
    }
}
