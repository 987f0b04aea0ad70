//! What holds for every game, whatever the players do and whenever they do it.

use proptest::prelude::*;
use rules::{ByColor, Color};
use table::{
    Action, Called, Can, Claim, Empties, Ending, Entry, Opening, Overrun, Pace, PersonId, Phrase, Rules, Seat, Setup,
    Table, TimeControl,
};

fn rules() -> impl Strategy<Value = Rules> {
    let time = prop_oneof![
        Just(TimeControl::None),
        (1000u32..300_000).prop_map(|main_ms| TimeControl::SuddenDeath { main_ms }),
        (1000u32..60_000, 0u32..9000)
            .prop_map(|(main_ms, increment_ms)| TimeControl::Fischer { main_ms, increment_ms }),
        (0u32..60_000, 1000u32..9000, 1u8..5).prop_map(|(main_ms, period_ms, periods)| TimeControl::ByoYomi {
            main_ms,
            period_ms,
            periods
        }),
        (1u32..15).prop_map(|days| TimeControl::PerMove { per_move_ms: days * 86_400_000 }),
    ];
    let overrun = prop_oneof![Just(Overrun::Loses), Just(Overrun::TwoMinutes), Just(Overrun::AtLeast33)];
    let empties = prop_oneof![Just(Empties::ToWinner), Just(Empties::DiscsOnly)];
    let how = (prop::bool::weighted(0.8), prop::bool::weighted(0.2), prop::bool::weighted(0.2));
    (time, overrun, empties, how).prop_map(|(time, overrun, empties, (takebacks, rated, prompt_start))| {
        let rated = rated && time != TimeControl::None;
        let takebacks = takebacks && !rated;
        Rules { time, overrun, empties, takebacks, opening: Opening::Standard, rated, prompt_start }
    })
}

fn seats() -> impl Strategy<Value = ByColor<Seat>> {
    let person = |who| Seat::Person { who: PersonId(who), name: Called::First };
    prop_oneof![
        Just(ByColor { black: person(1), white: person(1) }),
        Just(ByColor { black: person(1), white: person(2) }),
        Just(ByColor { black: person(1), white: Seat::Computer { level: 2 } }),
        Just(ByColor { black: Seat::Open, white: person(2) }),
    ]
}

/// What somebody tries: how much later, from which seat, what kind, and which of the legal squares.
type Try = (u64, bool, u8, usize);

/// Plays `tries` and keeps what the table accepts.
fn game(setup: &Setup, tries: &[Try]) -> (Vec<Entry>, Vec<Table>) {
    let mut table = Table::new(setup.clone()).unwrap();
    let mut log = Vec::new();
    let mut states = vec![table.clone()];
    let mut now = setup.at;
    for &(later, black, kind, pick) in tries {
        now += later;
        let seat = if black { Color::Black } else { Color::White };
        let turn = table.position().turn().unwrap_or(seat);
        let legal: Vec<_> = table.position().legal().iter().collect();
        let play = |pick: usize| Action::Play {
            square: *legal.get(pick % legal.len().max(1)).unwrap_or(&rules::Square::A1),
            ply: table.ply(),
        };
        let (by, action) = match kind {
            0 => (Some(seat), Action::Takeback { ply: table.ply() }),
            1 => (Some(seat), Action::Accept {}),
            2 => (Some(seat), Action::Decline {}),
            3 => (None, Action::Look {}),
            4 => (None, Action::Away { from: now.saturating_sub(later / 2) }),
            5 if pick == 0 => (Some(seat), Action::Resign {}),
            6 => (Some(seat), Action::Sit { who: PersonId(3), name: Called::Second }),
            7 if pick == 0 => (Some(seat), Action::Scrap {}),
            7 if pick < 3 => (Some(seat), Action::Another { next: "next".parse().unwrap(), swap: pick == 1 }),
            8 => (Some(seat), play(pick)),
            9 if pick == 0 => (Some(seat), Action::Abort {}),
            9 if pick == 1 => (Some(seat), Action::Claim { what: Claim::Draw, away_ms: later * 20 }),
            9 if pick < 6 => (Some(seat), Action::Pause {}),
            9 => (Some(seat), Action::Resume {}),
            10 => (Some(seat), Action::Say { phrase: Phrase::ALL[pick % 8] }),
            _ => (Some(turn), play(pick)),
        };
        // Some entries came after a while in which the one before was still being kept.
        let stalled_ms = if pick % 3 == 0 { later / 4 } else { 0 };
        // And some from far away.
        let lag_ms = if pick % 4 == 1 { later / 3 } else { 0 };
        let entry = Entry { stalled_ms, lag_ms, ..Entry::new(now, by, action) };
        if let Ok(next) = table.after(&entry) {
            table = next;
            log.push(entry);
            states.push(table.clone());
        }
    }
    (log, states)
}

fn setups() -> impl Strategy<Value = Setup> {
    let openings = prop_oneof![Just(""), Just("f5f4c3c4d3c2f3e3")];
    (seats(), rules(), openings).prop_map(|(seats, rules, opening)| {
        // Only two people play a rated game.
        let two = seats.black.person() != seats.white.person()
            && !seats.iter().any(|seat| matches!(seat, Seat::Computer { .. }));
        let rules = Rules { rated: rules.rated && two, ..rules };
        let squares = opening.as_bytes().chunks(2).map(|name| std::str::from_utf8(name).unwrap().parse().unwrap());
        Setup { opening: squares.collect(), ..Setup::new(1000, seats, rules) }
    })
}

fn tries() -> impl Strategy<Value = Vec<Try>> {
    prop::collection::vec((0u64..6000, any::<bool>(), 0u8..40, 0usize..20), 0..140)
}

proptest! {
    #[test]
    fn the_log_cut_anywhere_replays_to_what_was_seen_there(setup in setups(), tries in tries()) {
        let (log, states) = game(&setup, &tries);
        // Through text, as it lies on disk.
        let log: Vec<Entry> = log
            .iter()
            .map(|entry| serde_json::from_str(&serde_json::to_string(entry).unwrap()).unwrap())
            .collect();
        for cut in 0..=log.len() {
            let replayed = Table::new(setup.clone()).unwrap().replay(&log[..cut]).unwrap();
            prop_assert_eq!(&replayed, &states[cut]);
        }
    }

    #[test]
    fn no_time_is_lost_and_none_is_made(setup in setups(), tries in tries()) {
        let (log, states) = game(&setup, &tries);
        let mut running = 0;
        for (entry, pair) in log.iter().zip(states.windows(2)) {
            let (before, after) = (&pair[0], &pair[1]);
            prop_assert!(after.at() >= before.at());
            if before.running().is_some() {
                let from_when = (before.at() + entry.stalled_ms).min(entry.at);
                running += match entry.action {
                    Action::Away { from } => from.clamp(from_when, entry.at) - from_when,
                    _ => entry.at - from_when,
                };
            }
        }
        let last = states.last().unwrap();
        if let Some(clocks) = last.clocks(last.at()) {
            // Charged, given back for the network's sake, and charged to nobody: together all that went by.
            let given_back = last.lag().black.total_ms() + last.lag().white.total_ms();
            prop_assert_eq!(clocks.black.used_ms + clocks.white.used_ms + given_back, running);
        }
    }

    #[test]
    fn the_network_gives_back_at_most_half_a_second_a_move_and_only_to_who_moves(setup in setups(), tries in tries()) {
        let (log, states) = game(&setup, &tries);
        for (entry, pair) in log.iter().zip(states.windows(2)) {
            let (before, after) = (&pair[0], &pair[1]);
            for color in Color::ALL {
                let given_back = after.lag()[color].total_ms() - before.lag()[color].total_ms();
                let elapsed = entry.at.saturating_sub(before.at() + entry.stalled_ms);
                prop_assert!(given_back <= entry.lag_ms.min(500).min(elapsed));
                let moved = matches!(entry.action, Action::Play { .. }) && entry.by == Some(color);
                prop_assert!(given_back == 0 || (moved && matches!(setup.rules.pace(), Pace::Live(_))));
            }
        }
        let last = states.last().unwrap();
        for color in Color::ALL {
            let moves = log.iter().filter(|entry| matches!(entry.action, Action::Play { .. }) && entry.by == Some(color)).count();
            prop_assert!(last.lag()[color].total_ms() <= 1_500 + 250 * moves as u64);
        }
    }

    #[test]
    fn a_rated_game_is_played_to_its_end_and_only_a_live_one_is_claimed(setup in setups(), tries in tries()) {
        let (log, states) = game(&setup, &tries);
        for (entry, pair) in log.iter().zip(states.windows(2)) {
            let (before, after) = (&pair[0], &pair[1]);
            if setup.rules.rated && !before.is_waiting() {
                prop_assert!(!after.is_paused());
                prop_assert!(after.ply() >= before.ply(), "nothing is taken back");
                prop_assert!(before.verdict().is_some() || after.offer().is_none(), "nothing is agreed on");
                let scrapped = after.verdict().is_some_and(|verdict| verdict.ending == Ending::Scrapped);
                prop_assert!(before.verdict().is_some() || !scrapped);
            }
            if let Action::Claim { away_ms, .. } = entry.action {
                prop_assert!(matches!(setup.rules.pace(), Pace::Live(clock) if away_ms >= clock.claim_after_ms()));
                prop_assert_eq!(before.turn(), entry.by.map(|by| !by), "who is there may play");
            }
            if after.is_paused() {
                prop_assert_eq!((after.turn(), after.running(), after.deadline()), (None, None, None));
            }
        }
    }

    #[test]
    fn who_never_makes_a_first_move_does_not_lose(setup in setups(), tries in tries()) {
        let (_, states) = game(&setup, &tries);
        for pair in states.windows(2) {
            let (before, after) = (&pair[0], &pair[1]);
            let Some(verdict) = after.verdict().filter(|_| before.verdict().is_none()) else { continue };
            if verdict.ending == Ending::OutOfTime && setup.rules.first_move_ms().is_some() {
                let loser = verdict.whose.unwrap();
                let chosen = after.moves()[after.given()..].iter().any(|played| played.step.by == loser);
                // Between two people: a computer is always there.
                let people = after.seats().as_ref().map(Seat::person);
                let two = people.black.is_some() && people.white.is_some() && people.black != people.white;
                prop_assert!(chosen || !two || setup.rules.takebacks, "{verdict:?}");
            }
        }
    }

    #[test]
    fn between_two_people_nobody_ends_a_game_without_a_result_alone(setup in setups(), tries in tries()) {
        let (log, states) = game(&setup, &tries);
        for (entry, pair) in log.iter().zip(states.windows(2)) {
            let (before, after) = (&pair[0], &pair[1]);
            let people = before.seats().as_ref().map(Seat::person);
            let two = people.black.is_some() && people.white.is_some() && people.black != people.white;
            let scrapped = after.verdict().is_some_and(|verdict| verdict.ending == Ending::Scrapped);
            let moved_on = before.next().is_none() && after.next().is_some();
            let left_early = matches!(entry.action, Action::Scrap {}) && before.ply().0 < setup.opening.len() as u8 + 2;
            if two && !left_early && (moved_on || (before.verdict().is_none() && scrapped)) {
                // The other one had asked for it, and stands in the table before.
                prop_assert!(before.offer().is_some_and(|offer| entry.by == Some(!offer.by)), "{entry:?}");
            }
        }
    }

    #[test]
    fn an_offer_is_answered_by_one_and_withdrawn_by_the_other(setup in setups(), tries in tries()) {
        let (_, states) = game(&setup, &tries);
        for table in states {
            for who in [1, 2, 3].map(PersonId) {
                let can = table.view(table.at(), Some(who)).can;
                let asked = table.offer().map(|offer| table.holds(Some(who), offer.by));
                let plays = Color::ALL.into_iter().any(|color| table.holds(Some(who), color));
                prop_assert_eq!(can.contains(&Can::Withdraw), plays && asked == Some(true));
                prop_assert_eq!(can.contains(&Can::Answer), plays && asked == Some(false));
            }
        }
    }

    #[test]
    fn looking_changes_no_clock(setup in setups(), tries in tries(), wait in 0u64..200_000) {
        let (_, states) = game(&setup, &tries);
        for table in states {
            let now = table.at() + wait;
            let looked = table.after(&Entry::new(now, None, Action::Look {})).unwrap();
            prop_assert_eq!(looked.clocks(now), table.clocks(now));
            let look = |table: &Table, at| table.after(&Entry::new(at, None, Action::Look {})).unwrap();
            prop_assert_eq!(look(&look(&table, table.at() + wait / 3), now).verdict(), looked.verdict());
            // A flag falls exactly when the deadline has come, not before.
            if table.deadline().is_none_or(|deadline| now < deadline) {
                prop_assert_eq!(looked.verdict(), table.verdict());
            }
        }
    }

    #[test]
    fn views_agree_with_the_table(setup in setups(), tries in tries()) {
        let (_, states) = game(&setup, &tries);
        for table in states {
            let view = table.view(table.at(), Some(PersonId(1)));
            prop_assert_eq!(view.board.chars().filter(|&c| c == 'X').count(), usize::from(view.counts.black));
            prop_assert_eq!(view.legal.is_empty(), view.turn.is_none());
            for legal in &view.legal {
                prop_assert!(!legal.turns.is_empty());
            }
            if let Some(verdict) = view.verdict {
                let whole = setup.rules.empties == Empties::ToWinner && verdict.ending.has_result();
                prop_assert!(!whole || verdict.score.black + verdict.score.white == 64);
                prop_assert_eq!(i16::from(verdict.difference), i16::from(verdict.score.black) - i16::from(verdict.score.white));
            }
            let text = serde_json::to_string(&view).unwrap();
            prop_assert_eq!(serde_json::from_str::<table::View>(&text).unwrap(), view);
        }
    }
}
