//! `configure`: says over the air how a sensor is to work, and shows what it has confirmed.

use std::path::PathBuf;

use clap::Args;
use link_language::{say, says};

use crate::db::{Cells, Db, Value};
use crate::error::{Result, UserError};
use crate::log::{now_ms, utc};
use crate::regions::Region;
use crate::schema::bump_generation;
use crate::site::{Site, DEFAULT_FOLDER};
use crate::wanted::{self, Setting};

/// Of the rain gauge.
const MM_OF_A_PULSE: f64 = 0.2;
/// The power of the radio module in dBm, by its number.
const POWERS_DBM: [u8; 4] = [20, 17, 14, 10];
/// A slot must hold a frame at 2400 bit/s, 370 ms, and clocks that were set within 40 ms.
const LEAST_SLOT_MS: i64 = 411;
const FIRMWARES_OWN_PULSES: i64 = 25;

/// Says over the air how sensors are to work. Each is told after its frames until it has confirmed it. Without a
/// setting: shows how they work, and what is wanted of them.
///
/// Example: bancada link configure --site farm --device 7 --period 30
#[derive(Args)]
pub struct ConfigureArgs {
    /// The site's folder
    #[arg(long, default_value = DEFAULT_FOLDER)]
    site: PathBuf,
    /// The device's id; may be repeated [default: all, if they are only shown]
    #[arg(long = "device")]
    devices: Vec<u16>,
    /// Seconds between two readings, 2 to 255: with 1 the sensor would not listen any more
    #[arg(long, value_parser = clap::value_parser!(u8).range(2..))]
    period: Option<u8>,
    /// Time slots in a cycle; 0: free running. A device's slot is its id modulo this
    #[arg(long)]
    slots: Option<u8>,
    /// Rain of ten minutes, in mm, that raises the sensor's own warning: 0.2 to 51
    #[arg(long)]
    warn_mm: Option<f64>,
    /// Radio channel, 0 to 31. The sensor returns to the old one if it hears nothing there
    #[arg(long, value_parser = clap::value_parser!(u8).range(..=31))]
    channel: Option<u8>,
    /// Power of the radio in dBm: 20, 17, 14 or 10. The sensor returns to the old one if it hears nothing
    #[arg(long)]
    power: Option<u8>,
    /// Set the clock, however far off it is; else it is set by at most ten minutes
    #[arg(long)]
    set_clock: bool,
    /// Forget what is not confirmed yet
    #[arg(long)]
    cancel: bool,
}

pub fn configure(args: &ConfigureArgs) -> Result<()> {
    let site = Site::open(&args.site)?;
    let mut db = site.open_database(None)?;
    let changes = args.period.is_some()
        || args.slots.is_some()
        || args.warn_mm.is_some()
        || args.channel.is_some()
        || args.power.is_some()
        || args.set_clock
        || args.cancel;
    if changes && args.devices.is_empty() {
        return Err(UserError("Say which sensors: --device 7, as often as you like.".into()));
    }
    if changes {
        db.transaction(|db| {
            for device in &args.devices {
                want_of(db, *device, args)?;
            }
            bump_generation(db)?;
            Ok::<(), UserError>(())
        })?;
    }
    let all = devices(&mut db, &args.devices)?;
    if let Some(unknown) = args.devices.iter().find(|id| !all.iter().any(|one| one.id == **id)) {
        return Err(UserError(format!("There is no device {unknown}.")));
    }
    for device in all {
        say!("{}", device.told());
        for line in outcomes(&mut db, device.id)? {
            println!("  {}", says(&line));
        }
    }
    Ok(())
}

/// How a device works, as far as the server knows.
struct Known {
    id: u16,
    period_s: i64,
    slot: i64,
    slots: i64,
    channel: i64,
    power: i64,
    alarm_pulses: i64,
    region: Region,
}

impl Known {
    fn told(&self) -> String {
        let slot = match self.slots {
            0 => "no slots".to_owned(),
            slots => format!("slot {} of {slots}", self.slot),
        };
        format!(
            "Device {}: period {} s, {slot}, channel {}, {} dBm, warns at {:.1} mm in ten minutes, region {}",
            self.id,
            self.period_s,
            self.channel,
            dbm(self.power),
            millimetres(self.alarm_pulses),
            self.region.name()
        )
    }
}

fn dbm(power: i64) -> u8 {
    usize::try_from(power)
        .ok()
        .and_then(|at| POWERS_DBM.get(at))
        .copied()
        .unwrap_or(0)
}

fn millimetres(pulses: i64) -> f64 {
    let pulses = if pulses == 0 { FIRMWARES_OWN_PULSES } else { pulses };
    pulses as f64 * MM_OF_A_PULSE
}

fn devices(db: &mut Db, asked: &[u16]) -> Result<Vec<Known>> {
    let sql = "SELECT id, period_s, slot, slots, channel, power, alarm_pulses, region FROM device WHERE revoked_ms IS \
               NULL ORDER BY id";
    let known = db.query(sql, &[])?.into_iter().filter_map(|row| {
        Some(Known {
            id: u16::try_from(row.int(0)).ok()?,
            period_s: row.int(1),
            slot: row.int(2),
            slots: row.int(3),
            channel: row.int(4),
            power: row.int(5),
            alarm_pulses: row.int(6),
            region: Region::from_number(row.int(7)),
        })
    });
    Ok(known
        .filter(|one| asked.is_empty() || asked.contains(&one.id))
        .collect())
}

fn want_of(db: &mut Db, id: u16, args: &ConfigureArgs) -> Result<()> {
    let known = devices(db, &[id])?;
    let known = known
        .first()
        .ok_or_else(|| UserError(format!("There is no device {id}.")))?;
    let now_ms = now_ms();
    if args.cancel {
        wanted::cancel(db, id)?;
    }
    let period_s = args.period.map_or(known.period_s, i64::from);
    let slots = args.slots.map_or(known.slots, i64::from);
    if slots > 0 && period_s * 1000 / slots < LEAST_SLOT_MS {
        return Err(UserError(format!(
            "Device {id}: {slots} slots in {period_s} s are too short for a frame; each needs {LEAST_SLOT_MS} ms."
        )));
    }
    if args.period.is_some() {
        wanted::want(db, id, Setting::Period, period_s, now_ms)?;
    }
    if args.slots.is_some() {
        let slot = if slots == 0 { 0 } else { i64::from(id) % slots };
        wanted::want(db, id, Setting::Slot, slots << 8 | slot, now_ms)?;
    }
    if let Some(mm) = args.warn_mm {
        let pulses = (mm / MM_OF_A_PULSE).round();
        if !(1.0..=255.0).contains(&pulses) {
            return Err(UserError(format!("--warn-mm {mm}: 0.2 to 51 mm in ten minutes.")));
        }
        wanted::want(db, id, Setting::Alarm, pulses as i64, now_ms)?;
    }
    let power = match args.power {
        None => known.power,
        Some(wanted) => {
            let number = POWERS_DBM.iter().position(|one| *one == wanted);
            number
                .map(|at| at as i64)
                .ok_or_else(|| UserError(format!("--power {wanted}: 20, 17, 14 or 10 dBm.")))?
        }
    };
    let channel = args.channel.map_or(known.channel, i64::from);
    if (args.power.is_some() || args.channel.is_some()) && !known.region.allows(channel, power) {
        return Err(UserError(format!(
            "Device {id}: channel {channel} with {} dBm is not what region {} allows.",
            dbm(power),
            known.region.name()
        )));
    }
    if args.power.is_some() {
        wanted::want(db, id, Setting::Power, power, now_ms)?;
    }
    if args.channel.is_some() {
        wanted::want(db, id, Setting::Channel, channel, now_ms)?;
    }
    if args.set_clock {
        wanted::want(db, id, Setting::Clock, 0, now_ms)?;
    }
    Ok(())
}

/// What became of each setting that was ever wanted.
fn outcomes(db: &mut Db, id: u16) -> Result<Vec<String>> {
    let sql =
        "SELECT setting, value, state, wanted_ms, told, ended_ms FROM wanted WHERE device = $1 ORDER BY wanted_ms, \
               setting";
    let rows = db.query(sql, &[Value::Int(id.into())])?;
    let line = |row: &crate::db::Row| {
        let value = row.int(1);
        let what = match row.text(0) {
            "period" => format!("period {value} s"),
            "slot" if value == 0 => "no slots".to_owned(),
            "slot" => format!("slot {} of {}", value & 0xff, value >> 8),
            "alarm" => format!("warning at {:.1} mm", millimetres(value)),
            "power" => format!("power {} dBm", dbm(value)),
            "channel" => format!("channel {value}"),
            "key" => format!("key epoch {value}"),
            other => other.to_owned(),
        };
        match row.optional_int(5) {
            Some(ended_ms) => format!("{what}: {} {}", row.text(2), utc(ended_ms)),
            None => format!("{what}: wanted since {}, told {} times", utc(row.int(3)), row.int(4)),
        }
    };
    Ok(rows.iter().map(line).collect())
}
