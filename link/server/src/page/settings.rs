//! `/api/settings`: how each sensor works, and what is wanted of it (the tables `device` and `wanted`), as `configure`
//! shows it; for browsers with a session and for programs with a token.

use std::collections::BTreeMap;

use axum::extract::State;
use axum::Json;
use serde_json::{json, Value as Answer};

use super::pool::{Pool, Unavailable};
use crate::db::{Cells, Db, Result, Row};
use crate::regions::Region;

pub async fn settings(State(pool): State<Pool>) -> std::result::Result<Json<Vec<Answer>>, Unavailable> {
    pool.run(read).await.map(Json)
}

/// Values as the sensor has them: `power` 0 to 3, the highest first; `alarm_pulses` 0: the firmware's own 25.
fn read(db: &mut Db) -> Result<Vec<Answer>> {
    let mut wanted: BTreeMap<i64, Vec<Answer>> = BTreeMap::new();
    let sql =
        "SELECT device, setting, value, state, wanted_ms, told, ended_ms FROM wanted ORDER BY device, wanted_ms, \
               setting";
    for row in db.query(sql, &[])? {
        wanted.entry(row.int(0)).or_default().push(json!({
            "setting": row.text(1),
            "value": row.int(2),
            "state": row.text(3),
            "wanted_ms": row.int(4),
            "told": row.int(5),
            "ended_ms": row.optional_int(6),
        }));
    }
    let sql = "SELECT id, period_s, slot, slots, channel, power, alarm_pulses, region, ratchets FROM device WHERE \
               revoked_ms IS NULL ORDER BY id";
    let sensor = |row: Row| {
        json!({
            "device": row.int(0),
            "period_s": row.int(1),
            "slot": row.int(2),
            "slots": row.int(3),
            "channel": row.int(4),
            "power": row.int(5),
            "alarm_pulses": row.int(6),
            "region": Region::from_number(row.int(7)).name(),
            "ratchets": row.int(8) != 0,
            "wanted": wanted.remove(&row.int(0)).unwrap_or_default(),
        })
    };
    Ok(db.query(sql, &[])?.into_iter().map(sensor).collect())
}
