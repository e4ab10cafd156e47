//! Rain alarms: raised when it rains harder than the threshold, cleared when it rains less than half of that; both are
//! stored.
//!
//! The sensor counts pulses, so rain that fell while its frames were lost is not lost. The rate at a reading is the
//! larger of two that the rain was at least as hard as: what fell within the window, over the window; and what fell
//! since the last reading before the window, over the time since then.
//!
//! Order and time are the sensor's own: its counters, and its clock where that is set. Both are inside what its key
//! sealed. An attacker who delays, reorders or dates frames on their way changes no rate.

use std::collections::{BTreeMap, HashMap, HashSet};

use crate::db::{Cells, Column, Db, Result, Value};
use crate::schema::setting;

pub const THRESHOLD: &str = "rain_alarm_mm_per_hour";
pub const WINDOW: &str = "rain_window_minutes";
pub const DEFAULT_THRESHOLD: &str = "30";
pub const DEFAULT_WINDOW: &str = "10";
pub const MM_PER_PULSE: f64 = 0.2;
const MS_PER_HOUR: f64 = 3_600_000.0;
const FLAG_RAIN_ALARM: i64 = link_wire::air::FLAG_RAIN_ALARM as i64;
const BOOT: i64 = link_wire::air::TYPE_BOOT as i64;
/// Of readings that come late only so many of the newest are judged: what fell before is in the totals of those.
const MOST_JUDGED: i64 = 4096;
/// What the sensor raises its own flag above (link/firmware/core/rain.h).
const SENSORS_OWN_MM_PER_HOUR: f64 = 30.0;

/// A stored data reading of which the alarms are to be judged.
#[derive(Clone, Copy, Debug)]
pub struct Sample {
    pub device: u16,
    pub counter: i64,
    pub rain_pulses: i64,
    pub flags: i64,
}

/// A reading on the sensor's own line of time, which begins at the oldest that is looked at.
#[derive(Clone, Copy, Debug, Default)]
struct Taken {
    counter: i64,
    elapsed_ms: i64,
    /// When it was taken, for people (moments.rs).
    time_ms: i64,
    rain_pulses: i64,
    flags: i64,
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

    /// Whether the sensor's own flag raises an alarm: not if the operator asked for a higher threshold than the sensor
    /// knows.
    fn believes_flag(&self, flags: i64) -> bool {
        flags & FLAG_RAIN_ALARM != 0 && self.threshold_mm_per_hour <= SENSORS_OWN_MM_PER_HOUR
    }
}

/// Rain at the last of these readings, which are in the order of their counters, in mm/h.
fn rate(readings: &[Taken], window_ms: i64) -> f64 {
    let Some((last, earlier)) = readings.split_last() else {
        return 0.0;
    };
    let mut fell_in_window = 0.0;
    let mut next_pulses = last.rain_pulses;
    for reading in earlier.iter().rev() {
        if reading.rain_pulses > next_pulses {
            break; // the sensor's count began again at 0 here
        }
        next_pulses = reading.rain_pulses;
        let fell = (last.rain_pulses - reading.rain_pulses) as f64 * MM_PER_PULSE;
        let elapsed_ms = last.elapsed_ms - reading.elapsed_ms;
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

/// A row of the readings as the line of time needs it.
#[derive(Clone, Copy)]
struct Stored {
    counter: i64,
    kind: i64,
    device_time_s: i64,
    time_ms: i64,
}

/// How much time the sensor counted between two of its readings, the later of which may follow a reset.
///
/// Its clock says so, if it was set at both and did not stand still or go back. Else its counter does: one frame for
/// each period. A reset skips counters that were never sent, so behind a boot frame the counter is only an upper bound.
fn elapsed_ms(before: &Stored, after: &Stored, period_s: i64) -> i64 {
    let by_counter_ms = (after.counter - before.counter).saturating_mul(period_s.saturating_mul(1000));
    let by_clock_ms = (after.device_time_s - before.device_time_s).saturating_mul(1000);
    let clocks_are_set = before.device_time_s > 0 && after.device_time_s > 0;
    let booted = after.kind == BOOT;
    if clocks_are_set && by_clock_ms > 0 && (booted || by_clock_ms >= by_counter_ms / 2) {
        return by_clock_ms;
    }
    if booted {
        return by_counter_ms.min((after.time_ms - before.time_ms).max(0));
    }
    by_counter_ms
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Event {
    /// When, and the rate.
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
        let open = open_alarms(db)?;
        // By device the lowest counter that is new.
        let mut devices: BTreeMap<u16, i64> = BTreeMap::new();
        for sample in samples {
            let calm = self.calm_at_pulses.get(&sample.device) == Some(&sample.rain_pulses);
            if !calm || sample.flags & FLAG_RAIN_ALARM != 0 || open.contains(&sample.device) {
                let first = devices.entry(sample.device).or_insert(sample.counter);
                *first = sample.counter.min(*first);
            }
        }
        let mut events = Vec::new();
        let mut rates = Vec::new();
        for (device, first_counter) in devices {
            let Some((epoch, history)) = history(db, device, first_counter, rule.window_ms)? else {
                continue;
            };
            let settled = last_event(db, device)?;
            let mut is_open = open.contains(&device);
            for at in 0..history.len() {
                let reading = history[at];
                // What came before the alarm's last change is settled, even if a late reading turns up.
                if reading.counter < first_counter || (epoch, reading.counter) <= settled {
                    continue;
                }
                let rate = rate(&history[..=at], rule.window_ms);
                let place = (device, epoch, reading.counter);
                if rate >= rule.threshold_mm_per_hour || rule.believes_flag(reading.flags) {
                    let event = if is_open {
                        Event::Peak(rate)
                    } else {
                        Event::Raised(reading.time_ms, rate)
                    };
                    events.push((place, event));
                    is_open = true;
                } else if is_open && rate < rule.threshold_mm_per_hour / 2.0 {
                    events.push((place, Event::Cleared(reading.time_ms)));
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
                .try_for_each(|(place, event)| apply(db, *place, *event, rule.threshold_mm_per_hour))
        })
    }
}

fn open_alarms(db: &mut Db) -> Result<HashSet<u16>> {
    let rows = db.query("SELECT device FROM alarm WHERE cleared_ms IS NULL", &[])?;
    Ok(rows.iter().filter_map(|row| u16::try_from(row.int(0)).ok()).collect())
}

/// Key epoch and counter of the reading that changed this device's alarm last.
fn last_event(db: &mut Db, device: u16) -> Result<(i64, i64)> {
    let sql = "SELECT epoch, counter FROM alarm WHERE device = $1 ORDER BY epoch DESC, counter DESC LIMIT 1";
    let row = db.query_one(sql, &[Value::Int(device.into())])?;
    Ok(row.map_or((-1, -1), |row| (row.int(0), row.int(1))))
}

/// The device's newest key epoch and its data readings, in the order of counters: those from `first_counter` on, those
/// of a window before them, and one more.
fn history(db: &mut Db, device: u16, first_counter: i64, window_ms: i64) -> Result<Option<(i64, Vec<Taken>)>> {
    let of_device = [Value::Int(device.into())];
    let newest = db.query_one(
        "SELECT e.epoch, d.period_s, e.highest FROM epoch e JOIN device d ON d.id = e.device \
         WHERE e.device = $1 AND e.highest IS NOT NULL ORDER BY e.epoch DESC LIMIT 1",
        &of_device,
    )?;
    let Some(newest) = newest else { return Ok(None) };
    let (epoch, period_s, highest) = (newest.int(0), newest.int(1).max(1), newest.int(2));
    let first_counter = first_counter.max(highest - MOST_JUDGED);
    // Pauses are three quarters of the period at least; and one reading from before the window.
    let before = window_ms / (period_s * 750) + 2;
    let fields =
        "SELECT counter, kind, device_time_s, time_ms, second, fourth FROM reading WHERE device = $1 AND epoch = $2";
    let mut rows = db.query(
        &format!("{fields} AND counter < $3 ORDER BY counter DESC LIMIT $4"),
        &[i64::from(device), epoch, first_counter, before].map(Value::Int),
    )?;
    rows.reverse();
    rows.extend(db.query(
        &format!("{fields} AND counter >= $3 ORDER BY counter"),
        &[i64::from(device), epoch, first_counter].map(Value::Int),
    )?);
    let mut found = Vec::with_capacity(rows.len());
    let mut last: Option<Stored> = None;
    let mut line_ms = 0;
    for row in &rows {
        let stored = Stored {
            counter: row.int(0),
            kind: row.int(1),
            device_time_s: row.int(2),
            time_ms: row.int(3),
        };
        line_ms += last.map_or(0, |before| elapsed_ms(&before, &stored, period_s));
        last = Some(stored);
        if stored.kind != BOOT {
            found.push(Taken {
                counter: stored.counter,
                elapsed_ms: line_ms,
                time_ms: stored.time_ms,
                rain_pulses: row.int(4),
                flags: row.int(5) >> 16,
            });
        }
    }
    Ok(Some((epoch, found)))
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

/// `place`: device, key epoch and counter of the reading that changes the alarm.
fn apply(db: &mut Db, place: (u16, i64, i64), event: Event, threshold: f64) -> Result<()> {
    let device = Value::Int(place.0.into());
    let [epoch, counter] = [place.1, place.2].map(Value::Int);
    match event {
        Event::Raised(time_ms, rate) => {
            let sql = "INSERT INTO alarm (device, raised_ms, threshold_mm_per_hour, peak_mm_per_hour, epoch, counter) \
                       VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT DO NOTHING";
            let values = [
                device,
                Value::Int(time_ms),
                Value::Real(threshold),
                Value::Real(rate),
                epoch,
                counter,
            ];
            db.execute(sql, &values)?;
        }
        Event::Peak(rate) => {
            let sql = "UPDATE alarm SET peak_mm_per_hour = $1 WHERE device = $2 AND cleared_ms IS NULL AND \
                       peak_mm_per_hour < $1";
            db.execute(sql, &[Value::Real(rate), device])?;
        }
        Event::Cleared(time_ms) => {
            db.execute(
                "UPDATE alarm SET cleared_ms = $1, epoch = $2, counter = $3 WHERE device = $4 AND cleared_ms IS NULL",
                &[Value::Int(time_ms), epoch, counter, device],
            )?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    const MINUTE: i64 = 60_000;
    const NOW: i64 = 1_800_000_000_000;

    fn taken(points: &[(i64, i64)]) -> Vec<Taken> {
        let reading = |&(minute, rain_pulses): &(i64, i64)| Taken {
            elapsed_ms: minute * MINUTE,
            rain_pulses,
            ..Taken::default()
        };
        points.iter().map(reading).collect()
    }

    /// A database with one sensor that sends every five seconds.
    fn database() -> Db {
        let mut db = Db::open(":memory:").expect("a database");
        crate::schema::create(&mut db).expect("its tables");
        db.batch(
            "INSERT INTO device VALUES (1, 'one', x'00', 0, 0, 5, 23, NULL); \
             INSERT INTO epoch (device, epoch, suite, highest) VALUES (1, 0, 1, 0)",
        )
        .expect("a sensor");
        db
    }

    /// Stores a data reading and judges it; `device_time_s` 0: the sensor's clock is not set.
    fn tell(db: &mut Db, counter: i64, device_time_s: i64, time_ms: i64, pulses: i64, flags: i64) {
        let sql = "INSERT INTO reading VALUES (1, 0, $1, 0, $2, $2, 1, $1, $3, $4, 0, $5, $2)";
        let values = [counter, time_ms, device_time_s, pulses, flags << 16].map(Value::Int);
        db.execute(sql, &values).expect("stored");
        let sample = Sample {
            device: 1,
            counter,
            rain_pulses: pulses,
            flags,
        };
        Judge::default().judge(db, &[sample]).expect("judged");
    }

    /// Whether each alarm is cleared, and the highest rate of all.
    fn alarms(db: &mut Db) -> (Vec<bool>, f64) {
        let rows = db
            .query("SELECT cleared_ms, peak_mm_per_hour FROM alarm ORDER BY number", &[])
            .expect("alarms");
        let peak = rows.iter().fold(0.0, |peak, row| match row[1] {
            Value::Real(rate) => f64::max(peak, rate),
            _ => peak,
        });
        (rows.iter().map(|row| row.optional_int(0).is_some()).collect(), peak)
    }

    fn rate_of(db: &mut Db) -> f64 {
        match db.query("SELECT mm_per_hour FROM rain", &[]).expect("a rate")[0][0] {
            Value::Real(rate) => rate,
            _ => f64::NAN,
        }
    }

    #[test]
    fn a_gateway_clock_that_is_set_back_after_an_alarm_hides_no_rain() {
        let mut db = database();
        let day = 1440;
        // It rains, stops, and the alarm is cleared; then the gateway's clock falls back by a day, and it rains again.
        for (counter, minute, pulses) in [
            (0, day, 0),
            (12, day + 1, 100),
            (360, day + 30, 100),
            (372, 1, 100),
            (384, 2, 200),
        ] {
            tell(&mut db, counter, 0, minute * MINUTE, pulses, 0);
        }
        assert_eq!(alarms(&mut db).0, [true, false]);
    }

    #[test]
    fn frames_that_are_held_back_and_then_released_at_once_are_no_heavy_rain() {
        // 10 mm/h for an hour: 50 pulses. Held back for that hour, and released within ten seconds.
        for clock in [0, NOW / 1000] {
            let mut db = database();
            for counter in 0..=720 {
                let device_time_s = if clock == 0 { 0 } else { clock + 5 * counter };
                let arrived_ms = NOW + 3_600_000 + counter * 14;
                tell(&mut db, counter, device_time_s, arrived_ms, counter * 50 / 720, 0);
            }
            assert_eq!(alarms(&mut db).0.len(), 0, "clock {clock}");
            assert!((9.0..12.5).contains(&rate_of(&mut db)), "{}", rate_of(&mut db));
        }
    }

    #[test]
    fn a_gateway_that_stretches_time_hides_no_rain() {
        // 36 mm/h, and a gateway that dates each frame a minute after the one before, instead of five seconds.
        for clock in [0, NOW / 1000] {
            let mut db = database();
            for counter in 0..=240 {
                let device_time_s = if clock == 0 { 0 } else { clock + 5 * counter };
                tell(&mut db, counter, device_time_s, NOW + counter * MINUTE, counter / 4, 0);
            }
            let (open, peak) = alarms(&mut db);
            assert_eq!(open, [false], "clock {clock}");
            assert!((34.0..40.0).contains(&peak), "{peak}");
        }
    }

    #[test]
    fn the_line_of_time_takes_the_clock_and_else_the_counter() {
        let stored = |counter, kind, device_time_s, time_ms| Stored {
            counter,
            kind,
            device_time_s,
            time_ms,
        };
        let first = stored(10, 0, 1000, 0);
        // Frames that were lost; a clock that was set back, one that stands still, one that is not set.
        assert_eq!(elapsed_ms(&first, &stored(14, 0, 1019, 0), 5), 19_000);
        for device_time_s in [400, 1000, 1001, 0] {
            assert_eq!(elapsed_ms(&first, &stored(14, 0, device_time_s, 99_000), 5), 20_000);
        }
        // A reset skips counters: what lies between is at most what other clocks say.
        assert_eq!(elapsed_ms(&first, &stored(256, 1, 1030, 0), 5), 30_000);
        assert_eq!(elapsed_ms(&first, &stored(256, 1, 0, 40_000), 5), 40_000);
        assert_eq!(elapsed_ms(&first, &stored(256, 1, 0, 9_000_000), 5), 1_230_000);
    }

    #[test]
    fn the_sensors_own_flag_raises_no_alarm_below_a_threshold_that_is_higher_than_its_own() {
        for (threshold, raised) in [("30", 1), ("20", 1), ("45", 0)] {
            let mut db = database();
            crate::schema::set_setting(&mut db, THRESHOLD, threshold).expect("set");
            tell(&mut db, 0, 0, NOW, 0, 0);
            tell(&mut db, 1, 0, NOW, 1, FLAG_RAIN_ALARM);
            assert_eq!(alarms(&mut db).0.len(), raised, "{threshold}");
        }
    }

    #[test]
    fn a_late_reading_from_before_an_alarm_changes_nothing() {
        let mut db = database();
        tell(&mut db, 0, 0, NOW, 0, 0);
        tell(&mut db, 10, 0, NOW, 100, 0);
        tell(&mut db, 800, 0, NOW, 100, 0);
        assert_eq!(alarms(&mut db).0, [true]);
        tell(&mut db, 5, 0, NOW, 100, FLAG_RAIN_ALARM);
        assert_eq!(alarms(&mut db).0, [true]);
    }

    #[test]
    fn steady_rain_is_its_own_rate() {
        // 5 pulses a minute: 1 mm a minute, 60 mm/h.
        let steady: Vec<(i64, i64)> = (0..=30).map(|minute| (minute, 5 * minute)).collect();
        assert!((rate(&taken(&steady), 10 * MINUTE) - 60.0).abs() < 1e-9);
    }

    #[test]
    fn a_burst_counts_over_the_window() {
        // 10 mm within the last minute after a dry hour: at least 10 mm in 10 minutes.
        assert!((rate(&taken(&[(0, 0), (59, 0), (60, 50)]), 10 * MINUTE) - 60.0).abs() < 1e-9);
    }

    #[test]
    fn rain_during_a_gap_is_spread_over_the_gap() {
        // 20 mm in two hours of silence: 10 mm/h, not 120.
        assert!((rate(&taken(&[(0, 0), (120, 100)]), 10 * MINUTE) - 10.0).abs() < 1e-9);
    }

    #[test]
    fn a_counter_that_starts_anew_is_no_rain_and_one_reading_none() {
        assert!(rate(&taken(&[(0, 5000), (1, 0), (2, 1)]), 10 * MINUTE) < 1.3);
        assert!(rate(&taken(&[(0, 5000)]), 10 * MINUTE).abs() < 1e-9);
        assert!(rate(&[], 10 * MINUTE).abs() < 1e-9);
    }
}
