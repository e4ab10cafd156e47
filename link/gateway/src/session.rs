//! One connection to the broker, from the handshake until it ends: sends rows of the outbox and takes acknowledgements.

use std::sync::atomic::Ordering::Relaxed;
use std::time::{Duration, Instant};

use link_wire::mqtt::{self, Ack, Ask, Down, Forget, UpWriter, Uuid};
use link_wire::ranges;
use link_wire::renewal::{certificate_topic, request_topic};
use rumqttc::v5::mqttbytes::v5::{LastWill, Packet, PubAckReason, Publish, SubscribeReasonCode};
use rumqttc::v5::mqttbytes::QoS;
use rumqttc::v5::{AsyncClient, ConnectionError, Event, MqttOptions};
use rumqttc::{TlsConfiguration, Transport};
use tokio::sync::mpsc;

use crate::counters::{add, get, held, hold};
use crate::outbox::{is_damage, Row};
use crate::uplink::Uplink;
use crate::window::Window;
use crate::{failure, log, status};

/// Publishes that the broker has not confirmed. mosquitto allows 20 unless told otherwise.
const PUBLISHES: usize = 16;
const PAYLOAD_ROWS: usize = 256;
const PAYLOAD_BYTES: usize = 32 * 1024;
/// Largest acknowledgement: its ranges cannot be more than there are rows in flight.
const INCOMING_BYTES: u32 = 1 << 20;
const KEEP_ALIVE: Duration = Duration::from_secs(15);
const HANDSHAKE: Duration = Duration::from_secs(10);
const STATUS_EVERY: Duration = Duration::from_secs(10);
/// A broker that hears nothing of the end publishes the last will instead.
const GOODBYE: Duration = Duration::from_secs(5);
const TICK: Duration = Duration::from_millis(500);

/// How a connection ended.
pub enum End {
    Stopped,
    /// The gateway has a new certificate.
    Renewed,
    /// With a reason for the operator.
    Lost(String),
}

type Events = mpsc::Receiver<Result<Event, ConnectionError>>;

pub struct Session<'a> {
    uplink: &'a mut Uplink,
    client: AsyncClient,
    window: Window,
    /// Greatest id that this connection has sent.
    sent_to: u64,
    unconfirmed: usize,
    reported: (&'static str, Option<Instant>),
    /// The question whose answer this connection has begun to send.
    answering: Option<Uuid>,
    refused: bool,
    unheard: bool,
    foreign: bool,
    silent: bool,
    unreadable: bool,
}

/// Runs one connection. `acknowledged` tells whether the server has acknowledged anything on it.
pub async fn run(uplink: &mut Uplink, acknowledged: &mut bool) -> End {
    let (client, mut connection) = AsyncClient::new(options(uplink), 2 * PUBLISHES);
    let (forward, mut events) = mpsc::channel(64);
    // A task of its own, because polling a connection must not be broken off in the middle of a packet.
    let pump = tokio::spawn(async move {
        loop {
            let event = connection.poll().await;
            let last = event.is_err();
            if forward.send(event).await.is_err() || last {
                return;
            }
        }
    });
    let end = converse(uplink, client, &mut events, acknowledged).await;
    pump.abort();
    end
}

fn options(uplink: &Uplink) -> MqttOptions {
    let broker = &uplink.config.broker;
    let name = &uplink.config.name;
    let mut options = MqttOptions::new(format!("gateway-{name}"), &broker.host, broker.port);
    options.set_transport(Transport::Tls(TlsConfiguration::Rustls(uplink.tls.clone())));
    options.set_keep_alive(KEEP_ALIVE);
    options.set_connection_timeout(HANDSHAKE.as_secs());
    // The outbox remembers; the broker need not.
    options.set_clean_start(true);
    options.set_max_packet_size(Some(INCOMING_BYTES));
    options.set_outgoing_inflight_upper_limit(2 * PUBLISHES as u16);
    let mut network = options.network_options();
    network.set_tcp_nodelay(true);
    options.set_network_options(network);
    let will = status::last_will().to_string();
    options.set_last_will(LastWill::new(
        mqtt::status_topic(name),
        will,
        QoS::AtLeastOnce,
        true,
        None,
    ));
    options
}

async fn converse(uplink: &mut Uplink, client: AsyncClient, events: &mut Events, acknowledged: &mut bool) -> End {
    let mut stop = uplink.stop.clone();
    let begun = tokio::select! {
        begun = begin(uplink, &client, events) => begun,
        _ = stop.wait_for(|&stop| stop) => return End::Stopped,
    };
    if let Err(reason) = begun {
        return End::Lost(reason);
    }
    add(&uplink.counters.connections, 1);
    uplink.counters.connected.store(true, Relaxed);
    log::info(format_args!(
        "connected to the broker; {} rows wait in the outbox",
        get(&uplink.counters.outbox_rows)
    ));
    // Whether it may is no matter of the connection: what goes up does not depend on it.
    let _ = client.try_subscribe(mqtt::down_topic(&uplink.config.name), QoS::AtLeastOnce);
    uplink.renewal.begin();
    let window = uplink.new_window();
    let answering = held(&uplink.counters.answered).map(|answered| answered.question);
    let mut session = Session {
        uplink,
        client,
        window,
        sent_to: 0,
        unconfirmed: 0,
        reported: ("", None),
        answering,
        refused: false,
        unheard: false,
        foreign: false,
        silent: false,
        unreadable: false,
    };
    let end = session.serve(events, acknowledged).await;
    session.uplink.counters.connected.store(false, Relaxed);
    end
}

/// Connects and subscribes: nothing is sent before acknowledgements can come back.
async fn begin(uplink: &Uplink, client: &AsyncClient, events: &mut Events) -> Result<(), String> {
    let ack_topic = mqtt::ack_topic(&uplink.config.name);
    loop {
        match next(events).await? {
            Packet::ConnAck(_) => client
                .try_subscribe(&ack_topic, QoS::AtLeastOnce)
                .map_err(|wrong| format!("cannot ask for {ack_topic}: {wrong}"))?,
            Packet::SubAck(answer) => {
                return match answer.return_codes.first() {
                    Some(SubscribeReasonCode::Success(_)) => Ok(()),
                    other => Err(format!(
                        "the broker refuses to let this gateway read {ack_topic}: {other:?}"
                    )),
                };
            }
            _ => (),
        }
    }
}

/// The next packet from the broker, or why there is none.
async fn next(events: &mut Events) -> Result<Packet, String> {
    loop {
        match events.recv().await {
            Some(Ok(Event::Incoming(packet))) => return Ok(packet),
            Some(Ok(Event::Outgoing(_))) => (),
            Some(Err(wrong)) => return Err(failure::explain(&wrong)),
            None => return Err("the connection ended".into()),
        }
    }
}

impl Session<'_> {
    async fn serve(&mut self, events: &mut Events, acknowledged: &mut bool) -> End {
        let mut stop = self.uplink.stop.clone();
        let mut committed = self.uplink.committed.clone();
        let mut tick = tokio::time::interval(TICK);
        loop {
            if let Err(reason) = self.send() {
                return End::Lost(reason);
            }
            let can_send = self.unconfirmed < PUBLISHES;
            let wake = self.window.wake_at().filter(|_| can_send);
            tokio::select! {
                packet = next(events) => match packet {
                    Ok(Packet::Publish(message)) if self.is_certificate(&message) => {
                        if self.renew(&message) {
                            self.leave(events).await;
                            return End::Renewed;
                        }
                    }
                    Ok(packet) => self.take(packet, acknowledged),
                    Err(reason) => return End::Lost(reason),
                },
                // An error: the keeper has ended, and with it the daemon.
                Ok(()) = committed.changed() => (),
                () = sleep_until(wake) => (),
                _ = tick.tick() => {
                    self.begin_again();
                    self.ask_for_certificate();
                    self.report(status::state(&self.uplink.counters));
                }
                _ = stop.wait_for(|&stop| stop) => {
                    self.leave(events).await;
                    return End::Stopped;
                }
            }
        }
    }

    /// Sends everything from the oldest row on, once the rows that the server asked for are among those that wait.
    fn begin_again(&mut self) {
        let answered = held(&self.uplink.counters.answered).map(|answered| answered.question);
        if answered != self.answering {
            self.answering = answered;
            self.sent_to = 0;
            self.window = self.uplink.new_window();
            self.reported.1 = None;
        }
    }

    /// Sends whatever is due and fits.
    fn send(&mut self) -> Result<(), String> {
        while self.unconfirmed < PUBLISHES {
            let now = Instant::now();
            if let Some(ids) = self.window.due(now) {
                self.send_again(&ids)?;
                continue;
            }
            self.tell_silence();
            let committed = *self.uplink.committed.borrow();
            if self.sent_to >= committed || !self.window.is_open() || self.window.is_silent() {
                break;
            }
            let rows = self.read(self.sent_to, committed, PAYLOAD_ROWS, PAYLOAD_BYTES)?;
            let Some(last) = rows.last() else {
                self.sent_to = committed;
                break;
            };
            self.sent_to = last.id;
            self.publish_rows(&rows)?;
            add(&self.uplink.counters.sent_rows, rows.len() as u64);
            self.window.sent(rows.iter().map(|row| row.id).collect(), now);
        }
        Ok(())
    }

    fn send_again(&mut self, ids: &[u64]) -> Result<(), String> {
        let (Some(&first), Some(&last)) = (ids.first(), ids.last()) else {
            return Ok(());
        };
        let mut rows = self.read(first.saturating_sub(1), last, usize::MAX, usize::MAX)?;
        rows.retain(|row| ids.binary_search(&row.id).is_ok());
        if rows.is_empty() {
            // No longer in the file: acknowledged on an earlier connection.
            self.window
                .acknowledge(&ranges::from_ids(ids.iter().copied()), Instant::now());
            return Ok(());
        }
        add(&self.uplink.counters.resent_rows, rows.len() as u64);
        self.publish_rows(&rows)
    }

    fn read(&self, after: u64, until: u64, limit: usize, max_bytes: usize) -> Result<Vec<Row>, String> {
        self.uplink
            .outbox
            .rows(after, until, limit, max_bytes)
            .map_err(|wrong| {
                if is_damage(&wrong) {
                    self.uplink.counters.outbox_damaged.store(true, Relaxed);
                }
                format!("cannot read the outbox: {wrong}")
            })
    }

    fn publish_rows(&mut self, rows: &[Row]) -> Result<(), String> {
        let mut writer = UpWriter::new(self.uplink.outbox_uuid);
        for row in rows {
            writer.push(row.id, row.received_ms, &row.bytes);
        }
        self.client
            .try_publish(
                mqtt::up_topic(&self.uplink.config.name),
                QoS::AtLeastOnce,
                false,
                writer.into_payload(),
            )
            .map_err(|wrong| format!("cannot queue a message: {wrong}"))?;
        self.unconfirmed += 1;
        Ok(())
    }

    /// Asks for the next certificate when it is time. Without confirmation: it is asked again.
    fn ask_for_certificate(&mut self) {
        let Some(request) = self.uplink.renewal.request(&self.uplink.config) else {
            return;
        };
        let name = &self.uplink.config.name;
        log::info("the certificate is in the last third of its time: another one is asked for");
        let _ = self.client.try_subscribe(certificate_topic(name), QoS::AtLeastOnce);
        let _ = self
            .client
            .try_publish(request_topic(name), QoS::AtMostOnce, true, request);
    }

    fn is_certificate(&self, message: &Publish) -> bool {
        message.topic == certificate_topic(&self.uplink.config.name)
    }

    /// Whether the gateway has a new certificate.
    fn renew(&mut self, message: &Publish) -> bool {
        let text = String::from_utf8_lossy(&message.payload);
        let taken = self.uplink.renewal.take(&self.uplink.config, &text);
        let is_new = taken.is_some();
        if let Some(tls) = taken {
            self.uplink.tls = tls;
        }
        is_new
    }

    fn take(&mut self, packet: Packet, acknowledged: &mut bool) {
        match packet {
            Packet::PubAck(confirmed) => {
                self.unconfirmed = self.unconfirmed.saturating_sub(1);
                self.confirmed(confirmed.reason);
            }
            Packet::Publish(message) if message.topic == mqtt::down_topic(&self.uplink.config.name).as_bytes() => {
                self.keep_for_device(&message);
            }
            Packet::Publish(message) => *acknowledged |= self.acknowledge(&message),
            // That of the acknowledgements was waited for.
            Packet::SubAck(answer) if !is_granted(answer.return_codes.first()) => log::warning(
                "the broker refuses to let this gateway read what is for sensors: restart the broker after \
                 bancada link provision",
            ),
            _ => (),
        }
    }

    fn confirmed(&mut self, reason: PubAckReason) {
        match reason {
            PubAckReason::Success => {
                if std::mem::take(&mut self.unheard) {
                    log::info("a server is listening at the broker");
                }
            }
            PubAckReason::NoMatchingSubscribers => {
                if !std::mem::replace(&mut self.unheard, true) {
                    log::warning("no server is listening at the broker: rows stay in the outbox");
                }
            }
            reason => {
                if !std::mem::replace(&mut self.refused, true) {
                    log::error(format_args!(
                        "the broker refuses what this gateway writes ({reason:?}): its access list must let {:?} \
                         write {}",
                        self.uplink.config.name,
                        mqtt::up_topic(&self.uplink.config.name)
                    ));
                }
            }
        }
    }

    fn keep_for_device(&mut self, message: &Publish) {
        if let Some(forget) = Forget::parse(&message.payload) {
            self.uplink.mailbox.forget(forget.device, forget.number);
            return;
        }
        let kept =
            Down::parse(&message.payload).is_some_and(|down| self.uplink.mailbox.put(down.frame, Instant::now()));
        if kept {
            add(&self.uplink.counters.down_taken, 1);
        } else if !std::mem::replace(&mut self.unreadable, true) {
            log::warning("a frame to a sensor that cannot be read is ignored: is the server of another version?");
        }
    }

    /// True if rows were in flight and are no longer.
    fn acknowledge(&mut self, message: &Publish) -> bool {
        if let Some(ask) = Ask::parse(&message.payload) {
            hold(&self.uplink.counters.question, Some(ask.question));
            return false;
        }
        let ack = match Ack::parse(&message.payload) {
            Ok(ack) => ack,
            Err(wrong) => {
                log::warning(format_args!("an acknowledgement that cannot be read: {wrong}"));
                return false;
            }
        };
        if ack.outbox != self.uplink.outbox_uuid {
            if !std::mem::replace(&mut self.foreign, true) {
                log::warning("an acknowledgement for another outbox is ignored: was this one replaced?");
            }
            return false;
        }
        let removed = self.window.acknowledge(&ack.ranges, Instant::now());
        let any = !removed.is_empty();
        self.uplink.acknowledged.add(removed);
        any
    }

    fn tell_silence(&mut self) {
        let silent = self.window.is_silent();
        if silent == std::mem::replace(&mut self.silent, silent) {
            return;
        }
        if silent {
            log::warning(format_args!(
                "the server has acknowledged nothing for {} s: {} rows wait in the outbox",
                self.uplink.config.broker.resend_s,
                get(&self.uplink.counters.outbox_rows)
            ));
        } else {
            log::info("the server acknowledges again");
        }
    }

    /// Publishes the status if it is time, or if the state has changed.
    fn report(&mut self, state: &'static str) {
        let due = self.reported.1.is_none_or(|at| at.elapsed() >= STATUS_EVERY);
        if !due && state == self.reported.0 {
            return;
        }
        self.reported = (state, Some(Instant::now()));
        let uplink = &*self.uplink;
        let oldest = uplink.outbox.oldest().unwrap_or(None);
        let report = status::report(&uplink.counters, state, &uplink.daemon, &uplink.outbox_uuid, oldest);
        // Without confirmation, and not worth a connection if it cannot be queued: the next one comes.
        let topic = mqtt::status_topic(&uplink.config.name);
        let _ = self
            .client
            .try_publish(topic, QoS::AtMostOnce, true, report.to_string());
    }

    /// Says that the gateway stops, and waits a moment for the broker to have heard.
    async fn leave(&mut self, events: &mut Events) {
        self.reported.1 = None;
        self.report("stopped");
        let heard = async {
            while self.unconfirmed > 0 {
                match next(events).await {
                    Ok(packet) => self.take(packet, &mut false),
                    Err(_) => return,
                }
            }
            if self.client.try_disconnect().is_ok() {
                while next(events).await.is_ok() {}
            }
        };
        let _ = tokio::time::timeout(GOODBYE, heard).await;
    }
}

fn is_granted(code: Option<&SubscribeReasonCode>) -> bool {
    matches!(code, Some(SubscribeReasonCode::Success(_)))
}

async fn sleep_until(wake: Option<Instant>) {
    match wake {
        Some(at) => tokio::time::sleep_until(at.into()).await,
        None => std::future::pending().await,
    }
}
