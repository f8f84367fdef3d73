//! The progress bar: only on a terminal, and only for runs that take a while.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::IsTerminal;
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// A run that is over sooner has no bar.
const PATIENCE: Duration = Duration::from_millis(400);
const STEPS: u64 = 10_000;

/// Shows how far a run has got.
pub struct Bar {
    until: f64,
    start: Instant,
    /// Where this part of the run began: world time (s) and collisions.
    from: Option<(f64, u64)>,
    bar: Option<ProgressBar>,
}

impl Bar {
    /// None where it would not be seen.
    pub fn new(until: f64, quiet: bool) -> Option<Self> {
        (!quiet && std::io::stderr().is_terminal()).then(|| Bar {
            until,
            start: Instant::now(),
            from: None,
            bar: None,
        })
    }

    /// Shows a world time (s) and a number of collisions.
    pub fn show(&mut self, time: f64, collisions: u64) {
        let (from, before) = *self.from.get_or_insert((time, collisions));
        let elapsed = self.start.elapsed();
        if elapsed < PATIENCE {
            return;
        }
        let bar = self.bar.get_or_insert_with(plain);
        bar.set_message(message(
            elapsed.as_secs_f64(),
            Span {
                from,
                time,
                until: self.until,
            },
            collisions.saturating_sub(before),
        ));
        bar.set_position((STEPS as f64 * (time / self.until)).clamp(0.0, STEPS as f64) as u64);
    }
}

impl Drop for Bar {
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

fn plain() -> ProgressBar {
    let bar = ProgressBar::with_draw_target(Some(STEPS), ProgressDrawTarget::stderr());
    let style = ProgressStyle::with_template("{percent:>3} % [{bar:30}] {msg}");
    bar.set_style(
        style
            .unwrap_or_else(|_| ProgressStyle::default_bar())
            .progress_chars("=> "),
    );
    bar
}

/// Something of unknown length that goes on: after two seconds, what it is and for how long.
pub struct Waiting {
    /// Dropped when it is over.
    _over: Option<Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

/// What takes no longer is not spoken of.
const LONG: Duration = Duration::from_secs(2);

impl Waiting {
    /// From now until it is dropped.
    pub fn new(what: &'static str, quiet: bool) -> Self {
        if quiet || !std::io::stderr().is_terminal() {
            return Waiting {
                _over: None,
                thread: None,
            };
        }
        let (over, is_over) = mpsc::channel::<()>();
        let watch = move || {
            // Nothing is ever sent: it ends when whoever could send is gone.
            if is_over.recv_timeout(LONG) != Err(RecvTimeoutError::Timeout) {
                return;
            }
            let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
            let style = ProgressStyle::with_template("{spinner} {msg}, {elapsed}");
            bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_spinner()));
            bar.set_message(what);
            bar.set_elapsed(LONG);
            while is_over.recv_timeout(Duration::from_millis(120)) == Err(RecvTimeoutError::Timeout)
            {
                bar.tick();
            }
            bar.finish_and_clear();
        };
        let named = std::thread::Builder::new().name("waiting".to_owned());
        Waiting {
            _over: Some(over),
            thread: named.spawn(watch).ok(),
        }
    }
}

impl Drop for Waiting {
    fn drop(&mut self) {
        self._over = None;
        if let Some(thread) = self.thread.take() {
            // So that its line is gone before anything else is said.
            let _ = thread.join();
        }
    }
}

/// Shows how many of something are done: pictures of a film, runs of a sweep.
pub struct Counted {
    /// What they are called.
    noun: &'static str,
    all: usize,
    done: usize,
    start: Instant,
    bar: Option<ProgressBar>,
}

impl Counted {
    /// None where it would not be seen.
    pub fn new(noun: &'static str, all: usize, quiet: bool) -> Option<Self> {
        (!quiet && std::io::stderr().is_terminal()).then(|| Counted {
            noun,
            all,
            done: 0,
            start: Instant::now(),
            bar: None,
        })
    }

    /// So many more.
    pub fn more(&mut self, count: usize) {
        self.show(self.done + count, 0);
    }

    /// So many in all, some of which were there before.
    pub fn show(&mut self, done: usize, before: usize) {
        self.done = done;
        let elapsed = self.start.elapsed();
        if elapsed < PATIENCE {
            return;
        }
        let bar = self.bar.get_or_insert_with(plain);
        let (noun, all) = (self.noun, self.all);
        bar.set_message(progress(elapsed.as_secs_f64(), noun, [before, done, all]));
        bar.set_position(STEPS * self.done as u64 / self.all.max(1) as u64);
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

/// "12 of 300 pictures, 34 a second, 9 s left": how many were there before, are done, and are to be done.
fn progress(elapsed: f64, noun: &str, [before, done, all]: [usize; 3]) -> String {
    let rate = (done - before) as f64 / elapsed;
    let left = duration((all - done) as f64 / rate);
    format!("{done} of {all} {noun}, {rate:.1} a second, {left} left")
}

/// World times of a run: where it began, where it is, where it ends, s.
#[derive(Clone, Copy)]
struct Span {
    from: f64,
    time: f64,
    until: f64,
}

/// "t = 1.2 of 5 s, 1.3 million collisions/s, 12 s left".
fn message(elapsed: f64, span: Span, collisions: u64) -> String {
    let Span { from, time, until } = span;
    let rate = collisions as f64 / elapsed;
    let rate = match rate {
        rate if rate >= 1e6 => format!("{:.2} million", rate / 1e6),
        rate => format!("{rate:.0}"),
    };
    let left = elapsed * (until - time) / (time - from);
    let left = if left.is_finite() {
        format!(", {} left", duration(left))
    } else {
        String::new()
    };
    format!("t = {time:.4} of {until} s, {rate} collisions/s{left}")
}

fn duration(seconds: f64) -> String {
    let whole = seconds.min(1e9).ceil() as u64;
    match whole {
        0..60 => format!("{whole} s"),
        60..3600 => format!("{} min {:02} s", whole / 60, whole % 60),
        _ => format!("{} h {:02} min", whole / 3600, whole / 60 % 60),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_time_that_is_left_is_in_proportion() {
        let at_one = |from: f64| Span {
            from,
            time: 1.0,
            until: 4.0,
        };
        assert_eq!(
            message(10.0, at_one(0.0), 25_000_000),
            "t = 1.0000 of 4 s, 2.50 million collisions/s, 30 s left"
        );
        assert_eq!(
            message(2.0, at_one(1.0), 3),
            "t = 1.0000 of 4 s, 2 collisions/s"
        );
        assert_eq!(
            progress(2.0, "pictures", [0, 100, 300]),
            "100 of 300 pictures, 50.0 a second, 4 s left"
        );
        assert_eq!(
            progress(2.0, "runs", [90, 100, 300]),
            "100 of 300 runs, 5.0 a second, 40 s left"
        );
        assert_eq!(duration(61.5), "1 min 02 s");
        assert_eq!(duration(7322.0), "2 h 02 min");
    }
}
