//! Plots: their SVG to the letter, their pixels to a tolerance, and which of them a run can have.

use crate::runs::{Folder, How, record};
use carom_data::Output;
use carom_draw::{
    Comparison, DrawError, Fitness, LayerShape, Look, Plot, Quantity, Recording, Step, TextAs,
    Theme, figures, fitting,
};

fn svg(recording: &Recording, plot: Plot) -> String {
    let made = figures(recording, &[plot]).unwrap();
    assert_eq!(made.len(), 1);
    // Without font and style sheet, which are the same in all of them.
    made[0].draw().to_svg(Look::Embedded, TextAs::Words)
}

#[test]
fn plots_of_small_runs_are_what_they_were() {
    let folder = Folder::new("small");
    let discs = record(&folder, "two_discs", How::default());
    insta::assert_snapshot!("energy_of_two_discs", svg(&discs, Plot::Energy));
    insta::assert_snapshot!("momentum_of_two_discs", svg(&discs, Plot::Momentum));
    let cradle = record(&folder, "newton_cradle", How::default());
    insta::assert_snapshot!("contacts_of_a_cradle", svg(&cradle, Plot::Contacts));
    insta::assert_snapshot!("trajectories_of_a_cradle", svg(&cradle, Plot::Trajectories));
    let mars = record(&folder, "mars", How::default());
    insta::assert_snapshot!("trajectories_on_mars", svg(&mars, Plot::Trajectories));
    insta::assert_snapshot!("rate_on_mars", svg(&mars, Plot::Rate));
}

/// A crate that flies at a wall and back, without turning: its way has a corner at the wall, though no frame is there,
/// and its outline is drawn at both ends.
const CRATE: &str = r#"
version = 1
title = "A crate"
dimension = 2
run.until = 4.0
[[bodies]]
name = "wall"
shape = "wall"
point = [3.0, 0.0]
normal = [-1.0, 0.0]
[[bodies]]
name = "crate"
shape = "box"
size = [1.0, 1.0]
mass = 1.0
position = [0.0, 0.0]
velocity = [1.0, 0.25]
"#;

/// Solids stood where they ended, in the colour of scenery, and had no ways.
#[test]
fn ways_of_solids_are_drawn_with_their_outlines_at_both_ends() {
    let folder = Folder::new("rigid_bodies");
    let how = How {
        output: Output::Times(3),
        ..How::default()
    };
    let recording = crate::runs::record_text(&folder, "crate", CRATE, how);
    let figure = &figures(&recording, &[Plot::Trajectories]).unwrap()[0];
    let layers = &figure.panels[0].layers;
    let ways: Vec<_> = (layers.iter())
        .filter(|layer| layer.name.as_deref() == Some("crate"))
        .collect();
    assert_eq!(ways.len(), 1);
    let LayerShape::Path { steps, .. } = &ways[0].shape else {
        panic!("{ways:?}");
    };
    let places: Vec<[f64; 2]> = (steps.iter())
        .filter_map(|step| match step {
            Step::Move(place) | Step::Line(place) | Step::Curve(_, _, place) => Some(*place),
            Step::Close => None,
        })
        .collect();
    // It is at the wall when its middle is half a metre before it, after 2.5 s; there is no frame then. Rounding of
    // numbers of size one.
    let near = |place: [f64; 2], x: f64, y: f64| (place[0] - x).hypot(place[1] - y) < 1e-9;
    let first = near(places[0], 0.0, 0.0);
    let last = near(places[places.len() - 1], 1.0, 1.0);
    let corner = places.iter().any(|&place| near(place, 2.5, 0.625));
    assert!(first && corner && last, "{places:?}");
    // Four corners and back, at the start as a line alone, at the end filled.
    let outlines: Vec<bool> = (layers.iter())
        .filter_map(|layer| match &layer.shape {
            LayerShape::Path { steps, fill, .. } if steps.len() == 5 && layer.name.is_none() => {
                matches!(steps[0], Step::Move(_)).then_some(fill.is_some())
            }
            _ => None,
        })
        .collect();
    assert!(outlines.ends_with(&[false, true]), "{outlines:?}");
    let note = "Outlines: where bodies began; filled: where they ended.";
    assert!(figure.notes.iter().any(|line| line == note));
    // In space, from above and from the side; all numbers are finite.
    let dice = record(
        &folder,
        "dice",
        How {
            until: Some(0.3),
            ..how
        },
    );
    let drawn = svg(&dice, Plot::Trajectories);
    assert!(!drawn.contains("NaN") && !drawn.contains("inf"));
}

/// Compares a picture with the one that is kept in `tests/drawn/pictures`, pixel by pixel. With `CAROM_KEEP_PICTURES`
/// set, the picture is kept instead: look at it.
pub fn compare_pixels(name: &str, png: &[u8]) {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR"))
        .join(format!("tests/drawn/pictures/{name}.png"));
    if std::env::var_os("CAROM_KEEP_PICTURES").is_some() {
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, png).unwrap();
    }
    let kept = std::fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let (size, pixels) = decode(png);
    let (kept_size, kept) = decode(&kept);
    assert_eq!(size, kept_size, "{name}");
    // The rasteriser may use other instructions on another processor, and round differently: by a step or two of 255
    // along edges. A label that moves by a pixel or a line in another colour changes thousands of bytes by a hundred
    // and more.
    let differences = pixels.iter().zip(&kept).map(|(a, b)| a.abs_diff(*b));
    let far = differences.filter(|&difference| difference > 8).count();
    assert!(
        far <= pixels.len() / 2_000,
        "{name}: {far} of {} bytes differ",
        pixels.len()
    );
}

pub fn decode(bytes: &[u8]) -> ((u32, u32), Vec<u8>) {
    let mut reader = png::Decoder::new(std::io::Cursor::new(bytes))
        .read_info()
        .unwrap();
    let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
    let frame = reader.next_frame(&mut pixels).unwrap();
    ((frame.width, frame.height), pixels)
}

#[test]
fn pixels_are_what_they_were() {
    let folder = Folder::new("pixels");
    for (name, plot, theme) in [
        ("two_discs", Plot::Energy, Theme::Light),
        ("newton_cradle", Plot::Contacts, Theme::Dark),
    ] {
        let recording = record(&folder, name, How::default());
        let figure = &figures(&recording, &[plot]).unwrap()[0];
        compare_pixels(figure.name, &figure.draw().to_png(theme, 0.75).unwrap());
    }
}

#[test]
fn every_plot_of_every_kind_of_run_is_good_xml_and_has_finite_numbers() {
    let folder = Folder::new("xml");
    let short = How {
        until: Some(3.0),
        ..How::default()
    };
    for name in [
        "break",
        "gas_of_discs",
        "gas_3d",
        "box_and_cylinder_3d",
        "shaken_floor",
        "drag",
        "room_cylinder_3d",
    ] {
        let recording = record(&folder, name, short);
        let plots = fitting(&recording);
        assert!(plots.len() >= 3, "{name}: {plots:?}");
        for figure in figures(&recording, &plots).unwrap() {
            let drawing = figure.draw();
            for look in [Look::Adaptive, Look::Fixed(Theme::Print)] {
                for text in [TextAs::Words, TextAs::Outlines] {
                    let svg = drawing.to_svg(look, text);
                    assert!(
                        !svg.contains("NaN") && !svg.contains("inf "),
                        "{name} {}",
                        figure.name
                    );
                    let parsed = roxmltree::Document::parse(&svg);
                    let parsed =
                        parsed.unwrap_or_else(|error| panic!("{name} {}: {error}", figure.name));
                    assert_eq!(parsed.root_element().tag_name().name(), "svg");
                    let words = parsed
                        .descendants()
                        .filter(|node| node.has_tag_name("text"))
                        .count();
                    assert_eq!(words > 0, text == TextAs::Words, "{name} {}", figure.name);
                }
            }
        }
    }
}

/// No word may stick out of the paper, or cover another.
#[test]
fn words_are_on_the_paper_and_apart() {
    let folder = Folder::new("words");
    for name in ["break", "gas_3d", "newton_cradle", "drag", "galperin"] {
        let recording = record(&folder, name, How::default());
        for figure in figures(&recording, &fitting(&recording)).unwrap() {
            let drawing = figure.draw();
            let svg = drawing.to_svg(Look::Embedded, TextAs::Words);
            let parsed = roxmltree::Document::parse(&svg).unwrap();
            let mut boxes: Vec<([f64; 4], String)> = Vec::new();
            for node in parsed
                .descendants()
                .filter(|node| node.has_tag_name("text"))
            {
                let number = |key: &str| -> f64 { node.attribute(key).unwrap().parse().unwrap() };
                let (x, y, size, width) = (
                    number("x"),
                    number("y"),
                    number("font-size"),
                    number("textLength"),
                );
                let begin = match node.attribute("text-anchor") {
                    Some("middle") => -0.5 * width,
                    Some("end") => -width,
                    _ => 0.0,
                };
                let upwards = node.attribute("transform").is_some();
                let area = if upwards {
                    [
                        x - 0.75 * size,
                        y - begin - width,
                        x + 0.2 * size,
                        y - begin,
                    ]
                } else {
                    [
                        x + begin,
                        y - 0.75 * size,
                        x + begin + width,
                        y + 0.2 * size,
                    ]
                };
                boxes.push((area, node.text().unwrap_or_default().to_owned()));
            }
            assert!(boxes.len() > 5, "{name} {}", figure.name);
            for (i, (a, text)) in boxes.iter().enumerate() {
                let on_paper =
                    a[0] >= 0.0 && a[1] >= 0.0 && a[2] <= drawing.width && a[3] <= drawing.height;
                assert!(
                    on_paper,
                    "{name} {}: `{text}` sticks out: {a:?}",
                    figure.name
                );
                for (b, other) in &boxes[..i] {
                    let apart = a[2] <= b[0] || b[2] <= a[0] || a[3] <= b[1] || b[3] <= a[1];
                    assert!(apart, "{name} {}: `{text}` covers `{other}`", figure.name);
                }
            }
        }
    }
}

#[test]
fn runs_say_which_plots_they_cannot_have() {
    let folder = Folder::new("fitness");
    let bare = record(
        &folder,
        "break",
        How {
            output: Output::Never,
            events: false,
            ..How::default()
        },
    );
    for plot in Plot::ALL {
        assert!(
            matches!(plot.fitness(&bare), Fitness::Missing(_)),
            "{plot:?}"
        );
    }
    assert!(fitting(&bare).is_empty());
    let error = figures(&bare, &[Plot::Energy]).unwrap_err();
    assert!(matches!(error, DrawError::Missing { plot: "energy", .. }));
    assert!(error.to_string().contains("--frames 0"), "{error}");
    // Ten balls are no distribution, but whoever asks gets one.
    let cradle = record(&folder, "newton_cradle", How::default());
    assert!(matches!(Plot::Speeds.fitness(&cradle), Fitness::Poor(_)));
    assert_eq!(
        figures(&cradle, &[Plot::Speeds, Plot::Radial])
            .unwrap()
            .len(),
        2
    );
}

#[test]
fn a_run_without_collisions_says_so_in_words() {
    let folder = Folder::new("silent");
    let how = How {
        until: Some(0.01),
        ..How::default()
    };
    let discs = record(&folder, "mars", how);
    for plot in [Plot::Rate, Plot::Contacts] {
        assert!(matches!(plot.fitness(&discs), Fitness::Poor(_)));
        assert!(svg(&discs, plot).contains("No collisions in this run"));
    }
}

/// The sum of what there is and what was lost is drawn as a level line.
#[test]
fn the_stack_of_energies_is_flat() {
    let folder = Folder::new("flat");
    let recording = record(&folder, "break", How::default());
    let text = svg(&recording, Plot::Energy);
    let parsed = roxmltree::Document::parse(&text).unwrap();
    let line = parsed
        .descendants()
        .filter(|node| node.attribute("class") == Some("l-text"))
        .find(|node| node.parent().is_some_and(|parent| parent.has_tag_name("g")))
        .expect("the line of all energy");
    let heights: Vec<&str> = line
        .attribute("d")
        .unwrap()
        .split(['M', 'L'])
        .filter_map(|place| place.split_once(' ').map(|(_, y)| y))
        .collect();
    assert!(heights.len() > 10);
    assert!(heights.iter().all(|y| *y == heights[0]), "{heights:?}");
}

#[test]
fn comparisons_are_drawn_where_there_is_a_file() {
    let folder = Folder::new("compare");
    let recording = record(&folder, "two_discs", How::default());
    assert!(matches!(
        Plot::Compare.fitness(&recording),
        Fitness::Missing(_)
    ));
    let path = recording.folder.path().join(carom_draw::COMPARISON);
    let curves = [
        vec![[0.0, 1.0], [0.5, 1.0], [0.5, 0.7], [1.0, 0.7]],
        vec![[0.0, 1.0], [0.45, 1.0], [0.55, 0.71], [1.0, 0.71]],
    ];
    let quantity = Quantity {
        name: "kinetic energy".to_owned(),
        unit: "J".to_owned(),
        curves,
    };
    let methods = ["impulses", "forces"].map(str::to_owned);
    let comparison = Comparison::new("Two discs".to_owned(), methods, vec![quantity]);
    std::fs::write(&path, serde_json::to_string(&comparison).unwrap()).unwrap();
    assert_eq!(
        Comparison::read(recording.folder.path()).unwrap(),
        comparison
    );
    assert_eq!(Plot::Compare.fitness(&recording), Fitness::Good);
    insta::assert_snapshot!("comparison", svg(&recording, Plot::Compare));
    std::fs::write(&path, "{\"format\": \"something\"}").unwrap();
    let error = figures(&recording, &[Plot::Compare]).unwrap_err();
    assert!(matches!(error, DrawError::File { .. }), "{error}");
}
