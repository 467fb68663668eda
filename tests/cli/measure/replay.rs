//! A GPU that replays the times of a measured set.

use std::collections::HashMap;
use std::io::Read;

use flate2::read::GzDecoder;

use super::super::*;

const SPEC: &str = "tuning-specs/measured/coulomb.yaml";
const SET: &str = "tests/data/measured/coulomb__rtx2080ti.csv.gz";
const PARAMETERS: [&str; 5] =
    ["WORK_GROUP_SIZE_X", "WORK_GROUP_SIZE_Y", "Z_ITERATIONS", "INNER_UNROLL_FACTOR", "USE_SOA"];

/// Prints the measured time of the configuration in the environment. The first argument is its folder, the second one
/// sets what is to go wrong.
const SCRIPT: &str = r#"#!/bin/sh
cd "$1" || exit 9
eval "$2"
test -z "$log" || echo "run $AUTOTUNE_FLAGS" >> log
echo begun
test -z "$noise$trouble$dies" || echo >> count
if test -n "$trouble"; then
    case $(wc -l < count) in
    2) trap '' INT; sleep 100 ;;
    4) kill -KILL 0 ;;
    6) kill -TERM 0; sleep 9 ;;
    8) echo "done: 3 runs"; exit ;;
    10) echo "no such kernel" >&2; echo >&2; exit 7 ;;
    12) yes ;;
    14) exec setsid sleep 100 ;;
    15) sleep 100 & ;;
    esac
fi
test "$(wc -l < count)" != "$dies" || touch dead
if test -e dead; then
    echo "device lost" >&2
    exit 7
fi
if test -n "$killer" && ! test -e killed; then
    touch killed
    kill -"$killer" $PPID
    sleep 3
fi
key="$AUTOTUNE_WORK_GROUP_SIZE_X,$AUTOTUNE_WORK_GROUP_SIZE_Y,$AUTOTUNE_Z_ITERATIONS,$AUTOTUNE_INNER_UNROLL_FACTOR,$AUTOTUNE_USE_SOA"
if test "$fails" = "$key"; then
    test ! -e ran || exit 7
    touch ran
fi
awk -F, -v key="$key," -v noise="$noise" -v count="$(wc -l < count)" '
index($0, key) == 1 {
    time = $6
    if (noise) {
        srand(count * 7919)
        sum = -6
        for (i = 0; i < 12; ++i) sum += rand()
        time *= exp(0.2 * sum)
        if (count % 7 == 0) time *= 5
        if (NR % 3 == 0 && count % 2) time *= 1.5
    }
    printf "kernel: %.17g ms, checked\n", time
    found = 1
}
END { exit !found }' times.csv
"#;

/// The script and the measured set in a folder of their own.
pub(super) struct Replay {
    pub(super) folder: tempfile::TempDir,
    times: HashMap<String, f64>,
    settings: String,
}

impl Replay {
    /// A GPU with this trouble, as the script's settings.
    pub(super) fn new(settings: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let mut text = String::new();
        GzDecoder::new(std::fs::File::open(SET).unwrap()).read_to_string(&mut text).unwrap();
        std::fs::write(folder.path().join("times.csv"), &text).unwrap();
        std::fs::write(folder.path().join("count"), "").unwrap();
        script(folder.path(), "gpu", SCRIPT);
        let time = |line: &str| {
            let cells: Vec<&str> = line.split(',').collect();
            (cells[..5].join(","), cells[5].parse().unwrap())
        };
        let times = text.lines().skip(1).map(time).collect();
        Self { folder, times, settings: settings.to_owned() }
    }

    /// The measured time of a configuration.
    pub(super) fn time(&self, parameters: &Value) -> Option<f64> {
        self.times.get(&Self::key(parameters)).copied()
    }

    /// The values of a configuration as the script joins them.
    pub(super) fn key(parameters: &Value) -> String {
        PARAMETERS.map(|name| parameters[name].to_string()).join(",")
    }

    /// The text of the spec.
    pub(super) fn spec() -> String {
        std::fs::read_to_string(SPEC).unwrap()
    }

    /// The folder of the measurement.
    pub(super) fn out(&self) -> PathBuf {
        self.folder.path().join("out")
    }

    /// The text of a file in the folder of the measurement.
    pub(super) fn file(&self, name: &str) -> String {
        let path = self.out().join(name);
        std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
    }

    /// The command that runs the script.
    fn script(&self) -> String {
        let path = self.folder.path().display();
        format!("{path}/gpu {path} '{}'", self.settings)
    }

    /// The arguments of a measurement.
    pub(super) fn arguments(&self, run: &str, more: &[&str]) -> Vec<String> {
        let question = ["measure", SPEC, "--gpu", "rtx2080ti", "--format", "json", "--run", run, "--out"];
        let question = question.into_iter().map(str::to_owned).chain([self.out().display().to_string()]);
        question.chain(more.iter().map(|&one| one.to_owned())).collect()
    }

    /// A measurement with the script.
    pub(super) fn command(&self, more: &[&str]) -> Command {
        self.other_command(&self.script(), more)
    }

    /// A measurement with the script, as a process that can be killed.
    pub(super) fn process(&self, more: &[&str]) -> std::process::Command {
        let mut command = std::process::Command::new(assert_cmd::cargo::cargo_bin("autotune"));
        command.args(self.arguments(&self.script(), more)).current_dir(env!("CARGO_MANIFEST_DIR"));
        command.envs(crate::isolated());
        command
    }

    /// A measurement with another command.
    pub(super) fn other_command(&self, run_with: &str, more: &[&str]) -> Command {
        let mut command = autotune();
        command.args(self.arguments(run_with, more));
        command
    }

    /// The result of a measurement with the script, and its end.
    pub(super) fn measured(&self, more: &[&str]) -> (Value, Ended) {
        let ended = run(&mut self.command(more));
        (json(&ended, "measure.json"), ended)
    }

    /// The answer of `suggest` on the same space.
    pub(super) fn suggest(more: &[&str]) -> Ended {
        run(autotune().args(["suggest", SPEC, "--gpu", "rtx2080ti", "--format", "json", "--until", "0"]).args(more))
    }
}
