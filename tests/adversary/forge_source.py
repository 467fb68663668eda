#!/usr/bin/env python3
"""Forges kept proofs of a kernel's source, and says which of them `autotune verify` believes.

    forge_source.py AUTOTUNE CLANG

A clang that lies makes folders in which everything is consistent and sealed: source, outputs, models, searches, result.
Other forgeries change such a folder and seal it again. Each forgery is checked to be one: it differs from the honest
folder, or claims another optimum. Each is given to `verify` with the true clang, to `verify --no-compile`, and to a
`verify` with whose cache the same question is asked of the true source afterwards. The last line counts the forgeries that
were made and those that were believed without a word; the status is 1 if any was, or if one cannot be made.
"""

import hashlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

AUTOTUNE, CLANG = sys.argv[1:3]

SOURCE = """\
#include "tile.h"
__kernel void k(__global const float *a, __global float *b) {
    float s = 0;
    for (int i = 0; i < LENGTH; i += TS) {
        float p[TS];
        for (int j = 0; j < TS; ++j)
            p[j] = a[get_global_id(0) + (i + j) * n];
        for (int j = 0; j < TS; ++j)
            s += p[j];
    }
    b[get_global_id(0)] = s;
}
"""
HEADER = "#define LENGTH 64\n"
SPEC = """\
kernel: k
problem: { n: 65536 }
parameters: { WG: { values: [64] }, TS: { values: [1, 2, 4, 8] } }
launch: { work_items: n, work_group: WG }
source: { file: k.cl }
"""

# A clang that compiles another source (`other`), refuses one that the true clang compiles (`refuse`), or assigns other
# registers than AMD's back end (`registers`), for some values of TS.
LYING_CLANG = """\
#!/usr/bin/env python3
import pathlib, re, subprocess, sys
arguments = sys.argv[1:]
def compile():
    sys.exit(subprocess.call([{clang!r}] + arguments))
if arguments and arguments[-1].endswith("/autotune_source.cl"):
    sys.exit("this clang lies about one configuration at a time")
if not arguments or arguments[-1] != "autotune_source.cl":
    compile()
source = pathlib.Path("autotune_source.cl")
text = source.read_text()
ts = int(re.search(r"#define TS (\\d+)", text)[1]) if "#define TS" in text else 0
if {lie!r} == "refuse" and ts > 1:
    sys.exit("autotune_source.cl:1:1: error: too large")
if {lie!r} == "other" and ts == 1:
    source.write_text(text.replace("i < LENGTH", "i < 1"))
if {lie!r} == "registers" and ts > 1 and "-emit-llvm" not in arguments:
    subprocess.check_call([{clang!r}] + arguments)
    output = pathlib.Path(arguments[arguments.index("-o") + 1])
    output.write_text(re.sub(r"(\\.vgpr_count:\\s+)\\d+", r"\\g<1>256", output.read_text()))
    sys.exit()
compile()
"""


class Place:
    """A folder with the question, the lying compilers and the kept proofs."""

    def __init__(self, folder):
        self.folder = Path(folder)
        self.believed, self.made, self.wrong = [], 0, []
        for name, text in (("k.cl", SOURCE), ("tile.h", HEADER), ("spec.yaml", SPEC)):
            (self.folder / name).write_text(text)

    def run(self, arguments, cache, clang=CLANG):
        environment = dict(os.environ, XDG_CACHE_HOME=str(self.cache(cache)), AUTOTUNE_CLANG=str(clang), AUTOTUNE_CONFIG="")
        return subprocess.run([AUTOTUNE, *map(str, arguments)], cwd=self.folder, env=environment, capture_output=True, text=True)

    def cache(self, name):
        return self.folder / f"cache-{name}"

    def optimum(self, gpu, cache, *options, clang=CLANG):
        """The optimum of the question, with its time."""
        asked = ["spec.yaml", "--gpu", gpu, "--no-cost", "--format", "json", *options]
        ended = self.run(asked, cache, clang)
        if ended.returncode:
            sys.exit(f"cannot prove with {clang}: {ended.stderr}")
        optimum = json.loads(ended.stdout)["optimum"]
        return optimum["parameters"], optimum["ticks"]

    def lying(self, lie):
        path = self.folder / f"clang-{lie}"
        path.write_text(LYING_CLANG.format(clang=CLANG, lie=lie))
        path.chmod(0o755)
        return path

    def kept(self, name, gpu, clang=CLANG):
        """A kept proof, and the optimum that it claims."""
        folder = self.folder / name
        return folder, self.optimum(gpu, f"kept-{name}", "--keep", folder, clang=clang)

    def judge(self, name, folder, gpu, truth):
        """Verifies a forgery in each way, and asks the true question with the caches that this leaves."""
        self.made += 1
        for way, options in (("compiled", []), ("believed", ["--no-compile"])):
            cache = f"{name}-{way}"
            ended = self.run(["verify", folder, *options], cache)
            last = (ended.stdout.strip() or ended.stderr.strip()).split("\n")[-1]
            print(f"{name:12} {way}: status {ended.returncode}: {last.strip()[:150]}", flush=True)
            says = "the compiler's outputs in the folder are believed" in last
            if ended.returncode == 0 and not (options and says):
                self.believed.append(f"{name} by verify {' '.join(options)}")
            if ended.returncode not in (0, 1):
                self.wrong.append(f"{name}: status {ended.returncode}: {ended.stderr}")
            if self.cache(cache).exists() and any(self.cache(cache).rglob("*.entry")):
                self.believed.append(f"{name}: verify {' '.join(options)} writes to the cache")
            asked = self.optimum(gpu, cache)
            if asked != truth:
                self.believed.append(f"{name}: afterwards the true source gives {asked}, not {truth}")


def seal(folder):
    """Writes the hashes of a folder's files anew."""
    files = (path for path in folder.rglob("*") if path.is_file() and path.name != "SHA256SUMS")
    files = sorted(files, key=lambda path: str(path.relative_to(folder)))     # as text: a path is ordered by its parts
    lines = (f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.relative_to(folder)}\n" for path in files)
    (folder / "SHA256SUMS").write_text("".join(lines))


def compiled(folder):
    return json.loads((folder / "inputs/compiled.json").read_text())


def changed(folder, name, change):
    """A sealed copy of a folder in which the list of compilations is changed."""
    copy = folder.with_name(name)
    shutil.copytree(folder, copy)
    listed = compiled(copy)
    change(copy, listed["configurations"], listed)
    (copy / "inputs/compiled.json").write_text(json.dumps(listed, indent=2, ensure_ascii=False) + "\n")
    seal(copy)
    return copy


def honest_names(honest):
    """A change that gives each output the name that the honest output of its configuration has."""

    def change(folder, configurations, _):
        outputs = folder / "inputs/compiled"
        texts = {macros: (outputs / f"{one['output']}.ll.gz").read_bytes() for macros, one in configurations.items()}
        shutil.rmtree(outputs)
        outputs.mkdir()
        for macros, one in configurations.items():
            one["output"] = honest[macros]["output"]
            (outputs / f"{one['output']}.ll.gz").write_bytes(texts[macros])

    return change


def forget_errors(_, configurations, __):
    """A change that leaves out the configurations that do not compile."""
    for macros in [macros for macros, one in configurations.items() if "error" in one]:
        del configurations[macros]


def other_version(_, __, listed):
    """A change that names a compiler nobody has, whose bytes are not compared."""
    listed["clang"] = "clang version 99.0.0"


def main():
    with tempfile.TemporaryDirectory() as folder:
        place = Place(folder)
        truth = {gpu: place.optimum(gpu, "truth", "--no-cache") for gpu in ("volta", "mi50")}
        honest = {gpu: place.kept(f"honest-{gpu}", gpu)[0] for gpu in truth}
        for gpu, kept in honest.items():
            ended = place.run(["verify", kept], f"honest-{gpu}-verified")
            print(f"honest on {gpu}: status {ended.returncode}: {ended.stdout.strip().split(chr(10))[-1].strip()}")
            if ended.returncode:
                place.wrong.append(f"the honest folder is refused: {ended.stderr}")
        forged = {}
        for lie, gpu in (("other", "volta"), ("refuse", "volta"), ("registers", "mi50")):
            forged[lie], claimed = place.kept(lie, gpu, place.lying(lie))
            if claimed == truth[gpu] and compiled(forged[lie]) == compiled(honest[gpu]):
                sys.exit(f"the forgery `{lie}` is none: it claims the truth")
            place.judge(lie, forged[lie], gpu, truth[gpu])
        names = compiled(honest["volta"])["configurations"]
        if compiled(forged["other"])["configurations"] == names:
            sys.exit("the lie of `other` is not in its outputs")
        for name, base, change in (
            ("renamed", "other", honest_names(names)),
            ("forgotten", "refuse", forget_errors),
            ("version", "other", other_version),
            ("version-2", "refuse", other_version),
        ):
            copy = changed(forged[base], name, change)
            if compiled(copy) == compiled(forged[base]):
                sys.exit(f"the forgery `{name}` is none: it changes nothing")
            place.judge(name, copy, "volta", truth["volta"])
        for what in place.believed + place.wrong:
            print("WRONG", what)
        print(f"{place.made} forgeries made, {len(place.believed)} believed")
        sys.exit(bool(place.believed or place.wrong or not place.made))


main()
