//! One page's connection: frames in, messages out, never more waiting than a page should have.

use crate::{
    House,
    caller::{Caller, bearer},
    connections::Place,
    entrance::{Kind, Visitor},
    lobby::Page,
    pace::Pace,
    people::Identity,
    protocol::{DOOR_CLOSED, SIGNED_OUT, ToBrowser},
};
use axum::{
    Extension,
    extract::{
        ConnectInfo, State, WebSocketUpgrade,
        ws::{CloseFrame, Message, close_code},
    },
    http::{HeaderMap, StatusCode, header},
    response::{IntoResponse, Response},
};
use futures_util::{Sink, SinkExt, Stream, StreamExt};
use std::{
    pin::pin,
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
    time::Duration,
};
use table::At;
use tokio::{
    sync::{Notify, mpsc},
    time::{Instant, interval, sleep, timeout},
};

/// The longest message a page may send: a game with many variations that was pasted.
const LONGEST: usize = 64 * 1024;
/// How many messages may wait for a page; one that reads more slowly is dropped, and resumes when it connects again.
const WAITING: usize = 64;
/// How often the server asks whether the page is there.
const PING: Duration = Duration::from_secs(3);
/// Whoever was silent for so long seems to be away: the other player shall know within ten seconds.
const SILENCE: Duration = Duration::from_secs(7);
/// A page that was silent for so long is gone. A phone that changes from one network to another, or is put away for a moment, takes
/// less.
const GONE: Duration = Duration::from_secs(40);
/// A message that cannot be sent within so long has no reader.
const SLOWEST: Duration = Duration::from_secs(7);
/// How many frames at once, and how many a second, before the server reads more slowly: faster than anyone plays.
const BURST: f64 = 400.0;
const PER_SECOND: f64 = 200.0;

/// What is said when what let a page in is good no more.
const SIGNED_OUT_REASON: &str = "you are signed out here, or someone else now: connect again";

/// What goes out to one page.
#[derive(Clone, Debug)]
pub(crate) struct Outbox {
    messages: mpsc::Sender<Arc<str>>,
    slow: Arc<Notify>,
    silent: Arc<AtomicBool>,
    round_trip_ms: Arc<AtomicU64>,
}

impl Outbox {
    pub(crate) fn new() -> (Outbox, mpsc::Receiver<Arc<str>>) {
        let (messages, waiting) = mpsc::channel(WAITING);
        let slow = Arc::new(Notify::new());
        (Outbox { messages, slow, silent: Arc::default(), round_trip_ms: Arc::default() }, waiting)
    }

    /// Whether nothing was heard from the page for a while, not even that it is there.
    pub(crate) fn is_silent(&self) -> bool {
        self.silent.load(Ordering::Relaxed)
    }

    /// How long a message takes to the page and back, as the server has measured it; 0 before it has, and for programs.
    pub(crate) fn round_trip_ms(&self) -> u64 {
        self.round_trip_ms.load(Ordering::Relaxed)
    }

    /// Waits until more waits for the page than should.
    pub(crate) async fn too_slow(&self) {
        self.slow.notified().await;
    }

    /// Waits until the page is gone.
    pub(crate) async fn closed(&self) {
        self.messages.closed().await;
    }

    /// Whether the page is gone.
    pub(crate) fn is_closed(&self) -> bool {
        self.messages.is_closed()
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

/// A message as it goes over the wire.
pub(crate) fn text(message: &ToBrowser) -> Arc<str> {
    // Every message is plain data with text keys; writing it cannot fail.
    serde_json::to_string(message).unwrap_or_default().into()
}

/// `GET /api/socket`
pub(crate) async fn connect(
    State(house): State<Arc<House>>,
    ConnectInfo(visitor): ConnectInfo<Visitor>,
    Extension(caller): Extension<Caller>,
    headers: HeaderMap,
    upgrade: WebSocketUpgrade,
) -> Response {
    // Browsers always say which page asks. Who does not must bring a secret of their own, not one that a browser adds.
    if !headers.contains_key(header::ORIGIN) && !caller.at_home && bearer(&headers).is_none() {
        return (StatusCode::FORBIDDEN, "Say who you are, with Origin or Authorization.\n").into_response();
    }
    let Some(ticket) = house.pages.admit(caller.place).filter(|ticket| ticket.work()) else {
        return (StatusCode::SERVICE_UNAVAILABLE, "Too many pages are connected; try again later.\n").into_response();
    };
    let (identity, cookie) = match house.identify(&caller, &headers).await {
        Ok(identified) => identified,
        Err(error) => return error.into_response(),
    };
    // A browser answers pings by itself, and no script can hold an answer back; a program could, and one that does not say that it is one
    // is only known by its account.
    let trusted = bearer(&headers).is_none() && !identity.account().is_some_and(|account| account.bot);
    // The library's defaults would take 128 KiB for each connection and 64 MiB for a message. The largest study is sent whole.
    let mut response = upgrade
        .read_buffer_size(4096)
        .write_buffer_size(4096)
        .max_write_buffer_size(4 << 20)
        .max_message_size(LONGEST)
        .max_frame_size(LONGEST)
        .on_upgrade(move |socket| async move {
            serve(&house, socket, identity, caller.place, visitor, trusted).await;
            drop(ticket);
        });
    if let Some(cookie) = cookie {
        response.headers_mut().insert(header::SET_COOKIE, cookie);
    }
    response
}

/// Serves one page for as long as it is connected. Whether its answers to pings tell the lag is what `trusted` says.
pub(crate) async fn serve(
    house: &Arc<House>,
    mut socket: impl Frames,
    identity: Identity,
    place: Place,
    mut visitor: Visitor,
    trusted: bool,
) {
    let (outbox, mut waiting) = Outbox::new();
    let page = Page::new(house.next_socket(), identity, place, outbox);
    let mut lag = Lag { trusted, ..Lag::default() };
    let (mut door, mut settings) = (house.door.watch(), house.settings.subscribe());
    let signed = house.signed.enter(page.socket, &page.identity);
    // What let the page in may have ended before it was known here.
    if house.is_good(&page.identity).await == Ok(false) {
        let frame = CloseFrame { code: SIGNED_OUT, reason: SIGNED_OUT_REASON.into() };
        let _ = timeout(Duration::from_secs(2), socket.send(Message::Close(Some(frame)))).await;
        return;
    }
    let identity = page.identity.clone();
    let view = door.borrow_and_update().view(&identity);
    settings.mark_unchanged();
    page.outbox.push(&house.welcome(&page.identity, view));
    house.meeting.arrive(&page);
    // Commands are carried out one after another in a task of their own: one that has begun is always finished, whatever
    // becomes of the connection.
    let (commands, mut received) = mpsc::channel::<(String, At)>(8);
    let worker = tokio::spawn({
        let (house, page) = (house.clone(), page.clone());
        async move {
            while let Some((message, at)) = received.recv().await {
                house.hear(&page, &message, at).await;
            }
            house.forget(&page);
        }
    });
    let (slow, silent, open) = (page.outbox.slow.clone(), page.outbox.silent.clone(), page.open.clone());
    let round_trip_ms = page.outbox.round_trip_ms.clone();
    drop(page);
    let goodbye = match visitor.kind {
        Kind::Main => (close_code::AWAY, "the server stops"),
        Kind::Door => (DOOR_CLOSED, "the owner has closed the door to the network"),
    };
    let mut ping = interval(PING);
    let mut round_trip = RoundTrip::default();
    let mut silence = pin!(sleep(SILENCE));
    let mut allowance = Pace::new(BURST, PER_SECOND);
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
            () = signed.ended() => break Some((SIGNED_OUT, SIGNED_OUT_REASON)),
            Ok(()) = settings.changed() => {
                let view = settings.borrow_and_update().clone();
                if !send(&mut socket, Message::Text((*text(&ToBrowser::House(view))).into())).await {
                    break None;
                }
            }
            Ok(()) = door.changed() => {
                let view = door.borrow_and_update().view(&identity);
                if !send(&mut socket, Message::Text((*text(&ToBrowser::Door(view))).into())).await {
                    break None;
                }
            }
            _ = ping.tick() => {
                if !send(&mut socket, Message::Ping(round_trip.begin(house.time.now()).into())).await {
                    break None;
                }
            }
            // Pings and answers to them are frames like any other.
            frame = async { allowance.ready().await; socket.next().await } => {
                let Some(Ok(frame)) = frame else { break None };
                allowance.take(1);
                silence.as_mut().reset(Instant::now() + SILENCE);
                if silent.swap(false, Ordering::Relaxed) {
                    house.silence_changed(&open);
                }
                match frame {
                    Message::Text(message) => {
                        let at = house.time.now();
                        if commands.send((message.as_str().to_owned(), at)).await.is_err() {
                            break None;
                        }
                    }
                    Message::Binary(_) => break Some((close_code::UNSUPPORTED, "text only")),
                    Message::Close(_) => break None,
                    Message::Pong(answer) => {
                        if let Some(ms) = round_trip.end(&answer, house.time.now()) {
                            house.metrics.round_trip.record(ms as f64 / 1000.0);
                            round_trip_ms.store(lag.measured(ms), Ordering::Relaxed);
                        }
                    }
                    Message::Ping(_) => {}
                }
            }
            // Last: what has come in is read first, however late that is.
            () = &mut silence => {
                if silent.swap(true, Ordering::Relaxed) {
                    break None;
                }
                silence.as_mut().reset(Instant::now() + (GONE - SILENCE));
                house.silence_changed(&open);
            }
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

/// Frames in, frames out: a WebSocket, or what a simulation has in its place.
pub(crate) trait Frames: Stream<Item = Result<Message, axum::Error>> + Sink<Message> + Unpin {}

impl<S: Stream<Item = Result<Message, axum::Error>> + Sink<Message> + Unpin> Frames for S {}

/// Whether the page took the message.
async fn send(socket: &mut impl Frames, message: Message) -> bool {
    matches!(timeout(SLOWEST, socket.send(message)).await, Ok(Ok(())))
}

/// How long a message takes to a page and back.
#[derive(Debug, Default)]
struct RoundTrip {
    /// When the server last asked.
    asked: Option<At>,
}

impl RoundTrip {
    /// The ping to send at `now`: its own time.
    fn begin(&mut self, now: At) -> Vec<u8> {
        self.asked = Some(now);
        now.to_be_bytes().to_vec()
    }

    /// A pong has come: how many milliseconds it took. Only the answer to the latest ping counts: nobody chooses their own lag,
    /// except by waiting.
    fn end(&mut self, answer: &[u8], now: At) -> Option<u64> {
        let asked = self.asked.take_if(|asked| asked.to_be_bytes() == answer)?;
        Some(now.saturating_sub(asked))
    }
}

/// What is believed of how far away a page is, from one measurement after another.
#[derive(Debug, Default)]
struct Lag {
    /// Whether its answers can be believed at all.
    trusted: bool,
    smooth_ms: Option<u64>,
}

impl Lag {
    /// After one more measurement: the smaller of it and what is usual, so that one slow answer gains nothing.
    fn measured(&mut self, ms: u64) -> u64 {
        let smooth = self.smooth_ms.map_or(ms, |before| (3 * before + ms) / 4);
        self.smooth_ms = Some(smooth);
        if self.trusted { smooth.min(ms) } else { 0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_slow_answer_gains_nothing_and_a_program_never_does() {
        let mut lag = Lag { trusted: true, ..Lag::default() };
        assert_eq!(lag.measured(40), 40);
        assert_eq!(lag.measured(4_000), 1_030, "what is usual, not the slow one");
        assert_eq!(lag.measured(20), 20);
        let mut program = Lag::default();
        assert_eq!(program.measured(400), 0);
    }

    #[test]
    fn only_the_answer_to_the_latest_ping_tells_the_lag() {
        let mut trip = RoundTrip::default();
        let first = trip.begin(1_000);
        let second = trip.begin(4_000);
        assert_eq!(trip.end(&first, 4_010), None, "an old one");
        assert_eq!(trip.end(b"", 4_010), None);
        assert_eq!(trip.end(&9_999_u64.to_be_bytes(), 4_010), None, "one that was never asked for");
        assert_eq!(trip.end(&second, 4_045), Some(45));
        assert_eq!(trip.end(&second, 4_050), None, "once");
    }
}
