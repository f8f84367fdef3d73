//! Ctrl-C ends a run cleanly; a second one ends the command at once.
//!
//! The run itself looks at the wish between two events or steps. Where it is in the middle of something that takes
//! longer than a person waits (a step of millions of balls, planning them all anew, a checkpoint), a thread ends the
//! command: run folders are such that a command may end at any time, and go on from the last checkpoint.

use crate::source;
use carom::simulate::Cancel;
use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// The exit status of what a person has interrupted, as shells have it.
pub const STATUS: u8 = 130;

/// How long the run has to notice, and how often the thread looks.
const PATIENCE: Duration = Duration::from_millis(120);
const LOOK: Duration = Duration::from_millis(20);

/// Whether the run was interrupted.
#[derive(Clone, Debug, Default)]
pub struct Interrupt {
    wanted: Arc<AtomicBool>,
    /// Whether the run has come to its end, and only has to put things away.
    noticed: Arc<AtomicBool>,
}

impl Interrupt {
    /// Listens from now on. Where the system does not allow that, signals do what they always do.
    pub fn listen() -> Self {
        let interrupt = Interrupt::default();
        for signal in [SIGINT, SIGTERM] {
            let wanted = &interrupt.wanted;
            let at_once =
                flag::register_conditional_shutdown(signal, STATUS.into(), wanted.clone());
            if at_once.is_ok() {
                let _ = flag::register(signal, wanted.clone());
            }
        }
        interrupt
    }

    /// The same for a run, perhaps one that is kept in a folder: where it does not notice in time, the command ends all
    /// the same. One that is there for pictures alone is removed.
    pub fn listen_for_run(folder: Option<&Path>, passing: bool) -> Self {
        let interrupt = Interrupt::listen();
        interrupt.watch(folder.map(Path::to_owned), passing);
        interrupt
    }

    /// Ends the command where the run does not notice in time. Without the thread, should there be none, it takes
    /// longer.
    fn watch(&self, folder: Option<PathBuf>, passing: bool) {
        let Interrupt { wanted, noticed } = self.clone();
        let watch = move || {
            while !wanted.load(Ordering::Relaxed) {
                if noticed.load(Ordering::Relaxed) {
                    return;
                }
                std::thread::sleep(LOOK);
            }
            let since = Instant::now();
            while since.elapsed() < PATIENCE {
                std::thread::sleep(LOOK / 4);
                if noticed.load(Ordering::Relaxed) {
                    return;
                }
            }
            let how = match folder {
                Some(folder) if passing => {
                    source::remove(folder.parent().unwrap_or(&folder));
                    String::new()
                }
                Some(folder) => format!(
                    "; what was kept until the last checkpoint is safe; to resume from there: carom resume {}",
                    folder.display()
                ),
                None => String::new(),
            };
            eprintln!("interrupted in the middle of something long{how}");
            std::process::exit(STATUS.into());
        };
        let named = std::thread::Builder::new().name("interrupt".to_owned());
        let _ = named.spawn(watch);
    }

    pub fn is_wanted(&self) -> bool {
        self.wanted.load(Ordering::Relaxed)
    }

    /// The same for the run itself.
    pub fn cancel(&self) -> Cancel {
        Cancel::from_flag(self.wanted.clone())
    }

    /// The run has ended; what is left to do is not cut short by the first signal.
    pub fn noticed(&self) {
        self.noticed.store(true, Ordering::Relaxed);
    }
}
