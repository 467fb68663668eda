//! Writes the proved launch parameters of `scale.yaml` as constants into `launch.rs`. Cargo runs it again when a file that
//! they depend on, the GPU or the program is another one.

use std::fmt::Write;
use std::path::Path;
use std::process::{Command, ExitCode};
use std::{env, fs};

const SPEC: &str = "scale.yaml";

fn main() -> ExitCode {
    println!("cargo::rerun-if-changed={SPEC}");
    for name in ["AUTOTUNE", "GPU", "PATH"] {
        println!("cargo::rerun-if-env-changed={name}");
    }
    match constants() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            for line in error.lines() {
                println!("cargo::error={line}");
            }
            ExitCode::FAILURE
        }
    }
}

fn constants() -> Result<(), String> {
    let program = env::var("AUTOTUNE").unwrap_or_else(|_| "autotune".to_owned());
    let gpu = env::var("GPU").unwrap_or_else(|_| "volta".to_owned());
    let folder = env::var("OUT_DIR").map_err(|error| error.to_string())?;
    let (file, depfile) = (Path::new(&folder).join("launch.rs"), Path::new(&folder).join("launch.d"));
    // A line for each parameter: NAME=VALUE.
    let output = Command::new(&program)
        .args([SPEC, "--gpu", &gpu, "--format", "shell", "--depfile-target", "launch.rs", "--depfile"])
        .arg(&depfile)
        .output()
        .map_err(|error| format!("cannot run `{program}`, which AUTOTUNE names: {error}"))?;
    if !output.status.success() {
        let error = String::from_utf8_lossy(&output.stderr);
        return Err(error.trim_start_matches("error: ").to_owned());
    }
    let read = fs::read_to_string(&depfile).map_err(|error| format!("cannot read {}: {error}", depfile.display()))?;
    for dependency in dependencies(&read) {
        println!("cargo::rerun-if-changed={dependency}");
    }
    let mut constants = String::new();
    for line in String::from_utf8_lossy(&output.stdout).lines() {
        let (name, value) = line.split_once('=').ok_or_else(|| format!("`{line}` is not NAME=VALUE"))?;
        writeln!(constants, "pub const {name}: usize = {value};").map_err(|error| error.to_string())?;
    }
    fs::write(&file, constants).map_err(|error| format!("cannot write {}: {error}", file.display()))
}

/// The files behind the target of a depfile, which stand on a line each, without the escapes of make.
fn dependencies(depfile: &str) -> impl Iterator<Item = String> + '_ {
    let lines = depfile.lines().skip(1).map(|line| line.trim_start().trim_end_matches(" \\"));
    lines.map(|name| name.replace("\\ ", " ").replace("\\#", "#").replace("\\:", ":").replace("$$", "$"))
}
