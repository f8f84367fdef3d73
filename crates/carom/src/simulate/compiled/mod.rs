//! The engines, compiled here and nowhere else.
//!
//! [`Simulation`](super::Simulation) and the engines inside it are generic over the space, and generic code is compiled
//! by the crate that uses it: each of the crates above, and each program of a user, would compile all engines again,
//! and without link-time optimisation nothing of this crate would be inlined into them. There are only two spaces. So
//! what is long is reached through [`Engines`], and [`Compiled`](super::Compiled) for the simulation above them, whose
//! two implementations are not generic: they are compiled with this crate, once, and the public functions of the
//! engines are thin calls of them.

mod exact;
mod stepped;

use super::exact::{End, Exact, RunError, Tell};
use super::rigid::Settling;
use super::state::State;
use super::stepped::{ForceAudit, Forces, ForcesError, Incident, Stepped, SteppedError};
use crate::audit::Audit;
use crate::body::Body;
use crate::codec::SnapshotError;
use crate::impact::Strikable;
use crate::space::{Space2, Space3};
use crate::world::{BodyId, World, WorldError};
use std::ops::ControlFlow;

/// A trait whose functions are compiled here for both spaces.
macro_rules! compiled {
    ($(#[$about:meta])* trait $trait:ident: $below:ident;
     $($name:ident($($argument:ident: $type:ty),*) -> $result:ty = $body:path;)*) => {
        $(#[$about])*
        pub trait $trait: $below {
            $(#[doc(hidden)] fn $name($($argument: $type),*) -> $result;)*
        }

        compiled!(@for $trait, Space2: $($name($($argument: $type),*) -> $result = $body;)*);
        compiled!(@for $trait, Space3: $($name($($argument: $type),*) -> $result = $body;)*);
    };
    (@for $trait:ident, $space:ty:
     $($name:ident($($argument:ident: $type:ty),*) -> $result:ty = $body:path;)*) => {
        impl $trait for $space {
            $(
                // Never inlined, or the body would be compiled again where it is called.
                #[inline(never)]
                fn $name($($argument: $type),*) -> $result {
                    $body($($argument),*)
                }
            )*
        }
    };
}

pub(super) use compiled;

compiled! {
    /// A space for which each engine is compiled in this crate. Programs ask for [`Compiled`](super::Compiled), which
    /// has the simulation besides.
    trait Engines: Strikable;

    exact_new(world: World<Self>, settling: &Settling, is_reference: bool) -> Result<Exact<Self>, Vec<WorldError>> = Exact::start;
    exact_go(run: &mut Exact<Self>, until: f64, tell: Tell<'_, Self>) -> Result<End, RunError> = Exact::go_generic;
    exact_state(run: &Exact<Self>, id: BodyId) -> State<Self> = Exact::state_generic;
    exact_audit(run: &Exact<Self>) -> Audit<Self> = Exact::audit_generic;
    exact_digest(run: &Exact<Self>) -> u64 = Exact::digest_generic;
    exact_to_world(run: &Exact<Self>) -> World<Self> = Exact::to_world_generic;
    exact_snapshot(run: &Exact<Self>) -> Vec<u8> = Exact::snapshot_generic;
    exact_restore(bytes: &[u8]) -> Result<Exact<Self>, SnapshotError> = Exact::restore_generic;

    stepped_new(world: World<Self>, forces: &Forces) -> Result<Stepped<Self>, Vec<ForcesError>> = Stepped::new_generic;
    stepped_waiting(world: World<Self>, waiting: Vec<Body<Self>>, forces: &Forces) -> Result<Stepped<Self>, Vec<ForcesError>> = Stepped::with_waiting;
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
