//! The gateway's certificate and key: those that the settings name, or newer ones that the daemon got by itself
//! (renewal.rs) and keeps beside its outbox, where it may write.

use std::error::Error;
use std::fs::{self, OpenOptions};
use std::io::Write;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

use rustls::crypto::ring;
use rustls::pki_types::{pem::PemObject, CertificateDer, PrivateKeyDer};
use rustls::sign::CertifiedKey;
use zeroize::{Zeroize, Zeroizing};

use crate::config::{Config, UserError};
use crate::log;

const RENEWED: &str = "identity.pem";

/// Who this gateway is to the broker.
pub struct Identity {
    pub certified: CertifiedKey,
    /// From when to when, in unix seconds.
    pub begins_s: i64,
    pub ends_s: i64,
}

/// Where what the daemon got by itself is kept: the certificate, then its key.
pub fn renewed_path(config: &Config) -> PathBuf {
    config.outbox.file.with_file_name(RENEWED)
}

pub fn now_s() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    since.map_or(0, |since| i64::try_from(since.as_secs()).unwrap_or(i64::MAX))
}

/// The one of the two that was issued last. What is kept beside the outbox is left out if it is damaged, or another's.
pub fn load(config: &Config) -> Result<Identity, UserError> {
    let broker = &config.broker;
    let given = read(
        config,
        &broker.certificate,
        &broker.key,
        ("broker.certificate", "broker.key"),
    )?;
    warn_if_others_read(&broker.key);
    let path = renewed_path(config);
    let renewed = match path.is_file() {
        false => None,
        true => match read(config, &path, &path, ("the renewed certificate", "its key")) {
            Ok(identity) => Some(identity),
            Err(wrong) => {
                log::warning(format_args!("{wrong}; the one of the settings is used"));
                None
            }
        },
    };
    let identity = match renewed {
        Some(renewed) if renewed.begins_s > given.begins_s => renewed,
        _ => given,
    };
    warn_of_end(config, &identity);
    Ok(identity)
}

/// Keeps what came, whole or not at all.
pub fn keep(config: &Config, certificate_pem: &str, key_pem: &str) -> std::io::Result<()> {
    let path = renewed_path(config);
    let partial = path.with_extension("partial");
    let text = Zeroizing::new(format!("{}\n{key_pem}", certificate_pem.trim_end()));
    let mut file = OpenOptions::new()
        .write(true)
        .create(true)
        .truncate(true)
        .mode(0o600)
        .open(&partial)?;
    file.write_all(text.as_bytes())?;
    file.sync_all()?;
    fs::rename(&partial, &path)?;
    // The name too must outlast a power cut, or the next start has the certificate that ends.
    path.parent()
        .map_or(Ok(()), |folder| fs::File::open(folder)?.sync_all())
}

/// From one file or two; `settings`: what they are called in messages.
fn read(config: &Config, certificate: &Path, key: &Path, settings: (&str, &str)) -> Result<Identity, UserError> {
    let chain = certificates(certificate, settings.0)?;
    let (begins_s, ends_s) = check_own(config, &chain[0], certificate, settings.0)?;
    let unreadable = |wrong: &dyn Error| {
        UserError(format!(
            "{} = {}: no private key can be read ({wrong})",
            settings.1,
            key.display()
        ))
    };
    let text = fs::read(key).map_err(|wrong| unreadable(&wrong))?;
    let mut private = PrivateKeyDer::from_pem_slice(&Zeroizing::new(text)).map_err(|wrong| unreadable(&wrong))?;
    let signer = ring::sign::any_supported_type(&private);
    // Its bytes are wiped once the signer has read them.
    private.zeroize();
    let certified = CertifiedKey::new(chain, signer.map_err(|wrong| unreadable(&wrong))?);
    certified.keys_match().map_err(|wrong| {
        UserError(format!(
            "{} = {}: not the key of {} = {} ({wrong})",
            settings.1,
            key.display(),
            settings.0,
            certificate.display()
        ))
    })?;
    Ok(Identity {
        certified,
        begins_s,
        ends_s,
    })
}

/// The certificates of a PEM file, at least one.
pub fn certificates(path: &Path, setting: &str) -> Result<Vec<CertificateDer<'static>>, UserError> {
    let found: Result<Vec<_>, _> = CertificateDer::pem_file_iter(path).and_then(|items| items.collect());
    match found {
        Ok(certificates) if !certificates.is_empty() => Ok(certificates),
        Ok(_) => Err(UserError(format!(
            "{setting} = {}: there is no PEM certificate in the file",
            path.display()
        ))),
        Err(wrong) => Err(UserError(format!(
            "{setting} = {}: no certificate can be read ({wrong})",
            path.display()
        ))),
    }
}

/// The broker takes the certificate's common name for the user's, and lets it write only to topics of that name. From
/// when to when it is good.
fn check_own(
    config: &Config,
    certificate: &CertificateDer<'_>,
    path: &Path,
    setting: &str,
) -> Result<(i64, i64), UserError> {
    let at = path.display();
    let (_, parsed) = x509_parser::parse_x509_certificate(certificate)
        .map_err(|wrong| UserError(format!("{setting} = {at}: not an X.509 certificate ({wrong})")))?;
    let common_name = parsed
        .subject()
        .iter_common_name()
        .next()
        .and_then(|name| name.as_str().ok())
        .unwrap_or("");
    if common_name != config.name {
        return Err(UserError(format!(
            "{setting} = {at}: made for {common_name:?}, but this gateway's name is {:?}: the broker would refuse \
             its topics",
            config.name
        )));
    }
    let validity = parsed.validity();
    Ok((validity.not_before.timestamp(), validity.not_after.timestamp()))
}

fn warn_of_end(config: &Config, identity: &Identity) {
    let at = config.broker.certificate.display();
    let day = log::utc(u64::try_from(identity.ends_s).unwrap_or(0));
    // Only a warning: a gateway without a battery-backed clock may be wrong about the time, and bursts are to be kept.
    let now_s = now_s();
    if identity.ends_s < now_s {
        log::error(format_args!(
            "broker.certificate = {at}: expired on {day}: the broker will refuse it; make a new one"
        ));
    } else if identity.ends_s - now_s < 30 * 86_400 {
        log::warning(format_args!(
            "broker.certificate = {at}: expires on {day}: make a new one before"
        ));
    }
}

fn warn_if_others_read(key: &Path) {
    use std::os::unix::fs::PermissionsExt;
    if fs::metadata(key).is_ok_and(|found| found.permissions().mode() & 0o004 != 0) {
        log::warning(format_args!(
            "broker.key = {}: every user can read it; chmod 600",
            key.display()
        ));
    }
}

/// A new certificate as the broker sent it, if it is for this key, of this gateway's name, and signed by the authority.
pub fn accept(
    config: &Config,
    verifier: &Arc<dyn rustls::server::danger::ClientCertVerifier>,
    pem: &str,
    key_pem: &str,
) -> Result<Identity, String> {
    let chain: Result<Vec<_>, _> = CertificateDer::pem_slice_iter(pem.as_bytes()).collect();
    let chain = chain.map_err(|wrong| format!("it is no certificate ({wrong})"))?;
    let first = chain.first().ok_or("it is no certificate")?;
    let path = renewed_path(config);
    let (begins_s, ends_s) = check_own(config, first, &path, "the new certificate").map_err(|wrong| wrong.0)?;
    verifier
        .verify_client_cert(first, &chain[1..], rustls::pki_types::UnixTime::now())
        .map_err(|wrong| format!("the authority of broker.ca did not sign it ({wrong})"))?;
    let mut private = PrivateKeyDer::from_pem_slice(key_pem.as_bytes())
        .map_err(|wrong| format!("the key is unreadable ({wrong})"))?;
    let signer = ring::sign::any_supported_type(&private);
    private.zeroize();
    let certified = CertifiedKey::new(chain, signer.map_err(|wrong| wrong.to_string())?);
    certified
        .keys_match()
        .map_err(|_| "it is for another key than the one that was asked for")?;
    Ok(Identity {
        certified,
        begins_s,
        ends_s,
    })
}
