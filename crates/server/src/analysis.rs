//! What the moves of a position are worth, while someone looks at it: values stream to the page as they deepen.

use crate::{
    House,
    computer::owner,
    lobby::Page,
    protocol::{Analysis, Lines, MoveValue, StudyId, ToBrowser, Why},
    refusal::Refused,
    socket::text,
};
use analyst::{Ask, Limits, Line, Purpose};
use rules::Position;
use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};
use study::{review::usual_error, tree::NodeId};
use tokio::{
    task::JoinHandle,
    time::{Instant, sleep_until},
};

/// How many boards of one page are analysed at once.
const MOST_BOARDS: usize = 4;
/// The longest key.
const LONGEST_KEY: usize = 64;
/// How long the first values are waited for: by then they are better than a guess, and nobody has noticed.
const FIRST: Duration = Duration::from_millis(50);
/// At most so often a page hears of deeper ones.
const EVERY: Duration = Duration::from_millis(120);
/// As far as one can look.
const DEEPEST: u32 = 60;
/// As long as one can wait.
const LONGEST: u32 = 3600;

/// A task that ends when it is dropped.
#[derive(Debug)]
pub(crate) struct Task(JoinHandle<()>);

impl Task {
    pub(crate) fn spawn(work: impl Future<Output = ()> + Send + 'static) -> Task {
        Task(tokio::spawn(work))
    }
}

impl Drop for Task {
    fn drop(&mut self) {
        self.0.abort();
    }
}

/// The boards of a page that are being analysed.
#[derive(Clone, Debug, Default)]
pub(crate) struct Analyses(Arc<Mutex<HashMap<String, (StudyId, Task)>>>);

impl Analyses {
    fn lock(&self) -> MutexGuard<'_, HashMap<String, (StudyId, Task)>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn stop(&self, key: &str) {
        self.lock().remove(key);
    }

    /// Those of one study.
    pub(crate) fn stop_in(&self, study: &StudyId) {
        self.lock().retain(|_, (of, _)| of != study);
    }

    pub(crate) fn stop_all(&self) {
        self.lock().clear();
    }
}

/// What a page asks.
#[derive(Clone, Debug)]
pub(crate) struct Wanted {
    pub(crate) key: String,
    pub(crate) study: StudyId,
    pub(crate) at: NodeId,
    pub(crate) depth: Option<u32>,
    pub(crate) seconds: Option<u32>,
    pub(crate) lines: Lines,
    pub(crate) threads: Option<u32>,
}

impl Wanted {
    fn limits(&self, position: &Position) -> Limits {
        let limits = match self.depth {
            Some(depth) => Limits::depth(depth.clamp(1, DEEPEST)),
            None => Limits::default(),
        };
        let seconds = self.seconds.map(|seconds| seconds.clamp(1, LONGEST));
        let lines = match self.lines {
            Lines::All => position.legal().len() as usize,
            Lines::Best => 1,
        };
        Limits { time: seconds.map(|seconds| Duration::from_secs(seconds.into())), lines, ..limits }
    }

    /// What is found by now, as the page hears it.
    fn message(&self, position: &Position, found: &analyst::Analysis, cores: u32, done: bool) -> ToBrowser {
        let empties = position.empty().len();
        ToBrowser::Analysis(Box::new(Analysis {
            key: self.key.clone(),
            study: self.study.clone(),
            at: self.at,
            values: found.lines.iter().map(|line| value(line, empties)).collect(),
            line: found.best().map(|best| best.variation.clone()).unwrap_or_default(),
            depth: found.depth,
            nodes: found.nodes,
            ms: found.time.as_millis() as u64,
            done,
            cores,
        }))
    }
}

fn value(line: &Line, empties: u32) -> MoveValue {
    let exact = line.is_proven();
    MoveValue {
        square: line.square,
        score: line.score,
        depth: line.depth,
        percent: line.confidence.percent(),
        exact,
        spread: if exact { 0.0 } else { (usual_error(line.depth, empties) * 10.0).round() / 10.0 },
    }
}

impl House {
    /// Sends values to a page as they deepen, until they are as deep as was asked, or the page wants no more.
    pub(crate) async fn analyse(self: &Arc<House>, page: &Page, wanted: Wanted) -> Result<(), Refused> {
        if wanted.key.is_empty() || wanted.key.len() > LONGEST_KEY {
            return Err(Refused::new(Why::BadMessage, "a key has 1 to 64 characters"));
        }
        let study = self.open_study(page, &wanted.study)?;
        let line = study.line_to(wanted.at).await?;
        let position = *line.last().ok_or_else(Refused::no_such_node)?;
        // First of all what it replaces: one board does not keep itself waiting.
        page.analyses.stop(&wanted.key);
        self.check_engine_may_help(page, &line).await?;
        if page.analyses.lock().len() >= MOST_BOARDS {
            return Err(Refused::new(Why::Full, "too many boards are analysed at once: stop some"));
        }
        let cores = self.analyst.cores() as u32;
        if position.is_over() {
            page.outbox.push(&text(&wanted.message(&position, &analyst::Analysis::default(), cores, true)));
            return Ok(());
        }
        let threads = wanted.threads.unwrap_or(1).clamp(1, cores) as usize;
        let ask = Ask::new(owner(page), Purpose::Analysis, position, wanted.limits(&position));
        let mut job = self.analyst.ask(Ask { threads, ..ask }).map_err(Refused::busy)?;
        let outbox = page.outbox.clone();
        let (key, id) = (wanted.key.clone(), wanted.study.clone());
        let mut next = Instant::now() + FIRST;
        let work = async move {
            // The latest that was found, and whether the page has heard of it.
            let (mut latest, mut told) = (None::<analyst::Analysis>, true);
            loop {
                tokio::select! {
                    found = job.next() => match found {
                        // A search that was interrupted may know one move only.
                        Some(found) if is_whole(&found, &position, wanted.lines) => (latest, told) = (Some(found), false),
                        Some(_) => {}
                        None => break,
                    },
                    () = sleep_until(next), if !told => {
                        if let Some(found) = &latest {
                            outbox.push(&text(&wanted.message(&position, found, cores, false)));
                        }
                        (told, next) = (true, Instant::now() + EVERY);
                    }
                    () = outbox.closed() => return,
                }
            }
            outbox.push(&text(&wanted.message(&position, &latest.unwrap_or_default(), cores, true)));
        };
        page.analyses.lock().insert(key, (id, Task::spawn(work)));
        Ok(())
    }
}

/// Whether every move that was asked for has its value.
fn is_whole(found: &analyst::Analysis, position: &Position, lines: Lines) -> bool {
    lines == Lines::Best || found.lines.len() == position.legal().len() as usize
}
