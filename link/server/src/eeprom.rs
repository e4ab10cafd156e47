//! The EEPROM image of a device: its first record, with key and counter mark, in slot 0 of the ring that the firmware
//! keeps.

use link_wire::crc::crc16;
use zeroize::Zeroizing;

use crate::suite::{Suite, KEY_BYTES};

pub const EEPROM_BYTES: usize = 512;
const RECORD_BYTES: usize = 32;
const LAYOUT: u8 = 1;

pub struct Record {
    pub device: u16,
    pub epoch: u8,
    pub suite: Suite,
    pub key: Zeroizing<[u8; KEY_BYTES]>,
    pub slot: u8,
    pub slots: u8,
    pub period_s: u8,
    pub channel: u8,
    pub region: u8,
    pub alarm_pulses: u8,
    pub power: u8,
}

/// All 512 bytes; what is not the record is erased.
pub fn image(record: &Record) -> Zeroizing<[u8; EEPROM_BYTES]> {
    let mut bytes = Zeroizing::new([0u8; RECORD_BYTES]);
    bytes[0] = LAYOUT;
    bytes[1] = record.suite.number() << 4 | record.epoch;
    bytes[2..4].copy_from_slice(&record.device.to_be_bytes());
    // 4..8: the counter's high-water mark starts at 0
    bytes[8..24].copy_from_slice(&*record.key);
    bytes[24] = record.slot;
    bytes[25] = record.slots;
    bytes[26] = record.period_s;
    bytes[27] = record.region << 5 | record.channel & 0x1f;
    bytes[28] = record.alarm_pulses;
    bytes[29] = record.power & 3;
    let crc = crc16(&bytes[..30]);
    bytes[30..].copy_from_slice(&crc.to_be_bytes());
    let mut image = Zeroizing::new([0xff; EEPROM_BYTES]);
    image[..RECORD_BYTES].copy_from_slice(&*bytes);
    image
}

/// Intel HEX, as avrdude writes it with `-U eeprom:w:FILE:i`.
pub fn intel_hex(image: &[u8; EEPROM_BYTES]) -> Zeroizing<String> {
    // Longer than it gets: a buffer that grows would leave a copy of the key behind.
    let mut text = Zeroizing::new(String::with_capacity(4 * EEPROM_BYTES));
    for (index, chunk) in image.chunks_exact(16).enumerate() {
        let address = (index * 16) as u16;
        let [high, low] = address.to_be_bytes();
        let mut line = Zeroizing::new(Vec::with_capacity(32));
        line.extend_from_slice(&[chunk.len() as u8, high, low, 0]);
        line.extend_from_slice(chunk);
        let sum = line.iter().fold(0u8, |sum, byte| sum.wrapping_add(*byte));
        line.push(sum.wrapping_neg());
        text.push(':');
        let mut digits = Zeroizing::new(crate::hex::encode(&line));
        digits.make_ascii_uppercase();
        text.push_str(&digits);
        text.push('\n');
    }
    text.push_str(":00000001FF\n");
    text
}
