#!/usr/bin/env python3
"""Fails when a spec has no configuration that fits each GPU of some targets. Nothing is proved, and no GPU is needed.

usage: check_fits.py --require TARGETS SPEC...

TARGETS are as for `autotune check --require`: sm_75,gfx90a. `autotune` is on the path. The matrix of each spec goes to standard
output and to the file that GITHUB_STEP_SUMMARY names. The exit status is 0 if all fit, 1 if one does not, 2 if a spec or a
target cannot be used.
"""
import argparse
import os
import subprocess
import sys

INFEASIBLE = 4


def checked(spec, targets):
    """The status, and what autotune says."""
    try:
        run = subprocess.run(["autotune", "check", spec, "--require", targets], capture_output=True, text=True)
    except FileNotFoundError:
        sys.exit("the program autotune is not on the path")
    return run.returncode, run.stdout + run.stderr


def annotation(spec, message):
    """An error as GitHub shows it beside the file, or as compilers show one."""
    return f"::error file={spec}::{message}" if os.environ.get("GITHUB_ACTIONS") == "true" else f"{spec}: {message}"


def message(status, text):
    """What is wrong with a spec, in a line."""
    missing = [line for line in text.splitlines() if line.startswith("required, and without")]
    if status == INFEASIBLE and missing:
        return missing[0]
    return next((line for line in text.splitlines() if line.startswith("error: ")), f"autotune ended with status {status}")


def main():
    parser = argparse.ArgumentParser(usage="check_fits.py --require TARGETS SPEC...")
    parser.add_argument("--require", required=True)
    parser.add_argument("specs", nargs="+")
    request = parser.parse_args()
    worst = 0
    for spec in request.specs:
        status, text = checked(spec, request.require)
        print(text)
        if summary := os.environ.get("GITHUB_STEP_SUMMARY"):
            with open(summary, "a", encoding="utf-8") as file:
                file.write(f"### {spec} on {request.require}\n\n```\n{text}```\n")
        if status:
            print(annotation(spec, message(status, text)))
            worst = max(worst, 1 if status == INFEASIBLE else 2)
    return worst


if __name__ == "__main__":
    sys.exit(main())
