//! `renew`: gives whoever needs one another certificate before the one they have ends.
//!
//! The authority's key stays where it is: on the server, or on a machine of its own that this command runs on now and
//! then. No certificate is signed online, so who breaks into a server without that key makes none. A gateway makes its
//! new key itself and asks for a certificate by way of the broker, where its present certificate says who it is; its
//! key never travels, and nobody goes to it.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use clap::Args;
use link_language::say;
use link_wire::mqtt::gateway_of_topic;
use link_wire::renewal::{certificate_topic, is_due, request_topic, REQUESTS};
use rumqttc::{AsyncClient, Event, EventLoop, Incoming, Outgoing, QoS};
use x509_parser::parse_x509_certificate;

use crate::authority::{Authority, Purpose, AUTHORITY_DAYS};
use crate::broker::{self, is_server, ADMIN_NAME, SERVER_NAME};
use crate::db::Db;
use crate::error::{Result, UserError};
use crate::log::{now_ms, utc};
use crate::site::{Site, DEFAULT_FOLDER};
use crate::{control, devices, provision, tls};

const CONNECT: Duration = Duration::from_secs(10);
/// A request is some 400 bytes.
const REQUEST_BYTES: usize = 8192;

/// Issues certificates anew of which less than a third of their time is left: the site's own, and those that gateways
/// ask for at the broker.
///
/// It needs the authority's key (ca/ca.key), so it runs where that is kept: by a timer, or by hand now and then.
///
/// Example: bancada link renew --site farm
#[derive(Args)]
pub struct RenewArgs {
    /// The site's folder
    #[arg(long, default_value = DEFAULT_FOLDER)]
    site: PathBuf,
    /// Lifetime of the new certificates in days
    #[arg(long, default_value_t = 730, value_parser = clap::value_parser!(i64).range(1..=3650))]
    days: i64,
    /// Seconds to wait at the broker for requests
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u64).range(1..=600))]
    wait: u64,
    /// Sign what gateways ask for even if less than two thirds of their certificates' time has passed
    #[arg(long)]
    force: bool,
    /// A command for the shell that makes broker and servers use their new certificates; it is run if there are any
    #[arg(long)]
    then: Option<String>,
}

pub fn renew(args: &RenewArgs) -> Result<()> {
    let site = Site::open(&args.site)?;
    let mut db = site.open_database(None)?;
    let authority = Authority::open(&site)?;
    let own = renew_own(&site, &authority, args.days)?;
    provision::certify_admin(&site, &authority)?;
    let gateways = devices::gateways(&mut db)?;
    broker::write(&site, &gateways)?;
    // A site from before this gets the rights to ask.
    let signed = match control::tell(&site, &gateways, &[])? {
        true => answer_requests(&site, &mut db, &authority, args)?,
        false => {
            say!("The broker could not be reached: gateways that ask are answered next time.");
            0
        }
    };
    if own == 0 && signed == 0 {
        say!("No certificate was due.");
    }
    if own == 0 {
        return Ok(());
    }
    match &args.then {
        None => say!("Reload mosquitto and restart the servers: they have new certificates."),
        Some(command) => {
            let status = Command::new("/bin/sh").args(["-c", command]).status();
            if !status.is_ok_and(|status| status.success()) {
                return Err(UserError(format!(
                    "The certificates are new, but this failed: {command}"
                )));
            }
        }
    }
    Ok(())
}

/// How many of the site's own were issued anew.
fn renew_own(site: &Site, authority: &Authority, days: i64) -> Result<usize> {
    let mut own: Vec<(String, String, Purpose, Vec<String>, i64)> = provision::of_site(site)
        .into_iter()
        .map(|(stem, name, purpose, hosts)| (stem.to_owned(), name, purpose, hosts, days))
        .collect();
    for name in broker::servers(site)? {
        if is_server(&name) && name != SERVER_NAME {
            own.push((format!("server/{name}"), name, Purpose::Client, vec![], days));
        }
    }
    let admin = ADMIN_NAME.to_owned();
    own.push((format!("ca/{admin}"), admin, Purpose::Client, vec![], AUTHORITY_DAYS));
    let mut renewed = 0;
    for (stem, name, purpose, hosts, days) in own {
        let path = site.path(&format!("{stem}.crt"));
        if !path.is_file() || !is_due_now(&path)? {
            continue;
        }
        provision::save(site, &stem, &authority.issue(&name, purpose, &hosts, days)?)?;
        say!("{stem}.crt is new; it ends on {}.", utc(ends_ms(&path)?));
        renewed += 1;
    }
    Ok(renewed)
}

/// When a certificate begins and ends, in unix seconds.
fn validity(path: &Path) -> Result<(i64, i64)> {
    let chain = tls::certificates(path)?;
    let wrong = || UserError(format!("{} is no certificate.", path.display()));
    let first = chain.first().ok_or_else(wrong)?;
    let (_, parsed) = parse_x509_certificate(first).map_err(|_| wrong())?;
    let validity = parsed.validity();
    Ok((validity.not_before.timestamp(), validity.not_after.timestamp()))
}

fn is_due_now(path: &Path) -> Result<bool> {
    let (begins_s, ends_s) = validity(path)?;
    Ok(is_due(begins_s, ends_s, now_ms() / 1000))
}

fn ends_ms(path: &Path) -> Result<i64> {
    Ok(validity(path)?.1.saturating_mul(1000))
}

/// How many requests were signed.
fn answer_requests(site: &Site, db: &mut Db, authority: &Authority, args: &RenewArgs) -> Result<usize> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(|error| UserError(format!("The broker cannot be asked: {error}.")))?;
    let lost = || UserError("The connection to the broker was lost: run the command again.".into());
    runtime.block_on(async {
        let (client, mut events) = control::connection(site)?;
        let requests = collect(&client, &mut events, Duration::from_secs(args.wait))
            .await
            .ok_or_else(lost)?;
        let mut signed = 0;
        let mut sent = 0;
        for (gateway, request) in requests {
            let answer = sign(db, authority, &gateway, &request, args)?;
            match answer {
                Ok(certificate) => {
                    say!("Gateway '{gateway}' gets another certificate, for {} days.", args.days);
                    let topic = certificate_topic(&gateway);
                    let done = client.publish(topic, QoS::AtLeastOnce, true, certificate).await;
                    done.map_err(|_| lost())?;
                    (signed, sent) = (signed + 1, sent + 1);
                }
                Err(why) => say!("The request of gateway '{gateway}' is refused: {why}."),
            }
            // Answered, in whatever way: an empty retained message takes it away.
            let done = client
                .publish(request_topic(&gateway), QoS::AtLeastOnce, true, "")
                .await;
            done.map_err(|_| lost())?;
            sent += 1;
            flush(&mut events, &mut sent).await.ok_or_else(lost)?;
        }
        let _ = client.disconnect().await;
        let _ = tokio::time::timeout(CONNECT, async { while events.poll().await.is_ok() {} }).await;
        Ok(signed)
    })
}

/// The requests that the broker keeps, by gateway.
async fn collect(client: &AsyncClient, events: &mut EventLoop, wait: Duration) -> Option<Vec<(String, String)>> {
    let subscribed = async {
        loop {
            match events.poll().await.ok()? {
                Event::Incoming(Incoming::ConnAck(_)) => client.subscribe(REQUESTS, QoS::AtLeastOnce).await.ok()?,
                Event::Incoming(Incoming::SubAck(_)) => return Some(()),
                _ => {}
            }
        }
    };
    tokio::time::timeout(CONNECT, subscribed).await.ok()??;
    let mut found = std::collections::BTreeMap::new();
    let gather = async {
        loop {
            let Ok(event) = events.poll().await else { return };
            let Event::Incoming(Incoming::Publish(message)) = event else {
                continue;
            };
            let text = String::from_utf8(message.payload.to_vec()).unwrap_or_default();
            if let Some(gateway) = gateway_of_topic(&message.topic).filter(|_| text.len() <= REQUEST_BYTES) {
                if !text.is_empty() {
                    found.insert(gateway.to_owned(), text);
                }
            }
        }
    };
    let _ = tokio::time::timeout(wait, gather).await;
    Some(found.into_iter().collect())
}

/// Waits until the broker has confirmed what was sent.
async fn flush(events: &mut EventLoop, sent: &mut usize) -> Option<()> {
    let confirmed = async {
        while *sent > 0 {
            match events.poll().await.ok()? {
                Event::Incoming(Incoming::PubAck(_)) => *sent -= 1,
                Event::Outgoing(Outgoing::Disconnect) => return None,
                _ => {}
            }
        }
        Some(())
    };
    tokio::time::timeout(CONNECT, confirmed).await.ok()?
}

/// The certificate, or why there is none. It is noted before it is given away: it must be revoked with the others.
fn sign(
    db: &mut Db,
    authority: &Authority,
    gateway: &str,
    request: &str,
    args: &RenewArgs,
) -> Result<std::result::Result<String, String>> {
    match devices::find_gateway(db, gateway)? {
        Some((_, true)) => {}
        Some((_, false)) => return Ok(Err("it is revoked".into())),
        None => return Ok(Err("there is no such gateway".into())),
    }
    // Whoever has a gateway's key for a day must not leave with certificates for years.
    if let (Some((begins_s, ends_s)), false) = (devices::validity(db, gateway)?, args.force) {
        if !is_due(begins_s, ends_s, now_ms() / 1000) {
            let from_ms = (ends_s - (ends_s - begins_s) / 3).saturating_mul(1000);
            let from = utc(from_ms);
            return Ok(Err(format!(
                "it is not due before {from}; --force signs it all the same"
            )));
        }
    }
    let signed = match authority.sign_request(request, gateway, args.days) {
        Ok(signed) => signed,
        Err(_) => return Ok(Err("it is not a request that its key has signed".into())),
    };
    match devices::note_renewal(db, gateway, &signed.certified)? {
        true => Ok(Ok(signed.certificate_pem)),
        false => Ok(Err("it is revoked".into())),
    }
}
