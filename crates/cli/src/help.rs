//! Help and complaints about arguments, in the user's language.

use crate::{
    args::Args,
    context::{Context, Failure},
    fail,
    language::Messages,
    text,
};
use clap::{
    CommandFactory, FromArgMatches,
    error::{ContextKind, ContextValue, ErrorKind},
};
use fluent_bundle::FluentArgs;
use std::{
    error::Error,
    ffi::OsString,
    io::{self, IsTerminal},
};

/// The command line with every help text in the user's language.
pub(crate) fn command(messages: &Messages) -> clap::Command {
    let command = translated(Args::command(), "cli-help", messages);
    command.override_usage(messages.text("cli-usage-line", &FluentArgs::new()))
}

/// The options that every command has, in the order they are listed.
const LAST: [&str; 3] = ["lang", "help", "version"];

/// The message that names a value: `ADDRESS:PORT` is `cli-help-value-address-port`.
fn value_id(name: &str) -> String {
    format!("cli-help-value-{}", name.to_lowercase().replace(|letter: char| !letter.is_ascii_alphanumeric(), "-"))
}

fn translated(command: clap::Command, id: &str, messages: &Messages) -> clap::Command {
    let message = |id: &str| messages.text(id, &FluentArgs::new());
    let template = format!("{{about-with-newline}}\n{} {{usage}}\n\n{{all-args}}{{after-help}}", message("cli-usage"));
    let mut command =
        command.about(message(id)).help_template(template).subcommand_help_heading(message("cli-commands"));
    command = command.mut_args(|arg| {
        let of = if LAST.contains(&arg.get_id().as_str()) { "cli-help" } else { id };
        let heading = if arg.is_positional() { "cli-arguments" } else { "cli-options" };
        let help = message(&format!("{of}-{}", arg.get_id()));
        // clap would add its own English to these
        let hide = arg.get_action().takes_values();
        let arg = arg.help(help).help_heading(message(heading)).hide_possible_values(hide).hide_default_value(hide);
        let values: Vec<String> =
            arg.get_value_names().unwrap_or_default().iter().map(|name| name.to_string()).collect();
        let arg = match hide {
            false => arg,
            true => arg.value_names(values.iter().map(|name| message(&value_id(name)))),
        };
        // what every command has comes after what is its own
        match LAST.iter().position(|last| arg.get_id() == last) {
            Some(at) => arg.display_order(1000 + at),
            None => arg,
        }
    });
    command.mut_subcommands(|child| {
        let id = format!("{id}-{}", child.get_name());
        translated(child, &id, messages)
    })
}

/// Reads the arguments. Help and version are printed here.
pub(crate) fn parse(words: &[OsString], context: &Context) -> Result<Args, Failure> {
    let mut command = command(&context.messages);
    let matches = command.try_get_matches_from_mut(words).and_then(|matches| Args::from_arg_matches(&matches));
    matches.map_err(|error| match error.kind() {
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => {
            let text = error.render();
            let text = if io::stdout().is_terminal() { text.ansi().to_string() } else { text.to_string() };
            let text = text.replace("[OPTIONS]", &text!(context, "cli-usage-options"));
            context.print(&text).err().unwrap_or(Failure::Quiet(0))
        }
        _ => complaint(&error, &command, words, context),
    })
}

/// One sentence about arguments that cannot be understood.
fn complaint(error: &clap::Error, command: &clap::Command, words: &[OsString], context: &Context) -> Failure {
    let of = |kind| match error.get(kind) {
        Some(ContextValue::String(text)) => text.clone(),
        Some(ContextValue::Strings(texts)) => texts.join(", "),
        Some(other) => other.to_string(),
        None => String::new(),
    };
    let arg = of(ContextKind::InvalidArg);
    match error.kind() {
        ErrorKind::InvalidSubcommand => {
            fail!(context, "cli-error-command", name = of(ContextKind::InvalidSubcommand))
        }
        ErrorKind::UnknownArgument => fail!(context, "cli-error-unknown", arg = arg),
        ErrorKind::InvalidValue if of(ContextKind::InvalidValue).is_empty() => {
            fail!(context, "cli-error-no-value", arg = arg)
        }
        ErrorKind::ValueValidation if range(error).is_some() => {
            let (low, high) = range(error).unwrap_or_default();
            let value = of(ContextKind::InvalidValue);
            match high {
                Some(high) => fail!(context, "cli-error-range", arg = arg, value = value, low = low, high = high),
                None => fail!(context, "cli-error-least", arg = arg, value = value, low = low),
            }
        }
        ErrorKind::InvalidValue | ErrorKind::ValueValidation => {
            // The help of the argument says what it may be.
            let deeper = |command: &'_ clap::Command, word: &OsString| command.find_subcommand(word).cloned();
            let command = words.iter().fold(command.clone(), |command, word| deeper(&command, word).unwrap_or(command));
            let known = command.get_arguments().find(|known| known.to_string() == arg);
            let help = known.and_then(|known| known.get_help()).map(ToString::to_string).unwrap_or_default();
            fail!(context, "cli-error-value", arg = arg, value = of(ContextKind::InvalidValue), help = help)
        }
        ErrorKind::MissingRequiredArgument => fail!(context, "cli-error-missing", arg = arg),
        ErrorKind::InvalidUtf8 => fail!(context, "cli-error-utf8"),
        ErrorKind::ArgumentConflict => {
            fail!(context, "cli-error-conflict", arg = arg, other = of(ContextKind::PriorArg))
        }
        _ => {
            let text = error.to_string();
            let line = text.lines().next().unwrap_or_default();
            Failure::Sentence(line.strip_prefix("error: ").unwrap_or(line).to_owned())
        }
    }
}

/// The least and the most that a value may be, if it was a number outside them; no most where only memory sets it.
///
/// Parsers say it as Rust does: `0 is not in 1..=20`.
fn range(error: &clap::Error) -> Option<(String, Option<String>)> {
    let said = error.source()?.to_string();
    let (low, high) = said.rsplit(' ').next()?.split_once("..")?;
    let high = high.trim_start_matches('=');
    let limitless = high.parse().is_ok_and(|high: u64| high >= u64::from(u32::MAX));
    Some((low.to_owned(), Some(high.to_owned()).filter(|high| !high.is_empty() && !limitless)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::language::Language;

    #[test]
    fn every_command_and_option_has_its_help_in_both_languages() {
        fn check(command: &clap::Command) {
            let about = command.get_about().map(ToString::to_string).unwrap_or_default();
            assert!(!about.starts_with("cli-help"), "no message {about}");
            for arg in command.get_arguments() {
                let help = arg.get_help().map(ToString::to_string).unwrap_or_default();
                assert!(!help.is_empty() && !help.starts_with("cli-help"), "no message {help}");
                let values = arg.get_value_names().unwrap_or_default();
                assert!(values.iter().all(|name| !name.starts_with("cli-help")), "no message {values:?}");
            }
            command.get_subcommands().for_each(check);
        }
        for language in [Language::English, Language::Spanish] {
            check(&command(&Messages::new(language)));
        }
        Args::command().debug_assert();
    }

    #[test]
    fn what_every_command_has_is_listed_last_and_values_are_named_in_the_language() {
        let mut spanish = command(&Messages::new(Language::Spanish));
        spanish.build();
        for command in spanish.get_subcommands_mut() {
            let name = command.get_name().to_owned();
            let help = command.render_help().to_string();

            let options: Vec<&str> = help
                .lines()
                .filter_map(|line| line.trim_start().split([' ', ',']).next())
                .filter(|word| word.starts_with('-'))
                .collect();
            let [.., lang, last] = options[..] else { panic!("{help}") };
            assert_eq!((lang, last), ("--lang", "-h"), "{name}\n{help}");
            for english in ["GAME", "FILE", "MOVES", "LEVEL", "SECONDS", "FOLDER", "LANGUAGE", "DEPTH"] {
                assert!(!help.contains(&format!("<{english}>")), "{name}\n{help}");
            }
        }
    }
}
