//! Materials as they are stored by serde, and checked when they are read.

use super::{Constants, Material, MaterialId, Materials, PairOverride, RestitutionCurve};

crate::serial::checked!([] Material, Material::check);

/// As it is stored: by rows, pairs and what is laid down for them.
#[derive(serde::Serialize, serde::Deserialize)]
struct StoredMaterials {
    table: Vec<(String, Material)>,
    #[serde(default)]
    overrides: Vec<((MaterialId, MaterialId), PairOverride)>,
    #[serde(default)]
    constants: Vec<(MaterialId, Constants)>,
    #[serde(default)]
    pair_constants: Vec<((MaterialId, MaterialId), Constants)>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    curves: Vec<(MaterialId, RestitutionCurve)>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pair_curves: Vec<((MaterialId, MaterialId), RestitutionCurve)>,
}

impl serde::Serialize for Materials {
    fn serialize<Out: serde::Serializer>(&self, out: Out) -> Result<Out::Ok, Out::Error> {
        let (constants, pair_constants) = self.all_constants();
        let (curves, pair_curves) = self.all_curves();
        let stored = StoredMaterials {
            table: self.table.clone(),
            overrides: self.overrides().collect(),
            constants,
            pair_constants,
            curves,
            pair_curves,
        };
        stored.serialize(out)
    }
}

impl<'de> serde::Deserialize<'de> for Materials {
    fn deserialize<In: serde::Deserializer<'de>>(input: In) -> Result<Self, In::Error> {
        use serde::de::Error;
        let stored = StoredMaterials::deserialize(input)?;
        let mut materials = Materials::default();
        for (row, (name, material)) in stored.table.into_iter().enumerate() {
            let id = materials.add(&name, material).map_err(In::Error::custom)?;
            if id.index() != row {
                return Err(In::Error::custom(format!(
                    "material {row} is called {name}, but must have a name of its own, and the first be called default"
                )));
            }
        }
        let rows = materials.len();
        let known = |id: MaterialId| {
            if id.index() < rows {
                Ok(id)
            } else {
                Err(In::Error::custom(format!(
                    "there is no material {}: there are {rows}",
                    id.index()
                )))
            }
        };
        for ((a, b), values) in stored.overrides {
            let pair = (known(a)?, known(b)?);
            let laid_down = materials.override_pair(pair.0, pair.1, values);
            laid_down.map_err(In::Error::custom)?;
        }
        for (id, constants) in stored.constants {
            let set = materials.set_constants(known(id)?, constants);
            set.map_err(In::Error::custom)?;
        }
        for ((a, b), constants) in stored.pair_constants {
            let set = materials.override_constants(known(a)?, known(b)?, constants);
            set.map_err(In::Error::custom)?;
        }
        for (id, curve) in stored.curves {
            let set = materials.set_restitution_curve(known(id)?, curve);
            set.map_err(In::Error::custom)?;
        }
        for ((a, b), curve) in stored.pair_curves {
            let set = materials.override_restitution_curve(known(a)?, known(b)?, curve);
            set.map_err(In::Error::custom)?;
        }
        Ok(materials)
    }
}
