#!/usr/bin/env python3
"""Tunes random OpenCL kernels whose accesses are known by hand.

    random_kernels.py SEED NUMBER

On two lockstep GPUs whose ticks spell them, the global and local accesses of each configuration are those that the hand
counts. On a drawn GPU the proved optimum and its ties are those of machine.py. AUTOTUNE names the binary; clang is
needed. Writes into a temporary folder alone. The last line counts; the exit status is 0 if all NUMBER kernels were tuned
and nothing is wrong.
"""
import json
import os
import random
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
sys.path.append(f"{os.path.dirname(os.path.abspath(__file__))}/../oracle")
import machine
from by_hand import events

AUTOTUNE = os.environ.get("AUTOTUNE", "autotune")
ITEMS = 4096            # work items of a launch
TICKS = 10**6           # of an access, where accesses are counted
EVENTS = 400_000        # machine.py runs no program with more
GPUS = ("fermi", "volta", "a100", "mi50", "rtx2080ti", "gtx980", "kepler")
WAYS = ([], ["--no-prune"], ["--strategy", "branch-and-bound"])
LOCKSTEP = """name: counter
execution: lockstep
multiprocessors: 1
processing_elements: 1024
dispatchers: 1
global_memory_ticks: {}
local_memory_ticks: {}
launch_ticks: 0
"""
SPEC = """kernel: k
problem: {{ n: {} }}
parameters: {{ WG: {{ values: {} }}, T: {{ values: {} }}, LN: {{ values: [{}] }} }}
launch: {{ work_items: n, work_group: WG }}
source: {{ file: k.cl }}
"""
STAGE = """  for (int r = 0; r < {count}; ++r) {{
    for (int j = l; j < LN; j += WG) s[j] = a[j + r * LN + {first}];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int q = 0; q < 2 * T; ++q) acc += s[(l + q) % LN];
    barrier(CLK_LOCAL_MEM_FENCE);
  }}"""
# Parts of a kernel, and the global and local accesses of a work item.
PARTS = {
    "  for (int i = 0; i < {count} * T; ++i) acc += a[g + i * 4096 + {first}] * 1.5f;":
        lambda count, value: (count * value["T"], 0),
    "  for (int i = 0; i < {count}; ++i) for (int j = 0; j < T; ++j) acc = acc * 2 + a[g + (i * T + j) * 4096 + {first}];":
        lambda count, value: (count * value["T"], 0),
    "  for (int i = l; i < {count} * WG; i += WG) acc += a[i * 33 + {first}];":
        lambda count, value: (count, 0),
    "  if (T > 1) acc += a[g + {first}]; else for (int i = 0; i < {count}; ++i) acc -= a[g * 3 + i * 4096 + {first}];":
        lambda count, value: (1 if value["T"] > 1 else count, 0),
    "  for (int i = {count} * T; i > 0; i /= 2) acc += a[g + i * 4096 + {first}];":
        lambda count, value: ((count * value["T"]).bit_length(), 0),
    "  {{ float p[T]; for (int i = 0; i < T; ++i) p[i] = a[g + i * 4096 + {first}];\n"
    "    for (int i = T - 1; i >= 0; --i) acc = acc * 0.5f + p[i]; }}":
        lambda count, value: (value["T"], 0),
    STAGE:
        lambda count, value: (count * value["LN"] // value["WG"],
                              count * (value["LN"] // value["WG"] + 2 * value["T"])),
}


def drawn_kernel(draw):
    """A source, and the function from a configuration to the accesses of a work item."""
    chosen = [(draw.choice(list(PARTS)), draw.choice((1, 2, 3, 7, 16, 33))) for _ in range(draw.randint(1, 4))]
    local = "  __local float s[LN];\n" if any(part == STAGE for part, _ in chosen) else ""
    lines = [part.format(count=count, first=100_000 * place) for place, (part, count) in enumerate(chosen, 1)]
    text = "\n".join(["__kernel void k(__global const float *restrict a, __global float *restrict b) {",
                      f"{local}  const int g = get_global_id(0), l = get_local_id(0); float acc = 0;",
                      *lines, "  b[g] = acc;", "}", ""])

    def accesses(value):
        parts = [PARTS[part](count, value) for part, count in chosen]
        return 1 + sum(of_global for of_global, _ in parts), sum(of_local for _, of_local in parts)

    return text, accesses


class Run:
    """One folder and what was found there."""

    def __init__(self, seed, folder):
        self.draw, self.folder, self.wrong = random.Random(seed), folder, []
        self.compared = self.proved = 0

    def write(self, name, text):
        with open(f"{self.folder}/{name}", "w", encoding="utf-8") as file:
            file.write(text)

    def ask(self, *arguments):
        """The JSON object that the program prints; an end with another status is wrong."""
        done = subprocess.run(["timeout", "100", AUTOTUNE, *arguments, "--format", "json"], cwd=self.folder,
                              capture_output=True, text=True, check=False)
        if done.returncode:
            raise ValueError(f"{arguments} ends with {done.returncode}: {done.stderr}")
        return json.loads(done.stdout)

    def counted(self):
        """The accesses of a work item of each configuration, by the two machines that spell them."""
        found = {}
        for place, gpu in enumerate(("global.yaml", "local.yaml")):
            for one in self.ask("evaluate", "spec.yaml", "--gpu", gpu)["configurations"]:
                value = one["parameters"]
                counts = found.setdefault(tuple(value.items()), [None, None])
                counts[place] = one["ticks"] // (ITEMS // value["WG"]) // TICKS
        return found

    def times(self, gpu, configurations):
        """The times by machine.py; None if a program is too long for it."""
        times = {}
        for one in configurations:
            config = ",".join(f"{name}={value}" for name, value in one["parameters"].items())
            program = self.ask("model", "spec.yaml", "--gpu", gpu, "--config", config)
            groups = min(program["resident_groups"], -(-program["groups"] // program["multiprocessors"]))
            if events(program["body"]) * max(1, groups) * program["warps_per_group"] > EVENTS:
                return None
            times[tuple(one["parameters"].items())] = machine.evaluate(program)
        return times

    def kernel(self):
        text, accesses = drawn_kernel(self.draw)
        groups, tiles = self.draw.sample((32, 64, 128, 256), 2), self.draw.sample((1, 2, 3, 4, 8), 2)
        spec = SPEC.format(ITEMS, groups, tiles, self.draw.choice((256, 512)))
        self.write("k.cl", text)
        self.write("spec.yaml", spec)
        for value, counts in self.counted().items():
            self.compared += 1
            if tuple(counts) != accesses(dict(value)):
                self.wrong.append(f"{value}: {counts} accesses, by hand {accesses(dict(value))}\n{text}{spec}")
        gpu = self.draw.choice(GPUS)
        report = self.ask("spec.yaml", "--gpu", gpu, "--no-cost", "--no-analysis", *self.draw.choice(WAYS))
        feasible = [one for one in report["configurations"] if one["status"] != "infeasible"]
        times = self.times(gpu, feasible)
        if times is None:
            return
        self.proved += 1
        best = min(times.values())
        ties = {value for value, ticks in times.items() if ticks == best}
        named = [report["optimum"]["parameters"], *report["ties"]]
        said = {tuple(one.items()) for one in named}
        if report["verdict"] != "proved" or report["optimum"]["ticks"] != best or said != ties:
            self.wrong.append(f"{gpu}: {report['optimum']}, by machine.py {best} {ties}\n{text}{spec}")


def main(seed, number):
    with tempfile.TemporaryDirectory() as folder:
        run = Run(int(seed), folder)
        run.write("global.yaml", LOCKSTEP.format(TICKS, 0))
        run.write("local.yaml", LOCKSTEP.format(0, TICKS))
        for _ in range(int(number)):
            run.kernel()
    print("\n".join(run.wrong))
    print(f"{number} kernels, {run.compared} configurations counted, {run.proved} optima compared, {len(run.wrong)} wrong")
    return 1 if run.wrong or not run.proved else 0


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    sys.exit(main(*sys.argv[1:]))
