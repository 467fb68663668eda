//! `autotune measure --profile`: the values of a known profile are found again in its times, and an `OpenCL` device is measured.

use autotune::gpu::Profile;
use num_traits::ToPrimitive;

use super::*;

/// Times of a launch on a GPU of 1,455 MHz: an empty kernel of `launches.yaml`, loads of 413 and of 280 more cycles, 64 bytes a
/// cycle. None is more than 0.3 % off. The first argument is a folder, the second one sets what is to go wrong.
const SCRIPT: &str = r#"#!/bin/sh
cd "$1" || exit 9
eval "$2"
echo "$AUTOTUNE_KERNEL,$AUTOTUNE_WORK_GROUP,$AUTOTUNE_GROUPS,$AUTOTUNE_STRIDE,$AUTOTUNE_STEPS" >> log
if test "$stops" = "$(wc -l < log)"; then
    kill -INT $PPID
    sleep 5
fi
shift 2
awk -v kernel="$1" -v items="$2" -v groups="$3" -v stride="$4" -v steps="$5" 'BEGIN {
    if (kernel == "empty") time = 3 + 0.000125 * items / 32 * groups
    if (kernel == "chain") time = 4 + steps * (stride == 1 ? 413 : 693) / 1455
    if (kernel == "spread") time = 4 + groups * items * steps * 32 / 64 / 1455
    srand(items + 7 * groups + 11 * stride + 13 * steps)
    printf "kernel: %.6f us\n", time * (1 + 0.003 * (2 * rand() - 1))
}'
"#;

/// The known profile.
const KNOWN: &str = "examples/papers/launches.yaml";

/// The script in a folder of its own.
struct Gpu {
    folder: tempfile::TempDir,
    settings: &'static str,
}

impl Gpu {
    fn new(settings: &'static str) -> Self {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().unwrap();
        let script = folder.path().join("gpu");
        std::fs::write(&script, SCRIPT).unwrap();
        std::fs::set_permissions(&script, PermissionsExt::from_mode(0o755)).unwrap();
        Self { folder, settings }
    }

    fn out(&self) -> String {
        self.folder.path().join("out").display().to_string()
    }

    /// A measurement with the script.
    fn measured(&self, more: &[&str]) -> Ended {
        let (path, settings) = (self.folder.path().display(), self.settings);
        let script =
            format!("{path}/gpu {path} '{settings}' {{KERNEL}} {{WORK_GROUP}} {{GROUPS}} {{STRIDE}} {{STEPS}}");
        let mut command = autotune();
        command.args(["measure", "--profile", "--gpu", "gtx1050", "--out", &self.out(), "--run", &script]);
        run(command.args(more))
    }

    fn log(&self) -> Vec<String> {
        std::fs::read_to_string(self.folder.path().join("log")).unwrap().lines().map(str::to_owned).collect()
    }
}

/// The values of the wave model of a profile: extra latency, bandwidth, and those of launches by the warps of a group.
fn values(file: &str) -> (f64, f64, BTreeMap<u64, [f64; 2]>) {
    let Profile::Pipelined(gpu) = Profile::resolve(file).unwrap() else { panic!("a real GPU") };
    let launches = gpu.launch_regression.iter();
    let number = |rate: autotune::gpu::Rate| rate.to_f64().unwrap();
    (
        number(gpu.latency_uncoalesced_extra_cycles.unwrap()),
        number(gpu.uncoalesced_bandwidth_bytes_per_cycle.unwrap()),
        launches.map(|one| (one.warps, [one.per_group_us, one.fixed_us].map(number))).collect(),
    )
}

fn near(value: f64, expected: f64) {
    assert!((value / expected - 1.0).abs() < 0.05, "{value} is not {expected}");
}

#[test]
fn the_values_of_a_known_profile_are_found_again() {
    let gpu = Gpu::new("");
    let ended = gpu.measured(&["--format", "json"]);
    let report = json(&ended, "measured_profile.json");
    assert_eq!(ended.status, 0, "{}", ended.stderr);
    assert_eq!((&report["base"], report["runs"].as_array().unwrap().len()), (&"gtx1050".into(), 32 * 4 + 6 + 3));
    let profile = format!("{}/profile.yaml", gpu.out());
    let (extra, bandwidth, launches) = values(&profile);
    let (known_extra, known_bandwidth, known_launches) = values(KNOWN);
    near(extra, known_extra);
    near(bandwidth, known_bandwidth);
    assert_eq!(launches.len(), 32);
    assert_eq!(known_launches.keys().collect::<Vec<_>>(), [&4, &8]);
    for (warps, [per_group, fixed]) in known_launches {
        near(launches[&warps][0], per_group);
        near(launches[&warps][1], fixed);
    }
    // With the profile, the wave model leaves out nothing that it can have, and predicts the known profile's time.
    let predicted = |gpu: &str| {
        let asked = ["predict", "tuning-specs/transpose.yaml", "--gpu", gpu, "--config", "TS=32,ROWS=8,PAD=1"];
        json(&run(autotune().args(asked).args(["--format", "json"])), "prediction.json")
    };
    let [measured, known] = [predicted(&profile), predicted(KNOWN)];
    assert_eq!(measured["left_out"], known["left_out"]);
    assert!(measured["left_out"].as_array().unwrap().iter().all(|one| one["term"] == "other_latency"), "{measured}");
    near(
        measured["configurations"][0]["microseconds"].as_f64().unwrap(),
        known["configurations"][0]["microseconds"].as_f64().unwrap(),
    );
    // Each value says where it comes from, and the kernels lie beside the profile.
    let text = std::fs::read_to_string(&profile).unwrap();
    for key in ["latency_uncoalesced_extra_cycles:", "uncoalesced_bandwidth_bytes_per_cycle:", "launch_regression:"] {
        let line = text.lines().find(|line| line.starts_with(key)).unwrap();
        assert!(line.contains(" # measured: "), "{line}");
    }
    let why = run(autotune().args(["gpus", "--why", "gtx1050"]));
    assert_eq!(why.status, 0, "{}", why.stderr);
    for file in ["profile.cl", "profile.c", "profile.cu", "runs.csv"] {
        assert!(Path::new(&gpu.out()).join(file).exists(), "{file}");
    }
}

#[test]
fn a_measurement_goes_on_after_ctrl_c() {
    let gpu = Gpu::new("stops=7");
    let some = ["--work-groups", "64,256"];
    let ended = gpu.measured(&some);
    assert_eq!(ended.status, 3, "{}", ended.stderr);
    assert!(ended.stderr.contains("interrupted: 6 of 17 launches are kept in"), "{}", ended.stderr);
    assert!(!Path::new(&gpu.out()).join("profile.yaml").exists());
    // Without a word, what is there stays.
    let ended = gpu.measured(&some);
    assert_eq!(ended.status, 2, "{}", ended.stderr);
    assert!(
        ended.stderr.contains("runs.csv`: it exists") && ended.stderr.contains("`--resume` goes on"),
        "{}",
        ended.stderr
    );
    let ended = gpu.measured(&["--work-groups", "64,256", "--resume"]);
    assert_eq!(ended.status, 0, "{}", ended.stderr);
    let log = gpu.log();
    assert_eq!((log.len(), &log[6]), (18, &log[7]), "the launch that was cut short runs again, and no other");
    assert!(ended.stdout.contains("gtx1050-measured, a variant of gtx1050: 17 launches"), "{}", ended.stdout);
    // Rows that are no measurement of this GPU are named by their lines.
    let path = Path::new(&gpu.out()).join("runs.csv");
    let rows = std::fs::read_to_string(&path).unwrap();
    for (old, new, told) in [
        ("chain,32,1,1,1024,", "chain,32,1,1,1025,", ", line 11: no launch of this GPU has these parameters"),
        ("empty,64,1024,1,0,3", "empty,64,1024,1,0,-3", ", line 3: its time is not a number of microseconds above 0"),
        ("--gpu gtx1050", "--gpu v100", ", line 1: it is of another measurement"),
    ] {
        assert!(rows.contains(old), "{rows}");
        std::fs::write(&path, rows.replacen(old, new, 1)).unwrap();
        let ended = gpu.measured(&["--work-groups", "64,256", "--resume"]);
        assert_eq!(ended.status, 2, "{}", ended.stderr);
        assert!(ended.stderr.contains(told), "{told}: {}", ended.stderr);
    }
    // A torn row is measured again.
    std::fs::write(&path, &rows[..rows.len() - 3]).unwrap();
    assert_eq!(gpu.measured(&["--work-groups", "64,256", "--resume"]).status, 0);
    assert_eq!(std::fs::read_to_string(&path).unwrap(), rows);
}

/// A file of the user's that has the profile's name stays as it is, and nothing runs; a measured profile is replaced.
#[test]
fn a_profile_that_was_not_measured_is_not_replaced() {
    let gpu = Gpu::new("");
    let some = ["--work-groups", "64,256"];
    let profile = Path::new(&gpu.out()).join("profile.yaml");
    let own = "name: mine\nbase: gtx1050\n";
    std::fs::create_dir(gpu.out()).unwrap();
    std::fs::write(&profile, own).unwrap();
    let ended = gpu.measured(&some);
    assert_eq!(ended.status, 2, "{}", ended.stderr);
    assert!(
        ended.stderr.contains("profile.yaml` exists, and is not a measured profile")
            && ended.stderr.contains("move it away: only measured profiles are replaced"),
        "{}",
        ended.stderr
    );
    assert_eq!(std::fs::read_to_string(&profile).unwrap(), own);
    assert!(!gpu.folder.path().join("log").exists(), "nothing ran");
    let all: Vec<_> = std::fs::read_dir(gpu.out()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(all, ["profile.yaml"]);
    std::fs::remove_file(&profile).unwrap();
    assert_eq!(gpu.measured(&some).status, 0);
    std::fs::remove_file(Path::new(&gpu.out()).join("runs.csv")).unwrap();
    let ended = gpu.measured(&some);
    assert_eq!(ended.status, 0, "{}", ended.stderr);
}

#[test]
fn a_benchmark_that_says_nothing_of_the_gpu_is_refused_with_its_launch() {
    for (command, more, status, told) in [
        (
            "false",
            &[][..],
            1,
            "the run of KERNEL=empty WORK_GROUP=64 GROUPS=1024 STRIDE=1 STEPS=0 failed: it ended with exit status 1",
        ),
        ("echo nonsense", &[], 1, "STEPS=0 failed: its output has no number with a unit of time"),
        ("echo 0 us", &[], 1, "STEPS=0 failed: its time is 0 ms, and not a finite number above 0"),
        ("sleep 9", &["--run-limit", "100ms"], 1, "STEPS=0 failed: it took longer than 100ms"),
        ("echo 3 us", &[], 1, "all 4 launches of `empty` took 3 us, whatever their GROUPS"),
        (
            "echo {GROUPS}.{STRIDE} us",
            &[],
            1,
            "the time of `chain` does not grow with STEPS: 1.1 us for 1024, 1.1 us for 4096",
        ),
        ("no_such_program", &[], 2, "the program `no_such_program` is not found"),
        ("echo {KERNELL} us", &[], 2, "did you mean `{KERNEL}`?"),
        ("echo 3 us", &["--build", "false"], 1, "the build failed: it ended with exit status 1"),
        (
            "echo 3 us",
            &["--work-groups", "64,100"],
            2,
            "groups of 100 work items are not measured: sizes are multiples of 32, up to 1024",
        ),
        ("echo 3 us", &["tuning-specs/transpose.yaml"], 2, "cannot be used with"),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let out = folder.path().join("out").display().to_string();
        let mut asked = autotune();
        asked.args(["measure", "--profile", "--gpu", "gtx1050", "--out", &out, "--run", command]).args(more);
        if !more.contains(&"--work-groups") {
            asked.args(["--work-groups", "64"]);
        }
        let ended = run(&mut asked);
        assert_eq!(ended.status, status, "{command}: {}", ended.stderr);
        assert!(
            ended.stderr.contains(told) && ended.stderr.contains("help") | ended.stderr.contains("For more"),
            "{told}: {}",
            ended.stderr
        );
        assert!(!Path::new(&out).join("profile.yaml").exists(), "{command}");
    }
}

#[test]
fn a_base_that_cannot_be_measured_is_refused() {
    for (gpu, told) in [
        ("abstract-tiny", "`abstract-tiny` is lockstep"),
        (KNOWN, "a profile's base is one that autotune has, and `examples/papers/launches.yaml` is a file"),
        ("gtx1051", "gtx1050"),
    ] {
        let ended = run(autotune().args(["measure", "--profile", "--gpu", gpu, "--run", "echo 3 us"]));
        assert_eq!(ended.status, 2, "{gpu}: {}", ended.stderr);
        assert!(ended.stderr.contains(told), "{told}: {}", ended.stderr);
    }
}

/// The kernels as they are shipped, on this computer's processor.
#[test]
fn an_opencl_device_is_measured() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().display();
    let (build, run_with) = (
        format!("cc -O2 -Wall -Wextra -Werror {out}/profile.c -o {out}/profile -lOpenCL"),
        format!("{out}/profile {{KERNEL}} {{WORK_GROUP}} {{GROUPS}} {{STRIDE}} {{STEPS}}"),
    );
    let mut command = autotune();
    command.args(["measure", "--profile", "--gpu", "gtx1050", "--work-groups", "64,256", "--format", "json"]);
    command.args(["--out", &out.to_string(), "--build", &build, "--run", &run_with]);
    let ended = run(&mut command);
    assert_eq!(ended.status, 0, "{}", ended.stderr);
    let report = json(&ended, "measured_profile.json");
    assert_eq!(report["runs"].as_array().unwrap().len(), 2 * 4 + 6 + 3);
    let profile = std::fs::read_to_string(folder.path().join("profile.yaml")).unwrap();
    assert!(profile.contains("\nbase: gtx1050 ") && profile.contains("  - { warps: 8, per_group_us: "), "{profile}");
    Profile::resolve(folder.path().join("profile.yaml").to_str().unwrap()).unwrap();
}
