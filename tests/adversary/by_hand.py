#!/usr/bin/env python3
"""Proves random specs, keeps the proofs, and checks each folder by commands of this file alone.

    by_hand.py SEED NUMBER

Each model of the kept folders is searched by spin, a C compiler and pan; each time is compared with machine.py, and
`top` with the best times. AUTOTUNE names the binary. Writes into a temporary folder alone. The last line counts; the
exit status is 0 if NUMBER proofs were kept and nothing is wrong.
"""
import collections
import glob
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.append(f"{HERE}/../oracle")
import machine
from kept import ends_in, label, read, write
from random_specs import Draw

AUTOTUNE = os.environ.get("AUTOTUNE", "autotune")
COMPILERS = [name for name in ("tcc", "gcc") if shutil.which(name)]
EVENTS = 300_000        # machine.py runs no program with more
MISSES = 20             # specs that may be refused or infeasible, for each one that is kept
TABLES = {"AUTOTUNE_TABLES": "tables.txt"}
WAYS = ([], [], ["--no-prune"], ["--form", "wave"], ["--form", "wave", "--no-prune"], ["--strategy", "bisection"],
        ["--strategy", "branch-and-bound"], ["--no-prune", "--no-check-all"], ["--top", "3"],
        ["--top", "5", "--no-prune"])


def tool(*arguments):
    """The exit status and the output of the program; 124 if it takes too long."""
    done = subprocess.run(["timeout", "60", AUTOTUNE, *arguments], capture_output=True, text=True, check=False)
    return done.returncode, done.stdout


def run(command, folder, **variables):
    environment = {**os.environ, **variables}
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False).stdout


def events(body):
    total = 0
    for statement in body:
        (kind, fields), = statement.items()
        total += fields["count"] * events(fields["body"]) if kind == "loop" else 1
    return total


def is_short(program):
    resident = min(program["resident_groups"], -(-program["groups"] // program["multiprocessors"]))
    return events(program["body"]) * resident * program["warps_per_group"] <= EVENTS


class Check:
    """The check of one kept proof; `counts` counts what was done, and `wrong` gathers what is wrong."""

    def __init__(self, folder, question, counts, draw):
        self.folder, self.question, self.counts, self.draw, self.wrong = folder, question, counts, draw, []
        self.result = json.loads(read(f"{folder}/kept/result.json"))
        self.ticks = self.result["optimum"]["ticks"]
        self.times = {}     # by machine.py; None if a program has too many events

    def all(self):
        self.compute_times()
        self.check_answer()
        for model in sorted(glob.glob(f"{self.folder}/kept/proof/model-*")):
            self.check_model(model)
        return self.wrong

    def compute_times(self):
        for one in self.result["configurations"]:
            if one["status"] == "infeasible":
                continue
            chosen = ",".join(label(one["parameters"]).split(" "))
            program = json.loads(tool("model", *self.question, "--config", chosen, "--format", "json")[1])
            short = is_short(program)
            self.times[label(one["parameters"])] = machine.evaluate(program) if short else None
            self.counts["times by machine.py"] += short

    def check_answer(self):
        """Optimum, ties and top are those of machine.py's times."""
        if None in self.times.values():
            return
        best = sorted(self.times.values())
        fastest = {text for text, time in self.times.items() if time == best[0]}
        named = [label(one) for one in (self.result["optimum"]["parameters"], *self.result["ties"])]
        if best[0] != self.ticks or sorted(named) != sorted(fastest):
            self.wrong.append(f"named {named} at {self.ticks}, by machine.py {fastest} at {best[0]}")
        top = self.result.get("top", [])
        self.counts["places of top"] += len(top)
        places = {label(one["parameters"]) for one in top}
        if [one["ticks"] for one in top] != best[:len(top)] or len(places) != len(top):
            self.wrong.append(f"top {top}, by machine.py {best[:len(top)]}")
        if any(self.times[label(one["parameters"])] != one["ticks"] for one in top):
            self.wrong.append(f"times of top {top}")

    def check_model(self, model):
        """No run ends before T, one ends at T if a configuration takes T, and all take machine.py's times."""
        names, work = read(f"{model}/configurations.txt").splitlines(), f"{self.folder}/work"
        shutil.rmtree(work, ignore_errors=True)
        shutil.copytree(model, work)
        self.compile(work, max(1024, int(re.search(r"VECTORSZ=(\d+)", read(f"{model}/search.sh"))[1])))
        for bound in (self.ticks, self.ticks + 1):
            output = run(["./claim", "-m2000000", "-n"], work, AUTOTUNE_MT=str(bound), **TABLES)
            found = re.search(r"errors: (\d+)", output)
            if not found or "Full statespace search" not in output or "max search depth too small" in output:
                self.wrong.append(f"{model}: no verdict at {bound}: {output[-300:]}")
                continue
            takes = bound > self.ticks and any(self.times[name] == self.ticks for name in names)
            perhaps = bound > self.ticks and any(self.times[name] is None for name in names)
            if found[1] != str(int(takes)) and not (perhaps and found[1] in "01"):
                self.wrong.append(f"{model}: errors: {found[1]} at {bound}")
        output = run(["./ends", "-m2000000", "-n"], work, **TABLES)
        ends = ends_in(output)
        if "errors: 0" not in output or sorted(ends) != list(range(len(names))):
            self.wrong.append(f"{model}: {len(ends)} of {len(names)} configurations end")
        for number, (end, time) in ends.items():
            expected = self.times.get(names[number])
            if end != "DONE" or expected not in (None, time):
                self.wrong.append(f"{model}: {names[number]} {end} at {time}, by machine.py {expected}")
        self.counts["models"] += 1
        self.counts["configurations"] += len(names)

    def compile(self, work, vector):
        run(["spin", "-a", "model.pml"], work)
        compiler = self.draw.one(*COMPILERS)
        for name, options in (("claim", []), ("ends", ["-DNOCLAIM", "-DPRINTF"])):
            run([compiler, "-w", "-DSAFETY", f"-DVECTORSZ={vector}", *options, "-o", name, "pan.c"], work)


def main():
    seed, number = map(int, sys.argv[1:])
    draw = Draw(seed, lambda name: tool("gpus", name)[1])
    counts, wrong = collections.Counter(), []
    while counts["kept"] < number and counts["drawn"] < (MISSES + 1) * number:
        counts["drawn"] += 1
        with tempfile.TemporaryDirectory() as folder:
            spec, (gpu, is_lockstep) = draw.spec(), draw.gpu()
            write(f"{folder}/spec.yaml", json.dumps(spec))
            write(f"{folder}/gpu.yaml", gpu)
            question = (f"{folder}/spec.yaml", "--gpu", f"{folder}/gpu.yaml")
            way = draw.one(*WAYS, *[["--granularity", "element"]] * is_lockstep)
            if tool(*question, "--no-cost", "--no-analysis", "--keep", f"{folder}/kept", *way)[0] != 0:
                continue
            counts["kept"] += 1
            for what in Check(folder, question, counts, draw).all():
                wrong.append(what)
                print(f"WRONG {what}\n{json.dumps(spec)}\n{gpu}", flush=True)
    print(", ".join(f"{count} {what}" for what, count in sorted(counts.items())), f"{len(wrong)} wrong", sep=", ")
    return 0 if counts["kept"] == number > 0 and not wrong else 1


if __name__ == "__main__":
    sys.exit(main())
