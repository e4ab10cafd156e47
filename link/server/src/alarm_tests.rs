//! When rain alarms are raised and cleared.

use super::*;
use crate::thresholds::{RATE, TABLE};

const MINUTE: i64 = 60_000;
const NOW: i64 = 1_800_000_000_000;

/// A database with one sensor that sends every five seconds.
fn database() -> Db {
    let mut db = Db::open(":memory:").expect("a database");
    crate::schema::create(&mut db).expect("its tables");
    db.batch(
        "INSERT INTO device VALUES (1, 'one', x'00', 0, 0, 5, 23, NULL, 0, 0, 0, 0); \
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
fn the_sensors_own_flag_raises_no_alarm_below_a_threshold_that_is_higher_than_its_own() {
    for (threshold, raised) in [("30", 1), ("20", 1), ("45", 0)] {
        let mut db = database();
        crate::schema::set_setting(&mut db, RATE, threshold).expect("set");
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

/// The levels of open alarms.
fn open(db: &mut Db) -> Vec<String> {
    let rows = db
        .query("SELECT level FROM alarm WHERE cleared_ms IS NULL ORDER BY rank", &[])
        .expect("alarms");
    rows.iter().map(|row| row.text(0).to_owned()).collect()
}

const LEVELS: &str = "levels = ['attention', 'alert', 'emergency']\n\
    [[threshold]]\nlevel = 'attention'\nhours = 24\nmm = 20\nclear_mm = 18\n\
    [[threshold]]\nlevel = 'alert'\nhours = 24\nmm = 40\n\
    [[threshold]]\nlevel = 'emergency'\nhours = 72\nmm = 60\n\
    [[threshold]]\nlevel = 'emergency'\nminutes = 10\nmm = 15\n";

#[test]
fn sums_of_days_raise_one_level_after_another_and_clear_them() {
    for clock in [0, NOW / 1000] {
        let mut db = database();
        crate::schema::set_setting(&mut db, TABLE, LEVELS).expect("set");
        // A reading every hour, at 720 counters of five seconds: 2 mm in each of 40 hours, then it is dry.
        let mut seen = Vec::new();
        for hour in 0..110 {
            let device_time_s = if clock == 0 { 0 } else { clock + 3600 * hour };
            let pulses = 10 * hour.min(40);
            tell(&mut db, 720 * hour, device_time_s, NOW + 3_600_000 * hour, pulses, 0);
            let now = open(&mut db);
            if seen.last().is_none_or(|(_, before)| *before != now) {
                seen.push((hour, now));
            }
        }
        let seen: Vec<(i64, String)> = seen.iter().map(|(hour, levels)| (*hour, levels.join(" "))).collect();
        let expected = [
            (0, ""),
            (10, "attention"),
            (20, "attention alert"),
            (30, "attention alert emergency"),
            (55, "attention emergency"),
            (56, "emergency"),
            (98, ""),
        ];
        assert_eq!(
            seen,
            expected.map(|(hour, levels)| (hour, levels.to_owned())),
            "clock {clock}"
        );
    }
}

#[test]
fn a_sensor_may_have_a_threshold_of_its_own_above_that_of_its_firmware() {
    // 45 mm/h over ten minutes, and the sensor raises its own flag at 30 mm/h.
    let table = "levels = ['alert']\n[[threshold]]\nlevel = 'alert'\nminutes = 10\nmm = 5\n\
                 [[threshold]]\nlevel = 'alert'\nminutes = 10\nmm = 10\nsensors = [1]\n";
    for (table, raised) in [(table, 0), (&table.replace("[1]", "[2]"), 1)] {
        let mut db = database();
        crate::schema::set_setting(&mut db, TABLE, table).expect("set");
        for counter in 0..=120 {
            tell(&mut db, counter, 0, NOW, counter * 3 / 10, FLAG_RAIN_ALARM);
        }
        assert_eq!(alarms(&mut db).0.len(), raised);
    }
}

#[test]
fn a_threshold_that_is_lowered_counts_at_once_and_a_level_that_is_gone_is_cleared() {
    let mut db = database();
    let mut judge = Judge::default();
    let table = |mm| format!("levels = ['alert']\n[[threshold]]\nlevel = 'alert'\nhours = 24\nmm = {mm}\n");
    crate::schema::set_setting(&mut db, TABLE, &table(50)).expect("set");
    let hour = 720;
    for (counter, pulses) in [(0, 0), (hour, 100), (2 * hour, 100), (3 * hour, 100)] {
        if counter == 3 * hour {
            crate::schema::set_setting(&mut db, TABLE, &table(15)).expect("set");
        }
        let sql = "INSERT INTO reading VALUES (1, 0, $1, 0, 0, 0, 1, $1, 0, $2, 0, 0, 0)";
        db.execute(sql, &[counter, pulses].map(Value::Int)).expect("stored");
        let sample = Sample {
            device: 1,
            counter,
            rain_pulses: pulses,
            flags: 0,
        };
        judge.judge(&mut db, &[sample]).expect("judged");
        assert_eq!(open(&mut db).len(), usize::from(counter == 3 * hour), "{counter}");
    }
    crate::schema::set_setting(&mut db, TABLE, &table(15).replace("alert", "other")).expect("set");
    tell(&mut db, 4 * hour, 0, NOW, 100, 0);
    assert_eq!(open(&mut db), ["other"]);
}

#[test]
fn a_sensor_that_is_revoked_has_no_alarm_any_more() {
    let mut db = database();
    tell(&mut db, 0, 1000, NOW, 0, 0);
    tell(&mut db, 1, 1060, NOW + MINUTE, 100, 0);
    assert_eq!(alarms(&mut db).0, [false]);
    crate::devices::revoke(&mut db, 1, NOW + 2 * MINUTE).expect("revoked");
    assert_eq!(alarms(&mut db).0, [true]);
    // What a server stored before, and judges only now.
    tell(&mut db, 2, 1120, NOW + 2 * MINUTE, 200, 0);
    assert_eq!(alarms(&mut db).0, [true]);
}
