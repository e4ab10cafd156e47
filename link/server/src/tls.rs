//! Certificates and keys from PEM files, for every TLS connection of the server. A key's bytes are wiped once the
//! signer has read them.

use std::path::Path;
use std::sync::Arc;

use rustls::crypto::ring::{default_provider, sign::any_supported_type};
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::sign::{CertifiedKey, SingleCertAndKey};
use rustls::{ClientConfig, RootCertStore};
use zeroize::{Zeroize, Zeroizing};

use crate::error::{Result, UserError};

fn broken(path: &Path, error: impl std::fmt::Display) -> UserError {
    UserError(format!("{} cannot be used: {error}.", path.display()))
}

/// The certificates of a file, at least one.
pub fn certificates(path: &Path) -> Result<Vec<CertificateDer<'static>>> {
    let found: std::result::Result<Vec<_>, _> =
        CertificateDer::pem_file_iter(path).and_then(|certificates| certificates.collect());
    match found {
        Ok(certificates) if certificates.is_empty() => Err(broken(path, "there is no PEM certificate in it")),
        Ok(certificates) => Ok(certificates),
        Err(error) => Err(broken(path, error)),
    }
}

/// The authorities of a file.
pub fn roots(path: &Path) -> Result<RootCertStore> {
    let mut roots = RootCertStore::empty();
    for certificate in certificates(path)? {
        roots.add(certificate).map_err(|error| broken(path, error))?;
    }
    Ok(roots)
}

/// Who we are: the certificate `NAME.crt` of a folder and its key, `NAME.key`.
pub fn identity(folder: &Path, name: &str) -> Result<Arc<SingleCertAndKey>> {
    let certificate_path = folder.join(format!("{name}.crt"));
    let key_path = folder.join(format!("{name}.key"));
    let chain = certificates(&certificate_path)?;
    let text = std::fs::read(&key_path).map_err(|error| broken(&key_path, error))?;
    let mut key = PrivateKeyDer::from_pem_slice(&Zeroizing::new(text)).map_err(|error| broken(&key_path, error))?;
    let signer = any_supported_type(&key);
    key.zeroize();
    let certified = CertifiedKey::new(chain, signer.map_err(|error| broken(&key_path, error))?);
    certified
        .keys_match()
        .map_err(|error| broken(&certificate_path, error))?;
    Ok(Arc::new(certified.into()))
}

/// A client's side of TLS 1.3 that believes these authorities, without a certificate of its own or with `identity`.
pub fn client(roots: RootCertStore, identity: Option<Arc<SingleCertAndKey>>) -> Result<ClientConfig> {
    let config = ClientConfig::builder_with_provider(Arc::new(default_provider()))
        .with_protocol_versions(&[&rustls::version::TLS13])
        .map_err(|error| UserError(format!("TLS 1.3 is not available: {error}.")))?
        .with_root_certificates(roots);
    Ok(match identity {
        Some(identity) => config.with_client_cert_resolver(identity),
        None => config.with_no_client_auth(),
    })
}
