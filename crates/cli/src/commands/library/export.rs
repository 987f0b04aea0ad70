//! `outflank library export FILE`: games of the library in any format.

use super::{open_if_there, query, unusable};
use crate::{
    args::Export,
    commands::convert::{Target, written},
    context::{Context, Failure},
    fail, files, text,
};
use record::Record;
use serde_json::json;
use std::path::Path;

/// `--json` prints `games` (how many were written), `to` (the file) and `format` (its ending).
pub(super) fn run(args: &Export, context: &Context) -> Result<(), Failure> {
    let extension = || args.into.extension().and_then(|extension| Target::named(&extension.to_string_lossy()).ok());
    let path = args.into.display().to_string();
    let Some(target) = args.to.or_else(extension) else {
        return Err(fail!(context, "cli-convert-no-format", path = path));
    };
    let to_stdout = args.into == Path::new("-");
    if to_stdout && args.shelf.json {
        return Err(fail!(context, "cli-error-conflict", arg = "--json", other = "-"));
    }
    let records = chosen(args, context)?;
    if records.is_empty() {
        return Err(fail!(context, "cli-library-none"));
    }
    let files = written(&records, target, &args.into).map_err(|error| {
        fail!(context, "cli-error-write", path = path.as_str(), reason = context.unwritable(&error))
    })?;
    if to_stdout {
        return context.print_bytes(&files[0].1);
    }
    if let Some((path, _)) = files.iter().find(|(path, _)| !args.force && path.is_file()) {
        return Err(fail!(context, "cli-library-there", path = path.display().to_string()));
    }
    files::write(&files, context)?;
    if args.shelf.json {
        let answer = json!({ "games": records.len(), "to": path, "format": target.extension() });
        return context.line(&answer.to_string());
    }
    context.line(&text!(context, "cli-library-exported", games = records.len(), path = path))
}

fn chosen(args: &Export, context: &Context) -> Result<Vec<Record>, Failure> {
    let query = query(&args.selection, context)?;
    let Some(mut library) = open_if_there(&args.shelf, context)? else { return Ok(Vec::new()) };
    let told = |error| unusable(error, context);
    let catalogue = library.catalogue().map_err(told)?;
    let numbers = catalogue.numbers(&catalogue.find(&query));
    // one that was removed meanwhile is not there any more
    numbers.into_iter().filter_map(|number| library.game(number).map_err(told).transpose()).collect()
}
