//! Forged and damaged frames, and how soon the receiver is in step again. BANCADA_LINK_DAMAGED_FRAMES says how many.

use super::*;
use crate::directory::{Device, DeviceKey};
use crate::suite::{Opener, Suite};

const KEY: [u8; 16] = [0x5a; 16];
const DEVICE: u16 = 258;

/// Knuth's 64-bit linear congruential generator: the same damage in every run.
struct Chance(u64);

impl Chance {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % limit
    }

    fn bytes(&mut self, count: usize) -> Vec<u8> {
        (0..count).map(|_| self.below(256) as u8).collect()
    }
}

fn directory() -> Directory {
    let mut directory = Directory::default();
    let keys = vec![
        DeviceKey::new(DEVICE, 0, Suite::Ascon, &KEY).expect("a key"),
        DeviceKey::new(DEVICE, 1, Suite::AesCcm, &KEY).expect("a key"),
    ];
    directory.devices.insert(DEVICE, Device { revoked: false, keys });
    directory.devices.insert(
        9,
        Device {
            revoked: true,
            keys: vec![DeviceKey::new(DEVICE, 0, Suite::Ascon, &KEY).expect("a key")],
        },
    );
    directory
}

fn sealed(device: u16, suite: Suite, epoch: u8, frame_type: u8, counter: u32) -> Vec<u8> {
    let header = air::Header {
        frame_type,
        suite: suite.number(),
        epoch,
        device,
        counter,
    };
    Opener::new(suite, &KEY)
        .seal(header, *b"sixteen bytes 16")
        .expect("sealed")
        .encode()
        .to_vec()
}

fn frame(counter: u32) -> Vec<u8> {
    if counter % 2 == 0 {
        sealed(DEVICE, Suite::Ascon, 0, air::TYPE_DATA, counter)
    } else {
        sealed(DEVICE, Suite::AesCcm, 1, air::TYPE_DATA, counter)
    }
}

fn accepted(findings: &[Finding]) -> Vec<u32> {
    let counter = |finding: &Finding| match finding {
        Finding::Frame(frame) => Some(frame.header.counter),
        Finding::Refused { .. } => None,
    };
    findings.iter().filter_map(counter).collect()
}

fn reasons(findings: &[Finding]) -> Vec<Reason> {
    let reason = |finding: &Finding| match finding {
        Finding::Refused { reason, .. } => Some(*reason),
        Finding::Frame(_) => None,
    };
    findings.iter().filter_map(reason).collect()
}

/// Findings cover the burst without a gap or an overlap.
fn assert_whole(burst: &[u8], findings: &[Finding]) {
    let mut next = 0;
    for finding in findings {
        let (position, bytes) = match finding {
            Finding::Frame(frame) => (frame.position, FRAME_BYTES),
            Finding::Refused { position, bytes, .. } => (*position, *bytes),
        };
        assert_eq!(position, next);
        assert!(bytes > 0);
        next += bytes;
    }
    assert_eq!(next, burst.len());
}

#[test]
fn every_reason() {
    let directory = directory();
    let one = |burst: &[u8]| {
        let findings = examine(&directory, burst);
        assert_whole(burst, &findings);
        assert_eq!(accepted(&findings), Vec::<u32>::new());
        reasons(&findings)
    };
    let mut forged = frame(4);
    forged[31] ^= 1;
    assert_eq!(one(&forged), [Reason::ForgedTag]);
    assert_eq!(
        one(&sealed(77, Suite::Ascon, 0, air::TYPE_DATA, 1)),
        [Reason::UnknownDevice]
    );
    assert_eq!(
        one(&sealed(9, Suite::Ascon, 0, air::TYPE_DATA, 1)),
        [Reason::RevokedDevice]
    );
    assert_eq!(
        one(&sealed(DEVICE, Suite::Ascon, 2, air::TYPE_DATA, 1)),
        [Reason::WrongSuiteOrEpoch]
    );
    assert_eq!(
        one(&sealed(DEVICE, Suite::AesCcm, 0, air::TYPE_DATA, 1)),
        [Reason::WrongSuiteOrEpoch]
    );
    for kind in 2..16 {
        assert_eq!(
            one(&sealed(DEVICE, Suite::Ascon, 0, kind, 1)),
            [Reason::UnsupportedType],
            "type {kind}"
        );
    }
    assert_eq!(one(b"noise"), [Reason::Malformed]);
    let mut other_version = frame(4);
    other_version[0] = 0x20;
    assert_eq!(one(&other_version), [Reason::Malformed]);
    assert_eq!(
        one(&[b"ab".as_slice(), &forged].concat()),
        [Reason::Malformed, Reason::ForgedTag]
    );
}

#[test]
fn every_single_bit_of_a_frame_counts() {
    let directory = directory();
    for counter in 0..40 {
        let whole = frame(counter);
        assert_eq!(accepted(&examine(&directory, &whole)), [counter]);
        for bit in 0..FRAME_BYTES * 8 {
            let mut changed = whole.clone();
            changed[bit / 8] ^= 1 << (bit % 8);
            assert_eq!(
                accepted(&examine(&directory, &changed)),
                Vec::<u32>::new(),
                "bit {bit} of frame {counter}"
            );
        }
        for length in 0..FRAME_BYTES {
            assert_eq!(accepted(&examine(&directory, &whole[..length])), Vec::<u32>::new());
            assert_eq!(
                accepted(&examine(&directory, &whole[FRAME_BYTES - length..])),
                Vec::<u32>::new()
            );
        }
    }
}

/// Damaged frames with whole ones around them: none of the damaged accepted, every whole one found at once.
fn damage(count: usize, seed: u64) {
    let directory = directory();
    let mut chance = Chance(seed);
    for number in 0..count {
        let counter = (number as u32).wrapping_mul(2_654_435_761) % (u32::MAX - 8);
        let mut bad = frame(counter);
        match chance.below(6) {
            0 => bad[chance.below(FRAME_BYTES)] ^= 1 << chance.below(8),
            1 => {
                for _ in 0..=chance.below(8) {
                    let at = chance.below(FRAME_BYTES);
                    bad[at] = bad[at].wrapping_add(1 + chance.below(255) as u8);
                }
            }
            2 => bad.truncate(chance.below(FRAME_BYTES)),
            3 => {
                let tag = chance.bytes(8);
                bad[24..].copy_from_slice(&tag);
            }
            4 => {
                bad.remove(chance.below(FRAME_BYTES));
            }
            _ => bad = chance.bytes(FRAME_BYTES),
        }
        let garbage = chance.below(24);
        let mut burst = chance.bytes(garbage);
        burst.extend(frame(counter + 2));
        burst.extend(&bad);
        burst.extend(frame(counter + 4));
        let findings = examine(&directory, &burst);
        assert_whole(&burst, &findings);
        // Several random changes may, once in many, undo one another; and a frame that lost its last byte is whole
        // again if the byte was what the next one begins with. Then that byte is the one that the next frame has lost.
        let expected = if !burst[garbage + FRAME_BYTES..].starts_with(&frame(counter)) {
            vec![counter + 2, counter + 4]
        } else if bad.len() < FRAME_BYTES {
            vec![counter + 2, counter]
        } else {
            vec![counter + 2, counter, counter + 4]
        };
        assert_eq!(accepted(&findings), expected, "damage {number} of seed {seed}");
    }
}

#[test]
fn damaged_frames_cost_only_themselves() {
    let count = std::env::var("BANCADA_LINK_DAMAGED_FRAMES").map_or(20_000, |text| text.parse().expect("a number"));
    damage(count, 1);
    println!("{count} damaged frames: 0 accepted, every whole neighbour accepted");
}

#[test]
fn nothing_at_all_panics() {
    let directory = directory();
    let mut chance = Chance(3);
    for _ in 0..2000 {
        let length = chance.below(513);
        let burst = chance.bytes(length);
        let findings = examine(&directory, &burst);
        assert_whole(&burst, &findings);
        assert_eq!(accepted(&findings), Vec::<u32>::new());
    }
}
