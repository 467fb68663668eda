"""The counts of kernels, from an execution on the processor."""
import subprocess
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path

from drawn import ARRAYS, FAR, ROWS

KINDS = ["load", "store", "atomic"]
MEMORIES = ["global", "local"]
HEADER = Path(__file__).resolve().parent / "processor.h"


@dataclass
class Counts:
    """The executions of a line's accesses of one kind and memory, and the sectors of 32 bytes that warps touch."""

    items: float = 0
    warps: float = 0
    sectors: float = 0

    def add(self, other, share=1.0):
        self.items += other.items * share
        self.warps += other.warps * share
        self.sectors += other.sectors * share


def program(kernels):
    """A program that runs the kernels."""
    parts = [f'#include "{HEADER}"']
    for place, kernel in enumerate(kernels):
        parts += [f"namespace k{place} {{", '#line 1 "kernel"', kernel.of_processor(), launched(kernel), "}"]
    runs = [f"    if (place < 0 || place == {place}) k{place}::run();" for place in range(len(kernels))]
    return "\n".join([*parts, "int main(int count, char **texts)", "{", "    const int place = count > 1 ? atoi(texts[1]) : -1;", *runs, "}", ""])


def launched(kernel):
    """The arrays of a kernel and its launch."""
    draw, sizes = kernel.draw, kernel.sizes()
    items, lines, names = draw.items, [], []
    for name in kernel.used():
        type_, layout = ARRAYS[name]
        elements = {"own": items * sizes[f"S_{name}"] * 8, "side": items * sizes[f"S_{name}"] * 3 + 8, "big": sizes[f"S_{name}"] * FAR}[layout]
        type_ = type_.replace("const ", "").replace("volatile ", "")
        lines.append(f"    A{name} = array<{type_}>({elements});")
        names.append(f"A{name}")
    wide, high = draw.group
    return "\n".join([
        *(f"static {ARRAYS[name][0].replace('const ', '')} *A{name};" for name in kernel.used()),
        f"static void call() {{ k({', '.join(names)}, {draw.argument}); }}",
        "static void run()", "{", "    begin_kernel();",
        f"    blockDim.x = {wide}, blockDim.y = {high}, gridDim.x = {draw.groups[0]}, gridDim.y = {draw.groups[1]};",
        *lines,
        *filled(kernel),
        f'    printf("kernel {kernel.number}\\n");',
        f"    launch(call, {draw.warp});",
        "}",
    ])


def filled(kernel):
    """What gives the arrays of data their values."""
    lines, draw, sizes = [], kernel.draw, kernel.sizes()
    if "y" in kernel.used():
        values = [f"        {{{one.slot}, {one.value}, {one.other}, {one.bit}}}," for one in draw.fills]
        lines += ["    static const int values[][4] = {", *values, "        {0, 0, 0, 0}};"]
        lines += [f"    for (int i = 0; i < {len(draw.fills)}; ++i)"]
        lines += [f"        fill(Ay, {draw.items}, {sizes['S_y']}, values[i][0], values[i][1], values[i][2], values[i][3]);"]
    if "rows" in kernel.used():
        lines += [f"    for (int i = 0; i < {sizes['S_rows'] * ROWS}; ++i) Arows[i] = i * 37 % 64;"]
    return lines


def run(kernels, folder, compiler):
    """The counts of each kernel by its groups: of each line, kind and memory."""
    source, binary = Path(folder) / "processor.cpp", Path(folder) / "processor"
    source.write_text(program(kernels))
    flags = ["-w", "-O1", "-fwrapv", "-fno-strict-aliasing", "-fno-exceptions", "-fno-rtti", "-x", "c++"]
    subprocess.run([compiler, *flags, source, "-o", binary], check=True)
    printed = subprocess.run([binary], check=True, capture_output=True, text=True, timeout=300).stdout
    counts, groups = {}, {}
    for line in printed.splitlines():
        if line.startswith("kernel "):
            groups = counts[int(line.split()[1])] = defaultdict(lambda: defaultdict(Counts))
            continue
        group, number, kind, memory, items, warps, sectors = map(int, line.split())
        groups[group][number, KINDS[kind], MEMORIES[memory]].add(Counts(items, warps, sectors))
    return counts
