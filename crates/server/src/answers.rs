//! The latest answers, so that the same command again gets the same one.
//!
//! Entries are also kept with the id of their command in the log: that holds for ever. This memory is for the rest, refusals
//! above all, and holds as long as a page is likely to ask again.

use std::{
    collections::{HashMap, VecDeque},
    sync::{Arc, Mutex, PoisonError},
};
use table::Who;

/// So many answers are remembered.
const MOST: usize = 4096;

#[derive(Debug, Default)]
pub(crate) struct Answers {
    inner: Mutex<Inner>,
}

#[derive(Debug, Default)]
struct Inner {
    by_command: HashMap<(Who, String), Arc<str>>,
    oldest: VecDeque<(Who, String)>,
}

impl Answers {
    pub(crate) fn get(&self, who: Who, id: &str) -> Option<Arc<str>> {
        let inner = self.inner.lock().unwrap_or_else(PoisonError::into_inner);
        inner.by_command.get(&(who, id.to_owned())).cloned()
    }

    pub(crate) fn keep(&self, who: Who, id: &str, answer: &Arc<str>) {
        let mut inner = self.inner.lock().unwrap_or_else(PoisonError::into_inner);
        let key = (who, id.to_owned());
        if inner.by_command.insert(key.clone(), answer.clone()).is_none() {
            inner.oldest.push_back(key);
        }
        if inner.oldest.len() > MOST
            && let Some(oldest) = inner.oldest.pop_front()
        {
            inner.by_command.remove(&oldest);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_oldest_answers_are_forgotten_first() {
        let answers = Answers::default();
        for n in 0..MOST + 10 {
            answers.keep(Who(1), &n.to_string(), &"yes".into());
        }
        assert!(answers.get(Who(1), "9").is_none());
        assert!(answers.get(Who(1), "10").is_some());
        assert!(answers.get(Who(2), "10").is_none(), "another person's id is another command");
    }
}
