use super::*;
use std::{env, io::Write as _};

/// Runs `test` with the address of a schema of its own, where there is a database.
fn with_schema(name: &str, test: impl FnOnce(&str, &dyn Fn(&str) -> Vec<String>)) {
    let Ok(server) = env::var("OUTFLANK_TEST_POSTGRES") else {
        let _ = writeln!(io::stderr(), "skipped: {name}: OUTFLANK_TEST_POSTGRES names no database");
        return;
    };
    let schema = format!("inner_{}_{name}", std::process::id());
    let address = format!("{server}?options=-csearch_path%3D{schema}");
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let place = Place::new(open::config(&address).unwrap(), runtime.handle().clone());
    let link = runtime.block_on(place.connect("test")).unwrap();
    let run = |sql: &str| -> Vec<String> { runtime.block_on(link.lines(sql)).unwrap() };
    run(&format!("CREATE SCHEMA {schema}"));
    test(&address, &run);
    run(&format!("DROP SCHEMA {schema} CASCADE"));
}

impl link::Connected {
    /// The first column of what the statements find.
    async fn lines(&self, sql: &str) -> Result<Vec<String>, tokio_postgres::Error> {
        let messages = self.client.simple_query(sql).await?;
        let rows = messages.into_iter().filter_map(|message| match message {
            tokio_postgres::SimpleQueryMessage::Row(row) => row.get(0).map(str::to_owned),
            _ => None,
        });
        Ok(rows.collect())
    }
}

#[test]
fn an_older_database_is_brought_up_to_date_or_left_as_it_is() {
    with_schema("upgrade", |address, run| {
        drop(Postgres::open(address).unwrap());
        let version = || run("SELECT version FROM outflank");
        let newest = schema::VERSION;
        assert_eq!(version(), [newest.to_string()]);
        let key = Postgres::open(address).unwrap().key();
        // The second of two steps fails: neither has happened.
        const MORE: &str = "CREATE TABLE more (x INTEGER)";
        const BROKEN: &[(i32, &str)] =
            &[(schema::VERSION, ""), (schema::VERSION + 1, MORE), (schema::VERSION + 2, MORE)];
        assert!(matches!(Postgres::open_with(address, Servers::Several, BROKEN), Err(OpenError::Unreachable { .. })));
        assert_eq!(version(), [newest.to_string()]);
        assert_eq!(
            run(
                "SELECT count(*) FROM pg_class WHERE relname = 'more' AND relnamespace = current_schema()::regnamespace"
            ),
            ["0"]
        );
        let good = &BROKEN[..2];
        assert_eq!(Postgres::open_with(address, Servers::Several, good).unwrap().key(), key);
        assert_eq!(Postgres::open_with(address, Servers::Several, good).unwrap().key(), key, "once only");
        assert_eq!(version(), [(newest + 1).to_string()]);
        assert!(matches!(Postgres::open(address), Err(OpenError::Newer(_))), "there is no way back");
    });
}

/// Every question finds its answer through an index, however much is kept.
#[test]
fn no_question_reads_a_whole_table() {
    with_schema("plans", |address, run| {
        drop(Postgres::open(address).unwrap());
        let all = [read::QUESTIONS, document::QUESTIONS, account::QUESTIONS, meeting::QUESTIONS].concat();
        assert!(all.len() > 30);
        for (number, sql) in all.into_iter().enumerate() {
            let values = (1..=9).filter(|n| sql.contains(&format!("${n}"))).map(|_| "NULL").collect::<Vec<_>>();
            let list = if values.is_empty() { String::new() } else { format!("({})", values.join(", ")) };
            run(&format!("SET enable_seqscan = off; PREPARE q{number} AS {sql}"));
            let plan = run(&format!("EXPLAIN EXECUTE q{number} {list}"));
            assert!(!plan.is_empty());
            for line in &plan {
                assert!(!line.contains("Seq Scan"), "{sql}: {}", plan.join("\n"));
            }
        }
    });
}

#[test]
fn what_nobody_waits_for_any_more_is_not_done() {
    with_schema("timeout", |address, run| {
        assert_eq!(run("SHOW statement_timeout"), ["0"], "who moves everything takes the time it takes");
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let place = Arc::new(Place::new(open::config(address).unwrap(), runtime.handle().clone()));
        let link = runtime.block_on(Slot::new(place, "test".to_owned()).link()).unwrap();
        assert_eq!(runtime.block_on(link.lines("SHOW statement_timeout")).unwrap(), ["7s"]);
    });
}

#[test]
fn while_everything_is_moved_the_database_is_in_use() {
    with_schema("moved", |address, run| {
        drop(Postgres::open(address).unwrap());
        run("SELECT pg_advisory_lock(1330992198, hashtext(current_schema()))");
        let refused = Postgres::open_for_one_server(address).unwrap_err();
        assert!(matches!(refused, OpenError::InUse(_)), "{refused:?}");
    });
}
