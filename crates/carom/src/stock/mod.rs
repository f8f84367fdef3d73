//! Scenes that are ready to play, built from the library's own parts.

pub mod billiards;
