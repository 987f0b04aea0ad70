//! Who watches a game: [`Audience`], and the [`Fanout`] that tells them what happens.

use crate::{
    bus::NodeId,
    live::Live,
    lobby::Page,
    profiles::Players,
    protocol::{GameView, OpeningReached, ToBrowser},
    socket::{Outbox, text},
};
use futures_util::FutureExt;
use room::{Role, Snapshot};
use rules::{ByColor, Color, Position};
use std::{
    collections::{BTreeMap, HashMap},
    hash::{DefaultHasher, Hash, Hasher},
    panic::AssertUnwindSafe,
    sync::{Arc, OnceLock},
    time::Duration,
};
use table::{At, CommandId, GameId, PersonId, Ply, Seat, Table, board_text};
use tokio::{sync::mpsc, time::Instant};

/// The pages that watch one game.
#[derive(Debug, Default)]
pub(crate) struct Audience {
    listeners: BTreeMap<u64, Listener>,
    /// How many pages are about to be shown the game: what happens meanwhile is for them too.
    coming: u32,
    /// Who holds the seats; nobody before it was first told.
    seats: Option<ByColor<Seat>>,
    /// Which players were last said to be there.
    here: ByColor<bool>,
    /// Since when each player has not been there.
    away: ByColor<Option<At>>,
    /// After how long away each player may claim the game from the other; `None` while they may not at all.
    claim_after_ms: ByColor<Option<u64>>,
    /// How many pages each person has here.
    people: HashMap<PersonId, u32>,
    /// How many were last said to watch.
    watchers: u32,
    /// Who is there at other nodes.
    elsewhere: HashMap<NodeId, Elsewhere>,
    /// Whether other nodes cannot be heard: nobody is known to be away, they may be there.
    cut_off: bool,
    /// Whether the players are on their way here from another game.
    expected: bool,
}

/// Who is there at another node.
#[derive(Debug)]
struct Elsewhere {
    /// Which players.
    here: ByColor<bool>,
    /// How many others.
    watchers: u32,
    /// Until when that is believed.
    until: Instant,
}

#[derive(Debug)]
struct Listener {
    who: PersonId,
    outbox: Outbox,
}

impl Audience {
    pub(crate) fn is_empty(&self) -> bool {
        self.listeners.is_empty() && self.coming == 0
    }

    /// A page will be shown the game.
    pub(crate) fn expect(&mut self) {
        self.coming += 1;
    }

    /// The game stands so now.
    pub(crate) fn sits(&mut self, table: &Table) {
        if self.seats.as_ref() != Some(table.seats()) {
            self.seats = Some(table.seats().clone());
        }
        self.claim_after_ms = ByColor::from_fn(|color| table.claimable(color).map(table::LiveClock::claim_after_ms));
    }

    /// Whether they are known to hold a seat.
    pub(crate) fn has_seat(&self, who: PersonId) -> bool {
        self.seats.iter().flat_map(ByColor::iter).any(|seat| seat.person() == Some(who))
    }

    /// How many people watch, at all nodes. Whoever does so at two of them counts twice.
    fn watching(&self) -> u32 {
        self.watching_here() + self.elsewhere.values().map(|elsewhere| elsewhere.watchers).sum::<u32>()
    }

    /// How many people are at this node who do not play.
    pub(crate) fn watching_here(&self) -> u32 {
        let mut players: Vec<PersonId> = self.seats.iter().flat_map(ByColor::iter).filter_map(Seat::person).collect();
        players.dedup();
        let playing = players.iter().filter(|who| self.people.contains_key(who)).count();
        self.people.len().saturating_sub(playing) as u32
    }

    /// Notes who is here at `now`, and since when the others are not.
    fn note(&mut self, now: At) -> ByColor<bool> {
        let here = self.here();
        for color in Color::ALL {
            let known_away = !here[color] && !self.cut_off;
            self.away[color] = if known_away { self.away[color].or(Some(now)) } else { None };
        }
        here
    }

    /// For how long the player across from `who` has been away.
    pub(crate) fn away_ms(&mut self, who: PersonId, now: At) -> u64 {
        self.note(now);
        let Some(seats) = &self.seats else { return 0 };
        let mine = Color::ALL.into_iter().find(|&color| seats[color].person() == Some(who));
        mine.and_then(|color| self.away[!color]).map_or(0, |since| now.saturating_sub(since))
    }

    /// In how long each player may claim the game.
    fn claim_in_ms(&self, now: At) -> ByColor<Option<u64>> {
        ByColor::from_fn(|color| {
            let away = now.saturating_sub(self.away[!color]?);
            Some(self.claim_after_ms[color]?.saturating_sub(away))
        })
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
        let Some(gone) = self.listeners.remove(&socket) else { return false };
        self.forget(gone.who);
        true
    }

    /// A page of `who` has gone.
    fn forget(&mut self, who: PersonId) {
        if let Some(pages) = self.people.get_mut(&who) {
            *pages -= 1;
            if *pages == 0 {
                self.people.remove(&who);
            }
        }
    }

    /// Says one last thing to everyone, who then hear no more.
    pub(crate) fn dismiss(&mut self, message: &Arc<str>) {
        self.people.clear();
        for listener in std::mem::take(&mut self.listeners).into_values() {
            listener.outbox.push(message);
        }
    }

    /// Another node says which players are there and how many others, which is believed until `until`.
    pub(crate) fn hear(&mut self, node: NodeId, here: ByColor<bool>, watchers: u32, until: Instant) {
        if here == ByColor::default() && watchers == 0 {
            self.elsewhere.remove(&node);
        } else {
            self.elsewhere.insert(node, Elsewhere { here, watchers, until });
        }
    }

    /// Whether other nodes can be heard at `now`. If they can, those that have not been heard for a while are forgotten; if not, whoever was
    /// there is taken to be there still, and what is believed of them holds for `believed` after the others are heard again.
    pub(crate) fn hears_others(&mut self, they_can: bool, now: Instant, believed: Duration) {
        self.cut_off = !they_can;
        if they_can {
            self.elsewhere.retain(|_, elsewhere| elsewhere.until > now);
        } else {
            self.elsewhere.values_mut().for_each(|elsewhere| elsewhere.until = now + believed);
        }
    }

    /// Which players have the game open somewhere.
    fn here(&self) -> ByColor<bool> {
        let mut here = self.here_at_this_node();
        for elsewhere in self.elsewhere.values() {
            here = ByColor::from_fn(|color| here[color] || elsewhere.here[color]);
        }
        here
    }

    /// Which players have the game open at this node.
    pub(crate) fn here_at_this_node(&self) -> ByColor<bool> {
        let Some(seats) = &self.seats else { return ByColor { black: self.expected, white: self.expected } };
        seats.as_ref().map(|seat| match seat {
            Seat::Open => false,
            Seat::Computer { .. } => true,
            Seat::Person { who, .. } => {
                self.expected || self.listeners.values().any(|page| page.who == *who && !page.outbox.is_silent())
            }
        })
    }

    /// Tells everyone who is there, if a player has come or gone; a page that has just come reads it in its first message. How many
    /// watch is told with it, and by itself only where `crowd` says so: it changes often, and nobody waits for it.
    pub(crate) fn tell_presence(&mut self, game: &GameId, now: At, crowd: bool, newcomer: Option<u64>) {
        let (here, watchers) = (self.note(now), self.watching());
        if self.here == here && !(crowd && self.watchers != watchers) {
            return;
        }
        (self.here, self.watchers) = (here, watchers);
        let claim_in_ms = self.claim_in_ms(now);
        let presence = text(&ToBrowser::Presence { game: game.clone(), here, watchers, claim_in_ms });
        // One that is too slow is found out with the next move.
        for (socket, listener) in &self.listeners {
            if Some(*socket) != newcomer {
                listener.outbox.push(&presence);
            }
        }
    }

    /// Tells everyone: one text for each role. Whether somebody was too slow and hears no more.
    fn tell(&mut self, snapshot: &Snapshot, players: &Players, keep: Ply) -> bool {
        self.sits(&snapshot.table);
        // Every message says it.
        (self.here, self.watchers) = (self.note(snapshot.now), self.watching());
        let crowd = self.crowd(snapshot.now);
        let mut texts: HashMap<Role, Arc<str>> = HashMap::new();
        let mut gone = Vec::new();
        self.listeners.retain(|_, listener| {
            let role = snapshot.role(listener.who);
            let text = texts.entry(role).or_insert_with(|| message(snapshot, players, listener.who, keep, crowd, None));
            let heard = listener.outbox.push(text);
            if !heard {
                gone.push(listener.who);
            }
            heard
        });
        gone.iter().for_each(|who| self.forget(*who));
        !gone.is_empty()
    }

    /// What every message says of those who are there.
    fn crowd(&self, now: At) -> Crowd {
        Crowd { here: self.here, watchers: self.watchers, claim_in_ms: self.claim_in_ms(now) }
    }

    /// A page comes, and sees the game as it stands; one that has closed the game meanwhile, or gone, does not come in.
    ///
    /// Whether others should hear that one more watches.
    fn show(&mut self, snapshot: &Snapshot, players: &Players, keep: Ply, page: &Page, id: CommandId) -> bool {
        self.coming = self.coming.saturating_sub(1);
        if !page.has_open(&snapshot.game) {
            return false;
        }
        self.sits(&snapshot.table);
        let listener = Listener { who: page.who(), outbox: page.outbox.clone() };
        if self.listeners.insert(page.socket, listener).is_none() {
            *self.people.entry(page.who()).or_default() += 1;
        }
        self.tell_presence(&snapshot.game, snapshot.now, false, Some(page.socket));
        let watchers = self.watching();
        let crowd = Crowd { watchers, ..self.crowd(snapshot.now) };
        page.outbox.push(&message(snapshot, players, page.who(), keep, crowd, Some(id)));
        watchers != self.watchers
    }
}

/// Who is there, as every message says it.
#[derive(Clone, Copy, Debug)]
struct Crowd {
    here: ByColor<bool>,
    watchers: u32,
    claim_in_ms: ByColor<Option<u64>>,
}

/// A game as a page sees it.
fn message(
    snapshot: &Snapshot,
    players: &Players,
    who: PersonId,
    keep: Ply,
    crowd: Crowd,
    id: Option<CommandId>,
) -> Arc<str> {
    let Crowd { here, watchers, claim_in_ms } = crowd;
    static START: OnceLock<String> = OnceLock::new();
    let start = START.get_or_init(|| board_text(&Position::start()));
    let table = &snapshot.table;
    let plays = snapshot.role(who).plays();
    let mut view = snapshot.view(who);
    players.fill(table.seats(), Some(table.rules()), &mut view.seats, snapshot.now);
    text(&ToBrowser::Game(Box::new(GameView {
        game: snapshot.game.clone(),
        id,
        seq: snapshot.seq,
        cause: snapshot.cause,
        now: snapshot.now,
        start: start.clone(),
        keep,
        moves: (usize::from(keep.0)..table.moves().len()).map(|index| table.move_view(index)).collect(),
        openings: OpeningReached::after(keep, table),
        invites: ByColor::from_fn(|color| snapshot.invitations[color].clone().filter(|_| plays)),
        here,
        watchers,
        claim_in_ms,
        rated: players.rated(),
        view,
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
}

impl Fanout {
    /// Starts this many tasks, at least one: as many as there are threads to run them is best.
    pub(crate) fn start(tasks: usize) -> Fanout {
        let queues = (0..tasks.max(1)).map(|_| {
            let (queue, update) = mpsc::unbounded_channel();
            tokio::spawn(tell(update));
            queue
        });
        Fanout { queues: queues.collect() }
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
        // Nobody chooses a game's id, so nobody chooses its queue.
        let mut hasher = DefaultHasher::new();
        update.live.game.hash(&mut hasher);
        let number = hasher.finish() as usize % self.queues.len();
        // It fails only when the server has stopped.
        let _ = self.queues[number].send(update);
    }
}

async fn tell(mut queue: mpsc::UnboundedReceiver<Update>) {
    while let Some(update) = queue.recv().await {
        let game = update.live.game.clone();
        unharmed(&game, tell_one(update)).await;
    }
}

/// Does something for one of many games. A panic in it is that game's misfortune and no other's.
async fn unharmed(game: &GameId, work: impl Future<Output = ()>) {
    if AssertUnwindSafe(work).catch_unwind().await.is_err() {
        tracing::error!(%game, "those who watch a game could not be told");
    }
}

async fn tell_one(Update { live, snapshot, keep, newcomer }: Update) {
    let players = live.house.players(&snapshot.game, &snapshot.table).await;
    match newcomer {
        Some((page, id)) => {
            let more = live.audience().show(&snapshot, &players, keep, &page, id);
            if more {
                live.tell_crowd_soon();
            }
        }
        None => {
            let missed = live.audience().tell(&snapshot, &players, keep);
            if missed {
                live.miss();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rules::Square;
    use table::{Action, Called, Claim, Entry, Preset, Refusal, Rules, Setup, TimeControl};

    const ANA: PersonId = PersonId(5);
    const LUIS: PersonId = PersonId(6);

    fn table(time: TimeControl) -> Table {
        let person = |who| Seat::Person { who, name: Called::First };
        let seats = ByColor { black: person(ANA), white: person(LUIS) };
        let table = Table::new(Setup::new(0, seats, Rules { time, ..Preset::Casual.rules() })).unwrap();
        let f5 = Action::Play { square: Square::F5, ply: Ply(0) };
        table.after(&Entry::new(0, Some(Color::Black), f5)).unwrap()
    }

    fn comes(audience: &mut Audience, socket: u64, who: PersonId) {
        let (outbox, waiting) = Outbox::new();
        std::mem::forget(waiting); // a page that is connected and does not read
        audience.listeners.insert(socket, Listener { who, outbox });
        *audience.people.entry(who).or_default() += 1;
    }

    #[test]
    fn a_claim_counts_from_when_the_other_was_missed_and_is_forgotten_when_they_come_back() {
        let table = table(TimeControl::SuddenDeath { main_ms: 120_000 });
        let mut audience = Audience::default();
        audience.sits(&table);
        comes(&mut audience, 1, ANA);
        comes(&mut audience, 2, LUIS);
        assert_eq!(audience.away_ms(ANA, 1_000), 0);
        audience.remove(2);
        assert_eq!(audience.away_ms(ANA, 5_000), 0, "missed now");
        assert_eq!(audience.claim_in_ms(10_000), ByColor { black: Some(25_000), white: None });
        assert_eq!(audience.away_ms(ANA, 35_000), 30_000);
        assert_eq!(audience.claim_in_ms(35_000).black, Some(0));
        // What the table makes of it.
        let claim = |away_ms, at| Entry::new(at, Some(Color::Black), Action::Claim { what: Claim::Win, away_ms });
        assert_eq!(table.after(&claim(audience.away_ms(ANA, 34_999), 34_999)), Err(Refusal::NotAwayYet));
        assert!(table.after(&claim(audience.away_ms(ANA, 35_000), 35_000)).unwrap().verdict().is_some());
        comes(&mut audience, 3, LUIS);
        assert_eq!(audience.away_ms(ANA, 36_000), 0);
        audience.remove(3);
        assert_eq!(audience.away_ms(ANA, 90_000), 0, "from the beginning");
        assert_eq!(audience.away_ms(PersonId(9), 200_000), 0, "who does not play claims nothing");
    }

    #[test]
    fn nobody_is_away_while_other_nodes_cannot_be_heard() {
        let (started, believed) = (Instant::now(), Duration::from_secs(8));
        let at = |ms: u64| started + Duration::from_millis(ms);
        let mut audience = Audience::default();
        audience.sits(&table(TimeControl::SuddenDeath { main_ms: 120_000 }));
        comes(&mut audience, 1, ANA);
        let luis = ByColor { black: false, white: true };
        audience.hear(NodeId(2), luis, 0, at(8_000));
        audience.hears_others(false, at(1_000), believed);
        audience.hears_others(false, at(60_000), believed);
        assert_eq!(audience.here(), ByColor { black: true, white: true }, "as it was when they were last heard");
        // Someone who left at the other node and was heard to, or was never heard, may have come back there.
        audience.hear(NodeId(2), ByColor::default(), 0, at(60_000));
        assert_eq!((audience.away_ms(ANA, 60_000), audience.away_ms(ANA, 120_000)), (0, 0));
        assert_eq!(audience.claim_in_ms(120_000), ByColor { black: None, white: None });
        // From when they are heard again on they have the whole time to be heard of.
        audience.hears_others(true, at(121_000), believed);
        assert_eq!((audience.away_ms(ANA, 121_000), audience.away_ms(ANA, 122_000)), (0, 1_000));
        audience.hear(NodeId(2), luis, 0, at(131_000));
        audience.hears_others(true, at(130_000), believed);
        assert_eq!(audience.away_ms(ANA, 130_000), 0);
        audience.hears_others(true, at(132_000), believed);
        assert_eq!((audience.away_ms(ANA, 132_000), audience.away_ms(ANA, 133_000)), (0, 1_000));
    }

    #[test]
    fn a_game_by_correspondence_is_never_claimed_however_long_somebody_is_away() {
        let table = table(TimeControl::PerMove { per_move_ms: 86_400_000 });
        let mut audience = Audience::default();
        audience.sits(&table);
        comes(&mut audience, 1, ANA);
        audience.note(0);
        assert_eq!(audience.claim_in_ms(80_000_000), ByColor { black: None, white: None });
    }

    #[tokio::test]
    async fn a_panic_in_one_game_ends_no_other() {
        let audience = std::sync::Mutex::new(Audience::default());
        let game = "k7q2m9x4tbcd".parse().unwrap();
        let broken = async {
            let _held = audience.lock();
            panic!("as a mistake of ours would, with the audience in its hands");
        };
        unharmed(&game, broken).await;
        let mut told = false;
        unharmed(&game, async { told = true }).await;
        assert!(told, "the queue goes on");
        // What was held is taken all the same, as `Live::audience` does.
        let mut audience = audience.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        comes(&mut audience, 1, ANA);
        assert!(!audience.is_empty());
    }

    #[test]
    fn those_who_watch_are_people_and_not_pages() {
        let mut audience = Audience::default();
        comes(&mut audience, 1, ANA);
        assert_eq!(audience.watching(), 1, "nobody knows yet who plays");
        audience.sits(&table(TimeControl::None));
        for (socket, who) in [(2, 7), (3, 7), (4, 8)] {
            comes(&mut audience, socket, PersonId(who));
        }
        assert_eq!(audience.watching(), 2);
        audience.remove(2);
        assert_eq!(audience.watching(), 2);
        assert!(audience.remove(3) && !audience.remove(3));
        audience.remove(1);
        assert_eq!(audience.watching(), 1);
        // Those at other nodes count, and are forgotten with what else was said there.
        let now = Instant::now();
        audience.hear(NodeId(2), ByColor::default(), 3, now + Duration::from_secs(8));
        assert_eq!((audience.watching(), audience.watching_here()), (4, 1));
        audience.hears_others(true, now + Duration::from_secs(9), Duration::from_secs(8));
        assert_eq!(audience.watching(), 1);
    }
}
