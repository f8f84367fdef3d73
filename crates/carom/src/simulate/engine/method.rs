//! How contacts are answered.

use crate::simulate::rigid::Settling;
use crate::simulate::stepped::Forces;

/// How contacts are answered.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Method {
    /// By impulses, at exact instants. The options say how rigid bodies that keep touching are followed, and whether
    /// drives stall.
    Impulses(Settling),
    /// By forces of springs and dampers, step by step.
    Forces(Forces),
}

impl Default for Method {
    /// Impulses.
    fn default() -> Self {
        Method::Impulses(Settling::default())
    }
}

impl From<Settling> for Method {
    fn from(options: Settling) -> Self {
        Method::Impulses(options)
    }
}

impl From<Forces> for Method {
    fn from(options: Forces) -> Self {
        Method::Forces(options)
    }
}
