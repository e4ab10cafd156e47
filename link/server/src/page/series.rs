//! One device's readings over a stretch of time, gathered to as many points as a screen has room for, with what was
//! lost between. They are read in the order of their counters, which the sensor sealed: gateways whose clocks differ
//! add no rain and lose nothing.

use std::ops::Range;

use serde::{Deserialize, Serialize};

use crate::db::{Cells, Db, Result, Row, Value};
use crate::gauge::MM_PER_PULSE;
use crate::gauge::{Count, Gauges};
use crate::moments::{is_late, LATEST_MS};
use crate::period::stretches;

const MOST_POINTS: i64 = 2000;
/// A week of a sensor that sends every second: the longest that the page asks for. Of more, the newest are shown.
const MOST_READINGS: i64 = 7 * 86_400;
const BOOT: i64 = link_wire::air::TYPE_BOOT as i64;
const FIELDS: &str = "SELECT time_ms, epoch, counter, kind, second, third, fourth, stored_ms";
/// The readings of a span.
const OF_SPAN: &str = "FROM reading WHERE device = $1 AND epoch = $2 AND counter >= $3 AND counter < $4 AND \
                       time_ms >= $5 AND time_ms < $6";

#[derive(Deserialize)]
pub struct Wanted {
    device: u16,
    from_ms: i64,
    to_ms: i64,
    points: i64,
}

#[derive(Serialize)]
pub struct Series {
    device: u16,
    from_ms: i64,
    to_ms: i64,
    bucket_ms: i64,
    /// Whether there were more readings than are shown; then `from_ms` is later than what was asked for.
    cut: bool,
    points: Vec<Point>,
}

/// The readings of one bucket.
#[derive(Serialize)]
struct Point {
    /// Of the last of them.
    time_ms: i64,
    came: u32,
    /// Counters before these readings and after the one before that never came.
    lost: i64,
    /// How many were stored long after they were taken (moments.rs).
    late: u32,
    boots: u32,
    /// What is known to have fallen.
    rain_mm: f64,
    /// How many of the readings do not tell what fell since the one before (gauge.rs).
    rain_unknown: u32,
    temperature_c: Option<f64>,
    temperature_min_c: Option<f64>,
    temperature_max_c: Option<f64>,
    supply_v: Option<f64>,
}

pub fn read(db: &mut Db, wanted: &Wanted) -> Result<Series> {
    read_at_most(db, wanted, MOST_READINGS)
}

fn read_at_most(db: &mut Db, wanted: &Wanted, most: i64) -> Result<Series> {
    let device = wanted.device;
    // Times that a reading can have; sums of others would overflow.
    let [asked_ms, to_ms] = [wanted.from_ms, wanted.to_ms].map(|time_ms| time_ms.clamp(0, LATEST_MS));
    let period_s = period_of(db, device)?;
    let times = asked_ms..to_ms.saturating_add(1);
    let (spans, cut) = spans(db, device, &times, most)?;
    let from_ms = match spans.first() {
        Some(first) if cut => time_of(db, device, first, &times)?.unwrap_or(asked_ms),
        _ => asked_ms,
    };
    let span_ms = to_ms.saturating_sub(from_ms).max(1);
    let bucket_ms = (span_ms / wanted.points.clamp(10, MOST_POINTS)).max(1000);
    let gauges = Gauges::read(db, device.into())?;
    let mut gathered = Gathered::new(from_ms, bucket_ms, period_s, gauges);
    for span in &spans {
        let before = [device.into(), span.epoch, span.counters.start].map(Value::Int);
        // The last count of rain before it, under whatever key; and the last reading of this key, of whatever kind.
        for (which, values) in [
            ("AND epoch < $2 AND kind = 0 ORDER BY epoch DESC,", &before[..2]),
            ("AND epoch = $2 AND counter < $3 AND kind = 0 ORDER BY", &before[..]),
            ("AND epoch = $2 AND counter < $3 ORDER BY", &before[..]),
        ] {
            let sql = format!("{FIELDS} FROM reading WHERE device = $1 {which} counter DESC LIMIT 1");
            db.for_each(&sql, values, |row| {
                gathered.pass(&row);
            })?;
        }
        let values = span.values(device, &times);
        let sql = format!("{FIELDS} {OF_SPAN} ORDER BY counter");
        db.for_each(&sql, &values, |row| gathered.add(&row))?;
    }
    Ok(Series {
        device,
        from_ms,
        to_ms,
        bucket_ms,
        cut,
        points: gathered.points.into_iter().map(|(_, point)| point).collect(),
    })
}

fn period_of(db: &mut Db, device: u16) -> Result<i64> {
    let row = db.query_one(
        "SELECT period_s FROM device WHERE id = $1",
        &[Value::Int(device.into())],
    )?;
    Ok(row.map_or(0, |row| row.int(0)))
}

/// Counters of one key epoch.
struct Span {
    epoch: i64,
    counters: Range<i64>,
}

impl Span {
    /// For `OF_SPAN`.
    fn values(&self, device: u16, times: &Range<i64>) -> [Value; 6] {
        let Range { start, end } = &self.counters;
        [device.into(), self.epoch, *start, *end, times.start, times.end].map(Value::Int)
    }
}

/// Which counters were taken within these times, the oldest key first; and whether some are left out because there are
/// more than `most`.
fn spans(db: &mut Db, device: u16, times: &Range<i64>, most: i64) -> Result<(Vec<Span>, bool)> {
    let epochs = db.query(
        "SELECT epoch FROM epoch WHERE device = $1 ORDER BY epoch DESC",
        &[Value::Int(device.into())],
    )?;
    let mut newest_first = Vec::new();
    for row in &epochs {
        let key = (i64::from(device), row.int(0));
        let found = stretches(db, key, times.start, times.end)?;
        newest_first.extend(found.into_iter().rev().map(|counters| Span { epoch: key.1, counters }));
    }
    let mut found = Vec::new();
    let mut room = most;
    let mut cut = false;
    for mut span in newest_first {
        // The newest `room` of them, if there are more.
        let mut values = span.values(device, times).to_vec();
        values.push(Value::Int(room));
        let beyond = db.query_one(
            &format!("SELECT counter {OF_SPAN} ORDER BY counter DESC LIMIT 1 OFFSET $7"),
            &values,
        )?;
        cut = beyond.is_some();
        if let Some(beyond) = beyond {
            span.counters.start = beyond.int(0) + 1;
        } else {
            let count = db.query_one(&format!("SELECT COUNT(*) {OF_SPAN}"), &values[..6])?;
            room -= count.map_or(0, |row| row.int(0));
        }
        found.push(span);
        if cut {
            break;
        }
    }
    found.reverse();
    Ok((found, cut))
}

/// When the first reading of a span was taken.
fn time_of(db: &mut Db, device: u16, span: &Span, times: &Range<i64>) -> Result<Option<i64>> {
    let sql = format!("SELECT time_ms {OF_SPAN} ORDER BY counter LIMIT 1");
    let row = db.query_one(&sql, &span.values(device, times))?;
    Ok(row.map(|row| row.int(0)))
}

/// Readings in the order of their counters, gathered as they are read.
struct Gathered {
    from_ms: i64,
    bucket_ms: i64,
    period_s: i64,
    points: Vec<(i64, Point)>,
    /// Epoch and counter of the reading before.
    last: Option<(i64, i64)>,
    /// The newest count of rain.
    count: Option<Count>,
    gauges: Gauges,
}

impl Gathered {
    fn new(from_ms: i64, bucket_ms: i64, period_s: i64, gauges: Gauges) -> Gathered {
        Gathered {
            from_ms,
            bucket_ms,
            period_s,
            points: Vec::new(),
            last: None,
            count: None,
            gauges,
        }
    }

    /// A reading from before the stretch only says what came before its first point. How many counters it lost, and how
    /// many pulses of rain fell, if that is known.
    fn pass(&mut self, row: &Row) -> (i64, Option<i64>) {
        let (epoch, counter, kind) = (row.int(1), row.int(2), row.int(3));
        // A boot frame follows counters that the reset skipped, which were never sent.
        let lost = match self.last {
            Some((before_epoch, before_counter)) if before_epoch == epoch && kind != BOOT => {
                (counter - before_counter - 1).max(0)
            }
            _ => 0,
        };
        self.last = Some((epoch, counter));
        if kind == BOOT {
            return (lost, Some(0));
        }
        let count = Count {
            epoch,
            pulses: row.int(4),
            time_ms: row.int(0),
        };
        let before = self.count.replace(count);
        // Before the first there is nothing to miss.
        let fell = before.map_or(Some(0), |before| self.gauges.fell(&before, &count));
        (lost, fell)
    }

    fn add(&mut self, row: &Row) {
        let (lost, fell) = self.pass(row);
        let time_ms = row.int(0);
        // Times rise with counters, except when a server's clock was set back: such a reading stays beside the one
        // before it.
        let bucket =
            ((time_ms - self.from_ms) / self.bucket_ms).max(self.points.last().map_or(0, |(number, _)| *number));
        if self.points.last().is_none_or(|(number, _)| *number != bucket) {
            self.points.push((bucket, Point::empty()));
        }
        let late = is_late(time_ms, row.int(7), self.period_s);
        if let Some((_, point)) = self.points.last_mut() {
            point.add(time_ms, lost, fell, row);
            point.late += u32::from(late);
        }
    }
}

impl Point {
    fn empty() -> Point {
        Point {
            time_ms: 0,
            came: 0,
            lost: 0,
            late: 0,
            boots: 0,
            rain_mm: 0.0,
            rain_unknown: 0,
            temperature_c: None,
            temperature_min_c: None,
            temperature_max_c: None,
            supply_v: None,
        }
    }

    fn add(&mut self, time_ms: i64, lost: i64, fell: Option<i64>, row: &Row) {
        self.time_ms = time_ms;
        self.came += 1;
        self.lost += lost;
        if row.int(3) == BOOT {
            self.boots += 1;
            return;
        }
        self.rain_mm += fell.unwrap_or(0) as f64 * MM_PER_PULSE;
        self.rain_unknown += u32::from(fell.is_none());
        let temperature = row.int(5) as f64 / 1000.0;
        self.temperature_c = Some(temperature);
        self.temperature_min_c = Some(
            self.temperature_min_c
                .map_or(temperature, |least| least.min(temperature)),
        );
        self.temperature_max_c = Some(self.temperature_max_c.map_or(temperature, |most| most.max(temperature)));
        self.supply_v = Some((row.int(6) & 0xffff) as f64 / 1000.0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(time_ms: i64, counter: i64, kind: i64, pulses: i64) -> Row {
        [time_ms, 0, counter, kind, pulses, 20_000, 3300, time_ms]
            .map(Value::Int)
            .to_vec()
    }

    fn gather(rows: &[Row], from_ms: i64) -> Vec<Point> {
        let mut gathered = Gathered::new(from_ms, 1000, 5, Gauges::default());
        for row in rows {
            if row.int(0) < from_ms {
                gathered.pass(row);
            } else {
                gathered.add(row);
            }
        }
        gathered.points.into_iter().map(|(_, point)| point).collect()
    }

    fn database() -> Db {
        let mut db = Db::open(":memory:").expect("a database");
        crate::schema::create(&mut db).expect("its tables");
        db.batch(
            "INSERT INTO device VALUES (1, 'one', x'00', 0, 0, 5, 23, NULL, 0, 0, 0, 0); \
             INSERT INTO epoch (device, epoch, suite, highest) VALUES (1, 0, 1, 0), (1, 1, 1, 0)",
        )
        .expect("a sensor");
        db
    }

    #[test]
    fn of_too_many_readings_the_newest_are_shown() {
        let mut db = database();
        for counter in 0..1000 {
            let sql = "INSERT INTO reading VALUES (1, 0, $1, 0, $2, $2, 1, $1, 0, $1, 0, 0, $2)";
            db.execute(sql, &[Value::Int(counter), Value::Int(counter * 5000)])
                .expect("stored");
        }
        let wanted = Wanted {
            device: 1,
            from_ms: 0,
            to_ms: 4_995_000,
            points: 2000,
        };
        let whole = read_at_most(&mut db, &wanted, 1000).expect("read");
        assert_eq!((whole.cut, whole.from_ms, whole.points.len()), (false, 0, 1000));
        for (from_ms, to_ms) in [(i64::MIN, i64::MAX), (i64::MAX, i64::MIN), (i64::MAX, i64::MAX)] {
            let strange = Wanted {
                device: 1,
                from_ms,
                to_ms,
                points: i64::MIN,
            };
            let found = read_at_most(&mut db, &strange, 100_000).expect("read");
            assert_eq!(
                found.points.iter().map(|point| point.came).sum::<u32>(),
                if from_ms < 0 { 1000 } else { 0 }
            );
        }
        let cut = read_at_most(&mut db, &wanted, 100).expect("read");
        assert_eq!((cut.cut, cut.from_ms, cut.points.len()), (true, 900 * 5000, 100));
        assert_eq!(cut.points.iter().map(|point| point.lost).sum::<i64>(), 0);
    }

    #[test]
    fn losses_are_counted_but_not_what_a_reset_skipped() {
        let rows = [
            row(0, 10, 0, 0),
            row(5000, 11, 0, 2),
            row(20_000, 14, 0, 7),
            row(60_000, 256, BOOT, 99),
            row(65_000, 257, 0, 8),
        ];
        let points = gather(&rows, 1);
        let found: Vec<(i64, i64, f64)> = points
            .iter()
            .map(|point| (point.time_ms, point.lost, point.rain_mm))
            .collect();
        assert_eq!(
            found,
            [(5000, 0, 0.4), (20_000, 2, 1.0), (60_000, 0, 0.0), (65_000, 0, 0.2)]
        );
    }

    #[test]
    fn a_bucket_gathers_its_readings() {
        let rows = [row(0, 1, 0, 0), row(400, 2, 0, 5), row(900, 3, 0, 10)];
        let points = gather(&rows, 0);
        assert_eq!(points.len(), 1);
        assert_eq!((points[0].came, points[0].lost, points[0].rain_mm), (3, 0, 2.0));
    }

    /// 60 mm in an hour, by two gateways in turn of which one's clock is fast: the sensor's clock is not set.
    #[test]
    fn gateways_whose_clocks_differ_add_no_rain_and_lose_nothing() {
        for fast_ms in [0, 6_000, 20_000, 180_000, 86_400_000] {
            let mut db = database();
            let begin_ms = 1_800_000_000_000;
            let mut highest = std::collections::HashMap::new();
            for counter in 0..=720u32 {
                let stored_ms = begin_ms + i64::from(counter) * 5000;
                let mut readings = [crate::reading::Reading {
                    device: 1,
                    epoch: 0,
                    counter,
                    kind: 0,
                    received_ms: stored_ms + i64::from(counter % 2) * fast_ms - 1000,
                    stored_ms,
                    time_ms: 0,
                    outbox: 1,
                    outbox_id: 0,
                    position: 0,
                    variables: [0, i64::from(counter) * 300 / 720, 20_000, 3300],
                }];
                crate::moments::set(&mut db, &mut readings, &highest, &mut Default::default()).expect("times");
                crate::rows::insert_readings(&mut db, &readings).expect("stored");
                let time_ms = readings[0].time_ms;
                highest.insert((1, 0), crate::moments::Highest { counter, time_ms });
            }
            let wanted = Wanted {
                device: 1,
                from_ms: begin_ms - 60_000,
                to_ms: begin_ms + 3_700_000,
                points: 700,
            };
            let found = read(&mut db, &wanted).expect("read");
            let rain_mm: f64 = found.points.iter().map(|point| point.rain_mm).sum();
            let lost: i64 = found.points.iter().map(|point| point.lost).sum();
            let came: u32 = found.points.iter().map(|point| point.came).sum();
            assert!((rain_mm - 60.0).abs() < 1e-6, "{rain_mm} mm with {fast_ms} ms");
            assert_eq!((lost, came), (0, 721), "{fast_ms} ms");
        }
    }

    #[test]
    fn a_rotation_is_one_series() {
        let mut db = database();
        for (epoch, counter, minute) in [(0, 7000, 0), (0, 7001, 1), (1, 0, 2), (1, 1, 3), (1, 3, 4)] {
            let sql = "INSERT INTO reading VALUES (1, $1, $2, 0, $3, $3, 1, $2, 0, $4, 0, 0, $3)";
            let values = [epoch, counter, minute * 60_000, minute * 5].map(Value::Int);
            db.execute(sql, &values).expect("stored");
        }
        let wanted = |from_ms, to_ms| Wanted {
            device: 1,
            from_ms,
            to_ms,
            points: 2000,
        };
        let mut told = |from_ms, to_ms, most| {
            let found = read_at_most(&mut db, &wanted(from_ms, to_ms), most).expect("read");
            let times: Vec<i64> = found.points.iter().map(|point| point.time_ms / 60_000).collect();
            (
                times,
                found.points.iter().map(|point| point.lost).sum::<i64>(),
                found.cut,
            )
        };
        assert_eq!(told(0, 240_000, 100), (vec![0, 1, 2, 3, 4], 1, false));
        assert_eq!(told(60_000, 180_000, 100), (vec![1, 2, 3], 0, false));
        assert_eq!(told(0, 240_000, 4), (vec![1, 2, 3, 4], 1, true));
        assert_eq!(told(300_000, 400_000, 100), (vec![], 0, false));
    }

    fn store(db: &mut Db, epoch: i64, counter: i64, minute: i64, kind: i64, pulses: i64) {
        let sql = "INSERT INTO reading VALUES (1, $1, $2, $3, $4, $4, 1, $2, 0, $5, 0, 0, $4)";
        let values = [epoch, counter, kind, minute * 60_000, pulses].map(Value::Int);
        db.execute(sql, &values).expect("stored");
    }

    /// Pulses of each reading from the first minute on, each in a bucket of its own; None where what fell is not known.
    fn pulses(db: &mut Db, from_minute: i64, to_minute: i64) -> Vec<Option<i64>> {
        let wanted = Wanted {
            device: 1,
            from_ms: from_minute * 60_000,
            to_ms: to_minute * 60_000,
            points: 2000,
        };
        let points = read(db, &wanted).expect("read").points;
        let known = |point: &Point| (point.rain_mm / MM_PER_PULSE).round() as i64;
        points
            .iter()
            .map(|point| (point.rain_unknown == 0).then_some(known(point)))
            .collect()
    }

    #[test]
    fn rain_behind_a_new_key_is_shown_if_it_is_known() {
        let unknown = None;
        for (gauge, counts, fell) in [
            // Over the air, or an image for the same sensor: 3 mm fell until the new key was there.
            ("'same'", [100, 102, 117, 118], [Some(0), Some(2), Some(15), Some(1)]),
            ("'said'", [100, 102, 117, 118], [Some(0), Some(2), Some(15), Some(1)]),
            // Another sensor, whose count is lower or higher; a key of which nobody said for whom it was.
            ("'said'", [100, 102, 3, 4], [Some(0), Some(2), unknown, Some(1)]),
            ("'other'", [100, 102, 3, 4], [Some(0), Some(2), unknown, Some(1)]),
            ("'other'", [100, 102, 117, 118], [Some(0), Some(2), unknown, Some(1)]),
            ("NULL", [100, 102, 117, 118], [Some(0), Some(2), unknown, Some(1)]),
            // A used sensor that nobody told of: 1,000 mm in a minute.
            ("'said'", [100, 102, 5102, 5103], [Some(0), Some(2), unknown, Some(1)]),
        ] {
            let mut db = database();
            db.batch(&format!("UPDATE epoch SET gauge = {gauge} WHERE epoch = 1"))
                .expect("set");
            for (at, (epoch, counter)) in [(0, 7000), (0, 7001), (1, 0), (1, 1)].into_iter().enumerate() {
                store(&mut db, epoch, counter, at as i64, 0, counts[at]);
            }
            assert_eq!(pulses(&mut db, 0, 3), fell, "{gauge} {counts:?}");
            // The first of a stretch is compared with what was before it, under whatever key.
            assert_eq!(pulses(&mut db, 2, 3), fell[2..], "{gauge} {counts:?}");
            assert_eq!(pulses(&mut db, 3, 3), fell[3..], "{gauge} {counts:?}");
        }
    }

    #[test]
    fn a_count_that_begins_anew_under_one_key_is_no_dry_weather() {
        let mut db = database();
        for (at, pulses) in [50, 51, 3, 4].into_iter().enumerate() {
            store(&mut db, 0, at as i64, at as i64, 0, pulses);
        }
        assert_eq!(pulses(&mut db, 0, 3), [Some(0), Some(1), None, Some(1)]);
    }

    #[test]
    fn rain_before_a_boot_frame_at_the_beginning_of_a_stretch_is_shown() {
        let mut db = database();
        store(&mut db, 0, 10, 0, 0, 50);
        store(&mut db, 0, 256, 1, BOOT, 9999);
        store(&mut db, 0, 257, 2, 0, 57);
        assert_eq!(pulses(&mut db, 2, 3), [Some(7)]);
    }

    #[test]
    fn a_clock_that_leapt_ahead_and_back_hides_no_reading() {
        let mut db = database();
        for counter in 0..100 {
            let ahead = if (40..60).contains(&counter) { 100_000 } else { 0 };
            store(&mut db, 0, counter, counter + ahead, 0, counter);
        }
        crate::period::note_all_set_back(&mut db).expect("noted");
        let came = |db: &mut Db, from_minute, to_minute| pulses(db, from_minute, to_minute).len();
        assert_eq!(came(&mut db, 0, 1000), 80);
        assert_eq!(came(&mut db, 60, 99), 40);
        assert_eq!(came(&mut db, 100_000, 100_100), 20);
    }
}
