//! Scene files for [`carom`]: read into worlds, with errors that point into the file.
//!
//! A scene is a TOML file in UTF-8. Lengths are in metres, times in seconds, masses in kilograms, angles in radians,
//! frequencies in hertz: SI units throughout. `inf` and `nan` are refused, except where `inf` is said to be allowed.
//!
//! ```
//! let scene = carom_scene::parse(
//!     "two_discs.toml",
//!     r#"
//!     version = 1
//!     dimension = 2
//!     run.until = 2.0
//!
//!     [[bodies]]
//!     name = "left"
//!     shape = "ball"
//!     radius = 0.1
//!     mass = 0.8
//!     position = [0.0, 0.0]
//!     velocity = [0.1, 0.0]
//!
//!     [[bodies]]
//!     name = "wall"
//!     shape = "wall"
//!     point = [0.3, 0.0]
//!     normal = [-1.0, 0.0]
//!     "#,
//! )
//! .unwrap_or_else(|errors| panic!("{errors}"));
//! assert_eq!(scene.world.len(), 2);
//! ```
//!
//! # The format, version 1
//!
//! | key | | what |
//! |---|---|---|
//! | `version` | required | `1` |
//! | `dimension` | required | `2` or `3`: how many numbers a vector has |
//! | `title` | | what summaries call the scene; otherwise the file's name |
//! | `gravity` | | vector, m/s²; zero unless given |
//! | `run.until` | required | when the run ends, s |
//! | `run.max_events` | | the run stops after this many collisions |
//! | `materials.NAME` | | a material, see below; `default`, elastic and smooth, is there unless redefined |
//! | `[[pairs]]` | | what holds between two materials in place of the geometric mean of their numbers |
//! | `[[bodies]]` | required | the bodies, at least one and at most [`MOST_BODIES`] |
//!
//! **Materials**: `restitution` (ε ≥ 0, 1 unless given; above 1 adds energy, as a bumper does), `friction` (μ ≥ 0, 0
//! unless given) or both `static_friction` and `kinetic_friction` (μ_c ≤ μ_s), `law` (`"coulomb"` unless given,
//! `"newton"`, `"course"`, `"beta"`).
//! **Pairs**: `materials = ["a", "b"]` and any of the same keys; a pair is given once.
//!
//! **Bodies**: `shape`, and
//!
//! | `shape` | its keys | |
//! |---|---|---|
//! | `"ball"` | `radius`, `position` | disc or sphere |
//! | `"wall"` | `point`, `normal`, `two_sided` (`false`) | a line or plane without end; the normal points out of it, and everything behind it is solid unless it is two-sided |
//! | `"room"` | `radius`, `position` | round and empty inside, solid outside |
//! | `"box"` | `size` (full sides), `position`, `angle` in 2-D, `rotation = { axis, angle }` in 3-D | |
//! | `"segment"` | `from`, `to` | 2-D: thin, hit from both sides and at its ends |
//! | `"arc"` | `centre`, `radius`, `start`, `sweep` | 2-D: thin, counter-clockwise from the angle `start` over the angle `sweep` |
//! | `"triangle"` | `corners = [[…], […], […]]` | 3-D: thin, hit from both sides, along its edges, at its corners |
//! | `"cylinder"` | `position`, `axis`, `length`, `radius` | 3-D: solid, with flat ends |
//!
//! Every body may have a `name` and a `material`. **Names are unique**: a second body of the same name is refused. A
//! body without a name is called by its shape and its place in the file, such as `ball 3`.
//!
//! **Motion.** A ball is free unless told otherwise: it needs a `mass`, and may have a `velocity`, a `spin` (a number
//! in 2-D, a vector in 3-D, rad/s) and an `inertia` (kg·m², `inf` for one that cannot be spun; otherwise that of a full
//! disc or sphere). All other shapes are fixed unless told otherwise. `motion` says so:
//!
//! | `motion` | |
//! |---|---|
//! | `"free"`, `"fixed"` | |
//! | `{ velocity = […] }` | constant, m/s |
//! | `{ pivot = […], spin = … }` | a rotation about a fixed point of the world, rad/s |
//! | `{ amplitude = […], frequency = …, phase = … }` | `amplitude · sin(2π frequency t + phase)` is added to the place; the phase is 0 unless given |
//! | `{ path = [{ time = …, offset = […] }, …] }` | straight from knot to knot; offsets count from the place given |
//!
//! # Limits
//!
//! A file has at most [`LARGEST_FILE`] bytes and 1000 materials. Numbers are at most 1e40 in size, and those that must
//! be positive at least 1e-40, so that the products that the formulas form stay finite. Bodies may
//! touch at the start, but not overlap by more than 16u of their coordinates, `u = 2⁻⁵³`.
#![forbid(unsafe_code)]

mod body;
mod dimension;
mod file;
mod material;
mod motion;
mod overlap;
mod problem;
mod quantity;
mod reader;
mod render;
mod scene;
mod shape;
mod space;
mod suggest;
mod syntax;

pub use body::MOST_BODIES;
pub use file::LARGEST_FILE;
pub use problem::{Problem, SceneErrors};
pub use render::Style;
pub use scene::{AnyWorld, RunSettings, Scene, load, parse};
pub use shape::shape_name;
pub use space::SceneSpace;
