//! The latest refusals, so that the same command again gets the same answer.
//!
//! What was done is known for ever by the id of its command in the game's log. This memory is for the rest, and holds as long as a
//! page is likely to ask again. Nobody's commands make another person's be forgotten.

use std::{
    collections::{HashMap, VecDeque},
    sync::{Arc, Mutex, PoisonError},
};
use table::{CommandId, PersonId};

/// How many answers are remembered for one person.
const EACH: usize = 32;
/// How many people.
const PEOPLE: usize = 4096;

#[derive(Debug, Default)]
pub(crate) struct Answers {
    inner: Mutex<Inner>,
}

#[derive(Debug, Default)]
struct Inner {
    by_person: HashMap<PersonId, VecDeque<(CommandId, Arc<str>)>>,
    /// Who was refused something longest ago first.
    oldest: VecDeque<PersonId>,
}

impl Answers {
    pub(crate) fn get(&self, who: PersonId, id: &CommandId) -> Option<Arc<str>> {
        let inner = self.inner.lock().unwrap_or_else(PoisonError::into_inner);
        let (_, answer) = inner.by_person.get(&who)?.iter().find(|(known, _)| known == id)?;
        Some(answer.clone())
    }

    pub(crate) fn keep(&self, who: PersonId, id: &CommandId, answer: &Arc<str>) {
        let mut inner = self.inner.lock().unwrap_or_else(PoisonError::into_inner);
        let Inner { by_person, oldest } = &mut *inner;
        let answers = by_person.entry(who).or_insert_with(|| {
            oldest.push_back(who);
            VecDeque::new()
        });
        answers.push_back((id.clone(), answer.clone()));
        if answers.len() > EACH {
            answers.pop_front();
        }
        if oldest.len() > PEOPLE
            && let Some(who) = oldest.pop_front()
        {
            by_person.remove(&who);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_person_has_a_memory_of_their_own() {
        let answers = Answers::default();
        let id = |n: usize| n.to_string().parse::<CommandId>().unwrap();
        answers.keep(PersonId(2), &id(0), &"no".into());
        for n in 0..EACH + 10 {
            answers.keep(PersonId(1), &id(n), &"no".into());
        }
        assert!(answers.get(PersonId(1), &id(9)).is_none(), "the oldest are forgotten first");
        assert!(answers.get(PersonId(1), &id(10)).is_some());
        assert!(answers.get(PersonId(2), &id(0)).is_some(), "another person's commands change nothing");
        assert!(answers.get(PersonId(2), &id(10)).is_none(), "another person's id is another command");
        for n in 0..PEOPLE {
            answers.keep(PersonId(100 + n as i64), &id(0), &"no".into());
        }
        assert!(answers.get(PersonId(2), &id(0)).is_none());
        assert_eq!(answers.inner.lock().unwrap().by_person.len(), PEOPLE);
    }
}
