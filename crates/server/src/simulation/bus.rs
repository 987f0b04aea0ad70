//! A bus that loses, repeats, delays and so reorders what it carries: [`FaultyBus`].

use super::world::Shared;
use crate::bus::{Bus, Event, Heard, NodeId};
use tokio::sync::{Mutex, mpsc};

/// One node's end of it.
#[derive(Debug)]
pub(super) struct FaultyBus {
    /// The number of the node in the world.
    node: usize,
    shared: Shared,
    heard: Mutex<mpsc::UnboundedReceiver<Heard>>,
}

impl FaultyBus {
    /// The bus of a node, and where what it hears is put.
    pub(super) fn new(node: usize, shared: Shared) -> (FaultyBus, mpsc::UnboundedSender<Heard>) {
        let (say, heard) = mpsc::unbounded_channel();
        (FaultyBus { node, shared, heard: Mutex::new(heard) }, say)
    }
}

#[async_trait::async_trait]
impl Bus for FaultyBus {
    fn is_there(&self) -> bool {
        self.shared.lock().bus_is_there
    }

    fn say(&self, by: NodeId, event: &Event) -> bool {
        self.shared.lock().post(self.node, by, event);
        true
    }

    async fn hear(&self) -> Heard {
        match self.heard.lock().await.recv().await {
            Some(heard) => heard,
            None => std::future::pending().await,
        }
    }
}
