//! What every store promises about accounts.

use super::Place;
use people::{
    Account, AccountChange, AdminAct, Handle, Holder, MOST_SESSIONS, OWNER, Passkey, PasskeyId, PasswordHash,
    SESSION_IDLE, SESSION_LONGEST, Scope, Session, SessionId, Settings, Token, TokenId,
};
use room::Write;
use store::{Store, StoreError};
use table::{At, PersonId};

fn handle(text: &str) -> Handle {
    text.parse().unwrap()
}

fn account(who: i64, name: &str) -> Account {
    Account { who: PersonId(who), handle: handle(name), bot: false, made: 5, suspended: None }
}

fn change(change: AccountChange) -> Vec<Write> {
    vec![Write::Account(Box::new(change))]
}

fn opened(who: i64, name: &str) -> AccountChange {
    let password = PasswordHash(format!("hash of {name}"));
    AccountChange::Open { account: account(who, name), password, recovery: vec![[1; 32], [2; 32]] }
}

fn session(who: i64, number: u8, at: At) -> Session {
    let id = SessionId(format!("s{number}"));
    Session { secret: [100 + number; 32], id, who: PersonId(who), made: at, seen: at, agent: "Firefox".to_owned() }
}

fn passkey(who: i64, number: u8) -> Passkey {
    Passkey {
        credential: vec![number; 16],
        id: PasskeyId(format!("p{number}")),
        who: PersonId(who),
        site: "https://club.example".to_owned(),
        key: vec![0xa1, 0, 255],
        counter: 0,
        agent: "Firefox".to_owned(),
        made: At::from(number),
        seen: None,
    }
}

async fn keep(store: &dyn Store, what: AccountChange) -> Result<(), StoreError> {
    store.write(change(what)).await
}

pub async fn a_guest_becomes_an_account_and_their_cookie_is_nobodys(place: &impl Place) {
    let store = place.open();
    assert_eq!(store.is_someone(PersonId(7)).await, Ok(false));
    store.write(vec![Write::Person { who: PersonId(7), secret: [7; 32] }]).await.unwrap();
    assert_eq!(store.is_someone(PersonId(7)).await, Ok(true));
    assert_eq!(store.holder(&[7; 32]).await, Ok(Some(Holder::Guest(PersonId(7)))));
    keep(&*store, opened(7, "Ana")).await.unwrap();
    assert_eq!(store.holder(&[7; 32]).await, Ok(Some(Holder::FormerGuest)));
    // The number is not free for whoever shows another cookie from which it follows.
    let again = vec![Write::Person { who: PersonId(7), secret: [8; 32] }];
    assert_eq!(store.write(again).await, Err(StoreError::Conflict));
    drop(store);
    let store = place.open();
    assert_eq!(store.account(PersonId(7)).await, Ok(Some(account(7, "Ana"))));
    assert_eq!(store.account_named(&handle("ANA")).await, Ok(Some(account(7, "Ana"))));
    assert_eq!(store.account(PersonId(8)).await, Ok(None));
    assert_eq!(store.is_someone(PersonId(8)).await, Ok(false));
    keep(&*store, opened(9, "Eva")).await.unwrap();
    assert_eq!(store.is_someone(PersonId(9)).await, Ok(true), "though they never had a cookie");
    assert_eq!(store.account_named(&handle("Luis")).await, Ok(None));
    assert_eq!(store.password(PersonId(7)).await, Ok(Some(PasswordHash("hash of Ana".to_owned()))));
    assert_eq!(store.password(PersonId(8)).await, Ok(None));
}

pub async fn a_handle_is_one_persons_and_a_person_has_one(place: &impl Place) {
    let store = place.open();
    keep(&*store, opened(7, "Ana")).await.unwrap();
    assert_eq!(keep(&*store, opened(8, "aNA")).await, Err(StoreError::Conflict), "capital letters do not matter");
    assert_eq!(keep(&*store, opened(7, "Luis")).await, Err(StoreError::Conflict), "they have one");
    keep(&*store, opened(8, "Anabel")).await.unwrap();
    // Two at once: one of them has it.
    let (one, other) = tokio::join!(keep(&*store, opened(9, "Luis")), keep(&*store, opened(10, "luis")));
    assert!(one.is_ok() != other.is_ok(), "{one:?} {other:?}");
    let names = |accounts: Vec<Account>| -> Vec<String> { accounts.into_iter().map(|one| one.handle.into()).collect() };
    assert_eq!(names(store.accounts("AN", 9).await.unwrap()), ["Ana", "Anabel"]);
    assert_eq!(names(store.accounts("an", 1).await.unwrap()), ["Ana"]);
    assert_eq!(store.accounts("", 9).await.unwrap().len(), 3);
    assert_eq!(store.accounts("%", 9).await, Ok(Vec::new()), "nothing in it is a pattern");
}

pub async fn nothing_happens_to_an_account_that_is_not_there(place: &impl Place) {
    let store = place.open();
    let who = PersonId(7);
    let token = Token {
        secret: [1; 32],
        id: TokenId("t".to_owned()),
        who,
        name: "bot".to_owned(),
        scopes: [Scope::Play].into_iter().collect(),
        made: 1,
        seen: None,
    };
    for change in [
        AccountChange::Password { who, hash: None },
        AccountChange::PasswordIs { who, hash: PasswordHash(String::new()) },
        AccountChange::Recovery { who, codes: vec![[1; 32]] },
        AccountChange::UseRecovery { who, code: [1; 32] },
        AccountChange::SignIn(session(7, 1, 1)),
        AccountChange::SignOut { who, id: SessionId("s1".to_owned()) },
        AccountChange::Token(token),
        AccountChange::TokenEnd { who, id: TokenId("t".to_owned()) },
        AccountChange::Passkey(passkey(7, 1)),
        AccountChange::PasskeyUsed { credential: vec![1; 16], counter: 9, at: 9 },
        AccountChange::PasskeyEnd { who, id: PasskeyId("p1".to_owned()) },
        AccountChange::Bot { who },
        AccountChange::Suspend { who, until: Some(9) },
    ] {
        assert_eq!(keep(&*store, change.clone()).await, Err(StoreError::Conflict), "{change:?}");
    }
    assert_eq!(store.recovery_codes(who).await, Ok(Vec::new()));
}

pub async fn whoever_knew_the_old_password_comes_too_late(place: &impl Place) {
    let store = place.open();
    let who = PersonId(7);
    let hash = |text: &str| PasswordHash(text.to_owned());
    keep(&*store, opened(7, "Ana")).await.unwrap();
    let sign_in = |known: &str, number: u8| {
        let still = AccountChange::PasswordIs { who, hash: hash(known) };
        let changes = [still, AccountChange::SignIn(session(7, number, 10))];
        changes.map(|change| Write::Account(Box::new(change))).to_vec()
    };
    store.write(sign_in("hash of Ana", 1)).await.unwrap();
    let changes = [
        AccountChange::PasswordIs { who, hash: hash("hash of Ana") },
        AccountChange::Password { who, hash: Some(hash("another")) },
        AccountChange::SignOutAll { who },
    ];
    let changed = changes.map(|change| Write::Account(Box::new(change))).to_vec();
    // Whichever of them is first, nobody is signed in by the old one afterwards.
    let (changed, signed_in) = tokio::join!(store.write(changed), store.write(sign_in("hash of Ana", 2)));
    changed.unwrap();
    assert!(matches!(signed_in, Ok(()) | Err(StoreError::Conflict)), "{signed_in:?}");
    assert_eq!(store.sessions(who).await, Ok(Vec::new()));
    assert_eq!(store.write(sign_in("hash of Ana", 3)).await, Err(StoreError::Conflict));
    store.write(sign_in("another", 4)).await.unwrap();
    // One that was reset is nobody's.
    keep(&*store, AccountChange::Password { who, hash: None }).await.unwrap();
    assert_eq!(store.write(sign_in("another", 5)).await, Err(StoreError::Conflict));
}

pub async fn a_recovery_code_is_good_once(place: &impl Place) {
    let store = place.open();
    let who = PersonId(7);
    keep(&*store, opened(7, "Ana")).await.unwrap();
    keep(&*store, opened(8, "Luis")).await.unwrap();
    let use_up = |code| AccountChange::UseRecovery { who, code };
    assert_eq!(keep(&*store, use_up([3; 32])).await, Err(StoreError::Conflict));
    // With the new password in one job: of two that use the same code at once, one is kept.
    let job = |new: &str| {
        let hash = Some(PasswordHash(new.to_owned()));
        [use_up([1; 32]), AccountChange::Password { who, hash }].map(|change| Write::Account(Box::new(change))).to_vec()
    };
    let (one, other) = tokio::join!(store.write(job("one")), store.write(job("other")));
    assert!(one.is_ok() != other.is_ok(), "{one:?} {other:?}");
    let kept = if one.is_ok() { "one" } else { "other" };
    assert_eq!(store.password(who).await, Ok(Some(PasswordHash(kept.to_owned()))));
    assert_eq!(store.recovery_codes(who).await, Ok(vec![[2; 32]]));
    assert_eq!(store.recovery_codes(PersonId(8)).await.unwrap().len(), 2, "others keep theirs");
    keep(&*store, AccountChange::Recovery { who, codes: vec![[5; 32], [4; 32]] }).await.unwrap();
    assert_eq!(store.recovery_codes(who).await, Ok(vec![[4; 32], [5; 32]]), "new ones take the place of the old");
    keep(&*store, AccountChange::Password { who, hash: None }).await.unwrap();
    assert_eq!(store.password(who).await, Ok(None));
}

pub async fn sessions_are_found_seen_and_ended(place: &impl Place) {
    let store = place.open();
    keep(&*store, opened(7, "Ana")).await.unwrap();
    keep(&*store, opened(8, "Luis")).await.unwrap();
    let (first, second, other) = (session(7, 1, 10), session(7, 2, 20), session(8, 3, 30));
    for one in [&first, &second, &other] {
        keep(&*store, AccountChange::SignIn(one.clone())).await.unwrap();
    }
    assert_eq!(keep(&*store, AccountChange::SignIn(first.clone())).await, Err(StoreError::Conflict), "each once");
    let found = Holder::Session(Box::new(account(7, "Ana")), Box::new(first.clone()));
    assert_eq!(store.holder(&first.secret).await, Ok(Some(found)));
    assert_eq!(store.sessions(PersonId(7)).await, Ok(vec![second.clone(), first.clone()]));
    keep(&*store, AccountChange::SessionSeen { secret: first.secret, at: 50 }).await.unwrap();
    keep(&*store, AccountChange::SessionSeen { secret: first.secret, at: 40 }).await.unwrap();
    let seen = Session { seen: 50, ..first.clone() };
    assert_eq!(store.sessions(PersonId(7)).await, Ok(vec![seen, second.clone()]), "and never goes back");
    // Only one's own.
    let end = |who, id: &str| AccountChange::SignOut { who: PersonId(who), id: SessionId(id.to_owned()) };
    assert_eq!(keep(&*store, end(7, "s3")).await, Err(StoreError::Conflict));
    keep(&*store, end(7, "s1")).await.unwrap();
    assert_eq!(keep(&*store, end(7, "s1")).await, Err(StoreError::Conflict), "it is over");
    assert_eq!(store.holder(&first.secret).await, Ok(None));
    // All but one, which must be there: of two that end each other one stays.
    let third = session(7, 4, 40);
    keep(&*store, AccountChange::SignIn(third.clone())).await.unwrap();
    let others = |who, id: &str| AccountChange::SignOutOthers { who: PersonId(who), id: SessionId(id.to_owned()) };
    for (who, id) in [(7, "s1"), (7, "s3"), (8, "s4")] {
        assert_eq!(keep(&*store, others(who, id)).await, Err(StoreError::Conflict), "{who} {id}");
    }
    assert_eq!(store.sessions(PersonId(7)).await.unwrap().len(), 2);
    let (by_second, by_third) = tokio::join!(keep(&*store, others(7, "s2")), keep(&*store, others(7, "s4")));
    assert!(by_second.is_ok() != by_third.is_ok(), "{by_second:?} {by_third:?}");
    assert_eq!(store.sessions(PersonId(7)).await, Ok(vec![if by_second.is_ok() { second } else { third }]));
    keep(&*store, AccountChange::SignOutAll { who: PersonId(7) }).await.unwrap();
    assert_eq!(store.sessions(PersonId(7)).await, Ok(Vec::new()));
    assert_eq!(store.sessions(PersonId(8)).await, Ok(vec![other]));
    // The owner needs no account; who has one later is known by it.
    let by_link = session(OWNER.0, 5, 50);
    keep(&*store, AccountChange::SignIn(by_link.clone())).await.unwrap();
    let holder = Holder::OwnerSession(Box::new(by_link.clone()));
    assert_eq!(store.holder(&by_link.secret).await, Ok(Some(holder)));
    keep(&*store, opened(OWNER.0, "Boss")).await.unwrap();
    let holder = Holder::Session(Box::new(account(OWNER.0, "Boss")), Box::new(by_link.clone()));
    assert_eq!(store.holder(&by_link.secret).await, Ok(Some(holder)));
}

pub async fn sessions_do_not_pile_up(place: &impl Place) {
    let store = place.open();
    keep(&*store, opened(7, "Ana")).await.unwrap();
    keep(&*store, opened(8, "Luis")).await.unwrap();
    let start = SESSION_LONGEST;
    keep(&*store, AccountChange::SignIn(session(8, 1, start))).await.unwrap();
    let mut used = session(8, 2, start - 1);
    keep(&*store, AccountChange::SignIn(used.clone())).await.unwrap();
    used.seen = start + SESSION_LONGEST - 2;
    keep(&*store, AccountChange::SessionSeen { secret: used.secret, at: used.seen }).await.unwrap();
    // Whoever signs in sweeps up what was not used.
    keep(&*store, AccountChange::SignIn(session(7, 3, start + SESSION_IDLE))).await.unwrap();
    assert_eq!(store.sessions(PersonId(8)).await, Ok(vec![used]));
    // And what is too old, though it was used.
    keep(&*store, AccountChange::SignIn(session(7, 4, start + SESSION_LONGEST - 1))).await.unwrap();
    assert_eq!(store.sessions(PersonId(8)).await, Ok(Vec::new()));
    for number in 0..MOST_SESSIONS as u8 + 3 {
        keep(&*store, AccountChange::SignIn(session(7, 10 + number, 2 * start + At::from(number)))).await.unwrap();
    }
    let left = store.sessions(PersonId(7)).await.unwrap();
    assert_eq!(left.len(), MOST_SESSIONS);
    assert_eq!((left[0].id.0.as_str(), left[MOST_SESSIONS - 1].id.0.as_str()), ("s52", "s13"), "the oldest went");
}

pub async fn tokens_say_what_they_are_good_for(place: &impl Place) {
    let store = place.open();
    keep(&*store, opened(7, "Ana")).await.unwrap();
    let token = |number: u8, scopes: &[Scope]| Token {
        secret: [number; 32],
        id: TokenId(format!("t{number}")),
        who: PersonId(7),
        name: "my bot".to_owned(),
        scopes: scopes.iter().copied().collect(),
        made: At::from(number),
        seen: None,
    };
    let (read, play) = (token(1, &[Scope::Read]), token(2, &[Scope::Read, Scope::Play]));
    keep(&*store, AccountChange::Token(read.clone())).await.unwrap();
    keep(&*store, AccountChange::Token(play.clone())).await.unwrap();
    assert_eq!(keep(&*store, AccountChange::Token(play.clone())).await, Err(StoreError::Conflict), "each once");
    assert_eq!(store.tokens(PersonId(7)).await, Ok(vec![play.clone(), read.clone()]));
    keep(&*store, AccountChange::TokenSeen { secret: play.secret, at: 99 }).await.unwrap();
    let seen = Token { seen: Some(99), ..play };
    let found = Holder::Token(Box::new(account(7, "Ana")), Box::new(seen.clone()));
    assert_eq!(store.holder(&seen.secret).await, Ok(Some(found)));
    let end = |who| AccountChange::TokenEnd { who: PersonId(who), id: seen.id.clone() };
    assert_eq!(keep(&*store, end(8)).await, Err(StoreError::Conflict), "somebody else's");
    keep(&*store, end(7)).await.unwrap();
    assert_eq!(store.holder(&seen.secret).await, Ok(None));
    keep(&*store, AccountChange::TokenEndAll { who: PersonId(7) }).await.unwrap();
    assert_eq!(store.tokens(PersonId(7)).await, Ok(Vec::new()));
}

pub async fn passkeys_are_found_counted_and_ended(place: &impl Place) {
    let store = place.open();
    keep(&*store, opened(7, "Ana")).await.unwrap();
    keep(&*store, opened(8, "Luis")).await.unwrap();
    let (first, second, other) = (passkey(7, 1), passkey(7, 2), passkey(8, 3));
    for one in [&first, &second, &other] {
        keep(&*store, AccountChange::Passkey(one.clone())).await.unwrap();
    }
    // One device calls no two the same, whoever they are of.
    let taken = Passkey { id: PasskeyId("p9".to_owned()), who: PersonId(8), ..first.clone() };
    assert_eq!(keep(&*store, AccountChange::Passkey(taken)).await, Err(StoreError::Conflict));
    assert_eq!(store.passkey(&[1; 16]).await, Ok(Some(first.clone())));
    assert_eq!(store.passkey(&[1; 15]).await, Ok(None));
    assert_eq!(store.passkeys(PersonId(7)).await, Ok(vec![second.clone(), first.clone()]), "the latest first");
    let used = |number: u8, counter, at| AccountChange::PasskeyUsed { credential: vec![number; 16], counter, at };
    // A device that does not count never does; one that counts goes up, to the largest number there is.
    keep(&*store, used(1, 0, 10)).await.unwrap();
    keep(&*store, used(1, 0, 11)).await.unwrap();
    for (counter, good) in [(3, true), (3, false), (2, false), (0, false), (u32::MAX, true), (u32::MAX, false)] {
        assert_eq!(keep(&*store, used(1, counter, 20)).await.is_ok(), good, "{counter}");
    }
    assert_eq!(store.passkey(&[1; 16]).await, Ok(Some(Passkey { counter: u32::MAX, seen: Some(20), ..first })));
    // Of two that have counted to the same number at once, one is a copy.
    let (one, other_one) = tokio::join!(keep(&*store, used(2, 5, 30)), keep(&*store, used(2, 5, 31)));
    assert!(one.is_ok() != other_one.is_ok(), "{one:?} {other_one:?}");
    let end = |who, id: &str| AccountChange::PasskeyEnd { who: PersonId(who), id: PasskeyId(id.to_owned()) };
    assert_eq!(keep(&*store, end(7, "p3")).await, Err(StoreError::Conflict), "somebody else's");
    keep(&*store, end(7, "p1")).await.unwrap();
    assert_eq!(keep(&*store, end(7, "p1")).await, Err(StoreError::Conflict), "it is gone");
    assert_eq!(keep(&*store, used(1, 0, 40)).await, Err(StoreError::Conflict));
    keep(&*store, AccountChange::PasskeyEndAll { who: PersonId(7) }).await.unwrap();
    drop(store);
    let store = place.open();
    assert_eq!(store.passkeys(PersonId(7)).await, Ok(Vec::new()));
    assert_eq!(store.passkeys(PersonId(8)).await, Ok(vec![other]));
}

pub async fn a_challenge_is_answered_once(place: &impl Place) {
    let store = place.open();
    let answered = |challenge, until, at| AccountChange::Answered { challenge: [challenge; 32], until, at };
    let (one, other) = tokio::join!(keep(&*store, answered(1, 100, 1)), keep(&*store, answered(1, 100, 1)));
    assert!(one.is_ok() != other.is_ok(), "{one:?} {other:?}");
    drop(store);
    let store = place.open();
    assert_eq!(keep(&*store, answered(1, 100, 99)).await, Err(StoreError::Conflict), "after a restart too");
    keep(&*store, answered(2, 200, 99)).await.unwrap();
    // What is too old by now is not kept for ever; nobody takes an answer to it.
    keep(&*store, answered(1, 100, 100)).await.unwrap();
    assert_eq!(keep(&*store, answered(2, 200, 101)).await, Err(StoreError::Conflict));
}

pub async fn what_the_owner_decides_is_kept_and_written_down(place: &impl Place) {
    let store = place.open();
    keep(&*store, opened(7, "Ana")).await.unwrap();
    assert_eq!(store.settings().await, Ok(Settings::default()));
    assert_eq!(store.audit(None, 9).await, Ok(Vec::new()));
    let setting = |value: Option<&str>| AccountChange::Setting {
        name: Settings::LOBBY.to_owned(),
        value: value.map(str::to_owned),
    };
    let act = |at, what| AccountChange::Audit { at, who: PersonId(1), what };
    let suspend = AdminAct::Suspend { handle: handle("Ana"), until: 99 };
    let job = [setting(Some("true")), act(5, AdminAct::Lobby { open: true })];
    store.write(job.map(|change| Write::Account(Box::new(change))).to_vec()).await.unwrap();
    keep(&*store, AccountChange::Suspend { who: PersonId(7), until: Some(99) }).await.unwrap();
    keep(&*store, act(6, suspend.clone())).await.unwrap();
    drop(store);
    let store = place.open();
    assert_eq!(store.settings().await.unwrap().lobby, Some(true));
    assert_eq!(store.account(PersonId(7)).await.unwrap().unwrap().suspended, Some(99));
    let acts = store.audit(None, 9).await.unwrap();
    assert_eq!(acts.iter().map(|entry| entry.at).collect::<Vec<_>>(), [6, 5], "the latest first");
    assert_eq!((acts[0].who, &acts[0].what), (PersonId(1), &Some(suspend)));
    assert_eq!(store.audit(None, 1).await, Ok(vec![acts[0].clone()]));
    assert_eq!(store.audit(Some(acts[0].number), 9).await, Ok(vec![acts[1].clone()]));
    keep(&*store, setting(None)).await.unwrap();
    assert_eq!(store.settings().await.unwrap().lobby, None);
    keep(&*store, AccountChange::Suspend { who: PersonId(7), until: None }).await.unwrap();
    assert_eq!(store.account(PersonId(7)).await.unwrap().unwrap().suspended, None);
    assert!(!store.account(PersonId(7)).await.unwrap().unwrap().bot);
    keep(&*store, AccountChange::Bot { who: PersonId(7) }).await.unwrap();
    assert!(store.account(PersonId(7)).await.unwrap().unwrap().bot);
}
