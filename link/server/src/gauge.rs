//! How much rain fell between two readings, where that is known.
//!
//! A sensor counts its gauge's pulses from provisioning on, and keeps its count over a reset and over a new key: neither a
//! key over the air nor an image writes where the count is (eeprom.rs). Another sensor in its place has a count of its
//! own. So behind a new key the difference is rain if the sensor is the same. A key over the air proves that. Of an image
//! the operator says it.

use std::collections::BTreeMap;

use crate::db::{Cells, Db, Result, Value};

pub const MM_PER_PULSE: f64 = 0.2;
/// No hour on record had more (World Meteorological Organization, World Weather & Climate Extremes Archive: Holt,
/// Missouri, 1947). What a count rose by beyond it was counted elsewhere.
const MOST_MM_IN_AN_HOUR: f64 = 305.0;
const HOUR_MS: i64 = 3_600_000;

/// Whose gauge a key's sensor counts, in the order of doubt.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Gauge {
    /// That of the key before: the sensor got this key over the air.
    Same,
    /// That of the key before, as the operator says who brought the image.
    Said,
    /// Nobody said: a version before this one made the key.
    Unknown,
    /// Another one.
    Other,
}

impl Gauge {
    /// As the table of keys has it.
    pub fn text(self) -> &'static str {
        match self {
            Gauge::Same => "same",
            Gauge::Said => "said",
            Gauge::Unknown => "unknown",
            Gauge::Other => "other",
        }
    }

    fn of(text: &str) -> Gauge {
        let known = [Gauge::Same, Gauge::Said, Gauge::Other];
        known
            .into_iter()
            .find(|gauge| gauge.text() == text)
            .unwrap_or(Gauge::Unknown)
    }
}

/// A count of pulses, and where it stands.
#[derive(Clone, Copy, Debug)]
pub struct Count {
    pub epoch: i64,
    pub pulses: i64,
    pub time_ms: i64,
}

/// The gauges of one device, by key epoch.
#[derive(Default)]
pub struct Gauges(BTreeMap<i64, Gauge>);

impl Gauges {
    pub fn read(db: &mut Db, device: i64) -> Result<Gauges> {
        let sql = "SELECT epoch, COALESCE(gauge, '') FROM epoch WHERE device = $1";
        let rows = db.query(sql, &[Value::Int(device)])?;
        Ok(Gauges(
            rows.iter().map(|row| (row.int(0), Gauge::of(row.text(1)))).collect(),
        ))
    }

    /// Whether the gauge of a later epoch is that of an earlier one: the greatest doubt in between.
    pub fn since(&self, earlier: i64, later: i64) -> Gauge {
        let changes = (earlier + 1..=later).map(|epoch| self.0.get(&epoch).copied().unwrap_or(Gauge::Unknown));
        changes.max().unwrap_or(Gauge::Same)
    }

    /// The pulses of rain between two counts; nothing if that is not known.
    pub fn fell(&self, before: &Count, after: &Count) -> Option<i64> {
        let fell = after.pulses - before.pulses;
        let hours = ((after.time_ms - before.time_ms).max(1) as u64).div_ceil(HOUR_MS as u64);
        let is_rain = match self.since(before.epoch, after.epoch) {
            Gauge::Same => true,
            Gauge::Said => fell as f64 * MM_PER_PULSE <= MOST_MM_IN_AN_HOUR * hours as f64,
            Gauge::Unknown | Gauge::Other => false,
        };
        // Less than before: the count began anew in between.
        (is_rain && fell >= 0).then_some(fell)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_fell_is_known_if_the_gauge_is() {
        use Gauge::{Other, Said, Same, Unknown};
        let gauges = Gauges([(0, Unknown), (1, Same), (2, Said), (3, Other), (4, Same), (6, Said)].into());
        let at = |epoch: i64, pulses: i64, minute: i64| Count {
            epoch,
            pulses,
            time_ms: minute * 60_000,
        };
        for (before, after, fell) in [
            // One key: whatever the times say.
            (at(0, 10, 0), at(0, 12, 0), Some(2)),
            (at(0, 10, 0), at(0, 9, 1), None),
            (at(3, 0, 5), at(3, 9000, 5), Some(9000)),
            // Over the air, by an image, by one for another sensor, by both, and by a key that nobody told of.
            (at(0, 10, 0), at(1, 15, 1), Some(5)),
            (at(1, 10, 0), at(2, 15, 1), Some(5)),
            (at(1, 10, 0), at(2, 9, 1), None),
            (at(2, 10, 0), at(3, 15, 1), None),
            (at(2, 10, 0), at(4, 15, 1), None),
            (at(3, 10, 0), at(4, 15, 1), Some(5)),
            (at(4, 10, 0), at(6, 15, 1), None),
            // 305 mm in an hour; 0.2 mm more than that is no rain; half an hour more allows it.
            (at(1, 0, 0), at(2, 1525, 60), Some(1525)),
            (at(1, 0, 0), at(2, 1526, 60), None),
            (at(1, 0, 0), at(2, 1526, 90), Some(1526)),
            (at(1, 0, 0), at(2, 1525, 0), Some(1525)),
            (at(1, 0, 9), at(2, 1526, 0), None),
        ] {
            assert_eq!(gauges.fell(&before, &after), fell, "{before:?} {after:?}");
        }
    }
}
