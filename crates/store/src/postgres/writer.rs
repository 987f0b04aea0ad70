//! The one connection that writes, and what it says when it is lost.
//!
//! Everything that waits is one transaction, sent at once: `BEGIN`, the writer's own row, the rows that must be held, every write; then, if
//! the answers allow it, `COMMIT`. Many games share two messages each way and one flush of the database's log.
//!
//! # A lost connection is not the end of a transaction
//!
//! Before `COMMIT` was sent, nothing is kept, and everything is tried again on a new connection as long as there is patience. After it,
//! nobody can say. So the writer *settles*: each transaction writes its number into a row of the writer's own (`writer`), which the
//! database holds until the transaction has ended, one way or the other. Reading that row on a new connection waits for that end, and
//! tells which it was. The database can tell by the number of a transaction too (`pg_xact_status`), but after a crash it may give a
//! number to somebody else, whose commit would be taken for ours.

use super::{
    Servers,
    failed::Failed,
    link::{Link, PATIENCE, Slot, Value, pause},
    write::{self, Step},
};
use crate::{Health, StoreError};
use room::Write;
use std::{
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};
use tokio::{
    sync::{mpsc, oneshot},
    time::Instant,
};
use tokio_postgres::error::{Severity, SqlState};

/// How many jobs may wait; whoever has another waits until there is room.
pub(super) const QUEUE: usize = 1024;
/// At most so many jobs in one transaction.
const BATCH: usize = 256;
/// How often a transaction is tried that others stood in the way of.
const ATTEMPTS: usize = 5;

const MARK: &str = "UPDATE writer SET batch = $2 WHERE id = $1";
const MARKED: &str = "SELECT batch FROM writer WHERE id = $1 FOR UPDATE";

/// Held by everyone who writes, and by nobody while everything is moved: the schema is part of its name.
const SHARED: &str = "SELECT pg_advisory_lock_shared(1330992198, hashtext(current_schema()))";
pub(super) const ALONE: &str = "SELECT pg_try_advisory_lock(1330992198, hashtext(current_schema()))";

/// How long a server that starts waits for another one to be gone.
const CLAIMING: Duration = Duration::from_secs(2);

/// Held by a server that knows of no other, or shared by the nodes of one: two that do not hear each other must not serve the same games.
const ONLY_SERVER: &str = "SELECT pg_try_advisory_lock(1330992199, hashtext(current_schema()))";
const ONE_OF_SEVERAL: &str = "SELECT pg_try_advisory_lock_shared(1330992199, hashtext(current_schema()))";

pub(super) type Kept = Result<(), StoreError>;

/// What is kept whole or not at all, and who waits for it.
pub(super) struct Job {
    pub(super) writes: Vec<Write>,
    pub(super) done: oneshot::Sender<Kept>,
    /// Until when it is tried.
    pub(super) until: Instant,
}

impl Job {
    pub(super) fn new(writes: Vec<Write>) -> (Job, oneshot::Receiver<Kept>) {
        let (done, answer) = oneshot::channel();
        (Job { writes, done, until: Instant::now() + PATIENCE }, answer)
    }
}

/// Writes.
pub(super) struct Writer {
    slot: Slot,
    /// The number of the writer's row.
    id: i64,
    /// What it takes to be the only server, or one of several.
    claim: &'static str,
    /// The number of the last transaction.
    batch: i64,
    /// Why nobody can say whether the last transaction is kept.
    unsettled: Option<Arc<str>>,
}

impl Writer {
    /// A writer that the database knows by the number `id`, which nobody else has.
    pub(super) fn new(slot: Slot, id: i64, servers: Servers) -> Writer {
        let claim = match servers {
            Servers::One => ONLY_SERVER,
            Servers::Several => ONE_OF_SEVERAL,
        };
        Writer { slot, id, claim, batch: 0, unsettled: None }
    }

    /// Makes the connection. A server that was killed a moment ago may still hold its claim.
    pub(super) async fn begin(&self) -> Result<(), Failed> {
        let until = Instant::now() + CLAIMING;
        loop {
            match self.link().await {
                Err(failed) if failed.is_lost() && pause(until).await => {}
                begun => return begun.map(|_| ()),
            }
        }
    }

    /// Writes what comes, until nobody can send any more.
    pub(super) async fn run(mut self, mut waiting: mpsc::Receiver<Job>, health: Arc<Mutex<Health>>) {
        let mut jobs = Vec::new();
        while waiting.recv_many(&mut jobs, BATCH).await > 0 {
            let began = std::time::Instant::now();
            let results = self.keep(&jobs).await;
            health.lock().unwrap_or_else(PoisonError::into_inner).note(&results, self.unsettled.as_ref(), began);
            for (job, result) in jobs.drain(..).zip(results) {
                // Whoever asked may have gone.
                let _ = job.done.send(result);
            }
        }
        let _ = self.leave().await;
    }

    /// One answer for each of `jobs`.
    async fn keep(&mut self, jobs: &[Job]) -> Vec<Kept> {
        let mut answers: Vec<Option<Kept>> = vec![None; jobs.len()];
        let mut steps: Vec<Vec<Step>> = Vec::with_capacity(jobs.len());
        for (job, answer) in jobs.iter().zip(&mut answers) {
            match job.writes.iter().map(write::steps).collect::<Result<Vec<_>, _>>() {
                Ok(all) => steps.push(all.into_iter().flatten().collect()),
                Err(error) => {
                    *answer = Some(Err(error));
                    steps.push(Vec::new());
                }
            }
        }
        let mut attempts = 0;
        loop {
            let open: Vec<usize> = (0..jobs.len()).filter(|&number| answers[number].is_none()).collect();
            let Some(until) = open.iter().map(|&number| jobs[number].until).max() else { break };
            let mut answer = |result: Kept| open.iter().for_each(|&number| answers[number] = Some(result.clone()));
            match self.attempt(jobs, &steps, &open).await {
                Ok(decided) => decided.into_iter().for_each(|(number, result)| answers[number] = Some(result)),
                Err(Trouble::Job(number, error)) => answers[number] = Some(Err(error)),
                Err(Trouble::InTheWay(failed)) => {
                    attempts += 1;
                    if attempts == ATTEMPTS || !pause(until).await {
                        answer(Err(failed.not_kept()));
                    }
                }
                Err(Trouble::Before(failed)) => {
                    if !failed.is_lost() || !pause(until).await {
                        answer(Err(failed.not_kept()));
                    }
                }
                Err(Trouble::During(failed, decided)) => {
                    self.unsettled = Some(failed.why());
                    // Whoever waits for this has waited already: a little longer is better than not to know.
                    match self.settle(Instant::now() + PATIENCE).await {
                        Ok(true) => decided.into_iter().for_each(|(number, result)| answers[number] = Some(result)),
                        Ok(false) if Instant::now() < until => {}
                        Ok(false) => answer(Err(failed.not_kept())),
                        Err(_) => answer(Err(StoreError::Unknown(failed.why()))),
                    }
                }
            }
        }
        answers.into_iter().map(|answer| answer.unwrap_or(Err(StoreError::Closed))).collect()
    }

    /// Tries to keep those of `jobs` that are `open`, in one transaction, and says what is decided: of some, perhaps, nothing yet.
    async fn attempt(
        &mut self,
        jobs: &[Job],
        steps: &[Vec<Step>],
        open: &[usize],
    ) -> Result<Vec<(usize, Kept)>, Trouble> {
        let link = self.link().await.map_err(Trouble::Before)?;
        if self.unsettled.is_some()
            && let Err(failed) = self.settle_on(&link).await
        {
            return Err(self.not_begun(&link, failed).await);
        }
        self.batch += 1;
        let mut own = vec![write::step(MARK).with(self.id).with(self.batch)];
        own.extend(write::locks(open.iter().flat_map(|&number| &jobs[number].writes)));
        let all = own.iter().chain(open.iter().flat_map(|&number| &steps[number]));
        let all: Vec<(&'static str, &[Value])> = all.map(|step| (step.sql, &step.values[..])).collect();
        let mut results = match link.pipeline("BEGIN", &all).await {
            Ok(results) => results.into_iter(),
            Err(failed) => return Err(self.not_begun(&link, failed).await),
        };
        for result in results.by_ref().take(own.len()) {
            if let Err(error) = result {
                return Err(self.failed(&link, error.into(), None).await);
            }
        }
        let mut decided = Vec::with_capacity(open.len());
        // Whether a job that is refused has left something behind, and everything must be undone.
        let mut spoilt = false;
        for &number in open {
            let (mut kept, mut refused) = (false, false);
            for step in &steps[number] {
                match results.next() {
                    Some(Ok(0)) if step.must => refused = true,
                    Some(Ok(0)) => {}
                    Some(Ok(_)) => kept = true,
                    Some(Err(error)) => return Err(self.failed(&link, error.into(), Some(number)).await),
                    None => return Err(Trouble::Before(Failed::NoAnswer)),
                }
            }
            // What comes after something that will be undone may be refused only because of it.
            if refused && !spoilt {
                decided.push((number, Err(StoreError::Conflict)));
            } else if !refused {
                decided.push((number, Ok(())));
            }
            spoilt |= refused && kept;
        }
        if spoilt {
            self.undo(&link).await;
            decided.retain(|(_, result)| result.is_err());
            return Ok(decided);
        }
        match link.batch("COMMIT").await {
            Ok(()) => Ok(decided),
            Err(failed) if failed.was_refused() => Err(Trouble::InTheWay(failed)),
            Err(failed) => {
                self.slot.forget(&link).await;
                Err(Trouble::During(failed, decided))
            }
        }
    }

    /// What it means that a statement failed, of the job with this number or of nobody's.
    async fn failed(&mut self, link: &Link, failed: Failed, job: Option<usize>) -> Trouble {
        if failed.is_lost() {
            return self.not_begun(link, failed).await;
        }
        self.undo(link).await;
        match (failed.code(), job) {
            (
                Some(
                    &SqlState::T_R_SERIALIZATION_FAILURE
                    | &SqlState::T_R_DEADLOCK_DETECTED
                    | &SqlState::LOCK_NOT_AVAILABLE,
                ),
                _,
            ) => Trouble::InTheWay(failed),
            (Some(&SqlState::DISK_FULL), _) | (_, None) => Trouble::Before(failed),
            (_, Some(number)) => Trouble::Job(number, failed.not_kept()),
        }
    }

    /// The connection is of no use any more.
    async fn not_begun(&self, link: &Link, failed: Failed) -> Trouble {
        self.slot.forget(link).await;
        Trouble::Before(failed)
    }

    /// Ends a transaction that is not to be kept; a connection on which that fails is not used again.
    async fn undo(&self, link: &Link) {
        if link.batch("ROLLBACK").await.is_err() {
            self.slot.forget(link).await;
        }
    }

    /// Finds out whether the last transaction is kept.
    async fn settle(&mut self, until: Instant) -> Result<bool, Failed> {
        loop {
            let failed = match self.link().await {
                Ok(link) => match self.settle_on(&link).await {
                    Ok(settled) => return Ok(settled),
                    Err(failed) => {
                        self.slot.forget(&link).await;
                        failed
                    }
                },
                Err(failed) => failed,
            };
            if !pause(until).await {
                return Err(failed);
            }
        }
    }

    async fn settle_on(&mut self, link: &Link) -> Result<bool, Failed> {
        let row = link.query_opt(MARKED, &[&self.id]).await?;
        self.unsettled = None;
        Ok(row.is_some_and(|row| row.get::<_, i64>(0) == self.batch))
    }

    /// The connection; on a new one the writer ends what it may have left on the one before, which holds rows of games.
    async fn link(&self) -> Result<Link, Failed> {
        const OTHERS: &str = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity
                              WHERE application_name = current_setting('application_name') AND pid <> pg_backend_pid()";
        const ROW: &str = "INSERT INTO writer (id, batch) VALUES ($1, 0) ON CONFLICT DO NOTHING RETURNING id";
        let (id, claim) = (self.id, self.claim);
        self.slot
            .link_prepared(|link: Link| async move {
                link.batch(OTHERS).await?;
                link.batch(SHARED).await?;
                if !link.query_opt(claim, &[]).await?.is_some_and(|row| row.get(0)) {
                    return Err(Failed::InUse);
                }
                link.query_opt(ROW, &[&id]).await?;
                Ok(())
            })
            .await
    }

    /// Takes the writer's row away.
    async fn leave(&self) -> Result<(), Failed> {
        if self.unsettled.is_none() && self.batch > 0 {
            self.slot.link().await?.query_opt("DELETE FROM writer WHERE id = $1 RETURNING id", &[&self.id]).await?;
        }
        Ok(())
    }
}

/// Why a transaction failed.
enum Trouble {
    /// The job with this number cannot be kept; nothing was.
    Job(usize, StoreError),
    /// Others stood in the way; nothing was kept, and it may be tried again.
    InTheWay(Failed),
    /// It was certainly not finished.
    Before(Failed),
    /// It failed while it was being finished; if it is kept after all, this is what was decided.
    During(Failed, Vec<(usize, Kept)>),
}

impl Failed {
    /// Whether the database itself says that the transaction is not kept, and lives.
    fn was_refused(&self) -> bool {
        matches!(self, Failed::Database(error)
            if error.as_db_error().is_some_and(|said| said.parsed_severity() == Some(Severity::Error)))
    }
}
