//! Arrays element by element.

/// What the standard library's `map` does. That one, and `from_fn`, call their closures through functions that are not
/// marked for inlining and may be compiled in another unit: in the inner loops a call for each coordinate costs more
/// than the arithmetic.
pub(crate) trait Each<T, const N: usize> {
    /// Something for each element, in their order.
    fn each<R: Copy + Default>(self, make: impl FnMut(T) -> R) -> [R; N];
}

impl<T: Copy, const N: usize> Each<T, N> for [T; N] {
    #[inline(always)]
    fn each<R: Copy + Default>(self, mut make: impl FnMut(T) -> R) -> [R; N] {
        let mut made = [R::default(); N];
        for (place, element) in made.iter_mut().zip(self) {
            *place = make(element);
        }
        made
    }
}
