//! `outflank library find`: the games that reach a position or have something else in common, and how they went.

use super::{open_if_there, query, unusable};
use crate::{
    args::Find,
    columns::Columns,
    context::{Context, Failure},
    text,
};
use library::{Catalogue, Count, Entry, Found, Next, Sort};
use serde_json::{Value, json};
use std::sync::Arc;

/// How many games are listed for people.
const LISTED: usize = 20;

pub(super) fn run(args: &Find, context: &Context) -> Result<(), Failure> {
    let query = query(&args.selection, context)?;
    let catalogue = match open_if_there(&args.shelf, context)? {
        Some(mut library) => library.catalogue().map_err(|error| unusable(error, context))?,
        None => Arc::default(),
    };
    let found = catalogue.find(&query);
    if args.shelf.json {
        return context.line(&told(&found).to_string());
    }
    print(&catalogue, &found, context)
}

/// What was found, for programs: `average` is that of Black's score less White's, in discs.
fn told(found: &Found) -> Value {
    let mut answer = counted(&found.count);
    let next = |next: &Next| {
        let mut told = counted(&next.count);
        told["square"] = next.square.to_string().into();
        told
    };
    answer["next"] = found.next.iter().map(next).collect();
    answer
}

fn counted(count: &Count) -> Value {
    json!({
        "games": count.games, "black_wins": count.black_wins, "draws": count.draws, "white_wins": count.white_wins,
        "average": count.average().map(|average| (average * 1000.0).round() / 1000.0),
    })
}

fn print(catalogue: &Catalogue, found: &Found, context: &Context) -> Result<(), Failure> {
    if found.count.games == 0 {
        let nothing = if catalogue.is_empty() { "cli-library-empty" } else { "cli-library-none" };
        return context.line(&context.messages.text(nothing, &Default::default()));
    }
    let cells = |count: &Count| {
        let numbers = [count.games, count.black_wins, count.draws, count.white_wins].map(|number| number.to_string());
        let average = count.average().map_or(String::new(), |average| signed(average, 1, context));
        numbers.into_iter().chain([average])
    };
    let columns = Columns::new(&text!(context, "cli-library-columns"), &[4, 7, 7, 7, 7, 6]);
    context.line(&columns.title())?;
    let all = [String::new()].into_iter().chain(cells(&found.count)).collect::<Vec<_>>();
    context.line(&columns.row(&all))?;
    for next in &found.next {
        let row = [next.square.to_string()].into_iter().chain(cells(&next.count)).collect::<Vec<_>>();
        context.line(&columns.row(&row))?;
    }
    context.line("")?;
    for (entry, _) in catalogue.list(found, Sort::Newest, 0, LISTED) {
        context.line(&listed(&entry, context))?;
    }
    let more = found.hits.len().saturating_sub(LISTED);
    if more > 0 { context.line(&text!(context, "cli-library-more", more = more)) } else { Ok(()) }
}

fn signed(number: f64, decimals: usize, context: &Context) -> String {
    let sign = if number > 0.0 { "+" } else { "" };
    format!("{sign}{}", context.messages.decimal(number, decimals))
}

/// `  1234  2004  Ana – Luis, Open (3)  +12`
fn listed(entry: &Entry<'_>, context: &Context) -> String {
    let known = |name: &str| if name.is_empty() { "?".to_owned() } else { name.to_owned() };
    let year = entry.year.map_or("    ".to_owned(), |year| year.to_string());
    let mut line = format!("{:>8}  {year}  {} – {}", entry.number, known(entry.black), known(entry.white));
    if !entry.event.is_empty() {
        line += &format!(", {}", entry.event);
    }
    if !entry.round.is_empty() {
        line += &format!(" ({})", entry.round);
    }
    if let Some(difference) = entry.difference {
        let whole = if difference.fract() == 0.0 { 0 } else { 1 };
        line += &format!("  {}", signed(f64::from(difference), whole, context));
    }
    line
}
