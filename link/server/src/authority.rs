//! The site's own certificate authority: certificates for broker, server, page and gateways, and the list of revoked
//! ones.

use std::net::IpAddr;
use std::path::PathBuf;

use rcgen::{
    BasicConstraints, CertificateParams, CertificateRevocationListParams, CertificateSigningRequestParams, DnType,
    ExtendedKeyUsagePurpose, IsCa, Issuer, KeyIdMethod, KeyPair, KeyUsagePurpose, PublicKeyData, RevokedCertParams,
    SanType, SerialNumber,
};
use time::{Duration, OffsetDateTime};
use zeroize::Zeroizing;

use crate::error::{Result, UserError};
use crate::hex;
use crate::keys::random;
use crate::site::{read, write_public, write_secret, Site};

pub const AUTHORITY_DAYS: i64 = 3650;
/// A gateway without a clock of its own may start a little in the past, and a server's clock may be a day slow.
const BACKDATE: Duration = Duration::days(2);

pub struct Authority {
    issuer: Issuer<'static, KeyPair>,
    pub certificate_pem: String,
    folder: PathBuf,
}

/// What a certificate is for; a client's cannot pose as a server and the other way round.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Purpose {
    Client,
    Host,
}

/// What the site remembers of a certificate.
pub struct Certified {
    /// Hexadecimal.
    pub serial: String,
    /// In unix seconds.
    pub begins_s: i64,
    pub ends_s: i64,
}

/// For a key that somebody else has.
pub struct Signed {
    pub certificate_pem: String,
    pub certified: Certified,
}

pub struct Issued {
    pub certificate_pem: String,
    pub key_pem: Zeroizing<String>,
    pub certified: Certified,
}

fn failed(error: rcgen::Error) -> UserError {
    UserError(format!("A certificate could not be made: {error}."))
}

fn serial() -> Result<SerialNumber> {
    let mut bytes = random::<16>()?;
    bytes[0] = bytes[0] & 0x7f | 0x40; // positive, and always 16 bytes (RFC 5280, section 4.1.2.2)
    Ok(SerialNumber::from_slice(&bytes))
}

impl Authority {
    /// Makes the authority of a new site.
    pub fn create(site: &Site, name: &str) -> Result<Authority> {
        let key = KeyPair::generate().map_err(failed)?;
        let mut params = CertificateParams::default();
        params
            .distinguished_name
            .push(DnType::CommonName, format!("{name} authority"));
        params.is_ca = IsCa::Ca(BasicConstraints::Constrained(0));
        params.key_usages = vec![KeyUsagePurpose::KeyCertSign, KeyUsagePurpose::CrlSign];
        params.not_before = OffsetDateTime::now_utc() - BACKDATE;
        params.not_after = OffsetDateTime::now_utc() + Duration::days(AUTHORITY_DAYS);
        params.serial_number = Some(serial()?);
        let certificate = params.self_signed(&key).map_err(failed)?;
        let key_pem = Zeroizing::new(key.serialize_pem());
        write_secret(&site.path("ca/ca.key"), key_pem.as_bytes())?;
        write_public(&site.path("ca/ca.crt"), certificate.pem().as_bytes())?;
        let authority = Authority::open(site)?;
        authority.write_revocations(site)?;
        Ok(authority)
    }

    pub fn open(site: &Site) -> Result<Authority> {
        let certificate_pem = read(&site.path("ca/ca.crt"))?;
        let broken = |error| UserError(format!("{} is not an authority's: {error}.", site.path("ca").display()));
        let key_path = site.path("ca/ca.key");
        if !key_path.is_file() {
            return Err(UserError(format!(
                "The authority's key {} is not here: do this where it is kept, or bring it.",
                key_path.display()
            )));
        }
        let key = KeyPair::from_pem(&Zeroizing::new(read(&key_path)?)).map_err(broken)?;
        let issuer = Issuer::from_ca_cert_pem(&certificate_pem, key).map_err(broken)?;
        Ok(Authority {
            issuer,
            certificate_pem,
            folder: site.path("ca"),
        })
    }

    /// A certificate for `name`; hosts are what a client may call it by.
    pub fn issue(&self, name: &str, purpose: Purpose, hosts: &[String], days: i64) -> Result<Issued> {
        let key = KeyPair::generate().map_err(failed)?;
        let signed = self.sign(&key, name, purpose, hosts, days)?;
        Ok(Issued {
            certificate_pem: signed.certificate_pem,
            key_pem: Zeroizing::new(key.serialize_pem()),
            certified: signed.certified,
        })
    }

    /// A certificate for the key of a request (PKCS #10), which proves by its signature that who asks has the key. Of
    /// the request nothing else counts: the name is given, and what the certificate is good for.
    pub fn sign_request(&self, request_pem: &str, name: &str, days: i64) -> Result<Signed> {
        let request = CertificateSigningRequestParams::from_pem(request_pem).map_err(failed)?;
        self.sign(&request.public_key, name, Purpose::Client, &[], days)
    }

    fn sign(
        &self,
        key: &impl PublicKeyData,
        name: &str,
        purpose: Purpose,
        hosts: &[String],
        days: i64,
    ) -> Result<Signed> {
        let mut params = CertificateParams::default();
        params.distinguished_name.push(DnType::CommonName, name);
        for host in hosts {
            params.subject_alt_names.push(match host.parse::<IpAddr>() {
                Ok(address) => SanType::IpAddress(address),
                Err(_) => SanType::DnsName(host.as_str().try_into().map_err(failed)?),
            });
        }
        params.key_usages = vec![KeyUsagePurpose::DigitalSignature];
        params.extended_key_usages = vec![match purpose {
            Purpose::Client => ExtendedKeyUsagePurpose::ClientAuth,
            Purpose::Host => ExtendedKeyUsagePurpose::ServerAuth,
        }];
        params.use_authority_key_identifier_extension = true;
        params.not_before = OffsetDateTime::now_utc() - BACKDATE;
        params.not_after = OffsetDateTime::now_utc() + Duration::days(days);
        let serial = serial()?;
        params.serial_number = Some(serial.clone());
        let (begins_s, ends_s) = (params.not_before.unix_timestamp(), params.not_after.unix_timestamp());
        let certificate = params.signed_by(key, &self.issuer).map_err(failed)?;
        Ok(Signed {
            certificate_pem: certificate.pem(),
            certified: Certified {
                serial: hex::encode(&serial.to_bytes()),
                begins_s,
                ends_s,
            },
        })
    }

    /// Notes a certificate as revoked and writes the list anew.
    pub fn revoke(&self, site: &Site, serial: &str) -> Result<()> {
        let path = self.folder.join("revoked.txt");
        let mut lines = if path.is_file() { read(&path)? } else { String::new() };
        if !lines.lines().any(|line| line.starts_with(serial)) {
            lines.push_str(&format!("{serial} {}\n", OffsetDateTime::now_utc().unix_timestamp()));
            write_public(&path, lines.as_bytes())?;
        }
        self.write_revocations(site)
    }

    /// The signed list that the broker reads. It lasts as long as the authority: a list that runs out locks every
    /// gateway out.
    fn write_revocations(&self, site: &Site) -> Result<()> {
        let path = self.folder.join("revoked.txt");
        let lines = if path.is_file() { read(&path)? } else { String::new() };
        let now = OffsetDateTime::now_utc();
        let mut revoked_certs = Vec::new();
        for line in lines.lines() {
            let wrong = || {
                UserError(format!(
                    "{}: '{line}' is not a serial number and a time.",
                    path.display()
                ))
            };
            let (serial, time_s) = line.split_once(' ').ok_or_else(wrong)?;
            revoked_certs.push(RevokedCertParams {
                serial_number: SerialNumber::from_slice(&hex::decode(serial).ok_or_else(wrong)?),
                revocation_time: time_s
                    .parse()
                    .ok()
                    .and_then(|time_s| OffsetDateTime::from_unix_timestamp(time_s).ok())
                    .ok_or_else(wrong)?,
                reason_code: None,
                invalidity_date: None,
            });
        }
        let list = CertificateRevocationListParams {
            this_update: now - BACKDATE,
            next_update: now + Duration::days(AUTHORITY_DAYS),
            // Counts up with time, as RFC 5280 section 5.2.3 asks.
            crl_number: SerialNumber::from_slice(&now.unix_timestamp().to_be_bytes()),
            issuing_distribution_point: None,
            revoked_certs,
            key_identifier_method: KeyIdMethod::Sha256,
        };
        let pem = list
            .signed_by(&self.issuer)
            .and_then(|list| list.pem())
            .map_err(failed)?;
        write_public(&site.path("broker/crl.pem"), pem.as_bytes())?;
        // Last: where this file is, the authority is whole (provision.rs).
        write_public(&self.folder.join("crl.pem"), pem.as_bytes())
    }
}
