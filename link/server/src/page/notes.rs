//! What operators write: names and places of sensors, and notes about sensors and alarms.

use axum::extract::{Extension, Form, Path, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use axum::Json;
use serde::Deserialize;
use serde_json::json;

use super::auth::Visitor;
use super::pool::{Pool, Unavailable};
use crate::db::{Cells, Db, Row, Value};
use crate::log::now_ms;
use crate::places::{self, Place};

const LONGEST_NOTE: usize = 2000;
const SHOWN_NOTES: u32 = 100;

#[derive(Deserialize)]
pub struct Sensor {
    name: String,
    latitude: String,
    longitude: String,
}

#[derive(Deserialize)]
pub struct Written {
    text: String,
}

fn refused(why: &'static str) -> Response {
    (StatusCode::CONFLICT, why).into_response()
}

fn told(done: Result<bool, Unavailable>) -> Response {
    match done {
        Ok(true) => StatusCode::NO_CONTENT.into_response(),
        Ok(false) => StatusCode::NOT_FOUND.into_response(),
        Err(unavailable) => unavailable.into_response(),
    }
}

/// A sensor's name and place; without latitude and longitude it has none.
pub async fn set_sensor(State(pool): State<Pool>, Path(device): Path<u16>, Form(asked): Form<Sensor>) -> Response {
    let name = asked.name.trim().to_owned();
    if let Err(wrong) = places::check_name(&name) {
        return refused(wrong);
    }
    let place = match (asked.latitude.trim(), asked.longitude.trim()) {
        ("", "") => None,
        (latitude, longitude) => match Place::parse(latitude, longitude) {
            Some(place) => Some(place),
            None => return refused("Latitude is from -90 to 90 degrees, longitude from -180 to 180."),
        },
    };
    let set = move |db: &mut Db| {
        db.transaction(|db| {
            let known = places::set_name(db, device.into(), &name)?;
            if known {
                places::set(db, device.into(), place)?;
            }
            Ok(known)
        })
    };
    told(pool.run(set).await)
}

async fn read(pool: &Pool, column: &'static str, of: i64) -> Response {
    let sql =
        format!("SELECT time_ms, account, text FROM note WHERE {column} = $1 ORDER BY number DESC LIMIT {SHOWN_NOTES}");
    let note = |row: &Row| json!({ "time_ms": row.int(0), "account": row.text(1), "text": row.text(2) });
    match pool.run(move |db| db.query(&sql, &[Value::Int(of)])).await {
        Ok(rows) => Json(rows.iter().map(note).collect::<Vec<_>>()).into_response(),
        Err(unavailable) => unavailable.into_response(),
    }
}

async fn write(
    pool: &Pool,
    column: &'static str,
    table: (&str, &str),
    of: i64,
    visitor: Visitor,
    text: String,
) -> Response {
    let text = text.trim().to_owned();
    if text.is_empty() || text.chars().count() > LONGEST_NOTE || text.contains('\0') {
        return refused("A note has 1 to 2000 letters.");
    }
    let known = format!("SELECT 1 FROM {} WHERE {} = $1", table.0, table.1);
    let sql = format!("INSERT INTO note ({column}, time_ms, account, text) VALUES ($1, $2, $3, $4)");
    let add = move |db: &mut Db| {
        if db.query_one(&known, &[Value::Int(of)])?.is_none() {
            return Ok(false);
        }
        let values = [
            Value::Int(of),
            Value::Int(now_ms()),
            Value::Text(visitor.name.clone()),
            Value::Text(text.clone()),
        ];
        db.execute(&sql, &values)?;
        Ok(true)
    };
    told(pool.run(add).await)
}

pub async fn of_sensor(State(pool): State<Pool>, Path(device): Path<u16>) -> Response {
    read(&pool, "device", device.into()).await
}

pub async fn of_alarm(State(pool): State<Pool>, Path(alarm): Path<i64>) -> Response {
    read(&pool, "alarm", alarm).await
}

pub async fn add_to_sensor(
    State(pool): State<Pool>,
    Path(device): Path<u16>,
    Extension(visitor): Extension<Visitor>,
    Form(written): Form<Written>,
) -> Response {
    write(&pool, "device", ("device", "id"), device.into(), visitor, written.text).await
}

pub async fn add_to_alarm(
    State(pool): State<Pool>,
    Path(alarm): Path<i64>,
    Extension(visitor): Extension<Visitor>,
    Form(written): Form<Written>,
) -> Response {
    write(&pool, "alarm", ("alarm", "number"), alarm, visitor, written.text).await
}
