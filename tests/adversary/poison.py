#!/usr/bin/env python3
"""Forges entries of the cache, and shows which of them autotune believes.

    poison.py SPECS KIND...      SPECS is the folder of abstract_kernel.yaml, AUTOTUNE names the program

Each kind is a lie that contradicts nothing else in its entry:

    ticks        the proof says 7 ticks of another configuration, the rest as it was
    whole        the same, and property, ties, near ties, runs and list follow
    slower       the proof names a slower configuration with its true time; false bounds exclude the faster ones
    infeasible   the same, and the faster ones cannot run
    checker      the compiled checkers are a script, and the record says that it has passed a proof
    compiled     the compiler's output of a kernel's source is that of another source
    lowered      the lowered configurations of a kernel's source have other numbers

Each lie is told four times, by who signs it: with the checksum that anybody can compute, with digits, with another key,
and with the true key. Nothing but the true key is believed. With it, the last five kinds are believed: this shows that
the script can forge at all. The first two are not, since times are evaluated again.

A line for each lie; the status is 0 if all is as it should be, 1 if not, and 2 if the script cannot forge.
"""
import glob
import hashlib
import hmac
import json
import os
import re
import secrets
import shutil
import subprocess
import sys
import tempfile
import zlib

AUTOTUNE = os.environ.get("AUTOTUNE", "autotune")
DIGITS = 64
# A slow configuration of the abstract kernel, and its true time in ticks.
SLOW = {"WG": 2, "TS": 2}
SLOW_TICKS = 848
OF_SOURCE = ("compiled", "lowered")
EVALUATED_AGAIN = ("ticks", "whole")

SOURCE = """\
__kernel void k(__global const float *a, __global float *b) {
    float s = 0;
    for (int i = 0; i < 1024 / TS; i++) s += a[get_global_id(0) + i * n];
    b[get_global_id(0)] = s;
}
"""
SPEC = """\
kernel: k
problem: { n: 4096 }
parameters: { WG: { values: [64, 128] }, TS: { values: [1, 2, 4] } }
launch: { work_items: n, work_group: WG }
source: { file: k.cl }
"""


class Home:
    """A cache and the key that signs its entries."""

    def __init__(self, folder):
        self.folder = folder
        self.environment = dict(os.environ, XDG_CACHE_HOME=folder + "/cache", XDG_STATE_HOME=folder + "/state")

    def copy(self, folder):
        shutil.copytree(self.folder, folder)
        return Home(folder)

    def key(self):
        with open(self.folder + "/state/autotune/cache.key", "rb") as file:
            return file.read()

    def entries(self):
        """The path, the name and the body of each entry."""
        for path in glob.glob(self.folder + "/cache/autotune/*.entry"):
            name = os.path.basename(path).removesuffix(".entry").encode()
            with open(path, "rb") as file:
                raw = file.read()
            if raw[:DIGITS] != signature(self.key(), name, raw[DIGITS:]):
                sys.exit("an entry is signed in another way: this script must be adapted")
            yield path, name, raw[DIGITS:]

    def ask(self, question):
        """The optimum and the verdict; None without an answer. And what else was printed."""
        command = [AUTOTUNE, *question, "--no-cost", "--format", "json"]
        ended = subprocess.run(command, env=self.environment, capture_output=True, text=True)
        if ended.returncode != 0:
            return None, ended.stderr
        result = json.loads(ended.stdout)
        return (result["optimum"]["parameters"], result["optimum"]["ticks"], result["verdict"]), ended.stderr


def signature(key, name, body):
    return hmac.new(key, b"entry" + name + body, hashlib.sha256).hexdigest().encode()


SIGNERS = {
    "a checksum": lambda key, name, body: hashlib.sha256(name + body).hexdigest().encode(),
    "digits": lambda key, name, body: b"0123456789abcdef" * 4,
    "another key": lambda key, name, body: signature(secrets.token_bytes(len(key)), name, body),
    "the true key": signature,
}


def is_report(body):
    return body[:1] == b"{" and b'"verdict"' in body


def lying_report(kind, body):
    """The body of a proof that names the slow configuration."""
    report = json.loads(body)
    ticks = 7 if kind in EVALUATED_AGAIN else SLOW_TICKS
    report["optimum"].update(ticks=ticks, parameters=SLOW)
    report["ties"] = []
    if kind != "ticks":
        make_consistent(report, ticks, "infeasible" if kind == "infeasible" else "pruned")
    return json.dumps(report, separators=(",", ":")).encode()


def make_consistent(report, ticks, fate):
    """Makes everything else follow from the time of the slow configuration. `fate` befalls the others."""
    report["optimum"].update(work_group=SLOW["WG"], tile={"TS": SLOW["TS"]})
    proof = report["proof"]
    proof["property"] = "[] (DONE -> (time >= %d))" % ticks
    for model in proof["models"]:
        model.update(configurations=1, ends=dict(done=1, cut=0, stuck=0))
        model.pop("comparison", None)
        for run in model["runs"]:
            run.update(bound=ticks if run["holds"] else ticks + 1, states=2)
            if "ticks" in run:
                run["ticks"] = ticks
    reasons = {
        "infeasible": dict(status="infeasible", reason="work_group <= 1"),
        "pruned": dict(status="pruned", bound=10**6, by="memory"),
    }
    configurations = [one["parameters"] for one in report["configurations"]]
    optimum = dict(status="optimum", ticks=ticks)
    report["configurations"] = [
        dict(parameters=one, **(optimum if one == SLOW else reasons[fate])) for one in configurations
    ]
    counts = dict(all=len(configurations), infeasible=0, pruned=0, equal=0, checked=1)
    counts[fate] = len(configurations) - 1
    proof["configurations"].update(counts)
    near = report["near"]
    near.update(best=[dict(parameters=SLOW, ticks=ticks)], not_evaluated=counts["pruned"])
    near.update(optimum_by=None, chosen_by=None)
    for within in near["within"]:
        within["configurations"] = 1
        for parameter in within["parameters"]:
            parameter["values"] = [2]
    report.pop("analysis", None)


def other_output(body):
    """A compiler's output whose loops end after half of their turns."""
    text = zlib.decompress(body[1:], -15).decode(errors="replace")
    bound = re.compile(r"icmp (eq|ult|slt|ne) i32 %([\w.]+), (1024|512|256)\b")
    changed = bound.sub(lambda found: "icmp %s i32 %%%s, %d" % (found[1], found[2], int(found[3]) // 2), text)
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    return body if changed == text else b"T" + packer.compress(changed.encode()) + packer.flush()


def other_numbers(body):
    """A lowered configuration with a seventh of its groups."""
    seventh = lambda found: b'"%s":%d' % (found[1], max(1, int(found[2]) // 7))
    return re.sub(rb'"(groups|launch|passes)":(\d+)', seventh, body)


def lie(kind, body, script):
    """The body that a forger puts in the place of an honest one, often the same."""
    if kind == "checker":
        if body[:4] == b"\x7fELF":
            return script
        is_record = len(body) == 2 * DIGITS and re.fullmatch(rb"[0-9a-f]+", body)
        return 2 * hashlib.sha256(script).hexdigest().encode() if is_record else body
    if kind == "compiled":
        return other_output(body) if body[:1] == b"T" else body
    if kind == "lowered":
        return other_numbers(body) if body[:1] == b"{" and not is_report(body) else body
    return lying_report(kind, body) if is_report(body) else body


def forge(home, kind, sign, script):
    """Forges what the kind says; returns the number of changed entries. Answers that would hide the lie are removed."""
    changed = 0
    for path, name, body in list(home.entries()):
        lied = lie(kind, body, script)
        if lied != body:
            changed += 1
            with open(path, "wb") as file:
                file.write(sign(home.key(), name, lied) + lied)
        elif kind in OF_SOURCE and body[:1] == b"{" and (kind == "compiled" or is_report(body)):
            os.remove(path)
    return changed


def question_of(kind, folder, specs):
    if kind not in OF_SOURCE:
        return [specs + "/abstract_kernel.yaml", "--gpu", "abstract-tiny", "--set", "size=16"]
    for name, text in (("k.cl", SOURCE), ("k.yaml", SPEC)):
        with open(folder + "/" + name, "w") as file:
            file.write(text)
    return [folder + "/k.yaml", "--gpu", "volta"]


def attack(kind, honest_home, question, honest, folder):
    """Tells the lie with each signature; returns the status."""
    status = 0
    for number, (signer, sign) in enumerate(SIGNERS.items()):
        home = honest_home.copy("%s/%s-%d" % (folder, kind, number))
        owned = home.folder + "/owned"
        script = ("#!/bin/sh\ntouch %s\nexit 1\n" % owned).encode()
        changed = forge(home, kind, sign, script)
        # Another question uses the same checker.
        asked = [word.replace("size=16", "size=32") for word in question] if kind == "checker" else question
        got, printed = home.ask(asked)
        believed = os.path.exists(owned) if kind == "checker" else got != honest
        should = signer == "the true key" and kind not in EVALUATED_AGAIN
        verdict = "believed" if believed else "not believed"
        print("%s, %s: %s, %d entries changed" % (kind, signer, verdict, changed))
        if changed == 0 or believed != should:
            print("  this should be %s; honest %s, now %s\n%s" % ("believed" if should else "not believed", honest, got, printed))
            status = max(status, 2 if changed == 0 or should else 1)
    return status


def main(specs, kinds):
    status, known = 0, {}
    with tempfile.TemporaryDirectory() as folder:
        for kind in kinds:
            of_source = kind in OF_SOURCE
            if of_source not in known:
                home, question = Home("%s/honest-%d" % (folder, of_source)), question_of(kind, folder, specs)
                honest, printed = home.ask(question)
                if honest is None:
                    sys.exit("there is no honest answer: " + printed)
                known[of_source] = home, question, honest
            status = max(status, attack(kind, *known[of_source], folder))
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2:]))
