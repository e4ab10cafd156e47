//! Keeps a connection to the broker for as long as the daemon runs.

use std::sync::Arc;
use std::time::{Duration, Instant};

use link_wire::mqtt::Uuid;
use rumqttc::v5::mqttbytes::v5::{ConnectReturnCode, DisconnectReasonCode};
use rumqttc::v5::mqttbytes::Error as MqttError;
use rumqttc::v5::{ConnectionError, StateError};
use rustls::ClientConfig;
use tokio::sync::watch;

use crate::config::Config;
use crate::counters::{get, Counters};
use crate::keeper::Acknowledged;
use crate::outbox::OutboxReader;
use crate::session::{self, End};
use crate::status::Daemon;
use crate::window::Window;
use crate::{log, tls};

const PAUSE_FIRST: Duration = Duration::from_millis(250);
/// The same reason is said again after this time.
const REMIND: Duration = Duration::from_secs(600);

pub struct Uplink {
    pub config: Config,
    pub tls: Arc<ClientConfig>,
    pub outbox: OutboxReader,
    pub outbox_uuid: Uuid,
    pub acknowledged: Arc<Acknowledged>,
    pub committed: watch::Receiver<u64>,
    pub counters: Arc<Counters>,
    pub daemon: Daemon,
    pub stop: watch::Receiver<bool>,
}

impl Uplink {
    /// Connects, and connects again, until it is stopped.
    pub async fn run(mut self) {
        let longest = Duration::from_secs_f64(self.config.broker.backoff_max_s);
        let mut pause = PAUSE_FIRST.min(longest);
        let mut said: Option<(String, Instant)> = None;
        let mut stop = self.stop.clone();
        loop {
            let mut acknowledged = false;
            let connections = get(&self.counters.connections);
            let reason = match session::run(&mut self, &mut acknowledged).await {
                End::Stopped => return,
                End::Lost(reason) => reason,
            };
            if acknowledged {
                pause = PAUSE_FIRST.min(longest);
            }
            if get(&self.counters.connections) > connections {
                said = None;
            }
            if said
                .as_ref()
                .is_none_or(|(before, at)| *before != reason || at.elapsed() >= REMIND)
            {
                let broker = &self.config.broker;
                log::error(format_args!(
                    "no connection to the broker {}:{} ({reason}): trying again; {} rows wait in the outbox",
                    broker.host,
                    broker.port,
                    get(&self.counters.outbox_rows)
                ));
                said = Some((reason, Instant::now()));
            }
            tokio::select! {
                () = tokio::time::sleep(jittered(pause)) => (),
                _ = stop.wait_for(|&stop| stop) => return,
            }
            pause = (pause * 2).min(longest);
        }
    }

    pub fn new_window(&self) -> Window {
        let broker = &self.config.broker;
        let seconds = Duration::from_secs_f64;
        Window::new(seconds(broker.resend_s), seconds(broker.backoff_max_s), Instant::now())
    }
}

/// Between half and all of it, so that many gateways do not come back to a restarted broker at the same moment.
fn jittered(pause: Duration) -> Duration {
    let mut random = [0];
    // Without random numbers: without jitter.
    let _ = getrandom::fill(&mut random);
    pause.mul_f64(1.0 - f64::from(random[0]) / 510.0)
}

/// Why there is no connection, for an operator.
pub fn explain(failure: &ConnectionError) -> String {
    match failure {
        ConnectionError::Timeout(_) => "no answer".into(),
        ConnectionError::MqttState(StateError::AwaitPingResp) => "no answer any more".into(),
        ConnectionError::MqttState(StateError::ConnectionAborted) => {
            // mosquitto 2.0 does not say why, not even when another client has taken the name.
            "the broker closed the connection; if this repeats: are there two gateways with one certificate?".into()
        }
        ConnectionError::MqttState(StateError::ServerDisconnect { reason_code, .. }) => match reason_code {
            DisconnectReasonCode::SessionTakenOver => {
                "another client with this gateway's name has connected: two gateways with one certificate?".into()
            }
            DisconnectReasonCode::ServerShuttingDown => "the broker is shutting down".into(),
            other => format!("the broker ended the connection: {other:?}"),
        },
        ConnectionError::ConnectionRefused(code)
        | ConnectionError::MqttState(StateError::ConnFail { reason: code }) => match code {
            ConnectReturnCode::NotAuthorized | ConnectReturnCode::BadUserNamePassword => {
                "the broker does not let this gateway in: its certificate's name is not allowed".into()
            }
            other => format!("the broker refuses: {other:?}"),
        },
        // This one has no `source`, though what is wrong may be TLS.
        ConnectionError::MqttState(StateError::Deserialization(MqttError::Io(inner))) => tls::explain(inner),
        other => tls::explain(other),
    }
}
