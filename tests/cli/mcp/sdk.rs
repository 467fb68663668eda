//! The official SDK for Python as the client, which holds each reply against the schema of its tool: the newest version, and the
//! last one of the protocol that begins with `initialize` alone.

use super::*;

const SCRIPT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/python/drive_mcp.py");

#[test]
fn the_sdk_for_python_accepts_the_tools_and_their_replies() {
    for (environment, version) in [("python", "2.3.0"), ("python-mcp-1", "1.30.0")] {
        let python = format!("{PROJECT}/target/{environment}/bin/python");
        assert!(Path::new(&python).exists(), "`ci/setup tests` installs {python}");
        let mut client = assert_cmd::Command::new(python);
        client
            .args([SCRIPT, version])
            .arg(assert_cmd::cargo::cargo_bin("autotune"))
            .current_dir(PROJECT)
            .envs(isolated());
        let ended = run(&mut client);
        assert_eq!((ended.status, ended.stdout.as_str()), (0, "26 calls\n"), "{version}: {}", ended.stderr);
    }
}
