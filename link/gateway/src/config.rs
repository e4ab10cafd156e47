//! The daemon's one file of settings, and its checks.

use std::fmt;
use std::path::{Path, PathBuf};

use serde::Deserialize;

/// A mistake of the operator's: one sentence that says what, where and what to do. The process ends with code 2.
#[derive(Debug)]
pub struct UserError(pub String);

impl fmt::Display for UserError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Config {
    /// The gateway's name: part of its topics, and the common name (CN) of its certificate.
    pub name: String,
    pub serial: Serial,
    pub outbox: Outbox,
    pub broker: Broker,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Serial {
    pub device: PathBuf,
    #[serde(default = "baud")]
    pub baud: u32,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Outbox {
    pub file: PathBuf,
    /// Largest size of the file. 1024 MB hold about 22 million frames.
    #[serde(default = "max_mb")]
    pub max_mb: u32,
    /// What is left free on the disk, so that acknowledged rows can always be removed.
    #[serde(default = "min_free_mb")]
    pub min_free_mb: u32,
    /// So many rows are kept when a server has acknowledged them: a server whose database came back from a backup asks
    /// for them again.
    #[serde(default = "keep_rows")]
    pub keep_rows: u32,
    /// How long bursts are collected for one commit: an upper bound of what a power cut can take, and of writes to the
    /// SD card.
    #[serde(default = "commit_ms")]
    pub commit_ms: u32,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Broker {
    /// Must be a name (or address) of the broker's certificate.
    pub host: String,
    #[serde(default = "port")]
    pub port: u16,
    pub ca: PathBuf,
    pub certificate: PathBuf,
    pub key: PathBuf,
    /// What the server has not acknowledged after this time is sent again.
    #[serde(default = "resend_s")]
    pub resend_s: f64,
    /// Longest pause between two attempts to connect, and between two questions to a silent server.
    #[serde(default = "backoff_max_s")]
    pub backoff_max_s: f64,
}

fn baud() -> u32 {
    115_200
}
fn max_mb() -> u32 {
    1024
}
fn min_free_mb() -> u32 {
    16
}
fn keep_rows() -> u32 {
    100_000
}
fn commit_ms() -> u32 {
    20
}
fn port() -> u16 {
    8883
}
fn resend_s() -> f64 {
    5.0
}
fn backoff_max_s() -> f64 {
    10.0
}

const BAUDS: [u32; 8] = [9600, 19_200, 38_400, 57_600, 115_200, 230_400, 500_000, 1_000_000];

impl Config {
    /// Reads and checks the file at `path`; paths inside it are relative to its folder.
    pub fn load(path: &Path) -> Result<Config, UserError> {
        let at = path.display();
        let text = std::fs::read_to_string(path).map_err(|reason| {
            UserError(format!(
                "cannot read the settings {at}: {reason}; see docs/reference/link-gateway.md for an example"
            ))
        })?;
        let mut config: Config = toml::from_str(&text).map_err(|wrong| {
            let line = wrong
                .span()
                .map_or(1, |span| text[..span.start.min(text.len())].matches('\n').count() + 1);
            UserError(format!("{at}, line {line}: {}", wrong.message().replace('\n', ", ")))
        })?;
        let folder = path.parent().unwrap_or(Path::new(""));
        for file in [
            &mut config.serial.device,
            &mut config.outbox.file,
            &mut config.broker.ca,
            &mut config.broker.certificate,
            &mut config.broker.key,
        ] {
            *file = folder.join(&*file);
        }
        match config.mistake() {
            Some(mistake) => Err(UserError(format!("{at}: {mistake}"))),
            None => Ok(config),
        }
    }

    fn mistake(&self) -> Option<String> {
        let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
        if self.name.is_empty() || self.name.len() > 64 || !self.name.chars().all(plain) {
            return Some(format!(
                "name = {:?}: 1 to 64 letters, digits, '-', '_' or '.'",
                self.name
            ));
        }
        if !BAUDS.contains(&self.serial.baud) {
            return Some(format!("serial.baud = {}: one of {BAUDS:?}", self.serial.baud));
        }
        if self.outbox.max_mb == 0 {
            return Some("outbox.max_mb = 0: at least 1".into());
        }
        if !(1..=1000).contains(&self.outbox.commit_ms) {
            return Some(format!("outbox.commit_ms = {}: 1 to 1000", self.outbox.commit_ms));
        }
        for (name, value) in [
            ("resend_s", self.broker.resend_s),
            ("backoff_max_s", self.broker.backoff_max_s),
        ] {
            if !(0.1..=3600.0).contains(&value) {
                return Some(format!("broker.{name} = {value}: 0.1 to 3600"));
            }
        }
        None
    }
}
