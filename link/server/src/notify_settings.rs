//! Who is told of what: the part `[notify]` of site.toml.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use link_language::Language;

#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Notify {
    /// URLs that get each message as JSON.
    pub webhooks: Vec<String>,
    pub mail: Option<Mail>,
    pub mqtt: Option<Mqtt>,
    /// What messages are written in.
    pub language: Language,
    /// A battery is low below this.
    pub low_supply_v: f64,
    /// A certificate is told of so many days before it ends.
    pub certificate_days: i64,
    /// A disk is nearly full with less room than this.
    pub free_disk_mb: u64,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Mail {
    pub host: String,
    /// 465 with TLS from the first byte; any other with STARTTLS.
    pub port: u16,
    /// Only `false` sends in clear text: to a relay on this machine.
    #[serde(default = "yes")]
    pub tls: bool,
    pub user: Option<String>,
    pub password: Option<String>,
    pub from: String,
    pub to: Vec<String>,
}

/// A broker of the user's own: each message, and how each sensor is.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Mqtt {
    pub host: String,
    pub port: u16,
    /// The authority that the broker's certificate is from, as PEM. Without it there is no TLS: for a broker on this
    /// machine.
    pub ca: Option<PathBuf>,
    pub user: Option<String>,
    pub password: Option<String>,
    /// What topics begin with.
    #[serde(default = "prefix")]
    pub prefix: String,
    /// Where Home Assistant looks for what there is; empty: nothing is told of that.
    #[serde(default = "discovery")]
    pub discovery: String,
}

fn prefix() -> String {
    "bancada".into()
}

fn discovery() -> String {
    "homeassistant".into()
}

fn yes() -> bool {
    true
}

impl Default for Notify {
    fn default() -> Self {
        Notify {
            webhooks: Vec::new(),
            mail: None,
            mqtt: None,
            language: Language::English,
            low_supply_v: 3.0,
            certificate_days: 30,
            free_disk_mb: 500,
        }
    }
}

impl Notify {
    /// The names of the ways that messages go, which stand in the outbox of messages: `webhook 0`, `mail ADDRESS`,
    /// `mqtt`. A mail server refuses a message as a whole if one of its addresses is gone: so each has its own.
    pub fn channels(&self) -> Vec<String> {
        let webhooks = (0..self.webhooks.len()).map(|index| format!("webhook {index}"));
        let addresses = self.mail.iter().flat_map(|mail| &mail.to);
        let mail = addresses.map(|address| format!("mail {address}"));
        webhooks
            .chain(mail)
            .chain(self.mqtt.iter().map(|_| "mqtt".to_owned()))
            .collect()
    }
}
