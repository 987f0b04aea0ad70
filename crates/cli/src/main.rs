//! `outflank`: Reversi for everyone. Arguments in [`args`], words in [`language`], one file per command.
#![forbid(unsafe_code)]

mod answer;
mod args;
mod brain;
mod columns;
mod commands;
mod context;
mod duel;
mod files;
mod help;
mod interrupt;
mod language;
mod protocol;
mod reason;
mod remote;
mod why;

use args::Command;
use context::{Context, Failure};
use language::{Language, Messages};
use std::process::ExitCode;

fn main() -> ExitCode {
    let words: Vec<_> = std::env::args_os().collect();
    let language = Language::choose(&words, |name| std::env::var(name).ok());
    let context = Context { messages: Messages::new(language) };
    let result = help::parse(&words, &context).and_then(|args| run(args, &context));
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(Failure::Quiet(code)) => ExitCode::from(code),
        Err(Failure::Sentence(sentence)) => {
            eprintln!("outflank: {sentence}");
            ExitCode::from(2)
        }
    }
}

fn run(args: args::Args, context: &Context) -> Result<(), Failure> {
    match args.command {
        None => commands::serve::run(&args::Serve::default(), context),
        Some(Command::Serve(args)) => commands::serve::run(&args, context),
        Some(Command::Play(args)) => commands::play::run(&args, context),
        Some(Command::Show(args)) => commands::show::run(&args, context),
        Some(Command::Convert(args)) => commands::convert::run(&args, context),
        Some(Command::Import(args)) => commands::import::run(&args, context),
        Some(Command::MoveData(args)) => commands::move_data::run(&args, context),
        Some(Command::Library(args)) => commands::library::run(&args, context),
        Some(Command::Book(args)) => commands::book::run(&args, context),
        Some(Command::Solve(args)) => commands::solve::run(&args, context),
        Some(Command::Bench(args)) => commands::bench::run(&args, context),
        Some(Command::Analyse(args)) => commands::analyse::run(&args, context),
        Some(Command::Review(args)) => commands::review::run(&args, context),
        Some(Command::Match(args)) => commands::matches::run(&args, context),
        Some(Command::Openings(args)) => commands::openings::run(&args, context),
        Some(Command::Gtp(args)) => commands::gtp::run(&args, context),
        Some(Command::Nboard(args)) => commands::gtp::nboard(&args, context),
        Some(Command::Perft(args)) => commands::perft::run(&args, context),
        Some(Command::Completions(args)) => commands::completions::run(&args, context),
        Some(Command::Man) => commands::man::run(context),
        Some(Command::Load(args)) => commands::load::run(&args, context),
        Some(Command::Bot(args)) => commands::bot::run(&args, context),
    }
}
