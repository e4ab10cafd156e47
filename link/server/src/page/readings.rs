//! `/api/readings`: the readings of any period, as the command `export` writes them; for a browser with a session and
//! for programs with a token.

use std::io;
use std::sync::Arc;

use axum::body::Body;
use axum::extract::{Query, State};
use axum::http::{header, StatusCode};
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use futures_util::stream;
use serde::Deserialize;
use tokio::sync::Semaphore;

use super::pool::Pool;
use crate::export::{Export, Format, Wanted};

/// Downloads at once: each has a group of rows in memory, and lasts as long as its reader likes.
const MOST_AT_ONCE: usize = 32;
const RETRY_S: u64 = 10;

/// Places of those who download.
#[derive(Clone)]
pub struct Readers(Arc<Semaphore>);

impl Default for Readers {
    fn default() -> Self {
        Readers(Arc::new(Semaphore::new(MOST_AT_ONCE)))
    }
}

#[derive(Deserialize)]
pub struct Asked {
    device: Option<u16>,
    from: Option<String>,
    to: Option<String>,
    format: Option<String>,
}

pub async fn readings(
    State(pool): State<Pool>,
    State(Readers(readers)): State<Readers>,
    Query(asked): Query<Asked>,
) -> Response {
    let (format, kind) = match asked.format.as_deref() {
        None | Some("csv") => (Format::Csv, "text/csv; charset=utf-8"),
        Some("jsonl") => (Format::Jsonl, "application/x-ndjson"),
        Some("influx") => (Format::Influx, "text/plain; charset=utf-8"),
        Some("parquet") => (Format::Parquet, "application/vnd.apache.parquet"),
        Some(_) => return (StatusCode::BAD_REQUEST, "format: csv, jsonl, influx or parquet.").into_response(),
    };
    let devices: Vec<u16> = asked.device.into_iter().collect();
    // A field of a form that nobody filled in is empty.
    let filled = |text: &Option<String>| text.clone().filter(|text| !text.is_empty());
    let (from, to) = (filled(&asked.from), filled(&asked.to));
    let wanted = match Wanted::new(&devices, from.as_deref(), to.as_deref(), format) {
        Ok(wanted) => wanted,
        Err(wrong) => return (StatusCode::BAD_REQUEST, wrong.0).into_response(),
    };
    let Ok(place) = readers.try_acquire_owned() else {
        let retry = [(header::RETRY_AFTER, RETRY_S.to_string())];
        return (
            StatusCode::SERVICE_UNAVAILABLE,
            retry,
            "Too many download readings at once.",
        )
            .into_response();
    };
    // A turn at the database for each piece, and none while the reader takes it: who reads slowly holds nobody up.
    let pieces = stream::unfold(Some((Export::new(wanted), pool, place)), |rest| async move {
        let (mut export, pool, place) = rest?;
        let read = pool.run(move |db| Ok((export.piece(db)?, export)));
        match read.await {
            Ok((Some(piece), export)) => Some((Ok(Bytes::from(piece)), Some((export, pool, place)))),
            Ok((None, _)) => None,
            // The connection breaks, so that nobody takes the part for the whole.
            Err(_) => Some((Err(io::Error::other("the database does not answer")), None)),
        }
    });
    let name = format!(
        "attachment; filename=\"readings.{}\"",
        asked.format.as_deref().unwrap_or("csv")
    );
    let headers = [
        (header::CONTENT_TYPE, kind.to_owned()),
        (header::CONTENT_DISPOSITION, name),
    ];
    (headers, Body::from_stream(pieces)).into_response()
}
