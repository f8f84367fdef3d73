//! How does it all run?

mod balls;
mod cancel;
mod compiled;
mod contact_time;
mod director;
mod edit;
mod encounter;
mod exact;
mod force_options;
mod guided;
mod guides;
mod inertials;
mod layout;
mod members;
mod obstacles;
mod pace;
mod passages;
mod planner;
mod predictions;
mod query;
mod refuse;
mod rigid;
mod roster;
mod scenery;
mod sketch;
mod snapshot;
mod stage;
mod state;
mod stepped;
mod strike;
mod subscribers;
mod support;
mod sweep;
mod tandem;
mod ties;
mod until;
mod ways;

pub use cancel::Cancel;
pub use compiled::Compiled;
pub use director::{
    Action, Cause, Directed, Director, DirectorError, Entry, Joint, Trigger, Which, Whom,
};
pub use exact::{End, Exact, RunError};
pub use pace::Busy;
pub use query::{Hit, Query, QueryError};
pub use refuse::{EditError, ForcesError, SteppedError};
pub use rigid::{Rigid, Settling};
pub use state::State;
pub use stepped::crowd;
pub use stepped::{
    Arms, Begin, Dissipated, ForceAudit, Forces, Incident, Runner, Scheme, Stepped, Stored, Touch,
};
pub use subscribers::{Interest, Subscribers};
pub use until::Until;
