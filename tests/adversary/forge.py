#!/usr/bin/env python3
"""Forges a kept proof in many ways, and has each forgery judged by `autotune verify`, check.sh and check.py.

    forge.py KEPT [--every] [KIND...]

KEPT is `autotune tuning-specs/abstract_kernel.yaml --gpu abstract-tiny --set size=16 --no-prune --no-analysis --no-cost
--keep KEPT`. The scripts are those of KEPT. AUTOTUNE names the binary. Each KIND is a key of forgeries.py; all are made
if none is given. A checker of which forgeries.py says nothing is asked only with --every, and must end. Writes into a
temporary folder alone. The last line counts; the exit status is 0 if each forgery was
made, and each was judged rightly.
"""
import glob
import os
import shutil
import signal
import stat
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
from forgeries import FORGERIES
from kept import Kept, NotMade, read, sha256

SECONDS, KIBIBYTES = 60, 2 << 20      # limits of a checker; none needs a tenth of them
SMALL = 1 << 24                       # bytes of a file whose content is compared
NAMES = {"v": "verify", "s": "check.sh", "p": "check.py"}


def ended(command, environment):
    """The exit status of a checker, or None if time or memory do not suffice; and the line in which it says why."""
    limited = ["bash", "-c", f"ulimit -v {KIBIBYTES}; exec \"$@\"", "limited", *command]
    process = subprocess.Popen(limited, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                               stderr=subprocess.STDOUT, text=True, errors="replace", start_new_session=True)
    try:
        lines = process.communicate(timeout=SECONDS)[0].splitlines()
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
        return None, "it does not end"
    if lines and lines[-1].endswith("MemoryError"):
        return None, lines[-1]
    told = [line for line in lines if line.startswith("  ")] if lines and lines[0].startswith("error") else lines[-1:]
    return process.returncode, (told or lines or [""])[0].strip()


def judge(kept, folder, owned, asked):
    """The checkers that accept a folder, as capital letters, and what each says; `-` for one that is not asked."""
    commands = {"v": [os.environ.get("AUTOTUNE", "autotune"), "verify", folder],
                "s": ["sh", f"{folder}/check.sh"], "p": [sys.executable, f"{kept}/check.py", folder]}
    environment = {**os.environ, "CC": shutil.which("tcc") or "cc"}
    judged, said = "", []
    for letter, command in commands.items():
        if letter not in asked:
            judged += "-"
            continue
        if letter == "s" and os.path.isfile(command[1]) and read(command[1]) != read(f"{kept}/check.sh"):
            judged += "-"     # it would judge itself
            continue
        status, line = ended(command, {**environment, "FORGE_OWNED": owned} if letter == "v" else environment)
        judged += "!" if status is None else letter.upper() if status == 0 else letter
        said.append(line)
    return judged, said


def faults(kind, wanted, judged):
    """The wrong judgements on a forgery."""
    for letter, want, got in zip(NAMES, wanted, judged):
        if got == "!":
            yield f"{kind}: {NAMES[letter]} takes too long or too much memory"
        elif "-" not in (want, got) and want != got:
            yield f"{kind}: {NAMES[letter]} {'believes it' if got.isupper() else 'refuses it'}"


def entries(folder):
    """Kind, size and content of each entry of a folder."""
    found = {}
    for path, folders, files in os.walk(folder):
        for name in (os.path.join(path, one) for one in folders + files):
            status = os.lstat(name)
            is_small = stat.S_ISREG(status.st_mode) and status.st_size <= SMALL
            found[os.path.relpath(name, folder)] = (
                stat.S_IFMT(status.st_mode), status.st_size, sha256(name) if is_small else None)
    return found


def forge(kept, folder, kind):
    """Makes a forgery of a kept folder in a new folder."""
    wanted, make = FORGERIES[kind]
    shutil.copytree(kept, folder)
    forged = Kept(folder)
    make(forged)
    forged.seal()
    if not wanted.isupper() and entries(folder) == entries(kept):
        raise NotMade("nothing has changed")


def clear(folder):
    """Removes a folder and what was put beside it."""
    for path in [folder, *glob.glob(glob.escape(folder) + "-*")]:
        if os.path.isdir(path) and not os.path.islink(path):
            shutil.rmtree(path)
        elif os.path.lexists(path):
            os.remove(path)


def main():
    kept, words = os.path.abspath(sys.argv[1]), sys.argv[2:]
    kinds = [word for word in words if word != "--every"] or list(FORGERIES)
    made, wrong = 0, []
    with tempfile.TemporaryDirectory() as work:
        owned = f"{work}/owned"
        for kind in kinds:
            folder, wanted = f"{work}/{kind}", FORGERIES[kind][0]
            try:
                forge(kept, folder, kind)
            except (NotMade, OSError, KeyError, IndexError, TypeError, ValueError) as error:
                wrong.append(f"{kind}: NOT MADE: {error!r}")
                print(f"{kind}: NOT MADE: {error!r}", flush=True)
                clear(folder)
                continue
            made += 1
            asked = "".join(NAMES) if "--every" in words else wanted.lower()
            judged, said = judge(kept, folder, owned, asked)
            wrong += faults(kind, wanted, judged)
            if os.path.exists(owned):
                wrong.append(f"{kind}: verify runs code of the folder")
                os.remove(owned)
            print(f"{kind:20} {wanted} {judged} {' | '.join(line[:100] for line in said)}", flush=True)
            clear(folder)
    print(*wrong, sep="\n")
    print(f"{made} of {len(kinds)} forgeries made, {len(wrong)} judged wrongly")
    return 0 if made == len(kinds) > 0 and not wrong else 1


if __name__ == "__main__":
    sys.exit(main())
