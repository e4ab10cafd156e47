//! `thresholds`: shows and sets how much rain raises which alarm.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::PathBuf;

use clap::Args;
use link_language::say;

use crate::db::{Cells, Value};
use crate::error::{Result, UserError};
use crate::schema::{set_setting, setting};
use crate::site::{read, Site, DEFAULT_FOLDER};
use crate::thresholds::{parse, Threshold, Thresholds, TABLE};

/// Shows how much rain raises which alarm, or takes it from a file. Running servers follow within seconds.
///
/// Example: bancada link thresholds --site farm --set thresholds.toml
#[derive(Args)]
pub struct ThresholdsArgs {
    /// The site's folder
    #[arg(long, default_value = DEFAULT_FOLDER)]
    site: PathBuf,
    /// A table of levels and thresholds (docs/how-to/link.md, "Rain alarms")
    #[arg(long)]
    set: Option<PathBuf>,
    /// Forget the table: one level again, by --rain-alarm and --rain-window of provision
    #[arg(long, conflicts_with = "set")]
    none: bool,
}

pub fn set(args: &ThresholdsArgs) -> Result<()> {
    let site = Site::open(&args.site)?;
    let mut db = site.open_database(None)?;
    if let Some(path) = &args.set {
        let text = read(path)?;
        let wrong = |what: String| UserError(format!("{}: {what}.", path.display()));
        let table = parse(&text).map_err(wrong)?;
        let known: BTreeSet<i64> = db
            .query("SELECT id FROM device", &[])?
            .iter()
            .map(|row| row.int(0))
            .collect();
        let named = table.for_some.iter().flat_map(|(sensors, _)| sensors);
        if let Some(unknown) = named.copied().map(i64::from).filter(|id| !known.contains(id)).min() {
            return Err(wrong(format!("there is no sensor {unknown}")));
        }
        set_setting(&mut db, TABLE, &text)?;
    }
    if args.none {
        db.execute("DELETE FROM setting WHERE name = $1", &[Value::Text(TABLE.into())])?;
    }
    for line in told(&Thresholds::read(&mut db)?).lines() {
        say!("{line}");
    }
    if setting(&mut db, TABLE)?.is_none() {
        say!("(by --rain-alarm and --rain-window of bancada link provision)");
    }
    Ok(())
}

/// A line for each threshold, the mildest level first.
fn told(thresholds: &Thresholds) -> String {
    let mut lines: Vec<(i64, i64, String)> = Vec::new();
    let line = |threshold: &Threshold, whose: &str| {
        let time = match threshold.window_ms % 3_600_000 {
            0 => format!("{} h", threshold.window_ms / 3_600_000),
            _ => format!("{} min", threshold.window_ms / 60_000),
        };
        let text = format!(
            "{}: {} mm in {time}, until below {} mm; {whose}",
            threshold.level, threshold.mm, threshold.clear_mm
        );
        (threshold.rank, threshold.window_ms, text)
    };
    lines.extend(
        thresholds
            .for_all
            .iter()
            .map(|threshold| line(threshold, "all sensors")),
    );
    for (sensors, threshold) in &thresholds.for_some {
        let sensors: BTreeSet<u16> = sensors.iter().copied().collect();
        let names: Vec<String> = sensors.iter().map(u16::to_string).collect();
        lines.push(line(threshold, &format!("sensors {}", names.join(", "))));
    }
    lines.sort();
    lines.iter().fold(String::new(), |mut text, (_, _, line)| {
        let _ = writeln!(text, "{line}"); // writing to a String cannot fail
        text
    })
}
