#!/usr/bin/env python3
"""Checks a kept proof about several scenarios with Python alone.

    python3 check.py [--events N] [FOLDER]

FOLDER is a folder that `autotune --keep` filled; the default is the folder of this file. Scenario s has the kept proofs
scenario-s/optimum (of its own space), scenario-s/best (the configurations of least worst slowdown) and scenario-s/others
(the configurations that are assigned to it, if there are any). Each is checked by its own check.py. This file then checks
that fleet.json follows from them: the common configurations are those of all optima; `best` and `others` together are the
common ones, each once; the slowdowns are those of the times; the assigned ones are slower than the bound. Of several variants
it checks that each scenario has its fastest one, and that tree.json shows with `others` that no others are better. What it
does not compare with the proofs it names in a line that begins with `not checked`. The last line is the answer:

    fleet confirmed                                (exit status 0)
    fleet confirmed, N times not recomputed        (exit status 3) some programs have too many events for Python
    REFUTED: ...                                   (exit status 1) something is not as the folder says
    stopped: ...                                   (exit status 2) a file is too large to be read, or memory is short
"""
import argparse
import gzip
import hashlib
import json
import os
import re
import stat
import subprocess
import sys
import zlib
from math import exp, gcd, log

SCENARIOS, FILE, UNPACKED, LARGE = 10**4, 2**27, 2**28, 10**40      # limits: scenarios, bytes of files, numbers
KNOWN = {"schema", "kernel", "verdict", "scenarios", "mean_slowdown", "proof", "may_not_launch"}
OF_ONE, OF_SEVERAL = {"optimum", "ties", "best", "surely_launches"}, {"most_variants", "variants", "together"}
LISTED = 10                                                          # the most configurations of `best`
SCRIPT = None                                                        # the bytes of the check.py of all proofs


class Refuted(Exception):
    pass


class TooLarge(Exception):
    pass


def require(good, where, what):
    if not good:
        raise Refuted(f"{where}: {what}".encode("ascii", "backslashreplace").decode())


def content(folder, name, most=FILE):
    """The bytes of a regular file of the folder."""
    path = os.path.join(folder, name)
    try:
        found = os.lstat(path)
    except OSError as error:
        raise Refuted(f"{name}: it cannot be read: {error.strerror}") from None
    require(stat.S_ISREG(found.st_mode), name, "it is not a regular file")
    if found.st_size > most:
        raise TooLarge(f"{name} has more than {most} bytes")
    with open(path, "rb") as file:
        return file.read(most + 1)


def unique_names(pairs):
    if len(dict(pairs)) != len(pairs):
        raise ValueError("an object has a name twice")
    return dict(pairs)


def from_json(folder, name):
    try:
        return json.loads(content(folder, name), parse_int=lambda digits: int(digits[:50]), object_pairs_hook=unique_names)
    except (ValueError, RecursionError) as error:
        raise Refuted(f"{name}: it cannot be read as JSON: {error}") from None


def field(value, name, kind, where, least=0, most=LARGE):
    found = value.get(name) if type(value) is dict else None
    require(type(found) is kind and (kind is not int or least <= found <= most), where, f"`{name}` is not understood")
    return found


def label_of(values, where):
    require(type(values) is dict and all(type(value) is int for value in values.values()), where, "no configuration")
    return tuple(sorted(values.items()))


def sealed(folder):
    """The names that SHA256SUMS lists, each with its hash."""
    hashes = {}
    for line in content(folder, "SHA256SUMS").decode("ascii", "replace").splitlines():
        found = re.fullmatch(r"([0-9a-f]{64})  ([A-Za-z0-9./-]+)", line)
        require(found and ".." not in found[2] and found[2] not in hashes, "SHA256SUMS", "a line is not understood")
        hashes[found[2]] = found[1]
    for name, expected in hashes.items():
        found = hashlib.sha256(content(folder, name)).hexdigest()
        require(found == expected, name, f"its SHA-256 is not {expected}, as SHA256SUMS says")
    return hashes


def programs_of(folder, part):
    """The program of each feasible configuration of a kept proof."""
    name, programs, size = f"{part}/programs.jsonl.gz", {}, 0
    content(folder, name)
    try:
        with gzip.open(os.path.join(folder, name)) as file:
            for line in file:
                size += len(line)
                if size > UNPACKED:
                    raise TooLarge(f"{name} has more than {UNPACKED} bytes, unpacked")
                value = json.loads(line)
                program = json.dumps(field(value, "program", dict, name), sort_keys=True)
                for configuration in field(value, "configurations", list, name):
                    label = label_of(configuration, name)
                    require(label not in programs, name, "a configuration is there twice")
                    programs[label] = program
    except (OSError, EOFError, zlib.error, ValueError) as error:
        raise Refuted(f"{name}: it cannot be read: {error}") from None
    return programs


def run(folder, part, events):
    """Runs the check.py of a kept proof. Returns the number of times that it did not compute."""
    global SCRIPT
    script = content(folder, f"{part}/check.py")
    SCRIPT = SCRIPT or script
    require(script == SCRIPT, part, "its check.py is not that of the others")
    command = [sys.executable, "-I", os.path.join(folder, part, "check.py"), "--events", str(events)]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False)
    last = (done.stdout.decode("utf-8", "replace").splitlines() or [""])[-1]
    print(f"{part}: {last}".encode("ascii", "backslashreplace").decode(), flush=True)
    if done.returncode == 2:
        raise TooLarge(f"{part}: {last}")
    require(done.returncode in (0, 3), part, last)
    left = re.match(r"bounds confirmed, (\d+) ", last)
    return int(left[1]) if left else 0


class Scenario:
    def __init__(self, folder, number, claimed):
        self.name = f"scenario-{number}"
        self.result = {part: from_json(folder, f"{self.name}/{part}/result.json") for part in ("optimum", "best")}
        self.has_others = os.path.isdir(os.path.join(folder, self.name, "others"))
        if self.has_others:
            self.result["others"] = from_json(folder, f"{self.name}/others/result.json")
        self.optimum = self.ticks("optimum")
        self.all = programs_of(folder, f"{self.name}/optimum")
        self.best = programs_of(folder, f"{self.name}/best")
        self.others = programs_of(folder, f"{self.name}/others") if self.has_others else {}
        for part, result in self.result.items():
            same = (result.get("kernel"), result.get("gpu"), result.get("problem"))
            told = (claimed["kernel"], claimed["scenarios"][number].get("gpu"), claimed["scenarios"][number].get("problem"))
            require(same == told, f"{self.name}/{part}", "it is about another kernel, GPU or problem than fleet.json says")
        for part, programs in (("best", self.best), ("others", self.others)):
            for label, program in programs.items():
                good = self.all.get(label) == program
                require(good, f"{self.name}/{part}", f"{dict(label)} has another program than in the scenario's space")
        self.times = {}
        for listed in field(self.result["best"], "configurations", list, f"{self.name}/best"):
            label = label_of(listed.get("parameters"), f"{self.name}/best")
            self.times[label] = field(listed, "ticks", int, f"{self.name}/best") if label in self.best else None

    def ticks(self, part):
        where = f"{self.name}/{part}"
        require(self.result[part].get("verdict") == "proved", where, "it is not a proof")
        return field(field(self.result[part], "optimum", dict, where), "ticks", int, where)


def check_inputs(folder, parts):
    """All proofs are about one spec; those of a scenario about one profile."""
    specs = {content(folder, f"{part}/inputs/spec.yaml") for part in parts}
    require(len(specs) == 1, "inputs", "the proofs are about different specs")
    profiles = {}
    for part in parts:
        profiles.setdefault(part.split("/")[0], set()).add(content(folder, f"{part}/inputs/profile.yaml"))
        asked = field(from_json(folder, f"{part}/kept.json"), "questions", list, part)
        usual = len(asked) == 1 and (part.endswith("/optimum") <= (asked[0].get("among") is None))
        require(usual, part, "its question is not the one of such a proof")
    for name, found in profiles.items():
        require(len(found) == 1, name, "its proofs are about different profiles")


def worst_of(times, optima):
    """The worst slowdown in lowest terms, and the first scenario that has it."""
    best, place = (0, 1), 0
    for number, (time, optimum) in enumerate(zip(times, optima)):
        if time * best[1] > best[0] * max(optimum, 1):
            best, place = (time, max(optimum, 1)), number
    common = gcd(*best)
    return best[0] // common, best[1] // common, place


def figure(time, optimum):
    """A slowdown, rounded up to 6 digits behind the point."""
    return float(-(-time * 10**6 // max(optimum, 1))) / 1e6


def check_worst(worst, times, optima, where):
    told = tuple(field(worst, name, int, where) for name in ("numerator", "denominator", "scenario"))
    require(told == worst_of(times, optima), where, "its worst slowdown is not that of its times")
    require(worst.get("slowdown") == figure(*told[:2]), where, "its worst slowdown is not its quotient")


def check_question(asked, fleet):
    """fleet.json answers the question of kept.json: the same GPUs, sizes and weights."""
    scenarios = field(asked, "scenarios", list, "kept.json")
    told = [{name: one.get(name) for name in ("gpu", "problem", "weight")} for one in fleet["scenarios"]]
    require(scenarios == told, "fleet.json", "its scenarios or weights are not those of kept.json")
    require(asked.get("variants") == fleet.get("most_variants"), "fleet.json", "it is about other variants than kept.json")


def check_mean(fleet, times, optima):
    weights = [field(one, "weight", int, "fleet.json", 1) for one in fleet["scenarios"]]
    logarithms = [weight * log(max(time, 1) / max(optimum, 1)) for weight, time, optimum in zip(weights, times, optima)]
    mean = fleet.get("mean_slowdown")
    good = type(mean) in (int, float) and abs(mean - exp(sum(logarithms) / sum(weights))) < 2e-6 * max(mean, 1)
    require(good, "fleet.json", "its mean slowdown is not that of its times")


def check_listed(one, times, optima, where):
    check_worst(field(one, "worst", dict, where), times, optima, where)
    listed = field(one, "times", list, where)
    require([time.get("ticks") for time in listed] == times, where, "its times are not those of the proofs")
    for time, optimum in zip(listed, optima):
        good = time.get("slowdown") == figure(time["ticks"], optimum)
        require(good, where, "a slowdown is not the time over the optimum of its own scenario")


def check_best(fleet, chosen, common, optima):
    """The list begins with the optimum and its ties; of the others it fits the times that it names."""
    listed = field(fleet, "best", list, "fleet.json")
    require(len(listed) == min(LISTED, len(common)), "fleet.json", "`best` has too few configurations, or too many")
    first = chosen[:LISTED]
    require(listed[:len(first)] == first, "fleet.json", "`best` does not begin with the optimum and its ties")
    labels = [label_of(one.get("parameters"), "fleet.json") for one in listed]
    good = len(set(labels)) == len(labels) and set(labels) <= common
    require(good, "fleet.json", "`best` has a configuration twice, or one that is not common")
    before = (chosen[0]["worst"]["numerator"], chosen[0]["worst"]["denominator"])
    for one, label in list(zip(listed, labels))[len(first):]:
        times = [field(time, "ticks", int, "fleet.json") for time in field(one, "times", list, "fleet.json")]
        faster = len(times) != len(optima) or any(time < optimum for time, optimum in zip(times, optima))
        require(not faster, f"fleet.json: {dict(label)}", "it is faster than an optimum, or lacks a time")
        check_listed(one, times, optima, f"fleet.json: {dict(label)}")
        worst = worst_of(times, optima)
        good = worst[0] * before[1] >= before[0] * worst[1]
        require(good, "fleet.json", "`best` is not in the order of the worst slowdown")
        before = worst[:2]
    return len(listed) - len(first)


def check_bounds(proof, scenarios, bounds):
    """What is assigned to a scenario takes at least its bound."""
    claims = field(proof, "scenarios", list, "fleet.json")
    require(len(claims) == len(scenarios), "fleet.json", "its proof is not about each scenario")
    for number, (one, claim, bound) in enumerate(zip(scenarios, claims, bounds)):
        told = (claim.get("scenario"), claim.get("bound"), claim.get("configurations"))
        require(told == (number, bound, len(one.others)), one.name, f"its proof should be about {len(one.others)} "
                f"configurations that take at least {bound} ticks")
        counts = {"checked": 0, "pruned": 0}
        if one.has_others:
            counts = field(field(one.result["others"], "proof", dict, one.name), "configurations", dict, one.name)
        told = (claim.get("searched"), claim.get("pruned"))
        require(told == (counts.get("checked"), counts.get("pruned")), one.name, "`others` searched or pruned other numbers")
        if one.has_others:
            least = one.ticks("others")
            require(least >= bound, one.name, f"an assigned configuration takes {least} ticks, less than {bound}")


def one_holds(fleet, scenarios, optima):
    """The answer is one configuration."""
    common = set.intersection(*(set(one.all) for one in scenarios))
    best = set(scenarios[0].best)
    seen = list(best)
    for one in scenarios:
        require(set(one.best) == best, one.name, "its best configurations are not those of the first scenario")
        seen += list(one.others)
    require(len(set(seen)) == len(seen), "fleet.json", "a configuration is assigned twice, or is one of the best too")
    require(set(seen) == common, "fleet.json", "the assigned configurations and the best are not all common ones")

    require(set(fleet) <= KNOWN | OF_ONE, "fleet.json", "it has a field that is not understood")
    chosen = [fleet.get("optimum"), *field(fleet, "ties", list, "fleet.json")]
    labels = [label_of(field(one, "parameters", dict, "fleet.json"), "fleet.json") for one in chosen]
    require(len(set(labels)) == len(labels) and set(labels) == best, "fleet.json", "optimum and ties are not those of `best`")
    for one, label in zip(chosen, labels):
        check_listed(one, [scenario.times[label] for scenario in scenarios], optima, f"fleet.json: {dict(label)}")
    numerator, denominator = (chosen[0]["worst"][name] for name in ("numerator", "denominator"))
    require(all((one["worst"]["numerator"], one["worst"]["denominator"]) == (numerator, denominator) for one in chosen),
            "fleet.json", "the ties have another worst slowdown")
    proof = field(fleet, "proof", dict, "fleet.json")
    require(proof.get("configurations") == len(common), "fleet.json", f"there are {len(common)} common configurations")
    check_bounds(proof, scenarios, [numerator * max(optimum, 1) // denominator + 1 for optimum in optima])
    check_mean(fleet, [scenario.times[labels[0]] for scenario in scenarios], optima)
    others = check_best(fleet, chosen, common, optima)
    unchecked = [f"the times of {others} configurations of `best` behind the optimum and its ties"] if others else []
    return f"{len(common)} common configurations: each but {len(best)} is slower in one of them", unchecked


def check_time(listed, ticks, optimum, where):
    good = type(listed) is dict and listed.get("ticks") == ticks and listed.get("slowdown") == figure(ticks, optimum)
    require(good, where, "a time is not that of the proofs")


def variants_hold(folder, fleet, scenarios, optima):
    """The answer is several configurations, and each scenario has its fastest one."""
    where = "fleet.json"
    most, variants = field(fleet, "most_variants", int, where, 2, 8), field(fleet, "variants", list, where)
    require(not OF_ONE & set(fleet), where, "it has one configuration beside several")
    require(set(fleet) <= KNOWN | OF_SEVERAL, where, "it has a field that is not understood")
    labels = [label_of(field(one, "parameters", dict, where), where) for one in variants]
    require(len(set(labels)) == len(labels) and 0 < len(labels) <= most, where, "there are no variants, too many, or equal ones")
    together = field(fleet, "together", dict, where)
    taken = field(together, "times", list, where)
    require(all(len(list_) == len(scenarios) for list_ in [taken, *(field(one, "times", list, where) for one in variants)]),
            where, "its times are not of all scenarios")
    fastest = []
    for number, one in enumerate(scenarios):
        require(set(one.best) == set(labels) & set(one.all), one.name, "`best` is not about its feasible variants")
        for variant, label in zip(variants, labels):
            listed = variant["times"][number]
            if label in one.all:
                check_time(listed, one.times[label], one.optimum, one.name)
            else:
                require(listed is None, one.name, f"{dict(label)} is not feasible, and has a time")
        require(one.best, one.name, "it has no feasible variant")
        ticks, place = min((one.times[label], place) for place, label in enumerate(labels) if label in one.all)
        require(taken[number].get("variant") == place, one.name, f"its fastest variant is {place}")
        check_time(taken[number], ticks, one.optimum, one.name)
        fastest.append(ticks)
    numerator, denominator, _ = worst_of(fastest, optima)
    check_worst(field(together, "worst", dict, where), fastest, optima, where)
    check_mean(fleet, fastest, optima)
    proof = field(fleet, "proof", dict, where)
    union = set.union(*(set(one.all) for one in scenarios))
    require(proof.get("configurations") == len(union), where, f"there are {len(union)} configurations")
    bounds = [-(-numerator * max(optimum, 1) // denominator) for optimum in optima]
    check_bounds(proof, scenarios, bounds)
    faster = [set() if bound <= one.optimum else set(one.all) - set(one.others) for one, bound in zip(scenarios, bounds)]
    size = check_tree(from_json(folder, "tree.json"), faster, most)
    told = field(proof, "tree", dict, where)
    require((told.get("nodes"), told.get("branches")) == size, where, "its tree is not of the size of tree.json")
    return f"{len(union)} configurations: no {most} of them have a time below the bound of each", []


def check_tree(tree, faster, most):
    """tree.json shows that no `most` configurations have a member in each set. Returns the number of nodes and branches."""
    where = "tree.json"
    require(tree.get("schema") == "autotune.fleet_tree/1", where, "it is not a tree")
    labels = [label_of(one, where) for one in field(tree, "configurations", list, where)]
    reach = [sum(1 << number for number, found in enumerate(faster) if label in found) for label in labels]
    nodes = field(tree, "nodes", list, where)
    require(nodes, where, "it has no nodes")
    claims, count = [], 0
    for place, node in enumerate(nodes):
        at = f"{where}: node {place}"
        scenario, left = field(node, "scenario", int, at, 0, len(faster) - 1), field(node, "left", int, at, 0, 8)
        branches, claim = field(node, "branches", list, at), 1 << scenario
        count += len(branches)
        members = set()
        for branch in branches:
            require(type(branch) is list and [type(part) for part in branch] == [int, int], at, "a branch is not understood")
            member, below = branch
            require(0 <= member < len(labels) and 0 <= below < place, at, "a branch leads nowhere")
            missed, others = claims[below]
            require(others + 1 >= left, at, "a branch leads to a node about fewer configurations")
            require(not reach[member] & missed, at, "a branch's configuration may be faster in a scenario below")
            members.add(labels[member])
            claim |= missed
        require(left == 0 or members >= faster[scenario], at, "a configuration that may be faster has no branch")
        claims.append((claim, left))
    require(claims[-1][1] >= most, where, f"it is not about {most} configurations")
    return len(nodes), count


def confirm(folder, events):
    hashes, fleet = sealed(folder), from_json(folder, "fleet.json")
    require("fleet.json" in hashes, "SHA256SUMS", "it does not name fleet.json")
    kind = (fleet.get("schema"), fleet.get("verdict"))
    require(kind == ("autotune.fleet/1", "proved"), "fleet.json", "it is not a proof about scenarios")
    count = len(field(fleet, "scenarios", list, "fleet.json"))
    require(0 < count <= SCENARIOS, "fleet.json", "it has no scenarios, or too many")
    scenarios = [Scenario(folder, number, fleet) for number in range(count)]
    parts = [f"{one.name}/{part}" for one in scenarios for part in one.result]
    require(("tree.json" in hashes) == ("most_variants" in fleet), "SHA256SUMS", "it names tree.json exactly if there are variants")
    seals = {f"{part}/SHA256SUMS" for part in parts}
    require(seals == {name for name in hashes if "/" in name}, "SHA256SUMS", "it does not name the proofs of each scenario")
    check_inputs(folder, parts)
    check_question(from_json(folder, "kept.json"), fleet)
    optima = [one.optimum for one in scenarios]
    for number, one in enumerate(scenarios):
        told = field(field(fleet["scenarios"][number], "optimum", dict, one.name), "ticks", int, one.name)
        require(told == one.optimum, one.name, f"its optimum takes {one.optimum} ticks, fleet.json says {told}")
        parameters = field(one.result["optimum"], "optimum", dict, one.name).get("parameters")
        told = fleet["scenarios"][number]["optimum"].get("parameters")
        require(label_of(told, one.name) == label_of(parameters, one.name), one.name, "its optimum is another configuration")

    are_several = "most_variants" in fleet
    said, unchecked = variants_hold(folder, fleet, scenarios, optima) if are_several else one_holds(fleet, scenarios, optima)
    left = sum(run(folder, part, events) for part in parts)
    print(f"{count} scenarios, {said}")
    if {"may_not_launch", "surely_launches"} & set(fleet):
        unchecked.append("where launches may fail (`may_not_launch`, `surely_launches`)")
    if unchecked:
        print(f"not checked: {'; '.join(unchecked)}")
    return (3, f"fleet confirmed, {left} times not recomputed") if left else (0, "fleet confirmed")


def main():
    parser = argparse.ArgumentParser(description="Checks a kept proof about several scenarios with Python alone.")
    parser.add_argument("folder", nargs="?", metavar="FOLDER", default=os.path.dirname(os.path.abspath(__file__)))
    parser.add_argument("--events", type=int, metavar="N", default=10**9, help="events of each proof (default: 10^9)")
    options = parser.parse_args()
    try:
        status, answer = confirm(options.folder, options.events)
    except (Refuted, OSError, RecursionError, AttributeError, KeyError, TypeError) as error:
        status, answer = 1, f"REFUTED: {error}"
    except TooLarge as error:
        status, answer = 2, f"stopped: {error}"
    except (KeyboardInterrupt, MemoryError) as error:
        status, answer = 2, f"stopped: {type(error).__name__}"
    print(answer)
    return status


if __name__ == "__main__":
    sys.exit(main())
