//! What people are called where they sit down.

use crate::{
    House,
    people::{Identity, OWNER},
    protocol::Why,
    refusal::Refused,
};
use people::Handle;
use rules::{ByColor, Color};
use table::{Called, Seat};

impl House {
    /// Seats as they are taken by `identity`. Whoever has signed in and sits on one side sits there under their own name; a free name is
    /// nobody's handle, and does not look like one.
    pub(crate) async fn name_seats(
        &self,
        identity: &Identity,
        mut seats: ByColor<Seat>,
    ) -> Result<ByColor<Seat>, Refused> {
        let alone = seats.iter().filter(|seat| seat.person() == Some(identity.who)).count() == 1;
        for color in Color::ALL {
            if let Seat::Person { who, name } = &mut seats[color]
                && *who == identity.who
            {
                *name = self.seat_name(identity, name.clone(), alone).await?;
            }
        }
        Ok(seats)
    }

    /// What `identity` is called where they sit down, having asked to be called `wanted`; `alone` if on one side only.
    pub(crate) async fn seat_name(&self, identity: &Identity, wanted: Called, alone: bool) -> Result<Called, Refused> {
        if let Some(account) = identity.account().filter(|_| alone) {
            // A handle is a name: shorter, and of fewer characters.
            return account.handle.as_str().parse().map(Called::Name).map_err(|_| Refused::not_saved());
        }
        let looks_like = wanted.name().and_then(|name| people::handle_key_of(name.as_str())?.parse::<Handle>().ok());
        if let Some(handle) = looks_like {
            // Where strangers meet, nobody passes for the server.
            let reserved = handle.is_reserved() && self.settings.borrow().lobby && identity.who != OWNER;
            let account = self.store.account_named(&handle).await?;
            if reserved || account.is_some_and(|account| account.who != identity.who) {
                let text = format!("{handle} is the name of somebody's account: sign in, or choose another");
                return Err(Refused::new(Why::NameTaken, text));
            }
        }
        Ok(wanted)
    }
}
