//! What the page shows at once: devices, gateways, alarms, refusals.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::db::{Cells, Db, Result, Row, Value};
use crate::gauge::MM_PER_PULSE;
use crate::hex;
use crate::log::now_ms;
use crate::moments::is_late;
use crate::thresholds::{Threshold, Thresholds};
use crate::window::WINDOW;

const LATEST_NOTICES: u32 = 100;
const LATEST_REFUSALS: u32 = 30;
/// Of what was refused; the command `audit` shows the rest.
const SHOWN_BYTES: usize = 64;
/// Of alarms that are cleared; those that are open are all told, however many.
const LATEST_ALARMS: u32 = 20;

#[derive(Serialize)]
pub struct Overview {
    pub now_ms: i64,
    /// For all sensors that have none of their own, the mildest level first.
    pub thresholds: Vec<Told>,
    pub devices: Vec<Device>,
    pub gateways: Vec<Gateway>,
    pub alarms: Vec<Alarm>,
    pub refusals: Refusals,
    pub notices: Vec<Notice>,
    /// Messages about them that nobody has taken yet.
    pub messages_waiting: i64,
}

/// A threshold as the page tells it.
#[derive(Clone, Serialize, PartialEq)]
pub struct Told {
    pub level: String,
    pub mm: f64,
    pub minutes: i64,
}

impl Told {
    pub fn of(threshold: &Threshold) -> Told {
        Told {
            level: threshold.level.clone(),
            mm: threshold.mm,
            minutes: threshold.window_ms / 60_000,
        }
    }
}

#[derive(Clone, Serialize, PartialEq)]
pub struct Device {
    pub id: i64,
    pub name: String,
    pub period_s: i64,
    pub revoked: bool,
    pub epoch: i64,
    pub suite: i64,
    pub accepted: i64,
    pub counter: Option<i64>,
    /// Of the last counters, up to 64 and since the last boot: how many came, of how many.
    pub came: u32,
    pub of: u32,
    /// When the newest reading was taken, and when it came, by the server's clock.
    pub last_ms: Option<i64>,
    pub heard_ms: Option<i64>,
    /// Whether it came long after it was taken: it is no sign of life.
    pub late: bool,
    /// The sensor's clock in the newest reading, and how far it is ahead of the server's when that came.
    pub clock_s: Option<i64>,
    pub clock_ahead_s: Option<i64>,
    pub rain_mm: Option<f64>,
    pub rain_mm_per_hour: f64,
    /// The highest rate of its open alarm, if it has one: of the severest, if it has several.
    pub alarm_mm_per_hour: Option<f64>,
    pub alarm_level: Option<String>,
    pub alarm_rank: Option<i64>,
    pub temperature_c: Option<f64>,
    pub supply_v: Option<f64>,
    pub flags: i64,
    /// How strongly its newest frame was received, by the gateway that heard it best, if its module tells.
    pub signal_dbm: Option<i64>,
}

#[derive(Serialize, PartialEq)]
pub struct Gateway {
    pub name: String,
    pub revoked: bool,
    pub last_ms: Option<i64>,
    /// When two machines were last noticed to use its certificate.
    pub double_ms: Option<i64>,
    /// How far its clock is ahead of the server's, by its last status; of older daemons that is not known.
    pub clock_ahead_ms: Option<i64>,
    pub status: serde_json::Value,
}

#[derive(Serialize, PartialEq)]
pub struct Alarm {
    pub number: i64,
    pub device: i64,
    pub name: String,
    pub raised_ms: i64,
    pub cleared_ms: Option<i64>,
    pub level: String,
    pub rank: i64,
    pub window_minutes: i64,
    /// In mm/h.
    pub threshold: f64,
    pub peak: f64,
}

/// What people are told of (notify.rs).
#[derive(Serialize, PartialEq)]
pub struct Notice {
    pub number: i64,
    pub kind: String,
    pub headline: String,
    pub detail: String,
    pub since_ms: i64,
    pub ended_ms: Option<i64>,
    pub acknowledged_ms: Option<i64>,
}

#[derive(Serialize, PartialEq)]
pub struct Refusals {
    pub counts: BTreeMap<String, i64>,
    pub latest: Vec<Refusal>,
}

#[derive(Serialize, PartialEq)]
pub struct Refusal {
    pub number: i64,
    pub stored_ms: i64,
    pub gateway: String,
    pub reason: String,
    pub device: Option<i64>,
    pub bytes: String,
}

pub fn read(db: &mut Db) -> Result<Overview> {
    let mut thresholds: Vec<Threshold> = Thresholds::read(db)?.for_all;
    thresholds.sort_by_key(|threshold| (threshold.rank, threshold.window_ms));
    Ok(Overview {
        now_ms: now_ms(),
        thresholds: thresholds.iter().map(Told::of).collect(),
        devices: devices(db)?,
        gateways: gateways(db)?,
        alarms: alarms(db)?,
        refusals: refusals(db)?,
        notices: notices(db)?,
        messages_waiting: db
            .query("SELECT COUNT(*) FROM message", &[])?
            .first()
            .map_or(0, |row| row.int(0)),
    })
}

pub fn devices(db: &mut Db) -> Result<Vec<Device>> {
    let rows = db.query(
        "SELECT d.id, d.name, d.period_s, d.revoked_ms, e.epoch, e.suite, e.accepted, e.highest, e.seen, e.base, \
         e.time_ms, \
         e.device_time_s, e.rain_pulses, e.temperature_mc, e.supply_mv, e.flags, r.mm_per_hour, e.heard_ms, \
         a.peak_mm_per_hour, a.level, a.rank, \
         (SELECT s.dbm FROM signal_newest s WHERE s.device = d.id ORDER BY s.stored_ms DESC, s.dbm DESC LIMIT 1) \
         FROM device d JOIN epoch e ON e.device = d.id LEFT JOIN rain r ON r.device = d.id \
         LEFT JOIN alarm a ON a.device = d.id AND a.cleared_ms IS NULL AND NOT EXISTS \
         (SELECT 1 FROM alarm b WHERE b.device = a.device AND b.cleared_ms IS NULL AND \
         (b.rank > a.rank OR (b.rank = a.rank AND b.number > a.number))) ORDER BY d.id, e.epoch",
        &[],
    )?;
    let mut found: Vec<Device> = Vec::with_capacity(rows.len());
    for row in &rows {
        let device = device(row);
        match found.last_mut() {
            // Until the first frame under a new key comes, the older one's state is the device's.
            Some(before) if before.id == device.id => {
                if device.accepted > 0 {
                    *before = device;
                }
            }
            _ => found.push(device),
        }
    }
    Ok(found)
}

fn optional_real(row: &Row, at: usize) -> Option<f64> {
    match row.get(at) {
        Some(Value::Real(value)) => Some(*value),
        Some(Value::Int(value)) => Some(*value as f64),
        _ => None,
    }
}

fn real(row: &Row, at: usize) -> f64 {
    optional_real(row, at).unwrap_or(0.0)
}

fn device(row: &Row) -> Device {
    let counter = row.optional_int(7);
    let sent = counter.map_or(0, |highest| (highest - row.int(9) + 1).clamp(1, WINDOW.into()));
    let of = u32::try_from(sent).unwrap_or(WINDOW);
    let heard_ms = row.optional_int(17);
    let clock_s = row.optional_int(11).filter(|clock_s| *clock_s != 0);
    let mask = if of >= 64 { u64::MAX } else { (1u64 << of) - 1 };
    Device {
        id: row.int(0),
        name: row.text(1).to_owned(),
        period_s: row.int(2),
        revoked: row.optional_int(3).is_some(),
        epoch: row.int(4),
        suite: row.int(5),
        accepted: row.int(6),
        counter,
        came: (row.int(8) as u64 & mask).count_ones(),
        of,
        last_ms: row.optional_int(10),
        heard_ms,
        late: row
            .optional_int(10)
            .zip(heard_ms)
            .is_some_and(|(time_ms, heard_ms)| is_late(time_ms, heard_ms, row.int(2))),
        clock_s,
        clock_ahead_s: clock_s
            .zip(heard_ms)
            .map(|(clock_s, heard_ms)| clock_s - heard_ms / 1000),
        rain_mm: row.optional_int(12).map(|pulses| pulses as f64 * MM_PER_PULSE),
        rain_mm_per_hour: real(row, 16),
        alarm_mm_per_hour: optional_real(row, 18),
        alarm_level: row.optional_int(20).map(|_| row.text(19).to_owned()),
        alarm_rank: row.optional_int(20),
        temperature_c: row.optional_int(13).map(|thousandths| thousandths as f64 / 1000.0),
        supply_v: row.optional_int(14).map(|millivolt| millivolt as f64 / 1000.0),
        flags: row.int(15),
        signal_dbm: row.optional_int(21),
    }
}

pub fn gateways(db: &mut Db) -> Result<Vec<Gateway>> {
    let rows = db.query(
        "SELECT g.name, g.revoked_ms, g.last_seen_ms, g.status, d.noticed_ms, g.status_ms \
         FROM gateway g LEFT JOIN double_use d ON d.gateway = g.name ORDER BY g.name",
        &[],
    )?;
    let gateway = |row: &Row| {
        let status: serde_json::Value = serde_json::from_str(row.text(3)).unwrap_or(serde_json::Value::Null);
        let its_ms = status["unix_ms"].as_i64();
        Gateway {
            name: row.text(0).to_owned(),
            revoked: row.optional_int(1).is_some(),
            last_ms: row.optional_int(2),
            double_ms: row.optional_int(4),
            clock_ahead_ms: its_ms
                .zip(row.optional_int(5))
                .map(|(its_ms, ours_ms)| its_ms.saturating_sub(ours_ms)),
            status,
        }
    };
    Ok(rows.iter().map(gateway).collect())
}

/// All that are open, the severest level and the hardest rain first, then the newest that are cleared.
pub fn alarms(db: &mut Db) -> Result<Vec<Alarm>> {
    let rows = db.query(
        &format!(
            "SELECT a.number, a.device, d.name, a.raised_ms, a.cleared_ms, a.threshold_mm_per_hour, a.peak_mm_per_hour, \
             a.level, a.rank, a.window_ms \
             FROM alarm a LEFT JOIN device d ON d.id = a.device WHERE a.cleared_ms IS NULL \
             OR a.number IN (SELECT number FROM alarm WHERE cleared_ms IS NOT NULL ORDER BY number DESC LIMIT \
             {LATEST_ALARMS}) \
             ORDER BY CASE WHEN a.cleared_ms IS NULL THEN 0 ELSE 1 END, \
             CASE WHEN a.cleared_ms IS NULL THEN a.rank ELSE 0 END DESC, \
             CASE WHEN a.cleared_ms IS NULL THEN a.peak_mm_per_hour ELSE 0 END DESC, a.number DESC"
        ),
        &[],
    )?;
    let alarm = |row: &Row| Alarm {
        number: row.int(0),
        device: row.int(1),
        name: row.text(2).to_owned(),
        raised_ms: row.int(3),
        cleared_ms: row.optional_int(4),
        level: row.text(7).to_owned(),
        rank: row.int(8),
        window_minutes: row.int(9) / 60_000,
        threshold: real(row, 5),
        peak: real(row, 6),
    };
    Ok(rows.iter().map(alarm).collect())
}

/// What goes on and nobody has taken note of first, then what goes on, then the newest of the rest.
pub fn notices(db: &mut Db) -> Result<Vec<Notice>> {
    let rows = db.query(
        &format!(
            "SELECT number, kind, headline, detail, since_ms, ended_ms, acknowledged_ms FROM notice \
             ORDER BY CASE WHEN ended_ms IS NOT NULL THEN 2 WHEN acknowledged_ms IS NOT NULL THEN 1 ELSE 0 END, \
             rank DESC, number DESC LIMIT {LATEST_NOTICES}"
        ),
        &[],
    )?;
    let notice = |row: &Row| Notice {
        number: row.int(0),
        kind: row.text(1).to_owned(),
        headline: row.text(2).to_owned(),
        detail: row.text(3).to_owned(),
        since_ms: row.int(4),
        ended_ms: row.optional_int(5),
        acknowledged_ms: row.optional_int(6),
    };
    Ok(rows.iter().map(notice).collect())
}

/// Notes that somebody has taken note.
pub fn acknowledge(db: &mut Db, number: i64, now_ms: i64) -> Result<bool> {
    let sql = "UPDATE notice SET acknowledged_ms = COALESCE(acknowledged_ms, $1) WHERE number = $2";
    Ok(db.execute(sql, &[Value::Int(now_ms), Value::Int(number)])? == 1)
}

pub fn refusals(db: &mut Db) -> Result<Refusals> {
    let counts = db.query("SELECT reason, count FROM refusal_count", &[])?;
    let rows = db.query(
        &format!(
            "SELECT number, stored_ms, gateway, reason, device, bytes FROM refusal ORDER BY number DESC LIMIT \
                  {LATEST_REFUSALS}"
        ),
        &[],
    )?;
    let refusal = |row: &Row| Refusal {
        number: row.int(0),
        stored_ms: row.int(1),
        gateway: row.text(2).to_owned(),
        reason: row.text(3).to_owned(),
        device: row.optional_int(4),
        bytes: hex::encode(&row.bytes(5)[..row.bytes(5).len().min(SHOWN_BYTES)]),
    };
    Ok(Refusals {
        counts: counts.iter().map(|row| (row.text(0).to_owned(), row.int(1))).collect(),
        latest: rows.iter().map(refusal).collect(),
    })
}
