//! The search with the weights that are shipped visits exactly so many positions.

mod common;

use common::outflank;

/// What `outflank bench --signature` prints. A change to the search or to the weights changes it; such a commit says so, and why.
const SIGNATURE: &str = "24066300";

#[test]
fn the_search_is_the_one_that_was_measured() {
    let output = outflank(&["bench", "--signature"]).output().unwrap();
    assert_eq!(String::from_utf8(output.stdout).unwrap().trim(), SIGNATURE);
}
