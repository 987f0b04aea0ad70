//! `outflank man`: the manual page, all commands on one page.

use crate::{
    context::{Context, Failure},
    fail, help,
};
use std::io::{self, Write};

pub(crate) fn run(context: &Context) -> Result<(), Failure> {
    let mut page = Vec::new();
    let mut command = help::command(&context.messages);
    command.build();
    write(&command, &mut page).map_err(|error| fail!(context, "cli-error-stdout", reason = context.reason(&error)))?;
    context.print(&String::from_utf8_lossy(&page))
}

fn write(command: &clap::Command, page: &mut Vec<u8>) -> io::Result<()> {
    let man = clap_mangen::Man::new(command.clone());
    man.render_title(page)?;
    man.render_name_section(page)?;
    man.render_synopsis_section(page)?;
    man.render_options_section(page)?;
    for command in command.get_subcommands() {
        writeln!(page, ".SH \"outflank {}\"", command.get_name())?;
        writeln!(page, "{}", plain(command.get_about()))?;
        for arg in command.get_arguments().filter(|arg| !arg.is_global_set()) {
            writeln!(page, ".TP\n\\fB{}\\fR", escaped(&arg.to_string()))?;
            writeln!(page, "{}", plain(arg.get_help()))?;
        }
    }
    Ok(())
}

fn plain(text: Option<&clap::builder::StyledStr>) -> String {
    text.map(|text| escaped(&text.to_string())).unwrap_or_default()
}

/// In a manual page a backslash begins a command, a bare `-` may become a hyphen, and so does a line beginning with a
/// dot or a quote.
fn escaped(text: &str) -> String {
    let text = text.replace('\\', "\\e").replace('-', "\\-");
    if text.starts_with(['.', '\'']) { format!("\\&{text}") } else { text }
}
