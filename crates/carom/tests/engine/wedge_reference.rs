//! A disc that falls into a wedge, bounce by bounce, in double-double arithmetic.
//!
//! It knows nothing of the library but its numbers with 32 digits. What is followed are the gaps to the two walls,
//! exactly zero at a hit, and the velocity, so that bounces keep their digits however low they get; it ends where they
//! are at 10⁻¹⁶ m/s, with 10⁻¹⁶ s to come. On one wall alone a rebound that is 10⁻¹² of the speed across the other is
//! the last; those that would follow are a geometric series, and what they rub is what sliding rubs in that time, to
//! the square of 10⁻¹².

use carom::kernels::roots::Dd;

/// A wall through the origin.
#[derive(Clone, Copy)]
pub struct Wall {
    /// Out of it; it need not have length one.
    pub normal: [f64; 2],
    pub restitution: f64,
    pub friction: f64,
}

#[derive(Clone, Copy)]
pub struct Disc {
    pub radius: f64,
    pub place: [f64; 2],
    pub velocity: [f64; 2],
    pub angular_velocity: f64,
}

/// What it comes to do.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Event {
    /// It has stopped bouncing on a wall, and slips.
    Slides(usize),
    /// It has stopped slipping, or bouncing, and rolls.
    Rolls(usize),
    /// It leaves the wall.
    Leaves(usize),
    /// It has stopped bouncing between both. It may still spin.
    Halts,
}

#[derive(Clone, Copy, Debug)]
pub struct Moment {
    pub event: Event,
    pub time: f64,
    pub place: [f64; 2],
    pub velocity: [f64; 2],
    pub angular_velocity: f64,
}

type Pair = [Dd; 2];

fn dd(value: f64) -> Dd {
    Dd::from(value)
}

fn dot(a: Pair, b: Pair) -> Dd {
    a[0] * b[0] + a[1] * b[1]
}

fn add(a: Pair, b: Pair, factor: Dd) -> Pair {
    [a[0] + b[0] * factor, a[1] + b[1] * factor]
}

/// The first time, not before now, at which `gap + speed t + half t²` falls through zero.
fn falls(gap: Dd, speed: Dd, half: Dd) -> Option<Dd> {
    let discriminant = speed * speed - dd(4.0) * half * gap;
    if speed.hi < 0.0 {
        if gap.hi <= 0.0 {
            return Some(Dd::ZERO);
        }
        (discriminant.hi >= 0.0).then(|| dd(2.0) * gap / (discriminant.sqrt() - speed))
    } else {
        (half.hi < 0.0).then(|| (speed + discriminant.sqrt()) / (dd(-2.0) * half))
    }
}

/// c = I/(m r²) of a disc.
const ROUNDNESS: f64 = 0.5;

pub struct Reference {
    gravity: Pair,
    walls: [Wall; 2],
    normals: [Pair; 2],
    radius: Dd,
    time: Dd,
    gaps: Pair,
    velocity: Pair,
    angular_velocity: Dd,
    on: Option<(usize, bool)>,
    pub hits: usize,
    pub moments: Vec<Moment>,
}

impl Reference {
    pub fn new(gravity: [f64; 2], walls: [Wall; 2], disc: &Disc) -> Self {
        let unit = |wall: Wall| {
            let normal = wall.normal.map(dd);
            let length = dot(normal, normal).sqrt();
            normal.map(|part| part / length)
        };
        let (normals, place) = (walls.map(unit), disc.place.map(dd));
        Reference {
            gravity: gravity.map(dd),
            walls,
            normals,
            radius: dd(disc.radius),
            time: Dd::ZERO,
            gaps: normals.map(|normal| dot(normal, place) - dd(disc.radius)),
            velocity: disc.velocity.map(dd),
            angular_velocity: dd(disc.angular_velocity),
            on: None,
            hits: 0,
            moments: Vec::new(),
        }
    }

    fn note(&mut self, event: Event, time: Dd) {
        self.moments.push(Moment {
            event,
            time: time.hi,
            place: self.place().map(|it| it.hi),
            velocity: self.velocity.map(|it| it.hi),
            angular_velocity: self.angular_velocity.hi,
        });
    }

    /// Where the distances from both walls are what they are.
    fn place(&self) -> Pair {
        let [a, b] = self.normals;
        let area = a[0] * b[1] - a[1] * b[0];
        let [to_a, to_b] = self.gaps.map(|gap| gap + self.radius);
        [
            (to_a * b[1] - to_b * a[1]) / area,
            (to_b * a[0] - to_a * b[0]) / area,
        ]
    }

    /// What a wall's distance and the speed across it are worth, m/s.
    fn lively(&self, wall: usize) -> f64 {
        let falling = 2.0 * 9.81 * self.gaps[wall].hi.max(0.0);
        self.speed(wall).hi.abs().max(falling.sqrt())
    }

    fn speed(&self, wall: usize) -> Dd {
        dot(self.normals[wall], self.velocity)
    }

    fn tangent(&self, wall: usize) -> Pair {
        [-self.normals[wall][1], self.normals[wall][0]]
    }

    fn slip(&self, wall: usize) -> Dd {
        dot(self.tangent(wall), self.velocity) - self.radius * self.angular_velocity
    }

    /// Coulomb's law for a disc, where it does not rebound at all if it is told so.
    fn hit(&mut self, wall: usize, rebounds: bool) {
        let Wall {
            restitution,
            friction,
            ..
        } = self.walls[wall];
        let restitution = if rebounds { restitution } else { 0.0 };
        let push = -(self.speed(wall) * (dd(1.0) + dd(restitution)));
        let slip = self.slip(wall);
        let sticking = slip / dd(1.0 + 1.0 / ROUNDNESS);
        let most = dd(friction) * push;
        let across = if sticking.hi.abs() <= most.hi {
            -sticking
        } else if slip.hi > 0.0 {
            -most
        } else {
            most
        };
        self.velocity = add(self.velocity, self.normals[wall], push);
        self.velocity = add(self.velocity, self.tangent(wall), across);
        self.angular_velocity = self.angular_velocity - across / (dd(ROUNDNESS) * self.radius);
        self.hits += 1;
    }

    /// Which accelerations it has on a wall, of the place along it and of the spin, and when it grips.
    fn on_wall(&self, wall: usize, rolls: bool) -> (Dd, Dd, Option<Dd>) {
        let along = dot(self.tangent(wall), self.gravity);
        let pressing = -dot(self.normals[wall], self.gravity);
        let most = dd(self.walls[wall].friction) * pressing;
        if rolls {
            let acceleration = along / dd(1.0 + ROUNDNESS);
            return (acceleration, acceleration / self.radius, None);
        }
        let slip = self.slip(wall);
        // From rest it begins to slip downhill.
        let heading = if slip.hi.abs() > 1e-25 {
            slip.hi
        } else {
            along.hi
        };
        let rubs = if heading > 0.0 { -most } else { most };
        let change = along + rubs * dd(1.0 + 1.0 / ROUNDNESS);
        let grips = (most.hi > 0.0 && slip.hi.abs() > 1e-25 && slip.hi * change.hi < 0.0)
            .then(|| -slip / change);
        let turning = -(rubs / (dd(ROUNDNESS) * self.radius));
        (along + rubs, turning, grips)
    }

    fn can_roll(&self, wall: usize) -> bool {
        let along = dot(self.tangent(wall), self.gravity).hi;
        let pressing = -dot(self.normals[wall], self.gravity).hi;
        let most = self.walls[wall].friction * pressing;
        most > 0.0 && along.abs() * ROUNDNESS / (1.0 + ROUNDNESS) <= most
    }

    /// It keeps touching a wall from now on, and has stopped bouncing after a while.
    fn land(&mut self, wall: usize, after: Dd) {
        let rolls = self.can_roll(wall) && self.slip(wall).hi.abs() <= 1e-24;
        let across = self.speed(wall);
        self.velocity = add(self.velocity, self.normals[wall], -across);
        self.on = Some((wall, rolls));
        let event = if rolls {
            Event::Rolls(wall)
        } else {
            Event::Slides(wall)
        };
        let time = self.time + after;
        self.note(event, time);
    }

    /// Follows it until it has stopped bouncing between the walls.
    pub fn run(mut self) -> Self {
        for _ in 0..1_000_000 {
            if self.lively(0).max(self.lively(1)) < 1e-16 {
                let time = self.time;
                self.note(Event::Halts, time);
                return self;
            }
            self.step();
        }
        panic!("it does not come to its end");
    }

    fn step(&mut self) {
        let mut half = self.gravity.map(|part| part.scaled(0.5));
        let (mut turning, mut grips) = (Dd::ZERO, None);
        if let Some((wall, rolls)) = self.on {
            let (acceleration, spins, end) = self.on_wall(wall, rolls);
            half = self
                .tangent(wall)
                .map(|part| part * acceleration.scaled(0.5));
            (turning, grips) = (spins, end);
        }
        let mut next: Option<(Dd, usize)> = None;
        for wall in 0..2 {
            if self.on.is_some_and(|(on, _)| on == wall) {
                continue;
            }
            let normal = self.normals[wall];
            if let Some(time) = falls(self.gaps[wall], self.speed(wall), dot(normal, half))
                && next.is_none_or(|(first, _)| (time - first).hi < 0.0)
            {
                next = Some((time, wall));
            }
        }
        let gripping = grips.filter(|end| next.is_none_or(|(time, _)| (*end - time).hi < 0.0));
        let time = match (gripping, next) {
            (Some(end), _) => end,
            (None, Some((time, _))) => time,
            _ => panic!("it leaves the wedge"),
        };
        for wall in 0..2 {
            let normal = self.normals[wall];
            let way = self.speed(wall) * time + dot(normal, half) * time * time;
            let touches = self.on.is_some_and(|(on, _)| on == wall)
                || gripping.is_none() && next.is_some_and(|(_, hit)| hit == wall);
            self.gaps[wall] = if touches {
                Dd::ZERO
            } else {
                self.gaps[wall] + way
            };
        }
        self.velocity = add(self.velocity, half, time + time);
        self.angular_velocity = self.angular_velocity + turning * time;
        self.time = self.time + time;
        if gripping.is_some() {
            let (wall, _) = self.on.expect("it slid");
            if self.can_roll(wall) {
                self.on = Some((wall, true));
                self.angular_velocity = dot(self.tangent(wall), self.velocity) / self.radius;
                // While it still bounces nobody is told of anything: then it will be found to roll.
                let bounces = |last: &&mut Moment| {
                    last.event == Event::Slides(wall) && last.time >= self.time.hi
                };
                match self.moments.last_mut().filter(bounces) {
                    Some(last) => last.event = Event::Rolls(wall),
                    None => {
                        let time = self.time;
                        self.note(Event::Rolls(wall), time);
                    }
                }
            }
            return;
        }
        self.meet(next.expect("it hits").1);
    }

    /// A hit, and those that come of it at the same instant.
    fn meet(&mut self, wall: usize) {
        let mut due = Some(wall);
        while let Some(wall) = due {
            let pressing = -dot(self.normals[wall], self.gravity);
            let restitution = self.walls[wall].restitution;
            let rebound = -(self.speed(wall) * dd(restitution));
            // The last one on this wall, and not between both.
            let last = pressing.hi > 0.0 && rebound.hi <= 1e-12 * self.lively(1 - wall);
            self.hit(wall, !last);
            if last {
                let after = rebound.scaled(2.0) / (pressing * dd(1.0 - restitution));
                match self.on {
                    Some((on, _)) if on == wall => {
                        let across = self.speed(wall);
                        self.velocity = add(self.velocity, self.normals[wall], -across);
                    }
                    _ => self.land(wall, after),
                }
            }
            let other = 1 - wall;
            // In the square of the speeds that there are, and in their last digits.
            let touches = self.gaps[other].hi == 0.0;
            due = (touches && self.speed(other).hi < -1e-28 * self.lively(wall)).then_some(other);
        }
        if let Some((on, _)) = self.on
            && self.speed(on).hi > 1e-12 * self.lively(1 - on)
        {
            self.on = None;
            let time = self.time;
            self.note(Event::Leaves(on), time);
        }
    }
}
