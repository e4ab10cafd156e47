//! Connections of browsers: in clear text on loopback, else by TLS. Each has its own task from its first byte on, and
//! nobody can hold one for long without saying or taking something: not in the handshake, not in a request, not while
//! an answer is sent.

use std::collections::HashMap;
use std::future::Future;
use std::io;
use std::net::{IpAddr, SocketAddr};
use std::path::Path;
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};
use std::time::Duration;

use axum::body::Body;
use axum::extract::ConnectInfo;
use axum::Router;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;
use tokio::time::Sleep;
use tokio_rustls::TlsAcceptor;

use super::peer::{neighbourhood, Peer};
use crate::error::{Result, UserError};
use crate::tls::identity;

const HANDSHAKE: Duration = Duration::from_secs(10);
/// For a request's head, and for the next one of a connection that is kept open.
const HEAD: Duration = Duration::from_secs(15);
/// While the browser takes nothing of what is sent. Its keep-alive comments are more frequent.
const STALLED: Duration = Duration::from_secs(30);
const ACCEPT_PAUSE: Duration = Duration::from_millis(100);
const MOST_CONNECTIONS: usize = 512;
/// Of one address beyond loopback: a family of browsers, with a stream for each page.
const MOST_OF_ONE: usize = 64;
const HEAD_BYTES: usize = 16 * 1024;

pub struct Sockets {
    socket: TcpListener,
    acceptor: Option<TlsAcceptor>,
}

impl Sockets {
    pub fn plain(socket: TcpListener) -> Sockets {
        Sockets { socket, acceptor: None }
    }

    pub fn tls(socket: TcpListener, folder: &Path) -> Result<Sockets> {
        let config = rustls::ServerConfig::builder_with_provider(Arc::new(rustls::crypto::ring::default_provider()))
            .with_protocol_versions(&[&rustls::version::TLS13])
            .map_err(|error| UserError(format!("TLS 1.3 is not available: {error}.")))?
            .with_no_client_auth()
            .with_cert_resolver(identity(folder, "page")?);
        let acceptor = Some(TlsAcceptor::from(Arc::new(config)));
        Ok(Sockets { socket, acceptor })
    }

    /// Until the program ends.
    pub async fn serve(self, router: Router) {
        let turns = Arc::new(Semaphore::new(MOST_CONNECTIONS));
        let crowd = Crowd::default();
        // Never closed, so there is always a turn to come.
        while let Ok(turn) = turns.clone().acquire_owned().await {
            let Ok((stream, peer)) = self.socket.accept().await else {
                // Out of file descriptors, most likely: some will be closed.
                tokio::time::sleep(ACCEPT_PAUSE).await;
                continue;
            };
            let Some(place) = crowd.enter(peer.ip()) else { continue };
            let (acceptor, router) = (self.acceptor.clone(), router.clone());
            tokio::spawn(async move {
                let _held = (turn, place);
                greet(stream, peer, acceptor, router).await;
            });
        }
    }
}

async fn greet(stream: TcpStream, peer: SocketAddr, acceptor: Option<TlsAcceptor>, router: Router) {
    let _ = stream.set_nodelay(true);
    match acceptor {
        None => converse(stream, peer, router).await,
        Some(acceptor) => {
            if let Ok(Ok(stream)) = tokio::time::timeout(HANDSHAKE, acceptor.accept(stream)).await {
                converse(stream, peer, router).await;
            }
        }
    }
}

async fn converse(stream: impl AsyncRead + AsyncWrite + Send + Unpin + 'static, peer: SocketAddr, router: Router) {
    let service = tower_service(router, peer);
    let mut builder = http1::Builder::new();
    builder
        .timer(TokioTimer::new())
        .header_read_timeout(HEAD)
        .max_buf_size(HEAD_BYTES);
    // An error is the other side's: it went away, or spoke something else.
    let _ = builder
        .serve_connection(TokioIo::new(Patient::new(stream)), service)
        .await;
}

fn tower_service(
    router: Router,
    peer: SocketAddr,
) -> impl hyper::service::Service<
    hyper::Request<Incoming>,
    Response = hyper::Response<Body>,
    Error = std::convert::Infallible,
    Future = impl Future<Output = std::result::Result<hyper::Response<Body>, std::convert::Infallible>>,
> {
    let inner = TowerToHyperService::new(router);
    hyper::service::service_fn(move |request: hyper::Request<Incoming>| {
        let mut request = request.map(Body::new);
        request.extensions_mut().insert(ConnectInfo(Peer(peer)));
        hyper::service::Service::call(&inner, request)
    })
}

/// How many connections each address has.
#[derive(Clone, Default)]
struct Crowd(Arc<Mutex<HashMap<IpAddr, usize>>>);

struct Place {
    crowd: Crowd,
    address: IpAddr,
}

impl Crowd {
    fn enter(&self, address: IpAddr) -> Option<Place> {
        let address = neighbourhood(address);
        let mut counts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let count = counts.entry(address).or_default();
        // Behind loopback is this machine, or a relay of the operator's with everybody behind it.
        if *count >= MOST_OF_ONE && !address.is_loopback() {
            return None;
        }
        *count += 1;
        Some(Place {
            crowd: self.clone(),
            address,
        })
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut counts = self.crowd.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(count) = counts.get_mut(&self.address) {
            *count -= 1;
            if *count == 0 {
                counts.remove(&self.address);
            }
        }
    }
}

/// A connection that ends when the other side takes nothing for long.
struct Patient<S> {
    stream: S,
    stalled: Option<Pin<Box<Sleep>>>,
}

impl<S> Patient<S> {
    fn new(stream: S) -> Patient<S> {
        Patient { stream, stalled: None }
    }

    fn watch<T>(&mut self, done: Poll<io::Result<T>>, context: &mut Context<'_>) -> Poll<io::Result<T>> {
        if done.is_ready() {
            self.stalled = None;
            return done;
        }
        let stalled = self
            .stalled
            .get_or_insert_with(|| Box::pin(tokio::time::sleep(STALLED)));
        match stalled.as_mut().poll(context) {
            Poll::Ready(()) => Poll::Ready(Err(io::ErrorKind::TimedOut.into())),
            Poll::Pending => Poll::Pending,
        }
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for Patient<S> {
    fn poll_read(mut self: Pin<&mut Self>, context: &mut Context<'_>, into: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(context, into)
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for Patient<S> {
    fn poll_write(mut self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let done = Pin::new(&mut self.stream).poll_write(context, bytes);
        self.watch(done, context)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let done = Pin::new(&mut self.stream).poll_flush(context);
        self.watch(done, context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let done = Pin::new(&mut self.stream).poll_shutdown(context);
        self.watch(done, context)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_has_so_many_connections_and_a_neighbour_its_own() {
        let crowd = Crowd::default();
        let (one, other) = (IpAddr::from([192, 0, 2, 1]), IpAddr::from([192, 0, 2, 2]));
        let mut places: Vec<Place> = (0..MOST_OF_ONE).filter_map(|_| crowd.enter(one)).collect();
        assert_eq!(places.len(), MOST_OF_ONE);
        assert!(crowd.enter(one).is_none());
        assert!(crowd.enter(other).is_some());
        assert!((0..2 * MOST_OF_ONE).all(|_| crowd.enter(IpAddr::from([127, 0, 0, 1])).is_some()));
        places.pop();
        assert!(crowd.enter(one).is_some());
        places.clear();
        assert!(crowd.0.lock().expect("counts").is_empty());
    }

    #[tokio::test(start_paused = true)]
    async fn who_takes_nothing_is_left() {
        use tokio::io::AsyncWriteExt;
        let (ours, theirs) = tokio::io::duplex(64);
        let mut patient = Patient::new(ours);
        let began = tokio::time::Instant::now();
        let error = patient.write_all(&[0; 1000]).await.expect_err("nobody reads");
        assert_eq!(
            (error.kind(), began.elapsed() >= STALLED),
            (io::ErrorKind::TimedOut, true)
        );
        drop(theirs);
    }
}
