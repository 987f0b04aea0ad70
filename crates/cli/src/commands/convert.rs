//! `outflank convert FROM TO`: the same games in another format.

use crate::{
    args::Convert,
    context::{Context, Failure},
    fail,
    files::{self, Source},
};
use record::{
    Format, Record, WriteError, board_text, ggf, obf, pgn, sgf,
    svg::Diagram,
    transcript,
    wthor::{Base, Date},
};
use std::path::Path;

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
}

pub(crate) fn run(args: &Convert, context: &Context) -> Result<(), Failure> {
    let extension = || args.into.extension().and_then(|extension| Target::named(&extension.to_string_lossy()).ok());
    let to_stdout = args.into == Path::new("-");
    let Some(target) = args.to.or_else(extension) else {
        return Err(fail!(context, "cli-convert-no-format", path = args.into.display().to_string()));
    };
    let source = Source::open(&args.from, context)?;
    let format = source.known_format(context)?;
    let mut records = Vec::new();
    let mut rejected = false;
    for game in source.records(format) {
        match game {
            Ok(record) => records.push(record),
            Err(rejection) => {
                rejected = true;
                eprintln!("outflank: {}", context.rejection(&source.name, &rejection));
            }
        }
    }
    if records.is_empty() {
        return Err(if rejected {
            Failure::Quiet(2)
        } else {
            fail!(context, "cli-rejected-file", file = source.name.as_str(), why = context.why(&record::Why::Unknown))
        });
    }
    let unwritable = |error: WriteError| {
        let path = args.into.display().to_string();
        fail!(context, "cli-error-write", path = path, reason = context.unwritable(&error))
    };
    if target == Target::File(Format::Wthor) {
        let base = Base::write(&records, today()).map_err(unwritable)?;
        if to_stdout {
            context.print_bytes(&base.games)?;
        } else {
            let beside = |extension| args.into.with_extension(extension);
            let wthor =
                [(args.into.clone(), base.games), (beside("jou"), base.players), (beside("trn"), base.tournaments)];
            files::write(&wthor, context)?;
        }
    } else {
        let text = text(&records, target).map_err(unwritable)?;
        if to_stdout {
            context.print(&text)?;
        } else {
            files::write(&[(args.into.clone(), text.into_bytes())], context)?;
        }
    }
    if rejected { Err(Failure::Quiet(2)) } else { Ok(()) }
}

fn text(records: &[Record], target: Target) -> Result<String, WriteError> {
    let lines = |line: fn(&Record) -> Result<String, WriteError>| -> Result<String, WriteError> {
        records.iter().map(|record| line(record).map(|line| line + "\n")).collect()
    };
    match target {
        Target::File(Format::Transcript) => lines(transcript::write),
        Target::File(Format::Obf) => lines(obf::write),
        Target::File(Format::Ggf) => lines(|record| Ok(ggf::write(record))),
        Target::File(Format::Sgf) => Ok(records.iter().map(sgf::write).collect()),
        Target::File(Format::Pgn) => Ok(records.iter().map(pgn::write).collect::<Vec<_>>().join("\n")),
        Target::File(format @ (Format::Board | Format::Wthor)) => match records {
            [record] => Ok(board_text::write_diagram(record.end().setup())),
            _ => Err(WriteError::OneGame(format)),
        },
        Target::Svg => match records {
            [record] => Ok(Diagram::of_game(record).write()),
            _ => Err(WriteError::OneDrawing),
        },
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
