//! Reports: well-formed, of one piece, with everything in them.

use crate::runs::{Folder, How, record, record_text};
use carom_data::Output;
use carom_draw::{Recording, report};

fn parsed(page: &str) -> roxmltree::Document<'_> {
    let options = roxmltree::ParsingOptions {
        allow_dtd: true,
        ..roxmltree::ParsingOptions::default()
    };
    roxmltree::Document::parse_with_options(page, options).unwrap_or_else(|error| panic!("{error}"))
}

fn page(recording: &Recording) -> String {
    report(recording).unwrap().html
}

#[test]
fn the_page_is_well_formed_and_asks_nobody_for_anything() {
    let folder = Folder::new("page");
    for name in ["break", "gas_3d", "shaken_floor", "box_and_cylinder_3d"] {
        let how = How {
            until: Some(2.0),
            ..How::default()
        };
        let page = page(&record(&folder, name, how));
        assert!(page.len() < 5_000_000, "{name}: {} bytes", page.len());
        let document = parsed(&page);
        for node in document.descendants() {
            for attribute in node.attributes() {
                if ["src", "href", "data", "action", "poster", "srcset"].contains(&attribute.name())
                {
                    panic!(
                        "{name}: {} has {}",
                        node.tag_name().name(),
                        attribute.name()
                    );
                }
                let value = attribute.value();
                assert!(
                    !value.contains("url(") || value.starts_with("url(#"),
                    "{name}: {value}"
                );
            }
        }
        let style: String = document
            .descendants()
            .filter(|node| node.has_tag_name("style"))
            .filter_map(|node| node.text())
            .collect();
        assert!(!style.contains("@import"));
        assert_eq!(
            style.matches("url(").count(),
            style.matches("url(data:").count()
        );
        for script in document
            .descendants()
            .filter(|node| node.has_tag_name("script"))
        {
            let text = script.text().unwrap_or_default();
            for word in [
                "fetch(",
                "XMLHttpRequest",
                "import ",
                "http:",
                "https:",
                "WebSocket",
            ] {
                assert!(!text.contains(word), "{name}: {word}");
            }
        }
        let ids: Vec<&str> = document
            .descendants()
            .filter_map(|node| node.attribute("id"))
            .collect();
        let mut once = ids.clone();
        once.sort_unstable();
        once.dedup();
        assert_eq!(once.len(), ids.len(), "{name}: an id comes twice");
        for id in ["picture", "plots", "audit", "events", "scene"] {
            assert!(ids.contains(&id), "{name}: {id}");
        }
    }
}

/// A report of 100,000 spheres asked every one of them, for each of 300,000 places, whether it was a ball: minutes.
#[test]
fn a_report_of_very_many_spheres_says_that_it_is_thinned() {
    let folder = Folder::new("many");
    let scene = r#"
        version = 1
        title = "Many"
        dimension = 3
        run.until = 0.1
        [[generate]]
        kind = "lattice"
        name = "sphere"
        counts = [20, 20, 30]
        position = [0.0, 0.0, 0.0]
        spacing = 1.0
        radius = 0.2
        mass = 1.0
        velocity = [1.0, 0.0, 0.0]
    "#;
    let how = How {
        output: Output::Times(2),
        ..How::default()
    };
    let recording = crate::runs::record_text(&folder, "many", scene, how);
    let made = report(&recording).unwrap();
    // 12,000 in 60 pictures would be 720,000 places; every third one is 240,000, which leaves room for 75 pictures.
    let note = "Thinned: 4000 of 12000 moving bodies are shown, in 75 pictures.";
    assert_eq!(made.notes, [note]);
    assert!(made.html.contains(note));
    parsed(&made.html);
}

#[test]
fn the_moving_picture_has_all_bodies_at_all_times() {
    let folder = Folder::new("film");
    let recording = record(&folder, "break", How::default());
    let page = page(&recording);
    let document = parsed(&page);
    let data = document
        .descendants()
        .find(|node| node.attribute("id") == Some("film-data"))
        .and_then(|node| node.text())
        .unwrap();
    let film: serde_json::Value = serde_json::from_str(data).unwrap();
    let (cast, times) = (
        film["cast"].as_array().unwrap(),
        film["times"].as_array().unwrap(),
    );
    assert_eq!(cast.len(), 16);
    // Six hundred, and one for each event that is at none of those instants.
    let pictures = times.len();
    assert!(
        pictures > 600 && pictures <= 600 + recording.events as usize,
        "{pictures}"
    );
    assert_eq!(times[pictures - 1].as_f64(), Some(5.0));
    // Two coordinates of two bytes each; four letters hold three bytes.
    let bytes: usize = 16 * pictures * 4;
    let places = decode(film["places"].as_str().unwrap());
    assert_eq!(places.len(), bytes);
    // The first and the last picture are at instants of output: the same places, to half a step of the 65,535 that the
    // picture is wide.
    let mut frames = Vec::new();
    recording
        .folder
        .each_frame(|frame| {
            frames.push([3, 4].map(|column| frame.rows.values[column].numbers().to_vec()));
            Ok(())
        })
        .unwrap();
    for (picture, frame) in [(0, &frames[0]), (pictures - 1, &frames[frames.len() - 1])] {
        for (axis, coordinates) in frame.iter().enumerate() {
            for (body, coordinate) in coordinates.iter().enumerate() {
                let at = 2 * ((picture * 16 + body) * 2 + axis);
                let whole = f64::from(u16::from_le_bytes([places[at], places[at + 1]]));
                let [from, to] = ["from", "to"].map(|end| film[end][axis].as_f64().unwrap());
                let found = from + whole / 65_535.0 * (to - from);
                let off = (found - coordinate).abs();
                assert!(
                    off <= 0.500_001 * (to - from) / 65_535.0,
                    "{picture} {body}: {off}"
                );
            }
        }
    }
}

/// The bytes that letters stand for (RFC 4648).
fn decode(letters: &str) -> Vec<u8> {
    let value = |letter: u8| match letter {
        b'A'..=b'Z' => letter - b'A',
        b'a'..=b'z' => letter - b'a' + 26,
        b'0'..=b'9' => letter - b'0' + 52,
        b'+' => 62,
        _ => 63,
    };
    let end = letters.trim_end_matches('=').len();
    let mut bytes = Vec::new();
    for four in letters.as_bytes()[..end].chunks(4) {
        let word = four
            .iter()
            .fold(0_u32, |word, &letter| word << 6 | u32::from(value(letter)));
        let word = word << (6 * (4 - four.len()));
        bytes.extend(&word.to_be_bytes()[1..four.len()]);
    }
    bytes
}

#[test]
fn names_cannot_break_the_page() {
    let folder = Folder::new("names");
    let text = std::fs::read_to_string(crate::runs::scene("two_discs")).unwrap();
    let evil = text.replacen("name = \"", "name = \"</script><b>&amp; ", 2);
    assert_ne!(text, evil);
    let recording = record_text(&folder, "two_discs", &evil, How::default());
    let page = page(&recording);
    let document = parsed(&page);
    let scene = document
        .descendants()
        .find(|node| node.has_tag_name("pre"))
        .unwrap();
    assert!(scene.text().unwrap().contains("</script><b>&amp; "));
    assert_eq!(
        document
            .descendants()
            .filter(|node| node.has_tag_name("script"))
            .count(),
        2
    );
}

#[test]
fn a_run_without_frames_has_a_picture_but_no_plots() {
    let folder = Folder::new("bare");
    let how = How {
        output: Output::Never,
        events: false,
        ..How::default()
    };
    let page = page(&record(&folder, "two_discs", how));
    parsed(&page);
    assert!(page.contains("film-data"));
    assert!(page.contains("--no-events"));
}

#[test]
fn long_tables_have_their_ends() {
    let folder = Folder::new("long");
    let recording = record(&folder, "gas_of_discs", How::default());
    assert!(recording.events > 2_500, "{}", recording.events);
    let page = page(&recording);
    let document = parsed(&page);
    let table = document
        .descendants()
        .find(|node| node.attribute("class") == Some("numbers sortable"))
        .unwrap();
    let rows: Vec<_> = table
        .descendants()
        .filter(|node| node.has_tag_name("tr"))
        .collect();
    // A heading, a thousand, what is left out, a thousand.
    assert_eq!(rows.len(), 2_002);
    let numbers: Vec<&str> = rows
        .iter()
        .filter_map(|row| row.descendants().find(|node| node.has_tag_name("td")))
        .filter_map(|cell| cell.text())
        .collect();
    assert_eq!(numbers[0], "1");
    assert_eq!(numbers[999], "1000");
    assert_eq!(numbers[2_000], recording.events.to_string());
}

/// A click on an event shows it: the row knows when and where, and there is a picture of that very instant.
#[test]
fn events_lead_into_the_picture_and_plots_know_the_time() {
    let folder = Folder::new("links");
    let recording = record(&folder, "break", How::default());
    let page = page(&recording);
    let document = parsed(&page);
    let data = document
        .descendants()
        .find(|node| node.attribute("id") == Some("film-data"))
        .and_then(|node| node.text())
        .unwrap();
    let film: serde_json::Value = serde_json::from_str(data).unwrap();
    let times: Vec<f64> = film["times"]
        .as_array()
        .unwrap()
        .iter()
        .map(|t| t.as_f64().unwrap())
        .collect();
    let rows: Vec<_> = document
        .descendants()
        .filter(|node| node.attribute("data-t").is_some())
        .collect();
    assert_eq!(rows.len() as u64, recording.events);
    for row in &rows {
        let time: f64 = row.attribute("data-t").unwrap().parse().unwrap();
        assert!(times.contains(&time), "{time}");
        let place: Vec<f64> = row
            .attribute("data-p")
            .unwrap()
            .split(' ')
            .map(|n| n.parse().unwrap())
            .collect();
        assert!(
            place.len() == 2 && (-0.1..2.7).contains(&place[0]),
            "{place:?}"
        );
    }
    // Energy has two panels over time, and so have momentum, rate and contacts theirs.
    let areas: Vec<_> = document
        .descendants()
        .filter(|node| node.attribute("class") == Some("time"))
        .collect();
    assert!(areas.len() >= 5, "{}", areas.len());
    let to: f64 = areas[0].attribute("data-to").unwrap().parse().unwrap();
    assert_eq!(to, 5.0);
}

/// Solids were wireframes.
#[test]
fn solids_have_faces_and_dice_have_pips() {
    let folder = Folder::new("faces");
    let how = How {
        until: Some(0.3),
        ..How::default()
    };
    let page = page(&record(&folder, "dice", how));
    let document = parsed(&page);
    let data = document
        .descendants()
        .find(|node| node.attribute("id") == Some("film-data"))
        .and_then(|node| node.text())
        .unwrap();
    let film: serde_json::Value = serde_json::from_str(data).unwrap();
    // Three dice of one shape.
    let shapes = film["shapes"].as_array().unwrap();
    assert_eq!(shapes.len(), 1);
    assert_eq!(shapes[0]["f"].as_array().unwrap().len(), 6);
    assert_eq!(shapes[0]["p"].as_array().unwrap().len(), 21);
    assert_eq!(film["cast"][0]["k"], "#d02a2a");
}
