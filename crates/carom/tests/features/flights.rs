//! What acts on bodies in flight.

use super::{Case, Feature, NONE, Outcome, found, run_to};
use carom::motion::{
    Drag, Field, Fields, Formula, Lift, Load, Named, Region, RotationalDrag, Wind,
};
use carom::prelude::*;
use carom::simulate::State;

pub fn features() -> Vec<Feature> {
    let row = |name, number, scene| Feature {
        name,
        number,
        scene,
        refused: NONE,
    };
    vec![
        row("uniform gravity", "y = h − g t²/2", gravity as super::Scene),
        row("external force, constant", "x = F t²/2m", force),
        row("external force, a formula of time", "v = sin t", formula),
        row("external torque", "ω = T t/I", torque),
        row("drag", "v e^(−k t/m)", drag),
        row("wind", "w (1 − e^(−k t/m))", wind),
        row("lift", "angle C ω t/m of the velocity", lift),
        row("rotational drag", "ω e^(−c t/I)", rotational_drag),
        row("central field", "a quarter of a circular orbit", central),
        row("spring towards a point", "cos √(k/m) t", spring),
        row("field within a region", "x = a t²/2", region),
        row("force of one's own", "x = F t²/2m", own_force),
    ]
}

const AT: f64 = 0.75;

/// A body that flies, in fields, from a place with velocities; its state at 0.75 s.
fn flown(
    case: Case,
    fields: Fields<Space2>,
    load: Option<Load<Space2>>,
    (place, velocity, spin): (DVec2, DVec2, f64),
) -> Result<State<Space2>, String> {
    let mut world = World2::new();
    world
        .set_fields(fields)
        .map_err(|error| error.to_string())?;
    let mut body = case.body(place, velocity);
    body.load = load.map(Box::new);
    if let carom::body::Kind::Free(free) = &mut body.kind {
        free.angular_velocity = spin;
    }
    let id = world.add(body).map_err(|error| error.to_string())?;
    let mut run = case.start_by(world, 1e-3)?;
    run_to(&mut run, AT)?;
    Ok(run.state(id))
}

fn gravity(case: Case) -> Outcome {
    let fields = Fields::uniform(DVec2::new(0.0, -9.81));
    let state = flown(case, fields, None, (DVec2::new(0.0, 5.0), DVec2::ZERO, 0.0))?;
    found(state.position.y, 5.0 - 0.5 * 9.81 * AT * AT, 1e-12)
}

fn at_rest() -> (DVec2, DVec2, f64) {
    (DVec2::ZERO, DVec2::ZERO, 0.0)
}

fn force(case: Case) -> Outcome {
    let load = Load::default().with_force(DVec2::new(3.0, 0.0));
    let state = flown(case, Fields::default(), Some(load), at_rest())?;
    found(state.position.x, 1.5 * AT * AT, 1e-12)
}

fn formula(case: Case) -> Outcome {
    let formula: Formula = "cos(t)".parse().map_err(|_| "no formula".to_owned())?;
    let load = Load::default().with_force_of_time(DVec2::X, formula);
    let state = flown(case, Fields::default(), Some(load), at_rest())?;
    found(state.velocity.x, AT.sin(), case.flight())
}

fn torque(case: Case) -> Outcome {
    let load = Load::default().with_torque(0.02);
    let state = flown(case, Fields::default(), Some(load), at_rest())?;
    found(state.angular_velocity, 0.02 * AT / case.inertia(), 1e-10)
}

fn linear() -> Field<Space2> {
    Field::Drag(Drag::Given {
        linear: 0.8,
        quadratic: 0.0,
    })
}

fn drag(case: Case) -> Outcome {
    let fields = Fields::default().with(linear());
    let state = flown(case, fields, None, (DVec2::ZERO, DVec2::X, 0.0))?;
    found(state.velocity.x, (-0.8 * AT).exp(), case.flight())
}

fn wind(case: Case) -> Outcome {
    let velocity = DVec2::new(2.0, 0.0);
    let fields = Fields::default()
        .with(linear())
        .with(Field::Wind(Wind::Uniform { velocity }));
    let state = flown(case, fields, None, at_rest())?;
    found(
        state.velocity.x,
        2.0 * (1.0 - (-0.8 * AT).exp()),
        case.flight(),
    )
}

fn lift(case: Case) -> Outcome {
    let fields = Fields::default().with(Field::Lift(Lift::Given { coefficient: 0.1 }));
    let state = flown(case, fields, None, (DVec2::ZERO, DVec2::X, 4.0))?;
    let angle = state.velocity.y.atan2(state.velocity.x);
    found(angle, 0.4 * AT, case.flight())
}

fn rotational_drag(case: Case) -> Outcome {
    let coefficient = 2e-3;
    let drag = RotationalDrag::Given { coefficient };
    let fields = Fields::default().with(Field::RotationalDrag(drag));
    let state = flown(case, fields, None, (DVec2::ZERO, DVec2::ZERO, 5.0))?;
    let expected = 5.0 * (-coefficient * AT / case.inertia()).exp();
    found(state.angular_velocity, expected, case.flight())
}

fn central(case: Case) -> Outcome {
    let rate = std::f64::consts::FRAC_PI_2 / AT;
    let field = Field::Central {
        centre: DVec2::ZERO,
        strength: 8.0 * rate * rate,
        softening: 0.0,
    };
    let start = (DVec2::new(2.0, 0.0), DVec2::new(0.0, 2.0 * rate), 0.0);
    let state = flown(case, Fields::default().with(field), None, start)?;
    found(state.position.y, 2.0, 10.0 * case.flight())
}

fn spring(case: Case) -> Outcome {
    let field = Field::Spring {
        centre: DVec2::ZERO,
        stiffness: 4.0,
    };
    let start = (DVec2::X, DVec2::ZERO, 0.0);
    let state = flown(case, Fields::default().with(field), None, start)?;
    found(state.position.x, (2.0 * AT).cos(), 10.0 * case.flight())
}

fn region(case: Case) -> Outcome {
    let here = Region::HalfSpace {
        point: DVec2::new(5.0, 0.0),
        normal: DVec2::X,
    };
    let beyond = Region::HalfSpace {
        point: DVec2::new(5.0, 0.0),
        normal: -DVec2::X,
    };
    let fields = Fields::default()
        .within(here, Field::Uniform(DVec2::new(1.2, 0.0)))
        .within(beyond, Field::Uniform(DVec2::new(-50.0, 0.0)));
    let state = flown(case, fields, None, at_rest())?;
    found(state.position.x, 0.6 * AT * AT, 1e-10)
}

fn own_force(case: Case) -> Outcome {
    let push = Named::force("push", |_| DVec2::new(3.0, 0.0));
    let fields = Fields::default().with(Field::Force(push));
    let state = flown(case, fields, None, at_rest())?;
    found(state.position.x, 1.5 * AT * AT, 1e-10)
}
