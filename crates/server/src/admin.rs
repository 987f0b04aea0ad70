//! What the owner decides about the server and who may come in, over HTTP. Each act is written down together with what it changes.
//!
//! ```text
//! POST /api/admin/settings               registration, lobby, announcement
//! GET  /api/admin/people?part=           names with this part
//! POST /api/admin/people/HANDLE/suspend  days
//! POST /api/admin/people/HANDLE/restore
//! POST /api/admin/people/HANDLE/reset    a code with which they choose another password
//! POST /api/admin/end-owner              no other browser is the owner's any more, and the printed link makes none so
//! GET  /api/admin/audit?before=          what was done
//! ```

use crate::{
    House,
    accounts::{Nothing, Reply, fresh_codes},
    bus::Event,
    http::{Json, Problem, reply},
    offers::withdrawal,
    people::OWNER,
    protocol::HouseView,
    secret,
    visitor::{InBrowser, Owner, not_owner},
};
use axum::{
    Router,
    extract::{Path, Query},
    http::StatusCode,
    response::IntoResponse,
    routing::{get, post},
};
use people::{Account, AccountChange, AdminAct, Announcement, Handle, Settings};
use room::Write;
use serde::{Deserialize, Deserializer, Serialize};
use std::{collections::HashMap, sync::Arc};
use store::StoreError;
use table::{At, PersonId};

/// How many people, and how many acts, in one answer.
const PAGE: usize = 50;
/// The end of the year 9999: for good.
const FOR_GOOD: At = 253_402_300_799_000;
const DAY: At = 24 * 60 * 60 * 1000;

pub(crate) fn routes() -> Router<Arc<House>> {
    Router::new()
        .route("/api/admin/settings", post(settings))
        .route("/api/admin/people", get(people))
        .route("/api/admin/people/{handle}/suspend", post(suspend))
        .route("/api/admin/people/{handle}/restore", post(restore))
        .route("/api/admin/people/{handle}/reset", post(reset))
        .route("/api/admin/end-owner", post(end_owner))
        .route("/api/admin/audit", get(audit))
}

impl House {
    /// The account that the owner means.
    pub(crate) async fn person(&self, handle: &str) -> Result<Account, Problem> {
        let account = match handle.parse::<Handle>() {
            Ok(handle) => self.store.account_named(&handle).await?,
            Err(_) => None,
        };
        account.ok_or_else(|| Problem::new(StatusCode::NOT_FOUND, "no_such_person", "nobody here has this name"))
    }

    /// Keeps what the owner did, and that they did it.
    async fn act(&self, what: AdminAct, mut changes: Vec<AccountChange>) -> Result<(), Problem> {
        changes.push(self.audited(what));
        Ok(self.change(changes).await?)
    }

    fn audited(&self, what: AdminAct) -> AccountChange {
        AccountChange::Audit { at: self.time.now(), who: OWNER, what }
    }
}

impl House {
    /// What pages are told of the server: what the owner decided, unless it was started otherwise.
    pub(crate) fn view_of(&self, settings: &Settings) -> HouseView {
        HouseView {
            lobby: self.config.open_lobby || settings.lobby == Some(true),
            registration: self.config.registration && settings.registration != Some(false),
            announcement: settings.announcement.clone().map(String::from),
        }
    }

    /// Reads what the owner decided, here or on another server of the same games, and tells every page what is new.
    pub(crate) async fn read_settings(&self) -> Result<HouseView, StoreError> {
        let settings = self.store.settings().await?;
        let view = self.view_of(&settings);
        let changed = self.settings.send_if_modified(|known| {
            let changed = *known != view;
            *known = view.clone();
            changed
        });
        if changed {
            // In a lobby that is closed there is nothing, and nobody is paired.
            self.meeting.changed();
        }
        Ok(view)
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct NewSettings {
    #[serde(default)]
    registration: Option<bool>,
    #[serde(default)]
    lobby: Option<bool>,
    /// `null` takes the announcement away; not there leaves it as it is.
    #[serde(default, deserialize_with = "some")]
    announcement: Option<Option<String>>,
}

fn some<'de, D: Deserializer<'de>>(from: D) -> Result<Option<Option<String>>, D::Error> {
    Option::deserialize(from).map(Some)
}

/// `POST /api/admin/settings`
async fn settings(Owner(InBrowser { house, .. }): Owner, Json(wanted): Json<NewSettings>) -> Reply {
    let announcement: Option<Option<Announcement>> = match wanted.announcement {
        None => None,
        Some(None) => Some(None),
        Some(Some(text)) if text.trim().is_empty() => Some(None),
        Some(Some(text)) => Some(Some(text.parse().map_err(|error: people::AnnouncementError| {
            Problem::new(StatusCode::UNPROCESSABLE_ENTITY, "bad_announcement", error.to_string())
        })?)),
    };
    if wanted.lobby == Some(false) && house.config.open_lobby
        || wanted.registration == Some(true) && !house.config.registration
    {
        let text =
            "the server was started with --open-lobby or --no-registration, which holds until it is started again";
        return Err(Problem::new(StatusCode::CONFLICT, "started_so", text));
    }
    let setting = |name: &str, value: Option<String>| AccountChange::Setting { name: name.to_owned(), value };
    let mut changes = Vec::new();
    if let Some(open) = wanted.registration {
        changes.push(setting(Settings::REGISTRATION, Some(open.to_string())));
        changes.push(house.audited(AdminAct::Registration { open }));
    }
    if let Some(open) = wanted.lobby {
        changes.push(setting(Settings::LOBBY, Some(open.to_string())));
        changes.push(house.audited(AdminAct::Lobby { open }));
    }
    if let Some(text) = announcement {
        changes.push(setting(Settings::ANNOUNCEMENT, text.clone().map(String::from)));
        changes.push(house.audited(AdminAct::Announce { text }));
    }
    // All or none: what the owner is told is how it is.
    house.change(changes).await?;
    house.say(&Event::Settings);
    let view: HouseView = house.read_settings().await?;
    Ok(reply(StatusCode::OK, &view))
}

/// `POST /api/admin/end-owner`: somebody else may have seen the owner's link, or have a browser in which it was opened.
async fn end_owner(Owner(InBrowser { house, identity, .. }): Owner, Json(Nothing {}): Json<Nothing>) -> Reply {
    let others = match identity.session() {
        Some(here) => AccountChange::SignOutOthers { who: OWNER, id: here.id.clone() },
        None => AccountChange::SignOutAll { who: OWNER },
    };
    let value = Some(secret::number()?.to_string());
    let link = AccountChange::Setting { name: Settings::OWNER_ENDED.to_owned(), value };
    match house.change([others, link, house.audited(AdminAct::EndOwner)]).await {
        Ok(()) => {}
        // Another browser of the owner's has just ended this one.
        Err(StoreError::Conflict) => return Err(not_owner()),
        Err(error) => return Err(error.into()),
    }
    house.recheck(OWNER).await;
    Ok(StatusCode::NO_CONTENT.into_response())
}

#[derive(Serialize)]
struct Person {
    handle: Handle,
    bot: bool,
    made: At,
    suspended: Option<At>,
}

#[derive(Deserialize)]
struct Part {
    #[serde(default)]
    part: String,
}

/// `GET /api/admin/people`
async fn people(Owner(InBrowser { house, .. }): Owner, Query(wanted): Query<Part>) -> Reply {
    #[derive(Serialize)]
    struct People {
        people: Vec<Person>,
    }
    let now = house.time.now();
    let people = house.store.accounts(&wanted.part, PAGE).await?.into_iter().map(|account| Person {
        suspended: account.suspended.filter(|_| account.is_suspended(now)),
        handle: account.handle,
        bot: account.bot,
        made: account.made,
    });
    Ok(reply(StatusCode::OK, &People { people: people.collect() }))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct HowLong {
    /// For good if not said.
    #[serde(default)]
    days: Option<u16>,
}

/// `POST /api/admin/people/HANDLE/suspend`
async fn suspend(
    Owner(InBrowser { house, .. }): Owner,
    Path(handle): Path<String>,
    Json(HowLong { days }): Json<HowLong>,
) -> Reply {
    let Account { who, handle, .. } = house.person(&handle).await?;
    if who == OWNER {
        return Err(Problem::new(StatusCode::CONFLICT, "not_owner", "the owner cannot be kept out"));
    }
    let until = days.map_or(FOR_GOOD, |days| house.time.now() + DAY * At::from(days));
    let changes = [
        AccountChange::Suspend { who, until: Some(until) },
        AccountChange::SignOutAll { who },
        house.audited(AdminAct::Suspend { handle, until }),
    ];
    // What they had offered goes with them: nobody can play it.
    let offers = house.store.offers_by(who, house.time.now()).await?;
    let mut writes: Vec<Write> = changes.into_iter().map(|change| Write::Account(Box::new(change))).collect();
    writes.extend(offers.iter().map(withdrawal));
    house.keep(writes).await?;
    for offer in &offers {
        house.offer_ended(offer, false, None);
    }
    house.recheck(who).await;
    Ok(StatusCode::NO_CONTENT.into_response())
}

/// `POST /api/admin/people/HANDLE/restore`
async fn restore(
    Owner(InBrowser { house, .. }): Owner,
    Path(handle): Path<String>,
    Json(Nothing {}): Json<Nothing>,
) -> Reply {
    let Account { who, handle, .. } = house.person(&handle).await?;
    house.act(AdminAct::Restore { handle }, vec![AccountChange::Suspend { who, until: None }]).await?;
    Ok(StatusCode::NO_CONTENT.into_response())
}

/// `POST /api/admin/people/HANDLE/reset`: whoever had the password, a session, a token, a passkey or a code has nothing any more.
async fn reset(
    Owner(InBrowser { house, .. }): Owner,
    Path(handle): Path<String>,
    Json(Nothing {}): Json<Nothing>,
) -> Reply {
    #[derive(Serialize)]
    struct Reset {
        code: String,
    }
    let Account { who, handle, .. } = house.person(&handle).await?;
    let (mut codes, hashes) = fresh_codes(1)?;
    let changes = vec![
        AccountChange::Password { who, hash: None },
        AccountChange::Recovery { who, codes: hashes },
        AccountChange::SignOutAll { who },
        AccountChange::TokenEndAll { who },
        AccountChange::PasskeyEndAll { who },
    ];
    house.act(AdminAct::Reset { handle }, changes).await?;
    house.recheck(who).await;
    Ok(reply(StatusCode::OK, &Reset { code: codes.pop().unwrap_or_default() }))
}

#[derive(Deserialize)]
struct Before {
    #[serde(default)]
    before: Option<u64>,
}

/// `GET /api/admin/audit`
async fn audit(Owner(InBrowser { house, .. }): Owner, Query(wanted): Query<Before>) -> Reply {
    #[derive(Serialize)]
    struct Entry {
        number: u64,
        at: At,
        who: Option<Handle>,
        what: Option<AdminAct>,
    }
    #[derive(Serialize)]
    struct Entries {
        entries: Vec<Entry>,
    }
    let mut names: HashMap<PersonId, Option<Handle>> = HashMap::new();
    let mut entries = Vec::new();
    for entry in house.store.audit(wanted.before, PAGE).await? {
        let who = match names.get(&entry.who) {
            Some(known) => known.clone(),
            None => {
                let handle = house.store.account(entry.who).await?.map(|account| account.handle);
                names.insert(entry.who, handle.clone());
                handle
            }
        };
        entries.push(Entry { number: entry.number, at: entry.at, who, what: entry.what });
    }
    Ok(reply(StatusCode::OK, &Entries { entries }))
}
