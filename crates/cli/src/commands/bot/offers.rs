//! Which games a bot plays.

use serde_json::Value;

/// What it looks for.
#[derive(Debug)]
pub(super) struct Wanted {
    /// The clocks of its own offers.
    pub(super) time: Value,
    /// Whether they count.
    pub(super) rated: bool,
    /// Its ratings, as the lobby says them.
    pub(super) ratings: Value,
}

/// What somebody has who has not played such games yet.
const NEW: i64 = 1500;

impl Wanted {
    /// Whether an offer is of such a game, and for somebody with its rating.
    pub(super) fn fits(&self, offer: &Value) -> bool {
        let ratings = self.ratings.as_array().into_iter().flatten();
        let known = ratings
            .filter(|rating| rating["category"] == offer["category"])
            .find_map(|rating| rating["rating"].as_i64());
        let rating = known.unwrap_or(NEW);
        offer["yours"] == false
            && offer["rules"]["time"] == self.time
            && offer["rated"] == self.rated
            && offer["rating_min"].as_i64().is_none_or(|min| min <= rating)
            && offer["rating_max"].as_i64().is_none_or(|max| rating <= max)
    }
}

/// Whether a game by these rules ends while both are there.
pub(super) fn is_live(rules: &Value) -> bool {
    matches!(rules["time"]["kind"].as_str(), Some("sudden_death" | "fischer" | "byo_yomi"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn only_offers_for_its_rating_are_tried() {
        let time = json!({"kind": "sudden_death", "main_ms": 300_000});
        let offer = |min: Value, max: Value| {
            json!({"yours": false, "rules": {"time": time}, "rated": true, "category": "rapid-standard", "rating_min": min,
                "rating_max": max})
        };
        let ratings =
            json!([{"category": "blitz-standard", "rating": 900}, {"category": "rapid-standard", "rating": 1700}]);
        let bot = Wanted { time: time.clone(), rated: true, ratings };
        assert!(bot.fits(&offer(Value::Null, Value::Null)) && bot.fits(&offer(json!(1700), json!(1700))));
        assert!(!bot.fits(&offer(json!(1701), Value::Null)) && !bot.fits(&offer(Value::Null, json!(1699))));
        let new = Wanted { ratings: json!([]), ..bot };
        assert!(new.fits(&offer(json!(1500), Value::Null)) && !new.fits(&offer(json!(1501), Value::Null)));
        assert!(!Wanted { rated: false, ..new }.fits(&offer(Value::Null, Value::Null)));
    }

    #[test]
    fn a_game_is_live_if_both_have_clocks() {
        assert!(is_live(&json!({"time": {"kind": "fischer", "main_ms": 1, "increment_ms": 1}})));
        assert!(
            !is_live(&json!({"time": {"kind": "none"}}))
                && !is_live(&json!({"time": {"kind": "per_move", "per_move_ms": 1}}))
        );
    }
}
