#!/usr/bin/env python3
"""Asks for a proof while compilations of some configurations stand still, as on a loaded machine, and shows the answer.

usage: slow_compiler.py TEXT AUTOTUNE ARGUMENT...

Each clang whose source contains TEXT, such as "TS 16", is stopped (SIGSTOP) as soon as it is seen. The last line says how
many compilations stood still; none is a failure of this script, with status 1. A good answer is never `proved`.
"""
import glob
import os
import signal
import subprocess
import sys
import time


def parents():
    """The parent of each process."""
    found = {}
    for entry in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{entry}/stat") as stat:
                found[int(entry)] = int(stat.read().rsplit(")", 1)[1].split()[1])
        except OSError:
            continue
    return found


def descendants(pid):
    """The processes that a process started, directly or not."""
    parent_of = parents()
    found, left = [], [pid]
    while left:
        parent = left.pop()
        children = [child for child, other in parent_of.items() if other == parent]
        found += children
        left += children
    return found


def source_of(pid):
    """The source that a process compiles; None if it is not a compiler at work."""
    with open(f"/proc/{pid}/cmdline") as words:
        said = words.read()
    if "clang" not in said or "-O2" not in said:
        return None
    folder = os.readlink(f"/proc/{pid}/cwd")
    texts = []
    # A process may compile several configurations, each in a folder of its own.
    for path in [*glob.glob(f"{folder}/autotune_source*"), *glob.glob(f"{folder}/*/autotune_source*")]:
        with open(path) as source:
            texts.append(source.read())
    return "".join(texts)


def main(text, *command):
    run = subprocess.Popen(command)
    seen, stopped = set(), 0
    while run.poll() is None:
        for pid in descendants(run.pid):
            if pid in seen:
                continue
            try:
                source = source_of(pid)
                if source is None:
                    continue
                seen.add(pid)
                if text in source:
                    os.kill(pid, signal.SIGSTOP)
                    stopped += 1
            except OSError:
                continue
        time.sleep(0.004)
    print(f"status {run.returncode}, {stopped} of {len(seen)} compilations stood still")
    return 0 if stopped else 1


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    sys.exit(main(*sys.argv[1:]))
