//! Months of the calendar, UTC, by the server's clock: readings are kept and deleted by the month they were stored
//! in.

use std::fmt;

use time::{Date, OffsetDateTime};

/// The last millisecond that `time` can name; times beyond it count as its month.
const LAST_MS: i64 = 253_402_300_799_999;

/// Months since January 1970.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Month(pub i64);

impl Month {
    pub fn of(time_ms: i64) -> Month {
        let seconds = time_ms.clamp(0, LAST_MS).div_euclid(1000);
        let date = OffsetDateTime::from_unix_timestamp(seconds).map_or(Date::MIN, OffsetDateTime::date);
        Month((i64::from(date.year()) - 1970) * 12 + i64::from(u8::from(date.month())) - 1)
    }

    /// Its first millisecond.
    pub fn begin_ms(self) -> i64 {
        let (year, month) = self.year_and_month();
        let name = time::Month::try_from(month).unwrap_or(time::Month::January);
        let year = i32::try_from(year).unwrap_or(i32::MAX);
        Date::from_calendar_date(year, name, 1)
            .map_or(i64::MAX, |date| date.midnight().assume_utc().unix_timestamp() * 1000)
    }

    pub fn plus(self, months: i64) -> Month {
        Month(self.0.saturating_add(months))
    }

    fn year_and_month(self) -> (i64, u8) {
        (1970 + self.0.div_euclid(12), self.0.rem_euclid(12) as u8 + 1)
    }
}

/// 2026-11
impl fmt::Display for Month {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (year, month) = self.year_and_month();
        write!(formatter, "{year:04}-{month:02}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn months_begin_and_end_where_the_calendar_says() {
        // By date(1): date -u -d 2024-03-01 +%s and the like.
        for (name, begin_s) in [
            ("1970-01", 0),
            ("1999-12", 944_006_400),
            ("2000-01", 946_684_800),
            ("2024-02", 1_706_745_600),
            ("2024-03", 1_709_251_200),
            ("2026-12", 1_796_083_200),
        ] {
            let begin_ms = begin_s * 1000;
            assert_eq!(Month::of(begin_ms).to_string(), name);
            assert_eq!(Month::of(begin_ms).begin_ms(), begin_ms);
            assert_eq!(
                Month::of(begin_ms - 1).plus(i64::from(begin_ms > 0)),
                Month::of(begin_ms)
            );
        }
        assert_eq!(Month::of(i64::MAX).to_string(), "9999-12");
        assert_eq!(Month::of(i64::MIN), Month(0));
    }
}
