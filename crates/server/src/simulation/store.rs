//! A store on which things go wrong: [`FaultyStore`]. Behind it is the real one.

use super::world::{Fate, Shared};
use people::{
    Account, AuditEntry, Category, Handle, Holder, Leader, Offer, Passkey, PasswordHash, Rated, Rating, SecretHash,
    Session, Settings, Tally, Token,
};
use room::{Document, DocumentCounts, DocumentHead, DocumentKey, DocumentKind, Key, Listed, Stored, Summary, Write};
use std::{
    pin::pin,
    sync::{Arc, Mutex, PoisonError},
    task::{Context, Poll, Wake, Waker},
    thread::Thread,
};
use store::{Accounts, Health, Meeting, Sqlite, Store, StoreError};
use table::{At, CommandId, DocumentId, GameId, PersonId, Rules, Seq};
use tokio::time::sleep;

/// Waits for the real store, while nothing else happens in the world.
pub(super) fn wait<T>(answer: impl Future<Output = T>) -> T {
    struct Unpark(Thread);
    impl Wake for Unpark {
        fn wake(self: Arc<Unpark>) {
            self.0.unpark();
        }
    }
    let waker = Waker::from(Arc::new(Unpark(std::thread::current())));
    let mut answer = pin!(answer);
    loop {
        match answer.as_mut().poll(&mut Context::from_waker(&waker)) {
            Poll::Ready(answer) => return answer,
            Poll::Pending => std::thread::park(),
        }
    }
}

/// One node's way to the store.
#[derive(Debug)]
pub(super) struct FaultyStore {
    real: Arc<Sqlite>,
    shared: Shared,
    /// Writes of which nobody knows whether they will be kept.
    unsettled: Mutex<Vec<Vec<Write>>>,
}

impl FaultyStore {
    pub(super) fn new(real: Arc<Sqlite>, shared: Shared) -> FaultyStore {
        FaultyStore { real, shared, unsettled: Mutex::default() }
    }

    /// What is not decided yet is, now.
    fn settle(&self) {
        let unsettled = std::mem::take(&mut *self.unsettled.lock().unwrap_or_else(PoisonError::into_inner));
        for writes in unsettled {
            if self.shared.lock().dice.chance(500) {
                // If somebody else was first, it was not kept.
                let _ = wait(self.real.write(writes));
            }
        }
    }

    async fn read<T>(&self, answer: impl Future<Output = Result<T, StoreError>> + Send) -> Result<T, StoreError> {
        let (before, after, fate) = self.shared.lock().reading();
        sleep(before).await;
        let answer = match fate {
            Fate::Well => wait(answer),
            _ => Err(StoreError::NotRead("simulated".into())),
        };
        // What was read is old when it arrives.
        sleep(after).await;
        answer
    }
}

impl Drop for FaultyStore {
    fn drop(&mut self) {
        // The node is gone; what it had sent may still arrive.
        self.settle();
    }
}

#[async_trait::async_trait]
impl Store for FaultyStore {
    async fn write(&self, writes: Vec<Write>) -> Result<(), StoreError> {
        let (before, after, fate) = self.shared.lock().writing();
        sleep(before).await;
        let answer = match fate {
            Fate::Well | Fate::KeptInSilence => {
                self.settle();
                let answer = wait(self.real.write(writes));
                if answer == Err(StoreError::Conflict) {
                    self.shared.lock().counts.conflicts += 1;
                }
                if fate == Fate::Well { answer } else { Err(StoreError::Unknown("simulated".into())) }
            }
            Fate::NotKept => Err(StoreError::NotKept("simulated".into())),
            Fate::Full => Err(StoreError::Full),
            Fate::Lost => Err(StoreError::Unknown("simulated".into())),
            Fate::Late => {
                self.unsettled.lock().unwrap_or_else(PoisonError::into_inner).push(writes);
                Err(StoreError::Unknown("simulated".into()))
            }
        };
        sleep(after).await;
        answer
    }

    async fn game(&self, game: &GameId) -> Result<Option<Stored>, StoreError> {
        self.read(self.real.game(game)).await
    }

    async fn begun_by(&self, maker: PersonId, command: &CommandId) -> Result<Option<GameId>, StoreError> {
        self.read(self.real.begun_by(maker, command)).await
    }

    async fn list(&self, who: PersonId, before: Option<&GameId>, most: usize) -> Result<Vec<Listed>, StoreError> {
        self.read(self.real.list(who, before, most)).await
    }

    async fn open_games(&self, who: PersonId) -> Result<u64, StoreError> {
        self.read(self.real.open_games(who)).await
    }

    async fn unfinished(&self, who: PersonId) -> Result<Vec<Listed>, StoreError> {
        self.read(self.real.unfinished(who)).await
    }

    async fn lengths(&self, games: &[GameId]) -> Result<Vec<(GameId, Seq)>, StoreError> {
        self.read(self.real.lengths(games)).await
    }

    async fn due(&self, by: At, most: usize) -> Result<Vec<(At, GameId)>, StoreError> {
        self.read(self.real.due(by, most)).await
    }

    async fn claim_due(&self, by: At, most: usize, until: At) -> Result<Vec<(At, GameId)>, StoreError> {
        self.read(self.real.claim_due(by, most, until)).await
    }

    async fn running(&self, after: Option<&GameId>, most: usize) -> Result<Vec<Stored>, StoreError> {
        self.read(self.real.running(after, most)).await
    }

    async fn document(&self, key: &DocumentKey) -> Result<Option<Document>, StoreError> {
        self.read(self.real.document(key)).await
    }

    async fn documents(
        &self,
        who: PersonId,
        kind: DocumentKind,
        before: Option<&DocumentId>,
        most: usize,
    ) -> Result<Vec<DocumentHead>, StoreError> {
        self.read(self.real.documents(who, kind, before, most)).await
    }

    async fn due_documents(
        &self,
        who: PersonId,
        kind: DocumentKind,
        by: At,
        most: usize,
    ) -> Result<Vec<Document>, StoreError> {
        self.read(self.real.due_documents(who, kind, by, most)).await
    }

    async fn count_documents(&self, who: PersonId, kind: DocumentKind, by: At) -> Result<DocumentCounts, StoreError> {
        self.read(self.real.count_documents(who, kind, by)).await
    }

    async fn last_alive(&self) -> Result<Option<At>, StoreError> {
        self.read(self.real.last_alive()).await
    }

    async fn clock(&self) -> Result<Option<At>, StoreError> {
        let now = || Some(self.shared.lock().now);
        self.read(async { Ok(now()) }).await
    }

    fn key(&self) -> Key {
        // The real one is drawn anew for each folder, and ids follow from it.
        Key([7; 32])
    }

    fn health(&self) -> Health {
        self.real.health()
    }
}

#[async_trait::async_trait]
impl Accounts for FaultyStore {
    async fn holder(&self, secret: &SecretHash) -> Result<Option<Holder>, StoreError> {
        self.read(self.real.holder(secret)).await
    }

    async fn is_someone(&self, who: PersonId) -> Result<bool, StoreError> {
        self.read(self.real.is_someone(who)).await
    }

    async fn account(&self, who: PersonId) -> Result<Option<Account>, StoreError> {
        self.read(self.real.account(who)).await
    }

    async fn account_named(&self, handle: &Handle) -> Result<Option<Account>, StoreError> {
        self.read(self.real.account_named(handle)).await
    }

    async fn accounts(&self, part: &str, most: usize) -> Result<Vec<Account>, StoreError> {
        self.read(self.real.accounts(part, most)).await
    }

    async fn password(&self, who: PersonId) -> Result<Option<PasswordHash>, StoreError> {
        self.read(self.real.password(who)).await
    }

    async fn recovery_codes(&self, who: PersonId) -> Result<Vec<SecretHash>, StoreError> {
        self.read(self.real.recovery_codes(who)).await
    }

    async fn sessions(&self, who: PersonId) -> Result<Vec<Session>, StoreError> {
        self.read(self.real.sessions(who)).await
    }

    async fn tokens(&self, who: PersonId) -> Result<Vec<Token>, StoreError> {
        self.read(self.real.tokens(who)).await
    }

    async fn passkey(&self, id: &[u8]) -> Result<Option<Passkey>, StoreError> {
        self.read(self.real.passkey(id)).await
    }

    async fn passkeys(&self, who: PersonId) -> Result<Vec<Passkey>, StoreError> {
        self.read(self.real.passkeys(who)).await
    }

    async fn settings(&self) -> Result<Settings, StoreError> {
        self.read(self.real.settings()).await
    }

    async fn audit(&self, before: Option<u64>, most: usize) -> Result<Vec<AuditEntry>, StoreError> {
        self.read(self.real.audit(before, most)).await
    }
}

#[async_trait::async_trait]
impl Meeting for FaultyStore {
    async fn offers(&self, live: bool, now: At, most: usize) -> Result<Vec<Offer>, StoreError> {
        self.read(self.real.offers(live, now, most)).await
    }

    async fn offer(&self, id: &GameId, now: At) -> Result<Option<Offer>, StoreError> {
        self.read(self.real.offer(id, now)).await
    }

    async fn offers_by(&self, who: PersonId, now: At) -> Result<Vec<Offer>, StoreError> {
        self.read(self.real.offers_by(who, now)).await
    }

    async fn challenges_to(&self, who: PersonId, now: At) -> Result<Vec<Offer>, StoreError> {
        self.read(self.real.challenges_to(who, now)).await
    }

    async fn ratings(&self, who: PersonId) -> Result<Vec<(Category, Rating)>, StoreError> {
        self.read(self.real.ratings(who)).await
    }

    async fn rated(&self, games: &[GameId]) -> Result<Vec<Rated>, StoreError> {
        self.read(self.real.rated(games)).await
    }

    async fn leaders(&self, category: Category, games: u32, now: At, most: usize) -> Result<Vec<Leader>, StoreError> {
        self.read(self.real.leaders(category, games, now, most)).await
    }

    async fn tally(&self, who: PersonId, reader: PersonId) -> Result<Vec<Tally>, StoreError> {
        self.read(self.real.tally(who, reader)).await
    }

    async fn rated_in_play(&self, who: PersonId) -> Result<Vec<(Rules, Summary)>, StoreError> {
        self.read(self.real.rated_in_play(who)).await
    }

    async fn played(
        &self,
        who: PersonId,
        viewer: PersonId,
        before: Option<&GameId>,
        most: usize,
    ) -> Result<Vec<Listed>, StoreError> {
        self.read(self.real.played(who, viewer, before, most)).await
    }

    async fn color_balance(&self, who: PersonId, most: usize) -> Result<i32, StoreError> {
        self.read(self.real.color_balance(who, most)).await
    }

    async fn blocked_by(&self, who: PersonId) -> Result<Vec<PersonId>, StoreError> {
        self.read(self.real.blocked_by(who)).await
    }

    async fn blocking(&self, who: PersonId) -> Result<Vec<PersonId>, StoreError> {
        self.read(self.real.blocking(who)).await
    }
}
