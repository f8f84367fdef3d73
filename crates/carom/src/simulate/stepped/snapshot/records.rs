//! What is stored of a run by forces, record by record.

use crate::codec::{Reader, SnapshotError, Stored, invalid, stored_fields};
use crate::force::{Constants, Damping, Ending, Held, Stiffness};
use crate::record::{Edit, SensorCrossing};
use crate::response::Mode;
use crate::simulate::force_options::{ForceEngine, Forces, LeverArm, Scheme};
use crate::simulate::stepped::bodies::ForceBodyRef;
use crate::simulate::stepped::budget::Accounts;
use crate::simulate::stepped::links::Memory;
use crate::simulate::stepped::state::{Flow, FlowLedger, MovingBalls, Tally};
use crate::simulate::stepped::touch::{Begin, Incident, Touch};
use crate::space::{Linear, Space};

stored_fields!(Memory<S> { sliding, rolling, spinning } where S: Space);
stored_fields!(MovingBalls<S> { position, velocity, angular_velocity } where S: Space);
stored_fields!(Flow<S> { energy, momentum, angular } where S: Space);
stored_fields!(FlowLedger<S> { energy, momentum, angular } where S: Space);
stored_fields!(Accounts<S> { energy, momentum, angular, pulled, since } where S: Space);
stored_fields!(Constants {
    stiffness,
    damping,
    tangential_stiffness,
    tangential_damping
});
stored_fields!(Forces {
    ending,
    scheme,
    step,
    locate,
    lever_arm,
    fallback,
    engine
});

impl<V: Linear + Stored> Stored for Held<V> {
    fn store(&self, out: &mut Vec<u8>) {
        self.stretch.store(out);
        self.slides.store(out);
    }

    fn load(input: &mut Reader<'_>) -> Result<Self, SnapshotError> {
        Ok(Held {
            stretch: V::load(input)?,
            slides: bool::load(input)?,
        })
    }
}

impl<S: Space> Stored for Tally<S> {
    fn store(&self, out: &mut Vec<u8>) {
        [self.point, self.normal, self.impulse, self.last_normal].store(out);
        self.places.store(out);
        self.before[0].store(out);
        self.before[1].store(out);
        [
            self.begin,
            self.approach_speed,
            self.lost_to_damper,
            self.lost_to_friction,
            self.deepest,
            self.deepest_at,
            self.last[0],
            self.last[1],
        ]
        .store(out);
        self.slid.store(out);
    }

    fn load(input: &mut Reader<'_>) -> Result<Self, SnapshotError> {
        let [point, normal, impulse, last_normal] = Stored::load(input)?;
        let places = Stored::load(input)?;
        let before = [Stored::load(input)?, Stored::load(input)?];
        let numbers: [f64; 8] = Stored::load(input)?;
        let [
            begin,
            approach_speed,
            lost_to_damper,
            lost_to_friction,
            deepest,
            deepest_at,
            ..,
        ] = numbers;
        Ok(Tally {
            begin,
            point,
            normal,
            before,
            places,
            approach_speed,
            impulse,
            lost_to_damper,
            lost_to_friction,
            slid: bool::load(input)?,
            deepest,
            deepest_at,
            last: [numbers[6], numbers[7]],
            last_normal,
        })
    }
}

/// A choice is its number and its numbers.
macro_rules! stored_choice {
    ($type:ty: $($number:literal => $variant:pat, $build:expr, [$($value:ident),*]);+ $(;)?) => {
        impl Stored for $type {
            fn store(&self, out: &mut Vec<u8>) {
                match *self {
                    $($variant => {
                        ($number as u8).store(out);
                        $(f64::store(&$value, out);)*
                    })+
                }
            }

            fn load(input: &mut Reader<'_>) -> Result<Self, SnapshotError> {
                match u8::load(input)? {
                    $($number => {
                        $(let $value = f64::load(input)?;)*
                        Ok($build)
                    })+
                    other => invalid(format!("a choice of the unknown number {other}")),
                }
            }
        }
    };
}

stored_choice!(Ending: 0 => Ending::Attracting, Ending::Attracting, []; 1 => Ending::CutOff, Ending::CutOff, []);
stored_choice!(LeverArm: 0 => LeverArm::Point, LeverArm::Point, []; 1 => LeverArm::Radius, LeverArm::Radius, []);
stored_choice!(
    ForceEngine:
    0 => ForceEngine::Auto, ForceEngine::Auto, [];
    1 => ForceEngine::General, ForceEngine::General, [];
    2 => ForceEngine::Granular, ForceEngine::Granular, [];
);
stored_choice!(
    Scheme:
    0 => Scheme::RungeKutta, Scheme::RungeKutta, [];
    1 => Scheme::Verlet, Scheme::Verlet, [];
    2 => Scheme::Euler, Scheme::Euler, [];
);
stored_choice!(
    Stiffness:
    0 => Stiffness::Given(k), Stiffness::Given(k), [k];
    1 => Stiffness::ContactTime(time), Stiffness::ContactTime(time), [time];
    2 => Stiffness::Young { modulus, poisson }, Stiffness::Young { modulus, poisson }, [modulus, poisson];
);
stored_choice!(
    Damping:
    0 => Damping::Restitution, Damping::Restitution, [];
    1 => Damping::Given(c), Damping::Given(c), [c];
    2 => Damping::PerMass(rate), Damping::PerMass(rate), [rate];
);

stored_choice!(
    Mode:
    0 => Mode::Frictionless, Mode::Frictionless, [];
    1 => Mode::Stick, Mode::Stick, [];
    2 => Mode::Slide, Mode::Slide, [];
    3 => Mode::Idle, Mode::Idle, [];
    4 => Mode::SlipReversed, Mode::SlipReversed, [];
    5 => Mode::Damped, Mode::Damped, [];
);
stored_fields!(SensorCrossing { time, ball, sensor });

impl<S: Space> Stored for Incident<S> {
    fn store(&self, out: &mut Vec<u8>) {
        match self {
            Incident::Began(begin) => {
                0_u8.store(out);
                begin.store(out);
            }
            Incident::Ended(touch) => {
                1_u8.store(out);
                touch.store(out);
            }
            Incident::Entered(passage) => {
                2_u8.store(out);
                passage.store(out);
            }
            Incident::Left(passage) => {
                3_u8.store(out);
                passage.store(out);
            }
            Incident::Edited(edit) => {
                4_u8.store(out);
                edit.store(out);
            }
        }
    }

    fn load(input: &mut Reader<'_>) -> Result<Self, SnapshotError> {
        Ok(match u8::load(input)? {
            0 => Incident::Began(Begin::load(input)?),
            1 => Incident::Ended(Touch::load(input)?),
            2 => Incident::Entered(SensorCrossing::load(input)?),
            3 => Incident::Left(SensorCrossing::load(input)?),
            4 => Incident::Edited(Edit::load(input)?),
            other => return invalid(format!("an incident of the unknown number {other}")),
        })
    }
}

impl<S: Space> Stored for Touch<S> {
    fn store(&self, out: &mut Vec<u8>) {
        self.number.store(out);
        (self.a, self.b).store(out);
        [
            self.begin,
            self.end,
            self.approach_speed,
            self.separation_speed,
        ]
        .store(out);
        [self.deepest, self.deepest_at].store(out);
        [self.lost_to_damper, self.lost_to_friction].store(out);
        [self.point, self.normal, self.impulse].store(out);
        for velocities in self.before.iter().chain(&self.after) {
            velocities.store(out);
        }
        self.places.store(out);
        self.mode.store(out);
    }

    fn load(input: &mut Reader<'_>) -> Result<Self, SnapshotError> {
        let number = Stored::load(input)?;
        let (a, b) = Stored::load(input)?;
        let [begin, end, approach_speed, separation_speed] = Stored::load(input)?;
        let [deepest, deepest_at] = Stored::load(input)?;
        let [lost_to_damper, lost_to_friction] = Stored::load(input)?;
        let [point, normal, impulse] = Stored::load(input)?;
        let before = [Stored::load(input)?, Stored::load(input)?];
        let after = [Stored::load(input)?, Stored::load(input)?];
        Ok(Touch {
            number,
            a,
            b,
            begin,
            end,
            point,
            normal,
            impulse,
            before,
            after,
            places: Stored::load(input)?,
            approach_speed,
            separation_speed,
            deepest,
            deepest_at,
            lost_to_damper,
            lost_to_friction,
            mode: Stored::load(input)?,
        })
    }
}
stored_fields!(Begin<S> { time, a, b, point, normal, approach_speed } where S: Space);

impl Stored for ForceBodyRef {
    fn store(&self, out: &mut Vec<u8>) {
        let (fixture, index) = match *self {
            ForceBodyRef::Ball(slot) => (false, slot),
            ForceBodyRef::Fixture(index) => (true, index),
        };
        fixture.store(out);
        index.store(out);
    }

    fn load(input: &mut Reader<'_>) -> Result<Self, SnapshotError> {
        Ok(if bool::load(input)? {
            ForceBodyRef::Fixture(u32::load(input)?)
        } else {
            ForceBodyRef::Ball(u32::load(input)?)
        })
    }
}
