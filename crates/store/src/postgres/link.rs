//! Connections that are made again when they are lost: a database may be restarted under play.

use super::{failed::Failed, tls::Tls};
use std::{
    collections::HashMap,
    pin::Pin,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};
use tokio::{runtime::Handle, sync, time::Instant};
use tokio_postgres::{Client, Config, Error, Row, Statement, error::SqlState, types::ToSql};

/// How long somebody waits for a database that cannot be reached. What a restart takes is less.
pub(super) const PATIENCE: Duration = Duration::from_secs(8);
/// How long a connection may take to be made.
const CONNECTING: Duration = Duration::from_secs(3);
/// How long an answer may take: longer than what waits for a lock in the database, and less than whoever asks has patience for.
const ANSWERING: Duration = Duration::from_secs(7);
/// How long to wait before a connection is tried again.
const PAUSE: Duration = Duration::from_millis(100);

/// What every connection asks of the database.
///
/// Every question has an index, and what the planner thinks of tables that were empty a moment ago is of no use. Whoever stops in the
/// middle of a transaction keeps others waiting for three seconds at most, and a machine that is gone is noticed within half a minute.
const SETTINGS: &str = "
SET plan_cache_mode = force_generic_plan;
SET enable_seqscan = off;
SET jit = off;
SET lock_timeout = '6s';
SET idle_in_transaction_session_timeout = '3s';
SET tcp_keepalives_idle = 10;
SET tcp_keepalives_interval = 5;
SET tcp_keepalives_count = 3;
SELECT set_config('synchronous_commit', 'on', false) WHERE current_setting('synchronous_commit') = 'off'";

/// Where the database is.
pub(super) struct Place {
    config: Config,
    tls: Tls,
    /// The thread that looks after connections.
    runtime: Handle,
}

impl Place {
    pub(super) fn new((mut config, tls): (Config, Tls), runtime: Handle) -> Place {
        config.keepalives_idle(Duration::from_secs(10));
        #[cfg(target_os = "linux")]
        config.tcp_user_timeout(Duration::from_secs(10));
        Place { config, tls, runtime }
    }

    /// A new connection, which the database knows by `name`. What is asked by it may take as long as it takes.
    pub(super) async fn connect(&self, name: &str) -> Result<Link, Failed> {
        self.connect_for(name, Duration::MAX).await
    }

    /// A new connection, which is of no use any more once an answer takes longer than `answering`.
    async fn connect_for(&self, name: &str, answering: Duration) -> Result<Link, Failed> {
        let mut config = self.config.clone();
        config.application_name(name);
        let (tls, runtime) = (self.tls.clone(), self.runtime.clone());
        let connecting = async move {
            let (client, connection) = config.connect(tls).await?;
            // It ends with the client, or when the connection is lost: whoever asks next notices.
            runtime.spawn(connection);
            client.batch_execute(SETTINGS).await?;
            if answering < Duration::MAX {
                // What nobody waits for any more the database need not do.
                client.batch_execute(&format!("SET statement_timeout = {}", answering.as_millis())).await?;
            }
            Ok::<_, Error>(client)
        };
        let connecting = self.runtime.spawn(async { tokio::time::timeout(CONNECTING, connecting).await });
        match connecting.await {
            Ok(Ok(client)) => Ok(Arc::new(Connected { client: client?, answering, statements: Mutex::default() })),
            Ok(Err(_)) => Err(Failed::NoAnswer),
            // The store is being closed.
            Err(_) => Err(Failed::Closed),
        }
    }
}

/// A connection.
pub(super) type Link = Arc<Connected>;

/// What can be asked and written as long as the connection holds.
pub(super) struct Connected {
    pub(super) client: Client,
    /// How long an answer may take.
    answering: Duration,
    /// What the database has already been told how to do.
    statements: Mutex<HashMap<&'static str, Statement>>,
}

/// A value on its way into the database.
pub(super) type Value = Box<dyn ToSql + Sync + Send>;

impl Connected {
    async fn within<T>(&self, answer: impl Future<Output = Result<T, Error>>) -> Result<T, Failed> {
        match tokio::time::timeout(self.answering, answer).await {
            Ok(answer) => Ok(answer?),
            Err(_) => Err(Failed::NoAnswer),
        }
    }

    async fn statement(&self, sql: &'static str) -> Result<Statement, Error> {
        let known = self.statements.lock().unwrap_or_else(PoisonError::into_inner).get(sql).cloned();
        if let Some(statement) = known {
            return Ok(statement);
        }
        let statement = self.client.prepare(sql).await?;
        self.statements.lock().unwrap_or_else(PoisonError::into_inner).insert(sql, statement.clone());
        Ok(statement)
    }

    pub(super) async fn query(&self, sql: &'static str, values: &[&(dyn ToSql + Sync)]) -> Result<Vec<Row>, Failed> {
        let answer = async { self.client.query(&self.statement(sql).await?, values).await };
        match self.within(answer).await {
            // A text with a zero byte, which PostgreSQL cannot keep: nothing of that name is there.
            Err(failed) if failed.code() == Some(&SqlState::CHARACTER_NOT_IN_REPERTOIRE) => Ok(Vec::new()),
            answer => answer,
        }
    }

    pub(super) async fn query_opt(
        &self,
        sql: &'static str,
        values: &[&(dyn ToSql + Sync)],
    ) -> Result<Option<Row>, Failed> {
        Ok(self.query(sql, values).await?.into_iter().next())
    }

    /// Several statements without values and answers.
    pub(super) async fn batch(&self, sql: &str) -> Result<(), Failed> {
        self.within(self.client.batch_execute(sql)).await
    }

    /// Sends `begin` and all of `steps` at once, in order, and says how many rows each of them changed or found.
    pub(super) async fn pipeline(
        &self,
        begin: &'static str,
        steps: &[(&'static str, &[Value])],
    ) -> Result<Vec<Result<u64, Error>>, Failed> {
        self.within(self.send(begin, steps)).await
    }

    async fn send(
        &self,
        begin: &'static str,
        steps: &[(&'static str, &[Value])],
    ) -> Result<Vec<Result<u64, Error>>, Error> {
        let mut statements = Vec::with_capacity(steps.len());
        for (sql, _) in steps {
            statements.push(self.statement(sql).await?);
        }
        type Answer<'a> = Pin<Box<dyn Future<Output = Result<u64, Error>> + Send + 'a>>;
        let mut answers: Vec<(Answer<'_>, Option<Result<u64, Error>>)> = Vec::with_capacity(steps.len() + 1);
        answers.push((Box::pin(async { self.client.batch_execute(begin).await.map(|()| 0) }), None));
        for ((_, values), statement) in steps.iter().zip(&statements) {
            let values = values.iter().map(|value| &**value as &(dyn ToSql + Sync));
            answers.push((Box::pin(self.client.execute_raw(statement, values.collect::<Vec<_>>())), None));
        }
        // The first look at each sends it: in this order.
        std::future::poll_fn(|context| {
            for (answer, done) in &mut answers {
                if let std::task::Poll::Ready(result) = answer.as_mut().poll(context) {
                    *done = Some(result);
                }
            }
            std::task::Poll::Ready(())
        })
        .await;
        let mut results = Vec::with_capacity(answers.len());
        for (answer, done) in answers {
            results.push(match done {
                Some(result) => result,
                None => answer.await,
            });
        }
        results.remove(0)?;
        Ok(results)
    }
}

/// A place for one connection, made when somebody asks.
pub(super) struct Slot {
    place: Arc<Place>,
    name: String,
    now: sync::Mutex<Option<Link>>,
}

impl Slot {
    pub(super) fn new(place: Arc<Place>, name: String) -> Slot {
        Slot { place, name, now: sync::Mutex::new(None) }
    }

    /// The connection; a new one where the last is lost, which `prepare` makes ready.
    pub(super) async fn link_prepared<F: Future<Output = Result<(), Failed>>>(
        &self,
        prepare: impl Fn(Link) -> F,
    ) -> Result<Link, Failed> {
        let mut now = self.now.lock().await;
        if let Some(link) = now.as_ref().filter(|link| !link.client.is_closed()) {
            return Ok(link.clone());
        }
        let link = self.place.connect_for(&self.name, ANSWERING).await?;
        prepare(link.clone()).await?;
        *now = Some(link.clone());
        Ok(link)
    }

    /// The connection; a new one where the last is lost.
    pub(super) async fn link(&self) -> Result<Link, Failed> {
        self.link_prepared(async |_| Ok(())).await
    }

    /// Forgets this connection: it is lost, or nobody knows how it stands. Somebody else may have made another one since.
    pub(super) async fn forget(&self, lost: &Link) {
        self.now.lock().await.take_if(|now| Arc::ptr_eq(now, lost));
    }

    /// Asks; on a new connection if one is lost meanwhile, as long as there is patience. For questions that may be asked twice.
    pub(super) async fn ask<T, F: Future<Output = Result<T, Failed>>>(
        &self,
        question: impl Fn(Link) -> F,
    ) -> Result<T, Failed> {
        let until = Instant::now() + PATIENCE;
        let mut last = Failed::NoAnswer;
        let asking = async {
            loop {
                last = match self.link().await {
                    Ok(link) => match question(link.clone()).await {
                        Err(failed) if failed.is_lost() => {
                            self.forget(&link).await;
                            failed
                        }
                        answer => return answer,
                    },
                    Err(failed) if failed.is_lost() => failed,
                    Err(failed) => return Err(failed),
                };
                tokio::time::sleep(PAUSE).await;
            }
        };
        // Others may be waiting for the same connection, and have been before.
        tokio::time::timeout_at(until, asking).await.unwrap_or_else(|_| Err(last))
    }
}

/// Waits before the next attempt; false if it is not to be made before `until`.
pub(super) async fn pause(until: Instant) -> bool {
    let goes_on = Instant::now() < until;
    if goes_on {
        tokio::time::sleep(PAUSE).await;
    }
    goes_on
}
