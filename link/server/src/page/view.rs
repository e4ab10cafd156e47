//! What one browser looks at, and what it is told of a snapshot: counts, the sensors on its screen, alarms and tables,
//! and of all others only where they stand on the map.

use std::collections::HashMap;

use serde::Serialize;
use serde_json::{json, Value};

use super::difference::{Fields, List, Record};
use super::overview::Alarm;
use super::snapshot::{Sensor, Snapshot};

/// Cards at once. A person looks at some tens.
const MOST_CARDS: usize = 600;
/// Open alarms that are told one by one, the hardest rain first; of the others there is the count.
const MOST_OPEN_ALARMS: usize = 200;
const DEGREE: f64 = 100_000.0;
/// A clock that is less off is not worth a word (app.js).
const CLOCK_OFF_S: i64 = 120;
/// In letters.
const LONGEST_STATE: usize = 80;
/// Lines of a gateway change every second, and nobody reads that fast.
const GATEWAYS_EVERY_MS: i64 = 5_000;

/// As a browser asks for it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct View {
    /// A part of the name or number.
    pub find: String,
    /// One standing, or all.
    pub standing: String,
    pub cards: usize,
    /// A sensor's number; 0: none.
    pub chosen: i64,
    /// 1: the map is open.
    pub map: u8,
}

/// What one browser was told.
#[derive(Default)]
pub struct Told {
    summary: Record,
    sensors: List,
    chosen: Record,
    gateways: List,
    gateways_ms: i64,
    alarms: List,
    notices: List,
    refused: Record,
    refusals: List,
    map: HashMap<i64, Spot>,
}

#[derive(Clone, Copy, PartialEq)]
struct Spot {
    latitude: i64,
    longitude: i64,
    letter: char,
}

impl Told {
    /// The changes, as one JSON object; nothing if there are none. `own`: what is this browser's alone.
    pub fn changes(&mut self, snapshot: &Snapshot, view: &View, own: Fields) -> Option<Value> {
        let found = find(snapshot, view);
        let mut told = Fields::new();
        let mut add = |name: &str, part: Option<Value>| {
            if let Some(part) = part {
                told.insert(name.to_owned(), part);
            }
        };
        let mut summary = own;
        summary.insert("counts".into(), json!(snapshot.counts));
        summary.insert("total".into(), json!(snapshot.sensors.len()));
        summary.insert("found".into(), json!(found.len()));
        summary.insert("thresholds".into(), json!(snapshot.thresholds));
        summary.insert(
            "placed".into(),
            json!(snapshot.sensors.iter().any(|sensor| sensor.place.is_some())),
        );
        add("summary", self.summary.changes(summary).map(Value::Object));
        let cards = found.iter().take(view.cards.min(MOST_CARDS));
        add(
            "sensors",
            self.sensors.changes("id", cards.map(|one| card(one)).collect()),
        );
        let chosen = snapshot.sensors.iter().find(|one| one.device.id == view.chosen);
        if let Some(chosen) = chosen {
            add(
                "chosen",
                self.chosen.changes(facts(chosen, snapshot)).map(Value::Object),
            );
        }
        add("alarms", self.alarms.changes("number", alarms(snapshot)));
        if snapshot.now_ms - self.gateways_ms >= GATEWAYS_EVERY_MS {
            let gateways = snapshot.gateways.iter().map(|gateway| {
                let mut fields = fields(gateway);
                let status = fields.remove("status").unwrap_or_default();
                // Whatever a gateway says of itself: what is no word and no number is not told.
                let state = status["state"].as_str();
                let state = state.map(|state| state.chars().take(LONGEST_STATE).collect::<String>());
                fields.insert("state".into(), json!(state));
                fields.insert("waiting".into(), json!(status["outbox"]["rows"].as_u64()));
                fields
            });
            let changes = self.gateways.changes("name", gateways.collect());
            if changes.is_some() {
                self.gateways_ms = snapshot.now_ms;
            }
            add("gateways", changes);
        }
        let notices = snapshot.notices.iter().map(fields);
        add("notices", self.notices.changes("number", notices.collect()));
        let counts = fields(&snapshot.refusals.counts);
        add("refused", self.refused.changes(counts).map(Value::Object));
        let refusals = snapshot.refusals.latest.iter().map(fields);
        add("refusals", self.refusals.changes("number", refusals.collect()));
        if view.map == 1 {
            add("map", self.map_changes(snapshot));
        }
        if told.is_empty() {
            return None;
        }
        told.insert("now_ms".into(), json!(snapshot.now_ms));
        Some(Value::Object(told))
    }

    /// Places in 1/100,000 of a degree, about a metre, each as the difference to the one before it.
    fn map_changes(&mut self, snapshot: &Snapshot) -> Option<Value> {
        let mut now = HashMap::with_capacity(self.map.len());
        let mut changed = Vec::new();
        for sensor in &snapshot.sensors {
            let Some(place) = sensor.place else { continue };
            let spot = Spot {
                latitude: (place.latitude * DEGREE).round() as i64,
                longitude: (place.longitude * DEGREE).round() as i64,
                letter: sensor.standing.letter(),
            };
            if self.map.get(&sensor.device.id) != Some(&spot) {
                changed.push((sensor.device.id, spot));
            }
            now.insert(sensor.device.id, spot);
        }
        let gone: Vec<i64> = self.map.keys().filter(|id| !now.contains_key(*id)).copied().collect();
        self.map = now;
        if changed.is_empty() && gone.is_empty() {
            return None;
        }
        changed.sort_by_key(|(id, _)| *id);
        let steps = |of: &dyn Fn(&(i64, Spot)) -> i64| {
            let mut before = 0;
            let step = |one| {
                let value = of(one);
                value - std::mem::replace(&mut before, value)
            };
            changed.iter().map(step).collect::<Vec<i64>>()
        };
        Some(json!({
            "ids": steps(&|(id, _)| *id),
            "latitudes": steps(&|(_, spot)| spot.latitude),
            "longitudes": steps(&|(_, spot)| spot.longitude),
            "letters": changed.iter().map(|(_, spot)| spot.letter).collect::<String>(),
            "gone": gone,
        }))
    }
}

fn find<'a>(snapshot: &'a Snapshot, view: &View) -> Vec<&'a Sensor> {
    let words = view.find.trim().to_lowercase();
    let of_standing = |sensor: &&Sensor| view.standing.is_empty() || sensor.standing.name() == view.standing;
    let named = |sensor: &&Sensor| {
        words.is_empty()
            || format!("{} {}", sensor.device.name, sensor.device.id)
                .to_lowercase()
                .contains(&words)
    };
    snapshot.sensors.iter().filter(of_standing).filter(named).collect()
}

fn fields(of: &impl Serialize) -> Fields {
    match serde_json::to_value(of) {
        Ok(Value::Object(fields)) => fields,
        _ => Fields::new(),
    }
}

fn rounded(value: Option<f64>, per_unit: f64) -> Option<f64> {
    value.map(|value| (value * per_unit).round() / per_unit)
}

/// What a card shows.
fn card(sensor: &Sensor) -> Fields {
    let device = &sensor.device;
    let mut card = Fields::new();
    let mut put = |name: &str, value: Value| card.insert(name.to_owned(), value);
    put("id", json!(device.id));
    put("name", json!(device.name));
    put("standing", json!(sensor.standing.name()));
    put("level", json!(device.alarm_level));
    put("low", json!(sensor.is_low));
    put("heard_ms", json!(device.heard_ms));
    put("late_ms", json!(device.last_ms.filter(|_| device.late)));
    put("came", json!(device.came));
    put("of", json!(device.of));
    put("rain", json!(rounded(Some(device.rain_mm_per_hour), 10.0)));
    put("temperature", json!(rounded(device.temperature_c, 10.0)));
    put("supply", json!(rounded(device.supply_v, 100.0)));
    card
}

/// What the part of the page about one sensor shows besides.
fn facts(sensor: &Sensor, snapshot: &Snapshot) -> Fields {
    let device = &sensor.device;
    let mut facts = card(sensor);
    let mut put = |name: &str, value: Value| facts.insert(name.to_owned(), value);
    let off_s = device.clock_ahead_s.filter(|ahead_s| ahead_s.abs() > CLOCK_OFF_S);
    put("period_s", json!(device.period_s));
    put("epoch", json!(device.epoch));
    put("suite", json!(device.suite));
    put("counter", json!(device.counter));
    put("accepted", json!(device.accepted));
    put("rain_mm", json!(rounded(device.rain_mm, 10.0)));
    put("clock_s", json!(device.clock_s));
    put("clock_ahead_s", json!(off_s));
    put("flags", json!(device.flags));
    put("signal_dbm", json!(device.signal_dbm));
    put("latitude", json!(sensor.place.map(|place| place.latitude)));
    put("longitude", json!(sensor.place.map(|place| place.longitude)));
    put("notes", json!(snapshot.notes_of_sensor.get(&device.id).unwrap_or(&0)));
    facts
}

fn alarms(snapshot: &Snapshot) -> Vec<Fields> {
    let is_open = |alarm: &&Alarm| alarm.cleared_ms.is_none();
    let open = snapshot.alarms.iter().filter(is_open).take(MOST_OPEN_ALARMS);
    let cleared = snapshot.alarms.iter().filter(|alarm| !is_open(alarm));
    let told = open.chain(cleared).map(|alarm| {
        let mut told = fields(alarm);
        told.insert("peak".into(), json!(rounded(Some(alarm.peak), 10.0)));
        told.insert("threshold".into(), json!(rounded(Some(alarm.threshold), 10.0)));
        let notes = snapshot.notes_of_alarm.get(&alarm.number).unwrap_or(&0);
        told.insert("notes".into(), json!(notes));
        told
    });
    told.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::db::{Db, Value as Cell};

    /// A script that meets something else than a word or a number there shows no table any more.
    #[test]
    fn of_a_gateways_status_only_a_word_and_a_number_are_told() {
        for (status, state, waiting) in [
            (
                r#"{"state": "running", "outbox": {"rows": 3}}"#,
                json!("running"),
                json!(3),
            ),
            (
                r#"{"state": {"toString": 1}, "outbox": {"rows": {"toString": 1}}}"#,
                Value::Null,
                Value::Null,
            ),
            (r#"{"state": [1], "outbox": 7}"#, Value::Null, Value::Null),
        ] {
            let mut db = Db::open(":memory:").expect("a database");
            crate::schema::create(&mut db).expect("its tables");
            let sql = "INSERT INTO gateway (name, serial, status) VALUES ('roof', '', $1)";
            db.execute(sql, &[Cell::Text(status.to_owned())]).expect("a gateway");
            let snapshot = crate::page::snapshot::read(&mut db, 3.0).expect("read");
            let told = Told::default().changes(&snapshot, &View::default(), Fields::new());
            let gateway = &told.expect("told")["gateways"]["rows"][0];
            assert_eq!((&gateway["state"], &gateway["waiting"]), (&state, &waiting), "{status}");
        }
    }
}
