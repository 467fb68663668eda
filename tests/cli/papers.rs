//! The worked examples of the papers, by the numbers of the papers and of their places: what a command says of each.

use super::{Value, autotune, json, run};

const FOLDER: &str = "examples/papers";

/// A kernel's graph as JSON.
fn graph(spec: &str, gpu: &str, options: &[&str]) -> Value {
    let spec = format!("{FOLDER}/{spec}");
    let command = ["graph", &spec, "--gpu", gpu, "--format", "json"];
    json(&run(autotune().args(command).args(options)), "graph.json")
}

/// The algebra of the graph of vector addition with the paper's symbols under a model.
fn algebra(model: usize) -> Value {
    graph("vadd.yaml", &format!("{FOLDER}/lockstep.yaml"), &["--config", "WG=32"])["algebra"][model].take()
}

const T: u64 = 60;
const READ: u64 = 40;
const TAU: u64 = 7;

/// The entries of a matrix of vector addition: rows and columns a, b, sum, c.
fn matrix(entries: &[(usize, usize, u64)]) -> Value {
    let mut rows = vec![vec![Value::Null; 4]; 4];
    for &(row, column, ticks) in entries {
        rows[row][column] = ticks.into();
    }
    rows.into()
}

#[test]
fn paper_000_section_6_the_naive_models_matrix_its_height_and_its_square() {
    let naive = algebra(0);
    assert_eq!((&naive["model"], &naive["height"]), (&"naive".into(), &2.into()));
    assert_eq!(naive["matrix"], matrix(&[(2, 0, READ), (2, 1, READ), (3, 2, T)]));
    assert_eq!(naive["power"], matrix(&[(3, 0, T + READ), (3, 1, T + READ)]));
    assert_eq!((&naive["inputs"], &naive["outputs"]), (&vec![0, 1].into(), &vec![3].into()));
    assert_eq!(naive["power_ticks"], T + READ);
}

#[test]
fn paper_000_section_7_finitely_many_executors() {
    let graph = graph("vadd.yaml", &format!("{FOLDER}/lockstep.yaml"), &["--config", "WG=32"]);
    // N = 1,000 and n = 96: ceil(N / n) = 11.
    assert_eq!([&graph["work_items"], &graph["executors"], &graph["rounds"]], [1000, 96, 11]);
    assert_eq!(graph["max_plus"]["naive"], 11 * (T + READ));
    assert_eq!(graph["algebra"][0]["formula"], "ceil(N / n) (t + T)");
    assert_eq!(graph["algebra"][0]["values"], "11 x (40 + 60)");
    assert_eq!(graph["algebra"][0]["rows_of_all"], 4 * 96);
    // With groups of 64 the machine rounds per group: 16 groups on 3 multiprocessors, 2 passes each.
    let graph = self::graph("vadd.yaml", &format!("{FOLDER}/lockstep.yaml"), &["--config", "WG=64"]);
    assert_eq!([&graph["rounds"], &graph["repetitions"]], [11, 12]);
    assert_eq!(graph["algebra"][0]["formula"], "r (t + T)");
}

#[test]
fn paper_000_section_8_operations_are_loops_and_the_cube_is_needed() {
    let operations = algebra(1);
    assert_eq!(operations["height"], 3);
    assert_eq!(operations["matrix"], matrix(&[(2, 0, READ), (2, 1, READ), (2, 2, TAU), (3, 2, T)]));
    let cube = [
        (2, 0, 2 * TAU + READ),
        (2, 1, 2 * TAU + READ),
        (2, 2, 3 * TAU),
        (3, 0, T + TAU + READ),
        (3, 1, T + TAU + READ),
        (3, 2, T + 2 * TAU),
    ];
    assert_eq!(operations["power"], matrix(&cube));
    assert_eq!(operations["values"], "11 x (40 + 7 + 60)");
}

#[test]
fn paper_000_section_9_executors_that_share_memory() {
    let serialized = algebra(2);
    let (n, dt, write_dt) = (96, 3, 5);
    let reads = [READ + (2 * n - 2) * dt, READ + (2 * n - 1) * dt];
    let write = T + (n - 1) * write_dt;
    assert_eq!(serialized["matrix"], matrix(&[(2, 0, reads[0]), (2, 1, reads[1]), (2, 2, TAU), (3, 2, write)]));
    assert_eq!(serialized["formula"], "ceil(N / n) (t + (2n - 1) dt + tau + T + (n - 1) dT)");
    assert_eq!(serialized["values"], "11 x (40 + 191 x 3 + 7 + 60 + 95 x 5)");
    let graph = graph("vadd.yaml", &format!("{FOLDER}/lockstep.yaml"), &["--config", "WG=32"]);
    assert_eq!(graph["max_plus"]["serialized"], 11 * (write + TAU + reads[1]));
    // The machine has t, T and tau too, reads one after the other, and knows no dt.
    assert_eq!(graph["ticks"], 11 * (2 * READ + TAU + T));
}

#[test]
fn paper_000_listing_2_from_its_source_is_the_body_in_the_naive_model() {
    let of = |spec| graph(spec, "abstract-fermi", &["--set", "N=1048576", "--config", "WG=64"]);
    let [body, source] = ["vadd.yaml", "vadd_source.yaml"].map(of);
    for graph in [&body, &source] {
        assert_eq!(graph["max_plus"]["naive"], 2048 * 200);
        assert_eq!([&graph["executors"], &graph["repetitions"]], [512, 2048]);
    }
    let states = |graph: &Value| {
        let nodes = graph["nodes"].as_array().unwrap().iter().filter(|node| node["kind"] != "operation");
        nodes.map(|node| format!("{} {}", node["kind"].as_str().unwrap(), node["name"].as_str().unwrap())).collect()
    };
    let arrays: Vec<String> = states(&body);
    assert_eq!(arrays, ["read a", "read b", "write c"]);
    assert_eq!(arrays, states(&source) as Vec<String>);
    let command = [&format!("{FOLDER}/vadd_source.yaml"), "--gpu", "abstract-fermi", "--set", "N=1048576"];
    let proved = json(&run(autotune().args(command).args(["--format", "json"])), "result.json");
    assert_eq!(proved["analysis"]["max_plus"]["naive"], 2048 * 200);
}

#[test]
fn paper_000_section_9_loads_and_stores_of_a_real_gpu_are_two_kinds_of_arcs_in_the_order_of_the_text() {
    for spec in ["vadd.yaml", "vadd_source.yaml"] {
        let graph = graph(spec, "fermi", &["--set", "N=1048576", "--config", "WG=64"]);
        let kinds: Vec<_> =
            graph["nodes"].as_array().unwrap().iter().map(|node| node["kind"].as_str().unwrap()).collect();
        assert_eq!(kinds, ["read", "operation", "write"], "{spec}");
        assert_eq!(graph["algebra"][2]["formula"], "launch + r (t + (n - 1) dt + tau + T + (n - 1) dT)");
    }
}

/// The accesses of a spec on a GPU as JSON.
fn accesses(spec: &str, gpu: &str) -> Vec<Value> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("spec.yaml");
    std::fs::write(&path, spec).unwrap();
    let command = ["locality", path.to_str().unwrap(), "--gpu", gpu, "--format", "json"];
    json(&run(autotune().args(command)), "locality.json")["accesses"].as_array().unwrap().clone()
}

#[test]
fn paper_001_introduction_half_warps_of_older_gpus() {
    let spec = "kernel: columns\nlaunch: { work_items: [1024, 1024], work_group: [16, 16] }\nbody:\n  \
                - load: { array: a, index: [gx * 16 + lx, gy * 16 + ly], shape: [1024, 1024] }\n  \
                - load: { array: b, index: [gy * 16 + ly, gx * 16 + lx], shape: [1024, 1024] }\n";
    let sectors =
        |gpu| accesses(spec, gpu).iter().map(|access| access["sectors"].as_f64().unwrap()).collect::<Vec<_>>();
    // Lanes 0 to 15 and 16 to 31 want neighbouring words of 16 rows: one sector of each row for a warp, two by halves.
    assert_eq!(sectors("fermi"), [16.0, 4.0]);
    assert_eq!(sectors("gtx285"), [32.0, 4.0]);
    assert_eq!(sectors("8600gt"), [32.0, 4.0]);
}

#[test]
fn paper_001_page_294_the_dependence_has_its_matrix_and_its_shift() {
    let spec = "kernel: step\nlaunch: { work_items: 64, work_group: 64 }\nbody:\n  - loop:\n      var: k\n      count: 8\n      \
                body:\n        - load: { array: a, index: [lx], shape: [64] }\n        - store: { array: a, index: [lx], shape: [64] }\n";
    let load = &accesses(spec, "fermi")[0]["matrices"];
    assert_eq!((&load["phi"], &load["shift"]), (&vec![vec![1, 0], vec![0, 1]].into(), &vec![1, 0].into()));
    assert_eq!(load["dimensions"], Value::from(vec!["k", "lx"]));
}

#[test]
fn paper_000_listing_1_is_read_as_printed() {
    let options =
        "--kernel vadd --gpu fermi --problem N=1024 --parameter WG=32,64 --work-items N --work-group WG --argument N=N";
    let file = format!("{FOLDER}/vadd.cu");
    let ended = run(autotune().args(["evaluate", &file]).args(options.split(' ')));
    assert_eq!(ended.status, 0, "{}", ended.stderr);
    assert!(ended.stdout.contains("WG=32") && ended.stdout.contains("WG=64"), "{}", ended.stdout);
}

/// The time of the tiled kernel on the abstract processor by hand: a tile is fetched in GMT, both sides of the branch take a
/// tick each, and the result is stored in GMT.
fn by_hand(size: u64, [wg, ts]: [u64; 2], [multiprocessors, elements, gmt]: [u64; 3]) -> u64 {
    let one = size / ts * (gmt + 1 + 1) + gmt;
    (size / wg).div_ceil(multiprocessors) * wg.div_ceil(elements) * one
}

/// WG, TS and the ticks of each configuration of a spec that the evaluator can run.
fn evaluated(spec: &str, gpu: &str, size: u64) -> Vec<([u64; 2], u64)> {
    let size = format!("size={size}");
    let command = ["evaluate", spec, "--gpu", gpu, "--set", &size, "--format", "json"];
    let all = json(&run(autotune().args(command)), "evaluation.json");
    let one = |one: &Value| {
        let parameter = |name: &str| one["parameters"][name].as_u64().unwrap();
        Some(([parameter("WG"), parameter("TS")], one["ticks"].as_u64()?))
    };
    all["configurations"].as_array().unwrap().iter().filter_map(one).collect()
}

const TILED: &str = "tuning-specs/abstract_kernel.yaml";

#[test]
fn paper_004_listing_3_the_times_of_size_16_by_hand() {
    let all = evaluated(TILED, "abstract-tiny", 16);
    for &(configuration, ticks) in &all {
        assert_eq!(ticks, by_hand(16, configuration, [1, 4, 10]), "{configuration:?}");
    }
    let of = |wanted: [u64; 2]| all.iter().find(|(configuration, _)| *configuration == wanted).unwrap().1;
    let shown = [[2, 2], [2, 4], [2, 8], [4, 2], [4, 4], [4, 8]].map(of);
    assert_eq!(shown, [848, 464, 272, 424, 232, 136]);
}

#[test]
fn paper_004_section_3_the_optima_of_sizes_16_to_4096() {
    let least = |size| evaluated(TILED, "abstract-fermi", size).into_iter().map(|(_, ticks)| ticks).min().unwrap();
    let optima = [16, 32, 64, 128, 256, 512, 1024, 2048, 4096].map(least);
    assert_eq!(optima, [304, 304, 304, 304, 304, 304, 608, 1216, 2432]);
}

/// Listing 8 shifts the size, 2^n, by n - d: WG with d in 1 .. n - 1, TS with d in 1 .. n / 2.
#[test]
fn paper_004_listing_8_the_printed_range_of_ts() {
    let spec = format!("{FOLDER}/abstract_kernel.yaml");
    for n in [5_u64, 6, 10] {
        let size = 1 << n;
        let mut found: Vec<[u64; 2]> =
            evaluated(&spec, "abstract-fermi", size).into_iter().map(|(values, _)| values).collect();
        found.sort_unstable();
        let choices = (1..n).flat_map(|wg| (1..=n / 2).map(move |ts| [size >> (n - wg), size >> (n - ts)]));
        assert_eq!(found, choices.collect::<Vec<_>>());
    }
    let proved = json(&run(autotune().args([&spec, "--gpu", "abstract-fermi", "--format", "json"])), "result.json");
    assert_eq!(proved["optimum"]["parameters"]["TS"], 32);
    assert_eq!(proved["optimum"]["ticks"], by_hand(1024, [64, 32], [16, 32, 100]));
    assert_eq!(proved["optimum"]["ticks"], 6728);
}

/// The commands of a page's table, each once.
fn commands(page: &str) -> Vec<String> {
    let rows = page.lines().filter(|line| line.starts_with("| ") && line.contains(" | `autotune "));
    let command = |row: &str| row.split("`autotune ").nth(1).unwrap().split('`').next().unwrap().to_owned();
    let mut commands: Vec<String> = rows.map(command).collect();
    commands.sort();
    commands.dedup();
    commands
}

#[test]
fn each_command_of_the_table_of_the_papers_ends_well() {
    let commands = commands(&super::readme::page("reference/papers.md"));
    assert!(commands.len() > 40, "{commands:?}");
    for command in commands {
        let words = command.split('\'').enumerate().flat_map(|(at, part)| match at % 2 {
            0 => part.split_whitespace().map(str::to_owned).collect(),
            _ => vec![part.to_owned()],
        });
        let ended = run(autotune().args(words));
        assert_eq!(ended.status, 0, "{command}: {}", ended.stderr);
    }
}
