//! One thread or several, over the same pieces of work in the same order of results.
//!
//! What is summed is summed within a piece, and the pieces' sums are taken in their order; pieces do not depend on the number of threads. So the bits do not either.

use rayon::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};

/// Who does the work.
#[derive(Debug)]
pub(super) struct Team {
    pool: Option<ThreadPool>,
}

impl Team {
    /// So many threads; one is the caller's own. Where the system gives none, the caller works alone.
    pub fn of(threads: usize) -> Self {
        let pool = (threads > 1).then(|| ThreadPoolBuilder::new().num_threads(threads).build());
        Team {
            pool: pool.and_then(Result::ok),
        }
    }

    pub fn threads(&self) -> usize {
        self.pool
            .as_ref()
            .map_or(1, ThreadPool::current_num_threads)
    }

    /// Runs something that asks the team for many small pieces of work, without handing each one over to another thread.
    pub fn inside<R: Send>(&self, work: impl FnOnce() -> R + Send) -> R {
        match &self.pool {
            Some(pool) => pool.install(work),
            None => work(),
        }
    }

    /// The results of numbered pieces, in order.
    pub fn collect<R: Send>(
        &self,
        pieces: usize,
        work: impl Fn(usize) -> R + Sync + Send,
    ) -> Vec<R> {
        match &self.pool {
            Some(pool) => pool.install(|| (0..pieces).into_par_iter().map(work).collect()),
            None => (0..pieces).map(work).collect(),
        }
    }

    /// The results of numbered chunks of a list that is changed, in order.
    pub fn over<T: Send, R: Send>(
        &self,
        list: &mut [T],
        chunk: usize,
        work: impl Fn(usize, &mut [T]) -> R + Sync + Send,
    ) -> Vec<R> {
        match &self.pool {
            Some(pool) => pool.install(|| {
                let chunks = list.par_chunks_mut(chunk).enumerate();
                chunks.map(|(index, part)| work(index, part)).collect()
            }),
            None => (list.chunks_mut(chunk).enumerate())
                .map(|(index, part)| work(index, part))
                .collect(),
        }
    }
}
