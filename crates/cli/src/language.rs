//! English and Spanish, from `locales/*.ftl`.

use fluent_bundle::{FluentArgs, FluentResource, FluentValue, concurrent::FluentBundle, types::FluentNumber};
use std::ffi::OsString;
use unic_langid::langid;

/// A language the program speaks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Language {
    English,
    Spanish,
}

impl Language {
    /// The language of a name such as `es`, `es-MX` or `es_ES.UTF-8`.
    pub(crate) fn named(name: &str) -> Result<Language, &'static str> {
        match name.split(['_', '-', '.', '@']).next().unwrap_or_default().to_ascii_lowercase().as_str() {
            "en" => Ok(Language::English),
            "es" => Ok(Language::Spanish),
            _ => Err("en, es"),
        }
    }

    /// `--lang` if given, else the first of `LC_ALL`, `LC_MESSAGES` and `LANG` that is set, else English.
    ///
    /// This looks at the words before they are parsed: what parsing has to say must be said in the right language.
    pub(crate) fn choose(words: &[OsString], variable: impl Fn(&str) -> Option<String>) -> Language {
        let mut asked = None;
        let mut words = words.iter().skip(1).map(|word| word.to_string_lossy()).take_while(|word| word != "--");
        while let Some(word) = words.next() {
            if word == "--lang" {
                asked = words.next().map(|name| name.into_owned());
            } else if let Some(name) = word.strip_prefix("--lang=") {
                asked = Some(name.to_owned());
            }
        }
        let environment = || ["LC_ALL", "LC_MESSAGES", "LANG"].into_iter().filter_map(variable).find(|v| !v.is_empty());
        asked.or_else(environment).and_then(|name| Language::named(&name).ok()).unwrap_or(Language::English)
    }
}

/// The messages of one language.
pub(crate) struct Messages {
    bundle: FluentBundle<FluentResource>,
    /// What stands before decimals.
    point: &'static str,
    language: Language,
}

impl Messages {
    pub(crate) fn new(language: Language) -> Messages {
        let (id, source) = match language {
            Language::English => (langid!("en"), include_str!("../../../locales/en.ftl")),
            Language::Spanish => (langid!("es"), include_str!("../../../locales/es.ftl")),
        };
        let resource = FluentResource::try_new(source.to_owned()).unwrap_or_else(|(_, errors)| panic!("{errors:?}"));
        let mut bundle = FluentBundle::new_concurrent(vec![id]);
        // Terminals show the isolating marks as boxes.
        bundle.set_use_isolating(false);
        bundle.add_builtins().unwrap_or_else(|error| panic!("{error}"));
        bundle.add_resource(resource).unwrap_or_else(|errors| panic!("{errors:?}"));
        bundle.set_formatter(Some(match language {
            Language::English => |value, _| number_text(value, ",", "."),
            Language::Spanish => |value, _| number_text(value, "\u{202f}", ","),
        }));
        let point = if language == Language::Spanish { "," } else { "." };
        Messages { bundle, point, language }
    }

    /// Of two words for the same thing that are no messages, the one in this language.
    pub(crate) fn of<T>(&self, english: T, spanish: T) -> T {
        match self.language {
            Language::English => english,
            Language::Spanish => spanish,
        }
    }

    /// A number for a table, with so many decimals.
    pub(crate) fn decimal(&self, value: f64, decimals: usize) -> String {
        format!("{value:.decimals$}").replace('.', self.point)
    }

    /// The message `id` with its arguments filled in, or `None` if there is no such message.
    pub(crate) fn get(&self, id: &str, args: &FluentArgs<'_>) -> Option<String> {
        let pattern = self.bundle.get_message(id)?.value()?;
        let mut errors = Vec::new();
        let text = self.bundle.format_pattern(pattern, Some(args), &mut errors).into_owned();
        debug_assert!(errors.is_empty(), "{id}: {errors:?}");
        Some(text)
    }

    /// The message `id`; the id itself where there is none, which a test rules out.
    pub(crate) fn text(&self, id: &str, args: &FluentArgs<'_>) -> String {
        self.get(id, args).unwrap_or_else(|| id.to_owned())
    }
}

/// The text of a message: `text!(context, "cli-error-missing", arg = name)`.
#[macro_export]
macro_rules! text {
    ($context:expr, $id:literal $(, $name:ident = $value:expr)* $(,)?) => {{
        #[allow(unused_mut)]
        let mut args = fluent_bundle::FluentArgs::new();
        $(args.set(stringify!($name), $value);)*
        $context.messages.text($id, &args)
    }};
}

/// Numbers as the language writes them.
fn number_text(value: &FluentValue<'_>, group: &str, point: &str) -> Option<String> {
    let FluentValue::Number(FluentNumber { value, options }) = value else { return None };
    let decimals = options.minimum_fraction_digits.unwrap_or(0);
    let plain = format!("{value:.decimals$}");
    let (whole, fraction) = plain.split_once('.').unwrap_or((&plain, ""));
    let digits = whole.trim_start_matches('-');
    let mut text = String::from(if whole.starts_with('-') { "-" } else { "" });
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at) % 3 == 0 && digits.len() > 4 {
            text.push_str(group);
        }
        text.push(digit);
    }
    if !fraction.is_empty() {
        text.push_str(point);
        text.push_str(fraction);
    }
    Some(text)
}
