#!/usr/bin/env python3
"""Writes launches.csv: 2,000 launches and the groups of each that a multiprocessor of NVIDIA holds, by NVIDIA's published rules.

usage: tests/data/occupancy/launches.py > tests/data/occupancy/launches.csv

The limits are those of the table "Technical Specifications per Compute Capability" (CUDA C++ Programming Guide); the units of
allocation and the parts of a multiprocessor those of NVIDIA's occupancy calculator. The rules:

- a group takes whole warps of 32, and as many of a multiprocessor's;
- each part of a multiprocessor has its share of the registers; a warp takes its own, rounded up to 256, from one part. As many
  warps fit as each part holds, times the parts. A work item has at most 255 registers;
- the local memory of a group and the kilobyte that the system reserves (from 8.0 on) are rounded up to 256 bytes, from 8.0 on to 128.

Groups are put on an empty multiprocessor one by one until the next one does not fit; no formula divides. `limited_by` has all resources
that the next group lacks. The launches are drawn, half of them at an edge of some rule.
"""
import csv
import random
import sys

KIB = 1024
REGISTERS = 65536
# Compute capability: resident groups, resident warps, local memory in KiB of a multiprocessor and of a group, parts.
LIMITS = {
    "5.2": (32, 64, 96, 48, 4),
    "6.0": (32, 64, 64, 48, 2),
    "6.1": (32, 64, 96, 48, 4),
    "7.0": (32, 64, 96, 96, 4),
    "7.5": (16, 32, 64, 64, 4),
    "8.0": (32, 64, 164, 163, 4),
    "8.6": (16, 48, 100, 99, 4),
    "8.7": (16, 48, 164, 163, 4),
    "8.9": (24, 48, 100, 99, 4),
    "9.0": (32, 64, 228, 227, 4),
    "10.0": (32, 64, 228, 227, 4),
    "10.3": (32, 64, 228, 227, 4),
    "12.0": (24, 48, 100, 99, 4),
    "12.1": (24, 48, 100, 99, 4),
}
LAUNCHES = 2000


def upwards(number, unit):
    """The next number that is a whole number of units."""
    while number % unit:
        number += 1
    return number


class Multiprocessor:
    """What a multiprocessor has left for further groups."""

    def __init__(self, capability):
        self.groups, self.warps, local, _, self.parts = LIMITS[capability]
        self.local = local * KIB
        self.new = float(capability) >= 8
        self.places = None

    def needs(self, threads, local):
        """Warps and bytes of a group."""
        warps = upwards(threads, 32) // 32
        return warps, upwards(local + (KIB if self.new else 0), 128 if self.new else 256)

    def warps_by_registers(self, registers):
        """Warps whose registers fit, part by part."""
        of_warp, places = upwards(32 * registers, 256), 0
        for _ in range(self.parts):
            left = REGISTERS // self.parts
            while left >= of_warp:
                left -= of_warp
                places += 1
        return places

    def lacks(self, warps, local):
        """The resources that the next group lacks."""
        have = {"groups": self.groups >= 1, "warps": self.warps >= warps, "registers": self.places >= warps,
                "local_memory": self.local >= local}
        return [name for name, enough in have.items() if not enough]

    def fill(self, threads, registers, local):
        """The groups that fit, and what the next one lacks."""
        warps, bytes_ = self.needs(threads, local)
        self.places, groups = self.warps_by_registers(registers), 0
        while not self.lacks(warps, bytes_):
            self.groups, self.warps = self.groups - 1, self.warps - warps
            self.places, self.local = self.places - warps, self.local - bytes_
            groups += 1
        return groups, self.lacks(warps, bytes_)


def drawn(capability, draw):
    """A launch: work items of a group, registers of a work item, bytes of local memory."""
    _, _, whole, most, parts = LIMITS[capability]
    most_warps = draw.choice([2, 4, 8, 32])
    threads = draw.choice([32 * draw.randint(1, most_warps), draw.randint(1, 32 * most_warps)])
    # As many registers as let a number of warps fit a part, or one more.
    edge = REGISTERS // parts // draw.randint(3, 20) // 32
    registers = draw.choice([draw.randint(16, 255), draw.randint(16, 48), 24, min(255, edge + draw.randint(0, 1))])
    # As much local memory as lets a number of groups fit, give or take little.
    edge = whole * KIB // draw.randint(1, 20) - draw.choice([0, 0, KIB]) + draw.choice([-128, -1, 0, 1, 128])
    local = draw.choice([0, 0, draw.randint(1, most * KIB), min(max(edge, 0), most * KIB)])
    return threads, registers, local


def main():
    draw = random.Random(2000)
    out = csv.writer(sys.stdout, lineterminator="\n")
    out.writerow(["capability", "work_items", "registers", "local_memory", "groups", "limited_by"])
    capabilities, written = list(LIMITS), set()
    while len(written) < LAUNCHES:
        capability = capabilities[len(written) % len(capabilities)]
        launch = drawn(capability, draw)
        if (capability, launch) not in written:
            written.add((capability, launch))
            groups, lacking = Multiprocessor(capability).fill(*launch)
            out.writerow([capability, *launch, groups, " ".join(lacking)])


if __name__ == "__main__":
    main()
