use super::*;
use crate::sqlite::{account::EVERY_REQUEST, all_tables, meeting};

/// Every question finds its answer through an index, however many games there are.
#[test]
fn no_question_reads_a_whole_table_or_sorts() {
    let connection = Connection::open_in_memory().unwrap();
    connection.execute_batch(&all_tables()).unwrap();
    let games = [GAME, ENTRIES, BEGUN_BY, BEGUN, &LIST, OPEN_GAMES, DUE, RUNNING, ALIVE];
    for sql in games.into_iter().chain(EVERY_REQUEST).chain(meeting::every_question()) {
        let mut statement = connection.prepare(&format!("EXPLAIN QUERY PLAN {sql}")).unwrap();
        let values = vec![rusqlite::types::Null; statement.parameter_count()];
        let plan: Vec<String> = statement
            .query_map(rusqlite::params_from_iter(values), |row| row.get("detail"))
            .unwrap()
            .collect::<Result<_, _>>()
            .unwrap();
        assert!(!plan.is_empty());
        for step in &plan {
            // Reading a partial index from its beginning is no search, but as good.
            assert!(!step.contains("SCAN"), "{sql}: {step}");
            assert!(!step.contains("TEMP B-TREE"), "{sql}: {step}");
        }
        let uses = |index: &str| plan.iter().any(|step| step.contains(index));
        assert!(sql != DUE || uses("COVERING INDEX game_deadline"), "{plan:?}");
        assert!(sql != OPEN_GAMES || uses("INDEX listing_open"), "{plan:?}");
        assert!(sql != RUNNING || uses("INDEX game_running"), "{plan:?}");
        assert!(sql != LIST.as_str() || uses("INDEX listing_latest"), "{plan:?}");
    }
}
