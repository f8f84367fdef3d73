//! Parts in snapshots.

use super::part::{Convex, Core, Round};
use crate::codec::{Reader, SnapshotError, Stored, invalid, stored_fields};
use crate::space::Space;

stored_fields!(Round {
    centre,
    axis,
    half_length,
    radius
});

impl Stored for Core {
    fn store(&self, out: &mut Vec<u8>) {
        match self {
            Core::Hull(hull) => {
                0_u8.store(out);
                hull.store(out);
            }
            Core::Cylinder(round) => (1_u8, *round).store(out),
            Core::HalfSpace { normal, offset } => (2_u8, (*normal, *offset)).store(out),
            // Fixtures alone have it, which are stored as what they are.
            Core::Inside(_) | Core::Arch(_) => 3_u8.store(out),
        }
    }

    fn load(input: &mut Reader<'_>) -> Result<Self, SnapshotError> {
        Ok(match u8::load(input)? {
            0 => Core::Hull(Stored::load(input)?),
            1 => Core::Cylinder(Stored::load(input)?),
            2 => Core::HalfSpace {
                normal: Stored::load(input)?,
                offset: Stored::load(input)?,
            },
            other => return invalid(format!("there is no part of kind {other}")),
        })
    }
}

impl<S: Space> Stored for Convex<S> {
    fn store(&self, out: &mut Vec<u8>) {
        self.core.store(out);
        self.rounding.store(out);
    }

    fn load(input: &mut Reader<'_>) -> Result<Self, SnapshotError> {
        Ok(Convex::new(Stored::load(input)?, f64::load(input)?))
    }
}
