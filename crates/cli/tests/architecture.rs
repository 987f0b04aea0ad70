//! Dependencies point in one direction, as ARCHITECTURE.md draws them.

use serde_json::Value;
use std::process::Command;

/// What each crate of the workspace may use of the others.
const MAY_USE: [(&str, &[&str]); 13] = [
    ("outflank-rules", &[]),
    ("outflank-record", &["outflank-rules"]),
    ("outflank-engine", &["outflank-rules"]),
    ("outflank-table", &["outflank-rules"]),
    ("outflank-people", &["outflank-table", "outflank-rules"]),
    ("outflank-room", &["outflank-people", "outflank-table", "outflank-rules"]),
    ("outflank-store", &["outflank-room", "outflank-people", "outflank-table", "outflank-rules"]),
    ("outflank-analyst", &["outflank-engine", "outflank-rules"]),
    ("outflank-study", &["outflank-engine", "outflank-record", "outflank-rules"]),
    ("outflank-library", &["outflank-record", "outflank-rules"]),
    (
        "outflank-server",
        &[
            "outflank-analyst",
            "outflank-library",
            "outflank-store",
            "outflank-study",
            "outflank-room",
            "outflank-people",
            "outflank-table",
            "outflank-record",
            "outflank-rules",
        ],
    ),
    (
        "outflank",
        &[
            "outflank-server",
            "outflank-store",
            "outflank-analyst",
            "outflank-library",
            "outflank-study",
            "outflank-table",
            "outflank-record",
            "outflank-engine",
            "outflank-rules",
        ],
    ),
    ("outflank-train", &["outflank-engine", "outflank-study", "outflank-rules"]),
];

#[test]
fn no_arrow_points_the_wrong_way() {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--no-deps", "--offline", "--format-version", "1", "--manifest-path"])
        .arg(concat!(env!("CARGO_MANIFEST_DIR"), "/../../Cargo.toml"))
        .output()
        .unwrap();
    let metadata: Value = serde_json::from_slice(&output.stdout).unwrap();
    let packages = metadata["packages"].as_array().unwrap();
    let name = |value: &Value| value["name"].as_str().unwrap().to_owned();
    for package in packages {
        let (_, allowed) = MAY_USE
            .iter()
            .find(|(known, _)| name(package) == *known)
            .unwrap_or_else(|| panic!("{} has no place in the picture", name(package)));
        // What only tests use points wherever it likes.
        let used = package["dependencies"].as_array().unwrap().iter().filter(|used| used["kind"].is_null());
        for used in used.filter(|used| used["path"].is_string()) {
            assert!(allowed.contains(&name(used).as_str()), "{} must not use {}", name(package), name(used));
        }
    }
    assert_eq!(packages.len(), MAY_USE.len(), "a crate in the picture is gone");
}
