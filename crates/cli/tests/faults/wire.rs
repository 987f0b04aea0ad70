//! The wire between players and a node, or a node and the database: it can be cut, for a moment or for longer, and it can lose answers.

use std::{
    collections::HashMap,
    io::{Read, Write},
    net::{Ipv4Addr, Shutdown, TcpListener, TcpStream},
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, Ordering},
    },
    thread,
};

/// Takes connections at `port` and hands them on.
pub(crate) struct Wire {
    pub(crate) port: u16,
    state: Arc<State>,
}

#[derive(Default)]
struct State {
    /// Both ends of every connection, by its number.
    open: Mutex<HashMap<u64, [TcpStream; 2]>>,
    loses_answers: AtomicBool,
    is_away: AtomicBool,
}

impl Wire {
    pub(crate) fn to(node: u16) -> Wire {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
        let port = listener.local_addr().unwrap().port();
        let state = Arc::new(State::default());
        let shared = state.clone();
        // It ends with the test.
        thread::spawn(move || {
            for (number, player) in (0..).zip(listener.incoming()) {
                // Whoever is not there takes no calls.
                if !shared.is_away.load(Ordering::SeqCst)
                    && let (Ok(player), Ok(node)) = (player, TcpStream::connect((Ipv4Addr::LOCALHOST, node)))
                {
                    shared.join(number, &player, &node);
                }
            }
        });
        Wire { port, state }
    }

    /// Every connection ends, without a goodbye.
    pub(crate) fn cut(&self) {
        for ends in self.state.open.lock().unwrap().values() {
            hang_up(ends);
        }
    }

    /// Whether nobody gets through.
    pub(crate) fn set_away(&self, away: bool) {
        self.state.is_away.store(away, Ordering::SeqCst);
        self.cut();
    }

    /// Whether what the node says gets lost on the way. It is to be cut afterwards: nobody can make sense of what follows a gap.
    pub(crate) fn lose_answers(&self, lose: bool) {
        self.state.loses_answers.store(lose, Ordering::SeqCst);
    }
}

impl State {
    fn join(self: &Arc<State>, number: u64, player: &TcpStream, node: &TcpStream) {
        let both = || Some([player.try_clone().ok()?, node.try_clone().ok()?]);
        let (Some(ends), Some([from_player, to_node]), Some([to_player, from_node])) = (both(), both(), both()) else {
            return;
        };
        for end in [player, node] {
            let _ = end.set_nodelay(true);
        }
        self.open.lock().unwrap().insert(number, ends);
        let (there, back) = (self.clone(), self.clone());
        thread::spawn(move || there.carry(number, from_player, to_node, false));
        thread::spawn(move || back.carry(number, from_node, to_player, true));
    }

    fn carry(&self, number: u64, mut from: TcpStream, mut to: TcpStream, answers: bool) {
        let mut bytes = [0; 8192];
        while let Ok(length @ 1..) = from.read(&mut bytes) {
            let lost = answers && self.loses_answers.load(Ordering::SeqCst);
            if !lost && to.write_all(&bytes[..length]).is_err() {
                break;
            }
        }
        if let Some(ends) = self.open.lock().unwrap().remove(&number) {
            hang_up(&ends);
        }
    }
}

fn hang_up(ends: &[TcpStream; 2]) {
    for end in ends {
        let _ = end.shutdown(Shutdown::Both);
    }
}
