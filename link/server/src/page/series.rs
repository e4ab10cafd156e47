//! One device's readings over a stretch of time, gathered to as many points as a screen has room for, with what was
//! lost between. They are read in the order of their counters, which the sensor sealed: gateways whose clocks differ
//! add no rain and lose nothing.

use serde::{Deserialize, Serialize};

use crate::db::{Cells, Db, Result, Row, Value};
use crate::moments::{first_from, is_late, LATEST_MS};
use crate::rain::MM_PER_PULSE;

const MOST_POINTS: i64 = 2000;
/// A week of a sensor that sends every second: the longest that the page asks for. Of more, the newest are shown.
const MOST_READINGS: i64 = 7 * 86_400;
const BOOT: i64 = link_wire::air::TYPE_BOOT as i64;

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
    rain_mm: f64,
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
    let (spans, cut) = spans(db, device, asked_ms, to_ms, most)?;
    let from_ms = match spans.first() {
        Some(first) if cut => time_of(db, device, first)?.unwrap_or(asked_ms),
        _ => asked_ms,
    };
    let span_ms = to_ms.saturating_sub(from_ms).max(1);
    let bucket_ms = (span_ms / wanted.points.clamp(10, MOST_POINTS)).max(1000);
    let fields = "SELECT time_ms, epoch, counter, kind, second, third, fourth, stored_ms FROM reading WHERE device = \
                  $1 AND epoch = $2";
    let mut gathered = Gathered::new(from_ms, bucket_ms, period_s);
    for span in &spans {
        let key = [device.into(), span.epoch];
        db.for_each(
            &format!("{fields} AND counter < $3 ORDER BY counter DESC LIMIT 1"),
            &[key[0], key[1], span.first].map(Value::Int),
            |row| {
                gathered.pass(&row);
            },
        )?;
        db.for_each(
            &format!("{fields} AND counter >= $3 AND counter <= $4 ORDER BY counter"),
            &[key[0], key[1], span.first, span.last].map(Value::Int),
            |row| gathered.add(&row),
        )?;
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
    first: i64,
    last: i64,
}

/// Which counters were taken within these times, the oldest key first; and whether some are left out because there are
/// more than `most`.
fn spans(db: &mut Db, device: u16, from_ms: i64, to_ms: i64, most: i64) -> Result<(Vec<Span>, bool)> {
    let device = i64::from(device);
    let epochs = db.query(
        "SELECT epoch FROM epoch WHERE device = $1 ORDER BY epoch DESC",
        &[Value::Int(device)],
    )?;
    let mut found = Vec::new();
    let mut room = most;
    for row in &epochs {
        let epoch = row.int(0);
        let Some(mut first) = first_from(db, (device, epoch), from_ms)? else {
            continue;
        };
        let after = first_from(db, (device, epoch), to_ms.saturating_add(1))?;
        let last = after.map_or(i64::MAX, |after| after - 1);
        if last < first {
            continue;
        }
        // The newest `room` of them, if there are more.
        let values = [device, epoch, first, last, room].map(Value::Int);
        let beyond = db.query_one(
            "SELECT counter FROM reading WHERE device = $1 AND epoch = $2 AND counter >= $3 AND counter <= $4 \
             ORDER BY counter DESC LIMIT 1 OFFSET $5",
            &values,
        )?;
        let cut = beyond.is_some();
        if let Some(beyond) = beyond {
            first = beyond.int(0) + 1;
        } else {
            let count = db.query_one(
                "SELECT COUNT(*) FROM reading WHERE device = $1 AND epoch = $2 AND counter >= $3 AND counter <= $4",
                &values[..4],
            )?;
            room -= count.map_or(0, |row| row.int(0));
        }
        found.push(Span { epoch, first, last });
        if cut {
            found.reverse();
            return Ok((found, true));
        }
    }
    found.reverse();
    Ok((found, false))
}

/// When the first reading of a span was taken.
fn time_of(db: &mut Db, device: u16, span: &Span) -> Result<Option<i64>> {
    let row = db.query_one(
        "SELECT time_ms FROM reading WHERE device = $1 AND epoch = $2 AND counter >= $3 ORDER BY counter LIMIT 1",
        &[device.into(), span.epoch, span.first].map(Value::Int),
    )?;
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
    /// The newest count of rain pulses and its epoch.
    pulses: Option<(i64, i64)>,
}

impl Gathered {
    fn new(from_ms: i64, bucket_ms: i64, period_s: i64) -> Gathered {
        Gathered {
            from_ms,
            bucket_ms,
            period_s,
            points: Vec::new(),
            last: None,
            pulses: None,
        }
    }

    /// A reading from before the stretch only says what came before its first point. How many counters it lost, and how
    /// much rain fell.
    fn pass(&mut self, row: &Row) -> (i64, i64) {
        let (epoch, counter, kind) = (row.int(1), row.int(2), row.int(3));
        // A boot frame follows counters that the reset skipped, which were never sent.
        let lost = match self.last {
            Some((before_epoch, before_counter)) if before_epoch == epoch && kind != BOOT => {
                (counter - before_counter - 1).max(0)
            }
            _ => 0,
        };
        self.last = Some((epoch, counter));
        let fell = match self.pulses {
            Some((before_epoch, count)) if kind != BOOT && before_epoch == epoch => (row.int(4) - count).max(0),
            _ => 0,
        };
        if kind != BOOT {
            self.pulses = Some((epoch, row.int(4)));
        }
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
            temperature_c: None,
            temperature_min_c: None,
            temperature_max_c: None,
            supply_v: None,
        }
    }

    fn add(&mut self, time_ms: i64, lost: i64, fell: i64, row: &Row) {
        self.time_ms = time_ms;
        self.came += 1;
        self.lost += lost;
        if row.int(3) == BOOT {
            self.boots += 1;
            return;
        }
        self.rain_mm += fell as f64 * MM_PER_PULSE;
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
        let mut gathered = Gathered::new(from_ms, 1000, 5);
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
}
