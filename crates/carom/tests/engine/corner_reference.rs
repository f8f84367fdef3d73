//! A ball that falls into a corner of walls through one point, bounce by bounce.
//!
//! It knows nothing of the library. What is followed are the gaps to the walls, exactly zero at a hit, the velocity and
//! the spin: so bounces keep their digits however low they get. It ends where they are at 10⁻¹⁹ m/s. Where the ball
//! keeps touching some of the walls the pushes follow from `nᵢ·a = 0`, and the way from extrapolated midpoint steps
//! (Gragg, Bulirsch and Stoer). A rebound that is 10⁻¹⁰ of what goes on across the other walls is the last: what its
//! followers would rub is what sliding rubs in that time, to the square of that.
//!
//! All contacts have to slip, always: it says so where one does not.

use carom::prelude::DVec3;

pub struct Side {
    pub normal: DVec3,
    pub restitution: f64,
    pub friction: f64,
}

/// Way from where a stretch starts (m), velocity, and spin times radius (m/s).
type Motion = [DVec3; 3];

fn plus(motion: &Motion, rates: &Motion, time: f64) -> Motion {
    std::array::from_fn(|part| motion[part] + time * rates[part])
}

/// c = I/(m r²) of a ball.
const ROUNDNESS: f64 = 0.4;

/// A rebound that is this share of all else is the last.
const LAST: f64 = 1e-10;

/// Speeds that are none, m/s.
const OVER: f64 = 1e-19;

/// A share of the speed of the surface that no slip may get to.
const SLIPS: f64 = 1e-5;

pub struct Reference {
    gravity: DVec3,
    sides: Vec<Side>,
    radius: f64,
    /// Since the start, s.
    pub time: f64,
    gaps: Vec<f64>,
    velocity: DVec3,
    /// rad/s.
    pub angular_velocity: DVec3,
    /// Those that it keeps touching.
    on: Vec<bool>,
    hits: usize,
}

/// Solves `Σ nⱼ·columnsᵢ xᵢ = sumⱼ` by elimination.
fn solve(mut rows: Vec<Vec<f64>>) -> Vec<f64> {
    let number = rows.len();
    for column in 0..number {
        let best = (column..number).max_by(|&a, &b| {
            let size = |row: usize| rows[row][column].abs();
            size(a).total_cmp(&size(b))
        });
        rows.swap(column, best.unwrap());
        for row in 0..number {
            if row != column {
                let pivot = rows[column].clone();
                let share = rows[row][column] / pivot[column];
                for (item, pivot) in rows[row].iter_mut().zip(&pivot) {
                    *item -= share * pivot;
                }
            }
        }
    }
    (0..number)
        .map(|row| rows[row][number] / rows[row][row])
        .collect()
}

impl Reference {
    /// A ball that touches none of some walls through the origin, or those that it hardly moves across.
    pub fn new(gravity: DVec3, sides: Vec<Side>, radius: f64, ball: [DVec3; 3]) -> Self {
        let [place, velocity, angular_velocity] = ball;
        let mut gaps: Vec<f64> = (sides.iter())
            .map(|side| side.normal.dot(place) - radius)
            .collect();
        let rounded =
            |(gap, side): (&f64, &Side)| *gap < 1e-15 && side.normal.dot(velocity).abs() < 1e-12;
        let on: Vec<bool> = gaps.iter().zip(&sides).map(rounded).collect();
        for (gap, on) in gaps.iter_mut().zip(&on) {
            *gap = if *on { 0.0 } else { gap.max(0.0) };
        }
        Reference {
            gravity,
            sides,
            radius,
            time: 0.0,
            gaps,
            velocity,
            angular_velocity,
            on,
            hits: 0,
        }
    }

    fn speed(&self, wall: usize) -> f64 {
        self.sides[wall].normal.dot(self.velocity)
    }

    fn liveliness(&self, wall: usize) -> f64 {
        let falling = (2.0 * self.gravity.length() * self.gaps[wall]).sqrt();
        self.speed(wall).abs().max(falling)
    }

    fn all(&self) -> std::ops::Range<usize> {
        0..self.sides.len()
    }

    fn busiest(&self, but: Option<usize>) -> f64 {
        let walls = self.all().filter(|&wall| Some(wall) != but);
        walls.fold(0.0, |most: f64, wall| most.max(self.liveliness(wall)))
    }

    /// Follows the bounces to their end.
    pub fn run(mut self) -> Self {
        while self.busiest(None) > OVER {
            let due = |&wall: &usize| self.gaps[wall] == 0.0 && self.speed(wall) < 0.0;
            match self.all().filter(|&wall| !self.on[wall]).find(due) {
                Some(wall) => self.strike(wall),
                None => self.go_on(),
            }
            assert!(self.hits < 500_000, "it does not come to its end");
        }
        self
    }

    fn strike(&mut self, wall: usize) {
        self.hits += 1;
        let Side {
            normal,
            restitution,
            friction,
        } = self.sides[wall];
        let closing = -self.speed(wall);
        // Of one that all walls press on, or nobody would be left to go on.
        let presses = normal.dot(self.gravity) < 0.0;
        let is_last = restitution * closing <= LAST * self.busiest(Some(wall)) && presses;
        let rebound = if is_last { 0.0 } else { restitution };
        let push = (1.0 + rebound) * closing;
        let slip = self.slip(wall, self.velocity, self.angular_velocity * self.radius);
        let sticking = slip.length() / (1.0 + 1.0 / ROUNDNESS);
        let rubbed = (friction * push).min(sticking);
        let heading = slip.normalize_or_zero();
        self.velocity += push * normal - rubbed * heading;
        self.angular_velocity += rubbed / (ROUNDNESS * self.radius) * normal.cross(heading);
        // What is left across it is rounding, or none.
        let left = self.speed(wall) - rebound * closing;
        self.velocity -= left * normal;
        self.on[wall] = is_last;
        for other in self.all() {
            // Whoever is thrown against a wall, or off it, does not keep touching it.
            let thrown = self.speed(other).abs() > LAST * self.busiest(Some(other));
            self.on[other] &= other == wall || !thrown;
        }
    }

    fn slip(&self, wall: usize, velocity: DVec3, turning: DVec3) -> DVec3 {
        let normal = self.sides[wall].normal;
        velocity - normal * normal.dot(velocity) - turning.cross(normal)
    }

    fn kept(&self) -> Vec<usize> {
        self.all().filter(|&wall| self.on[wall]).collect()
    }

    /// The pushes of the walls that it keeps touching, and what they make of its motion.
    fn rates(&self, &[_, velocity, turning]: &Motion) -> (Vec<f64>, Motion) {
        let on = self.kept();
        let heading = |&wall: &usize| {
            let slip = self.slip(wall, velocity, turning);
            let slips = slip.length() > SLIPS * turning.length();
            assert!(
                slips || self.sides[wall].friction == 0.0,
                "a contact is about to grip"
            );
            slip.normalize_or_zero()
        };
        let headings: Vec<DVec3> = on.iter().map(heading).collect();
        let leaning: Vec<DVec3> = (on.iter().zip(&headings))
            .map(|(&wall, &heading)| self.sides[wall].normal - self.sides[wall].friction * heading)
            .collect();
        let row = |&wall: &usize| {
            let normal = self.sides[wall].normal;
            let parts = leaning.iter().map(|&lean| normal.dot(lean));
            parts.chain([-normal.dot(self.gravity)]).collect()
        };
        let pushes = solve(on.iter().map(row).collect());
        let (mut acceleration, mut twist) = (self.gravity, DVec3::ZERO);
        for (number, &wall) in on.iter().enumerate() {
            let Side {
                normal, friction, ..
            } = self.sides[wall];
            acceleration += pushes[number] * leaning[number];
            twist += friction * pushes[number] / ROUNDNESS * normal.cross(headings[number]);
        }
        (pushes, [velocity, acceleration, twist])
    }

    fn now(&self) -> Motion {
        [
            DVec3::ZERO,
            self.velocity,
            self.angular_velocity * self.radius,
        ]
    }

    /// The motion after a time.
    fn after(&self, time: f64) -> Motion {
        let start = self.now();
        // Midpoint steps, 2, 4, ..., 16 of them, extrapolated to infinitely many: of order 16.
        let mut above: Vec<Motion> = Vec::new();
        for level in 1..=8 {
            let number = 2 * level;
            let step = time / number as f64;
            let (mut before, mut now) = (start, plus(&start, &self.rates(&start).1, step));
            for _ in 1..number {
                let next = plus(&before, &self.rates(&now).1, 2.0 * step);
                (before, now) = (now, next);
            }
            let last = plus(&before, &self.rates(&now).1, step);
            let mut row: Vec<Motion> =
                vec![std::array::from_fn(|part| 0.5 * (now[part] + last[part]))];
            for (column, coarse) in above.iter().enumerate() {
                let ratio = level as f64 / (level - column - 1) as f64;
                let fine = row[column];
                let change: Motion = std::array::from_fn(|part| fine[part] - coarse[part]);
                row.push(plus(&fine, &change, 1.0 / (ratio * ratio - 1.0)));
            }
            above = row;
        }
        above[above.len() - 1]
    }

    fn gap_after(&self, wall: usize, way: DVec3) -> f64 {
        self.gaps[wall] + self.sides[wall].normal.dot(way)
    }

    /// When it would hit a wall if it went on as it does now.
    fn flight_to(&self, wall: usize, acceleration: DVec3) -> f64 {
        let (gap, speed) = (self.gaps[wall], self.speed(wall));
        let half = 0.5 * self.sides[wall].normal.dot(acceleration);
        let square = speed * speed - 4.0 * half * gap;
        if speed < 0.0 && square >= 0.0 {
            2.0 * gap / (square.sqrt() - speed)
        } else if speed >= 0.0 && half < 0.0 {
            (speed + square.sqrt()) / (-2.0 * half)
        } else {
            f64::INFINITY
        }
    }

    fn arrive(&mut self, time: f64, after: Motion, hit: Option<usize>) {
        let [way, velocity, turning] = after;
        for wall in self.all() {
            self.gaps[wall] = if self.on[wall] || hit == Some(wall) {
                0.0
            } else {
                self.gap_after(wall, way)
            };
        }
        self.time += time;
        (self.velocity, self.angular_velocity) = (velocity, turning / self.radius);
    }

    /// Goes on to the next hit, or some way towards it, or to where a wall does not push any more.
    fn go_on(&mut self) {
        let (on, (pushes, [_, acceleration, _])) = (self.kept(), self.rates(&self.now()));
        if let Some(number) = pushes.iter().position(|&push| push <= 0.0) {
            self.on[on[number]] = false;
            return;
        }
        let off: Vec<usize> = self.all().filter(|&wall| !self.on[wall]).collect();
        let flight = |&wall: &usize| (self.flight_to(wall, acceleration), wall);
        let next = off.iter().map(flight).min_by(|a, b| a.0.total_cmp(&b.0));
        let (flight, hit) = next.expect("it does not touch all walls");
        assert!(flight.is_finite(), "it leaves the corner");
        if on.is_empty() {
            let way = (self.velocity + 0.5 * flight * self.gravity) * flight;
            let velocity = self.velocity + flight * self.gravity;
            return self.arrive(flight, [way, velocity, self.now()[2]], Some(hit));
        }
        let hit_after = |after: &Motion| {
            let is_hit = |wall: &&usize| self.gap_after(**wall, after[0]) <= 0.0;
            off.iter().find(is_hit).copied()
        };
        let ends = |time: f64| {
            let after = self.after(time);
            let lets_go = self.rates(&after).0.iter().any(|&push| push <= 0.0);
            lets_go || hit_after(&after).is_some()
        };
        let (mut low, mut high) = (0.0, 1.25 * flight);
        if ends(high) {
            while 0.5 * (low + high) > low && 0.5 * (low + high) < high {
                let middle = 0.5 * (low + high);
                if ends(middle) {
                    high = middle
                } else {
                    low = middle
                }
            }
        }
        let after = self.after(high);
        let hit = hit_after(&after);
        self.arrive(high, after, hit);
    }
}
