//! Completions for shells, and manual pages: made from what the command understands.

use crate::arguments::Arguments;
use crate::output::{Failure, Output};
use carom_data::Outputs;
use clap::CommandFactory;
use std::path::Path;

/// `carom completions`.
pub fn completions(shell: clap_complete::Shell) -> Result<(), Failure> {
    let mut bytes = Vec::new();
    clap_complete::generate(shell, &mut Arguments::command(), "carom", &mut bytes);
    print(&bytes)
}

/// `carom man`.
pub fn manual(out: Option<&Path>, replace: bool) -> Result<(), Failure> {
    let command = Arguments::command();
    let Some(folder) = out else {
        let mut bytes = Vec::new();
        clap_mangen::Man::new(command).render(&mut bytes)?;
        return print(&bytes);
    };
    let outputs = Outputs::new(replace);
    outputs.make_folder(folder)?;
    let mut pages = Vec::new();
    let mut command = command.disable_help_subcommand(true);
    command.build();
    let mut commands = vec![command];
    while let Some(command) = commands.pop() {
        let its = command.get_subcommands().filter(|its| !its.is_hide_set());
        commands.extend(its.cloned());
        let page = clap_mangen::Man::new(command);
        let mut bytes = Vec::new();
        page.render(&mut bytes)?;
        pages.push((folder.join(page.get_filename()), bytes));
    }
    for (path, _) in &pages {
        outputs.check(path)?;
    }
    for (path, bytes) in &pages {
        outputs.write(path, bytes)?;
    }
    Ok(())
}

fn print(bytes: &[u8]) -> Result<(), Failure> {
    let mut output = Output::standard();
    let text = String::from_utf8_lossy(bytes);
    output.line(format_args!("{}", text.trim_end()))?;
    output.finish()
}
