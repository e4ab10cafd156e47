//! Frames to devices, each waiting for the moment at which its device listens: after its next frame. Nobody here can
//! open them. A newer frame to a device takes the place of the older one.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use link_wire::air::{Frame, FRAME_BYTES, TYPE_BOOT, TYPE_DATA, TYPE_KEY, TYPE_ORDER};

/// What a device did not listen to for so long is of no use any more: the server makes it anew.
const KEPT: Duration = Duration::from_secs(900);
/// As many devices as there are: 16 bits.
const MOST: usize = 65_536;

type Waiting = HashMap<u16, ([u8; FRAME_BYTES], Instant)>;

#[derive(Debug, Default)]
pub struct Mailbox(Mutex<Waiting>);

impl Mailbox {
    /// Keeps a frame for its device. False if it is not a frame to a device.
    pub fn put(&self, bytes: [u8; FRAME_BYTES], now: Instant) -> bool {
        let Some(frame) = Frame::parse(&bytes).filter(|frame| is_down(frame.header.frame_type)) else {
            return false;
        };
        let mut waiting = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if waiting.len() >= MOST {
            waiting.retain(|_, (_, since)| now.duration_since(*since) < KEPT);
        }
        waiting.insert(frame.header.device, (bytes, now));
        true
    }

    /// The frames to the devices whose frames seem to be in a burst. Whether they are, the server will know: a frame that
    /// is taken in vain is not lost, for it is not confirmed.
    pub fn take(&self, burst: &[u8], now: Instant) -> Vec<[u8; FRAME_BYTES]> {
        let mut waiting = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if waiting.is_empty() {
            return Vec::new();
        }
        let starts = 0..(burst.len() + 1).saturating_sub(FRAME_BYTES);
        let found = starts
            .filter_map(|at| Frame::parse(&burst[at..]))
            .filter(|frame| matches!(frame.header.frame_type, TYPE_DATA | TYPE_BOOT))
            .filter_map(|frame| waiting.remove(&frame.header.device));
        found
            .filter(|(_, since)| now.duration_since(*since) < KEPT)
            .map(|(bytes, _)| bytes)
            .collect()
    }

    #[cfg(test)]
    pub fn len(&self) -> usize {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).len()
    }
}

fn is_down(frame_type: u8) -> bool {
    matches!(frame_type, TYPE_ORDER | TYPE_KEY)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frame(frame_type: u8, device: u16, counter: u8) -> [u8; FRAME_BYTES] {
        let mut bytes = [0x5a; FRAME_BYTES];
        bytes[0] = 0x10 | frame_type;
        bytes[1] = 0x10;
        bytes[2..4].copy_from_slice(&device.to_be_bytes());
        bytes[4..8].copy_from_slice(&[0, 0, 0, counter]);
        bytes
    }

    #[test]
    fn a_frame_waits_for_its_own_device_and_goes_once() {
        let (mailbox, now) = (Mailbox::default(), Instant::now());
        assert!(mailbox.put(frame(TYPE_ORDER, 7, 1), now));
        assert!(mailbox.put(frame(TYPE_KEY, 8, 2), now));
        assert!(mailbox.take(&frame(TYPE_DATA, 9, 0), now).is_empty());
        assert!(
            mailbox.take(&frame(TYPE_ORDER, 7, 0), now).is_empty(),
            "what somebody sends to the device is no frame of it"
        );
        assert!(mailbox.take(&frame(TYPE_DATA, 7, 0)[..31], now).is_empty());
        let glued = [&[1, 2, 3][..], &frame(TYPE_BOOT, 8, 0), &frame(TYPE_DATA, 7, 0)].concat();
        assert_eq!(
            mailbox.take(&glued, now),
            [frame(TYPE_KEY, 8, 2), frame(TYPE_ORDER, 7, 1)]
        );
        assert!(mailbox.take(&glued, now).is_empty());
    }

    #[test]
    fn the_newest_counts_and_not_for_ever() {
        let (mailbox, now) = (Mailbox::default(), Instant::now());
        mailbox.put(frame(TYPE_ORDER, 7, 1), now);
        mailbox.put(frame(TYPE_ORDER, 7, 2), now);
        assert_eq!(mailbox.take(&frame(TYPE_DATA, 7, 0), now), [frame(TYPE_ORDER, 7, 2)]);
        mailbox.put(frame(TYPE_ORDER, 7, 3), now);
        assert!(mailbox.take(&frame(TYPE_DATA, 7, 0), now + KEPT).is_empty());
    }

    #[test]
    fn only_frames_to_devices_are_kept() {
        let (mailbox, now) = (Mailbox::default(), Instant::now());
        for kind in (0..16).filter(|kind| !is_down(*kind)) {
            assert!(!mailbox.put(frame(kind, 7, 1), now));
        }
        let mut other = frame(TYPE_ORDER, 7, 1);
        other[0] = 0x22;
        assert!(!mailbox.put(other, now));
        assert_eq!(mailbox.len(), 0);
    }
}
