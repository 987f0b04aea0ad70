//! One page's connection: frames in, messages out, never more waiting than a page should have.

use crate::{
    House,
    entrance::{Kind, Visitor},
    lobby::Page,
    protocol::{DOOR_CLOSED, ToBrowser},
    room::text,
};
use axum::{
    extract::{
        ConnectInfo, State, WebSocketUpgrade,
        ws::{CloseFrame, Message, WebSocket, close_code},
    },
    http::{HeaderMap, StatusCode, header},
    response::{IntoResponse, Response},
};
use std::{
    sync::{Arc, atomic::Ordering},
    time::Duration,
};
use tokio::{
    sync::{Notify, mpsc},
    time::{Instant, interval, sleep, timeout},
};

/// The longest message a page may send.
const LONGEST: usize = 4096;
/// So many messages may wait for a page; one that reads more slowly is dropped, and resumes when it connects again.
const WAITING: usize = 64;
/// So often the server asks whether the page is there.
const PING: Duration = Duration::from_secs(3);
/// A page that was silent for so long is gone: the other player shall know within ten seconds.
const SILENCE: Duration = Duration::from_secs(7);
/// A message that cannot be sent within so long has no reader.
const SLOWEST: Duration = SILENCE;
/// So many messages at once, and so many a second, before the server reads more slowly.
const BURST: f64 = 200.0;
const PER_SECOND: f64 = 50.0;

/// What goes out to one page.
#[derive(Clone, Debug)]
pub(crate) struct Outbox {
    messages: mpsc::Sender<Arc<str>>,
    slow: Arc<Notify>,
}

impl Outbox {
    fn new() -> (Outbox, mpsc::Receiver<Arc<str>>) {
        let (messages, waiting) = mpsc::channel(WAITING);
        (Outbox { messages, slow: Arc::new(Notify::new()) }, waiting)
    }

    /// Waits until the page is gone.
    pub(crate) async fn closed(&self) {
        self.messages.closed().await;
    }

    /// Sends a message without waiting; `false` if the page is gone or too slow.
    pub(crate) fn push(&self, message: &Arc<str>) -> bool {
        match self.messages.try_send(message.clone()) {
            Ok(()) => true,
            Err(mpsc::error::TrySendError::Closed(_)) => false,
            Err(mpsc::error::TrySendError::Full(_)) => {
                self.slow.notify_one();
                false
            }
        }
    }
}

/// `GET /api/socket`
pub(crate) async fn connect(
    State(house): State<Arc<House>>,
    ConnectInfo(visitor): ConnectInfo<Visitor>,
    headers: HeaderMap,
    upgrade: WebSocketUpgrade,
) -> Response {
    if house.sockets.load(Ordering::Relaxed) >= house.config.sockets {
        return (StatusCode::SERVICE_UNAVAILABLE, "Too many pages are connected; try again later.\n").into_response();
    }
    let (who, cookie) = match house.person(&visitor, &headers).await {
        Ok(person) => person,
        Err(error) => return (StatusCode::SERVICE_UNAVAILABLE, format!("{error}\n")).into_response(),
    };
    // The library's defaults would take 128 KiB for each connection and 64 MiB for a message.
    let mut response = upgrade
        .read_buffer_size(4096)
        .write_buffer_size(4096)
        .max_write_buffer_size(1 << 20)
        .max_message_size(LONGEST)
        .max_frame_size(LONGEST)
        .on_upgrade(move |socket| async move {
            house.sockets.fetch_add(1, Ordering::Relaxed);
            let (outbox, waiting) = Outbox::new();
            let page = Page { socket: house.next_socket(), who, outbox };
            serve(&house, socket, page, waiting, visitor).await;
            house.sockets.fetch_sub(1, Ordering::Relaxed);
        });
    if let Some(cookie) = cookie {
        response.headers_mut().insert(header::SET_COOKIE, cookie);
    }
    response
}

async fn serve(
    house: &Arc<House>,
    mut socket: WebSocket,
    page: Page,
    mut waiting: mpsc::Receiver<Arc<str>>,
    mut visitor: Visitor,
) {
    let (who, mut door) = (page.who, house.door.watch());
    let view = door.borrow_and_update().view(who);
    page.outbox.push(&house.welcome(view));
    // Commands are carried out one after another in a task of their own: one that has begun is always finished, whatever
    // becomes of the connection.
    let (commands, mut received) = mpsc::channel::<(String, table::At)>(8);
    let worker = tokio::spawn({
        let (house, page) = (house.clone(), page.clone());
        async move {
            while let Some((message, at)) = received.recv().await {
                house.hear(&page, &message, at).await;
            }
            house.forget(page.socket).await;
        }
    });
    let slow = page.outbox.slow.clone();
    drop(page);
    let goodbye = match visitor.kind {
        Kind::Main => (close_code::AWAY, "the server stops"),
        Kind::Door => (DOOR_CLOSED, "the owner has closed the door to the network"),
    };
    let mut ping = interval(PING);
    let silence = sleep(SILENCE);
    tokio::pin!(silence);
    let mut allowance = Allowance::new();
    let bye = loop {
        tokio::select! {
            biased; // what waits goes out before more is taken in
            message = waiting.recv() => {
                let Some(message) = message else { break None };
                if !send(&mut socket, Message::Text((*message).into())).await {
                    break None;
                }
            }
            () = slow.notified() => break Some((close_code::AGAIN, "too slow: connect again and say what you have")),
            () = visitor.closing() => break Some(goodbye),
            Ok(()) = door.changed() => {
                let view = door.borrow_and_update().view(who);
                if !send(&mut socket, Message::Text((*text(&ToBrowser::Door(view))).into())).await {
                    break None;
                }
            }
            _ = ping.tick() => {
                if !send(&mut socket, Message::Ping(Vec::new().into())).await {
                    break None;
                }
            }
            frame = socket.recv() => {
                let Some(Ok(frame)) = frame else { break None };
                silence.as_mut().reset(Instant::now() + SILENCE);
                match frame {
                    Message::Text(message) => {
                        let at = house.time.now();
                        allowance.wait().await;
                        if commands.send((message.as_str().to_owned(), at)).await.is_err() {
                            break None;
                        }
                    }
                    Message::Binary(_) => break Some((close_code::UNSUPPORTED, "text only")),
                    Message::Close(_) => break None,
                    Message::Ping(_) | Message::Pong(_) => {}
                }
            }
            // Last: what has come in is read first, however late that is.
            () = &mut silence => break None,
        }
    };
    drop(commands);
    if let Some((code, reason)) = bye {
        let frame = CloseFrame { code, reason: reason.into() };
        // The page may be gone already.
        let _ = timeout(Duration::from_secs(2), socket.send(Message::Close(Some(frame)))).await;
    }
    drop(socket);
    drop(waiting);
    // The worker ends by itself once it has done what it was told.
    let _ = worker.await;
}

/// Whether the page took the message.
async fn send(socket: &mut WebSocket, message: Message) -> bool {
    matches!(timeout(SLOWEST, socket.send(message)).await, Ok(Ok(())))
}

/// A page that sends too much is read more slowly; nothing is lost.
struct Allowance {
    left: f64,
    since: Instant,
}

impl Allowance {
    fn new() -> Allowance {
        Allowance { left: BURST, since: Instant::now() }
    }

    async fn wait(&mut self) {
        let now = Instant::now();
        self.left = (self.left + now.duration_since(self.since).as_secs_f64() * PER_SECOND).min(BURST) - 1.0;
        self.since = now;
        if self.left < 0.0 {
            sleep(Duration::from_secs_f64(-self.left / PER_SECOND)).await;
        }
    }
}
