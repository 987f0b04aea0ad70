//! Many games in one place: added without doubles, found by position, player, event and year.

#![forbid(unsafe_code)]
