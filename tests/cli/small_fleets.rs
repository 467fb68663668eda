//! Small random fleets through real SPIN, and brute force over them by the evaluator.

use super::variants::least;
use super::*;

/// The number of fleets.
const FLEETS: u64 = 20;

/// A linear congruential generator: the tests are the same each time.
fn random(state: &mut u64, below: u64) -> u64 {
    *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    (*state >> 33) % below
}

/// A kernel of at most eight configurations, whose times differ in each scenario, and of which each scenario lacks some.
fn spec(state: &mut u64) -> String {
    let factors = [(); 5].map(|()| 1 + random(state, 12));
    let (few, rare) = (3 + random(state, 15), 6 + random(state, 8));
    format!(
        "kernel: small\nproblem: {{ n: 1 }}\n\
         parameters: {{ A: {{ values: [1, 2, 3, 4] }}, B: {{ values: [2, 4] }} }}\n\
         constraints: [ (A * {} + B * {} + n * {}) % {rare} != 0 ]\n\
         launch: {{ work_items: 16, work_group: B }}\n\
         body: [ compute: {{ per_item: (A * A * {} + B * {} + n * A * {}) % {few} * 5 + 1 }}, load: {{ array: a }} ]\n\
         varies: [fp32]\n",
        factors[3], factors[4], factors[0], factors[0], factors[1], factors[2],
    )
}

#[test]
fn brute_force_agrees_with_what_spin_proves_of_small_fleets() {
    let folder = tempfile::tempdir().unwrap();
    let (mut state, mut costly, mut infeasible, mut with_ties) = (4, 0, 0, 0);
    for fleet in 0..FLEETS {
        let path = folder.path().join(format!("{fleet}.yaml"));
        std::fs::write(&path, spec(&mut state)).unwrap();
        let scenarios = 2 + random(&mut state, 3);
        let times: Vec<Vec<(String, u64)>> = (1..=scenarios).map(|size| times(&path, size)).collect();
        for most in [1, 2] {
            let asked = ["--gpu", "abstract-tiny", "--format", "json", "--no-cost", "--quiet"];
            let sizes = (1..=scenarios).map(|size| size.to_string()).collect::<Vec<_>>().join(",");
            let (sizes, variants) = (format!("n={sizes}"), most.to_string());
            let ended = run(autotune().arg(&path).args(asked).args(["--set", &sizes, "--variants", &variants]));
            let report = json(&ended, "fleet.json");
            let Some((time, optimum)) = least(&times, most) else {
                infeasible += 1;
                assert_eq!((ended.status, &report["verdict"]), (4, &"infeasible".into()), "{fleet}: {}", ended.stderr);
                continue;
            };
            assert_eq!((ended.status, &report["verdict"]), (0, &"proved".into()), "{fleet}: {}", ended.stderr);
            let worst = if most == 1 { &report["optimum"]["worst"] } else { &report["together"]["worst"] };
            let told = (worst["numerator"].as_u64().unwrap(), worst["denominator"].as_u64().unwrap());
            assert_eq!(told.0 * optimum, told.1 * time, "{fleet}, {most}: {told:?}, {time} / {optimum}");
            costly += usize::from(time > optimum);
            if most == 1 {
                let found = 1 + report["ties"].as_array().unwrap().len();
                assert_eq!(found, tied(&times, (time, optimum)), "{fleet}");
                with_ties += usize::from(found > 1);
            }
        }
    }
    assert!(
        costly > 12 && infeasible > 0 && with_ties > 0,
        "{costly} costly, {infeasible} infeasible, {with_ties} with ties"
    );
}

/// The times of the configurations of a scenario.
fn times(spec: &Path, size: u64) -> Vec<(String, u64)> {
    let asked = ["--gpu", "abstract-tiny", "--format", "json", "--quiet", "--set", &format!("n={size}")];
    let evaluation = json(&run(autotune().arg("evaluate").arg(spec).args(asked)), "evaluation.json");
    let time = |one: &Value| Some((one["parameters"].to_string(), one["ticks"].as_u64()?));
    evaluation["configurations"].as_array().unwrap().iter().filter_map(time).collect()
}

/// The number of configurations that have this worst slowdown.
fn tied(times: &[Vec<(String, u64)>], worst: (u64, u64)) -> usize {
    let of_all = |label: &String| {
        let time = |own: &Vec<(String, u64)>| {
            let optimum = own.iter().map(|(_, time)| *time).min()?;
            Some((own.iter().find(|(one, _)| one == label)?.1, optimum))
        };
        let own = times.iter().map(time).collect::<Option<Vec<(u64, u64)>>>()?;
        own.into_iter().max_by(|one, two| (one.0 * two.1).cmp(&(two.0 * one.1)))
    };
    let labels = times[0].iter().map(|(label, _)| label);
    labels.filter_map(of_all).filter(|own| own.0 * worst.1 == own.1 * worst.0).count()
}
