//! The stream from the gateway's microcontroller: `COBS(payload ‖ CRC-16/CCITT-FALSE) ‖ 0x00` at 115200 8N1.
//!
//! ```
//! use link_wire::serial::{encode, Deframer, Payload};
//! let sent = Payload::Received { continues: false, signal: false, uptime_ms: 7, bytes: vec![1, 2, 0, 3] };
//! let mut stream = b"garbage\0".to_vec();
//! encode(&sent, &mut stream);
//! let mut seen = Vec::new();
//! Deframer::default().push(&stream, |frame| seen.push(frame));
//! assert!(seen[0].is_err());
//! assert_eq!(seen[1], Ok(sent));
//! ```

use std::fmt;

use crate::{cobs, crc::crc16, take};

/// The E32 sends at most this many bytes in one packet, and the microcontroller cuts there.
pub const CHUNK_BYTES: usize = 58;

const RECEIVED: u8 = 1;
const STATUS: u8 = 2;
const PAPER: u8 = 3;
const TRANSMIT: u8 = 4;
const FLAG_CONTINUES: u8 = 1;
const FLAG_SIGNAL: u8 = 2;
/// Of a status. Its other flags are the channel; older daemons pass over all of them.
const FLAG_TELLS_CHANNEL: u8 = 0x80;
const CHANNEL_BITS: u8 = 0x7f;
const PAYLOAD_HEADER_BYTES: usize = 6;
const CRC_BYTES: usize = 2;
/// Longest payload with its CRC, and one byte of COBS for less than 254.
const ENCODED_BYTES: usize = PAYLOAD_HEADER_BYTES + CHUNK_BYTES + CRC_BYTES + 1;

/// What the microcontroller says in one frame.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Payload {
    /// Bytes as the radio module gave them.
    Received {
        /// Nothing but the cut at 58 bytes (or a full buffer) separates them from the chunk before.
        continues: bool,
        /// The module puts a byte behind each packet: how strongly it was received.
        signal: bool,
        uptime_ms: u32,
        bytes: Vec<u8>,
    },
    /// Every ten seconds, counted since the microcontroller's reset.
    Status(Status),
    /// The study's experiment: decrypted on the microcontroller, without authentication. Not secure.
    Paper { uptime_ms: u32, plaintext: [u8; 16] },
}

/// The microcontroller's own counters since its reset.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Status {
    pub uptime_ms: u32,
    pub chunks: u32,
    pub bytes: u32,
    pub overruns: u16,
    pub module_restarts: u16,
    /// Packets that were put on the air, and those that were not because an hour's limit was reached. Firmware before
    /// 1.1 does not transmit.
    pub transmitted: u32,
    pub refused: u16,
    /// Where it listens; older firmware does not say.
    pub channel: Option<u8>,
}

/// Why a stretch of the stream between two zeros is no frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Damage {
    /// No COBS encoding, or too short for a payload.
    Framing,
    Crc,
    /// More bytes without a zero than any frame has.
    TooLong,
    /// A whole frame, whose payload this version does not know: newer firmware?
    Unknown {
        payload_type: u8,
    },
    /// A whole frame of a known type with the wrong length.
    Length {
        payload_type: u8,
    },
}

impl fmt::Display for Damage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Damage::Framing => f.write_str("no frame"),
            Damage::Crc => f.write_str("wrong checksum"),
            Damage::TooLong => f.write_str("no end of frame"),
            Damage::Unknown { payload_type } => write!(f, "unknown payload type {payload_type}"),
            Damage::Length { payload_type } => write!(f, "payload of type {payload_type} has the wrong length"),
        }
    }
}

/// Cuts a byte stream into payloads. Holds at most one frame; after any damage it is in step at the next zero.
#[derive(Debug, Default)]
pub struct Deframer {
    encoded: Vec<u8>,
    decoded: Vec<u8>,
    too_long: bool,
}

impl Deframer {
    /// Takes the next bytes of the stream and hands every frame that they complete to `sink`. Zeros between frames are
    /// nothing.
    pub fn push(&mut self, mut bytes: &[u8], mut sink: impl FnMut(Result<Payload, Damage>)) {
        while let Some(end) = bytes.iter().position(|&byte| byte == 0) {
            self.keep(&bytes[..end]);
            bytes = &bytes[end + 1..];
            if self.too_long {
                sink(Err(Damage::TooLong));
            } else if !self.encoded.is_empty() {
                sink(parse(&self.encoded, &mut self.decoded));
            }
            self.encoded.clear();
            self.too_long = false;
        }
        self.keep(bytes);
    }

    fn keep(&mut self, bytes: &[u8]) {
        self.too_long |= self.encoded.len() + bytes.len() > ENCODED_BYTES;
        if !self.too_long {
            self.encoded.extend_from_slice(bytes);
        }
    }
}

fn parse(encoded: &[u8], decoded: &mut Vec<u8>) -> Result<Payload, Damage> {
    if !cobs::decode(encoded, decoded) {
        return Err(Damage::Framing);
    }
    let (payload, sum) = decoded.split_last_chunk::<CRC_BYTES>().ok_or(Damage::Framing)?;
    if crc16(payload) != u16::from_be_bytes(*sum) {
        return Err(Damage::Crc);
    }
    let &payload_type = payload.first().ok_or(Damage::Framing)?;
    if !matches!(payload_type, RECEIVED | STATUS | PAPER) {
        return Err(Damage::Unknown { payload_type });
    }
    body(payload_type, &payload[1..]).ok_or(Damage::Length { payload_type })
}

fn body(payload_type: u8, mut rest: &[u8]) -> Option<Payload> {
    let input = &mut rest;
    let flags = take::u8(input)?;
    let uptime_ms = take::u32(input)?;
    let payload = match payload_type {
        RECEIVED => {
            let bytes = std::mem::take(input).to_vec();
            if bytes.is_empty() || bytes.len() > CHUNK_BYTES {
                return None;
            }
            Payload::Received {
                continues: flags & FLAG_CONTINUES != 0,
                signal: flags & FLAG_SIGNAL != 0,
                uptime_ms,
                bytes,
            }
        }
        STATUS => Payload::Status(Status {
            uptime_ms,
            chunks: take::u32(input)?,
            bytes: take::u32(input)?,
            overruns: take::u16(input)?,
            module_restarts: take::u16(input)?,
            transmitted: if input.is_empty() { 0 } else { take::u32(input)? },
            refused: if input.is_empty() { 0 } else { take::u16(input)? },
            channel: (flags & FLAG_TELLS_CHANNEL != 0).then_some(flags & CHANNEL_BITS),
        }),
        _ => Payload::Paper {
            uptime_ms,
            plaintext: take::uuid(input)?,
        },
    };
    input.is_empty().then_some(payload)
}

/// Appends what the microcontroller is told to put on the air: `packet` has 1 to [`CHUNK_BYTES`] bytes. What is longer it
/// ignores.
pub fn encode_transmit(packet: &[u8], stream: &mut Vec<u8>) {
    let mut plain = Vec::with_capacity(ENCODED_BYTES);
    plain.extend_from_slice(&[TRANSMIT, 0]);
    plain.extend_from_slice(packet);
    let sum = crc16(&plain);
    plain.extend_from_slice(&sum.to_be_bytes());
    cobs::encode(&plain, stream);
    stream.push(0);
}

/// Appends the frame of `payload` to `stream`, as the microcontroller would send it (for tests and test doubles).
/// Received bytes beyond [`CHUNK_BYTES`] make a frame that every reader refuses.
pub fn encode(payload: &Payload, stream: &mut Vec<u8>) {
    let mut plain = Vec::with_capacity(ENCODED_BYTES);
    match payload {
        Payload::Received {
            continues,
            signal,
            uptime_ms,
            bytes,
        } => {
            let flags = (u8::from(*continues) * FLAG_CONTINUES) | (u8::from(*signal) * FLAG_SIGNAL);
            plain.extend_from_slice(&[RECEIVED, flags]);
            plain.extend_from_slice(&uptime_ms.to_be_bytes());
            plain.extend_from_slice(bytes);
        }
        Payload::Status(status) => {
            let flags = status.channel.map_or(0, |channel| FLAG_TELLS_CHANNEL | channel);
            plain.extend_from_slice(&[STATUS, flags]);
            plain.extend_from_slice(&status.uptime_ms.to_be_bytes());
            plain.extend_from_slice(&status.chunks.to_be_bytes());
            plain.extend_from_slice(&status.bytes.to_be_bytes());
            plain.extend_from_slice(&status.overruns.to_be_bytes());
            plain.extend_from_slice(&status.module_restarts.to_be_bytes());
            plain.extend_from_slice(&status.transmitted.to_be_bytes());
            plain.extend_from_slice(&status.refused.to_be_bytes());
        }
        Payload::Paper { uptime_ms, plaintext } => {
            plain.extend_from_slice(&[PAPER, 0]);
            plain.extend_from_slice(&uptime_ms.to_be_bytes());
            plain.extend_from_slice(plaintext);
        }
    }
    let sum = crc16(&plain);
    plain.extend_from_slice(&sum.to_be_bytes());
    cobs::encode(&plain, stream);
    stream.push(0);
}
