#!/usr/bin/env python3
"""Fails when a change makes a kernel worse: `autotune diff` of each spec whose files changed since a revision. No GPU is needed.

usage: check_differences.py --base REVISION --gpu LIST [--threshold P] [--strict] [--sarif FILE] [SPEC...]

`autotune` and git are on the path; the working folder lies in the repository. Without SPEC, all that git tracks are looked at:
specs with a `source:`, and kernels with a spec in a comment. A spec is compared if the spec, a file of its source, or any header
changed; one that the revision does not have is named and left out. A table of each spec goes to the file that
GITHUB_STEP_SUMMARY names, and the findings of all of them to FILE, as SARIF. The exit status is 0 if nothing fails, 1 if
something does, 2 if a spec, a GPU or the revision cannot be used.
"""
import argparse
import json
import os
import re
import subprocess
import sys
from pathlib import PurePosixPath

WORSE = 6
HEADERS = {".h", ".hpp", ".cuh", ".clh", ".hh", ".inc", ".inl"}
SPECS = ["*.yaml", "*.yml"]
KERNELS = ["*.cl", "*.cu", "*.hip", "*.py"]
# The line that begins a spec in a kernel's file.
COMMENT = r"^[[:space:]]*(/\*|//|#)[[:space:]]*autotune:"


def git(*words):
    """What git prints; the end of the program if it refuses."""
    run = subprocess.run(["git", *words], capture_output=True, text=True)
    if run.returncode:
        print(annotation("error", "", None, f"git {' '.join(words)}: {run.stderr.strip()}"))
        sys.exit(2)
    return run.stdout


def escaped(text):
    """The text of an annotation: GitHub reads it in one line."""
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def annotation(level, file, line, message):
    """A message as GitHub shows it beside the line, or as compilers show one."""
    if os.environ.get("GITHUB_ACTIONS") == "true":
        place = f" file={file}" + (f",line={line}" if line else "") if file else ""
        return f"::{level}{place}::{escaped(message)}"
    return f"{file}:{line or 1}: {level}: {message}" if file else f"{level}: {message}"


def sources(spec):
    """The files of a spec's source, from the repository's root of names; none of a spec with a body, or of a source itself."""
    if PurePosixPath(spec).suffix not in (".yaml", ".yml"):
        return []
    with open(spec, encoding="utf-8") as file:
        text = file.read()
    source = re.search(r"^source:(.*(?:\n[ \t].*|\n)*)", text, re.M)
    if not source:
        return []
    named = re.search(r"\bfile:[ \t]*(\[[^\]]*\]|[^\n,}#]+)", source.group(1))
    names = re.split(r"[\[\],\s]+", named.group(1).strip()) if named else []
    return [os.path.normpath(os.path.join(os.path.dirname(spec), name.strip("'\""))) for name in names if name]


def commented():
    """The kernels' files that have a spec in a comment."""
    run = subprocess.run(["git", "grep", "-lzE", COMMENT, "--", *KERNELS], capture_output=True, text=True)
    return [name for name in run.stdout.split("\0") if name]


def affected(base, specs):
    """The specs whose files changed since the revision."""
    changed = set(git("diff", "--name-only", "--relative", "-z", base, "--").split("\0")) - {""}
    has_header = any(PurePosixPath(name).suffix in HEADERS for name in changed)
    if not specs:
        named = {name: sources(name) for name in git("ls-files", "-z", "--", *SPECS).split("\0") if name}
        of_specs = {file for files in named.values() for file in files}
        specs = [name for name, files in named.items() if files] + [name for name in commented() if name not in of_specs]
    return [spec for spec in specs if has_header or {os.path.normpath(spec), *sources(spec)} & changed]


def is_in(base, spec):
    """True if the revision has the spec."""
    return subprocess.run(["git", "cat-file", "-e", f"{base}:./{spec}"], capture_output=True).returncode == 0


def compared(spec, request, form):
    """What autotune answers in a form: the status, its output and its errors."""
    command = ["autotune", "diff", f"--git={request.base}", spec, "--gpu", request.gpu]
    command += ["--threshold", request.threshold, "--format", form] + (["--strict"] if request.strict else [])
    try:
        run = subprocess.run(command, capture_output=True, text=True)
    except FileNotFoundError:
        sys.exit("the program autotune is not on the path")
    return run.returncode, run.stdout, run.stderr


def annotations(report):
    """The findings that fail, and the predicted slowdowns."""
    for gpu in report["gpus"]:
        for found in gpu["findings"]:
            if found["fails"] or found["kind"] == "slower":
                place = found["place"] or {"file": report["new"], "line": None}
                level = "error" if found["fails"] else "warning"
                yield annotation(level, place["file"], place["line"], f"{found['message']} ({gpu['gpu']})")


def look(spec, request, logs):
    """Compares a spec, shows what was found, and returns the status."""
    if not is_in(request.base, spec):
        print(annotation("notice", spec, None, f"{request.base} does not have this spec"))
        return 0
    status, answer, errors = compared(spec, request, "json")
    if status not in (0, WORSE):
        print(annotation("error", spec, None, errors.strip()))
        return 2
    print(compared(spec, request, "text")[1])
    for line in annotations(json.loads(answer)):
        print(line)
    if summary := os.environ.get("GITHUB_STEP_SUMMARY"):
        with open(summary, "a", encoding="utf-8") as file:
            file.write(compared(spec, request, "markdown")[1] + "\n")
    if request.sarif:
        logs.append(json.loads(compared(spec, request, "sarif")[1]))
    return 1 if status == WORSE else 0


def main():
    parser = argparse.ArgumentParser(usage=__doc__.split("usage: ")[1].splitlines()[0])
    parser.add_argument("--base", required=True)
    parser.add_argument("--gpu", required=True)
    parser.add_argument("--threshold", default="20")
    parser.add_argument("--strict", action="store_true")
    parser.add_argument("--sarif", default="")
    parser.add_argument("specs", nargs="*")
    request = parser.parse_args()
    logs = []
    specs = affected(request.base, request.specs)
    worst = max((look(spec, request, logs) for spec in specs), default=0)
    if not specs:
        print(f"no spec has changed since {request.base}")
    if logs:
        # One run holds the results of all specs, so that GitHub shows them together.
        logs[0]["runs"][0]["results"] = [result for log in logs for result in log["runs"][0]["results"]]
        with open(request.sarif, "w", encoding="utf-8") as file:
            json.dump(logs[0], file, indent=2)
    return worst


if __name__ == "__main__":
    sys.exit(main())
