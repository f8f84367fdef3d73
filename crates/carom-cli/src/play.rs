//! `carom play`: the page, served to the browser of whoever runs the command.
//!
//! The server hands out the files of the page, which are in the command, and reads the one scene or run folder it was
//! given. It computes nothing and writes nothing. Requests are read and routed by axum over hyper, with as few of
//! their features as that takes: they are a tenth of the time that the command takes to compile.

mod request;
mod serve;
mod source;

use crate::output::{Failure, Output};
use clap::Args;
use source::Source;
use std::net::{Ipv4Addr, TcpListener};
use std::path::PathBuf;
use std::process::{Command, Stdio};

// `build.rs` makes the list from the folder that the page was built into.
include!(concat!(env!("OUT_DIR"), "/page.rs"));

#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  carom play                                   all sample scenes
  carom play scenes/break.toml                 one scene
  carom play runs/one                          the frames and events of a run folder
  carom play --no-open --port 8000             print the address only

The page runs the engine itself, in the browser; the command only hands out files, to this machine alone (127.0.0.1).
Ctrl-C ends it.")]
pub struct Play {
    /// Scene file or run folder
    #[arg(value_name = "SCENE|RUN")]
    pub what: Option<PathBuf>,
    /// Port [default: a free one]
    #[arg(
        long,
        value_name = "PORT",
        default_value = "0",
        hide_default_value = true
    )]
    pub port: u16,
    /// Do not open the browser
    #[arg(long)]
    pub no_open: bool,
}

/// `carom play`.
pub fn command(options: &Play) -> Result<(), Failure> {
    let source = Source::open(options.what.as_deref())?;
    if PAGE.is_empty() {
        return Err(Failure::Run(
            "this carom was built without its page\n  help: run tools/page.sh in the source folder (it needs Node), then build the command again".to_owned(),
        ));
    }
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, options.port)).map_err(|error| {
        Failure::Run(format!(
            "port {} of 127.0.0.1 cannot be used: {error}",
            options.port
        ))
    })?;
    let address = listener.local_addr()?;
    let link = format!("http://{address}/");
    let mut output = Output::standard();
    output.line(format_args!("{link}"))?;
    output.finish()?;
    if !options.no_open {
        open_browser(&link);
    }
    Ok(serve::serve(listener, source, address.port())?)
}

/// Opens the browser, if there is one. The address was printed; whoever has none can use that.
fn open_browser(link: &str) {
    let mut command = if cfg!(target_os = "macos") {
        Command::new("open")
    } else if cfg!(windows) {
        let mut start = Command::new("cmd");
        start.args(["/C", "start", ""]);
        start
    } else {
        Command::new("xdg-open")
    };
    command
        .arg(link)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    if let Ok(mut child) = command.spawn() {
        // It ends when it has told the browser.
        std::thread::spawn(move || child.wait());
    }
}
