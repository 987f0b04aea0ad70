//! What stands in the place of a socket: [`Wire`].

use axum::extract::ws::Message;
use futures_util::{Sink, Stream};
use std::{
    collections::VecDeque,
    pin::Pin,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    task::{Context, Poll, Waker},
};

/// How many frames fit into the buffers between the server and someone who does not read.
const ROOM: usize = 24;

/// A connection, as the world holds it.
#[derive(Clone, Debug, Default)]
pub(super) struct Wire(Arc<Mutex<Inner>>);

#[derive(Debug, Default)]
struct Inner {
    to_server: VecDeque<Message>,
    to_person: VecDeque<Message>,
    /// Whether either side has ended it, and the server knows.
    closed: bool,
    reader: Option<Waker>,
    writer: Option<Waker>,
}

impl Wire {
    fn lock(&self) -> MutexGuard<'_, Inner> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A frame arrives at the server.
    pub(super) fn push(&self, frame: Message) {
        let mut inner = self.lock();
        inner.to_server.push_back(frame);
        wake(inner.reader.take());
    }

    /// What the server has sent since.
    pub(super) fn take(&self) -> Vec<Message> {
        let mut inner = self.lock();
        wake(inner.writer.take());
        inner.to_person.drain(..).collect()
    }

    /// The connection ends, and the server hears of it. What is on its way is lost.
    pub(super) fn cut(&self) {
        let mut inner = self.lock();
        inner.closed = true;
        inner.to_server.clear();
        wake(inner.reader.take());
        wake(inner.writer.take());
    }

    pub(super) fn is_closed(&self) -> bool {
        self.lock().closed
    }

    /// The server's end of it.
    pub(super) fn end(&self) -> ServerEnd {
        ServerEnd(self.clone())
    }
}

fn wake(waker: Option<Waker>) {
    if let Some(waker) = waker {
        waker.wake();
    }
}

/// The end that the server reads from and writes to.
#[derive(Debug)]
pub(super) struct ServerEnd(Wire);

impl Drop for ServerEnd {
    fn drop(&mut self) {
        self.0.lock().closed = true;
    }
}

impl Stream for ServerEnd {
    type Item = Result<Message, axum::Error>;

    fn poll_next(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let mut inner = self.0.lock();
        if inner.closed {
            return Poll::Ready(None);
        }
        match inner.to_server.pop_front() {
            Some(frame) => Poll::Ready(Some(Ok(frame))),
            None => {
                inner.reader = Some(context.waker().clone());
                Poll::Pending
            }
        }
    }
}

impl Sink<Message> for ServerEnd {
    type Error = axum::Error;

    fn poll_ready(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Result<(), axum::Error>> {
        let mut inner = self.0.lock();
        if inner.closed {
            return Poll::Ready(Err(axum::Error::new("closed")));
        }
        if inner.to_person.len() >= ROOM {
            inner.writer = Some(context.waker().clone());
            return Poll::Pending;
        }
        Poll::Ready(Ok(()))
    }

    fn start_send(self: Pin<&mut Self>, frame: Message) -> Result<(), axum::Error> {
        self.0.lock().to_person.push_back(frame);
        Ok(())
    }

    fn poll_flush(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Result<(), axum::Error>> {
        Poll::Ready(Ok(()))
    }

    fn poll_close(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Result<(), axum::Error>> {
        Poll::Ready(Ok(()))
    }
}
