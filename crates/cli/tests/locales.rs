//! The two languages say the same things, and the command line says nothing that is not in them.

use fluent_syntax::ast::{Entry, Expression, InlineExpression, Pattern, PatternElement};
use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Each message of a language with its variables.
fn messages(language: &str) -> BTreeMap<String, BTreeSet<String>> {
    let source = fs::read_to_string(root().join("locales").join(format!("{language}.ftl"))).unwrap();
    let resource = fluent_syntax::parser::parse(source.as_str()).unwrap_or_else(|(_, errors)| panic!("{errors:?}"));
    let mut all = BTreeMap::new();
    for entry in resource.body {
        let Entry::Message(message) = entry else { continue };
        let mut variables = BTreeSet::new();
        in_pattern(&message.value.expect("a value"), &mut variables);
        let id = message.id.name.to_owned();
        assert!(all.insert(id.clone(), variables).is_none(), "{language}: {id} is there twice");
    }
    all
}

fn in_pattern(pattern: &Pattern<&str>, variables: &mut BTreeSet<String>) {
    for element in &pattern.elements {
        match element {
            PatternElement::TextElement { .. } => {}
            PatternElement::Placeable { expression: Expression::Inline(inline) } => in_inline(inline, variables),
            PatternElement::Placeable { expression: Expression::Select { selector, variants } } => {
                in_inline(selector, variables);
                variants.iter().for_each(|variant| in_pattern(&variant.value, variables));
            }
        }
    }
}

fn in_inline(inline: &InlineExpression<&str>, variables: &mut BTreeSet<String>) {
    match inline {
        InlineExpression::VariableReference { id } => {
            variables.insert(id.name.to_owned());
        }
        InlineExpression::FunctionReference { arguments, .. } => {
            arguments.positional.iter().for_each(|argument| in_inline(argument, variables));
        }
        InlineExpression::Placeable { expression } => {
            if let Expression::Inline(inline) = &**expression {
                in_inline(inline, variables);
            }
        }
        _ => {}
    }
}

#[test]
fn both_languages_have_the_same_messages_and_variables() {
    let (english, spanish) = (messages("en"), messages("es"));
    for (id, variables) in &english {
        let other = spanish.get(id).unwrap_or_else(|| panic!("es.ftl has no {id}"));
        assert_eq!(variables, other, "variables of {id}");
    }
    for id in spanish.keys() {
        assert!(english.contains_key(id), "en.ftl has no {id}");
    }
}

#[test]
fn every_message_the_command_line_uses_exists_and_none_is_left_over() {
    let mut used = BTreeSet::new();
    // What is wrong with a game the server says by the same messages.
    let mut folders = vec![root().join("crates/cli/src"), root().join("crates/server/src/library")];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else {
                let source = fs::read_to_string(&path).unwrap();
                let literals = source.split('"').filter(|text| is_id(text));
                used.extend(literals.map(str::to_owned));
            }
        }
    }
    let english = messages("en");
    for id in &used {
        assert!(english.contains_key(id), "locales have no {id}");
    }
    // The help of each command and option has a made-up id; a test beside `help::command` covers those.
    for id in english.keys().filter(|id| id.starts_with("cli-") && !id.starts_with("cli-help")) {
        assert!(used.contains(id), "{id} is never said");
    }
}

/// Spanish speaks to the user as *tú*, everywhere.
#[test]
fn spanish_has_one_register() {
    let spanish = fs::read_to_string(root().join("locales/es.ftl")).unwrap().to_lowercase();
    let words: BTreeSet<&str> = spanish.split(|letter: char| !letter.is_alphabetic()).collect();
    // imperatives that say nothing else; others, such as "abra", are also what somebody else may do
    for formal in [
        "usted",
        "ustedes",
        "compruebe",
        "elija",
        "escriba",
        "indique",
        "inténtelo",
        "póngale",
        "pulse",
        "recargue",
        "seleccione",
    ] {
        assert!(!words.contains(formal), "“{formal}” is how one speaks to strangers");
    }
}

fn is_id(text: &str) -> bool {
    ["cli-", "play-"].iter().any(|prefix| text.starts_with(prefix))
        && text.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-')
}
