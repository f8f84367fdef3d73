//! Pictures and films: pixels to a tolerance, places to the bit, files that are read back.

use crate::figures::{compare_pixels, decode};
use crate::runs::{Folder, How, record};
use carom::prelude::*;
use carom::simulate::Exact;
use carom_data::Output;
use carom_draw::pictures::film::{Apng, Colours, Gif, Reel, png};
use carom_draw::pictures::{
    ColourBy, Follow, Footage, Picture, Shot, Show, Studio, Style, Takes, View, Viewpoint,
};
use carom_draw::{DrawError, Recording, Theme};
use carom_scene::AnyWorld;
use std::ops::ControlFlow;

fn shots(footage: &Footage, takes: &Takes) -> Vec<Shot> {
    let mut shots = Vec::new();
    footage
        .shoot(takes, &|| false, |shot| {
            shots.push(shot);
            ControlFlow::Continue(())
        })
        .unwrap();
    shots
}

fn at(time: f64) -> Takes {
    Takes {
        times: vec![time],
        ..Takes::default()
    }
}

fn footage(folder: &Folder, name: &str, how: How) -> Footage {
    Footage::of(&record(folder, name, how)).unwrap()
}

fn small() -> Style {
    Style {
        size: [400, 240],
        ..Style::default()
    }
}

fn still(footage: &Footage, style: Style, takes: &Takes) -> Picture {
    let studio = Studio::new(footage, style, None).unwrap();
    studio.paint(&shots(footage, takes)[0])
}

#[test]
fn a_still_of_the_plane_is_what_it_was() {
    let folder = Folder::new("still-2d");
    let footage = footage(&folder, "break", How::default());
    let takes = Takes {
        trails: 0.3,
        flashes: 0.05,
        ..at(0.45)
    };
    let picture = still(&footage, small(), &takes);
    assert_eq!((picture.width, picture.height), (400, 240));
    compare_pixels("break_still", &png(&picture).unwrap());
}

#[test]
fn a_still_of_space_is_what_it_was() {
    let folder = Folder::new("still-3d");
    let obstacles = footage(&folder, "box_and_cylinder_3d", How::default());
    let takes = Takes {
        trails: 0.4,
        flashes: 0.1,
        ..at(1.2)
    };
    let picture = still(&obstacles, small(), &takes);
    compare_pixels("obstacles_still", &png(&picture).unwrap());
    let room = footage(&folder, "room_cylinder_3d", How::default());
    let style = Style {
        theme: Theme::Print,
        viewpoint: Some(Viewpoint {
            azimuth: -40.0,
            elevation: 25.0,
            zoom: 1.0,
        }),
        ..small()
    };
    let picture = still(&room, style, &at(1.0));
    compare_pixels("cylinder_room_still", &png(&picture).unwrap());
}

#[test]
fn arrows_of_a_collision_are_what_they_were() {
    let folder = Folder::new("arrows");
    for (scene, number, theme) in [
        ("break", 30, Theme::Light),
        ("box_and_cylinder_3d", 2, Theme::Dark),
    ] {
        let footage = footage(&folder, scene, How::default());
        let clash = footage.clash(number, &|| false).unwrap();
        let time = clash.time;
        let style = Style {
            theme,
            size: [480, 300],
            ..Style::default()
        };
        let studio = Studio::new(&footage, style, Some(clash)).unwrap();
        let picture = studio.paint(&shots(&footage, &at(time))[0]);
        compare_pixels(&format!("{scene}_collision"), &png(&picture).unwrap());
    }
}

#[test]
fn a_picture_of_a_film_is_what_it_was() {
    let folder = Folder::new("film-picture");
    let how = How {
        until: Some(3.0),
        ..How::default()
    };
    let gas = footage(&folder, "gas_of_discs", how);
    let style = Style {
        theme: Theme::Dark,
        colours: ColourBy::Speed,
        decimals: Some(2),
        speed: Some(0.5),
        ..small()
    };
    let takes = Takes {
        times: vec![1.0, 1.02, 1.04],
        trails: 0.3,
        flashes: 0.05,
        ..Takes::default()
    };
    let studio = Studio::new(&gas, style, None).unwrap();
    let picture = studio.paint(&shots(&gas, &takes)[2]);
    compare_pixels("gas_film", &png(&picture).unwrap());
}

/// Between frames bodies are where their flights lead, to the bit: as the run itself has them when it is asked there.
#[test]
fn places_are_those_of_the_flights() {
    let folder = Folder::new("flights");
    let how = How {
        output: Output::Times(3),
        ..How::default()
    };
    let recording = record(&folder, "break", how);
    let footage = Footage::of(&recording).unwrap();
    let scene = carom_scene::load(&crate::runs::scene("break")).unwrap();
    let AnyWorld::Two(world) = scene.world else {
        panic!("the break is in the plane");
    };
    let mut run = Exact::new(world).unwrap();
    let takes = Takes {
        times: vec![0.1, 0.333, 1.0 / 7.0 + 0.5, 2.0],
        trails: 0.4,
        flashes: 0.1,
        ..Takes::default()
    };
    for shot in shots(&footage, &takes) {
        run.run_to(shot.time).unwrap();
        for (place, &id) in shot.places().zip(&recording.moving) {
            let [x, y] = run.state(BodyId(id as u32)).position.to_array();
            assert_eq!(place.map(f64::to_bits), [x, y, 0.0].map(f64::to_bits));
        }
    }
}

#[test]
fn collisions_are_those_of_the_run() {
    let folder = Folder::new("clash");
    let footage = footage(&folder, "two_discs", How::default());
    assert_eq!(footage.collisions(), 1);
    let clash = footage.clash(1, &|| false).unwrap();
    assert_eq!((clash.number, clash.pair), (1, [0, 1]));
    // Momentum of a: what the impulse changed, within rounding of numbers of size one.
    let mass = 0.8;
    for i in 0..3 {
        let change = mass * (clash.after[0][i] - clash.before[0][i]);
        assert!((change - clash.impulse[i]).abs() < 1e-14, "{clash:?}");
    }
    let error = footage.clash(2, &|| false).unwrap_err();
    assert!(
        error
            .to_string()
            .ends_with("there is no collision 2, there is 1 collision"),
        "{error}"
    );
}

fn film(footage: &Footage, style: &Style, times: Vec<f64>) -> Vec<Picture> {
    let studio = Studio::new(footage, style.clone(), None).unwrap();
    let takes = Takes {
        times,
        ..Takes::default()
    };
    let shots = shots(footage, &takes);
    shots.iter().map(|shot| studio.paint(shot)).collect()
}

fn break_film(name: &str, count: usize) -> Vec<Picture> {
    let folder = Folder::new(name);
    let footage = footage(&folder, "break", How::default());
    let style = Style {
        size: [160, 120],
        ..Style::default()
    };
    film(
        &footage,
        &style,
        (0..count).map(|n| 0.1 + 0.04 * n as f64).collect(),
    )
}

#[test]
fn an_apng_is_read_back_as_it_was() {
    let mut pictures = break_film("apng", 9);
    // One picture twice: nothing changes there.
    pictures.insert(4, pictures[3].clone());
    let mut bytes = Vec::new();
    let mut reel = Apng::new(&mut bytes, [160, 120], 10, 25.0);
    reel.add(pictures[..4].to_vec()).unwrap();
    reel.add(pictures[4..].to_vec()).unwrap();
    reel.finish().unwrap();
    let mut reader = png::Decoder::new(std::io::Cursor::new(&bytes))
        .read_info()
        .unwrap();
    let control = reader.info().animation_control().unwrap();
    assert_eq!((control.num_frames, control.num_plays), (10, 0));
    let mut shown = vec![[0_u8; 3]; 160 * 120];
    for picture in &pictures {
        let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
        let frame = reader.next_frame(&mut pixels).unwrap();
        let control = *reader.info().frame_control().unwrap();
        assert_eq!((control.delay_num, control.delay_den), (1, 25));
        for (place, pixel) in pixels[..frame.buffer_size()].chunks_exact(4).enumerate() {
            let (x, y) = (place as u32 % frame.width, place as u32 / frame.width);
            if pixel[3] == 255 {
                let at = (control.y_offset + y) * 160 + control.x_offset + x;
                shown[at as usize] = [pixel[0], pixel[1], pixel[2]];
            }
        }
        assert_eq!(shown.concat(), picture.pixels);
    }
    // The first picture is what those see who know no films.
    assert_eq!(decode(&bytes).0, (160, 120));
}

#[test]
fn a_gif_is_read_back_nearly_as_it_was() {
    let pictures = break_film("gif", 10);
    let colours = Colours::of(&pictures[..3]);
    let mut bytes = Vec::new();
    let mut reel = Gif::new(&mut bytes, [160, 120], 30.0, colours).unwrap();
    reel.add(pictures[..6].to_vec()).unwrap();
    reel.add(pictures[6..].to_vec()).unwrap();
    reel.finish().unwrap();
    drop(reel);
    let mut options = gif::DecodeOptions::new();
    options.set_color_output(gif::ColorOutput::RGBA);
    let mut decoder = options.read_info(&bytes[..]).unwrap();
    assert_eq!((decoder.width(), decoder.height()), (160, 120));
    assert_eq!(decoder.repeat(), gif::Repeat::Infinite);
    let mut shown = vec![[0_u8; 3]; 160 * 120];
    let (mut count, mut time) = (0, 0);
    while let Some(frame) = decoder.read_next_frame().unwrap() {
        time += frame.delay;
        for (place, pixel) in frame.buffer.chunks_exact(4).enumerate() {
            let (x, y) = (
                place % usize::from(frame.width),
                place / usize::from(frame.width),
            );
            if pixel[3] == 255 {
                let at = (usize::from(frame.top) + y) * 160 + usize::from(frame.left) + x;
                shown[at] = [pixel[0], pixel[1], pixel[2]];
            }
        }
        // 255 colours, chosen from three pictures of few flat colours and their blends: blends are off by some steps of
        // 256, flat ones exact.
        let picture = &pictures[count];
        let off = picture.pixels.iter().zip(shown.as_flattened());
        let off: Vec<u8> = off.map(|(a, b)| a.abs_diff(*b)).collect();
        let far = off.iter().filter(|&&off| off > 24).count();
        assert!(far * 1000 < off.len(), "{count}: {far} of {}", off.len());
        let exact = off.iter().filter(|&&off| off == 0).count();
        assert!(exact * 10 > 8 * off.len(), "{count}: {exact}");
        count += 1;
    }
    assert_eq!(count, 10);
    // Ten pictures at 30 a second: 33.3 hundredths, as 33.
    assert_eq!(time, 33);
}

/// Which of two balls is in front is seen, from either side; and what is not there leaves the paper.
#[test]
fn nearer_balls_cover_others() {
    let folder = Folder::new("depth");
    let text = r#"
version = 1
dimension = 3
run.until = 1.0
[[bodies]]
name = "near the front"
shape = "ball"
radius = 0.5
mass = 1.0
position = [0.0, -2.0, 0.0]
[[bodies]]
name = "behind"
shape = "ball"
radius = 0.5
mass = 1.0
position = [0.0, 2.0, 0.0]
"#;
    let recording = recorded(&folder, text);
    let footage = Footage::of(&recording).unwrap();
    let middle = |azimuth: f64| {
        let style = Style {
            size: [64, 64],
            words: false,
            viewpoint: Some(Viewpoint {
                azimuth,
                elevation: 0.0,
                zoom: 1.0,
            }),
            ..Style::default()
        };
        let picture = still(&footage, style, &at(0.5));
        assert_eq!(&picture.pixels[..3], &[255, 255, 255]);
        let place = 3 * (32 * 64 + 32);
        let pixel = &picture.pixels[place..place + 3];
        [pixel[0], pixel[1], pixel[2]]
    };
    // Blue has most blue, vermilion most red, whatever the light.
    let [r, _, b] = middle(0.0);
    assert!(b > r, "the first ball is in front");
    let [r, _, b] = middle(180.0);
    assert!(r > b, "the second ball is in front");
}

fn recorded(folder: &Folder, text: &str) -> Recording {
    crate::runs::record_text(folder, "own", text, How::default())
}

#[test]
fn sizes_and_runs_that_cannot_be_shown_are_refused() {
    let folder = Folder::new("refused");
    let how = How {
        output: Output::Never,
        events: false,
        ..How::default()
    };
    // Without frames the run is looked at by running it.
    let recording = record(&folder, "two_discs", how);
    let footage = Footage::of(&recording).unwrap();
    for size in [[15, 100], [100, 8_193], [u32::MAX, u32::MAX]] {
        let style = Style {
            size,
            ..Style::default()
        };
        let error = Studio::new(&footage, style, None).unwrap_err();
        assert!(matches!(error, DrawError::PictureSize { .. }), "{error}");
    }
    let whole = still(&footage, small(), &at(0.0));
    let part = still(
        &footage,
        Style {
            view: View::Part([0.0, 0.0, 0.0], [1.0, 1.0, 0.0]),
            ..small()
        },
        &at(0.0),
    );
    assert_ne!(whole, part);
    std::fs::write(recording.folder.path().join("scene.toml"), "version = 1").unwrap();
    let error = Footage::of(&recording).unwrap_err();
    assert!(
        error
            .to_string()
            .contains("scene.toml` is damaged: it has 11 bytes instead of "),
        "{error}"
    );
}

/// A disc, a box that is driven and a wall, in a scene of its own.
fn scene_with(bodies: &str) -> String {
    format!("version = 1\ntitle = \"A test of dice\"\ndimension = 2\nrun.until = 1.0\n{bodies}")
}

/// How many pixels of a picture have a colour of a kind.
fn pixels_with(picture: &Picture, is: impl Fn([u16; 3]) -> bool) -> usize {
    let pixels = picture.pixels.chunks_exact(3);
    pixels
        .filter(|p| is([0, 1, 2].map(|k| u16::from(p[k]))))
        .count()
}

fn is_red([r, g, b]: [u16; 3]) -> bool {
    r > 140 && g < 90 && b < 90
}

/// What was called red was drawn in vermilion, which people call orange.
#[test]
fn what_is_called_red_is_red() {
    let folder = Folder::new("red");
    let ball = |name: &str| {
        let body = format!(
            "[[bodies]]\nname = \"{name}\"\nshape = \"ball\"\nradius = 1.0\nmass = 1.0\nposition = [0.0, 0.0]\n"
        );
        let recording = crate::runs::record_text(&folder, name, &scene_with(&body), How::default());
        let footage = Footage::of(&recording).unwrap();
        pixels_with(&still(&footage, small(), &at(0.5)), is_red)
    };
    assert!(ball("red") > 10_000, "the disc fills most of the picture");
    assert_eq!(ball("other"), 0);
}

#[test]
fn a_break_is_on_a_table_with_numbered_balls() {
    let folder = Folder::new("table");
    let footage = footage(&folder, "break", How::default());
    let style = Style {
        size: [1000, 560],
        ..Style::default()
    };
    let picture = still(&footage, style, &at(0.0));
    let green = pixels_with(&picture, |[r, g, b]| g > r + 40 && g > b + 20);
    let brown = pixels_with(&picture, |[r, g, b]| r > g + 30 && g > b + 15 && r < 130);
    let all = (picture.width * picture.height) as usize;
    assert!(2 * green > all, "cloth: {green} of {all}");
    assert!(brown > all / 50, "frame: {brown} of {all}");
    // The three is red, and so are the stripes of the eleven; both are nearly of 97 pixels' area each.
    assert!(pixels_with(&picture, is_red) > 60);
}

#[test]
fn dice_have_pips_and_balls_in_space_their_numbers() {
    let folder = Folder::new("pips");
    let footage = footage(
        &folder,
        "dice",
        How {
            until: Some(0.3),
            ..How::default()
        },
    );
    let near = Style {
        size: [600, 400],
        follow: Follow::Body(footage.body_named("red").unwrap()),
        ..Style::default()
    };
    let picture = still(&footage, near, &at(0.2));
    let (red, white) = (
        pixels_with(&picture, |[r, g, b]| r > 90 && r > 2 * g && r > 2 * b),
        pixels_with(&picture, |[r, g, b]| {
            r > 235 && r < 254 && g > 225 && g < 254 && b > 225
        }),
    );
    // A die of some 23 pixels, of which one face is bright.
    assert!(red > 200, "{red}");
    assert!(white > 40, "no pips: {white}");
}

/// A ball that rolls for metres was a speck on a strip of floor.
#[test]
fn a_speck_is_followed_and_a_body_too() {
    let folder = Folder::new("follow");
    let roll = footage(&folder, "table_roll", How::default());
    let style = Style {
        size: [640, 360],
        words: false,
        ..Style::default()
    };
    let ball = |style: &Style, time: f64| {
        let picture = still(&roll, style.clone(), &at(time));
        // The ball is blue, the cloth green.
        pixels_with(&picture, |[_, g, b]| b > 110 && b > g + 30)
    };
    let [early, late] = [0.1, 8.0].map(|time| ball(&style, time));
    assert!(early > 60 && late > 60, "{early} {late}");
    let still_camera = Style {
        follow: Follow::Nothing,
        ..style.clone()
    };
    assert!(ball(&still_camera, 8.0) < early / 2);
    let near = Style {
        follow: Follow::Body(roll.body_named("ball").unwrap()),
        ..style
    };
    assert!(ball(&near, 8.0) > early);
    // The shape of a picture is that of the scene.
    let orbit = footage(&folder, "moving_wall", How::default());
    let [width, height] = Studio::natural_size(&orbit, &Style::default(), None, [1280, 720]);
    assert!(height > width, "{width} by {height}");
}

#[test]
fn arrows_axes_names_and_titles_are_drawn_where_they_are_asked_for() {
    let folder = Folder::new("overlay");
    let footage = footage(&folder, "mars", How::default());
    let takes = Takes {
        forces: 0.1,
        ..at(1.0)
    };
    let with = |show: Show| {
        let style = Style { show, ..small() };
        still(&footage, style, &takes)
    };
    let plain = with(Show::default());
    let none = Show::default();
    for show in [
        Show {
            velocities: true,
            ..none
        },
        Show {
            forces: true,
            ..none
        },
        Show { axes: true, ..none },
        Show {
            scale: true,
            ..none
        },
        Show {
            names: true,
            ..none
        },
        Show {
            title: true,
            ..none
        },
    ] {
        let picture = with(show);
        let changed = picture
            .pixels
            .iter()
            .zip(&plain.pixels)
            .filter(|(a, b)| a != b)
            .count();
        assert!(changed > 60, "{show:?}: {changed}");
    }
}

/// Balls in the middle of a heap are darker than one on its own: light from everywhere is kept away from them.
#[test]
fn dense_balls_are_darker_inside() {
    let folder = Folder::new("dense");
    let lattice = |spacing: f64| {
        let text = format!(
            "version = 1\ntitle = \"t\"\ndimension = 3\nrun.until = 0.01\n[[generate]]\nkind = \"lattice\"\nname = \"s\"\ncounts = [6, 6, 6]\nposition = [0.0, 0.0, 0.0]\nspacing = {spacing}\nradius = 0.45\nmass = 1.0\n"
        );
        let recording =
            crate::runs::record_text(&folder, &format!("l{spacing}"), &text, How::default());
        let footage = Footage::of(&recording).unwrap();
        let picture = still(&footage, small(), &at(0.0));
        let blue = |p: &[u8]| p[2] > p[0].saturating_add(25);
        let (mut sum, mut count) = (0.0, 0.0);
        for pixel in picture.pixels.chunks_exact(3).filter(|p| blue(p)) {
            sum += f64::from(pixel[2]);
            count += 1.0;
        }
        sum / count
    };
    let (dense, thin) = (lattice(1.0), lattice(4.0));
    assert!(dense < 0.93 * thin, "{dense} {thin}");
}
