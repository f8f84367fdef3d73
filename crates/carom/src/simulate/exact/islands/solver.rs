//! The contacts of balls, solved: the conditions of [`contact_solver`](crate::simulate::contact_solver), in its way, in
//! the terms of balls.
//!
//! The arms of a ball lie along the normal, so that normal impulses do not turn it and tangential ones move the point
//! along itself: the two decouple, and the tangents are alike. With `s = r ω` in place of the angular velocity,
//!
//! ```text
//! u = v_a − v_b − (s_a + s_b)×n        Δs = −(r²/I) n×q   for both
//! ```
//!
//! so that a point needs a quarter of the arithmetic of one between bodies of any form.

use crate::response::several::Mover;
use crate::simulate::contact_solver::{self, Row};
use crate::space::{Linear, Space};

/// A ball; or the point of a fixture that one touches, which nothing moves.
#[derive(Clone, Copy)]
struct Ball<S: Space> {
    velocity: S::Vector,
    /// Radius times angular velocity, m/s.
    surface: S::Angular,
    inverse_mass: f64,
    /// r²/I, 1/kg.
    yields: f64,
}

/// A contact: what each look at it needs. There are thousands, and each is looked at a thousand times in a step.
struct Point<S: Space> {
    bodies: [u32; 2],
    normal: S::Vector,
    wanted: f64,
    limit: f64,
    pressed: f64,
    rubbed: S::Vector,
    /// 1/(n·K n) and 1/(t·K t), kg.
    along: f64,
    across: f64,
    /// The squares of their inverses, 1/kg².
    loose: [f64; 2],
}

/// What is known of a contact from round to round.
#[derive(Clone, Copy)]
struct Lead<S: Space> {
    /// Impulses before the round.
    before: (f64, S::Vector),
    /// The direction in which the rounds lead.
    led: (f64, S::Vector),
}

impl<S: Space> Point<S> {
    /// Answers its own conditions; the square of how much that changed the velocities, m²/s².
    #[inline]
    fn solve(&mut self, balls: &mut [Ball<S>]) -> f64 {
        let (a, b) = (self.bodies[0] as usize, self.bodies[1] as usize);
        let centres = balls[a].velocity - balls[b].velocity;
        let closing = self.normal.dot(centres);
        let pressed = (self.pressed + (self.wanted - closing) * self.along).max(0.0);
        let step = pressed - self.pressed;
        self.pressed = pressed;
        let mut change = step * step * self.loose[0];
        let mut impulse = self.normal * step;
        if self.limit > 0.0 && (pressed > 0.0 || self.rubbed != S::Vector::ZERO) {
            let turning = balls[a].surface + balls[b].surface;
            let slip = centres - self.normal * closing - S::surface_velocity(turning, self.normal);
            let free = self.rubbed - slip * self.across;
            let limit = self.limit * pressed;
            let square = free.length_squared();
            let rubbed = if square > limit * limit {
                free * (limit / square.sqrt())
            } else {
                free
            };
            let step = rubbed - self.rubbed;
            self.rubbed = rubbed;
            change = change.max(step.length_squared() * self.loose[1]);
            impulse += step;
            self.turn(balls, step);
        }
        balls[a].velocity += impulse * balls[a].inverse_mass;
        balls[b].velocity += impulse * -balls[b].inverse_mass;
        change
    }

    #[inline]
    fn turn(&self, balls: &mut [Ball<S>], rubbed: S::Vector) {
        let turn = S::torque(self.normal, rubbed);
        for body in self.bodies {
            let ball = &mut balls[body as usize];
            ball.surface += turn * -ball.yields;
        }
    }

    /// What the last round changed.
    fn changed(&self, lead: &Lead<S>) -> (f64, S::Vector) {
        (self.pressed - lead.before.0, self.rubbed - lead.before.1)
    }

    /// Goes on in the direction of the rounds so far, by a share of it.
    fn lead(&mut self, balls: &mut [Ball<S>], lead: &mut Lead<S>, share: f64) {
        let changed = self.changed(lead);
        let step = (lead.led.0 * share, lead.led.1 * share);
        lead.led = (step.0 + changed.0, step.1 + changed.1);
        // Not beyond what can be: nothing pulls.
        let pressed = (self.pressed + step.0).max(0.0);
        let along = pressed - self.pressed;
        self.pressed = pressed;
        self.rubbed += step.1;
        let (impulse, [a, b]) = (self.normal * along + step.1, self.bodies);
        balls[a as usize].velocity += impulse * balls[a as usize].inverse_mass;
        balls[b as usize].velocity += impulse * -balls[b as usize].inverse_mass;
        if step.1 != S::Vector::ZERO {
            self.turn(balls, step.1);
        }
    }
}

/// Every so many rounds all points are looked at, in the others those that press.
const OFTEN: usize = 8;

/// Solves the contacts of balls, from the impulses that they have, until no point changes a velocity by more than a
/// tolerance (m/s), or in so many rounds; the largest change of a velocity in the last one, m/s.
pub(super) fn solve<S: Space>(
    rows: &mut [Row<S>],
    movers: &mut [Mover<S>],
    tolerance: f64,
    rounds: usize,
) -> f64 {
    let otherwise = |row: &Row<S>| row.levers != [0.0; 2] || row.slip != S::Vector::ZERO;
    if rows.iter().any(otherwise) {
        return contact_solver::solve(rows, movers, tolerance, rounds);
    }
    let (mut balls, radii, mut points) = taken_over(rows, movers);
    let left = go_round(&mut points, &mut balls, tolerance, rounds);
    for (row, point) in rows.iter_mut().zip(&points) {
        (row.pressed, row.rubbed) = (point.pressed, point.rubbed);
    }
    for ((mover, ball), radius) in movers.iter_mut().zip(&balls).zip(radii) {
        if ball.inverse_mass > 0.0 {
            mover.velocity = ball.velocity;
            // A smooth one keeps every bit of its spin.
            if ball.surface != mover.angular_velocity * radius {
                mover.angular_velocity = ball.surface * (1.0 / radius);
            }
        }
    }
    left
}

/// The balls, their radii (m), and their contacts.
type Taken<S> = (Vec<Ball<S>>, Vec<f64>, Vec<Point<S>>);

fn taken_over<S: Space>(rows: &[Row<S>], movers: &[Mover<S>]) -> Taken<S> {
    let ball = |mover: &Mover<S>| Ball {
        velocity: mover.velocity,
        surface: S::Angular::ZERO,
        inverse_mass: mover.inverse_mass,
        yields: 0.0,
    };
    let mut balls: Vec<Ball<S>> = movers.iter().map(ball).collect();
    let mut radii = vec![0.0; balls.len()];
    for row in rows {
        for (body, arm) in row.bodies.into_iter().zip(row.arms) {
            let (ball, mover) = (&mut balls[body as usize], &movers[body as usize]);
            let radius = &mut radii[body as usize];
            if ball.inverse_mass == 0.0 {
                // Each contact with a fixture has a mover of its own for it.
                ball.velocity = mover.velocity_at(arm);
            } else if *radius == 0.0 {
                let axis = S::angular_velocity([0.0, 0.0, 1.0]);
                let response = S::angular_response(mover.inverse_inertia, axis);
                *radius = arm.length();
                ball.yields = *radius * *radius * axis.dot(response);
                ball.surface = mover.angular_velocity * *radius;
            }
        }
    }
    let point = |row: &Row<S>| {
        let [a, b] = row.bodies.map(|body| &balls[body as usize]);
        let loose = a.inverse_mass + b.inverse_mass;
        Point {
            bodies: row.bodies,
            normal: row.normal,
            wanted: row.wanted,
            limit: row.limit(),
            pressed: row.pressed,
            rubbed: row.rubbed,
            along: 1.0 / loose,
            across: 1.0 / (loose + a.yields + b.yields),
            loose: [loose, loose + a.yields + b.yields].map(|it| it * it),
        }
    };
    let points = rows.iter().map(point).collect();
    (balls, radii, points)
}

fn go_round<S: Space>(
    points: &mut [Point<S>],
    balls: &mut [Ball<S>],
    tolerance: f64,
    rounds: usize,
) -> f64 {
    let (mut last, mut left) = (f64::INFINITY, 0.0_f64);
    let nothing = (0.0, S::Vector::ZERO);
    let mut leads = vec![
        Lead {
            before: nothing,
            led: nothing,
        };
        points.len()
    ];
    let mut busy: Vec<u32> = Vec::with_capacity(points.len());
    let mut round = 0;
    for _ in 0..rounds {
        left = 0.0;
        // Most points of a heap give nothing and are not needed: they are looked at now and then, and in the end.
        let all = round % OFTEN == 0;
        if all {
            busy.clear();
            for (k, (point, lead)) in points.iter_mut().zip(&mut leads).enumerate() {
                lead.before = (point.pressed, point.rubbed);
                left = point.solve(balls).max(left);
                if point.pressed > 0.0 {
                    busy.push(k as u32);
                } else {
                    lead.led = nothing;
                }
            }
        } else {
            for &k in &busy {
                let point = &mut points[k as usize];
                leads[k as usize].before = (point.pressed, point.rubbed);
                left = point.solve(balls).max(left);
            }
        }
        for &k in busy.iter().rev() {
            left = points[k as usize].solve(balls).max(left);
        }
        round += 1;
        if left <= tolerance * tolerance {
            if all {
                break;
            }
            // Whether the others are still idle is looked at in the next round.
            round = round.next_multiple_of(OFTEN);
        }
        let mut size = 0.0;
        for &k in &busy {
            let point = &points[k as usize];
            let (along, across) = point.changed(&leads[k as usize]);
            // In terms of energy, so that heavy and light bodies count alike.
            size += (along * along + across.length_squared()) / point.along;
        }
        let share = size / last;
        if share < 1.0 {
            last = size;
            for &k in &busy {
                points[k as usize].lead(balls, &mut leads[k as usize], share);
            }
        } else {
            last = if share.is_finite() {
                size
            } else {
                f64::INFINITY
            };
            for &k in &busy {
                let lead = &mut leads[k as usize];
                lead.led = points[k as usize].changed(lead);
            }
        }
    }
    left.sqrt()
}
