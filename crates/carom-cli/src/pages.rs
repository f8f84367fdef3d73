//! Completions for shells, and manual pages: made from what the command understands.

use crate::arguments::Arguments;
use crate::output::{Failure, Output};
use carom_data::DataError;
use clap::CommandFactory;
use std::path::Path;

/// `carom completions`.
pub fn completions(shell: clap_complete::Shell) -> Result<(), Failure> {
    let mut bytes = Vec::new();
    clap_complete::generate(shell, &mut Arguments::command(), "carom", &mut bytes);
    print(&bytes)
}

/// `carom man`.
pub fn manual(out: Option<&Path>) -> Result<(), Failure> {
    let command = Arguments::command();
    let Some(folder) = out else {
        let mut bytes = Vec::new();
        clap_mangen::Man::new(command).render(&mut bytes)?;
        return print(&bytes);
    };
    let failed = |source| DataError::Write {
        path: folder.to_owned(),
        source,
    };
    std::fs::create_dir_all(folder).map_err(failed)?;
    clap_mangen::generate_to(command, folder).map_err(failed)?;
    Ok(())
}

fn print(bytes: &[u8]) -> Result<(), Failure> {
    let mut output = Output::standard();
    let text = String::from_utf8_lossy(bytes);
    output.line(format_args!("{}", text.trim_end()))?;
    output.finish()
}
