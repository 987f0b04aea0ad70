//! Threads that read, each with a connection of its own: nobody who asks waits for the writer, or on an async thread.

use crate::StoreError;
use rusqlite::Connection;
use std::{
    sync::{Arc, Mutex, PoisonError, mpsc},
    thread,
};
use tokio::sync::{Semaphore, oneshot};

/// How many questions may wait; whoever has another waits until there is room.
const QUEUE: usize = 256;

type Question = Box<dyn FnOnce(&Connection) + Send>;

/// Some threads that take questions from one queue, in turn.
#[derive(Debug)]
pub(super) struct Readers {
    questions: Option<mpsc::Sender<Question>>,
    places: Semaphore,
    threads: Vec<thread::JoinHandle<()>>,
}

impl Readers {
    pub(super) fn start(name: &str, connections: Vec<Connection>) -> std::io::Result<Readers> {
        let (questions, waiting) = mpsc::channel();
        let waiting = Arc::new(Mutex::new(waiting));
        let start = |connection: Connection| {
            let waiting = waiting.clone();
            thread::Builder::new().name(name.to_owned()).spawn(move || answer(&connection, &waiting))
        };
        let threads = connections.into_iter().map(start).collect::<Result<_, _>>()?;
        Ok(Readers { questions: Some(questions), places: Semaphore::new(QUEUE), threads })
    }

    /// Asks, unless whoever asks stops waiting before it is their turn.
    pub(super) async fn ask<T: Send + 'static>(
        &self,
        read: impl FnOnce(&Connection) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, StoreError> {
        let _place = self.places.acquire().await.map_err(|_| StoreError::Closed)?;
        let (done, answer) = oneshot::channel();
        let question: Question = Box::new(move |connection| {
            if !done.is_closed() {
                // Whoever asked may have gone meanwhile.
                let _ = done.send(read(connection));
            }
        });
        self.questions.as_ref().ok_or(StoreError::Closed)?.send(question).map_err(|_| StoreError::Closed)?;
        answer.await.unwrap_or(Err(StoreError::Closed))
    }
}

fn answer(connection: &Connection, waiting: &Mutex<mpsc::Receiver<Question>>) {
    loop {
        let next = waiting.lock().unwrap_or_else(PoisonError::into_inner).recv();
        let Ok(question) = next else { return };
        question(connection);
    }
}

impl Drop for Readers {
    fn drop(&mut self) {
        self.questions = None;
        for thread in self.threads.drain(..) {
            // A reader that panicked has said so on standard error.
            let _ = thread.join();
        }
    }
}
