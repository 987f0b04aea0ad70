//! What is found is what a slow count finds, for any games and any position.

mod common;

use common::{Slow, at};
use library::{Library, Query, Years, folded};
use proptest::{collection::vec, prelude::*, sample::Index};
use record::{Claim, How, RawGame, Record};
use rules::{Bitboard, ByColor, Color, Position, Setup, Square};

/// A game of these choices from a start, given up after them.
fn game(start: Option<Setup>, choices: &[Index], name: usize, year: u16, claim: Option<Claim>) -> Record {
    let names = ["", "Ana Núñez", "LUIS", "ana nunez", "Zoë", "Łuk"];
    let mut raw = RawGame { start, ..RawGame::default() };
    let mut position = start.map_or(Position::start(), |setup| setup.position().unwrap());
    for choice in choices {
        if position.is_over() {
            break;
        }
        let legal: Vec<Square> = position.legal().iter().collect();
        let square = *choice.get(&legal);
        raw.push(None, Some(square), 0).unwrap();
        position = position.play(square).unwrap().after;
    }
    raw.headers.players = ByColor { black: names[name % 6].into(), white: names[name / 6 % 6].into() };
    raw.headers.event = ["Open", "Copa de España", ""][name % 3].into();
    raw.headers.date = if year == 0 { String::new() } else { year.to_string() };
    raw.headers.claim = claim;
    Record::try_from(raw).unwrap()
}

fn starts() -> impl Strategy<Value = Option<Setup>> {
    let cross = Setup {
        black: [Square::D4, Square::E4].into_iter().collect::<Bitboard>(),
        white: [Square::D5, Square::E5].into_iter().collect(),
        turn: Color::Black,
    };
    let second = Setup { turn: Color::White, ..Position::start().setup() };
    prop_oneof![4 => Just(None), 1 => Just(Some(cross)), 1 => Just(Some(second))]
}

fn claims() -> impl Strategy<Value = Option<Claim>> {
    prop_oneof![
        Just(None),
        (0..=64u8).prop_map(|black| Some(Claim::Discs(ByColor { black, white: 64 - black }))),
        Just(Some(Claim::Winner(Color::White, How::Played))),
        Just(Some(Claim::Difference { black: 64.0, how: How::Resigned })),
    ]
}

fn games() -> impl Strategy<Value = Vec<Record>> {
    // few moves, so that many games are alike for a while
    let one = (starts(), vec(any::<Index>(), 1..12), 0..36usize, prop_oneof![Just(0), 1990..1994u16], claims());
    vec(one.prop_map(|(start, choices, name, year, claim)| game(start, &choices, name, year, claim)), 1..60)
}

/// The games that are kept: each once, and with the best names and the day that were given to it.
fn kept(records: &[Record]) -> Vec<Record> {
    type Way = (Vec<common::Picture>, usize);
    let mut ways: Vec<Way> = Vec::new();
    let mut kept: Vec<Record> = Vec::new();
    let names = |record: &Record| record.headers.players.clone().map(|name| folded(&name));
    for record in records {
        // the way of a game is the boards it passes through
        let boards: Vec<_> = (0..=record.main_len()).map(|ply| record.after(ply).unwrap()).collect();
        let way =
            (0..8).map(|side| boards.iter().map(|board| common::pictures(board)[side].clone()).collect::<Vec<_>>());
        let way = way.min_by_key(|way| format!("{way:?}")).unwrap();
        let way: Way = (way, record.main_len());
        let new = names(record);
        let alike: Vec<usize> = (0..kept.len()).filter(|&at| ways[at] == way).collect();
        let may_be = |old: &str, new: &str| old.is_empty() || new.is_empty() || old == new;
        let date = &record.headers.date;
        let exact = |at: usize| names(&kept[at]) == new && kept[at].headers.date == *date;
        let same = alike.iter().find(|&&at| exact(at)).or_else(|| {
            let old = |at: usize| names(&kept[at]);
            let named = |at: usize| may_be(&old(at).black, &new.black) && may_be(&old(at).white, &new.white);
            alike.iter().find(|&&at| named(at) && may_be(&kept[at].headers.date, date))
        });
        match same {
            None => {
                ways.push(way);
                kept.push(record.clone());
            }
            Some(&at) => {
                if kept[at].headers.date.is_empty() {
                    kept[at].headers.date.clone_from(&record.headers.date);
                }
                if kept[at].headers.event.is_empty() {
                    kept[at].headers.event.clone_from(&record.headers.event);
                }
                for color in [Color::Black, Color::White] {
                    let name = &mut kept[at].headers.players[color];
                    if name.is_empty() {
                        name.clone_from(&record.headers.players[color]);
                    }
                }
            }
        }
    }
    kept
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, ..ProptestConfig::default() })]

    #[test]
    fn a_search_finds_what_a_slow_count_finds(records in games(), which in any::<Index>(), ply in any::<Index>(), side in 0..8usize) {
        let folder = tempfile::tempdir().unwrap();
        let mut library = Library::open(folder.path()).unwrap();
        let kept = kept(&records);
        let added = library.add(&records, "test").unwrap();
        prop_assert_eq!((added.added as usize, added.already_there as usize), (kept.len(), records.len() - kept.len()));
        // a position of some game, seen from another side
        let record = which.get(&records);
        let position = record.after(ply.index(record.main_len() + 1)).unwrap();
        let image: Vec<(usize, Color)> = Square::ALL.iter().enumerate()
            .filter_map(|(at, &square)| position.at(square).map(|color| (common::turned(side, at), color))).collect();
        let of = |color| image.iter().filter(|(_, disc)| *disc == color).map(|(at, _)| Square::ALL[*at]).collect::<Bitboard>();
        let turned = Setup { black: of(Color::Black), white: of(Color::White), turn: position.setup().turn }.position().unwrap();
        let catalogue = library.catalogue().unwrap();
        let slow = Slow::of(&kept, &turned);
        prop_assert!(slow.all.0 >= 1);
        slow.check(&catalogue.find(&at(turned)));
        Slow::of(&kept, &Position::start()).check(&catalogue.find(&at(Position::start())));
        prop_assert_eq!(catalogue.find(&Query::default()).count.games as usize, kept.len());

        // the same with everything else that can be asked for
        let query = Query { player: "nunez".into(), years: Years { from: Some(1991), to: None }, winner: Some(Some(Color::White)), ..at(turned) };
        let chosen: Vec<Record> = kept.iter().filter(|record| {
            let headers = &record.headers;
            let named = [&headers.players.black, &headers.players.white].iter().any(|name| ["Ana Núñez", "ana nunez"].contains(&name.as_str()));
            let won = match record.result() {
                Some(Claim::Winner(color, _)) => color == Color::White,
                other => other.and_then(Claim::difference).is_some_and(|black| black < 0.0),
            };
            named && won && headers.date.as_str() >= "1991"
        }).cloned().collect();
        Slow::of(&chosen, &turned).check(&catalogue.find(&query));

        // every game comes back as it was
        let numbers = catalogue.numbers(&catalogue.find(&Query::default()));
        for (number, record) in numbers.iter().zip(&kept) {
            prop_assert_eq!(&library.game(*number).unwrap().unwrap(), record);
        }
    }
}
