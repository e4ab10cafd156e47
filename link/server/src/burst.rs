//! Finds the frames in what a radio received: a window of 32 bytes slides over it, and only a tag that holds makes a
//! frame.
//!
//! So frames glued together, garbage in front and lost bytes cost at most the damaged frame itself. What is left over
//! is refused with the best reason that its bytes give.

use link_wire::air::{self, Frame, FRAME_BYTES};

use crate::directory::Directory;
use crate::signal::dbm;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Reason {
    ForgedTag,
    Replay,
    OutsideWindow,
    WrongSuiteOrEpoch,
    UnknownDevice,
    RevokedDevice,
    UnsupportedType,
    Malformed,
    UnknownGateway,
    TooManyOutboxes,
}

impl Reason {
    pub fn text(self) -> &'static str {
        match self {
            Reason::ForgedTag => "forged tag",
            Reason::Replay => "replay",
            Reason::OutsideWindow => "outside window",
            Reason::WrongSuiteOrEpoch => "wrong suite or epoch",
            Reason::UnknownDevice => "unknown device",
            Reason::RevokedDevice => "revoked device",
            Reason::UnsupportedType => "unsupported type",
            Reason::Malformed => "malformed",
            Reason::UnknownGateway => "unknown gateway",
            Reason::TooManyOutboxes => "too many outboxes",
        }
    }
}

/// An authentic frame of a type that is stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Authentic {
    pub position: usize,
    pub header: air::Header,
    pub plaintext: [u8; 16],
    /// How strongly the gateway received it, if its module tells.
    pub dbm: Option<i64>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Finding {
    Frame(Authentic),
    Refused {
        position: usize,
        bytes: usize,
        reason: Reason,
        device: Option<u16>,
    },
}

/// Takes a burst apart; the findings cover every byte of it, in order. What another gateway sent to a device for us is
/// none.
pub fn examine(directory: &Directory, burst: &[u8]) -> Vec<Finding> {
    let mut findings = Vec::new();
    let mut left_over = 0;
    let mut at = 0;
    while at + FRAME_BYTES <= burst.len() {
        let opened = Frame::parse(&burst[at..])
            .and_then(|frame| open(directory, &frame).map(|plaintext| (frame.header, plaintext)));
        let Some((header, plaintext)) = opened else {
            if is_own(directory, &burst[at..]) {
                diagnose(directory, burst, left_over, at, &mut findings);
                at += FRAME_BYTES;
                left_over = at;
            } else {
                at += 1;
            }
            continue;
        };
        diagnose(directory, burst, left_over, at, &mut findings);
        findings.push(judge_authentic(directory, at, header, plaintext));
        at += FRAME_BYTES;
        left_over = at;
    }
    diagnose(directory, burst, left_over, burst.len(), &mut findings);
    findings
}

/// Reads the byte that a module puts behind each packet: the strength of the frame before it. A byte by itself is one
/// too: behind what others sent to devices.
pub fn read_signals(burst: &[u8], findings: &mut Vec<Finding>) {
    for finding in findings.iter_mut() {
        if let Finding::Frame(frame) = finding {
            frame.dbm = burst.get(frame.position + FRAME_BYTES).copied().map(dbm);
        }
    }
    findings.retain(|finding| !matches!(finding, Finding::Refused { bytes: 1, .. }));
}

fn open(directory: &Directory, frame: &Frame) -> Option<[u8; 16]> {
    let device = directory.devices.get(&frame.header.device)?;
    let key = device
        .keys
        .iter()
        .find(|key| key.epoch == frame.header.epoch && key.suite.number() == frame.header.suite)?;
    key.open(frame)
}

/// Whether these bytes begin with a frame to a device, sealed here: a gateway hears what others send.
fn is_own(directory: &Directory, bytes: &[u8]) -> bool {
    let Some(frame) = Frame::parse(bytes) else {
        return false;
    };
    let header = frame.header;
    let keys = directory.devices.get(&header.device).map(|device| &device.keys);
    matches!(header.frame_type, air::TYPE_ORDER | air::TYPE_KEY)
        && keys
            .into_iter()
            .flatten()
            .any(|key| (key.epoch, key.suite.number()) == (header.epoch, header.suite) && key.has_sealed(&frame))
}

fn judge_authentic(directory: &Directory, position: usize, header: air::Header, plaintext: [u8; 16]) -> Finding {
    let revoked = directory
        .devices
        .get(&header.device)
        .is_some_and(|device| device.revoked);
    let refused = |reason| Finding::Refused {
        position,
        bytes: FRAME_BYTES,
        reason,
        device: Some(header.device),
    };
    if revoked {
        refused(Reason::RevokedDevice)
    } else if !matches!(header.frame_type, air::TYPE_DATA | air::TYPE_BOOT) {
        refused(Reason::UnsupportedType)
    } else {
        Finding::Frame(Authentic {
            position,
            header,
            plaintext,
            dbm: None,
        })
    }
}

/// Says of the bytes `from..to`, in which no tag held, why they are refused.
fn diagnose(directory: &Directory, burst: &[u8], from: usize, to: usize, findings: &mut Vec<Finding>) {
    let mut start = from;
    let mut at = from;
    while at + FRAME_BYTES <= to {
        // A header where a frame would have to begin or end is believed; anywhere else only one whose key exists: by
        // chance it comes up once in 2^28 offsets for each device, that of some unknown device once in 128 or so.
        let at_edge = at == start || at + FRAME_BYTES == to;
        match suspect(directory, &burst[at..]) {
            Some((reason, device)) if at_edge || reason == Reason::ForgedTag => {
                if at > start {
                    findings.push(Finding::Refused {
                        position: start,
                        bytes: at - start,
                        reason: Reason::Malformed,
                        device: None,
                    });
                }
                findings.push(Finding::Refused {
                    position: at,
                    bytes: FRAME_BYTES,
                    reason,
                    device: Some(device),
                });
                at += FRAME_BYTES;
                start = at;
            }
            _ => at += 1,
        }
    }
    if start < to {
        findings.push(Finding::Refused {
            position: start,
            bytes: to - start,
            reason: Reason::Malformed,
            device: None,
        });
    }
}

/// The reason that a header gives, if it is one.
fn suspect(directory: &Directory, bytes: &[u8]) -> Option<(Reason, u16)> {
    let header = Frame::parse(bytes)?.header;
    let reason = match directory.devices.get(&header.device) {
        None => Reason::UnknownDevice,
        Some(device) => {
            let known = device
                .keys
                .iter()
                .any(|key| key.epoch == header.epoch && key.suite.number() == header.suite);
            if known {
                Reason::ForgedTag
            } else {
                Reason::WrongSuiteOrEpoch
            }
        }
    };
    Some((reason, header.device))
}

#[cfg(test)]
#[path = "burst_tests.rs"]
mod tests;
