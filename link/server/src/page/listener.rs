//! Connections of browsers: in clear text on loopback, else by TLS. Handshakes run beside one another, so that a browser that
//! dawdles in its own holds nobody up.

use std::net::SocketAddr;
use std::path::Path;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::connect_info::Connected;
use axum::serve::{IncomingStream, Listener};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::mpsc;
use tokio_rustls::TlsAcceptor;

use crate::error::{Result, UserError};
use crate::tls::identity;

const HANDSHAKE: Duration = Duration::from_secs(10);
const ACCEPT_PAUSE: Duration = Duration::from_millis(100);
const QUEUED: usize = 32;

pub trait Duplex: AsyncRead + AsyncWrite + Send {}
impl<T: AsyncRead + AsyncWrite + Send> Duplex for T {}
type Connection = Pin<Box<dyn Duplex>>;

pub struct Sockets {
    ready: mpsc::Receiver<(Connection, SocketAddr)>,
    address: SocketAddr,
}

impl Sockets {
    pub fn plain(socket: TcpListener) -> Sockets {
        Sockets::start(socket, None)
    }

    pub fn tls(socket: TcpListener, folder: &Path) -> Result<Sockets> {
        let config = rustls::ServerConfig::builder_with_provider(Arc::new(rustls::crypto::ring::default_provider()))
            .with_protocol_versions(&[&rustls::version::TLS13])
            .map_err(|error| UserError(format!("TLS 1.3 is not to be had: {error}.")))?
            .with_no_client_auth()
            .with_cert_resolver(identity(folder, "page")?);
        Ok(Sockets::start(socket, Some(TlsAcceptor::from(Arc::new(config)))))
    }

    fn start(socket: TcpListener, acceptor: Option<TlsAcceptor>) -> Sockets {
        let address = socket
            .local_addr()
            .unwrap_or_else(|_| SocketAddr::from(([127, 0, 0, 1], 0)));
        let (sender, ready) = mpsc::channel(QUEUED);
        tokio::spawn(async move {
            while !sender.is_closed() {
                match socket.accept().await {
                    Ok((stream, peer)) => {
                        tokio::spawn(greet(stream, peer, acceptor.clone(), sender.clone()));
                    }
                    // Out of file descriptors, most likely: some will be closed.
                    Err(_) => tokio::time::sleep(ACCEPT_PAUSE).await,
                }
            }
        });
        Sockets { ready, address }
    }
}

async fn greet(
    stream: TcpStream,
    peer: SocketAddr,
    acceptor: Option<TlsAcceptor>,
    ready: mpsc::Sender<(Connection, SocketAddr)>,
) {
    let _ = stream.set_nodelay(true);
    let connection: Connection = match acceptor {
        None => Box::pin(stream),
        Some(acceptor) => match tokio::time::timeout(HANDSHAKE, acceptor.accept(stream)).await {
            Ok(Ok(stream)) => Box::pin(stream),
            _ => return,
        },
    };
    let _ = ready.send((connection, peer)).await;
}

impl Listener for Sockets {
    type Io = Connection;
    type Addr = SocketAddr;

    async fn accept(&mut self) -> (Connection, SocketAddr) {
        match self.ready.recv().await {
            Some(connection) => connection,
            None => std::future::pending().await, // the accepting task never ends while this end is open
        }
    }

    fn local_addr(&self) -> std::io::Result<SocketAddr> {
        Ok(self.address)
    }
}

/// Who is at the other end.
#[derive(Clone, Copy, Debug)]
pub struct Peer(pub SocketAddr);

impl Connected<IncomingStream<'_, Sockets>> for Peer {
    fn connect_info(stream: IncomingStream<'_, Sockets>) -> Peer {
        Peer(*stream.remote_addr())
    }
}
