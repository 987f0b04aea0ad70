//! Where connections come in: [`Entrance`], a listener whose connections can all be ended without touching any other.
//!
//! It closes in two steps, so that pages hear a goodbye: first nobody else gets in and every page is told, then whatever is
//! still connected is cut off, be it a page that does not listen or half a request.

use crate::{House, app};
use axum::{extract::connect_info::Connected, serve::IncomingStream};
use std::{
    fmt, io,
    net::SocketAddr,
    pin::Pin,
    sync::Arc,
    task::{Context, Poll, ready},
    time::Duration,
};
use tokio::{
    io::{AsyncRead, AsyncWrite, ReadBuf},
    net::{TcpListener, TcpStream},
    sync::watch,
    time::timeout,
};

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
}

impl Visitor {
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
    ) -> (Gate, impl Future<Output = io::Result<()>> + use<>) {
        let stage = watch::Sender::new(Stage::Open);
        let entrance = Entrance { listener, kind, stage: stage.subscribe() };
        let mut closing = stage.subscribe();
        let service = app(house).into_make_service_with_connect_info::<Visitor>();
        let serving = axum::serve(entrance, service).with_graceful_shutdown(async move {
            let _ = closing.wait_for(|stage| *stage >= Stage::Closing).await;
        });
        (Gate { stage }, async move { serving.await })
    }

    /// Nobody else gets in, and after a goodbye nobody is connected any more.
    pub(crate) async fn close(self) {
        self.stage.send_replace(Stage::Closing);
        // Each connection holds a receiver as long as it lives.
        let _ = timeout(GOODBYE, self.stage.closed()).await;
        self.stage.send_replace(Stage::Cut);
    }
}

struct Entrance {
    listener: TcpListener,
    kind: Kind,
    stage: watch::Receiver<Stage>,
}

impl axum::serve::Listener for Entrance {
    type Io = Connection;
    type Addr = SocketAddr;

    async fn accept(&mut self) -> (Connection, SocketAddr) {
        let (stream, peer) = axum::serve::Listener::accept(&mut self.listener).await;
        // Every message is for someone who waits for it: none is held back to be sent together with the next.
        // A connection that cannot be told so works all the same.
        let _ = stream.set_nodelay(true);
        (Connection::new(stream, self.kind, self.stage.clone()), peer)
    }

    fn local_addr(&self) -> io::Result<SocketAddr> {
        self.listener.local_addr()
    }
}

impl Connected<IncomingStream<'_, Entrance>> for Visitor {
    fn connect_info(stream: IncomingStream<'_, Entrance>) -> Visitor {
        let connection = stream.io();
        Visitor { peer: *stream.remote_addr(), kind: connection.kind, stage: connection.stage.clone() }
    }
}

/// A connection that ends when its entrance is cut off.
struct Connection {
    stream: TcpStream,
    kind: Kind,
    stage: watch::Receiver<Stage>,
    /// Done when the entrance is cut off; `None` from then on.
    cut: Option<Pin<Box<dyn Future<Output = ()> + Send>>>,
}

impl Connection {
    fn new(stream: TcpStream, kind: Kind, stage: watch::Receiver<Stage>) -> Connection {
        let mut watched = stage.clone();
        let cut = Box::pin(async move {
            // An entrance whose handle is gone stays as it is.
            if watched.wait_for(|stage| *stage == Stage::Cut).await.is_err() {
                std::future::pending::<()>().await;
            }
        });
        Connection { stream, kind, stage, cut: Some(cut) }
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
        f.debug_struct("Connection").field("stream", &self.stream).field("kind", &self.kind).finish_non_exhaustive()
    }
}

impl AsyncRead for Connection {
    fn poll_read(self: Pin<&mut Self>, context: &mut Context<'_>, buffer: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        let connection = self.get_mut();
        connection.check(context)?;
        Pin::new(&mut connection.stream).poll_read(context, buffer)
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
