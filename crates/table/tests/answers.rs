//! The questions that have one answer, each with its test.

use rules::{ByColor, Color, Position, Square};
use table::{
    Action, Called, Can, Claim, Ending, Entry, OVERTIME_MS, Overrun, PersonId, Phrase, Ply, Preset, Refusal, Rules,
    RulesError, Seat, Setup, Stage, Table, TimeControl, Wish,
};

const ANA: PersonId = PersonId(1);
const LUIS: PersonId = PersonId(2);

fn person(who: PersonId) -> Seat {
    Seat::Person { who, name: if who == ANA { Called::First } else { Called::Second } }
}

fn table(black: Seat, white: Seat, rules: Rules) -> Table {
    Table::new(Setup::new(0, ByColor { black, white }, rules)).unwrap()
}

fn two(rules: Rules) -> Table {
    table(person(ANA), person(LUIS), rules)
}

fn at(at: u64, by: Color, action: Action) -> Entry {
    Entry::new(at, Some(by), action)
}

fn play(table: &Table, time: u64, square: Square) -> Result<Table, Refusal> {
    let by = table.position().turn().unwrap();
    table.after(&at(time, by, Action::Play { square, ply: table.ply() }))
}

fn look(table: &Table, time: u64) -> Table {
    table.after(&Entry::new(time, None, Action::Look {})).unwrap()
}

fn sudden(main_ms: u32) -> Rules {
    Rules { time: TimeControl::SuddenDeath { main_ms }, overrun: Overrun::Loses, ..Preset::Club.rules() }
}

/// The shortest line whose last move makes the opponent pass.
fn line_to_a_pass() -> Vec<Square> {
    fn search(position: Position, depth: usize, line: &mut Vec<Square>) -> bool {
        if depth == 0 {
            return false;
        }
        for square in position.legal() {
            let step = position.play(square).unwrap();
            line.push(square);
            if step.passed || search(step.after, depth - 1, line) {
                return true;
            }
            line.pop();
        }
        false
    }
    let mut line = Vec::new();
    (1..=8).find(|&depth| search(Position::start(), depth, &mut line)).expect("a pass within eight moves");
    line
}

fn wish(table: &Table) -> Option<(Color, Wish)> {
    table.offer().map(|offer| (offer.by, offer.what))
}

fn next(table: &Table) -> Option<(&str, bool)> {
    table.next().map(|next| (next.game.as_str(), next.swap))
}

fn any(table: &Table) -> Square {
    table.position().legal().first().unwrap()
}

#[test]
fn no_clock_runs_before_the_first_move() {
    let start = two(sudden(10_000));
    assert_eq!((start.running(), start.deadline()), (None, None));
    let moved = play(&start, 3_600_000, Square::F5).unwrap();
    assert_eq!(moved.running(), Some(Color::White));
    assert_eq!(moved.clocks(3_600_000).unwrap().black.left_ms, 10_000);
    assert_eq!(moved.deadline(), Some(3_610_001));
}

#[test]
fn a_move_in_the_millisecond_of_the_flag_is_in_time_whichever_came_first() {
    let table = play(&two(sudden(10_000)), 0, Square::F5).unwrap();
    let moved = play(&table, 10_000, Square::D6).unwrap();
    assert_eq!(moved.verdict(), None);
    assert_eq!(play(&look(&table, 10_000), 10_000, Square::D6).unwrap(), moved);
    assert_eq!(play(&table, 10_001, Square::D6), Err(Refusal::OutOfTime));
    let fallen = look(&table, 10_001);
    let verdict = fallen.verdict().unwrap();
    assert_eq!((verdict.ending, verdict.whose), (Ending::OutOfTime, Some(Color::White)));
    assert_eq!(verdict.score, ByColor { black: 64, white: 0 });
    assert_eq!(play(&fallen, 10_002, Square::D6), Err(Refusal::Over));
}

#[test]
fn a_forced_pass_takes_no_time_and_only_the_mover_can_run_out() {
    let line = line_to_a_pass();
    let mut table = two(sudden(60_000));
    let mut time = 0;
    for &square in &line {
        time += 1000;
        table = play(&table, time, square).unwrap();
    }
    let mover = table.moves().last().unwrap().step.by;
    assert_eq!(table.running(), Some(mover), "the turn came back");
    let passer = table.clocks(time).unwrap()[!mover];
    let later = table.clocks(time + 50_000).unwrap();
    assert_eq!(later[!mover], passer, "the passer is not charged");
    let fallen = look(&table, time + 60_001);
    assert_eq!(fallen.verdict().unwrap().whose, Some(mover));
    let view = table.view(time, Some(ANA));
    assert_eq!(view.passed, Some(!mover));
    assert!(view.last.unwrap().passed);
}

#[test]
fn a_takeback_after_a_pass_goes_back_to_ones_own_choice() {
    let mut table = table(person(ANA), person(ANA), Preset::Casual.rules());
    for square in line_to_a_pass() {
        table = play(&table, 0, square).unwrap();
    }
    let mover = table.moves().last().unwrap().step.by;
    let again = play(&table, 0, any(&table)).unwrap();
    assert_eq!(again.moves().last().unwrap().step.by, mover, "the same player moved twice running");
    // The mover takes back one move, and is to move again.
    let ply = again.ply();
    let back = again.after(&at(0, mover, Action::Takeback { ply })).unwrap();
    assert_eq!(back.moves(), table.moves());
    assert_eq!(back.turn(), Some(mover));
    // The one who had to pass goes back to before the mover's two moves.
    let back = again.after(&at(0, !mover, Action::Takeback { ply })).unwrap();
    assert_eq!(back.ply().0, ply.0 - 3);
    assert_eq!(back.turn(), Some(!mover));
}

#[test]
fn against_the_computer_one_takes_back_to_ones_own_move() {
    let mut table = table(person(ANA), Seat::Computer { level: 1 }, Preset::Casual.rules());
    table = play(&table, 0, Square::F5).unwrap();
    table = play(&table, 0, Square::D6).unwrap();
    assert!(table.view(0, Some(ANA)).can.contains(&Can::Takeback));
    let back = table.after(&at(0, Color::Black, Action::Takeback { ply: Ply(2) })).unwrap();
    assert_eq!(back.ply(), Ply(0));
    assert_eq!(back.after(&at(0, Color::Black, Action::Takeback { ply: Ply(0) })), Err(Refusal::NothingToTakeBack));
}

#[test]
fn between_two_people_a_takeback_needs_a_yes() {
    let table = play(&two(Preset::Casual.rules()), 0, Square::F5).unwrap();
    let asked = table.after(&at(0, Color::Black, Action::Takeback { ply: Ply(1) })).unwrap();
    assert_eq!((asked.ply(), wish(&asked)), (Ply(1), Some((Color::Black, Wish::Takeback))));
    assert!(asked.view(0, Some(LUIS)).can.contains(&Can::Answer));
    assert!(asked.view(0, Some(ANA)).can.contains(&Can::Withdraw));
    assert_eq!(asked.after(&at(0, Color::Black, Action::Takeback { ply: Ply(1) })), Err(Refusal::AlreadyAsked));
    assert_eq!(asked.after(&at(0, Color::Black, Action::Accept {})), Err(Refusal::NotYours));
    let yes = asked.after(&at(0, Color::White, Action::Accept {})).unwrap();
    assert_eq!((yes.ply(), wish(&yes)), (Ply(0), None));
    let no = asked.after(&at(0, Color::White, Action::Decline {})).unwrap();
    assert_eq!((no.ply(), wish(&no)), (Ply(1), None));
    assert_eq!(no.after(&at(0, Color::White, Action::Accept {})), Err(Refusal::NotAsked));
    let lapsed = play(&asked, 0, Square::D6).unwrap();
    assert_eq!(wish(&lapsed), None, "the next move ends it");
}

#[test]
fn rules_without_takebacks_mean_it_even_alone() {
    let mut table = table(person(ANA), person(ANA), Preset::Tournament.rules());
    table = play(&table, 0, Square::F5).unwrap();
    assert_eq!(table.after(&at(0, Color::Black, Action::Takeback { ply: Ply(1) })), Err(Refusal::NoTakebacks));
    assert!(!table.view(0, Some(ANA)).can.contains(&Can::Takeback));
}

#[test]
fn time_used_stays_used_and_a_replayed_move_earns_no_second_increment() {
    let time = TimeControl::Fischer { main_ms: 60_000, increment_ms: 5_000 };
    let mut table = table(person(ANA), person(ANA), Rules { time, ..Preset::Club.rules() });
    table = play(&table, 0, Square::F5).unwrap();
    table = play(&table, 10_000, Square::D6).unwrap();
    assert_eq!(table.clocks(10_000).unwrap().white.left_ms, 55_000);
    table = table.after(&at(12_000, Color::White, Action::Takeback { ply: Ply(2) })).unwrap();
    assert_eq!(table.running(), Some(Color::White));
    table = play(&table, 13_000, Square::F6).unwrap();
    let clocks = table.clocks(13_000).unwrap();
    assert_eq!(clocks.white.left_ms, 54_000, "ten seconds and one used, one increment");
    assert_eq!(clocks.black.left_ms, 60_000 + 5_000 - 2_000, "black thought for two");
}

#[test]
fn every_turn_after_a_takeback_has_its_whole_days_or_period() {
    let days = TimeControl::PerMove { per_move_ms: 3 * 86_400_000 };
    let periods = TimeControl::ByoYomi { main_ms: 0, period_ms: 3 * 10_000, periods: 2 };
    for (time, day) in [(days, 86_400_000), (periods, 10_000)] {
        let table = two(Rules { time, ..Preset::Casual.rules() });
        let table = play(&table, 0, Square::F5).unwrap();
        let table = play(&table, day, Square::D6).unwrap();
        // White takes the move back while Black thinks, and plays it again a day later.
        let table = table.after(&at(3 * day, Color::White, Action::Takeback { ply: Ply(2) })).unwrap();
        let table = table.after(&at(3 * day, Color::Black, Action::Accept {})).unwrap();
        let left = |table: &Table, now| table.clocks(now).unwrap().map(|clock| clock.left_ms);
        assert_eq!(left(&table, 4 * day).white, 2 * day, "{time:?}");
        let table = play(&table, 4 * day, Square::D6).unwrap();
        assert_eq!(left(&table, 4 * day), ByColor { black: 3 * day, white: 3 * day }, "{time:?}");
    }
}

#[test]
fn the_two_minute_rule_lets_the_late_player_finish_for_at_best_31() {
    let rules = Rules { time: TimeControl::SuddenDeath { main_ms: 10_000 }, ..Preset::Tournament.rules() };
    let mut table = play(&two(rules), 0, Square::F5).unwrap();
    table = look(&table, 10_001);
    assert_eq!(table.verdict(), None);
    assert_eq!(table.clocks(10_001).unwrap().white.stage, Stage::Overtime);
    // Both play on at once; White ends with whatever is there, but not with more than 31.
    let mut now = 10_001;
    while table.verdict().is_none() {
        now += 1;
        table = play(&table, now, any(&table)).unwrap();
    }
    let verdict = table.verdict().unwrap();
    assert_eq!((verdict.late, verdict.winner), (Some(Color::White), Some(Color::Black)));
    assert!(verdict.score.white <= 31 && verdict.score.black >= 33);
    assert_eq!(verdict.score.black + verdict.score.white, 64);
}

#[test]
fn a_second_overrun_is_0_to_64_and_the_first_to_be_late_has_lost() {
    let rules = Rules { time: TimeControl::SuddenDeath { main_ms: 10_000 }, ..Preset::Tournament.rules() };
    let table = play(&two(rules), 0, Square::F5).unwrap();
    let out = look(&table, 10_000 + OVERTIME_MS + 1);
    let verdict = out.verdict().unwrap();
    assert_eq!(verdict.score, ByColor { black: 64, white: 0 });
    assert_eq!((verdict.ending, verdict.late), (Ending::OutOfTime, Some(Color::White)));
    // White is late, then Black is late too: White was first.
    let mut table = play(&table, 20_000, Square::D6).unwrap();
    table = play(&table, 40_000, any(&table)).unwrap();
    assert_eq!(table.clocks(40_000).unwrap().black.stage, Stage::Overtime);
    let mut now = 40_000;
    while table.verdict().is_none() {
        now += 1;
        table = play(&table, now, any(&table)).unwrap();
    }
    assert_eq!(table.verdict().unwrap().winner, Some(Color::Black));
}

#[test]
fn in_japan_the_board_counts_when_time_runs_out_but_at_least_33() {
    let rules = Rules { time: TimeControl::SuddenDeath { main_ms: 1000 }, ..Preset::Japan.rules() };
    let fallen = look(&play(&two(rules), 0, Square::F5).unwrap(), 1001);
    assert_eq!(fallen.verdict().unwrap().score, ByColor { black: 33, white: 31 });
}

#[test]
fn nobody_pays_for_the_time_the_server_was_away() {
    let table = play(&two(sudden(10_000)), 1000, Square::F5).unwrap();
    let back = table.after(&Entry::new(500_000, None, Action::Away { from: 4000 })).unwrap();
    assert_eq!(back.verdict(), None);
    assert_eq!(back.clocks(500_000).unwrap().white.left_ms, 7_000);
    assert_eq!(back.deadline(), Some(507_001));
    assert_eq!(play(&back, 501_000, Square::D6).unwrap().moves()[1].ms, 4_000);
    // A last sign of life from before the last entry charges nothing, one from the future no more than now.
    let early = table.after(&Entry::new(500_000, None, Action::Away { from: 5 })).unwrap();
    assert_eq!(early.clocks(500_000).unwrap().white.left_ms, 10_000);
    let seat = Entry::new(0, Some(Color::White), Action::Away { from: 0 });
    assert_eq!(table.after(&seat), Err(Refusal::NotYours));
}

#[test]
fn nobody_pays_while_a_move_is_on_its_way_to_the_disk() {
    let table = play(&two(sudden(10_000)), 1000, Square::F5).unwrap();
    let late = |at, stalled_ms| {
        let entry = Entry::new(at, Some(Color::White), Action::Play { square: Square::D6, ply: Ply(1) });
        table.after(&Entry { stalled_ms, ..entry })
    };
    let played = late(6000, 4000).unwrap();
    assert_eq!(played.moves()[1].ms, 1000);
    assert_eq!(played.clocks(6000).unwrap().white.left_ms, 9_000);
    assert_eq!(late(14_500, 4000).unwrap().clocks(14_500).unwrap().white.left_ms, 500);
    assert_eq!(late(15_001, 4000), Err(Refusal::OutOfTime));
    // No longer than the time there was.
    assert_eq!(late(2000, 4000).unwrap().moves()[1].ms, 0);
    assert_eq!(late(2000, 4000).unwrap().at(), 2000);
}

#[test]
fn a_clock_set_back_charges_nothing() {
    let table = play(&two(sudden(10_000)), 1_000_000, Square::F5).unwrap();
    let table = play(&table, 4_000, Square::D6).unwrap();
    assert_eq!(table.at(), 1_000_000);
    assert_eq!(table.clocks(1_000_000).unwrap().white.left_ms, 10_000);
}

#[test]
fn an_open_seat_makes_the_game_wait() {
    let table = table(person(ANA), Seat::Open, Preset::Casual.rules());
    assert_eq!(play(&table, 0, Square::F5), Err(Refusal::Waiting));
    let sit = Action::Sit { who: LUIS, name: Called::Name("Luis".parse().unwrap()) };
    assert_eq!(table.after(&at(0, Color::Black, sit.clone())), Err(Refusal::SeatTaken));
    let seated = table.after(&at(0, Color::White, sit.clone())).unwrap();
    assert_eq!(seated.after(&at(0, Color::White, sit)), Err(Refusal::SeatTaken));
    assert!(play(&seated, 0, Square::F5).is_ok());
}

fn another(next: &str, swap: bool) -> Action {
    Action::Another { next: next.parse().unwrap(), swap }
}

#[test]
fn alone_a_new_game_scraps_one_that_is_not_over_and_only_once() {
    for white in [person(ANA), Seat::Computer { level: 1 }] {
        let table = play(&table(person(ANA), white, Preset::Casual.rules()), 0, Square::F5).unwrap();
        let table = play(&table, 0, Square::D6).unwrap();
        let can = table.view(0, Some(ANA)).can;
        assert!(can.contains(&Can::Again) && can.contains(&Can::Scrap), "{can:?}");
        let scrapped = table.after(&at(0, Color::Black, another("b", false))).unwrap();
        let verdict = scrapped.verdict().unwrap();
        assert_eq!((verdict.ending, verdict.winner), (Ending::Scrapped, None));
        assert_eq!(next(&scrapped), Some(("b", false)));
        assert_eq!(scrapped.after(&at(0, Color::Black, another("c", false))), Err(Refusal::Over));
        // After the end the result stands.
        let over = table.after(&at(0, Color::Black, Action::Resign {})).unwrap();
        let again = over.after(&at(0, Color::Black, another("b", true))).unwrap();
        assert_eq!((again.verdict(), next(&again)), (over.verdict(), Some(("b", true))));
        assert_eq!(over.after(&at(0, Color::Black, Action::Scrap {})), Err(Refusal::Over));
    }
}

/// Ana and Luis after two moves: from here on it takes both.
fn two_moved() -> Table {
    let table = play(&two(Preset::Casual.rules()), 0, Square::F5).unwrap();
    play(&table, 0, Square::D6).unwrap()
}

#[test]
fn between_two_people_scrapping_and_a_new_game_need_a_yes() {
    let table = two_moved();
    let can = table.view(0, Some(LUIS)).can;
    assert!(can.contains(&Can::AskAgain) && can.contains(&Can::AskScrap), "{can:?}");
    assert!(!can.contains(&Can::Again) && !can.contains(&Can::Scrap), "{can:?}");
    for (action, what, goes_on) in [
        (Action::Scrap {}, Wish::Scrap, None),
        (another("b", false), Wish::NewGame, Some(("b", false))),
        (another("b", true), Wish::Rematch, Some(("b", true))),
    ] {
        // The loser asks; the game goes on until the other agrees.
        let asked = table.after(&at(0, Color::White, action.clone())).unwrap();
        assert_eq!((asked.verdict(), asked.next()), (None, None), "{what:?}");
        assert_eq!(wish(&asked), Some((Color::White, what)));
        assert_eq!(asked.after(&at(0, Color::White, action)), Err(Refusal::AlreadyAsked));
        assert_eq!(asked.after(&at(0, Color::White, Action::Accept {})), Err(Refusal::NotYours));
        let yes = asked.after(&at(0, Color::Black, Action::Accept {})).unwrap();
        assert_eq!(yes.verdict().unwrap().ending, Ending::Scrapped);
        assert_eq!((next(&yes), wish(&yes)), (goes_on, None));
        for by in Color::ALL {
            let no = asked.after(&at(0, by, Action::Decline {})).unwrap();
            assert_eq!(no, table, "declined or withdrawn, nothing is left of it");
        }
        let lapsed = play(&asked, 0, any(&asked)).unwrap();
        assert_eq!((wish(&lapsed), lapsed.verdict()), (None, None), "the next move ends it");
        assert_eq!(lapsed.after(&at(0, Color::Black, Action::Accept {})), Err(Refusal::NotAsked));
        let over = asked.after(&at(0, Color::Black, Action::Resign {})).unwrap();
        assert_eq!(wish(&over), None, "and so does the end");
    }
}

#[test]
fn a_rematch_needs_a_yes_and_both_asking_for_it_agree() {
    let over = two_moved().after(&at(0, Color::White, Action::Resign {})).unwrap();
    assert_eq!(over.view(0, Some(ANA)).can, [Can::AskAgain, Can::Say]);
    let asked = over.after(&at(0, Color::White, another("b", true))).unwrap();
    assert_eq!((asked.verdict(), next(&asked)), (over.verdict(), None));
    assert_eq!(asked.view(0, Some(ANA)).can, [Can::AskAgain, Can::Answer, Can::Say]);
    let agreed = asked.after(&at(0, Color::Black, another("c", true))).unwrap();
    assert_eq!((agreed.verdict(), next(&agreed)), (over.verdict(), Some(("b", true))), "the first one's game");
    assert_eq!(asked.after(&at(0, Color::Black, Action::Accept {})).unwrap(), agreed);
    // The same colours are another wish: it takes the place of the first.
    let other = asked.after(&at(0, Color::Black, another("c", false))).unwrap();
    assert_eq!((wish(&other), next(&other)), (Some((Color::Black, Wish::NewGame)), None));
    assert_eq!(next(&other.after(&at(0, Color::White, Action::Accept {})).unwrap()), Some(("c", false)));
}

#[test]
fn there_is_one_offer_at_a_time() {
    let asked = two_moved().after(&at(0, Color::Black, Action::Takeback { ply: Ply(2) })).unwrap();
    let own = asked.after(&at(0, Color::Black, Action::Scrap {})).unwrap();
    assert_eq!(wish(&own), Some((Color::Black, Wish::Scrap)));
    let others = asked.after(&at(0, Color::White, Action::Scrap {})).unwrap();
    assert_eq!(wish(&others), Some((Color::White, Wish::Scrap)));
    // Both want to take back: the one who asked first takes theirs back.
    let both = asked.after(&at(0, Color::White, Action::Takeback { ply: Ply(2) })).unwrap();
    assert_eq!((both.ply(), wish(&both)), (Ply(0), None));
}

#[test]
fn until_the_second_move_either_player_may_leave() {
    let start = two(Preset::Casual.rules());
    for table in [start.clone(), play(&start, 0, Square::F5).unwrap()] {
        for (by, who) in [(Color::Black, ANA), (Color::White, LUIS)] {
            let can = table.view(0, Some(who)).can;
            assert!(can.contains(&Can::Scrap) && can.contains(&Can::AskAgain) && !can.contains(&Can::Again), "{can:?}");
            let left = table.after(&at(0, by, Action::Scrap {})).unwrap();
            assert_eq!(left.verdict().unwrap().ending, Ending::Scrapped);
            let asked = table.after(&at(0, by, another("b", false))).unwrap();
            assert_eq!((asked.verdict(), next(&asked)), (None, None), "a new game pulls nobody along");
        }
    }
    // Given moves are nobody's choice, and a move taken back was one.
    let opening = vec![Square::F5, Square::D6];
    let setup = Setup { opening, ..Setup::new(0, ByColor { black: person(ANA), white: person(LUIS) }, sudden(5000)) };
    assert!(Table::new(setup).unwrap().decides_alone(Color::White, Wish::Scrap));
    let asked = two_moved().after(&at(0, Color::Black, Action::Takeback { ply: Ply(2) })).unwrap();
    let back = asked.after(&at(0, Color::White, Action::Accept {})).unwrap();
    assert!(back.ply() == Ply(0) && !back.decides_alone(Color::Black, Wish::Scrap));
}

#[test]
fn a_flag_that_falls_leaves_no_offer_behind() {
    let table = play(&two(sudden(10_000)), 0, Square::F5).unwrap();
    let table = play(&table, 1000, Square::D6).unwrap();
    let asked = table.after(&at(2000, Color::Black, another("b", false))).unwrap();
    let late = asked.after(&at(60_000, Color::White, Action::Accept {}));
    assert_eq!(late, Err(Refusal::NotAsked), "Black was out of time when White agreed to scrap the game");
    assert_eq!(wish(&look(&asked, 60_000)), None);
}

#[test]
fn who_waits_for_a_player_stops_waiting_alone() {
    let table = table(person(ANA), Seat::Open, Preset::Casual.rules());
    assert_eq!(table.view(0, Some(ANA)).can, [Can::Again, Can::Scrap]);
    assert!(table.after(&at(0, Color::Black, Action::Scrap {})).unwrap().verdict().is_some());
}

#[test]
fn what_was_kept_before_the_other_was_asked_can_be_read() {
    let read = |text: &str| serde_json::from_str::<Entry>(text).unwrap();
    let table = two_moved();
    let asked = table.after(&read(r#"{"at":1,"by":"white","takeback":{"ply":2}}"#)).unwrap();
    let yes = asked.after(&read(r#"{"at":2,"by":"black","accept_takeback":{}}"#)).unwrap();
    let no = asked.after(&read(r#"{"at":2,"by":"black","decline_takeback":{}}"#)).unwrap();
    assert_eq!((yes.ply(), no.ply()), (Ply(1), Ply(2)));
    // Then one player alone was enough.
    let next_game = table.after(&read(r#"{"at":3,"by":"white","again":{"next":"b"}}"#)).unwrap();
    assert_eq!(
        (next_game.verdict().unwrap().ending, next(&next_game).map(|next| next.0)),
        (Ending::Scrapped, Some("b"))
    );
    let scrapped = table.after(&read(r#"{"at":3,"by":"white","again":{"next":null}}"#)).unwrap();
    assert_eq!((scrapped.verdict().unwrap().ending, next(&scrapped)), (Ending::Scrapped, None));
}

#[test]
fn thirty_minutes_and_a_fallen_flag_is_64_to_0() {
    let table = play(&two(Preset::Thirty.rules()), 0, Square::F5).unwrap();
    let half_an_hour = 30 * 60_000;
    assert_eq!(look(&table, half_an_hour).verdict(), None);
    let verdict = look(&table, half_an_hour + 1).verdict().unwrap();
    assert_eq!((verdict.ending, verdict.winner), (Ending::OutOfTime, Some(Color::Black)));
    assert_eq!((verdict.score, verdict.difference), (ByColor { black: 64, white: 0 }, 64));
    let table = play(&table, 1, Square::D6).unwrap();
    let verdict = look(&table, half_an_hour + 2).verdict().unwrap();
    assert_eq!((verdict.score, verdict.difference), (ByColor { black: 0, white: 64 }, -64));
}

#[test]
fn resigning_is_64_to_0_at_any_time_even_when_it_is_not_ones_turn() {
    let table = play(&two(Preset::Casual.rules()), 0, Square::F5).unwrap();
    let over = table.after(&at(0, Color::Black, Action::Resign {})).unwrap();
    assert_eq!(over.verdict().unwrap().difference, -64);
    assert_eq!(over.after(&at(0, Color::White, Action::Resign {})), Err(Refusal::Over));
    assert!(over.view(0, Some(ANA)).legal.is_empty());
}

#[test]
fn a_stranger_sees_everything_and_may_do_nothing() {
    let table = play(&two(Preset::Casual.rules()), 0, Square::F5).unwrap();
    for who in [None, Some(PersonId(9))] {
        let view = table.view(0, who);
        assert_eq!(view.legal.len(), 3);
        assert!(view.can.is_empty());
        assert!(!view.seats.black.you);
    }
    assert_eq!(table.after(&Entry::new(0, None, Action::Resign {})), Err(Refusal::NotYours));
}

#[test]
fn given_moves_take_no_time_and_cannot_be_taken_back() {
    let opening = ["f5", "d6", "c3", "d3"].map(|name| name.parse().unwrap()).to_vec();
    let setup = Setup { opening, ..Setup::new(0, ByColor { black: person(ANA), white: person(ANA) }, sudden(5000)) };
    let text = serde_json::to_string(&setup).unwrap();
    assert_eq!(serde_json::from_str::<Setup>(&text).unwrap(), setup);
    let table = Table::new(setup).unwrap();
    assert_eq!((table.ply(), table.given(), table.turn()), (Ply(4), 4, Some(Color::Black)));
    assert_eq!((table.running(), table.deadline()), (None, None), "nothing runs before somebody has chosen");
    let view = table.view(0, Some(ANA));
    assert!(!view.can.contains(&Can::Takeback) && view.last.unwrap().given);
    let back = |table: &Table, by| table.after(&at(9000, by, Action::Takeback { ply: table.ply() }));
    assert_eq!(back(&table, Color::White), Err(Refusal::NothingToTakeBack));
    let played = play(&table, 8000, Square::C4).unwrap();
    assert_eq!(played.running(), Some(Color::White));
    assert!(!played.move_view(4).given);
    let again = back(&played, Color::Black).unwrap();
    assert_eq!((again.ply(), again.running()), (Ply(4), None));
}

#[test]
fn a_game_cannot_begin_from_moves_that_are_not_one() {
    let begin = |names: &[&str]| {
        let opening = names.iter().map(|name| name.parse().unwrap()).collect();
        Table::new(Setup { opening, ..Setup::new(0, ByColor { black: person(ANA), white: Seat::Open }, sudden(5000)) })
    };
    assert_eq!(begin(&["a1"]), Err(RulesError::BadOpening));
    assert_eq!(
        begin(&["f5", "d6", "c5", "f4", "e7", "f6", "g5", "e6", "e3"]),
        Err(RulesError::BadOpening),
        "over already"
    );
    assert!(begin(&["f5"]).is_ok());
}

#[test]
fn what_was_kept_before_there_were_openings_can_be_read() {
    let old = r#"{"at":5,"seats":{"black":{"kind":"open"},"white":{"kind":"computer","level":3}},
        "rules":{"time":{"kind":"none"},"overrun":"loses","empties":"to_winner","takebacks":true}}"#;
    let setup: Setup = serde_json::from_str(old).unwrap();
    assert!(setup.opening.is_empty());
    assert_eq!(setup.rules, Preset::Casual.rules());
}

fn rated() -> Rules {
    Rules { rated: true, ..Preset::Thirty.rules() }
}

fn abort(table: &Table, by: Color) -> Result<Table, Refusal> {
    table.after(&at(table.at(), by, Action::Abort {}))
}

#[test]
fn a_game_is_aborted_before_ones_own_second_move_and_counts_nothing() {
    for rules in [rated(), sudden(60_000), Preset::Casual.rules()] {
        let start = two(rules);
        let first = play(&start, 10, Square::F5).unwrap();
        let both = play(&first, 20, Square::D6).unwrap();
        let third = play(&both, 30, any(&both)).unwrap();
        for (table, by) in
            [(&start, Color::White), (&first, Color::Black), (&both, Color::Black), (&third, Color::White)]
        {
            let verdict = abort(table, by).unwrap().verdict().unwrap();
            assert_eq!((verdict.ending, verdict.whose, verdict.winner), (Ending::Aborted, Some(by), None));
            assert_eq!(verdict.score, ByColor { black: 0, white: 0 });
            assert!(!verdict.ending.has_result());
        }
        assert_eq!(abort(&third, Color::Black), Err(Refusal::TooLateToAbort));
        assert!(third.view(30, Some(LUIS)).can.contains(&Can::Abort));
        assert!(!third.view(30, Some(ANA)).can.contains(&Can::Abort));
    }
    // Alone one scraps it.
    assert_eq!(abort(&table(person(ANA), person(ANA), sudden(1000)), Color::Black), Err(Refusal::TooLateToAbort));
}

#[test]
fn a_move_that_was_taken_back_does_not_bring_the_right_to_abort_back() {
    let mut table = two(sudden(60_000));
    for time in 0..4 {
        table = play(&table, time, any(&table)).unwrap();
    }
    for _ in 0..2 {
        table = table.after(&at(9, Color::White, Action::Takeback { ply: table.ply() })).unwrap();
        table = table.after(&at(9, Color::Black, Action::Accept {})).unwrap();
    }
    assert_eq!(table.ply(), Ply(1));
    assert_eq!(abort(&table, Color::White), Err(Refusal::TooLateToAbort));
}

#[test]
fn a_game_between_strangers_that_nobody_begins_ends_by_itself() {
    let prompt = Rules { prompt_start: true, ..Preset::Club.rules() };
    for rules in [rated(), prompt] {
        let start = two(rules);
        assert_eq!(start.deadline(), Some(30_001));
        assert_eq!(start.view(10_000, Some(ANA)).first_move_ms, Some(20_000));
        assert_eq!(look(&start, 30_000).verdict(), None);
        let verdict = look(&start, 30_001).verdict().unwrap();
        assert_eq!((verdict.ending, verdict.whose, verdict.winner), (Ending::Aborted, Some(Color::Black), None));
        // White has as long, although their clock runs.
        let first = play(&start, 30_000, Square::F5).unwrap();
        assert_eq!(first.deadline(), Some(60_001));
        assert_eq!(look(&first, 60_001).verdict().unwrap().whose, Some(Color::White));
        // Who has moved once has their whole clock.
        let both = play(&first, 60_000, Square::D6).unwrap();
        assert_eq!(look(&both, 120_000).verdict(), None);
        assert_eq!(both.view(60_000, Some(ANA)).first_move_ms, None);
    }
    // A clock that is shorter than that is no reason to lose.
    let blitz = two(Rules { rated: true, takebacks: false, ..sudden(5_000) });
    let first = play(&blitz, 100, Square::F5).unwrap();
    assert_eq!(look(&first, 5_101).verdict().unwrap().ending, Ending::Aborted);
    // Friends take their time.
    assert_eq!(look(&two(Preset::Club.rules()), 3_600_000).verdict(), None);
}

#[test]
fn a_game_by_correspondence_gives_each_move_its_days() {
    let day = 86_400_000;
    let rules = Rules { time: TimeControl::PerMove { per_move_ms: 2 * day as u32 }, ..Preset::Casual.rules() };
    let start = two(rules);
    assert_eq!(look(&start, 2 * day + 1).verdict().unwrap().ending, Ending::Aborted, "it never began");
    let mut table = start;
    for (number, time) in [0, day, 2 * day, 4 * day].into_iter().enumerate() {
        assert_eq!(usize::from(table.ply().0), number);
        table = play(&table, time, any(&table)).unwrap();
    }
    let clocks = table.clocks(4 * day).unwrap();
    assert_eq!((clocks.black.left_ms, clocks.white.left_ms), (2 * day, 2 * day), "whole again after each move");
    assert_eq!(table.deadline(), Some(6 * day + 1));
    let verdict = look(&table, 6 * day + 1).verdict().unwrap();
    assert_eq!((verdict.ending, verdict.whose), (Ending::OutOfTime, Some(Color::Black)));
}

fn claim(table: &Table, by: Color, what: Claim, away_ms: u64) -> Result<Table, Refusal> {
    table.after(&at(table.at() + away_ms.min(70_000), by, Action::Claim { what, away_ms }))
}

#[test]
fn who_left_a_live_game_on_their_turn_leaves_it_to_the_other() {
    let slow = play(&two(Preset::Thirty.rules()), 0, Square::F5).unwrap();
    assert_eq!(claim(&slow, Color::Black, Claim::Win, 59_999), Err(Refusal::NotAwayYet));
    // Not on the claimer's own turn, whoever is away.
    assert_eq!(claim(&slow, Color::White, Claim::Win, 90_000), Err(Refusal::NoClaim));
    let won = claim(&slow, Color::Black, Claim::Win, 60_000).unwrap().verdict().unwrap();
    assert_eq!((won.ending, won.whose, won.winner), (Ending::Left, Some(Color::White), Some(Color::Black)));
    assert_eq!(won.score, ByColor { black: 64, white: 0 });
    let drawn = claim(&slow, Color::Black, Claim::Draw, 60_000).unwrap().verdict().unwrap();
    assert_eq!((drawn.ending, drawn.winner, drawn.score), (Ending::Left, None, ByColor { black: 32, white: 32 }));
    // A fast game waits half as long.
    let fast = play(&two(sudden(180_000)), 0, Square::F5).unwrap();
    assert_eq!(claim(&fast, Color::Black, Claim::Win, 29_999), Err(Refusal::NotAwayYet));
    assert!(claim(&fast, Color::Black, Claim::Win, 30_000).is_ok());
}

#[test]
fn nobody_claims_a_game_by_correspondence_or_without_a_clock() {
    let days = Rules { time: TimeControl::PerMove { per_move_ms: 86_400_000 }, ..Preset::Casual.rules() };
    for rules in [days, Preset::Casual.rules()] {
        let table = play(&two(rules), 0, Square::F5).unwrap();
        assert_eq!(claim(&table, Color::Black, Claim::Win, u64::MAX), Err(Refusal::NoClaim));
        assert!(!table.view(0, Some(ANA)).can.contains(&Can::Claim));
    }
    let computer = table(person(ANA), Seat::Computer { level: 1 }, sudden(1_000_000));
    assert_eq!(
        claim(&play(&computer, 0, Square::F5).unwrap(), Color::Black, Claim::Win, 99_999),
        Err(Refusal::NoClaim)
    );
}

#[test]
fn a_pause_takes_both_and_stops_everything_but_resigning() {
    let table = play(&two(sudden(10_000)), 0, Square::F5).unwrap();
    let asked = table.after(&at(1_000, Color::Black, Action::Pause {})).unwrap();
    assert_eq!(wish(&asked), Some((Color::Black, Wish::Pause)));
    let paused = asked.after(&at(2_000, Color::White, Action::Accept {})).unwrap();
    assert!(paused.is_paused() && paused.deadline().is_none() && paused.turn().is_none());
    assert_eq!(play(&paused, 3_000, Square::D6), Err(Refusal::Paused));
    let view = paused.view(900_000, Some(LUIS));
    assert_eq!(view.clocks.unwrap().white.left_ms, 8_000, "no time goes by");
    assert!(view.paused && view.can.contains(&Can::AskResume) && view.can.contains(&Can::Resign));
    assert!(!view.can.contains(&Can::Play));
    let again = paused.after(&at(900_000, Color::White, Action::Resume {})).unwrap();
    let going = again.after(&at(900_500, Color::Black, Action::Resume {})).unwrap();
    assert!(!going.is_paused());
    assert_eq!(going.deadline(), Some(908_501));
    assert_eq!(going.after(&at(900_500, Color::Black, Action::Resume {})), Err(Refusal::NothingToPause));
    // Not in a rated game, and not without a clock.
    assert_eq!(two(rated()).after(&at(1, Color::Black, Action::Pause {})), Err(Refusal::Rated));
    let free = two(Preset::Casual.rules());
    assert_eq!(free.after(&at(1, Color::Black, Action::Pause {})), Err(Refusal::NothingToPause));
    // Against the computer one pauses alone.
    let computer = self::table(person(ANA), Seat::Computer { level: 1 }, sudden(10_000));
    assert!(computer.after(&at(1, Color::Black, Action::Pause {})).unwrap().is_paused());
}

#[test]
fn a_rated_game_is_between_two_people_and_nothing_in_it_is_agreed_on() {
    let new = |black, white| Table::new(Setup::new(0, ByColor { black, white }, rated()));
    assert_eq!(new(person(ANA), person(ANA)), Err(RulesError::RatedAlone));
    assert_eq!(new(person(ANA), Seat::Computer { level: 1 }), Err(RulesError::RatedAlone));
    let waiting = new(person(ANA), Seat::Open).unwrap();
    let sit = |who| at(1, Color::White, Action::Sit { who, name: Called::Second });
    assert_eq!(waiting.after(&sit(ANA)), Err(Refusal::NotYours));
    assert!(waiting.after(&at(1, Color::Black, Action::Scrap {})).is_ok(), "nobody has come yet");
    let table = play(&waiting.after(&sit(LUIS)).unwrap(), 2, Square::F5).unwrap();
    let next = || Action::Another { next: "next".parse().unwrap(), swap: true };
    assert_eq!(table.after(&at(3, Color::Black, Action::Takeback { ply: Ply(1) })), Err(Refusal::NoTakebacks));
    assert_eq!(table.after(&at(3, Color::Black, Action::Scrap {})), Err(Refusal::Rated));
    assert_eq!(table.after(&at(3, Color::Black, next())), Err(Refusal::Rated));
    let over = table.after(&at(4, Color::White, Action::Resign {})).unwrap();
    let asked = over.after(&at(5, Color::Black, next())).unwrap();
    assert_eq!(wish(&asked), Some((Color::Black, Wish::Rematch)));
}

#[test]
fn what_the_network_took_is_given_back_even_after_the_flag() {
    let table = play(&two(sudden(10_000)), 0, Square::F5).unwrap();
    let late = |lag_ms| Entry { lag_ms, ..at(10_200, Color::White, Action::Play { square: Square::D6, ply: Ply(1) }) };
    assert_eq!(table.after(&late(199)), Err(Refusal::OutOfTime));
    let moved = table.after(&late(200)).unwrap();
    assert_eq!(moved.clocks(10_200).unwrap().white.left_ms, 0);
    assert_eq!(moved.view(10_200, None).lag_ms, ByColor { black: 0, white: 200 });
    assert_eq!(moved.moves()[1].ms, 10_000);
}

#[test]
fn players_say_one_of_eight_things_now_and_then_and_watchers_hear_it_at_the_end() {
    let say = |table: &Table, time, by, phrase| table.after(&at(time, by, Action::Say { phrase }));
    let table = two(rated());
    let said = say(&table, 0, Color::Black, Phrase::Hello).unwrap();
    assert_eq!(say(&said, 2_999, Color::Black, Phrase::GoodLuck), Err(Refusal::SaidEnough));
    let said = say(&said, 3_000, Color::Black, Phrase::GoodLuck).unwrap();
    let said = say(&said, 3_000, Color::White, Phrase::Thanks).unwrap();
    assert_eq!(said.view(3_000, Some(LUIS)).said.len(), 3);
    assert_eq!(said.view(3_000, Some(PersonId(9))).said, [], "not yet");
    let mut over = said.after(&at(4_000, Color::White, Action::Resign {})).unwrap();
    assert_eq!(over.view(4_000, None).said.len(), 3);
    // After the end too, but not for ever.
    for number in 0..8 {
        over = say(&over, 10_000 + 3_000 * number, Color::Black, Phrase::GoodGame).unwrap();
    }
    assert_eq!(say(&over, 90_000, Color::Black, Phrase::GoodGame), Err(Refusal::SaidEnough));
    assert!(!over.view(90_000, Some(ANA)).can.contains(&Can::Say));
    let alone = self::table(person(ANA), person(ANA), Preset::Casual.rules());
    assert_eq!(say(&alone, 0, Color::Black, Phrase::Hello), Err(Refusal::SaidEnough));
}

#[test]
fn a_log_that_was_kept_before_is_read_as_it_was() {
    let kept = r#"{"at":1000,"by":"black","stalled_ms":7,"play":{"square":"f5","ply":0}}"#;
    let entry: Entry = serde_json::from_str(kept).unwrap();
    assert_eq!((entry.stalled_ms, entry.lag_ms), (7, 0));
    assert_eq!(serde_json::to_string(&entry).unwrap(), kept);
    let claimed = at(5, Color::White, Action::Claim { what: Claim::Win, away_ms: 61_000 });
    let text = r#"{"at":5,"by":"white","claim":{"what":"win","away_ms":61000}}"#;
    assert_eq!(serde_json::to_string(&claimed).unwrap(), text);
    assert_eq!(serde_json::from_str::<Entry>(text).unwrap(), claimed);
}
