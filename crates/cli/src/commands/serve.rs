//! `outflank serve`, and plain `outflank`: the game in a browser.

use crate::{
    args::Serve,
    brain,
    context::{Context, Failure},
    fail, text,
};
use qrcode::{QrCode, render::unicode::Dense1x2};
use server::{Config, Network, OpenError, OwnerToken, Server, StartError, StorePlace};
use std::{
    env,
    io::{self, IsTerminal},
    net::{IpAddr, Ipv4Addr, SocketAddr},
    path::PathBuf,
    process::{self, Stdio},
    sync::Arc,
};
use tokio::{net::TcpListener, runtime};
use tracing_subscriber::filter::LevelFilter;

const PORT: u16 = 8464;
/// For tests alone, which set the clocks of real servers wrong: a file that says by how many milliseconds this machine's clock, or the
/// database's, is wrong. It is read in every build, because what is tested is what is released, and lets nobody do what they cannot do by
/// setting the machine's clock.
const WRONG_CLOCK: &str = "OUTFLANK_TEST_CLOCK";
/// Files for everything that is no connection: the games, the terminal, the engine's weights.
const OTHER_FILES: usize = 64;

pub(crate) fn run(args: &Serve, context: &Context) -> Result<(), Failure> {
    // What the server says of itself goes to standard error. A second log in one process is never started.
    let _ = tracing_subscriber::fmt()
        .with_writer(io::stderr)
        .with_ansi(false)
        .with_target(false)
        .with_max_level(args.log.unwrap_or(LevelFilter::WARN))
        .try_init();
    let folder = match &args.data {
        Some(folder) => folder.clone(),
        None => data_folder().ok_or_else(|| fail!(context, "cli-error-no-home"))?,
    };
    let runtime = runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
        .map_err(|error| fail!(context, "cli-error-data", reason = context.reason(&error)))?;
    runtime.block_on(serve(args, folder, context))
}

async fn serve(args: &Serve, folder: PathBuf, context: &Context) -> Result<(), Failure> {
    let wanted = args.listen.unwrap_or(SocketAddr::from((Ipv4Addr::LOCALHOST, PORT)));
    // The port first: if another server has it, the games are not even opened.
    let listener = TcpListener::bind(wanted).await.map_err(|error| no_port(&error, wanted, context))?;
    let bound = listener.local_addr().map_err(|error| no_port(&error, wanted, context))?;
    let network: Arc<dyn Network> =
        if args.network.is_empty() { Arc::new(Interfaces) } else { Arc::new(args.network.clone()) };
    let hosted = !args.host.is_empty() || !args.behind_proxy.is_empty();
    let token =
        OwnerToken::fresh().map_err(|error| fail!(context, "cli-error-data", reason = context.reason(&error)))?;
    let config = Config {
        database: args.database.clone(),
        bus: args.bus.clone(),
        hosts: args.host.clone(),
        proxies: args.behind_proxy.clone(),
        owner: hosted.then_some(token.1),
        metrics_for_all: args.open_metrics,
        library_for_all: args.open_library,
        open_lobby: args.open_lobby,
        registration: !args.no_registration,
        network,
        wrong_clock: env::var_os(WRONG_CLOCK).map(PathBuf::from),
        ..Config::new(&folder)
    };
    let config = limited(config, args);
    let server = Server::take_over(config, brain::analyst().clone()).await.map_err(|error| no_games(error, context))?;
    let lan = if args.lan {
        let address = args.network.first().map_or(bound, |ip| SocketAddr::new(*ip, bound.port()));
        Some(server.open_door(bound).await.map_err(|error| no_port(&error, address, context))?)
    } else {
        None
    };
    let here = format!("http://{}/", on_this_computer(bound));
    context.line(&text!(context, "cli-serve-ready", address = here.as_str()))?;
    let place = match &args.database {
        Some(address) => StorePlace::Postgres(address.reveal().to_owned()),
        None => StorePlace::Folder(folder),
    };
    context.line(&text!(context, "cli-serve-saved", folder = place.to_string()))?;
    if hosted {
        let address = args.host.first().map_or(here.clone(), |host| format!("{host}/"));
        context.line(&text!(context, "cli-serve-owner", address = format!("{address}#owner={}", token.0)))?;
    }
    if let Some(lan) = lan {
        invite(&lan, context)?;
    }
    if !args.no_open {
        open_browser(&here);
    }
    let served = server.run(listener, asked_to_stop()).await;
    served.map_err(|error| no_port(&error, bound, context))?;
    context.line(&text!(context, "cli-serve-stopped"))
}

/// As many connections as were asked for and the system allows.
fn limited(mut config: Config, args: &Serve) -> Config {
    let asked = |wanted: Option<u32>, usual| wanted.and_then(|wanted| usize::try_from(wanted).ok()).unwrap_or(usual);
    let allowed = server::raise_file_limit().map_or(usize::MAX, |files| files.saturating_sub(OTHER_FILES));
    config.connections = asked(args.connections, config.connections).min(allowed);
    config.connections_per_address = asked(args.per_address, config.connections_per_address);
    config
}

/// Ctrl-C, or the polite signal of a system that shuts down.
async fn asked_to_stop() {
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
    // Without signals the server runs until it is killed, which loses nothing either.
    if tokio::signal::ctrl_c().await.is_err() {
        std::future::pending::<()>().await;
    }
}

/// The network as this machine's interfaces know it.
#[derive(Debug)]
struct Interfaces;

impl Network for Interfaces {
    fn addresses(&self) -> Vec<IpAddr> {
        let interfaces = if_addrs::get_if_addrs().unwrap_or_default();
        let mut addresses: Vec<IpAddr> = interfaces.iter().map(if_addrs::Interface::ip).filter(is_usable).collect();
        let outward = outward();
        // The way to everywhere first, then a home network: one of them is what a phone is in.
        let home = |ip: &IpAddr| matches!(ip, IpAddr::V4(ip) if ip.octets()[..2] == [192, 168]);
        addresses.sort_by_key(|ip| (Some(*ip) != outward, !home(ip)));
        addresses
    }
}

fn is_usable(ip: &IpAddr) -> bool {
    match ip {
        IpAddr::V4(ip) => !ip.is_loopback() && !ip.is_link_local() && !ip.is_unspecified(),
        IpAddr::V6(_) => false, // too long to type, and every network has the other kind
    }
}

/// The address from which this machine reaches the rest of the world, if it does. Choosing a peer sends nothing.
fn outward() -> Option<IpAddr> {
    let socket = std::net::UdpSocket::bind((Ipv4Addr::UNSPECIFIED, 0)).ok()?;
    socket.connect((Ipv4Addr::new(192, 0, 2, 1), 9)).ok()?; // an address that is nobody's
    Some(socket.local_addr().ok()?.ip())
}

fn invite(lan: &[SocketAddr], context: &Context) -> Result<(), Failure> {
    let Some(first) = lan.first() else { return context.line(&text!(context, "cli-serve-no-lan")) };
    let address = lan.iter().map(|address| format!("http://{address}/")).collect::<Vec<_>>().join(" ");
    context.line(&text!(context, "cli-serve-lan", address = address))?;
    match QrCode::new(format!("http://{first}/")) {
        Ok(code) => context.line(&picture(&code, io::stdout().is_terminal())),
        Err(_) => Ok(()), // an address always fits; it has been printed in any case
    }
}

/// Dark on light, as every scanner reads it: by colours on a terminal, else for one with a dark ground.
fn picture(code: &QrCode, colours: bool) -> String {
    let mut renderer = code.render::<Dense1x2>();
    if !colours {
        return renderer.dark_color(Dense1x2::Light).light_color(Dense1x2::Dark).build();
    }
    let drawn = renderer.build();
    drawn.lines().map(|line| format!("\x1b[30;107m{line}\x1b[0m")).collect::<Vec<_>>().join("\n")
}

/// The address a browser on this computer uses.
fn on_this_computer(bound: SocketAddr) -> SocketAddr {
    match bound.ip() {
        IpAddr::V4(ip) if ip.is_unspecified() => SocketAddr::from((Ipv4Addr::LOCALHOST, bound.port())),
        IpAddr::V6(ip) if ip.is_unspecified() => SocketAddr::from((std::net::Ipv6Addr::LOCALHOST, bound.port())),
        _ => bound,
    }
}

/// Opens a browser where there is one; whoever has none has read the address.
fn open_browser(address: &str) {
    let mut command = if cfg!(target_os = "macos") {
        process::Command::new("open")
    } else if cfg!(windows) {
        let mut command = process::Command::new("cmd");
        command.args(["/C", "start", ""]);
        command
    } else if env::var_os("DISPLAY").is_some() || env::var_os("WAYLAND_DISPLAY").is_some() {
        process::Command::new("xdg-open")
    } else {
        return;
    };
    command.arg(address).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    if let Ok(mut child) = command.spawn() {
        std::thread::spawn(move || child.wait());
    }
}

/// The usual place for a program's data.
pub(crate) fn data_folder() -> Option<PathBuf> {
    let variable = |name| env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    if cfg!(windows) {
        return variable("LOCALAPPDATA").map(|folder| folder.join("Outflank"));
    }
    let home = variable("HOME");
    if cfg!(target_os = "macos") {
        return home.map(|home| home.join("Library/Application Support/Outflank"));
    }
    // The specification says that a relative path is to be ignored.
    let named = variable("XDG_DATA_HOME").filter(|folder| folder.is_absolute());
    named.or(home.map(|home| home.join(".local/share"))).map(|folder| folder.join("outflank"))
}

fn no_port(error: &io::Error, address: SocketAddr, context: &Context) -> Failure {
    let address = address.to_string();
    match error.kind() {
        io::ErrorKind::AddrInUse => fail!(context, "cli-error-port-used", address = address),
        io::ErrorKind::PermissionDenied => fail!(context, "cli-error-port-denied", address = address),
        io::ErrorKind::AddrNotAvailable => fail!(context, "cli-error-port-address", address = address),
        _ => fail!(context, "cli-error-listen", address = address, reason = context.reason(error)),
    }
}

pub(crate) fn no_games(error: StartError, context: &Context) -> Failure {
    let shown = |path: PathBuf| path.display().to_string();
    match error {
        StartError::Open(OpenError::NotAFolder(path)) => fail!(context, "cli-error-data-file", path = shown(path)),
        StartError::Open(OpenError::Permission(path)) => fail!(context, "cli-error-data-denied", path = shown(path)),
        StartError::Open(OpenError::InUse(path)) => fail!(context, "cli-error-data-used", path = shown(path)),
        StartError::Open(OpenError::Foreign(path)) => fail!(context, "cli-error-data-foreign", path = shown(path)),
        StartError::Open(OpenError::Newer(path)) => fail!(context, "cli-error-data-newer", path = shown(path)),
        StartError::Open(OpenError::Damaged { path, why }) => {
            fail!(context, "cli-error-data-damaged", path = shown(path), reason = why)
        }
        StartError::Open(OpenError::Full(path)) => fail!(context, "cli-error-data-full", path = shown(path)),
        StartError::Open(OpenError::Unreachable { place, why }) => {
            fail!(context, "cli-error-data-unreachable", place = shown(place), reason = why)
        }
        StartError::Open(OpenError::Io(error)) => fail!(context, "cli-error-data", reason = context.reason(&error)),
        StartError::Bus(error) => fail!(context, "cli-error-bus", reason = error.to_string()),
        StartError::Random(error) => fail!(context, "cli-error-data", reason = error.to_string()),
        StartError::Store(error) => fail!(context, "cli-error-data", reason = error.to_string()),
    }
}
