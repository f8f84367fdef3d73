//! Changes, as the page asks for them.

use crate::json::{angular, number, number_or, text, vector, whole};
use crate::space::WebSpace;
use carom::body::Body;
use carom::material::Material;
use carom::motion::{Drag, Drive, Field, Fields, Region, Wind};
use carom::simulate::{Action, Simulation};
use carom::world::BodyId;
use serde_json::Value;

/// A change at an instant.
pub struct Edit<S: WebSpace> {
    /// World time, s.
    pub time: f64,
    /// As it was asked for.
    pub asked: Value,
    /// What is done.
    pub action: Action<S>,
}

impl<S: WebSpace> Edit<S> {
    /// A change of a run as it is now; or why it cannot be.
    pub fn new(run: &Simulation<S>, asked: &Value) -> Result<Self, String> {
        let action = match text(asked, "kind")? {
            "gravity" => Action::Gravity(vector::<S>(asked, "gravity")?),
            "air" => Action::FieldsButGravity(air(run, asked)?),
            "material" => {
                let name = text(asked, "material")?;
                Action::Numbers(name.to_owned(), material(run, name, asked)?)
            }
            "velocity" => velocity(run, asked)?,
            "position" => {
                Action::Position(known(run, asked)?.into(), vector::<S>(asked, "position")?)
            }
            "remove" => Action::Remove(known(run, asked)?.into()),
            "insert" => Action::Insert(Box::new(ball(run, asked)?)),
            "mass" => Action::Mass(known(run, asked)?.into(), number(asked, "mass")?),
            "move" => Action::Drive(known(run, asked)?, drive::<S>(asked)?),
            "press" => Action::Press(text(asked, "key")?.to_owned()),
            "release" => Action::Release(text(asked, "key")?.to_owned()),
            other => return Err(format!("there is no change `{other}`")),
        };
        Ok(Edit {
            time: run.time(),
            asked: asked.clone(),
            action,
        })
    }
}

impl<S: WebSpace> Edit<S> {
    /// Whether it brings a body, which gets the next number.
    pub fn brings(&self) -> bool {
        matches!(self.action, Action::Insert(_))
    }

    /// The number of the body that it is about.
    pub fn body(&self) -> Option<u32> {
        let number = self.asked.get("body").and_then(Value::as_u64);
        number.and_then(|number| u32::try_from(number).ok())
    }

    /// Makes it about the body of another number.
    pub fn set_body(&mut self, number: u32) {
        self.asked["body"] = number.into();
        set_body(&mut self.action, BodyId(number));
    }
}

fn set_body<S: WebSpace>(action: &mut Action<S>, id: BodyId) {
    match action {
        Action::LinearVelocity(target, _)
        | Action::AngularVelocity(target, _)
        | Action::Position(target, _)
        | Action::Mass(target, _)
        | Action::Remove(target) => *target = id.into(),
        Action::Drive(body, _) => *body = id,
        Action::All(several) => several.iter_mut().for_each(|one| set_body(one, id)),
        _ => {}
    }
}

fn known<S: WebSpace>(run: &Simulation<S>, asked: &Value) -> Result<BodyId, String> {
    let id = whole(asked, "body")?;
    let id = BodyId(u32::try_from(id).unwrap_or(u32::MAX));
    match run.bodies().binary_search(&id) {
        Ok(_) => Ok(id),
        Err(_) => Err(format!("there is no body {}", id.0)),
    }
}

/// As `set` in a scene file does it: one thing after the other.
fn velocity<S: WebSpace>(run: &Simulation<S>, asked: &Value) -> Result<Action<S>, String> {
    let id = known(run, asked)?;
    let mut all = Vec::new();
    if asked.get("velocity").is_some() {
        let velocity = vector::<S>(asked, "velocity")?;
        all.push(Action::LinearVelocity(id.into(), velocity));
    }
    if asked.get("angular_velocity").is_some() {
        let turning = angular::<S>(asked, "angular_velocity")?;
        all.push(Action::AngularVelocity(id.into(), turning));
    }
    if all.is_empty() {
        return Err("a velocity or an angular velocity is missing".to_owned());
    }
    Ok(Action::All(all))
}

/// Drag (kg/s, kg/m) and wind (m/s) that act everywhere, as they are now.
pub fn air_now<S: WebSpace>(run: &Simulation<S>) -> (f64, f64, S::Vector) {
    let mut now = (0.0, 0.0, S::vector([0.0; 3]));
    for part in run.fields().parts() {
        match &part.field {
            _ if part.region != Region::Everywhere => (),
            Field::Drag(Drag::Given { linear, quadratic }) => {
                now.0 += linear;
                now.1 += quadratic;
            }
            Field::Wind(Wind::Uniform { velocity }) => now.2 += *velocity,
            _ => (),
        }
    }
    now
}

/// Drag and wind everywhere, instead of all that acted before. Refused where there was anything else: it would be lost.
fn air<S: WebSpace>(run: &Simulation<S>, asked: &Value) -> Result<Fields<S>, String> {
    let before = run.fields();
    let other = before.parts().iter().find(|part| {
        let of_air = matches!(
            part.field,
            Field::Drag(Drag::Given { .. }) | Field::Wind(Wind::Uniform { .. })
        );
        !of_air || part.region != Region::Everywhere
    });
    if let Some(other) = other {
        let name = &other.name;
        return Err(format!(
            "the scene has a field of its own ({name}): change the air in its text"
        ));
    }
    let mut fields = Fields::uniform(S::vector([0.0; 3]));
    let linear = number_or(asked, "linear", 0.0)?;
    let quadratic = number_or(asked, "quadratic", 0.0)?;
    if linear > 0.0 || quadratic > 0.0 {
        fields = fields.with(Field::Drag(Drag::Given { linear, quadratic }));
    }
    if asked.get("wind").is_some() {
        let velocity = vector::<S>(asked, "wind")?;
        fields = fields.with(Field::Wind(Wind::Uniform { velocity }));
    }
    Ok(fields)
}

/// A material of the run with some numbers replaced.
fn material<S: WebSpace>(
    run: &Simulation<S>,
    name: &str,
    asked: &Value,
) -> Result<Material, String> {
    let Some(id) = run.materials().find(name) else {
        return Err(format!("there is no material `{name}`"));
    };
    let mut material = *run.materials().get(id);
    material.restitution = number_or(asked, "restitution", material.restitution)?;
    material.static_friction = number_or(asked, "static_friction", material.static_friction)?;
    material.kinetic_friction = number_or(asked, "kinetic_friction", material.kinetic_friction)?;
    material.rolling_resistance =
        number_or(asked, "rolling_resistance", material.rolling_resistance)?;
    material.check().map_err(|error| error.to_string())?;
    Ok(material)
}

/// A new ball.
fn ball<S: WebSpace>(run: &Simulation<S>, asked: &Value) -> Result<Body<S>, String> {
    let mut body = Body::ball(
        number(asked, "radius")?,
        number(asked, "mass")?,
        vector::<S>(asked, "position")?,
        vector::<S>(asked, "velocity")?,
    )
    .map_err(|error| error.to_string())?;
    body.name = text(asked, "name")?.into();
    if let Ok(name) = text(asked, "material")
        && let Some(material) = run.materials().find(name)
    {
        body.material = material;
    }
    Ok(body)
}

/// How a fixture moves from now on; `None` where it stands.
fn drive<S: WebSpace>(asked: &Value) -> Result<Option<Drive<S>>, String> {
    match asked.get("velocity") {
        None | Some(Value::Null) => Ok(None),
        Some(_) => {
            let velocity = vector::<S>(asked, "velocity")?;
            Ok(Some(Drive::Uniform { velocity }))
        }
    }
}
