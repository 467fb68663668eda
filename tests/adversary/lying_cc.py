#!/usr/bin/env python3
"""A compiler whose pan lies in the way that LIE names, or breaks: `AUTOTUNE_CC=lying_cc.py LIE=... autotune ...`.

    lying_cc.py --lies      prints the names of all lies

The file that TOLD names is written as soon as the lie has changed something.
"""
import os
import re
import shutil
import signal
import subprocess
import sys

ERROR_LINES = r"(?m)^pan:\d+:.*\n|^pan: wrote.*\n"


def replacing(pattern, by):
    return lambda output: re.sub(pattern, by, output)


def no_errors(output):
    return re.sub(ERROR_LINES, "", re.sub(r"errors: \d+", "errors: 0", output))


# What is made of an output: of all searches and replays, of searches without the property, of replays.
ALWAYS = {
    "silent": lambda output: "",
    "half": lambda output: output[:len(output) // 2],
    "twice": lambda output: output + output,
    "no-errors": no_errors,
    "no-errors-counted": replacing(r"errors: \d+", "errors: 0"),
    "endless-errors": replacing(r"errors: \d+", f"errors: {'9' * 23}"),
    "hash-compact": replacing("Full statespace", "Hash-Compact"),
    "bit-state": replacing("Full statespace search", "Bit statespace search"),
    "not-completed": replacing("Full statespace", "Warning: Search not completed\nFull statespace"),
    "too-deep": lambda output: "error: max search depth too small\n" + no_errors(output),
    "late-line": lambda output: output + "pan: out of memory\n",
    "zeros": lambda output: "\0" * 1000 + output,
    "no-states": replacing(r"(?m)^ *\d+ states, stored", "        0 states, stored"),
    "no-depth": replacing(r"depth reached \d+", "depth reached 0"),
    "a-tick-less": replacing(r"(?m)\+ (\d+)$", lambda found: f"+ {int(found[1]) - 1}"),
    "no-such-configuration": replacing(r"configuration (\d+)", f"configuration {'9' * 20}"),
}
ENDS = {
    "end-missing": replacing(r"(?m)^.*configuration 1 .*\n", ""),
    "end-twice": replacing(r"(?m)^(.*configuration 1 .*)\n", r"\1\n\1\n"),
    "all-cut": replacing("DONE at", "CUT at"),
    "all-done": replacing("CUT at", "DONE at"),
}
REPLAYS = {"another-configuration": replacing(r"configuration (\d+)", "configuration 1")}
# What pan does beside printing, and what the compiler does.
DEEDS = ("killed", "killed-where-it-holds", "fails", "speaks-on-stderr", "no-trails")
COMPILERS = ("compiles-nothing", "fails-to-compile")
HONEST = "none"


def told():
    with open(os.environ["TOLD"], "w", encoding="utf-8") as file:
        file.write("told\n")


def lied(lie, output, is_ends, is_replay):
    """What pan prints instead of its output."""
    told_here = {**ALWAYS, **(ENDS if is_ends else {}), **(REPLAYS if is_replay else {})}
    changed = told_here.get(lie, lambda text: text)(output)
    if changed != output:
        told()
    return changed


def act(lie, output, is_ends, is_replay):
    """What pan does when it has printed; returns its exit status, or None for the right one."""
    if lie == "killed" or lie == "killed-where-it-holds" and not is_ends and "errors: 0" in output:
        told()
        sys.stdout.flush()
        os.kill(os.getpid(), signal.SIGKILL)
    if lie in ("speaks-on-stderr", "fails"):
        told()
    if lie == "speaks-on-stderr":
        print("pan: something", file=sys.stderr)
    if lie == "no-trails" and not is_replay:
        for name in [name for name in os.listdir(".") if name.endswith(".trail")]:
            told()
            os.remove(name)
    return 1 if lie == "fails" else None


def pan(lie, real, is_ends, options):
    """Runs the real pan, and lies about it."""
    done = subprocess.run([real, *options], capture_output=True, text=True, check=False)
    is_replay = "-r" in options
    sys.stderr.write(done.stderr)
    sys.stdout.write(lied(lie, done.stdout, is_ends, is_replay))
    status = act(lie, done.stdout, is_ends, is_replay)
    sys.stdout.flush()
    os._exit(done.returncode if status is None else status)


def compile_lie(options):
    """Compiles, and puts a script that lies in the place of the program."""
    lie, place = os.environ["LIE"], options.index("-o") + 1
    program = options[place]
    if lie in COMPILERS:
        told()
        return 1 if lie == "fails-to-compile" else 0
    real = f"{program}.real"
    options[place] = real
    status = subprocess.call([shutil.which("tcc") or "cc", *options])
    with open(program, "w", encoding="utf-8") as file:
        file.write(f"#!/bin/sh\nexec {sys.executable} {os.path.abspath(__file__)} --pan {lie} \"$PWD/{real}\" "
                   f"{program} \"$@\"\n")
    os.chmod(program, 0o755)
    return status


def main():
    if sys.argv[1:] == ["--lies"]:
        print(HONEST, *ALWAYS, *ENDS, *REPLAYS, *DEEDS, *COMPILERS, sep="\n")
    elif "--version" in sys.argv:
        print("cc 1.0")
    elif sys.argv[1] == "--pan":
        lie, real, program, *options = sys.argv[2:]
        pan(lie, real, os.path.basename(program) == "pan_ends", options)
    else:
        return compile_lie(sys.argv[1:])
    return 0


if __name__ == "__main__":
    sys.exit(main())
