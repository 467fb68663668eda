//! Bodies of counts: what neighbours say of errors is what each configuration says alone.

use super::*;
use crate::lowering::{Neighbour, Priced};

/// Numbers from a seed.
struct Random(u64);

impl Random {
    fn below(&mut self, most: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % most
    }

    fn one<'a>(&mut self, of: &[&'a str]) -> &'a str {
        of[usize::try_from(self.below(of.len() as u64)).unwrap()]
    }
}

const COUNTS: [&str; 9] =
    ["1", "A", "A * B", "'ceil_div(C, A)'", "C / A", "C - A", "half", "'S ? A : B'", "(1 - S) * B"];
const GROUPS: [&str; 3] = ["32 * A", "64 * B", "128"];
const FOOTPRINTS: [&str; 4] = ["4 * wg", "64 * A", "4 * wg * B", "A"];

fn statement(random: &mut Random, depth: u64) -> String {
    let count = random.one(&COUNTS);
    match random.below(if depth > 1 { 5 } else { 8 }) {
        0 => format!("compute: {{ per_item: {count}, items: {} }}", random.one(&["wg", "32 * B", "wg"])),
        1 => format!("compute: {{ per_item: {count}, chain: {} }}", random.one(&COUNTS)),
        2 => format!(
            "load: {{ array: a, per_item: {count}, vector: {}, stride: {}, in_flight: {}, footprint: {{ group: '{}' }} }}",
            random.one(&["1", "A", "64 * B"]),
            random.one(&["1", "B", "[A, 64]"]),
            random.one(&COUNTS),
            random.one(&FOOTPRINTS),
        ),
        3 => format!(
            "store: {{ array: b, per_item: {count}, footprint: {{ together: '{} * concurrent' }} }}",
            random.one(&FOOTPRINTS)
        ),
        4 => format!("local: {{ per_item: {count}, vector: {} }}", random.one(&["1", "A", "128 * B"])),
        5 => "barrier".to_owned(),
        6 => format!("loop: {{ count: {count}, body: {} }}", body(random, depth + 1)),
        _ => {
            let divergent = random.one(&["S", "A > B", "0"]);
            format!(
                "branch: {{ divergent: '{divergent}', then: {}, else: {} }}",
                body(random, depth + 1),
                body(random, depth + 1)
            )
        }
    }
}

fn body(random: &mut Random, depth: u64) -> String {
    let statements: Vec<String> = (0..=random.below(3)).map(|_| statement(random, depth)).collect();
    let item = |one: &String| if one == "barrier" { one.clone() } else { format!("{{ {one} }}") };
    format!("[{}]", statements.iter().map(item).collect::<Vec<_>>().join(", "))
}

fn spec(random: &mut Random) -> Spec {
    let group = random.one(&GROUPS);
    let registers = random.one(&["16", "40 * A", "C"]);
    let text = format!(
        "kernel: k\nparameters: {{ A: {{ values: [1, 2, 3, 8] }}, B: {{ values: [1, 2, 4] }}, C: {{ values: [6, 64] }}, S: {{ values: [0, 1] }} }}\n\
         let: {{ half: C / 4, wg: {group} }}\nlaunch: {{ work_items: 65536, work_group: wg }}\n\
         resources: {{ registers: {registers}, spill_uses: {}, local_memory: 256 * A * B }}\nbody: {}\n",
        random.one(&["1", "C / A"]),
        body(random, 0)
    );
    Spec::parse(&text, "k.yaml").unwrap_or_else(|why| panic!("{why}\n{text}"))
}

#[test]
fn what_neighbours_say_of_errors_is_what_each_configuration_says_alone() {
    let (reader, mut random) = (SourceReader::default(), Random(7));
    let (mut clean, mut wrong, mut answered) = (0, 0, 0);
    for _ in 0..120 {
        let spec = spec(&mut random);
        let profile = &find(random.one(&["abstract-fermi", "a100", "gtx480", "mi50"])).unwrap().profile;
        let together = Lowering::new(&spec, profile, &reader);
        let (mut before, mut priced) = (Neighbour::default(), Priced::default());
        let fits = Lowering::new(&spec, profile, &reader);
        let space = Space::new(&spec, together.names()).unwrap();
        let mut all = Vec::new();
        space
            .visit(&mut |visit| {
                if let Visit::Feasible(values) = visit {
                    all.push(Configuration(values.to_vec()));
                }
                std::ops::ControlFlow::Continue(())
            })
            .unwrap();
        for configuration in &all {
            let alone = Lowering::new(&spec, profile, &reader);
            let text = |(problems, limit): (Vec<LoweringError>, Option<Infeasible>)| {
                (problems.iter().map(ToString::to_string).collect::<Vec<_>>(), limit)
            };
            let label = || format!("{} on {}: {}", spec.label(configuration), profile.name(), spec.source.text());
            let expected = text(alone.problems(configuration, &mut Neighbour::default()));
            assert_eq!(text(together.problems(configuration, &mut before)), expected, "{}", label());
            let found = fits.fits(configuration, &mut priced).map(|fit| fit.feasible().map(|fit| fit.may_not_launch));
            let lowered = alone
                .lower(configuration)
                .map(|lowered| lowered.feasible().map(|lowered| lowered.work.is_some_and(|work| work.may_not_launch)));
            assert_eq!(found.map_err(|why| why.to_string()), lowered.map_err(|why| why.to_string()), "{}", label());
            if expected.0.is_empty() { clean += 1 } else { wrong += 1 }
        }
        answered += together.clean.as_ref().map_or(0, CleanBody::answered);
    }
    assert!(clean > 400 && wrong > 400 && answered > 200, "{clean} {wrong} {answered}");
}
