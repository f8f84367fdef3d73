//! Scene files for [`carom`]: read into worlds, with errors that point into the file.
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
#![doc = include_str!("../scenes.md")]
#![forbid(unsafe_code)]

mod body;
mod container;
mod dimension;
mod explain;
mod expression;
mod field;
mod file;
mod fixtures;
mod forces;
mod forms;
mod generate;
mod groups;
mod joint;
mod json;
mod keys;
mod load;
mod look;
mod material;
mod mesh;
mod motion;
mod neighbours;
mod observe;
mod old_names;
mod overlap;
mod plan;
mod problem;
mod quantity;
mod random;
mod reader;
mod render;
mod restitution;
mod run_settings;
mod scene;
mod schema;
mod set;
mod shape;
mod shear;
mod solid;
mod space;
mod suggest;
mod syntax;
mod tree;
mod unit;
mod variables;
mod when;

pub use body::MOST_BODIES;
pub use explain::{Explanation, figures, vector};
pub use file::LARGEST_FILE;
pub use forces::Method;
pub use keys::{KeyStroke, load_keys, parse_keys};
pub use look::{Look, Looks};
pub use observe::{ObserveSettings, RadialSettings};
pub use plan::{AnyPlan, Cue, Plan, PlanError, Rule};
pub use problem::{Problem, SceneErrors};
pub use render::Style;
pub use run_settings::RunSettings;
pub use scene::{
    AnyWorld, Limits, OutputSettings, Scene, TableSource, bytes_per_body, gigabytes, load,
    load_with, load_within, parse, parse_beside, parse_with, parse_within,
};
pub use schema::{reference, schema};
pub use shape::shape_name;
pub use space::SceneSpace;
pub use variables::Variable;
