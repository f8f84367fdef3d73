//! Racks of billiard games: which ball lies where.
//!
//! Row k of a triangle has k balls; neighbours in a row and in the next are a diameter and a gap apart.

/// Rows of numbers from the tip on.
const EIGHT_BALL: [&[&str]; 5] = [
    &["1"],
    &["9", "2"],
    &["10", "8", "3"],
    &["11", "7", "14", "4"],
    &["5", "13", "15", "6", "12"],
];
const NINE_BALL: [&[&str]; 5] = [&["1"], &["2", "3"], &["4", "9", "5"], &["6", "7"], &["8"]];
const SNOOKER: [&[&str]; 5] = [&[RED; 1], &[RED; 2], &[RED; 3], &[RED; 4], &[RED; 5]];

/// One of fifteen, which are told apart by their numbers.
pub(super) const RED: &str = "red";

/// The colours of snooker on their spots: along the table from the pink one (towards the black cushion), and to the
/// left of its middle line, m. A table of 3.569 m: blue in its middle, pink half-way from there to the cushion, black
/// 0.324 m from the cushion, the baulk line 0.737 m from the other one, with a D of 0.292 m.
const SPOTS: [(&str, f64, f64); 5] = [
    ("black", 0.25 * 3.569 - 0.324, 0.0),
    ("blue", -0.25 * 3.569, 0.0),
    ("brown", 0.737 - 0.75 * 3.569, 0.0),
    ("green", 0.737 - 0.75 * 3.569, 0.292),
    ("yellow", 0.737 - 0.75 * 3.569, -0.292),
];

/// A game that has a rack of its own.
pub(crate) const GAMES: [&str; 3] = ["eight-ball", "nine-ball", "snooker"];

/// A ball of a rack: its name, and its place along and across, m.
pub(super) type Spotted = (&'static str, f64, f64);

/// All balls of a game, from the ball at the tip: with a distance between the centres of neighbours, m. In snooker the
/// pink ball touches the tip, from outside.
pub(super) fn of_game(game: &str, pitch: f64) -> Vec<Spotted> {
    let rows: &[&[&'static str]] = match game {
        "eight-ball" => &EIGHT_BALL,
        "nine-ball" => &NINE_BALL,
        _ => &SNOOKER,
    };
    let depth = pitch * (0.5 * 3.0_f64.sqrt());
    let mut balls = Vec::new();
    for (row, names) in rows.iter().enumerate() {
        for (column, name) in names.iter().enumerate() {
            let aside = (column as f64 - 0.5 * (names.len() - 1) as f64) * pitch;
            balls.push((*name, row as f64 * depth, aside));
        }
    }
    if game == "snooker" {
        balls.push(("pink", -pitch, 0.0));
        balls.extend(SPOTS.map(|(name, along, left)| (name, along - pitch, left)));
    }
    balls
}

/// The colour of a ball by its name.
pub(super) fn colour(name: &str) -> [u8; 3] {
    match name {
        "1" | "9" => [246, 190, 0],
        "2" | "10" => [0, 60, 165],
        "3" | "11" => [214, 32, 38],
        "4" | "12" => [88, 38, 130],
        "5" | "13" => [245, 124, 0],
        "6" | "14" => [0, 122, 61],
        "7" | "15" => [128, 26, 44],
        "8" | "black" => [20, 20, 20],
        "yellow" => [250, 215, 40],
        "green" => [0, 122, 61],
        "brown" => [120, 66, 18],
        "blue" => [0, 80, 190],
        "pink" => [245, 150, 180],
        _ => [200, 16, 30],
    }
}
