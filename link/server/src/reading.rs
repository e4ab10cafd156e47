//! A reading as it is stored, and what makes it one of its kind.

pub struct Reading {
    pub device: u16,
    pub epoch: u8,
    pub counter: u32,
    pub kind: u8,
    /// By the gateway's clock, and by the server's.
    pub received_ms: i64,
    pub stored_ms: i64,
    /// When it was taken, as far as the three clocks and the order of counters say (moments.rs).
    pub time_ms: i64,
    pub outbox: i64,
    pub outbox_id: i64,
    /// Where in its burst the frame began. The table does not keep it.
    pub position: usize,
    pub variables: [i64; 4],
}

/// What makes a frame one of its kind: device, epoch, counter.
pub type Identity = (u16, u8, u32);

/// Where a reading was stored from: the outbox's number, and the id in it. Of one that has been deleted that is no
/// longer known.
pub type Origin = Option<(i64, i64)>;

impl Reading {
    pub fn identity(&self) -> Identity {
        (self.device, self.epoch, self.counter)
    }
}
