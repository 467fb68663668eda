//! The content of a spec after reading: defaults, domains, strides, and the order in which names get their values.

#[path = "shared/listed_space.rs"]
mod listed_space;

use autotune::space::Space;
use autotune::spec::{
    Access, Banks, Configuration, Expression, GpuNames, KnownArgument, OperationKind, Pattern, Scope, Spec, SpecError,
    Statement, Strides,
};
use listed_space::ListedSpace;

const GPU: GpuNames = GpuNames {
    multiprocessors: 16,
    warp_size: 32,
    local_memory: 49_152,
    max_work_group: 1_024,
    register_limit: 63,
    amd: 1,
};

const HEAD: &str = "kernel: k\nproblem: { n: 100, rows: 8 }\nparameters: { T: { values: [3] } }\n";
const LAUNCH: &str = "launch: { work_items: [n, 2], work_group: T }\n";

fn read(text: &str) -> Spec {
    Spec::parse(text, "k.yaml").unwrap_or_else(|error| panic!("{error}"))
}

fn with_body(body: &str) -> (Spec, Scope) {
    let spec = read(&format!("{HEAD}{LAUNCH}body:\n{body}"));
    let scope = spec.scope(&GPU, &Configuration(vec![3]));
    (spec, scope.expect("it has no `let`"))
}

fn load(keys: &str) -> (Access, Scope) {
    let (mut spec, scope) = with_body(&format!("  - load: {{ array: a{keys} }}\n"));
    match spec.body.remove(0) {
        Statement::Load(access) => (access, scope),
        other => panic!("{other:?} is no load"),
    }
}

fn domain(problem: i64, domain: &str) -> Result<Vec<i64>, SpecError> {
    let text = format!(
        "kernel: k\nproblem: {{ n: 1 }}\nparameters: {{ T: {domain} }}\nlaunch: {{ work_items: 1, work_group: 1 }}\nbody: []\n"
    );
    let mut spec = read(&text);
    spec.set("n", problem)?;
    Ok(Space::new(&spec, &GPU)?.domains()[0].clone())
}

fn values<const N: usize>(expressions: [&Expression; N], scope: &Scope) -> [i64; N] {
    expressions.map(|expression| expression.evaluate(scope).expect("it is a number"))
}

#[test]
fn arguments_are_integers_numbers_truths_and_sizes() {
    let source = "source:\n  file: k.cl\n  arguments: { n: 2 * T, 1: 4, on: true, off: \"false\", a: 1.5, b: -2e-3, \
                  c: \"0.5\", t: local 4 * T, p: global 8 * n, \"s.d[1]\": 7 }\n";
    let spec = read(&format!("{HEAD}launch: {{ work_items: n, work_group: T, shared: T * 8 }}\n{source}"));
    let stated = spec.kernel_source.as_ref().unwrap();
    let shown = stated.arguments.iter().map(|given| match &given.value {
        KnownArgument::Integer(expression) => format!("{}: {}", given.name, expression.text()),
        KnownArgument::Float(text) => format!("{}: float {text}", given.name),
        KnownArgument::Local(bytes) => format!("{}: local {}", given.name, bytes.text()),
        KnownArgument::Global(bytes) => format!("{}: global {}", given.name, bytes.text()),
    });
    let shown = shown.collect::<Vec<_>>().join(", ");
    let expected = "n: 2 * T, 1: 4, on: 1, off: 0, a: float 1.5, b: float -2e-3, c: float 0.5, t: local 4 * T, p: global 8 * n, s.d[1]: 7";
    assert_eq!(shown, expected);
    assert_eq!(stated.arguments.iter().filter(|given| given.is_field()).count(), 1);
    assert!(stated.source.fields, "the compiler is asked for the names of fields");
    assert_eq!(spec.launch.shared.as_ref().unwrap().text(), "T * 8");
}

#[test]
fn a_size_at_launch_makes_local_memory_dynamic() {
    let is_dynamic = |launch: &str, arguments: &str| {
        let source = format!("source: {{ file: k.cl, arguments: {{ {arguments} }} }}\n");
        read(&format!("{HEAD}launch: {{ work_items: n, work_group: T{launch} }}\n{source}")).has_dynamic_local_memory()
    };
    assert!(is_dynamic(", shared: 4", "") && is_dynamic("", "t: local 4"));
    assert!(!is_dynamic("", "n: 4"));
}

#[test]
fn what_an_access_leaves_out_has_its_default() {
    let (load, scope) = load("");
    assert_eq!(load.array, "a");
    let counts = [&load.per_item, &load.bytes, &load.vector];
    assert_eq!(values(counts, &scope), [1, 4, 1]);
    assert_eq!(values([&load.ordered, &load.in_flight], &scope), [0, 4]);
    assert!(load.items.is_none() && load.round_trips.is_none());
    assert!(load.footprint.group.is_none() && load.footprint.together.is_none());
    assert_eq!(load.pattern.strides(&scope).unwrap(), Strides::Lanes(1));
}

#[test]
fn what_other_statements_leave_out_has_its_default() {
    let (spec, scope) = with_body("  [local: {}, compute: {}, branch: { then: [] }]\n");
    let [Statement::Local(local), Statement::Compute(compute), Statement::Branch(branch)] = spec.body.as_slice() else {
        panic!("{:?}", spec.body);
    };
    let Banks::Conflict(conflict) = &local.banks else {
        panic!("{local:?}");
    };
    let counts = [&local.per_item, &local.bytes, &local.vector, conflict];
    assert_eq!(values(counts, &scope), [1, 4, 1, 1]);
    assert_eq!(values([&compute.per_item, &compute.constants], &scope), [1, 0]);
    assert_eq!(compute.kind, OperationKind::Fp32);
    assert_eq!(values([&branch.divergent], &scope), [1]);
    assert!(branch.otherwise.is_empty());
}

#[test]
fn what_a_launch_leaves_out_has_its_default() {
    let (spec, scope) = with_body("  []\n");
    let resources = &spec.resources;
    assert_eq!(resources.local_memory, None, "the local arrays tell");
    assert_eq!(values([&resources.registers, &resources.live], &scope), [0, 0]);
    assert_eq!(resources.spill_uses, None, "the source tells, or it is 1");
    assert_eq!(values([&spec.launch.times], &scope), [1]);
    assert!(!resources.dynamic);
    let [width, height] = spec.launch.work_items.as_slice() else {
        panic!("{:?}", spec.launch);
    };
    assert_eq!(values([width, height, &spec.launch.work_group[0]], &scope), [100, 2, 3]);
    assert_eq!(spec.launch.work_group.len(), 1);
    assert!(spec.description.is_empty() && spec.tile.is_empty());
}

#[test]
fn statements_know_their_places() {
    let (spec, _) =
        with_body("  - loop:\n      count: 2\n      body:\n        - barrier\n        - compute: { kind: special }\n");
    let Statement::Loop(repeated) = &spec.body[0] else {
        panic!("{:?}", spec.body);
    };
    assert_eq!(spec.body[0].place().to_string(), "6:5");
    assert_eq!(repeated.body[0].place().to_string(), "9:11");
    assert_eq!(repeated.body[1].place().to_string(), "10:11");
    let frame = spec.source.frame("not here", repeated.body[0].place(), "");
    assert_eq!(frame, "not here\n --> k.yaml:9:11\n  |\n9 |         - barrier\n  |           ^^^^^^^");
}

#[test]
fn a_barrier_states_its_scope_or_stands_alone() {
    let (spec, _) = with_body("  - barrier\n  - barrier: grid\n  - { barrier: group }\n  - barrier:\n");
    let of_grid = |statement: &Statement| matches!(statement, Statement::Barrier(barrier) if barrier.is_of_grid);
    assert_eq!(spec.body.iter().map(of_grid).collect::<Vec<_>>(), [false, true, false, false]);
    assert_eq!(spec.body[1].place().to_string(), "7:5");
}

#[test]
fn the_tile_is_ts_or_what_the_roles_say() {
    let text = "kernel: k\nparameters: { A: { values: [1] }, TS: { values: [1] } }\nlaunch: { work_items: 1, work_group: 1 }\nbody: []\n";
    assert_eq!(read(text).tile, ["TS"]);
    assert_eq!(read(&format!("{text}roles: {{ tile: [A, TS] }}\n")).tile, ["A", "TS"]);
    assert!(read(&format!("{text}roles: {{ tile: [] }}\n")).tile.is_empty());
}

#[test]
fn domains_hold_both_ends() {
    let powers = "{ powers_of_two: { from: 2, to: n } }";
    assert_eq!(domain(16, powers).unwrap(), [2, 4, 8, 16]);
    assert_eq!(domain(31, powers).unwrap(), [2, 4, 8, 16]);
    assert!(domain(1, powers).unwrap().is_empty());
    assert_eq!(domain(3, "{ powers_of_two: { from: -5, to: n } }").unwrap(), [1, 2]);
    let all = domain(i64::MAX, "{ powers_of_two: { from: 1, to: n } }").unwrap();
    assert_eq!((all.len(), all[62]), (63, 1 << 62));
    assert_eq!(domain(7, "{ range: { from: 1, to: n, step: 3 } }").unwrap(), [1, 4, 7]);
    assert_eq!(domain(6, "{ range: { from: 1, to: n, step: 3 } }").unwrap(), [1, 4]);
    assert_eq!(domain(-1, "{ range: { from: -3, to: n } }").unwrap(), [-3, -2, -1]);
    assert!(domain(0, "{ range: { from: 1, to: n } }").unwrap().is_empty());
    let ends = "{ range: { from: -9223372036854775807, to: n, step: 9223372036854775807 } }";
    assert_eq!(domain(i64::MAX, ends).unwrap(), [-i64::MAX, 0, i64::MAX]);
    assert_eq!(domain(5, "{ values: [n, 2, 'gpu.warp_size / n'] }").unwrap(), [5, 2, 6]);
    assert!(domain(5, "{ values: [] }").unwrap().is_empty());
}

#[test]
fn an_empty_domain_leaves_nothing_to_visit() {
    let text = format!("{HEAD}  # none\nconstraints: [1 / 0]\n{LAUNCH}body: []\n");
    let spec = read(&text.replace("[3]", "[]"));
    let space = Space::new(&spec, &GPU).unwrap();
    assert_eq!(space.size(), 0);
    let survey = ListedSpace::of(&spec, &space).unwrap();
    assert!(survey.feasible.is_empty() && survey.infeasible.is_some_and(|list| list.is_empty()));
}

#[test]
fn strides_are_the_same_however_they_are_written() {
    let strides = |keys: &str| {
        let (access, scope) = load(keys);
        access.pattern.strides(&scope).map_err(|error| error.to_string())
    };
    assert_eq!(strides(", stride: T"), Ok(Strides::Lanes(3)));
    assert_eq!(strides(", stride: -2"), Ok(Strides::Lanes(2)));
    assert_eq!(strides(", stride: [1, -n]"), Ok(Strides::Axes([1, 100, 0])));
    let index = |row: &str, column: &str| strides(&format!(", index: ['{row}', '{column}'], shape: [rows, n]"));
    assert_eq!(index("gy * T + ly", "gx * T + lx"), Ok(Strides::Axes([1, 100, 0])));
    assert_eq!(index("lx", "ly"), Ok(Strides::Axes([100, 1, 0])));
    assert_eq!(index("-(lx - 2 * lz) * T", "T > 2 ? ly : lx"), Ok(Strides::Axes([300, 1, 600])));
    assert_eq!(index("lx - lx", "min(T, 2) * lx + ceil_div(n, T)"), Ok(Strides::Axes([2, 0, 0])));
    assert_eq!(strides(", index: [2 * lx - ly], shape: [n]"), Ok(Strides::Axes([2, 1, 0])));
    assert_eq!(strides(", index: [lx, ly, lz], shape: [rows, T, n]"), Ok(Strides::Axes([300, 100, 1])));
    assert_eq!(strides(", per_item: 4, var: r, index: [lx + 8 * r], shape: [n]"), Ok(Strides::Axes([1, 0, 0])));
    let message = index("lx / 2", "ly").unwrap_err();
    assert!(message.starts_with("`lx / 2`: not affine in the ids and counters: "), "{message}");
    assert!(message.contains("\n --> k.yaml:6:32\n"), "{message}");
    assert!(index("0", "lx * ly").is_err());
    assert!(index("lx ? 1 : 2", "0").is_err());
    assert!(index("max(lx, 1)", "0").is_err());
    let message = index("lx * pow2(62) + 2 * lx", "0").unwrap_err();
    assert!(message.contains("a value does not fit 64 bits"), "{message}");
}

#[test]
fn an_index_is_affine_in_ids_and_counters() {
    let body = "  - loop:\n      var: k\n      count: 4\n      body:\n        - loop:\n            count: 2\n            body:\n              - loop:\n                  var: j\n                  count: 2\n                  body:\n                    - load: { array: a, index: [7 + gy * 16 + k, 2 * j - gx - T], shape: [8, 8] }\n";
    let (spec, scope) = with_body(body);
    let mut innermost = &spec.body;
    while let [Statement::Loop(repeated)] = innermost.as_slice() {
        innermost = &repeated.body;
    }
    let [Statement::Load(Access { pattern: Pattern::Index(index), .. })] = innermost.as_slice() else {
        panic!("{innermost:?}");
    };
    assert_eq!(index.counters, ["k", "j"]);
    let [row, column] = index.affine(&scope).unwrap().try_into().unwrap();
    assert_eq!((row.constant, row.group(1), row.local(1), row.counters()), (7, 16, 0, &[1][..]));
    assert_eq!((column.constant, column.group(0), column.counters()), (-3, -1, &[0, 2][..]));
}

#[test]
fn a_footprint_knows_how_many_groups_run_together() {
    let (access, scope) = load(", footprint: { group: 4 * T, together: 'min(n, 4 * concurrent)' }");
    let together = access.footprint.together.unwrap();
    assert_eq!(access.footprint.group.unwrap().evaluate(&scope).unwrap(), 12);
    assert_eq!(together.evaluate(&scope.clone().with_concurrent(3)).unwrap(), 12);
    assert_eq!(together.evaluate(&scope.with_concurrent(80)).unwrap(), 100);
}

#[test]
fn counts_and_sizes_are_checked() {
    let (access, scope) = load(", per_item: T - 4, vector: T - 3");
    let message = access.per_item.count(&scope).unwrap_err().to_string();
    assert!(message.starts_with("`T - 4`: the value is -1, but must not be negative\n"), "{message}");
    assert!(message.ends_with("T = 3"), "{message}");
    let message = access.vector.positive(&scope).unwrap_err().to_string();
    assert!(message.starts_with("`T - 3`: the value is 0, but must be at least 1\n"), "{message}");
    assert_eq!(access.vector.count(&scope).unwrap(), 0);
}

#[test]
fn gpu_problem_and_lets_have_their_values() {
    let text = format!("{HEAD}let: {{ a: n / T, b: a + gpu.amd, c: true }}\n{LAUNCH}body: []\n");
    let mut spec = read(&text);
    let value = |spec: &Spec, name: &str| spec.scope(&GPU, &Configuration(vec![3])).unwrap().value(name);
    assert_eq!(value(&spec, "b"), Some(34));
    assert_eq!(value(&spec, "c"), Some(1));
    assert_eq!(value(&spec, "gpu.register_limit"), Some(63));
    assert_eq!(value(&spec, "d"), None);
    spec.set("n", 6).unwrap();
    assert_eq!(value(&spec, "b"), Some(3));
}

#[test]
fn a_let_that_fails_matters_only_where_the_configuration_is_feasible() {
    let text = "kernel: k\nparameters: { T: { values: [0, 1, 2] }, U: { values: [0, 1] } }\nlet: { q: 6 / T, r: 6 / U }\n\
                constraints: [q + r > 0, T > 0, U > 0]\nlaunch: { work_items: 1, work_group: 1 }\nbody: []\n";
    let spec = read(text);
    let survey = ListedSpace::of(&spec, &Space::new(&spec, &GPU).unwrap()).unwrap();
    assert_eq!(survey.feasible, [vec![1, 1], vec![2, 1]].map(Configuration));
    assert_eq!(survey.excluded, [0, 2, 2]);
    let spec = read(&text.replace(", U > 0]", "]"));
    let listed = ListedSpace::of(&spec, &Space::new(&spec, &GPU).unwrap());
    let message = listed.err().unwrap().to_string();
    let expected = "`6 / U`: division by zero\n --> k.yaml:3:21\n";
    assert!(message.starts_with(expected) && message.ends_with("U = 0"), "{message}");
}

#[test]
fn a_source_beside_a_body_is_what_the_body_describes() {
    let source = "source: { file: k.cl, define: { LINES: (T / 3) } }\n";
    let both = read(&format!("{HEAD}{LAUNCH}body: [ barrier ]\n{source}"));
    assert_eq!((both.body.len(), &both.kernel_source), (1, &None), "the body is what is tuned");
    let described = both.of_described().expect("it names its source");
    assert_eq!((described.body.len(), described.described), (0, None));
    let alone = read(&format!("{HEAD}{LAUNCH}{source}"));
    let files = |spec: &Spec| spec.kernel_source.as_ref().map(|stated| stated.source.files.clone());
    assert_eq!(described.kernel_source.map(|stated| stated.source.files), files(&alone));
    assert_eq!((alone.of_described(), files(&alone).map(|files| files.len())), (None, Some(1)));
}
