use super::course::Course;
use super::form::Form;
use crate::impact::Impact;
use crate::space::Space;

/// The first contact of two bodies on their courses in `[from, until)` (s): the first instant at which they touch and close.
///
/// Both courses are on the same clock, and the answer is a time on it.
pub fn first_contact<S: Space>(
    _a: &Form<S>,
    _course_a: &Course<S>,
    _b: &Form<S>,
    _course_b: &Course<S>,
    _from: f64,
    _until: f64,
) -> Impact {
    Impact::Never
}
