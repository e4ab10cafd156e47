//! Everything that pages show of the site, read once a second for all of them.

use std::collections::{BTreeMap, HashMap};

use super::overview::{self, Alarm, Device, Gateway, Notice, Refusals, Told};
use super::standing::{is_low, Standing};
use crate::db::{Cells, Db, Result, Value};
use crate::log::now_ms;
use crate::places::Place;
use crate::thresholds::Thresholds;

pub struct Snapshot {
    pub now_ms: i64,
    /// Who needs somebody most comes first.
    pub sensors: Vec<Sensor>,
    /// How many there are of each standing, by its name.
    pub counts: BTreeMap<&'static str, usize>,
    pub thresholds: Vec<Told>,
    pub gateways: Vec<Gateway>,
    pub alarms: Vec<Alarm>,
    pub refusals: Refusals,
    pub notices: Vec<Notice>,
    /// How many notes there are of a sensor and of an alarm.
    pub notes_of_sensor: HashMap<i64, i64>,
    pub notes_of_alarm: HashMap<i64, i64>,
}

pub struct Sensor {
    pub device: Device,
    pub standing: Standing,
    pub is_low: bool,
    pub place: Option<Place>,
}

pub fn read(db: &mut Db, low_supply_v: f64) -> Result<Snapshot> {
    let now_ms = now_ms();
    let mut places = HashMap::new();
    for row in db.query("SELECT device, latitude, longitude FROM place", &[])? {
        if let (Some(Value::Real(latitude)), Some(Value::Real(longitude))) = (row.get(1), row.get(2)) {
            let (latitude, longitude) = (*latitude, *longitude);
            places.insert(row.int(0), Place { latitude, longitude });
        }
    }
    let mut sensors: Vec<Sensor> = overview::devices(db)?
        .into_iter()
        .map(|device| Sensor {
            standing: Standing::of(&device, low_supply_v, now_ms),
            is_low: is_low(&device, low_supply_v),
            place: places.get(&device.id).copied(),
            device,
        })
        .collect();
    sensors.sort_by_key(|sensor| (sensor.standing.urgency(), sensor.device.id));
    let mut counts = BTreeMap::new();
    for sensor in &sensors {
        *counts.entry(sensor.standing.name()).or_default() += 1;
    }
    let mut for_all = Thresholds::read(db)?.for_all;
    for_all.sort_by_key(|threshold| (threshold.rank, threshold.window_ms));
    Ok(Snapshot {
        now_ms,
        sensors,
        counts,
        thresholds: for_all.iter().map(Told::of).collect(),
        gateways: overview::gateways(db)?,
        alarms: overview::alarms(db)?,
        refusals: overview::refusals(db)?,
        notices: overview::notices(db)?,
        notes_of_sensor: counted(db, "device")?,
        notes_of_alarm: counted(db, "alarm")?,
    })
}

/// `column`: what notes are of.
fn counted(db: &mut Db, column: &str) -> Result<HashMap<i64, i64>> {
    let sql = format!("SELECT {column}, COUNT(*) FROM note WHERE {column} IS NOT NULL GROUP BY {column}");
    Ok(db
        .query(&sql, &[])?
        .iter()
        .map(|row| (row.int(0), row.int(1)))
        .collect())
}
