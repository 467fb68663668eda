//! `autotune graph`: the kernel graph in each of its formats.

use super::*;

const VECTOR_ADD: [&str; 4] = ["graph", "tuning-specs/vector_add.yaml", "--gpu", "abstract-fermi"];

#[test]
fn the_fastest_configurations_graph_is_told_with_its_models() {
    let graph = json(&run(autotune().args(VECTOR_ADD).args(["--format", "json"])), "graph.json");
    let evaluated = run(autotune().arg("evaluate").args(&VECTOR_ADD[1..]).args(["--format", "json"]));
    let evaluated = json(&evaluated, "evaluation.json");
    let least = evaluated["configurations"].as_array().unwrap().iter().filter_map(|one| one["ticks"].as_u64()).min();
    assert_eq!(graph["ticks"].as_u64(), least);
    // compute, then a and b side by side, compute, c: the loads are parallel inputs of the sum.
    let kinds: Vec<_> = graph["nodes"].as_array().unwrap().iter().map(|node| node["kind"].as_str().unwrap()).collect();
    assert_eq!(kinds, ["operation", "read", "read", "operation", "write"]);
    let ways: Vec<_> =
        graph["arcs"].as_array().unwrap().iter().map(|arc| [arc["from"].clone(), arc["to"].clone()]).collect();
    assert_eq!(ways, [[0, 1], [0, 2], [1, 3], [2, 3], [3, 4]]);
    let ticks = |of: &Value| of["ticks"].as_u64().unwrap();
    let one =
        ticks(&graph["nodes"][0]) + ticks(&graph["arcs"][2]) + ticks(&graph["nodes"][3]) + ticks(&graph["arcs"][4]);
    let repetitions = graph["repetitions"].as_u64().unwrap();
    assert_eq!(graph["max_plus"]["operations"].as_u64().unwrap(), repetitions * one);
    assert!(graph["nodes"].as_array().unwrap().iter().all(|node| node["critical"] == true));
}

#[test]
fn a_loop_stands_once_and_only_the_longer_reads_are_critical() {
    let folder = tempfile::tempdir().unwrap();
    let spec = folder.path().join("sides.yaml");
    let text = "
kernel: sides
parameters: { WG: { values: [4] } }
launch: { work_items: 8, work_group: WG }
body:
  - loop:
      count: 3
      body:
        - load: { array: a }
        - branch: { divergent: false, then: [ { compute: { per_item: 5 } } ], else: [ { compute: { per_item: 7 } } ] }
";
    std::fs::write(&spec, text).unwrap();
    let graph = |format: &str| {
        run(autotune().args(["graph", spec.to_str().unwrap(), "--gpu", "abstract-tiny", "--format", format]))
    };
    let printed = json(&graph("json"), "graph.json");
    assert_eq!((&printed["loops"][0]["count"], printed["loops"].as_array().unwrap().len()), (&3.into(), 1));
    let critical: Vec<_> =
        printed["nodes"].as_array().unwrap().iter().filter(|node| node["kind"] == "operation").collect();
    assert_eq!([&critical[0]["critical"], &critical[1]["critical"]], [false, true]);
    let dot = graph("dot").stdout;
    assert!(dot.starts_with("digraph kernel {") && dot.contains("read a (line 9)"), "{dot}");
    let svg = graph("svg");
    assert!(svg.stdout.contains("read a (line 9)"), "{}{}", svg.stdout, svg.stderr);
    assert!(svg.stdout.trim_end().ends_with("</svg>") && svg.stdout.contains("7 ticks"));
    // Red is the critical path's alone; type and colours are the page's.
    let css = include_str!("../../templates/report/page.css");
    let red = "#a01c24";
    let reds = |key: &str| printed[key].as_array().unwrap().iter().filter(|one| one["critical"] == true).count();
    assert_eq!(dot.matches(red).count(), reds("nodes") + reds("arcs"));
    assert!(svg.stdout.contains("font-family: system-ui") && css.contains("sans-serif") && css.contains(red));
    assert!(!svg.stdout.contains("Times"));
}

#[test]
fn boxes_of_a_lowered_program_name_arrays_and_lines() {
    let folder = tempfile::tempdir().unwrap();
    let spec = folder.path().join("lines.yaml");
    let text = "
kernel: lines
parameters: { WG: { values: [64] } }
launch: { work_items: 4096, work_group: WG }
body:
  - load: { array: a }
  - load: { array: b }
  - local: { writes: tile }
  - barrier
  - compute: { per_item: 5 }
  - store: { array: c }
";
    std::fs::write(&spec, text).unwrap();
    let ended = run(autotune().args(["graph", spec.to_str().unwrap(), "--gpu", "fermi", "--format", "dot"]));
    assert_eq!(ended.status, 0, "{}", ended.stderr);
    for named in
        ["load a (line 6)\\nload b (line 7)\\nmemory", "local tile (line 8)", "barrier (line 9)", "compute (line 10)"]
    {
        assert!(ended.stdout.contains(named), "`{named}` is not in {}", ended.stdout);
    }
    assert!(ended.stdout.contains("store c (line 11)\\nmemory"), "{}", ended.stdout);
}

#[test]
fn what_has_no_graph_says_why() {
    let refused = run(autotune().args(VECTOR_ADD).args(["--config", "WG=32"]));
    assert_eq!((refused.status, refused.stdout.as_str()), (2, ""));
    let infeasible = run(autotune().args([
        "graph",
        "tuning-specs/abstract_kernel.yaml",
        "--gpu",
        "abstract-tiny",
        "--set",
        "size=2",
    ]));
    assert_eq!((infeasible.status, infeasible.stdout.as_str()), (4, ""));
    let folder = tempfile::tempdir().unwrap();
    let spec = folder.path().join("unknown.yaml");
    let text = "kernel: unknown\nparameters: { WG: { values: [4] } }\nlaunch: { work_items: 8, work_group: WG }\n\
                body: [ { loop: { count: rounds, body: [ barrier ] } } ]\n";
    std::fs::write(&spec, text).unwrap();
    let ended = run(autotune().args(["graph", spec.to_str().unwrap(), "--gpu", "abstract-tiny"]));
    assert_eq!(ended.status, 2);
    assert!(
        ended.stderr.contains("unknown name `rounds`") && ended.stderr.contains("unknown.yaml:4:"),
        "{}",
        ended.stderr
    );
}
