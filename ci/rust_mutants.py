"""Mutants of Rust functions, as `cargo mutants` names them, woven into one build: the variable AUTOTUNE_MUTANT chooses one.

A build for each mutant would take most of the time. So a copy of the sources holds, for each function with drawn mutants, the body of
each mutant and its own: `{ if crate::mutant(3) { mutated } else { original } }`.
"""
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
from collections import defaultdict
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
# A folder of its own for what is built: in one folder cargo would take the two copies of a file for one.
TREE = ROOT / "target" / "mutants"
CHOICE = """
/// Whether this mutant is chosen. Each that is asked for is noted once, where a file for that is named.
pub(crate) fn mutant(number: usize) -> bool {
    use std::io::Write;
    use std::sync::{LazyLock, Mutex};
    static CHOSEN: LazyLock<Option<usize>> =
        LazyLock::new(|| std::env::var("AUTOTUNE_MUTANT").ok().and_then(|number| number.parse().ok()));
    static NOTES: LazyLock<Option<Mutex<(std::fs::File, [bool; 4096])>>> = LazyLock::new(|| {
        let name = std::env::var_os("AUTOTUNE_MUTANTS_SEEN")?;
        Some(Mutex::new((std::fs::File::options().append(true).create(true).open(name).ok()?, [false; 4096])))
    });
    if let Some(notes) = &*NOTES {
        let mut notes = notes.lock().unwrap();
        if !notes.1[number] {
            notes.1[number] = true;
            writeln!(notes.0, "{number}").unwrap();
        }
    }
    *CHOSEN == Some(number)
}
"""


def drawn(globs, number, seed, listed):
    """Up to this number of mutants of these files: those that a list names, and others by their checksums.

    So a change of the sources changes the draw only by the mutants that it changes.
    """
    options = [option for glob in globs for option in ("-f", glob)]
    command = ["cargo", "mutants", "--workspace", "--list", "--json", *options]
    found = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    # Constants have no body to choose.
    every = [mutant for mutant in json.loads(found) if mutant["function"]]

    def order(mutant):
        name = stable_name(mutant)
        return name not in listed, hashlib.sha256(f"{seed} {name}".encode()).digest()

    chosen = sorted(every, key=order)[:number]
    return len(every), sorted(chosen, key=lambda mutant: (mutant["file"], mutant["name"]))


def stable_name(mutant):
    """The name with the line's text for its number, which changes with the lines above."""
    file, line, column, what = re.match(r"(.*?):(\d+):(\d+): (.*)", mutant["name"], re.S).groups()
    text = (ROOT / file).read_text().splitlines()[int(line) - 1].strip()
    return " ".join(f"{file}: {text} | column {column}: {what}".split())


def offset(text, place):
    """cargo-mutants counts lines and characters from 1."""
    lines = text.split("\n")
    return sum(len(line) + 1 for line in lines[: place["line"] - 1]) + place["column"] - 1


def body_of(text, begin):
    """Where the block of the function that begins here begins."""
    at = text.index("(", text.index("fn ", begin))
    depth = 0
    while True:
        depth += (text[at] in "([") - (text[at] in ")]")
        if depth == 0 and text[at] == "{":
            return at
        at += 1


def weave(mutants):
    """Makes a copy of the sources that holds all of them."""
    shutil.rmtree(TREE, ignore_errors=True)
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    for name in filter(lambda name: (ROOT / name).is_file(), listed.split("\0")):
        (TREE / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, TREE / name)
    by_file = defaultdict(list)
    for number, mutant in mutants.items():
        by_file[mutant["file"]].append((number, mutant))
    for file, some in by_file.items():
        path = TREE / file
        path.write_text(woven(path.read_text(), some))
    for library in [TREE / "src" / "lib.rs", *TREE.glob("crates/*/src/lib.rs")]:
        library.write_text("#![allow(warnings)]\n" + library.read_text() + CHOICE)


def woven(text, mutants):
    by_function = defaultdict(list)
    for number, mutant in mutants:
        by_function[offset(text, mutant["function"]["span"]["start"])].append((number, mutant))
    for begin in sorted(by_function, reverse=True):
        some = by_function[begin]
        end = offset(text, some[0][1]["function"]["span"]["end"])
        body = body_of(text, begin)
        choice = ""
        for number, mutant in some:
            first, last = offset(text, mutant["span"]["start"]), offset(text, mutant["span"]["end"])
            mutated = text[body:first] + mutant["replacement"] + text[last:end]
            choice += f"if crate::mutant({number}) {mutated} else "
        text = text[:body] + "{ " + choice + text[body:end] + " }" + text[end:]
    return text


def build(mutants):
    """The test programs with those of the mutants that compile, by number; the others are dropped."""
    kept = dict(enumerate(mutants))
    while True:
        weave(kept)
        environment = {**os.environ, "CARGO_TARGET_DIR": str(ROOT / "target" / "woven")}
        command = ["cargo", "test", "--no-run", "--message-format=json", "--lib", "--test", "oracle", "--test", "with_spin"]
        built = subprocess.run(command, cwd=TREE, env=environment, capture_output=True, text=True)
        messages = [json.loads(line) for line in built.stdout.splitlines() if line.startswith("{")]
        if built.returncode == 0:
            tests = [message for message in messages if message.get("executable") and message["profile"]["test"]]
            # Copies, which no other build replaces, each where cargo starts it; SPIN's tests come last.
            tests.sort(key=lambda test: "with_spin" in test["executable"])
            return kept, [shutil.copy(test["executable"], Path(test["manifest_path"]).parent) for test in tests]
        wrong = set()
        for message in messages:
            if message["reason"] == "compiler-message" and message["message"]["level"] == "error":
                wrong |= {number for span in message["message"]["spans"] if (number := mutant_at(span)) is not None}
        if not wrong & set(kept):
            raise SystemExit(built.stderr[-3000:])
        print(f"{len(wrong)} do not compile", file=sys.stderr, flush=True)
        for number in wrong:
            kept.pop(number, None)


def mutant_at(span):
    """The mutant whose body holds the primary place of an error."""
    if not span["is_primary"] or not (TREE / span["file_name"]).is_file():
        return None
    before = (TREE / span["file_name"]).read_bytes()[: span["byte_start"]].decode()
    numbers = re.findall(r"crate::mutant\((\d+)\)", before)
    return int(numbers[-1]) if numbers else None
