//! The accuracy table: the library's impact kernels against arbitrary-precision arithmetic.
//!
//! `cargo run --release -p accuracy` prints it. A random case ([`generate`]) is put to the library ([`library`]) and to
//! an oracle ([`oracle`]) that knows nothing of the library's formulas: it sees only the distance of a point
//! from a shape ([`distance`]) and the path of that point ([`path`]). [`judge`] compares.
#![forbid(unsafe_code)]

pub mod big;
pub mod case;
pub mod distance;
pub mod generate;
pub mod hard;
pub mod judge;
pub mod kernels;
pub mod library;
pub mod oracle;
pub mod path;
pub mod real;
pub mod response;
pub mod table;
pub mod tally;
pub mod text;
pub mod wide;
