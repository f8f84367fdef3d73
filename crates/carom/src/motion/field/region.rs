use crate::motion::integrate::Border;
use crate::space::Space;

/// Where a field acts. At its border the field jumps: trajectory segments are cut there.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(bound = "", rename_all = "snake_case")
)]
#[non_exhaustive]
pub enum Region<S: Space> {
    /// Without a border.
    #[default]
    Everywhere,
    /// Behind a plane (in 2-D, a line): where `normal·(x − point) ≤ 0`.
    HalfSpace {
        /// On the plane, m.
        point: S::Vector,
        /// Away from where it acts; of length 1.
        normal: S::Vector,
    },
    /// Within a ball (in 2-D, a disc).
    Ball {
        /// m.
        centre: S::Vector,
        /// m.
        radius: f64,
    },
    /// Everywhere but in a ball.
    OutsideBall {
        /// m.
        centre: S::Vector,
        /// m.
        radius: f64,
    },
    /// Within a box along the axes.
    Box {
        /// The smallest coordinates, m.
        low: S::Vector,
        /// The largest coordinates, m.
        high: S::Vector,
    },
}

impl<S: Space> Region<S> {
    /// The region is inside all of these.
    pub(super) fn borders(&self) -> Vec<Border<S>> {
        match *self {
            Region::Everywhere => Vec::new(),
            Region::HalfSpace { point, normal } => vec![Border::Plane { point, normal }],
            Region::Ball { centre, radius } => vec![Border::Sphere {
                centre,
                radius,
                inverted: false,
            }],
            Region::OutsideBall { centre, radius } => vec![Border::Sphere {
                centre,
                radius,
                inverted: true,
            }],
            Region::Box { low, high } => (0..S::DIMENSION)
                .flat_map(|axis| {
                    let mut up = [0.0; 3];
                    up[axis] = 1.0;
                    let normal = S::vector(up);
                    [
                        Border::Plane {
                            point: low,
                            normal: -normal,
                        },
                        Border::Plane {
                            point: high,
                            normal,
                        },
                    ]
                })
                .collect(),
        }
    }
}
