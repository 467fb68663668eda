"""A kept proof of one model, copied so that it can be made to say something else."""
import glob
import gzip
import hashlib
import json
import os
import re
import shutil
import subprocess

SUMS = "SHA256SUMS"
CC = shutil.which("tcc") or shutil.which("cc")
SLOW = 10**6        # ticks that stand for the time of a configuration that a changed model does not run to its end
TABLES = {"AUTOTUNE_TABLES": "tables.txt"}


class NotMade(Exception):
    """A forgery that cannot be made: the proof does not look as the forger expects."""


def read(path):
    with open(path, encoding="utf-8", newline="") as file:
        return file.read()


def write(path, text):
    with open(path, "w", encoding="utf-8", newline="") as file:
        file.write(text)


def sha256(path):
    with open(path, "rb") as file:
        return hashlib.sha256(file.read()).hexdigest()


def run(command, folder, variables=None):
    """The standard output of a command."""
    environment = {**os.environ, **(variables or {})}
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False).stdout


def label(parameters):
    return " ".join(f"{name}={value}" for name, value in parameters.items())


def parameters(text):
    return {name: int(value) for name, value in (part.split("=") for part in text.split(" "))}


def by_choice(text):
    """The usual order among configurations of one time: the larger work group first."""
    return tuple(-value for value in parameters(text).values())


def ends_in(output):
    """The end of each configuration that pan prints: DONE or CUT, and its time."""
    lines = re.findall(r"configuration (\d+) (DONE|CUT) at (\d+) \* 2\^30 \+ (\d+)", output)
    return {int(number): (end, (int(high) << 30) + int(low)) for number, end, high, low in lines}


def statistics(output):
    states, steps = re.search(r"(\d+) states, stored", output), re.search(r"depth reached (\d+)", output)
    return {"states": int(states[1]), "steps": int(steps[1])}


class Kept:
    """A kept folder: `model` is its only model, `ticks` the time of its optimum."""

    def __init__(self, folder):
        self.folder, self.model = folder, f"{folder}/proof/model-1"
        self.ticks = json.loads(read(f"{folder}/result.json"))["optimum"]["ticks"]
        self.is_sealed = False

    # Files
    def path(self, name):
        return f"{self.folder}/{name}"

    def one(self, pattern):
        """The first file whose name matches the pattern."""
        found = sorted(glob.glob(self.path(pattern)))
        if not found:
            raise NotMade(f"there is no {pattern}")
        return found[0]

    def replace(self, name, old, new, times=1):
        text = read(self.path(name))
        if old not in text:
            raise NotMade(f"{name} has no `{old}`")
        write(self.path(name), text.replace(old, new, times))

    def replace_all(self, name, old, new):
        self.replace(name, old, new, times=-1)

    def change_result(self, change):
        result = json.loads(read(self.path("result.json")))
        change(result)
        self.write_result(result)

    def write_result(self, result):
        write(self.path("result.json"), json.dumps(result, indent=2, ensure_ascii=False) + "\n")

    def programs(self):
        with gzip.open(self.path("programs.jsonl.gz"), "rt") as lines:
            return [json.loads(line) for line in lines]

    def write_programs(self, programs):
        text = "".join(json.dumps(program, separators=(",", ":")) + "\n" for program in programs)
        self.write_packed(gzip.compress(text.encode(), mtime=0))

    def write_packed(self, packed):
        with open(self.path("programs.jsonl.gz"), "wb") as file:
            file.write(packed)

    def labels(self):
        return read(f"{self.model}/configurations.txt").splitlines()

    def write_labels(self, labels):
        write(f"{self.model}/configurations.txt", "".join(text + "\n" for text in labels))

    def table(self):
        return read(f"{self.model}/tables.txt").split("\n")

    def write_table(self, lines):
        write(f"{self.model}/tables.txt", "\n".join(lines))

    def seal(self, without=()):
        """Writes the hashes of all files but some, once: a forgery that changes the hashes seals by itself."""
        if self.is_sealed:
            return
        names = []
        for path, _, files in os.walk(self.folder):
            names += [os.path.relpath(os.path.join(path, name), self.folder) for name in files]
        regular = [name for name in sorted(names) if os.path.isfile(self.path(name)) and name not in (SUMS, *without)]
        lines = [f"{sha256(self.path(name))}  {name}\n" for name in regular if not os.path.islink(self.path(name))]
        write(self.path(SUMS), "".join(lines))
        self.is_sealed = True

    # The proof once more
    def settings(self):
        return dict(re.findall(r"(\w+)='?([^'\n]*)'?", read(f"{self.model}/search.sh")))

    def change_model(self, old, new):
        self.replace("proof/model-1/model.pml", old, new)

    def compile(self, folder):
        run(["spin", "-a", "model.pml"], folder)
        for program, options in (("pan", []), ("pan_ends", ["-DNOCLAIM", "-DPRINTF"])):
            run([CC, *self.settings()["compile"].split(), *options, "-o", program, "pan.c"], folder)

    def sweep(self):
        """Removes what was compiled."""
        for path in glob.glob(f"{self.model}/pan*") + glob.glob(f"{self.model}/_spin*"):
            os.remove(path)

    def times(self):
        """The time of each configuration by the model as it is."""
        self.compile(self.model)
        output = run(["./pan_ends", *self.settings()["search"].split()], self.model, TABLES)
        self.sweep()
        ends = ends_in(output)
        done = {number: time for number, (end, time) in ends.items() if end == "DONE"}
        return {text: done.get(number, SLOW) for number, text in enumerate(self.labels())}

    def prove(self, times=None):
        """Proves what the model says by now, or what these times are, and makes the result follow."""
        times = times or self.times()
        fastest = min(times.values())
        Result(self, times, fastest).write(self.search(fastest))

    def search(self, fastest):
        """Repeats the commands of the model with another time; returns the outputs by their names."""
        for path in glob.glob(f"{self.model}/0*"):
            os.remove(path)
        shutil.rmtree(f"{self.model}/witnesses", ignore_errors=True)
        os.mkdir(f"{self.model}/witnesses")
        self.compile(self.model)
        commands, outputs = [], {}
        for line in read(f"{self.model}/commands.sh").splitlines():
            found = re.fullmatch(r"AUTOTUNE_TABLES=tables.txt (?:AUTOTUNE_MT=(\d+) )?\./(pan|pan_ends) (.*)", line)
            if not found:
                commands.append(line)
            elif "-r" not in found[3].split():
                bound = int(found[1]) - self.ticks + fastest if found[1] else None
                commands += self.search_once(outputs, bound, found[2], found[3])
        self.sweep()
        write(f"{self.model}/commands.sh", "".join(command + "\n" for command in commands))
        write(f"{self.model}/search.sh", re.sub(r"ticks=\d+", f"ticks={fastest}", read(f"{self.model}/search.sh")))
        return outputs

    def search_once(self, outputs, bound, program, options):
        """Searches and replays; returns the commands."""
        number, variables = len(outputs) + 1, dict(TABLES)
        prefix = "AUTOTUNE_TABLES=tables.txt "
        if bound is not None:
            variables["AUTOTUNE_MT"] = str(bound)
            prefix += f"AUTOTUNE_MT={bound} "
        output = run([f"./{program}", *options.split()], self.model, variables)
        name = f"{number:02}-{program}-{'none' if bound is None else bound}.txt"
        write(f"{self.model}/{name}", output)
        outputs[name] = output
        commands, seen = [f"{prefix}./{program} {options}"], []
        for trail in sorted(glob.glob(f"{self.model}/*.trail"), key=lambda path: (len(path), path)):
            replay = ["./pan", "-w16", "-r", "-S", os.path.basename(trail)]
            commands.append(prefix + " ".join(replay))
            ends = ends_in(run(replay, self.model, variables))
            if ends in seen:
                os.remove(trail)
            else:
                seen.append(ends)
                os.rename(trail, f"{self.model}/witnesses/{number:02}-{bound}-{len(seen)}.trail")
        return commands


class Result:
    """What result.json says if the searched configurations take these times."""

    def __init__(self, kept, times, fastest):
        self.kept, self.times, self.fastest = kept, times, fastest
        self.result = json.loads(read(kept.path("result.json")))
        self.listed = {label(one["parameters"]): one for one in self.result["configurations"]}

    def write(self, outputs):
        for text, time in self.times.items():
            self.listed[text].update(status="optimum" if time == self.fastest else "checked", ticks=time)
        tied = sorted((text for text, time in self.times.items() if time == self.fastest), key=by_choice)
        self.result["ties"] = [parameters(text) for text in tied[1:]]
        optimum, chosen = self.result["optimum"], parameters(tied[0])
        tile = {name: chosen[name] for name in optimum["tile"]}
        optimum.update(parameters=chosen, ticks=self.fastest, tile=tile, work_group=chosen["WG"])
        self.write_proof(list(outputs.values()))
        self.write_near()
        self.kept.write_result(self.result)

    def write_proof(self, outputs):
        proof, folder = self.result["proof"], self.kept.model
        proof["property"] = f"[] (DONE -> (time >= {self.fastest}))"
        ends = ends_in(outputs[2])
        done = sum(1 for end, time in ends.values() if end == "DONE" and time <= self.fastest)
        proof["models"][0].update(
            sha256=sha256(f"{folder}/model.pml"), tables_sha256=sha256(f"{folder}/tables.txt"),
            configurations=len(self.times), ends={"done": done, "cut": len(ends) - done, "stuck": 0},
            runs=[{"bound": self.fastest + 1, "holds": False, "ticks": self.fastest, **statistics(outputs[0])},
                  {"bound": self.fastest, "holds": True, **statistics(outputs[1])}],
            comparison=statistics(outputs[-1]))
        for status in ("infeasible", "pruned", "equal"):
            proof["configurations"][status] = sum(1 for one in self.listed.values() if one["status"] == status)
        proof["configurations"]["checked"] = len(self.times)

    def write_near(self):
        near = self.result["near"]
        times = {text: one["ticks"] for text, one in self.listed.items() if "ticks" in one}
        order = sorted(times, key=lambda text: (times[text], by_choice(text)))
        near["best"] = [{"parameters": parameters(text), "ticks": times[text]} for text in order[:len(near["best"])]]
        for within in near["within"]:
            limit = self.fastest * (100 + within["percent"])
            inside = [parameters(text) for text in order if times[text] * 100 <= limit]
            within["configurations"] = len(inside)
            for parameter in within["parameters"]:
                parameter["values"] = sorted({values[parameter["name"]] for values in inside})
