//! The engines, compiled here and nowhere else.
//!
//! [`Simulation`] and the engines inside it are generic over the space, and generic code is compiled by the crate that
//! uses it: each of the crates above, and each program of a user, would compile all engines again, and without
//! link-time optimisation nothing of this crate would be inlined into them. There are only two spaces. So what is long
//! is reached through [`Compiled`], whose two implementations are not generic: they are compiled with this crate, once,
//! and the public functions of the engines are thin calls of them.

mod exact;
mod rigid;
mod stepped;

use super::director::{Action, Joint, Trigger};
use super::exact::{End, Exact, RunError, Tell};
use super::rigid::{Rigid, Settling};
use super::simulation::{Method, Simulation, SimulationError};
use super::state::State;
use super::stepped::{ForceAudit, Forces, ForcesError, Incident, Stepped, SteppedError};
use super::until::Until;
use crate::audit::Audit;
use crate::body::Body;
use crate::codec::SnapshotError;
use crate::impact::Strikable;
use crate::record::Event;
use crate::space::{Space2, Space3};
use crate::world::{BodyId, World, WorldError};
use std::ops::ControlFlow;

macro_rules! compiled {
    ($($name:ident($($argument:ident: $type:ty),*) -> $result:ty = $body:path;)*) => {
        /// A space for which the engines are compiled in this crate: what a function asks for that runs them in
        /// the plane or in 3-D.
        pub trait Compiled: Strikable {
            $(#[doc(hidden)] fn $name($($argument: $type),*) -> $result;)*
        }

        compiled!(@for Space2: $($name($($argument: $type),*) -> $result = $body;)*);
        compiled!(@for Space3: $($name($($argument: $type),*) -> $result = $body;)*);
    };
    (@for $space:ty: $($name:ident($($argument:ident: $type:ty),*) -> $result:ty = $body:path;)*) => {
        impl Compiled for $space {
            $(
                // Never inlined, or the body would be compiled again by whoever calls it.
                #[inline(never)]
                fn $name($($argument: $type),*) -> $result {
                    $body($($argument),*)
                }
            )*
        }
    };
}

compiled! {
    simulation_new(world: World<Self>, method: Method) -> Result<Simulation<Self>, SimulationError> = Simulation::new_generic;
    simulation_restore(bytes: &[u8]) -> Result<Simulation<Self>, SimulationError> = Simulation::restore_generic;
    simulation_run(
        run: &mut Simulation<Self>,
        until: Until<'_, Self>,
        listener: &mut dyn FnMut(&Event<'_, Self>) -> ControlFlow<()>
    ) -> Result<End, SimulationError> = Simulation::run_generic;
    simulation_at(run: &mut Simulation<Self>, time: f64, action: Action<Self>) -> Result<(), SimulationError> = Simulation::at_generic;
    simulation_every(run: &mut Simulation<Self>, interval: f64, action: Action<Self>) -> Result<(), SimulationError> = Simulation::every_generic;
    simulation_on(run: &mut Simulation<Self>, trigger: Trigger, action: Action<Self>) -> Result<(), SimulationError> = Simulation::on_generic;
    simulation_mount(run: &mut Simulation<Self>, body: BodyId, joint: Joint<Self>) -> Result<(), SimulationError> = Simulation::mount_generic;
    simulation_key(run: &mut Simulation<Self>, key: &str, pressed: bool) -> Result<(), SimulationError> = Simulation::key_generic;

    exact_new(world: World<Self>, is_reference: bool) -> Result<Exact<Self>, Vec<WorldError>> = Exact::start;
    exact_go(run: &mut Exact<Self>, until: f64, tell: Tell<'_, Self>) -> Result<End, RunError> = Exact::go_generic;
    exact_run_until(
        run: &mut Exact<Self>,
        until: Until<'_, Self>,
        listener: &mut dyn FnMut(&Event<'_, Self>) -> ControlFlow<()>
    ) -> Result<End, RunError> = Exact::run_until_generic;
    exact_state(run: &Exact<Self>, id: BodyId) -> State<Self> = Exact::state_generic;
    exact_audit(run: &Exact<Self>) -> Audit<Self> = Exact::audit_generic;
    exact_digest(run: &Exact<Self>) -> u64 = Exact::digest_generic;
    exact_to_world(run: &Exact<Self>) -> World<Self> = Exact::to_world_generic;
    exact_snapshot(run: &Exact<Self>) -> Vec<u8> = Exact::snapshot_generic;
    exact_restore(bytes: &[u8]) -> Result<Exact<Self>, SnapshotError> = Exact::restore_generic;

    rigid_new(world: World<Self>, settling: &Settling) -> Result<Rigid<Self>, Vec<WorldError>> = Rigid::new_generic;
    rigid_run_while(
        run: &mut Rigid<Self>,
        until: f64,
        condition: &mut dyn FnMut(&Rigid<Self>) -> bool,
        listener: &mut dyn FnMut(&Event<'_, Self>) -> ControlFlow<()>
    ) -> Result<End, RunError> = Rigid::run_while_generic;
    rigid_body(run: &Rigid<Self>, id: BodyId) -> Option<Body<Self>> = Rigid::body_generic;
    rigid_state(run: &Rigid<Self>, id: BodyId) -> State<Self> = Rigid::state_generic;
    rigid_audit(run: &Rigid<Self>) -> Audit<Self> = Rigid::audit_generic;
    rigid_digest(run: &Rigid<Self>) -> u64 = Rigid::digest_generic;
    rigid_to_world(run: &Rigid<Self>) -> World<Self> = Rigid::to_world_generic;
    rigid_snapshot(run: &Rigid<Self>) -> Vec<u8> = Rigid::snapshot_generic;
    rigid_restore(bytes: &[u8]) -> Result<Rigid<Self>, SnapshotError> = Rigid::restore_generic;

    stepped_new(world: World<Self>, forces: &Forces) -> Result<Stepped<Self>, Vec<ForcesError>> = Stepped::new_generic;
    stepped_run_until(
        run: &mut Stepped<Self>,
        until: f64,
        listener: &mut dyn FnMut(&Incident<Self>) -> ControlFlow<()>
    ) -> Result<End, SteppedError> = Stepped::run_until_generic;
    stepped_body(run: &Stepped<Self>, id: BodyId) -> Option<Body<Self>> = Stepped::body_generic;
    stepped_state(run: &Stepped<Self>, id: BodyId) -> State<Self> = Stepped::state_generic;
    stepped_audit(run: &Stepped<Self>) -> ForceAudit<Self> = Stepped::audit_generic;
    stepped_digest(run: &Stepped<Self>) -> u64 = Stepped::digest_generic;
    stepped_to_world(run: &Stepped<Self>) -> World<Self> = Stepped::to_world_generic;
    stepped_snapshot(run: &Stepped<Self>) -> Vec<u8> = Stepped::snapshot_generic;
    stepped_restore(bytes: &[u8]) -> Result<Stepped<Self>, SnapshotError> = Stepped::restore_generic;
}
