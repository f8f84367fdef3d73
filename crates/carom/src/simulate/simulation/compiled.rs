//! The simulation, compiled here and nowhere else, as the engines inside it are.

use super::{Method, Simulation};
use crate::body::Body;
use crate::record::Event;
use crate::simulate::compiled::{Engines, compiled};
use crate::simulate::director::{Action, Mount, Trigger};
use crate::simulate::error::SimulationError;
use crate::simulate::exact::{End, Exact, RunError};
use crate::simulate::until::Until;
use crate::space::{Space2, Space3};
use crate::world::{BodyId, World};
use std::ops::ControlFlow;

compiled! {
    /// A space for which simulations are compiled in this crate: what a function asks for that runs them in 2-D or in
    /// 3-D.
    trait Compiled: Engines;

    simulation_new(world: World<Self>, waiting: Vec<Body<Self>>, method: Method) -> Result<Simulation<Self>, SimulationError> = Simulation::new_generic;
    simulation_restore(bytes: &[u8]) -> Result<Simulation<Self>, SimulationError> = Simulation::restore_generic;
    simulation_run(
        run: &mut Simulation<Self>,
        until: Until<'_, Self>,
        listener: &mut dyn FnMut(&Event<'_, Self>) -> ControlFlow<()>
    ) -> Result<End, SimulationError> = Simulation::run_generic;
    simulation_at(run: &mut Simulation<Self>, time: f64, action: Action<Self>) -> Result<(), SimulationError> = Simulation::at_generic;
    simulation_every(run: &mut Simulation<Self>, interval: f64, action: Action<Self>) -> Result<(), SimulationError> = Simulation::every_generic;
    simulation_on(run: &mut Simulation<Self>, trigger: Trigger, action: Action<Self>) -> Result<(), SimulationError> = Simulation::on_generic;
    simulation_mount(run: &mut Simulation<Self>, body: BodyId, how: Mount<Self>) -> Result<(), SimulationError> = Simulation::mount_generic;
    simulation_key(run: &mut Simulation<Self>, key: &str, pressed: bool) -> Result<(), SimulationError> = Simulation::key_generic;
    exact_run_until(
        run: &mut Exact<Self>,
        until: Until<'_, Self>,
        listener: &mut dyn FnMut(&Event<'_, Self>) -> ControlFlow<()>
    ) -> Result<End, RunError> = Exact::run_until_generic;
}
