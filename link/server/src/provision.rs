//! `provision`: makes a site, and adds gateways and devices to it.

use std::path::{Path, PathBuf};

use clap::Args;
use link_language::say;
use zeroize::Zeroizing;

use crate::authority::{Authority, Issued, Purpose, AUTHORITY_DAYS};
use crate::broker::{self, is_server, ADMIN_NAME, SERVER_NAME};
use crate::control;
use crate::db::Db;
use crate::devices::{self, Device, CSV_HEADER};
use crate::error::{Result, UserError};
use crate::keys::Seal;
use crate::loopback::is_loopback;
use crate::page_name::{certified, page_name};
use crate::places::check_name;
use crate::regions::Region;
use crate::schema::{set_setting, setting};
use crate::site::{database_of_environment, read, write_public, write_secret, Settings, Site, DEFAULT_FOLDER};
use crate::suite::Suite;
use crate::{password, people, retention, thresholds};

/// Makes a site (its own authority, certificates, broker configuration, database and password), or adds to one that
/// exists.
///
/// Example: bancada link provision --site farm --gateway roof --device 1 --device 2
#[derive(Args)]
pub struct ProvisionArgs {
    /// The site's folder; made if it is missing
    #[arg(long, default_value = DEFAULT_FOLDER)]
    site: PathBuf,
    /// Name or address that gateways and servers call the broker by
    #[arg(long, default_value = "localhost")]
    broker_host: String,
    /// The port of the broker
    #[arg(long, default_value_t = 8883)]
    broker_port: u16,
    /// The account that mosquitto runs under [default: yours]
    #[arg(long)]
    broker_user: Option<String>,
    /// SQLite file, or postgresql://user@host/name [default: BANCADA_LINK_DATABASE, which ps does not show, else
    /// link.sqlite]
    #[arg(long)]
    database: Option<String>,
    /// Where the page listens; beyond loopback it speaks TLS only
    #[arg(long, default_value = "127.0.0.1:8080")]
    page: String,
    /// A name or address that browsers call the page by; may be repeated
    #[arg(long = "page-host")]
    page_hosts: Vec<String>,
    /// Add a gateway; may be repeated
    #[arg(long = "gateway")]
    gateways: Vec<String>,
    /// Add a server besides the first; its name begins with server-; may be repeated
    #[arg(long = "server")]
    servers: Vec<String>,
    /// Add a device by its id, 1 to 65535; may be repeated
    #[arg(long = "device", value_parser = clap::value_parser!(u16).range(1..))]
    devices: Vec<u16>,
    /// Add this many devices at once, and write their table to --csv
    #[arg(long, default_value_t = 0)]
    fleet: u16,
    /// The fleet's first id
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..))]
    first: u16,
    /// Where to write the table of the devices added, keys included
    #[arg(long)]
    csv: Option<PathBuf>,
    /// Cipher of the devices added: ascon or ccm
    #[arg(long, default_value = "ascon", value_parser = parse_suite)]
    suite: Suite,
    /// Time slots in a cycle; 0: free running with jitter. A device's slot is its id modulo this
    #[arg(long, default_value_t = 0)]
    slots: u8,
    /// Seconds between two readings
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u8).range(1..))]
    period: u8,
    /// Radio channel, 0 to 31 [default: 23, or one of the region's]
    #[arg(long, value_parser = clap::value_parser!(u8).range(..=31))]
    channel: Option<u8>,
    /// Whose law the devices added keep (channel, power, time on air): eu433, eu868, br915, or none
    #[arg(long, default_value = "none", value_parser = parse_region)]
    region: Region,
    /// The keys of the devices added change every 4096 frames, so that a stolen sensor opens none of its older frames;
    /// firmware 1.1 or newer
    #[arg(long, conflicts_with = "fleet")]
    ratchet: bool,
    /// What to call the device on the page; with one --device only
    #[arg(long)]
    name: Option<String>,
    /// Rain above this many mm/h raises an alarm
    #[arg(long)]
    rain_alarm: Option<f64>,
    /// Minutes over which rain is counted for the alarm
    #[arg(long)]
    rain_window: Option<u32>,
    /// Whole months of readings to keep besides the present one; older ones are deleted. 0: all, the default
    #[arg(long)]
    keep_months: Option<u16>,
    /// Lifetime of certificates in days
    #[arg(long, default_value_t = 730, value_parser = clap::value_parser!(i64).range(1..=3650))]
    days: i64,
    /// Issue the certificates of broker, server, page and of the gateways named anew
    #[arg(long)]
    renew: bool,
}

pub fn parse_suite(text: &str) -> std::result::Result<Suite, String> {
    match text {
        "ascon" | "1" => Ok(Suite::Ascon),
        "ccm" | "2" => Ok(Suite::AesCcm),
        _ => Err("ascon or ccm".into()),
    }
}

fn parse_region(text: &str) -> std::result::Result<Region, String> {
    Region::from_name(text).ok_or_else(|| "none, eu433, eu868 or br915".into())
}

pub fn provision(args: &ProvisionArgs) -> Result<()> {
    if args.name.is_some() && args.devices.len() != 1 {
        return Err(UserError("--name is for one --device.".into()));
    }
    if let Some(wrong) = args.name.as_deref().and_then(|name| check_name(name).err()) {
        return Err(UserError(wrong.into()));
    }
    if let Some(threshold) = args.rain_alarm.filter(|rate| !(rate.is_finite() && *rate > 0.0)) {
        return Err(UserError(format!("--rain-alarm {threshold}: a rate in mm/h above 0.")));
    }
    if let Some(minutes) = args.rain_window.filter(|minutes| !(1..=1440).contains(minutes)) {
        return Err(UserError(format!("--rain-window {minutes}: 1 to 1440 minutes.")));
    }
    if args.fleet > 0 && args.csv.is_none() {
        return Err(UserError(
            "--fleet needs --csv FILE: where to write the devices' keys.".into(),
        ));
    }
    args.page.parse::<std::net::SocketAddr>().map_err(|_| {
        UserError(format!(
            "--page {}: an address and a port, such as 127.0.0.1:8080 or 0.0.0.0:8443.",
            args.page
        ))
    })?;
    for name in &args.gateways {
        check_gateway_name(name)?;
    }
    for name in &args.servers {
        check_server_name(name)?;
    }
    if args.broker_user.as_deref() == Some("root") {
        return Err(UserError(
            "--broker-user root: an attacker who breaks into a broker that runs as root gets the machine; name another \
             account."
                .into(),
        ));
    }
    let is_new = !Site::exists(&args.site);
    let asked = args
        .page_hosts
        .iter()
        .map(|host| certifiable(host))
        .collect::<Result<Vec<_>>>()?;
    let (site, mut db) = if Site::exists(&args.site) {
        let mut site = Site::open(&args.site)?;
        let db = site.open_database(None)?;
        // A site from before its settings named them has them in the certificate only.
        let mut page_hosts = site.settings.page_hosts.clone();
        if page_hosts.is_empty() {
            page_hosts = certified(&site.path("server/page.crt"));
        }
        if args.renew {
            if !asked.is_empty() {
                page_hosts = asked;
            }
            let new = page_hosts != site.settings.page_hosts;
            site.settings.page_hosts = page_hosts;
            issue_for_site(&site, &Authority::open(&site)?, args)?;
            // A comment in the settings stays, unless the settings change.
            if new {
                site.save()?;
            }
            say!("Issued the certificates of broker, server and page anew; restart mosquitto and the servers.");
        } else if let Some(unknown) = asked.iter().find(|&host| !page_hosts.contains(host)) {
            return Err(UserError(format!(
                "--page-host {unknown}: the page's certificate is for other names; with --renew it is issued anew, \
                 for all names that you give."
            )));
        }
        (site, db)
    } else {
        create(args, asked)?
    };
    let seal = Seal::read(&site.path("server/seal.key"))?;
    for name in &args.gateways {
        add_gateway(&site, &mut db, name, args)?;
    }
    let authority = Authority::open(&site)?;
    certify_admin(&site, &authority)?;
    for name in &args.servers {
        let stem = format!("server/{name}");
        if site.path(&format!("{stem}.crt")).is_file() && !args.renew {
            return Err(UserError(format!(
                "The server '{name}' exists already; --renew issues its certificate anew."
            )));
        }
        save(&site, &stem, &authority.issue(name, Purpose::Client, &[], args.days)?)?;
        say!(
            "Server '{name}': start it with: bancada link serve --site {} --name {name}",
            site.folder.display()
        );
    }
    let gateways = devices::gateways(&mut db)?;
    broker::write(&site, &gateways)?;
    let changed = !args.gateways.is_empty() || !args.servers.is_empty();
    if changed && !is_new {
        say!(
            "{}",
            if control::tell(&site, &gateways, &[])? {
                "The broker knows them."
            } else {
                "The broker could not be told: restart mosquitto if it runs."
            }
        );
    }
    add_devices(&site, &mut db, &seal, args)?;
    if args.rain_alarm.is_some() && setting(&mut db, thresholds::TABLE)?.is_some() {
        return Err(UserError(
            "--rain-alarm: the site has a table of thresholds; change that with: bancada link thresholds --set FILE."
                .into(),
        ));
    }
    if let Some(threshold) = args.rain_alarm {
        set_setting(&mut db, thresholds::RATE, &threshold.to_string())?;
    }
    if let Some(minutes) = args.rain_window {
        set_setting(&mut db, thresholds::WINDOW, &minutes.to_string())?;
    }
    if let Some(months) = args.keep_months {
        set_setting(&mut db, retention::KEEP_MONTHS, &months.to_string())?;
        match months {
            0 => say!("Readings are kept for ever."),
            _ => say!(
                "Readings are kept for {months} whole months besides the present one; running servers begin \
                 to delete older ones now."
            ),
        }
    }
    Ok(())
}

/// A certificate may also be for all names below one (RFC 9525, section 6.3).
fn certifiable(host: &str) -> Result<String> {
    match host.strip_prefix("*.") {
        Some(above) => Ok(format!("*.{}", page_name(above)?)),
        None => Ok(page_name(host)?.to_owned()),
    }
}

fn create(args: &ProvisionArgs, page_hosts: Vec<String>) -> Result<(Site, Db)> {
    let settings = Settings {
        broker_host: args.broker_host.clone(),
        broker_port: args.broker_port,
        database: args
            .database
            .clone()
            .or_else(database_of_environment)
            .unwrap_or_else(|| "link.sqlite".into()),
        page: args.page.clone(),
        page_hosts,
        broker_user: args
            .broker_user
            .clone()
            .unwrap_or_else(|| std::env::var("USER").unwrap_or_else(|_| "root".into())),
        notify: None,
    };
    let site = Site::create(&args.site, settings)?;
    let mut db = site.open_database(None)?;
    // What an interrupted run left is kept: devices may be sealed by it already.
    let authority = if site.path("ca/crl.pem").is_file() {
        Authority::open(&site)?
    } else {
        Authority::create(&site, "bancada link")?
    };
    issue_for_site(&site, &authority, args)?;
    if !site.path("server/seal.key").is_file() {
        Seal::create(&site.path("server/seal.key"))?;
    }
    let drawn = password::draw()?;
    let hash = password::hash(&drawn)?;
    people::set_password(&mut db, people::FIRST, people::Role::Administrator, &hash)?;
    if setting(&mut db, thresholds::RATE)?.is_none() {
        set_setting(&mut db, thresholds::RATE, thresholds::DEFAULT_RATE)?;
        set_setting(&mut db, thresholds::WINDOW, thresholds::DEFAULT_WINDOW)?;
    }
    // Before the settings, which say that the site is made: a run that is interrupted after them is not made again.
    certify_admin(&site, &authority)?;
    broker::write(&site, &devices::gateways(&mut db)?)?;
    site.save()?;
    say!("Made the site {}.", site.folder.display());
    say!(
        "The page's user is '{}'; its password, shown this once: {drawn}",
        people::FIRST
    );
    Ok((site, db))
}

/// The site's own certificates besides those of further servers: where each is, its name, purpose and hosts.
pub fn of_site(site: &Site) -> Vec<(&'static str, String, Purpose, Vec<String>)> {
    let broker = &site.settings.broker_host;
    let broker_hosts = with_loopback(std::slice::from_ref(broker), is_loopback(broker));
    let page_hosts = with_loopback(&site.settings.page_hosts, true);
    vec![
        ("broker/broker", broker.clone(), Purpose::Host, broker_hosts),
        ("server/server", SERVER_NAME.to_owned(), Purpose::Client, vec![]),
        ("server/page", "page".to_owned(), Purpose::Host, page_hosts),
    ]
}

fn issue_for_site(site: &Site, authority: &Authority, args: &ProvisionArgs) -> Result<()> {
    for (stem, name, purpose, hosts) in of_site(site) {
        save(site, stem, &authority.issue(&name, purpose, &hosts, args.days)?)?;
    }
    for room in ["broker", "server"] {
        write_public(
            &site.path(&format!("{room}/ca.crt")),
            authority.certificate_pem.as_bytes(),
        )?;
    }
    Ok(())
}

fn with_loopback(hosts: &[String], loopback: bool) -> Vec<String> {
    let mut all = hosts.to_vec();
    for host in ["localhost", "127.0.0.1", "::1"] {
        if loopback && !all.iter().any(|known| known == host) {
            all.push(host.to_owned());
        }
    }
    all
}

pub fn save(site: &Site, stem: &str, issued: &Issued) -> Result<()> {
    write_secret(&site.path(&format!("{stem}.key")), issued.key_pem.as_bytes())?;
    write_public(&site.path(&format!("{stem}.crt")), issued.certificate_pem.as_bytes())
}

fn check_gateway_name(name: &str) -> Result<()> {
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
    // The name becomes a folder, a part of a topic and a user of the broker.
    if name.is_empty() || name.len() > 64 || !name.chars().all(plain) || name.starts_with('.') || is_taken(name) {
        return Err(UserError(format!(
            "'{name}' cannot be a gateway's name: 1 to 64 letters, digits, '-', '_' or '.', and not '{SERVER_NAME}', \
             '{SERVER_NAME}-…' or '{ADMIN_NAME}'."
        )));
    }
    Ok(())
}

/// Names of certificates that are no gateway's.
fn is_taken(name: &str) -> bool {
    is_server(name) || name == ADMIN_NAME
}

fn check_server_name(name: &str) -> Result<()> {
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
    if !is_server(name) || name == SERVER_NAME || name.len() > 64 || !name.chars().all(plain) {
        return Err(UserError(format!(
            "'{name}' cannot be a further server's name: '{SERVER_NAME}-' and up to 57 letters, digits, '-' or '_'."
        )));
    }
    Ok(())
}

/// The certificate by which the broker's rights are changed, which a site from before this does not have.
pub fn certify_admin(site: &Site, authority: &Authority) -> Result<()> {
    if site.path(&format!("ca/{ADMIN_NAME}.crt")).is_file() {
        return Ok(());
    }
    let issued = authority.issue(ADMIN_NAME, Purpose::Client, &[], AUTHORITY_DAYS)?;
    save(site, &format!("ca/{ADMIN_NAME}"), &issued)
}

fn add_gateway(site: &Site, db: &mut Db, name: &str, args: &ProvisionArgs) -> Result<()> {
    match devices::find_gateway(db, name)? {
        Some((_, true)) if !args.renew => {
            return Err(UserError(format!(
                "The gateway '{name}' exists already; --renew issues its certificate anew."
            )));
        }
        // The broker goes by names, and reads the list of revoked certificates only when it starts.
        Some((_, false)) => {
            return Err(UserError(format!(
                "The gateway '{name}' is revoked, and whoever has its old key could use this name again: give the \
                 gateway a new name."
            )));
        }
        _ => {}
    }
    let authority = Authority::open(site)?;
    let issued = authority.issue(name, Purpose::Client, &[], args.days)?;
    let stem = format!("gateways/{name}");
    save(site, &format!("{stem}/gateway"), &issued)?;
    write_public(
        &site.path(&format!("{stem}/ca.crt")),
        authority.certificate_pem.as_bytes(),
    )?;
    let settings = site.path(&format!("{stem}/gateway.toml"));
    if !settings.is_file() {
        let Settings {
            broker_host,
            broker_port,
            ..
        } = &site.settings;
        let text = format!(
            "# Paths are relative to this file's folder.\nname = \"{name}\"\n\n\
             [serial]\ndevice = \"/dev/ttyACM0\"\n\n[outbox]\nfile = \"outbox.sqlite\"\n\n\
             [broker]\nhost = \"{broker_host}\"\nport = {broker_port}\nca = \"ca.crt\"\n\
             certificate = \"gateway.crt\"\nkey = \"gateway.key\"\n"
        );
        write_public(&settings, text.as_bytes())?;
    }
    devices::note_gateway(db, name, &issued.certified)?;
    say!("Gateway '{name}': copy {} to it.", site.path(&stem).display());
    Ok(())
}

fn add_devices(site: &Site, db: &mut Db, seal: &Seal, args: &ProvisionArgs) -> Result<()> {
    let (usual_channel, power) = args.region.usual();
    let channel = args.channel.unwrap_or(usual_channel);
    if !args.region.allows(channel.into(), power.into()) {
        return Err(UserError(format!(
            "--channel {channel}: not what region {} allows.",
            args.region.name()
        )));
    }
    let single = args.devices.len();
    let last = u32::from(args.first) + u32::from(args.fleet);
    if last > 65536 {
        return Err(UserError(format!(
            "A fleet of {} from id {} does not fit: the last id is 65535.",
            args.fleet, args.first
        )));
    }
    let ids = args
        .devices
        .iter()
        .copied()
        .chain((u32::from(args.first)..last).filter_map(|id| u16::try_from(id).ok()));
    let mut added = Vec::new();
    for id in ids {
        added.push(Device {
            id,
            name: args.name.clone().unwrap_or_else(|| format!("Sensor {id}")),
            epoch: 0,
            suite: args.suite,
            master: devices::random_master()?,
            slot: if args.slots == 0 {
                0
            } else {
                (id % u16::from(args.slots)) as u8
            },
            slots: args.slots,
            period_s: args.period,
            channel,
            region: args.region.number(),
            alarm_pulses: 0,
            power,
            ratchets: args.ratchet,
        });
    }
    if added.is_empty() {
        return Ok(());
    }
    // Keys that no table tells would have to be given anew, one by one.
    let before = args.csv.as_deref().map(begin_table).transpose()?;
    devices::add(db, seal, &added)?;
    for device in &added[..single] {
        let path = device.write_images(site)?;
        say!("Device {}: EEPROM image {} (and .bin)", device.id, path.display());
    }
    if let (Some(path), Some(before)) = (&args.csv, before) {
        let lines: Vec<Zeroizing<String>> = added.iter().map(Device::csv).collect();
        let bytes = before.len() + lines.iter().map(|line| line.len()).sum::<usize>();
        let mut table = Zeroizing::new(String::with_capacity(bytes));
        table.push_str(&before);
        lines.iter().for_each(|line| table.push_str(line));
        write_secret(path, table.as_bytes())?;
        say!("Wrote {} devices to {}.", added.len(), path.display());
    }
    Ok(())
}

/// What the table of devices holds so far, once it is sure that it can be written.
fn begin_table(path: &Path) -> Result<Zeroizing<String>> {
    let text = match path.is_file() {
        true => read(path)?,
        false => CSV_HEADER.to_owned(),
    };
    let text = Zeroizing::new(text);
    write_secret(path, text.as_bytes())?;
    Ok(text)
}
