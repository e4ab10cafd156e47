//! Rain by the sensor's own count and its own time: how hard it rains, and how much fell within hours or days.
//!
//! The sensor counts pulses, so rain that fell while its frames were lost is not lost. The sum over a time is the
//! larger of two that it was at least: what fell between readings within that time; and of what fell since the last
//! reading before it, the share of that time.
//!
//! Order and time are the sensor's own: its counters, and its clock where that is set. Both are inside what its key
//! sealed. An attacker who delays, reorders or dates frames on their way changes no sum.

use crate::db::{Cells, Db, Result, Row, Value};
use crate::gauge::{Gauge, Gauges, MM_PER_PULSE};

const BOOT: i64 = link_wire::air::TYPE_BOOT as i64;
/// Of readings that come late only so many of the newest are judged: what fell before is in the totals of those.
const MOST_JUDGED: i64 = 4096;
/// How many counters the search for the beginning of a long time first steps.
const FIRST_STEP: i64 = 64;

/// A reading on the sensor's own line of time, which begins at the oldest that is looked at.
#[derive(Clone, Copy, Debug, Default)]
pub struct Taken {
    pub counter: i64,
    pub elapsed_ms: i64,
    /// When it was taken, for people (moments.rs).
    pub time_ms: i64,
    pub device_time_s: i64,
    pub rain_pulses: i64,
    pub flags: i64,
}

/// A device's newest key epoch and some of its data readings, in the order of counters.
pub struct History {
    pub device: u16,
    pub epoch: i64,
    pub period_s: i64,
    pub readings: Vec<Taken>,
}

/// Rain within `window_ms` before the last of these readings, which are in the order of their counters, in mm.
pub fn sum_mm(readings: &[Taken], window_ms: i64) -> f64 {
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
        return f64::max(fell_in_window, fell * window_ms as f64 / elapsed_ms as f64);
    }
    fell_in_window
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

/// The data readings of the newest key epoch, of a sensor that is not revoked: those from `first_counter` on, those of
/// a window before them, and one more.
pub fn history(db: &mut Db, device: u16, first_counter: i64, window_ms: i64) -> Result<Option<History>> {
    let of_device = [Value::Int(device.into())];
    let newest = db.query_one(
        "SELECT e.epoch, d.period_s, e.highest FROM epoch e JOIN device d ON d.id = e.device \
         WHERE e.device = $1 AND e.highest IS NOT NULL AND d.revoked_ms IS NULL ORDER BY e.epoch DESC LIMIT 1",
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
    let mut readings = Vec::with_capacity(rows.len());
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
            readings.push(Taken {
                counter: stored.counter,
                elapsed_ms: line_ms,
                time_ms: stored.time_ms,
                device_time_s: stored.device_time_s,
                rain_pulses: row.int(4),
                flags: row.int(5) >> 16,
            });
        }
    }
    Ok(Some(History {
        device,
        epoch,
        period_s,
        readings,
    }))
}

/// Where a long sum begins: a reading, and how long before the last one it was taken.
#[derive(Clone, Copy, Debug)]
struct Point {
    counter: i64,
    rain_pulses: i64,
    elapsed_ms: i64,
}

/// Finds readings of a sensor by their age, without reading those in between.
struct Search<'a> {
    db: &'a mut Db,
    device: i64,
    epoch: i64,
    period_s: i64,
    last: &'a Taken,
}

impl Search<'_> {
    /// By both clocks where they are set; else by the counters, which only one key's frames share.
    fn age_ms(&self, epoch: i64, counter: i64, device_time_s: i64) -> i64 {
        let by_clock_ms = (self.last.device_time_s - device_time_s).saturating_mul(1000);
        if device_time_s > 0 && self.last.device_time_s > 0 && by_clock_ms > 0 {
            return by_clock_ms;
        }
        if epoch == self.epoch {
            return (self.last.counter - counter).saturating_mul(self.period_s * 1000);
        }
        i64::MAX
    }

    fn point(&self, epoch: i64, row: &Row) -> Point {
        Point {
            counter: row.int(0),
            rain_pulses: row.int(2),
            elapsed_ms: self.age_ms(epoch, row.int(0), row.int(1)),
        }
    }

    /// The first data reading of this epoch from a counter on, below that of the last.
    fn from(&mut self, epoch: i64, counter: i64) -> Result<Option<Point>> {
        let end = if epoch == self.epoch {
            self.last.counter
        } else {
            i64::MAX
        };
        let sql = "SELECT counter, device_time_s, second FROM reading WHERE device = $1 AND epoch = $2 AND \
                   counter >= $3 AND counter < $4 AND kind = 0 ORDER BY counter LIMIT 1";
        let row = self
            .db
            .query_one(sql, &[self.device, epoch, counter, end].map(Value::Int))?;
        Ok(row.map(|row| self.point(epoch, &row)))
    }

    /// The last data reading of this epoch below a counter.
    fn below(&mut self, epoch: i64, counter: i64) -> Result<Option<Point>> {
        let sql = "SELECT counter, device_time_s, second FROM reading WHERE device = $1 AND epoch = $2 AND \
                   counter < $3 AND kind = 0 ORDER BY counter DESC LIMIT 1";
        let row = self.db.query_one(sql, &[self.device, epoch, counter].map(Value::Int))?;
        Ok(row.map(|row| self.point(epoch, &row)))
    }

    /// The oldest reading of an epoch that is younger than the window, between two counters: outside and end.
    fn oldest_inside(&mut self, epoch: i64, mut outside: i64, mut end: i64, window_ms: i64) -> Result<Option<Point>> {
        let mut found = None;
        while outside < end {
            let middle = outside + (end - outside) / 2;
            match self.from(epoch, middle)? {
                Some(point) if point.counter >= end => end = middle,
                Some(point) if point.elapsed_ms < window_ms => {
                    end = middle;
                    found = Some(point);
                }
                Some(point) => outside = point.counter + 1,
                None => end = middle,
            }
        }
        Ok(found)
    }

    /// A counter of this epoch below which no reading is within the window: 0 if all may be.
    fn some_outside(&mut self, window_ms: i64) -> Result<i64> {
        let mut counter = self.last.counter - window_ms / (self.period_s * 1000);
        let mut step = FIRST_STEP;
        while counter > 0 {
            match self.below(self.epoch, counter)? {
                Some(point) if point.elapsed_ms < window_ms => counter = point.counter - step,
                Some(point) => return Ok(point.counter + 1),
                None => break,
            }
            step *= 2;
        }
        Ok(0)
    }
}

/// Rain within a long time before one of a history's readings, in mm: hours and days, which the history itself does not
/// reach back to. A dozen looks at the table, whatever the time.
pub fn long_sum_mm(db: &mut Db, history: &History, last: &Taken, window_ms: i64) -> Result<f64> {
    let mut search = Search {
        db,
        device: history.device.into(),
        epoch: history.epoch,
        period_s: history.period_s,
        last,
    };
    let outside = search.some_outside(window_ms)?;
    let mut inside = search.oldest_inside(history.epoch, outside, last.counter, window_ms)?;
    let first = inside.map_or(last.counter, |point| point.counter);
    let mut before = search.below(history.epoch, first)?;
    // A new key goes on with the same count of rain, unless another sensor has it: the time may reach back into the key
    // before.
    let mut epoch = history.epoch;
    let mut known: Option<Gauges> = None;
    while before.is_none() && epoch > 0 {
        let gauges = match &mut known {
            Some(gauges) => gauges,
            none => none.insert(Gauges::read(search.db, search.device)?),
        };
        if gauges.since(epoch - 1, epoch) == Gauge::Other {
            break;
        }
        epoch -= 1;
        let older = search.oldest_inside(epoch, 0, i64::from(u32::MAX) + 1, window_ms)?;
        before = search.below(epoch, older.map_or(i64::MAX, |point| point.counter))?;
        inside = older.or(inside);
    }
    let fell = |point: Point| {
        // Less than before: the sensor's count began again at 0 in between, and what is there fell since.
        let pulses = last.rain_pulses - point.rain_pulses;
        (if pulses < 0 { last.rain_pulses } else { pulses }) as f64 * MM_PER_PULSE
    };
    let fell_inside = inside.map_or(0.0, fell);
    let known = before.filter(|point| point.elapsed_ms < i64::MAX && point.rain_pulses <= last.rain_pulses);
    let share = known.map_or(0.0, |point| {
        fell(point) * window_ms as f64 / point.elapsed_ms.max(window_ms) as f64
    });
    Ok(f64::max(fell_inside, share))
}

#[cfg(test)]
#[path = "rain_tests.rs"]
mod tests;
