//! The command `campaign`.
#![forbid(unsafe_code)]

use campaign::campaign::{Outcome, Plan, run};
use campaign::command::Carom;
use campaign::judge::{Again, judge};
use campaign::make::{Kind, Scene, scene};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

const HELP: &str = "Makes random scenes, runs them with the command `carom`, and judges it from outside (docs/reliability.md).

Usage: campaign [OPTIONS]

  --carom PATH    the command that is judged; otherwise `carom` beside this program
  --seed N        of all scenes (1)
  --scenes N      how many (1000)
  --from K        the number of the first (0)
  --only K,K,…    these scenes alone, with everything that is said about them
  --kind KIND     one-ball, few, kinematic, fields, forces, containers, gas, rules, or all (all)
  --method NAME   of these scenes only those that are run by impulses or by forces (both)
  --jobs N        how many at once (as many as there are cores)
  --limit S       seconds that a run may compute for each second it simulates, and at least (5)
  --keep FOLDER   where scenes that fail are kept, with what is wrong, and made smaller
  --shrink N      how many of each cause are made smaller (3)
  --print         print the scene of --only instead of running it
  --judge FILE    judge a scene file, with all checks
  --quiet         no progress";

struct Options {
    plan: Plan,
    only: Option<Vec<u64>>,
    print: bool,
    judge: Option<PathBuf>,
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if arguments.iter().any(|a| a == "--help" || a == "-h") {
        println!("{HELP}");
        return ExitCode::SUCCESS;
    }
    let outcome =
        options(&arguments).and_then(|options| act(options).map_err(|error| error.to_string()));
    match outcome {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(message) => {
            eprintln!("error: {message}");
            ExitCode::from(2)
        }
    }
}

/// Longer than most: one arm for each option.
fn options(arguments: &[String]) -> Result<Options, String> {
    let beside = std::env::current_exe()
        .ok()
        .and_then(|path| path.parent().map(|folder| folder.join("carom")));
    let mut plan = Plan {
        carom: Carom {
            program: beside.unwrap_or("carom".into()),
            limit: Duration::from_secs(5),
            patience: Duration::from_secs(1),
        },
        seed: 1,
        scenes: vec![],
        kind: None,
        forces: None,
        jobs: std::thread::available_parallelism().map_or(1, usize::from),
        keep: None,
        shrink: 3,
        work: std::env::temp_dir().join(format!("carom-campaign-{}", std::process::id())),
        progress: true,
    };
    let (mut count, mut from, mut only, mut print, mut file) = (1000, 0, None, false, None);
    let mut rest = arguments.iter();
    while let Some(flag) = rest.next() {
        let mut value = || rest.next().ok_or(format!("{flag} needs a value"));
        let whole = |text: &String| {
            text.parse::<u64>()
                .map_err(|_| format!("{flag} is {text}, but must be a whole number, zero or above"))
        };
        match flag.as_str() {
            "--carom" => plan.carom.program = value()?.into(),
            "--seed" => plan.seed = whole(value()?)?,
            "--scenes" => count = whole(value()?)?,
            "--from" => from = whole(value()?)?,
            "--only" => {
                let numbers = value()?
                    .split(',')
                    .map(|part| whole(&part.trim().to_owned()));
                only = Some(numbers.collect::<Result<Vec<u64>, String>>()?);
            }
            "--method" => {
                let name = value()?;
                plan.forces = match name.as_str() {
                    "both" => None,
                    "forces" => Some(true),
                    "impulses" => Some(false),
                    _ => {
                        return Err(format!(
                            "--method is {name}, but must be one of impulses, forces, both"
                        ));
                    }
                };
            }
            "--jobs" => plan.jobs = whole(value()?)?.clamp(1, 1024) as usize,
            "--shrink" => plan.shrink = whole(value()?)? as usize,
            "--keep" => plan.keep = Some(value()?.into()),
            "--judge" => file = Some(PathBuf::from(value()?)),
            "--print" => print = true,
            "--quiet" => plan.progress = false,
            "--limit" => {
                let text = value()?;
                let seconds = text.parse().ok().filter(|s| (0.01..1e6).contains(s));
                plan.carom.limit = Duration::from_secs_f64(seconds.ok_or(format!(
                    "--limit is {text}, but must be a number of seconds above zero"
                ))?);
            }
            "--kind" => {
                let name = value()?;
                plan.kind = match (name.as_str(), Kind::named(name)) {
                    ("all", _) => None,
                    (_, Some(kind)) => Some(kind),
                    _ => {
                        return Err(format!(
                            "--kind is {name}, but must be one of {}, all",
                            Kind::ALL.map(Kind::name).join(", ")
                        ));
                    }
                };
            }
            _ => return Err(format!("unknown option {flag}; --help lists all")),
        }
    }
    plan.scenes = match &only {
        Some(numbers) => numbers.clone(),
        None => (from..from.saturating_add(count)).collect(),
    };
    plan.leave_out_the_other_method();
    if plan.carom.program.components().count() > 1 {
        let program = plan.carom.program.canonicalize();
        plan.carom.program = program.map_err(|error| {
            format!(
                "cannot find {}: {error}; --carom says where it is",
                plan.carom.program.display()
            )
        })?;
    }
    Ok(Options {
        plan,
        only,
        print,
        judge: file,
    })
}

fn act(options: Options) -> std::io::Result<bool> {
    let plan = options.plan;
    if options.only.is_some() && options.print {
        for &index in &plan.scenes {
            println!("{:#}", scene(plan.seed, index, plan.kind).json);
        }
        return Ok(true);
    }
    if let Some(file) = options.judge {
        return judge_file(&plan, &file);
    }
    let start = Instant::now();
    let done = run(&plan)?;
    if options.only.is_some() {
        for one in &done {
            println!(
                "scene {}, {}: {:#?}",
                one.index,
                one.kind.name(),
                one.verdict
            );
        }
    }
    print!(
        "{}",
        campaign::report::report(&done, start.elapsed(), plan.jobs)
    );
    Ok(done.iter().all(|one| one.outcome() != Outcome::Failed))
}

/// Judges a scene from a file, such as one that was kept.
fn judge_file(plan: &Plan, file: &Path) -> std::io::Result<bool> {
    let json = serde_json::from_str(&std::fs::read_to_string(file)?)?;
    let beside = file.parent().unwrap_or(Path::new("."));
    let mut files = Vec::new();
    for entry in std::fs::read_dir(if beside.as_os_str().is_empty() {
        Path::new(".")
    } else {
        beside
    })? {
        let path = entry?.path();
        if path
            .extension()
            .is_some_and(|end| end == "obj" || end == "csv")
        {
            let name = path
                .file_name()
                .map(|name| name.to_string_lossy().into_owned());
            files.push((name.unwrap_or_default(), std::fs::read_to_string(&path)?));
        }
    }
    let scene = Scene {
        kind: Kind::Few,
        json,
        files,
    };
    let again = Again {
        twice: true,
        frames: true,
        segments: true,
        killed: true,
        rest: true,
    };
    let verdict = judge(&scene, &plan.carom, &plan.work, again)?;
    let _ = std::fs::remove_dir_all(&plan.work);
    println!("{verdict:#?}");
    Ok(verdict.faults.is_empty())
}
