//! Arrays element by element.

/// What the standard library's `map` does. That one is not marked for inlining, and in the inner loops a call for each
/// coordinate costs more than the arithmetic.
pub(crate) trait Each<T, const N: usize> {
    /// Something for each element, in their order.
    fn each<R>(self, make: impl FnMut(T) -> R) -> [R; N];
}

impl<T: Copy, const N: usize> Each<T, N> for [T; N] {
    #[inline(always)]
    fn each<R>(self, mut make: impl FnMut(T) -> R) -> [R; N] {
        std::array::from_fn(|index| make(self[index]))
    }
}
