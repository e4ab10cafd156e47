//! Rain alarms: raised when it rains harder than the threshold, cleared when it rains less than half of that; both are stored.
//!
//! The sensor counts pulses, so rain that fell while its frames were lost is not lost. The rate at a reading is the larger of two
//! that the rain was at least as hard as: what fell within the window, over the window; and what fell since the last
//! reading before the window, over the time since then.

use std::collections::{BTreeMap, HashMap};

use crate::db::{Cells, Column, Db, Result, Row, Value};
use crate::schema::setting;

pub const THRESHOLD: &str = "rain_alarm_mm_per_hour";
pub const WINDOW: &str = "rain_window_minutes";
pub const DEFAULT_THRESHOLD: &str = "30";
pub const DEFAULT_WINDOW: &str = "10";
pub const MM_PER_PULSE: f64 = 0.2;
const MS_PER_HOUR: f64 = 3_600_000.0;
const FLAG_RAIN_ALARM: i64 = link_wire::air::FLAG_RAIN_ALARM as i64;

/// A stored data reading. Its time is the gateway's, or the server's if the gateway's is ahead of it.
#[derive(Clone, Copy, Debug)]
pub struct Sample {
    pub device: u16,
    pub time_ms: i64,
    pub rain_pulses: i64,
    pub flags: i64,
}

#[derive(Clone, Copy, Debug)]
pub struct Rule {
    pub threshold_mm_per_hour: f64,
    pub window_ms: i64,
}

impl Rule {
    pub fn read(db: &mut Db) -> Result<Rule> {
        let number = |text: Option<String>, default: &str| text.as_deref().unwrap_or(default).parse::<f64>().ok();
        let threshold = number(setting(db, THRESHOLD)?, DEFAULT_THRESHOLD).unwrap_or(30.0);
        let minutes = number(setting(db, WINDOW)?, DEFAULT_WINDOW).unwrap_or(10.0);
        Ok(Rule {
            threshold_mm_per_hour: threshold,
            window_ms: (minutes * 60_000.0) as i64,
        })
    }
}

/// Rain at the last of these samples, which are in the order of their counters, in mm/h.
pub fn rate(samples: &[Sample], window_ms: i64) -> f64 {
    let Some((last, earlier)) = samples.split_last() else {
        return 0.0;
    };
    let mut fell_in_window = 0.0;
    let mut next_pulses = last.rain_pulses;
    for sample in earlier.iter().rev() {
        if sample.time_ms > last.time_ms {
            continue; // it came late: its pulses are older than its time says
        }
        if sample.rain_pulses > next_pulses {
            break; // the sensor began to count anew here
        }
        next_pulses = sample.rain_pulses;
        let fell = (last.rain_pulses - sample.rain_pulses) as f64 * MM_PER_PULSE;
        let elapsed_ms = last.time_ms - sample.time_ms;
        if elapsed_ms < window_ms {
            fell_in_window = fell;
            continue;
        }
        return f64::max(
            fell_in_window * MS_PER_HOUR / window_ms as f64,
            fell * MS_PER_HOUR / elapsed_ms as f64,
        );
    }
    fell_in_window * MS_PER_HOUR / window_ms as f64
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Event {
    Raised(i64, f64),
    Peak(f64),
    Cleared(i64),
}

/// Judges devices as their readings are stored; remembers only what spares it looking again.
#[derive(Default)]
pub struct Judge {
    calm_at_pulses: HashMap<u16, i64>,
}

impl Judge {
    /// Judges the devices of these samples by what the database holds of them, whichever server stored it.
    pub fn judge(&mut self, db: &mut Db, samples: &[Sample]) -> Result<()> {
        let rule = Rule::read(db)?;
        let open: HashMap<u16, i64> = open_alarms(db)?;
        let mut devices: BTreeMap<u16, i64> = BTreeMap::new();
        for sample in samples {
            let calm = self.calm_at_pulses.get(&sample.device) == Some(&sample.rain_pulses);
            if !calm || sample.flags & FLAG_RAIN_ALARM != 0 || open.contains_key(&sample.device) {
                let since = devices.entry(sample.device).or_insert(sample.time_ms);
                *since = sample.time_ms.min(*since);
            }
        }
        let mut events = Vec::new();
        let mut rates = Vec::new();
        for (device, since_ms) in devices {
            let settled_ms = last_event(db, device)?;
            let history = history(db, device, since_ms, rule.window_ms)?;
            let mut is_open = open.contains_key(&device);
            for at in 0..history.len() {
                let sample = history[at];
                // The sensor's newest reading counts whatever its time: a gateway's clock that was set back must not hide rain.
                let newest = at + 1 == history.len();
                if !newest && (sample.time_ms < since_ms || sample.time_ms <= settled_ms) {
                    continue;
                }
                let rate = rate(&history[..=at], rule.window_ms);
                let says_so_itself = sample.flags & FLAG_RAIN_ALARM != 0;
                if rate >= rule.threshold_mm_per_hour || says_so_itself {
                    events.push((
                        device,
                        if is_open {
                            Event::Peak(rate)
                        } else {
                            Event::Raised(sample.time_ms, rate)
                        },
                    ));
                    is_open = true;
                } else if is_open && rate < rule.threshold_mm_per_hour / 2.0 {
                    events.push((device, Event::Cleared(sample.time_ms)));
                    is_open = false;
                }
            }
            if let Some(last) = history.last() {
                let rate = rate(&history, rule.window_ms);
                rates.push((device, rate, last.time_ms));
                if rate == 0.0 {
                    self.calm_at_pulses.insert(device, last.rain_pulses);
                } else {
                    self.calm_at_pulses.remove(&device);
                }
            }
        }
        if events.is_empty() && rates.is_empty() {
            return Ok(());
        }
        db.transaction(|db| {
            save_rates(db, &rates)?;
            events
                .iter()
                .try_for_each(|(device, event)| apply(db, *device, *event, rule.threshold_mm_per_hour))
        })
    }
}

fn open_alarms(db: &mut Db) -> Result<HashMap<u16, i64>> {
    let rows = db.query("SELECT device, raised_ms FROM alarm WHERE cleared_ms IS NULL", &[])?;
    Ok(rows
        .iter()
        .filter_map(|row| Some((u16::try_from(row.int(0)).ok()?, row.int(1))))
        .collect())
}

/// When this device's alarm last changed: what came before is settled, even if a late reading turns up.
fn last_event(db: &mut Db, device: u16) -> Result<i64> {
    let sql = "SELECT MAX(COALESCE(cleared_ms, raised_ms)) FROM alarm WHERE device = $1";
    Ok(db
        .query_one(sql, &[Value::Int(device.into())])?
        .and_then(|row| row.optional_int(0))
        .unwrap_or(i64::MIN))
}

/// The device's readings of its newest key, from one window before `since_ms`, and the last before these.
fn history(db: &mut Db, device: u16, since_ms: i64, window_ms: i64) -> Result<Vec<Sample>> {
    let epoch = db.query_one(
        "SELECT MAX(epoch) FROM reading WHERE device = $1 AND kind = 0",
        &[Value::Int(device.into())],
    )?;
    let epoch = Value::Int(epoch.map_or(0, |row| row.int(0)));
    let from = Value::Int(since_ms.saturating_sub(window_ms));
    let values = [Value::Int(device.into()), epoch, from];
    let fields = "SELECT counter, received_ms, stored_ms, second, fourth FROM reading \
                  WHERE device = $1 AND epoch = $2 AND kind = 0";
    let mut rows = db.query(
        &format!("{fields} AND received_ms < $3 ORDER BY received_ms DESC LIMIT 1"),
        &values,
    )?;
    rows.extend(db.query(&format!("{fields} AND received_ms >= $3"), &values)?);
    // The sensor's own order, which nobody between it and here can change.
    rows.sort_by_key(|row| row.int(0));
    let sample = |row: &Row| Sample {
        device,
        time_ms: row.int(1).min(row.int(2)),
        rain_pulses: row.int(3),
        flags: row.int(4) >> 16,
    };
    Ok(rows.iter().map(sample).collect())
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

fn apply(db: &mut Db, device: u16, event: Event, threshold: f64) -> Result<()> {
    let device = Value::Int(device.into());
    match event {
        Event::Raised(time_ms, rate) => {
            let sql = "INSERT INTO alarm (device, raised_ms, threshold_mm_per_hour, peak_mm_per_hour) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING";
            db.execute(
                sql,
                &[device, Value::Int(time_ms), Value::Real(threshold), Value::Real(rate)],
            )?;
        }
        Event::Peak(rate) => {
            let sql = "UPDATE alarm SET peak_mm_per_hour = $1 WHERE device = $2 AND cleared_ms IS NULL AND peak_mm_per_hour < $1";
            db.execute(sql, &[Value::Real(rate), device])?;
        }
        Event::Cleared(time_ms) => {
            db.execute(
                "UPDATE alarm SET cleared_ms = $1 WHERE device = $2 AND cleared_ms IS NULL",
                &[Value::Int(time_ms), device],
            )?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    const MINUTE: i64 = 60_000;

    fn samples(points: &[(i64, i64)]) -> Vec<Sample> {
        points
            .iter()
            .map(|&(minute, rain_pulses)| Sample {
                device: 1,
                time_ms: minute * MINUTE,
                rain_pulses,
                flags: 0,
            })
            .collect()
    }

    #[test]
    fn a_clock_that_is_set_back_after_an_alarm_hides_no_rain() {
        let mut db = Db::open(":memory:").expect("a database");
        crate::schema::create(&mut db).expect("its tables");
        let day = 1440;
        // It rains, stops, and the alarm is cleared; then the gateway's clock falls back by a day, and it rains again.
        for (minute, pulses) in [(day, 0), (day + 1, 100), (day + 30, 100), (1, 100), (2, 200)] {
            let counter = db.query("SELECT counter FROM reading", &[]).expect("rows").len() as i64;
            let time_ms = minute * MINUTE;
            let sql = "INSERT INTO reading VALUES (1, 0, $1, 0, $2, $3, 1, $1, 0, $4, 0, 0)";
            let stored_ms = (day + 60) * MINUTE;
            let values = [counter, time_ms, stored_ms, pulses].map(Value::Int);
            db.execute(sql, &values).expect("stored");
            let sample = Sample {
                device: 1,
                time_ms,
                rain_pulses: pulses,
                flags: 0,
            };
            Judge::default().judge(&mut db, &[sample]).expect("judged");
        }
        let alarms = db
            .query("SELECT cleared_ms FROM alarm ORDER BY number", &[])
            .expect("alarms");
        let cleared: Vec<bool> = alarms.iter().map(|row| row.optional_int(0).is_some()).collect();
        assert_eq!(cleared, [true, false]);
    }

    #[test]
    fn steady_rain_is_its_own_rate() {
        // 5 pulses a minute: 1 mm a minute, 60 mm/h.
        let steady: Vec<(i64, i64)> = (0..=30).map(|minute| (minute, 5 * minute)).collect();
        assert!((rate(&samples(&steady), 10 * MINUTE) - 60.0).abs() < 1e-9);
    }

    #[test]
    fn a_burst_counts_over_the_window() {
        // 10 mm within the last minute after a dry hour: at least 10 mm in 10 minutes.
        assert!((rate(&samples(&[(0, 0), (59, 0), (60, 50)]), 10 * MINUTE) - 60.0).abs() < 1e-9);
    }

    #[test]
    fn rain_during_a_gap_is_spread_over_the_gap() {
        // 20 mm in two hours of silence: 10 mm/h, not 120.
        assert!((rate(&samples(&[(0, 0), (120, 100)]), 10 * MINUTE) - 10.0).abs() < 1e-9);
    }

    #[test]
    fn a_reading_that_came_late_does_not_look_like_rain() {
        // The second reading was held back for five minutes: its time is later than those of its successors.
        let late = samples(&[(0, 100), (9, 90), (5, 101), (6, 102)]);
        assert!((rate(&late, 10 * MINUTE) - 2.4).abs() < 1e-9);
    }

    #[test]
    fn a_counter_that_starts_anew_is_no_rain_and_one_reading_none() {
        assert!(rate(&samples(&[(0, 5000), (1, 0), (2, 1)]), 10 * MINUTE) < 1.3);
        assert!(rate(&samples(&[(0, 5000)]), 10 * MINUTE).abs() < 1e-9);
        assert!(rate(&[], 10 * MINUTE).abs() < 1e-9);
    }
}
