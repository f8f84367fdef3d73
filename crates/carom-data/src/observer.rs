//! Averages over a run, with error bars, that survive a kill.
//!
//! What they are made of is part of a checkpoint, bit for bit, in a file beside the snapshot: a resumed run ends with
//! the same numbers.

use crate::error::DataError;
use crate::schedule::{Observe, Schedule};
use crate::space::DataSpace;
use crate::sum::Crc;
use carom::body::Kind;
use carom::observe::{Displacement, Estimate, GasMeter, GasReport, RadialDistribution};
use carom::record::Event;
use carom::shape::Shape;
use carom::simulate::Simulation;
use carom::world::{BodyId, World};
use std::path::Path;

/// "carom ob" in ASCII, then the version of the file.
const LABEL: [u64; 2] = [u64::from_be_bytes(*b"carom ob"), 2];

/// Whether bytes are those of a file of averages, with the checksum that they end with.
pub(crate) fn is_whole(bytes: &[u8]) -> bool {
    let label: Vec<u8> = LABEL.iter().flat_map(|word| word.to_le_bytes()).collect();
    let Some((content, sum)) = bytes.split_last_chunk::<8>() else {
        return false;
    };
    content.starts_with(&label) && u64::from_le_bytes(*sum) == u64::from(Crc::of(content).0)
}

/// Listens to a run, and looks at it now and then.
#[derive(Clone, Debug)]
pub struct Observer<S: DataSpace> {
    settings: Observe,
    meter: GasMeter<S>,
    radial: Option<RadialDistribution<S>>,
    displacement: Option<Displacement<S>>,
    /// The free balls.
    balls: Vec<BodyId>,
    /// The box, m, where all axes are periodic.
    sides: Option<[f64; 3]>,
    looks: u64,
    /// From one look to the next, s.
    interval: f64,
}

/// What an [`Observer`] found.
#[derive(Clone, Debug)]
pub struct Observed {
    /// From this world time on, s.
    pub from: f64,
    /// How often the states were looked at.
    pub looks: u64,
    /// Temperature, compressibility, collisions, mean free path.
    pub gas: GasReport,
    /// Pressure, Pa (N/m in 2-D); `None` unless all axes are periodic.
    pub pressure: Option<Estimate>,
    /// Distances (m), and g there.
    pub radial: Option<Vec<(f64, Estimate)>>,
    /// Times (s), and the mean squared displacement after them, m².
    pub displacement: Option<Vec<(f64, Estimate)>>,
}

impl<S: DataSpace> Observer<S> {
    /// What a schedule asks for, of a run that has not begun.
    pub fn new(schedule: &Schedule, world: &World<S>) -> Option<Self> {
        let settings = schedule.observe?;
        let is_ball = |body: &carom::body::Body<S>| {
            matches!((&body.shape, &body.kind), (Shape::Ball(_), Kind::Free(_)))
        };
        let periods = world.periods();
        let closed = periods[..S::DIMENSION].iter().all(|&side| side > 0.0);
        Some(Observer {
            settings,
            meter: GasMeter::new(world, settings.from),
            radial: settings
                .radial
                .map(|radial| RadialDistribution::new(radial.reach, radial.shells)),
            displacement: settings.displacement.map(Displacement::new),
            balls: (0..)
                .map(BodyId)
                .zip(world.bodies())
                .filter(|(_, body)| is_ball(body))
                .map(|(id, _)| id)
                .collect(),
            sides: closed.then_some(periods),
            looks: 0,
            interval: (schedule.until - settings.from) / settings.looks as f64,
        })
    }

    /// The look that comes next, counted from 0.
    pub fn next_look(&self) -> u64 {
        self.looks
    }

    /// Takes in an event.
    #[inline]
    pub fn event(&mut self, event: &Event<'_, S>) {
        if let Event::Collision(collision) = event
            && collision.time >= self.settings.from
        {
            self.meter.collision(collision);
        }
    }

    /// Looks at the states as they are now.
    pub fn look(&mut self, run: &Simulation<S>) {
        self.looks += 1;
        let bodies = (0..self.balls.last().map_or(0, |id| id.0 + 1)).map(BodyId);
        self.meter
            .velocities(bodies.map(|id| run.state(id).velocity));
        if let (Some(radial), Some(sides)) = (&mut self.radial, self.sides) {
            let places: Vec<_> = self
                .balls
                .iter()
                .map(|&id| run.state(id).position)
                .collect();
            radial.add(&places, sides);
        }
        if let Some(displacement) = &mut self.displacement {
            let places = self.balls.iter().map(|&id| run.unwrapped_position(id));
            displacement.add(places.collect());
        }
    }

    /// What was found until a world time, s.
    pub fn report(&self, time: f64) -> Observed {
        let gas = self.meter.report(time);
        let per_temperature = |sides: [f64; 3]| {
            self.meter.balls() as f64 / sides[..S::DIMENSION].iter().product::<f64>()
        };
        // P = Z N kT / V. The two parts, of the motion and of the collisions, come from different measurements.
        let pressure = self.sides.map(per_temperature).map(|density| Estimate {
            mean: gas.compressibility.mean * gas.temperature.mean * density,
            error: density
                * libm::hypot(
                    gas.compressibility.error * gas.temperature.mean,
                    gas.temperature.error,
                ),
        });
        let after = |(lag, estimate)| ((lag + 1) as f64 * self.interval, estimate);
        Observed {
            from: self.settings.from,
            looks: self.looks,
            gas,
            pressure,
            radial: self.radial.as_ref().map(RadialDistribution::result),
            displacement: self
                .displacement
                .as_ref()
                .map(|found| found.result().into_iter().enumerate().map(after).collect()),
        }
    }

    /// All that has to be kept to go on from here.
    pub(crate) fn to_bytes(&self) -> Vec<u8> {
        let mut words = LABEL.to_vec();
        words.push(self.looks);
        self.meter.save(&mut words);
        if let Some(radial) = &self.radial {
            radial.save(&mut words);
        }
        if let Some(displacement) = &self.displacement {
            displacement.save(&mut words);
        }
        let mut bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        let sum = u64::from(Crc::of(&bytes).0);
        bytes.extend(sum.to_le_bytes());
        bytes
    }

    /// What a checkpoint has of the averages of a schedule, in the bytes of a file.
    pub(crate) fn read(
        path: &Path,
        bytes: &[u8],
        schedule: &Schedule,
        world: &World<S>,
    ) -> Result<Option<Self>, DataError> {
        let Some(fresh) = Self::new(schedule, world) else {
            return Ok(None);
        };
        let damaged = || DataError::damaged(path, "it does not have the averages of this run");
        if !is_whole(bytes) {
            return Err(damaged());
        }
        let (words, rest) = bytes[..bytes.len() - 8].as_chunks();
        let words = words.iter().map(|&word| u64::from_le_bytes(word));
        let mut words = words.skip(LABEL.len());
        let restored = fresh.restored(world, &mut words);
        let restored = restored.filter(|_| rest.is_empty());
        match words.next() {
            None => restored.map(Some).ok_or_else(damaged),
            Some(_) => Err(damaged()),
        }
    }

    fn restored(self, world: &World<S>, words: &mut impl Iterator<Item = u64>) -> Option<Self> {
        let settings = self.settings;
        Some(Observer {
            looks: words.next()?,
            meter: GasMeter::restore(world, settings.from, words)?,
            radial: match settings.radial {
                Some(radial) => Some(RadialDistribution::restore(
                    radial.reach,
                    radial.shells,
                    words,
                )?),
                None => None,
            },
            displacement: match settings.displacement {
                Some(lags) => Some(Displacement::restore(lags, self.balls.len(), words)?),
                None => None,
            },
            ..self
        })
    }
}
