//! The server for programs: plain HTTP, JSON in and out, and streams of lines of JSON. `docs/api.md` shows it by example.
//!
//! ```text
//! games, acts, events, meeting, people   one handler for each route
//! desk      a page without a socket: what is asked goes the way of every page's commands, and there is no other
//! stream    what such a page hears, line by line, for as long as somebody reads
//! answer    answers and refusals over HTTP        schema  what they look like        openapi  both as a document
//! ```

mod acts;
mod answer;
mod desk;
mod events;
mod games;
mod meeting;
mod openapi;
mod people;
mod schema;
mod stream;

pub(crate) use desk::Desks;

use crate::{House, http::LONGEST};
use axum::{
    Router,
    extract::DefaultBodyLimit,
    handler::Handler,
    routing::{MethodRouter, delete, get, post},
};
use std::sync::Arc;

/// One path, and what can be done there.
struct Route {
    path: &'static str,
    methods: Vec<&'static str>,
    router: MethodRouter<Arc<House>>,
}

impl Route {
    fn at(path: &'static str) -> Route {
        Route { path, methods: Vec::new(), router: MethodRouter::new() }
    }

    fn get<T: 'static>(self, handler: impl Handler<T, Arc<House>>) -> Route {
        self.with("get", get(handler))
    }

    fn post<T: 'static>(self, handler: impl Handler<T, Arc<House>>) -> Route {
        self.with("post", post(handler))
    }

    fn delete<T: 'static>(self, handler: impl Handler<T, Arc<House>>) -> Route {
        self.with("delete", delete(handler))
    }

    fn with(mut self, method: &'static str, router: MethodRouter<Arc<House>>) -> Route {
        self.methods.push(method);
        Route { router: self.router.merge(router), ..self }
    }
}

/// Everything a program can ask for. The document at `/api/openapi.json` has the same, and a test compares them.
fn routes() -> Vec<Route> {
    vec![
        Route::at("/api/games").get(games::list).post(games::create),
        Route::at("/api/games/{game}").get(games::show).delete(games::remove),
        Route::at("/api/games/{game}/events").get(games::events),
        Route::at("/api/games/{game}/moves").post(games::play),
        Route::at("/api/games/{game}/sit").post(games::sit),
        Route::at("/api/games/{game}/resign").post(games::resign),
        Route::at("/api/games/{game}/abort").post(games::abort),
        Route::at("/api/games/{game}/takeback").post(acts::takeback),
        Route::at("/api/games/{game}/hint").post(acts::hint),
        Route::at("/api/games/{game}/claim").post(acts::claim),
        Route::at("/api/games/{game}/pause").post(acts::pause),
        Route::at("/api/games/{game}/resume").post(acts::resume),
        Route::at("/api/games/{game}/say").post(acts::say),
        Route::at("/api/games/{game}/scrap").post(acts::scrap),
        Route::at("/api/games/{game}/again").post(acts::again),
        Route::at("/api/games/{game}/answer").post(acts::answer),
        Route::at("/api/events").get(events::events),
        Route::at("/api/offers").get(meeting::lobby).post(meeting::make),
        Route::at("/api/offers/{offer}").delete(meeting::withdraw),
        Route::at("/api/offers/{offer}/accept").post(meeting::accept),
        Route::at("/api/offers/{offer}/decline").post(meeting::decline),
        Route::at("/api/challenges").post(meeting::challenge),
        Route::at("/api/quick").post(meeting::quick),
        Route::at("/api/people/{handle}").get(people::show),
        Route::at("/api/people/{handle}/games").get(people::games),
        Route::at("/api/people/{handle}/block").post(people::block).delete(people::unblock),
        Route::at("/api/leaders/{category}").get(people::leaders),
        Route::at("/api/openapi.json").get(openapi::document),
    ]
}

/// The part of the server that is for programs.
pub(crate) fn router() -> Router<Arc<House>> {
    let add = |app: Router<Arc<House>>, route: Route| app.route(route.path, route.router);
    routes().into_iter().fold(Router::new(), add).layer(DefaultBodyLimit::max(LONGEST))
}
