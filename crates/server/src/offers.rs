//! Offers to play: made, taken, paired by the server; challenges; whom one does not want to meet.

use crate::{
    House,
    bus::Event,
    live::{Live, RETRY},
    lobby::{MOST_OPEN, Page},
    meeting::{GOOD_FOR, GOOD_FOR_DAYS, view},
    protocol::{Lobby, LobbyOffer, LobbyYou, ToBrowser, Why},
    refusal::Refused,
    secret,
};
use people::{Account, Category, Handle, MeetingChange, NotForYou, Offer, Player, Range, Rating, Speed, first_color};
use room::{Command, Room, Write};
use rules::{ByColor, Color};
use std::{collections::HashSet, sync::Arc};
use store::StoreError;
use table::{At, Called, Empties, GameId, Opening, Overrun, PersonId, Rules, Seat, Seq};

/// Whoever leaves it to the server is compared with so many who wait, the latest to come. The others look for themselves.
const MOST_COMPARED: usize = 1000;
/// Offers of live games that wait at a time from one address, whoever makes them: a club, and not all of the lobby.
const MOST_FROM_ONE_PLACE: usize = 100;
/// How many people may be blocked by one.
const MOST_BLOCKED: usize = 1000;
/// For how many games back it matters who had which colour.
const LATELY: usize = 10;
/// A challenge that another server tells of is news for so long.
const NEWS: At = 5_000;
/// The id of a game has so many characters.
const ID: usize = 12;

/// The terms on which someone wants to play.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Terms {
    pub(crate) rules: Rules,
    pub(crate) color: Option<Color>,
    pub(crate) range: Range,
    pub(crate) quick: bool,
}

impl House {
    /// What there is in the lobby, now and whenever it changes.
    pub(crate) async fn show_lobby(self: &Arc<House>, page: &Page, command: &Command) -> Result<ToBrowser, Refused> {
        self.check_lobby_is_open()?;
        let (who, now) = (page.who(), self.time.now());
        let hidden = self.strangers_to(who).await?;
        let mut challenges = self.challenges_to(who, &hidden).await?;
        let mut own = Vec::new();
        for offer in self.store.offers_by(who, now).await? {
            let shown = self.challenge_view(&offer, who).await?;
            if offer.to.is_some() { challenges.push(shown) } else { own.push(shown) }
        }
        let handle = self.store.account(who).await?.map(|account| account.handle.to_string());
        let ratings = self.category_ratings(who).await?;
        // Those who look already were told what there was; whoever comes now sees the same, and all that follows.
        let mut offers = self.meeting.listen(page, hidden);
        own.retain(|own| !offers.iter().any(|offer| offer.id == own.id));
        offers.extend(own);
        self.meeting.changed();
        let counts = self.counts();
        Ok(ToBrowser::Lobby(Box::new(Lobby {
            id: command.id.clone(),
            offers,
            challenges,
            players: counts.players,
            games: counts.games,
            you: LobbyYou { handle, ratings },
        })))
    }

    /// The challenges that wait for someone's answer, as they see them; none from those whom they do not meet.
    pub(crate) async fn challenges_to(
        &self,
        who: PersonId,
        hidden: &HashSet<PersonId>,
    ) -> Result<Vec<LobbyOffer>, Refused> {
        if self.check_lobby_is_open().is_err() {
            return Ok(Vec::new());
        }
        let challenges = self.store.challenges_to(who, self.time.now()).await?;
        // All are for the same person.
        let to = self.store.account(who).await?.map(|account| account.handle.to_string());
        let met = challenges.iter().filter(|offer| !hidden.contains(&offer.by.who));
        Ok(met.map(|offer| view(offer, who, to.clone())).collect())
    }

    /// An offer to anyone.
    pub(crate) async fn offer(
        self: &Arc<House>,
        page: &Page,
        command: &Command,
        terms: Terms,
    ) -> Result<ToBrowser, Refused> {
        self.check_lobby_is_open()?;
        self.make_offer(page, command, terms, None).await
    }

    /// A game with whoever the server finds: at once, or when someone comes.
    pub(crate) async fn quick(
        self: &Arc<House>,
        page: &Page,
        command: &Command,
        speed: Speed,
        opening: Opening,
        rated: bool,
    ) -> Result<ToBrowser, Refused> {
        self.check_lobby_is_open()?;
        if let Some(game) = self.store.begun_by(command.who, &command.id).await? {
            return Ok(done(command, Some(game)));
        }
        let rules = Rules {
            time: speed.usual_time(),
            overrun: Overrun::Loses,
            empties: Empties::ToWinner,
            // As in every casual game that is offered by hand: the two are paired with each other.
            takebacks: !rated,
            opening,
            rated,
            prompt_start: false,
        };
        let terms = Terms { rules, color: None, range: Range::default(), quick: true };
        let offer = self.plan_offer(page, command, terms, None).await?;
        let now = self.time.now();
        let mut hidden = self.strangers_to(offer.by.who).await?;
        let mut others = self.store.offers(offer.is_live(), now, MOST_COMPARED).await?;
        // Someone else may be quicker: then the next.
        loop {
            others.retain(|other| !hidden.contains(&other.by.who));
            let Some(best) = offer.best(&others, now).cloned() else { break };
            match self.pair(page.identity.write(), command, &best, &offer, false).await {
                Ok(game) => return Ok(done(command, Some(game))),
                Err(refused) if refused.why == Why::NoSuchOffer => hidden.insert(best.by.who),
                Err(refused) => return Err(refused),
            };
        }
        self.keep_offer(page, command, offer).await
    }

    /// Whether neither of the two has blocked the other.
    pub(crate) async fn check_wanted(&self, who: PersonId, other: PersonId) -> Result<(), Refused> {
        if self.strangers_to(who).await?.contains(&other) {
            return Err(Refused::new(Why::NotWanted, "one of you does not want to meet the other"));
        }
        Ok(())
    }

    /// An offer to one person.
    pub(crate) async fn challenge(
        self: &Arc<House>,
        page: &Page,
        command: &Command,
        handle: &str,
        terms: Terms,
    ) -> Result<ToBrowser, Refused> {
        self.check_lobby_is_open()?;
        let whom = self.account_named(handle).await?;
        if whom.who == page.who() {
            return Err(Refused::new(Why::NotForYou, "nobody challenges themselves"));
        }
        self.check_wanted(page.who(), whom.who).await?;
        self.make_offer(page, command, terms, Some(&whom)).await
    }

    async fn make_offer(
        self: &Arc<House>,
        page: &Page,
        command: &Command,
        terms: Terms,
        whom: Option<&Account>,
    ) -> Result<ToBrowser, Refused> {
        let offer = self.plan_offer(page, command, terms, whom).await?;
        self.keep_offer(page, command, offer).await
    }

    /// What someone offers, if they may.
    async fn plan_offer(
        &self,
        page: &Page,
        command: &Command,
        terms: Terms,
        whom: Option<&Account>,
    ) -> Result<Offer, Refused> {
        let Terms { rules, color, range, quick } = terms;
        // Two who do not know each other: whoever does not come is not waited for.
        let rules = Rules { prompt_start: true, ..rules };
        rules.check().map_err(room::Refused::from)?;
        let by = self.player(page.who(), Category::of(&rules)).await?;
        let (to, made) = (whom.map(|whom| whom.who), self.time.now());
        let offer =
            Offer { id: self.offer_id(command), by, to, rules, color, range, quick, made, command: command.id.clone() };
        // A guest is gone with a cookie, and can be anyone again. What stays for days, calls on one person or counts needs a name: one
        // that can be found, blocked and suspended.
        if offer.by.handle.is_none() && (to.is_some() || !offer.is_live()) {
            return Err(Refused::needs_account());
        }
        self.check_may_play(&page.identity, &rules).await?;
        if self.store.open_games(page.who()).await? >= MOST_OPEN {
            return Err(Refused::new(Why::Full, "too many games are not over: finish or delete some"));
        }
        Ok(offer)
    }

    /// Keeps an offer and lets it wait. The same command again is the same offer.
    async fn keep_offer(self: &Arc<House>, page: &Page, command: &Command, offer: Offer) -> Result<ToBrowser, Refused> {
        let now = self.time.now();
        let known = self.store.offers_by(page.who(), now).await?;
        let offer = match known.iter().find(|known| known.id == offer.id) {
            Some(known) => known.clone(),
            None if known.len() >= Offer::MOST_BY_ONE => return Err(too_many_offers()),
            None if offer.is_live() && self.meeting.waiting_at(page.place) >= MOST_FROM_ONE_PLACE => {
                return Err(Refused::new(Why::TooMany, "too many offers wait from where you are"));
            }
            None => {
                let until = now + if offer.is_live() { GOOD_FOR } else { GOOD_FOR_DAYS };
                let mut writes = vec![Write::Meeting(MeetingChange::Offer { offer: Box::new(offer.clone()), until })];
                writes.extend(page.identity.write());
                match self.keep(writes).await {
                    Ok(()) => offer,
                    Err(StoreError::Conflict) => {
                        // It has become a game before the answer reached the page.
                        if self.store.game(&offer.id).await?.is_some() {
                            return Ok(done(command, Some(offer.id)));
                        }
                        // The same command came twice at once, or too many others were quicker.
                        let kept = self.store.offer(&offer.id, now).await?;
                        kept.ok_or_else(|| match offer.to {
                            Some(_) => Refused::new(Why::TooMany, "too many challenges wait for their answer already"),
                            None => too_many_offers(),
                        })?
                    }
                    Err(error) => return Err(error.into()),
                }
            }
        };
        if offer.is_live() {
            self.meeting.wait(page, &offer);
            // Somebody may have taken it before it was known that the page waits.
            if self.rooms.at_hand(&offer.id).is_some() {
                self.meeting.wait_no_more(&offer.id);
                return Ok(done(command, Some(offer.id)));
            }
        }
        let shown = self.challenge_view(&offer, page.who()).await?;
        if let Some(to) = offer.to {
            self.meeting.tell(to, &ToBrowser::Challenged { offer: LobbyOffer { yours: false, ..shown.clone() } });
            self.say(&Event::Person { who: to });
        }
        self.offers_changed();
        Ok(ToBrowser::Offered { id: command.id.clone(), offer: shown })
    }

    /// Takes an offer, or a challenge.
    pub(crate) async fn offer_accept(
        self: &Arc<House>,
        page: &Page,
        command: &Command,
        id: &GameId,
    ) -> Result<GameId, Refused> {
        if let Some(game) = self.store.begun_by(command.who, &command.id).await? {
            return Ok(game);
        }
        self.check_lobby_is_open()?;
        let now = self.time.now();
        let offer = self.store.offer(id, now).await?.ok_or_else(Refused::no_such_offer)?;
        let me = self.player(page.who(), offer.category()).await?;
        match offer.check(&me, now) {
            Ok(()) => {}
            Err(NotForYou::SomeoneElse) => return Err(Refused::no_such_offer()),
            Err(why) => return Err(Refused::new(Why::NotForYou, why)),
        }
        self.check_may_play(&page.identity, &offer.rules).await?;
        if self.strangers_to(me.who).await?.contains(&offer.by.who) {
            return Err(Refused::no_such_offer());
        }
        if self.store.open_games(me.who).await? >= MOST_OPEN {
            return Err(Refused::new(Why::Full, "too many games are not over: finish or delete some"));
        }
        let mine = Offer { by: me, color: None, ..offer.clone() };
        self.pair(page.identity.write(), command, &offer, &mine, false).await
    }

    /// Makes a game of an offer and someone who takes it, who may have made an offer of their own (`waits`). Both offers are gone with
    /// the game's first line, or nothing happens: so nobody is paired twice.
    async fn pair(
        self: &Arc<House>,
        identity: Option<Write>,
        command: &Command,
        offer: &Offer,
        taker: &Offer,
        waits: bool,
    ) -> Result<GameId, Refused> {
        let now = self.time.now();
        let (maker, me) = (&offer.by, &taker.by);
        let balance =
            (self.store.color_balance(maker.who, LATELY).await?, self.store.color_balance(me.who, LATELY).await?);
        let mut random = secret::for_command()?;
        let color = first_color(offer.color, taker.color, balance, random.number() & 1 == 1);
        let seat = |player: &Player, unnamed| Seat::Person { who: player.who, name: called(player, unnamed) };
        let (first, second) = (seat(maker, Called::First), seat(me, Called::Second));
        let seats = match color {
            Color::Black => ByColor { black: first, white: second },
            Color::White => ByColor { black: second, white: first },
        };
        let begin = Command { at: now, ..command.clone() };
        let (room, mut writes) =
            Room::begin_as(self.store.key(), offer.id.clone(), &begin, seats, offer.rules, &mut random)?;
        let mut change = |change| writes.push(Write::Meeting(change));
        change(MeetingChange::Take { id: offer.id.clone(), at: now });
        if waits {
            change(MeetingChange::Take { id: taker.id.clone(), at: now });
        }
        if offer.is_live() {
            change(MeetingChange::Busy { who: maker.who });
            change(MeetingChange::Busy { who: me.who });
        }
        writes.extend(identity);
        match self.keep(writes).await {
            Ok(()) => {}
            Err(StoreError::Conflict) => {
                self.meeting.changed();
                // The same command came twice at once, or someone else was quicker.
                return self.store.begun_by(command.who, &command.id).await?.ok_or_else(Refused::no_such_offer);
            }
            Err(error) => {
                // It may have begun all the same: somebody looks after its clocks.
                self.alarms.set(&offer.id, Some(now + RETRY.as_millis() as At));
                return Err(error.into());
            }
        }
        let live = Live::new(self.clone(), room);
        live.audience().expect_players();
        live.miss();
        self.rooms.put(&live);
        live.wake().await;
        let live = offer.is_live();
        if waits {
            self.meeting.begun(&taker.id, me.who, &offer.id, live);
            self.say(&Event::Paired { who: me.who, offer: taker.id.clone(), game: offer.id.clone(), live });
        }
        self.meeting.paired(offer, me.who);
        self.say(&Event::Paired { who: maker.who, offer: offer.id.clone(), game: offer.id.clone(), live });
        self.say(&Event::Lobby);
        Ok(offer.id.clone())
    }

    /// Pairs those who leave it to the server, and for whom someone has come: whoever waits here, and by correspondence everyone, as
    /// nobody need be anywhere.
    pub(crate) async fn pair_those_who_wait(self: &Arc<House>, offers: &[Offer]) {
        let mut taken: HashSet<PersonId> = HashSet::new();
        let mut waiting: Vec<Offer> = self.meeting.waiting().into_iter().filter(|offer| offer.quick).collect();
        waiting.extend(offers.iter().filter(|offer| offer.quick && !offer.is_live()).cloned());
        waiting.sort_by_key(|offer| offer.made);
        for mine in waiting {
            let now = self.time.now();
            let free = |other: &&Offer| !taken.contains(&other.by.who);
            // Most find nobody, and nothing need be read for them.
            if taken.contains(&mine.by.who) || mine.best(offers.iter().filter(free), now).is_none() {
                continue;
            }
            let Ok(hidden) = self.strangers_to(mine.by.who).await else { return };
            let others = offers.iter().filter(free).filter(|other| !hidden.contains(&other.by.who));
            let Some(best) = mine.best(others, now) else { continue };
            let command = Command { who: mine.by.who, id: mine.command.clone(), at: now };
            // One that was quicker is seen at the next look.
            if self.pair(None, &command, best, &mine, true).await.is_ok() {
                taken.extend([mine.by.who, best.by.who]);
            }
        }
    }

    /// On another server someone was challenged, or blocks or is blocked by somebody: their pages here are told.
    pub(crate) async fn tell_challenges(&self, who: PersonId) {
        if !self.meeting.is_online(who) {
            return;
        }
        let now = self.time.now();
        // If it cannot be read, it is in the lobby.
        let Ok(hidden) = self.strangers_to(who).await else { return };
        self.meeting.hide(who, &hidden);
        let Ok(challenges) = self.challenges_to(who, &hidden).await else { return };
        for offer in challenges.into_iter().filter(|offer| offer.made + NEWS > now) {
            self.meeting.tell(who, &ToBrowser::Challenged { offer });
        }
    }

    /// An offer is gone without a game: its maker and whom it was for are told, wherever their pages are, but not `but`, who knows.
    pub(crate) fn offer_ended(&self, offer: &Offer, declined: bool, but: Option<PersonId>) {
        for who in [Some(offer.by.who), offer.to].into_iter().flatten().filter(|who| Some(*who) != but) {
            self.meeting.ended(&offer.id, who, declined);
            self.say(&Event::Gone { who, offer: offer.id.clone(), declined });
        }
        self.meeting.wait_no_more(&offer.id);
        self.offers_changed();
    }

    /// Withdraws an offer of one's own.
    pub(crate) async fn offer_withdraw(&self, page: &Page, id: &GameId) -> Result<(), Refused> {
        self.end_offer(page.who(), id, false, |offer| offer.by.who == page.who()).await
    }

    /// Declines a challenge.
    pub(crate) async fn challenge_decline(&self, page: &Page, id: &GameId) -> Result<(), Refused> {
        self.end_offer(page.who(), id, true, |offer| offer.to == Some(page.who())).await
    }

    async fn end_offer(
        &self,
        who: PersonId,
        id: &GameId,
        declined: bool,
        may: impl Fn(&Offer) -> bool,
    ) -> Result<(), Refused> {
        let offer = self.store.offer(id, self.time.now()).await?.filter(may).ok_or_else(Refused::no_such_offer)?;
        self.keep(vec![Write::Meeting(MeetingChange::Withdraw { id: id.clone(), who })]).await?;
        self.offer_ended(&offer, declined, Some(who));
        Ok(())
    }

    /// Someone is not to be met, or may be again.
    pub(crate) async fn block_person(&self, page: &Page, handle: &str, on: bool) -> Result<(), Refused> {
        let (who, whom) = (page.who(), self.account_named(handle).await?.who);
        if who == whom {
            return Err(Refused::new(Why::NotForYou, "nobody blocks themselves"));
        }
        let change = if on {
            if self.store.blocked_by(who).await?.len() >= MOST_BLOCKED {
                return Err(Refused::new(Why::Full, "too many people are blocked"));
            }
            MeetingChange::Block { who, whom }
        } else {
            MeetingChange::Unblock { who, whom }
        };
        let mut writes = vec![Write::Meeting(change)];
        writes.extend(page.identity.write());
        let mut gone = Vec::new();
        if on {
            // What they had offered each other is gone.
            for (by, to) in [(who, whom), (whom, who)] {
                let offers = self.store.offers_by(by, self.time.now()).await?;
                gone.extend(offers.into_iter().filter(|offer| offer.to == Some(to)));
            }
        }
        writes.extend(gone.iter().map(withdrawal));
        self.keep(writes).await?;
        for offer in &gone {
            self.offer_ended(offer, false, None);
        }
        for one in [who, whom] {
            self.meeting.hide(one, &self.strangers_to(one).await?);
            self.say(&Event::Person { who: one });
        }
        Ok(())
    }

    /// A household that meets nobody else needs no lobby.
    pub(crate) fn check_lobby_is_open(&self) -> Result<(), Refused> {
        if self.settings.borrow().lobby {
            return Ok(());
        }
        Err(Refused::new(Why::LobbyClosed, "the owner has not opened the lobby"))
    }

    /// Those whom `who` does not want to meet, and who do not want to meet them.
    pub(crate) async fn strangers_to(&self, who: PersonId) -> Result<HashSet<PersonId>, Refused> {
        let mut strangers: HashSet<PersonId> = self.store.blocked_by(who).await?.into_iter().collect();
        strangers.extend(self.store.blocking(who).await?);
        Ok(strangers)
    }

    /// Someone as others see them before a game of this kind.
    async fn player(&self, who: PersonId, category: Option<Category>) -> Result<Player, Refused> {
        let account = self.store.account(who).await?;
        let ratings = self.store.ratings(who).await?;
        let found = ratings.into_iter().find(|(known, _)| Some(*known) == category);
        let rating = found.map_or(Rating::NEW, |(_, rating)| rating.at(self.time.now()));
        Ok(Player {
            who,
            rating: rating.points(),
            provisional: rating.is_provisional(),
            bot: account.as_ref().is_some_and(|account| account.bot),
            handle: account.map(|account| account.handle),
        })
    }

    /// A challenge, or an offer, with the name of whom it is for.
    async fn challenge_view(&self, offer: &Offer, who: PersonId) -> Result<LobbyOffer, Refused> {
        let to = match offer.to {
            None => None,
            Some(to) => self.store.account(to).await?.map(|account| account.handle.to_string()),
        };
        Ok(view(offer, who, to))
    }

    /// The account of this name.
    pub(crate) async fn account_named(&self, handle: &str) -> Result<Account, Refused> {
        let nobody = || Refused::new(Why::NoSuchPerson, "there is no account of this name");
        let handle: Handle = handle.parse().map_err(|_| nobody())?;
        self.store.account_named(&handle).await?.ok_or_else(nobody)
    }

    /// The id of what a command offers: the same command offers the same, and nobody guesses it.
    fn offer_id(&self, command: &Command) -> GameId {
        let purpose = format!("offer {} {}", command.who.0, command.id);
        let id = secret::derived(&self.store.key().0, &purpose, ID).parse();
        // Twelve characters are an id.
        id.unwrap_or_else(|_| unreachable!())
    }
}

/// What takes an offer back in its maker's name.
pub(crate) fn withdrawal(offer: &Offer) -> Write {
    Write::Meeting(MeetingChange::Withdraw { id: offer.id.clone(), who: offer.by.who })
}

fn too_many_offers() -> Refused {
    Refused::new(Why::TooMany, "too many offers wait: withdraw some")
}

fn done(command: &Command, game: Option<GameId>) -> ToBrowser {
    ToBrowser::Done { id: command.id.clone(), game, seq: Some(Seq(0)) }
}

/// What someone is called at the table: by the name of their account, which is a name like any other.
fn called(player: &Player, unnamed: Called) -> Called {
    let name = player.handle.as_ref().and_then(|handle| handle.as_str().parse().ok());
    name.map_or(unnamed, Called::Name)
}
