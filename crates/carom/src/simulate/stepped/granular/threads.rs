//! One thread or several, over the same pieces of work in the same order of results.
//!
//! What is summed is summed within a segment, and the pieces' sums are taken in their order; pieces do not depend on
//! the number of threads. So the bits do not either.
//!
//! Without the feature `parallel` there is one thread alone.

#[cfg(feature = "parallel")]
use rayon::prelude::*;
#[cfg(feature = "parallel")]
use rayon::{ThreadPool, ThreadPoolBuilder};
#[cfg(feature = "parallel")]
use std::sync::Arc;

/// The threads that do the work. Copies share the threads.
#[derive(Clone, Debug)]
pub(super) enum Team {
    /// The caller.
    Alone,
    /// Threads of its own.
    #[cfg(feature = "parallel")]
    Own(Arc<ThreadPool>),
    /// Those that the whole program shares, as many as `RAYON_NUM_THREADS` says, or as there are cores.
    #[cfg(feature = "parallel")]
    Shared,
}

impl Team {
    /// So many threads; one is the caller's own. Where the system gives none, the caller works alone.
    pub fn of(threads: usize) -> Self {
        #[cfg(feature = "parallel")]
        if threads >= 2
            && let Ok(pool) = ThreadPoolBuilder::new().num_threads(threads).build()
        {
            return Team::Own(Arc::new(pool));
        }
        let _ = threads;
        Team::Alone
    }

    /// All threads of the program, where there are several.
    pub fn of_all() -> Self {
        #[cfg(feature = "parallel")]
        if rayon::current_num_threads() > 1 {
            return Team::Shared;
        }
        Team::Alone
    }

    pub fn threads(&self) -> usize {
        match self {
            Team::Alone => 1,
            #[cfg(feature = "parallel")]
            Team::Own(pool) => pool.current_num_threads(),
            #[cfg(feature = "parallel")]
            Team::Shared => rayon::current_num_threads(),
        }
    }

    /// Runs something that asks the team for many small pieces of work, without handing each one over to another
    /// thread.
    pub fn inside<R: Send>(&self, work: impl FnOnce() -> R + Send) -> R {
        if matches!(self, Team::Alone) {
            return work();
        }
        let (mut work, mut result) = (Some(work), None);
        self.enter(&mut || result = work.take().map(|work| work()));
        result.expect("the threads ran what they were given")
    }

    /// The results of numbered segments, in order.
    pub fn collect<R: Send>(
        &self,
        segments: usize,
        work: impl Fn(usize) -> R + Sync + Send,
    ) -> Vec<R> {
        if matches!(self, Team::Alone) {
            return (0..segments).map(work).collect();
        }
        self.all((0..segments).map(|index| {
            let work = &work;
            move || work(index)
        }))
    }

    /// The results of numbered chunks of a list that is changed, in order.
    pub fn over<T: Send, R: Send>(
        &self,
        list: &mut [T],
        chunk: usize,
        work: impl Fn(usize, &mut [T]) -> R + Sync + Send,
    ) -> Vec<R> {
        let chunks = list.chunks_mut(chunk).enumerate();
        if matches!(self, Team::Alone) {
            return chunks.map(|(index, part)| work(index, part)).collect();
        }
        self.all(chunks.map(|(index, part)| {
            let work = &work;
            move || work(index, part)
        }))
    }

    /// The results of several pieces of work, in order.
    fn all<R: Send>(&self, works: impl Iterator<Item = impl FnOnce() -> R + Send>) -> Vec<R> {
        let mut segments: Vec<_> = works.map(|work| (Some(work), None)).collect();
        let mut runs: Vec<_> = (segments.iter_mut())
            .map(|(work, result)| move || *result = work.take().map(|work| work()))
            .collect();
        self.run(&mut runs.iter_mut().map(|run| run as Piece).collect::<Vec<_>>());
        drop(runs);
        let results = segments.into_iter().map(|(_, result)| result);
        results.collect::<Option<_>>().expect("every piece was run")
    }

    /// Hands pieces of work to the threads. They come as trait objects, so that the parallel loop is compiled once and
    /// not for each kind of work.
    fn run(&self, segments: &mut [Piece]) {
        #[cfg(feature = "parallel")]
        self.enter(&mut || segments.par_iter_mut().for_each(|segment| segment()));
        #[cfg(not(feature = "parallel"))]
        segments.iter_mut().for_each(|segment| segment());
    }

    fn enter(&self, work: Piece) {
        match self {
            Team::Alone => work(),
            #[cfg(feature = "parallel")]
            Team::Own(pool) => pool.install(work),
            #[cfg(feature = "parallel")]
            Team::Shared => rayon::scope(|_| work()),
        }
    }
}

/// A piece of work for any thread.
type Piece<'a> = &'a mut (dyn FnMut() + Send);
