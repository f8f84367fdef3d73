//! Convex solids: carom beside parry (f64), with all cases checked. What is measured: `rigid/pairs.rs`.

#![forbid(unsafe_code)]

#[path = "rigid/pairs.rs"]
mod pairs;

fn main() {
    pairs::measure(usize::MAX);
}
