//! One thread or several, over the same pieces of work in the same order of results.
//!
//! What is summed is summed within a piece, and the pieces' sums are taken in their order; pieces do not depend on the number of threads. So the bits do not either.

use rayon::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::sync::Arc;

/// Who does the work. Copies share the threads.
#[derive(Clone, Debug)]
pub(super) enum Team {
    /// The caller.
    Alone,
    /// Threads of its own.
    Own(Arc<ThreadPool>),
    /// Those that the whole program shares, as many as `RAYON_NUM_THREADS` says, or as there are cores.
    Shared,
}

impl Team {
    /// So many threads; one is the caller's own. Where the system gives none, the caller works alone.
    pub fn of(threads: usize) -> Self {
        if threads < 2 {
            return Team::Alone;
        }
        match ThreadPoolBuilder::new().num_threads(threads).build() {
            Ok(pool) => Team::Own(Arc::new(pool)),
            Err(_) => Team::Alone,
        }
    }

    /// All threads of the program, where there are several.
    pub fn of_all() -> Self {
        match rayon::current_num_threads() {
            0 | 1 => Team::Alone,
            _ => Team::Shared,
        }
    }

    pub fn threads(&self) -> usize {
        match self {
            Team::Alone => 1,
            Team::Own(pool) => pool.current_num_threads(),
            Team::Shared => rayon::current_num_threads(),
        }
    }

    /// Runs something that asks the team for many small pieces of work, without handing each one over to another thread.
    pub fn inside<R: Send>(&self, work: impl FnOnce() -> R + Send) -> R {
        match self {
            Team::Alone => work(),
            Team::Own(pool) => pool.install(work),
            Team::Shared => rayon::scope(|_| work()),
        }
    }

    /// The results of numbered pieces, in order.
    pub fn collect<R: Send>(
        &self,
        pieces: usize,
        work: impl Fn(usize) -> R + Sync + Send,
    ) -> Vec<R> {
        if matches!(self, Team::Alone) {
            return (0..pieces).map(work).collect();
        }
        self.inside(|| (0..pieces).into_par_iter().map(work).collect())
    }

    /// The results of numbered chunks of a list that is changed, in order.
    pub fn over<T: Send, R: Send>(
        &self,
        list: &mut [T],
        chunk: usize,
        work: impl Fn(usize, &mut [T]) -> R + Sync + Send,
    ) -> Vec<R> {
        if matches!(self, Team::Alone) {
            return (list.chunks_mut(chunk).enumerate())
                .map(|(index, part)| work(index, part))
                .collect();
        }
        self.inside(|| {
            let chunks = list.par_chunks_mut(chunk).enumerate();
            chunks.map(|(index, part)| work(index, part)).collect()
        })
    }
}
