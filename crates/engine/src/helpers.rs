//! Threads that live as long as the engine and sleep between searches: [`Helpers`].

use crate::{endgame::LocalTable, task::Task};
use std::{
    sync::{
        Arc,
        mpsc::{Receiver, Sender, channel},
    },
    thread::{self, JoinHandle},
};

enum Order {
    /// Search, and say so when it is done.
    Search(Arc<Task>, Sender<()>),
    Forget,
}

struct Helper {
    orders: Sender<Order>,
    thread: JoinHandle<()>,
}

/// The threads of an engine beside the one that calls it.
pub(crate) struct Helpers(Vec<Helper>);

impl Helpers {
    pub(crate) fn new(count: usize) -> Helpers {
        let helper = |number| {
            let (orders, received) = channel();
            let thread = thread::Builder::new().name(format!("search-{number}")).spawn(move || obey(&received));
            // as `thread::spawn` does where the system has no thread left
            Helper { orders, thread: thread.unwrap_or_else(|error| panic!("no thread for a search: {error}")) }
        };
        Helpers((0..count).map(helper).collect())
    }

    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    /// Forgets the positions that each thread has met.
    pub(crate) fn forget(&self) {
        for helper in &self.0 {
            // a thread that has panicked remembers nothing
            let _ = helper.orders.send(Order::Forget);
        }
    }

    /// Searches on all threads and on this one.
    ///
    /// # Panics
    ///
    /// If one of them did.
    pub(crate) fn search(&self, task: &Arc<Task>, own: &mut LocalTable) {
        let (done, finished) = channel();
        for helper in &self.0 {
            let _ = helper.orders.send(Order::Search(task.clone(), done.clone()));
        }
        drop(done);
        task.run(own);
        assert_eq!(finished.iter().count(), self.len(), "a thread of the search has panicked");
    }
}

/// One thread's life.
fn obey(orders: &Receiver<Order>) {
    let mut local = LocalTable::new();
    for order in orders {
        match order {
            Order::Forget => local.clear(),
            Order::Search(task, done) => {
                task.run(&mut local);
                // the engine waits for it; only one that has panicked does not
                let _ = done.send(());
            }
        }
    }
}

impl Drop for Helpers {
    fn drop(&mut self) {
        for Helper { orders, thread } in self.0.drain(..) {
            drop(orders);
            let _ = thread.join();
        }
    }
}
