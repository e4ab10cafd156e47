//! How a sensor stands, in the one word that its card, the map and the counts have of it: by the server's clock alone.

use super::overview::Device;
use crate::thresholds::ONLY_LEVEL;

/// A sensor that is not heard for so many of its periods, and so long at least, is silent.
const SILENT_PERIODS_MS: i64 = 6_000;
const SILENT_MS: i64 = 60_000;
/// From this rank on the map has one colour.
const SEVERE: i64 = 3;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    /// Of this rank, 0 the mildest.
    Alarmed(i64),
    Silent,
    Late,
    /// It reports, and its battery is low.
    Low,
    Reporting,
    Never,
    Revoked,
}

impl Standing {
    pub fn of(device: &Device, low_supply_v: f64, now_ms: i64) -> Standing {
        let patience_ms = SILENT_MS.max(device.period_s.saturating_mul(SILENT_PERIODS_MS));
        // A site without a table of levels knows one alarm, and means it.
        let rank = match device.alarm_level.as_deref() {
            Some(ONLY_LEVEL) => Some(SEVERE),
            _ => device.alarm_rank,
        };
        match (rank, device.heard_ms) {
            (Some(rank), _) => Standing::Alarmed(rank),
            _ if device.revoked => Standing::Revoked,
            (None, None) => Standing::Never,
            (None, Some(heard_ms)) if now_ms - heard_ms > patience_ms => Standing::Silent,
            _ if device.late => Standing::Late,
            _ if is_low(device, low_supply_v) => Standing::Low,
            _ => Standing::Reporting,
        }
    }

    pub fn name(self) -> &'static str {
        match self {
            Standing::Alarmed(_) => "alarmed",
            Standing::Silent => "silent",
            Standing::Late => "late",
            Standing::Low => "low",
            Standing::Reporting => "ok",
            Standing::Never => "never",
            Standing::Revoked => "revoked",
        }
    }

    /// Who needs somebody most comes first.
    pub fn urgency(self) -> i64 {
        match self {
            Standing::Alarmed(rank) => -rank,
            Standing::Silent => 1,
            Standing::Late => 2,
            Standing::Low => 3,
            Standing::Reporting => 4,
            Standing::Never => 5,
            Standing::Revoked => 6,
        }
    }

    /// In one letter, for the map.
    pub fn letter(self) -> char {
        match self {
            Standing::Reporting => '0',
            Standing::Low => '1',
            Standing::Late => '2',
            Standing::Silent => '3',
            Standing::Never => '4',
            Standing::Revoked => '5',
            Standing::Alarmed(..1) => '6',
            Standing::Alarmed(1) => '7',
            Standing::Alarmed(2) => '8',
            Standing::Alarmed(_) => '9',
        }
    }
}

pub fn is_low(device: &Device, low_supply_v: f64) -> bool {
    device.supply_v.is_some_and(|supply_v| supply_v < low_supply_v)
}
