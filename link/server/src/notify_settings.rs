//! Who is told of what: the part `[notify]` of site.toml.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::hex;
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
    /// The names of the ways that messages go, which stand in the outbox of messages: `webhook NAME`, `mail ADDRESS`,
    /// `mqtt`, each once. None depends on its place in site.toml: what waits for one of them is for nobody else,
    /// whatever is removed. A mail server refuses a message as a whole if one of its addresses is gone: so each has its
    /// own.
    pub fn channels(&self) -> Vec<String> {
        let webhooks = self.webhooks.iter().map(|url| webhook(url));
        let addresses = self.mail.iter().flat_map(|mail| &mail.to);
        let mail = addresses.map(|address| format!("mail {address}"));
        let all = webhooks.chain(mail).chain(self.mqtt.iter().map(|_| "mqtt".to_owned()));
        let mut channels: Vec<String> = Vec::new();
        for channel in all {
            if !channels.contains(&channel) {
                channels.push(channel);
            }
        }
        channels
    }

    /// The URL that a channel's messages are posted to, if it is one of the webhooks.
    pub fn url_of(&self, channel: &str) -> Option<&str> {
        self.webhooks
            .iter()
            .map(String::as_str)
            .find(|url| webhook(url) == channel)
    }
}

/// The name of a webhook's channel: its host, and the first 8 digits of the SHA-256 of its URL. The URL itself may hold a
/// password, and channels are named in the log and the database.
pub fn webhook(url: &str) -> String {
    let behind_scheme = url.split_once("://").map_or(url, |(_, rest)| rest);
    let authority = behind_scheme.split(['/', '?', '#']).next().unwrap_or_default();
    let host = authority.rsplit('@').next().unwrap_or_default();
    let digest = hex::encode(&Sha256::digest(url));
    format!("webhook {host} {}", &digest[..8])
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The digits by `printf %s URL | sha256sum`.
    #[test]
    fn a_webhook_is_named_by_its_url_and_tells_no_password() {
        for (url, name) in [
            ("https://example.org/rain", "webhook example.org 008e4c06"),
            (
                "http://user:secret@127.0.0.1:8080?token=1",
                "webhook 127.0.0.1:8080 744d50ca",
            ),
            ("nonsense", "webhook nonsense 999aaa86"),
        ] {
            assert_eq!(webhook(url), name);
        }
    }

    #[test]
    fn channels_keep_their_names_whatever_is_removed() {
        let of = |urls: &[&str]| Notify {
            webhooks: urls.iter().map(|url| (*url).to_owned()).collect(),
            ..Notify::default()
        };
        let all = of(&["https://a/1", "https://a/2", "https://b/3"]).channels();
        assert_eq!(of(&["https://a/2", "https://b/3"]).channels(), all[1..]);
        assert_eq!(of(&["https://b/3"]).channels(), all[2..]);
        assert_eq!(of(&["https://b/3", "https://b/3"]).channels(), all[2..]);
        assert_eq!(of(&["https://a/1", "https://b/3"]).url_of(&all[1]), None);
        assert_eq!(of(&["https://a/1", "https://b/3"]).url_of(&all[2]), Some("https://b/3"));
    }
}
