//! Where connections come in: [`Entrance`], a listener whose connections can all be ended without touching any other.
//!
//! It closes in two steps, so that pages hear a goodbye: first nobody else gets in and every page is told, then whatever is
//! still connected is cut off, be it a page that does not listen or half a request.

use crate::{
    House, app,
    connections::{Place, Ticket},
    pace::Pace,
};
use axum::{
    Router,
    extract::ConnectInfo,
    http::{Request, StatusCode},
    response::{IntoResponse, Response},
};
use hyper::{
    body::Incoming,
    server::conn::http1,
    service::{Service, service_fn},
};
use hyper_util::{
    rt::{TokioIo, TokioTimer},
    service::TowerToHyperService,
};
use std::{
    convert::Infallible,
    fmt, io,
    net::SocketAddr,
    pin::{Pin, pin},
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    task::{Context, Poll, ready},
    time::Duration,
};
use tokio::{
    io::{AsyncRead, AsyncWrite, ReadBuf},
    net::{TcpListener, TcpStream},
    sync::watch,
    time::{sleep, timeout},
};

/// A request's head has so long to arrive; a connection without a request is closed after the same time.
const HEAD: Duration = Duration::from_secs(10);
/// The longest head of a request, and so all that half of one can cost: the usual limit of web servers.
const LONGEST_HEAD: usize = 8192;
/// How many bytes are read at once, and how many a second: several hundred moves. Bytes are what frames of every kind are made of, so
/// that pings or empty fragments without end cost no more than a page that plays.
const BYTES: f64 = 65536.0;
/// How long no connection is taken when the system has none to give.
const NO_ROOM: Duration = Duration::from_millis(50);
/// What was sent and is not received within so long has no reader.
#[cfg(target_os = "linux")]
const UNREAD: Duration = Duration::from_secs(40);
/// Pages have so long to hear the goodbye.
const GOODBYE: Duration = Duration::from_secs(2);

/// What it is to come in here.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    /// The way in for whoever is at this machine, and for all whom the server was started for.
    Main,
    /// The way in that the owner opened to the network. Nobody who takes it is the owner.
    Door,
}

/// Whether one can come in.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Stage {
    Open,
    Closing,
    Cut,
}

/// The handle to an entrance.
#[derive(Debug)]
pub(crate) struct Gate {
    stage: watch::Sender<Stage>,
}

/// A connection that came in, as the rest of the server sees it.
#[derive(Clone, Debug)]
pub(crate) struct Visitor {
    /// From where.
    pub(crate) peer: SocketAddr,
    /// By which entrance.
    pub(crate) kind: Kind,
    stage: watch::Receiver<Stage>,
    /// The connection is read as fast as it comes.
    hurries: Arc<AtomicBool>,
}

impl Visitor {
    /// A connection that only a test made up.
    #[cfg(test)]
    pub(crate) fn from(peer: SocketAddr, kind: Kind) -> Visitor {
        // An entrance that never closes.
        static OPEN: std::sync::LazyLock<watch::Sender<Stage>> =
            std::sync::LazyLock::new(|| watch::Sender::new(Stage::Open));
        Visitor { peer, kind, stage: OPEN.subscribe(), hurries: Arc::default() }
    }

    /// From now on the connection is read as fast as it comes: it is the owner's, who sends a file.
    pub(crate) fn hurry(&self) {
        self.hurries.store(true, Ordering::Relaxed);
    }

    /// Waits until the entrance closes.
    pub(crate) async fn closing(&mut self) {
        let _ = self.stage.wait_for(|stage| *stage >= Stage::Closing).await;
    }
}

impl Gate {
    /// Lets everyone in who comes to `listener`, until it is closed.
    pub(crate) fn open(
        house: &Arc<House>,
        listener: TcpListener,
        kind: Kind,
    ) -> (Gate, impl Future<Output = ()> + use<>) {
        let stage = watch::Sender::new(Stage::Open);
        let entrance = Entrance { house: house.clone(), app: app(house), kind, stage: stage.subscribe() };
        (Gate { stage }, entrance.let_in(listener))
    }

    /// Nobody else gets in, and after a goodbye nobody is connected any more.
    pub(crate) async fn close(self) {
        self.stage.send_replace(Stage::Closing);
        // Each connection holds a receiver as long as it lives.
        let _ = timeout(GOODBYE, self.stage.closed()).await;
        self.stage.send_replace(Stage::Cut);
        let _ = timeout(GOODBYE, self.stage.closed()).await;
    }
}

struct Entrance {
    house: Arc<House>,
    app: Router,
    kind: Kind,
    stage: watch::Receiver<Stage>,
}

impl Entrance {
    async fn let_in(mut self, listener: TcpListener) {
        loop {
            let accepted = tokio::select! {
                accepted = listener.accept() => accepted,
                _ = self.stage.wait_for(|stage| *stage >= Stage::Closing) => return,
            };
            match accepted {
                Ok((stream, peer)) => {
                    // Dropped at once if there is no room.
                    let trusted = self.house.config.proxies.iter().any(|proxy| proxy.contains(peer.ip()));
                    let place = if trusted { Place::Home } else { Place::of(peer.ip()) };
                    if let Some(ticket) = self.house.connections.admit(place) {
                        tokio::spawn(self.serve(stream, peer, ticket));
                    } else {
                        self.turn_away();
                    }
                }
                Err(error) if is_of_one_connection(&error) => {}
                Err(error) => {
                    tracing::warn!(%error, "no connection can be taken");
                    self.house.connections.make_room();
                    sleep(NO_ROOM).await;
                }
            }
        }
    }

    /// Counts a connection that nobody serves. The first is worth a line in the log, and then every thousandth.
    fn turn_away(&self) {
        let before = self.house.metrics.turned_away.fetch_add(1, Ordering::Relaxed);
        if before.is_multiple_of(1000) {
            tracing::warn!(so_far = before + 1, "too many connections: one was turned away");
        }
    }

    /// Answers the requests of one connection until it ends.
    fn serve(&self, stream: TcpStream, peer: SocketAddr, ticket: Arc<Ticket>) -> impl Future<Output = ()> + use<> {
        // Every message is for someone who waits for it: none is held back to be sent together with the next.
        // A connection that cannot be told so works all the same.
        let _ = stream.set_nodelay(true);
        // Nor is one noticed any later whose reader is gone without a word: a stream of lines has no answers that could be missed.
        #[cfg(target_os = "linux")]
        let _ = rustix::net::sockopt::set_tcp_user_timeout(&stream, UNREAD.as_millis() as u32);
        let mut stage = self.stage.clone();
        let hurries = Arc::<AtomicBool>::default();
        let visitor = Visitor { peer, kind: self.kind, stage: stage.clone(), hurries: hurries.clone() };
        let connection = Connection::new(stream, stage.clone(), ticket.clone(), hurries);
        let app = TowerToHyperService::new(self.app.clone());
        async move {
            let service = service_fn(|mut request: Request<Incoming>| {
                let (app, ticket) = (app.clone(), ticket.clone());
                request.extensions_mut().insert(ConnectInfo(visitor.clone()));
                async move {
                    if !ticket.work() {
                        return Ok::<Response, Infallible>(StatusCode::SERVICE_UNAVAILABLE.into_response());
                    }
                    let response = app.call(request).await?;
                    // A connection that has become a page's is never given up.
                    if response.status() != StatusCode::SWITCHING_PROTOCOLS {
                        ticket.rest();
                    }
                    Ok(response)
                }
            });
            let serving = http1::Builder::new()
                .timer(TokioTimer::new())
                .header_read_timeout(HEAD)
                .max_buf_size(LONGEST_HEAD)
                .serve_connection(TokioIo::new(connection), service)
                .with_upgrades();
            let mut serving = pin!(serving);
            tokio::select! {
                // Whoever hung up or sent no HTTP needs no answer.
                _ = serving.as_mut() => return,
                () = ticket.given_up() => return,
                _ = stage.wait_for(|stage| *stage >= Stage::Closing) => {}
            }
            serving.as_mut().graceful_shutdown();
            let _ = serving.await;
        }
    }
}

/// An error that says nothing about the next connection.
fn is_of_one_connection(error: &io::Error) -> bool {
    use io::ErrorKind::{ConnectionAborted, ConnectionRefused, ConnectionReset, Interrupted};
    matches!(error.kind(), ConnectionAborted | ConnectionRefused | ConnectionReset | Interrupted)
}

/// A connection that ends when its entrance is cut off, and is read no faster than anyone plays.
struct Connection {
    stream: TcpStream,
    pace: Pace,
    hurries: Arc<AtomicBool>,
    _ticket: Arc<Ticket>,
    _stage: watch::Receiver<Stage>,
    /// Done when the entrance is cut off; `None` from then on.
    cut: Option<Pin<Box<dyn Future<Output = ()> + Send>>>,
}

impl Connection {
    fn new(
        stream: TcpStream,
        stage: watch::Receiver<Stage>,
        ticket: Arc<Ticket>,
        hurries: Arc<AtomicBool>,
    ) -> Connection {
        let mut watched = stage.clone();
        let cut = Box::pin(async move {
            // An entrance whose handle is gone stays as it is.
            if watched.wait_for(|stage| *stage == Stage::Cut).await.is_err() {
                std::future::pending::<()>().await;
            }
        });
        let pace = Pace::new(BYTES, BYTES);
        Connection { stream, pace, hurries, _ticket: ticket, _stage: stage, cut: Some(cut) }
    }

    /// Whether the entrance is cut off; if not, the task is woken when it is.
    fn is_cut(&mut self, context: &mut Context<'_>) -> bool {
        if let Some(cut) = &mut self.cut
            && cut.as_mut().poll(context).is_ready()
        {
            self.cut = None;
        }
        self.cut.is_none()
    }

    fn check(&mut self, context: &mut Context<'_>) -> io::Result<()> {
        if self.is_cut(context) { Err(io::ErrorKind::ConnectionAborted.into()) } else { Ok(()) }
    }
}

impl fmt::Debug for Connection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Connection").field("stream", &self.stream).finish_non_exhaustive()
    }
}

impl AsyncRead for Connection {
    fn poll_read(self: Pin<&mut Self>, context: &mut Context<'_>, buffer: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        let connection = self.get_mut();
        connection.check(context)?;
        if connection.hurries.load(Ordering::Relaxed) {
            return Pin::new(&mut connection.stream).poll_read(context, buffer);
        }
        ready!(connection.pace.poll_ready(context));
        let before = buffer.filled().len();
        ready!(Pin::new(&mut connection.stream).poll_read(context, buffer))?;
        connection.pace.take(buffer.filled().len() - before);
        Poll::Ready(Ok(()))
    }
}

impl AsyncWrite for Connection {
    fn poll_write(self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let connection = self.get_mut();
        connection.check(context)?;
        Pin::new(&mut connection.stream).poll_write(context, bytes)
    }

    fn poll_flush(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.get_mut().stream).poll_flush(context)
    }

    fn poll_shutdown(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let connection = self.get_mut();
        if connection.is_cut(context) {
            return Poll::Ready(Ok(()));
        }
        ready!(Pin::new(&mut connection.stream).poll_shutdown(context))?;
        Poll::Ready(Ok(()))
    }

    fn poll_write_vectored(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffers: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let connection = self.get_mut();
        connection.check(context)?;
        Pin::new(&mut connection.stream).poll_write_vectored(context, buffers)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }
}
