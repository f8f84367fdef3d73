//! Where the members of an island touch each other and fixtures, and what that is to the solver.

use super::FEW;
use super::solver::solve;
use crate::audit::Costs;
use crate::impact::Strikable;
use crate::material::Surface;
use crate::motion::Rates;
use crate::response::several::Mover;
use crate::shape::{Ball, Obstacle};
use crate::simulate::bodies::BodyRef;
use crate::simulate::contact_solver::Row;
use crate::simulate::exact::{Exact, Plans, RunError};
use crate::simulate::islands::{Against, Impulses, Island, LastingContact};
use crate::space::{Linear, Space};
use crate::world::BodyId;

/// Two bodies of a contact, where they are.
pub(super) struct TouchingPair<S: Space> {
    /// Into the first.
    pub normal: S::Vector,
    /// m.
    pub gap: f64,
    /// From the centres to the point, m.
    pub arms: [S::Vector; 2],
    /// How a fixture moves; at rest for a ball.
    pub wall: (S::Vector, S::Angular),
}

/// How far apart two may be that can come to touch within a step.
#[derive(Clone, Copy)]
pub(super) struct Reach {
    /// The length of the step, s.
    pub step: f64,
    /// The largest acceleration, m/s².
    pub pull: f64,
    /// By how much blows may change velocities within the step without a member being struck from outside, m/s.
    pub spread: f64,
    /// As far as is looked at all, m: what comes from further away meets a member at its instant.
    pub most: f64,
}

impl Reach {
    /// m, for two that approach each other at a speed, m/s.
    fn of(&self, approach: f64) -> f64 {
        let closing = 1.5 * approach.max(0.0) + self.spread;
        let reach = closing * self.step + self.pull * self.step * self.step;
        reach.min(self.most)
    }
}

/// The members of an island and the fixtures that they touch, as the solver knows them, with their contacts.
#[derive(Clone)]
pub(super) struct Problem<S: Space> {
    /// The members in order, then one for each contact with a fixture.
    pub movers: Vec<Mover<S>>,
    pub rows: Vec<Row<S>>,
    /// Which contact of the island each row is.
    pub which: Vec<usize>,
}

/// How well the contacts of an island are solved, in units of what an acceleration gives in a step, and in how many
/// rounds at most: few contacts where the island is calm and where it moves, and many. What the solver leaves of many
/// is no more than what the next step brings.
const FEW_CALM: (f64, usize) = (1e-10, 2_000);
const FEW_MOVING: (f64, usize) = (5e-7, 200);
const MANY: (f64, usize) = (1e-3, 60);

/// The same for many that are to sleep.
const MANY_ASLEEP: (f64, usize) = (1e-9, 4_000);

/// Rounds of a solve for a step to come, for few contacts and for many: it is done again about where they come to be.
const ROUNDS_AHEAD: [usize; 2] = [100, 40];

/// And for very few: so many looks at contacts are next to nothing.
const LOOKS_AHEAD: usize = 4_000;

impl<S: Space> Problem<S> {
    /// Solves the contacts from what they begin with; the largest change of a velocity that was left, m/s.
    pub fn solve(&mut self, kick: f64, calm: bool) -> f64 {
        let (tolerance, rounds) = match (self.rows.len() <= FEW, calm) {
            (true, true) => FEW_CALM,
            (true, false) => FEW_MOVING,
            (false, _) => MANY,
        };
        solve(&mut self.rows, &mut self.movers, tolerance * kick, rounds)
    }

    /// The same for an island that is to sleep: its contacts keep what is found.
    pub fn solve_asleep(&mut self, kick: f64) {
        let (tolerance, rounds) = if self.rows.len() <= FEW {
            FEW_CALM
        } else {
            MANY_ASLEEP
        };
        solve(&mut self.rows, &mut self.movers, tolerance * kick, rounds);
    }

    /// What its contacts took from the energy, with the velocities before, J.
    pub fn lost(&self, before: &[Mover<S>]) -> f64 {
        let work = |row: &Row<S>| {
            let mean = (row.velocity(before) + row.velocity(&self.movers)) * 0.5;
            let turning = (row.turning(before) + row.turning(&self.movers)) * 0.5;
            (row.normal * row.pressed + row.rubbed).dot(mean) + row.twisted.dot(turning)
        };
        -self.rows.iter().map(work).sum::<f64>()
    }

    /// Half of what its contacts do along what fields gave their points in the meantime, J: so much more they would
    /// have taken of the energy, had they acted before the fields, and so much less, had they acted after them.
    pub fn along_kicks(&self, kicks: &[(S::Vector, S::Angular)], had: &[Impulses<S>]) -> f64 {
        let mut kicked = vec![Mover::fixed(); self.movers.len()];
        for (mover, &(velocity, angular_velocity)) in kicked.iter_mut().zip(kicks) {
            (mover.velocity, mover.angular_velocity) = (velocity, angular_velocity);
        }
        let work = |(row, had): (&Row<S>, &Impulses<S>)| {
            let given = row.given().minus(had);
            let turning = row.turning(&kicked).dot(given.twisted);
            0.5 * (given.along(row.normal).dot(row.velocity(&kicked)) + turning)
        };
        self.rows.iter().zip(had).map(work).sum()
    }

    /// The same for a step to come, where all that counts is where the members come to be: to within `fine` (m/s).
    pub fn solve_ahead(&mut self, kick: f64, calm: bool, fine: f64) -> f64 {
        let many = self.rows.len() > FEW;
        if calm && !many {
            self.solve(kick, calm)
        } else {
            let rounds = ROUNDS_AHEAD[usize::from(many)];
            // A ball that friction wedges in takes many of them, and they cost little.
            let rounds = rounds.max(LOOKS_AHEAD / self.rows.len().max(1));
            solve(&mut self.rows, &mut self.movers, fine, rounds)
        }
    }
}

impl<S: Strikable> Exact<S> {
    /// What fields do to a ball at its own time: its acceleration (m/s²) and that of its spin (rad/s²).
    pub(super) fn rates_of(&self, slot: usize) -> (S::Vector, S::Angular) {
        let stage = &self.stage;
        if stage.only_falls(slot) {
            return (stage.balls.gravity, S::Angular::ZERO);
        }
        let ball = &stage.balls.hot[slot];
        let time = stage.epoch + ball.since;
        let spin = stage.balls.angular_velocity(slot);
        let fields = stage.rates_of(slot);
        fields.rates(time, ball.position, ball.velocity, spin)
    }

    /// Where a ball and another body touch, with the ball and, if it is one, the other at given places.
    pub(super) fn touch_at(
        &self,
        (slot, place): (u32, S::Vector),
        against: Against,
        its_place: S::Vector,
        time: f64,
    ) -> TouchingPair<S> {
        let balls = &self.stage.balls;
        let radius = balls.hot[slot as usize].radius;
        match against {
            Against::Ball(id) => {
                let its = balls.hot[self.stage.slots[id.0 as usize] as usize].radius;
                let apart = place - its_place;
                let apart = apart + balls.nearest_shift(apart);
                let closest = Obstacle::<S>::closest(&Ball { radius: its }, apart);
                TouchingPair {
                    normal: closest.normal,
                    gap: closest.distance - radius,
                    arms: [closest.normal * -radius, closest.normal * its],
                    wall: (S::Vector::ZERO, S::Angular::ZERO),
                }
            }
            Against::Fixture(index) | Against::FarEnd(index) => {
                let fixture = &self.stage.fixtures[index as usize];
                let state = fixture.state_at(self.stage.epoch + time);
                let far = matches!(against, Against::FarEnd(_));
                let closest = fixture.touched(state.pose.to_local(place), radius, far);
                let normal = S::rotate(state.pose.rotation, closest.normal);
                TouchingPair {
                    normal,
                    gap: closest.distance - radius,
                    arms: [
                        normal * -radius,
                        S::rotate(state.pose.rotation, closest.point),
                    ],
                    wall: (state.velocity, state.angular_velocity),
                }
            }
        }
    }

    /// The body of a contact as others know it.
    pub(super) fn body_of(&self, against: Against) -> BodyRef {
        match against {
            Against::Ball(id) => BodyRef::Ball(self.stage.slots[id.0 as usize]),
            Against::Fixture(index) | Against::FarEnd(index) => BodyRef::Fixture(index),
        }
    }

    /// Who may be within a distance (m) of a ball, and others, in an order that no planner changes. Which of them
    /// count is decided by where they are, so that no planner decides it.
    fn around(&self, slot: u32, distance: f64) -> Vec<BodyRef> {
        let mut found = Vec::new();
        match &self.plans {
            Plans::Fast(planner) => {
                let within = (self.clock, distance);
                planner.around(&self.stage, slot, within, |other| found.push(other));
            }
            Plans::Kept(planner) => {
                planner.neighbours(&self.stage, slot, |other| found.push(other));
            }
        }
        let ids = &self.stage.balls.ids;
        found.sort_unstable_by_key(|other| match *other {
            BodyRef::Ball(slot) => (0, ids[slot as usize].0),
            BodyRef::Fixture(index) => (1, index),
        });
        found
    }

    /// Takes in whatever may meet a member of a crowd within a step, and whatever may meet those: free balls, and other
    /// islands that are awake as a whole.
    pub(super) fn take_in(
        &mut self,
        id: u32,
        island: &mut Island<S>,
        reach: Reach,
    ) -> Result<(), RunError> {
        let clock = self.clock;
        let mut ahead = island.members.clone();
        while let Some(ball) = ahead.pop() {
            let slot = self.stage.slots[ball.0 as usize] as usize;
            let around = self.around(slot as u32, reach.most);
            for its in around.into_iter().filter_map(BodyRef::slot) {
                let (other, balls) = (its as usize, &self.stage.balls);
                let theirs = balls.island(other);
                if theirs == Some(id)
                    || balls.sticking(other).is_some()
                    || balls.is_asleep(other)
                    || balls.is_member(other)
                    || !self.stage.collide(slot, BodyRef::Ball(its))
                {
                    continue;
                }
                let (contact, gap) = self.stage.contact(slot, BodyRef::Ball(its), clock);
                if gap > reach.of(-contact.normal_velocity()) {
                    continue;
                }
                let came = match theirs {
                    Some(theirs) => self.merged(theirs, island)?,
                    None => {
                        self.forget(other);
                        self.enter_flight(other);
                        self.stage.balls.restart(other, clock);
                        vec![self.stage.balls.ids[other]]
                    }
                };
                for ball in &came {
                    self.enlist_one(self.stage.slots[ball.0 as usize] as usize, id, false);
                }
                ahead.extend(&came);
                island.members.extend(came);
            }
        }
        island.members.sort_unstable();
        island.contacts.sort_unstable_by_key(LastingContact::key);
        Ok(())
    }

    /// Takes an island out, with its step closed, and gives its contacts to another one; its members.
    fn merged(&mut self, theirs: u32, island: &mut Island<S>) -> Result<Vec<BodyId>, RunError> {
        let trajectories = self.stage.balls.trajectories.as_ref();
        let other = trajectories.and_then(|trajectories| trajectories.islands.get(theirs));
        if other.is_some_and(|other| other.until > other.since) {
            self.close_step(theirs)?;
        }
        let Some(other) = self.take_island(theirs) else {
            return Ok(Vec::new());
        };
        island.calm = island.calm.max(other.calm);
        island.lent += other.lent;
        island.contacts.extend(other.contacts);
        Ok(other.members)
    }

    /// All pairs of members, and of members and fixtures, that can come to touch within a step, with what their
    /// contacts gave before.
    pub(super) fn pairs_within(
        &mut self,
        id: u32,
        island: &Island<S>,
        reach: Reach,
    ) -> Vec<LastingContact<S>> {
        let clock = self.clock;
        let mut pairs: Vec<(BodyId, Against)> = Vec::new();
        for &ball in &island.members {
            let slot = self.stage.slots[ball.0 as usize];
            for other in self.around(slot, reach.most) {
                if !self.stage.collide(slot as usize, other) {
                    continue;
                }
                match other {
                    BodyRef::Ball(its) if self.stage.balls.island(its as usize) == Some(id) => {
                        let other = self.stage.balls.ids[its as usize];
                        if ball < other {
                            pairs.push((ball, Against::Ball(other)));
                        }
                    }
                    BodyRef::Ball(_) => {}
                    BodyRef::Fixture(index) => {
                        pairs.push((ball, Against::Fixture(index)));
                        if self.stage.is_in_gap(slot as usize, index, clock) {
                            pairs.push((ball, Against::FarEnd(index)));
                        }
                    }
                }
            }
        }
        pairs.sort_unstable();
        pairs.dedup();
        let mut contacts = Vec::new();
        for key in pairs {
            let (slot, its_place) = self.places_of(key);
            let balls = &self.stage.balls;
            let place = balls.hot[slot as usize].position;
            let touch = self.touch_at((slot, place), key.1, its_place, clock);
            let velocity = |against: Against| match against {
                Against::Ball(id) => balls.hot[self.stage.slots[id.0 as usize] as usize].velocity,
                Against::Fixture(_) | Against::FarEnd(_) => {
                    touch.wall.0 + S::surface_velocity(touch.wall.1, touch.arms[1])
                }
            };
            let own = balls.hot[slot as usize].velocity;
            // A wall that turns takes other points of it to the ball as well.
            let turning = touch.wall.1.length() * balls.hot[slot as usize].radius;
            let approach = -touch.normal.dot(own - velocity(key.1)) + turning;
            let known = island.contact(key);
            let pushes = known.is_some_and(|contact| contact.given.pressed > 0.0);
            if !pushes && touch.gap > reach.of(approach) {
                continue;
            }
            let new = || LastingContact::new(key, touch.normal, touch.gap);
            let mut contact = known.copied().unwrap_or_else(new);
            let rubbed = &mut contact.given.rubbed;
            *rubbed -= touch.normal * touch.normal.dot(*rubbed);
            (contact.normal, contact.gap) = (touch.normal, touch.gap);
            contacts.push(contact);
        }
        contacts
    }

    /// The slot of the ball of a pair, and where the other ball is; nowhere for a fixture.
    pub(super) fn places_of(&self, (ball, against): (BodyId, Against)) -> (u32, S::Vector) {
        let slot = self.stage.slots[ball.0 as usize];
        let place = match against {
            Against::Ball(id) => {
                self.stage.balls.hot[self.stage.slots[id.0 as usize] as usize].position
            }
            Against::Fixture(_) | Against::FarEnd(_) => S::Vector::ZERO,
        };
        (slot, place)
    }

    /// The members of an island as the solver knows them.
    pub(super) fn movers_of(&self, island: &Island<S>) -> Vec<Mover<S>> {
        let balls = &self.stage.balls;
        let mover = |ball: &BodyId| {
            let slot = self.stage.slots[ball.0 as usize] as usize;
            let inertial = balls.inertials.of(slot);
            Mover {
                inverse_mass: inertial.inverse_mass,
                inverse_inertia: S::isotropic_inertia(inertial.inverse_inertia),
                velocity: balls.hot[slot].velocity,
                angular_velocity: balls.angular_velocity(slot),
            }
        };
        island.members.iter().map(mover).collect()
    }

    /// The contacts of an island that are wanted, in the order in which the solver goes through them, forth and back:
    /// those of many by layers, up in what pulls at the members and along within each, so that it takes a load from the
    /// top to the floor, or a push from one end of a row to the other, in one round.
    fn in_layers(
        &self,
        island: &Island<S>,
        wanted: impl Fn(&LastingContact<S>) -> bool,
    ) -> Vec<usize> {
        let contacts = island.contacts.iter().enumerate();
        let order = contacts.filter(|(_, contact)| wanted(contact));
        let order: Vec<usize> = order.map(|(index, _)| index).collect();
        if order.len() <= FEW {
            return order;
        }
        let slot = |ball: BodyId| self.stage.slots[ball.0 as usize] as usize;
        let (mut pull, mut thick) = (S::Vector::ZERO, 0.0_f64);
        for &ball in &island.members {
            pull += self.rates_of(slot(ball)).0;
            thick = thick.max(self.stage.balls.hot[slot(ball)].radius);
        }
        let up = match pull.length() {
            0.0 => S::Vector::ZERO,
            length => pull * (-1.0 / length),
        };
        // The axis that is the most across.
        let components = S::components(up);
        let across = (0..S::DIMENSION).min_by(|&one, &other| {
            let size = |axis: usize| components[axis].abs();
            size(one).total_cmp(&size(other))
        });
        let mut places: Vec<(f64, f64, usize)> = (order.into_iter())
            .map(|index| {
                let contact = &island.contacts[index];
                let ball = &self.stage.balls.hot[slot(contact.a)];
                let point = ball.position - contact.normal * ball.radius;
                let layer = (up.dot(point) / thick).floor();
                (layer, S::components(point)[across.unwrap_or(0)], index)
            })
            .collect();
        places.sort_unstable_by(|one, other| {
            let by_layer = one.0.total_cmp(&other.0);
            by_layer
                .then(one.1.total_cmp(&other.1))
                .then(one.2.cmp(&other.2))
        });
        places.into_iter().map(|(.., index)| index).collect()
    }

    /// The contacts of an island that are wanted, where the members are now, for the solver.
    pub(super) fn problem_of(
        &self,
        island: &Island<S>,
        wanted: impl Fn(&LastingContact<S>) -> bool,
    ) -> Problem<S> {
        let mut problem = Problem {
            movers: self.movers_of(island),
            rows: Vec::new(),
            which: Vec::new(),
        };
        for index in self.in_layers(island, wanted) {
            let contact = &island.contacts[index];
            let (slot, its_place) = self.places_of(contact.key());
            let place = self.stage.balls.hot[slot as usize].position;
            let touch = self.touch_at((slot, place), contact.against, its_place, self.clock);
            let other = match contact.against {
                Against::Ball(id) => island.index_of(id),
                Against::Fixture(index) | Against::FarEnd(index) => {
                    let wall = self.wall_before_knot(island, index).unwrap_or(touch.wall);
                    problem.movers.push(Mover {
                        velocity: wall.0,
                        angular_velocity: wall.1,
                        ..Mover::fixed()
                    });
                    problem.movers.len() - 1
                }
            };
            let bodies = [island.index_of(contact.a) as u32, other as u32];
            let surface = self
                .stage
                .surface(slot as usize, self.body_of(contact.against));
            let friction = [surface.static_friction, surface.kinetic_friction];
            let levers = self.levers(slot, contact.against, &surface);
            let mut row = Row::new(bodies, touch.arms, touch.normal, friction, &problem.movers)
                .with_levers(levers, &problem.movers);
            row.slides = contact.slides;
            problem.rows.push(row);
            problem.which.push(index);
        }
        problem
    }

    /// The largest torques against rolling and spinning, in units of the force that presses, m: on the level a rolling
    /// ball is slowed down by the resistance times gravity.
    fn levers(&self, slot: u32, against: Against, surface: &Surface) -> [f64; 2] {
        let balls = &self.stage.balls;
        let mut least = slot as usize;
        if let Against::Ball(id) = against {
            let its = self.stage.slots[id.0 as usize] as usize;
            if balls.hot[its].radius < balls.hot[least].radius {
                least = its;
            }
        }
        let (radius, inertial) = (balls.hot[least].radius, balls.inertials.of(least));
        let roundness = inertial.inertia / (inertial.mass * radius * radius);
        if !roundness.is_finite() {
            return [0.0; 2];
        }
        let spinning = if S::DIMENSION == 3 {
            surface.spinning_resistance * radius
        } else {
            0.0
        };
        [
            surface.rolling_resistance * radius * (1.0 + roundness),
            spinning,
        ]
    }

    /// Where to enter what a contact does along the normal whose rebound adds energy: its restitution is above 1.
    fn bumper(&mut self, contact: &LastingContact<S>, row: &Row<S>) -> Option<&mut Costs> {
        if !(contact.struck < 0.0 || row.wanted > 0.0) {
            return None;
        }
        let (slot, other) = (
            self.places_of(contact.key()).0,
            self.body_of(contact.against),
        );
        let surface = (self.stage).surface_at(slot as usize, other, -contact.struck);
        let adds = surface.restitution > 1.0;
        adds.then_some(match other {
            BodyRef::Ball(_) => &mut self.ledger.between_balls,
            BodyRef::Fixture(_) => &mut self.ledger.with_fixtures,
        })
    }

    /// Enters what contacts gave, with the velocities before fields and contacts acted. What they took along the
    /// normal is settling, across it sliding, and by their torques rolling and spinning.
    ///
    /// What fields do in a step they do to members that contacts have stopped already. So at the end of a step what the
    /// contacts took is that which they take before the fields act in the first half of it, and after them in the other
    /// one (`Island::ahead`). For what lies still the two cancel.
    pub(super) fn enter_contacts(
        &mut self,
        island: &mut Island<S>,
        problem: &Problem<S>,
        before: &[Mover<S>],
        had: &[Impulses<S>],
    ) {
        let ahead = std::mem::take(&mut island.ahead);
        let mut lost = [ahead, 0.0, 0.0, 0.0];
        if self.stage.fields.is_uniform() {
            self.ledger.stepping.add(-ahead);
        } else {
            self.ledger.lasting[3].add(-ahead);
        }
        for (row, (&index, had)) in problem.rows.iter().zip(problem.which.iter().zip(had)) {
            let contact = &island.contacts[index];
            let given = row.given().minus(had);
            let (along, across) = (row.normal * given.pressed, given.rubbed);
            let twist = given.twisted;
            let mean = (row.velocity(before) + row.velocity(&problem.movers)) * 0.5;
            let turning = (row.turning(before) + row.turning(&problem.movers)) * 0.5;
            let [rolling, spinning] = row.split(twist);
            match self.bumper(contact, row) {
                Some(costs) => costs.enter(-along.dot(mean), 0.0, true),
                None => lost[0] -= along.dot(mean),
            }
            lost[1] -= across.dot(mean);
            lost[2] -= rolling.dot(turning);
            lost[3] -= spinning.dot(turning);
            let impulse = along + across;
            let (slot, _) = self.places_of(contact.key());
            let place = self.stage.balls.hot[slot as usize].position;
            if contact.against.fixture().is_some() {
                let wall = &problem.movers[row.bodies[1] as usize];
                let velocity = wall.velocity_at(row.arms[1]);
                self.ledger
                    .push(place + row.arms[0], impulse, twist, velocity);
                self.ledger
                    .work_by_kinematic
                    .add(twist.dot(wall.angular_velocity));
            }
            // Two balls that a push keeps from meeting are pushed at points that are a gap apart.
            if contact.against.ball().is_some() {
                let turned = S::torque(row.normal * contact.gap, impulse);
                self.ledger.angular_from_projection.add(turned);
            }
            let sides = [Some(contact.a), contact.against.ball()];
            for (side, ball) in sides.into_iter().enumerate() {
                let Some(ball) = ball else { continue };
                let slot = self.stage.slots[ball.0 as usize] as usize;
                if self.stage.balls.inertials.of(slot).inverse_inertia == 0.0 {
                    let sign = if side == 0 { 1.0 } else { -1.0 };
                    let angular = (S::torque(row.arms[side], impulse) + twist) * sign;
                    let spin = self.stage.balls.angular_velocity(slot);
                    self.ledger.held(angular, spin);
                }
            }
        }
        // A ball that spins in a rough corner is pressed the harder the harder it rubs.
        let (settled, stepped, rubbed) = island.settle(lost[0], lost[1]);
        self.ledger.settling.add(settled);
        self.ledger.stepping.add(stepped);
        island.opened = stepped;
        self.ledger.rubbed(rubbed);
        for (account, lost) in [(1, lost[2]), (2, lost[3])] {
            if lost < 0.0 {
                self.ledger.rubbed(lost);
            } else {
                self.ledger.lasting[account].add(lost);
            }
        }
    }
}
