//! When each reading was taken: the one time by which series are drawn and lateness is judged.
//!
//! Three clocks speak of a frame. The sensor's own is inside what its key sealed, so nothing between it and here can
//! change it. The gateway's stands beside the frame and proves nothing. The server's says when the frame was stored, so
//! it was taken before that. The sensor's clock counts if it can be right; else the gateway's does, as far as the
//! server's allows. The order of counters, which is sealed too, bounds both: no reading is earlier than the one with
//! the counter before it, nor later than the one after it.
//!
//! A sensor whose clock is not set seals no time. Its counter is sealed, and it sends one frame in each period. So from
//! one reading on, the counter says until when the next ones were taken (`Pace`).

use std::collections::HashMap;

use link_wire::air;

use crate::db::{Cells, Db, Result, Value};
use crate::period::note_set_back;
use crate::reading::Reading;

/// A sensor's clock may be ahead of the server's by so much: a DS3231 drifts two minutes in a year (data sheet: 3.5 ppm
/// over its range).
pub const AHEAD_MS: i64 = 120_000;
/// A frame may wait so long in an outbox before its sensor's time is not believed: a gateway that was away for a year
/// still counts.
pub const BEHIND_MS: i64 = 400 * 86_400_000;
/// The year 9999 ends. A gateway may claim any time up to the end of 64 bits; programs that read tables know none later
/// than this.
pub const LATEST_MS: i64 = 253_402_300_799_999;
/// After a reset a sensor's counter goes on at a multiple of this.
const BLOCK: u32 = 256;
/// A server's clock that was set back leaves times behind that are ahead of it; these bound nothing.
const SET_BACK_MS: i64 = 60_000;

/// A reading is late if it was stored so long after it was taken: it says how the weather was, not how it is.
pub fn is_late(time_ms: i64, stored_ms: i64, period_s: i64) -> bool {
    stored_ms.saturating_sub(time_ms) > late_after_ms(period_s)
}

/// Six periods, at least two minutes.
pub fn late_after_ms(period_s: i64) -> i64 {
    AHEAD_MS.max(period_s.saturating_mul(6000))
}

/// What the counters of one key say about the time, as long as the sensor's clock is not set.
///
/// A frame that came later than its counter allows was held back. The sensor may be slow by an eighth: without the
/// DS3231 it counts with its watchdog, which may be 10 % off, and its pauses have a jitter of a quarter of the period.
#[derive(Clone, Copy, Debug, Default)]
pub struct Pace {
    pub period_s: i64,
    /// A counter, and the latest time at which its frame was taken.
    pub anchor: Option<(u32, i64)>,
}

impl Pace {
    /// Goes on to a reading with a higher counter; the latest time at which it was taken, if it was held back since.
    fn advance(&mut self, reading: &Reading) -> Option<i64> {
        let period_ms = self.period_s.saturating_mul(1000);
        if period_ms == 0 || is_believable(reading.variables[0], reading.stored_ms) {
            self.anchor = None;
            return None;
        }
        let known = self.anchor.filter(|(counter, _)| !may_have_booted(*counter, reading));
        let latest_ms = known.map_or(i64::MAX, |(counter, time_ms)| {
            let periods = i64::from(reading.counter) - i64::from(counter);
            time_ms.saturating_add(periods.saturating_mul(period_ms / 8 * 9))
        });
        self.anchor = Some((reading.counter, latest_ms.min(reading.stored_ms)));
        is_late(latest_ms, reading.stored_ms, self.period_s).then_some(latest_ms)
    }
}

/// Whether the sensor may have been off between this counter and the reading. It goes on at a multiple of 256 then, and
/// its first frame is a boot frame, which may be lost (link/firmware/core/counter.h).
fn may_have_booted(counter: u32, reading: &Reading) -> bool {
    reading.kind == air::TYPE_BOOT || (reading.counter.saturating_sub(1)) / BLOCK > counter / BLOCK
}

/// By the clocks alone. `device_time_s` is 0 where the sensor's clock is not set.
pub fn by_clocks(device_time_s: i64, received_ms: i64, stored_ms: i64) -> i64 {
    if is_believable(device_time_s, stored_ms) {
        return device_time_s.saturating_mul(1000).min(stored_ms);
    }
    received_ms.clamp(0, stored_ms.max(0))
}

/// Whether a sensor's clock can be right.
pub fn is_believable(device_time_s: i64, stored_ms: i64) -> bool {
    let believable = stored_ms.saturating_sub(BEHIND_MS)..=stored_ms.saturating_add(AHEAD_MS);
    device_time_s > 0 && believable.contains(&device_time_s.saturating_mul(1000))
}

/// The highest counter of one key before a batch, and its reading's time.
#[derive(Clone, Copy)]
pub struct Highest {
    pub counter: u32,
    pub time_ms: i64,
}

/// Sets the times of a batch's readings, which are in the order of device, epoch and counter, before they are inserted.
/// Advances the paces of their keys.
pub fn set(
    db: &mut Db,
    readings: &mut [Reading],
    highest: &HashMap<(u16, u8), Highest>,
    paces: &mut HashMap<(u16, u8), Pace>,
) -> Result<()> {
    let mut before: Option<Placed> = None;
    for reading in readings {
        let key = (reading.device, reading.epoch);
        let behind = highest.get(&key).filter(|highest| reading.counter < highest.counter);
        let same_gap = before.as_ref().is_some_and(|placed| {
            placed.key == key && placed.next.is_none_or(|(counter, _)| reading.counter < counter)
        });
        let (earliest, next) = match (&before, behind) {
            // Nothing that is stored lies between this reading and the one of the batch before it.
            (Some(placed), _) if same_gap => (Some(placed.time_ms), placed.next),
            (_, Some(_)) => neighbours(db, reading)?,
            (_, None) => (highest.get(&key).map(|highest| highest.time_ms), None),
        };
        let latest_ms = match (paces.get_mut(&key), behind) {
            (Some(pace), None) => pace.advance(reading),
            _ => None,
        };
        let free_ms = by_clocks(reading.variables[0], reading.received_ms, reading.stored_ms);
        let free_ms = latest_ms.map_or(free_ms, |latest_ms| free_ms.min(latest_ms));
        reading.time_ms = between(free_ms, earliest, next.map(|(_, time_ms)| time_ms), reading.stored_ms);
        if earliest.is_some_and(|earliest| earliest > reading.time_ms) {
            note_set_back(db, (key.0.into(), key.1.into()), reading.counter.into())?;
        }
        before = Some(Placed {
            key,
            time_ms: reading.time_ms,
            next,
        });
    }
    Ok(())
}

/// The last reading of the batch that got its time.
struct Placed {
    key: (u16, u8),
    time_ms: i64,
    /// The stored reading with the next higher counter, if any: its counter and time.
    next: Option<(u32, i64)>,
}

fn between(free_ms: i64, earliest: Option<i64>, latest: Option<i64>, stored_ms: i64) -> i64 {
    let earliest = earliest.filter(|earliest| *earliest <= stored_ms.saturating_add(SET_BACK_MS));
    let time_ms = latest.map_or(free_ms, |latest| free_ms.min(latest));
    earliest.map_or(time_ms, |earliest| time_ms.max(earliest))
}

/// The moment of the reading before, and counter and moment of the reading behind, where there are such.
type Neighbours = (Option<i64>, Option<(u32, i64)>);

/// What is stored on both sides of this counter: the time before it, counter and time after it.
fn neighbours(db: &mut Db, reading: &Reading) -> Result<Neighbours> {
    let values = [
        i64::from(reading.device),
        i64::from(reading.epoch),
        i64::from(reading.counter),
    ]
    .map(Value::Int);
    let of = "FROM reading WHERE device = $1 AND epoch = $2 AND counter";
    let before = db.query_one(
        &format!("SELECT time_ms {of} < $3 ORDER BY counter DESC LIMIT 1"),
        &values,
    )?;
    let after = db.query_one(
        &format!("SELECT counter, time_ms {of} > $3 ORDER BY counter LIMIT 1"),
        &values,
    )?;
    let after = after.and_then(|row| Some((u32::try_from(row.int(0)).ok()?, row.int(1))));
    Ok((before.map(|row| row.int(0)), after))
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: i64 = 1_800_000_000_000;
    const DAY: i64 = 86_400_000;

    #[test]
    fn the_sealed_time_counts_whatever_the_gateway_says() {
        let sealed = NOW - 3_600_000;
        for received in [0, NOW - 30 * DAY, NOW, NOW + DAY, i64::MAX] {
            assert_eq!(by_clocks(sealed / 1000, received, NOW), sealed);
        }
    }

    #[test]
    fn a_sensor_clock_that_cannot_be_right_is_not_believed() {
        for sealed in [NOW + AHEAD_MS + 1000, NOW - BEHIND_MS - 1000, 0] {
            assert_eq!(by_clocks(sealed / 1000, NOW - 5000, NOW), NOW - 5000);
        }
        // A little ahead is drift; no reading is from the future, even then.
        assert_eq!(by_clocks((NOW + AHEAD_MS) / 1000, NOW - 5000, NOW), NOW);
        assert_eq!(by_clocks(0, i64::MAX, NOW), NOW);
        assert_eq!(by_clocks(0, -5, NOW), 0);
    }

    fn reading(counter: u32, received_ms: i64) -> Reading {
        Reading {
            device: 1,
            epoch: 0,
            counter,
            kind: 0,
            received_ms,
            stored_ms: NOW,
            time_ms: 0,
            outbox: 1,
            outbox_id: i64::from(counter),
            position: 0,
            variables: [0; 4],
        }
    }

    fn store(db: &mut Db, mut readings: Vec<Reading>, highest: Option<Highest>) -> Vec<i64> {
        let known = highest.map(|highest| ((1, 0), highest)).into_iter().collect();
        set(db, &mut readings, &known, &mut HashMap::new()).expect("set");
        crate::rows::insert_readings(db, &readings).expect("stored");
        readings.iter().map(|reading| reading.time_ms).collect()
    }

    #[test]
    fn times_rise_with_counters_however_gateways_differ() {
        let mut db = Db::open(":memory:").expect("a database");
        crate::schema::create(&mut db).expect("its tables");
        let first = store(
            &mut db,
            vec![reading(10, NOW - 100_000), reading(20, NOW - 50_000)],
            None,
        );
        assert_eq!(first, [NOW - 100_000, NOW - 50_000]);
        // Behind, between and above what is stored, by a gateway whose clock is an hour slow, and by one that is fast.
        let highest = Highest {
            counter: 20,
            time_ms: NOW - 50_000,
        };
        let slow = [5, 12, 13, 25].map(|counter| reading(counter, NOW - 3_600_000));
        let times = store(&mut db, slow.into(), Some(highest));
        assert_eq!(times, [NOW - 3_600_000, NOW - 100_000, NOW - 100_000, NOW - 50_000]);
        let highest = Highest {
            counter: 25,
            time_ms: NOW - 50_000,
        };
        let fast = [6, 14, 15, 30].map(|counter| reading(counter, NOW + DAY));
        assert_eq!(
            store(&mut db, fast.into(), Some(highest)),
            [NOW - 100_000, NOW - 50_000, NOW - 50_000, NOW]
        );
        let rows = db
            .query("SELECT time_ms FROM reading ORDER BY counter", &[])
            .expect("read");
        let times: Vec<i64> = rows.iter().map(|row| row.int(0)).collect();
        assert!(times.is_sorted(), "{times:?}");
    }

    #[test]
    fn a_server_clock_that_was_set_back_stops_nothing() {
        assert_eq!(between(NOW - 5000, Some(NOW + DAY), None, NOW), NOW - 5000);
        assert_eq!(between(NOW - 5000, Some(NOW + 1000), None, NOW), NOW + 1000);
    }

    fn advance(pace: &mut Pace, counter: u32, kind: u8, stored_ms: i64) -> Option<i64> {
        let reading = Reading {
            kind,
            stored_ms,
            ..reading(counter, stored_ms)
        };
        pace.advance(&reading)
    }

    #[test]
    fn a_sensor_without_a_clock_is_late_when_its_counter_says_so() {
        let period_ms = 5000;
        let mut pace = Pace {
            period_s: 5,
            anchor: None,
        };
        // A day of a sensor that is 10 % slow, as its watchdog may be, with the jitter of its pauses, from a boot on.
        let mut at_ms = NOW;
        assert_eq!(advance(&mut pace, 0, air::TYPE_BOOT, at_ms), None);
        let mut counter = 0;
        while at_ms < NOW + DAY {
            counter += 1;
            at_ms += period_ms * 11 / 10 + (i64::from(counter * 7919 % 11) - 5) * 250;
            assert_eq!(advance(&mut pace, counter, air::TYPE_DATA, at_ms), None, "{counter}");
        }
        // Jammed for an hour, and played back with the sensor's own pauses.
        for held in 1..100 {
            let stored_ms = at_ms + 3_600_000 + held * period_ms;
            let latest = advance(&mut pace, counter + held as u32, air::TYPE_DATA, stored_ms).expect("late");
            assert!(latest < at_ms + held * period_ms * 9 / 8 + period_ms * 2);
        }
        // The sensor itself is heard again, and the frames in between are lost: its counter says that time went by.
        let (counter, at_ms) = (counter + 740, at_ms + 740 * period_ms);
        assert_eq!(advance(&mut pace, counter, air::TYPE_DATA, at_ms), None);
    }

    #[test]
    fn a_sensor_that_was_off_is_not_late() {
        let mut pace = Pace {
            period_s: 5,
            anchor: None,
        };
        advance(&mut pace, 250, air::TYPE_DATA, NOW);
        // Its boot frame came; the boot frame was lost; a block's first frame is a data frame: it was not off.
        assert_eq!(advance(&mut pace, 512, air::TYPE_BOOT, NOW + DAY), None);
        assert_eq!(advance(&mut pace, 769, air::TYPE_DATA, NOW + 2 * DAY), None);
        assert!(advance(&mut pace, 1024, air::TYPE_DATA, NOW + 3 * DAY).is_some());
        // Once its clock is set, that counts.
        let set = Reading {
            variables: [NOW / 1000, 0, 0, 0],
            ..reading(1025, NOW)
        };
        assert_eq!(pace.advance(&set), None);
        assert_eq!(pace.anchor, None);
    }
}
