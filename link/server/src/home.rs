//! Tells the user's MQTT broker how each sensor is: a retained message for each that changed, and before it what Home
//! Assistant needs to show the sensor by itself (https://www.home-assistant.io/integrations/mqtt, *MQTT Discovery*).

use std::collections::HashMap;
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{json, Value};

use crate::db::{Db, Result};
use crate::log::{log, utc};
use crate::notify::site_name;
use crate::notify_settings::Mqtt;
use crate::page::overview::{devices, Device};
use crate::publish::{publish, Message};

const LOOK_EVERY: Duration = Duration::from_secs(10);

/// A broker that keeps nothing on its disk has forgotten everything when it starts again.
const ANEW_EVERY: Duration = Duration::from_secs(3600);

/// What the broker has taken of each topic.
struct Told {
    topics: HashMap<String, String>,
    since: Instant,
}

impl Told {
    fn new(now: Instant) -> Told {
        Told {
            topics: HashMap::new(),
            since: now,
        }
    }

    /// Those of these messages that the broker does not have; now and then all of them.
    fn lacking(&mut self, all: impl Iterator<Item = (String, String)>, now: Instant) -> Vec<(String, String)> {
        if now.duration_since(self.since) >= ANEW_EVERY {
            *self = Told::new(now);
        }
        all.filter(|(topic, payload)| self.topics.get(topic) != Some(payload))
            .collect()
    }
}

/// Until the program ends. `server`: the name of this one among the site's servers.
pub fn run(database: &str, server: &str, settings: &Mqtt) {
    let mut db: Option<Db> = None;
    let mut told = Told::new(Instant::now());
    let mut said = String::new();
    loop {
        let mut read = || -> Result<(String, Vec<Device>)> {
            let db = match &mut db {
                Some(db) => db,
                none => none.insert(Db::open(database)?),
            };
            Ok((site_name(db)?, devices(db)?))
        };
        match read() {
            Ok((site, devices)) => tell(settings, server, &site, &devices, &mut told, &mut said),
            Err(_) => db = None, // the thread that stores says what is wrong with the database
        }
        thread::sleep(LOOK_EVERY);
    }
}

fn tell(settings: &Mqtt, server: &str, site: &str, devices: &[Device], told: &mut Told, said: &mut String) {
    let all = devices.iter().flat_map(|device| messages(settings, site, device));
    let new = told.lacking(all, Instant::now());
    if new.is_empty() {
        return;
    }
    let retained = new.iter().map(|(topic, payload)| Message {
        topic: topic.clone(),
        payload: payload.clone(),
        retain: true,
    });
    match publish(settings, &format!("{site}-{server}-sensors"), retained.collect()) {
        Ok(()) => {
            told.topics.extend(new);
            said.clear();
        }
        Err(reason) => {
            if *said != reason {
                log(&format!(
                    "the MQTT broker {} does not take how sensors are: {reason}",
                    settings.host
                ));
                *said = reason;
            }
        }
    }
}

/// Topic and payload of a sensor's discovery, one for each of its figures, and of its state. A revoked one is taken
/// back: an empty message.
fn messages(settings: &Mqtt, site: &str, device: &Device) -> Vec<(String, String)> {
    let state = format!("{}/{site}/sensor/{}", settings.prefix, device.id);
    let mut found = Vec::new();
    if !settings.discovery.is_empty() {
        for figure in FIGURES {
            let topic = format!(
                "{}/sensor/{site}_{}/{}/config",
                settings.discovery, device.id, figure.key
            );
            found.push((topic, told(device, || figure.discovery(site, &state, device))));
        }
    }
    let payload = told(device, || {
        json!({
            "name": device.name,
            "rain_mm": device.rain_mm.map(tenths),
            "rain_mm_per_hour": tenths(device.rain_mm_per_hour),
            "temperature_c": device.temperature_c,
            "battery_v": device.supply_v,
            "last_seen": device.heard_ms.map(utc),
            "late": device.late,
            "alarm": device.alarm_level,
        })
    });
    found.push((state, payload));
    found
}

fn told(device: &Device, payload: impl FnOnce() -> Value) -> String {
    match device.revoked {
        true => String::new(),
        false => payload().to_string(),
    }
}

/// Pulses are 0.2 mm each; a sum of them in binary is not.
fn tenths(mm: f64) -> f64 {
    (mm * 10.0).round() / 10.0
}

/// One value of a sensor as Home Assistant knows it.
struct Figure {
    key: &'static str,
    name: &'static str,
    unit: Option<&'static str>,
    device_class: &'static str,
    state_class: Option<&'static str>,
}

const FIGURES: [Figure; 5] = [
    Figure {
        key: "rain_mm",
        name: "Rain, total",
        unit: Some("mm"),
        device_class: "precipitation",
        state_class: Some("total_increasing"),
    },
    Figure {
        key: "rain_mm_per_hour",
        name: "Rain rate",
        unit: Some("mm/h"),
        device_class: "precipitation_intensity",
        state_class: Some("measurement"),
    },
    Figure {
        key: "temperature_c",
        name: "Temperature",
        unit: Some("°C"),
        device_class: "temperature",
        state_class: Some("measurement"),
    },
    Figure {
        key: "battery_v",
        name: "Battery",
        unit: Some("V"),
        device_class: "voltage",
        state_class: Some("measurement"),
    },
    Figure {
        key: "last_seen",
        name: "Last seen",
        unit: None,
        device_class: "timestamp",
        state_class: None,
    },
];

impl Figure {
    fn discovery(&self, site: &str, state: &str, device: &Device) -> Value {
        let mut told = json!({
            "name": self.name,
            "unique_id": format!("{site}_{}_{}", device.id, self.key),
            "state_topic": state,
            "value_template": format!("{{{{ value_json.{} }}}}", self.key),
            "device_class": self.device_class,
            "device": {
                "identifiers": [format!("{site}_{}", device.id)],
                "name": device.name,
                "manufacturer": "Bancada",
                "model": "LoRa rain sensor",
            },
        });
        for (key, value) in [("unit_of_measurement", self.unit), ("state_class", self.state_class)] {
            if let Some(value) = value {
                told[key] = json!(value);
            }
        }
        told
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_broker_that_may_have_forgotten_is_told_everything_again() {
        let now = Instant::now();
        let mut told = Told::new(now);
        let all = || [("a".to_owned(), "1".to_owned()), ("b".to_owned(), "2".to_owned())].into_iter();
        told.topics.extend(all());
        assert_eq!(told.lacking(all(), now + ANEW_EVERY / 2), []);
        assert_eq!(told.lacking(all(), now + ANEW_EVERY).len(), 2);
        told.topics.extend(all());
        assert_eq!(told.lacking(all(), now + ANEW_EVERY * 3 / 2), []);
    }
}
