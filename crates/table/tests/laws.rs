//! What holds for every game, whatever the players do and whenever they do it.

use proptest::prelude::*;
use rules::{ByColor, Color};
use table::{
    Action, Called, Can, Empties, Ending, Entry, Opening, Overrun, PersonId, Rules, Seat, Setup, Table, TimeControl,
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
    ];
    let overrun = prop_oneof![Just(Overrun::Loses), Just(Overrun::TwoMinutes), Just(Overrun::AtLeast33)];
    let empties = prop_oneof![Just(Empties::ToWinner), Just(Empties::DiscsOnly)];
    (time, overrun, empties, prop::bool::weighted(0.8)).prop_map(|(time, overrun, empties, takebacks)| Rules {
        time,
        overrun,
        empties,
        takebacks,
        opening: Opening::Standard,
        rated: false,
        prompt_start: false,
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
            _ => (Some(turn), play(pick)),
        };
        // Some entries came after a while in which the one before was still being kept.
        let entry = Entry { stalled_ms: if pick % 3 == 0 { later / 4 } else { 0 }, ..Entry::new(now, by, action) };
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
            prop_assert_eq!(clocks.black.used_ms + clocks.white.used_ms, running);
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
                let whole = setup.rules.empties == Empties::ToWinner && verdict.ending != Ending::Scrapped;
                prop_assert!(!whole || verdict.score.black + verdict.score.white == 64);
                prop_assert_eq!(i16::from(verdict.difference), i16::from(verdict.score.black) - i16::from(verdict.score.white));
            }
            let text = serde_json::to_string(&view).unwrap();
            prop_assert_eq!(serde_json::from_str::<table::View>(&text).unwrap(), view);
        }
    }
}
