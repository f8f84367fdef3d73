//! Cases as text: one line, shortest decimals that give the same `f64` back.

use crate::case::{Case, Form, Motion, Track, Triple};
use std::fmt::Write;
use std::str::SplitWhitespace;

/// Writes a number so that it reads back as the same bits.
fn number(line: &mut String, value: f64) {
    // Both are exact; take the shorter.
    let (plain, powered) = (format!("{value}"), format!("{value:e}"));
    let shorter = if plain.len() <= powered.len() {
        plain
    } else {
        powered
    };
    write!(line, " {shorter}").expect("text has room");
}

fn numbers(line: &mut String, values: &[f64]) {
    values.iter().for_each(|&value| number(line, value));
}

/// The case as one line.
///
/// Longer than most: one arm for each form and each motion.
pub fn write(case: &Case) -> String {
    let d = case.dimension;
    let mut line = format!("{d}");
    let point = |line: &mut String, v: Triple| numbers(line, &v[..d]);
    let track = |line: &mut String, track: &Track| {
        point(line, track.position);
        point(line, track.velocity);
        point(line, track.acceleration);
    };
    track(&mut line, &case.ball);
    number(&mut line, case.radius);
    match case.form {
        Form::Ball { radius } => {
            line += " ball";
            number(&mut line, radius);
        }
        Form::HalfSpace { normal, two_sided } => {
            line += if two_sided {
                " two-sided"
            } else {
                " one-sided"
            };
            point(&mut line, normal);
        }
        Form::Hollow { radius } => {
            line += " hollow";
            number(&mut line, radius);
        }
        Form::Block { half } => {
            line += " block";
            point(&mut line, half);
        }
        Form::Segment { ends } => {
            line += " segment";
            ends.iter().for_each(|&end| point(&mut line, end));
        }
        Form::Arc {
            centre,
            radius,
            middle,
            cos_half,
            ends,
        } => {
            line += " arc";
            point(&mut line, centre);
            number(&mut line, radius);
            point(&mut line, middle);
            number(&mut line, cos_half);
            ends.iter().for_each(|&end| point(&mut line, end));
        }
        Form::Triangle { corners } => {
            line += " triangle";
            corners.iter().for_each(|&corner| point(&mut line, corner));
        }
        Form::Cylinder {
            axis,
            half_length,
            radius,
        } => {
            line += " cylinder";
            point(&mut line, axis);
            numbers(&mut line, &[half_length, radius]);
        }
    }
    if case.rotation != crate::case::no_rotation(d) {
        line += " turned";
        numbers(&mut line, &case.rotation[..if d == 2 { 2 } else { 4 }]);
    }
    match &case.motion {
        Motion::Flight(target) => {
            line += " flight";
            track(&mut line, target);
        }
        Motion::Uniform {
            start,
            velocity,
            now,
        } => {
            line += " uniform";
            point(&mut line, *start);
            point(&mut line, *velocity);
            number(&mut line, *now);
        }
        Motion::Rotation {
            start,
            pivot,
            angular_velocity,
            now,
        } => {
            line += " rotation";
            point(&mut line, *start);
            point(&mut line, *pivot);
            numbers(
                &mut line,
                if d == 2 {
                    &angular_velocity[2..]
                } else {
                    angular_velocity
                },
            );
            number(&mut line, *now);
        }
        Motion::Oscillation {
            start,
            amplitude,
            frequency,
            phase,
            now,
        } => {
            line += " oscillation";
            point(&mut line, *start);
            point(&mut line, *amplitude);
            numbers(&mut line, &[*frequency, *phase, *now]);
        }
    }
    number(&mut line, case.horizon);
    line
}

struct Reader<'a> {
    words: SplitWhitespace<'a>,
    dimension: usize,
}

impl<'a> Reader<'a> {
    fn word(&mut self) -> Result<&'a str, String> {
        self.words
            .next()
            .ok_or_else(|| "the line ends early".into())
    }

    fn number(&mut self) -> Result<f64, String> {
        let word = self.word()?;
        word.parse()
            .map_err(|_| format!("{word:?} is not a number"))
    }

    fn point(&mut self) -> Result<Triple, String> {
        let mut point = [0.0; 3];
        for component in &mut point[..self.dimension] {
            *component = self.number()?;
        }
        Ok(point)
    }

    fn track(&mut self) -> Result<Track, String> {
        Ok(Track {
            position: self.point()?,
            velocity: self.point()?,
            acceleration: self.point()?,
        })
    }

    fn form(&mut self) -> Result<Form, String> {
        Ok(match self.word()? {
            "ball" => Form::Ball {
                radius: self.number()?,
            },
            side @ ("one-sided" | "two-sided") => Form::HalfSpace {
                normal: self.point()?,
                two_sided: side == "two-sided",
            },
            "hollow" => Form::Hollow {
                radius: self.number()?,
            },
            "block" => Form::Block {
                half: self.point()?,
            },
            "segment" => Form::Segment {
                ends: [self.point()?, self.point()?],
            },
            "arc" => Form::Arc {
                centre: self.point()?,
                radius: self.number()?,
                middle: self.point()?,
                cos_half: self.number()?,
                ends: [self.point()?, self.point()?],
            },
            "triangle" => Form::Triangle {
                corners: [self.point()?, self.point()?, self.point()?],
            },
            "cylinder" => Form::Cylinder {
                axis: self.point()?,
                half_length: self.number()?,
                radius: self.number()?,
            },
            other => return Err(format!("{other:?} is not a shape")),
        })
    }

    fn motion(&mut self, word: &str) -> Result<Motion, String> {
        Ok(match word {
            "flight" => Motion::Flight(self.track()?),
            "uniform" => Motion::Uniform {
                start: self.point()?,
                velocity: self.point()?,
                now: self.number()?,
            },
            "rotation" => Motion::Rotation {
                start: self.point()?,
                pivot: self.point()?,
                angular_velocity: if self.dimension == 2 {
                    [0.0, 0.0, self.number()?]
                } else {
                    self.point()?
                },
                now: self.number()?,
            },
            "oscillation" => Motion::Oscillation {
                start: self.point()?,
                amplitude: self.point()?,
                frequency: self.number()?,
                phase: self.number()?,
                now: self.number()?,
            },
            other => return Err(format!("{other:?} is not a motion")),
        })
    }
}

/// Reads what [`write()`] wrote, and returns what follows it on the line.
pub fn read(line: &str) -> Result<(Case, Vec<&str>), String> {
    let mut reader = Reader {
        words: line.split_whitespace(),
        dimension: 0,
    };
    reader.dimension = match reader.word()? {
        "2" => 2,
        "3" => 3,
        other => return Err(format!("the dimension is {other:?}, but must be 2 or 3")),
    };
    let dimension = reader.dimension;
    let ball = reader.track()?;
    let radius = reader.number()?;
    let form = reader.form()?;
    let mut rotation = crate::case::no_rotation(dimension);
    let mut word = reader.word()?;
    if word == "turned" {
        for component in &mut rotation[..if dimension == 2 { 2 } else { 4 }] {
            *component = reader.number()?;
        }
        word = reader.word()?;
    }
    let motion = reader.motion(word)?;
    let horizon = reader.number()?;
    let case = Case {
        dimension,
        ball,
        radius,
        form,
        rotation,
        motion,
        horizon,
    };
    Ok((case, reader.words.collect()))
}
