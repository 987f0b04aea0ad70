//! A page without a browser: [`Client`] says what a page says and hears what a page hears, as the owner.
//!
//! It is in the process that has the games open ([`Server::page`](crate::Server::page)), or in another one of the same user
//! ([`reach`]), which finds the server by the [`address`](crate::address) it left beside its games.

use crate::{
    House, address,
    connections::Place,
    lobby::Page,
    people::Identity,
    protocol::{PROTOCOL, ToBrowser, ToServer},
    socket::Outbox,
};
use axum::http::{HeaderValue, header};
use futures_util::{SinkExt, StreamExt};
use std::{io, path::Path, sync::Arc, time::Duration};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
    sync::mpsc,
    time::{Instant, sleep, timeout},
};
use tokio_tungstenite::{
    WebSocketStream, client_async,
    tungstenite::{self, Message, client::IntoClientRequest},
};

/// A server on this machine that has not let us in by then is not there.
const HANDSHAKE: Duration = Duration::from_secs(2);
/// A server asks every few seconds whether its pages are there: one that was silent for so long is gone.
const SILENCE: Duration = Duration::from_secs(10);

/// The owner's connection to a server. It ends when it is dropped.
#[derive(Debug)]
pub struct Client {
    commands: mpsc::UnboundedSender<ToServer>,
}

/// Why no server was reached.
#[derive(Debug, thiserror::Error)]
pub enum ReachError {
    /// It left no address, or is not there, or does not let us in.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// It speaks another version of the protocol.
    #[error("the server speaks version {0} of the protocol")]
    Version(u32),
}

impl Client {
    /// Sends a command; if the server is gone meanwhile, that is heard instead of an answer.
    pub fn send(&self, command: ToServer) {
        // The connection's task has ended: it has said so.
        let _ = self.commands.send(command);
    }
}

/// What a page does with what it hears.
type Hear = Box<dyn FnMut(Option<ToBrowser>) + Send>;

/// A page in this process. `hear` is given every message, and `None` when there are no more.
pub(crate) fn page(house: &Arc<House>, mut hear: Hear) -> Client {
    let (outbox, mut waiting) = Outbox::new();
    let page = Page::new(house.next_socket(), Identity::OWNER, Place::Home, outbox);
    let (commands, mut received) = mpsc::unbounded_channel::<ToServer>();
    let (house, mut open) = (house.clone(), house.open.subscribe());
    tokio::spawn(async move {
        // Whoever stops the server waits for this page as for any other. There is always room for it.
        let ticket = house.pages.admit(Place::Home);
        loop {
            let command = tokio::select! {
                biased;
                _ = open.wait_for(|open| !*open) => break,
                command = received.recv() => command,
            };
            let Some(command) = command else { break };
            // A command is plain data with text keys; writing it cannot fail.
            let text = serde_json::to_string(&command).unwrap_or_default();
            house.hear(&page, &text, house.time.now()).await;
        }
        house.forget(&page);
        drop(ticket);
    });
    tokio::spawn(async move {
        while let Some(text) = waiting.recv().await {
            hear(serde_json::from_str(&text).ok());
        }
        hear(None);
    });
    Client { commands }
}

/// Connects to the server that has the games in `folder` open. `hear` is given every message from then on, and `None` when the
/// connection has ended.
///
/// # Errors
///
/// [`ReachError`] if there is no such server, or it is just starting or stopping.
pub async fn reach(
    folder: &Path,
    mut hear: impl FnMut(Option<ToBrowser>) + Send + 'static,
) -> Result<Client, ReachError> {
    let mut socket =
        timeout(HANDSHAKE, connect(folder)).await.map_err(|_| io::Error::from(io::ErrorKind::TimedOut))??;
    let (commands, mut received) = mpsc::unbounded_channel::<ToServer>();
    tokio::spawn(async move {
        let silence = sleep(SILENCE);
        tokio::pin!(silence);
        loop {
            tokio::select! {
                command = received.recv() => {
                    let Some(command) = command else { break };
                    let text = serde_json::to_string(&command).unwrap_or_default();
                    if socket.send(Message::text(text)).await.is_err() {
                        break;
                    }
                }
                frame = socket.next() => {
                    let Some(Ok(frame)) = frame else { break };
                    silence.as_mut().reset(Instant::now() + SILENCE);
                    match frame {
                        Message::Text(text) => match serde_json::from_str(&text) {
                            Ok(message) => hear(Some(message)),
                            Err(_) => break,
                        },
                        Message::Close(_) => break,
                        _ => {}
                    }
                }
                () = &mut silence => break,
            }
        }
        // The server may be gone already.
        let _ = timeout(HANDSHAKE, socket.close(None)).await;
        hear(None);
    });
    Ok(Client { commands })
}

/// A connection on which the server has said a welcome that we understand.
async fn connect(folder: &Path) -> Result<WebSocketStream<TcpStream>, ReachError> {
    let address::Left { address, token } = address::read(folder)?;
    let stream = TcpStream::connect(address).await?;
    // Every command is one that somebody waits for. A connection that cannot be told so works all the same.
    let _ = stream.set_nodelay(true);
    let mut request = format!("ws://{address}/api/socket").into_client_request().map_err(io::Error::other)?;
    let bearer = HeaderValue::from_str(&format!("Bearer {token}")).map_err(io::Error::other)?;
    request.headers_mut().insert(header::AUTHORIZATION, bearer);
    let (mut socket, _) = client_async(request, stream).await.map_err(io_error)?;
    while let Some(frame) = socket.next().await {
        let Message::Text(text) = frame.map_err(io_error)? else { continue };
        return match serde_json::from_str(&text) {
            Ok(ToBrowser::Welcome { protocol: PROTOCOL, .. }) => Ok(socket),
            // Of a welcome that cannot be read, the version can.
            _ => {
                let version = serde_json::from_str::<serde_json::Value>(&text).ok();
                let version = version.and_then(|welcome| welcome.get("protocol")?.as_u64());
                Err(ReachError::Version(version.unwrap_or_default() as u32))
            }
        };
    }
    Err(io::Error::from(io::ErrorKind::ConnectionAborted).into())
}

fn io_error(error: tungstenite::Error) -> io::Error {
    match error {
        tungstenite::Error::Io(error) => error,
        error => io::Error::other(error),
    }
}

/// Asks a game in a terminal that has the games in `folder` open to leave them to a server. It fails where none has, or another
/// server.
pub(crate) async fn ask_for(folder: &Path) -> io::Result<()> {
    let address::Left { address, token } = address::read(folder)?;
    let asked = async {
        let mut stream = TcpStream::connect(address).await?;
        let head = format!("POST /api/hand-over HTTP/1.1\r\nHost: {address}\r\nAuthorization: Bearer {token}\r\n");
        stream.write_all(format!("{head}Content-Length: 0\r\nConnection: close\r\n\r\n").as_bytes()).await?;
        let mut answer = Vec::new();
        stream.take(64).read_to_end(&mut answer).await?;
        if answer.starts_with(b"HTTP/1.1 200 ") { Ok(()) } else { Err(io::ErrorKind::PermissionDenied.into()) }
    };
    timeout(HANDSHAKE, asked).await?
}
