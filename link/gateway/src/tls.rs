//! TLS 1.3 with certificates on both sides, and what its failures mean to an operator.

use std::error::Error;
use std::path::Path;
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

use rustls::crypto::ring;
use rustls::pki_types::{pem::PemObject, CertificateDer, PrivateKeyDer};
use rustls::sign::{CertifiedKey, SigningKey, SingleCertAndKey};
use rustls::{AlertDescription, CertificateError, ClientConfig, PeerIncompatible, RootCertStore};

use zeroize::{Zeroize, Zeroizing};

use crate::config::{Config, UserError};
use crate::log;

/// The client's side of TLS. Errors if a file is missing, holds something else, or the certificate is another
/// gateway's.
pub fn client(config: &Config) -> Result<ClientConfig, UserError> {
    let broker = &config.broker;
    let mut roots = RootCertStore::empty();
    for certificate in certificates(&broker.ca, "broker.ca")? {
        roots.add(certificate).map_err(|wrong| {
            UserError(format!(
                "broker.ca = {}: not a certificate of an authority ({wrong})",
                broker.ca.display()
            ))
        })?;
    }
    let chain = certificates(&broker.certificate, "broker.certificate")?;
    check_own(config, &chain[0])?;
    let signer = signer(&broker.key)?;
    warn_if_others_read(&broker.key);
    let certified = CertifiedKey::new(chain, signer);
    certified.keys_match().map_err(|wrong| {
        UserError(format!(
            "broker.key = {}: not the key of broker.certificate = {} ({wrong})",
            broker.key.display(),
            broker.certificate.display()
        ))
    })?;
    let config = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_protocol_versions(&[&rustls::version::TLS13])
        .map_err(|wrong| UserError(format!("TLS 1.3 is not available: {wrong}")))?
        .with_root_certificates(roots)
        .with_client_cert_resolver(Arc::new(SingleCertAndKey::from(certified)));
    Ok(config)
}

/// The gateway's private key. Its bytes are wiped once the signer has read them.
fn signer(path: &Path) -> Result<Arc<dyn SigningKey>, UserError> {
    let unreadable = |wrong: &dyn Error| {
        UserError(format!(
            "broker.key = {}: no private key can be read ({wrong})",
            path.display()
        ))
    };
    let text = std::fs::read(path).map_err(|wrong| unreadable(&wrong))?;
    let mut key = PrivateKeyDer::from_pem_slice(&Zeroizing::new(text)).map_err(|wrong| unreadable(&wrong))?;
    let signer = ring::sign::any_supported_type(&key);
    key.zeroize();
    signer.map_err(|wrong| unreadable(&wrong))
}

fn certificates(path: &Path, setting: &str) -> Result<Vec<CertificateDer<'static>>, UserError> {
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

/// The broker takes the certificate's common name for the user's, and lets it write only to topics of that name.
fn check_own(config: &Config, certificate: &CertificateDer<'_>) -> Result<(), UserError> {
    let at = config.broker.certificate.display();
    let (_, parsed) = x509_parser::parse_x509_certificate(certificate)
        .map_err(|wrong| UserError(format!("broker.certificate = {at}: not an X.509 certificate ({wrong})")))?;
    let common_name = parsed
        .subject()
        .iter_common_name()
        .next()
        .and_then(|name| name.as_str().ok())
        .unwrap_or("");
    if common_name != config.name {
        return Err(UserError(format!(
            "broker.certificate = {at}: made for {common_name:?}, but this gateway's name is {:?}: the broker would \
             refuse \
             its topics",
            config.name
        )));
    }
    let now = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .map_or(0, |since| since.as_secs() as i64);
    let ends = parsed.validity().not_after.timestamp();
    let day = log::utc(u64::try_from(ends).unwrap_or(0));
    // Only a warning: a gateway without a battery-backed clock may be wrong about the time, and bursts are to be kept.
    if ends < now {
        log::error(format_args!(
            "broker.certificate = {at}: expired on {day}: the broker will refuse it; make a new one"
        ));
    } else if ends - now < 30 * 86_400 {
        log::warning(format_args!(
            "broker.certificate = {at}: expires on {day}: make a new one before"
        ));
    }
    Ok(())
}

fn warn_if_others_read(key: &Path) {
    use std::os::unix::fs::PermissionsExt;
    if std::fs::metadata(key).is_ok_and(|found| found.permissions().mode() & 0o004 != 0) {
        log::warning(format_args!(
            "broker.key = {}: every user can read it; chmod 600",
            key.display()
        ));
    }
}

/// One sentence about why there is no connection, for an operator.
pub fn explain(failure: &(dyn Error + 'static)) -> String {
    match find_tls(failure) {
        Some(wrong) => explain_tls(wrong),
        None => format!("{failure}"),
    }
}

/// The error of TLS somewhere inside an error; I/O errors hide theirs from `source`.
fn find_tls<'a>(failure: &'a (dyn Error + 'static)) -> Option<&'a rustls::Error> {
    let mut current: Option<&(dyn Error + 'static)> = Some(failure);
    while let Some(error) = current {
        if let Some(found) = error.downcast_ref::<rustls::Error>() {
            return Some(found);
        }
        let inner = error.downcast_ref::<std::io::Error>().and_then(|io| io.get_ref());
        current = match inner {
            Some(inner) => Some(inner),
            None => error.source(),
        };
    }
    None
}

fn explain_tls(wrong: &rustls::Error) -> String {
    use AlertDescription as Alert;
    match wrong {
        rustls::Error::InvalidCertificate(reason) => match reason {
            CertificateError::Expired | CertificateError::ExpiredContext { .. } => {
                "the broker's certificate has expired (or this computer's clock is wrong)".into()
            }
            CertificateError::NotValidYet | CertificateError::NotValidYetContext { .. } => {
                "the broker's certificate is not valid yet (or this computer's clock is wrong)".into()
            }
            CertificateError::NotValidForName | CertificateError::NotValidForNameContext { .. } => {
                "the broker's certificate is for another host than broker.host".into()
            }
            CertificateError::UnknownIssuer | CertificateError::BadSignature => {
                "the broker's certificate was not signed by broker.ca: another broker, or somebody in between".into()
            }
            other => format!("the broker's certificate is not accepted: {other}"),
        },
        rustls::Error::AlertReceived(alert) => match alert {
            Alert::CertificateExpired => "the broker refuses this gateway's certificate: expired".into(),
            Alert::UnknownCA | Alert::BadCertificate | Alert::DecryptError => {
                "the broker refuses this gateway's certificate: not signed by its authority".into()
            }
            Alert::CertificateRequired | Alert::HandshakeFailure => "the broker wants another certificate".into(),
            Alert::CertificateRevoked => "the broker refuses this gateway's certificate: revoked".into(),
            Alert::ProtocolVersion => "the broker does not speak TLS 1.3".into(),
            other => format!("the broker ended the connection: TLS alert {other:?}"),
        },
        rustls::Error::PeerIncompatible(
            PeerIncompatible::ServerDoesNotSupportTls12Or13
            | PeerIncompatible::ServerTlsVersionIsDisabledByOurConfig
            | PeerIncompatible::Tls12NotOfferedOrEnabled,
        ) => "the broker does not speak TLS 1.3".into(),
        rustls::Error::InvalidMessage(_) => "what answers at the broker's port does not speak TLS".into(),
        other => format!("TLS: {other}"),
    }
}
