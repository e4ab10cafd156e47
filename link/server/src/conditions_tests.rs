//! Each limit, at it and one step beside it.

use super::*;

const NOW_MS: i64 = 1_767_225_600_000;

fn site() -> Db {
    let mut db = Db::open(":memory:").expect("a database");
    crate::schema::create(&mut db).expect("its tables");
    db
}

/// A sensor with a period of 60 s: late after 360 s.
fn with_sensor(heard_ms: i64, supply_mv: i64) -> Db {
    let mut db = site();
    db.batch(&format!(
        "INSERT INTO device (id, name, master, slot, slots, period_s, channel) VALUES (7, 'Weir', x'', 0, 0, 60, 0); \
         INSERT INTO epoch (device, epoch, suite, heard_ms, supply_mv) VALUES (7, 0, 1, {heard_ms}, {supply_mv})"
    ))
    .expect("a sensor");
    db
}

fn kinds(found: &[Condition]) -> Vec<&'static str> {
    found.iter().map(|condition| condition.kind).collect()
}

#[test]
fn a_sensor_is_silent_a_millisecond_after_six_periods() {
    let settings = Notify::default();
    for (age_ms, expected) in [(360_000, vec![]), (360_001, vec!["silent sensor"])] {
        let mut db = with_sensor(NOW_MS - age_ms, 5000);
        let found = sensors(&mut db, &settings, &Open::new(), NOW_MS).expect("conditions");
        assert_eq!(kinds(&found), expected, "{age_ms}");
    }
}

#[test]
fn a_battery_at_its_limit_is_not_low() {
    let settings = Notify {
        low_supply_v: 3.4,
        ..Notify::default()
    };
    let none = Open::new();
    let told = Open::from([("low battery 7".to_owned(), 1)]);
    for (supply_mv, open, expected) in [
        (3400, &none, vec![]),
        (3399, &none, vec!["low battery"]),
        // Once told it is over well above the limit only: no message for each reading of a battery that is at it.
        (3499, &told, vec!["low battery"]),
        (3500, &told, vec![]),
    ] {
        let found = sensors(&mut with_sensor(NOW_MS, supply_mv), &settings, open, NOW_MS).expect("conditions");
        assert_eq!(kinds(&found), expected, "{supply_mv}");
    }
}

#[test]
fn a_gateway_is_silent_a_millisecond_after_five_minutes() {
    for (age_ms, expected) in [(300_000, vec![]), (300_001, vec!["silent gateway"])] {
        let mut db = site();
        let seen_ms = NOW_MS - age_ms;
        db.batch(&format!(
            "INSERT INTO gateway (name, serial, last_seen_ms) VALUES ('north', '', {seen_ms})"
        ))
        .expect("a gateway");
        assert_eq!(
            kinds(&gateways(&mut db, NOW_MS).expect("conditions")),
            expected,
            "{age_ms}"
        );
    }
}

#[test]
fn rain_over_an_hour_and_more_is_told_as_a_sum() {
    for (window_ms, expected) in [
        (600_000, "30 mm/h and more"),
        (3_599_999, "30 mm/h and more"),
        (3_600_000, "30 mm in 1 h and more"),
        (86_400_000, "720 mm in 24 h and more"),
    ] {
        let mut db = site();
        db.batch(&format!(
            "INSERT INTO alarm (device, raised_ms, threshold_mm_per_hour, peak_mm_per_hour, window_ms) \
             VALUES (7, {NOW_MS}, 20, 30, {window_ms})"
        ))
        .expect("an alarm");
        let found = alarms(&mut db, 0).expect("conditions");
        assert!(found[0].detail.contains(expected), "{}", found[0].detail);
    }
}

#[test]
fn a_certificate_is_told_of_so_many_days_before_it_ends() {
    let folder = std::env::temp_dir().join(format!("bancada-conditions-{}", std::process::id()));
    fs::create_dir_all(folder.join("server")).expect("a folder");
    let key = rcgen::KeyPair::generate().expect("a key");
    let mut parameters = rcgen::CertificateParams::new(vec!["server".to_owned()]).expect("parameters");
    parameters.not_after = rcgen::date_time_ymd(2026, 3, 1);
    let certificate = parameters.self_signed(&key).expect("a certificate");
    fs::write(folder.join("server").join("server.crt"), certificate.pem()).expect("a file");
    let ends_ms = 1_772_323_200_000; // 2026-03-01
    let settings = Notify {
        certificate_days: 30,
        ..Notify::default()
    };
    for (before_ms, expected) in [(30 * MS_PER_DAY, vec![]), (30 * MS_PER_DAY - 1, vec!["certificate"])] {
        let machine = Machine {
            server: "server-2",
            folder: &folder,
        };
        let found = certificates(&machine, &settings, ends_ms - before_ms);
        assert!(found
            .iter()
            .all(|one| other_server(&one.key, "server") == Some("server-2")
                && other_server(&one.key, "server-2").is_none()));
        assert_eq!(kinds(&found), expected, "{before_ms}");
    }
    fs::remove_dir_all(folder).expect("the folder away");
}
