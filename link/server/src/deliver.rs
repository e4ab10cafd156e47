//! Brings one message to where it belongs: a webhook, a mail server or an MQTT broker.

use std::time::Duration;

use lettre::address::{Address, Envelope};
use lettre::message::header::ContentType;
use lettre::message::{Attachment, Mailbox, MultiPart, SinglePart};
use lettre::transport::smtp::authentication::Credentials;
use lettre::{Message, SmtpTransport, Transport};
use link_language::Language;
use serde_json::json;

use crate::cap::{self, Alert};
use crate::language::in_language;
use crate::notify_settings::{Mail, Mqtt, Notify};
use crate::publish::{self, publish};

const PATIENCE: Duration = Duration::from_secs(20);

/// A message as the outbox keeps it.
pub struct Notice {
    pub number: i64,
    pub kind: String,
    pub rank: i64,
    pub place: String,
    pub headline: String,
    pub detail: String,
    pub since_ms: i64,
    /// When the server noticed it, and when it noticed that it was over.
    pub raised_ms: i64,
    pub ended_ms: Option<i64>,
    /// Whether this message is of its end.
    pub is_end: bool,
    /// Draws names that no other site uses.
    pub site: String,
    pub language: Language,
}

impl Notice {
    fn identifier(&self, end: bool) -> String {
        format!("{}-{}-{}", self.site, self.number, if end { "end" } else { "begin" })
    }

    fn headline(&self) -> String {
        let english = format!("{}{}", if self.is_end { "Over: " } else { "" }, self.headline);
        in_language(self.language, &english)
    }

    fn detail(&self) -> String {
        in_language(self.language, &self.detail)
    }

    /// As programs take it.
    fn json(&self) -> String {
        let told = json!({
            "number": self.number,
            "kind": self.kind,
            "state": if self.is_end { "end" } else { "begin" },
            "headline": self.headline(),
            "detail": self.detail(),
            "place": self.place,
            "since_ms": self.since_ms,
            "cap": self.cap(),
        });
        told.to_string()
    }

    /// For alarms, which civil defence takes.
    pub fn cap(&self) -> Option<String> {
        let identifier = self.identifier(self.is_end);
        let begin = self.identifier(false);
        let alert = Alert {
            identifier: &identifier,
            sender: &self.site,
            sent_ms: if self.is_end {
                self.ended_ms.unwrap_or(self.raised_ms)
            } else {
                self.raised_ms
            },
            ends: self.is_end.then_some((begin.as_str(), self.raised_ms)),
            language: self.language.name(),
            event: &in_language(self.language, "Heavy rain"),
            rank: self.rank,
            headline: &self.headline(),
            description: &self.detail(),
            area: &self.place,
        };
        (self.kind == "alarm").then(|| cap::xml(&alert))
    }
}

/// Sends it by this channel; why that did not work.
pub fn deliver(settings: &Notify, channel: &str, notice: &Notice) -> Result<(), String> {
    if channel.starts_with("webhook ") {
        return post(
            settings.url_of(channel).ok_or("it is not in site.toml any more")?,
            notice,
        );
    }
    if channel == "mqtt" {
        return mqtt(settings.mqtt.as_ref().ok_or("it is not in site.toml any more")?, notice);
    }
    let settings = settings.mail.as_ref().ok_or("it is not in site.toml any more")?;
    match channel.strip_prefix("mail ") {
        Some(address) => mail(settings, &[address], notice),
        None => mail(
            settings,
            &settings.to.iter().map(String::as_str).collect::<Vec<_>>(),
            notice,
        ),
    }
}

fn post(url: &str, notice: &Notice) -> Result<(), String> {
    let settings = ureq::Agent::config_builder()
        .timeout_global(Some(PATIENCE))
        .max_redirects(0)
        .build();
    let answer = ureq::Agent::new_with_config(settings)
        .post(url)
        .header("content-type", "application/json")
        // The receiver can tell a message that comes twice.
        .header("idempotency-key", notice.identifier(notice.is_end))
        .send(notice.json());
    match answer {
        Ok(answer) if answer.status().is_success() => Ok(()),
        Ok(answer) => Err(format!("it answers {}", answer.status())),
        Err(error) => Err(error.to_string()),
    }
}

/// What goes on is retained under a topic of its own, for whoever comes later. Its end is told there once, and then the
/// topic is empty again.
fn mqtt(settings: &Mqtt, notice: &Notice) -> Result<(), String> {
    let topic = format!("{}/{}/notice/{}", settings.prefix, notice.site, notice.number);
    let told = publish::Message {
        topic: topic.clone(),
        payload: notice.json(),
        retain: !notice.is_end,
    };
    let taken_back = notice.is_end.then(|| publish::Message {
        topic,
        payload: String::new(),
        retain: true,
    });
    let name = notice.identifier(notice.is_end);
    publish(settings, &name, [told].into_iter().chain(taken_back).collect())
}

/// `to`: who gets it by this delivery. It says to whom it goes besides.
fn mail(settings: &Mail, to: &[&str], notice: &Notice) -> Result<(), String> {
    let mailbox = |address: &str| {
        address
            .parse::<Mailbox>()
            .map_err(|error| format!("{address}: {error}"))
    };
    let from = mailbox(&settings.from)?;
    let recipients = to.iter().map(|address| Ok(mailbox(address)?.email));
    let recipients: Vec<Address> = recipients.collect::<Result<_, String>>()?;
    let envelope = Envelope::new(Some(from.email.clone()), recipients).map_err(|error| error.to_string())?;
    let mut builder = Message::builder()
        .from(from)
        .subject(notice.headline())
        .message_id(Some(format!("<{}@bancada-link>", notice.identifier(notice.is_end))));
    for to in settings.to.iter().filter_map(|to| mailbox(to).ok()) {
        builder = builder.to(to);
    }
    let text = format!("{}\n\n{}\n", notice.headline(), notice.detail());
    let message = match notice.cap() {
        None => builder.header(ContentType::TEXT_PLAIN).body(text),
        Some(xml) => {
            let kind = ContentType::parse("application/cap+xml").map_err(|error| error.to_string())?;
            let parts = MultiPart::mixed()
                .singlepart(SinglePart::plain(text))
                .singlepart(Attachment::new("alert.xml".to_owned()).body(xml, kind));
            builder.multipart(parts)
        }
    };
    let message = message.map_err(|error| error.to_string())?;
    let mut transport = match (settings.tls, settings.port) {
        (false, _) => SmtpTransport::builder_dangerous(&settings.host),
        (true, 465) => SmtpTransport::relay(&settings.host).map_err(|error| error.to_string())?,
        (true, _) => SmtpTransport::starttls_relay(&settings.host).map_err(|error| error.to_string())?,
    };
    if let (Some(user), Some(password)) = (&settings.user, &settings.password) {
        transport = transport.credentials(Credentials::new(user.clone(), password.clone()));
    }
    let transport = transport.port(settings.port).timeout(Some(PATIENCE)).build();
    let sent = transport.send_raw(&envelope, &message.formatted());
    sent.map(|_| ()).map_err(|error| error.to_string())
}
