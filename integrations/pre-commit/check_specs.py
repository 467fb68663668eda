#!/usr/bin/env python3
"""Runs `autotune check` for each spec among some YAML files, for the hook `autotune-check`.

usage: check_specs.py [OPTION OF autotune check]... FILE...

Other YAML files are left out: a spec has the keys `kernel` and `launch`. The exit status is 0 if no spec has an error.
"""
import re
import subprocess
import sys
from pathlib import Path


def is_spec(path):
    """True for the file of a spec."""
    text = Path(path).read_text(encoding="utf-8", errors="replace")
    return all(re.search(rf"^{key}:", text, re.M) for key in ("kernel", "launch"))


def main():
    files = [word for word in sys.argv[1:] if word.endswith((".yaml", ".yml")) and Path(word).is_file()]
    options = [word for word in sys.argv[1:] if word not in files]
    failed = 0
    for path in filter(is_spec, files):
        try:
            ended = subprocess.run(["autotune", "check", path, *options], capture_output=True, text=True)
        except FileNotFoundError:
            sys.exit("the program autotune is not on the path")
        if ended.returncode:
            failed = 1
            print(f"{path}:\n{ended.stdout}{ended.stderr}")
    return failed


if __name__ == "__main__":
    sys.exit(main())
