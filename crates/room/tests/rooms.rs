//! What a room decides: repeated commands, offers, flags, invitations, deleting.

mod common;

use common::{Disk, KEY, begin, command, drive, keep, person, random};
use room::{Answer, Ask, Cause, Key, Refused, Removal, Room, Write};
use rules::{ByColor, Color, Square};
use table::{
    Called, Claim, Ending, PersonId, Phrase, Ply, Preset, Refusal, Rules, Seat, Seq, Status, TimeControl, Wish,
};

fn two() -> ByColor<Seat> {
    ByColor { black: person(1), white: person(2) }
}

fn timed(main_ms: u32) -> Rules {
    Rules { time: TimeControl::SuddenDeath { main_ms }, ..Preset::Casual.rules() }
}

fn play(square: Square, ply: u8) -> Ask {
    Ask::Play { square, ply: Ply(ply) }
}

#[test]
fn a_command_is_carried_out_once_however_often_and_wherever_it_comes() {
    let mut disk = Disk::default();
    let mut room = begin(&mut disk, two(), Preset::Casual.rules());
    let first = drive(&mut disk, &mut room, &command(1, "a", 10), &play(Square::F5, 0)).unwrap();
    assert_eq!(first, Seq(1));
    assert_eq!(drive(&mut disk, &mut room, &command(1, "a", 99), &play(Square::F5, 0)), Ok(first));
    // After a crash too: the room is built again from what was kept.
    let mut again = disk.load(room.game());
    assert_eq!(drive(&mut disk, &mut again, &command(1, "a", 99), &play(Square::F5, 0)), Ok(first));
    assert_eq!(disk.games[room.game()].1.len(), 1);
    // Another person's command with the same id is another command.
    let other = drive(&mut disk, &mut room, &command(2, "a", 99), &play(Square::F5, 0));
    assert_eq!(other, Err(Refusal::WrongPly { now: Ply(1) }.into()));
}

#[test]
fn a_game_does_not_grow_without_end_and_comes_to_its_end() {
    let mut disk = Disk::default();
    let mut room = begin(&mut disk, ByColor { black: person(1), white: person(1) }, Preset::Casual.rules());
    let mut number = 0;
    let mut ask = |room: &mut Room, ask: Ask| {
        number += 1;
        let Answer::New(effects) = room.ask(&command(1, &number.to_string(), number), &ask, &mut random(3))? else {
            panic!("it is new")
        };
        room.commit(*effects, number);
        Ok::<_, Refused>(())
    };
    let refused = (0..10_000).find_map(|_| {
        ask(&mut room, play(Square::F5, 0)).unwrap();
        ask(&mut room, Ask::Takeback { ply: Ply(1) }).err()
    });
    assert_eq!(refused, Some(Refused::TooLong));
    while let Some(square) = room.table().position().legal().first() {
        let ply = room.table().ply();
        ask(&mut room, Ask::Play { square, ply }).unwrap();
    }
    assert!(room.table().verdict().is_some(), "it is played to its end");
    assert_eq!(ask(&mut room, Ask::Again { swap: false }), Ok(()), "and another begins");
}

#[test]
fn nothing_has_happened_until_it_is_kept() {
    let mut disk = Disk::default();
    let room = begin(&mut disk, two(), Preset::Casual.rules());
    let asked = room.ask(&command(1, "a", 10), &play(Square::F5, 0), &mut random(4)).unwrap();
    assert!(matches!(asked, Answer::New(_)));
    drop(asked); // the disk was full, or the process was killed
    assert_eq!(room, disk.load(room.game()));
    assert_eq!((room.seq(), room.table().ply()), (Seq(0), Ply(0)));
}

#[test]
fn a_flag_falls_before_anything_else_and_the_same_for_everyone() {
    let mut disk = Disk::default();
    let mut room = begin(&mut disk, two(), timed(1000));
    drive(&mut disk, &mut room, &command(1, "a", 0), &play(Square::F5, 0)).unwrap();
    assert_eq!(room.wake_at(), Some(1001));
    assert!(room.look(1000, &mut random(1)).unwrap().is_none());
    let late = drive(&mut disk, &mut room, &command(2, "b", 1001), &play(Square::D6, 1));
    assert_eq!(late, Err(Refusal::Over.into()));
    assert_eq!(room.table().verdict().unwrap().ending, Ending::OutOfTime);
    assert_eq!(room.cause(), Cause::Clock);
    let loaded = disk.load(room.game());
    assert_eq!(loaded.table(), room.table());
    assert_eq!((loaded.seq(), room.wake_at()), (Seq(2), None));
}

#[test]
fn a_slow_disk_costs_the_other_player_nothing() {
    let mut disk = Disk::default();
    let mut room = begin(&mut disk, two(), timed(1000));
    let Answer::New(effects) = room.ask(&command(1, "a", 0), &play(Square::F5, 0), &mut random(1)).unwrap() else {
        panic!("it is new");
    };
    assert!(disk.write(&effects.writes));
    room.commit(*effects, 4000); // four seconds on its way
    assert_eq!(room.wake_at(), Some(5001));
    assert_eq!(room.snapshot(4300).view(PersonId(2)).clocks.unwrap().white.left_ms, 700);
    let played = drive(&mut disk, &mut room, &command(2, "b", 4900), &play(Square::D6, 1));
    assert_eq!(played, Ok(Seq(2)));
    assert_eq!(room.table().moves()[1].ms, 900);
    // And whoever reads the log finds the same.
    assert_eq!(disk.load(room.game()).table(), room.table());
}

#[test]
fn the_time_the_server_was_away_is_charged_to_nobody() {
    let mut disk = Disk::default();
    let mut room = begin(&mut disk, two(), timed(1000));
    assert!(room.come_back(0, 50, &mut random(1)).unwrap().is_none(), "no clock runs");
    drive(&mut disk, &mut room, &command(1, "a", 0), &play(Square::F5, 0)).unwrap();
    let effects = room.come_back(400, 90_000, &mut random(1)).unwrap().unwrap();
    assert!(keep(&mut disk, &mut room, effects, 90_000));
    assert_eq!(room.wake_at(), Some(90_601));
    assert_eq!(room.cause(), Cause::Back);
}

#[test]
fn a_rematch_is_begun_with_the_answer_that_agrees_to_it_or_neither_is() {
    let mut disk = Disk::default();
    let mut room = begin(&mut disk, two(), Preset::Casual.rules());
    drive(&mut disk, &mut room, &command(1, "resign", 1), &Ask::Resign { color: None }).unwrap();
    drive(&mut disk, &mut room, &command(1, "again", 2), &Ask::Again { swap: true }).unwrap();
    assert_eq!(room.cause(), Cause::Asked);
    assert_eq!(disk.games.len(), 1);
    let wrong = Ask::Answer { what: Wish::NewGame, accept: true };
    assert_eq!(
        drive(&mut disk, &mut room, &command(2, "no", 3), &wrong),
        Err(Refusal::NotAsked.into()),
        "what was answered is not what is asked"
    );
    let yes = Ask::Answer { what: Wish::Rematch, accept: true };
    let Answer::New(effects) = room.ask(&command(2, "yes", 4), &yes, &mut random(8)).unwrap() else { panic!("new") };
    let successor = effects.successor.clone().unwrap();
    // Killed before it was kept: there is no second game.
    assert_eq!(disk.load(room.game()).table().next(), None);
    assert!(keep(&mut disk, &mut room, *effects, 4));
    assert_eq!(room.table().next().unwrap().game, *successor.game());
    assert_eq!(disk.load(successor.game()), *successor);
    assert_eq!(successor.table().seats().black.person(), Some(PersonId(2)), "colours are swapped");
    let listed = disk.lists.iter().filter(|(_, game)| game == successor.game()).count();
    assert_eq!(listed, 2, "it is in both lists");
}

#[test]
fn alone_another_game_begins_at_once_and_the_same_command_begins_no_third() {
    let mut disk = Disk::default();
    let mut room = begin(&mut disk, ByColor { black: person(1), white: person(1) }, Preset::Casual.rules());
    let again = command(1, "again", 2);
    let seq = drive(&mut disk, &mut room, &again, &Ask::Again { swap: false }).unwrap();
    assert_eq!(disk.games.len(), 2);
    assert_eq!(drive(&mut disk, &mut room, &again, &Ask::Again { swap: false }), Ok(seq));
    assert_eq!(disk.games.len(), 2);
    assert_eq!(disk.lists.len(), 2, "one person's list has each game once");
}

#[test]
fn an_invitation_is_good_for_its_seat_in_its_game_on_its_server() {
    let mut disk = Disk::default();
    let seats = ByColor { black: person(1), white: Seat::Open };
    let mut room = begin(&mut disk, seats.clone(), Preset::Casual.rules());
    let invite = room.invitations().white.unwrap();
    assert!(invite.len() >= 26 && room.invitations().black.is_none());
    assert_eq!(disk.load(room.game()).invitations().white.as_ref(), Some(&invite), "it can be shown again");
    let elsewhere = Room::begin(Key([1; 32]), &command(1, "c", 0), seats, Preset::Casual.rules(), &mut random(1));
    assert_ne!(elsewhere.unwrap().0.invitations().white.unwrap(), invite);
    let sit = |invite: &str| Ask::Sit { invite: invite.to_owned(), name: Called::Second };
    assert_eq!(
        drive(&mut disk, &mut room, &command(5, "s", 1), &sit("00000000000000000000000000")),
        Err(Refused::BadInvite)
    );
    assert!(drive(&mut disk, &mut room, &command(2, "s", 1), &sit(&invite)).is_ok());
    assert!(disk.lists.contains(&(PersonId(2), room.game().clone())));
    let second = drive(&mut disk, &mut room, &command(3, "s", 1), &sit(&invite));
    assert_eq!(second, Err(Refusal::SeatTaken.into()));
    assert_eq!(room.invitations().white, None);
}

#[test]
fn an_invitation_that_was_kept_as_a_hash_is_still_good() {
    use sha2::{Digest, Sha256};
    let mut disk = Disk::default();
    let room = begin(&mut disk, ByColor { black: person(1), white: Seat::Open }, Preset::Casual.rules());
    let (setup, log) = disk.games[room.game()].clone();
    let invites = ByColor { black: None, white: Some(Sha256::digest(b"0123456789abcdef").into()) };
    let room = Room::load(KEY, room::Stored { game: room.game().clone(), setup, invites, log }).unwrap();
    let sit = Ask::Sit { invite: "0123456789abcdef".to_owned(), name: Called::Second };
    assert!(room.ask(&command(2, "s", 1), &sit, &mut random(1)).is_ok());
}

#[test]
fn only_those_who_play_delete_and_only_what_nobody_else_plays() {
    let mut disk = Disk::default();
    let mut room = begin(&mut disk, two(), Preset::Casual.rules());
    assert_eq!(room.delete(PersonId(3)), Err(Refused::NotYours));
    assert_eq!(room.delete(PersonId(1)), Err(Refused::StillPlaying));
    drive(&mut disk, &mut room, &command(1, "r", 1), &Ask::Resign { color: None }).unwrap();
    assert_eq!(room.delete(PersonId(1)).unwrap().0, Removal::FromTheList);
    let alone = begin(&mut disk, ByColor { black: person(1), white: person(1) }, Preset::Casual.rules());
    let (removal, writes) = alone.delete(PersonId(1)).unwrap();
    assert_eq!(removal, Removal::ForGood);
    assert_eq!(writes, [Write::Delete { game: alone.game().clone(), seq: alone.seq() }]);
}

#[test]
fn the_computer_moves_like_anyone_and_never_late() {
    let mut disk = Disk::default();
    let seats = ByColor { black: Seat::Computer { level: 2 }, white: person(1) };
    let mut room = begin(&mut disk, seats, Preset::Casual.rules());
    let turn = room.computer().unwrap();
    assert_eq!((turn.color, turn.level, turn.ply), (Color::Black, 2, Ply(0)));
    let effects = room.play(5, turn.color, Square::F5, turn.ply, &mut random(1)).unwrap();
    assert!(keep(&mut disk, &mut room, effects, 5));
    assert!(room.computer().is_none());
    let late = room.play(6, turn.color, Square::D3, turn.ply, &mut random(1));
    assert_eq!(late.map(|_| ()), Err(Refusal::WrongPly { now: Ply(1) }.into()));
    drive(&mut disk, &mut room, &command(1, "t", 7), &Ask::Resign { color: None }).unwrap();
    assert_eq!(room.table().status(), Status::Over);
}

#[test]
fn a_move_gives_back_what_the_network_took_and_the_flag_waits_for_it() {
    let mut disk = Disk::default();
    let mut room = begin(&mut disk, two(), timed(10_000));
    drive(&mut disk, &mut room, &command(1, "a", 0), &play(Square::F5, 0)).unwrap();
    assert_eq!(room.wake_at(), Some(10_001));
    room.measured(PersonId(2), 120);
    assert_eq!(room.wake_at(), Some(10_121), "a move made in time may be on its way");
    assert_eq!(drive(&mut disk, &mut room, &command(2, "b", 10_120), &play(Square::D6, 1)), Ok(Seq(2)));
    assert_eq!(disk.games[room.game()].1[1].entry.lag_ms, 120, "what was given back stands in the log");
    assert_eq!(room.snapshot(10_120).view(PersonId(1)).lag_ms, ByColor { black: 0, white: 120 });
    assert_eq!(disk.load(room.game()).table(), room.table(), "and is found there");
    // No more than half a second, whatever was measured.
    room.measured(PersonId(1), 9_000);
    assert_eq!(room.wake_at(), Some(20_621));
    let late = drive(&mut disk, &mut room, &command(1, "c", 20_621), &play(Square::C3, 2));
    assert_eq!(late, Err(Refusal::Over.into()));
}

#[test]
fn while_a_move_may_be_on_its_way_nothing_else_lets_the_flag_fall() {
    let mut disk = Disk::default();
    let mut room = begin(&mut disk, two(), timed(10_000));
    drive(&mut disk, &mut room, &command(1, "a", 0), &play(Square::F5, 0)).unwrap();
    room.measured(PersonId(2), 120);
    let other = [Ask::Say { phrase: Phrase::WellPlayed }, Ask::Again { swap: false }, Ask::Resign { color: None }];
    for (number, ask) in other.iter().enumerate() {
        let refused = drive(&mut disk, &mut room, &command(1, &format!("x{number}"), 10_001), ask);
        assert_eq!(refused, Err(Refusal::OutOfTime.into()), "{ask:?}");
    }
    assert_eq!(drive(&mut disk, &mut room, &command(2, "b", 10_120), &play(Square::D6, 1)), Ok(Seq(2)));
    // In the millisecond before the clock has run out, and once the flag has fallen, one may speak.
    room.measured(PersonId(1), 120);
    let last = room.wake_at().unwrap() - 121;
    assert!(drive(&mut disk, &mut room, &command(2, "s", last), &Ask::Say { phrase: Phrase::Sorry }).is_ok());
    assert_eq!(room.table().verdict(), None);
    assert!(drive(&mut disk, &mut room, &command(1, "t", last + 121), &Ask::Say { phrase: Phrase::GoodGame }).is_ok());
    assert!(room.table().verdict().is_some());
}

#[test]
fn a_flag_waits_for_players_who_may_be_at_another_node_as_long_as_for_anybody() {
    let mut disk = Disk::default();
    let mut room = begin(&mut disk, two(), timed(10_000));
    drive(&mut disk, &mut room, &command(1, "a", 0), &play(Square::F5, 0)).unwrap();
    room.may_be_far();
    assert_eq!(room.wake_at(), Some(10_501));
    room.measured(PersonId(2), 120);
    assert_eq!(room.wake_at(), Some(10_121), "they are here");
    // What was measured is written nowhere, and stays when the game is read again.
    let mut again = disk.load(room.game());
    again.may_be_far();
    again.measured_as(&room, ByColor { black: true, white: false });
    assert_eq!(again.wake_at(), Some(10_501), "they have gone");
    again.measured_as(&room, ByColor { black: false, white: true });
    assert_eq!(again.wake_at(), Some(10_121));
}

#[test]
fn who_gets_nothing_back_loses_in_the_same_millisecond_as_ever() {
    let mut disk = Disk::default();
    let mut room = begin(&mut disk, two(), timed(1_000));
    drive(&mut disk, &mut room, &command(1, "a", 0), &play(Square::F5, 0)).unwrap();
    room.measured(PersonId(2), 0);
    room.measured(PersonId(1), 400);
    assert_eq!(room.wake_at(), Some(1_001), "how far away the other is does not matter");
}

#[test]
fn a_game_that_waits_for_its_first_move_is_not_ended_by_a_restart() {
    let mut disk = Disk::default();
    let rules = Rules { rated: true, takebacks: false, ..timed(600_000) };
    let mut room = begin(&mut disk, two(), rules);
    assert_eq!(room.wake_at(), Some(30_001));
    let effects = room.come_back(10_000, 90_000, &mut random(1)).unwrap().unwrap();
    assert_eq!(effects.ends(), None);
    assert!(keep(&mut disk, &mut room, effects, 90_000));
    assert_eq!(room.wake_at(), Some(110_001));
    let effects = room.look(110_001, &mut random(1)).unwrap().unwrap();
    let ended = effects.ends().unwrap();
    assert_eq!((ended.verdict.ending, ended.at), (Ending::Aborted, 110_001));
    assert!(!ended.verdict.ending.has_result() && ended.rules.rated);
}

#[test]
fn an_entry_says_once_that_it_ends_the_game() {
    let mut disk = Disk::default();
    let mut room = begin(&mut disk, two(), timed(600_000));
    let ends = |room: &Room, who, id, at, ask: &Ask| match room.ask(&command(who, id, at), ask, &mut random(1)) {
        Ok(Answer::New(effects)) => effects.ends(),
        other => panic!("{other:?}"),
    };
    assert_eq!(ends(&room, 1, "p", 1, &play(Square::F5, 0)), None);
    let ended = ends(&room, 1, "r", 5, &Ask::Resign { color: None }).unwrap();
    assert_eq!((ended.verdict.winner, ended.at, &ended.game), (Some(Color::White), 5, room.game()));
    assert_eq!(ended.seats, two());
    drive(&mut disk, &mut room, &command(1, "r", 5), &Ask::Resign { color: None }).unwrap();
    assert_eq!(ends(&room, 2, "g", 9, &Ask::Say { phrase: Phrase::GoodGame }), None, "it was over before");
}

#[test]
fn what_happened_has_a_name() {
    let mut disk = Disk::default();
    let mut room = begin(&mut disk, two(), timed(600_000));
    let mut go = |room: &mut Room, who, id: &str, at, ask: Ask| {
        drive(&mut disk, room, &command(who, id, at), &ask).unwrap();
        room.cause()
    };
    assert_eq!(go(&mut room, 1, "hi", 1, Ask::Say { phrase: Phrase::Hello }), Cause::Said);
    assert_eq!(go(&mut room, 1, "p", 2, Ask::Pause), Cause::Asked);
    assert_eq!(go(&mut room, 2, "y", 3, Ask::Answer { what: Wish::Pause, accept: true }), Cause::Paused);
    assert_eq!(go(&mut room, 2, "q", 4, Ask::Resume), Cause::Asked);
    assert_eq!(go(&mut room, 1, "z", 5, Ask::Resume), Cause::Resumed, "both want it");
    assert_eq!(go(&mut room, 1, "m", 6, play(Square::F5, 0)), Cause::Move);
    assert_eq!(go(&mut room, 1, "c", 60_006, Ask::Claim { what: Claim::Win, away_ms: 60_000 }), Cause::Claimed);
    let mut room = begin(&mut Disk::default(), two(), timed(600_000));
    let mut disk = Disk::default();
    disk.games.insert(room.game().clone(), (table::Setup::new(0, two(), timed(600_000)), Vec::new()));
    drive(&mut disk, &mut room, &command(2, "a", 6), &Ask::Abort).unwrap();
    assert_eq!(room.cause(), Cause::Aborted);
}
