//! The server's side of MQTT: takes what gateways send, hands out acknowledgements, and leaves the broker while the store is broken,
//! so that other servers of the shared subscription get what this one could not keep.

use std::sync::Arc;
use std::time::Duration;

use link_wire::mqtt::{ack_topic, gateway_of_topic, Up, UP_SUBSCRIPTION};
use rumqttc::{AsyncClient, ClientError, Event, EventLoop, Incoming, MqttOptions, QoS, TlsConfiguration, Transport};
use tokio::sync::{mpsc, watch};

use crate::error::Result;
use crate::ingest::Burst;
use crate::keys::random;
use crate::log::log;
use crate::site::Site;
use crate::tls;

const STATUS_SUBSCRIPTION: &str = "link/+/status";
const KEEP_ALIVE: Duration = Duration::from_secs(30);
const RECONNECT: Duration = Duration::from_millis(500);
/// A gateway's payload is at most some hundred bursts; this is beyond any.
const MAX_PACKET_BYTES: usize = 4 << 20;
const MAX_STATUS_BYTES: usize = 4096;

pub enum Message {
    Bursts(Vec<Burst>),
    /// A gateway's own account of itself, JSON.
    Status {
        gateway: String,
        json: String,
        /// What the daemon drew at its start; older ones do not say.
        instance: Option<String>,
    },
}

pub struct Ack {
    pub gateway: String,
    pub payload: Vec<u8>,
}

pub struct Broker {
    pub host: String,
    pub port: u16,
}

pub fn connection(site: &Site, broker: &Broker) -> Result<(AsyncClient, EventLoop)> {
    let id = format!("server-{}", crate::hex::encode(&random::<8>()?));
    let mut options = MqttOptions::new(id, broker.host.clone(), broker.port);
    options.set_keep_alive(KEEP_ALIVE);
    // Nothing is kept for a server that is away: the gateways' outboxes are the memory.
    options.set_clean_session(true);
    options.set_max_packet_size(MAX_PACKET_BYTES, MAX_PACKET_BYTES);
    // With the server's certificate; only a broker of this site's authority is believed.
    let folder = site.path("server");
    let tls = tls::client(
        tls::roots(&folder.join("ca.crt"))?,
        Some(tls::identity(&folder, "server")?),
    )?;
    options.set_transport(Transport::tls_with_config(TlsConfiguration::Rustls(Arc::new(tls))));
    Ok(AsyncClient::new(options, 256))
}

/// Publishes acknowledgements. One that gets lost is no harm: the gateway sends the bursts again.
pub async fn acknowledge(client: AsyncClient, mut acks: mpsc::UnboundedReceiver<Ack>) {
    while let Some(ack) = acks.recv().await {
        if client
            .publish(ack_topic(&ack.gateway), QoS::AtLeastOnce, false, ack.payload)
            .await
            .is_err()
        {
            return;
        }
    }
}

/// Receives until the program ends. `store_works` turns false while nothing can be stored.
pub async fn receive(
    client: AsyncClient,
    mut events: EventLoop,
    messages: mpsc::Sender<Message>,
    mut store_works: watch::Receiver<bool>,
) {
    let mut said = String::new();
    loop {
        if !*store_works.borrow_and_update() {
            events.clean();
            log("left the broker until the database works again");
            if store_works.wait_for(|works| *works).await.is_err() {
                return;
            }
        }
        let event = tokio::select! {
            event = events.poll() => event,
            _ = store_works.changed() => continue,
        };
        match event {
            Ok(Event::Incoming(Incoming::ConnAck(_))) => {
                said.clear();
                log("connected to the broker");
                if subscribe(&client).await.is_err() {
                    return;
                }
            }
            Ok(Event::Incoming(Incoming::Publish(publish))) => {
                let topic = publish.topic;
                let Some(gateway) = gateway_of_topic(&topic) else {
                    continue;
                };
                let message = if topic.ends_with("/up") {
                    bursts(gateway, &publish.payload)
                } else {
                    status(gateway, &publish.payload)
                };
                let Some(message) = message else { continue };
                tokio::select! {
                    sent = messages.send(message) => if sent.is_err() { return },
                    // Not kept, so not acknowledged: the gateway will send it again.
                    _ = store_works.wait_for(|works| !works) => {}
                }
            }
            Ok(_) => {}
            Err(error) => {
                let text = error.to_string();
                let kind = without_digits(&text);
                if kind != said {
                    log(&format!("no connection to the broker: {text}"));
                    said = kind;
                }
                tokio::time::sleep(RECONNECT).await;
            }
        }
    }
}

/// What is said once, though the second at which a certificate was looked at, and how long ago it ended, are in it.
fn without_digits(text: &str) -> String {
    text.chars().filter(|letter| !letter.is_ascii_digit()).collect()
}

async fn subscribe(client: &AsyncClient) -> std::result::Result<(), ClientError> {
    client.subscribe(UP_SUBSCRIPTION, QoS::AtLeastOnce).await?;
    client.subscribe(STATUS_SUBSCRIPTION, QoS::AtLeastOnce).await
}

fn bursts(gateway: &str, payload: &[u8]) -> Option<Message> {
    match Up::parse(payload) {
        Ok(up) => {
            let bursts = up.records.iter().map(|record| Burst {
                gateway: gateway.to_owned(),
                outbox: up.outbox,
                id: record.id,
                received_ms: record.received_unix_ms,
                bytes: record.burst.to_vec(),
            });
            Some(Message::Bursts(bursts.collect()))
        }
        Err(error) => {
            log(&format!("gateway {gateway}: {error}; not acknowledged"));
            None
        }
    }
}

fn status(gateway: &str, payload: &[u8]) -> Option<Message> {
    let json = std::str::from_utf8(payload)
        .ok()
        .filter(|text| text.len() <= MAX_STATUS_BYTES)?;
    let status = serde_json::from_str::<serde_json::Value>(json).ok()?;
    Some(Message::Status {
        gateway: gateway.to_owned(),
        json: json.to_owned(),
        instance: status["instance"].as_str().map(str::to_owned),
    })
}
