//! Puts a case to the library.

use crate::case::{Case, Form, Motion, Track, Triple};
use carom::kernels::impact::{Impact, MovingBall, Target, TargetMotion, first_contact, refine};
use carom::motion::{Drive, Flight, Pose};
use carom::shape::{
    Arc, Ball, Block, Cylinder, HalfSpace, Hollow, Segment, Shape, Shape2, Shape3, Triangle,
};
use carom::simulate::Compiled;
use carom::space::{Space2, Space3, Turn};
use glam::{DQuat, DVec2, DVec3};

/// What the library says, s.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Answer {
    /// The time of the first contact, 0 for one that is there already; `None` for none.
    pub plain: Option<f64>,
    /// The same after refinement; `None` where there is no contact, or it is there already.
    pub refined: Option<f64>,
}

/// Times that "clear until" is asked again before it counts as never.
const REPEATS: usize = 10_000;

/// A space that cases can be translated into.
trait Translate: Compiled {
    fn shape(form: &Form) -> Option<Shape<Self>>;
    fn rotation(numbers: [f64; 4]) -> Self::Rotation;
    fn angular_velocity(numbers: Triple) -> Self::Angular;
}

fn common<S: Compiled>(form: &Form) -> Option<Shape<S>> {
    Some(match *form {
        Form::Ball { radius } => Shape::Ball(Ball { radius }),
        Form::Hollow { radius } => Shape::Hollow(Hollow { radius }),
        Form::HalfSpace { normal, two_sided } => Shape::HalfSpace(HalfSpace {
            normal: S::vector(normal),
            two_sided,
        }),
        Form::Block { half } => Shape::Block(Block {
            half: S::vector(half),
        }),
        _ => return None,
    })
}

impl Translate for Space2 {
    fn shape(form: &Form) -> Option<Shape<Self>> {
        let point = |[x, y, _]: Triple| DVec2::new(x, y);
        Some(match *form {
            Form::Segment { ends } => Shape::own(Shape2::Segment(Segment {
                ends: ends.map(point),
            })),
            Form::Arc {
                centre,
                radius,
                middle,
                cos_half,
                ends,
            } => Shape::own(Shape2::Arc(Arc {
                centre: point(centre),
                radius,
                middle: point(middle),
                cos_half,
                ends: ends.map(point),
            })),
            _ => return common(form),
        })
    }

    fn rotation([cos, sin, ..]: [f64; 4]) -> Turn {
        Turn { cos, sin }
    }

    fn angular_velocity([_, _, angular_velocity]: Triple) -> f64 {
        angular_velocity
    }
}

impl Translate for Space3 {
    fn shape(form: &Form) -> Option<Shape<Self>> {
        Some(match *form {
            Form::Triangle { corners } => Shape::own(Shape3::Triangle(Triangle {
                corners: corners.map(DVec3::from_array),
            })),
            Form::Cylinder {
                axis,
                half_length,
                radius,
            } => Shape::own(Shape3::Cylinder(Cylinder {
                axis: DVec3::from_array(axis),
                half_length,
                radius,
            })),
            _ => return common(form),
        })
    }

    fn rotation([x, y, z, w]: [f64; 4]) -> DQuat {
        DQuat::from_xyzw(x, y, z, w)
    }

    fn angular_velocity(angular_velocity: Triple) -> DVec3 {
        DVec3::from_array(angular_velocity)
    }
}

fn flight<S: Compiled>(track: &Track) -> Flight<S> {
    Flight {
        position: S::vector(track.position),
        velocity: S::vector(track.velocity),
        acceleration: S::vector(track.acceleration),
    }
}

/// The library's answer to a case, refined where asked for.
pub fn ask(case: &Case, refined: bool) -> Answer {
    if case.dimension == 2 {
        ask_in::<Space2>(case, refined)
    } else {
        ask_in::<Space3>(case, refined)
    }
}

fn ask_in<S: Translate>(case: &Case, refined: bool) -> Answer {
    let shape = S::shape(&case.form).expect("a shape of this space");
    let rotation = S::rotation(case.rotation);
    let (drive, start, now) = match case.motion {
        Motion::Flight(track) => {
            let flight = flight::<S>(&track);
            return put(case, refined, &shape, |elapsed| TargetMotion::Flight {
                flight: flight.advanced(elapsed),
                rotation,
            });
        }
        Motion::Uniform {
            start,
            velocity,
            now,
        } => {
            let velocity = S::vector(velocity);
            (Drive::Uniform { velocity }, start, now)
        }
        Motion::Rotation {
            start,
            pivot,
            angular_velocity,
            now,
        } => {
            let (pivot, angular_velocity) = (
                S::vector(pivot),
                <S as Translate>::angular_velocity(angular_velocity),
            );
            (
                Drive::Rotation {
                    pivot,
                    angular_velocity,
                },
                start,
                now,
            )
        }
        Motion::Oscillation {
            start,
            amplitude,
            frequency,
            phase,
            now,
        } => {
            let drive = Drive::Oscillation {
                amplitude: S::vector(amplitude),
                frequency,
                phase,
            };
            (drive, start, now)
        }
    };
    let start = Pose {
        position: S::vector(start),
        rotation,
    };
    put(case, refined, &shape, |elapsed| TargetMotion::Kinematic {
        drive: &drive,
        start: &start,
        now: now + elapsed,
    })
}

/// Asks, and asks again from where the library says it is clear until.
fn put<'a, S: Translate>(
    case: &Case,
    wants_refined: bool,
    shape: &'a Shape<S>,
    course: impl Fn(f64) -> TargetMotion<'a, S>,
) -> Answer {
    let mut elapsed = 0.0;
    let whole = flight::<S>(&case.ball);
    for _ in 0..REPEATS {
        let ball = MovingBall {
            flight: if elapsed == 0.0 {
                whole
            } else {
                whole.advanced(elapsed)
            },
            radius: case.radius,
            surface_speed: 0.0,
        };
        let target = Target {
            shape,
            course: course(elapsed),
            surface_speed: 0.0,
        };
        let impact = first_contact(&ball, &target, case.horizon - elapsed);
        match impact {
            Impact::Never => break,
            Impact::Now => {
                return Answer {
                    plain: Some(elapsed),
                    refined: (elapsed > 0.0).then_some(elapsed),
                };
            }
            Impact::At(time) => {
                if !wants_refined {
                    return Answer {
                        plain: Some(elapsed + time),
                        refined: None,
                    };
                }
                let refined = match refine(&ball, &target, case.horizon - elapsed) {
                    Impact::At(time) => Some(elapsed + time),
                    Impact::Now => Some(elapsed),
                    _ => None,
                };
                return Answer {
                    plain: Some(elapsed + time),
                    refined,
                };
            }
            Impact::ClearUntil(time) => {
                let next = elapsed + time;
                if next <= elapsed || next >= case.horizon {
                    break;
                }
                elapsed = next;
            }
        }
    }
    Answer {
        plain: None,
        refined: None,
    }
}
