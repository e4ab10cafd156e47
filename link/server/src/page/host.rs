//! By which names browsers may call the page.
//!
//! Another site's page can have its own name lead to this server (DNS rebinding). A browser then takes the two for one site: the form
//! comes from the page's own origin, and from loopback if the page listens there. What it still says is the name that it called. So a
//! request under a name that is not the page's is refused before anything of it counts as an attempt. An address is looked up by
//! nobody: it cannot be bent.

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

use crate::error::{Result, UserError};
use crate::tls::certificates;

/// The names of the page's certificate, and those that the server was started with.
pub struct Names {
    certificate: Option<CertificateDer<'static>>,
    others: Vec<String>,
}

impl Names {
    /// `folder` is where `page.crt` is; who shows the page on loopback can do without it.
    pub fn new(folder: &Path, others: &[String]) -> Result<Names> {
        for name in others {
            if name.is_empty() || name.contains(':') || ServerName::try_from(name.as_str()).is_err() {
                return Err(UserError(format!(
                    "--page-host {name}: a name that browsers call the page by, without a port, such as farm.example."
                )));
            }
        }
        let chain = certificates(&folder.join("page.crt")).unwrap_or_default();
        Ok(Names {
            certificate: chain.into_iter().next(),
            others: others.to_vec(),
        })
    }

    /// Whether `authority`, a name or address with or without a port, is the page's. Its port is not looked at: a relay has another.
    fn include(&self, authority: &str) -> bool {
        // A user's name is in no browser's header.
        let Some(authority) = authority.parse::<Authority>().ok().filter(|_| !authority.contains('@')) else {
            return false;
        };
        let host = authority.host();
        let bare = host.strip_prefix('[').and_then(|rest| rest.strip_suffix(']'));
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

    fn call(&self, request: &Request) -> bool {
        // RFC 9112, section 3.2: one Host, and before it goes what the request's target says.
        let mut hosts = request.headers().get_all(header::HOST).iter();
        let (Some(host), None) = (hosts.next(), hosts.next()) else {
            return false;
        };
        let target = request.uri().authority().map(Authority::as_str);
        host.to_str().is_ok_and(|host| self.include(host)) && target.is_none_or(|target| self.include(target))
    }
}

/// Lets a request through that calls the page by a name of its own.
pub async fn require(State(names): State<Arc<Names>>, request: Request, next: Next) -> Response {
    if names.call(&request) {
        return next.run(request).await;
    }
    let said =
        "This page goes by another name. If it is to go by this one too, start the server with --page-host NAME.";
    (StatusCode::MISDIRECTED_REQUEST, said).into_response()
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
        let names = of(&["farm.example"]).expect("a name");
        for own in [
            "127.0.0.1",
            "127.0.0.1:8080",
            "[::1]:8080",
            "192.0.2.7:8443",
            "localhost",
            "LocalHost:1",
            "localhost.:8080",
            "farm.example",
            "Farm.Example:8443",
            "farm.example.",
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
            "localhost..",
            "0x7f.1",
        ] {
            assert!(!names.include(foreign), "{foreign}");
        }
        assert!(!of(&[]).expect("none").include("farm.example"));
    }

    #[test]
    fn what_is_no_name_is_said() {
        for wrong in ["", "farm.example:8443", "https://farm.example", "a b"] {
            assert!(of(&[wrong]).is_err(), "{wrong}");
        }
    }
}
