//! What somebody should be told of: alarms, sensors and gateways that are silent, low batteries, certificates that end,
//! a disk that fills.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};

use x509_parser::parse_x509_certificate;

use crate::broker::{is_server, SERVER_NAME};
use crate::db::{Cells, Db, Result, Value};
use crate::log::utc;
use crate::moments::late_after_ms;
use crate::notify_settings::Notify;
use crate::thresholds::ONLY_LEVEL;
use crate::tls;

const GATEWAY_SILENT_MS: i64 = 300_000;
/// A battery or a disk that was told of is well again only so far above its limit.
const WELL_ABOVE_V: f64 = 0.1;
const WELL_ABOVE_MB: u64 = 100;
const MS_PER_DAY: i64 = 86_400_000;
const HOUR_MS: f64 = 3_600_000.0;

/// One thing that is so now. While its key is told, it goes on.
#[derive(Clone, Debug, PartialEq)]
pub struct Condition {
    /// The same for as long as it lasts, and for no other: `alarm 12`.
    pub key: String,
    pub kind: &'static str,
    /// Of an alarm: its level's place, 0 the mildest.
    pub rank: i64,
    /// Where it is: the sensor's, gateway's or file's name.
    pub place: String,
    pub headline: String,
    pub detail: String,
    pub since_ms: i64,
    /// It began and ended between two looks.
    pub is_over: bool,
}

/// The machine of a server: only that one sees its disk and its certificates.
pub struct Machine<'a> {
    pub server: &'a str,
    /// The site's folder.
    pub folder: &'a Path,
}

/// What is told and not over yet, by key.
pub type Open = HashMap<String, i64>;

/// All of them, by the server's clock and its machine. `after_alarm`: alarms up to this number are told already, unless
/// they are open.
pub fn read(
    db: &mut Db,
    machine: &Machine<'_>,
    settings: &Notify,
    open: &Open,
    after_alarm: i64,
    now_ms: i64,
) -> Result<Vec<Condition>> {
    let mut found = alarms(db, after_alarm)?;
    found.extend(sensors(db, settings, open, now_ms)?);
    found.extend(gateways(db, now_ms)?);
    found.extend(certificates(machine, settings, now_ms));
    found.extend(disk(machine, settings, open, now_ms));
    Ok(found)
}

/// The other server of whose machine this is, if it is.
pub fn other_server<'a>(key: &'a str, server: &str) -> Option<&'a str> {
    let mut words = key.split(' ');
    let is_local = matches!(words.next(), Some("certificate" | "disk"));
    // Keys of versions before this one name no server.
    let name = words.next().filter(|name| is_local && is_server(name));
    name.filter(|name| *name != server)
}

fn real(value: Option<&Value>) -> f64 {
    match value {
        Some(Value::Real(value)) => *value,
        _ => 0.0,
    }
}

fn alarms(db: &mut Db, after: i64) -> Result<Vec<Condition>> {
    let rows = db.query(
        "SELECT a.number, a.level, a.rank, a.window_ms, a.raised_ms, a.threshold_mm_per_hour, a.peak_mm_per_hour, \
         d.name, a.device, a.cleared_ms FROM alarm a LEFT JOIN device d ON d.id = a.device \
         WHERE a.cleared_ms IS NULL OR a.number > $1 ORDER BY a.number",
        &[Value::Int(after)],
    )?;
    let condition = |row: &crate::db::Row| {
        let (hours, rate) = (row.int(3) as f64 / HOUR_MS, |at| real(row.get(at)));
        let told = |mm_per_hour: f64| match hours < 1.0 {
            true => format!("{mm_per_hour:.0} mm/h"),
            false => format!("{:.0} mm in {hours:.0} h", mm_per_hour * hours),
        };
        let what = match row.text(1) {
            ONLY_LEVEL => "Rain alarm".to_owned(),
            level => format!("Rain: {level}"),
        };
        Condition {
            key: format!("alarm {}", row.int(0)),
            kind: "alarm",
            rank: row.int(2),
            place: row.text(7).to_owned(),
            headline: format!("{what}: {}", row.text(7)),
            detail: format!(
                "Sensor {}: {} and more since {}; the threshold is {}.",
                row.int(8),
                told(rate(6)),
                utc(row.int(4)),
                told(rate(5))
            ),
            since_ms: row.int(4),
            is_over: row.optional_int(9).is_some(),
        }
    };
    Ok(rows.iter().map(condition).collect())
}

/// Silent ones, and low batteries.
fn sensors(db: &mut Db, settings: &Notify, open: &Open, now_ms: i64) -> Result<Vec<Condition>> {
    let rows = db.query(
        "SELECT d.id, d.name, d.period_s, e.heard_ms, e.supply_mv FROM device d JOIN epoch e ON e.device = d.id \
         WHERE d.revoked_ms IS NULL AND e.heard_ms IS NOT NULL AND e.epoch = \
         (SELECT MAX(n.epoch) FROM epoch n WHERE n.device = d.id AND n.heard_ms IS NOT NULL) ORDER BY d.id",
        &[],
    )?;
    let mut found = Vec::new();
    for row in &rows {
        let (id, name, heard_ms) = (row.int(0), row.text(1), row.int(3));
        let plain = |kind: &'static str, word: &str, detail: String| Condition {
            key: format!("{kind} {id}"),
            kind,
            rank: 0,
            place: name.to_owned(),
            headline: format!("{word}: {name}"),
            detail,
            since_ms: heard_ms,
            is_over: false,
        };
        if now_ms - heard_ms > late_after_ms(row.int(2)) {
            found.push(plain(
                "silent sensor",
                "Sensor silent",
                format!("Last heard {}.", utc(heard_ms)),
            ));
        }
        let supply_v = row.optional_int(4).map(|supply_mv| supply_mv as f64 / 1000.0);
        // It is well again only some way above, or each reading of a battery at the limit would be a message.
        let is_open = open.contains_key(&format!("low battery {id}"));
        let limit_v = settings.low_supply_v + if is_open { WELL_ABOVE_V } else { 0.0 };
        if let Some(supply_v) = supply_v.filter(|supply_v| *supply_v < limit_v) {
            found.push(plain(
                "low battery",
                "Battery low",
                format!("{supply_v:.2} V at {}.", utc(heard_ms)),
            ));
        }
    }
    Ok(found)
}

fn gateways(db: &mut Db, now_ms: i64) -> Result<Vec<Condition>> {
    let sql = "SELECT name, last_seen_ms FROM gateway WHERE revoked_ms IS NULL AND last_seen_ms < $1 ORDER BY name";
    let rows = db.query(sql, &[Value::Int(now_ms - GATEWAY_SILENT_MS)])?;
    let condition = |row: &crate::db::Row| Condition {
        key: format!("silent gateway {}", row.text(0)),
        kind: "silent gateway",
        rank: 0,
        place: row.text(0).to_owned(),
        headline: format!("Gateway silent: {}", row.text(0)),
        detail: format!("Last heard {}.", utc(row.int(1))),
        since_ms: row.int(1),
        is_over: false,
    };
    Ok(rows.iter().map(condition).collect())
}

/// Those of the site's folder that are on this machine.
fn certificates(machine: &Machine<'_>, settings: &Notify, now_ms: i64) -> Vec<Condition> {
    let folder = machine.folder;
    let mut rooms = vec![folder.join("server"), folder.join("broker")];
    rooms.extend(entries(&folder.join("gateways")));
    let files = rooms.iter().flat_map(|room| entries(room));
    let mut files: Vec<PathBuf> = files
        .filter(|file| file.extension().is_some_and(|end| end == "crt"))
        .collect();
    files.sort();
    let condition = |file: PathBuf| {
        let chain = tls::certificates(&file).ok()?;
        let (_, certificate) = parse_x509_certificate(chain.first()?).ok()?;
        let ends_ms = certificate.validity().not_after.timestamp().saturating_mul(1000);
        let name = file.strip_prefix(folder).unwrap_or(&file).display().to_string();
        (ends_ms - now_ms < settings.certificate_days * MS_PER_DAY).then(|| Condition {
            key: format!("certificate {} {name} {ends_ms}", machine.server),
            kind: "certificate",
            rank: 0,
            headline: format!("Certificate ends: {name}"),
            place: name,
            detail: format!("It ends on {}; provision --renew issues a new one.", utc(ends_ms)),
            since_ms: now_ms,
            is_over: false,
        })
    };
    files.into_iter().filter_map(condition).collect()
}

fn entries(folder: &Path) -> Vec<PathBuf> {
    let found = fs::read_dir(folder).into_iter().flatten().flatten();
    found.map(|entry| entry.path()).collect()
}

fn disk(machine: &Machine<'_>, settings: &Notify, open: &Open, now_ms: i64) -> Option<Condition> {
    let disk = rustix::fs::statvfs(machine.folder).ok()?;
    let free_mb = disk.f_bavail.saturating_mul(disk.f_frsize) >> 20;
    let key = format!("disk {} {}", machine.server, machine.folder.display());
    let well_above_mb = if open.contains_key(&key) { WELL_ABOVE_MB } else { 0 };
    let place = match machine.server {
        SERVER_NAME => machine.folder.display().to_string(),
        server => format!("{} ({server})", machine.folder.display()),
    };
    (free_mb < settings.free_disk_mb.saturating_add(well_above_mb)).then(|| Condition {
        key,
        kind: "disk",
        rank: 0,
        headline: "Disk nearly full".to_owned(),
        detail: format!("{free_mb} MB are free below {place}."),
        place,
        since_ms: now_ms,
        is_over: false,
    })
}

#[cfg(test)]
#[path = "conditions_tests.rs"]
mod tests;
