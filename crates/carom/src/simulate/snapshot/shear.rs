//! How the box of a run is sheared, by the run's clock.

use crate::codec::{Reader, SnapshotError, Stored, invalid};
use crate::simulate::shear::Sheared;

impl Stored for Sheared {
    fn store(&self, out: &mut Vec<u8>) {
        (self.flow as u8, self.gradient as u8).store(out);
        [self.rate, self.speed, self.offset, self.laps].store(out);
    }

    fn load(input: &mut Reader<'_>) -> Result<Self, SnapshotError> {
        let (flow, gradient) = <(u8, u8)>::load(input)?;
        let [rate, speed, offset, laps] = <[f64; 4]>::load(input)?;
        let numbers = [rate, speed, offset, laps];
        if flow > 2 || gradient > 2 || flow == gradient || !numbers.iter().all(|it| it.is_finite())
        {
            return invalid("the box is sheared as none can be");
        }
        Ok(Sheared {
            flow: usize::from(flow),
            gradient: usize::from(gradient),
            rate,
            speed,
            offset,
            laps,
        })
    }
}
