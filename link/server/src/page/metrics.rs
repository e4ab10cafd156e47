//! For programs that watch the site: `/metrics` in the text format of Prometheus (version 0.0.4), and `/health`.
//!
//! Both have no password, so they are served on loopback only, at an address of their own. They tell counts, names and
//! the last values; they take nothing.

use std::fmt::{Display, Write};
use std::net::SocketAddr;
use std::sync::atomic::Ordering;
use std::sync::Arc;

use axum::extract::State;
use axum::http::{header, StatusCode};
use axum::middleware;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use axum::{Json, Router};
use serde_json::json;
use tokio::net::TcpListener;

use super::host::{self, Names};
use super::listener::Sockets;
use super::overview::{self, Overview};
use super::pool::{Pool, Unavailable};
use crate::error::{Result, UserError};
use crate::health::Health;
use crate::log::log;
use crate::site::Site;

#[derive(Clone)]
struct Watched {
    pool: Pool,
    health: Arc<Health>,
}

/// Begins to serve at this address.
pub async fn serve(site: &Site, database: &str, address: &str, health: Arc<Health>) -> Result<()> {
    let wrong = || {
        UserError(format!(
            "--metrics {address}: a loopback address and a port, such as 127.0.0.1:9464."
        ))
    };
    let address: SocketAddr = address.parse().map_err(|_| wrong())?;
    if !address.ip().is_loopback() {
        return Err(wrong());
    }
    let busy = |error| {
        UserError(format!(
            "The metrics cannot listen on {address}: {error}; choose another address."
        ))
    };
    let socket = TcpListener::bind(address).await.map_err(busy)?;
    let bound = socket.local_addr().map_err(busy)?;
    let names = Arc::new(Names::new(&site.path("server"), &[])?);
    let watched = Watched {
        pool: Pool::new(database),
        health,
    };
    let router = Router::new()
        .route("/metrics", get(metrics))
        .route("/health", get(tell_health))
        .layer(middleware::from_fn(super::limit))
        .layer(middleware::from_fn_with_state(names, host::require))
        .with_state(watched);
    log(&format!("metrics at http://{bound}/metrics"));
    tokio::spawn(Sockets::plain(socket).serve(router));
    Ok(())
}

/// 200 while readings can come in and be stored, else 503; and what works.
async fn tell_health(State(watched): State<Watched>) -> Response {
    let broker = watched.health.broker.load(Ordering::Relaxed);
    let stores = watched.health.stores.load(Ordering::Relaxed);
    let database = watched.pool.run(|db| db.query("SELECT 1", &[])).await.is_ok();
    let status = if broker && stores && database {
        StatusCode::OK
    } else {
        StatusCode::SERVICE_UNAVAILABLE
    };
    let told = json!({ "broker": broker, "stores": stores, "database": database });
    (status, Json(told)).into_response()
}

async fn metrics(State(watched): State<Watched>) -> std::result::Result<Response, Unavailable> {
    let found = watched.pool.run(overview::read).await?;
    let mut text = of(&found);
    for (name, works) in [("broker", &watched.health.broker), ("stores", &watched.health.stores)] {
        let help = "Whether this part of the server works.";
        let rows = [(vec![("part", name)], u8::from(works.load(Ordering::Relaxed)))];
        let first = name == "broker";
        family(&mut text, "link_works", "gauge", if first { help } else { "" }, rows);
    }
    let kind = [(header::CONTENT_TYPE, "text/plain; version=0.0.4; charset=utf-8")];
    Ok((kind, text).into_response())
}

fn of(found: &Overview) -> String {
    let mut text = String::new();
    let accepted: i64 = found.devices.iter().map(|device| device.accepted).sum();
    let open = found.alarms.iter().filter(|alarm| alarm.cleared_ms.is_none()).count();
    let help = "Frames accepted under the present keys.";
    family(&mut text, "link_readings_total", "counter", help, [(vec![], accepted)]);
    let refusals = found.refusals.counts.iter();
    let refusals = refusals.map(|(reason, count)| (vec![("reason", reason.as_str())], *count));
    let help = "What was refused, by reason.";
    family(&mut text, "link_refusals_total", "counter", help, refusals);
    family(
        &mut text,
        "link_alarms_open",
        "gauge",
        "Rain alarms that are open.",
        [(vec![], open)],
    );

    let mut kinds: std::collections::BTreeMap<&str, u32> = std::collections::BTreeMap::new();
    for notice in found.notices.iter().filter(|notice| notice.ended_ms.is_none()) {
        *kinds.entry(&notice.kind).or_default() += 1;
    }
    let rows = kinds.iter().map(|(kind, count)| (vec![("kind", *kind)], *count));
    let help = "What goes on that people are told of, by kind; 100 in all at most.";
    family(&mut text, "link_notices_open", "gauge", help, rows);
    let rows = [(vec![], found.messages_waiting)];
    let help = "Messages that a webhook or a mail server has not taken yet.";
    family(&mut text, "link_messages_waiting", "gauge", help, rows);

    let ids: Vec<String> = found.devices.iter().map(|device| device.id.to_string()).collect();
    let mut sensors = |name: &str, help: &str, value: &dyn Fn(&overview::Device) -> Option<f64>| {
        let devices = found.devices.iter().zip(&ids).filter(|(device, _)| !device.revoked);
        let rows = devices.filter_map(|(device, id)| {
            let labels = vec![("device", id.as_str()), ("name", device.name.as_str())];
            Some((labels, value(device)?))
        });
        family(&mut text, name, "gauge", help, rows);
    };
    let age_s = |time_ms: i64| (found.now_ms - time_ms) as f64 / 1000.0;
    let help = "Seconds since the sensor was heard, by the server's clock.";
    sensors("link_sensor_heard_seconds", help, &|device| device.heard_ms.map(age_s));
    let help = "1 if its last reading came long after it was taken.";
    sensors("link_sensor_late", help, &|device| {
        Some(f64::from(u8::from(device.late)))
    });
    sensors("link_sensor_supply_volts", "Supply in the last reading.", &|device| {
        device.supply_v
    });
    sensors(
        "link_sensor_temperature_celsius",
        "Temperature in the last reading.",
        &|device| device.temperature_c,
    );
    let help = "How strongly its newest frame was received, by the gateway that heard it best.";
    sensors("link_sensor_signal_dbm", help, &|device| {
        device.signal_dbm.map(|dbm| dbm as f64)
    });
    sensors("link_sensor_rain_mm_per_hour", "Rain at the last reading.", &|device| {
        Some(device.rain_mm_per_hour)
    });
    sensors("link_sensor_rain_alarm", "1 if its rain alarm is open.", &|device| {
        Some(f64::from(u8::from(device.alarm_mm_per_hour.is_some())))
    });

    let mut gateways = |name: &str, help: &str, value: &dyn Fn(&overview::Gateway) -> Option<f64>| {
        let known = found.gateways.iter().filter(|gateway| !gateway.revoked);
        let rows = known.filter_map(|gateway| Some((vec![("gateway", gateway.name.as_str())], value(gateway)?)));
        family(&mut text, name, "gauge", help, rows);
    };
    let help = "Seconds since the gateway was heard, by the server's clock.";
    gateways("link_gateway_heard_seconds", help, &|gateway| {
        gateway.last_ms.map(age_s)
    });
    gateways(
        "link_gateway_outbox_rows",
        "Bursts that wait in its outbox.",
        &|gateway| gateway.status["outbox"]["rows"].as_f64(),
    );
    text
}

/// Writes the lines of one metric; the first time with what it means.
fn family<'a, V: Display>(
    text: &mut String,
    name: &str,
    kind: &str,
    help: &str,
    rows: impl IntoIterator<Item = (Vec<(&'a str, &'a str)>, V)>,
) {
    // Writing to a String cannot fail.
    if !help.is_empty() {
        let _ = writeln!(text, "# HELP {name} {help}\n# TYPE {name} {kind}");
    }
    for (labels, value) in rows {
        let labels: Vec<String> = labels
            .iter()
            .map(|(label, value)| format!("{label}=\"{}\"", escaped(value)))
            .collect();
        let _ = match labels.is_empty() {
            true => writeln!(text, "{name} {value}"),
            false => writeln!(text, "{name}{{{}}} {value}", labels.join(",")),
        };
    }
}

/// The value of a label ("Text-based format", line format).
fn escaped(value: &str) -> String {
    value.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_a_person_gave_stay_inside_their_quotes() {
        let mut text = String::new();
        let name = "the \"upper\" \\ weir\n# TYPE evil counter";
        family(&mut text, "link_x", "gauge", "Help.", [(vec![("name", name)], 1)]);
        assert_eq!(
            text,
            "# HELP link_x Help.\n# TYPE link_x gauge\n\
             link_x{name=\"the \\\"upper\\\" \\\\ weir\\n# TYPE evil counter\"} 1\n"
        );
    }
}
