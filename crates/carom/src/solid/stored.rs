//! Forms in snapshots.

use super::Form;
use crate::snapshot::{Reader, SnapshotError, Stored, invalid};
use crate::space::Space;

impl<S: Space> Stored for Form<S> {
    fn store(&self, _out: &mut Vec<u8>) {}

    fn load(_input: &mut Reader<'_>) -> Result<Self, SnapshotError> {
        invalid("not yet")
    }
}
