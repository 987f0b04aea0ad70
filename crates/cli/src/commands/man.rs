//! `outflank man`: the manual page, all commands on one page.

use crate::{
    context::{Context, Failure},
    help, text,
};
use std::fmt::Write;

pub(crate) fn run(context: &Context) -> Result<(), Failure> {
    let mut command = help::command(&context.messages);
    command.build();
    context.print(&page(&mut command, context))
}

// Writing to a string cannot fail.
fn page(command: &mut clap::Command, context: &Context) -> String {
    let mut page = format!(".TH OUTFLANK 1 \"\" \"Outflank {}\"\n", env!("CARGO_PKG_VERSION"));
    section(&mut page, &text!(context, "cli-man-name"));
    let _ = writeln!(page, "outflank \\- {}", plain(command.get_about()));
    section(&mut page, &text!(context, "cli-man-synopsis"));
    let _ = writeln!(page, "{}", escaped(&text!(context, "cli-usage-line")));
    section(&mut page, &text!(context, "cli-options"));
    arguments(&mut page, command.get_arguments());
    section(&mut page, &text!(context, "cli-commands"));
    commands(&mut page, command, context);
    section(&mut page, &text!(context, "cli-man-exit"));
    let _ = writeln!(page, "{}", escaped(&text!(context, "cli-man-exit-codes")));
    page
}

/// Each command, and those that it has itself.
fn commands(page: &mut String, command: &mut clap::Command, context: &Context) {
    for command in command.get_subcommands_mut() {
        let _ = writeln!(page, ".SS {}", escaped(&usage(command, context)));
        let _ = writeln!(page, "{}", plain(command.get_about()));
        arguments(page, command.get_arguments().filter(|arg| !arg.is_global_set()));
        commands(page, command, context);
    }
}

fn section(page: &mut String, title: &str) {
    let _ = writeln!(page, ".SH {}", title.to_uppercase());
}

fn arguments<'a>(page: &mut String, arguments: impl Iterator<Item = &'a clap::Arg>) {
    for arg in arguments {
        let short = arg.get_short().map_or(String::new(), |short| format!("-{short}, "));
        let _ = writeln!(page, ".TP\n\\fB{}\\fR", escaped(&format!("{short}{arg}")));
        let _ = writeln!(page, "{}", plain(arg.get_help()));
    }
}

/// `outflank show [OPTIONS] <GAME>`
fn usage(command: &mut clap::Command, context: &Context) -> String {
    let usage = command.render_usage().to_string();
    let usage = usage.split_once(' ').map_or("", |(_, usage)| usage);
    usage.replace("[OPTIONS]", &text!(context, "cli-usage-options"))
}

fn plain(text: Option<&clap::builder::StyledStr>) -> String {
    text.map(|text| escaped(&text.to_string())).unwrap_or_default()
}

/// In a manual page a backslash begins a command, and so does a dot or a quote at the beginning of a line; a bare `-`
/// may become a hyphen.
fn escaped(text: &str) -> String {
    let text = text.replace('\\', "\\e").replace('-', "\\-");
    if text.starts_with(['.', '\'']) { format!("\\&{text}") } else { text }
}
