//! The database is restarted, and killed, under play: a pause, nothing lost, nothing twice.
//!
//! Only the one that `scripts/services run` has started for these tests. It is alone in its file, because others would notice.

mod database;
mod games;

use database::Schema;
use games::Game;
use std::{
    env,
    path::Path,
    process::Command,
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
};
use store::{Postgres, Store, StoreError};
use tokio::sync::watch;

const GAMES: usize = 12;

fn services(what: &'static str) {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scripts/services");
    let status = Command::new(script).args([what, "postgres"]).status().unwrap();
    assert!(status.success(), "{what}: {status}");
}

/// Plays games, one after the other, until it is told to stop; returns each with how many of its moves were kept.
async fn play(
    store: Arc<Postgres>,
    number: usize,
    stop: Arc<AtomicBool>,
    kept: watch::Sender<u64>,
    refused: Arc<AtomicU64>,
) -> Vec<Game> {
    let mut games = Vec::new();
    let mut unknown = false;
    'games: for n in 0.. {
        let mut game = Game::new(&format!("g{number:02}-{n:05}"));
        let mut next = game.begin();
        loop {
            match store.write(next.clone()).await {
                Ok(()) => {}
                // Somebody who was not told what became of it asks again, and hears that it is there.
                Err(StoreError::Conflict) if unknown => {}
                Err(StoreError::NotKept(_)) => {
                    refused.fetch_add(1, Ordering::Relaxed);
                    continue;
                }
                Err(StoreError::Unknown(_)) => {
                    unknown = true;
                    continue;
                }
                Err(error) => panic!("{} {:?}: {error}", game.id, game.seq),
            }
            unknown = false;
            kept.send_modify(|count| *count += 1);
            let over = game.table.verdict().is_some();
            if stop.load(Ordering::Relaxed) || over {
                games.push(game.clone());
                if over { continue 'games } else { break 'games }
            }
            next = vec![game.play(1000)];
        }
    }
    games
}

#[tokio::test(flavor = "multi_thread")]
async fn a_database_that_is_restarted_or_killed_loses_nothing() {
    let Some(schema) = Schema::new() else { return };
    let stop = Arc::new(AtomicBool::new(false));
    let refused = Arc::new(AtomicU64::new(0));
    let (kept, mut told) = watch::channel(0);
    let nodes = [Arc::new(schema.open()), Arc::new(schema.open())];
    let players: Vec<_> = (0..GAMES)
        .map(|n| tokio::spawn(play(nodes[n % 2].clone(), n, stop.clone(), kept.clone(), refused.clone())))
        .collect();
    for what in ["restart", "kill", "restart"] {
        let before = *told.wait_for(|kept| *kept > 0).await.unwrap();
        told.wait_for(|kept| *kept > before + 300).await.unwrap();
        tokio::task::spawn_blocking(move || {
            services(what);
            if what == "kill" {
                services("start");
            }
        })
        .await
        .unwrap();
        let before = *told.borrow();
        told.wait_for(|kept| *kept > before + 300).await.unwrap();
    }
    stop.store(true, Ordering::Relaxed);
    let mut all = 0;
    for player in players {
        for game in player.await.unwrap() {
            let stored = nodes[0].game(&game.id).await.unwrap().unwrap();
            assert_eq!(stored.log.len() as u64, game.seq.0, "{}", game.id);
            all += 1 + stored.log.len() as u64;
        }
    }
    assert_eq!(all, *told.borrow());
    assert!(nodes.iter().all(|node| node.health().is_well()));
    println!("{all} writes kept, {} refused and tried again", refused.load(Ordering::Relaxed));
}
