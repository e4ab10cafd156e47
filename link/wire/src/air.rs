//! The frame on the air: 8 bytes of header (the associated data), 16 of ciphertext, 8 of tag.
//!
//! Nothing here knows a key. The server parses a frame, opens it, and only then reads the variables.

use crate::take;

pub const FRAME_BYTES: usize = 32;
pub const HEADER_BYTES: usize = 8;
pub const CIPHERTEXT_BYTES: usize = 16;
pub const TAG_BYTES: usize = 8;
pub const VERSION: u8 = 1;

/// Frame types. The field has four bits; the others are free. Data and boot come from the device, the others go to it.
pub const TYPE_DATA: u8 = 0;
pub const TYPE_BOOT: u8 = 1;
pub const TYPE_ORDER: u8 = 2;
pub const TYPE_KEY: u8 = 3;

pub const SUITE_ASCON_AEAD128: u8 = 1;
pub const SUITE_AES128_CCM: u8 = 2;

/// The fields of a header, as sent: unauthenticated until the tag has held.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Header {
    /// Four bits.
    pub frame_type: u8,
    /// Four bits.
    pub suite: u8,
    /// Four bits.
    pub epoch: u8,
    pub device: u16,
    pub counter: u32,
}

/// The parts of a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Frame {
    pub header: Header,
    /// The header as sent: associated data, and the first bytes of the nonce.
    pub header_bytes: [u8; HEADER_BYTES],
    pub ciphertext: [u8; CIPHERTEXT_BYTES],
    pub tag: [u8; TAG_BYTES],
}

impl Header {
    /// None if the version is not [`VERSION`] or the suite does not exist: a receiver slides over it.
    pub fn parse(bytes: &[u8; HEADER_BYTES]) -> Option<Header> {
        let mut rest = &bytes[..];
        let kind = take::u8(&mut rest)?;
        let key = take::u8(&mut rest)?;
        let header = Header {
            frame_type: kind & 0x0f,
            suite: key >> 4,
            epoch: key & 0x0f,
            device: take::u16(&mut rest)?,
            counter: take::u32(&mut rest)?,
        };
        let known_suite = matches!(header.suite, SUITE_ASCON_AEAD128 | SUITE_AES128_CCM);
        (kind >> 4 == VERSION && known_suite).then_some(header)
    }

    /// The header as it is sent; fields of four bits are cut to four bits.
    pub fn encode(&self) -> [u8; HEADER_BYTES] {
        let [d0, d1] = self.device.to_be_bytes();
        let [c0, c1, c2, c3] = self.counter.to_be_bytes();
        [
            VERSION << 4 | self.frame_type & 0x0f,
            self.suite << 4 | self.epoch & 0x0f,
            d0,
            d1,
            c0,
            c1,
            c2,
            c3,
        ]
    }
}

impl Frame {
    /// The frame at the front of `bytes`; None if there are fewer than [`FRAME_BYTES`], or if they begin with no header.
    pub fn parse(bytes: &[u8]) -> Option<Frame> {
        let (header_bytes, rest) = bytes.split_first_chunk::<HEADER_BYTES>()?;
        let (ciphertext, rest) = rest.split_first_chunk::<CIPHERTEXT_BYTES>()?;
        let (tag, _) = rest.split_first_chunk::<TAG_BYTES>()?;
        let header = Header::parse(header_bytes)?;
        Some(Frame {
            header,
            header_bytes: *header_bytes,
            ciphertext: *ciphertext,
            tag: *tag,
        })
    }

    pub fn encode(&self) -> [u8; FRAME_BYTES] {
        let mut bytes = [0; FRAME_BYTES];
        bytes[..HEADER_BYTES].copy_from_slice(&self.header_bytes);
        bytes[HEADER_BYTES..HEADER_BYTES + CIPHERTEXT_BYTES].copy_from_slice(&self.ciphertext);
        bytes[HEADER_BYTES + CIPHERTEXT_BYTES..].copy_from_slice(&self.tag);
        bytes
    }
}

/// The plaintext of a data frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Data {
    /// The sensor's clock; 0 if it was never set.
    pub unix_time_s: u32,
    /// Of 0.2 mm each, since provisioning.
    pub rain_pulses: u32,
    pub temperature_milli_celsius: i32,
    pub supply_millivolt: u16,
    pub flags: u16,
}

/// Bits of [`Data::flags`].
pub const FLAG_CLOCK_LOST_POWER: u16 = 1;
pub const FLAG_EEPROM_SLOT_REPAIRED: u16 = 2;
pub const FLAG_RAIN_ALARM: u16 = 4;
/// The device listens for an answer after each frame.
pub const FLAG_LISTENS: u16 = 8;
/// A new channel or power, kept only if an answer comes.
pub const FLAG_ON_TRIAL: u16 = 0x10;
/// The last setting is not in force.
pub const FLAG_SETTING_REFUSED: u16 = 0x20;
/// Frames were not sent, because an hour's limit was reached.
pub const FLAG_DUTY_SPENT: u16 = 0x40;
/// The lowest eight bits of the number of the last order that held a setting.
pub const ORDER_SHIFT: u16 = 8;

/// The plaintext of the first frame after each reset.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Boot {
    pub unix_time_s: u32,
    /// The microcontroller's MCUSR.
    pub reset_cause: u8,
    /// No order with a lower number is accepted; without its lowest eight bits.
    pub orders: u32,
    pub firmware: (u16, u8, u8),
    /// The high-water mark found in EEPROM.
    pub counter_mark: u32,
}

impl Data {
    pub fn parse(plaintext: &[u8; CIPHERTEXT_BYTES]) -> Data {
        let [unix_time_s, rain_pulses, temperature, supply_and_flags] = words(plaintext);
        Data {
            unix_time_s,
            rain_pulses,
            temperature_milli_celsius: temperature as i32,
            supply_millivolt: supply_and_flags as u16,
            flags: (supply_and_flags >> 16) as u16,
        }
    }

    pub fn encode(&self) -> [u8; CIPHERTEXT_BYTES] {
        let supply_and_flags = u32::from(self.flags) << 16 | u32::from(self.supply_millivolt);
        join([
            self.unix_time_s,
            self.rain_pulses,
            self.temperature_milli_celsius as u32,
            supply_and_flags,
        ])
    }
}

impl Boot {
    pub fn parse(plaintext: &[u8; CIPHERTEXT_BYTES]) -> Boot {
        let [unix_time_s, cause, firmware, counter_mark] = words(plaintext);
        let firmware = ((firmware >> 16) as u16, (firmware >> 8) as u8, firmware as u8);
        Boot {
            unix_time_s,
            reset_cause: cause as u8,
            orders: cause & !0xff,
            firmware,
            counter_mark,
        }
    }

    pub fn encode(&self) -> [u8; CIPHERTEXT_BYTES] {
        let (major, minor, patch) = self.firmware;
        let firmware = u32::from(major) << 16 | u32::from(minor) << 8 | u32::from(patch);
        let cause = self.orders & !0xff | u32::from(self.reset_cause);
        join([self.unix_time_s, cause, firmware, self.counter_mark])
    }
}

/// The plaintext of an order, type 2.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Order {
    /// Counter of the frame that it answers.
    pub answers: u32,
    /// Unix milliseconds at which the gateway had that frame.
    pub time_ms: Option<u64>,
    /// The device is to set its clock, however far off it is.
    pub whatever_it_shows: bool,
    /// Bit i: the frame with the counter `answers - 1 - i` is missing. 24 bits.
    pub missing: u32,
    /// A number of [`SETTING_PERIOD`] and the like; 0: none.
    pub setting: u8,
    pub value: u16,
}

pub const SETTING_PERIOD: u8 = 1;
pub const SETTING_SLOT: u8 = 2;
pub const SETTING_ALARM: u8 = 3;
pub const SETTING_CHANNEL: u8 = 4;
pub const SETTING_POWER: u8 = 5;

/// How many frames a device keeps to send again.
pub const MISSING_BITS: u32 = 24;

const MS_BITS: u16 = 0x03ff;
const WHATEVER_IT_SHOWS: u16 = 0x8000;

impl Order {
    pub fn parse(plaintext: &[u8; CIPHERTEXT_BYTES]) -> Order {
        let [answers, unix_s, middle, last] = words(plaintext);
        let ms = (middle >> 16) as u16;
        let time_ms = u64::from(unix_s) * 1000 + u64::from(ms & MS_BITS);
        Order {
            answers,
            time_ms: (unix_s != 0).then_some(time_ms),
            whatever_it_shows: ms & WHATEVER_IT_SHOWS != 0,
            missing: (middle & 0xffff) << 8 | last >> 24,
            setting: (last >> 16) as u8,
            value: last as u16,
        }
    }

    pub fn encode(&self) -> [u8; CIPHERTEXT_BYTES] {
        let time_ms = self.time_ms.unwrap_or(0);
        let mut ms = (time_ms % 1000) as u16;
        if self.whatever_it_shows {
            ms |= WHATEVER_IT_SHOWS;
        }
        join([
            self.answers,
            u32::try_from(time_ms / 1000).unwrap_or(0),
            u32::from(ms) << 16 | self.missing >> 8 & 0xffff,
            self.missing << 24 | u32::from(self.setting) << 16 | u32::from(self.value),
        ])
    }
}

fn words(bytes: &[u8; CIPHERTEXT_BYTES]) -> [u32; 4] {
    let word = |at: usize| u32::from_be_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]]);
    [word(0), word(4), word(8), word(12)]
}

fn join(words: [u32; 4]) -> [u8; CIPHERTEXT_BYTES] {
    let mut bytes = [0; CIPHERTEXT_BYTES];
    for (place, word) in bytes.chunks_exact_mut(4).zip(words) {
        place.copy_from_slice(&word.to_be_bytes());
    }
    bytes
}
