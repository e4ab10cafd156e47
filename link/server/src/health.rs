//! Whether the server works, for programs that watch it.

use std::sync::atomic::AtomicBool;

/// What the threads of the server say of themselves.
#[derive(Default)]
pub struct Health {
    /// Whether the broker has granted the server's subscriptions.
    pub broker: AtomicBool,
    /// Whether the last batch could be stored.
    pub stores: AtomicBool,
}
