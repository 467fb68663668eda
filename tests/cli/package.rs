//! The Python package in `python`, installed into an empty folder, and the table that its strategy is compared in.

use super::*;

/// The Python for which `ci/setup tests` installs Kernel Tuner and what installs the package.
const PYTHON: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/target/python/bin/python");

/// An environment with nothing but what a wheel brings, and a search path without `autotune`, SPIN and Python.
struct Environment {
    folder: tempfile::TempDir,
}

impl Environment {
    /// Builds a wheel with the tests' own program, and installs it.
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let at = folder.path();
        let mut wheel_command = Command::new(concat!(env!("CARGO_MANIFEST_DIR"), "/ci/wheel"));
        wheel_command.arg("--program").arg(assert_cmd::cargo::cargo_bin("autotune"));
        wheel_command.arg("--spin").arg(which::which("spin").unwrap()).arg("--out").arg(at.join("wheel"));
        let built = run(&mut wheel_command);
        assert_eq!(built.status, 0, "{}", built.stderr);
        let wheel = at.join("wheel").read_dir().unwrap().next().unwrap().unwrap().path();
        let made = run(Command::new(PYTHON).args(["-m", "venv", "--without-pip"]).arg(at.join("own")));
        assert_eq!(made.status, 0, "{}", made.stderr);
        let mut install = Command::new(PYTHON);
        install.args(["-m", "pip", "--quiet", "--python"]).arg(at.join("own/bin/python"));
        let installed = run(install.args(["install", "--no-index", "--no-deps", "--no-compile"]).arg(&wheel));
        assert_eq!(installed.status, 0, "{}", installed.stderr);
        std::fs::create_dir(at.join("path")).unwrap();
        for name in ["sh", "gcc", "as", "ld", "clang-19"] {
            let program = which::which(name).unwrap();
            std::os::unix::fs::symlink(program, at.join("path").join(name)).unwrap();
        }
        Self { folder }
    }

    /// A program of the environment, in the project's folder.
    fn command(&self, name: &str) -> Command {
        let mut command = Command::new(self.folder.path().join("own/bin").join(name));
        command.current_dir(env!("CARGO_MANIFEST_DIR")).env_clear().env("PATH", self.folder.path().join("path"));
        command.env("HOME", self.folder.path()).env("PYTHONDONTWRITEBYTECODE", "1");
        command
    }
}

/// Python in a folder, with the package if `modules` is where it is installed, and with `autotune` on the path.
fn python(folder: &Path, modules: &Path) -> Command {
    assert!(Path::new(PYTHON).exists(), "{PYTHON} is missing: `ci/setup tests` installs it");
    let mut command = Command::new(PYTHON);
    command.current_dir(folder).env("PYTHONPATH", modules).env("PYTHONDONTWRITEBYTECODE", "1");
    command.env("PATH", path_with_autotune()).envs(isolated());
    command
}

/// A folder in which pip has installed the package.
fn installed() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let source = concat!(env!("CARGO_MANIFEST_DIR"), "/python");
    let pip = ["-m", "pip", "install", "--quiet", "--no-index", "--no-deps", "--no-build-isolation", "--target"];
    let ended = run(python(folder.path(), Path::new("")).args(pip).arg(folder.path()).arg(source));
    assert_eq!(ended.status, 0, "{}", ended.stderr);
    folder
}

#[test]
fn a_wheel_proves_in_an_empty_environment_and_passes_the_packages_own_tests() {
    let environment = Environment::new();
    let of_package = environment.folder.path().join("own/lib");
    let of_package = of_package.read_dir().unwrap().next().unwrap().unwrap().path().join("site-packages");
    assert!(of_package.join("autotune_gpu/py.typed").exists());
    let licences = of_package.join(concat!("autotune_gpu-", env!("CARGO_PKG_VERSION"), ".dist-info/licenses"));
    for name in ["LICENSE", "LICENSE-OF-SPIN", "LICENSES-OF-DEPENDENCIES"] {
        assert!(licences.join(name).exists(), "{name}");
    }
    let proves = |command: &mut Command, spec: &str, gpu: &str| {
        let ended = run(command.args([spec, "--gpu", gpu, "--format", "json", "--no-cache"]));
        assert!(json(&ended, "result.json")["optimum"]["ticks"].is_u64(), "{}", ended.stderr);
    };
    proves(&mut environment.command("autotune"), "examples/kernels/matmul.yaml", "fermi");
    let mut module = environment.command("python");
    proves(module.args(["-m", "autotune_gpu"]), "examples/kernels/rms_norm.yaml", "a100");

    let doctor = run(environment.command("autotune").args(["doctor", "--format", "json"]));
    for name in ["autotune-spin", "python"] {
        let path = environment.folder.path().join("own/bin").join(name);
        let is_its = |check: &Value| check["path"] == path.display().to_string();
        assert!(json(&doctor, "doctor.json")["checks"].as_array().unwrap().iter().any(is_its), "{}", doctor.stdout);
    }

    // Kernel Tuner is the tests' own; the package and the program are the wheel's.
    let of_tests =
        Path::new(PYTHON).parent().unwrap().join("../lib").join(of_package.parent().unwrap().file_name().unwrap());
    let tests = concat!(env!("CARGO_MANIFEST_DIR"), "/python/tests");
    let mut own = environment.command("python");
    own.current_dir(environment.folder.path()).env("PYTHONPATH", of_tests.join("site-packages")).envs(isolated());
    // The tests start `sleep` and other programs of the system.
    own.env("PATH", std::env::var_os("PATH").unwrap());
    let ended = run(own.args(["-m", "unittest", "discover", "-s", tests]));
    assert_eq!(ended.status, 0, "{}", ended.stderr);
    let ran = ended.stderr.lines().find_map(|line| line.strip_prefix("Ran ")?.split(' ').next()?.parse::<usize>().ok());
    assert!(ran >= Some(45), "{}", ended.stderr);
}

#[test]
fn the_package_has_the_programs_version() {
    let project = include_str!("../../python/pyproject.toml");
    assert!(project.contains(concat!("\nversion = \"", env!("CARGO_PKG_VERSION"), "\"\n")), "{project}");
}

#[test]
fn the_books_suggester_prints_what_the_book_shows() {
    let modules = installed();
    let page = crate::readme::page("guide/python.md");
    let script = crate::readme::block(&page, "python");
    let ended = run(python(Path::new(env!("CARGO_MANIFEST_DIR")), modules.path()).args(["-c", script]));
    assert_eq!((ended.status, ended.stdout.as_str()), (0, crate::readme::block(&page, "text")), "{}", ended.stderr);
}

/// The book's call, on the times that the machine predicts.
#[test]
fn the_books_strategy_drives_kernel_tuner() {
    let modules = installed();
    let page = crate::readme::page("guide/python.md");
    let section = &page[page.find("## A strategy").unwrap()..];
    let folder = tempfile::tempdir().unwrap();
    let question = ["tuning-specs/transpose.yaml", "--gpu", "fermi", "--format", "kernel-tuner"];
    std::fs::write(folder.path().join("cache.json"), run(autotune().args(question)).stdout).unwrap();
    std::fs::write(folder.path().join("transpose.cl"), "__kernel void unused() {}").unwrap();
    std::fs::create_dir(folder.path().join("tuning-specs")).unwrap();
    let spec = concat!(env!("CARGO_MANIFEST_DIR"), "/tuning-specs/transpose.yaml");
    std::fs::copy(spec, folder.path().join("tuning-specs/transpose.yaml")).unwrap();
    // The example has no GPU, so that Kernel Tuner looks times up.
    let simulated = "import functools, kernel_tuner\narguments = []\n\
                     kernel_tuner.tune_kernel = functools.partial(kernel_tuner.tune_kernel, lang='OpenCL', quiet=True, \
                     cache='cache.json', simulation_mode=True)\n";
    let call = crate::readme::block(section, "python")
        .replace("kernel_tuner.tune_kernel(\n", "results, _ = kernel_tuner.tune_kernel(\n");
    let script = format!("{simulated}{}print(len(results))", call.replace("(4096, 4096)", "4096"));
    let ended = run(python(folder.path(), modules.path()).args(["-W", "ignore", "-c", &script]));
    assert_eq!((ended.status, ended.stdout.as_str()), (0, "20\n"), "{}", ended.stderr);
    assert!(!ended.stderr.contains("random order"), "{}", ended.stderr);
}

/// The table's script on one small set: each strategy of the book's table has its row, and ours does not fall back.
#[test]
fn strategies_are_compared_on_a_measured_set() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["coulomb__rtx2080ti.yaml", "coulomb__rtx2080ti.csv.gz"] {
        let set = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/measured").join(name);
        std::fs::copy(set, folder.path().join(name)).unwrap();
    }
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/ci/strategies");
    let ended = run(python(folder.path(), Path::new("")).args([script, "--seeds", "1"]).arg(folder.path()));
    assert_eq!(ended.status, 0, "{}", ended.stderr);
    assert!(!ended.stderr.contains("random order"), "{}", ended.stderr);
    let names = |text: &str| -> Vec<String> {
        let rows = text.lines().filter(|line| line.starts_with("| `"));
        rows.map(|line| line.split(" | ").next().unwrap().to_owned()).collect()
    };
    let page = crate::readme::page("guide/python.md");
    assert_eq!(names(&ended.stdout), names(&page[page.find("| strategy, ").unwrap()..]));
    // It does not depend on chance.
    let ours = ended.stdout.lines().find(|line| line.starts_with("| `Corrected` ")).unwrap();
    assert!(ours.starts_with("| `Corrected` | 0.992 | 0.997 |"), "{ours}");
}
