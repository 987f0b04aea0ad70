//! `outflank convert FROM TO`: the same games in another format.

use crate::{
    args::Convert,
    context::{Context, Failure},
    fail,
    files::{self, Games},
};
use record::{
    Format, Loss, Record, WriteError, export,
    svg::Diagram,
    wthor::{Base, Date},
};
use rules::ByColor;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

/// What can be written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Target {
    File(Format),
    Svg,
}

impl Target {
    /// The target of a file name's end.
    pub(crate) fn named(extension: &str) -> Result<Target, &'static str> {
        if extension.eq_ignore_ascii_case("svg") {
            return Ok(Target::Svg);
        }
        Format::of_extension(extension).map(Target::File).ok_or("txt, pgn, ggf, sgf, wtb, obf, board, svg")
    }

    /// How the names of such files end.
    pub(crate) fn extension(self) -> &'static str {
        match self {
            Target::File(format) => format.extension(),
            Target::Svg => "svg",
        }
    }
}

/// What came of it. `--json` prints `games` (how many there are), `written` (how many of them were written), `to` (the
/// file), `format` (its ending), `lost` (kinds of things the format has no place for, and in how many games), `rejected`
/// (as `import` has it) and `warned` (games whose result is not that of their moves: they are written as they are).
#[derive(Default)]
struct Report {
    records: Vec<Record>,
    rejected: Vec<Value>,
    warned: Vec<Value>,
}

pub(crate) fn run(args: &Convert, context: &Context) -> Result<(), Failure> {
    let extension = || args.into.extension().and_then(|extension| Target::named(&extension.to_string_lossy()).ok());
    let to_stdout = args.into == Path::new("-");
    let path = args.into.display().to_string();
    let Some(target) = args.to.or_else(extension) else {
        return Err(fail!(context, "cli-convert-no-format", path = path));
    };
    if to_stdout && args.json {
        return Err(fail!(context, "cli-error-conflict", arg = "--json", other = "-"));
    }
    let games = Games::open(&args.from, context)?;
    let report = read(&games, args.json, context);
    if report.records.is_empty() {
        return Err(if report.rejected.is_empty() {
            fail!(context, "cli-rejected-file", file = games.name.as_str(), why = context.why(&record::Why::Unknown))
        } else {
            Failure::Quiet(2)
        });
    }
    let unwritable = |error: WriteError| {
        fail!(context, "cli-error-write", path = path.as_str(), reason = context.unwritable(&error))
    };
    let files = written(&report.records, target, &args.into).map_err(unwritable)?;
    let lost = match target {
        // the names lie in files beside it, which standard output has not
        Target::File(Format::Wthor) if to_stdout => lost_with_names(&report.records),
        Target::File(format) => record::lost(&report.records, format),
        // a drawing shows the moves and was never meant to hold more
        Target::Svg => Vec::new(),
    };
    if to_stdout {
        context.print_bytes(&files[0].1)?;
    } else {
        // the names in a WTHOR folder may be those of other games
        let there = files[1..].iter().find(|(path, _)| !args.force && path.is_file());
        if let Some((path, _)) = there {
            return Err(fail!(context, "cli-convert-names-there", path = path.display().to_string()));
        }
        files::write(&files, context)?;
    }
    if args.json {
        let lost: Vec<_> = lost.iter().map(|(what, games)| json!({ "kind": what.name(), "games": games })).collect();
        let answer = json!({
            "games": report.records.len() + report.rejected.len(), "written": report.records.len(), "to": path,
            "format": target.extension(), "lost": lost, "rejected": report.rejected, "warned": report.warned,
        });
        context.line(&answer.to_string())?;
    } else {
        for &(what, games) in &lost {
            let what = context.loss(what);
            eprintln!(
                "outflank: {}",
                crate::text!(context, "cli-lost", format = target.extension(), what = what, games = games)
            );
        }
    }
    if report.rejected.is_empty() { Ok(()) } else { Err(Failure::Quiet(2)) }
}

/// What is lost in a WTHOR file without those of the players and tournaments.
fn lost_with_names(records: &[Record]) -> Vec<(Loss, usize)> {
    let players = records.iter().filter(|record| record.headers.players != ByColor::default()).count();
    let events = records.iter().filter(|record| !record.headers.event.is_empty()).count();
    let names = [(Loss::Players, players), (Loss::Event, events)];
    let mut lost = record::lost(records, Format::Wthor);
    lost.retain(|(what, _)| !matches!(what, Loss::Players | Loss::Event));
    lost.extend(names.into_iter().filter(|&(_, games)| games > 0));
    lost.sort();
    lost
}

/// Reads every game. What is wrong is said at once, or kept for those who want JSON.
fn read(games: &Games, as_json: bool, context: &Context) -> Report {
    let mut report = Report::default();
    let mut records = games.records();
    while let Some(game) = records.next() {
        match game {
            Ok(record) => {
                if let Err(why) = record.check_result()
                    && let Some(refused) = records.refuse(why)
                {
                    report.warned.push(refused.json(context));
                    if !as_json {
                        let sentence = context.refused(&refused);
                        eprintln!("outflank: {}", crate::text!(context, "cli-convert-warned", sentence = sentence));
                    }
                }
                report.records.push(record);
            }
            Err(refused) => {
                report.rejected.push(refused.json(context));
                if !as_json {
                    eprintln!("outflank: {}", context.refused(&refused));
                }
            }
        }
    }
    report
}

/// The files that hold these games in this format: one, or the three of WTHOR.
pub(crate) fn written(records: &[Record], target: Target, path: &Path) -> Result<Vec<(PathBuf, Vec<u8>)>, WriteError> {
    if target == Target::File(Format::Wthor) {
        let base = Base::write(records, today())?;
        let beside = |extension| path.with_extension(extension);
        return Ok(vec![
            (path.to_owned(), base.games),
            (beside("jou"), base.players),
            (beside("trn"), base.tournaments),
        ]);
    }
    Ok(vec![(path.to_owned(), text(records, target)?.into_bytes())])
}

fn text(records: &[Record], target: Target) -> Result<String, WriteError> {
    match (target, records) {
        (Target::File(format), _) => export::text(records, format),
        (Target::Svg, [record]) => Ok(Diagram::of_game(record).write()),
        (Target::Svg, _) => Err(WriteError::OneDrawing),
    }
}

/// The day it is, in Greenwich: a version stamp.
fn today() -> Date {
    let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
    civil((since.as_secs() / 86_400) as i64)
}

/// The day that many days after 1 January 1970. Years are counted from March, so that the leap day comes last.
fn civil(days: i64) -> Date {
    let days = days + 719_468;
    let era = days.div_euclid(146_097);
    let day = days.rem_euclid(146_097);
    let year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let date = day - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    let year = year + era * 400 + i64::from(month <= 2);
    Date { year: year as u16, month: month as u8, day: date as u8 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_of_the_calendar() {
        for (days, year, month, day) in
            [(0, 1970, 1, 1), (59, 1970, 3, 1), (11_016, 2000, 2, 29), (19_782, 2024, 2, 29), (20_454, 2026, 1, 1)]
        {
            assert_eq!(civil(days), Date { year, month, day });
        }
    }
}
