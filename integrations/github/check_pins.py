#!/usr/bin/env python3
"""Fails when pinned launch parameters are no longer near the proved optimum of their spec.

usage: check_pins.py [--within PERCENT] [FILE]

FILE (autotune.pins) has a line for each pin; paths are from its folder:

    # spec                GPU    parameters        problem sizes
    kernels/scale.yaml    volta  WG=128,ITEMS=8
    kernels/scale.yaml    volta  WG=256,ITEMS=8    n=16M

`autotune` is on the path. A table goes to standard output and, as Markdown, to the file that GITHUB_STEP_SUMMARY names. The
exit status is 0 if all pins are within PERCENT (5) of the optimum, 1 if one is not, 2 if FILE cannot be used.
"""
import argparse
import json
import os
import subprocess
import sys
from fractions import Fraction
from pathlib import Path

HEADER = ["spec", "GPU", "pinned", "time", "optimum", "above", "verdict"]


class Pin:
    """A line of the file."""

    def __init__(self, place, line, cells):
        self.place, self.line = place, line
        self.spec, self.gpu, self.parameters = cells[:3]
        self.question = [self.spec, "--gpu", self.gpu]
        for size in cells[3].split(",") if len(cells) > 3 else []:
            self.question += ["--set", size]
        self.sizes = cells[3] if len(cells) > 3 else ""

    def check(self, within):
        """The cells of the table, and what is wrong; None if nothing is."""
        names = [self.spec + (f" {self.sizes}" if self.sizes else ""), self.gpu, self.parameters]
        optimum, error = self.answered([*self.question, "--format", "json"])
        if error:
            return [*names, "", "", "", "not proved"], error
        optimum = optimum["optimum"]
        best = ",".join(f"{name}={value}" for name, value in optimum["parameters"].items())
        pinned, error = self.answered(["evaluate", *self.question, "--config", self.parameters, "--format", "json"])
        ticks = pinned["configurations"][0].get("ticks") if pinned else None
        if ticks is None:
            error = f"{self.parameters} cannot run: {error or 'it has no time'}; the optimum is {best}"
            return [*names, "", f"{best}: {shown(optimum)}", "", "cannot run"], error
        above = Fraction(100 * ticks, optimum["ticks"]) - 100
        cells = [*names, shown(pinned["configurations"][0]), f"{best}: {shown(optimum)}", f"{float(above):.2f} %"]
        if above <= within:
            return [*cells, "ok"], None
        error = f"{self.parameters} is {float(above):.2f} % above the optimum {best}; {float(within):g} % are allowed"
        return [*cells, "too slow"], error

    def answered(self, arguments):
        """The answer of autotune, or its error."""
        try:
            run = subprocess.run(["autotune", *arguments], cwd=self.place.parent, capture_output=True, text=True)
        except FileNotFoundError:
            sys.exit("the program autotune is not on the path")
        if run.returncode == 0:
            return json.loads(run.stdout), None
        said = run.stderr.strip().removeprefix("error: ") or reason(run.stdout)
        return None, said or f"autotune ended with status {run.returncode}"


def reason(text):
    """What an answer without a configuration says."""
    try:
        configurations = json.loads(text).get("configurations") or [{}]
    except ValueError:
        return text.strip()
    return configurations[0].get("reason") or "no configuration is feasible"


def shown(configuration):
    microseconds = configuration.get("microseconds")
    return f"{configuration['ticks']:,} ticks" if microseconds is None else f"{microseconds:,.1f} microseconds"


def read(path):
    pins = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        cells = line.split("#")[0].split()
        if not cells:
            continue
        if not 3 <= len(cells) <= 4 or any(cell.startswith("-") for cell in cells):
            sys.exit(f"{path}:{number}: not a spec, a GPU, parameters (A=1,B=2) and, if need be, problem sizes (n=4M)")
        pins.append(Pin(path, number, cells))
    if not pins:
        sys.exit(f"{path} has no pins: write lines such as `kernel.yaml volta WG=128,ITEMS=8`")
    return pins


def annotation(pin, error):
    """An error as GitHub shows it beside the line, or as compilers show one."""
    if os.environ.get("GITHUB_ACTIONS") != "true":
        return f"{pin.place}:{pin.line}: {error}"
    for character, code in [("%", "%25"), ("\r", "%0D"), ("\n", "%0A")]:
        error = error.replace(character, code)
    return f"::error file={pin.place},line={pin.line}::{error}"


def markdown(rows):
    def line(cells):
        return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |\n"

    return "### Pinned launch parameters\n\n" + line(HEADER) + "|---" * len(HEADER) + "|\n" + "".join(map(line, rows))


def percent(text):
    number = Fraction(text)
    if number < 0:
        raise ValueError
    return number


def main():
    parser = argparse.ArgumentParser(usage="check_pins.py [--within PERCENT] [FILE]")
    parser.add_argument("--within", type=percent, default=Fraction(5))
    parser.add_argument("file", type=Path, nargs="?", default=Path("autotune.pins"))
    request = parser.parse_args()
    try:
        pins = read(request.file)
    except OSError as error:
        sys.exit(f"{request.file}: {error.strerror}")
    checked = [(pin, *pin.check(request.within)) for pin in pins]
    rows = [cells for _, cells, _ in checked]
    widths = [max(map(len, column)) for column in zip(HEADER, *rows)]
    for row in [HEADER, *rows]:
        print("  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip())
    errors = [annotation(pin, error) for pin, _, error in checked if error]
    print("\n".join(errors), end="\n" if errors else "")
    if summary := os.environ.get("GITHUB_STEP_SUMMARY"):
        with open(summary, "a", encoding="utf-8") as file:
            file.write(markdown(rows))
    return 1 if errors else 0


def ended(main):
    """The exit status; a file that cannot be used is 2, as it is for autotune."""
    try:
        return main()
    except SystemExit as error:
        if isinstance(error.code, str):
            print(error.code, file=sys.stderr)
            return 2
        raise


if __name__ == "__main__":
    sys.exit(ended(main))
