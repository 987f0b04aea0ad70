//! Studies: trees of variations that people keep. **Edit a copy, keep it, swap it in, tell**: nobody hears of a change that is not on
//! disk.
//!
//! A study belongs to one person and is found by nobody else. It is at hand as long as one of their pages has it open.

mod kept;
mod source;
mod text;
mod view;

use crate::{
    House, computer,
    lobby::Page,
    protocol::{StudyEdit, StudyFormat, StudyId, StudySource, StudySummary, ToBrowser, Why},
    refusal::Refused,
    reviews::RunningReview,
    secret,
    socket::{Outbox, text as message},
};
pub(crate) use kept::KeptReview;
use kept::StudyState;
use record::svg::{self, Diagram};
use room::{Command, Document, DocumentKey, DocumentKind, Write};
use rules::{Position, Square};
use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError, Weak},
};
use store::StoreError;
use study::tree::{NodeId, Shape, Tree};
use table::{CommandId, GameId, PersonId};
use tokio::sync::OnceCell;

/// How many studies in one answer to `studies`.
const LISTED: usize = 30;
/// How many studies of one person.
const MOST_STUDIES: u64 = 1000;
/// How many studies open in one page.
const MOST_OPEN: usize = 32;
/// Characters of a study's id.
const ID: usize = 12;

/// The studies at hand.
#[derive(Debug, Default)]
pub(crate) struct Studies {
    slots: Mutex<HashMap<(PersonId, StudyId), Weak<Slot>>>,
}

type Slot = OnceCell<Arc<OpenStudy>>;

/// A study at hand.
#[derive(Debug)]
pub(crate) struct OpenStudy {
    key: DocumentKey,
    state: tokio::sync::Mutex<State>,
    /// Pages that have it open.
    listeners: Mutex<HashMap<u64, Outbox>>,
    pub(crate) review: Mutex<Option<RunningReview>>,
}

#[derive(Debug)]
struct State {
    study: StudyState,
    /// How often it was written.
    revision: u64,
    deleted: bool,
}

/// How a position came about.
#[derive(Debug)]
pub(crate) struct LedTo {
    pub(crate) start: Position,
    pub(crate) moves: Vec<Square>,
    /// The move that was played there, where a review is sure that it was bad.
    pub(crate) mistake: Option<Square>,
    /// Why it was, where that has been found.
    pub(crate) reason: Option<serde_json::Value>,
}

type SlotsById = HashMap<StudyId, (Arc<Slot>, Arc<OpenStudy>)>;

/// The studies a page has open.
#[derive(Clone, Debug, Default)]
pub(crate) struct OpenStudies(Arc<Mutex<SlotsById>>);

impl OpenStudies {
    fn lock(&self) -> MutexGuard<'_, SlotsById> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Refused {
    fn no_such_study() -> Refused {
        Refused::new(Why::NoSuchStudy, "there is no such study")
    }

    pub(crate) fn no_such_node() -> Refused {
        study::tree::EditError::NoSuchNode.into()
    }
}

impl OpenStudy {
    fn new(key: DocumentKey, study: StudyState, revision: u64) -> Arc<OpenStudy> {
        let state = State { study, revision, deleted: false };
        Arc::new(OpenStudy {
            key,
            state: tokio::sync::Mutex::new(state),
            listeners: Mutex::default(),
            review: Mutex::default(),
        })
    }

    pub(crate) fn id(&self) -> &StudyId {
        &self.key.id
    }

    fn listeners(&self) -> MutexGuard<'_, HashMap<u64, Outbox>> {
        self.listeners.lock().unwrap_or_else(PoisonError::into_inner)
    }

    async fn enter(&self) -> Result<tokio::sync::MutexGuard<'_, State>, Refused> {
        let state = self.state.lock().await;
        if state.deleted { Err(Refused::no_such_study()) } else { Ok(state) }
    }

    /// A position of it.
    pub(crate) async fn position(&self, at: NodeId) -> Result<Position, Refused> {
        let state = self.enter().await?;
        state.study.tree.node(at).map(|node| node.position()).ok_or_else(Refused::no_such_node)
    }

    /// The positions from the start to one of it; none if there is no such.
    pub(crate) async fn line_to(&self, at: NodeId) -> Result<Vec<Position>, Refused> {
        let state = self.enter().await?;
        let tree = &state.study.tree;
        Ok(tree.line_to(at).into_iter().filter_map(|id| tree.node(id)).map(|node| node.position()).collect())
    }

    /// Its main line as a game, and the moves of it.
    pub(crate) async fn main_line(&self) -> Result<(record::Record, Vec<Square>), Refused> {
        let state = self.enter().await?;
        Ok((state.study.tree.main_record(), state.study.line()))
    }

    /// How a position of it came about.
    async fn led_to(&self, at: NodeId) -> Result<LedTo, Refused> {
        let state = self.enter().await?;
        let tree = &state.study.tree;
        let line = tree.line_to(at);
        if line.is_empty() {
            return Err(Refused::no_such_node());
        }
        let moves = tree.squares(&line);
        let review = self.running_report().or_else(|| state.study.last_review());
        let (mistake, reason) = review.and_then(|review| review.mistake_after(&moves)).unzip();
        Ok(LedTo { start: tree.start(), moves, mistake, reason: reason.flatten() })
    }

    /// The last finished review.
    pub(crate) async fn last_review(&self) -> Result<Option<KeptReview>, Refused> {
        Ok(self.enter().await?.study.last_review())
    }

    /// Keeps a finished review with the study, if its main line is still the same.
    pub(crate) async fn keep_review(&self, house: &House, review: KeptReview) {
        let Ok(mut state) = self.enter().await else { return };
        if state.study.line() != review.line {
            return;
        }
        let mut study = state.study.clone();
        study.set_review(review);
        let document = document(&self.key, &study, state.revision + 1);
        // If it cannot be kept, it is made again when it is next asked for.
        if house.keep(vec![Write::Keep(Box::new(document))]).await.is_ok() {
            state.study = study;
            state.revision += 1;
        }
    }

    /// A page hears of changes from now on.
    fn listen(&self, page: &Page) {
        self.listeners().insert(page.socket, page.outbox.clone());
    }

    /// A page hears no more: what it asked of the computer here ends.
    fn leave(&self, page: &Page) {
        self.listeners().remove(&page.socket);
        page.analyses.stop_in(&self.key.id);
        self.stop_review(page);
    }
}

/// A position with its last move and what was drawn on it.
fn drawing(tree: &Tree, at: NodeId) -> Diagram {
    let Some(node) = tree.node(at) else { return Diagram::of(&tree.start()) };
    let mut diagram = Diagram::of(&node.position());
    if let Some(square) = node.square() {
        diagram = diagram.last(square);
    }
    for mark in node.marks() {
        diagram = diagram.shape(
            mark.square,
            match mark.kind {
                Shape::Circle => svg::Shape::Circle,
                Shape::Square => svg::Shape::Square,
                Shape::Triangle => svg::Shape::Triangle,
                Shape::Cross => svg::Shape::Cross,
            },
        );
    }
    node.arrows().iter().fold(diagram, |diagram, arrow| diagram.arrow(arrow.from, arrow.to))
}

fn document(key: &DocumentKey, study: &StudyState, revision: u64) -> Document {
    Document { key: key.clone(), revision, changed: study.changed, due: None, head: study.head(), body: study.body() }
}

fn key(who: PersonId, id: &StudyId) -> DocumentKey {
    DocumentKey { who, kind: DocumentKind::STUDY, id: id.clone() }
}

impl House {
    /// The place of a study among those at hand.
    fn slot(&self, who: PersonId, id: &StudyId) -> Arc<Slot> {
        let mut slots = self.studies.slots.lock().unwrap_or_else(PoisonError::into_inner);
        let place = (who, id.clone());
        if let Some(slot) = slots.get(&place).and_then(Weak::upgrade) {
            return slot;
        }
        slots.retain(|_, slot| slot.strong_count() > 0);
        let slot = Arc::new(Slot::new());
        slots.insert(place, Arc::downgrade(&slot));
        slot
    }

    /// A study of theirs, which is read if it is not at hand. As long as its slot is held, everybody gets the same.
    async fn study(&self, who: PersonId, id: &StudyId) -> Result<(Arc<Slot>, Arc<OpenStudy>), Refused> {
        let slot = self.slot(who, id);
        let read = async {
            let document = self.store.document(&key(who, id)).await?.ok_or_else(Refused::no_such_study)?;
            let study = StudyState::read(&document.body, document.changed)
                .ok_or_else(|| Refused::new(Why::Unreadable, "the study cannot be read"))?;
            Ok::<_, Refused>(OpenStudy::new(document.key, study, document.revision))
        };
        let study = slot.get_or_try_init(|| read).await?.clone();
        Ok((slot, study))
    }

    /// Whether they have this study.
    pub(crate) async fn has_study(&self, who: PersonId, id: &StudyId) -> Result<bool, Refused> {
        Ok(self.store.document(&key(who, id)).await?.is_some())
    }

    /// How a position of one of their studies came about.
    pub(crate) async fn led_to(&self, who: PersonId, id: &StudyId, at: NodeId) -> Result<LedTo, Refused> {
        let (_slot, study) = self.study(who, id).await?;
        study.led_to(at).await
    }

    /// A study that this page has open: what is asked of the computer there ends when it is closed.
    pub(crate) fn open_study(&self, page: &Page, id: &StudyId) -> Result<Arc<OpenStudy>, Refused> {
        let open = page.studies.lock().get(id).map(|(_, study)| study.clone());
        open.ok_or_else(|| Refused::new(Why::NoSuchStudy, "the study is not open in this page"))
    }

    /// Begins a study and shows it.
    pub(crate) async fn study_new(
        self: &Arc<House>,
        page: &Page,
        command: &Command,
        from: StudySource,
    ) -> Result<(), Refused> {
        // The same command makes the same study; so do the same game of the library and the same exercise, whenever they are opened.
        let what = self.source_name(command.who, &from).await?.unwrap_or_else(|| command.id.to_string());
        let purpose = format!("study {} {what}", command.who.0);
        let id: StudyId = secret::derived(&self.store.key().0, &purpose, ID)
            .parse()
            .map_err(|error| Refused::new(Why::NotSaved, error))?;
        if self.store.document(&key(command.who, &id)).await?.is_some() {
            return self.study_open(page, command, &id).await;
        }
        let counts = self.store.count_documents(command.who, DocumentKind::STUDY, 0).await?;
        if counts.all >= MOST_STUDIES {
            return Err(Refused::new(Why::Full, "too many studies: delete some"));
        }
        if let StudySource::Random { from, to, empties } = from {
            let range = source::RandomRange::new(from, to, empties)?;
            let (house, page, command) = (self.clone(), page.clone(), command.clone());
            // It takes a while: other commands of the page are carried out meanwhile.
            tokio::spawn(async move {
                let made = tokio::select! {
                    made = house.random_position(computer::owner(&page), &range) => made,
                    () = page.outbox.closed() => return,
                };
                let begun = match made {
                    Ok(position) => house.begin_study(&page, &command, &id, Tree::new(position), None, 0).await,
                    Err(refused) => Err(refused),
                };
                if let Err(refused) = begun {
                    house.metrics.refused(refused.why);
                    page.outbox.push(&message(&refused.answer(command.id.clone())));
                }
            });
            return Ok(());
        }
        let (tree, game, more) = self.source(command.who, from).await?;
        self.begin_study(page, command, &id, tree, game, more).await
    }

    async fn begin_study(
        &self,
        page: &Page,
        command: &Command,
        id: &StudyId,
        tree: Tree,
        game: Option<GameId>,
        more: u32,
    ) -> Result<(), Refused> {
        let study = StudyState::new(tree, game, self.time.now());
        let mut writes = vec![Write::Keep(Box::new(document(&key(command.who, id), &study, 1)))];
        writes.extend(page.identity.write());
        match self.keep(writes).await {
            // The same command came twice at once: the other one was first.
            Ok(()) | Err(StoreError::Conflict) => self.show_study(page, command, id, more).await,
            Err(error) => Err(error.into()),
        }
    }

    /// Shows a study to a page, now and after every change.
    pub(crate) async fn study_open(&self, page: &Page, command: &Command, id: &StudyId) -> Result<(), Refused> {
        self.show_study(page, command, id, 0).await
    }

    async fn show_study(&self, page: &Page, command: &Command, id: &StudyId, more: u32) -> Result<(), Refused> {
        let open = page.studies.lock().len();
        if open >= MOST_OPEN && !page.studies.lock().contains_key(id) {
            return Err(Refused::new(Why::TooMany, "too many studies are open in this page: close some"));
        }
        let quiet = self.quiet_for(page).await?;
        let (slot, study) = self.study(command.who, id).await?;
        let state = study.enter().await?;
        study.listen(page);
        page.studies.lock().insert(id.clone(), (slot, study.clone()));
        let book = view::OpenBook { book: &self.book, quiet: &quiet };
        let view = view::study(Some(command.id.clone()), id, &state.study, &book, more);
        page.outbox.push(&message(&ToBrowser::Study(Box::new(view))));
        Ok(())
    }

    /// A page hears no more of a study.
    pub(crate) fn study_close(&self, page: &Page, id: &StudyId) {
        let closed = page.studies.lock().remove(id);
        if let Some((_, study)) = closed {
            study.leave(page);
        }
    }

    /// A page has gone.
    pub(crate) fn forget_studies(&self, page: &Page) {
        let open = std::mem::take(&mut *page.studies.lock());
        for (_, study) in open.into_values() {
            study.leave(page);
        }
        page.analyses.stop_all();
    }

    pub(crate) async fn study_edit(
        &self,
        page: &Page,
        command: &Command,
        id: &StudyId,
        seq: u64,
        edit: &StudyEdit,
    ) -> Result<(), Refused> {
        let quiet = self.quiet_for(page).await?;
        let book = view::OpenBook { book: &self.book, quiet: &quiet };
        let (_slot, study) = self.study(command.who, id).await?;
        let mut state = study.enter().await?;
        let whole = |id: Option<CommandId>, state: &State| {
            message(&ToBrowser::Study(Box::new(view::study(id, &study.key.id, &state.study, &book, 0))))
        };
        if state.study.has_done(&command.id) {
            page.outbox.push(&whole(Some(command.id.clone()), &state));
            return Ok(());
        }
        let stale = || Refused::new(Why::Stale, "the study has changed meanwhile");
        if seq != state.study.seq {
            page.outbox.push(&whole(None, &state));
            return Err(stale());
        }
        let mut tree = state.study.tree.clone();
        let edited = tree.edit(edit)?;
        if edited.changed {
            let mut changed = state.study.clone();
            changed.change(tree, command.id.clone(), self.time.now());
            let document = document(&study.key, &changed, state.revision + 1);
            match self.keep(vec![Write::Keep(Box::new(document))]).await {
                Ok(()) => {} // it is changed from here
                Err(StoreError::Conflict) => {
                    self.reload(&study, &mut state).await?;
                    page.outbox.push(&whole(None, &state));
                    return Err(stale());
                }
                Err(error) => return Err(error.into()),
            }
            state.study = changed;
            state.revision += 1;
        }
        let change = |id| {
            let change = view::change(id, &study.key.id, &state.study, &book, &edited);
            message(&ToBrowser::StudyChanged(Box::new(change)))
        };
        page.outbox.push(&change(Some(command.id.clone())));
        if edited.changed {
            let news = change(None);
            for (_, outbox) in study.listeners().iter().filter(|(socket, _)| **socket != page.socket) {
                outbox.push(&news);
            }
        }
        Ok(())
    }

    /// The disk knows more than we do, and is right.
    async fn reload(&self, study: &OpenStudy, state: &mut State) -> Result<(), Refused> {
        let document = self.store.document(&study.key).await?.ok_or_else(Refused::no_such_study)?;
        state.study = StudyState::read(&document.body, document.changed)
            .ok_or_else(|| Refused::new(Why::Unreadable, "the study cannot be read"))?;
        state.revision = document.revision;
        Ok(())
    }

    /// Deletes a study for good, also one that cannot be read.
    pub(crate) async fn study_delete(&self, who: PersonId, id: &StudyId) -> Result<(), Refused> {
        let key = key(who, id);
        let (_slot, study) = match self.study(who, id).await {
            Ok(study) => study,
            Err(refused) if refused.why == Why::Unreadable => {
                return Ok(self.keep(vec![Write::Discard(key)]).await?);
            }
            Err(refused) => return Err(refused),
        };
        let mut state = study.enter().await?;
        self.keep(vec![Write::Discard(key)]).await?;
        state.deleted = true;
        let gone = message(&ToBrowser::StudyGone { study: id.clone() });
        for (_, outbox) in study.listeners().drain() {
            outbox.push(&gone);
        }
        study.end_review();
        Ok(())
    }

    pub(crate) async fn studies(
        &self,
        who: PersonId,
        before: Option<&StudyId>,
    ) -> Result<(Vec<StudySummary>, bool), Refused> {
        let mut listed = self.store.documents(who, DocumentKind::STUDY, before, LISTED + 1).await?;
        let more = listed.len() > LISTED;
        listed.truncate(LISTED);
        Ok((listed.into_iter().map(|one| kept::summary(one.id, one.changed, &one.head)).collect(), more))
    }

    /// A study as a text.
    pub(crate) async fn study_file(
        &self,
        page: &Page,
        id: &StudyId,
        format: StudyFormat,
        at: Option<NodeId>,
    ) -> Result<String, Refused> {
        let (_slot, study) = self.study(page.who(), id).await?;
        let state = study.enter().await?;
        let tree = &state.study.tree;
        let line = match at {
            Some(at) => tree.line_record(at).ok_or_else(Refused::no_such_node)?,
            None => tree.main_record(),
        };
        Ok(match format {
            StudyFormat::Sgf => record::sgf::write(&tree.record()),
            StudyFormat::Ggf => format!("{}\n", record::ggf::write(&line)),
            StudyFormat::Transcript => line.main_line().map(|square| square.to_string()).collect(),
            StudyFormat::Board => record::board_text::write(line.end().setup()),
            StudyFormat::Svg if at.is_none() => Diagram::of_game(&line).write(),
            StudyFormat::Svg => drawing(tree, at.unwrap_or(NodeId::ROOT)).write(),
        })
    }

    /// The boards along a line that is only looked at.
    pub(crate) async fn study_line(
        &self,
        page: &Page,
        id: &StudyId,
        at: NodeId,
        squares: &[Square],
    ) -> Result<Vec<crate::protocol::LineBoard>, Refused> {
        let (_slot, study) = self.study(page.who(), id).await?;
        Ok(view::line(study.position(at).await?, squares))
    }

    /// What can be seen of a position besides its discs.
    pub(crate) async fn study_overlay(
        &self,
        page: &Page,
        id: &StudyId,
        at: NodeId,
    ) -> Result<crate::protocol::Overlay, Refused> {
        let (_slot, study) = self.study(page.who(), id).await?;
        let state = study.enter().await?;
        view::overlay(&state.study.tree, at).ok_or_else(Refused::no_such_node)
    }
}
