//! How fast something may come in: [`Pace`]. What is too fast waits; nothing is lost.

use std::{
    future::poll_fn,
    pin::Pin,
    task::{Context, Poll, ready},
    time::Duration,
};
use tokio::time::{Instant, Sleep, sleep};

/// A pace that allows a burst.
#[derive(Debug)]
pub(crate) struct Pace {
    burst: f64,
    per_second: f64,
    left: f64,
    since: Instant,
    rest: Option<Pin<Box<Sleep>>>,
}

impl Pace {
    /// Lets `burst` through at once, and `per_second` from then on.
    pub(crate) fn new(burst: f64, per_second: f64) -> Pace {
        Pace { burst, per_second, left: burst, since: Instant::now(), rest: None }
    }

    /// Waits until more may come.
    pub(crate) async fn ready(&mut self) {
        poll_fn(|context| self.poll_ready(context)).await;
    }

    /// As [`ready`](Pace::ready), for a future written by hand.
    pub(crate) fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<()> {
        if let Some(rest) = &mut self.rest {
            ready!(rest.as_mut().poll(context));
            self.rest = None;
        }
        Poll::Ready(())
    }

    /// Counts `amount` that has come; the next [`ready`](Pace::ready) waits if that was too much.
    pub(crate) fn take(&mut self, amount: usize) {
        let now = Instant::now();
        let earned = now.duration_since(self.since).as_secs_f64() * self.per_second;
        self.left = (self.left + earned).min(self.burst) - amount as f64;
        self.since = now;
        if self.left < 0.0 {
            self.rest = Some(Box::pin(sleep(Duration::from_secs_f64(-self.left / self.per_second))));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// How long so much takes, in pieces, on a clock that only this test moves.
    async fn taking(pieces: usize, size: usize) -> f64 {
        let (mut pace, begun) = (Pace::new(1000.0, 100.0), Instant::now());
        for _ in 0..pieces {
            pace.ready().await;
            pace.take(size);
        }
        pace.ready().await;
        begun.elapsed().as_secs_f64()
    }

    #[tokio::test(start_paused = true)]
    async fn a_burst_is_free_and_a_flood_is_not() {
        assert_eq!(taking(10, 100).await, 0.0);
        let flood = taking(200, 100).await;
        assert!((flood - 190.0).abs() < 1.0, "{flood} s for what is due in 190 s");
    }
}
