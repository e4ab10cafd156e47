//! The server's side of MQTT: takes what gateways send, hands out acknowledgements, and leaves the broker while the
//! store is broken, so that other servers of the shared subscription get what this one could not keep.

use std::sync::atomic::Ordering;
use std::sync::Arc;
use std::time::{Duration, Instant};

use link_wire::mqtt::{gateway_of_topic, PayloadError, Up, UP_SUBSCRIPTION};
use rumqttc::{
    AsyncClient, ClientError, Event, EventLoop, Incoming, MqttOptions, QoS, SubscribeReasonCode, TlsConfiguration,
    Transport,
};
use tokio::sync::{mpsc, watch};

use crate::error::Result;
use crate::health::Health;
use crate::ingest::Burst;
use crate::intake::Intake;
use crate::log::log;
use crate::message::{Message, Outgoing};
use crate::site::Site;
use crate::tls;

const STATUS_SUBSCRIPTION: &str = "link/+/status";
const SUBSCRIPTIONS: [&str; 2] = [UP_SUBSCRIPTION, STATUS_SUBSCRIPTION];
const NOT_GRANTED: &str = "the broker does not let this server read what gateways send; it needs the rights that \
                           bancada link provision wrote to broker/dynamic-security.json: restart it";
const KEEP_ALIVE: Duration = Duration::from_secs(30);
const RECONNECT: Duration = Duration::from_millis(500);
/// A gateway's payload is at most some hundred bursts; this is beyond any.
const MAX_PACKET_BYTES: usize = 4 << 20;
/// Two servers with one certificate take the connection from each other: each of them is cut off soon, so many times.
const CUT_SHORT: Duration = Duration::from_secs(10);
const CUTS_OF_A_TWIN: u32 = 5;
const MAX_STATUS_BYTES: usize = 4096;

pub struct Broker {
    pub host: String,
    pub port: u16,
}

/// `name`: of this server's certificate, which is its client id at the broker.
pub fn connection(site: &Site, broker: &Broker, name: &str) -> Result<(AsyncClient, EventLoop)> {
    let mut options = MqttOptions::new(name, broker.host.clone(), broker.port);
    options.set_keep_alive(KEEP_ALIVE);
    // Nothing is kept for a server that is away: the gateways' outboxes are the memory.
    options.set_clean_session(true);
    options.set_max_packet_size(MAX_PACKET_BYTES, MAX_PACKET_BYTES);
    // With the server's certificate; only a broker of this site's authority is believed.
    let folder = site.path("server");
    let tls = tls::client(tls::roots(&folder.join("ca.crt"))?, Some(tls::identity(&folder, name)?))?;
    options.set_transport(Transport::tls_with_config(TlsConfiguration::Rustls(Arc::new(tls))));
    Ok(AsyncClient::new(options, 256))
}

/// Publishes acknowledgements and answers. One that gets lost is no harm: the gateway sends the bursts again, and the
/// answer is made anew.
pub async fn publish(client: AsyncClient, mut messages: mpsc::UnboundedReceiver<Outgoing>) {
    while let Some(message) = messages.recv().await {
        if client
            .publish(message.topic, QoS::AtLeastOnce, false, message.payload)
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
    messages: &Intake,
    health: &Health,
    mut store_works: watch::Receiver<bool>,
) {
    let mut said = String::new();
    let mut connected: Option<Instant> = None;
    let mut cut_short = 0;
    let mut granted = 0;
    loop {
        if !*store_works.borrow_and_update() {
            health.broker.store(false, Ordering::Relaxed);
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
                connected = Some(Instant::now());
                granted = 0;
                if subscribe(&client).await.is_err() {
                    return;
                }
            }
            Ok(Event::Incoming(Incoming::SubAck(answer))) => {
                if answer.return_codes.contains(&SubscribeReasonCode::Failure) {
                    events.clean();
                    if said != NOT_GRANTED {
                        log(NOT_GRANTED);
                        said = NOT_GRANTED.to_owned();
                    }
                    tokio::time::sleep(RECONNECT).await;
                    continue;
                }
                granted += 1;
                // Only now: until then the broker drops what gateways send, and they must send it again.
                if granted == SUBSCRIPTIONS.len() {
                    said.clear();
                    health.broker.store(true, Ordering::Relaxed);
                    log("connected to the broker");
                }
            }
            Ok(Event::Incoming(Incoming::Publish(publish))) => {
                let topic = publish.topic;
                let Some(gateway) = gateway_of_topic(&topic) else {
                    continue;
                };
                let message = if topic.ends_with("/up") {
                    Some(Message::Up {
                        gateway: gateway.to_owned(),
                        payload: publish.payload,
                    })
                } else {
                    status(gateway, &publish.payload, publish.retain)
                };
                // What is not kept is not acknowledged: the gateway will send it again.
                message.map(|message| messages.put(message));
            }
            Ok(_) => {}
            Err(error) => {
                health.broker.store(false, Ordering::Relaxed);
                if connected.take().is_some_and(|since| since.elapsed() < CUT_SHORT) {
                    cut_short += 1;
                    if cut_short == CUTS_OF_A_TWIN {
                        log(
                            "the broker ends this connection again and again: is another server running with the same \
                             certificate? \
                             Give it one of its own: bancada link provision --server server-2, then serve --name \
                             server-2",
                        );
                    }
                }
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
    for topic in SUBSCRIPTIONS {
        client.subscribe(topic, QoS::AtLeastOnce).await?;
    }
    Ok(())
}

/// The bursts of a payload, or why it cannot be read.
pub fn bursts(gateway: &str, payload: &[u8]) -> std::result::Result<Vec<Burst>, PayloadError> {
    let up = Up::parse(payload)?;
    let bursts = up.records.iter().map(|record| Burst {
        gateway: gateway.to_owned(),
        outbox: up.outbox,
        id: record.id,
        received_ms: record.received_unix_ms,
        bytes: record.burst.to_vec(),
    });
    Ok(bursts.collect())
}

fn status(gateway: &str, payload: &[u8], retained: bool) -> Option<Message> {
    let json = std::str::from_utf8(payload)
        .ok()
        .filter(|text| text.len() <= MAX_STATUS_BYTES)?;
    let status = serde_json::from_str::<serde_json::Value>(json).ok()?;
    Some(Message::Status {
        gateway: gateway.to_owned(),
        json: json.to_owned(),
        retained,
        instance: status["instance"].as_str().map(str::to_owned),
    })
}
