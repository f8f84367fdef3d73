//! Prints the accuracy table; see the library part of this crate for what it means.

use accuracy::big::Big;
use accuracy::case::Case;
use accuracy::generate::Family;
use accuracy::kernels::{KERNELS, Kernel};
use accuracy::library::ask;
use accuracy::oracle::{Oracle, Truth};
use accuracy::tally::{Tally, random, stored};
use accuracy::{hard, response, table, text};
use carom::space::UNIT_ROUNDOFF;
use std::process::ExitCode;
use std::time::Instant;

const HELP: &str = "\
The accuracy of the impact kernels against arbitrary-precision arithmetic.

Usage: accuracy [OPTIONS]

Options:
  --cases N           Random cases a kernel [default: 1000000]
  --kernel NAME       Only kernels whose name contains NAME; may be repeated
  --response          Only the impulses, or these too after --kernel
  --threads N         Threads [default: all]
  --markdown          Print the table as Markdown
  --show              Print wrong answers and the worst cases, as text
  --explain CASE      Print what is known about one case, given as --show prints it
  --write-hard-cases  Write the files of stored hard cases anew
  --list              Print the names of the kernels
  --help              Print this

Exit status: 0 all bounds hold; 1 a bound is exceeded or an answer is wrong; 2 a mistake in the options.";

struct Options {
    cases: usize,
    kernels: Vec<Kernel>,
    threads: usize,
    markdown: bool,
    show: bool,
    response: bool,
}

enum Command {
    Table(Options),
    Explain(String),
    WriteHardCases,
    List,
    Help,
}

fn parse(arguments: impl Iterator<Item = String>) -> Result<Command, String> {
    let mut arguments = arguments;
    let mut options = Options {
        cases: 1_000_000,
        kernels: Vec::new(),
        threads: std::thread::available_parallelism().map_or(1, usize::from),
        markdown: false,
        show: false,
        response: true,
    };
    let mut chosen = false;
    while let Some(flag) = arguments.next() {
        let mut value = |what: &str| {
            arguments
                .next()
                .ok_or_else(|| format!("{flag} needs {what}"))
        };
        match flag.as_str() {
            "--cases" => options.cases = count(&value("a number of cases")?, "--cases")?,
            "--threads" => options.threads = count(&value("a number of threads")?, "--threads")?,
            "--kernel" => {
                let name = value("the name of a kernel")?;
                let found = KERNELS
                    .iter()
                    .filter(|kernel| kernel.name().contains(&name));
                let before = options.kernels.len();
                options.kernels.extend(found);
                chosen = true;
                options.response = false;
                if options.kernels.len() == before {
                    return Err(format!("no kernel's name contains {name:?}; see --list"));
                }
            }
            "--response" => {
                chosen = true;
                options.response = true;
            }
            "--markdown" => options.markdown = true,
            "--show" => options.show = true,
            "--explain" => return Ok(Command::Explain(value("a case")?)),
            "--write-hard-cases" => return Ok(Command::WriteHardCases),
            "--list" => return Ok(Command::List),
            "--help" | "-h" => return Ok(Command::Help),
            other => return Err(format!("unknown option {other:?}; see --help")),
        }
    }
    if !chosen {
        options.kernels = KERNELS.to_vec();
    }
    Ok(Command::Table(options))
}

fn count(value: &str, flag: &str) -> Result<usize, String> {
    match value.parse() {
        Ok(number) if number > 0 => Ok(number),
        _ => Err(format!(
            "{flag} is {value:?}, but must be a whole number above 0"
        )),
    }
}

fn main() -> ExitCode {
    match parse(std::env::args().skip(1)) {
        Ok(Command::Help) => println!("{HELP}"),
        Ok(Command::List) => KERNELS
            .iter()
            .for_each(|kernel| println!("{}", kernel.name())),
        Ok(Command::Table(options)) => return run(&options),
        Ok(Command::Explain(line)) => match text::read(&line) {
            Ok((case, _)) => explain(&case),
            Err(message) => return mistake(&format!("the case cannot be read: {message}")),
        },
        Ok(Command::WriteHardCases) => {
            if let Err(error) = hard::write_all() {
                return mistake(&format!("the hard cases cannot be written: {error}"));
            }
        }
        Err(message) => return mistake(&message),
    }
    ExitCode::SUCCESS
}

fn mistake(message: &str) -> ExitCode {
    eprintln!("error: {message}");
    ExitCode::from(2)
}

fn explain(case: &Case) {
    let answer = ask(case, true);
    let mut oracle = Oracle::new(case, 0.0);
    let truth = oracle.first_contact();
    println!("truth   {}", table::truth(&truth));
    println!("answer  {answer:?}");
    if let Some(line) = hard::line(Family::Generic, case, &truth) {
        println!("stored  {line}");
    }
    let mut at = |name: &str, t: f64| {
        let gap = oracle.gap_at(&Big::of(t));
        let unit = UNIT_ROUNDOFF * case.magnitude(t);
        println!(
            "{name:<8}t {t:e}  gap {:.4e} ({:.3} u·L)  rate {:.4e} (floor 16u {:.2e})  curvature {:.4e}",
            gap.distance.near(),
            gap.distance.near() / unit,
            gap.rate.near(),
            16.0 * UNIT_ROUNDOFF * case.speeds(t),
            oracle.curvature_at(t)
        );
    };
    at("start", 0.0);
    if let Some(t) = answer.plain {
        at("plain", t);
    }
    if let Some(t) = answer.refined {
        at("refined", t);
    }
    if let Truth::Contact(contact) = &truth {
        at("truth", contact.time.near());
    }
}

fn run(options: &Options) -> ExitCode {
    let stored_cases = match hard::read_all() {
        Ok(cases) => cases,
        Err(message) => return mistake(&message),
    };
    println!("{}", table::heading(options.markdown));
    let begin = Instant::now();
    let mut all_hold = true;
    for kernel in &options.kernels {
        let parts = [
            ("", random(kernel, options.cases, options.threads)),
            (" stored", stored(kernel, &stored_cases)),
        ];
        for (note, tally) in &parts {
            println!("{}", table::line(kernel, note, tally, options.markdown));
            all_hold &= tally.holds(kernel);
            if options.show {
                show(kernel, tally);
            }
        }
        eprintln!("{:6.0} s", begin.elapsed().as_secs_f64());
    }
    if options.response {
        let (rows, hold) = response::rows(options.cases, options.markdown);
        println!("\n{rows}");
        all_hold &= hold;
    }
    if all_hold {
        ExitCode::SUCCESS
    } else {
        ExitCode::from(1)
    }
}

fn show(kernel: &Kernel, tally: &Tally) {
    for example in &tally.examples {
        println!(
            "  wrong ({:?}, refined {:?}), {:?}: answer {:?}, truth {}\n    {}",
            example.finding.agreement,
            example.finding.refined_agreement,
            example.family,
            example.finding.answer,
            table::truth(&example.finding.truth),
            text::write(&example.case)
        );
    }
    let limits = &kernel.limits;
    let worst = [
        ("time", &tally.time_scaled, limits.time),
        ("backward", &tally.backward, limits.backward),
        (
            "refined",
            &tally.refined,
            limits.refined.unwrap_or(f64::INFINITY),
        ),
    ];
    for (name, errors, limit) in worst {
        if let Some((value, case, family)) = errors.worst {
            let mark = if value > limit { "EXCEEDS" } else { "within" };
            println!(
                "  worst {name}: {value:.3} ({mark} {limit}), {family:?}\n    {}",
                text::write(&case)
            );
        }
    }
}
