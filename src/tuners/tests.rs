//! Valid and invalid files of all formats.

use std::io::Write as _;
use std::sync::LazyLock;

use flate2::Compression;
use flate2::write::GzEncoder;

use super::*;
use autotune_base::user_error::UserError;
use autotune_lowering::gpu::Profile;
use autotune_lowering::spec::{Configuration, Spec};

const SPEC: &str = "
kernel: sum
problem: { size: 1024 }
parameters: { WG: { values: [32, 64] }, FAST: { values: [0, 1] } }
launch: { work_items: size, work_group: WG }
body: [ { compute: { per_item: 1 } } ]
";

static INPUTS: LazyLock<(Spec, Profile)> =
    LazyLock::new(|| (Spec::parse(SPEC, "sum.yaml").unwrap(), Profile::resolve("volta").unwrap()));

/// All runs on a Volta.
fn wanted<'w>() -> WantedRuns<'w> {
    let (spec, profile) = &*INPUTS;
    WantedRuns {
        spec,
        profile,
        times: WantedTimes::One,
        time_column: None,
        unit: None,
        only: None,
        fixed_sizes: &[],
        fixed_parameters: &[],
    }
}

/// Reads bytes as a file of measurements on a Volta.
fn read_bytes<'w>(bytes: &[u8], change: impl FnOnce(&mut WantedRuns<'w>)) -> Result<Measurements, MeasuredError> {
    let mut wanted = wanted();
    change(&mut wanted);
    let mut file = tempfile::NamedTempFile::new().unwrap();
    file.write_all(bytes).unwrap();
    read(file.path(), &wanted)
}

fn read_text(text: &str) -> Result<Measurements, MeasuredError> {
    read_bytes(text.as_bytes(), |wanted| wanted.unit = Some(TimeUnit::Milliseconds))
}

/// The runs of the only scenario: values and milliseconds.
fn runs(measured: &Measurements) -> Vec<(Vec<i64>, Option<f64>)> {
    assert_eq!(measured.scenarios.len(), 1);
    let runs = measured.scenarios[0].runs.iter();
    runs.map(|run| (run.configuration.0.clone(), run.milliseconds)).collect()
}

/// The content of the files of every format in these tests.
fn expected() -> Vec<(Vec<i64>, Option<f64>)> {
    vec![(vec![32, 0], Some(1.5)), (vec![64, 1], None), (vec![64, 0], Some(2.0))]
}

#[test]
fn csv_in_any_order_of_columns() {
    let text = "# measured by hand\nFAST, time_ms,status,WG,noise\n0,1.5,ok,32,x\n1,,compile_fail,64,\n0,2.0,ok,64,\n";
    let measured = read_text(text).unwrap();
    assert_eq!(runs(&measured), expected());
    assert_eq!(measured.ignored, ["noise"]);
    // A time of a run that failed counts for nothing; an empty time is a failure without any status.
    let text = "WG,FAST,time\n32,False,1.5\n64,True,\n64,False,2\n";
    assert_eq!(runs(&read_text(text).unwrap()), expected());
    let text = "WG,FAST,status,time\n32,0,ok,1.5\n64,1,timeout,nonsense\n64,0,ok,2\n";
    assert_eq!(runs(&read_text(text).unwrap()), expected());
}

#[test]
fn what_is_packed_is_unpacked() {
    let mut packed = GzEncoder::new(Vec::new(), Compression::default());
    packed.write_all(b"WG,FAST,time_us\n32,0,1500\n64,1,\n64,0,2000\n").unwrap();
    let packed = packed.finish().unwrap();
    assert_eq!(runs(&read_bytes(&packed, |_| {}).unwrap()), expected());
    assert!(matches!(read_bytes(&packed[..20], |_| {}), Err(MeasuredError::Packed(_))));
}

#[test]
fn kernel_tuner_caches_finished_or_not() {
    let finished = r#"{"device_name": "V100", "tune_params_keys": ["WG", "FAST"], "cache": {
        "32,0": {"WG": 32, "FAST": 0, "time": 1.5, "times": [1.4, 1.6], "GFLOP/s": 3.0},
        "64,1": {"WG": 64, "FAST": 1, "time": "CompilationFailedConfig"},
        "64,0": {"WG": 64, "FAST": false, "time": 2.0}}}"#;
    let measured = read_text(finished).unwrap();
    assert_eq!((runs(&measured), measured.ignored.len()), (expected(), 0));
    // Old caches have a huge time in place of an error; those of a running tuner end in the middle.
    let open = finished.replace("\"CompilationFailedConfig\"", "1e20").replace("}}}", "},\n");
    assert_eq!(runs(&read_text(&open).unwrap()), expected());
    let other = finished.replace("\"time\": ", "\"benchmark_time\": ");
    let measured = read_bytes(other.as_bytes(), |wanted| wanted.time_column = Some("benchmark_time"));
    assert_eq!(runs(&measured.unwrap()), expected());
    let error = finished.replace("\"time\": \"Comp", "\"time\": 1e20, \"__error__\": \"Comp");
    assert_eq!(runs(&read_text(&error).unwrap()), expected());
}

#[test]
fn t4_results_in_any_unit() {
    let text = r#"{"schema_version": "1.1.0", "metadata": {"timeunit": "microseconds"}, "results": [
        {"configuration": {"WG": 32, "FAST": 0}, "times": {"runtimes": [1400, 1600]}, "invalidity": "correct", "correctness": 1},
        {"configuration": {"WG": 64, "FAST": 1}, "times": {"runtimes": []}, "invalidity": "compile", "correctness": 0},
        {"configuration": {"WG": 64, "FAST": 0}, "times": {}, "invalidity": "correct", "correctness": 1,
         "measurements": [{"name": "power", "value": 3, "unit": "W"}, {"name": "time", "value": 0.002, "unit": "s"}]}]}"#;
    assert_eq!(runs(&read_text(text).unwrap()), expected());
    let error = read_text(&text.replace("\"s\"", "\"days\"")).unwrap_err();
    assert_eq!(error.to_string(), "result 3: `days` is not a unit of time");
}

#[test]
fn problem_sizes_make_scenarios_and_gpus_are_told_apart() {
    let text = "gpu,size,WG,FAST,time_ms\nv100,512,32,0,1\nfermi,512,32,0,9\nvolta,1024,32,0,2\nv100,512,64,0,3\n";
    let measured = read_text(text).unwrap();
    let sizes: Vec<_> =
        measured.scenarios.iter().map(|scenario| (scenario.problem[0].1, scenario.runs.len())).collect();
    assert_eq!(sizes, [(512, 2), (1024, 1)]);
    let error = read_text(&text.replace("v100", "x").replace("volta", "x")).unwrap_err();
    assert_eq!(error.to_string(), "no row is of the GPU `v100`: the column `gpu` has `fermi`, `x`");
    let error = read_bytes(text.as_bytes(), |wanted| wanted.fixed_sizes = &["size"]).unwrap_err();
    assert_eq!(error.to_string(), "the problem size `size` is a column of the file");
}

#[test]
fn one_configuration_or_another_column_of_times() {
    let text = "WG,FAST,time_ms,cold_us\n32,0,1,7000\n64,0,2,8000\n";
    let only = Configuration(vec![64, 0]);
    let measured = read_bytes(text.as_bytes(), |wanted| {
        wanted.only = Some(&only);
        wanted.time_column = Some("cold_us");
    });
    assert_eq!(runs(&measured.unwrap()), [(vec![64, 0], Some(8.0))]);
    let other = Configuration(vec![64, 1]);
    let error = read_bytes(text.as_bytes(), |wanted| wanted.only = Some(&other)).unwrap_err();
    assert_eq!(error.to_string(), "no row has configuration WG=64 FAST=1");
}

#[test]
fn errors_say_where() {
    let told = |text: &str| {
        let error = read_text(text).unwrap_err();
        [error.to_string()].into_iter().chain(error.help()).collect::<Vec<_>>().join("; ")
    };
    for (text, message) in [
        ("WG,fast,time\n", "the file has no rows"),
        ("", "the file has no rows"),
        (
            "WG,fast,time\n1,2,3\n",
            "the file has no column `FAST`, a parameter of the spec; the column `fast` has a similar name: rename it",
        ),
        (
            "FAST,time\n1,2\n",
            "the file has no column `WG`, a parameter of the spec; the columns are `FAST`, `time`; if all runs had one value of `WG`, state it by `--fix WG=…`",
        ),
        ("WG,WG,FAST,time\n1,1,1,2\n", "two columns are named `WG`"),
        ("WG,FAST,time\n32,0,1\n32.5,1,2\n", "line 3: `32.5`, in the column `WG`, is not a 64-bit integer"),
        ("WG,FAST,time\n32,1,\n64,1,\n", "none of the 2 runs succeeded"),
        ("{\"results\": 3}", "the file is JSON, but neither"),
        ("{\"a\": 1}", "the file is JSON, but neither"),
        ("{\"a\": 1,,}", "the file is not valid JSON: key must be a string at line 1 column 9"),
        ("{\"cache\": {\"a\": [", "the file is not valid JSON: EOF"),
        ("WG,FAST,time\n32,0\n", "line 2: the row has 2 cells, but there are 3 columns"),
        ("WG,FAST,time\n32,0,1,2\n", "line 2: the row has 4 cells, but there are 3 columns"),
    ] {
        assert!(told(text).contains(message), "{text}: {}", told(text));
    }
    for time in ["nan", "inf", "-1", "0", "1ms"] {
        let text = format!("WG,FAST,time\n32,0,{time}\n");
        let message = format!("line 2: `{time}`, in the column `time`, is not a time: a number greater than 0");
        assert!(told(&text).contains(&message), "{}", told(&text));
    }
    let error = read_bytes(b"WG,FAST\n32,0\n", |_| {}).unwrap_err();
    assert_eq!(error.to_string(), "the file has no column `time_ms`, `time_us`, `time`");
    assert!(matches!(read_bytes(b"WG,\xff\n", |_| {}), Err(MeasuredError::NotText(3))));
}

/// The files differ only in the ends of their lines; a comment and an empty line stand between the rows.
#[test]
fn lines_are_counted_whatever_ends_them() {
    let text = "# by hand\nWG,FAST,time\n32,0,1\n\n# noon\n64,0,2\n64.5,1,2\n";
    for end in ["\n", "\r\n"] {
        let error = read_text(&text.replace('\n', end)).unwrap_err();
        assert!(error.to_string().starts_with("line 7: `64.5`"), "{end:?}: {error}");
        let error = read_text(&text.replace("64,0,2\n64.5", "64.5").replace('\n', end)).unwrap_err();
        assert!(error.to_string().starts_with("line 6: `64.5`"), "{end:?}: {error}");
    }
}

#[test]
fn a_file_that_is_named_gz_and_is_not_packed_is_told() {
    let wanted = wanted();
    let mut file = tempfile::Builder::new().suffix(".csv.gz").tempfile().unwrap();
    for text in ["", "not packed\n"] {
        file.write_all(text.as_bytes()).unwrap();
        let error = read(file.path(), &wanted).unwrap_err();
        assert_eq!(error.to_string(), "the file's name ends in `.gz`, but its content is not gzip");
    }
}

#[test]
fn a_cache_of_another_device_is_told() {
    let cache = r#"{"device_name": "NAME", "cache": {"32,0": {"WG": 32, "FAST": 0, "time": 1.5}}}"#;
    let told = |name: &str| read_text(&cache.replace("NAME", name)).unwrap().other_device;
    assert_eq!(told("Tesla V100-PCIE-16GB"), None);
    assert_eq!(told("NVIDIA A100-PCIE-40GB").as_deref(), Some("NVIDIA A100-PCIE-40GB"));
    assert_eq!(told(""), None);
}

#[test]
fn t4_objectives_that_are_no_time_are_named() {
    let text = r#"{"results": [{"configuration": {"WG": 32, "FAST": 0}, "objectives": ["energy", "GFLOP/s"],
        "times": {"runtimes": [1.5]}, "invalidity": "correct",
        "measurements": [{"name": "energy", "value": 3, "unit": "J"}]}]}"#;
    let error = read_text(text).unwrap_err();
    assert_eq!(error.to_string(), "result 1: the time `time` is not one of the objectives `energy`, `GFLOP/s`");
    assert_eq!(
        runs(&read_text(&text.replace("\"energy\", \"G", "\"time\", \"G")).unwrap()),
        [(vec![32, 0], Some(1.5))]
    );
}

#[test]
fn semicolons_and_decimal_commas_are_read_or_refused_with_the_reason() {
    let text = "# of a spreadsheet\r\nWG;FAST;time_ms\r\n32;0;1,5\r\n64;1;\r\n64;0;2.0\r\n";
    assert_eq!(runs(&read_text(text).unwrap()), expected());
    let error = read_text(&text.replace("1,5", "1.001,5")).unwrap_err();
    assert_eq!(error.to_string(), "line 3: `1.001,5`, in the column `time_ms`, is not a time: a number greater than 0");
    assert!(error.help().unwrap().contains("one decimal comma"));
    // Between commas, a decimal comma makes two cells; in quotes it may as well separate thousands.
    let error = read_text("WG,FAST,time_ms\n32,0,1,5\n").unwrap_err();
    assert_eq!(error.to_string(), "line 2: the row has 4 cells, but there are 3 columns");
    assert!(error.help().unwrap().contains("separate cells by `;`"));
    let error = read_text("WG,FAST,time_ms\n32,0,\"1,5\"\n").unwrap_err();
    assert!(error.to_string().starts_with("line 2: `1,5`") && error.help().unwrap().contains("one decimal comma"));
}

#[test]
fn a_time_has_the_unit_of_its_column_or_the_one_that_is_stated() {
    let read = |column: &str, unit: Option<TimeUnit>| {
        let text = format!("WG,FAST,{column}\n32,0,1500\n");
        read_bytes(text.as_bytes(), |wanted| {
            wanted.unit = unit;
            wanted.time_column = Some(column);
        })
        .map(|measured| runs(&measured)[0].1.unwrap())
    };
    for (column, milliseconds) in [("t_ns", 1.5e-3), ("time_us", 1.5), ("time_ms", 1500.0), ("runtime_s", 1.5e6)] {
        assert!((read(column, None).unwrap() / milliseconds - 1.0).abs() < 1e-12, "{column}");
    }
    assert!((read("time", Some(TimeUnit::Seconds)).unwrap() / 1.5e6 - 1.0).abs() < 1e-12);
    let error = read("time", None).unwrap_err();
    assert_eq!(error.to_string(), "the unit of the column `time` is not known");
    assert!(error.help().unwrap().contains("--unit"));
    let error = read("time_us", Some(TimeUnit::Milliseconds)).unwrap_err();
    assert_eq!(error.to_string(), "the unit of the column `time_us` is us, not ms");
    let cache = r#"{"cache": {"32,0": {"WG": 32, "FAST": 0, "time": 1.5}}}"#;
    let error = read_bytes(cache.as_bytes(), |wanted| wanted.unit = Some(TimeUnit::Seconds)).unwrap_err();
    assert!(error.to_string().contains("is for CSV files"), "{error}");
}

#[test]
fn files_without_times_are_read_where_none_are_needed() {
    let read = |text: &str, times: WantedTimes| read_bytes(text.as_bytes(), |wanted| wanted.times = times);
    for text in ["WG,FAST,time_ms\n", "WG,FAST,time_ms\n32,0,\n"] {
        assert!(read(text, WantedTimes::One).is_err());
        let read = read(text, WantedTimes::Any).unwrap();
        assert_eq!(read.scenarios.len(), usize::from(text.contains("32")));
    }
    let list = read("FAST,WG\n0,32\n1,64\n", WantedTimes::Unread).unwrap();
    assert_eq!(runs(&list), [(vec![32, 0], None), (vec![64, 1], None)]);
    assert!(read("FAST,WG\n0,32\n", WantedTimes::Any).is_err());
}

#[test]
fn a_parameter_without_a_column_has_the_fixed_value_in_every_run() {
    let fixed = [("FAST".to_owned(), 1)];
    let read = |text: &str| read_bytes(text.as_bytes(), |wanted| wanted.fixed_parameters = &fixed);
    let runs = &read("WG,time_ms\n32,2\n64,3\n").unwrap().scenarios[0].runs;
    let configurations: Vec<_> = runs.iter().map(|run| run.configuration.0.as_slice()).collect();
    assert_eq!(configurations, [[32, 1], [64, 1]]);
    let twice = read("WG,FAST,time_ms\n32,0,2\n").unwrap_err();
    assert_eq!(twice.to_string(), "the parameter `FAST` is a column of the file");
    let other = [("SLOW".to_owned(), 1)];
    let unknown = read_bytes(b"WG,FAST,time_ms\n32,0,2\n", |wanted| wanted.fixed_parameters = &other).unwrap_err();
    let told = [unknown.to_string(), unknown.help().unwrap()];
    assert_eq!(told, ["`SLOW` is not a parameter of the spec", "the parameters are `WG`, `FAST`"]);
}
