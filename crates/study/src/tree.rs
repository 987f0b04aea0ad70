//! A game that can be edited: a tree of variations with comments, marks and arrows.

mod marks;

pub use marks::{Arrow, Mark, Shape};

use serde::{Deserialize, Serialize};

/// A node of a tree: 0 is the root, the position before the first move. Numbers are never used twice in one tree.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct NodeId(pub u32);

#[cfg(feature = "ts")]
impl ts_rs::TS for NodeId {
    type WithoutGenerics = NodeId;
    type OptionInnerType = NodeId;

    fn name(_: &ts_rs::Config) -> String {
        "number".to_owned()
    }

    fn inline(config: &ts_rs::Config) -> String {
        Self::name(config)
    }
}
