//! Rain alarms: raised when more rain fell than a threshold says (thresholds.rs), ended when less than its lower sum fell;
//! both are stored. A sensor has one open alarm at most of each level, with the threshold that is exceeded most.
//!
//! What fell is counted by the sensor and timed by it (rain.rs).

use std::collections::{BTreeMap, BTreeSet, HashMap};

use crate::db::{Cells, Column, Db, Result, Row, Value};
use crate::rain::{history, long_sum_mm, sum_mm, History, Taken};
use crate::thresholds::{per_hour, Threshold, Thresholds};

const FLAG_RAIN_ALARM: i64 = link_wire::air::FLAG_RAIN_ALARM as i64;
/// Sums over longer times are not counted from one reading to the next but by looking where the time begins.
const LONG_MS: i64 = 3_600_000;
/// Of readings that come together, one in so much of the sensor's time gets its long sums looked at, and the last.
const LONG_STEP_MS: i64 = 300_000;

/// A stored data reading of which the alarms are to be judged.
#[derive(Clone, Copy, Debug)]
pub struct Sample {
    pub device: u16,
    pub counter: i64,
    pub rain_pulses: i64,
    pub flags: i64,
}

/// Where an alarm stands after a reading.
#[derive(Clone, Debug, PartialEq)]
enum Event {
    /// When, and by which threshold with how much rain.
    Raised(i64, Threshold, f64),
    /// More of it, or another threshold that is exceeded by more.
    Peak(Threshold, f64),
    Cleared(i64),
}

/// An event and its place: device, level, key epoch and counter of the reading.
struct Change {
    device: u16,
    level: String,
    epoch: i64,
    counter: i64,
    event: Event,
}

/// Levels of the open alarms of each device.
type Open = HashMap<u16, BTreeSet<String>>;

/// Judges devices as their readings are stored; remembers only what spares it looking again.
#[derive(Default)]
pub struct Judge {
    thresholds: Thresholds,
    calm_at_pulses: HashMap<u16, i64>,
}

/// Of 0.2 mm in ten minutes (link/firmware/core/rain.h).
const FIRMWARES_OWN_PULSES: i64 = 25;

impl Judge {
    /// Judges the devices of these samples by what the database holds of them, whichever server stored it.
    pub fn judge(&mut self, db: &mut Db, samples: &[Sample]) -> Result<()> {
        let thresholds = Thresholds::read(db)?;
        if thresholds != self.thresholds {
            // What was calm by the old ones may not be by the new ones.
            self.calm_at_pulses.clear();
            self.thresholds = thresholds;
        }
        let mut open = open_alarms(db)?;
        // By device the lowest counter that is new.
        let mut devices: BTreeMap<u16, i64> = BTreeMap::new();
        for sample in samples {
            let calm = self.calm_at_pulses.get(&sample.device) == Some(&sample.rain_pulses);
            if !calm || sample.flags & FLAG_RAIN_ALARM != 0 || open.contains_key(&sample.device) {
                let first = devices.entry(sample.device).or_insert(sample.counter);
                *first = sample.counter.min(*first);
            }
        }
        let mut changes = Vec::new();
        let mut rates = Vec::new();
        for (device, first_counter) in devices {
            let mine = self.thresholds.of(device);
            let short_ms = mine
                .iter()
                .map(|one| one.window_ms)
                .filter(|window_ms| *window_ms < LONG_MS);
            let window_ms = short_ms
                .chain([self.thresholds.rate_window_ms.min(LONG_MS)])
                .max()
                .unwrap_or(LONG_MS);
            let Some(mut found) = history(db, device, first_counter, window_ms)? else {
                continue;
            };
            if warns_early(db, device)? {
                for reading in &mut found.readings {
                    reading.flags &= !FLAG_RAIN_ALARM;
                }
            }
            let levels = open.remove(&device).unwrap_or_default();
            changes.extend(judge_device(db, &found, first_counter, &mine, levels)?);
            if let Some(last) = found.readings.last() {
                let window_ms = self.thresholds.rate_window_ms;
                let rate = per_hour(sum_of(db, &found, found.readings.len() - 1, window_ms)?, window_ms);
                rates.push((device, rate, last.time_ms));
                if rate == 0.0 {
                    self.calm_at_pulses.insert(device, last.rain_pulses);
                } else {
                    self.calm_at_pulses.remove(&device);
                }
            }
        }
        if changes.is_empty() && rates.is_empty() {
            return Ok(());
        }
        db.transaction(|db| {
            save_rates(db, &rates)?;
            changes.iter().try_for_each(|change| apply(db, change))
        })
    }
}

/// Rain within `window_ms` before the reading at this place of the history, in mm.
fn sum_of(db: &mut Db, found: &History, at: usize, window_ms: i64) -> Result<f64> {
    match window_ms < LONG_MS {
        true => Ok(sum_mm(&found.readings[..=at], window_ms)),
        false => long_sum_mm(db, found, &found.readings[at], window_ms),
    }
}

/// What the readings from a counter on change of a device's alarms; `open`: the levels that are raised.
fn judge_device(
    db: &mut Db,
    found: &History,
    first_counter: i64,
    thresholds: &[&Threshold],
    mut open: BTreeSet<String>,
) -> Result<Vec<Change>> {
    let settled = last_events(db, found.device)?;
    // A level that the table does not name any more is cleared.
    let levels: BTreeSet<String> = thresholds
        .iter()
        .map(|one| one.level.clone())
        .chain(open.clone())
        .collect();
    let mut changes = Vec::new();
    let mut long_ms = i64::MIN;
    for (at, reading) in found.readings.iter().enumerate() {
        if reading.counter < first_counter {
            continue;
        }
        let look_long = at + 1 == found.readings.len() || reading.elapsed_ms.saturating_sub(LONG_STEP_MS) >= long_ms;
        if look_long {
            long_ms = reading.elapsed_ms;
        }
        for level in &levels {
            // What came before the alarm's last change is settled, even if a late reading turns up.
            let before = settled.get(level).copied().unwrap_or((-1, -1));
            if (found.epoch, reading.counter) <= before {
                continue;
            }
            let of_level = thresholds.iter().filter(|one| one.level == *level);
            let mut standing = Standing::default();
            for threshold in of_level {
                if threshold.window_ms >= LONG_MS && !look_long {
                    standing.is_calm = false;
                    continue;
                }
                let mm = sum_of(db, found, at, threshold.window_ms)?;
                standing.add(threshold, mm, reading);
            }
            let event = match (standing.worst, open.contains(level)) {
                (Some((threshold, mm)), true) => Event::Peak(threshold.clone(), mm),
                (Some((threshold, mm)), false) => {
                    open.insert(level.clone());
                    Event::Raised(reading.time_ms, threshold.clone(), mm)
                }
                (None, true) if standing.is_calm => {
                    open.remove(level);
                    Event::Cleared(reading.time_ms)
                }
                (None, _) => continue,
            };
            changes.push(Change {
                device: found.device,
                level: level.clone(),
                epoch: found.epoch,
                counter: reading.counter,
                event,
            });
        }
    }
    Ok(changes)
}

/// What the thresholds of one level say of one reading.
struct Standing<'a> {
    /// The threshold that is exceeded most, and the sum.
    worst: Option<(&'a Threshold, f64)>,
    /// Whether each sum is below the one that ends an alarm.
    is_calm: bool,
}

impl Default for Standing<'_> {
    fn default() -> Self {
        Standing {
            worst: None,
            is_calm: true,
        }
    }
}

impl<'a> Standing<'a> {
    fn add(&mut self, threshold: &'a Threshold, mm: f64, reading: &Taken) {
        self.is_calm &= mm < threshold.clear_mm;
        let flagged = threshold.believes_flag && reading.flags & FLAG_RAIN_ALARM != 0;
        let exceeds = |(worst, most): (&Threshold, f64)| mm / threshold.mm > most / worst.mm;
        if (mm >= threshold.mm || flagged) && self.worst.is_none_or(exceeds) {
            self.worst = Some((threshold, mm));
        }
    }
}

/// Whether a sensor was told to warn of less rain than its firmware does: then its flag proves less, too.
fn warns_early(db: &mut Db, device: u16) -> Result<bool> {
    let sql = "SELECT 1 FROM device WHERE id = $1 AND alarm_pulses > 0 AND alarm_pulses < $2";
    let values = [Value::Int(device.into()), Value::Int(FIRMWARES_OWN_PULSES)];
    Ok(db.query_one(sql, &values)?.is_some())
}

fn open_alarms(db: &mut Db) -> Result<Open> {
    let mut open = Open::new();
    for row in db.query("SELECT device, level FROM alarm WHERE cleared_ms IS NULL", &[])? {
        if let Ok(device) = u16::try_from(row.int(0)) {
            open.entry(device).or_default().insert(row.text(1).to_owned());
        }
    }
    Ok(open)
}

/// Of each level: key epoch and counter of the reading that changed this device's alarm last.
fn last_events(db: &mut Db, device: u16) -> Result<HashMap<String, (i64, i64)>> {
    let rows = db.query(
        "SELECT level, epoch, MAX(counter) FROM alarm WHERE device = $1 GROUP BY level, epoch ORDER BY epoch",
        &[Value::Int(device.into())],
    )?;
    let event = |row: &Row| (row.text(0).to_owned(), (row.int(1), row.int(2)));
    Ok(rows.iter().map(event).collect())
}

fn save_rates(db: &mut Db, rates: &[(u16, f64, i64)]) -> Result<()> {
    // In thousandths, because columns of many rows are whole numbers.
    let columns = [
        Column::Ints(rates.iter().map(|(device, _, _)| i64::from(*device)).collect()),
        Column::Ints(rates.iter().map(|(_, rate, _)| (rate * 1000.0) as i64).collect()),
        Column::Ints(rates.iter().map(|(_, _, time_ms)| *time_ms).collect()),
    ];
    let update = "ON CONFLICT (device) DO UPDATE SET mm_per_hour = excluded.mm_per_hour, time_ms = excluded.time_ms";
    db.execute_columns(
        &format!("INSERT INTO rain (device, mm_per_hour, time_ms) VALUES ($1, $2 / 1000.0, $3) {update}"),
        &format!(
            "INSERT INTO rain (device, mm_per_hour, time_ms) SELECT d, r / 1000.0, t \
             FROM unnest($1::bigint[], $2::bigint[], $3::bigint[]) AS u(d, r, t) ORDER BY d {update}"
        ),
        &columns,
    )
}

fn apply(db: &mut Db, change: &Change) -> Result<()> {
    let device = Value::Int(change.device.into());
    let level = Value::Text(change.level.clone());
    let [epoch, counter] = [change.epoch, change.counter].map(Value::Int);
    match &change.event {
        Event::Raised(time_ms, threshold, mm) => {
            let sql = "INSERT INTO alarm (device, level, rank, window_ms, raised_ms, threshold_mm_per_hour, \
                       peak_mm_per_hour, epoch, counter) \
                       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9) ON CONFLICT DO NOTHING";
            let values = [
                device,
                level,
                Value::Int(threshold.rank),
                Value::Int(threshold.window_ms),
                Value::Int(*time_ms),
                Value::Real(threshold.mm_per_hour()),
                Value::Real(per_hour(*mm, threshold.window_ms)),
                epoch,
                counter,
            ];
            db.execute(sql, &values)?;
        }
        Event::Peak(threshold, mm) => {
            let sql = "UPDATE alarm SET peak_mm_per_hour = $1, threshold_mm_per_hour = $2, window_ms = $3, rank = $4 \
                       WHERE device = $5 AND level = $6 AND cleared_ms IS NULL AND \
                       peak_mm_per_hour * $2 < $1 * threshold_mm_per_hour";
            let values = [
                Value::Real(per_hour(*mm, threshold.window_ms)),
                Value::Real(threshold.mm_per_hour()),
                Value::Int(threshold.window_ms),
                Value::Int(threshold.rank),
                device,
                level,
            ];
            db.execute(sql, &values)?;
        }
        Event::Cleared(time_ms) => {
            db.execute(
                "UPDATE alarm SET cleared_ms = $1, epoch = $2, counter = $3 \
                 WHERE device = $4 AND level = $5 AND cleared_ms IS NULL",
                &[Value::Int(*time_ms), epoch, counter, device, level],
            )?;
        }
    }
    Ok(())
}

#[cfg(test)]
#[path = "alarm_tests.rs"]
mod tests;
