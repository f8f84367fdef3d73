//! Films as MP4, by ffmpeg: it is given pixels through a pipe and makes the file.

use super::Reel;
use crate::error::DrawError;
use crate::pictures::Picture;
use std::ffi::OsStr;
use std::io::{ErrorKind, Read, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};

/// A film that is being written. Where it is dropped before its end, ffmpeg is stopped; the file is then none.
#[derive(Debug)]
pub struct Mp4 {
    child: Child,
    done: bool,
}

/// What to do where there is no ffmpeg.
const WITHOUT: &str = "MP4 needs ffmpeg, which is not to be found on the path; install it (apt install ffmpeg, brew install ffmpeg, https://ffmpeg.org), \
     or make a .gif or an .apng, which need nothing else";

impl Mp4 {
    /// Pictures of a size, so many a second, into a file.
    pub fn new(path: &Path, [width, height]: [u32; 2], rate: f64) -> Result<Self, DrawError> {
        let mut command = Command::new("ffmpeg");
        let size = format!("{width}x{height}");
        let rate = rate.to_string();
        let from = ["-f", "rawvideo", "-pix_fmt", "rgb24", "-s", &size];
        let to = ["-c:v", "libx264", "-preset", "medium", "-crf", "18"];
        command
            .args(["-hide_banner", "-loglevel", "error", "-y"])
            .args(from)
            .args(["-r", &rate, "-i", "-", "-an"])
            // Its colours have half the pixels along either side, which have to be even.
            .args(["-vf", "pad=ceil(iw/2)*2:ceil(ih/2)*2"])
            .args(to)
            .args([
                "-pix_fmt",
                "yuv420p",
                "-movflags",
                "+faststart",
                "-f",
                "mp4",
            ])
            .arg(path)
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::piped());
        own_group(&mut command);
        let child = command.spawn().map_err(|error| match error.kind() {
            ErrorKind::NotFound => DrawError::Film(WITHOUT.to_owned()),
            _ => DrawError::Film(format!("ffmpeg cannot be started: {error}")),
        })?;
        Ok(Mp4 { child, done: false })
    }

    /// Whether ffmpeg is there.
    pub fn is_possible() -> bool {
        let paths = std::env::var_os("PATH").unwrap_or_default();
        let name = OsStr::new("ffmpeg");
        std::env::split_paths(&paths).any(|folder| folder.join(name).is_file())
    }

    /// Waits for ffmpeg, and passes on what it complains of.
    fn close(&mut self) -> Result<(), DrawError> {
        drop(self.child.stdin.take());
        let mut said = String::new();
        if let Some(mut stderr) = self.child.stderr.take() {
            let mut bytes = Vec::new();
            let _ = stderr.read_to_end(&mut bytes);
            said = String::from_utf8_lossy(&bytes).trim().to_owned();
        }
        self.done = true;
        match self.child.wait()? {
            status if status.success() => Ok(()),
            status => Err(DrawError::Film(if said.is_empty() {
                format!("ffmpeg failed ({status})")
            } else {
                format!("ffmpeg failed ({status}):\n{said}")
            })),
        }
    }
}

/// Ctrl-C in a terminal is for us, who then stop it.
fn own_group(command: &mut Command) {
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(command, 0);
    #[cfg(not(unix))]
    let _ = command;
}

impl Reel for Mp4 {
    fn add(&mut self, pictures: Vec<Picture>) -> Result<(), DrawError> {
        for picture in pictures {
            let Some(stdin) = &mut self.child.stdin else {
                return Ok(());
            };
            if stdin.write_all(&picture.pixels).is_err() {
                // It has ended: it will say why.
                return self
                    .close()
                    .and(Err(DrawError::Film("ffmpeg has ended early".to_owned())));
            }
        }
        Ok(())
    }

    fn finish(&mut self) -> Result<(), DrawError> {
        self.close()
    }
}

impl Drop for Mp4 {
    fn drop(&mut self) {
        if !self.done {
            let _ = self.child.kill();
            let _ = self.child.wait();
        }
    }
}
