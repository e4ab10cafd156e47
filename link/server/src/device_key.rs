//! A device's key, ready to open its frames and to seal those to it. A key that ratchets has a stage for each 4096
//! counters (link/firmware/core/counter.h).

use std::collections::VecDeque;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
use std::sync::{Mutex, MutexGuard, PoisonError};

use link_wire::air::{Frame, Header, CIPHERTEXT_BYTES, TYPE_KEY};
use zeroize::Zeroizing;

use crate::suite::{derive, Opener, Suite, DERIVE_DOWN, DERIVE_KEY, DERIVE_NEXT, KEY_BYTES};

const STAGE_BITS: u32 = 12;
/// A frame of a stage that is further ahead of the newest one is believed to be forged: each stage takes half a
/// microsecond to derive. 1024 stages are half a year at a period of 4 s.
const MOST_AHEAD: u32 = 1024;
/// A frame that brings the next key is good while the device sends so many frames, and twice as many at most: one that
/// was kept from it must not change its key some day.
const KEY_GROUP_BITS: u32 = 3;
/// Stages at hand: frames come late.
const AT_HAND: usize = 4;
/// The key of one in so many stages is kept: whoever sends headers of any counter costs so many steps each, and not all
/// from the first stage on.
const LANDMARK: u32 = 64;

type Key = Zeroizing<[u8; KEY_BYTES]>;
type Text = [u8; CIPHERTEXT_BYTES];

/// A key and epoch of a device.
pub struct DeviceKey {
    pub epoch: u8,
    pub suite: Suite,
    stages: Stages,
    /// The counter that the last frame with the next key was sealed for.
    key_told_at: AtomicU32,
}

enum Stages {
    One(Stage),
    Many(Mutex<Chain>),
}

struct Stage {
    number: u32,
    /// Of the stage; wiped when the stage is given up.
    key: Key,
    up: Opener,
    down: Opener,
}

struct Chain {
    device: u16,
    epoch: u8,
    suite: Suite,
    first: Key,
    at_hand: VecDeque<Stage>,
    /// Of stages 64, 128, ... as far as they were needed. In boxes: a vector that grows leaves copies behind.
    #[expect(clippy::vec_box)]
    landmarks: Vec<Box<Key>>,
    /// The newest stage that a frame was authentic under, or that the database knows.
    newest: u32,
}

impl DeviceKey {
    /// None only if a key could not be derived, which does not happen.
    pub fn new(device: u16, epoch: u8, suite: Suite, key: &[u8; KEY_BYTES]) -> Option<DeviceKey> {
        let stage = Stage::new(device, epoch, suite, 0, Zeroizing::new(*key))?;
        Some(DeviceKey {
            epoch,
            suite,
            stages: Stages::One(stage),
            key_told_at: AtomicU32::new(0),
        })
    }

    /// A key that ratchets; `key` is that of stage 0, and `highest` the highest counter that was accepted.
    pub fn ratcheting(device: u16, epoch: u8, suite: Suite, key: &[u8; KEY_BYTES], highest: u32) -> DeviceKey {
        let chain = Chain {
            device,
            epoch,
            suite,
            first: Zeroizing::new(*key),
            at_hand: VecDeque::new(),
            landmarks: Vec::new(),
            newest: highest >> STAGE_BITS,
        };
        DeviceKey {
            epoch,
            suite,
            stages: Stages::Many(Mutex::new(chain)),
            key_told_at: AtomicU32::new(0),
        }
    }

    /// The text of a frame of the device, if its tag holds.
    pub fn open(&self, frame: &Frame) -> Option<Text> {
        match &self.stages {
            Stages::One(stage) => stage.up.open(frame),
            Stages::Many(chain) => {
                let mut chain = held(chain);
                let number = frame.header.counter >> STAGE_BITS;
                let text = chain.stage(number)?.up.open(frame)?;
                chain.newest = chain.newest.max(number);
                Some(text)
            }
        }
    }

    /// Whether a frame to the device was sealed here, lately.
    pub fn has_sealed(&self, frame: &Frame) -> bool {
        let told_at = self.key_told_at.load(Relaxed);
        let sealed = |stage: &Stage| match frame.header.frame_type {
            TYPE_KEY => stage
                .of_next_key(self.suite, &frame.header, told_at)
                .is_some_and(|down| down.open(frame).is_some()),
            _ => stage.down.open(frame).is_some(),
        };
        match &self.stages {
            Stages::One(stage) => sealed(stage),
            Stages::Many(chain) => held(chain).at_hand.iter().any(sealed),
        }
    }

    /// A frame to the device, whose newest frame has this counter.
    pub fn seal(&self, header: Header, text: Text, counter: u32) -> Option<Frame> {
        let seal = |stage: &Stage| match header.frame_type {
            TYPE_KEY => stage.of_next_key(self.suite, &header, counter)?.seal(header, text),
            _ => stage.down.seal(header, text),
        };
        if header.frame_type == TYPE_KEY {
            self.key_told_at.store(counter, Relaxed);
        }
        match &self.stages {
            Stages::One(stage) => seal(stage),
            Stages::Many(chain) => held(chain).stage(counter >> STAGE_BITS).and_then(seal),
        }
    }
}

fn held(chain: &Mutex<Chain>) -> MutexGuard<'_, Chain> {
    chain.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Stage {
    fn new(device: u16, epoch: u8, suite: Suite, number: u32, key: Key) -> Option<Stage> {
        let down = derive(suite, &key, epoch, device, DERIVE_DOWN, 0)?;
        Some(Stage {
            number,
            up: Opener::new(suite, &key),
            down: Opener::new(suite, &down),
            key,
        })
    }
}

impl Stage {
    /// What seals the next key for a device whose newest frame has this counter.
    fn of_next_key(&self, suite: Suite, header: &Header, counter: u32) -> Option<Opener> {
        let group = counter >> KEY_GROUP_BITS;
        let key = derive(suite, &self.key, header.epoch, header.device, DERIVE_KEY, group)?;
        Some(Opener::new(suite, &key))
    }
}

impl Chain {
    fn stage(&mut self, number: u32) -> Option<&Stage> {
        if number > self.newest.saturating_add(MOST_AHEAD) {
            return None;
        }
        if let Some(at) = self.at_hand.iter().position(|stage| stage.number == number) {
            return self.at_hand.get(at);
        }
        let (mut reached, mut key) = self.nearest_below(number);
        while reached < number {
            reached += 1;
            key = derive(self.suite, &key, self.epoch, self.device, DERIVE_NEXT, reached)?;
            if u64::from(reached) == (self.landmarks.len() as u64 + 1) * u64::from(LANDMARK) {
                self.landmarks.push(Box::new(key.clone()));
            }
        }
        let stage = Stage::new(self.device, self.epoch, self.suite, number, key)?;
        if self.at_hand.len() == AT_HAND {
            // Not the newest: it is needed with the next frame.
            let oldest = usize::from(self.at_hand.front().is_some_and(|front| front.number == self.newest));
            self.at_hand.remove(oldest);
        }
        self.at_hand.push_back(stage);
        self.at_hand.back()
    }

    /// The highest stage below this one whose key is known, and the key.
    fn nearest_below(&self, number: u32) -> (u32, Key) {
        let marks = self
            .landmarks
            .len()
            .min(number.saturating_sub(1) as usize / LANDMARK as usize);
        let marked = match marks.checked_sub(1).and_then(|last| self.landmarks.get(last)) {
            Some(key) => (marks as u32 * LANDMARK, key.as_ref()),
            None => (0, &self.first),
        };
        let below = self.at_hand.iter().filter(|stage| stage.number < number);
        let stages = below.map(|stage| (stage.number, &stage.key));
        let (reached, key) = stages
            .chain([marked])
            .max_by_key(|(reached, _)| *reached)
            .unwrap_or(marked);
        (reached, key.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use link_wire::air::TYPE_DATA;

    const KEY: [u8; KEY_BYTES] = [7; KEY_BYTES];

    fn frame(suite: Suite, key: &[u8; KEY_BYTES], counter: u32) -> Frame {
        let header = Header {
            frame_type: TYPE_DATA,
            suite: suite.number(),
            epoch: 3,
            device: 9,
            counter,
        };
        Opener::new(suite, key).seal(header, [1; 16]).expect("sealed")
    }

    fn key_of(suite: Suite, stage: u32) -> Key {
        (1..=stage).fold(Zeroizing::new(KEY), |key, number| {
            derive(suite, &key, 3, 9, DERIVE_NEXT, number).expect("a key")
        })
    }

    #[test]
    fn each_stage_opens_with_its_own_key_in_any_order() {
        for suite in [Suite::Ascon, Suite::AesCcm] {
            let ratchets = DeviceKey::ratcheting(9, 3, suite, &KEY, 0);
            for stage in [0, 1, 7, 2, 9, 0, 5, 30, 31, 29, 4] {
                let counter = stage << STAGE_BITS | 77;
                assert!(ratchets.open(&frame(suite, &key_of(suite, stage), counter)).is_some());
                for other in [stage + 1, stage.saturating_sub(1)].iter().filter(|one| **one != stage) {
                    assert!(ratchets.open(&frame(suite, &key_of(suite, *other), counter)).is_none());
                }
            }
        }
    }

    #[test]
    fn headers_of_any_counter_cost_few_steps_each() {
        let mut chain = Chain {
            device: 9,
            epoch: 3,
            suite: Suite::Ascon,
            first: Zeroizing::new(KEY),
            at_hand: VecDeque::new(),
            landmarks: Vec::new(),
            newest: 0,
        };
        assert!(chain.stage(MOST_AHEAD).is_some());
        for number in (0..MOST_AHEAD).rev() {
            let (reached, key) = chain.nearest_below(number);
            assert!(number - reached <= LANDMARK, "{number} from {reached}");
            assert_eq!(key, key_of(Suite::Ascon, reached), "{reached}");
            assert!(chain.stage(number).is_some_and(|stage| stage.number == number));
        }
    }

    #[test]
    fn a_stage_far_ahead_is_not_looked_for() {
        let key = key_of(Suite::Ascon, MOST_AHEAD + 1);
        let far = frame(Suite::Ascon, &key, (MOST_AHEAD + 1) << STAGE_BITS);
        assert!(DeviceKey::ratcheting(9, 3, Suite::Ascon, &KEY, 0).open(&far).is_none());
        assert!(DeviceKey::ratcheting(9, 3, Suite::Ascon, &KEY, 1 << STAGE_BITS)
            .open(&far)
            .is_some());
        let last = frame(Suite::Ascon, &KEY, u32::MAX);
        assert!(DeviceKey::ratcheting(9, 3, Suite::Ascon, &KEY, 0).open(&last).is_none());
    }

    #[test]
    fn what_a_stage_seals_to_the_device_is_its_own() {
        let ratchets = DeviceKey::ratcheting(9, 3, Suite::Ascon, &KEY, 0);
        let header = Header {
            frame_type: link_wire::air::TYPE_ORDER,
            suite: 1,
            epoch: 3,
            device: 9,
            counter: 5,
        };
        let sealed = ratchets.seal(header, [2; 16], 3 << STAGE_BITS).expect("sealed");
        let down = derive(Suite::Ascon, &key_of(Suite::Ascon, 3), 3, 9, DERIVE_DOWN, 0).expect("a key");
        assert_eq!(Opener::new(Suite::Ascon, &down).open(&sealed), Some([2; 16]));
        assert!(ratchets.has_sealed(&sealed));
    }

    #[test]
    fn what_brings_the_next_key_is_for_some_frames_of_the_device() {
        let one = DeviceKey::new(9, 3, Suite::Ascon, &KEY).expect("a key");
        let header = Header {
            frame_type: TYPE_KEY,
            suite: 1,
            epoch: 3,
            device: 9,
            counter: 5,
        };
        let at = |counter: u32| one.seal(header, [2; 16], counter).expect("sealed").encode();
        assert_eq!(at(16), at(23));
        assert_ne!(at(16), at(24));
        let sealed = one.seal(header, [2; 16], 20).expect("sealed");
        assert!(one.has_sealed(&sealed));
    }
}
