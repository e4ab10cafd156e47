//! The codecs of the sensor link, without input or output, so that gateway, server and fuzzers share one reading of
//! every byte.
//!
//! | module | what it reads and writes |
//! |---|---|
//! | [`serial`] | the stream from the gateway's microcontroller: COBS frames with a CRC, resynchronised after damage |
//! | [`burst`] | joins received chunks to the bursts that the radio gave |
//! | [`air`] | the 32-byte frame that travels by radio: header and, once decrypted, its variables |
//! | [`mqtt`] | payloads between gateway and server: records upwards, acknowledged ranges downwards |
//! | [`ranges`] | sets of outbox ids as ranges |
//! | [`renewal`] | the topics by which a gateway gets its next certificate |
//! | [`crc`] | the checksum of serial frames and of EEPROM records |
//!
//! All integers on the wire are unsigned big endian unless their name says otherwise. Nothing here panics on any input.

#![forbid(unsafe_code)]

pub mod air;
pub mod burst;
mod cobs;
pub mod crc;
pub mod mqtt;
pub mod ranges;
pub mod renewal;
pub mod serial;
mod take;
