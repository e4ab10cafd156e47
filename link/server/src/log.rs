//! The program's diary on standard error: one line for each event, with the time, in the language that it speaks.

use std::io::Write;
use std::time::{SystemTime, UNIX_EPOCH};

use time::OffsetDateTime;

pub fn now_ms() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_millis()).unwrap_or(i64::MAX)
}

/// 2026-03-01T12:00:00Z
pub fn utc(time_ms: i64) -> String {
    let Ok(time) = OffsetDateTime::from_unix_timestamp(time_ms.div_euclid(1000)) else {
        return time_ms.to_string();
    };
    let (date, clock) = (time.date(), time.time());
    format!(
        "{:04}-{:02}-{:02}T{:02}:{:02}:{:02}Z",
        date.year(),
        u8::from(date.month()),
        date.day(),
        clock.hour(),
        clock.minute(),
        clock.second()
    )
}

pub fn log(text: &str) {
    // Not eprintln: that panics where nothing can be written, and a full disk must not end the server.
    let _ = writeln!(std::io::stderr(), "{} {}", utc(now_ms()), link_language::says(text));
}
