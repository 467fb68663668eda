//! The enumeration of spaces: one whose constraints leave all, others where they leave few configurations.

use std::ops::ControlFlow;
use std::time::Instant;

use autotune::gpu;
use autotune::space::{Space, Visit};
use autotune::spec::{Configuration, Spec};

use crate::ask::Result;
use crate::table::{Figures, ratio, seconds};

/// The number of configurations that are looked at one by one, to estimate how long all of them would take.
const LOOKED_AT: u64 = 100_000;

/// Names of parameters, their domain, and conditions.
type Rules = (&'static str, Vec<(&'static str, &'static str)>, &'static [&'static str]);

/// Sums, products and divisors as users write them, and the space of a matrix product of many parameters.
fn rules() -> [Rules; 5] {
    let of = |names: &'static str, domain| names.split(' ').map(|name| (name, domain)).collect::<Vec<_>>();
    let group = "values: [8, 16, 32]";
    let product = [
        of("MWG NWG", "values: [16, 32, 64, 128]"),
        of("KWG", "values: [16, 32]"),
        of("MDIMC NDIMC MDIMA NDIMB", group),
        of("KWI", "values: [2, 8]"),
        of("VWM VWN", "values: [1, 2, 4, 8]"),
        of("STRM STRN SA SB", "values: [0, 1]"),
    ];
    let dense = [of("a c", "range: { from: 1, to: 70 }"), of("b", "range: { from: 1, to: 60 }")];
    [
        // Nearly all of the work is in the configurations, none in the condition.
        ("dense", dense.concat(), &["a > 0"]),
        ("sum", of("a b c d e f g h", "range: { from: 1, to: 12 }"), &["a + b + c + d + e + f + g + h == 12"]),
        ("product", of("a b c d e", "range: { from: 1, to: 64 }"), &["a * b * c * d * e <= 64"]),
        ("divisors", of("a b c d e", "range: { from: 1, to: 64 }"), &["1048576 % (a * b * c * d * e) == 0"]),
        (
            "matrix product",
            product.concat(),
            &[
                "KWG % KWI == 0",
                "MWG % (MDIMC * VWM) == 0",
                "NWG % (NDIMC * VWN) == 0",
                "MWG % (MDIMA * VWM) == 0",
                "NWG % (NDIMB * VWN) == 0",
                "KWG % ((MDIMC * NDIMC) / MDIMA) == 0",
                "KWG % ((MDIMC * NDIMC) / NDIMB) == 0",
            ],
        ),
    ]
}

/// For each space, the time of its enumeration beside the time of looking at each configuration.
pub(crate) fn table() -> Result<String> {
    let header = ["space", "one by one / s", "configurations", "feasible", "visits", "s"];
    let title = format!("the enumeration of spaces; one by one is estimated from {LOOKED_AT} configurations");
    let mut figures = Figures::new(&title, &header);
    let names = gpu::find("fermi")?.profile.names(false);
    for (name, parameters, conditions) in rules() {
        let parameters = parameters.iter().map(|(name, domain)| format!("  {name}: {{ {domain} }}\n"));
        let text = format!(
            "kernel: k\nparameters:\n{}constraints: [ '{}' ]\nlaunch: {{ work_items: 1, work_group: 1 }}\nbody: []\n",
            parameters.collect::<String>(),
            conditions.join("', '")
        );
        let spec = Spec::parse(&text, name)?;
        let space = Space::new(&spec, &names)?;
        let (mut visits, mut feasible) = (0_u64, 0_u64);
        let began = Instant::now();
        space.visit(&mut |visit| {
            visits += 1;
            feasible += u64::from(matches!(visit, Visit::Feasible(_)));
            ControlFlow::Continue(())
        })?;
        let walked = began.elapsed().as_secs_f64();
        figures.row([
            name.to_owned(),
            ratio(one_by_one(&space)?, walked),
            space.size().to_string(),
            feasible.to_string(),
            visits.to_string(),
            seconds(walked),
        ]);
    }
    Ok(figures.finish())
}

/// The seconds of looking at each configuration, estimated from some at even distances.
#[expect(clippy::cast_precision_loss, reason = "an estimate")]
fn one_by_one(space: &Space) -> Result<f64> {
    let distance = (space.size() / u128::from(LOOKED_AT)).max(1);
    let began = Instant::now();
    let mut looked_at = 0_u64;
    for number in (0..space.size()).step_by(usize::try_from(distance)?) {
        let mut rest = number;
        let value = |domain: &Vec<i64>| {
            let position = usize::try_from(rest % domain.len() as u128).unwrap_or(0);
            rest /= domain.len() as u128;
            domain[position]
        };
        space.excluded_by(&Configuration(space.domains().iter().map(value).collect()))?;
        looked_at += 1;
    }
    Ok(began.elapsed().as_secs_f64() / looked_at as f64 * space.size() as f64)
}
