//! What every store promises about how people meet and how well they play.

use super::*;
use people::{
    Account, AccountChange, Category, MeetingChange, Numbers, Offer, PasswordHash, Played, Player, Range, Rated,
    Rating, Speed, Tally,
};
use table::{Opening, TimeControl};

fn change(change: MeetingChange) -> Write {
    Write::Meeting(change)
}

fn player(who: i64) -> Player {
    Player { who: PersonId(who), handle: None, rating: 1500, provisional: true, bot: false }
}

/// An offer of a game that needs both to be there, good until 100.
fn offer(id: &str, who: i64, made: At) -> Offer {
    Offer {
        id: game_id(id),
        by: player(who),
        to: None,
        rules: Preset::Thirty.rules(),
        color: Some(Color::White),
        range: Range { min: Some(1200), max: None },
        quick: false,
        made,
        command: command(&format!("make-{id}")),
    }
}

fn made(offer: &Offer) -> Write {
    change(MeetingChange::Offer { offer: Box::new(offer.clone()), until: 100 })
}

fn take(id: &str, at: At) -> Write {
    change(MeetingChange::Take { id: game_id(id), at })
}

/// What a pairing writes: the offer is gone, and a game of the same id is there.
fn pairing(id: &str, taker: i64, at: At) -> Vec<Write> {
    let game = Game::new(id, at, ByColor { black: person(1), white: person(taker) }, Preset::Thirty.rules());
    let Write::Begin(mut begun) = game.begin() else { unreachable!("a game begins") };
    begun.maker = PersonId(taker);
    begun.command = command(&format!("take-{taker}"));
    vec![take(id, at), Write::Begin(begun), game.list(1), game.list(taker)]
}

fn names(offers: &[Offer]) -> Vec<&str> {
    offers.iter().map(|offer| offer.id.as_str()).collect()
}

pub async fn an_offer_is_there_until_it_is_taken_withdrawn_or_too_old(place: &impl Place) {
    let store = place.open();
    let (a, b, c) = (offer("a", 1, 2), offer("b", 2, 1), Offer { to: Some(PersonId(1)), ..offer("c", 2, 3) });
    store.write(vec![made(&a), made(&b), made(&c)]).await.unwrap();
    assert_eq!(store.write(vec![made(&a)]).await, Err(StoreError::Conflict), "the id is taken");
    drop(store);
    let store = place.open();
    assert_eq!(store.offers(true, 50, 9).await, Ok(vec![a.clone(), b.clone()]), "open ones, the newest first");
    assert_eq!(store.offers(true, 50, 1).await, Ok(vec![a.clone()]));
    assert_eq!(store.offer(&game_id("c"), 99).await, Ok(Some(c.clone())));
    assert_eq!(store.offer(&game_id("c"), 100).await, Ok(None), "too old");
    assert_eq!(store.offers(true, 100, 9).await, Ok(vec![]));
    assert_eq!(names(&store.offers_by(PersonId(2), 50).await.unwrap()), ["b", "c"]);
    assert_eq!(names(&store.challenges_to(PersonId(1), 50).await.unwrap()), ["c"]);
    assert_eq!(store.challenges_to(PersonId(2), 50).await, Ok(vec![]));

    store.write(vec![change(MeetingChange::Stay { id: game_id("a"), until: 200 })]).await.unwrap();
    store.write(vec![change(MeetingChange::Stay { id: game_id("x"), until: 200 })]).await.unwrap();
    assert_eq!(names(&store.offers(true, 150, 9).await.unwrap()), ["a"], "one that is gone does not come back");
    let withdraw = |id: &str, who| change(MeetingChange::Withdraw { id: game_id(id), who: PersonId(who) });
    store.write(vec![withdraw("a", 2), withdraw("b", 3), withdraw("x", 1)]).await.unwrap();
    assert_eq!(names(&store.offers(true, 50, 9).await.unwrap()), ["a", "b"], "they are not theirs");
    store.write(vec![withdraw("c", 1), withdraw("b", 2)]).await.unwrap();
    assert_eq!(store.offer(&game_id("c"), 50).await, Ok(None), "declined by whom it was for");
    assert_eq!(names(&store.offers(true, 50, 9).await.unwrap()), ["a"]);
    store.write(vec![change(MeetingChange::Expire { at: 199 })]).await.unwrap();
    assert_eq!(names(&store.offers(true, 50, 9).await.unwrap()), ["a"]);
    store.write(vec![change(MeetingChange::Expire { at: 200 })]).await.unwrap();
    assert_eq!(store.offers(true, 50, 9).await, Ok(vec![]));
}

pub async fn offers_by_correspondence_hide_no_others(place: &impl Place) {
    let store = place.open();
    let days = Rules { time: TimeControl::PerMove { per_move_ms: 86_400_000 }, ..Preset::Thirty.rules() };
    let live = offer("live", 9, 1);
    store.write(vec![made(&live)]).await.unwrap();
    for n in 0..20 {
        let slow = Offer { rules: days, ..offer(&format!("s{n}"), 10 + n, 2 + n as At) };
        store.write(vec![made(&slow)]).await.unwrap();
    }
    assert_eq!(names(&store.offers(true, 50, 3).await.unwrap()), ["live"]);
    assert_eq!(names(&store.offers(false, 50, 3).await.unwrap()), ["s19", "s18", "s17"]);
}

pub async fn only_so_many_offers_wait(place: &impl Place) {
    let store = place.open();
    for n in 0..Offer::MOST_BY_ONE {
        store.write(vec![made(&offer(&format!("a{n}"), 1, 1))]).await.unwrap();
    }
    assert_eq!(store.write(vec![made(&offer("more", 1, 99))]).await, Err(StoreError::Conflict));
    store.write(vec![made(&offer("more", 2, 99))]).await.unwrap();
    let old = change(MeetingChange::Offer { offer: Box::new(offer("again", 1, 100)), until: 200 });
    store.write(vec![old]).await.expect("those that are too old wait no more");
    let challenge = |id: &str, who| Offer { to: Some(PersonId(7)), ..offer(id, who, 1) };
    for n in 0..Offer::MOST_TO_ONE {
        store.write(vec![made(&challenge(&format!("c{n}"), 10 + n as i64))]).await.unwrap();
    }
    assert_eq!(store.write(vec![made(&challenge("more-c", 99))]).await, Err(StoreError::Conflict));
    assert_eq!(store.challenges_to(PersonId(7), 50).await.unwrap().len(), Offer::MOST_TO_ONE);
}

pub async fn an_offer_is_taken_once(place: &impl Place) {
    let store = place.open();
    store.write(vec![made(&offer("a", 1, 1))]).await.unwrap();
    assert_eq!(store.write(pairing("a", 2, 100)).await, Err(StoreError::Conflict), "too late");
    assert_eq!(store.game(&game_id("a")).await, Ok(None));
    let takers: Vec<_> = (2..42)
        .map(|taker| {
            let store = store.clone();
            tokio::spawn(async move { store.write(pairing("a", taker, 50)).await })
        })
        .collect();
    let mut results = Vec::new();
    for taker in takers {
        results.push(taker.await.unwrap());
    }
    assert_eq!(results.iter().filter(|result| result.is_ok()).count(), 1);
    assert!(results.iter().all(|result| matches!(result, Ok(()) | Err(StoreError::Conflict))));
    assert_eq!(store.list(PersonId(1), None, 99).await.unwrap().len(), 1, "one game");
    assert_eq!(store.offer(&game_id("a"), 50).await, Ok(None));
    assert_eq!(store.write(vec![made(&offer("a", 1, 1))]).await, Err(StoreError::Conflict), "the game has the id now");
}

pub async fn two_offers_become_one_game_or_none(place: &impl Place) {
    let store = place.open();
    store.write(vec![made(&offer("a", 1, 1)), made(&offer("b", 2, 1)), made(&offer("c", 3, 1))]).await.unwrap();
    // Three who leave it to the server, each paired with the next at once.
    let pair = |id: &str, own: &str, taker: i64| {
        let mut writes = pairing(id, taker, 50);
        writes.push(take(own, 50));
        let store = store.clone();
        tokio::spawn(async move { store.write(writes).await })
    };
    let all = [pair("a", "b", 2), pair("b", "c", 3), pair("c", "a", 1)];
    let mut made = 0;
    for one in all {
        made += usize::from(one.await.unwrap().is_ok());
    }
    assert_eq!(made, 1, "every two of these have a person in common");
    assert_eq!(store.offers(true, 50, 9).await.unwrap().len(), 1);
}

pub async fn whoever_plays_offers_nothing_else_that_needs_them(place: &impl Place) {
    let store = place.open();
    let challenge = Offer { to: Some(PersonId(2)), ..offer("c", 1, 3) };
    store.write(vec![made(&offer("a", 1, 1)), made(&offer("b", 2, 2)), made(&challenge)]).await.unwrap();
    store.write(vec![change(MeetingChange::Busy { who: PersonId(1) })]).await.unwrap();
    assert_eq!(names(&store.offers(true, 50, 9).await.unwrap()), ["b"]);
    assert_eq!(store.challenges_to(PersonId(2), 50).await, Ok(vec![]));
}

const CATEGORY: Category = Category { speed: Speed::Slow, opening: Opening::Standard };

fn rated(game: &str, at: At, black: (i64, Rating), white: (i64, Rating), winner: Option<Color>) -> Rated {
    let players = ByColor { black: PersonId(black.0), white: PersonId(white.0) };
    Rated::new(game_id(game), CATEGORY, at, players, ByColor { black: black.1, white: white.1 }, winner)
}

fn rate(rated: &Rated) -> Write {
    change(MeetingChange::Rate(Box::new(rated.clone())))
}

pub async fn a_game_counts_once_and_for_the_ratings_it_was_computed_from(place: &impl Place) {
    let store = place.open();
    let first = rated("a", 10, (1, Rating::NEW), (2, Rating::NEW), Some(Color::Black));
    store.write(vec![rate(&first)]).await.unwrap();
    assert_eq!(store.write(vec![rate(&first)]).await, Err(StoreError::Conflict), "the game has counted");
    let again = Rated { game: game_id("b"), ..first.clone() };
    assert_eq!(store.write(vec![rate(&again)]).await, Err(StoreError::Conflict), "both have played one game since");
    let half = rated("b", 20, (1, first.after.black), (2, Rating::NEW), None);
    assert_eq!(store.write(vec![rate(&half)]).await, Err(StoreError::Conflict), "one of them has");
    drop(store);
    let store = place.open();
    assert_eq!(store.ratings(PersonId(1)).await, Ok(vec![(CATEGORY, first.after.black)]), "exactly as it was computed");
    assert_eq!(store.ratings(PersonId(2)).await, Ok(vec![(CATEGORY, first.after.white)]));
    assert_eq!(store.ratings(PersonId(3)).await, Ok(vec![]));
    let second = rated("b", 20, (2, first.after.white), (3, Rating::NEW), None);
    store.write(vec![rate(&second)]).await.unwrap();
    let found = store.rated(&[game_id("b"), game_id("x"), game_id("a")]).await.unwrap();
    assert_eq!(found.iter().map(|rated| rated.game.as_str()).collect::<Vec<_>>(), ["b", "a"]);
    assert_eq!(found[0].after.white.points(), second.after.white.points());

    // Two games of the same person that end at once: one counts, the other must be computed anew.
    let ratings = |who: i64| {
        let store = store.clone();
        async move { store.ratings(PersonId(who)).await.unwrap()[0].1 }
    };
    let (one, two, three) = (ratings(1).await, ratings(2).await, ratings(3).await);
    let both = [rated("c", 30, (1, one), (2, two), None), rated("d", 30, (3, three), (1, one), None)];
    let tasks = both.map(|rated| {
        let store = store.clone();
        tokio::spawn(async move { store.write(vec![rate(&rated)]).await })
    });
    let mut kept = 0;
    for task in tasks {
        kept += usize::from(task.await.unwrap().is_ok());
    }
    assert_eq!(kept, 1);
    assert_eq!(ratings(1).await.games(), 2);
}

pub async fn a_rating_and_the_end_of_its_game_are_kept_together(place: &impl Place) {
    let store = place.open();
    let mut game = Game::timed("a", 1);
    store.write(vec![game.begin(), game.list(1), game.list(2)]).await.unwrap();
    let played = game.clone();
    let end = game.resign(9);
    let stale = rated("x", 5, (1, Rating::NEW), (3, Rating::NEW), None);
    store.write(vec![rate(&stale)]).await.unwrap();
    let wrong = rated("a", 9, (1, Rating::NEW), (2, Rating::NEW), Some(Color::White));
    assert_eq!(store.write(vec![end.clone(), rate(&wrong)]).await, Err(StoreError::Conflict));
    assert_eq!(store.game(&game.id).await, Ok(Some(played.stored())), "the game goes on");
    let right = rated("a", 9, (1, stale.after.black), (2, Rating::NEW), Some(Color::White));
    store.write(vec![end, rate(&right)]).await.unwrap();
    assert_eq!(store.game(&game.id).await, Ok(Some(game.stored())));
    store.write(vec![game.hide(1), game.hide(2)]).await.unwrap();
    assert!(store.game(&game.id).await.unwrap().is_some(), "what ratings rest on stays");
    assert_eq!(store.list(PersonId(1), None, 9).await, Ok(vec![]));
}

fn finished(game: &str, at: At, players: (i64, i64), speed: Option<Speed>, winner: Option<Color>) -> Write {
    let players = ByColor { black: PersonId(players.0), white: PersonId(players.1) };
    // What was played without clocks was played by a private link.
    let public = speed.is_some();
    let played = Played { game: game_id(game), at, speed, opening: Opening::Balanced, players, winner, public };
    change(MeetingChange::Played(Box::new(played)))
}

pub async fn what_someone_played_is_counted_and_listed(place: &impl Place) {
    let store = place.open();
    let ends = [
        ("a", 10, (1, 2), Some(Speed::Rapid), Some(Color::Black)),
        ("b", 20, (2, 1), Some(Speed::Rapid), Some(Color::Black)),
        ("c", 30, (1, 2), Some(Speed::Rapid), None),
        ("d", 30, (1, 3), None, Some(Color::White)),
    ];
    for (id, at, players, speed, winner) in ends {
        let mut game = Game::timed(id, at - 5);
        store.write(vec![game.begin()]).await.unwrap();
        store.write(vec![game.resign(at), finished(id, at, players, speed, winner)]).await.unwrap();
    }
    let tally = |speed, color, won, drawn, lost| Tally { speed, opening: Opening::Balanced, color, won, drawn, lost };
    let mut tallies = store.tally(PersonId(1), PersonId(1)).await.unwrap();
    tallies.sort_by_key(|tally| (tally.speed, tally.color == Color::White));
    assert_eq!(
        tallies,
        [
            tally(None, Color::Black, 0, 0, 1),
            tally(Some(Speed::Rapid), Color::Black, 1, 1, 0),
            tally(Some(Speed::Rapid), Color::White, 0, 0, 1),
        ]
    );
    let public = store.tally(PersonId(1), PersonId(2)).await.unwrap();
    assert_eq!(public.len(), 2, "what was played by a private link is counted for themselves alone");
    assert!(public.iter().all(|tally| tally.speed.is_some()));
    assert_eq!(store.tally(PersonId(9), PersonId(9)).await, Ok(vec![]));
    let played = |who, reader, before| {
        let store = store.clone();
        async move { ids(&store.played(PersonId(who), PersonId(reader), before, 3).await.unwrap()).join(" ") }
    };
    assert_eq!(played(1, 9, None).await, "c b a", "what is private is nobody else's business");
    assert_eq!(played(1, 2, None).await, "c b a");
    assert_eq!(played(1, 3, None).await, "d c b", "whoever played it finds it");
    let page = store.played(PersonId(1), PersonId(1), None, 3).await.unwrap();
    assert_eq!(ids(&page), ["d", "c", "b"]);
    assert_eq!(page[0].summary.as_ref().map(|summary| summary.status), Some(Status::Over));
    assert_eq!(ids(&store.played(PersonId(1), PersonId(1), Some(&page[2].game), 3).await.unwrap()), ["a"]);
    assert_eq!(ids(&store.played(PersonId(3), PersonId(3), None, 3).await.unwrap()), ["d"]);
    assert_eq!(store.color_balance(PersonId(1), 9).await, Ok(2), "three times Black, once White");
    assert_eq!(store.color_balance(PersonId(1), 2).await, Ok(2));
    assert_eq!(store.color_balance(PersonId(2), 9).await, Ok(-1));
    assert_eq!(store.color_balance(PersonId(9), 9).await, Ok(0));
}

pub async fn rated_games_that_go_on_are_known(place: &impl Place) {
    let store = place.open();
    let rules = |rated| Rules { rated, ..Preset::Tournament.rules() };
    let seats = || ByColor { black: person(1), white: person(2) };
    let mut counts = Game::new("a", 10, seats(), rules(true));
    let casual = Game::new("b", 20, seats(), rules(false));
    for game in [&counts, &casual] {
        store.write(vec![game.begin(), game.list(1), game.list(2)]).await.unwrap();
    }
    for who in [1, 2] {
        let found = store.rated_in_play(PersonId(who)).await.unwrap();
        assert_eq!(found, [(rules(true), Summary::of(&counts.table))]);
    }
    assert_eq!(store.rated_in_play(PersonId(3)).await, Ok(vec![]));
    store.write(vec![counts.resign(30)]).await.unwrap();
    assert_eq!(store.rated_in_play(PersonId(1)).await, Ok(vec![]), "it is over");
}

pub async fn who_is_blocked_is_known_from_both_sides(place: &impl Place) {
    let store = place.open();
    let block = |who, whom| change(MeetingChange::Block { who: PersonId(who), whom: PersonId(whom) });
    store.write(vec![block(1, 2), block(1, 3), block(1, 2), block(3, 1)]).await.unwrap();
    assert_eq!(store.blocked_by(PersonId(1)).await, Ok(vec![PersonId(2), PersonId(3)]));
    assert_eq!(store.blocking(PersonId(1)).await, Ok(vec![PersonId(3)]));
    let unblock = change(MeetingChange::Unblock { who: PersonId(1), whom: PersonId(3) });
    store.write(vec![unblock.clone(), unblock]).await.unwrap();
    assert_eq!(store.blocked_by(PersonId(1)).await, Ok(vec![PersonId(2)]));
    assert_eq!(store.blocking(PersonId(1)).await, Ok(vec![PersonId(3)]), "that is theirs to end");
}

fn account(who: i64, handle: &str, bot: bool) -> Write {
    let handle = handle.parse().unwrap();
    let account = Account { who: PersonId(who), handle, bot, made: 1, suspended: None };
    let password = PasswordHash("argon2".to_owned());
    Write::Account(Box::new(AccountChange::Open { account, password, recovery: vec![] }))
}

pub async fn the_best_are_those_of_whom_enough_is_known(place: &impl Place) {
    const DAY: At = 86_400_000;
    let store = place.open();
    let known = |value: f64, deviation: f64, games: u32| {
        Rating::from(Numbers { value, deviation, volatility: 0.09, games, changed: 0 })
    };
    // Each as if after a game against somebody who is nobody's concern.
    let people = [
        (1, "ana", false, known(1800.0, 60.0, 30)),
        (2, "Robot", true, known(2000.0, 50.0, 500)),
        (3, "luis", false, known(1900.0, 111.0, 30)),
        (4, "eva", false, known(2100.0, 60.0, 9)),
        (5, "max", false, known(2200.0, 60.0, 30)),
        (6, "zoe", false, known(1700.0, 109.9, 10)),
    ];
    for (who, handle, bot, rating) in people {
        let game = game_id(&format!("g{who}"));
        let players = ByColor { black: PersonId(who), white: PersonId(100 + who) };
        let (before, after) =
            (ByColor { black: Rating::NEW, white: Rating::NEW }, ByColor { black: rating, white: rating });
        let rated = Rated { game, category: CATEGORY, at: 0, players, before, after };
        store.write(vec![account(who, handle, bot), rate(&rated)]).await.unwrap();
    }
    let suspend = AccountChange::Suspend { who: PersonId(5), until: Some(10 * DAY) };
    store.write(vec![Write::Account(Box::new(suspend))]).await.unwrap();
    let best = |category, now, most| {
        let store = store.clone();
        async move {
            let leaders = store.leaders(category, 10, now, most).await.unwrap();
            leaders.iter().map(|leader| (leader.handle.to_string(), leader.bot)).collect::<Vec<_>>()
        }
    };
    let named = |name: &str, bot| (name.to_owned(), bot);
    assert_eq!(best(CATEGORY, 0, 9).await, [named("Robot", true), named("ana", false), named("zoe", false)]);
    assert_eq!(best(CATEGORY, 0, 1).await, [named("Robot", true)]);
    assert_eq!(
        best(CATEGORY, 10 * DAY, 9).await,
        [named("max", false), named("Robot", true), named("ana", false)],
        "one may come in again, of one too little is known by then"
    );
    assert!(best(Category { opening: Opening::Balanced, ..CATEGORY }, 0, 9).await.is_empty());
}
