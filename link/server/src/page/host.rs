//! By which names browsers may call the page.
//!
//! Another site's page can have its own name lead to this server (DNS rebinding). A browser then takes the two for one
//! site: the form comes from the page's own origin, and from loopback if the page listens there. What it still says is
//! the name that it called. So a request under a name that is not the page's is refused before anything of it counts as
//! an attempt. An address needs no name server, so no attacker can redirect it.

use std::net::IpAddr;
use std::path::Path;
use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::uri::Authority;
use axum::http::{header, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use rustls::client::verify_server_name;
use rustls::pki_types::{CertificateDer, ServerName};
use rustls::server::ParsedCertificate;

use crate::error::Result;
use crate::page_name::page_name;
use crate::tls::certificates;

/// The names of the page's certificate, and those that the server was started with.
pub struct Names {
    certificate: Option<CertificateDer<'static>>,
    others: Vec<String>,
}

impl Names {
    /// `folder` is where `page.crt` is; who shows the page on loopback can do without it.
    pub fn new(folder: &Path, others: &[String]) -> Result<Names> {
        let others: Result<Vec<String>> = others.iter().map(|name| Ok(page_name(name)?.to_owned())).collect();
        let chain = certificates(&folder.join("page.crt")).unwrap_or_default();
        Ok(Names {
            certificate: chain.into_iter().next(),
            others: others?,
        })
    }

    /// Whether `authority`, a name or address with or without a port, is the page's. Its port is not looked at: a relay
    /// has another.
    fn include(&self, authority: &str) -> bool {
        // A user's name is in no browser's header.
        let Some(authority) = authority.parse::<Authority>().ok().filter(|_| !authority.contains('@')) else {
            return false;
        };
        let host = authority.host();
        let bare = host.strip_prefix('[').and_then(|rest| rest.strip_suffix(']'));
        // Some clients leave in which of their networks the address is, after '%' (RFC 4007, section 11).
        let bare = bare.map(|literal| literal.split_once('%').map_or(literal, |(address, _)| address));
        if bare.unwrap_or(host).parse::<IpAddr>().is_ok() {
            return true;
        }
        let name = host.strip_suffix('.').unwrap_or(host);
        name.eq_ignore_ascii_case("localhost")
            || self.others.iter().any(|other| name.eq_ignore_ascii_case(other))
            || self.is_certified(name)
    }

    fn is_certified(&self, name: &str) -> bool {
        let (Some(certificate), Ok(name)) = (&self.certificate, ServerName::try_from(name)) else {
            return false;
        };
        ParsedCertificate::try_from(certificate)
            .is_ok_and(|certificate| verify_server_name(&certificate, &name).is_ok())
    }

    /// What is wrong with how the request calls the page.
    fn refuse(&self, request: &Request) -> Option<(StatusCode, &'static str)> {
        // RFC 9112, section 3.2: one Host, and before it goes what the request's target says.
        let mut hosts = request.headers().get_all(header::HOST).iter();
        let (Some(host), None) = (hosts.next(), hosts.next()) else {
            return Some((
                StatusCode::BAD_REQUEST,
                "Call the page by one name: a request has one Host.",
            ));
        };
        let target = request.uri().authority().map(Authority::as_str);
        let own =
            host.to_str().is_ok_and(|host| self.include(host)) && target.is_none_or(|target| self.include(target));
        (!own).then_some((
            StatusCode::MISDIRECTED_REQUEST,
            "This page goes by another name. If it is to go by this one too, start the server with --page-host NAME.",
        ))
    }
}

/// Lets a request through that calls the page by a name of its own.
pub async fn require(State(names): State<Arc<Names>>, request: Request, next: Next) -> Response {
    match names.refuse(&request) {
        None => next.run(request).await,
        Some(refusal) => refusal.into_response(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(others: &[&str]) -> Result<Names> {
        let others: Vec<String> = others.iter().map(|&name| name.to_owned()).collect();
        Names::new(Path::new("/nonexistent"), &others)
    }

    #[test]
    fn a_name_that_can_be_bent_must_be_the_pages_own() {
        let names = of(&["farm.example", "barn.example."]).expect("two names");
        for own in [
            "127.0.0.1",
            "127.0.0.1:8080",
            "[::1]:8080",
            "[fe80::1%eth0]:8080",
            "[fe80::1%25eth0]",
            "192.0.2.7:8443",
            "localhost",
            "LocalHost:1",
            "localhost.:8080",
            "farm.example",
            "Farm.Example:8443",
            "farm.example.",
            "barn.example",
            "barn.example.:8443",
        ] {
            assert!(names.include(own), "{own}");
        }
        for foreign in [
            "",
            ":8080",
            "evil.example",
            "evil.example:8080",
            "farm.example.evil.example",
            "a.farm.example",
            "example",
            "localhost.evil.example",
            "127.0.0.1.evil.example",
            "localhost@evil.example",
            "evil.example@localhost",
            "farm.example/",
            "farm.example evil.example",
            "[::1",
            "[evil.example]",
            "[evil.example%::1]",
            "[%eth0]",
            "localhost..",
            "0x7f.1",
        ] {
            assert!(!names.include(foreign), "{foreign}");
        }
        assert!(!of(&[]).expect("none").include("farm.example"));
    }
}
