//! What the server gets from gateways by the broker, and what it sends them.

use bytes::Bytes;

pub enum Message {
    /// What a gateway received, as it came: `bursts` reads it.
    Up { gateway: String, payload: Bytes },
    /// A gateway's own account of itself, JSON.
    Status {
        gateway: String,
        json: String,
        /// Kept by the broker from before: it says nothing of now.
        retained: bool,
        /// What the daemon drew at its start; older ones do not say.
        instance: Option<String>,
    },
}

impl Message {
    pub fn gateway(&self) -> &str {
        match self {
            Message::Up { gateway, .. } | Message::Status { gateway, .. } => gateway,
        }
    }
}

/// A message to a gateway.
pub struct Outgoing {
    pub topic: String,
    pub payload: Vec<u8>,
}
