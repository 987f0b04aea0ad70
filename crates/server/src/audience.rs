//! Who watches a game: [`Audience`], and the [`Fanout`] that tells them what happens.

use crate::{
    live::Live,
    lobby::Page,
    protocol::{GameView, ToBrowser},
    socket::{Outbox, text},
};
use room::{Role, Snapshot};
use rules::{ByColor, Position};
use std::{
    collections::HashMap,
    hash::{BuildHasher, RandomState},
    sync::{Arc, OnceLock},
};
use table::{CommandId, GameId, PersonId, Ply, Seat, board_text};
use tokio::sync::mpsc;

/// The pages that watch one game.
#[derive(Debug, Default)]
pub(crate) struct Audience {
    listeners: HashMap<u64, Listener>,
    /// Who holds the seats; nobody before it was first told.
    seats: Option<ByColor<Seat>>,
    /// Which players were last said to be there.
    here: ByColor<bool>,
    /// Whether the players are on their way here from another game.
    expected: bool,
}

#[derive(Debug)]
struct Listener {
    who: PersonId,
    outbox: Outbox,
}

impl Audience {
    pub(crate) fn is_empty(&self) -> bool {
        self.listeners.is_empty()
    }

    /// The seats are held so now.
    pub(crate) fn sits(&mut self, seats: &ByColor<Seat>) {
        if self.seats.as_ref() != Some(seats) {
            self.seats = Some(seats.clone());
        }
    }

    /// The players come over from another game: nobody is missed before they had the time to.
    pub(crate) fn expect_players(&mut self) {
        self.expected = true;
        self.here = self.here();
    }

    pub(crate) fn forget_expected(&mut self) {
        self.expected = false;
    }

    /// Whether the page was there.
    pub(crate) fn remove(&mut self, socket: u64) -> bool {
        self.listeners.remove(&socket).is_some()
    }

    /// Says one last thing to everyone, who then hear no more.
    pub(crate) fn dismiss(&mut self, message: &Arc<str>) {
        for (_, listener) in self.listeners.drain() {
            listener.outbox.push(message);
        }
    }

    /// Which players have the game open somewhere.
    fn here(&self) -> ByColor<bool> {
        let Some(seats) = &self.seats else { return ByColor { black: self.expected, white: self.expected } };
        seats.as_ref().map(|seat| match seat {
            Seat::Open => false,
            Seat::Computer { .. } => true,
            Seat::Person { who, .. } => {
                self.expected || self.listeners.values().any(|page| page.who == *who && !page.outbox.is_silent())
            }
        })
    }

    /// Tells everyone who is there, if that has changed; a page that has just come reads it in its first message.
    pub(crate) fn tell_presence(&mut self, game: &GameId, newcomer: Option<u64>) {
        let here = self.here();
        if self.here == here {
            return;
        }
        self.here = here;
        let presence = text(&ToBrowser::Presence { game: game.clone(), here });
        // One that is too slow is found out with the next move.
        for (socket, listener) in &self.listeners {
            if Some(*socket) != newcomer {
                listener.outbox.push(&presence);
            }
        }
    }

    /// Tells everyone: one text for each role. Whether somebody was too slow and hears no more.
    fn tell(&mut self, snapshot: &Snapshot, keep: Ply) -> bool {
        self.sits(snapshot.table.seats());
        self.here = self.here(); // every message says it
        let here = self.here;
        let mut texts: HashMap<Role, Arc<str>> = HashMap::new();
        let before = self.listeners.len();
        self.listeners.retain(|_, listener| {
            let role = snapshot.role(listener.who);
            let text = texts.entry(role).or_insert_with(|| message(snapshot, listener.who, keep, here, None));
            listener.outbox.push(text)
        });
        self.listeners.len() < before
    }

    /// A page comes, and sees the game as it stands; one that has closed the game meanwhile, or gone, does not come in.
    fn show(&mut self, snapshot: &Snapshot, keep: Ply, page: &Page, id: CommandId) {
        if !page.has_open(&snapshot.game) {
            return;
        }
        self.sits(snapshot.table.seats());
        self.listeners.insert(page.socket, Listener { who: page.who(), outbox: page.outbox.clone() });
        self.tell_presence(&snapshot.game, Some(page.socket));
        page.outbox.push(&message(snapshot, page.who(), keep, self.here, Some(id)));
    }
}

/// A game as a page sees it.
fn message(snapshot: &Snapshot, who: PersonId, keep: Ply, here: ByColor<bool>, id: Option<CommandId>) -> Arc<str> {
    static START: OnceLock<String> = OnceLock::new();
    let start = START.get_or_init(|| board_text(&Position::start()));
    let table = &snapshot.table;
    let plays = snapshot.role(who).plays();
    text(&ToBrowser::Game(Box::new(GameView {
        game: snapshot.game.clone(),
        id,
        seq: snapshot.seq,
        cause: snapshot.cause,
        now: snapshot.now,
        start: start.clone(),
        keep,
        moves: (usize::from(keep.0)..table.moves().len()).map(|index| table.move_view(index)).collect(),
        invites: ByColor::from_fn(|color| snapshot.invitations[color].clone().filter(|_| plays)),
        here,
        view: snapshot.view(who),
    })))
}

/// Something to tell.
#[derive(Debug)]
struct Update {
    live: Arc<Live>,
    snapshot: Snapshot,
    keep: Ply,
    /// Only to this page, which has come just now; else to everyone.
    newcomer: Option<(Page, CommandId)>,
}

/// The tasks that write what there is to tell, outside the rooms. All of one game goes through one of them, in order.
#[derive(Debug)]
pub(crate) struct Fanout {
    queues: Vec<mpsc::UnboundedSender<Update>>,
    hasher: RandomState,
}

impl Fanout {
    /// As many as there are threads to run them.
    pub(crate) fn start() -> Fanout {
        let threads = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
        let queues = (0..threads).map(|_| {
            let (queue, update) = mpsc::unbounded_channel();
            tokio::spawn(tell(update));
            queue
        });
        Fanout { queues: queues.collect(), hasher: RandomState::new() }
    }

    /// Everyone who watches is told.
    pub(crate) fn announce(&self, live: &Arc<Live>, snapshot: Snapshot, keep: Ply) {
        self.queue(Update { live: live.clone(), snapshot, keep, newcomer: None });
    }

    /// A page watches from now on.
    pub(crate) fn show(&self, live: &Arc<Live>, snapshot: Snapshot, keep: Ply, page: &Page, id: CommandId) {
        self.queue(Update { live: live.clone(), snapshot, keep, newcomer: Some((page.clone(), id)) });
    }

    fn queue(&self, update: Update) {
        let number = self.hasher.hash_one(&update.live.game) as usize % self.queues.len();
        // It fails only when the server has stopped.
        let _ = self.queues[number].send(update);
    }
}

async fn tell(mut queue: mpsc::UnboundedReceiver<Update>) {
    while let Some(Update { live, snapshot, keep, newcomer }) = queue.recv().await {
        match newcomer {
            Some((page, id)) => live.audience().show(&snapshot, keep, &page, id),
            None => {
                let missed = live.audience().tell(&snapshot, keep);
                if missed {
                    live.miss();
                }
            }
        }
    }
}
