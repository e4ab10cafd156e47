//! What devices are to be told (the table `wanted`), and what became of it.

use crate::db::{Cells, Db, Result, Row, Value};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Setting {
    /// Seconds.
    Period,
    /// Slots in the cycle (high eight bits) and the device's slot (low eight bits).
    Slot,
    /// Pulses of rain in ten minutes that raise the sensor's own flag.
    Alarm,
    /// 0 to 3, the highest first.
    Power,
    Channel,
    /// The clock, however far off it is.
    Clock,
    /// A key epoch.
    Key,
}

/// In the order in which they are told.
pub const SETTINGS: [Setting; 7] = [
    Setting::Period,
    Setting::Slot,
    Setting::Alarm,
    Setting::Power,
    Setting::Channel,
    Setting::Clock,
    Setting::Key,
];

impl Setting {
    pub fn name(self) -> &'static str {
        match self {
            Setting::Period => "period",
            Setting::Slot => "slot",
            Setting::Alarm => "alarm",
            Setting::Power => "power",
            Setting::Channel => "channel",
            Setting::Clock => "clock",
            Setting::Key => "key",
        }
    }

    /// Number and value of an order's setting; nothing if orders say it otherwise.
    pub fn on_air(self, value: i64) -> Option<(u8, u16)> {
        let number = match self {
            Setting::Period => link_wire::air::SETTING_PERIOD,
            Setting::Slot => link_wire::air::SETTING_SLOT,
            Setting::Alarm => link_wire::air::SETTING_ALARM,
            Setting::Power => link_wire::air::SETTING_POWER,
            Setting::Channel => link_wire::air::SETTING_CHANNEL,
            Setting::Clock | Setting::Key => return None,
        };
        Some((number, u16::try_from(value).ok()?))
    }
}

const OLD_KEY_MS: i64 = 7 * 86_400_000;

/// What is to be told.
#[derive(Clone, Debug)]
pub struct Want {
    pub setting: Setting,
    pub value: i64,
    pub told: i64,
    /// The lowest eight bits of the last four orders that told it, eight bits each; an order's is never 0.
    pub receipts: i64,
}

impl Want {
    /// Whether this receipt is of an order that told it.
    pub fn is_received(&self, receipt: i64) -> bool {
        receipt != 0 && (0..4).any(|at| self.receipts >> (8 * at) & 0xff == receipt)
    }
}

/// What is still to be told to a device.
pub fn open(db: &mut Db, device: u16) -> Result<Vec<Want>> {
    let sql = "SELECT setting, value, told, receipts FROM wanted WHERE device = $1 AND state = 'wanted'";
    let rows = db.query(sql, &[Value::Int(device.into())])?;
    let of = |row: &Row, setting: Setting| {
        (row.text(0) == setting.name()).then(|| Want {
            setting,
            value: row.int(1),
            told: row.int(2),
            receipts: row.int(3),
        })
    };
    let in_order = SETTINGS
        .iter()
        .flat_map(|setting| rows.iter().filter_map(|row| of(row, *setting)));
    Ok(in_order.collect())
}

/// Wants a setting, instead of what was wanted of it before.
pub fn want(db: &mut Db, device: u16, setting: Setting, value: i64, now_ms: i64) -> Result<()> {
    let values = [
        Value::Int(device.into()),
        Value::Text(setting.name().to_owned()),
        Value::Int(value),
        Value::Int(now_ms),
    ];
    db.execute(
        "INSERT INTO wanted (device, setting, value, state, wanted_ms) VALUES ($1, $2, $3, 'wanted', $4) \
         ON CONFLICT (device, setting) DO UPDATE SET value = excluded.value, state = 'wanted', \
         wanted_ms = excluded.wanted_ms, told = 0, receipts = 0, ended_ms = NULL",
        &values,
    )?;
    Ok(())
}

/// Forgets what is wanted and not yet confirmed, all but keys: a key that was told may be in use.
pub fn cancel(db: &mut Db, device: u16) -> Result<u64> {
    db.execute(
        "DELETE FROM wanted WHERE device = $1 AND state = 'wanted' AND setting <> 'key'",
        &[Value::Int(device.into())],
    )
}

/// Notes that an order with this number tells it. The sensor's receipt comes two frames later, when it may have been told
/// again.
pub fn tell(db: &mut Db, device: u16, want: &Want, number: i64) -> Result<()> {
    let values = [
        Value::Int((want.receipts << 8 | number & 0xff) & 0xffff_ffff),
        Value::Int(device.into()),
        Value::Text(want.setting.name().to_owned()),
    ];
    db.execute(
        "UPDATE wanted SET receipts = $1, told = told + 1 WHERE device = $2 AND setting = $3 AND state = 'wanted'",
        &values,
    )?;
    Ok(())
}

/// Ends a want: done, and then the device is so, or refused. Another server may have ended it, or an operator changed it.
pub fn end(db: &mut Db, device: u16, want: &Want, done: bool, now_ms: i64) -> Result<()> {
    let device = Value::Int(device.into());
    let values = [
        Value::Text(if done { "confirmed" } else { "refused" }.to_owned()),
        Value::Int(now_ms),
        device.clone(),
        Value::Text(want.setting.name().to_owned()),
        Value::Int(want.value),
    ];
    let ended = db.execute(
        "UPDATE wanted SET state = $1, ended_ms = $2 WHERE device = $3 AND setting = $4 AND value = $5 AND state = \
         'wanted'",
        &values,
    )?;
    if ended == 0 || !done {
        return Ok(());
    }
    let value = Value::Int(want.value);
    let (sql, values) = match want.setting {
        Setting::Period => ("UPDATE device SET period_s = $1 WHERE id = $2", vec![value, device]),
        Setting::Slot => (
            "UPDATE device SET slots = $1, slot = $2 WHERE id = $3",
            vec![Value::Int(want.value >> 8), Value::Int(want.value & 0xff), device],
        ),
        Setting::Alarm => ("UPDATE device SET alarm_pulses = $1 WHERE id = $2", vec![value, device]),
        Setting::Power => ("UPDATE device SET power = $1 WHERE id = $2", vec![value, device]),
        Setting::Channel => ("UPDATE device SET channel = $1 WHERE id = $2", vec![value, device]),
        // Frames under the old key may still be on their way, for a week.
        Setting::Key => (
            "UPDATE epoch SET retires_ms = $1 WHERE device = $2 AND epoch < $3 AND retires_ms IS NULL",
            vec![Value::Int(now_ms + OLD_KEY_MS), device, value],
        ),
        Setting::Clock => return Ok(()),
    };
    db.execute(sql, &values)?;
    Ok(())
}
