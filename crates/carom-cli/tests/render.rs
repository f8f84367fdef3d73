//! `carom render`, end to end.

mod common;

use common::folder::{Folder, files};
use common::*;
use std::path::Path;
use std::process::Output;
use std::time::{Duration, Instant};

fn recorded(folder: &Folder, name: &str, more: &[&str]) -> String {
    let (out, path) = (folder.path(name), scene(name));
    let output = run(&[&["run", &path, "--out", &out][..], more].concat());
    assert!(output.status.success(), "{}", text(&output.stderr));
    out
}

/// Succeeds, and names one file or folder.
fn written(arguments: &[&str]) -> String {
    let output = run(arguments);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let stdout = text(&output.stdout);
    assert_eq!(stdout.lines().count(), 1, "{stdout}");
    let path = stdout.trim_end().to_owned();
    assert!(Path::new(&path).exists(), "{path}");
    path
}

/// Width and height of a PNG file.
fn png_size(path: &str) -> [u32; 2] {
    let bytes = std::fs::read(path).unwrap();
    assert!(bytes.starts_with(b"\x89PNG\r\n"), "{path}");
    [16, 20].map(|at| u32::from_be_bytes(bytes[at..at + 4].try_into().unwrap()))
}

/// The pixels of a PNG file.
fn pixels(path: &str) -> Vec<u8> {
    let file = std::io::BufReader::new(std::fs::File::open(path).unwrap());
    let mut reader = png::Decoder::new(file).read_info().unwrap();
    let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
    reader.next_frame(&mut pixels).unwrap();
    pixels
}

/// The number of chunks of a kind.
fn chunks(bytes: &[u8], kind: &[u8; 4]) -> usize {
    let (mut at, mut count) = (8, 0);
    while at + 8 <= bytes.len() {
        let length = u32::from_be_bytes(bytes[at..at + 4].try_into().unwrap()) as usize;
        count += usize::from(&bytes[at + 4..at + 8] == kind);
        at += 12 + length;
    }
    assert_eq!(at, bytes.len());
    count
}

/// An orbit did not close: the last picture was up to an interval before the end.
#[test]
fn the_last_picture_is_that_of_the_end() {
    let folder = Folder::new("last-picture");
    let out = recorded(&folder, "bat", &["--until", "1.03"]);
    let [film, end] = ["frames", "end.png"].map(|name| folder.path(name));
    let small = ["--size", "96x64", "--no-words"];
    written(
        &[
            &[
                "render", &out, "--frames", &film, "--fps", "10", "--speed", "1",
            ][..],
            &small,
        ]
        .concat(),
    );
    // At 0, 0.1, … 1 s, and at 1.03 s.
    let made = files(film.as_ref());
    assert_eq!(made.len(), 12, "{made:?}");
    written(&[&["render", &out, "--at", "1.03", "--out", &end][..], &small].concat());
    assert_eq!(pixels(&format!("{film}/frame_00011.png")), pixels(&end));
}

#[test]
fn stills_films_and_frames_are_written_and_named() {
    let folder = Folder::new("render");
    let out = recorded(&folder, "break", &["--until", "1"]);
    let small = ["--size", "96x64"];
    let with = |more: &[&str]| written(&[&["render", &out][..], &small, more].concat());
    assert_eq!(with(&["--at", "0.5"]), format!("{out}/pictures/at_0.5.png"));
    let collision = with(&["--collision", "3", "--view", "all"]);
    assert_eq!(collision, format!("{out}/pictures/collision_3.png"));
    assert_eq!(png_size(&collision), [96, 64]);
    let film = with(&["--speed", "1"]);
    assert_eq!(film, format!("{out}/pictures/film.gif"));
    assert!(std::fs::read(&film).unwrap().starts_with(b"GIF89a"));
    // Half a second at half the speed and 20 pictures a second: 20 steps, 21 pictures.
    let part = [
        "--from", "0.25", "--to", "0.75", "--speed", "0.5", "--fps", "20",
    ];
    let frames = folder.path("frames");
    with(&[&["--frames", &frames][..], &part].concat());
    let made = files(frames.as_ref());
    assert_eq!(made.len(), 21, "{made:?}");
    assert_eq!(
        (&*made[0], &*made[20]),
        ("frame_00000.png", "frame_00020.png")
    );
    assert_eq!(png_size(&format!("{frames}/frame_00020.png")), [96, 64]);
    let apng = folder.path("film.apng");
    with(&[&["--out", &apng, "--trails", "--flashes=0.02"][..], &part].concat());
    assert_eq!(chunks(&std::fs::read(&apng).unwrap(), b"fcTL"), 21);
    // The first picture of the film and the still at its time are the same but for the clock, which is not there.
    let first = folder.path("first.png");
    with(&["--at", "0.25", "--out", &first, "--no-words"]);
    let again = folder.path("again");
    with(&[&["--frames", &again, "--no-words"][..], &part].concat());
    let [a, b] = [first, format!("{again}/frame_00000.png")].map(|path| pixels(&path));
    assert!(a == b);
    // A folder with pictures can be replaced: nothing in it is a stranger.
    recorded(&folder, "break", &["--until", "1", "--force"]);
}

#[test]
fn every_look_makes_a_picture_of_its_own() {
    let folder = Folder::new("looks");
    let (flat, solid) = (
        recorded(&folder, "table_roll", &["--until", "1"]),
        recorded(&folder, "box_and_cylinder_3d", &["--until", "1"]),
    );
    let mut seen: Vec<Vec<u8>> = Vec::new();
    let mut picture = |run: &str, more: &[&str]| {
        let path = folder.path("look.png");
        let basic = [
            "render", run, "--at", "0.7", "--size", "160x120", "--force", "--out", &path,
        ];
        written(&[&basic[..], more].concat());
        let bytes = std::fs::read(&path).unwrap();
        assert!(!seen.contains(&bytes), "{more:?}");
        seen.push(bytes);
    };
    for run in [&flat, &solid] {
        picture(run, &[]);
        for more in [
            &["--theme", "dark"][..],
            &["--theme", "print"],
            &["--colour", "speed"],
            &["--trails"],
            &["--no-words"],
            &["--orientation", "off"],
        ] {
            picture(run, more);
        }
    }
    for more in [
        &["--camera", "front"][..],
        &["--camera", "side"],
        &["--camera", "top"],
        &["--camera", "-60,-10"],
        &["--camera", "28,20,2"],
        &["--view", "-1,-1,-1,1,1,1"],
    ] {
        picture(&solid, more);
    }
}

#[test]
fn forces_are_shown_too() {
    let folder = Folder::new("forces-shown");
    let out = folder.path("run");
    let path = scene("worked_example_1");
    let done = run(&["run", &path, "--method", "forces", "--out", &out]);
    assert!(done.status.success(), "{}", text(&done.stderr));
    let still = written(&["render", &out, "--collision", "1", "--size", "200x120"]);
    assert_eq!(png_size(&still), [200, 120]);
}

#[cfg(unix)]
mod programs {
    use super::*;
    use std::os::unix::fs::PermissionsExt;

    /// A program called ffmpeg in a folder of its own, and nothing else on the path but what it needs itself.
    fn with_ffmpeg(folder: &Folder, script: Option<&str>) -> String {
        let bin = folder.path("bin");
        std::fs::create_dir_all(&bin).unwrap();
        if let Some(script) = script {
            let program = format!("{bin}/ffmpeg");
            std::fs::write(&program, script).unwrap();
            std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).unwrap();
        }
        bin
    }

    fn film(run: &str, path: &str, to: &str) -> Output {
        let size = ["--size", "64x48", "--fps", "10", "--speed", "1"];
        carom()
            .args([&["render", run, "--out", to][..], &size].concat())
            .env("PATH", path)
            .output()
            .unwrap()
    }

    #[test]
    fn ffmpeg_gets_all_pixels_and_makes_the_file() {
        let folder = Folder::new("ffmpeg");
        let out = recorded(&folder, "break", &["--until", "1"]);
        // Takes what it is given and leaves it where it is told to: behind the last option.
        let script = "#!/bin/sh\nfor last; do :; done\nexec /bin/cat > \"$last\"\n";
        let bin = with_ffmpeg(&folder, Some(script));
        let to = folder.path("film.mp4");
        let output = film(&out, &bin, &to);
        assert!(output.status.success(), "{}", text(&output.stderr));
        assert_eq!(text(&output.stdout), format!("{to}\n"));
        // Eleven pictures of three bytes a pixel.
        assert_eq!(std::fs::metadata(&to).unwrap().len(), 11 * 64 * 48 * 3);
    }

    #[test]
    fn without_ffmpeg_there_is_no_mp4_and_advice() {
        let folder = Folder::new("no-ffmpeg");
        let out = recorded(&folder, "break", &["--until", "1"]);
        let bin = with_ffmpeg(&folder, None);
        let to = folder.path("film.mp4");
        let output = film(&out, &bin, &to);
        assert_eq!(output.status.code(), Some(2));
        assert_eq!(
            text(&output.stderr),
            "error: the film cannot be made: MP4 needs ffmpeg, which is not to be found on the path; install it (apt install ffmpeg, \
             brew install ffmpeg, https://ffmpeg.org), or make a .gif or an .apng, which need nothing else\n"
        );
        assert_eq!(text(&output.stdout), "");
        // Nor where it fails; what it says is passed on.
        let bin = with_ffmpeg(&folder, Some("#!/bin/sh\necho no such codec >&2\nexit 3\n"));
        let output = film(&out, &bin, &to);
        assert_eq!(output.status.code(), Some(2));
        let told = text(&output.stderr);
        assert!(
            told.contains("ffmpeg failed (exit status: 3):\nno such codec"),
            "{told}"
        );
        assert_eq!(
            files(folder.0.as_ref()).len(),
            2,
            "the run and the programs"
        );
    }

    /// Ctrl-C while a film is made: status 130, and neither the file nor half of it is there.
    #[test]
    fn an_interrupt_leaves_no_half_of_a_film() {
        let folder = Folder::new("interrupt");
        let out = recorded(&folder, "gas_3d", &["--until", "1"]);
        let films = folder.path("films");
        std::fs::create_dir_all(&films).unwrap();
        let to = format!("{films}/film.apng");
        // Some minutes' worth of pictures.
        let size = ["--speed", "0.002", "--size", "800x600"];
        let mut child = carom()
            .args([&["render", &out, "--out", &to][..], &size].concat())
            .stdout(std::process::Stdio::null())
            .stderr(std::process::Stdio::piped())
            .spawn()
            .unwrap();
        let begun = Instant::now();
        while files(films.as_ref()).is_empty() {
            assert!(begun.elapsed() < Duration::from_secs(60), "it never began");
            std::thread::sleep(Duration::from_millis(20));
        }
        let pid = child.id().to_string();
        let killed = std::process::Command::new("kill")
            .args(["-INT", &pid])
            .status();
        assert!(killed.unwrap().success());
        let status = child.wait().unwrap();
        assert_eq!(status.code(), Some(130));
        assert_eq!(files(films.as_ref()), [""; 0]);
    }
}

#[test]
fn a_film_that_cannot_be_written_leaves_nothing() {
    let folder = Folder::new("unwritten-film");
    let out = recorded(&folder, "two_discs", &[]);
    for name in ["film.gif", "film.apng"] {
        let to = folder.path(&format!("no/such/folder/{name}"));
        let output = run(&["render", &out, "--out", &to, "--size", "64x48"]);
        assert_eq!(output.status.code(), Some(1));
        let told = text(&output.stderr);
        assert!(told.starts_with("error: cannot write `"), "{told}");
        assert_eq!(text(&output.stdout), "");
    }
}
