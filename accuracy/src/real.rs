//! One arithmetic interface for the three scalars the oracle computes with: `f64` to scan, [`Jet`] to learn the
//! curvature of a gap, [`Big`](crate::big::Big) to decide.
//!
//! The operations are methods on references because the wide numbers own memory: `a.times(&b)` allocates the product
//! and nothing else.

use std::fmt::Debug;

/// A real number, or what stands for one.
pub trait Real: Clone + Debug {
    /// Exactly this number.
    fn of(value: f64) -> Self;
    /// The nearest `f64`, or one of its neighbours.
    fn near(&self) -> f64;
    /// `self + other`.
    fn plus(&self, other: &Self) -> Self;
    /// `self − other`.
    fn minus(&self, other: &Self) -> Self;
    /// `self · other`.
    fn times(&self, other: &Self) -> Self;
    /// `self / other`.
    fn over(&self, other: &Self) -> Self;
    /// `−self`.
    fn negated(&self) -> Self;
    /// The square root of a number that is not negative.
    fn root(&self) -> Self;
    /// Sine and cosine of an angle in radians.
    fn sin_cos(&self) -> (Self, Self);
    /// The circle constant.
    fn pi() -> Self;
    /// −1, 0 or 1.
    fn sign(&self) -> i8;

    /// `1/n`, for `0 < n < 400`: the coefficients of sines.
    fn reciprocal(n: u16) -> Self {
        Self::of(1.0).over(&Self::of(f64::from(n)))
    }

    /// Zero.
    fn zero() -> Self {
        Self::of(0.0)
    }

    /// Whether `self < other`.
    fn below(&self, other: &Self) -> bool {
        self.minus(other).sign() < 0
    }

    /// The absolute value.
    fn size(&self) -> Self {
        if self.sign() < 0 {
            self.negated()
        } else {
            self.clone()
        }
    }
}

impl Real for f64 {
    fn of(value: f64) -> Self {
        value
    }
    fn near(&self) -> f64 {
        *self
    }
    fn plus(&self, other: &Self) -> Self {
        self + other
    }
    fn minus(&self, other: &Self) -> Self {
        self - other
    }
    fn times(&self, other: &Self) -> Self {
        self * other
    }
    fn over(&self, other: &Self) -> Self {
        self / other
    }
    fn negated(&self) -> Self {
        -self
    }
    fn root(&self) -> Self {
        self.sqrt()
    }
    fn sin_cos(&self) -> (Self, Self) {
        libm::sincos(*self)
    }
    fn pi() -> Self {
        std::f64::consts::PI
    }
    fn sign(&self) -> i8 {
        i8::from(*self > 0.0) - i8::from(*self < 0.0)
    }
    fn below(&self, other: &Self) -> bool {
        self < other
    }
}

/// A value with its first and second derivative with respect to time, in `f64`.
#[derive(Clone, Copy, Debug)]
pub struct Jet {
    /// The value.
    pub value: f64,
    /// Its rate.
    pub first: f64,
    /// The rate of its rate.
    pub second: f64,
}

impl Jet {
    /// Time itself, at `t`.
    pub fn time(t: f64) -> Self {
        Jet {
            value: t,
            first: 1.0,
            second: 0.0,
        }
    }
}

impl Real for Jet {
    fn of(value: f64) -> Self {
        Jet {
            value,
            first: 0.0,
            second: 0.0,
        }
    }
    fn near(&self) -> f64 {
        self.value
    }
    fn plus(&self, o: &Self) -> Self {
        Jet {
            value: self.value + o.value,
            first: self.first + o.first,
            second: self.second + o.second,
        }
    }
    fn minus(&self, o: &Self) -> Self {
        self.plus(&o.negated())
    }
    fn times(&self, o: &Self) -> Self {
        Jet {
            value: self.value * o.value,
            first: self.first * o.value + self.value * o.first,
            second: self.second * o.value + 2.0 * self.first * o.first + self.value * o.second,
        }
    }
    fn over(&self, o: &Self) -> Self {
        let value = self.value / o.value;
        let first = (self.first - value * o.first) / o.value;
        let second = (self.second - 2.0 * first * o.first - value * o.second) / o.value;
        Jet {
            value,
            first,
            second,
        }
    }
    fn negated(&self) -> Self {
        Jet {
            value: -self.value,
            first: -self.first,
            second: -self.second,
        }
    }
    fn root(&self) -> Self {
        let value = self.value.sqrt();
        let first = self.first / (2.0 * value);
        let second = (self.second - 2.0 * first * first) / (2.0 * value);
        Jet {
            value,
            first,
            second,
        }
    }
    fn sin_cos(&self) -> (Self, Self) {
        let (sin, cos) = libm::sincos(self.value);
        let (first, second, square) = (self.first, self.second, self.first * self.first);
        let sine = Jet {
            value: sin,
            first: cos * first,
            second: cos * second - sin * square,
        };
        let cosine = Jet {
            value: cos,
            first: -sin * first,
            second: -sin * second - cos * square,
        };
        (sine, cosine)
    }
    fn pi() -> Self {
        Jet::of(std::f64::consts::PI)
    }
    fn sign(&self) -> i8 {
        self.value.sign()
    }
}

/// Three components; in the plane the third is zero.
pub type Vector<R> = [R; 3];

/// Exactly these components.
pub fn vector<R: Real>(components: [f64; 3]) -> Vector<R> {
    components.map(R::of)
}

/// The inner product.
pub fn dot<R: Real>(a: &Vector<R>, b: &Vector<R>) -> R {
    a[0].times(&b[0])
        .plus(&a[1].times(&b[1]))
        .plus(&a[2].times(&b[2]))
}

/// `a + b`.
pub fn add<R: Real>(a: &Vector<R>, b: &Vector<R>) -> Vector<R> {
    [a[0].plus(&b[0]), a[1].plus(&b[1]), a[2].plus(&b[2])]
}

/// `a − b`.
pub fn sub<R: Real>(a: &Vector<R>, b: &Vector<R>) -> Vector<R> {
    [a[0].minus(&b[0]), a[1].minus(&b[1]), a[2].minus(&b[2])]
}

/// `a · factor`.
pub fn scale<R: Real>(a: &Vector<R>, factor: &R) -> Vector<R> {
    [a[0].times(factor), a[1].times(factor), a[2].times(factor)]
}

/// `a × b`.
pub fn cross<R: Real>(a: &Vector<R>, b: &Vector<R>) -> Vector<R> {
    let part = |i: usize, j: usize| a[i].times(&b[j]).minus(&a[j].times(&b[i]));
    [part(1, 2), part(2, 0), part(0, 1)]
}

/// The length.
pub fn length<R: Real>(a: &Vector<R>) -> R {
    dot(a, a).root()
}

/// The nearest `f64` components.
pub fn near<R: Real>(a: &Vector<R>) -> [f64; 3] {
    [a[0].near(), a[1].near(), a[2].near()]
}

/// The rows of a matrix times a vector.
pub fn turn<R: Real>(rows: &[Vector<R>; 3], a: &Vector<R>) -> Vector<R> {
    [dot(&rows[0], a), dot(&rows[1], a), dot(&rows[2], a)]
}
