//! Rates and sums of rain, by the sensor's own count and time.

use super::*;

const MINUTE: i64 = 60_000;

/// The rate over ten minutes, in mm/h.
fn per_hour(readings: &[Taken], window_ms: i64) -> f64 {
    crate::thresholds::per_hour(sum_mm(readings, window_ms), window_ms)
}

fn taken(points: &[(i64, i64)]) -> Vec<Taken> {
    let reading = |&(minute, rain_pulses): &(i64, i64)| Taken {
        elapsed_ms: minute * MINUTE,
        rain_pulses,
        ..Taken::default()
    };
    points.iter().map(reading).collect()
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
fn steady_rain_is_its_own_rate() {
    // 5 pulses a minute: 1 mm a minute, 60 mm/h.
    let steady: Vec<(i64, i64)> = (0..=30).map(|minute| (minute, 5 * minute)).collect();
    assert!((per_hour(&taken(&steady), 10 * MINUTE) - 60.0).abs() < 1e-9);
}

#[test]
fn a_burst_counts_over_the_window() {
    // 10 mm within the last minute after a dry hour: at least 10 mm in 10 minutes.
    assert!((per_hour(&taken(&[(0, 0), (59, 0), (60, 50)]), 10 * MINUTE) - 60.0).abs() < 1e-9);
}

#[test]
fn rain_during_a_gap_is_spread_over_the_gap() {
    // 20 mm in two hours of silence: 10 mm/h, not 120.
    assert!((per_hour(&taken(&[(0, 0), (120, 100)]), 10 * MINUTE) - 10.0).abs() < 1e-9);
}

#[test]
fn a_counter_that_starts_anew_is_no_rain_and_one_reading_none() {
    assert!(per_hour(&taken(&[(0, 5000), (1, 0), (2, 1)]), 10 * MINUTE) < 1.3);
    assert!(per_hour(&taken(&[(0, 5000)]), 10 * MINUTE).abs() < 1e-9);
    assert!(per_hour(&[], 10 * MINUTE).abs() < 1e-9);
}

/// A database with one sensor that sends every minute and has these readings: key epoch, counter, clock, pulses.
fn database(readings: &[(i64, i64, i64, i64)]) -> Db {
    let mut db = Db::open(":memory:").expect("a database");
    crate::schema::create(&mut db).expect("its tables");
    db.batch("INSERT INTO device VALUES (1, 'one', x'00', 0, 0, 60, 23, NULL, 0, 0, 0, 0)")
        .expect("a sensor");
    for epoch in 0..=readings.iter().map(|reading| reading.0).max().unwrap_or(0) {
        let highest = readings
            .iter()
            .filter(|reading| reading.0 == epoch)
            .map(|reading| reading.1)
            .max();
        let sql = "INSERT INTO epoch (device, epoch, suite, highest) VALUES (1, $1, 1, $2)";
        db.execute(sql, &[Value::Int(epoch), Value::Int(highest.unwrap_or(0))])
            .expect("a key");
    }
    for (epoch, counter, device_time_s, pulses) in readings {
        let sql = "INSERT INTO reading VALUES (1, $1, $2, 0, 0, 0, 1, $2, $3, $4, 0, 0, 0)";
        db.execute(sql, &[*epoch, *counter, *device_time_s, *pulses].map(Value::Int))
            .expect("stored");
    }
    db
}

/// The sum at the newest reading.
fn long_mm(db: &mut Db, window_ms: i64) -> f64 {
    let found = history(db, 1, i64::MAX, 10 * MINUTE).expect("read").expect("a history");
    let last = *found.readings.last().expect("a reading");
    long_sum_mm(db, &found, &last, window_ms).expect("a sum")
}

#[test]
fn a_long_sum_agrees_with_the_plain_one_wherever_frames_were_lost() {
    let mut state = 7u64;
    let mut draw = |below: u64| {
        state = state
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        ((state >> 33) % below) as i64
    };
    for clock_s in [0, 1_800_000_000] {
        for most_lost in [1, 3, 400] {
            let (mut counter, mut pulses) = (0, 0);
            let mut readings = Vec::new();
            while counter < 5000 {
                readings.push((
                    0,
                    counter,
                    if clock_s == 0 { 0 } else { clock_s + 60 * counter },
                    pulses,
                ));
                counter += 1 + draw(most_lost);
                pulses += draw(3);
            }
            let mut db = database(&readings);
            let points: Vec<(i64, i64)> = readings.iter().map(|reading| (reading.1, reading.3)).collect();
            for hours in [1, 2, 24, 72, 100] {
                let (found, plain) = (
                    long_mm(&mut db, hours * 60 * MINUTE),
                    sum_mm(&taken(&points), hours * 60 * MINUTE),
                );
                assert!(
                    (found - plain).abs() < 1e-9,
                    "{clock_s} {most_lost} {hours}: {found} {plain}"
                );
            }
        }
    }
}

#[test]
fn a_long_sum_goes_on_over_a_new_key_and_a_reset() {
    let clock = 1_800_000_000;
    // Under each key 100 minutes with a pulse a minute; the second key's counters begin at 0 again, later at 256.
    let mut readings: Vec<_> = (0..100)
        .map(|minute| (0, minute, clock + 60 * minute, minute))
        .collect();
    readings.extend((0..50).map(|minute| (1, minute, clock + 60 * (100 + minute), 100 + minute)));
    readings.extend((0..50).map(|minute| (1, 256 + minute, clock + 60 * (150 + minute), 150 + minute)));
    let mut db = database(&readings);
    let hour = 60 * MINUTE;
    assert!((long_mm(&mut db, hour) - 60.0 * MM_PER_PULSE).abs() < 1e-9);
    assert!((long_mm(&mut db, 3 * hour) - 180.0 * MM_PER_PULSE).abs() < 1e-9);
    // All there is.
    assert!((long_mm(&mut db, 24 * hour) - 199.0 * MM_PER_PULSE).abs() < 1e-9);
    // Of another sensor, what that has counted.
    db.batch("UPDATE epoch SET gauge = 'other' WHERE epoch = 1")
        .expect("set");
    assert!((long_mm(&mut db, hour) - 60.0 * MM_PER_PULSE).abs() < 1e-9);
    assert!((long_mm(&mut db, 24 * hour) - 99.0 * MM_PER_PULSE).abs() < 1e-9);
}

#[test]
fn a_count_that_begins_anew_hides_only_what_fell_before() {
    let readings: Vec<_> = (0..200)
        .map(|minute| (0, minute, 0, if minute < 150 { 7000 } else { minute - 150 }))
        .collect();
    assert!((long_mm(&mut database(&readings), 120 * MINUTE) - 49.0 * MM_PER_PULSE).abs() < 1e-9);
}
