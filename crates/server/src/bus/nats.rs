//! A NATS server between the nodes: [`Nats`]. Its plain publishing and subscribing only, which keeps nothing.

use super::{Bus, Event, Heard, NodeId};
use async_nats::{
    Client, ConnectError, ConnectErrorKind::*, ConnectOptions, ServerAddr, Subscriber, connection::State,
};
use futures_util::StreamExt;
use percent_encoding::percent_decode_str;
use room::Key;
use serde::{Deserialize, Serialize};
use std::{error::Error, fmt, io, sync::Arc, time::Duration};
use tokio::sync::{Mutex, Notify, mpsc};

/// How many events may wait to be sent; more are lost.
const WAITING: usize = 4096;
/// How often the bus is asked whether it is there. One that has not answered three times is away, long before anybody may claim a game
/// because another player, who may be at another node, seems to be.
const PING: Duration = Duration::from_secs(3);
/// The longest pause between two attempts to connect.
const RECONNECT: Duration = Duration::from_secs(1);

/// A connection to a NATS server, made again whenever it is lost.
#[derive(Debug)]
pub struct Nats {
    client: Client,
    outgoing: mpsc::Sender<Vec<u8>>,
    incoming: Mutex<Subscriber>,
    back: Arc<Notify>,
}

/// Why there is no bus.
#[derive(Debug, thiserror::Error)]
pub enum BusError {
    /// The address is none, or the server does not let us in.
    #[error("the bus cannot be used: {0}")]
    Connect(String),
}

#[derive(Serialize, Deserialize)]
struct Envelope {
    by: NodeId,
    #[serde(flatten)]
    event: Event,
}

impl Nats {
    /// Connects to `address`, such as `nats://name:password@127.0.0.1:4222`, `nats://token@host`, or `tls://host` for an encrypted
    /// connection; a server that is not there yet is waited for in the background. Nodes with the same `key`, which is that of their
    /// store, hear each other and nobody else.
    ///
    /// # Errors
    ///
    /// [`BusError`] if the address is none, or whoever is there does not let us in or is not who they should be.
    pub async fn connect(address: &str, key: &Key) -> Result<Nats, BusError> {
        let why = |error: &dyn fmt::Display| BusError::Connect(error.to_string());
        let server: ServerAddr = address.parse().map_err(|error| why(&error))?;
        let back = Arc::new(Notify::new());
        let client = match options(&server, &back).connect(without_password(&server)).await {
            Err(error) if matches!(error.kind(), AuthorizationViolation | Authentication | Tls) => Err(error),
            Err(error) if is_not_trusted(&error) => Err(error),
            Err(error) => {
                tracing::warn!("the bus is not there yet ({error}); games are read again meanwhile");
                options(&server, &back).retry_on_initial_connect().connect(without_password(&server)).await
            }
            connected => connected,
        };
        let client = client.map_err(|error| why(&error))?;
        let subject = format!("outflank.{}", crate::secret::derived(&key.0, "bus", 16));
        let incoming = client.subscribe(subject.clone()).await.map_err(|error| why(&error))?;
        let (outgoing, mut waiting) = mpsc::channel::<Vec<u8>>(WAITING);
        let sender = client.clone();
        tokio::spawn(async move {
            while let Some(event) = waiting.recv().await {
                // What cannot be sent is lost, as anything may be.
                let _ = sender.publish(subject.clone(), event.into()).await;
            }
        });
        Ok(Nats { client, outgoing, incoming: Mutex::new(incoming), back })
    }
}

/// How to connect: who we are, and what is done when the connection is lost or made again.
fn options(server: &ServerAddr, back: &Arc<Notify>) -> ConnectOptions {
    let connected = back.clone();
    let options = ConnectOptions::new()
        .name("outflank")
        .ping_interval(PING)
        .reconnect_delay_callback(|attempts| RECONNECT.min(Duration::from_millis(50 * attempts as u64)))
        .event_callback(move |event| {
            let connected = connected.clone();
            async move {
                match event {
                    async_nats::Event::Connected => connected.notify_one(),
                    async_nats::Event::Disconnected => {
                        tracing::warn!("the bus is away; games are read again meanwhile")
                    }
                    async_nats::Event::SlowConsumer(_) => connected.notify_one(),
                    _ => {}
                }
            }
        });
    let text = |part: &str| percent_decode_str(part).decode_utf8_lossy().into_owned();
    match (server.username(), server.password()) {
        (Some(name), Some(password)) => options.user_and_password(text(name), text(password)),
        (Some(token), None) => options.token(text(token)),
        (None, _) => options,
    }
}

/// Whether whoever is there cannot show that they are who they should be. The library tells it as something that could not be read.
fn is_not_trusted(error: &ConnectError) -> bool {
    let read = error.source().and_then(|source| source.downcast_ref::<io::Error>());
    read.is_some_and(|error| error.kind() == io::ErrorKind::InvalidData)
}

/// The address as it may be logged.
fn without_password(server: &ServerAddr) -> ServerAddr {
    let mut url = server.clone().into_inner();
    // An address that has a host, as this one, may do without either.
    let _ = url.set_username("").and_then(|()| url.set_password(None));
    ServerAddr::from_url(url).unwrap_or_else(|_| server.clone())
}

#[async_trait::async_trait]
impl Bus for Nats {
    fn is_there(&self) -> bool {
        self.client.connection_state() == State::Connected
    }

    fn say(&self, by: NodeId, event: &Event) -> bool {
        // Old news is worth nothing: what cannot be sent now is not kept for later.
        self.is_there()
            && serde_json::to_vec(&Envelope { by, event: event.clone() })
                .is_ok_and(|event| self.outgoing.try_send(event).is_ok())
    }

    async fn hear(&self) -> Heard {
        let mut incoming = self.incoming.lock().await;
        loop {
            let message = tokio::select! {
                () = self.back.notified() => return Heard::Missed,
                message = incoming.next() => message,
            };
            let Some(message) = message else { std::future::pending().await };
            // Whatever else is said there is not for us.
            if let Ok(Envelope { by, event }) = serde_json::from_slice(&message.payload) {
                return Heard::Said { by, event };
            }
        }
    }
}
