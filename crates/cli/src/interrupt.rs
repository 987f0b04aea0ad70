//! Ctrl-C as a [`Stop`]: long work ends soon and says what it found so far.

use engine::Stop;

/// A flag that is set when the user presses Ctrl-C or the system asks the program to end. A second time ends it at once.
pub(crate) fn stop() -> Stop {
    let stop = Stop::default();
    let flag = stop.clone();
    std::thread::spawn(move || {
        let Ok(runtime) = tokio::runtime::Builder::new_current_thread().enable_all().build() else { return };
        runtime.block_on(async {
            asked().await;
            flag.now();
            asked().await;
            std::process::exit(130);
        });
    });
    stop
}

/// Waits until the user presses Ctrl-C or the system asks the program to end.
pub(crate) async fn asked() {
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        if let Ok(mut terminate) = signal(SignalKind::terminate()) {
            tokio::select! {
                _ = tokio::signal::ctrl_c() => {}
                _ = terminate.recv() => {}
            }
            return;
        }
    }
    if tokio::signal::ctrl_c().await.is_err() {
        std::future::pending::<()>().await;
    }
}
