//! Matches between players: who they are ([`player`]), engines in other processes ([`external`]), one game ([`play`]),
//! and what many games prove ([`score`]) if nobody failed ([`troubles`]).

pub(crate) mod external;
pub(crate) mod log;
pub(crate) mod openings;
pub(crate) mod play;
pub(crate) mod player;
pub(crate) mod score;
pub(crate) mod troubles;
