#!/usr/bin/env python3
"""Checks a kept proof with Python alone, for people who have neither `autotune` nor SPIN.

    python3 check.py [--events N] [FOLDER]

FOLDER is a folder that `autotune --keep` filled; the default is the folder of this file. Its programs.jsonl.gz holds
the program of each feasible configuration. This file computes a lower bound of each program's time, and runs each
program that its own bound does not exclude: up to 10^7 events of one program and N of all. If the folder has an answer about every
order of simultaneous events, this file explores up to 10^6 states of each wave. The last line is the answer:

    optimum confirmed                              (exit status 0) no program is faster, and the ties are these
    bounds confirmed, N times not recomputed: ...  (exit status 3) N of these programs have too many events
    optimum confirmed, N ... not explored: ...     (exit status 3) the orders of N configurations have too many states
    REFUTED: ...                                   (exit status 1) something is not as the folder says
    stopped: ...                                   (exit status 2) a file is too large to be read, or memory is short
"""
import argparse
import copy
import gzip
import hashlib
import heapq
import io
import itertools
import json
import os
import re
import stat
import sys
import zlib

EVENTS_EACH, EVENTS_ALL, WARPS = 10**7, 10**9, 10**6    # limits: of one program, of all programs, of one program
FILES, FILE, ALL = 10**5, 2**30, 2**32                  # limits of a folder: files, bytes of a file, bytes of all files
READ, UNPACKED, LINE = 2**27, 2**28, 2**26              # limits: bytes of a read file, of programs.jsonl, of its lines
COUNT, LONGEST = 2**31 - 1, 2**60 - 1                   # limits of a program: counts, ticks
STEPS, STEPS_ALL = 10**5, 5 * 10**7                     # limits of bounds: steps of one warp alone, of all together
STATES = 10**6                                          # limit of the orders of one wave: states
LISTED, LARGE = 10**4, 10**40                           # up to LISTED configurations are all listed; no number is LARGE
NUMBERS = ("multiprocessors", "dispatchers", "groups", "resident_groups", "warps_per_group", "passes", "launch")
SERVERS = ("memory", "local", "dispatcher", "matrix")
QUEUES, PENDING = "ABCDEFGH", 15                        # of a warp's starts; limit: starts that a wait leaves pending
KINDS = (*SERVERS[:3], "barrier", "loop", "again", "end", "matrix", *(("start", server) for server in SERVERS), "wait", "grid")
BARRIERS = ("barrier", "grid")                          # of a group, of all groups
FIELDS = {"use": {"server", "occupancy", "latency"}, "start": {"server", "occupancy", "latency", "queue"},
          "wait": {"queue", "pending"}, "barrier": {"cost"}, "loop": {"count", "body"}}

class Refuted(Exception):
    """A claim of the folder that is refuted: its place and the fault."""

class TooLarge(Exception):
    """A file that is larger than this program reads: its place and the limit."""

def require(holds, where, fault):
    if not holds:
        raise Refuted(f"{where}: {fault}")

def shown(value):
    """A value for a message, on one short line."""
    text = ascii(value) if isinstance(value, (str, int, float, type(None))) else f"a {type(value).__name__}"
    return text if len(text) <= 80 else text[:77] + "..."

# Files and JSON
def opened(folder, name):
    """Opens a file. It must still be a regular file when it is open."""
    flags = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
    file = os.fdopen(os.open(os.path.join(folder, name), flags), "rb")
    require(stat.S_ISREG(os.fstat(file.fileno()).st_mode), shown(name), "it is not a regular file")
    return file

def content(folder, name):
    """The bytes of a file."""
    with opened(folder, name) as file:
        found = file.read(READ + 1)
    at_most(READ, len(found), name)
    return found

def at_most(limit, size, where):
    if size > limit:
        raise TooLarge(f"{where} has more than {limit} bytes; this program reads no more")

def lines_of(folder, name):
    text = content(folder, name).decode(errors="replace")
    require(text == "" or text.endswith("\n"), shown(name), "its last line has no end")
    return text.split("\n")[:-1]

def hash_of(folder, name):
    """The SHA-256 of a file, read piece by piece."""
    sha256, left = hashlib.sha256(), FILE
    with opened(folder, name) as file:
        while left > 0 and (piece := file.read(min(left, 2**20))):
            sha256.update(piece)
            left -= len(piece)
    return sha256.hexdigest()

def names_in(folder):
    """The names of the files. What is neither file nor folder is refuted, and so is what is too large for a proof."""
    names, left = set(), ALL
    for path, folders, files in os.walk(folder):
        for name in folders + files:
            status = os.lstat(os.path.join(path, name))
            require(stat.S_ISREG(status.st_mode) or stat.S_ISDIR(status.st_mode), shown(name),
                    "it is neither a file nor a folder")
            if stat.S_ISREG(status.st_mode):
                left -= status.st_size
                require(status.st_size <= FILE, shown(name), f"it has more than {FILE} bytes")
        names |= {os.path.relpath(os.path.join(path, name), folder) for name in files}
        require(len(names) <= FILES and left >= 0, "the folder", f"it has more than {FILES} files or {ALL} bytes")
    return names

def sealed_files(folder):
    """The hashes of the files that SHA256SUMS names."""
    names, hashes = names_in(folder), {}
    for line in lines_of(folder, "SHA256SUMS"):
        found = re.fullmatch(r"([0-9a-f]{64})  (.+)", line)
        name = found[2] if found else ""
        require(name in names and name not in hashes, "SHA256SUMS", f"{shown(line)} is not the one line of a file")
        hashes[name] = found[1]
    for name in ("result.json", "programs.jsonl.gz"):
        require(name in hashes, "SHA256SUMS", f"it does not name {name}")
    for name, expected in hashes.items():
        require(hash_of(folder, name) == expected, shown(name), f"its SHA-256 is not {expected}, as SHA256SUMS says")
    print(f"SHA256SUMS: {len(hashes)} files have their hashes; {len(names) - len(hashes) - 1} others are not checked")
    return hashes

def unpacked_lines(folder, name):
    """The lines of a compressed file, each with its end."""
    size, file = 0, gzip.GzipFile(fileobj=io.BytesIO(content(folder, name)))
    while True:
        try:
            line = file.readline(LINE + 1)
        except (OSError, EOFError, zlib.error) as error:
            raise Refuted(f"{name}: it cannot be unpacked: {error}") from None
        if not line:
            return
        size += len(line)
        at_most(LINE, len(line), f"a line of {name}")
        at_most(UNPACKED, size, f"{name}, unpacked,")
        yield line

def unique_names(pairs):
    if len(dict(pairs)) != len(pairs):
        raise ValueError("an object has a name twice")
    return dict(pairs)

def from_json(text, where):
    try:    # No number of a proof has 50 digits: the rest of a longer number does not matter.
        return json.loads(text, parse_int=lambda digits: int(digits[:50]), object_pairs_hook=unique_names)
    except (ValueError, RecursionError) as error:
        raise Refuted(f"{where}: it cannot be read as JSON: {error}") from None

def field(value, name, kind, where, least=0, most=LARGE):
    """A field of an object: it must have this type, and a number must be in this range."""
    found = value.get(name) if type(value) is dict else None
    require(type(found) is kind and (kind is not int or least <= found <= most), where, f"`{name}` is {shown(found)}")
    return found

def label_of(values, names, where):
    """The parameters of a configuration as `WG=2 TS=4`. All configurations have the same parameters."""
    good = type(values) is dict and tuple(values) == names and all(type(value) is int for value in values.values())
    require(good, where, f"it does not give each of {shown(' '.join(names))} a whole number")
    return " ".join(f"{name}={value}" for name, value in values.items())

# Programs. A statement is (server, occupancy, latency), (("start", server, queue), occupancy, latency), (("wait", queue), pending, 0),
# ("barrier", cost, 0), ("grid", cost, 0) for a barrier of all groups, or ("loop", count, body).
class Program:
    def __init__(self, value, where):
        require(set(value) == {*NUMBERS, "body"}, where, "a program has other fields")
        most = {"launch": LONGEST}
        self.numbers = tuple(field(value, name, int, where, name != "launch", most.get(name, COUNT)) for name in NUMBERS)
        multiprocessors, self.dispatchers, groups, resident, self.group_warps, self.passes, self.launch = self.numbers
        self.body = body_of(value, where)
        # The most loaded multiprocessor runs full waves of all resident groups, then a wave of the groups that rest.
        full, rest = divmod(-(-groups // multiprocessors), resident)
        self.waves = [wave for wave in ((full, resident), (1, rest)) if 0 not in wave]
        together = len(self.waves) == 1 or not summed(self.body, lambda kind, *_: kind == "grid")
        require(together, where, "a barrier of all groups never opens: they do not run at the same time")
        self.warps = sum(groups for _, groups in self.waves) * self.group_warps
        self.events = self.warps * (1 + summed(self.body, lambda *statement: 1))
        self.bound, self.time = self.total(wave_bound), None
        self.labels, self.claims = [], []       # its configurations; (label, ticks) where the folder says a time

    def alone(self, groups):
        """A wave as a program of its own."""
        wave = copy.copy(self)
        wave.numbers, wave.launch = (1, self.dispatchers, groups, groups, self.group_warps, 1, 0), 0
        return wave

    def total(self, wave):
        """The ticks of the launch if a wave of `groups` groups takes `wave(self, groups)`."""
        return self.launch + self.passes * sum(times * wave(self, groups) for times, groups in self.waves)

def body_of(holder, where):
    """The statements of a program or a loop. A loop that does nothing is left out."""
    body = []
    for statement in field(holder, "body", list, where):
        (kind, fields), = statement.items() if type(statement) is dict and len(statement) == 1 else [("", {})]
        of_grid = kind == "barrier" and type(fields) is dict and "scope" in fields
        require(not of_grid or fields["scope"] == "grid", where, "a barrier is of another scope")
        own = FIELDS.get(kind, set()) | ({"scope"} if of_grid else set())
        require(kind in FIELDS and type(fields) is dict and set(fields) == own, where, f"{shown(kind)} is not a statement")
        most = {"count": COUNT, "pending": PENDING}
        size = {name: field(fields, name, int, where, 0, most.get(name, LONGEST))
                for name in set(fields) - {"server", "queue", "body", "scope"}}
        queue = field(fields, "queue", str, where) if "queue" in fields else "A"
        require(len(queue) == 1 and queue in QUEUES, where, f"{shown(queue)} is not a queue")
        if kind in ("use", "start"):
            server = field(fields, "server", str, where)
            good = server in SERVERS and size["occupancy"] <= size["latency"]
            require(good, where, f"a use of {shown(server)} has the numbers {size}")
            body.append((server if kind == "use" else (kind, server, queue), size["occupancy"], size["latency"]))
        elif kind == "wait":
            body.append(((kind, queue), size["pending"], 0))
        elif kind == "barrier":
            body.append(("grid" if of_grid else kind, size["cost"], 0))
        else:
            inner = body_of(fields, where)
            body += [(kind, size["count"], inner)] if inner and size["count"] > 0 else []
    return tuple(body)

def is_start(kind):
    return kind[0] == "start"

def is_wait(kind):
    return kind[0] == "wait"

def served_by(kind):
    """The server of a use or a start."""
    return kind[1] if is_start(kind) else kind

def has_queues(body):
    """True if a body makes starts or waits for them."""
    return any(of_loop(second)[2] if kind == "loop" else is_start(kind) or is_wait(kind) for kind, _, second in body)

def summed(body, size):
    """The sum of the sizes of all statements that one warp goes through."""
    return sum(first * summed(second, size) if kind == "loop" else size(kind, first, second)
               for kind, first, second in body)

# Lower bounds: one warp alone, the queue at each server, the phases of a group between its barriers, the phases of all groups
def path(body):
    """The latencies and the barrier costs that each warp goes through. What it starts is not among them."""
    return sum(first * of_loop(second)[1] if kind == "loop" else first if kind in BARRIERS else
               0 if is_start(kind) or is_wait(kind) else second for kind, first, second in body)

LOOPS = {}                                              # by its identity: a loop's body, its path, and True if it has queues

def of_loop(body):
    if id(body) not in LOOPS:
        LOOPS[id(body)] = body, path(body), has_queues(body)
    return LOOPS[id(body)]

class Alone:
    """One warp on servers that are always free. It takes at most STEPS starts, waits and stretches of others one by one; all
    bounds of a folder together take at most STEPS_ALL."""
    taken = 0

    def __init__(self):
        self.now, self.done, self.left = 0, {}, STEPS

    def rests(self):
        return tuple(tuple(max(0, at - self.now) for at in self.done.get(queue, ())) for queue in QUEUES)

    def take(self, body):
        plain = False
        for kind, first, second in body:
            is_plain = not (is_start(kind) or is_wait(kind) or kind == "loop" and of_loop(second)[2])
            self.left -= not (plain and is_plain)
            Alone.taken, plain = Alone.taken + 1, is_plain
            if Alone.taken > STEPS_ALL:
                raise TooLarge(f"the bounds of the programs take more than {STEPS_ALL} steps; this program takes no more")
            if kind == "loop":
                self.repeat(first, second) if of_loop(second)[2] else self.pass_by(first * of_loop(second)[1])
            elif is_start(kind):
                add_start(self.done, kind[2], self.now + second)
            elif is_wait(kind):
                self.now = max(self.now, awaited(self.done, kind[1], first))
            else:
                self.pass_by(path([(kind, first, second)]))
        return self

    def pass_by(self, ticks):
        self.now += ticks

    def repeat(self, count, body):
        """Goes round a loop. What follows from equal rests is equal, so it is added and not run."""
        seen, turn = {}, 0
        while turn < count:
            if self.left <= 0:                  # too many: a warp is not faster than its uses
                self.now, self.done = self.now + (count - turn) * of_loop(body)[1], {}
                return
            rests = self.rests()
            if rests in seen:
                before, then = seen[rests]
                turns = (count - turn) // (turn - before)
                later, turn, seen = turns * (self.now - then), turn + turns * (turn - before), {}
                self.now, self.done = self.now + later, {queue: [at + later for at in line] for queue, line in self.done.items()}
                if turn == count:
                    return
            seen[rests] = turn, self.now
            self.take(body)
            turn += 1

    def end(self, is_last):
        """The moment when the warp has gone through; at the end of its program also its starts are done."""
        return max([self.now, *(at for line in self.done.values() for at in line if is_last)])

def add_start(done, queue, at):
    """Appends a start to a queue: the latest of the older starts, then the last ones that a wait may leave pending."""
    line = done.setdefault(queue, [0] * (1 + PENDING))
    line[0] = max(line[0], line.pop(1))
    line.append(at)

def awaited(done, queue, pending):
    """The moment when all starts of a queue but the last `pending` are done."""
    return max(done.get(queue, [0] * (1 + PENDING))[:1 + PENDING - pending])

def before_first(body, server):
    """What a warp does before its first service at the server; None without one."""
    for number, (kind, _, second) in enumerate(body):
        inner = before_first(second, server) if kind == "loop" else [] if served_by(kind) == server else None
        if inner is not None:
            return [*body[:number], *inner]
    return None

def last_service(body, server, is_last):
    """The last service at the server, and what a warp does behind it. Before a barrier no start behind the last use counts."""
    for number, (kind, first, second) in reversed(list(enumerate(body))):
        found = last_service(second, server, is_last) if kind == "loop" else None
        if kind != "loop" and served_by(kind) == server and (is_last or not is_start(kind)):
            found = (kind, first, second), []
        if found:
            return found[0], [*found[1], *body[number + 1:]]
    return None

def stretch_bound(program, body, warps, is_last):
    """Ticks that the warps take at least for the body, which ends at a barrier or, as the last, with the program."""
    bound = Alone().take(body).end(is_last)
    for server in SERVERS:
        last = last_service(body, server, is_last)
        if last:
            (kind, first, second), behind = last
            queue = -(-warps // program.dispatchers) if server in ("dispatcher", "matrix") else warps
            served = lambda kind, first, second: first if served_by(kind) == server else 0
            tail = second - first + (0 if is_start(kind) else Alone().take(behind).end(is_last))
            head = Alone().take(before_first(body, server)).now
            bound = max(bound, head + queue * (summed(body, served) - summed(behind, served)) + tail)
    return bound

def phases(body, cuts):
    """The parts of the body between its barriers of these kinds, as (times, part)."""
    parts = [(1, [])]
    for kind, first, second in body:
        inner = phases(second, cuts) if kind == "loop" else []
        if kind in cuts:
            parts.append((1, []))
        elif len(inner) > 1:
            (_, begin), (_, end) = inner[0], inner[-1]
            parts[-1][1].extend(begin)
            parts += [(first - 1, end + begin), *((first * times, part) for times, part in inner[1:-1]), (1, end)]
        else:
            parts[-1][1].append((kind, first, second))
    return parts

def by_phases(body, cuts, is_last, bound):
    """The bounds of the phases between barriers of these kinds, one after the other, and the costs of these barriers."""
    parts = phases(body, cuts)
    return summed(body, lambda kind, first, second: first if kind in cuts else 0) + sum(
        times * bound(part, is_last and number == len(parts)) for number, (times, part) in enumerate(parts, 1) if times)

def wave_bound(program, groups):
    """Ticks that a wave takes at least: of all its warps together, and of one group alone, phase by phase. A barrier of all
    groups cuts the wave into phases, each with both of these bounds."""
    group = lambda body, is_last: stretch_bound(program, body, program.group_warps, is_last)
    both = lambda body, is_last: max(stretch_bound(program, body, groups * program.group_warps, is_last),
                                     by_phases(body, BARRIERS, is_last, group))
    return max(both(program.body, True), by_phases(program.body, ("grid",), True, both))

# Times
def walk(body):
    """The statements of a body, as a warp comes to them."""
    for statement in body:
        if statement[0] == "loop":
            for _ in range(statement[1]):
                yield from walk(statement[2])
        else:
            yield statement

def wave_time(program, groups):
    """Ticks until the last warp has ended. Events are taken in the order of (time, warp)."""
    size, dispatchers = program.group_warps, program.dispatchers
    walks = [walk(program.body) for _ in range(groups * size)]
    due = [(0, warp) for warp in range(groups * size)]
    arrived, free_at, now = [0] * (groups + 1), {}, 0   # of each group's barrier, and of all groups'
    done = [{} for _ in walks]                          # of each warp and queue, when its starts are done
    while due:
        now, warp = due[0]
        kind, first, second = next(walks[warp], ("end", 0, 0))
        if served_by(kind) in SERVERS:
            server = served_by(kind)
            server = (server, warp % dispatchers) if server in ("dispatcher", "matrix") else server
            begin = max(now, free_at.get(server, 0))
            free_at[server] = begin + first
            if is_start(kind):
                add_start(done[warp], kind[2], begin + second)
            heapq.heapreplace(due, (now if is_start(kind) else begin + second, warp))
            continue
        if is_wait(kind) or kind == "end" and done[warp]:
            until = awaited(done[warp], kind[1], first) if is_wait(kind) else max(map(max, done[warp].values()))
            done[warp] = done[warp] if is_wait(kind) else {}
            heapq.heapreplace(due, (max(now, until), warp))
            continue
        heapq.heappop(due)
        if kind in BARRIERS:
            number = groups if kind == "grid" else warp // size
            members = range(groups * size) if kind == "grid" else range(number * size, (number + 1) * size)
            arrived[number] += 1
            if arrived[number] == len(members):
                arrived[number] = 0
                for member in members:
                    heapq.heappush(due, (now + first, member))
    return now

# Every order of simultaneous events
class TooManyStates(Exception):
    """The orders of a wave have more states than this program explores."""

class Orders:
    """The orders of the simultaneous events of a wave. A warp is [its row, the ticks until it goes on (-1: another warp wakes it), the
    iterations left of its loops, the ticks until its starts are done]; a state is all warps and the rests of the servers. Times are
    relative to now, so orders that meet in a state go on as one, with the least and the greatest time that led there. A state knows how
    many events led to it, and all states of one number are left before those of the next."""
    def __init__(self, program, groups):
        self.size, self.dispatchers, self.groups = program.group_warps, program.dispatchers, groups
        self.slots, self.rows = slots_of(program.body), []
        self.depth = self.flatten(program.body, 0)
        self.rows.append(("end", 0, 0))
        # A warp may come to a server at the instant at which another one is chosen for it.
        served = [row for row in self.rows if served_by(row[0]) in SERVERS]
        self.at_once = any(is_start(kind) or latency == 0 for kind, _, latency in served)
        self.stride = next(n for n in range(1, self.dispatchers + 1) if n * self.size % self.dispatchers == 0)

    def flatten(self, body, level):
        """Appends the rows of a body. Returns the number of loops around its innermost statement."""
        deepest = level
        for kind, first, second in body:
            if kind != "loop":
                self.rows.append((kind, first, second))
                continue
            self.rows.append(("loop", first, level))
            begin = len(self.rows)
            deepest = max(deepest, self.flatten(second, level + 1))
            self.rows.append(("again", begin, level))
        return deepest

    def extremes(self, most):
        """The least and the greatest end of the wave, and the number of states; at most `most` of them."""
        starts = sum(1 + last for _, last in self.slots.values())
        warps = [[0, 0] + [0] * (self.depth + starts) for _ in range(self.groups * self.size)]
        for warp in warps:
            self.settle(warp, 0)
        servers, self.ends = [0] * (2 + 2 * self.dispatchers), None
        layers, states = {}, 0
        self.go_on(warps, servers, 0, (0, 0), layers)
        while layers:
            events = min(layers)
            layer = layers.pop(events)
            states += len(layer)
            if states + sum(map(len, layers.values())) > most:
                raise TooManyStates
            for (own, busy), times in layer.items():
                for chosen in self.options([list(warp) for warp in own]):
                    warps, servers = [list(warp) for warp in own], list(busy)
                    self.execute(warps, servers, chosen)
                    self.go_on(warps, servers, events + 1, times, layers)
        return (*self.ends, states)

    def go_on(self, warps, servers, events, times, layers):
        """Runs to the next choice, which enters its layer, or to the end."""
        elapsed = 0
        while True:
            free = next((number for number, warp in enumerate(warps) if warp[1] == 0 and self.server(number, warp) is None), None)
            options = [free] if free is not None else self.options(warps)
            if len(options) == 1:
                self.execute(warps, servers, options[0])
                events += 1
                continue
            if options:
                break
            wait = min((warp[1] for warp in warps if warp[1] >= 0), default=None)
            if wait is None:
                break
            elapsed += wait
            for warp in warps:
                warp[1] -= wait if warp[1] >= 0 else 0
                for place in range(2 + self.depth, len(warp)):
                    warp[place] = max(0, warp[place] - wait)
            servers[:] = [max(0, rest - wait) for rest in servers]
        least, greatest = times[0] + elapsed, times[1] + elapsed
        if options:
            self.sort(warps)
            layer = layers.setdefault(events, {})
            state = tuple(map(tuple, warps)), tuple(servers)
            known = layer.get(state, (least, greatest))
            layer[state] = min(known[0], least), max(known[1], greatest)
        else:
            known = self.ends or (least, greatest)
            self.ends = min(known[0], least), max(known[1], greatest)

    def sort(self, warps):
        """Sorts the warps of a group at one dispatcher, and the groups that use the same dispatchers: they may change places."""
        for first in range(0, len(warps), self.size):
            for lane in range(min(self.size, self.dispatchers)):
                places = range(first + lane, first + self.size, self.dispatchers)
                for place, warp in zip(places, sorted(warps[place] for place in places)):
                    warps[place] = warp
        for group in range(min(self.stride, self.groups)):
            places = range(group, self.groups, self.stride)
            own = sorted(warps[place * self.size:(place + 1) * self.size] for place in places)
            for place, group_warps in zip(places, own):
                warps[place * self.size:(place + 1) * self.size] = group_warps

    def options(self, warps):
        """The ready warps at servers that may be next: of equal warps that may change places one; and those at one server alone,
        unless a warp may come there at this instant."""
        seen, options = set(), []
        for number, warp in enumerate(warps):
            if warp[1] == 0:
                twin = number // self.size, number % self.dispatchers, tuple(warp)
                if twin not in seen:
                    seen.add(twin)
                    options.append(number)
        if len(options) > 1 and not self.at_once:
            places = [self.server(number, warps[number]) for number in options]
            options = [number for number, place in zip(options, places) if place == places[0]]
        return options

    def server(self, number, warp):
        """The place of the server that a warp needs; None if it needs none."""
        server = served_by(self.rows[warp[0]][0])
        if server not in SERVERS:
            return None
        at = number % self.dispatchers
        return {"memory": 0, "local": 1, "dispatcher": 2 + at, "matrix": 2 + self.dispatchers + at}[server]

    def execute(self, warps, servers, number):
        warp = warps[number]
        kind, first, second = self.rows[warp[0]]
        place, starts = self.server(number, warp), 2 + self.depth
        if place is not None:
            begin = servers[place]
            servers[place] = begin + first
            if is_start(kind):
                at, last = self.slots[kind[2]]
                line = warp[starts + at:starts + at + last + 1] + [begin + second]
                line[1] = max(line[0], line[1])
                warp[starts + at:starts + at + last + 1] = line[1:]
            self.leave(warp, 0 if is_start(kind) else begin + second)
        elif is_wait(kind):
            at, last = self.slots[kind[1]]
            self.leave(warp, max(warp[starts + at:starts + at + last + 1 - first]))
        elif kind == "end":
            warp[1] = max(warp[starts:], default=0) or -1
        else:
            warp[1] = -1
            group = number // self.size * self.size
            members = warps if kind == "grid" else warps[group:group + self.size]
            if all(member[1] == -1 and self.rows[member[0]][0] == kind for member in members):
                for member in members:
                    self.leave(member, first)

    def leave(self, warp, wake):
        """A warp leaves its row, and goes on `wake` ticks from now."""
        warp[1] = wake
        self.settle(warp, warp[0] + 1)

    def settle(self, warp, row):
        """A warp comes to a row, through the begins and ends of loops there."""
        while self.rows[row][0] in ("loop", "again"):
            kind, first, level = self.rows[row]
            if kind == "loop":
                warp[2 + level] = first
            else:
                warp[2 + level] -= 1
            row = first if kind == "again" and warp[2 + level] > 0 else row + 1
        warp[0] = row

def run(programs, allowance):
    """Finds the times of these programs as far as the events go. Returns the programs left out and the events left."""
    for number, program in enumerate(programs, 1):
        if program.warps <= WARPS and program.events <= min(EVENTS_EACH, allowance):
            if sys.stderr.isatty():
                print(f"\r\033[Kprogram {number} of {len(programs)}\r", end="", file=sys.stderr, flush=True)
            program.time, allowance = program.total(wave_time), allowance - program.events
        for label, ticks in program.claims:
            good = ticks == program.time or program.time is None and ticks >= program.bound
            require(good, label, f"result.json says {ticks} ticks; Python computes {program.time or program.bound}")
    return [program for program in programs if program.time is None], allowance

def read_programs(folder, names):
    """The programs, and the program of each configuration."""
    file, programs, owners, lines_of_programs = "programs.jsonl.gz", [], {}, {}
    for line in unpacked_lines(folder, file):
        where = f"{file}: line {len(programs) + 1}"
        value = from_json(line, where)
        program = Program(field(value, "program", dict, where), where)
        twin = lines_of_programs.setdefault((program.numbers, program.body), where)
        require(twin == where, where, f"its program is that of {twin}")
        program.labels = [label_of(each, names, where) for each in field(value, "configurations", list, where)]
        require(program.labels, where, "it is the program of no configuration")
        for label in program.labels:
            require(label not in owners, where, f"{label} has a program already")
            owners[label] = program
        programs.append(program)
    return programs, owners

def slots_of(body):
    """For each queue of a body, its first slot and the greatest number of starts that a wait for it leaves pending."""
    most, slots, free = {}, {}, 0
    def look(body):
        for kind, first, second in body:
            if kind == "loop":
                look(second)
            elif is_start(kind) or is_wait(kind):
                most[kind[-1]] = max(most.get(kind[-1], 0), first if is_wait(kind) else 0)
    look(body)
    for queue in sorted(most):
        slots[queue], free = (free, most[queue]), free + 1 + most[queue]
    return slots

def rows_of(body, begin, wide, slots, level=0):
    """The rows of a body, for a table where its first row is row `begin`. In a wide table ticks have a high word each; the
    slots of starts stand last, if the table has any."""
    rows = []
    for kind, first, second in body:
        if kind == "loop":
            inner = begin + len(rows) + 1
            rows += [row_of(kind, first, level, wide, slots), *rows_of(second, inner, wide, slots, level + 1)]
            rows.append(row_of("again", inner, level, wide, slots))
            continue
        own = ()
        if is_start(kind) or is_wait(kind):
            at, last = slots[kind[-1]]
            own, kind, first = (at, 1 + last - (first if is_wait(kind) else 0)), "wait" if is_wait(kind) else kind[:2], \
                0 if is_wait(kind) else first
        row = row_of(kind, first % 2**30, second % 2**30, wide, slots, own) if wide else row_of(kind, first, second, wide, slots, own)
        rows.append((*row[:3], first // 2**30, second // 2**30, *row[5:]) if wide else row)
    return rows

def row_of(kind, first, second, wide, slots, own=()):
    return (KINDS.index(kind), first, second, *((0, 0) if wide else ()), *((own or (0, 0)) if slots is not None else ()))

def table_of(programs, wide, queues):
    """The numbers of a table of these programs. Programs with the same body share its rows."""
    lines, rows, begins = [], [], {}
    for program in programs:
        if program.body not in begins:
            begins[program.body] = len(rows)
            slots = slots_of(program.body) if queues else None
            rows += [*rows_of(program.body, len(rows), wide, slots), row_of("end", 0, 0, wide, slots)]
        counts, launch, begin = program.numbers[:-1], program.launch, begins[program.body]
        lines += [*counts, launch % 2**30, begin, launch // 2**30] if wide else [*counts, launch, begin]
    return [str(number) for number in (len(programs), len(rows), *lines, *itertools.chain(*rows))]

def check_tables(folder, model, programs):
    """The tables of a model hold the programs in their order, in one word or in two words a number of ticks."""
    found = " ".join(lines_of(folder, model + "tables.txt")).split()
    need = any(has_queues(program.body) or summed(program.body, lambda kind, *_: kind == "matrix") for program in programs)
    # A model that needs no slots has them if another model of the proof does.
    tables = (table_of(programs, wide, queues) for wide in (False, True) for queues in {need, True})
    good = any(found == table for table in tables)
    require(good, model + "tables.txt", "it does not hold the programs of configurations.txt")

def searched_in(folder, place, hashes, owners):
    """The programs in the models of a place, and the hashes of these models."""
    programs, models = set(), []
    while f"{place}/model-{len(models) + 1}/configurations.txt" in hashes:
        model = f"{place}/model-{len(models) + 1}/"
        own = []
        for label in lines_of(folder, model + "configurations.txt"):
            own.append(owners.get(label))
            require(own[-1] and own[-1].labels[0] == label and own[-1] not in programs, model,
                    f"{shown(label)} is not the first configuration of a program, or is there twice")
            programs.add(own[-1])
        models.append((len(own), hashes.get(model + "model.pml"), hashes.get(model + "tables.txt")))
        if model + "tables.txt" in hashes:      # else they stand in the model's text
            check_tables(folder, model, own)
    return programs, models

def check_result(folder, hashes):
    """Checks result.json, the programs and the models against each other. Returns the programs, optima, places and changes."""
    where, result = "result.json", from_json(content(folder, "result.json"), "result.json")
    kind = field(result, "schema", str, where) + " " + field(result, "verdict", str, where)
    require(kind == "autotune.result/2 proved", where, f"it is not a proof: {shown(kind)}")
    optimum, proof = field(result, "optimum", dict, where), field(result, "proof", dict, where)
    ticks, names = field(optimum, "ticks", int, where), tuple(field(optimum, "parameters", dict, where))
    require(all(name.isascii() and name.isidentifier() for name in names), where, "a parameter has a wrong name")
    require(proof.get("property") == f"[] (DONE -> (time >= {ticks}))", where, "its property is not about the optimum")
    programs, owners = read_programs(folder, names)
    searched, models = searched_in(folder, "proof", hashes, owners)
    claimed = [(field(model, "configurations", int, where), model.get("sha256"), model.get("tables_sha256"))
               for model in field(proof, "models", list, where)]
    require(claimed == models, where, "its models are not those in the folder")

    values = field(result, "configurations", list, where)
    listed = {label_of(field(value, "parameters", dict, where), names, where): value for value in values}
    ties = [label_of(each, names, where) for each in [optimum["parameters"], *field(result, "ties", list, where)]]
    omitted = field(result, "ties_omitted", int, where) if "ties_omitted" in result else 0
    named = set(ties) | {label for label, value in listed.items() if omitted and value.get("status") == "optimum"}
    tied = {owners.get(label) for label in named}
    best = [label for program in programs if program in tied for label in program.labels]
    good = tied <= searched and named == set(best) and len(set(ties)) == len(ties) == len(best) - omitted
    require(good, where, "optimum and ties are not the configurations of their programs")
    counts = field(proof, "configurations", dict, where)
    pruned = sum(len(program.labels) for program in programs if program not in searched)
    right = {"all": len(owners) + field(counts, "infeasible", int, where), "infeasible": counts["infeasible"],
             "pruned": pruned, "equal": len(owners) - pruned - len(searched), "checked": len(searched)}
    require(counts == right, where, f"its counts of configurations are not {right}")
    must = set(owners) if right["all"] <= LISTED else {*best, *(program.labels[0] for program in searched)}
    good = must <= set(listed) and len(listed) == (len(values) if right["all"] > LISTED else right["all"])
    require(good and len(listed) == len(values), where, "it does not list each configuration once")
    for label, value in listed.items():
        check_listed(f"result.json: {label}", value, label, owners.get(label), searched, tied, names, ticks)

    places, named, left, last, number = [], [], searched, ticks, 1
    for place in field(result, "top", list, where) if "top" in result else [optimum]:
        named.append(label_of(field(place, "parameters", dict, where), names, where))
        program, before = owners.get(named[-1]), last
        last = field(place, "ticks", int, where, last, LARGE if places else ticks)
        if last > before:       # equal times share a place, and all that are faster are left out
            number, left = number + 1, searched - set(places)
            good = searched_in(folder, f"top-{number}", hashes, owners)[0] == left
            require(good, where, f"the models of top-{number} are of other programs")
        good = program in left and (program in tied) == (last == ticks) and named[-1] not in named[:-1]
        require(good, where, f"{shown(named[-1])} is not one of the best, or is there twice")
        program.claims.append((program.labels[0], last))
        places.append(program)
    check_near(result, programs, owners, names, ticks)
    changes = check_sensitivity(folder, result, owners, names)
    schedules = Schedules(folder, result, hashes, programs, owners, names) if "schedules" in result else None
    missing = [program.labels[0] for program in programs if program.bound <= last and program not in searched]
    require(not missing, where, f"{missing[:1]} is not in the models; its lower bound does not exclude it")
    return programs, tied, places, ticks, last, changes, schedules

class Schedules:
    """The claims of result.json about every order of simultaneous events: checked against the programs, and then explored."""
    def __init__(self, folder, result, hashes, programs, owners, names):
        where, value = "result.json: schedules", field(result, "schedules", dict, "result.json")
        self.verdict, least = field(value, "verdict", str, where), field(value, "least", int, where)
        require(self.verdict in ("every", "some", "open"), where, f"its verdict is {shown(self.verdict)}")
        self.greatest, self.explored = field(value, "greatest", int, where, least), []
        optimum = owners.get(label_of(field(result, "optimum", dict, where)["parameters"], names, where))
        for number, each in enumerate(field(value, "explored", list, where), 1):
            label = label_of(field(each, "parameters", dict, where), names, where)
            program = owners.get(label)
            good = program and program not in [one for one, *_ in self.explored] and (program is optimum) == (number == 1)
            require(good, where, f"{shown(label)} is explored twice, cannot run, or is not in its place")
            self.explored.append((program, field(each, "least", int, where), field(each, "greatest", int, where), each, label))
            self.check_waves(folder, f"schedules/{number}", each, program, hashes, label)
        if self.explored:
            require(self.explored[0][1:3] == (least, self.greatest), where, "its times are not those of the optimum")
        slow = field(value, "slow_run", int, where, least, self.greatest) if self.verdict == "some" else self.greatest
        require(not self.explored or slow == self.greatest, where, "its slow run is not the greatest time of the optimum")
        self.not_shown = self.verdict == "some" and not self.explored
        may_win = [(owners.get(label_of(field(one, "parameters", dict, where), names, where)), field(one, "ticks", int, where, 1), one)
                   for one in (field(value, "may_win", list, where) if "may_win" in value else [])]
        explored = {program: found for program, found, *_ in self.explored}
        for program, ticks, one in may_win:
            good = program and program is not optimum and ticks < slow and explored.get(program, ticks) == ticks
            require(good, where, f"{shown(one['parameters'])} cannot win")
            if program not in explored:
                program.claims.append((program.labels[0], ticks))
        good = (self.verdict == "some") == bool(may_win) or self.verdict == "open"
        require(good, where, "its verdict does not fit the configurations that may win")
        others = [program for program in programs if program is not optimum]
        bounded = {program for program in others if program.bound >= self.greatest}
        alike = {program for program in others if program not in bounded and behave_alike(program, optimum)}
        left = [program for program in others if program not in bounded | alike and program not in explored]
        require(self.verdict != "every" or self.explored and not left and
                all(found >= self.greatest for program, found in explored.items() if program is not optimum), where,
                "it says every order, but not of each other configuration that its bound or its least time excludes it")
        sums = [sum(len(program.labels) for program in found) for found in (bounded, alike)]
        counts = [field(value, name, int, where) for name in ("by_bounds", "alike", "undecided")]
        good = counts[0] <= sums[0] and counts[1] <= sums[1] + len(optimum.labels) - 1
        require(good, where, f"its counts are {counts}, Python finds {sums}")
        least_of_others = min((max(explored.get(program, 0), program.bound) for program in others if program not in alike), default=None)
        if "others_least" in value:
            claimed = field(value, "others_least", int, where)
            require(least_of_others is not None and claimed <= least_of_others, where, f"all others take at least {least_of_others}")

    def check_waves(self, folder, place, each, program, hashes, label):
        """The waves of an explored configuration, their models and their tables."""
        where, waves = f"result.json: schedules: {label}", field(each, "waves", list, "result.json: schedules")
        claimed = [(field(wave, "times", int, where), field(wave, "groups", int, where)) for wave in waves]
        require(claimed == [(times * program.passes, groups) for times, groups in program.waves], where, "its waves are others")
        for number, (wave, (_, groups)) in enumerate(zip(waves, program.waves), 1):
            model = f"{place}/wave-{number}/"
            named = [hashes.get(model + name) for name in ("model.pml", "tables.txt")]
            if self.verdict == "every" or "sha256" in wave:
                good = named[0] and named == [wave.get("sha256"), wave.get("tables_sha256")]
                require(good, where, f"its model is not that in {model}")
                check_tables(folder, model, [program.alone(groups)])

    def explore(self):
        """Explores the waves of all explored configurations. Returns the number of configurations left out, and the states."""
        left_out, states = int(self.not_shown), 0
        for program, least, greatest, each, label in self.explored:
            try:
                totals = [program.launch, program.launch]
                for wave, (times, groups) in zip(each["waves"], program.waves):
                    found = Orders(program, groups).extremes(STATES)
                    claimed = wave.get("least"), wave.get("greatest")
                    require(claimed == found[:2], f"result.json: schedules: {label}",
                            f"a wave of {groups} groups takes {found[0]} to {found[1]} ticks, not {claimed[0]} to {claimed[1]}")
                    totals = [total + program.passes * times * end for total, end in zip(totals, found)]
                    states += found[2]
                require(totals == [least, greatest], f"result.json: schedules: {label}", f"it takes {totals[0]} to {totals[1]} ticks")
            except TooManyStates:
                left_out += 1
        return left_out, states

def behave_alike(one, other):
    """True for the same warps in other groups, in a body where no group waits for its own."""
    waits = summed(one.body, lambda kind, *_: kind == "barrier")
    machine = lambda program: (program.dispatchers, program.launch, program.body, waits and program.group_warps,
                               [(times * program.passes, groups * program.group_warps) for times, groups in program.waves])
    return machine(one) == machine(other)

def check_near(result, programs, owners, names, ticks):
    """Notes the times listed beside the optimum, and checks the counts of near ties against the lower bounds."""
    where = "result.json: near"
    if "near" not in result:
        return
    near = field(result, "near", dict, "result.json")
    for one in [*field(near, "best", list, where), *([near["chosen"]] if "chosen" in near else [])]:
        label = label_of(field(one, "parameters", dict, where), names, where)
        require(label in owners, where, f"{shown(label)} cannot run")
        owners[label].claims.append((label, field(one, "ticks", int, where, ticks)))
    before = (-1, 0)
    for within in field(near, "within", list, where):
        count, percent = field(within, "configurations", int, where), within.get("percent")
        limit = ticks * over_hundred(percent, where)
        most = sum(len(program.labels) for program in programs if 10**8 * program.bound <= limit)
        require(count <= most, where, f"{count} are said to be within {percent} %, lower bounds leave {most}")
        told = sum(len(program.labels) for program in programs
                   if any(10**8 * time <= limit for _, time in program.claims))
        require(count >= told, where, f"{count} are said to be within {percent} %, by their times {told} are")
        require(before[0] < percent and before[1] <= count, where, "its counts do not grow with their percentages")
        before = (percent, count)
    if near.get("asked") is not None:
        limit = ticks * over_hundred(near["asked"], where)
        require(near["asked"] in [within["percent"] for within in near["within"]], where, "what was asked is not counted")
        good = "chosen" not in near or 10**8 * near["chosen"]["ticks"] <= limit
        require(good, where, f"the chosen configuration is not within {near['asked']} %")
    else:
        require("chosen" not in near, where, "a configuration is chosen, but no percentage was asked for")

def check_sensitivity(folder, result, owners, names):
    """Checks the changes of the profile that result.json names. Returns their number, None without a sensitivity."""
    where = "result.json: sensitivity"
    if result.get("sensitivity") is None:
        return None
    named, seen, before = field(result, "sensitivity", dict, "result.json"), set(), (0, 1, 0)
    changes, tried = field(named, "overtaken", list, where), field(named, "tried", int, where)
    profile = content(folder, "inputs/profile.yaml").decode("utf-8", "replace")
    optimum = label_of(result["optimum"]["parameters"], names, where)
    require(tried % 2 == 0 and len(changes) <= tried, where, "it did not try each value with two factors")
    for change in changes:
        value, factor = field(change, "value", str, where), change.get("factor")
        stated = re.search(rf"^\s*{re.escape(value)}:", profile, re.M) or re.search(r"^base:", profile, re.M)
        require(stated and factor in (0.8, 1.25), where, f"the profile has no {shown(value)}, or its factor is another one")
        require((value, factor) not in seen, where, f"{shown(value)} is changed twice by one factor")
        seen.add((value, factor))
        fastest = label_of(field(change, "fastest", dict, where), names, where)
        require(fastest in owners and fastest != optimum, where, f"{shown(fastest)} cannot run, or is the optimum itself")
        least, assumed = field(change, "least", int, where, 1), field(change, "assumed", bool, where)
        ticks = field(change, "ticks", int, where, least + 1)
        good = before[2] > assumed or before[2] == assumed and before[0] * least >= ticks * before[1]
        require(good or len(seen) == 1, where, "its changes are not in order: assumed first, then the greatest loss")
        before = (ticks, least, assumed)
    return len(changes)

def over_hundred(percent, where):
    """A percentage and 100 %, in millionths of a percent."""
    require(type(percent) in (int, float) and 0 <= percent <= 100, where, f"a percentage is {shown(percent)}")
    return 10**8 + round(percent * 10**6)

def check_listed(where, value, label, program, searched, tied, names, ticks):
    """Checks a configuration that result.json lists against its program, and notes the claimed time."""
    first = program.labels[0] if program else label
    status = ("infeasible" if program is None else "optimum" if program in tied else
              "pruned" if program not in searched else "checked" if label == first else "equal")
    require(value.get("status") == status, where, f"its status is {shown(value.get('status'))}, not {status}")
    twin = label_of(value["same_as"], names, where) if "same_as" in value else label
    require(twin == first, where, f"its program is that of {first}, not of {twin}")
    if status == "pruned":
        bound = field(value, "bound", int, where)
        require(ticks < bound <= program.bound, where, f"its bound is {bound}, Python computes {program.bound}")
    if program and (status != "pruned" or "ticks" in value):
        least, most = (ticks, ticks) if status == "optimum" else (ticks + 1, LARGE)
        program.claims.append((label, field(value, "ticks", int, where, least, most)))

def confirm(folder, allowance):
    """Checks the folder, and prints each step. Returns the exit status and the answer."""
    programs, tied, places, ticks, last, changes, schedules = check_result(folder, sealed_files(folder))
    order = sorted(programs, key=lambda program: program.bound)
    needed = [program for program in order if program.bound <= last]
    left_out, left = run(needed, allowance)
    for program in needed:
        least = ticks if program in places else last
        good = program.time is None or program.time >= least and (program.time == ticks) == (program in tied)
        require(good, program.labels[0], f"it takes {program.time} ticks, which result.json does not say")
    unknown, left = run([program for program in order[len(needed):] if program.claims], left)
    print(f"lower bounds: {len(order) - len(needed)} of {len(order)} programs cannot take {last} ticks or less\n"
          f"times: {len(needed) - len(left_out)} of {len(needed)} other programs run, {allowance - left} events; "
          f"{len(unknown)} further times that result.json says are not recomputed\n"
          "Python alone shows what the answer says of the programs in this folder. SPIN shows it too: `sh check.sh`.\n"
          "That the programs follow from the spec and the GPU, `autotune verify` shows.")
    if changes is not None:
        print(f"sensitivity: {changes} changes of the profile are named in order, each with another configuration that can run. Their\n"
              "times need programs of other profiles, which are not in this folder: `autotune verify` makes them.")
    unexplored = 0
    if schedules:
        unexplored, states = schedules.explore()
        print(f"schedules: {len(schedules.explored) - unexplored} of {len(schedules.explored)} configurations are explored in every order "
              f"of simultaneous events, {states} states; the verdict is `{schedules.verdict}`")
    if left_out:
        names = ", ".join(program.labels[0] for program in left_out[:3]) + ", ..." * (len(left_out) > 3)
        return 3, f"bounds confirmed, {len(left_out)} times not recomputed: {names}"
    if unexplored:
        return 3, f"optimum confirmed, {unexplored} configurations not explored: their orders have more than {STATES} states"
    return 0, "optimum confirmed"

def main():
    parser = argparse.ArgumentParser(description="Checks a kept proof with Python alone.")
    parser.add_argument("folder", nargs="?", metavar="FOLDER", default=os.path.dirname(os.path.abspath(__file__)))
    parser.add_argument("--events", type=int, metavar="N", default=EVENTS_ALL, help="events in all (default: 10^9)")
    options = parser.parse_args()
    if options.events < 0 or not os.path.isdir(options.folder):
        parser.error(f"{options.folder} is not a folder, or {options.events} is not a number of events")
    try:
        status, answer = confirm(options.folder, options.events)
    except (Refuted, OSError, RecursionError) as error:
        status, answer = 1, f"REFUTED: {error}"
    except TooLarge as error:
        status, answer = 2, f"stopped: {error}"
    except (KeyboardInterrupt, MemoryError) as error:
        status, answer = 2, f"stopped: {type(error).__name__}"
    print(answer)
    return status

if __name__ == "__main__":
    sys.exit(main())
