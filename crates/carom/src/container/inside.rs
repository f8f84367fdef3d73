//! What is inside of a container: points on the near side of all its walls.

use super::outline::Outline;
use crate::space::Linear;
use glam::{DVec2, DVec3};

/// The inside, in world coordinates; in 2-D the third is zero.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "snake_case")
)]
pub(super) enum Inside {
    /// Between two opposite corners. In 2-D both have zero as their third coordinate.
    Between { low: [f64; 3], high: [f64; 3] },
    /// Nearer to a centre than a radius.
    Round { centre: [f64; 3], radius: f64 },
    /// Nearer to an axis than a radius, and no further along it than half a length from its middle.
    Cylinder {
        centre: DVec3,
        axis: DVec3,
        half_length: f64,
        radius: f64,
    },
    /// Within a closed line.
    Outline(Outline),
    /// Over a closed line in the xy-plane, from one height to another.
    Prism { base: Outline, low: f64, high: f64 },
}

impl Inside {
    pub fn holds(&self, point: [f64; 3]) -> bool {
        let flat = || DVec2::new(point[0], point[1]);
        match self {
            Inside::Between { low, high } => {
                (0..3).all(|axis| (low[axis]..=high[axis]).contains(&point[axis]))
            }
            Inside::Round { centre, radius } => {
                let away = DVec3::from_array(point) - DVec3::from_array(*centre);
                Linear::length(away) <= *radius
            }
            Inside::Cylinder {
                centre,
                axis,
                half_length,
                radius,
            } => {
                let away = DVec3::from_array(point) - *centre;
                let height = Linear::dot(*axis, away);
                let off_axis = Linear::length(away - *axis * height);
                height.abs() <= *half_length && off_axis <= *radius
            }
            Inside::Outline(outline) => outline.winds_around(flat()),
            Inside::Prism { base, low, high } => {
                (*low..=*high).contains(&point[2]) && base.winds_around(flat())
            }
        }
    }
}
