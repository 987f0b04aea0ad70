//! Who is connected, who looks at the lobby, and which offers wait for someone: [`Meeting`].
//!
//! The offers themselves are in the store, so that every server of a cluster has the same. What stands here is what this one was last
//! told of them, and which of them end with a page that is connected here.

use crate::{
    House,
    bus::Event,
    connections::Place,
    lobby::Page,
    protocol::{LobbyOffer, LobbyPlayer, ToBrowser},
    socket::{Outbox, text},
};
use people::{MeetingChange, Offer};
use room::Write;
use std::{
    collections::{BTreeMap, BTreeSet, HashMap, HashSet},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};
use store::StoreError;
use table::{At, GameId, PersonId};
use tokio::{
    sync::Notify,
    time::{MissedTickBehavior, interval, sleep},
};

/// The lobby is told to those who look at it at most so often.
const TELL: Duration = Duration::from_millis(500);
/// How often it is said that those who wait are still there.
const STAY: Duration = Duration::from_secs(5);
/// An offer whose maker is not heard of for so long is good no more: their server has died.
pub(crate) const GOOD_FOR: At = 16_000;
/// An offer of a game that takes weeks waits for days.
pub(crate) const GOOD_FOR_DAYS: At = 7 * 24 * 60 * 60 * 1000;
/// How many offers of each sort are shown, live and by correspondence.
pub(crate) const SHOWN: usize = 200;

/// Who is here to meet others.
#[derive(Debug, Default)]
pub(crate) struct Meeting {
    inner: Mutex<Inner>,
    changed: Notify,
}

#[derive(Debug, Default)]
struct Inner {
    pages: HashMap<PersonId, Vec<(u64, Outbox)>>,
    listeners: BTreeMap<u64, Listener>,
    /// What the listeners were last told.
    offers: Vec<Offer>,
    counts: Counts,
    waiting: BTreeMap<GameId, Waiting>,
}

/// How much is going on.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Counts {
    pub(crate) players: u32,
    pub(crate) games: u32,
}

/// A page that looks at the lobby.
#[derive(Debug)]
struct Listener {
    who: PersonId,
    outbox: Outbox,
    /// Those whom they do not want to meet, or who do not want to meet them.
    hidden: HashSet<PersonId>,
}

/// A page that waits for someone to take its offer.
#[derive(Debug)]
struct Waiting {
    socket: u64,
    place: Place,
    outbox: Outbox,
    offer: Offer,
}

impl Meeting {
    fn lock(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A page is connected.
    pub(crate) fn arrive(&self, page: &Page) {
        self.lock().pages.entry(page.who()).or_default().push((page.socket, page.outbox.clone()));
    }

    /// A page is gone: the offers that go with it.
    fn leave(&self, page: &Page) -> Vec<GameId> {
        let inner = &mut *self.lock();
        if let Some(pages) = inner.pages.get_mut(&page.who()) {
            pages.retain(|(socket, _)| *socket != page.socket);
            if pages.is_empty() {
                inner.pages.remove(&page.who());
            }
        }
        inner.listeners.remove(&page.socket);
        let gone = inner.waiting.extract_if(.., |_, waiting| waiting.socket == page.socket);
        gone.map(|(id, _)| id).collect()
    }

    /// How many people are connected.
    pub(crate) fn players(&self) -> u32 {
        self.lock().pages.len() as u32
    }

    /// Whether a page of theirs is connected.
    pub(crate) fn is_online(&self, who: PersonId) -> bool {
        self.lock().pages.contains_key(&who)
    }

    /// Says something to all pages of a person.
    pub(crate) fn tell(&self, who: PersonId, message: &ToBrowser) {
        tell(&self.lock(), who, message);
    }

    /// A page looks at the lobby from now on: what it is shown, as the others were last told, so that nothing falls between.
    pub(crate) fn listen(&self, page: &Page, hidden: HashSet<PersonId>) -> Vec<LobbyOffer> {
        let inner = &mut *self.lock();
        let who = page.who();
        let shown = inner.offers.iter().filter(|offer| !hidden.contains(&offer.by.who));
        let shown = shown.map(|offer| view(offer, who, None)).collect();
        inner.listeners.insert(page.socket, Listener { who, outbox: page.outbox.clone(), hidden });
        shown
    }

    /// A page looks no more.
    pub(crate) fn close(&self, page: &Page) {
        self.lock().listeners.remove(&page.socket);
    }

    /// Whom the pages of `who` that look at the lobby do not see from now on: what they were shown of them is gone, and what they were not
    /// shown of others is there.
    pub(crate) fn hide(&self, who: PersonId, hidden: &HashSet<PersonId>) {
        let inner = &mut *self.lock();
        let Counts { players, games } = inner.counts;
        for listener in inner.listeners.values_mut().filter(|listener| listener.who == who) {
            let before = std::mem::replace(&mut listener.hidden, hidden.clone());
            let moved = |from: &HashSet<PersonId>, to: &HashSet<PersonId>| -> Vec<&Offer> {
                let moved = |offer: &&Offer| !from.contains(&offer.by.who) && to.contains(&offer.by.who);
                inner.offers.iter().filter(moved).collect()
            };
            let gone: Vec<GameId> = moved(&before, hidden).into_iter().map(|offer| offer.id.clone()).collect();
            let new: Vec<LobbyOffer> = moved(hidden, &before).into_iter().map(|offer| view(offer, who, None)).collect();
            if !gone.is_empty() || !new.is_empty() {
                listener.outbox.push(&text(&ToBrowser::LobbyChanged { new, gone, players, games }));
            }
        }
    }

    /// How many offers of pages at one address wait here; none where it is not known whose address it is.
    pub(crate) fn waiting_at(&self, place: Place) -> usize {
        let from_there = |waiting: &&Waiting| place != Place::Home && waiting.place == place;
        self.lock().waiting.values().filter(from_there).count()
    }

    /// A page waits for someone to take its offer.
    pub(crate) fn wait(&self, page: &Page, offer: &Offer) {
        let waiting =
            Waiting { socket: page.socket, place: page.place, outbox: page.outbox.clone(), offer: offer.clone() };
        self.lock().waiting.insert(offer.id.clone(), waiting);
        self.changed();
    }

    /// A page waits for nobody any more.
    pub(crate) fn wait_no_more(&self, id: &GameId) {
        self.lock().waiting.remove(id);
    }

    /// An offer has become a game with `taker`: whoever waited is told. What else the players had offered is gone.
    pub(crate) fn paired(&self, offer: &Offer, taker: PersonId) {
        self.begun(&offer.id, offer.by.who, &offer.id, offer.is_live());
        if !offer.is_live() {
            return;
        }
        let both = [offer.by.who, taker];
        for (_, waiting) in self.lock().waiting.extract_if(.., |_, waiting| both.contains(&waiting.offer.by.who)) {
            waiting.outbox.push(&text(&ToBrowser::OfferGone { offer: waiting.offer.id, declined: false }));
        }
    }

    /// An offer of `who`'s has become a game. The page that waits for it goes there, and no other: its reader may be at another board,
    /// with their clock running. Where nobody need wait, all their pages say that there is a game.
    pub(crate) fn begun(&self, offer: &GameId, who: PersonId, game: &GameId, live: bool) {
        let waited = self.lock().waiting.remove(offer);
        match waited {
            Some(waiting) => _ = waiting.outbox.push(&text(&ToBrowser::Paired { game: game.clone(), waited: true })),
            None if live => {}
            None => self.tell(who, &ToBrowser::Paired { game: game.clone(), waited: false }),
        }
        self.changed();
    }

    /// An offer is gone without a game: `who` is told, on the page that waits for it if one does.
    pub(crate) fn ended(&self, offer: &GameId, who: PersonId, declined: bool) {
        let message = ToBrowser::OfferGone { offer: offer.clone(), declined };
        let inner = &mut *self.lock();
        match inner.waiting.remove(offer) {
            Some(waiting) if waiting.offer.by.who == who => _ = waiting.outbox.push(&text(&message)),
            _ => tell(inner, who, &message),
        }
        self.changed();
    }

    /// The offers of pages here that wait.
    pub(crate) fn waiting(&self) -> Vec<Offer> {
        self.lock().waiting.values().map(|waiting| waiting.offer.clone()).collect()
    }

    /// Something about the offers has changed, here or elsewhere.
    pub(crate) fn changed(&self) {
        self.changed.notify_one();
    }

    fn is_idle(&self) -> bool {
        let inner = self.lock();
        inner.listeners.is_empty() && inner.waiting.is_empty()
    }

    /// The offers are these now, and so much is going on: whoever looks is told what is new and what is gone.
    fn show(&self, offers: Vec<Offer>, games: u32) {
        let inner = &mut *self.lock();
        let counts = Counts { players: inner.pages.len() as u32, games };
        let known: BTreeSet<&GameId> = inner.offers.iter().map(|offer| &offer.id).collect();
        let still: BTreeSet<&GameId> = offers.iter().map(|offer| &offer.id).collect();
        let new: Vec<&Offer> = offers.iter().filter(|offer| !known.contains(&offer.id)).collect();
        let gone: Vec<GameId> = known.difference(&still).map(|id| (*id).clone()).collect();
        if new.is_empty() && gone.is_empty() && counts == inner.counts {
            return;
        }
        let message = |listener: Option<&Listener>| {
            let shown = new.iter().filter(|offer| listener.is_none_or(|it| !it.hidden.contains(&offer.by.who)));
            let who = listener.map_or(PersonId(0), |listener| listener.who);
            let shown = shown.map(|offer| view(offer, who, None)).collect();
            text(&ToBrowser::LobbyChanged {
                new: shown,
                gone: gone.clone(),
                players: counts.players,
                games: counts.games,
            })
        };
        // One text for nearly everyone: only those who have made one of the offers, or do not see one, need their own.
        let common = message(None);
        let makers: HashSet<PersonId> = new.iter().map(|offer| offer.by.who).collect();
        for listener in inner.listeners.values() {
            let own = makers.contains(&listener.who) || !listener.hidden.is_disjoint(&makers);
            listener.outbox.push(&if own { message(Some(listener)) } else { common.clone() });
        }
        inner.offers = offers;
        inner.counts = counts;
    }
}

impl House {
    /// A page has gone, and with it what it offered.
    pub(crate) fn leave_lobby(self: &Arc<House>, page: &Page) {
        let gone = self.meeting.leave(page);
        if gone.is_empty() {
            return;
        }
        let (house, who) = (self.clone(), page.who());
        tokio::spawn(async move {
            let withdraw = |id| Write::Meeting(MeetingChange::Withdraw { id, who });
            // If it cannot be written, they are too old soon.
            let _ = house.keep(gone.into_iter().map(withdraw).collect()).await;
            house.offers_changed();
        });
    }

    /// The offers have changed: those who look are told, here and on other servers.
    pub(crate) fn offers_changed(&self) {
        self.meeting.changed();
        self.say(&Event::Lobby);
    }

    /// How many games are at hand.
    pub(crate) fn counts(&self) -> Counts {
        Counts { players: self.meeting.players(), games: self.rooms.len() as u32 }
    }

    /// Tells those who look at the lobby what happens, pairs those who leave it to the server, and keeps up the offers of those who are
    /// there.
    pub(crate) async fn keep_lobby(self: Arc<House>) {
        let mut stay = interval(STAY);
        stay.set_missed_tick_behavior(MissedTickBehavior::Delay);
        // What was offered by correspondence before the server stopped may be paired.
        self.meeting.changed();
        loop {
            let changed = tokio::select! {
                biased; // offers may change without end
                _ = stay.tick() => {
                    self.say_who_stays().await;
                    false
                }
                () = self.meeting.changed.notified() => true,
            };
            // By correspondence nobody need look or wait for something to happen.
            if !changed && self.meeting.is_idle() {
                continue;
            }
            self.look_at_offers().await;
            sleep(TELL).await;
        }
    }

    /// Offers as they are now, for whoever looks, and those who leave it to the server are paired.
    pub(crate) async fn look_at_offers(self: &Arc<House>) {
        // If they cannot be read now, the next look may.
        let Ok(offers) = self.open_offers().await else { return };
        self.meeting.show(offers.clone(), self.rooms.len() as u32);
        self.pair_those_who_wait(&offers).await;
    }

    /// What is offered to anyone, the oldest first; nothing while the lobby is closed.
    pub(crate) async fn open_offers(&self) -> Result<Vec<Offer>, StoreError> {
        if self.check_lobby_is_open().is_err() {
            return Ok(Vec::new());
        }
        let now = self.time.now();
        let mut offers = self.store.offers(true, now, SHOWN).await?;
        offers.extend(self.store.offers(false, now, SHOWN).await?);
        offers.sort_by(|one, other| (one.made, &one.id).cmp(&(other.made, &other.id)));
        Ok(offers)
    }

    /// Those who wait here are still there. Whose offer is gone meanwhile was taken by someone on another server, or withdrawn.
    async fn say_who_stays(self: &Arc<House>) {
        let waiting = self.meeting.waiting();
        if waiting.is_empty() {
            return;
        }
        let now = self.time.now();
        let stay = |offer: &Offer| Write::Meeting(MeetingChange::Stay { id: offer.id.clone(), until: now + GOOD_FOR });
        let mut writes: Vec<Write> = waiting.iter().map(stay).collect();
        writes.push(Write::Meeting(MeetingChange::Expire { at: now }));
        if self.keep(writes).await.is_err() {
            return;
        }
        for offer in waiting {
            if !matches!(self.store.offer(&offer.id, now).await, Ok(None)) {
                continue;
            }
            match self.store.game(&offer.id).await {
                Ok(Some(_)) => self.meeting.begun(&offer.id, offer.by.who, &offer.id, true),
                Ok(None) => self.meeting.ended(&offer.id, offer.by.who, false),
                Err(_) => {}
            }
        }
    }
}

fn tell(inner: &Inner, who: PersonId, message: &ToBrowser) {
    let message = text(message);
    for (_, outbox) in inner.pages.get(&who).into_iter().flatten() {
        outbox.push(&message);
    }
}

/// An offer as `who` sees it; `to` is the name of the one it is for.
pub(crate) fn view(offer: &Offer, who: PersonId, to: Option<String>) -> LobbyOffer {
    LobbyOffer {
        id: offer.id.clone(),
        by: LobbyPlayer {
            handle: offer.by.handle.as_ref().map(ToString::to_string),
            rating: offer.by.rating,
            provisional: offer.by.provisional,
            bot: offer.by.bot,
        },
        to,
        rules: offer.rules,
        color: offer.color,
        rated: offer.rules.rated,
        category: offer.category(),
        rating_min: offer.range.min,
        rating_max: offer.range.max,
        quick: offer.quick,
        made: offer.made,
        yours: offer.by.who == who,
    }
}
