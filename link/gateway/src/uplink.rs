//! What every connection to the broker works with, and what outlives it.

use std::sync::Arc;
use std::time::{Duration, Instant};

use link_wire::mqtt::Uuid;
use rustls::ClientConfig;
use tokio::sync::watch;

use crate::config::Config;
use crate::counters::Counters;
use crate::keeper::Acknowledged;
use crate::mailbox::Mailbox;
use crate::outbox::OutboxReader;
use crate::renewal::Renewal;
use crate::status::Daemon;
use crate::window::Window;

pub struct Uplink {
    pub config: Config,
    pub tls: Arc<ClientConfig>,
    pub renewal: Renewal,
    pub outbox: OutboxReader,
    pub outbox_uuid: Uuid,
    pub acknowledged: Arc<Acknowledged>,
    pub committed: watch::Receiver<u64>,
    pub counters: Arc<Counters>,
    pub mailbox: Arc<Mailbox>,
    pub daemon: Daemon,
    pub stop: watch::Receiver<bool>,
}

impl Uplink {
    pub fn new_window(&self) -> Window {
        let broker = &self.config.broker;
        let seconds = Duration::from_secs_f64;
        Window::new(seconds(broker.resend_s), seconds(broker.backoff_max_s), Instant::now())
    }
}
