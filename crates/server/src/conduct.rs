//! What the owner may look at before they decide about somebody: what stands out among their rated games, and how their moves compare
//! with the engine's. It is shown and never acted upon.
//!
//! ```text
//! GET    /api/admin/people/HANDLE/fair-play
//! POST   /api/admin/people/HANDLE/fair-play    compares their last games with the engine; DELETE stops that
//! ```

use crate::{
    House,
    accounts::{Nothing, Reply},
    analysis::Task,
    computer::owner_of,
    http::{Json, Problem, reply},
    people::OWNER,
    record_of_table,
    visitor::{InBrowser, Owner},
};
use analyst::{Ask, Purpose};
use axum::{Router, extract::Path, http::StatusCode, response::IntoResponse, routing::get};
use people::{Account, Conduct, RatedGame};
use record::Record;
use room::{Document, DocumentKey, DocumentKind, Write};
use rules::Color;
use serde::Serialize;
use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError, Weak},
    time::Duration,
};
use store::StoreError;
use study::{
    fair_play::{Agreement, agreement},
    review::{Plan, Report, Review, Stage},
};
use table::{At, GameId, PersonId};
use tokio::time::sleep;

/// So many days back.
const DAYS: u16 = 90;
/// At most so many games are counted, the latest.
const MOST: usize = 1000;
/// And so many of them read at once.
const BATCH: usize = 100;
/// So many are compared with the engine, the latest.
const COMPARED: usize = 10;
/// When everything the owner may ask is asked already, it is tried again after so long.
const BUSY: Duration = Duration::from_millis(250);

pub(crate) fn routes() -> Router<Arc<House>> {
    Router::new().route("/api/admin/people/{handle}/fair-play", get(show).post(compare).delete(stop))
}

/// A rated game of somebody's, and which colour was theirs.
#[derive(Clone, Debug)]
struct Theirs {
    game: GameId,
    at: At,
    color: Color,
    how: RatedGame,
}

/// How a game compares with what the engine would have played.
#[derive(Clone, Debug, Serialize)]
struct ComparedGame {
    game: GameId,
    at: At,
    /// Of whom the owner wants to know.
    theirs: Agreement,
    /// Of whoever they played against.
    others: Agreement,
}

/// The comparison that is under way at this node, or the last one. When it is over it is kept, for later and for other nodes.
#[derive(Debug, Default)]
pub(crate) struct Comparisons(Mutex<Option<Comparison>>);

#[derive(Debug)]
struct Comparison {
    who: PersonId,
    games: Vec<ComparedGame>,
    /// How many there will be, those left out that cannot be read.
    of: usize,
    /// `None` when it is over.
    task: Option<Task>,
}

impl Comparisons {
    fn lock(&self) -> MutexGuard<'_, Option<Comparison>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What is known of somebody.
    fn view(&self, who: PersonId) -> Option<ComparisonView> {
        let comparison = self.lock();
        let comparison = comparison.as_ref().filter(|comparison| comparison.who == who)?;
        let (mut theirs, mut others) = (Agreement::default(), Agreement::default());
        for game in &comparison.games {
            theirs += game.theirs;
            others += game.others;
        }
        Some(ComparisonView {
            done: comparison.task.is_none(),
            of: comparison.of,
            games: comparison.games.clone(),
            theirs,
            others,
            version: env!("CARGO_PKG_VERSION"),
        })
    }
}

#[derive(Serialize)]
struct ComparisonView {
    done: bool,
    of: usize,
    games: Vec<ComparedGame>,
    theirs: Agreement,
    others: Agreement,
    /// Of the program that compared: another may come to other numbers.
    version: &'static str,
}

/// `GET /api/admin/people/HANDLE/fair-play`
async fn show(Owner(InBrowser { house, .. }): Owner, Path(handle): Path<String>) -> Reply {
    #[derive(Serialize)]
    struct Most {
        handle: Option<String>,
        #[serde(flatten)]
        conduct: Conduct,
    }
    #[derive(Serialize)]
    struct Shown {
        days: u16,
        /// How many they broke off before they had begun; nothing else is counted of those.
        aborted: usize,
        all: Conduct,
        /// Against the one whom they met most often.
        most: Option<Most>,
        comparison: Option<serde_json::Value>,
    }
    let account = house.person(&handle).await?;
    let games: Vec<RatedGame> = house.rated_games(account.who).await?.into_iter().map(|game| game.how).collect();
    let (all, most) = Conduct::of(&games);
    let most = match most {
        None => None,
        Some((whom, conduct)) => {
            let handle = house.store.account(whom).await?.map(|account| account.handle.to_string());
            Some(Most { handle, conduct })
        }
    };
    let aborted = house.aborted(account.who).await?;
    Ok(reply(
        StatusCode::OK,
        &Shown { days: DAYS, aborted, all, most, comparison: house.comparison(account.who).await? },
    ))
}

/// `POST /api/admin/people/HANDLE/fair-play`: one comparison at a time.
async fn compare(
    Owner(InBrowser { house, .. }): Owner,
    Path(handle): Path<String>,
    Json(Nothing {}): Json<Nothing>,
) -> Reply {
    let Account { who, .. } = house.person(&handle).await?;
    let mut games = house.rated_games(who).await?;
    games.truncate(COMPARED);
    let mut comparison = house.comparisons.lock();
    if comparison.as_ref().is_some_and(|running| running.task.is_some()) {
        let text = "one comparison at a time: stop the one that is under way, or wait for it";
        return Err(Problem::new(StatusCode::CONFLICT, "comparing", text));
    }
    let (of, task) = (games.len(), Task::spawn(compare_all(Arc::downgrade(&house), who, games)));
    *comparison = Some(Comparison { who, games: Vec::new(), of, task: Some(task) });
    Ok(StatusCode::ACCEPTED.into_response())
}

/// `DELETE /api/admin/people/HANDLE/fair-play`: what was found so far stays.
async fn stop(Owner(InBrowser { house, .. }): Owner, Path(handle): Path<String>) -> Reply {
    let Account { who, .. } = house.person(&handle).await?;
    let stopped = {
        let mut comparison = house.comparisons.lock();
        comparison.as_mut().filter(|comparison| comparison.who == who).and_then(|running| running.task.take())
    };
    if stopped.is_some() {
        house.keep_comparison(who).await;
    }
    Ok(StatusCode::NO_CONTENT.into_response())
}

impl House {
    /// What is known of how somebody compares: what is under way here, else what was kept last.
    async fn comparison(&self, who: PersonId) -> Result<Option<serde_json::Value>, StoreError> {
        let here = self.comparisons.view(who);
        if here.as_ref().is_none_or(|view| view.done)
            && let Some(key) = comparison_key(who)
            && let Some(kept) = self.store.document(&key).await?
        {
            return Ok(serde_json::from_str(&kept.body).ok());
        }
        Ok(here.and_then(|view| serde_json::to_value(view).ok()))
    }

    /// Keeps what was found of somebody. If it cannot be kept, it is compared again.
    async fn keep_comparison(&self, who: PersonId) {
        let (Some(view), Some(key)) = (self.comparisons.view(who), comparison_key(who)) else { return };
        let Ok(body) = serde_json::to_string(&ComparisonView { done: true, ..view }) else { return };
        let Ok(before) = self.store.document(&key).await else { return };
        let revision = before.map_or(1, |before| before.revision + 1);
        let document = Document { key, revision, changed: self.time.now(), due: None, head: String::new(), body };
        let _ = self.keep(vec![Write::Keep(Box::new(document))]).await;
    }

    /// Since when games are counted.
    fn lately(&self) -> At {
        self.time.now().saturating_sub(At::from(DAYS) * 24 * 60 * 60 * 1000)
    }

    /// How many rated games somebody has broken off lately.
    async fn aborted(&self, who: PersonId) -> Result<usize, StoreError> {
        let aborts = self.store.documents(who, DocumentKind::ABORT, None, MOST).await?;
        Ok(aborts.iter().filter(|abort| abort.changed >= self.lately()).count())
    }

    /// Somebody's rated games that have ended lately, the latest first.
    async fn rated_games(&self, who: PersonId) -> Result<Vec<Theirs>, StoreError> {
        let since = self.lately();
        let (mut games, mut before) = (Vec::new(), None::<GameId>);
        loop {
            let batch = self.store.played(who, who, before.as_ref(), BATCH).await?;
            let ids: Vec<GameId> = batch.iter().map(|listed| listed.game.clone()).collect();
            let rated = self.store.rated(&ids).await?;
            let rated: HashMap<&GameId, _> = rated.iter().map(|rated| (&rated.game, rated)).collect();
            for listed in &batch {
                let Some(summary) = &listed.summary else { continue };
                if summary.changed < since || games.len() >= MOST {
                    return Ok(games);
                }
                let (Some(rated), Some(verdict)) = (rated.get(&listed.game), summary.verdict) else { continue };
                let color = if rated.players.black == who { Color::Black } else { Color::White };
                let how = RatedGame {
                    opponent: rated.players[!color],
                    won: verdict.winner.map(|winner| winner == color),
                    ending: verdict.ending,
                    moves: summary.ply.0,
                };
                games.push(Theirs { game: listed.game.clone(), at: rated.at, color, how });
            }
            match ids.into_iter().nth(BATCH - 1) {
                None => return Ok(games),
                last => before = last,
            }
        }
    }
}

fn comparison_key(who: PersonId) -> Option<DocumentKey> {
    Some(DocumentKey { who, kind: DocumentKind::COMPARISON, id: "engine".parse().ok()? })
}

/// One game after the other. The house is not kept open for it.
async fn compare_all(weak: Weak<House>, who: PersonId, games: Vec<Theirs>) {
    let tell = |change: &dyn Fn(&mut Comparison)| {
        let Some(house) = weak.upgrade() else { return };
        if let Some(comparison) = house.comparisons.lock().as_mut().filter(|comparison| comparison.who == who) {
            change(comparison);
        }
    };
    for theirs in games {
        // One that cannot be read says nothing.
        if let Some(compared) = compared(&weak, &theirs).await {
            tell(&|comparison| comparison.games.push(compared.clone()));
        }
    }
    // First, because this ends with its task.
    if let Some(house) = weak.upgrade() {
        house.keep_comparison(who).await;
    }
    tell(&|comparison| comparison.task = None);
}

async fn compared(weak: &Weak<House>, Theirs { game, at, color, .. }: &Theirs) -> Option<ComparedGame> {
    let house = weak.upgrade()?;
    let (table, begun) = house.live(game).await.ok()?.table().await;
    let (record, book) = (record_of_table(&table, begun).ok()?, house.book.clone());
    drop(house);
    let report = reviewed(weak, &record).await?;
    let both = agreement(&record, &report, |position| book.find(position).is_some());
    Some(ComparedGame { game: game.clone(), at: *at, theirs: both[*color], others: both[!*color] })
}

/// A review of a game by its first stage alone, one question at a time and after whatever anybody waits for.
async fn reviewed(weak: &Weak<House>, record: &Record) -> Option<Report> {
    let usual = Plan::default();
    let mut review = Review::new(record, Plan { depth: usual.first_depth, solve: usual.first_solve, ..usual });
    while review.stage() == Stage::First {
        let house = weak.upgrade()?;
        let Some(question) = review.next() else { break };
        let job = house.analyst.ask(Ask::new(owner_of(OWNER), Purpose::Review, question.position, question.limits));
        drop(house);
        match job {
            // A search that failed says nothing.
            Ok(job) => review.answer(question.number, &job.answer().await.unwrap_or_default()),
            Err(_) => {
                review.put_back(question.number);
                sleep(BUSY).await;
            }
        }
    }
    Some(review.report(Duration::ZERO))
}
