use super::{Blocks, Estimate};
use crate::body::Kind;
use crate::record::Collision;
use crate::shape::{Shape, Shaped};
use crate::space::{Linear, Space};
use crate::world::World;

/// Listens to the collisions of a gas of balls.
///
/// The pressure follows from the virial of the impulses: in a volume V at temperature T,
/// `Z = P V / (N k T) = 1 + Σ d·J / (D N k T t)`, with d the vector between the centres and J the impulse of each
/// collision of two balls during the time t. Temperatures are energies, `k T` in joules.
#[derive(Clone, Debug)]
pub struct GasMeter<S: Space> {
    /// Radius and mass of each free ball, by id.
    balls: Vec<Option<(f64, f64)>>,
    count: usize,
    since: f64,
    last: f64,
    collisions: u64,
    virial: Blocks,
    rate: Blocks,
    temperature: Blocks,
    speed: Blocks,
    /// Collisions of two balls, and the virial, since the last one that closed an entry.
    pending: (u64, f64),
    space: std::marker::PhantomData<S>,
}

/// What a [`GasMeter`] found.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct GasReport {
    /// Collisions between two balls.
    pub collisions: u64,
    /// How long was listened, s.
    pub duration: f64,
    /// `k T`, J: twice the kinetic energy per degree of freedom, relative to the common motion.
    pub temperature: Estimate,
    /// m/s.
    pub mean_speed: Estimate,
    /// Compressibility factor `P V / (N k T)`.
    pub compressibility: Estimate,
    /// Collisions that one ball has per second.
    pub collision_rate: Estimate,
    /// Mean path between two collisions of a ball, m.
    pub mean_free_path: Estimate,
}

/// Collisions that make one entry of the series: enough to make it cheap, few enough to leave many entries.
const ENTRY: u64 = 64;

impl<S: Shaped> GasMeter<S> {
    /// Listens from a world time on, s.
    pub fn new(world: &World<S>, since: f64) -> Self {
        let balls: Vec<_> = world
            .bodies()
            .iter()
            .map(|body| match (&body.shape, &body.kind) {
                (Shape::Ball(ball), Kind::Free(free)) => Some((ball.radius, free.mass)),
                _ => None,
            })
            .collect();
        GasMeter {
            count: balls.iter().flatten().count(),
            balls,
            since,
            last: since,
            collisions: 0,
            virial: Blocks::default(),
            rate: Blocks::default(),
            temperature: Blocks::default(),
            speed: Blocks::default(),
            pending: (0, 0.0),
            space: std::marker::PhantomData,
        }
    }

    /// Takes in a collision.
    pub fn collision(&mut self, collision: &Collision<S>) {
        let radius = |id: crate::world::BodyId| self.balls[id.0 as usize].map(|(radius, _)| radius);
        let (Some(a), Some(b)) = (radius(collision.a), radius(collision.b)) else {
            return;
        };
        let distance = collision.normal * (a + b);
        self.collisions += 1;
        self.pending.0 += 1;
        self.pending.1 += distance.dot(collision.impulse);
        if self.pending.0 == ENTRY {
            let duration = collision.time - self.last;
            self.virial.add_sum(self.pending.1, duration);
            self.rate.add_sum(self.pending.0 as f64, duration);
            self.pending = (0, 0.0);
            self.last = collision.time;
        }
    }

    /// Looks at the velocities of all balls, by id; the others' are not looked at.
    pub fn velocities(&mut self, velocities: impl Iterator<Item = S::Vector>) {
        let (mut energy, mut speed, mut total) = (0.0, 0.0, 0.0);
        let mut momentum = S::Vector::ZERO;
        for (ball, velocity) in self.balls.iter().zip(velocities) {
            if let Some((_, mass)) = ball {
                energy += 0.5 * mass * velocity.length_squared();
                speed += velocity.length();
                momentum += velocity * *mass;
                total += mass;
            }
        }
        // Relative to the common motion, which has its own D of the D N degrees of freedom: in a periodic box it never
        // changes.
        energy -= 0.5 * momentum.length_squared() / total;
        let count = self.count as f64;
        self.temperature
            .add(2.0 * energy / (S::DIMENSION as f64 * (count - 1.0)), 1.0);
        self.speed.add(speed / count, 1.0);
    }

    /// Appends all that it knows, so that [`restore`](Self::restore) can go on from there with the same bits.
    pub fn save(&self, words: &mut Vec<u64>) {
        words.extend([self.last.to_bits(), self.collisions, self.pending.0]);
        words.push(self.pending.1.to_bits());
        for blocks in [&self.virial, &self.rate, &self.temperature, &self.speed] {
            blocks.save(words);
        }
    }

    /// What [`save`](Self::save) appended, of the same balls from the same time on; `None` where the words end too
    /// early.
    pub fn restore(
        world: &World<S>,
        since: f64,
        words: &mut impl Iterator<Item = u64>,
    ) -> Option<Self> {
        Some(GasMeter {
            last: f64::from_bits(words.next()?),
            collisions: words.next()?,
            pending: (words.next()?, f64::from_bits(words.next()?)),
            virial: Blocks::restore(words)?,
            rate: Blocks::restore(words)?,
            temperature: Blocks::restore(words)?,
            speed: Blocks::restore(words)?,
            ..Self::new(world, since)
        })
    }

    /// The virial and the collisions until a world time: with those since the last entry, which took a time of their
    /// own.
    fn until(&self, time: f64) -> [Estimate; 2] {
        let (mut virial, mut rate) = (self.virial.clone(), self.rate.clone());
        if time > self.last {
            virial.add_sum(self.pending.1, time - self.last);
            rate.add_sum(self.pending.0 as f64, time - self.last);
        }
        [virial.estimate(), rate.estimate()]
    }

    /// How many balls it listens to.
    pub fn balls(&self) -> usize {
        self.count
    }

    /// What was found until a world time, s. Velocities must have been looked at once, at least.
    pub fn report(&self, time: f64) -> GasReport {
        let scaled = |estimate: Estimate, factor: f64| Estimate {
            mean: estimate.mean * factor,
            error: estimate.error * factor.abs(),
        };
        let count = self.count as f64;
        let temperature = self.temperature.estimate();
        let mean_speed = self.speed.estimate();
        let [virial, rate] = self.until(time);
        let excess = scaled(
            virial,
            1.0 / (S::DIMENSION as f64 * count * temperature.mean),
        );
        // Each collision is one of two balls.
        let collision_rate = scaled(rate, 2.0 / count);
        let path = mean_speed.mean / collision_rate.mean;
        GasReport {
            collisions: self.collisions,
            duration: time - self.since,
            temperature,
            mean_speed,
            compressibility: Estimate {
                mean: 1.0 + excess.mean,
                error: excess.error,
            },
            collision_rate,
            mean_free_path: Estimate {
                mean: path,
                error: path * collision_rate.error / collision_rate.mean,
            },
        }
    }
}
