//! carom for the page: scenes are read, run and looked at behind a handful of WebAssembly functions.
//!
//! A worker of the page holds one instance. It hands over a request in JSON ([`request`]), or calls one of the two
//! functions that are called all the time: run ahead by some events, and evaluate all positions at an instant
//! ([`abi`]). What runs is [`player::Player`]: a head that runs ahead and lists events, checkpoints behind it, and a
//! view that goes to any instant that has been computed. Nothing is interpolated: a picture is the state that the
//! engine has at that instant, and the digest at the end is that of `carom run`.

#![warn(missing_docs)]

pub mod abi;
mod body;
mod budget;
mod edit;
mod event;
mod history;
mod json;
pub mod player;
pub mod request;
mod shape;
mod space;
