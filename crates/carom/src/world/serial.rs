//! A world is stored by what it was filled with, and filled anew when it is read: every value goes through the checks
//! of `World`.

use super::{Shear, World};
use crate::body::Body;
use crate::container::Container;
use crate::joint::Joint;
use crate::material::Materials;
use crate::motion::{Fields, Integrator};
use crate::shape::Shaped;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

#[derive(Deserialize, Serialize)]
#[serde(bound = "")]
struct StoredWorld<S: Shaped> {
    materials: Materials,
    fields: Fields<S>,
    #[serde(default)]
    integrator: Integrator,
    /// m; none along an axis that is not periodic.
    #[serde(default)]
    periodic: [Option<f64>; 3],
    #[serde(default)]
    shear: Option<Shear>,
    /// s.
    #[serde(default)]
    contact_time: Option<f64>,
    bodies: Vec<Body<S>>,
    /// What the walls of containers among the bodies enclose, and the number of the first wall.
    #[serde(default = "Vec::new")]
    containers: Vec<(Container<S>, usize)>,
    #[serde(default = "Vec::new")]
    joints: Vec<Joint<S>>,
}

/// A world with fields that are functions of one's own cannot be stored: that is an error. All else comes back to the
/// bit.
impl<S: Shaped> Serialize for World<S> {
    fn serialize<Out: Serializer>(&self, out: Out) -> Result<Out::Ok, Out::Error> {
        let stored = StoredWorld {
            materials: self.materials.clone(),
            fields: self.fields.clone(),
            integrator: self.integrator,
            periodic: self.periods.map(|length| (length > 0.0).then_some(length)),
            shear: self.shear,
            contact_time: self.contact_time,
            bodies: self.bodies.clone(),
            containers: self.rooms.clone(),
            joints: self.joints.clone(),
        };
        stored.serialize(out)
    }
}

impl<'de, S: Shaped> Deserialize<'de> for World<S> {
    fn deserialize<In: Deserializer<'de>>(input: In) -> Result<Self, In::Error> {
        let stored = StoredWorld::deserialize(input)?;
        let mut world = World::new();
        let wrong = In::Error::custom;
        world.materials = stored.materials;
        world.set_periodic(stored.periodic).map_err(wrong)?;
        world.set_shear(stored.shear).map_err(wrong)?;
        world.set_fields(stored.fields).map_err(wrong)?;
        world.set_integrator(stored.integrator).map_err(wrong)?;
        world.set_contact_time(stored.contact_time).map_err(wrong)?;
        for body in stored.bodies {
            world.add(body).map_err(wrong)?;
        }
        for (room, first) in stored.containers {
            // Its walls are among the bodies, where changes to them count.
            let end = first.checked_add(room.body_count());
            if end.is_none_or(|end| end > world.bodies.len()) {
                let name = room.name();
                return Err(wrong_room(name, world.bodies.len()));
            }
            world.rooms.push((room, first));
        }
        for joint in stored.joints {
            world.add_joint(joint).map_err(wrong)?;
        }
        match world.without_material().into_iter().next() {
            Some(error) => Err(wrong(error)),
            None => Ok(world),
        }
    }
}

fn wrong_room<E: serde::de::Error>(name: &str, bodies: usize) -> E {
    E::custom(format!(
        "container {name}: its walls are not among the {bodies} bodies"
    ))
}
