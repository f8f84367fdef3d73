use crate::space::Space;
use std::fmt;
use std::sync::Arc;

/// A function of one's own, with a name for messages and the instants at which it jumps.
///
/// It must be pure and, within its region and a step beyond, finite. It is asked by several threads at once.
pub struct Named<F: ?Sized> {
    name: Arc<str>,
    /// Sorted or not, s.
    jumps: Arc<[f64]>,
    pub(super) function: Arc<F>,
}

/// A wind as a function of the position (m) and the time (s), m/s.
pub type WindFunction<S> =
    Named<dyn Fn(<S as Space>::Vector, f64) -> <S as Space>::Vector + Send + Sync>;

/// A force as a function of a ball's situation, N.
pub type ForceFunction<S> = Named<dyn Fn(&Situation<S>) -> <S as Space>::Vector + Send + Sync>;

/// What a force can depend on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Situation<S: Space> {
    /// World time, s.
    pub time: f64,
    /// Of the ball's centre, m.
    pub position: S::Vector,
    /// m/s.
    pub velocity: S::Vector,
    /// rad/s.
    pub angular_velocity: S::Angular,
    /// Of the air where the ball is, m/s.
    pub wind: S::Vector,
    /// Of the ball, kg.
    pub mass: f64,
    /// Of the ball, m.
    pub radius: f64,
}

impl<F: ?Sized> Named<F> {
    /// What it is called.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The instants at which it jumps, s.
    pub fn jumps(&self) -> &[f64] {
        &self.jumps
    }

    /// The next instant after `time` at which it jumps, s; infinite where there is none.
    pub(super) fn next_jump(&self, time: f64) -> f64 {
        self.jumps
            .iter()
            .copied()
            .filter(|&jump| jump > time)
            .fold(f64::INFINITY, f64::min)
    }

    /// Declares the instants at which it jumps, s; where they are given, the function has its new value at the instant
    /// itself.
    #[must_use]
    pub fn with_jumps(mut self, times: &[f64]) -> Self {
        self.jumps = times.into();
        self
    }
}

impl<V: 'static> Named<dyn Fn(V, f64) -> V + Send + Sync> {
    /// A wind: the velocity of the air, m/s, at a position, m, and a time, s.
    pub fn wind(
        name: impl Into<Arc<str>>,
        velocity: impl Fn(V, f64) -> V + Send + Sync + 'static,
    ) -> Self {
        Named {
            name: name.into(),
            jumps: Arc::new([]),
            function: Arc::new(velocity),
        }
    }
}

impl<S: Space> ForceFunction<S> {
    /// A force, N.
    pub fn force(
        name: impl Into<Arc<str>>,
        force: impl Fn(&Situation<S>) -> S::Vector + Send + Sync + 'static,
    ) -> Self {
        Named {
            name: name.into(),
            jumps: Arc::new([]),
            function: Arc::new(force),
        }
    }
}

// By hand, since the function itself need not be `Clone`.
impl<F: ?Sized> Clone for Named<F> {
    fn clone(&self) -> Self {
        Named {
            name: self.name.clone(),
            jumps: self.jumps.clone(),
            function: self.function.clone(),
        }
    }
}

impl<F: ?Sized> fmt::Debug for Named<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Named")
            .field("name", &self.name)
            .field("jumps", &self.jumps)
            .finish_non_exhaustive()
    }
}
