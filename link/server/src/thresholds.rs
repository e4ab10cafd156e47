//! How much rain raises which alarm: data that an office writes, for each sensor or for all.
//!
//! ```toml
//! levels = ["attention", "alert", "emergency"]    # the mildest first
//!
//! [[threshold]]
//! level = "alert"
//! hours = 24          # or minutes
//! mm = 80
//! clear_mm = 60       # the alarm ends below this sum; half of mm unless it is said
//! sensors = [3, 7]    # unless it is said: all that have no threshold of their own for this level and time
//! ```
//!
//! A site without such a table has one level, `alarm`, from `--rain-alarm` and `--rain-window`.

use std::collections::HashSet;

use serde::Deserialize;

use crate::db::{Db, Result};
use crate::schema::setting;

/// The setting that holds the table as it was written.
pub const TABLE: &str = "rain_thresholds";
pub const RATE: &str = "rain_alarm_mm_per_hour";
pub const WINDOW: &str = "rain_window_minutes";
pub const DEFAULT_RATE: &str = "30";
pub const DEFAULT_WINDOW: &str = "10";
/// The level of a site without a table.
pub const ONLY_LEVEL: &str = "alarm";
const MS_PER_MINUTE: i64 = 60_000;
const MS_PER_HOUR: i64 = 3_600_000;
/// Beyond a month of rain nobody warns of a flood.
const LONGEST_HOURS: i64 = 31 * 24;
const LEVELS_AT_MOST: usize = 8;
/// What the sensor raises its own flag above: this rain within ten minutes (link/firmware/core/rain.h).
const SENSORS_OWN_MM: f64 = 5.0;
const SENSORS_OWN_WINDOW_MS: i64 = 10 * MS_PER_MINUTE;
const SENSORS_OWN_MM_PER_HOUR: f64 = 30.0;

/// So much rain within so much time raises this level.
#[derive(Clone, Debug, PartialEq)]
pub struct Threshold {
    pub level: String,
    /// 0 is the mildest.
    pub rank: i64,
    pub window_ms: i64,
    pub mm: f64,
    pub clear_mm: f64,
    /// Whether the sensor's own flag proves that it is reached.
    pub believes_flag: bool,
}

impl Threshold {
    pub fn mm_per_hour(&self) -> f64 {
        per_hour(self.mm, self.window_ms)
    }
}

/// A sum over a time, as a rate.
pub fn per_hour(mm: f64, window_ms: i64) -> f64 {
    mm * MS_PER_HOUR as f64 / window_ms as f64
}

/// The thresholds of a site.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Thresholds {
    /// Over what time the rate is counted that people are shown.
    pub rate_window_ms: i64,
    pub for_all: Vec<Threshold>,
    pub for_some: Vec<(HashSet<u16>, Threshold)>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    levels: Vec<String>,
    #[serde(default)]
    threshold: Vec<WrittenThreshold>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenThreshold {
    level: String,
    hours: Option<i64>,
    minutes: Option<i64>,
    mm: f64,
    clear_mm: Option<f64>,
    sensors: Option<Vec<u16>>,
}

impl Thresholds {
    pub fn read(db: &mut Db) -> Result<Thresholds> {
        let number = |text: Option<String>, default: &str| text.as_deref().unwrap_or(default).parse::<f64>().ok();
        let minutes = number(setting(db, WINDOW)?, DEFAULT_WINDOW).unwrap_or(10.0);
        let rate_window_ms = (minutes * MS_PER_MINUTE as f64) as i64;
        if let Some(text) = setting(db, TABLE)? {
            // It was checked when it was stored; a newer version's may say more than this one knows.
            if let Ok(found) = parse(&text) {
                return Ok(Thresholds {
                    rate_window_ms,
                    ..found
                });
            }
            crate::log::log("the table of thresholds cannot be read by this version: --rain-alarm is in force");
        }
        let rate = number(setting(db, RATE)?, DEFAULT_RATE).unwrap_or(SENSORS_OWN_MM_PER_HOUR);
        let mm = rate * rate_window_ms as f64 / MS_PER_HOUR as f64;
        let only = Threshold {
            level: ONLY_LEVEL.to_owned(),
            rank: 0,
            window_ms: rate_window_ms,
            mm,
            clear_mm: mm / 2.0,
            believes_flag: rate <= SENSORS_OWN_MM_PER_HOUR,
        };
        Ok(Thresholds {
            rate_window_ms,
            for_all: vec![only],
            for_some: Vec::new(),
        })
    }

    /// The thresholds of one sensor: its own, and those of all for which it has none.
    pub fn of(&self, device: u16) -> Vec<&Threshold> {
        let own = self.for_some.iter().filter(|(sensors, _)| sensors.contains(&device));
        let mut found: Vec<&Threshold> = own.map(|(_, threshold)| threshold).collect();
        for threshold in &self.for_all {
            let same = |own: &&Threshold| own.level == threshold.level && own.window_ms == threshold.window_ms;
            if !found.iter().any(same) {
                found.push(threshold);
            }
        }
        found
    }
}

/// Reads a table of thresholds; a sentence about what is wrong with it.
pub fn parse(text: &str) -> std::result::Result<Thresholds, String> {
    let written: Written = toml::from_str(text).map_err(|wrong| {
        let before = wrong.span().map_or(0, |span| span.start.min(text.len()));
        let line = text[..before].matches('\n').count() + 1;
        format!("line {line}: {}", wrong.message().replace('\n', ", "))
    })?;
    let plain = |name: &String| !name.is_empty() && name.len() <= 32 && !name.contains(char::is_control);
    let distinct: HashSet<&String> = written.levels.iter().collect();
    if written.levels.is_empty() || written.levels.len() > LEVELS_AT_MOST || !written.levels.iter().all(plain) {
        return Err(format!(
            "levels: 1 to {LEVELS_AT_MOST} names of 1 to 32 letters, the mildest first"
        ));
    }
    if distinct.len() != written.levels.len() {
        return Err("levels: each name once".into());
    }
    if written.threshold.is_empty() {
        return Err("there is no [[threshold]]".into());
    }
    let mut found = Thresholds::default();
    let mut taken: HashSet<(i64, i64, Option<u16>)> = HashSet::new();
    for (index, one) in written.threshold.iter().enumerate() {
        let wrong = |what: String| format!("threshold {}: {what}", index + 1);
        let threshold = check(one, &written.levels).map_err(wrong)?;
        let sensors: Vec<Option<u16>> = match &one.sensors {
            None => vec![None],
            Some(sensors) if sensors.is_empty() => return Err(wrong("sensors: no sensor".into())),
            Some(sensors) => sensors.iter().copied().map(Some).collect(),
        };
        for sensor in sensors {
            if !taken.insert((threshold.rank, threshold.window_ms, sensor)) {
                let whose = sensor.map_or("all sensors".to_owned(), |id| format!("sensor {id}"));
                return Err(wrong(format!("{whose} had one for this level and time before")));
            }
        }
        match &one.sensors {
            None => found.for_all.push(threshold),
            Some(sensors) => found.for_some.push((sensors.iter().copied().collect(), threshold)),
        }
    }
    Ok(found)
}

fn check(one: &WrittenThreshold, levels: &[String]) -> std::result::Result<Threshold, String> {
    let rank = levels.iter().position(|level| *level == one.level);
    let rank = rank.ok_or_else(|| format!("level '{}' is not one of levels", one.level))?;
    let window_ms = match (one.hours, one.minutes) {
        (Some(hours), None) if (1..=LONGEST_HOURS).contains(&hours) => hours * MS_PER_HOUR,
        (None, Some(minutes)) if (1..=LONGEST_HOURS * 60).contains(&minutes) => minutes * MS_PER_MINUTE,
        _ => {
            return Err(format!(
                "hours = 1 to {LONGEST_HOURS}, or minutes = 1 to {}",
                LONGEST_HOURS * 60
            ))
        }
    };
    if !(one.mm.is_finite() && one.mm > 0.0) {
        return Err("mm: a sum above 0".into());
    }
    let clear_mm = one.clear_mm.unwrap_or(one.mm / 2.0);
    if !(clear_mm > 0.0 && clear_mm <= one.mm) {
        return Err("clear_mm: above 0, at most mm".into());
    }
    Ok(Threshold {
        level: one.level.clone(),
        rank: rank as i64,
        window_ms,
        mm: one.mm,
        clear_mm,
        believes_flag: one.mm <= SENSORS_OWN_MM && window_ms >= SENSORS_OWN_WINDOW_MS,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "levels = ['attention', 'alert']\n\
        [[threshold]]\nlevel = 'attention'\nhours = 24\nmm = 50\n\
        [[threshold]]\nlevel = 'alert'\nhours = 24\nmm = 80\nclear_mm = 70\n\
        [[threshold]]\nlevel = 'alert'\nhours = 24\nmm = 40\nsensors = [3, 7]\n\
        [[threshold]]\nlevel = 'alert'\nminutes = 10\nmm = 4\nsensors = [3]\n";

    #[test]
    fn a_sensor_has_its_own_thresholds_and_else_those_of_all() {
        let found = parse(TEXT).expect("read");
        let sums = |device| {
            let mut sums: Vec<_> = found
                .of(device)
                .iter()
                .map(|one| (one.rank, one.window_ms, one.mm))
                .collect();
            sums.sort_by(|one, other| one.partial_cmp(other).expect("numbers"));
            sums
        };
        let day = 24 * MS_PER_HOUR;
        assert_eq!(sums(1), [(0, day, 50.0), (1, day, 80.0)]);
        assert_eq!(sums(7), [(0, day, 50.0), (1, day, 40.0)]);
        assert_eq!(sums(3), [(0, day, 50.0), (1, 600_000, 4.0), (1, day, 40.0)]);
        let of_three = found.of(3);
        assert!(of_three.iter().all(|one| one.believes_flag == (one.mm == 4.0)));
        assert_eq!(found.of(1)[1].clear_mm, 70.0);
        assert_eq!(found.of(1)[0].clear_mm, 25.0);
    }

    #[test]
    fn what_is_wrong_is_said_in_one_sentence() {
        for (from, to, said) in [
            ("'alert']", "'attention']", "levels: each name once"),
            (
                "level = 'alert'\nminutes",
                "level = 'alarm'\nminutes",
                "threshold 4: level 'alarm'",
            ),
            (
                "hours = 24\nmm = 50",
                "hours = 0\nmm = 50",
                "threshold 1: hours = 1 to 744",
            ),
            ("hours = 24\nmm = 50", "mm = 50", "threshold 1: hours = 1 to 744"),
            (
                "hours = 24\nmm = 50",
                "hours = 24\nminutes = 5\nmm = 50",
                "threshold 1: hours = 1 to 744",
            ),
            ("mm = 50", "mm = nan", "threshold 1: mm: a sum above 0"),
            ("clear_mm = 70", "clear_mm = 90", "threshold 2: clear_mm"),
            ("[3, 7]", "[3, 3]", "threshold 3: sensor 3 had one"),
            ("sensors = [3]\n", "sensors = []\n", "threshold 4: sensors: no sensor"),
            ("mm = 40", "milimetre = 40", "line 14: unknown field"),
        ] {
            assert!(TEXT.contains(from), "{from}");
            let wrong = parse(&TEXT.replace(from, to)).expect_err(to);
            assert!(wrong.starts_with(said), "{wrong}");
        }
        assert!(parse("levels = ['one']")
            .expect_err("none")
            .contains("no [[threshold]]"));
    }

    #[test]
    fn a_site_without_a_table_has_one_level_and_the_flag_counts_up_to_the_sensors_own_rate() {
        let mut db = Db::open(":memory:").expect("a database");
        crate::schema::create(&mut db).expect("its tables");
        for (rate, believes) in [("30", true), ("20", true), ("45", false)] {
            crate::schema::set_setting(&mut db, RATE, rate).expect("set");
            let found = Thresholds::read(&mut db).expect("read");
            assert_eq!(found.for_all.len(), 1);
            assert_eq!(found.for_all[0].believes_flag, believes);
            assert!((found.for_all[0].mm_per_hour() - rate.parse::<f64>().expect("a number")).abs() < 1e-9);
        }
    }
}
