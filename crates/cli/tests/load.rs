//! `outflank load` against the real program, and the oracle against what that kept.

mod common;

use common::{Server, outflank};
use serde_json::Value;
use std::{fs, path::Path, process::Output};

/// Holds a log against the games in a folder.
fn check(log: &Path, folder: &Path) -> (Option<i32>, Value) {
    let output = outflank(&["load", "--json", "--check"]).arg(log).arg("--data").arg(folder).output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    (output.status.code(), serde_json::from_str(&said).unwrap_or_else(|_| panic!("{output:?}")))
}

fn sentence(output: &Output) -> String {
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// The log with its first move changed where `at` says.
fn doctored(log: &Path, change: impl Fn(&mut Value)) -> tempfile::NamedTempFile {
    let text = fs::read_to_string(log).unwrap();
    let mut lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let told = lines.iter_mut().find(|told| told["acknowledged"].as_array().unwrap().len() > 1).unwrap();
    change(told);
    let file = tempfile::NamedTempFile::new().unwrap();
    fs::write(file.path(), lines.iter().map(|line| format!("{line}\n")).collect::<String>()).unwrap();
    file
}

#[test]
fn guests_play_and_all_they_were_told_is_kept() {
    let (folder, logs) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let log = logs.path().join("told.ndjson");
    let server = Server::start(folder.path());
    let output = outflank(&["load", "--games", "5", "--seconds", "2", "--json", "--server", &server.address])
        .arg("--log")
        .arg(&log)
        .output()
        .unwrap();
    assert!(output.status.success(), "{output:?}");
    let said: Value = serde_json::from_slice(&output.stdout).unwrap();
    let mut names: Vec<&str> = said.as_object().unwrap().keys().map(String::as_str).collect();
    names.sort_unstable();
    assert_eq!(names, ["acknowledged", "errors", "games", "p50_ms", "p99_ms", "per_second"]);
    // Whoever was put off is said in words, to people.
    let aside = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(aside.is_empty() || aside.starts_with("outflank: The server put clients off"), "{aside}");
    assert_eq!(said["errors"], 0, "{said}");
    assert!(said["games"].as_u64() >= Some(5) && said["acknowledged"].as_u64() > Some(50), "{said}");
    assert!(said["p50_ms"].as_f64() > Some(0.0) && said["p99_ms"].as_f64() >= said["p50_ms"].as_f64(), "{said}");
    // The games of a server that runs are its own.
    let busy = outflank(&["load", "--check"]).arg(&log).arg("--data").arg(folder.path()).output().unwrap();
    assert!(sentence(&busy).contains("another Outflank is using"));
    drop(server); // killed: whatever was acknowledged is there all the same
    let (code, found) = check(&log, folder.path());
    assert_eq!((code, &found["faults"]), (Some(0), &serde_json::json!([])));
    assert_eq!(found["acknowledged"], said["acknowledged"], "nothing that was counted is left out");
    for change in [
        (&|told: &mut Value| told["acknowledged"][0]["square"] = "a1".into()) as &dyn Fn(&mut Value),
        &|told| told["acknowledged"][1]["seq"] = 9999.into(),
        &|told| told["acknowledged"].as_array_mut().unwrap().swap(0, 1),
        &|told| told["acknowledged"][0]["id"] = "someone-else".into(),
        &|told| told["saw"][0] = "a1".into(),
        &|told| told["saw"].as_array_mut().unwrap().extend(["a1"; 61].map(Value::from)),
        &|told| told["game"] = "k7q2m9x4tbcd".into(),
    ] {
        let (code, found) = check(doctored(&log, change).path(), folder.path());
        assert_eq!(code, Some(1), "{found}");
        assert!(!found["faults"].as_array().unwrap().is_empty());
    }
    let torn = tempfile::NamedTempFile::new().unwrap();
    fs::write(torn.path(), "{\"client\":").unwrap();
    let output = outflank(&["load", "--check"]).arg(torn.path()).arg("--data").arg(folder.path()).output().unwrap();
    assert!(sentence(&output).contains("line 1"));
}

#[test]
fn a_server_elsewhere_is_left_alone_and_one_that_is_not_there_is_said_so() {
    let elsewhere = outflank(&["load", "--server", "http://192.0.2.1:8464"]).output().unwrap();
    assert!(sentence(&elsewhere).contains("--yes-this-is-my-server"));
    let gone = outflank(&["load", "--server", "127.0.0.1:1", "--seconds", "1"]).output().unwrap();
    assert!(sentence(&gone).contains("cannot be reached"));
    assert!(sentence(&outflank(&["load"]).output().unwrap()).contains("--server"));
    assert!(sentence(&outflank(&["load", "--server", "https://x/y"]).output().unwrap()).contains("https://x/y"));
}
