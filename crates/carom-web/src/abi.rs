//! The functions that JavaScript calls.
//!
//! Texts and numbers are handed over in buffers that belong to this side: `input(length)` reserves memory and says
//! where, the answer lies in `text`, `numbers` or `frame` until the next call. An address is only good until then, as
//! memory may have grown. There is no pointer that this side reads: a wrong one cannot be handed in. So exporting the
//! names is all that is unsafe here.

#![allow(unsafe_code)]

use crate::request::{Answer, Session};
use std::cell::RefCell;

#[derive(Default)]
struct State {
    input: Vec<u8>,
    text: Vec<u8>,
    numbers: Vec<f64>,
    frame: Vec<f32>,
    session: Session,
}

thread_local! {
    static STATE: RefCell<State> = RefCell::default();
}

fn with<R>(act: impl FnOnce(&mut State) -> R) -> R {
    STATE.with_borrow_mut(act)
}

/// More than any request has.
const LONGEST_INPUT: usize = 128 << 20;

/// Reserves memory for a request, and says where; zero where it is too long.
#[unsafe(no_mangle)]
pub extern "C" fn input(length: usize) -> *mut u8 {
    if length > LONGEST_INPUT {
        return std::ptr::null_mut();
    }
    with(|state| {
        state.input.clear();
        state.input.resize(length, 0);
        state.input.as_mut_ptr()
    })
}

/// Answers the request in the input: 0, or 1 where it is refused. The answer is in `text`, and numbers in `numbers`.
#[unsafe(no_mangle)]
pub extern "C" fn call() -> u32 {
    with(|state| {
        let input = std::mem::take(&mut state.input);
        let Answer {
            text,
            numbers,
            good,
        } = state.session.answer(&input);
        (state.text, state.numbers) = (text.into_bytes(), numbers);
        u32::from(!good)
    })
}

/// Runs ahead by at most so many events: 0 where there is more to come, 1 at the end, 2 where it cannot go on.
#[unsafe(no_mangle)]
pub extern "C" fn ahead(events: u32) -> u32 {
    with(|state| state.session.ahead(events))
}

/// Puts the states of all bodies at a time (s) into `frame`, and answers the time that they are of: not later than what
/// has been computed.
#[unsafe(no_mangle)]
pub extern "C" fn frame(time: f64) -> f64 {
    with(|state| state.session.frame(time, &mut state.frame))
}

/// Where the answer's text is.
#[unsafe(no_mangle)]
pub extern "C" fn text_at() -> *const u8 {
    with(|state| state.text.as_ptr())
}

/// Its length, bytes.
#[unsafe(no_mangle)]
pub extern "C" fn text_length() -> usize {
    with(|state| state.text.len())
}

/// Where the answer's numbers are.
#[unsafe(no_mangle)]
pub extern "C" fn numbers_at() -> *const f64 {
    with(|state| state.numbers.as_ptr())
}

/// How many there are.
#[unsafe(no_mangle)]
pub extern "C" fn numbers_length() -> usize {
    with(|state| state.numbers.len())
}

/// Where the frame is.
#[unsafe(no_mangle)]
pub extern "C" fn frame_at() -> *const f32 {
    with(|state| state.frame.as_ptr())
}

/// How many numbers it has.
#[unsafe(no_mangle)]
pub extern "C" fn frame_length() -> usize {
    with(|state| state.frame.len())
}
