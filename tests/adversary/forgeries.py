"""The forgeries: each makes a kept proof (kept.py) say something that is wrong, or not what `--keep` writes.

Each names who must refuse it: `v` for `autotune verify`, `s` for check.sh, `p` for check.py. A `-` stands for a checker
that does not promise to look there; a capital letter for one that must accept.
"""
import glob
import gzip
import json
import os
import re
import shutil

from kept import NotMade, SUMS, TABLES, label, parameters, read, run, sha256, write

FORGERIES = {}      # by their names: who must refuse it, and the function that makes it
MODEL = "proof/model-1"
RESULT = "result.json"
GIB = 1 << 30


def forgery(refused_by):
    def register(make):
        FORGERIES[make.__name__.replace("_", "-")] = (refused_by, make)
        return make
    return register


def replacing(name, refused_by, file, old, new):
    """A forgery that replaces all places of a text in a file."""
    FORGERIES[name] = (refused_by, lambda kept: kept.replace_all(file, old, new))


def remodelling(name, refused_by, old, new):
    """A forgery that changes the model, and everything that follows from it."""
    def make(kept):
        kept.change_model(old, new)
        kept.prove()
    FORGERIES[name] = (refused_by, make)


def changing(name, refused_by, change):
    """A forgery that changes the values of the result."""
    FORGERIES[name] = (refused_by, lambda kept: kept.change_result(change))


@forgery("VSP")
def honest(kept):
    """Everything is made anew, and nothing is changed: all must accept."""
    kept.prove()


# The text of the model
remodelling("law", "v-p", "add_low(launch)", "add_low(launch + (configuration < 2 -> 500 : 0))")
remodelling("losers", "v-p", "add_low(launch)", "add_low(launch + (configuration > 1 -> 77 : 0))")
remodelling("barrier", "v-p", "ahead = ahead + latency(at)", "ahead = ahead + latency(at) + configuration")
remodelling("groups", "v-p", "((groups - 1) / multiprocessors + 1)", "(groups / 8 + 1)")
remodelling("weight", "v-p", "wave == 1 -> weight = full_waves * passes", "wave == 1 -> weight = passes")
remodelling("runs-code", "v--", "c_code { read_tables(); };",
            "c_code { read_tables(); if (getenv(\"FORGE_OWNED\")) system(\"touch $FORGE_OWNED\"); };")


@forgery("vsp")
def cut(kept):
    """All but a slow configuration are cut as soon as they begin."""
    slow = kept.labels().index("WG=2 TS=2")
    kept.change_model("if\n        :: cut ->", f"if\n        :: cut || configuration != {slow} ->")
    kept.prove()


@forgery("vsp")
def ltl(kept):
    """The property leaves out the fastest two."""
    kept.change_model("[] (DONE -> time_is_at_least_MT)", "[] (DONE -> (time_is_at_least_MT || configuration < 2))")
    times = kept.times()
    kept.prove({text: 10**6 if number < 2 else time for number, (text, time) in enumerate(times.items())})


# Configurations, programs, tables
def leave_out(kept, number):
    """The first configurations, which are the fastest, leave the model. Returns their labels."""
    table, labels = kept.table(), kept.labels()
    programs, rows = table[0].split()
    kept.write_table([f"{int(programs) - number} {rows}", *table[1 + number:]])
    kept.write_labels(labels[number:])
    return labels[:number]


def drop(name, refused_by, status, programs_follow):
    """The fastest two are said to have this status, and are in no model."""
    values = {"pruned": {"bound": 10**6, "by": "memory"}, "infeasible": {"reason": "work_group <= 1"},
              "equal": {"ticks": 848, "same_as": {"WG": 2, "TS": 2}}}[status]

    def make(kept):
        gone = leave_out(kept, 2)

        def change(result):
            for one in result["configurations"]:
                if label(one["parameters"]) in gone:
                    one.pop("ticks")
                    one.update(status=status, **values)
        kept.change_result(change)
        if programs_follow:
            rest = [one for one in kept.programs() if label(one["configurations"][0]) not in gone]
            if status == "equal":
                twin, = (one for one in rest if label(one["configurations"][0]) == "WG=2 TS=2")
                twin["configurations"] += map(parameters, gone)
            kept.write_programs(rest)
        kept.prove()
    FORGERIES[name] = (refused_by, make)


drop("pruned", "v-p", "pruned", False)
drop("infeasible", "v-p", "infeasible", False)
drop("equal", "v-p", "equal", False)
drop("infeasible-programs", "v--", "infeasible", True)
drop("equal-programs", "v--", "equal", True)


@forgery("v--")
def lost(kept):
    """The fastest two are nowhere."""
    gone = leave_out(kept, 2)
    kept.write_programs([one for one in kept.programs() if label(one["configurations"][0]) not in gone])

    def change(result):
        result["configurations"] = [one for one in result["configurations"] if label(one["parameters"]) not in gone]
        result["proof"]["configurations"]["all"] -= 2
    kept.change_result(change)
    kept.prove()


@forgery("v--")
def added(kept):
    """A fast configuration that the space does not have is everywhere."""
    new, programs = {"WG": 16, "TS": 16}, kept.programs()
    body = [{"use": {"server": "dispatcher", "occupancy": 5, "latency": 5}}]
    programs.append({"configurations": [new], "program": {**programs[0]["program"], "groups": 1, "body": body}})
    kept.write_programs(programs)
    kept.write_labels([*kept.labels(), label(new)])
    lines = [line for line in kept.table() if line]
    count, rows = map(int, lines[0].split())
    kept.write_table([f"{count + 1} {rows + 2}", *lines[1:count + 1], f"1 2 1 1 1 1 0 {rows}", *lines[count + 1:],
                      "2 5 5", "6 0 0", ""])

    def change(result):
        result["configurations"].append({"parameters": new, "status": "checked", "ticks": 5})
        result["proof"]["configurations"]["all"] += 1
    kept.change_result(change)
    kept.prove()


@forgery("v-p")
def swap(kept):
    """The fastest and the slowest configuration exchange their names."""
    labels = kept.labels()
    labels[0], labels[-1] = labels[-1], labels[0]
    kept.write_labels(labels)
    kept.prove()


def slow_tables(kept):
    """The fastest two have more groups."""
    lines = kept.table()
    kept.write_table([lines[0], "1 2 400 1 2 1 0 0", "1 2 400 1 2 2 0 0", *lines[3:]])


@forgery("v-p")
def tables(kept):
    slow_tables(kept)
    kept.prove()


@forgery("v--")
def tables_programs(kept):
    """Tables and programs agree, but do not follow from the spec."""
    programs = kept.programs()
    for one in programs:
        if label(one["configurations"][0]) in kept.labels()[:2]:
            one["program"]["groups"] = 400
    kept.write_programs(programs)
    slow_tables(kept)
    kept.prove()


@forgery("v--")
def launch_everywhere(kept):
    """All programs launch 1,000 ticks later, in the tables, too."""
    programs, lines = kept.programs(), kept.table()
    for one in programs:
        one["program"]["launch"] = 1000
    kept.write_programs(programs)
    for number in range(1, len(programs) + 1):
        values = lines[number].split()
        lines[number] = " ".join([*values[:6], "1000", *values[7:]])
    kept.write_table(lines)
    kept.prove()


@forgery("v-p")
def programs_swapped(kept):
    programs = kept.programs()
    one, other = programs[0], programs[5]
    one["configurations"], other["configurations"] = other["configurations"], one["configurations"]
    kept.write_programs(programs)


@forgery("v-p")
def wide_program(kept):
    """A number of a program is equal modulo 2^32."""
    programs = kept.programs()
    programs[0]["program"]["groups"] += 2**32
    kept.write_programs(programs)


# The inputs
@forgery("v--")
def spec(kept):
    """The spec excludes the fastest."""
    file = "inputs/spec.yaml"
    text = read(kept.path(file))
    longer = re.sub(r"(?m)^(constraints:.*)$", r"\1\n  - WG * TS < 20", text, count=1)
    if longer == text:
        raise NotMade(f"{file} has no constraints")
    write(kept.path(file), longer)


@forgery("v--")
def profile(kept):
    file = "inputs/profile.yaml"
    text = read(kept.path(file))
    found = re.search(r"(?m)^global_memory_ticks: *\d+", text)
    kept.replace(file, found[0] if found else "global_memory_ticks", "global_memory_ticks: 9")


@forgery("v--")
def gpu_name(kept):
    kept.replace("kept.json", '"gpu": "abstract-tiny"', '"gpu": "h100"')
    kept.change_result(lambda result: result.update(gpu="h100"))


@forgery("v--")
def version(kept):
    text = read(kept.path("kept.json"))
    kept.replace("kept.json", json.dumps(json.loads(text)["version"]), '"0.0.9"')


@forgery("v--")
def no_manifest(kept):
    os.remove(kept.path("kept.json"))


@forgery("v--")
def spin(kept):
    """Another version of SPIN is named everywhere."""
    found = re.search(r"spin (\d+\.\d+\.\d+)", read(kept.path(RESULT)))
    kept.replace_all(RESULT, found[0], "spin 6.0.9")
    for path in glob.glob(f"{kept.model}/0*"):
        write(path, read(path).replace(f"Spin Version {found[1]}", "Spin Version 6.0.9"))


replacing("size", "v--", "kept.json", '"size": 16', '"size": 32')
replacing("strategy", "v--", "kept.json", '"strategy": "guess"', '"strategy": "bisection"')
replacing("kept-twice", "v--", "kept.json", '"no_prune": true', '"no_prune": false,\n        "no_prune": true')
replacing("kept-crlf", "v--", "kept.json", "\n", "\r\n")
replacing("kept-blank", "v--", "kept.json", "\n  \"version\"", "\n\n  \"version\"")


# The result alone
@forgery("vsp")
def optimum_named(kept):
    """A slow configuration is named with the time of the fastest."""
    def change(result):
        result["optimum"].update(parameters={"WG": 2, "TS": 2}, work_group=2, tile={"TS": 2})
    kept.change_result(change)


@forgery("vsp")
def tie_lost(kept):
    """A tie is a tick slower, and has no trail."""
    def change(result):
        tie, = result["ties"]
        result["ties"] = []
        for one in (*result["configurations"], *result["near"]["best"]):
            if one["parameters"] == tie:
                one["ticks"] += 1
                one.update(status="checked") if "status" in one else None
        result["proof"]["models"][0]["ends"] = {"done": 1, "cut": 8, "stuck": 0}
    kept.change_result(change)
    os.remove(kept.one(f"{MODEL}/witnesses/04-*-2.trail"))


@forgery("vsp")
def tie_added(kept):
    """A slower configuration is named as a tie, and listed with the time of the fastest."""
    def change(result):
        result["ties"].append({"WG": 8, "TS": 4})
        for one in (*result["configurations"], *result["near"]["best"]):
            if one["parameters"] == {"WG": 8, "TS": 4}:
                one["ticks"] = result["optimum"]["ticks"]
                one.update(status="optimum") if "status" in one else None
        result["proof"]["models"][0]["ends"] = {"done": 3, "cut": 6, "stuck": 0}
    kept.change_result(change)


@forgery("vsp")
def tie_twice(kept):
    kept.change_result(lambda result: result["ties"].append(result["ties"][0]))


@forgery("vsp")
def tie_invented(kept):
    """A configuration that the space does not have equals a slow one, and is named as a tie."""
    def change(result):
        result["ties"].append({"WG": 16, "TS": 16})
        result["configurations"].append({"parameters": {"WG": 16, "TS": 16}, "status": "optimum",
                                         "ticks": result["optimum"]["ticks"], "same_as": {"WG": 8, "TS": 4}})
        result["proof"]["configurations"].update(all=10, equal=1)
    kept.change_result(change)


replacing("twice", "vsp", RESULT, '  "verdict": "proved",', '  "verdict": "proved",\n  "verdict": "proved",')
replacing("twice-ticks", "vsp", RESULT, '    "ticks": 136,', '    "ticks": 7,\n    "ticks": 136,')
replacing("unknown-field", "v--", RESULT, '  "verdict": "proved",', '  "verdict": "proved",\n  "silicon": "confirmed",')
replacing("exponent", "vsp", RESULT, '"ticks": 136', '"ticks": 1.36e2')
replacing("float", "vsp", RESULT, '"ticks": 136', '"ticks": 136.0')
replacing("nan", "v-p", RESULT, '"percent": 1,', '"percent": NaN,')
replacing("infinite", "v-p", RESULT, '"percent": 2,', '"percent": 1e999,')
replacing("unicode", "vs-", RESULT, '"WG": 8', '"\\u0057G": 8')
replacing("lookalike", "vsp", RESULT, '"WG"', '"W\u200bG"')
replacing("tabs", "vs-", RESULT, "  ", "\t")
replacing("result-crlf", "vs-", RESULT, "\n", "\r\n")
changing("near-more", "v-p", lambda result: result["near"]["within"][1].update(configurations=9))
changing("near-values", "v--", lambda result: result["near"]["within"][0]["parameters"][0].update(values=[2, 4, 8]))
changing("microseconds", "v--", lambda result: result["optimum"].update(microseconds=0.001))
TRAITS = {"configurations": 9, "groups": 9, "spread": None}
changing("expected", "v--", lambda result: result.update(expected={"value": 0.99, "bound": 0.98, "traits": TRAITS}))
changing("strategy-claim", "v--", lambda result: result["proof"].update(strategy="bisection"))
changing("listed-time", "v-p", lambda result: result["configurations"][1].update(ticks=465))


@forgery("vsp")
def wrap(kept):
    """The time is equal modulo 2^64."""
    kept.replace_all(RESULT, '"ticks": 136', f'"ticks": {136 + 2**64}')
    kept.replace_all(RESULT, ">= 136", f">= {136 + 2**64}")


@forgery("vsp")
def wrap_everywhere(kept):
    wrap(kept)
    kept.replace(f"{MODEL}/search.sh", "ticks=136", f"ticks={136 + 2**64}")


@forgery("v-p")
def negative(kept):
    kept.replace(RESULT, '"infeasible": 0', '"infeasible": -1')
    kept.replace(RESULT, '"all": 9', '"all": 8')


@forgery("vs-")
def byte_order_mark(kept):
    write(kept.path(RESULT), "\ufeff" + read(kept.path(RESULT)))


@forgery("vsp")
def depth(kept):
    write(kept.path(RESULT), "[" * 10**5)


@forgery("v-p")
def depth_programs(kept):
    kept.write_packed(gzip.compress(b"[" * 10**6, mtime=0))


# Scripts, outputs, trails, and files that do not belong there
@forgery("v--")
def script_py(kept):
    write(kept.path("check.py"), "print('optimum confirmed')\n")


@forgery("v--")
def script_sh(kept):
    write(kept.path("check.sh"), "echo 'all as result.json says'\n")


def adding(name, refused_by, file, text):
    """A forgery that adds a text to a file's end."""
    def make(kept):
        path = kept.one(file)
        write(path, read(path) + text)
    FORGERIES[name] = (refused_by, make)


adding("output-line", "v--", f"{MODEL}/02-pan-*", "the kernel was measured, too\n")
adding("output-measured", "v--", f"{MODEL}/02-pan-*", "pan: elapsed time 0 seconds\n" * 3)
adding("output-end", "v--", f"{MODEL}/02-pan-*", "\n")
adding("commands", "v--", f"{MODEL}/commands.sh", "touch owned\n")
adding("search-sh", "v--", f"{MODEL}/search.sh", "touch owned\n")
adding("trail-end", "v--", f"{MODEL}/witnesses/04-*-1.trail", "\n")


def rewriting(name, refused_by, file, pattern, new):
    """A forgery that replaces what matches in a file."""
    def make(kept):
        path = kept.one(file)
        text = read(path)
        changed = re.sub(pattern, new, text)
        if changed == text:
            raise NotMade(f"{file} has no {pattern}")
        write(path, changed)
    FORGERIES[name] = (refused_by, make)


rewriting("output-states", "v--", f"{MODEL}/02-pan-*", r"\d+ states, stored", "99999 states, stored")
rewriting("output-blank", "v--", f"{MODEL}/02-pan-*", "\n", "\n\n")
rewriting("output-crlf", "v--", f"{MODEL}/02-pan-*", "\n", "\r\n")
rewriting("output-moved", "v--", f"{MODEL}/02-pan-*", r"(?s)^(.*)(pan: elapsed time [0-9.e+-]+ seconds\n)", r"\2\1")
rewriting("commands-crlf", "v--", f"{MODEL}/commands.sh", "\n", "\r\n")
rewriting("labels-crlf", "vsp", f"{MODEL}/configurations.txt", "\n", "\r\n")
rewriting("tables-blank", "v--", f"{MODEL}/tables.txt", "$", "\n")
rewriting("bit-state", "vs-", f"{MODEL}/search.sh", r"(-DMEMLIM=\d+)", r"\1 -DBITSTATE")


@forgery("v--")
def extra_file(kept):
    write(kept.path("note.txt"), "measured on silicon: confirmed\n")


@forgery("v--")
def extra_pan(kept):
    write(f"{kept.model}/pan", "#!/bin/sh\ntouch owned\n")
    os.chmod(f"{kept.model}/pan", 0o755)


@forgery("v--")
def extra_trail(kept):
    shutil.copy(kept.one(f"{MODEL}/witnesses/04-*-1.trail"), f"{kept.model}/witnesses/04-137-3.trail")


@forgery("vs-")
def empty_folder(kept):
    os.mkdir(kept.path("proof/model-2"))


@forgery("v--")
def empty_folder_below(kept):
    os.makedirs(kept.path("inputs/a/b"))


@forgery("vsp")
def two_models(kept):
    """The model is there twice."""
    shutil.copytree(kept.model, kept.path("proof/model-2"))
    kept.change_result(lambda result: result["proof"]["models"].append(result["proof"]["models"][0]))


@forgery("v--")
def trails_swapped(kept):
    one, other = kept.one(f"{MODEL}/witnesses/04-*-1.trail"), kept.one(f"{MODEL}/witnesses/04-*-2.trail")
    first, second = read(one), read(other)
    write(one, second)
    write(other, first)


@forgery("vs-")
def trail_of_a_slow_one(kept):
    """The trail of the tie is one of a slow configuration."""
    tie = kept.one(f"{MODEL}/witnesses/04-*-2.trail")
    kept.compile(kept.model)
    search = ["./pan", *kept.settings()["search"].split(), "-c0", "-e"]
    run(search, kept.model, {**TABLES, "AUTOTUNE_MT": "900"})
    slow = sorted(glob.glob(f"{kept.model}/*.trail"))
    if not slow:
        raise NotMade("no trail of a slow configuration")
    shutil.move(slow[-1], tie)
    for path in slow[:-1]:
        os.remove(path)
    kept.sweep()


@forgery("v--")
def trail_missing(kept):
    os.remove(kept.one(f"{MODEL}/witnesses/04-*-2.trail"))


@forgery("vsp")
def model_missing(kept):
    shutil.rmtree(kept.model)


# The hashes
def resealing(name, refused_by, change):
    """A forgery that changes the lines of the file of hashes."""
    def make(kept):
        kept.seal()
        path = kept.path(SUMS)
        write(path, change(read(path)))
    FORGERIES[name] = (refused_by, make)


resealing("sums-twice", "vsp", lambda text: text + text.splitlines()[0] + "\n")
resealing("sums-crlf", "vsp", lambda text: text.replace("\n", "\r\n"))
resealing("sums-blank", "vsp", lambda text: text + "\n")
resealing("sums-end", "v-p", lambda text: text[:-1])
resealing("sums-order", "v--", lambda text: "".join(sorted(text.splitlines(True))))
resealing("sums-upper", "vsp", lambda text: "".join(line[:64].upper() + line[64:] for line in text.splitlines(True)))
resealing("sums-fewer", "vs-", lambda text: "".join(line for line in text.splitlines(True) if "witnesses" not in line))
resealing("sums-outside", "vsp", lambda text: text + "0" * 64 + "  /dev/zero\n")


@forgery("vsp")
def unsealed(kept):
    kept.seal()
    kept.replace(f"{MODEL}/tables.txt", "9 27", "9 27 ")


# Entries that are not files, and files that are too large
@forgery("vsp")
def link(kept):
    model, elsewhere = f"{kept.model}/model.pml", kept.folder + "-model.pml"
    shutil.move(model, elsewhere)
    os.symlink(os.path.abspath(elsewhere), model)
    kept.seal()
    write(kept.path(SUMS), read(kept.path(SUMS)) + f"{sha256(elsewhere)}  {MODEL}/model.pml\n")


@forgery("vsp")
def folder_link(kept):
    shutil.move(kept.path("proof"), kept.folder + "-proof")
    os.symlink(os.path.abspath(kept.folder + "-proof"), kept.path("proof"))


@forgery("vsp")
def fifo(kept):
    os.mkfifo(kept.path("x"))


@forgery("vsp")
def fifo_result(kept):
    os.remove(kept.path(RESULT))
    os.mkfifo(kept.path(RESULT))


@forgery("vsp")
def endless(kept):
    os.symlink("/dev/zero", kept.path("x"))


def sparse(kept, name, size):
    """A file of zeros that takes no place on the disk, with a line in the file of hashes."""
    with open(kept.path(name), "wb") as file:
        file.truncate(size)
    kept.seal(without=[name])
    if name not in read(kept.path(SUMS)):
        lines = [*read(kept.path(SUMS)).splitlines(True), f"{'0' * 64}  {name}\n"]
        write(kept.path(SUMS), "".join(sorted(lines, key=lambda line: line[66:])))


@forgery("vsp")
def huge(kept):
    sparse(kept, "huge", 200 * GIB)


@forgery("vsp")
def huge_result(kept):
    sparse(kept, RESULT, 200 * GIB)


@forgery("vsp")
def huge_in_all(kept):
    """No file is too large, but all together are."""
    lines = []
    for number in range(8):
        with open(kept.path(f"x{number}"), "wb") as file:
            file.truncate(GIB)
        lines.append(f"{'0' * 64}  x{number}\n")
    kept.seal(without=[line[66:-1] for line in lines])
    write(kept.path(SUMS), read(kept.path(SUMS)) + "".join(lines))


@forgery("v-p")
def bomb(kept):
    """programs.jsonl.gz unpacks to 20 GB of line ends."""
    kept.write_packed(gzip.compress(b"\n" * (1 << 26), mtime=0) * 320)


@forgery("v-p")
def bomb_line(kept):
    """programs.jsonl.gz unpacks to a line of 20 GB."""
    kept.write_packed(gzip.compress(b" " * (1 << 26), mtime=0) * 320)


@forgery("v-p")
def bomb_behind(kept):
    """programs.jsonl.gz unpacks to its programs, and then to 20 GB."""
    with open(kept.path("programs.jsonl.gz"), "rb") as file:
        good = file.read()
    kept.write_packed(good + gzip.compress(b" " * (1 << 26), mtime=0) * 320)
