//! Gets the next certificate before the present one ends: makes a key, asks at the broker, where the present
//! certificate says who asks, and takes what the site's authority has signed. The key never leaves this machine.

use std::sync::Arc;
use std::time::{Duration, Instant};

use link_wire::renewal::is_due;
use rcgen::{CertificateParams, DnType, KeyPair};
use rustls::server::danger::ClientCertVerifier;
use rustls::ClientConfig;
use zeroize::Zeroizing;

use crate::config::Config;
use crate::identity::{self, now_s, Identity};
use crate::{log, tls};

/// A broker that was started anew has forgotten the request.
const ASK_AGAIN: Duration = Duration::from_secs(3600);

pub struct Renewal {
    identity: Identity,
    verifier: Arc<dyn ClientCertVerifier>,
    /// Key and request that wait for a certificate.
    pending: Option<(Zeroizing<String>, String)>,
    asked: Option<Instant>,
}

impl Renewal {
    pub fn new(identity: Identity, verifier: Arc<dyn ClientCertVerifier>) -> Renewal {
        Renewal {
            identity,
            verifier,
            pending: None,
            asked: None,
        }
    }

    /// A connection has begun: it must be told what the one before was.
    pub fn begin(&mut self) {
        self.asked = None;
    }

    /// The request, if it is time to ask or to ask again.
    pub fn request(&mut self, config: &Config) -> Option<String> {
        let is_due = is_due(self.identity.begins_s, self.identity.ends_s, now_s());
        if !is_due || self.asked.is_some_and(|at| at.elapsed() < ASK_AGAIN) {
            return None;
        }
        self.asked = Some(Instant::now());
        if self.pending.is_none() {
            match make(&config.name) {
                Ok(made) => self.pending = Some(made),
                Err(wrong) => log::error(format_args!("no request for another certificate can be made: {wrong}")),
            }
        }
        self.pending.as_ref().map(|(_, request)| request.clone())
    }

    /// Takes a certificate that came, and keeps it; what connections use from now on. An answer to an earlier request,
    /// whose key was lost with the daemon that made it, is passed over.
    pub fn take(&mut self, config: &Config, pem: &str) -> Option<Arc<ClientConfig>> {
        let (key, _) = self.pending.as_ref()?;
        let accepted = identity::accept(config, &self.verifier, pem, key);
        let identity = match accepted {
            Ok(identity) => identity,
            Err(why) => {
                log::warning(format_args!("a certificate from the broker is not taken: {why}"));
                return None;
            }
        };
        if let Err(wrong) = identity::keep(config, pem, key) {
            log::error(format_args!(
                "{}: the new certificate cannot be kept: {wrong}",
                identity::renewed_path(config).display()
            ));
            return None;
        }
        let client = match tls::with(config, &identity) {
            Ok(client) => client,
            Err(wrong) => {
                log::error(wrong);
                return None;
            }
        };
        log::info(format_args!(
            "the certificate is renewed; the new one ends on {}",
            log::utc(u64::try_from(identity.ends_s).unwrap_or(0))
        ));
        self.identity = identity;
        self.pending = None;
        Some(Arc::new(client))
    }
}

/// A new key, and a request (PKCS #10, RFC 2986) that it has signed, both as PEM.
fn make(name: &str) -> Result<(Zeroizing<String>, String), rcgen::Error> {
    let key = KeyPair::generate()?;
    let mut params = CertificateParams::default();
    params.distinguished_name.push(DnType::CommonName, name);
    let request = params.serialize_request(&key)?.pem()?;
    Ok((Zeroizing::new(key.serialize_pem()), request))
}
