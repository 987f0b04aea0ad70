//! `outflank gtp`: the engine for programs that speak GTP.

use crate::{
    args::{Gtp, Machine, Nboard},
    brain,
    context::{Context, Failure},
    fail,
    protocol::{Session, gtp, nboard, talk},
};
use analyst::Analyst;
use std::{
    io::{self, BufReader},
    time::{SystemTime, UNIX_EPOCH},
};

pub(crate) fn run(args: &Gtp, context: &Context) -> Result<(), Failure> {
    // careless levels should not play the same game every time
    let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |now| now.as_nanos() as u64);
    let mut session = gtp::Gtp::new(args.level, args.seed.unwrap_or(now));
    converse(&mut session, &args.machine, context)
}

/// The engine for programs that speak NBoard's protocol.
pub(crate) fn nboard(args: &Nboard, context: &Context) -> Result<(), Failure> {
    converse(&mut nboard::Nboard::new(), &args.machine, context)
}

fn converse(session: &mut dyn Session, machine: &Machine, context: &Context) -> Result<(), Failure> {
    let analyst = Analyst::start(brain::evaluator(), machine.options(128).into());
    let input = BufReader::new(io::stdin());
    match talk(session, analyst, input, &mut io::stdout().lock()) {
        Ok(()) => Ok(()),
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        Err(error) => Err(fail!(context, "cli-error-stdout", reason = context.reason(&error))),
    }
}
