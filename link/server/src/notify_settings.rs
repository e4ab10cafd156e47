//! Who is told of what: the part `[notify]` of site.toml.

use serde::{Deserialize, Serialize};

#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Notify {
    /// URLs that get each message as JSON.
    pub webhooks: Vec<String>,
    pub mail: Option<Mail>,
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

fn yes() -> bool {
    true
}

impl Default for Notify {
    fn default() -> Self {
        Notify {
            webhooks: Vec::new(),
            mail: None,
            low_supply_v: 3.0,
            certificate_days: 30,
            free_disk_mb: 500,
        }
    }
}

impl Notify {
    /// The names of the ways that messages go, which stand in the outbox of messages: `webhook 0`, `mail`.
    pub fn channels(&self) -> Vec<String> {
        let webhooks = (0..self.webhooks.len()).map(|index| format!("webhook {index}"));
        webhooks.chain(self.mail.iter().map(|_| "mail".to_owned())).collect()
    }
}
