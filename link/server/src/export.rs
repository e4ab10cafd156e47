//! `export`: the readings of any period, as CSV, as JSON, as InfluxDB takes them, or as Parquet.

mod columns;

use std::io::{self, BufWriter, Write};
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use serde_json::json;
use time::format_description::well_known::Rfc3339;
use time::{Date, Month, OffsetDateTime};

use crate::db::{self, Cells, Db, Row, Value};
use crate::error::{Result, UserError};
use crate::moments::first_from;
use crate::rain::MM_PER_PULSE;
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
    /// The first moment: 2026-11-01 or 2026-11-01T06:30:00Z [default: the first reading]
    #[arg(long)]
    from: Option<String>,
    /// The moment behind the last, in the same way [default: the last reading]
    #[arg(long)]
    to: Option<String>,
    /// CSV, a JSON object in each line, the line protocol of InfluxDB, or a file of Apache Parquet
    #[arg(long, value_enum, default_value_t = Format::Csv)]
    format: Format,
}

/// Which readings, and how they are written.
pub struct Wanted {
    /// None: all.
    pub devices: Vec<u16>,
    pub from_ms: i64,
    pub to_ms: Option<i64>,
    pub format: Format,
}

impl Wanted {
    pub fn new(devices: &[u16], from: Option<&str>, to: Option<&str>, format: Format) -> Result<Wanted> {
        Ok(Wanted {
            devices: devices.to_vec(),
            from_ms: from.map(moment).transpose()?.unwrap_or(0),
            to_ms: to.map(moment).transpose()?,
            format,
        })
    }
}

pub fn export(args: &ExportArgs) -> Result<()> {
    let wanted = Wanted::new(&args.devices, args.from.as_deref(), args.to.as_deref(), args.format)?;
    let site = Site::open(&args.site)?;
    let mut db = site.open_database(args.database.as_deref())?;
    let mut out = BufWriter::new(io::stdout());
    match write(&mut db, &wanted, &mut out)? {
        // The reader has all that it wants, as `head` does.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        Err(error) => Err(UserError(format!("The readings cannot be written: {error}."))),
        Ok(()) => Ok(()),
    }
}

/// Writes readings by sensor and in the order of their counters.
pub fn write(db: &mut Db, wanted: &Wanted, out: &mut (impl Write + Send)) -> db::Result<io::Result<()>> {
    Ok(match wanted.format {
        Format::Parquet => match columns::Columns::new(&mut *out) {
            Err(error) => Err(error),
            Ok(mut columns) => {
                let wrote = each(db, wanted, |reading| columns.add(&reading))?;
                wrote.and_then(|()| columns.finish())
            }
        },
        format => {
            let mut wrote = Ok(());
            if format == Format::Csv {
                wrote = writeln!(
                    out,
                    "time,device,name,epoch,counter,rain_mm,temperature_c,supply_v,flags,sensor_time_s,received_ms,\
                     stored_ms"
                );
            }
            if wrote.is_ok() {
                wrote = each(db, wanted, |reading| writeln!(out, "{}", line(format, &reading)))?;
            }
            wrote
        }
    }
    .and_then(|()| out.flush()))
}

/// Hands over readings by sensor and in the order of their counters, until one cannot be written.
fn each(
    db: &mut Db,
    wanted: &Wanted,
    mut hand_over: impl FnMut(Reading) -> io::Result<()>,
) -> db::Result<io::Result<()>> {
    let mut wrote = Ok(());
    let keys =
        "SELECT e.device, e.epoch, d.name FROM epoch e JOIN device d ON d.id = e.device ORDER BY e.device, e.epoch";
    for key in db.query(keys, &[])? {
        let (device, epoch, name) = (key.int(0), key.int(1), key.text(2));
        if wrote.is_err() {
            break; // nobody reads on
        }
        if !wanted.devices.is_empty() && !wanted.devices.iter().any(|id| i64::from(*id) == device) {
            continue;
        }
        // Times rise with counters, so a period is a stretch of counters.
        let Some(first) = first_from(db, (device, epoch), wanted.from_ms)? else {
            continue;
        };
        let end = match wanted.to_ms {
            Some(to_ms) => first_from(db, (device, epoch), to_ms)?,
            None => None,
        };
        let values = [device, epoch, first, end.unwrap_or(i64::MAX)].map(Value::Int);
        let sql = "SELECT time_ms, counter, second, third, fourth, device_time_s, received_ms, stored_ms FROM reading \
                   WHERE device = $1 AND epoch = $2 AND counter >= $3 AND counter < $4 AND kind = 0 ORDER BY counter";
        db.for_each(sql, &values, |row| {
            if wrote.is_ok() {
                wrote = hand_over(Reading::new((device, epoch, name), &row));
            }
        })?;
    }
    Ok(wrote)
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
            received_ms: row.int(6),
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
