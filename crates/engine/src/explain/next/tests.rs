//! The suggested change is the best value of a parameter, and nothing where no value is better.

use super::*;
use crate::explain::explain;
use autotune_base::limits::Limits;

const SPEC: &str = "
kernel: rows
parameters: { WG: { values: [32, 64, 2048] }, STRIDE: { values: [1, 8] } }
constraints: [ WG > 32 || STRIDE == 1 ]
launch: { work_items: 65536, work_group: WG }
body:
  - load: { array: a, stride: STRIDE }
  - store: { array: c }
";

fn next(values: [i64; 2], alone: bool) -> Option<NextChange> {
    let spec = Spec::parse(SPEC, "rows.yaml").unwrap();
    let (profile, reader) = (Profile::resolve("volta").unwrap(), SourceReader::default());
    let configuration = Configuration(values.to_vec());
    let next = NextChange::new(&spec, &profile, &reader, &configuration, alone);
    if alone {
        let explanation = explain(&spec, &profile, &reader, &configuration, &Limits::default()).unwrap();
        let lowering = Lowering::new(&spec, &profile, &reader);
        assert_eq!(NextChange::of_explanation(&spec, &lowering, &configuration, &explanation), next);
    }
    next
}

#[test]
fn a_better_value_of_one_parameter_is_suggested_with_its_time() {
    let change = next([64, 8], true).unwrap();
    let value = change.parameter.unwrap();
    assert_eq!((value.name.as_str(), value.value), ("STRIDE", 1));
    assert!(change.text.starts_with("STRIDE=1: ") && change.text.ends_with(" % less time"), "{}", change.text);
    assert_eq!((change.access, next([64, 8], false)), (None, None));
}

#[test]
fn nothing_is_suggested_where_no_value_is_better() {
    assert_eq!([[32, 1], [64, 1]].into_iter().filter_map(|values| next(values, true)).count(), 0);
}

#[test]
fn a_configuration_that_cannot_run_gets_a_value_with_which_it_can() {
    let change = next([32, 8], true).unwrap();
    assert_eq!(change.parameter.map(|value| (value.name, value.value)), Some(("STRIDE".to_owned(), 1)));
    assert!(change.text.ends_with(" ticks"), "{}", change.text);
}
