//! Frames to devices, each waiting for the moment at which its device listens: after its next frame. Nobody here can
//! open them, nor tell a device's frame from one that somebody made up. So a frame stays until the server, which can,
//! says that the device has been heard, or until a newer one takes its place; meanwhile it goes again with each frame
//! that may be its device's. What goes again is limited: made-up frames must not fill the air.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use link_wire::air::{Frame, FRAME_BYTES, TYPE_BOOT, TYPE_DATA, TYPE_KEY, TYPE_ORDER};

/// What a device did not listen to for so long is of no use any more: the server makes it anew, and the device refuses
/// it.
const KEPT: Duration = Duration::from_secs(900);
/// As many devices as there are: 16 bits.
const MOST: usize = 65_536;
/// No device that listens sends more often.
const AGAIN_AFTER: Duration = Duration::from_millis(1900);
/// Of all devices: so many may go again in a row, and then one in each of these, a twentieth of the time on air.
const MOST_AGAIN: u32 = 30;
const EACH_AGAIN: Duration = Duration::from_millis(7400);

#[derive(Debug)]
struct Letter {
    bytes: [u8; FRAME_BYTES],
    number: u32,
    since: Instant,
    written: Option<Instant>,
}

#[derive(Debug, Default)]
struct Held {
    letters: HashMap<u16, Letter>,
    /// When everything that went again will have been paid for.
    paid_until: Option<Instant>,
}

#[derive(Debug, Default)]
pub struct Mailbox(Mutex<Held>);

impl Mailbox {
    /// Keeps a frame for its device. False if it is not a frame to a device.
    pub fn put(&self, bytes: [u8; FRAME_BYTES], now: Instant) -> bool {
        let Some(frame) = Frame::parse(&bytes).filter(|frame| is_down(frame.header.frame_type)) else {
            return false;
        };
        let mut held = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if held.letters.len() >= MOST {
            held.letters.retain(|_, letter| letter.is_good(now));
        }
        let letter = Letter {
            bytes,
            number: frame.header.counter,
            since: now,
            written: None,
        };
        held.letters.insert(frame.header.device, letter);
        true
    }

    /// Lets go of what waits for a device, up to this number: the server has heard the device since.
    pub fn forget(&self, device: u16, number: u32) {
        let mut held = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if held.letters.get(&device).is_some_and(|letter| letter.number <= number) {
            held.letters.remove(&device);
        }
    }

    /// The frames to the devices whose frames seem to be in a burst.
    pub fn take(&self, burst: &[u8], now: Instant) -> Vec<[u8; FRAME_BYTES]> {
        let mut held = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if held.letters.is_empty() {
            return Vec::new();
        }
        let starts = 0..(burst.len() + 1).saturating_sub(FRAME_BYTES);
        let found = starts
            .filter_map(|at| Frame::parse(&burst[at..]))
            .filter(|frame| matches!(frame.header.frame_type, TYPE_DATA | TYPE_BOOT));
        found
            .filter_map(|frame| held.letter(frame.header.device, now))
            .collect()
    }

    #[cfg(test)]
    pub fn len(&self) -> usize {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).letters.len()
    }
}

impl Letter {
    fn is_good(&self, now: Instant) -> bool {
        now.duration_since(self.since) < KEPT
    }
}

impl Held {
    /// What waits for a device, if it may go now.
    fn letter(&mut self, device: u16, now: Instant) -> Option<[u8; FRAME_BYTES]> {
        let letter = self.letters.get_mut(&device)?;
        if !letter.is_good(now) {
            self.letters.remove(&device);
            return None;
        }
        if let Some(written) = letter.written {
            let paid_until = self.paid_until.map_or(now, |until| until.max(now));
            if now.duration_since(written) < AGAIN_AFTER || paid_until > now + EACH_AGAIN * (MOST_AGAIN - 1) {
                return None;
            }
            self.paid_until = Some(paid_until + EACH_AGAIN);
        }
        letter.written = Some(now);
        Some(letter.bytes)
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
    fn a_frame_waits_for_its_own_device_and_goes_once_at_a_time() {
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
    fn made_up_frames_do_not_empty_the_mailbox() {
        let (mailbox, mut now) = (Mailbox::default(), Instant::now());
        mailbox.put(frame(TYPE_ORDER, 7, 5), now);
        for _ in 0..10 {
            assert_eq!(mailbox.take(&frame(TYPE_DATA, 7, 0), now), [frame(TYPE_ORDER, 7, 5)]);
            assert!(
                mailbox.take(&frame(TYPE_DATA, 7, 0), now).is_empty(),
                "not twice to one frame"
            );
            now += AGAIN_AFTER;
        }
        // The server has heard the device after an earlier answer, and then after this one.
        mailbox.forget(7, 4);
        assert_eq!(mailbox.take(&frame(TYPE_DATA, 7, 0), now), [frame(TYPE_ORDER, 7, 5)]);
        mailbox.forget(7, 5);
        assert!(mailbox.take(&frame(TYPE_DATA, 7, 0), now + AGAIN_AFTER).is_empty());
        assert_eq!(mailbox.len(), 0);
    }

    #[test]
    fn made_up_frames_do_not_fill_the_air() {
        let (mailbox, mut now) = (Mailbox::default(), Instant::now());
        for device in 0..100 {
            mailbox.put(frame(TYPE_ORDER, device, 5), now);
        }
        let mut told = 0;
        for _ in 0..300 {
            now += Duration::from_secs(2);
            told += (0..100)
                .map(|device| mailbox.take(&frame(TYPE_DATA, device, 0), now).len())
                .sum::<usize>();
        }
        // Each once, and a twentieth of the time of ten minutes.
        assert!((100 + 70..=100 + 30 + 82).contains(&told), "{told}");
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
