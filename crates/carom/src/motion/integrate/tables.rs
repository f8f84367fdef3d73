//! Numbers that the collocation needs, all of them made from the eight nodes when the library is compiled.
//!
//! With `N_k(τ) = ∏_{j<k} (τ − c_j)`, Newton's basis on the nodes, `∫N_k` means the integral from 0 to τ and `∬N_k` the
//! integral of that.

/// How many nodes; the acceleration is a polynomial of one degree less, the place of one more.
pub(super) const NODES: usize = 8;

/// The Gauss–Radau nodes of [0, 1] with 0 among them: the roots of `P₇(2τ − 1) + P₈(2τ − 1)`, Legendre's polynomials.
pub(super) const NODE: [f64; NODES] = [
    0.0,
    0.056_262_560_536_922_15,
    0.180_240_691_736_892_36,
    0.352_624_717_113_169_6,
    0.547_153_626_330_555_4,
    0.734_210_177_215_410_5,
    0.885_320_946_839_095_8,
    0.977_520_613_561_287_5,
];

type Table = [[f64; NODES]; NODES];

/// With N₈ too, which vanishes at all nodes.
type Powers = [[f64; NODES + 1]; NODES + 1];

/// `BASIS[k][p]`: the coefficient of τ^p in N_k.
pub(super) const BASIS: Powers = basis();

/// `INVERSE[n][j] = 1 / (c_n − c_j)` for j < n.
pub(super) const INVERSE: Table = inverse();

/// `ONCE[n][k]`: ∫N_k at c_n.
pub(super) const ONCE: Table = at_nodes(false);

/// `TWICE[n][k]`: ∬N_k at c_n.
pub(super) const TWICE: Table = at_nodes(true);

/// Just before the end of a step, where a jump at its very end is not yet seen.
pub(super) const END: f64 = 1.0 - 1.0 / 1_048_576.0;

/// `END_ONCE[k]`, `END_TWICE[k]`, `END_VALUE[k]`: ∫N_k, ∬N_k and N_k at [`END`].
pub(super) const END_ONCE: [f64; NODES + 1] = at_end(false);
/// See [`END_ONCE`].
pub(super) const END_TWICE: [f64; NODES + 1] = at_end(true);
/// See [`END_ONCE`].
pub(super) const END_VALUE: [f64; NODES + 1] = products();

/// The largest |∫N_k| on [0, 1]: how much a term of the acceleration can matter for the velocity.
pub(super) const MOST_ONCE: [f64; NODES + 1] = largest(false);

/// The largest |∬N_k| on [0, 1]: how much it can matter for the place.
pub(super) const MOST_TWICE: [f64; NODES + 1] = largest(true);

const fn basis() -> Powers {
    let mut table = [[0.0; NODES + 1]; NODES + 1];
    table[0][0] = 1.0;
    let mut k = 1;
    while k <= NODES {
        let mut power = 0;
        while power <= NODES {
            let raised = if power == 0 {
                0.0
            } else {
                table[k - 1][power - 1]
            };
            table[k][power] = raised - NODE[k - 1] * table[k - 1][power];
            power += 1;
        }
        k += 1;
    }
    table
}

const fn inverse() -> Table {
    let mut table = [[0.0; NODES]; NODES];
    let mut n = 1;
    while n < NODES {
        let mut j = 0;
        while j < n {
            table[n][j] = 1.0 / (NODE[n] - NODE[j]);
            j += 1;
        }
        n += 1;
    }
    table
}

/// ∫N_k, or ∬N_k, at τ.
const fn integral(k: usize, twice: bool, tau: f64) -> f64 {
    let mut value = 0.0;
    let mut power = NODES + 1;
    while power > 0 {
        power -= 1;
        let once = BASIS[k][power] / (power + 1) as f64;
        let term = if twice {
            once / (power + 2) as f64
        } else {
            once
        };
        value = value * tau + term;
    }
    if twice {
        value * tau * tau
    } else {
        value * tau
    }
}

const fn at_nodes(twice: bool) -> Table {
    let mut table = [[0.0; NODES]; NODES];
    let mut n = 0;
    while n < NODES {
        let mut k = 0;
        while k < NODES {
            table[n][k] = integral(k, twice, NODE[n]);
            k += 1;
        }
        n += 1;
    }
    table
}

const fn at_end(twice: bool) -> [f64; NODES + 1] {
    let mut row = [0.0; NODES + 1];
    let mut k = 0;
    while k <= NODES {
        row[k] = integral(k, twice, END);
        k += 1;
    }
    row
}

const fn products() -> [f64; NODES + 1] {
    let mut row = [1.0; NODES + 1];
    let mut k = 1;
    while k <= NODES {
        row[k] = row[k - 1] * (END - NODE[k - 1]);
        k += 1;
    }
    row
}

const fn largest(twice: bool) -> [f64; NODES + 1] {
    // Between samples this dense a polynomial of degree 9 changes by less than a few percent of its maximum.
    const SAMPLES: usize = 128;
    let mut most = [0.0; NODES + 1];
    let mut k = 0;
    while k <= NODES {
        let mut sample = 1;
        while sample <= SAMPLES {
            let value = integral(k, twice, sample as f64 / SAMPLES as f64).abs();
            if value > most[k] {
                most[k] = value;
            }
            sample += 1;
        }
        k += 1;
    }
    most
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Radau's formula: the weights that integrate Newton's basis exactly integrate every polynomial up to degree 14,
    /// and not one of degree 15. One wrong digit in a node breaks that.
    #[test]
    fn the_nodes_integrate_up_to_degree_14() {
        // ∫₀¹p over the interpolating polynomial, by divided differences.
        let integrate = |degree: i32| {
            let mut total = 0.0;
            let mut differences: Vec<f64> = NODE
                .iter()
                .map(|&c| (0..degree).fold(1.0, |product, _| product * c))
                .collect();
            for k in 0..NODES {
                total += differences[0] * integral(k, false, 1.0);
                differences = (0..differences.len().saturating_sub(1))
                    .map(|j| (differences[j + 1] - differences[j]) / (NODE[j + k + 1] - NODE[j]))
                    .collect();
            }
            total
        };
        for degree in 0..=14 {
            let error = integrate(degree) - 1.0 / f64::from(degree + 1);
            // Divided differences of eight nodes enlarge rounding by up to the product of INVERSE, a few thousand.
            assert!(error.abs() < 1e-12, "degree {degree}: {error:e}");
        }
        // At degree 15 the error is ∫₀¹ τ ∏_{j>0}(τ − c_j)² dτ = 1.5e-9 up to its sign, far above rounding.
        assert!((integrate(15) - 1.0 / 16.0).abs() > 1e-9);
    }
}
