//! Gases, by what theory says of their collisions and energies.

use super::*;

/// Enskog's collision rate of equal discs, diameter 1 and mass 1, at a temperature of 1: `2√π n χ` for each.
fn rate_of_discs(count: f64, area: f64, at_contact: f64) -> f64 {
    2.0 * PI.sqrt() * (count / area) * at_contact
}

/// Haff: each collision takes (1 − ε²) T on average, of N T in all, so that T = 1/(1 + t/τ)² with 1/τ = (1 − ε²) ω₀/4.
///
/// The fluctuations of 12,700 collisions are 1 % of the energy; that speeds are not quite Maxwell's (equal at first,
/// a₂ = −0.019 later) is worth another 1 %. That neighbours come to move alike, which Haff leaves out, is worth more
/// the longer the run: one trajectory was 5.5 % above it after 50 s. So the gas is looked at after 25 s.
#[test]
fn a_granular_gas_cools_by_haffs_law() {
    let (mut run, world) = start("granular_cooling");
    assert_eq!(run.run_to(25.0), Ok(End::Time));
    let (count, fraction) = (1500.0, 1500.0 * PI / 4.0 / 8100.0);
    let at_contact = (1.0 - 7.0 / 16.0 * fraction) / ((1.0 - fraction) * (1.0 - fraction));
    let rate = rate_of_discs(count, 8100.0, at_contact);
    let loss = 1.0 - 0.95 * 0.95;
    let cooled = 1.0 / (1.0 + loss * rate / 4.0 * 25.0);
    let audit = run.audit();
    assert_near(&[audit.initial.translational], &[count], 1e-9);
    let temperature = audit.now.translational / count;
    assert_near(&[temperature / (cooled * cooled)], &[1.0], 0.05);
    let by_collisions = (-loss * run.collisions() as f64 / count).exp();
    assert_near(&[temperature / by_collisions], &[1.0], 0.05);
    assert_eq!(world.bodies().len(), 1500);
    assert!(audit.deepest_overlap < 1e-12);
}

/// Z = 1 + 2 η χ for discs, by Henderson. 20,900 collisions have fluctuations of 0.7 % or less: four of them.
#[test]
fn a_gas_of_discs_collides_as_henderson_says() {
    let (mut run, _) = start("gas_of_discs");
    assert_eq!(run.run_to(30.0), Ok(End::Time));
    let (count, area) = (600.0, 1600.0);
    let fraction = count * PI / 4.0 / area;
    let z = (1.0 + fraction * fraction / 8.0) / ((1.0 - fraction) * (1.0 - fraction));
    let rate = rate_of_discs(count, area, (z - 1.0) / (2.0 * fraction));
    let expected = 0.5 * count * rate * 30.0;
    assert_near(&[run.collisions() as f64 / expected], &[1.0], 0.03);
    assert_near(&[run.audit().now.translational], &[count], 1e-9);
}

/// Z = 1 + 4 η χ for spheres, by Carnahan and Starling; each collides `4√π n χ` times a second. Fluctuations as above.
#[test]
fn a_gas_of_spheres_collides_as_carnahan_and_starling_say() {
    let summary = summary("gas_3d");
    check_books(&summary);
    let (count, volume) = (800.0, 1728.0);
    let eta = count * PI / 6.0 / volume;
    let z = (1.0 + eta + eta * eta - eta * eta * eta) / ((1.0 - eta) * (1.0 - eta) * (1.0 - eta));
    let rate = 4.0 * PI.sqrt() * (count / volume) * (z - 1.0) / (4.0 * eta);
    let expected = 0.5 * count * rate * 12.0;
    let collisions = number(&summary["collisions"]["total"]);
    assert_near(&[collisions / expected], &[1.0], 0.03);
    assert_near(
        &[number(&summary["audit"]["energy"]["translational"])],
        &[1200.0],
        1e-9,
    );
}

/// Equipartition: the large discs, at rest at first, end up with the mean energy of all (but one, as the momentum is
/// fixed). Means over 60 discs at 40 times, of which some dozen are independent of each other: 1/√(60·12) is 4 %, and
/// four of those.
#[test]
fn large_and_small_discs_come_to_share_the_energy() {
    let (mut run, world) = start("mixed_sizes");
    let ids = |kind: &str| -> Vec<(BodyId, f64)> {
        let named = (0u32..).zip(world.bodies());
        let of_kind = named.filter(|(_, body)| body.name.starts_with(kind));
        of_kind
            .map(|(id, body)| match &body.kind {
                Kind::Free(free) => (BodyId(id), free.mass),
                _ => panic!("not free"),
            })
            .collect()
    };
    let (large, small) = (ids("large"), ids("small"));
    assert_eq!((large.len(), small.len()), (60, 600));
    let mean = |run: &Exact<Space2>, balls: &[(BodyId, f64)]| {
        let energy =
            |(id, mass): &(BodyId, f64)| 0.5 * mass * run.state(*id).velocity.length_squared();
        balls.iter().map(energy).sum::<f64>() / balls.len() as f64
    };
    assert_eq!(mean(&run, &large), 0.0);
    let (mut of_large, mut of_small) = (0.0, 0.0);
    let times = 40;
    for time in 0..times {
        assert_eq!(run.run_to(40.0 + f64::from(time)), Ok(End::Time));
        of_large += mean(&run, &large) / f64::from(times);
        of_small += mean(&run, &small) / f64::from(times);
    }
    let all = run.audit().initial.translational;
    let expected = all / 659.0;
    assert_near(&[of_large], &[expected], 0.16 * expected);
    assert_near(&[of_small], &[expected], 0.05 * expected);
    assert_near(&[run.audit().now.translational], &[all], 1e-9);
}

/// Haff's law for viscoelastic discs, by the collisions that there were: each takes `¼ ⟨v² (1 − ε²)⟩` of the energy of
/// two, v being distributed as `v/(2T) exp(−v²/4T)`. Tolerance as above.
#[test]
fn a_viscoelastic_gas_cools_less() {
    let (mut run, world) = start("viscoelastic_cooling");
    let grain = world.materials.find("grain").unwrap();
    assert_eq!(run.run_to(25.0), Ok(End::Time));
    let taken = |temperature: f64| {
        let width = 0.01 * temperature.sqrt();
        let part = |k: i32| {
            let v = (f64::from(k) + 0.5) * width;
            let restitution = world.materials.restitution_at(grain, grain, v);
            let density = v / (2.0 * temperature) * (-v * v / (4.0 * temperature)).exp();
            0.25 * v * v * (1.0 - restitution * restitution) * density * width
        };
        (0..1200).map(part).sum::<f64>()
    };
    let (mut expected, steps) = (1.0, 100);
    for _ in 0..steps {
        expected -= run.collisions() as f64 / 1500.0 / f64::from(steps) * taken(expected);
    }
    let audit = run.audit();
    let temperature = audit.now.translational / 1500.0;
    assert_near(&[temperature / expected], &[1.0], 0.05);
    assert!(audit.deepest_overlap < 1e-12);
}

/// Van Noije and Ernst: 1 J, as the scene says. One sample of 500 discs scatters by 1/√500, 4.5 %: three of them.
#[test]
fn a_heated_gas_comes_to_its_temperature() {
    let summary = summary("heated_gas");
    assert_eq!(summary["outcome"]["status"], "completed");
    let audit = &summary["audit"];
    let temperature = number(&audit["energy"]["translational"]) / 500.0;
    assert_near(&[temperature], &[1.0], 0.135);
    assert!(number(&audit["given"]) > 500.0);
    assert!(number(&audit["energy_residual"]).abs() < 1e-9);
}

/// Shaken walls do work, collisions take it, and the grains are denser in the middle than at the walls.
#[test]
fn a_gas_between_shaken_walls_is_dense_in_the_middle() {
    let summary = summary("shaken_gas");
    check_books(&summary);
    assert!(number(&summary["audit"]["work_by_kinematic"]) > 100.0);
    let bodies = summary["bodies"].as_array().unwrap();
    let free = bodies.iter().filter(|body| body["motion"] == "free");
    let middle = free
        .filter(|body| (10.0..30.0).contains(&number(&body["position"][0])))
        .count();
    // Half of the 200 would be there in a uniform gas, ± 7.
    assert!(middle > 121, "{middle}");
}

/// The flow is `0.4 (y − 20)` on the average, what the shear gives is what collisions take, and what is left is
/// the heat of the grains.
#[test]
fn grains_in_a_sheared_box_flow_and_keep_their_temperature() {
    let summary = summary("shear_flow");
    check_books(&summary);
    let audit = &summary["audit"];
    let [work, lost] = ["shear_work", "lost_in_collisions"].map(|key| number(&audit[key]));
    // A tenth of the run it takes to cool from the start to the temperature that it keeps: 815 J · 0.5 of some 7,700.
    assert_near(&[work / lost], &[1.0], 0.1);
    let bodies = summary["bodies"].as_array().unwrap();
    let relative = bodies.iter().map(|body| {
        let flow = 0.4 * (number(&body["position"][1]) - 20.0);
        number(&body["velocity"][0]) - flow
    });
    let number_of_grains = bodies.len() as f64;
    let mean = relative.clone().sum::<f64>() / number_of_grains;
    let spread = relative.map(|v| v * v).sum::<f64>() / number_of_grains;
    // They were at rest relative to the flow, and that is kept; between top and bottom the flow differs by 16 m/s.
    assert!(mean.abs() < 0.05, "{mean}");
    assert!((0.2..1.5).contains(&spread), "{spread}");
}
