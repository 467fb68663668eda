//! Completions by the shells themselves: bash and zsh on a terminal, fish by its own question.

use std::collections::BTreeSet;
use std::io::Write;
use std::process::{Child, Command as Process};
use std::time::Duration;

use super::*;

/// A line, and what it is completed to.
struct Line {
    shells: &'static str,
    before: &'static str,
    behind: &'static str,
    words: Vec<&'static str>,
}

/// The lines of a shell.
fn lines(shell: &str) -> Vec<Line> {
    let all = include_str!("completions/lines.txt").lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    let read = |line: &'static str| {
        let (shells, line) =
            line.strip_prefix('[').and_then(|line| line.split_once("] ")).unwrap_or(("bash zsh fish", line));
        let (before, rest) = line.split_once('⇥').unwrap();
        let (behind, words) = rest.rsplit_once(" :").unwrap();
        Line { shells, before, behind, words: words.split_whitespace().collect() }
    };
    let lines: Vec<Line> = all.map(read).filter(|line| line.shells.contains(shell)).collect();
    assert!(lines.len() >= 60, "{}", lines.len());
    lines
}

impl Line {
    /// The word at the cursor, as far as the cursor.
    fn word(&self) -> &'static str {
        self.before.rsplit(' ').next().unwrap()
    }

    /// What is wrong with the words that a shell put there; `None` if nothing is. A folder may end in a slash.
    fn wrong(&self, words: &[&str]) -> Option<String> {
        let words: BTreeSet<&str> = words.iter().map(|word| word.trim_end_matches('/')).collect();
        let mut behind = self.words.split(|word| *word == "…");
        let expected: BTreeSet<&str> = behind.next().into_iter().flatten().copied().collect();
        let is_right = match behind.next() {
            None => words == expected,
            Some(absent) => words.is_superset(&expected) && absent.iter().all(|word| !words.contains(&word[1..])),
        };
        (!is_right).then(|| format!("{}⇥: {words:?}, not {expected:?}", self.before))
    }
}

/// Two folders: `work` with kernels, whole and broken, and the user's `home`.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let work = folder.path().join("work");
    let write = |name: &str, text: &str| std::fs::write(work.join(name), text).unwrap();
    for name in ["work/specs", "home"] {
        std::fs::create_dir_all(folder.path().join(name)).unwrap();
    }
    let head = "kernel: k\nproblem: { n: 1024, m: 8 }\n";
    let launch = "launch: { work_items: n, work_group: WG }\nbody: [ compute: { per_item: U * m } ]\n";
    let parameters = "parameters: { WG: { values: [32, 64] }, U: { range: { from: 1, to: 3 } } }\n";
    write("kernel.yaml", &[head, parameters, launch].concat());
    for name in ["../home/kernel.yaml", "../home/two words.yaml"] {
        write(name, &[head, parameters, launch].concat());
    }
    write("specs/inner.yaml", &[head, parameters, launch].concat());
    write("broken.yaml", &[head, "parameters: { WG: { values: [32, 64 }"].concat());
    write("kernel.cl", "__kernel void k() {}\n");
    write("kernel.py", "open('started', 'w')\n");
    let source = "launch: { programs: n }\nsource: { file: kernel.py, kernel: k }\n";
    write("triton.yaml", &[head, "parameters: { BLOCK: { values: [16, 32] } }\n", source].concat());
    write("notes.txt", "");
    write(
        "space.json",
        r#"{"ConfigurationSpace": {"TuningParameters": [{"Name": "V", "Type": "int", "Values": "[5, 7]"}]}}"#,
    );
    // What is wrong with the user's defaults does not matter.
    write("../home/config.yaml", "gpu: [\n");
    script(folder.path(), "home/tool", "#!/bin/sh\ntouch started\n");
    let made = Process::new("mkfifo").arg(work.join("pipe.yaml")).status().unwrap();
    assert!(made.success());
    folder
}

/// Writes a shell's completions below the user's home, as the book does.
fn install(shell: &str, file: &str, folder: &Path) {
    let path = folder.join("home").join(file);
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(path, run(autotune().args(["completions", shell])).stdout).unwrap();
}

/// A process in the folder, for which the program is `autotune`.
fn in_folder(mut process: Process, folder: &Path) -> Process {
    let tool = folder.join("home/tool");
    process.current_dir(folder.join("work")).envs(isolated()).env("PATH", path_with_autotune());
    process
        .env("HOME", folder.join("home"))
        .env("AUTOTUNE_CONFIG", folder.join("home/config.yaml"))
        .env("TERM", "xterm")
        .env_remove("XDG_CONFIG_HOME");
    process.env("AUTOTUNE_CLANG", &tool).env("AUTOTUNE_PYTHON", &tool).stdout(Stdio::piped()).stderr(Stdio::piped());
    process
}

/// A shell on a terminal, which writes each line that it has into a file when Ctrl-O is typed, and empties it.
struct OnTerminal {
    shell: Child,
    keys: std::process::ChildStdin,
    written: PathBuf,
}

impl OnTerminal {
    fn start(command: &str, folder: &Path) -> Self {
        let written = folder.join("home/written");
        let mut process = in_folder(Process::new("script"), folder);
        process.args(["-qec", command, "/dev/null"]).env("WRITTEN", &written).stdin(Stdio::piped());
        let mut shell = process.spawn().unwrap();
        let keys = shell.stdin.take().unwrap();
        let mut terminal = Self { shell, keys, written };
        // What is typed before the shell reads keys may be lost.
        while terminal.lines().is_empty() {
            terminal.type_keys("\u{f}");
            std::thread::sleep(Duration::from_millis(50));
        }
        terminal.typed("ready");
        terminal
    }

    fn type_keys(&mut self, keys: &str) {
        self.keys.write_all(keys.as_bytes()).unwrap();
        self.keys.flush().unwrap();
    }

    fn lines(&self) -> Vec<String> {
        std::fs::read_to_string(&self.written).unwrap_or_default().lines().map(str::to_owned).collect()
    }

    /// The line that keys make.
    fn typed(&mut self, keys: &str) -> String {
        let is_new = |lines: &[String]| lines.last().is_some_and(|line| !line.is_empty());
        std::fs::write(&self.written, "").unwrap();
        self.type_keys(&format!("{keys}\u{f}"));
        wait_until("the shell writes its line", || is_new(&self.lines()));
        self.lines().pop().unwrap()
    }

    /// The line that all completions of a line make, without what stands behind the cursor.
    fn completed(&mut self, line: &Line) -> String {
        let left = "\u{2}".repeat(line.behind.len());
        let whole = self.typed(&format!("{}{}{left}\t", line.before, line.behind));
        whole.strip_suffix(line.behind).unwrap_or_else(|| panic!("{whole}")).to_owned()
    }

    /// Ends the shell. Returns what the terminal has shown.
    fn end(self) -> String {
        let Self { mut shell, keys, .. } = self;
        drop(keys);
        shell.kill().unwrap();
        String::from_utf8_lossy(&shell.wait_with_output().unwrap().stdout).into_owned()
    }
}

fn assert_silent(folder: &Path, shown: &str) {
    for word in ["error", "panicked", "help:"] {
        assert!(!shown.contains(word), "{shown}");
    }
    assert!(!folder.join("work/started").exists(), "a compiler or Python was started");
}

#[test]
fn bash_completes() {
    let folder = folder();
    install("bash", "autotune", folder.path());
    let start = "source ../home/autotune\nbind 'set enable-bracketed-paste off'\nPS1='> '\n\
                 bind 'set completion-query-items 0'\nbind '\"\\t\": insert-completions'\nbind '\"\\C-p\": complete'\n\
                 written() { printf '%s\\n' \"$READLINE_LINE\" >>\"$WRITTEN\"; READLINE_LINE= READLINE_POINT=0; }\n\
                 bind -x '\"\\C-o\": written'\n";
    std::fs::write(folder.path().join("home/start"), start).unwrap();
    let mut terminal = OnTerminal::start("bash --noprofile --rcfile ../home/start -i", folder.path());
    let mut wrong = Vec::new();
    for line in lines("bash") {
        let got = terminal.completed(&line);
        // Bash replaces what stands behind the last of these.
        let kept = line.word().rfind(['=', ':']).map_or("", |last| &line.word()[..=last]);
        let inserted = got.strip_prefix(line.before.strip_suffix(&line.word()[kept.len()..]).unwrap());
        let inserted = inserted.unwrap_or_else(|| panic!("{}: {got}", line.before));
        let words: Vec<String> = inserted.split_whitespace().map(|word| format!("{kept}{word}")).collect();
        let is_unchanged = got == line.before;
        let words = if is_unchanged { Vec::new() } else { words.iter().map(String::as_str).collect() };
        wrong.extend(line.wrong(&words));
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    for (typed, completed) in [
        ("autotune kernel.yaml --gpu fermi,volt", "autotune kernel.yaml --gpu fermi,volta "),
        ("autotune kernel.yaml --set m", "autotune kernel.yaml --set m="),
        ("autotune kernel.yaml --config WG=6", "autotune kernel.yaml --config WG=64"),
        ("autotune check spe", "autotune check specs/"),
        ("autotune check --space=spe", "autotune check --space=specs/"),
        ("autotune check 'kernel.y", "autotune check 'kernel.yaml' "),
        ("./autotune ca", "./autotune ca"),
    ] {
        assert_eq!(terminal.typed(&format!("{typed}\u{10}")), completed);
    }
    assert_silent(folder.path(), &terminal.end());
}

#[test]
fn zsh_completes() {
    let folder = folder();
    install("zsh", ".zfunc/_autotune", folder.path());
    which::which("zsh").expect("zsh is needed for this test");
    let start = "PS1='> '\nfpath=(~/.zfunc $fpath)\nautoload -Uz compinit && compinit -D -u\nLISTMAX=10000\n\
                 unsetopt beep list_beep\nzle -C all-matches complete-word _generic\n\
                 zstyle ':completion:all-matches::::' completer _all_matches _complete\n\
                 zstyle ':completion:all-matches:*' insert yes\nbindkey '^I' all-matches\nbindkey '^P' complete-word\n\
                 written() { print -r -- \"$BUFFER\" >>$WRITTEN; BUFFER= }\nzle -N written\nbindkey '^O' written\n";
    std::fs::write(folder.path().join("home/.zshrc"), start).unwrap();
    let mut terminal = OnTerminal::start("env ZDOTDIR=../home zsh -i", folder.path());
    let mut wrong = Vec::new();
    for line in lines("zsh") {
        let got = terminal.completed(&line);
        let inserted = got.strip_prefix(line.before.strip_suffix(line.word()).unwrap());
        let inserted = inserted.unwrap_or_else(|| panic!("{}: {got}", line.before));
        let is_unchanged = got == line.before;
        let words: Vec<&str> = if is_unchanged { Vec::new() } else { inserted.split_whitespace().collect() };
        wrong.extend(line.wrong(&words));
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    for (typed, completed) in [
        ("autotune kernel.yaml --gpu fermi,volt", "autotune kernel.yaml --gpu fermi,volta "),
        ("autotune kernel.yaml --set m", "autotune kernel.yaml --set m="),
        ("autotune kernel.yaml --config WG=6", "autotune kernel.yaml --config WG=64"),
        ("autotune check spe", "autotune check specs/"),
        ("autotune check --space=spe", "autotune check --space=specs/"),
        ("autotune \"kernel.yaml\" --set \"m", "autotune \"kernel.yaml\" --set \"m="),
    ] {
        assert_eq!(terminal.typed(&format!("{typed}\u{10}")), completed);
    }
    assert_silent(folder.path(), &terminal.end());
}

#[test]
fn fish_completes() {
    let folder = folder();
    install("fish", ".config/fish/completions/autotune.fish", folder.path());
    let lines = lines("fish");
    let ask = "for line in $argv; echo \"> $line\"; complete -C $line; end";
    let mut fish = in_folder(Process::new("fish"), folder.path());
    fish.args(["-c", ask]).args(lines.iter().map(|line| line.before));
    let ended = ended(fish.output().expect("fish is needed for this test"));
    let answers: Vec<&str> = ended.stdout.split("> autotune ").skip(1).collect();
    assert_eq!(answers.len(), lines.len(), "{}", ended.stderr);
    let mut wrong = Vec::new();
    for (line, answer) in lines.iter().zip(answers) {
        let words: Vec<&str> = answer.lines().skip(1).filter_map(|line| line.split('\t').next()).collect();
        wrong.extend(line.wrong(&words));
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert!(ended.stdout.contains("\nclear\tRemove all that is kept\n"));
    assert_eq!(ended.stderr, "");
    assert_silent(folder.path(), "");
}

/// The shells that ask for no candidates have the commands in their scripts.
#[test]
fn no_script_has_a_hidden_command() {
    for shell in ["elvish", "powershell"] {
        let script = run(autotune().args(["completions", shell])).stdout;
        assert!(script.contains("evaluate") && !script.contains("batch-job"), "{shell}");
    }
}

#[test]
fn manual_pages_are_without_fault() {
    let folder = tempfile::tempdir().unwrap();
    assert_eq!(run(autotune().args(["man", "--out"]).arg(folder.path())).status, 0);
    let pages: Vec<PathBuf> = std::fs::read_dir(&folder).unwrap().map(|page| page.unwrap().path()).collect();
    let mut lint = Process::new("mandoc");
    let output =
        lint.args(["-T", "lint", "-W", "warning"]).args(&pages).output().expect("mandoc is needed for this test");
    assert_eq!(String::from_utf8_lossy(&output.stdout), "");
    assert!(output.status.success() && pages.len() > 25, "{}", String::from_utf8_lossy(&output.stderr));
    for page in pages {
        let text = std::fs::read_to_string(page).unwrap();
        for named in text.split("autotune\\-").skip(1).filter_map(|rest| rest.split_once("(1)")) {
            let file = format!("autotune-{}.1", named.0.replace('\\', ""));
            assert!(named.0.contains(char::is_whitespace) || folder.path().join(&file).exists(), "{file}");
        }
    }
}
