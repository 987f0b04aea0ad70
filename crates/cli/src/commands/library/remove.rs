//! `outflank library remove`: games leave the library.

use super::{open_if_there, unusable};
use crate::{
    args::Remove,
    context::{Context, Failure},
    fail, text,
};
use serde_json::json;

/// `--json` prints `removed`: how many games there were.
pub(super) fn run(args: &Remove, context: &Context) -> Result<(), Failure> {
    let removed = match (open_if_there(&args.shelf, context)?, &args.from) {
        (None, _) => 0,
        (Some(mut library), Some(source)) => library.remove_source(source).map_err(|error| unusable(error, context))?,
        (Some(mut library), None) => library.remove(&args.numbers).map_err(|error| unusable(error, context))?,
    };
    if args.shelf.json {
        context.line(&json!({ "removed": removed }).to_string())?;
    } else if removed > 0 {
        context.line(&text!(context, "cli-library-removed", games = removed))?;
    }
    match (removed, &args.from) {
        (0, _) if args.shelf.json => Err(Failure::Quiet(2)),
        (0, Some(source)) => Err(fail!(context, "cli-library-no-source", name = source.as_str())),
        (0, None) => Err(fail!(context, "cli-library-no-number")),
        _ => Ok(()),
    }
}
