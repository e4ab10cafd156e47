//! A frame of a sensor as far as an answer to it needs to know it.

/// The newest frame of a device.
#[derive(Debug)]
pub struct Heard {
    pub gateway: String,
    pub device: u16,
    pub epoch: u8,
    pub counter: u32,
    pub received_ms: i64,
    pub device_time_s: i64,
    pub flags: u16,
    /// Of a boot frame: no order with a lower number is accepted.
    pub orders: Option<u32>,
    /// The window: bit i is `counter - i`.
    pub seen: u64,
    /// The first counter since the last boot.
    pub base: u32,
}
