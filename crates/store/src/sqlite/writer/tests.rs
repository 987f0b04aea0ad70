use super::*;

/// A disk that answers as it was told to, and remembers what it was asked.
#[derive(Default)]
struct Scripted {
    commits: Vec<Result<Vec<Kept>, CommitError>>,
    settles: Vec<bool>,
    asked: String,
}

impl Disk for Scripted {
    fn commit(&mut self, jobs: &[Vec<Write>]) -> Result<Vec<Kept>, CommitError> {
        self.asked += "commit ";
        if self.commits.is_empty() { Ok(vec![Ok(()); jobs.len()]) } else { self.commits.remove(0) }
    }

    fn settle(&mut self) -> Result<(), Arc<str>> {
        self.asked += "settle ";
        let works = self.settles.is_empty() || self.settles.remove(0);
        if works { Ok(()) } else { Err("still broken".into()) }
    }
}

fn during() -> Result<Vec<Kept>, CommitError> {
    Err(CommitError::During("broken".into()))
}

fn writer(commits: Vec<Result<Vec<Kept>, CommitError>>, settles: &[bool]) -> Writer<Scripted> {
    Writer { disk: Scripted { commits, settles: settles.to_vec(), asked: String::new() }, unsettled: None }
}

fn jobs(count: usize) -> Vec<Vec<Write>> {
    vec![vec![Write::Alive { at: 1 }]; count]
}

#[test]
fn what_works_or_was_refused_is_answered_as_it_is() {
    let results = vec![Ok(()), Err(StoreError::Conflict)];
    let mut writer = writer(vec![Ok(results.clone())], &[]);
    assert_eq!(writer.keep(&jobs(2)), results);
    assert_eq!(writer.disk.asked, "commit ");
}

#[test]
fn an_error_before_the_commit_is_certain() {
    let mut writer = writer(vec![Err(CommitError::Before(StoreError::Full))], &[]);
    assert_eq!(writer.keep(&jobs(2)), vec![Err(StoreError::Full); 2]);
    assert_eq!(writer.disk.asked, "commit ", "there is nothing to settle");
}

#[test]
fn a_job_that_cannot_be_kept_does_not_spoil_the_others() {
    let damaged = || StoreError::NotKept("damaged".into());
    let mut writer = writer(vec![Err(CommitError::Job(1, damaged())), Ok(vec![Ok(())])], &[]);
    assert_eq!(writer.keep(&jobs(4)), [Ok(()), Err(damaged()), Ok(()), Ok(())]);
    assert_eq!(writer.disk.asked, "commit commit commit ");
}

#[test]
fn a_failed_commit_is_called_undone_only_once_it_is_settled() {
    let mut writer = writer(vec![during()], &[]);
    assert_eq!(writer.keep(&jobs(2)), vec![Err(StoreError::NotKept("broken".into())); 2]);
    assert_eq!(writer.disk.asked, "commit settle ");
    assert!(writer.unsettled.is_none());
}

#[test]
fn settling_is_tried_again() {
    let mut writer = writer(vec![during()], &[false, false, true]);
    assert_eq!(writer.keep(&jobs(1)), [Err(StoreError::NotKept("broken".into()))]);
    assert_eq!(writer.disk.asked, "commit settle settle settle ");
    assert!(writer.unsettled.is_none());
}

#[test]
fn while_nobody_knows_nothing_else_is_written() {
    let mut writer = writer(vec![during()], &[false; 6]);
    assert_eq!(writer.keep(&jobs(1)), [Err(StoreError::Unknown("broken".into()))]);
    assert!(writer.unsettled.is_some());
    writer.disk.asked.clear();
    // What comes later was never tried, so it is certainly not kept.
    assert_eq!(writer.keep(&jobs(1)), [Err(StoreError::NotKept("still broken".into()))]);
    assert_eq!(writer.disk.asked, "settle settle settle ");
    writer.disk.asked.clear();
    // Settling works again: even when nobody writes.
    assert_eq!(writer.keep(&[]), []);
    assert!(writer.unsettled.is_none());
    assert_eq!(writer.keep(&jobs(1)), [Ok(())]);
    assert_eq!(writer.disk.asked, "settle commit commit ");
}

#[test]
fn health_says_what_the_last_write_met() {
    let mut health = Health::default();
    let note = |health: &mut Health, results: &[Kept], unsettled: Option<&str>| {
        let unsettled = unsettled.map(Arc::from);
        health.note(results, unsettled.as_ref(), Instant::now());
    };
    assert!(health.is_well());
    note(&mut health, &[Ok(()), Err(StoreError::Conflict)], None);
    assert!(health.is_well() && health.last_commit.is_some());
    assert_eq!((health.commits, health.jobs), (1, 2));
    note(&mut health, &[Err(StoreError::Full)], None);
    assert_eq!(health.trouble.as_deref(), Some("the disk is full"));
    note(&mut health, &[Err(StoreError::Unknown("broken".into()))], Some("still broken"));
    assert!(health.unsettled && !health.is_well());
    assert_eq!((health.commits, health.jobs), (1, 2), "none of that reached the disk");
    note(&mut health, &[], None);
    assert!(health.is_well(), "settled while nobody wrote");
    // One damaged game is trouble, though the rest of the batch is kept.
    note(&mut health, &[Ok(()), Err(StoreError::NotKept("damaged".into()))], None);
    assert!(!health.is_well());
    assert_eq!(health.commits, 2);
}
