#!/usr/bin/env python3
"""Executable definition of the abstract machine's timing (docs/theory/machine.md states its rules in words).

    machine.py evaluate PROGRAM.json     total time of one lowered program
    machine.py bounds PROGRAM.json       min and max total time over all orders of simultaneous events
    machine.py evaluate -                the same for many: one program a line on standard input, one answer a line

It favours being obviously right over being fast: no acceleration, no pruning.
"""
import heapq
import json
import sys
from functools import lru_cache

END = ("end",)


def flatten(body):
    """The body as straight-line code: ('use', server, occupancy, latency), ('start', ..., queue), ('wait', queue, pending), ('barrier', cost, of the grid)."""
    for statement in body:
        (kind, value), = statement.items()
        if kind == "loop":
            inner = list(flatten(value["body"]))
            for _ in range(value["count"]):
                yield from inner
        elif kind == "use":
            yield ("use", value["server"], value["occupancy"], value["latency"])
        elif kind == "start":
            yield ("start", value["server"], value["occupancy"], value["latency"], value["queue"])
        elif kind == "wait":
            yield ("wait", value["queue"], value["pending"])
        elif kind == "barrier":
            yield ("barrier", value["cost"], value.get("scope") == "grid")
        else:
            raise ValueError(f"unknown statement {kind!r}")


def server_of(name, warp, dispatchers):
    return f"{name}{warp % dispatchers}" if name in ("dispatcher", "matrix") else name


def wave_time(code, groups, warps_per_group, dispatchers):
    """Time until every warp of `groups` resident groups has run `code`; events in (time, warp) order."""
    warps = groups * warps_per_group
    counter, arrived, free = [0] * warps, [[] for _ in range(groups + 1)], {}  # the last list: a barrier of the grid
    done = [{} for _ in range(warps)]  # for each queue of a warp, when each start is done, in the order of the starts
    events = [(0, warp) for warp in range(warps)]
    end = 0
    while events:
        time, warp = heapq.heappop(events)
        op = code[counter[warp]] if counter[warp] < len(code) else END
        if op[0] in ("use", "start"):
            kind, server, occupancy, latency = op[:4]
            server = server_of(server, warp, dispatchers)
            begin = max(time, free.get(server, 0))
            free[server] = begin + occupancy
            counter[warp] += 1
            if kind == "use":
                heapq.heappush(events, (begin + latency, warp))
            else:
                done[warp].setdefault(op[4], []).append(begin + latency)
                heapq.heappush(events, (time, warp))
        elif op[0] == "wait":
            counter[warp] += 1
            queue = done[warp].get(op[1], [])
            heapq.heappush(events, (max([time] + queue[: max(0, len(queue) - op[2])]), warp))
        elif op[0] == "barrier":
            group = arrived[groups if op[2] else warp // warps_per_group]
            group.append(warp)
            if len(group) == (warps if op[2] else warps_per_group):
                for waiting in group:
                    counter[waiting] += 1
                    heapq.heappush(events, (time + op[1], waiting))
                group.clear()
        else:
            end = max([end, time] + [at for queue in done[warp].values() for at in queue])
    return end


def loads(program):
    """How many groups the most loaded multiprocessor runs, as (full waves, groups in the last wave)."""
    per_multiprocessor = -(-program["groups"] // program["multiprocessors"])
    return divmod(per_multiprocessor, program["resident_groups"])


def total(program, wave):
    full, rest = loads(program)
    if full + (rest > 0) > 1 and any(op[0] == "barrier" and op[2] for op in flatten(program["body"])):
        raise ValueError("a barrier of the grid needs all groups to be resident")
    time = program["launch"]
    if full:
        time += full * program["passes"] * wave(program["resident_groups"])
    if rest:
        time += program["passes"] * wave(rest)
    return time


def evaluate(program):
    code = list(flatten(program["body"]))
    return total(program, lambda groups: wave_time(code, groups, program["warps_per_group"], program["dispatchers"]))


def wave_bounds(code, groups, warps_per_group, dispatchers):
    """(min, max) of wave_time over every order of events at the same time; exponential, for tiny programs."""
    warps = groups * warps_per_group
    sys.setrecursionlimit(100000)

    @lru_cache(maxsize=None)
    def explore(state):
        wakes, counters, waiting, free, done, end = state
        pending = [(t, w) for w, t in enumerate(wakes) if t is not None]
        if not pending:
            return end, end
        now = min(t for t, _ in pending)
        low, high = None, None
        for time, warp in pending:
            if time != now:
                continue
            w, c, g, f, d, e = list(wakes), list(counters), [list(x) for x in waiting], dict(free), list(done), end
            op = code[c[warp]] if c[warp] < len(code) else END
            if op[0] in ("use", "start"):
                server = server_of(op[1], warp, dispatchers)
                begin = max(time, f.get(server, 0))
                f[server] = begin + op[2]
                c[warp] += 1
                if op[0] == "use":
                    w[warp] = begin + op[3]
                else:
                    d[warp] += ((op[4], begin + op[3]),)
            elif op[0] == "wait":
                c[warp] += 1
                queue = [at for name, at in d[warp] if name == op[1]]
                w[warp] = max([time] + queue[: max(0, len(queue) - op[2])])
            elif op[0] == "barrier":
                group = g[groups if op[2] else warp // warps_per_group]
                group.append(warp)
                w[warp] = None
                if len(group) == (warps if op[2] else warps_per_group):
                    for x in group:
                        c[x] += 1
                        w[x] = time + op[1]
                    group.clear()
            else:
                w[warp] = None
                e = max([e, time] + [at for _, at in d[warp]])
            after = (tuple(w), tuple(c), tuple(tuple(sorted(x)) for x in g), tuple(sorted(f.items())), tuple(d), e)
            lo, hi = explore(after)
            low, high = lo if low is None else min(low, lo), hi if high is None else max(high, hi)
        return low, high

    return explore(((0,) * warps, (0,) * warps, ((),) * (groups + 1), (), ((),) * warps, 0))


def bounds(program):
    code = list(flatten(program["body"]))
    wave = lambda which: lambda groups: wave_bounds(code, groups, program["warps_per_group"], program["dispatchers"])[which]
    return total(program, wave(0)), total(program, wave(1))


def main():
    command, path = sys.argv[1:]
    answer = {"evaluate": lambda program: (evaluate(program),), "bounds": bounds}.get(command)
    if answer is None:
        raise SystemExit(__doc__)
    if path == "-":
        for line in sys.stdin:
            print(*answer(json.loads(line)))
    else:
        with open(path) as file:
            print(*answer(json.load(file)))


if __name__ == "__main__":
    main()
