//! What two bodies were made of when they collided: rules of a scene may have changed that since.

use crate::output::Failure;
use carom::body::Body;
use carom::material::Materials;
use carom::simulate::Method;
use carom::world::{BodyId, World};
use carom_data::{DataSpace, RunFolder, Table};
use carom_draw::Recording;
use carom_scene::{AnyPlan, AnyWorld, Plan};

/// When the materials of a run were changed, seen from one of its collisions.
#[derive(Clone, Copy, Debug, Default)]
pub struct Changes {
    /// The last time before it, s.
    before: Option<f64>,
    /// Whether they were changed after it.
    after: bool,
}

impl Changes {
    /// Seen from the collision with a number.
    pub fn around(number: i64, events: &Table) -> Result<Self, Failure> {
        let (mut changes, mut passed) = (Changes::default(), false);
        events.each(&["number", "kind", "time"], |rows| {
            let [numbers, kinds, times] = &rows.values[..] else {
                return Ok(());
            };
            for row in 0..rows.len() {
                passed |= numbers.integers()[row] == number;
                if matches!(&*kinds.texts()[row], "material" | "materials") {
                    if passed {
                        changes.after = true;
                    } else {
                        changes.before = Some(times.numbers()[row]);
                    }
                }
            }
            Ok(())
        })?;
        Ok(changes)
    }
}

/// Two bodies, and the materials of their world.
#[derive(Debug)]
pub struct Pair<S: DataSpace> {
    pub bodies: [Body<S>; 2],
    pub materials: Materials,
    /// Whether they are those of the end of the run, although others held at the collision.
    pub late: bool,
}

impl<S: DataSpace> Pair<S> {
    /// As a world has them; `None` where it has other bodies.
    fn of(world: &World<S>, ids: [i64; 2], late: bool) -> Option<Self> {
        let body = |id: i64| world.bodies().get(usize::try_from(id).ok()?).cloned();
        let [a, b] = ids.map(body);
        Some(Pair {
            bodies: [a?, b?],
            materials: world.materials.clone(),
            late,
        })
    }
}

/// The same scene again, up to the last change of materials before the collision.
fn again<S: DataSpace>(
    world: World<S>,
    plan: &Plan<S>,
    method: Method,
    before: Option<f64>,
    ids: [i64; 2],
) -> Option<Pair<S>> {
    let Some(time) = before else {
        return Pair::of(&plan.cast(&world), ids, false);
    };
    let mut pair = Pair::of(&plan.cast(&world), ids, false)?;
    let mut run = plan.simulation(world, method).ok()?;
    // A run up to a time leaves what rules do at that time to the next one.
    run.run_until(time.next_up()).ok()?;
    pair.materials = run.materials().clone();
    for (body, id) in pair.bodies.iter_mut().zip(ids) {
        // One that has gone by now is made of what it was made of.
        if let Some(now) = run.body(BodyId(id as u32)) {
            body.material = now.material;
        }
    }
    Some(pair)
}

/// In 2-D or 3-D.
#[derive(Debug)]
pub enum AnyPair {
    Two(Pair<carom::space::Space2>),
    Three(Pair<carom::space::Space3>),
}

/// The two bodies of a collision as they were then. The folder has materials as they were at its end; where they were
/// changed after the collision, the scene is run again. `None` where the folder has other bodies.
pub fn pair(run: &RunFolder, changes: Changes, ids: [i64; 2]) -> Result<Option<AnyPair>, Failure> {
    if changes.after
        && let Some(pair) = replayed(run, changes, ids)
    {
        return Ok(Some(pair));
    }
    // The snapshot has all bodies, also those that have gone or are to come.
    Ok(match run.manifest().dimension {
        2 => Pair::of(&run.world()?, ids, changes.after).map(AnyPair::Two),
        _ => Pair::of(&run.world()?, ids, changes.after).map(AnyPair::Three),
    })
}

fn replayed(run: &RunFolder, changes: Changes, ids: [i64; 2]) -> Option<AnyPair> {
    let recording = Recording::open(run.path()).ok()?;
    let scene = carom_draw::scene_of(&recording).ok()?;
    let method = run.manifest().method.with(scene.settling, scene.forces);
    match (scene.world, &scene.plan) {
        (AnyWorld::Two(world), AnyPlan::Two(plan)) => {
            again(world, plan, method, changes.before, ids).map(AnyPair::Two)
        }
        (AnyWorld::Three(world), AnyPlan::Three(plan)) => {
            again(world, plan, method, changes.before, ids).map(AnyPair::Three)
        }
        _ => None,
    }
}
