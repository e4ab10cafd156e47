//! The names and addresses that the page is called by: what may be one, and which of them its certificate has.

use std::net::IpAddr;
use std::path::Path;

use rustls::pki_types::ServerName;
use x509_parser::extensions::GeneralName;
use x509_parser::parse_x509_certificate;

use crate::error::{Result, UserError};
use crate::loopback::is_loopback;
use crate::tls::certificates;

/// `text` as browsers say it: without the dot that may end it.
pub fn page_name(text: &str) -> Result<&str> {
    let name = text.strip_suffix('.').unwrap_or(text);
    let is_name = !name.contains(':') && !name.ends_with('.') && ServerName::try_from(name).is_ok();
    if !is_name && name.parse::<IpAddr>().is_err() {
        return Err(UserError(format!(
            "--page-host {text}: a name that browsers call the page by, without a port, such as farm.example."
        )));
    }
    Ok(name)
}

/// Those of a certificate besides loopback's (RFC 5280, section 4.2.1.6). None of a file that is missing or no
/// certificate.
pub fn certified(path: &Path) -> Vec<String> {
    let chain = certificates(path).unwrap_or_default();
    let parsed = chain.first().and_then(|first| parse_x509_certificate(first).ok());
    let Some((_, certificate)) = parsed else {
        return Vec::new();
    };
    let Ok(Some(names)) = certificate.subject_alternative_name() else {
        return Vec::new();
    };
    let names = names.value.general_names.iter().filter_map(|name| match name {
        GeneralName::DNSName(name) => Some((*name).to_owned()),
        GeneralName::IPAddress(bytes) => address(bytes).map(|address| address.to_string()),
        _ => None,
    });
    names.filter(|name| !is_loopback(name)).collect()
}

fn address(bytes: &[u8]) -> Option<IpAddr> {
    <[u8; 4]>::try_from(bytes)
        .map(IpAddr::from)
        .or_else(|_| <[u8; 16]>::try_from(bytes).map(IpAddr::from))
        .ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_a_name_loses_its_last_dot() {
        for (text, name) in [
            ("farm.example", "farm.example"),
            ("farm.example.", "farm.example"),
            ("pi_1", "pi_1"),
            ("192.0.2.7", "192.0.2.7"),
            ("2001:db8::7", "2001:db8::7"),
        ] {
            assert_eq!(page_name(text).expect(text), name);
        }
        for wrong in [
            "",
            ".",
            "farm.example:8443",
            "https://farm.example",
            "a b",
            "farm.example..",
            "[::1]",
        ] {
            assert!(page_name(wrong).is_err(), "{wrong}");
        }
    }
}
