//! A world is stored by what it was filled with, and filled anew when it is read: every value goes through the checks
//! of `World`.

use super::World;
use crate::body::Body;
use crate::material::Materials;
use crate::motion::{Fields, Integrator};
use crate::shape::Shaped;
use serde::de::Error as _;
use serde::ser::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

#[derive(Deserialize, Serialize)]
#[serde(bound = "")]
struct Stored<S: Shaped> {
    materials: Materials,
    fields: Fields<S>,
    #[serde(default)]
    integrator: Integrator,
    /// m; none along an axis that is not periodic.
    #[serde(default)]
    periodic: [Option<f64>; 3],
    /// s.
    #[serde(default)]
    contact_time: Option<f64>,
    bodies: Vec<Body<S>>,
}

/// A world with [containers](crate::container) cannot be stored yet, nor one with fields that are functions of one's
/// own: that is an error.
impl<S: Shaped> Serialize for World<S> {
    fn serialize<Out: Serializer>(&self, out: Out) -> Result<Out::Ok, Out::Error> {
        if let Some((container, _)) = self.containers.first() {
            let name = container.name();
            return Err(Out::Error::custom(format!(
                "container {name}: a world with containers cannot be stored yet"
            )));
        }
        let stored = Stored {
            materials: self.materials.clone(),
            fields: self.fields.clone(),
            integrator: self.integrator,
            periodic: self.periods.map(|length| (length > 0.0).then_some(length)),
            contact_time: self.contact_time,
            bodies: self.bodies.clone(),
        };
        stored.serialize(out)
    }
}

impl<'de, S: Shaped> Deserialize<'de> for World<S> {
    fn deserialize<In: Deserializer<'de>>(input: In) -> Result<Self, In::Error> {
        let stored = Stored::deserialize(input)?;
        let mut world = World::new();
        let wrong = In::Error::custom;
        world.materials = stored.materials;
        world.set_periodic(stored.periodic).map_err(wrong)?;
        world.set_fields(stored.fields).map_err(wrong)?;
        world.set_integrator(stored.integrator).map_err(wrong)?;
        world.set_contact_time(stored.contact_time).map_err(wrong)?;
        for body in stored.bodies {
            world.add(body).map_err(wrong)?;
        }
        match world.without_material().into_iter().next() {
            Some(error) => Err(wrong(error)),
            None => Ok(world),
        }
    }
}
