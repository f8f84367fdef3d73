//! Running the command with a time limit, and cutting it off.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

/// How a command ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    /// By itself, with this status.
    Status(i32),
    /// By a signal that nobody sent, such as 6 after an abort.
    Signal(i32),
    /// Not within the limit; whether an interrupt ended it.
    Hung {
        /// It ended when it was interrupted.
        honoured: bool,
    },
}

/// What came of a command.
#[derive(Clone, Debug)]
pub struct Ran {
    /// How it ended.
    pub ended: Ended,
    /// Standard output.
    pub out: String,
    /// Standard error.
    pub err: String,
    /// By the wall clock.
    pub wall: Duration,
}

/// The command, and how long it may take.
#[derive(Clone, Debug)]
pub struct Carom {
    /// The program.
    pub program: PathBuf,
    /// A run that is not over when it has computed for so long hangs. Time that it waits for a busy machine does not
    /// count.
    pub limit: Duration,
    /// How long it may take to end after an interrupt.
    pub patience: Duration,
}

/// How a run is cut off.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cut {
    /// By `SIGINT`, as Ctrl-C does.
    Interrupt,
    /// By `SIGKILL`.
    Kill,
}

impl Carom {
    /// Runs it in a folder until it ends, or is over its time.
    pub fn run(&self, arguments: &[&str], folder: &Path) -> io::Result<Ran> {
        self.run_cut(arguments, folder, None)
    }

    /// The same, cut off after a time.
    pub fn run_cut(
        &self,
        arguments: &[&str],
        folder: &Path,
        cut: Option<(Duration, Cut)>,
    ) -> io::Result<Ran> {
        let [out, err] = ["stdout", "stderr"].map(|name| folder.join(name));
        let start = Instant::now();
        let mut child = Command::new(&self.program)
            .args(arguments)
            .current_dir(folder)
            // One core for each scene: the campaign has its own threads.
            .env("RAYON_NUM_THREADS", "1")
            .stdin(Stdio::null())
            .stdout(File::create(&out)?)
            .stderr(File::create(&err)?)
            .spawn()?;
        let ended = match (self.first(&mut child, start, cut)?, cut) {
            (Some(status), _) => by_itself(status),
            (None, Some((_, Cut::Kill))) => {
                child.kill()?;
                child.wait()?;
                Ended::Signal(9)
            }
            (None, Some((_, Cut::Interrupt))) => {
                interrupt(&child);
                match wait(&mut child, Instant::now(), self.patience)? {
                    Some(status) => by_itself(status),
                    None => self.give_up(&mut child)?,
                }
            }
            (None, None) => {
                interrupt(&child);
                match wait(&mut child, Instant::now(), self.patience)? {
                    Some(_) => Ended::Hung { honoured: true },
                    None => self.give_up(&mut child)?,
                }
            }
        };
        let wall = start.elapsed();
        let text = |path: &Path| {
            io::Result::Ok(String::from_utf8_lossy(&std::fs::read(path)?).into_owned())
        };
        Ok(Ran {
            ended,
            out: text(&out)?,
            err: text(&err)?,
            wall,
        })
    }

    /// Waits until it ends, is cut off, or is over its time. A cut goes by the wall clock: it only has to be somewhere
    /// in between.
    fn first(
        &self,
        child: &mut Child,
        start: Instant,
        cut: Option<(Duration, Cut)>,
    ) -> io::Result<Option<ExitStatus>> {
        let Some((after, _)) = cut else {
            return wait(child, start, self.limit);
        };
        while start.elapsed() < after {
            if let Some(status) = child.try_wait()? {
                return Ok(Some(status));
            }
            std::thread::sleep(Duration::from_micros(200));
        }
        Ok(None)
    }

    fn give_up(&self, child: &mut Child) -> io::Result<Ended> {
        child.kill()?;
        child.wait()?;
        Ok(Ended::Hung { honoured: false })
    }
}

fn by_itself(status: ExitStatus) -> Ended {
    use std::os::unix::process::ExitStatusExt;
    match (status.code(), status.signal()) {
        (Some(code), _) => Ended::Status(code),
        (None, signal) => Ended::Signal(signal.unwrap_or(0)),
    }
}

/// On a machine that others use as well a run may wait this many times longer than it computes.
const WAITING: u32 = 12;

/// Waits for a child until it has computed for so long; `None`: it still runs.
fn wait(child: &mut Child, from: Instant, limit: Duration) -> io::Result<Option<ExitStatus>> {
    let before = computed(child);
    let mut pause = Duration::from_micros(300);
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(Some(status));
        }
        let passed = from.elapsed();
        if passed >= limit {
            // By then it can have computed for so long, but need not have.
            let own = before
                .zip(computed(child))
                .map(|(before, now)| now.saturating_sub(before));
            if own.is_none_or(|own| own >= limit) || passed >= limit * WAITING {
                return Ok(None);
            }
        }
        std::thread::sleep(pause);
        pause = (pause * 3 / 2).min(Duration::from_millis(10));
    }
}

/// For how long a child has computed, where the system tells: its own time and that of the system for it, in hundredths
/// of a second.
fn computed(child: &Child) -> Option<Duration> {
    let text = std::fs::read_to_string(format!("/proc/{}/stat", child.id())).ok()?;
    // The name, in brackets, may have anything in it.
    let mut fields = text.rsplit_once(')')?.1.split_whitespace().skip(11);
    let [user, system] = [fields.next()?, fields.next()?].map(|ticks| ticks.parse::<u64>().ok());
    Some(Duration::from_millis(10 * (user? + system?)))
}

/// As Ctrl-C does. The standard library has no way to send this signal; every shell has.
fn interrupt(child: &Child) {
    let _ = Command::new("sh")
        .args(["-c", &format!("kill -INT {}", child.id())])
        .status();
}
