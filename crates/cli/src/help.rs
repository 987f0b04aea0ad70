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
    ffi::OsString,
    io::{self, IsTerminal},
};

/// The command line with every help text in the user's language.
pub(crate) fn command(messages: &Messages) -> clap::Command {
    let command = translated(Args::command(), "cli-help", messages);
    command.override_usage(messages.text("cli-usage-line", &FluentArgs::new()))
}

fn translated(command: clap::Command, id: &str, messages: &Messages) -> clap::Command {
    let message = |id: &str| messages.text(id, &FluentArgs::new());
    let template = format!("{{about-with-newline}}\n{} {{usage}}\n\n{{all-args}}{{after-help}}", message("cli-usage"));
    let mut command =
        command.about(message(id)).help_template(template).subcommand_help_heading(message("cli-commands"));
    command = command.mut_args(|arg| {
        let of = if ["lang", "help", "version"].contains(&arg.get_id().as_str()) { "cli-help" } else { id };
        let heading = if arg.is_positional() { "cli-arguments" } else { "cli-options" };
        let help = message(&format!("{of}-{}", arg.get_id()));
        // clap would add its own English to these
        let hide = arg.get_action().takes_values();
        arg.help(help).help_heading(message(heading)).hide_possible_values(hide).hide_default_value(hide)
    });
    command.mut_subcommands(|child| {
        let id = format!("cli-help-{}", child.get_name());
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
        ErrorKind::InvalidValue | ErrorKind::ValueValidation => {
            // The help of the argument says what it may be.
            let command = words.iter().find_map(|word| command.find_subcommand(word)).unwrap_or(command);
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
            }
            command.get_subcommands().for_each(check);
        }
        for language in [Language::English, Language::Spanish] {
            check(&command(&Messages::new(language)));
        }
        Args::command().debug_assert();
    }
}
