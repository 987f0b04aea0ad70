//! Reviews of games: what each move of the main line of a study cost, and why. A review asks several questions at once, and less
//! urgently than anything somebody waits for; it ends when nobody listens.

use crate::{
    House,
    analysis::Task,
    computer::owner,
    lobby::Page,
    protocol::{ReviewStage, StudyId, Thresholds, ToBrowser},
    refusal::Refused,
    socket::{Outbox, text},
    studies::{KeptReview, OpenStudy},
};
use analyst::{Ask, Busy, Job, Owner, Purpose};
use rules::{Position, Square};
use std::{
    collections::HashMap,
    sync::{Arc, MutexGuard, PoisonError, Weak},
    time::Duration,
};
use study::review::{Plan, Question, Report, Review};
use tokio::{
    task::JoinSet,
    time::{Instant, sleep},
};

/// How many questions of one review are under way at once.
const OUTSTANDING: usize = 4;
/// At most so often a page hears how it stands.
const EVERY: Duration = Duration::from_millis(300);
/// When everything a person may ask is asked already, it is tried again after so long.
const AGAIN: Duration = Duration::from_millis(250);
/// As deep as one may ask for.
const DEEPEST: u32 = 30;

/// A review under way, and who listens.
#[derive(Debug)]
pub(crate) struct RunningReview {
    plan: Plan,
    line: Vec<Square>,
    listeners: HashMap<u64, Outbox>,
    /// What was last said, for those who come later.
    last: Option<Arc<str>>,
    /// Known by it, when another has taken its place.
    mark: Arc<()>,
    _task: Task,
}

impl OpenStudy {
    fn reviewing(&self) -> MutexGuard<'_, Option<RunningReview>> {
        self.review.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What the review that is under way has found by now.
    pub(crate) fn running_report(&self) -> Option<KeptReview> {
        let review = self.reviewing();
        let running = review.as_ref()?;
        let mut told: serde_json::Value = serde_json::from_str(running.last.as_deref()?).ok()?;
        Some(KeptReview { line: running.line.clone(), report: told["report"].take(), depth: running.plan.depth })
    }

    /// The review that is kept, its moves called what this plan calls them, if it is of this line and looked as deep: what is known of a
    /// move is not searched again for another name of it.
    async fn renamed(&self, house: &House, line: &[Square], plan: &Plan) -> Result<Option<serde_json::Value>, Refused> {
        let kept = self.last_review().await?.filter(|kept| kept.line == line && kept.depth >= plan.depth);
        let Some(KeptReview { line, report, depth }) = kept else { return Ok(None) };
        let Ok(report) = serde_json::from_value::<Report>(report) else { return Ok(None) };
        let report = written(&report.by(plan.thresholds));
        self.keep_review(house, KeptReview { line, report: report.clone(), depth }).await;
        Ok(Some(report))
    }

    /// A page wants to hear no more of the review; when nobody does, it ends.
    pub(crate) fn stop_review(&self, page: &Page) {
        let mut review = self.reviewing();
        if let Some(running) = review.as_mut() {
            running.listeners.remove(&page.socket);
        }
        if review.as_ref().is_some_and(|running| running.listeners.is_empty()) {
            *review = None;
        }
    }

    /// The study is no more.
    pub(crate) fn end_review(&self) {
        *self.reviewing() = None;
    }

    /// Tells everyone who listens how the review stands, and with the last word that it is over.
    fn tell(&self, mark: &Arc<()>, news: &Arc<str>, done: bool) {
        let mut review = self.reviewing();
        let Some(running) = review.as_mut().filter(|running| Arc::ptr_eq(&running.mark, mark)) else { return };
        running.listeners.retain(|_, outbox| outbox.push(news));
        running.last = Some(news.clone());
        if done || running.listeners.is_empty() {
            *review = None;
        }
    }
}

impl House {
    /// Reviews the main line of a study for a page, or lets it listen to the review that is under way.
    pub(crate) async fn review(
        self: &Arc<House>,
        page: &Page,
        id: &StudyId,
        depth: Option<u32>,
        thresholds: Option<Thresholds>,
    ) -> Result<(), Refused> {
        let study = self.open_study(page, id)?;
        let (record, line) = study.main_line().await?;
        let positions: Vec<Position> =
            std::iter::once(record.start()).chain(record.steps().map(|step| step.after)).collect();
        self.check_engine_may_help(page, &positions).await?;
        let depth = depth.unwrap_or(Plan::default().depth).clamp(1, DEEPEST);
        let plan = Plan { thresholds: thresholds.unwrap_or_default(), ..Plan::depth(depth) };
        if let Some(report) = study.renamed(self, &line, &plan).await? {
            let (stage, progress) = (ReviewStage::Done, 1.0);
            page.outbox.push(&text(&ToBrowser::Review { study: id.clone(), stage, progress, report }));
            return Ok(());
        }
        let mut reviewing = study.reviewing();
        if let Some(running) = reviewing.as_mut().filter(|running| running.plan == plan && running.line == line) {
            if let Some(last) = &running.last {
                page.outbox.push(last);
            }
            running.listeners.insert(page.socket, page.outbox.clone());
            return Ok(());
        }
        let mut review = Review::new(&record, plan);
        let owner = owner(page);
        // Whoever cannot have the first answer is told so, and does not wait for a review that never begins. Not where one is under way: its
        // questions make room for those of the next.
        let question = if reviewing.is_none() { review.next() } else { None };
        let first = match question {
            Some(question) => Some((question.number, self.ask_review(owner, &question).map_err(Refused::busy)?)),
            None => None,
        };
        // Another one takes its place, for everyone who listens.
        let mut listeners = reviewing.take().map(|running| running.listeners).unwrap_or_default();
        listeners.insert(page.socket, page.outbox.clone());
        let mark = Arc::new(());
        let asked = Asked { owner, review, depth, first, line: line.clone(), mark: mark.clone() };
        let task = Task::spawn(drive(Arc::downgrade(self), Arc::downgrade(&study), asked));
        *reviewing = Some(RunningReview { plan, line, listeners, last: None, mark, _task: task });
        Ok(())
    }

    fn ask_review(&self, owner: Owner, question: &Question) -> Result<Job, Busy> {
        self.analyst.ask(Ask::new(owner, Purpose::Review, question.position, question.limits.clone()))
    }
}

/// What is to be reviewed.
struct Asked {
    owner: Owner,
    review: Review,
    /// Plies it is to look ahead.
    depth: u32,
    /// Its first question, if it is asked already.
    first: Option<(u64, Job)>,
    line: Vec<Square>,
    mark: Arc<()>,
}

/// Asks what the review wants to know until it is done. The house and the study are not kept open for it.
async fn drive(house: Weak<House>, study: Weak<OpenStudy>, asked: Asked) {
    let Asked { owner, mut review, depth, first, line, mark } = asked;
    let begun = Instant::now();
    // Dropped with this task, they end.
    let mut asked: JoinSet<(u64, Option<analyst::Analysis>)> = JoinSet::new();
    if let Some((number, job)) = first {
        asked.spawn(async move { (number, job.answer().await) });
    }
    let mut said: Option<(ReviewStage, Instant)> = None;
    loop {
        let (Some(house), Some(open)) = (house.upgrade(), study.upgrade()) else { return };
        while asked.len() < OUTSTANDING {
            let Some(question) = review.next() else { break };
            match house.ask_review(owner, &question) {
                Ok(job) => drop(asked.spawn(async move { (question.number, job.answer().await) })),
                Err(_) => {
                    review.put_back(question.number);
                    break;
                }
            }
        }
        let stage = review.stage();
        let done = asked.is_empty() && review.is_done();
        if done || said.is_none_or(|(last, at)| last != stage || at.elapsed() >= EVERY) {
            let report = written(&review.report(begun.elapsed()));
            if done {
                let (line, report) = (line.clone(), report.clone());
                open.keep_review(&house, KeptReview { line, report, depth }).await;
            }
            let progress = review.progress();
            open.tell(&mark, &text(&ToBrowser::Review { study: open.id().clone(), stage, progress, report }), done);
            said = Some((stage, Instant::now()));
        }
        if done {
            return;
        }
        drop((house, open));
        match asked.join_next().await {
            // A search that failed says nothing.
            Some(Ok((number, found))) => review.answer(number, &found.unwrap_or_default()),
            Some(Err(_)) => return,
            None => sleep(AGAIN).await,
        }
    }
}

/// A report as it is sent and kept. Through its text, so that numbers are written as short as they are there.
fn written(report: &Report) -> serde_json::Value {
    let text = serde_json::to_string(report).unwrap_or_default();
    serde_json::from_str(&text).unwrap_or_default()
}
