//! Parts that other programs take ready-made: the action's program, hooks for pre-commit, a page for coding agents.

use super::*;

/// A program, and an archive with it as a release has them, are taken from a path and from an address with its sum.
#[test]
fn the_action_takes_a_program_or_an_archive_from_a_path_or_an_address() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    fs::create_dir(at.join("autotune-1")).unwrap();
    script(&at.join("autotune-1"), "autotune", "#!/bin/sh\necho autotune of the archive\n");
    built(command("tar", at).args(["-czf", "autotune-1.tar.gz", "autotune-1"]));
    let sum = built(command("sha256sum", at).arg("autotune-1.tar.gz"));
    let sum = sum.split(' ').next().unwrap();
    let address = format!("file://{}/autotune-1.tar.gz", at.display());
    let of = |place: &str, sum: &str| step("autotune from a release", at, &[("binary", place), ("sha256", sum)]);
    for (place, sum) in [("autotune-1/autotune", ""), ("autotune-1.tar.gz", ""), (address.as_str(), sum)] {
        let _ = fs::remove_dir_all(at.join("autotune"));
        let ended = of(place, sum);
        assert_eq!((ended.status, ended.stdout.as_str()), (0, "autotune of the archive\n"), "{}", ended.stderr);
        assert!(fs::read_to_string(at.join("path")).unwrap().ends_with("/autotune/bin\n"));
    }
    let other = of(&address, &sum.replace(|digit: char| digit.is_ascii_digit(), "0"));
    assert!(other.status == 1 && other.stdout.contains("is not that of the input sha256"), "{}", other.stdout);
}

/// A hook of `.pre-commit-hooks.yaml`, as pre-commit runs it in a repository.
fn hook(id: &str, folder: &Path, arguments: &[&str]) -> Ended {
    let text = fs::read_to_string(Path::new(ROOT).join(".pre-commit-hooks.yaml")).unwrap();
    let hooks: Value = serde_saphyr::from_str(&text).unwrap();
    let hook = hooks.as_array().unwrap().iter().find(|hook| hook["id"] == id).expect("there is this hook").clone();
    assert_eq!(hook["language"], "script");
    run(command(&Path::new(ROOT).join(hook["entry"].as_str().unwrap()).display().to_string(), folder).args(arguments))
}

#[test]
fn the_hooks_of_pre_commit_fail_for_a_wrong_spec_and_for_a_worse_kernel() {
    let folder = with_source();
    fs::write(folder.path().join("other.yaml"), "kernel: of something else\n").unwrap();
    let check = || hook("autotune-check", folder.path(), &["--gpu", "volta", "scale.yaml", "other.yaml"]);
    let ended = check();
    assert_eq!(ended.status, 0, "{}{}", ended.stdout, ended.stderr);
    let git = |words: &[&str]| built(command("git", folder.path()).args(words));
    git(&["init", "--quiet"]);
    git(&["add", "."]);
    git(&["-c", "user.name=me", "-c", "user.email=me", "commit", "--quiet", "-m", "one"]);
    let unchanged = hook("autotune-diff", folder.path(), &["--gpu", "a100"]);
    assert_eq!((unchanged.status, unchanged.stdout.as_str()), (0, "no spec has changed since HEAD\n"));
    change(&folder.path().join("scale.yaml"), "launch:", "launch:\n  shape: round");
    let wrong = check();
    assert!(wrong.status == 1 && wrong.stdout.contains("scale.yaml:"), "{}", wrong.stdout);
    assert!(!wrong.stdout.contains("other.yaml"), "{}", wrong.stdout);
    let unread = hook("autotune-diff", folder.path(), &["--gpu", "a100"]);
    assert_eq!(unread.status, 2, "{}", unread.stdout);
}

/// The page for coding agents: short, with commands that there are.
#[test]
fn the_skill_for_coding_agents_is_short_and_names_commands_that_there_are() {
    let text = fs::read_to_string(Path::new(ROOT).join("integrations/agents/SKILL.md")).unwrap();
    assert!(text.lines().count() <= 60 && text.starts_with("---\nname: autotune\ndescription: "));
    let commands = regex::Regex::new(r"`autotune ([a-z]+)[ `]").unwrap();
    let named: std::collections::BTreeSet<&str> =
        commands.captures_iter(&text).map(|found| found.get(1).unwrap().as_str()).collect();
    assert!(named.len() >= 8, "{named:?}");
    for name in named {
        assert_eq!(run(command("autotune", Path::new(ROOT)).args([name, "--help"])).status, 0, "{name}");
    }
}
