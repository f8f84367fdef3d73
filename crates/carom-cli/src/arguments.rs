//! What the command understands.

use clap::{Args, Parser, Subcommand};
use std::path::PathBuf;

/// Collisions at their true instant: runs scenes of colliding bodies, by exact events.
#[derive(Debug, Parser)]
#[command(name = "carom", version, arg_required_else_help = true)]
#[command(after_help = "\
Examples:
  carom run scenes/break.toml                  run a scene and print a summary
  carom run scenes/galperin.toml --events      print each collision as well
  carom run scenes/break.toml --json | jq .collisions
  carom check scenes/*.toml                    look for mistakes without running

Exit status: 0 done, 1 the run failed, 2 bad input.")]
pub struct Arguments {
    #[command(subcommand)]
    pub command: Command,
}

#[derive(Debug, Subcommand)]
pub enum Command {
    /// Run a scene and print a summary
    Run(Run),
    /// Look for mistakes in scenes without running them
    Check {
        /// Scene files
        #[arg(required = true, value_name = "SCENE")]
        scenes: Vec<PathBuf>,
    },
}

#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  carom run scenes/break.toml
  carom run scenes/break.toml --until 2.5 --max-events 100
  carom run scenes/two_discs.toml --json --events > lines.jsonl

With --json standard output has one JSON object on a line of its own: the summary. With --events each collision
has a line before it, in the order in which they happen.")]
pub struct Run {
    /// Scene file (TOML)
    pub scene: PathBuf,
    /// Print the summary as JSON, for programs
    #[arg(long)]
    pub json: bool,
    /// Print each collision as it happens
    #[arg(long)]
    pub events: bool,
    /// End the run at this time, in seconds, instead of the scene's
    #[arg(long, value_name = "T", value_parser = seconds, allow_negative_numbers = true)]
    pub until: Option<f64>,
    /// Stop after this many collisions
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub max_events: Option<u64>,
}

fn seconds(text: &str) -> Result<f64, String> {
    // As in scene files.
    const LONGEST: f64 = 1e40;
    match text.parse() {
        Ok(seconds) if (0.0..=LONGEST).contains(&seconds) => Ok(seconds),
        _ => Err("must be a finite number of seconds, zero or above".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_definition_is_consistent() {
        use clap::CommandFactory;
        Arguments::command().debug_assert();
    }

    #[test]
    fn only_times_that_can_come_are_taken() {
        assert_eq!(seconds("2.5"), Ok(2.5));
        assert_eq!(seconds("0"), Ok(0.0));
        for bad in ["-1", "nan", "inf", "1e999", "", "soon", "1e41"] {
            assert!(seconds(bad).is_err(), "{bad}");
        }
    }
}
