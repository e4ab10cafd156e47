//! TLS 1.3 with certificates on both sides, and what its failures mean to an operator.

use std::error::Error;
use std::sync::Arc;

use rustls::crypto::ring;
use rustls::server::danger::ClientCertVerifier;
use rustls::server::WebPkiClientVerifier;
use rustls::sign::SingleCertAndKey;
use rustls::{AlertDescription, CertificateError, ClientConfig, PeerIncompatible, RootCertStore};

use crate::config::{Config, UserError};
use crate::identity::{self, certificates, Identity};

/// The client's side of TLS with the identity that the settings name, or its successor. Errors if a file is missing,
/// holds something else, or the certificate is another gateway's.
pub fn client(config: &Config) -> Result<(ClientConfig, Identity), UserError> {
    let identity = identity::load(config)?;
    Ok((with(config, &identity)?, identity))
}

/// Judges whether the site's authority signed a certificate of a gateway.
pub fn verifier(config: &Config) -> Result<Arc<dyn ClientCertVerifier>, UserError> {
    WebPkiClientVerifier::builder_with_provider(Arc::new(roots(config)?), provider())
        .build()
        .map_err(|wrong| UserError(format!("broker.ca = {}: {wrong}", config.broker.ca.display())))
}

fn provider() -> Arc<rustls::crypto::CryptoProvider> {
    Arc::new(ring::default_provider())
}

fn roots(config: &Config) -> Result<RootCertStore, UserError> {
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
    Ok(roots)
}

/// The client's side of TLS with this identity.
pub fn with(config: &Config, identity: &Identity) -> Result<ClientConfig, UserError> {
    Ok(ClientConfig::builder_with_provider(provider())
        .with_protocol_versions(&[&rustls::version::TLS13])
        .map_err(|wrong| UserError(format!("TLS 1.3 is not available: {wrong}")))?
        .with_root_certificates(roots(config)?)
        .with_client_cert_resolver(Arc::new(SingleCertAndKey::from(identity.certified.clone()))))
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
