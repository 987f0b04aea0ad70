//! `outflank completions SHELL`: what the shell needs to complete our commands.

use crate::{
    args::Completions,
    context::{Context, Failure},
    help,
};

pub(crate) fn run(args: &Completions, context: &Context) -> Result<(), Failure> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut help::command(&context.messages), "outflank", &mut script);
    context.print(&String::from_utf8_lossy(&script))
}
