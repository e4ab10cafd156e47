//! One device's readings over a stretch of time, gathered to as many points as a screen has room for, with what was lost between.

use serde::{Deserialize, Serialize};

use crate::alarm::MM_PER_PULSE;
use crate::db::{Cells, Db, Result, Row, Value};

const MOST_POINTS: i64 = 2000;
/// A week of a sensor that sends every second: the longest that the page asks for. Of more, the newest are shown.
const MOST_READINGS: i64 = 7 * 86_400;
/// The year 9999 ends.
const MOST_MS: i64 = 253_402_300_799_999;
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
    let [asked_ms, to_ms] = [wanted.from_ms, wanted.to_ms].map(|time_ms| time_ms.clamp(0, MOST_MS));
    let first_shown = db.query_one(
        &format!(
            "SELECT received_ms FROM reading WHERE device = $1 AND received_ms >= $2 AND received_ms <= $3 \
             ORDER BY received_ms DESC LIMIT 1 OFFSET {most}"
        ),
        &[Value::Int(device.into()), Value::Int(asked_ms), Value::Int(to_ms)],
    )?;
    let cut = first_shown.is_some();
    let from_ms = first_shown.map_or(asked_ms, |row| row.int(0).saturating_add(1));
    let span_ms = to_ms.saturating_sub(from_ms).max(1);
    let bucket_ms = (span_ms / wanted.points.clamp(10, MOST_POINTS)).max(1000);
    let values = [Value::Int(device.into()), Value::Int(from_ms), Value::Int(to_ms)];
    let fields = "SELECT received_ms, epoch, counter, kind, second, third, fourth FROM reading WHERE device = $1";
    let mut gathered = Gathered::new(from_ms, bucket_ms);
    db.for_each(
        &format!("{fields} AND received_ms < $2 ORDER BY received_ms DESC LIMIT 1"),
        &values[..2],
        |row| gathered.add(&row),
    )?;
    db.for_each(
        &format!("{fields} AND received_ms >= $2 AND received_ms <= $3 ORDER BY received_ms, epoch, counter"),
        &values,
        |row| gathered.add(&row),
    )?;
    Ok(Series {
        device,
        from_ms,
        to_ms,
        bucket_ms,
        cut,
        points: gathered.points.into_iter().map(|(_, point)| point).collect(),
    })
}

/// Readings in the order of their times, gathered as they are read.
struct Gathered {
    from_ms: i64,
    bucket_ms: i64,
    points: Vec<(i64, Point)>,
    /// The greatest epoch and counter so far.
    last: Option<(i64, i64)>,
    /// The newest count of rain pulses and its epoch.
    pulses: Option<(i64, i64)>,
}

impl Gathered {
    fn new(from_ms: i64, bucket_ms: i64) -> Gathered {
        Gathered {
            from_ms,
            bucket_ms,
            points: Vec::new(),
            last: None,
            pulses: None,
        }
    }

    /// A row from before `from_ms` only says what came before the first point.
    fn add(&mut self, row: &Row) {
        let (time_ms, epoch, counter, kind) = (row.int(0), row.int(1), row.int(2), row.int(3));
        // A boot frame follows counters that the reset skipped, which were never sent.
        let lost = match self.last {
            Some((before_epoch, before_counter)) if before_epoch == epoch && kind != BOOT => {
                (counter - before_counter - 1).max(0)
            }
            _ => 0,
        };
        if self.last.is_none_or(|newest| (epoch, counter) > newest) {
            self.last = Some((epoch, counter));
        }
        let fell = match self.pulses {
            Some((before_epoch, count)) if kind != BOOT && before_epoch == epoch => (row.int(4) - count).max(0),
            _ => 0,
        };
        if kind != BOOT {
            self.pulses = Some((epoch, row.int(4)));
        }
        if time_ms < self.from_ms {
            return;
        }
        let bucket = (time_ms - self.from_ms) / self.bucket_ms;
        if self.points.last().is_none_or(|(number, _)| *number != bucket) {
            self.points.push((bucket, Point::empty()));
        }
        if let Some((_, point)) = self.points.last_mut() {
            point.add(time_ms, lost, fell, row);
        }
    }
}

impl Point {
    fn empty() -> Point {
        Point {
            time_ms: 0,
            came: 0,
            lost: 0,
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
        [time_ms, 0, counter, kind, pulses, 20_000, 3300]
            .map(Value::Int)
            .to_vec()
    }

    fn gather(rows: &[Row], from_ms: i64) -> Vec<Point> {
        let mut gathered = Gathered::new(from_ms, 1000);
        rows.iter().for_each(|row| gathered.add(row));
        gathered.points.into_iter().map(|(_, point)| point).collect()
    }

    #[test]
    fn of_too_many_readings_the_newest_are_shown() {
        let mut db = Db::open(":memory:").expect("a database");
        crate::schema::create(&mut db).expect("its tables");
        for counter in 0..1000 {
            let sql = "INSERT INTO reading VALUES (1, 0, $1, 0, $2, $2, 1, $1, 0, $1, 0, 0)";
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
        assert_eq!((cut.cut, cut.from_ms, cut.points.len()), (true, 899 * 5000 + 1, 100));
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
}
