//! How often which player could not go on, and why: a match that was won because the other engine never started proves
//! nothing.

use super::external::Trouble;
use serde_json::{Value, json};

/// Players as answers and files call them.
pub(crate) const WHO: [&str; 2] = ["a", "b"];

/// One kind of trouble of one player.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Counted {
    /// 0 is A.
    pub(crate) who: usize,
    /// The first of its kind.
    pub(crate) trouble: Trouble,
    pub(crate) games: u32,
}

/// All the troubles of a match.
#[derive(Clone, PartialEq, Debug, Default)]
pub(crate) struct Troubles(Vec<Counted>);

impl Troubles {
    pub(crate) fn add(&mut self, who: usize, trouble: &Trouble) {
        let same = |counted: &&mut Counted| counted.who == who && counted.trouble.words().0 == trouble.words().0;
        match self.0.iter_mut().find(same) {
            Some(counted) => counted.games += 1,
            None => self.0.push(Counted { who, trouble: trouble.clone(), games: 1 }),
        }
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &Counted> {
        self.0.iter()
    }

    /// Whether a player failed, so that the result is none.
    pub(crate) fn failed(&self) -> bool {
        self.0.iter().any(|counted| counted.trouble.is_failure())
    }

    /// For programs.
    pub(crate) fn told(&self) -> Value {
        let one = |counted: &Counted| {
            let mut value = told(counted.who, &counted.trouble);
            value["games"] = counted.games.into();
            value
        };
        self.0.iter().map(one).collect()
    }
}

/// One trouble, for programs and files.
pub(crate) fn told(who: usize, trouble: &Trouble) -> Value {
    let (why, more) = trouble.words();
    json!({ "by": WHO[who], "why": why, "said": more })
}

/// What was [`told`].
pub(crate) fn read(value: &Value) -> Option<(usize, Trouble)> {
    let who = WHO.iter().position(|who| value["by"] == *who)?;
    Some((who, Trouble::named(value["why"].as_str()?, value["said"].as_str())?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use rules::Square;

    #[test]
    fn troubles_are_counted_by_player_and_kind_and_read_back() {
        let all = [
            Trouble::NotStarted("no such file".to_owned()),
            Trouble::Crashed,
            Trouble::Hung,
            Trouble::Answer("\"resign\"".to_owned()),
            Trouble::Illegal(Square::A1),
            Trouble::Time,
            Trouble::NoMove,
        ];
        for trouble in &all {
            let text = told(1, trouble).to_string();
            assert_eq!(read(&serde_json::from_str(&text).unwrap()), Some((1, trouble.clone())), "{text}");
            let mut troubles = Troubles::default();
            assert!(!troubles.failed());
            troubles.add(0, trouble);
            assert_eq!(troubles.failed(), *trouble != Trouble::Time);
        }
        let mut troubles = Troubles::default();
        for (who, trouble) in
            [(0, &all[2]), (1, &all[2]), (0, &all[2]), (0, &Trouble::Illegal(Square::H8)), (0, &all[4])]
        {
            troubles.add(who, trouble);
        }
        let counted: Vec<(usize, u32)> = troubles.iter().map(|counted| (counted.who, counted.games)).collect();
        assert_eq!(counted, [(0, 2), (1, 1), (0, 2)]);
        assert_eq!(troubles.told()[2], json!({ "by": "a", "why": "illegal", "said": "h8", "games": 2 }));
        assert_eq!(read(&json!({ "by": "c", "why": "hung" })), None);
    }
}
