//! The way to PostgreSQL: whether it stays on this machine, and TLS where it does not.
//!
//! A URL means what it means to PostgreSQL's own programs, with one difference: over a network nothing is sent in clear
//! unless the URL says so (`sslmode=disable`), and a certificate that is not checked against an authority
//! (`sslrootcert`) counts as none.

use std::future::Future;
use std::path::PathBuf;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use postgres::config::{Host, SslMode};
use postgres::tls::{ChannelBinding, MakeTlsConnect, TlsConnect, TlsStream};
use postgres::{Client, Config, NoTls};
use rustls::pki_types::ServerName;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio_rustls::TlsConnector;

use crate::db_error::{DbError, Result};
use crate::loopback::is_loopback;
use crate::tls;

const CONNECT: Duration = Duration::from_secs(10);
/// A machine that is there says so sooner, also while it works on a long question.
const UNHEARD: Duration = Duration::from_secs(20);

/// Where a URL leads and how.
#[derive(Debug)]
pub struct Route {
    config: Config,
    authority: Option<PathBuf>,
    /// Over a network and in clear, as the URL asks.
    pub is_exposed: bool,
}

/// Understands a URL. An error says what is wrong with it, or what it must say before anything goes over a network.
pub fn route(url: &str) -> Result<Route> {
    let (plain_url, mode, authority) = split(url);
    let config: Config = plain_url
        .parse()
        .map_err(|error: postgres::Error| DbError::from(error))?;
    let config = bounded(config);
    let is_remote = is_remote(&config);
    match (mode.as_deref(), authority) {
        (Some("disable"), _) => Ok(Route {
            config,
            authority: None,
            is_exposed: is_remote,
        }),
        (None | Some("allow" | "prefer" | "require" | "verify-ca" | "verify-full"), Some(authority)) => {
            let mut config = config;
            config.ssl_mode(SslMode::Require);
            Ok(Route {
                config,
                authority: Some(authority),
                is_exposed: false,
            })
        }
        (None | Some("allow" | "prefer"), None) if !is_remote => Ok(Route {
            config,
            authority: None,
            is_exposed: false,
        }),
        (None | Some("allow" | "prefer" | "require" | "verify-ca" | "verify-full"), None) => Err(DbError(
            "its URL must name the authority of its certificate, sslrootcert=FILE, or say sslmode=disable on a \
             network where nobody \
             else listens"
                .into(),
        )),
        (Some(other), _) => Err(DbError(format!(
            "sslmode={other}: it must be disable, prefer, require or verify-full"
        ))),
    }
}

/// A database whose machine is gone says nothing any more. Where the URL does not say how long that is waited for, the
/// operating system would: a quarter of an hour for an answer, two hours where nothing was asked.
fn bounded(mut config: Config) -> Config {
    if config.get_connect_timeout().is_none() {
        config.connect_timeout(CONNECT);
    }
    if config.get_tcp_user_timeout().is_none() {
        config.tcp_user_timeout(UNHEARD);
    }
    if config.get_keepalives_interval().is_none() && config.get_keepalives_idle() > UNHEARD {
        config.keepalives_idle(UNHEARD / 2).keepalives_interval(UNHEARD / 4);
    }
    if config.get_keepalives_retries().is_none() {
        config.keepalives_retries(2);
    }
    config
}

pub fn connect(url: &str) -> Result<Client> {
    let route = route(url)?;
    match &route.authority {
        None => {
            let mut config = route.config;
            config.ssl_mode(SslMode::Disable);
            Ok(config.connect(NoTls)?)
        }
        Some(authority) => {
            let config = tls::roots(authority)
                .and_then(|roots| tls::client(roots, None))
                .map_err(|error| DbError(error.0.trim_end_matches('.').to_owned()))?;
            Ok(route.config.connect(MakeTls(Arc::new(config).into()))?)
        }
    }
}

/// The URL without `sslmode` and `sslrootcert`, and these two: the client's library knows the first in part only, the
/// second not.
fn split(url: &str) -> (String, Option<String>, Option<PathBuf>) {
    let Some((address, query)) = url.split_once('?') else {
        return (url.to_owned(), None, None);
    };
    let (mut mode, mut authority, mut others) = (None, None, Vec::new());
    for part in query.split('&') {
        match part.split_once('=') {
            Some(("sslmode", value)) => mode = Some(decoded(value)),
            Some(("sslrootcert", value)) => authority = Some(PathBuf::from(decoded(value))),
            _ => others.push(part),
        }
    }
    let question = if others.is_empty() { "" } else { "?" };
    (format!("{address}{question}{}", others.join("&")), mode, authority)
}

/// Percent signs of a URL resolved.
fn decoded(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((&first, after)) = rest.split_first() {
        let digits = after.get(..2).and_then(|digits| std::str::from_utf8(digits).ok());
        match digits.and_then(|digits| u8::from_str_radix(digits, 16).ok()) {
            Some(byte) if first == b'%' => {
                bytes.push(byte);
                rest = &after[2..];
            }
            _ => {
                bytes.push(first);
                rest = after;
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Whether any way to the database leaves this machine.
fn is_remote(config: &Config) -> bool {
    // `hostaddr` says where to connect, `host` then only what to call it.
    let addresses = config.get_hostaddrs();
    if !addresses.is_empty() {
        return addresses.iter().any(|address| !address.is_loopback());
    }
    config.get_hosts().iter().any(|host| match host {
        Host::Tcp(name) => !is_loopback(name),
        Host::Unix(_) => false,
    })
}

#[derive(Clone)]
struct MakeTls(TlsConnector);

struct Handshake {
    connector: TlsConnector,
    host: ServerName<'static>,
}

struct Encrypted<S>(tokio_rustls::client::TlsStream<S>);

type Pinned<T> = Pin<Box<dyn Future<Output = std::io::Result<T>> + Send>>;

impl<S: AsyncRead + AsyncWrite + Unpin + Send + 'static> MakeTlsConnect<S> for MakeTls {
    type Stream = Encrypted<S>;
    type TlsConnect = Handshake;
    type Error = rustls::pki_types::InvalidDnsNameError;

    fn make_tls_connect(&mut self, host: &str) -> std::result::Result<Handshake, Self::Error> {
        Ok(Handshake {
            connector: self.0.clone(),
            host: ServerName::try_from(host.to_owned())?,
        })
    }
}

impl<S: AsyncRead + AsyncWrite + Unpin + Send + 'static> TlsConnect<S> for Handshake {
    type Stream = Encrypted<S>;
    type Error = std::io::Error;
    type Future = Pinned<Encrypted<S>>;

    fn connect(self, stream: S) -> Self::Future {
        Box::pin(async move { Ok(Encrypted(self.connector.connect(self.host, stream).await?)) })
    }
}

impl<S: AsyncRead + AsyncWrite + Unpin> TlsStream for Encrypted<S> {
    /// None: the certificate is checked, so no other program is in between.
    fn channel_binding(&self) -> ChannelBinding {
        ChannelBinding::none()
    }
}

impl<S: AsyncRead + AsyncWrite + Unpin> AsyncRead for Encrypted<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        into: &mut ReadBuf<'_>,
    ) -> Poll<std::io::Result<()>> {
        Pin::new(&mut self.0).poll_read(context, into)
    }
}

impl<S: AsyncRead + AsyncWrite + Unpin> AsyncWrite for Encrypted<S> {
    fn poll_write(mut self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<std::io::Result<usize>> {
        Pin::new(&mut self.0).poll_write(context, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<std::io::Result<()>> {
        Pin::new(&mut self.0).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<std::io::Result<()>> {
        Pin::new(&mut self.0).poll_shutdown(context)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_goes_over_a_network_in_clear_unless_the_url_says_so() {
        for local in [
            "postgresql://user@localhost/name",
            "postgresql://user:secret@127.0.0.1:5433/name",
            "postgres://user@[::1]/name?sslmode=prefer",
            "postgresql:///name?host=/run/postgresql",
            "postgresql://user@localhost/name?host=/run/postgresql",
            "postgresql://user@db.example/name?hostaddr=127.0.0.1",
        ] {
            let route = route(local).expect(local);
            assert!(!route.is_exposed && route.authority.is_none(), "{local}");
        }
        for remote in [
            "postgresql://user@db.example/name",
            "postgres://user:secret@192.0.2.7:5433/name?sslmode=require",
            "postgresql://user@localhost,db.example/name?sslmode=prefer",
            "postgresql:///name?host=db.example&sslmode=verify-full",
            "postgresql://user@localhost/name?hostaddr=192.0.2.7",
        ] {
            let said = route(remote).expect_err(remote).0;
            assert!(said.contains("sslrootcert=FILE"), "{remote}: {said}");
        }
        let exposed = route("postgresql://user@db.example/name?sslmode=disable").expect("as it says");
        assert!(exposed.is_exposed);
        let checked =
            route("postgresql://user@db.example/name?sslrootcert=/a%20b/ca.crt&connect_timeout=5").expect("TLS");
        assert_eq!(checked.config.get_connect_timeout(), Some(&Duration::from_secs(5)));
        assert_eq!(checked.authority, Some(PathBuf::from("/a b/ca.crt")));
        assert_eq!(
            (checked.is_exposed, checked.config.get_ssl_mode()),
            (false, SslMode::Require)
        );
        assert!(route("postgresql://user@localhost/name?sslmode=requre").is_err());
        assert!(route("postgresql://user@localhost/name?sslmode=require").is_err());
        assert!(route("postgresql://user@localhost/name?nonsense=1").is_err());
    }

    #[test]
    fn a_machine_that_is_gone_is_not_waited_for_long() {
        let config = route("postgresql://user@127.0.0.1/name").expect("a route").config;
        assert_eq!(config.get_connect_timeout(), Some(&CONNECT));
        assert_eq!(config.get_tcp_user_timeout(), Some(&UNHEARD));
        let unheard = config.get_keepalives_interval().map(|interval| {
            config.get_keepalives_idle() + interval * config.get_keepalives_retries().unwrap_or(u32::MAX)
        });
        assert!(config.get_keepalives() && unheard.is_some_and(|unheard| unheard <= UNHEARD));
        let own = "postgresql://user@127.0.0.1/name?tcp_user_timeout=9&keepalives_idle=8&keepalives_retries=7";
        let own = route(own).expect("a route").config;
        assert_eq!(own.get_tcp_user_timeout(), Some(&Duration::from_secs(9)));
        assert_eq!(
            (own.get_keepalives_idle().as_secs(), own.get_keepalives_retries()),
            (8, Some(7))
        );
    }
}
