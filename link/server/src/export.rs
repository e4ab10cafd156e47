//! `export`: the readings of any period, as CSV, as JSON, as InfluxDB takes them, or as Parquet.

mod columns;

use std::io::{self, Write};
use std::ops::Range;
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use serde_json::json;
use time::format_description::well_known::Rfc3339;
use time::{Date, Month, OffsetDateTime};

use crate::db::{self, Cells, Db, Row, Value};
use crate::devices;
use crate::error::{Result, UserError};
use crate::gauge::MM_PER_PULSE;
use crate::moments::LATEST_MS;
use crate::period::stretches;
use crate::site::{Site, DEFAULT_FOLDER};

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Format {
    Csv,
    Jsonl,
    Influx,
    Parquet,
}

/// Writes readings to standard output, by sensor and in the order of their counters.
///
/// Example: bancada link export --site farm --from 2026-11-01 --to 2026-12-01 > november.csv
#[derive(Args)]
pub struct ExportArgs {
    /// The site's folder
    #[arg(long, default_value = DEFAULT_FOLDER)]
    site: PathBuf,
    /// Instead of the site's database
    #[arg(long)]
    database: Option<String>,
    /// Only this device; may be repeated [default: all]
    #[arg(long = "device")]
    devices: Vec<u16>,
    /// The first moment, by the column `time`: 2026-11-01 or 2026-11-01T06:30:00Z [default: the first reading]
    #[arg(long)]
    from: Option<String>,
    /// The moment behind the last, in the same way [default: the last reading]
    #[arg(long)]
    to: Option<String>,
    /// CSV, a JSON object in each line, the line protocol of InfluxDB, or a file of Apache Parquet
    #[arg(long, value_enum, default_value_t = Format::Csv)]
    format: Format,
}

const CSV_HEADER: &str = "time,device,name,epoch,counter,rain_mm,temperature_c,supply_v,flags,sensor_time_s,\
                          received_ms,stored_ms\n";

/// Which readings, and how they are written.
pub struct Wanted {
    /// None: all.
    pub devices: Vec<u16>,
    /// Their times: from this one on, and before that one.
    pub from_ms: i64,
    pub to_ms: i64,
    pub format: Format,
}

impl Wanted {
    pub fn new(devices: &[u16], from: Option<&str>, to: Option<&str>, format: Format) -> Result<Wanted> {
        Ok(Wanted {
            devices: devices.to_vec(),
            from_ms: from.map(moment).transpose()?.unwrap_or(0),
            to_ms: to.map(moment).transpose()?.unwrap_or(i64::MAX),
            format,
        })
    }
}

/// Readings that are read at once. Between two looks nothing of the database is held: neither a connection nor, in
/// SQLite, the log, which cannot be brought into the file while somebody reads.
const AT_ONCE: i64 = 2000;
/// A piece has at least so much, unless that takes too many looks.
const PIECE_BYTES: usize = 64 * 1024;
const STRETCHES_AT_ONCE: u32 = 20;

pub fn export(args: &ExportArgs) -> Result<()> {
    let wanted = Wanted::new(&args.devices, args.from.as_deref(), args.to.as_deref(), args.format)?;
    let site = Site::open(&args.site)?;
    let mut db = site.open_database(args.database.as_deref())?;
    for id in &args.devices {
        devices::must_exist(&mut db, *id)?;
    }
    let mut export = Export::new(wanted);
    let mut out = io::stdout().lock();
    while let Some(piece) = export.piece(&mut db)? {
        match out.write_all(&piece).and_then(|()| out.flush()) {
            // The reader has all that it wants, as `head` does.
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => return Ok(()),
            Err(error) => return Err(UserError(format!("The readings cannot be written: {error}."))),
            Ok(()) => {}
        }
    }
    Ok(())
}

/// Writes readings by sensor and in the order of their counters, a piece at a time.
pub struct Export {
    wanted: Wanted,
    /// Device, epoch and name of what is still to be written, the last one first; nothing before the first piece.
    keys: Option<Vec<(i64, i64, String)>>,
    /// What is still to be written of the key that was taken last, the last one first.
    stretches: Vec<Stretch>,
    stretch: Option<Stretch>,
    columns: Option<columns::Columns>,
    ended: bool,
}

/// Counters of one key, from `first` on, below `end`.
struct Stretch {
    device: i64,
    epoch: i64,
    name: String,
    first: i64,
    end: i64,
}

impl Export {
    pub fn new(wanted: Wanted) -> Export {
        Export {
            wanted,
            keys: None,
            stretches: Vec::new(),
            stretch: None,
            columns: None,
            ended: false,
        }
    }

    /// The next piece, which may be empty; nothing once everything is written.
    pub fn piece(&mut self, db: &mut Db) -> db::Result<Option<Vec<u8>>> {
        if self.ended {
            return Ok(None);
        }
        let mut text = Vec::new();
        if self.keys.is_none() {
            self.keys = Some(self.keys(db)?);
            if self.wanted.format == Format::Csv {
                text.extend_from_slice(CSV_HEADER.as_bytes());
            }
        }
        // Sensors with few readings share a piece.
        for _ in 0..STRETCHES_AT_ONCE {
            self.ended = self.stretch.is_none() && !self.begin_stretch(db)?;
            self.add(db, &mut text)?;
            if self.ended || text.len() >= PIECE_BYTES {
                break;
            }
        }
        Ok(Some(text))
    }

    /// Adds what is next of the stretch to a piece.
    fn add(&mut self, db: &mut Db, text: &mut Vec<u8>) -> db::Result<()> {
        let format = self.wanted.format;
        let times = self.wanted.from_ms..self.wanted.to_ms;
        if format != Format::Parquet {
            return next(db, &mut self.stretch, times, |reading| {
                text.extend_from_slice(line(format, &reading).as_bytes());
                text.push(b'\n');
            });
        }
        let unwritten = |error: io::Error| db::DbError(error.to_string());
        let columns = match &mut self.columns {
            Some(columns) => columns,
            none => none.insert(columns::Columns::new().map_err(unwritten)?),
        };
        let mut added = Ok(());
        next(db, &mut self.stretch, times, |reading| {
            if added.is_ok() {
                added = columns.add(&reading);
            }
        })?;
        added.map_err(unwritten)?;
        if self.ended {
            columns.finish().map_err(unwritten)?;
        }
        text.append(&mut columns.take());
        Ok(())
    }

    fn keys(&self, db: &mut Db) -> db::Result<Vec<(i64, i64, String)>> {
        let sql = "SELECT e.device, e.epoch, d.name FROM epoch e JOIN device d ON d.id = e.device \
                   ORDER BY e.device DESC, e.epoch DESC";
        let devices = &self.wanted.devices;
        let is_wanted = |device: i64| devices.is_empty() || devices.iter().any(|id| i64::from(*id) == device);
        let rows = db.query(sql, &[])?;
        let keys = rows.iter().map(|row| (row.int(0), row.int(1), row.text(2).to_owned()));
        Ok(keys.filter(|(device, _, _)| is_wanted(*device)).collect())
    }

    /// Goes on to the next stretch that has readings of the period, if there is one.
    fn begin_stretch(&mut self, db: &mut Db) -> db::Result<bool> {
        loop {
            self.stretch = self.stretches.pop();
            if self.stretch.is_some() {
                return Ok(true);
            }
            let Some((device, epoch, name)) = self.keys.as_mut().and_then(Vec::pop) else {
                return Ok(false);
            };
            let found = stretches(db, (device, epoch), self.wanted.from_ms, self.wanted.to_ms)?;
            let in_turn = found.into_iter().rev().map(|counters| Stretch {
                device,
                epoch,
                name: name.clone(),
                first: counters.start,
                end: counters.end,
            });
            self.stretches.extend(in_turn);
        }
    }
}

/// Hands over the next readings of a stretch that were taken within these times, and ends it with its last one.
fn next(
    db: &mut Db,
    stretch: &mut Option<Stretch>,
    times: Range<i64>,
    mut hand_over: impl FnMut(Reading),
) -> db::Result<()> {
    let Some(Stretch {
        device,
        epoch,
        name,
        first,
        end,
    }) = stretch
    else {
        return Ok(());
    };
    let values = [*device, *epoch, *first, *end, times.start, times.end, AT_ONCE].map(Value::Int);
    let sql = "SELECT time_ms, counter, second, third, fourth, device_time_s, received_ms, stored_ms FROM reading \
               WHERE device = $1 AND epoch = $2 AND counter >= $3 AND counter < $4 AND kind = 0 AND time_ms >= $5 \
               AND time_ms < $6 ORDER BY counter LIMIT $7";
    let key = (*device, *epoch, name.as_str());
    let mut found = 0;
    let mut last = *first;
    db.for_each(sql, &values, |row| {
        found += 1;
        last = row.int(1);
        hand_over(Reading::new(key, &row));
    })?;
    *first = last + 1;
    if found < AT_ONCE {
        *stretch = None;
    }
    Ok(())
}

/// A reading, in the units of every format.
struct Reading<'a> {
    time_ms: i64,
    device: i64,
    name: &'a str,
    epoch: i64,
    counter: i64,
    rain_mm: f64,
    temperature_c: f64,
    supply_v: f64,
    flags: i64,
    sensor_time_s: i64,
    received_ms: i64,
    stored_ms: i64,
}

impl<'a> Reading<'a> {
    fn new((device, epoch, name): (i64, i64, &'a str), row: &Row) -> Reading<'a> {
        Reading {
            time_ms: row.int(0),
            device,
            name,
            epoch,
            counter: row.int(1),
            rain_mm: rounded(row.int(2) as f64 * MM_PER_PULSE, 10.0),
            temperature_c: row.int(3) as f64 / 1000.0,
            supply_v: (row.int(4) & 0xffff) as f64 / 1000.0,
            flags: row.int(4) >> 16,
            sensor_time_s: row.int(5),
            // Older versions of this program stored whatever a gateway claimed.
            received_ms: row.int(6).min(LATEST_MS),
            stored_ms: row.int(7),
        }
    }
}

fn line(format: Format, reading: &Reading) -> String {
    let Reading {
        time_ms,
        device,
        name,
        epoch,
        counter,
        rain_mm,
        temperature_c,
        supply_v,
        flags,
        sensor_time_s,
        received_ms,
        stored_ms,
    } = *reading;
    let time = utc_ms(time_ms);
    match format {
        Format::Csv => format!(
            "{time},{device},{},{epoch},{counter},{rain_mm},{temperature_c},{supply_v},{flags},{sensor_time_s},\
             {received_ms},{stored_ms}",
            quoted(name)
        ),
        Format::Jsonl => json!({
            "time": time,
            "device": device,
            "name": name,
            "epoch": epoch,
            "counter": counter,
            "rain_mm": rain_mm,
            "temperature_c": temperature_c,
            "supply_v": supply_v,
            "flags": flags,
            "sensor_time_s": sensor_time_s,
            "received_ms": received_ms,
            "stored_ms": stored_ms,
        })
        .to_string(),
        Format::Influx => format!(
            "reading,device={device},name={} rain_mm={rain_mm},temperature_c={temperature_c},supply_v={supply_v},\
             counter={counter}i,epoch={epoch}i,flags={flags}i {}",
            tag(name),
            i128::from(time_ms) * 1_000_000
        ),
        Format::Parquet => unreachable!("Parquet has columns"),
    }
}

/// The value of a tag in InfluxDB's line protocol ("Special characters"), which must not be empty or end in a backslash.
fn tag(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            ',' | '=' | ' ' => safe.extend(['\\', letter]),
            '\\' => safe.push('/'),
            letter if letter.is_control() => safe.push_str("\\ "),
            letter => safe.push(letter),
        }
    }
    match safe.is_empty() {
        true => "-".to_owned(),
        false => safe,
    }
}

fn rounded(value: f64, parts: f64) -> f64 {
    (value * parts).round() / parts
}

/// A field of CSV (RFC 4180, section 2). Programs for tables take a field that begins like a formula for one.
fn quoted(text: &str) -> String {
    let formula = text.starts_with(['=', '+', '-', '@', '\t', '\r']);
    let safe = format!("{}{}", if formula { "'" } else { "" }, text.replace('"', "\"\""));
    match formula || text.contains(['"', ',', '\n', '\r']) {
        true => format!("\"{safe}\""),
        false => safe,
    }
}

/// 2026-03-01T12:00:00.123Z
fn utc_ms(time_ms: i64) -> String {
    let nanoseconds = i128::from(time_ms) * 1_000_000;
    let time = OffsetDateTime::from_unix_timestamp_nanos(nanoseconds).ok();
    let text = time.and_then(|time| time.format(&Rfc3339).ok());
    text.unwrap_or_else(|| time_ms.to_string())
}

/// A day or a moment, in Unix milliseconds.
fn moment(text: &str) -> Result<i64> {
    let wrong = || {
        UserError(format!(
            "'{text}' is no time: a day, 2026-11-01, or a moment, 2026-11-01T06:30:00Z."
        ))
    };
    if let Ok(time) = OffsetDateTime::parse(text, &Rfc3339) {
        return i64::try_from(time.unix_timestamp_nanos() / 1_000_000).map_err(|_| wrong());
    }
    let numbers: Vec<&str> = text.split('-').collect();
    let [year, month, day] = numbers[..] else {
        return Err(wrong());
    };
    let month = month.parse::<u8>().ok().and_then(|month| Month::try_from(month).ok());
    let (Ok(year), Some(month), Ok(day)) = (year.parse(), month, day.parse()) else {
        return Err(wrong());
    };
    let date = Date::from_calendar_date(year, month, day).map_err(|_| wrong())?;
    Ok(date.midnight().assume_utc().unix_timestamp() * 1000)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn whole(db: &mut Db, format: Format, from: Option<&str>, to: Option<&str>) -> Vec<u8> {
        let mut export = Export::new(Wanted::new(&[], from, to, format).expect("wanted"));
        let mut found = Vec::new();
        while let Some(piece) = export.piece(db).expect("read") {
            // Whoever reads slowly has one piece in memory.
            assert!(piece.len() < 1_000_000 || matches!(format, Format::Parquet));
            found.extend(piece);
        }
        assert!(export.piece(db).expect("read").is_none());
        found
    }

    #[test]
    fn pieces_make_the_whole_in_order() {
        let mut db = Db::open(":memory:").expect("a database");
        crate::schema::create(&mut db).expect("its tables");
        let count = 2 * AT_ONCE;
        for device in [1, 2] {
            db.batch(&format!(
                "INSERT INTO device VALUES ({device}, 'one', x'00', 0, 0, 5, 23, NULL, 0, 0, 0, 0); \
                 INSERT INTO epoch (device, epoch, suite) VALUES ({device}, 0, 1); \
                 WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < {count} - 1) \
                 INSERT INTO reading SELECT {device}, 0, i, 0, {}, i, 1, i, 0, 0, 21000, 3300, i * 1000 FROM n",
                i64::MAX
            ))
            .expect("readings");
        }
        let text = String::from_utf8(whole(&mut db, Format::Csv, None, None)).expect("text");
        let rows: Vec<Vec<&str>> = text.lines().skip(1).map(|line| line.split(',').collect()).collect();
        let expected = [1, 2]
            .iter()
            .flat_map(|device| (0..count).map(move |counter| (*device, counter)));
        let found = rows
            .iter()
            .map(|row| (row[1].parse().expect("device"), row[4].parse().expect("counter")));
        assert!(expected.eq(found));
        // No time that other programs do not know, whatever a gateway said.
        assert!(rows.iter().all(|row| row[10] == LATEST_MS.to_string()));
        for (from, to, lines) in [
            (Some("1970-01-01T00:00:10Z"), Some("1970-01-01T00:00:12+00:00"), 2 * 2),
            (Some("1970-01-01T01:00:10+01:00"), Some("1970-01-01T00:00:12Z"), 2 * 2),
            // Backwards, empty, and all there is.
            (Some("1970-01-01T00:00:12Z"), Some("1970-01-01T00:00:10Z"), 0),
            (Some("1970-01-01T00:00:10Z"), Some("1970-01-01T00:00:10Z"), 0),
            (Some("-9999-01-01T00:00:00Z"), Some("9999-12-31"), 2 * count),
            (Some("9999-12-31"), None, 0),
        ] {
            let is_time = from.is_none_or(|from| moment(from).is_ok());
            let from = from.filter(|_| is_time);
            let found = whole(&mut db, Format::Jsonl, from, to);
            let ends = found.iter().filter(|byte| **byte == b'\n').count();
            assert_eq!(ends as i64, lines, "{from:?} {to:?}");
        }
        let parquet = whole(&mut db, Format::Parquet, None, None);
        assert!(parquet.starts_with(b"PAR1") && parquet.ends_with(b"PAR1"));
    }

    /// The server's clock leapt ahead by a year for an hour, and was set back.
    #[test]
    fn a_period_has_the_readings_whose_time_is_in_it_and_no_other() {
        let mut db = Db::open(":memory:").expect("a database");
        crate::schema::create(&mut db).expect("its tables");
        db.batch(
            "INSERT INTO device VALUES (1, 'one', x'00', 0, 0, 60, 23, NULL, 0, 0, 0, 0); \
             INSERT INTO epoch (device, epoch, suite) VALUES (1, 0, 1)",
        )
        .expect("a sensor");
        let begin_ms = moment("2026-11-01").expect("a day");
        let mut before: Option<crate::moments::Highest> = None;
        for counter in 0..600u32 {
            let ahead_ms = if (180..240).contains(&counter) {
                365 * 86_400_000
            } else {
                0
            };
            let now_ms = begin_ms + i64::from(counter) * 60_000 + ahead_ms;
            let mut readings = [crate::reading::Reading {
                device: 1,
                epoch: 0,
                counter,
                kind: 0,
                received_ms: now_ms,
                stored_ms: now_ms,
                time_ms: 0,
                outbox: 1,
                outbox_id: counter.into(),
                position: 0,
                variables: [0; 4],
            }];
            let highest = before.map(|highest| ((1, 0), highest)).into_iter().collect();
            crate::moments::set(&mut db, &mut readings, &highest, &mut Default::default()).expect("a time");
            crate::rows::insert_readings(&mut db, &readings).expect("stored");
            let time_ms = readings[0].time_ms;
            before = Some(crate::moments::Highest { counter, time_ms });
        }
        for (from, to, hours) in [
            ("2026-11-01T04:00:00Z", "2026-11-01T05:00:00Z", 1),
            ("2026-11-01T02:00:00Z", "2026-11-01T05:00:00Z", 2),
            ("2026-11-01T03:00:00Z", "2026-11-01T04:00:00Z", 0),
            ("2026-11-01", "2026-11-02", 9),
            ("2026-11-02", "2028-01-01", 1),
            ("2026-11-01", "2028-01-01", 10),
        ] {
            let text = String::from_utf8(whole(&mut db, Format::Csv, Some(from), Some(to))).expect("text");
            let times: Vec<i64> = text
                .lines()
                .skip(1)
                .map(|line| moment(line.split(',').next().expect("a time")).expect("a moment"))
                .collect();
            let (from_ms, to_ms) = (moment(from).expect("a time"), moment(to).expect("a time"));
            assert!(
                times.iter().all(|time_ms| (from_ms..to_ms).contains(time_ms)),
                "{from} {to}"
            );
            assert_eq!(times.len(), hours * 60, "{from} {to}");
        }
    }
}
