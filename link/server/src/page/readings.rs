//! `/api/readings`: the readings of any period, as the command `export` writes them; for a browser with a session and for
//! programs with a token.

use std::io::{self, BufWriter, Write};

use axum::body::Body;
use axum::extract::{Query, State};
use axum::http::{header, StatusCode};
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use futures_util::stream;
use serde::Deserialize;
use tokio::sync::mpsc;

use super::pool::Pool;
use crate::export::{write, Format, Wanted};

/// Pieces that wait for a slow reader.
const PIECES: usize = 4;
const PIECE_BYTES: usize = 64 * 1024;

#[derive(Deserialize)]
pub struct Asked {
    device: Option<u16>,
    from: Option<String>,
    to: Option<String>,
    format: Option<String>,
}

/// Hands pieces to the answer's stream; the end of that is the end of the writing.
struct Pipe(mpsc::Sender<Bytes>);

impl Write for Pipe {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let sent = self.0.blocking_send(Bytes::copy_from_slice(bytes));
        sent.map_err(|_| io::ErrorKind::BrokenPipe)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

pub async fn readings(State(pool): State<Pool>, Query(asked): Query<Asked>) -> Response {
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
    let (pipe, pieces) = mpsc::channel(PIECES);
    tokio::spawn(async move {
        let work = move |db: &mut crate::db::Db| {
            let mut out = BufWriter::with_capacity(PIECE_BYTES, Pipe(pipe));
            // Who went away has read enough.
            let _ = write(db, &wanted, &mut out)?;
            Ok(())
        };
        let _ = pool.run(work).await; // the pool says what is wrong with the database
    });
    let body = stream::unfold(pieces, |mut pieces| async move {
        let piece = pieces.recv().await?;
        Some((Ok::<Bytes, io::Error>(piece), pieces))
    });
    let name = format!(
        "attachment; filename=\"readings.{}\"",
        asked.format.as_deref().unwrap_or("csv")
    );
    let headers = [
        (header::CONTENT_TYPE, kind.to_owned()),
        (header::CONTENT_DISPOSITION, name),
    ];
    (headers, Body::from_stream(body)).into_response()
}
