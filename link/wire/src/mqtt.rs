//! Payloads between gateway and server.
//!
//! * up, on `link/<gateway>/up`: `01 ‖ outbox uuid (16)`, then records `u64 id ‖ u64 received unix ms ‖ u16 length ‖
//!   burst`
//! * ack, on `link/<gateway>/ack`: `01 ‖ outbox uuid (16)`, then ranges `u64 first id ‖ u64 last id`
//!
//! * down, on `link/<gateway>/down`: `01 ‖ frame (32)`, for the gateway to send when it next hears the device;
//!   `02 ‖ device (2) ‖ number (4)`: up to this number nothing need wait for the device
//!
//! * ask, on `link/<gateway>/ack` too: `02 ‖ question (16)`. A database came back from a backup: the gateway is to send
//!   again what it still keeps of rows that were acknowledged, and to name the question in its status.
//!
//! A range stands only for what the server has *committed*: a greatest id would say too much where an id in between is
//! missing.
//!
//! ```
//! use link_wire::mqtt::{Ack, Up, UpWriter};
//! use link_wire::ranges;
//! let mut writer = UpWriter::new([7; 16]);
//! writer.push(41, 1_700_000_000_000, &[0x10; 32]);
//! let up = Up::parse(writer.payload()).unwrap();
//! let ack = Ack { outbox: up.outbox, ranges: ranges::from_ids(up.records.iter().map(|record| record.id)) };
//! assert_eq!(Ack::parse(&ack.encode()).unwrap(), ack);
//! ```

use std::fmt;

use crate::air::FRAME_BYTES;
use crate::{ranges::Range, take};

/// Identifies one outbox for as long as its file lives: a new file counts its ids from 1 again.
pub type Uuid = [u8; 16];

const LAYOUT: u8 = 1;
const ASK_LAYOUT: u8 = 2;
const FORGET_LAYOUT: u8 = 2;
const PREFIX_BYTES: usize = 17;
const RECORD_HEADER_BYTES: usize = 18;
const RANGE_BYTES: usize = 16;

/// Longest burst of one record; what is longer travels as overlapping windows.
pub const BURST_BYTES: usize = 512;

pub fn up_topic(gateway: &str) -> String {
    format!("link/{gateway}/up")
}

pub fn ack_topic(gateway: &str) -> String {
    format!("link/{gateway}/ack")
}

pub fn down_topic(gateway: &str) -> String {
    format!("link/{gateway}/down")
}

pub fn status_topic(gateway: &str) -> String {
    format!("link/{gateway}/status")
}

/// What a server subscribes to: one of several servers gets each payload.
pub const UP_SUBSCRIPTION: &str = "$share/servers/link/+/up";

/// The gateway's name in a topic `link/<gateway>/…`.
pub fn gateway_of_topic(topic: &str) -> Option<&str> {
    let (gateway, _) = topic.strip_prefix("link/")?.split_once('/')?;
    (!gateway.is_empty()).then_some(gateway)
}

/// Why bytes are not a payload.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PayloadError {
    Layout { found: u8 },
    Truncated,
    BurstLength { id: u64, bytes: usize },
    RangeBackwards { first: u64, last: u64 },
}

impl fmt::Display for PayloadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PayloadError::Layout { found } => write!(f, "payload layout {found}, expected {LAYOUT}: another version?"),
            PayloadError::Truncated => f.write_str("payload ends in the middle of a record"),
            PayloadError::BurstLength { id, bytes } => {
                write!(f, "record {id} has {bytes} bytes, expected 1 to {BURST_BYTES}")
            }
            PayloadError::RangeBackwards { first, last } => write!(f, "range {first} to {last} runs backwards"),
        }
    }
}

impl std::error::Error for PayloadError {}

/// One burst as the server gets it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Record<'a> {
    pub id: u64,
    /// The gateway's clock when the burst began; the server decides nothing by it.
    pub received_unix_ms: u64,
    pub burst: &'a [u8],
}

/// A payload of the topic `up`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Up<'a> {
    pub outbox: Uuid,
    pub records: Vec<Record<'a>>,
}

impl<'a> Up<'a> {
    /// All records, or the reason why the payload as a whole is refused.
    pub fn parse(payload: &'a [u8]) -> Result<Up<'a>, PayloadError> {
        let (outbox, mut rest) = prefix(payload)?;
        let mut records = Vec::new();
        while !rest.is_empty() {
            records.push(record(&mut rest)?);
        }
        Ok(Up { outbox, records })
    }
}

fn prefix(mut payload: &[u8]) -> Result<(Uuid, &[u8]), PayloadError> {
    let found = take::u8(&mut payload).ok_or(PayloadError::Truncated)?;
    if found != LAYOUT {
        return Err(PayloadError::Layout { found });
    }
    let outbox = take::uuid(&mut payload).ok_or(PayloadError::Truncated)?;
    Ok((outbox, payload))
}

fn record<'a>(rest: &mut &'a [u8]) -> Result<Record<'a>, PayloadError> {
    let id = take::u64(rest).ok_or(PayloadError::Truncated)?;
    let received_unix_ms = take::u64(rest).ok_or(PayloadError::Truncated)?;
    let bytes = usize::from(take::u16(rest).ok_or(PayloadError::Truncated)?);
    if bytes == 0 || bytes > BURST_BYTES {
        return Err(PayloadError::BurstLength { id, bytes });
    }
    let burst = take::bytes(rest, bytes).ok_or(PayloadError::Truncated)?;
    Ok(Record {
        id,
        received_unix_ms,
        burst,
    })
}

/// Collects records to one payload.
#[derive(Clone, Debug)]
pub struct UpWriter {
    payload: Vec<u8>,
    records: usize,
}

impl UpWriter {
    pub fn new(outbox: Uuid) -> UpWriter {
        UpWriter {
            payload: start(outbox),
            records: 0,
        }
    }

    /// Appends a record; a burst beyond [`BURST_BYTES`] would make the payload unreadable and is cut there.
    pub fn push(&mut self, id: u64, received_unix_ms: u64, burst: &[u8]) {
        let burst = &burst[..burst.len().min(BURST_BYTES)];
        self.payload.extend_from_slice(&id.to_be_bytes());
        self.payload.extend_from_slice(&received_unix_ms.to_be_bytes());
        self.payload.extend_from_slice(&(burst.len() as u16).to_be_bytes());
        self.payload.extend_from_slice(burst);
        self.records += 1;
    }

    pub fn records(&self) -> usize {
        self.records
    }

    /// Bytes that the payload would have with one more burst of this length.
    pub fn bytes_with(&self, burst_bytes: usize) -> usize {
        self.payload.len() + RECORD_HEADER_BYTES + burst_bytes
    }

    pub fn payload(&self) -> &[u8] {
        &self.payload
    }

    pub fn into_payload(self) -> Vec<u8> {
        self.payload
    }
}

/// A payload of the topic `ack`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ack {
    pub outbox: Uuid,
    pub ranges: Vec<Range>,
}

impl Ack {
    pub fn parse(payload: &[u8]) -> Result<Ack, PayloadError> {
        let (outbox, mut rest) = prefix(payload)?;
        let mut ranges = Vec::with_capacity(rest.len() / RANGE_BYTES);
        while !rest.is_empty() {
            let first = take::u64(&mut rest).ok_or(PayloadError::Truncated)?;
            let last = take::u64(&mut rest).ok_or(PayloadError::Truncated)?;
            if first > last {
                return Err(PayloadError::RangeBackwards { first, last });
            }
            ranges.push(Range { first, last });
        }
        Ok(Ack { outbox, ranges })
    }

    pub fn encode(&self) -> Vec<u8> {
        let mut payload = start(self.outbox);
        for range in &self.ranges {
            payload.extend_from_slice(&range.first.to_be_bytes());
            payload.extend_from_slice(&range.last.to_be_bytes());
        }
        payload
    }
}

/// A question on the topic `ack`: what did you hear that may have been forgotten here?
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ask {
    pub question: Uuid,
}

impl Ask {
    /// The question, if this is one.
    pub fn parse(payload: &[u8]) -> Option<Ask> {
        let question = payload.strip_prefix(&[ASK_LAYOUT])?.try_into().ok()?;
        Some(Ask { question })
    }

    pub fn encode(&self) -> Vec<u8> {
        let mut payload = vec![ASK_LAYOUT];
        payload.extend_from_slice(&self.question);
        payload
    }
}

/// A payload of the topic `down`: a frame to a device, sealed for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Down {
    pub frame: [u8; FRAME_BYTES],
}

impl Down {
    /// None if it is not one frame in this version's layout.
    pub fn parse(payload: &[u8]) -> Option<Down> {
        let frame = payload.strip_prefix(&[LAYOUT])?.try_into().ok()?;
        Some(Down { frame })
    }

    pub fn encode(&self) -> Vec<u8> {
        let mut payload = vec![LAYOUT];
        payload.extend_from_slice(&self.frame);
        payload
    }
}

/// Another payload of the topic `down`: the device was heard after it could have had the frame of this number, so what
/// waits for it up to that number need not wait any more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Forget {
    pub device: u16,
    pub number: u32,
}

impl Forget {
    /// None if it is something else.
    pub fn parse(payload: &[u8]) -> Option<Forget> {
        let mut rest = payload.strip_prefix(&[FORGET_LAYOUT])?;
        let (device, number) = (take::u16(&mut rest)?, take::u32(&mut rest)?);
        rest.is_empty().then_some(Forget { device, number })
    }

    pub fn encode(&self) -> Vec<u8> {
        let mut payload = vec![FORGET_LAYOUT];
        payload.extend_from_slice(&self.device.to_be_bytes());
        payload.extend_from_slice(&self.number.to_be_bytes());
        payload
    }
}

fn start(outbox: Uuid) -> Vec<u8> {
    let mut payload = Vec::with_capacity(PREFIX_BYTES);
    payload.push(LAYOUT);
    payload.extend_from_slice(&outbox);
    payload
}
