//! The way in from the network, which the owner opens and closes while the server runs.
//!
//! A server that listens on this machine alone has a door: one more listener on each of the machine's addresses in the
//! network, by the same port where it is free. A server that was started to listen to the network needs none, and nobody
//! closes it from a page.

use crate::{
    House,
    entrance::{Gate, Kind},
    people::Identity,
    protocol::{DoorView, Why},
    refusal::Refused,
};
use std::{
    fmt::Debug,
    io,
    net::{IpAddr, SocketAddr},
    sync::{Arc, OnceLock},
};
use tokio::{
    net::TcpListener,
    sync::{Mutex, watch},
    task::JoinSet,
};

/// Where this machine is in the network around it.
pub trait Network: Debug + Send + Sync {
    /// The machine's addresses that other devices can use, the likeliest first. They may change from one call to the next.
    fn addresses(&self) -> Vec<IpAddr>;
}

/// A network that is known and does not change.
///
/// ```
/// use server::Network;
/// assert!(Vec::new().addresses().is_empty()); // a machine on its own
/// ```
impl Network for Vec<IpAddr> {
    fn addresses(&self) -> Vec<IpAddr> {
        self.clone()
    }
}

#[derive(Debug)]
pub(crate) struct Door {
    network: Arc<dyn Network>,
    /// Where the main entrance is.
    main: OnceLock<SocketAddr>,
    /// The listeners, the likeliest first, while the door is open.
    gates: Mutex<Option<Vec<Listening>>>,
    state: watch::Sender<DoorState>,
}

#[derive(Debug)]
struct Listening {
    address: SocketAddr,
    gate: Gate,
}

/// What pages are told.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(crate) struct DoorState {
    open: bool,
    /// Whether the main entrance is open to the network anyway.
    always: bool,
    addresses: Vec<SocketAddr>,
}

impl DoorState {
    /// The door as someone sees it.
    pub(crate) fn view(&self, identity: &Identity) -> DoorView {
        DoorView {
            open: self.open,
            addresses: self.addresses.iter().map(|address| format!("http://{address}")).collect(),
            yours: identity.is_owner_at_machine() && !self.always,
        }
    }
}

impl Door {
    pub(crate) fn new(network: Arc<dyn Network>) -> Door {
        Door { network, main: OnceLock::new(), gates: Mutex::default(), state: watch::Sender::default() }
    }

    /// Hears of every change.
    pub(crate) fn watch(&self) -> watch::Receiver<DoorState> {
        self.state.subscribe()
    }

    /// The main entrance is at `main`: one that is not this machine's alone is a door that always stands open.
    pub(crate) fn beside(&self, main: SocketAddr) {
        let _ = self.main.set(main); // it does not move
        self.tell_always();
    }

    fn tell_always(&self) {
        let Some(main) = self.main.get().filter(|main| !main.ip().to_canonical().is_loopback()) else { return };
        let addresses = if main.ip().is_unspecified() {
            self.network.addresses().into_iter().map(|ip| SocketAddr::new(ip, main.port())).collect()
        } else {
            vec![*main]
        };
        self.tell(DoorState { open: true, always: true, addresses });
    }

    fn tell(&self, new: DoorState) {
        self.state.send_if_modified(|state| {
            let changed = *state != new;
            *state = new;
            changed
        });
    }
}

impl House {
    /// Opens the door; the answer is where. It fails if there are addresses and none can be listened on.
    pub(crate) async fn open_door(self: &Arc<House>) -> io::Result<Vec<SocketAddr>> {
        if self.door.state.borrow().always {
            return Ok(self.door.state.borrow().addresses.clone());
        }
        let mut gates = self.door.gates.lock().await;
        if gates.is_none() {
            let mut opened = Vec::new();
            // No address at all is no mistake: the door opens as soon as there is one.
            self.listen(&mut opened).await?;
            *gates = Some(opened);
        }
        let addresses: Vec<SocketAddr> = gates.iter().flatten().map(|listening| listening.address).collect();
        tracing::info!(?addresses, "the door to the network is open");
        self.door.tell(DoorState { open: true, always: false, addresses: addresses.clone() });
        Ok(addresses)
    }

    /// Closes the door: whoever came in by it hears a goodbye and is out. No game is touched.
    pub(crate) async fn close_door(&self) -> Result<(), Refused> {
        if self.door.state.borrow().always {
            return Err(Refused::new(Why::NotYours, "the server was started to listen to the network"));
        }
        let gates = self.door.gates.lock().await.take();
        if gates.is_some() {
            tracing::info!("the door to the network is closed");
        }
        self.door.tell(DoorState::default());
        close(gates.into_iter().flatten()).await;
        Ok(())
    }

    /// Looks whether the machine's addresses have changed, and listens where it is now.
    pub(crate) async fn mind_door(self: &Arc<House>) {
        self.door.tell_always();
        let mut gates = self.door.gates.lock().await;
        let Some(opened) = gates.as_mut() else { return };
        let here = self.door.network.addresses();
        let (stay, gone): (Vec<_>, Vec<_>) =
            std::mem::take(opened).into_iter().partition(|open| here.contains(&open.address.ip()));
        *opened = stay;
        // An address that cannot be used now is tried again the next time.
        let _ = self.listen(opened).await;
        let addresses = opened.iter().map(|listening| listening.address).collect();
        self.door.tell(DoorState { open: true, always: false, addresses });
        drop(gates);
        tokio::spawn(close(gone));
    }

    /// Listens on every address that is not listened on yet. It fails if there are addresses and none can be used.
    async fn listen(self: &Arc<House>, opened: &mut Vec<Listening>) -> io::Result<()> {
        let port = self.door.main.get().map_or(0, SocketAddr::port);
        let addresses = self.door.network.addresses();
        let mut trouble = Ok(());
        for &ip in &addresses {
            if opened.iter().any(|open| open.address.ip() == ip) {
                continue;
            }
            match bind(ip, port).await {
                Ok((listener, address)) => {
                    let (gate, serving) = Gate::open(self, listener, Kind::Door);
                    tokio::spawn(serving);
                    opened.push(Listening { address, gate });
                }
                Err(error) => trouble = Err(error),
            }
        }
        opened.sort_by_key(|open| addresses.iter().position(|ip| *ip == open.address.ip()));
        if opened.is_empty() { trouble } else { Ok(()) }
    }
}

/// The port people know already, or else any.
async fn bind(ip: IpAddr, port: u16) -> io::Result<(TcpListener, SocketAddr)> {
    let listener = match TcpListener::bind((ip, port)).await {
        Ok(listener) => listener,
        Err(_) => TcpListener::bind((ip, 0)).await?,
    };
    let address = listener.local_addr()?;
    Ok((listener, address))
}

/// All at once: none waits for another's goodbye.
async fn close(gates: impl IntoIterator<Item = Listening>) {
    let closing: JoinSet<()> = gates.into_iter().map(|listening| listening.gate.close()).collect();
    closing.join_all().await;
}
