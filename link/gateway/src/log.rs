//! One line for each event, on standard error: for a terminal with the time, for journald with its priority instead.

use std::fmt::Display;
use std::io::Write;
use std::sync::OnceLock;
use std::time::{SystemTime, UNIX_EPOCH};

use link_language::says;

#[derive(Clone, Copy)]
enum Level {
    Error,
    Warning,
    Info,
}

pub fn error(text: impl Display) {
    line(Level::Error, &text.to_string());
}

pub fn warning(text: impl Display) {
    line(Level::Warning, &text.to_string());
}

pub fn info(text: impl Display) {
    line(Level::Info, &text.to_string());
}

fn line(level: Level, text: &str) {
    static UNDER_JOURNALD: OnceLock<bool> = OnceLock::new();
    let journald = *UNDER_JOURNALD.get_or_init(|| std::env::var_os("JOURNAL_STREAM").is_some());
    // journald reads the kernel's priority marks; sd-daemon(3).
    let (mark, word) = match level {
        Level::Error => ("<3>", "error"),
        Level::Warning => ("<4>", "warning"),
        Level::Info => ("<6>", "info"),
    };
    let text = says(&text.replace(['\n', '\r'], " "));
    let whole = if journald {
        format!("{mark}{text}\n")
    } else {
        format!("{} {}: {text}\n", utc_now(), says(word))
    };
    // A log that cannot be written must not stop the daemon.
    let _ = std::io::stderr().write_all(whole.as_bytes());
}

fn utc_now() -> String {
    let seconds = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .map_or(0, |since| since.as_secs());
    utc(seconds)
}

/// ISO 8601 in UTC, of a time in seconds since 1970.
pub fn utc(unix_s: u64) -> String {
    let (days, second_of_day) = (unix_s / 86_400, unix_s % 86_400);
    let (year, month, day) = civil_date(days);
    let (hour, minute, second) = (second_of_day / 3600, second_of_day / 60 % 60, second_of_day % 60);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z")
}

/// Year, month, day of a day since 1970, in the Gregorian calendar: years of 365 days and leap days, counted.
fn civil_date(mut days: u64) -> (u64, u64, u64) {
    let leap = |year: u64| year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    // 400 years are always 146,097 days; so no clock, however wrong, makes the loop below long.
    let mut year = 1970 + days / 146_097 * 400;
    days %= 146_097;
    loop {
        let length = if leap(year) { 366 } else { 365 };
        if days < length {
            break;
        }
        days -= length;
        year += 1;
    }
    let february = if leap(year) { 29 } else { 28 };
    let mut month = 1;
    for length in [31, february, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] {
        if days < length {
            break;
        }
        days -= length;
        month += 1;
    }
    (year, month, days + 1)
}

#[cfg(test)]
mod tests {
    /// Reference values by `date -u -d @…`.
    #[test]
    fn dates() {
        assert_eq!(super::utc(0), "1970-01-01T00:00:00Z");
        assert_eq!(super::utc(951_782_399), "2000-02-28T23:59:59Z");
        assert_eq!(super::utc(951_782_400), "2000-02-29T00:00:00Z");
        assert_eq!(super::utc(1_735_689_599), "2024-12-31T23:59:59Z");
        assert_eq!(super::utc(4_107_542_400), "2100-03-01T00:00:00Z");
    }
}
