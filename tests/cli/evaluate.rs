//! The output of `evaluate`, and of `explain` for the same configuration.

use super::*;

const QUESTION: [&str; 3] = ["tuning-specs/vector_add.yaml", "--gpu", "volta"];

fn evaluated(options: &[&str]) -> Value {
    json(&run(autotune().arg("evaluate").args(QUESTION).args(["--format", "json"]).args(options)), "evaluation.json")
}

/// 2080 groups on 80 multiprocessors are waves of 26, where 32 would fit.
#[test]
fn the_wave_that_runs_is_told_from_what_fits() {
    let launch = ["--set", "size=133120", "--config", "WG=64,ITEMS=1,VEC=1"];
    let occupancy = evaluated(&launch)["configurations"][0]["occupancy"].clone();
    let question = [&["explain"], &QUESTION[..], &launch].concat();
    let explained =
        json(&run(autotune().args(&question).args(["--format", "json"])), "explanation.json")["time"].clone();
    let expected = [("resident_groups", 32), ("warps", 64), ("wave_groups", 133_120 / 64 / 80), ("wave_warps", 52)];
    for (field, value) in expected {
        assert_eq!((&occupancy[field], &explained[field]), (&value.into(), &value.into()), "{field}");
    }
    assert_eq!(occupancy["limit"], explained["limit"]);
    let printed = run(autotune().args(&question)).stdout;
    assert!(
        printed.contains("\nresident  26 groups, 52 warps: the launch has no more for a multiprocessor\n"),
        "{printed}"
    );
    assert!(printed.contains("\nfit       32 groups, 64 warps, limited by groups\n"), "{printed}");
    let printed = run(autotune().arg("evaluate").args(QUESTION).args(launch)).stdout;
    assert!(printed.contains("26 of 32 groups, 52 of 64 warps (groups)"), "{printed}");
    // A launch that fills the GPU shows one number.
    let full = ["--config", "WG=64,ITEMS=1,VEC=1"];
    let printed = run(autotune().arg("explain").args(QUESTION).args(full)).stdout;
    assert!(printed.contains("\nresident  32 groups, 64 warps, limited by groups\n"), "{printed}");
}

#[test]
fn times_are_told_in_microseconds_where_there_is_a_clock() {
    let profile = run(autotune().args(["gpus", "volta"])).stdout;
    let clock = profile.lines().find_map(|line| line.strip_prefix("core_clock_mhz:")).expect("a clock in MHz");
    let megahertz: f64 = clock.split('#').next().unwrap().trim().parse().unwrap();
    let all = evaluated(&[]);
    // A tick is a sixteenth of a cycle.
    for one in all["configurations"].as_array().unwrap().iter().filter(|one| one["reason"].is_null()) {
        let (ticks, microseconds) = (one["ticks"].as_f64().unwrap(), one["microseconds"].as_f64().unwrap());
        assert!((ticks / (16.0 * megahertz) / microseconds - 1.0).abs() < 1e-9, "{one}");
    }
    let printed = run(autotune().arg("evaluate").args(QUESTION)).stdout;
    assert!(printed.lines().nth(2).unwrap().contains("ticks  microseconds"), "{printed}");
    let printed = run(autotune().arg("evaluate").args(SMALL)).stdout;
    assert!(printed.contains("ticks") && !printed.contains("microseconds"), "{printed}");
    let without = json(&run(autotune().arg("evaluate").args(SMALL).args(["--format", "json"])), "evaluation.json");
    assert!(without["configurations"].as_array().unwrap().iter().all(|one| one["microseconds"].is_null()));
}

#[test]
fn the_fastest_are_told_alone() {
    let all = evaluated(&[])["configurations"].as_array().unwrap().clone();
    let mut fastest: Vec<&Value> = all.iter().filter(|one| one["reason"].is_null()).collect();
    fastest.sort_by_key(|one| one["ticks"].as_u64());
    let top = evaluated(&["--top", "3"]);
    assert_eq!(top["configurations"].as_array().unwrap().iter().collect::<Vec<_>>(), fastest[..3]);
    assert_eq!(top["omitted"], all.len() - 3);
    let printed = run(autotune().arg("evaluate").args(QUESTION).args(["--top", "3"])).stdout;
    let whole = run(autotune().arg("evaluate").args(QUESTION)).stdout;
    assert_eq!(printed.lines().count(), 3 + 3 + 1, "{printed}");
    let labels = |text: &str| {
        text.lines().skip(3).take(3).map(|line| line.split("  ").next().unwrap().trim().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(labels(&printed), labels(&whole));
    assert!(printed.ends_with(&format!("\n and {} more\n", all.len() - 3)), "{printed}");
    let more = run(autotune().arg("evaluate").args(QUESTION).args(["--top", "100000"])).stdout;
    assert_eq!(more, whole);
    let none = run(autotune().arg("evaluate").args(QUESTION).args(["--top", "0"]));
    assert!(none.status == 2 && none.stderr.contains("not a whole number from 1"), "{}", none.stderr);
}

/// Every command that lowers the configuration says so; the product would need 97 bits.
#[test]
fn more_groups_than_64_bits_count_are_told_by_their_factors() {
    let folder = tempfile::tempdir().unwrap();
    let spec = folder.path().join("wide.yaml");
    let text = "kernel: wide\nproblem: { n: 1099511627776 }\nparameters: { WG: { values: [32] } }\n\
                launch: { work_items: [n, n, n], work_group: [WG, 1, 1] }\nbody: [ { load: { array: x } }, { store: { array: y } } ]\n";
    std::fs::write(&spec, text).unwrap();
    let grid = format!("{} x {1} x {1} work groups", (1_u64 << 40) / 32, 1_u64 << 40);
    for gpu in ["fermi", "abstract-fermi"] {
        let ended = run(autotune().arg("evaluate").arg(&spec).args(["--gpu", gpu]));
        assert_eq!((ended.status, ended.stdout.as_str()), (4, ""));
        assert!(ended.stderr.contains(&grid) && !ended.stderr.contains("18446744073709551615"), "{}", ended.stderr);
    }
}

/// On the paper's lockstep processor no order matters: each time is that of the closed form. On a GPU one may.
#[test]
fn the_extremes_over_all_orders_hold_the_time() {
    let extremes = |gpu: &[&str]| -> Vec<[u64; 3]> {
        let question = [&["evaluate", "tuning-specs/abstract_kernel.yaml", "--gpu"], gpu].concat();
        let options = ["--schedules", "any", "--format", "json"];
        let report = json(&run(autotune().args(question).args(options)), "evaluation.json");
        let rows = report["configurations"].as_array().unwrap().iter();
        let times = |row: &Value| {
            let schedules = &row["schedules"];
            assert!(schedules["states"].as_u64() >= Some(1) && schedules["open"].is_null(), "{row}");
            [&schedules["least"], &row["ticks"], &schedules["greatest"]].map(|time| time.as_u64().unwrap())
        };
        rows.filter(|row| row["reason"].is_null()).map(times).collect()
    };
    let lockstep = extremes(&["abstract-tiny", "--set", "size=16"]);
    assert!(lockstep.len() > 5 && lockstep.iter().all(|[least, ticks, most]| least == ticks && ticks == most));
    let pipelined = extremes(&["fermi", "--top", "4"]);
    assert_eq!(pipelined[2], [77_000, 77_000, 77_121]);
    assert!(pipelined.iter().all(|[least, ticks, most]| least <= ticks && ticks <= most));
}

#[test]
fn without_the_option_no_orders_are_explored() {
    assert!(evaluated(&["--top", "1"])["configurations"][0]["schedules"].is_null());
    let refused = run(autotune().arg("evaluate").args(QUESTION).args(["--schedules", "all"]));
    assert_eq!(refused.status, 2);
    assert!(refused.stderr.contains("[possible values: fifo, any]"), "{}", refused.stderr);
}
