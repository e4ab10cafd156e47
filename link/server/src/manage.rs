//! `rotate` and `revoke`: what an operator does to a site that runs. A running server follows at its next
//! batch.

use std::path::PathBuf;

use clap::Args;
use link_language::say;

use crate::authority::Authority;
use crate::error::{Result, UserError};
use crate::keys::Seal;
use crate::log::{now_ms, utc};
use crate::provision::{self, parse_suite};
use crate::site::{Site, DEFAULT_FOLDER};
use crate::suite::Suite;
use crate::wanted::{self, Setting};
use crate::{broker, control, devices};

/// Gives a device a new key epoch and writes its EEPROM image.
///
/// The old key ends with the first good frame of the new one, and for frames that are still on their way after
/// --old-for.
///
/// Example: bancada link rotate 7 --old-for 3d
#[derive(Args)]
pub struct RotateArgs {
    /// The device's id
    device: u16,
    /// The site's folder
    #[arg(long, default_value = DEFAULT_FOLDER)]
    site: PathBuf,
    /// The old key ends after this time at the latest: 30m, 12h, 7d; 0s, now, if somebody may know it
    #[arg(long, value_parser = parse_duration, default_value = "7d")]
    old_for: i64,
    /// Send the key over the air, instead of writing an EEPROM image; the old key stays until the sensor has it
    #[arg(long, conflicts_with = "suite")]
    over_the_air: bool,
    /// The image is for another sensor in this one's place, which counts rain anew: what fell in between is not known
    #[arg(long, conflicts_with = "over_the_air")]
    new_sensor: bool,
    /// Change the cipher too: ascon or ccm
    #[arg(long, value_parser = parse_suite)]
    suite: Option<Suite>,
}

/// Refuses a device's frames, or a gateway's certificate, from now on.
///
/// Example: bancada link revoke --gateway roof
#[derive(Args)]
pub struct RevokeArgs {
    /// The site's folder
    #[arg(long, default_value = DEFAULT_FOLDER)]
    site: PathBuf,
    /// The device's id
    #[arg(long, required_unless_present = "gateway", conflicts_with = "gateway")]
    device: Option<u16>,
    /// The gateway's name
    #[arg(long)]
    gateway: Option<String>,
}

fn parse_duration(text: &str) -> std::result::Result<i64, String> {
    let wrong = || "a number and a unit: 0s, 30m, 12h, 3d".to_owned();
    let unit_ms = match text.chars().last().ok_or_else(wrong)? {
        's' => 1_000,
        'm' => 60_000,
        'h' => 3_600_000,
        'd' => 86_400_000,
        _ => return Err(wrong()),
    };
    let number: u32 = text[..text.len() - 1].parse().map_err(|_| wrong())?;
    Ok(i64::from(number) * unit_ms)
}

pub fn rotate(args: &RotateArgs) -> Result<()> {
    let site = Site::open(&args.site)?;
    let mut db = site.open_database(None)?;
    let seal = Seal::read(&site.path("server/seal.key"))?;
    let until_ms = now_ms() + args.old_for;
    let is_waiting = wanted::open(&mut db, args.device)?
        .iter()
        .any(|want| want.setting == Setting::Key);
    if args.over_the_air && is_waiting {
        return Err(UserError(format!(
            "Device {} has not taken its last key yet; without --over-the-air it gets one by EEPROM image.",
            args.device
        )));
    }
    let has_image = |epoch| {
        ["bin", "eep"]
            .iter()
            .any(|suffix| devices::image_path(&site, args.device, epoch, suffix).exists())
    };
    let device = devices::rotate(
        &mut db,
        &seal,
        args.device,
        args.suite,
        (!args.over_the_air).then_some(until_ms),
        args.new_sensor,
        has_image,
    )?;
    if args.over_the_air {
        say!(
            "Device {0} gets the key of epoch {1} after its next frames; bancada link configure --device {0} shows when it \
             has it.",
            device.id, device.epoch
        );
        return Ok(());
    }
    let path = device.write_images(&site)?;
    say!(
        "Device {} has key epoch {}: EEPROM image {} (and .bin)",
        device.id,
        device.epoch,
        path.display()
    );
    if args.old_for == 0 {
        say!("Its old key has ended: what the sensor sends is refused until it has the new one.");
    } else {
        say!(
            "Its old key ends with the first good frame of the new one, for frames that are still on their way on {}: \
             bring the new one to the sensor before. If somebody may know the old key: --old-for 0s.",
            utc(until_ms)
        );
    }
    Ok(())
}

pub fn revoke(args: &RevokeArgs) -> Result<()> {
    let site = Site::open(&args.site)?;
    let mut db = site.open_database(None)?;
    if let Some(id) = args.device {
        devices::revoke(&mut db, id, now_ms())?;
        say!("Device {id} is revoked: its frames are refused from the servers' next batch on.");
    }
    if let Some(name) = &args.gateway {
        // First: from then on it gets no further certificate (renew.rs), whose serial number would be missing here.
        devices::revoke_gateway(&mut db, name, now_ms())?;
        let (serials, _) =
            devices::find_gateway(&mut db, name)?.ok_or_else(|| UserError(format!("There is no gateway '{name}'.")))?;
        let authority = Authority::open(&site).map_err(|error| {
            UserError(format!(
                "Gateway '{name}' is revoked: servers refuse what it sends from now on. The broker still lets it in. {error}"
            ))
        })?;
        for serial in serials.split(' ') {
            authority.revoke(&site, serial)?;
        }
        let gateways = devices::gateways(&mut db)?;
        provision::certify_admin(&site, &authority)?;
        broker::write(&site, &gateways)?;
        let ended = if control::tell(&site, &gateways, std::slice::from_ref(name))? {
            "The broker has ended its connection."
        } else {
            "The broker could not be told: restart mosquitto to end its connection."
        };
        say!("Gateway '{name}' is revoked: servers refuse what it sends from now on. {ended}");
    }
    Ok(())
}
