//! Accounts of small kernels add up; refusals name their rule.

use super::*;
use autotune_kernel::source::SourceReader;
use autotune_lowering::spec::Spec;

const SPEC: &str = "
kernel: tiles
parameters: { WG: { values: [32, 64, 128, 2048] }, TS: { values: [2, 4, 8] } }
let: { half: TS / 2 }
constraints: [ WG > 32 || half < 4 ]
launch: { work_items: 65536, work_group: WG }
resources: { registers: 16 + 100 * TS }
body:
  - load: { array: a, per_item: TS }
  - local: { per_item: TS }
  - barrier
  - loop:
      count: 3
      body:
        - local: { per_item: 2 * TS }
        - compute: { per_item: 40 * TS }
        - load: { array: b, stride: 7 }
        - barrier
  - store: { array: c, stride: WG }
";

fn explained(gpu: &str, values: [i64; 2]) -> Explanation {
    let spec = Spec::parse(SPEC, "tiles.yaml").unwrap();
    let profile = Profile::resolve(gpu).unwrap();
    explain(&spec, &profile, &SourceReader::default(), &Configuration(values.to_vec()), &Limits::default()).unwrap()
}

#[test]
fn launch_and_path_are_the_time_and_no_server_is_busy_for_longer() {
    for gpu in ["volta", "gtx480", "gtx285", "mi50", "abstract-fermi"] {
        for values in [[32, 2], [64, 4], [128, 8]] {
            let account = explained(gpu, values).outcome.unwrap();
            let path = account.path.unwrap();
            let sum: f64 = path.iter().map(|spent| spent.ticks).sum();
            let behind_launch = num_traits::ToPrimitive::to_f64(&(account.ticks.get() - account.launch)).unwrap();
            assert!((sum / behind_launch - 1.0).abs() < 1e-9, "{gpu}, {values:?}: {sum} is not {behind_launch}");
            for ServerShare { server, busy, .. } in account.servers {
                assert!(busy <= (account.ticks.get() - account.launch).into(), "{gpu}, {values:?}: {server:?}");
            }
            assert!(path.iter().all(|spent| !spent.statement.is_empty()), "{path:?}");
        }
    }
}

#[test]
fn every_statement_is_told_by_its_line_and_spilling_apart() {
    let account = explained("volta", [128, 8]).outcome.unwrap();
    let path = account.path.unwrap();
    let has = |line: Option<u32>, statement: &str| path.iter().any(|it| it.line == line && it.statement == statement);
    assert!(has(Some(9), "load a") && has(Some(17), "load b") && has(Some(16), "compute"), "{path:?}");
    // 816 registers are far beyond any limit.
    assert!(has(None, "registers that spill"), "{path:?}");
    let small = explained("volta", [128, 2]).outcome.unwrap().path.unwrap();
    assert!(small.iter().all(|spent| spent.line.is_some()), "{small:?}");
}

#[test]
fn a_refusal_names_the_rule_and_its_values() {
    let refusal = explained("volta", [32, 8]).outcome.unwrap_err();
    assert_eq!((refusal.rule.as_str(), refusal.line), ("WG > 32 || half < 4", Some(5)));
    assert_eq!(
        refusal.values.into_iter().collect::<Vec<_>>(),
        [("WG".to_owned(), 32.into()), ("half".to_owned(), 4.into())]
    );
    let limit = explained("volta", [2048, 2]);
    let refusal = limit.outcome.unwrap_err();
    assert_eq!((refusal.reason.as_str(), refusal.line), ("work_group: 2048 > 1024", None));
    // A change that would make it feasible is listed too.
    assert_eq!(limit.changes[0].parameter, 0);
}

#[test]
fn the_best_change_of_one_parameter_is_the_best_of_all_neighbours() {
    let ticks = |values| explained("volta", values).outcome.unwrap().ticks;
    let explanation = explained("volta", [64, 4]);
    let own = |parameter: usize, all: &[[i64; 2]]| {
        all.iter().map(|values| (ticks(*values), values[parameter])).min().unwrap()
    };
    let mut expected = vec![(own(0, &[[32, 4], [128, 4]]), 0), (own(1, &[[64, 2], [64, 8]]), 1)];
    expected.sort_unstable();
    let told: Vec<_> =
        explanation.changes.iter().map(|change| ((change.ticks, change.value), change.parameter)).collect();
    assert_eq!(told, expected);
    let (fastest, least) = explanation.fastest.unwrap();
    assert_eq!(ticks([fastest.0[0], fastest.0[1]]), least);
    assert!(told.iter().all(|((ticks, _), _)| *ticks >= least));
}
