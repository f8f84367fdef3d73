//! The library's kernels keep their bounds: on stored hard cases and on a small table.

use accuracy::hard::{StoredTruth, read_all};
use accuracy::kernels::{KERNELS, Kernel};
use accuracy::oracle::{Oracle, Truth};
use accuracy::tally::{Tally, random, stored};
use accuracy::{generate, response, table, text};

/// All rows hold, or the table of those that do not.
fn assert_holds(tallies: impl Iterator<Item = (&'static Kernel, Tally)>) {
    let failures: Vec<String> = tallies
        .filter(|(kernel, tally)| !tally.holds(kernel))
        .map(|(kernel, tally)| {
            let examples: Vec<String> = tally
                .examples
                .iter()
                .take(3)
                .map(|example| format!("\n    {}", text::write(&example.case)))
                .collect();
            table::line(kernel, "", &tally, false) + &examples.concat()
        })
        .collect();
    assert!(
        failures.is_empty(),
        "\n{}\n{}",
        table::heading(false),
        failures.join("\n")
    );
}

#[test]
fn random_cases_keep_the_bounds() {
    assert_holds(
        KERNELS
            .iter()
            .map(|kernel| (kernel, random(kernel, 2_000, 1))),
    );
}

#[test]
fn impulses_keep_the_bounds() {
    let (rows, hold) = response::rows(20_000, false);
    assert!(hold, "{rows}");
}

#[test]
fn stored_hard_cases_keep_the_bounds() {
    let cases = read_all().expect("readable files");
    assert_holds(
        KERNELS
            .iter()
            .map(|kernel| (kernel, stored(kernel, &cases))),
    );
}

#[test]
fn every_kernel_has_stored_cases() {
    let cases = read_all().expect("readable files");
    for kernel in &KERNELS {
        assert!(stored(kernel, &cases).cases >= 30, "{}", kernel.name());
    }
}

#[test]
fn stored_truths_are_what_the_oracle_finds() {
    for stored in read_all().expect("readable files") {
        let truth = Oracle::new(&stored.case, 0.0).first_contact();
        let agree = match (&truth, &stored.truth) {
            (Truth::Never, StoredTruth::Never) => true,
            (Truth::Touch(time), StoredTruth::Touch(expected)) => {
                (time.minus(expected)).near().abs() <= 1e-40 * expected.near()
            }
            (Truth::Contact(contact), StoredTruth::Contact(onset, expected)) => {
                contact.onset == *onset
                    && (contact.time.minus(expected)).near().abs() <= 1e-40 * expected.near()
            }
            _ => false,
        };
        assert!(agree, "{}: {:?}", text::write(&stored.case), stored.truth);
    }
}

#[test]
fn the_table_does_not_depend_on_the_threads() {
    let kernel = &KERNELS[0];
    let line = |threads| table::line(kernel, "", &random(kernel, 3_000, threads), false);
    assert_eq!(line(1), line(3));
}

#[test]
fn text_survives_the_way_there_and_back() {
    let mut draw = generate::Draw::new(5);
    for kernel in &KERNELS {
        for _ in 0..50 {
            let family = generate::family(&mut draw);
            let case = generate::case(kernel, family, &mut draw);
            let line = text::write(&case);
            let (back, rest) = text::read(&line).expect("a case");
            assert_eq!(back, case);
            assert!(rest.is_empty());
        }
    }
    assert!(text::read("4 1 2").is_err());
    assert!(text::read("2 1 2 three").is_err());
}
