//! Events as they happen, a line each.

use crate::changes::{self, TransitionLine};
use crate::collision::{
    ActionLine, CollisionLine, PassageLine, ReleaseLine, StallLine, StallRecord,
};
use crate::output::{Failure, Output};
use crate::terminal;
use carom::record::{Change, Edit, Event};
use carom::world::World;
use carom_data::DataSpace;

/// One line for each event that has one.
pub fn print_event<S: DataSpace>(
    world: &World<S>,
    event: &Event<'_, S>,
    json: bool,
    output: &mut Output,
) -> Result<(), Failure> {
    let mut passed = |kind, passage| {
        let line = PassageLine::new(world, kind, passage);
        if json {
            output.json(&line)
        } else {
            terminal::print_passage(&line.sensor_crossing, output)
        }
    };
    match event {
        Event::Entered(passage) => passed("entered", passage),
        Event::Left(passage) => passed("left", passage),
        Event::Collision(collision) => {
            let line = CollisionLine::new(world, collision);
            if json {
                output.json(&line)
            } else {
                terminal::print_collision(&line.collision, output)
            }
        }
        Event::Transition(transition) => {
            let line = TransitionLine::new(world, transition);
            if json {
                output.json(&line)
            } else {
                changes::print_transition(&line.transition, output)
            }
        }
        Event::Action(entry) => {
            let line = ActionLine::new(world, entry);
            if json {
                output.json(&line)
            } else {
                changes::print_action(&line.action, output)
            }
        }
        Event::Released(release) => {
            let line = ReleaseLine::new(world, release);
            if json {
                output.json(&line)
            } else {
                terminal::print_release(&line.release, output)
            }
        }
        Event::Edited(Edit {
            time,
            change: Change::Stalled(id),
            ..
        }) => {
            let line = StallLine::new(world, *time, *id);
            if json {
                output.json(&line)
            } else {
                let StallRecord { time, body } = line.stall;
                output.line(format_args!("        t = {time} s  {body} stalls"))
            }
        }
        _ => Ok(()),
    }
}
