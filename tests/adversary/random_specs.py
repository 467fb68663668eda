"""Random specs and GPUs, of which many are odd: empty loops, divergent branches, barriers alone, one resident warp."""
import random
import re

GPUS = ("gtx480", "gtx285", "8600gt", "gtx980", "v100", "rtx2080ti", "mi50", "pro-w6600", "a100-40gb", "tesla-k20")
LOCKSTEP = """name: drawn
execution: lockstep
multiprocessors: {multiprocessors}
processing_elements: {elements}
dispatchers: {dispatchers}
global_memory_ticks: {memory}
local_memory_ticks: {local}
launch_ticks: {launch}
"""


def field(profile, name, value):
    return re.sub(rf"(?m)^({name}:) *\S+", rf"\1 {value}", profile)


def undivided(body):
    """The statements that both sides of a divergent branch may have: no barriers and no branches."""
    kept = []
    for statement in body:
        if statement == "barrier" or "branch" in statement:
            continue
        if "loop" in statement:
            inner = undivided(statement["loop"]["body"]) or [{"compute": {"per_item": 1}}]
            statement = {"loop": {"count": statement["loop"]["count"], "body": inner}}
        kept.append(statement)
    return kept or [{"compute": {"per_item": 1}}]


class Draw:
    """Specs and profiles from a seed; `profile` gives the text of a shipped one."""

    def __init__(self, seed, profile):
        self.random, self.profile = random.Random(seed), profile
        self.names = []

    def perhaps(self, share):
        return self.random.random() < share

    def one(self, *values):
        return self.random.choice(values)

    def number(self, *small):
        """An expression of the parameters, or one of the numbers."""
        if self.perhaps(0.5):
            return str(self.one(*small))
        name, other = self.one(*self.names), self.one(*small)
        return self.one(name, f"{name} % 3", f"floor_div({name}, 2)", f"min({name}, {other})", f"{name} + {other}",
                        f"{name} > 1", f"max(0, {name} - 2)")

    def options(self, **shares):
        """Each option with its share: a pair of the share and the values."""
        drawn = {}
        for name, (share, values) in shares.items():
            if self.perhaps(share):
                drawn[name] = self.one(*values)
        return drawn

    def body(self, depth, length):
        return [self.statement(depth) for _ in range(length)]

    def statement(self, depth):
        kinds = ["barrier", "access", "local", "compute"] + ["loop", "branch"] * (depth < 3)
        return getattr(self, self.one(*kinds))(depth)

    def barrier(self, _):
        return "barrier"

    def loop(self, depth):
        count = self.one("1", "0", "2", "3", "7", "17", "64", self.number(1, 2, 3, 5), str(self.one(33, 1000)))
        return {"loop": {"count": count, "body": self.body(depth + 1, self.one(1, 2, 3))}}

    def branch(self, depth):
        divergent = self.perhaps(0.4)
        branch = {"divergent": divergent, "then": self.body(depth + 1, self.one(1, 2))}
        if self.perhaps(0.6):
            branch["else"] = self.body(depth + 1, self.one(1, 2))
        if divergent:
            branch.update({side: undivided(branch[side]) for side in ("then", "else") if side in branch})
        return {"branch": branch}

    def access(self, _):
        options = self.options(
            stride=(0.5, (0, 1, 2, 3, 8, 32, 33, -1)), in_flight=(0.3, (1, 2, 4, 64, 10**6)),
            bytes=(0.3, (1, 2, 4, 8, 16)), vector=(0.2, (1, 2, 4)), ordered=(0.2, (True,)),
            items=(0.2, (0, 1, 5, 32, 33)))
        if "in_flight" not in options and self.perhaps(0.2):
            options["round_trips"] = self.one(0, 1, 3, 17)
        return {self.one("load", "load", "store"): {"array": "a", "per_item": self.number(0, 1, 2, 3, 8), **options}}

    def local(self, _):
        options = self.options(items=(0.2, (0, 1, 17, 64)))
        options.update(self.one({}, {"conflict": self.one(1, 2, 7, 32)}, {"stride": self.one(1, 2, 32, 33)}))
        return {"local": {"per_item": self.number(0, 1, 2, 4), **options}}

    def compute(self, _):
        options = self.options(kind=(0.5, ("fp32", "int32", "special", "any", "fp64", "fp16")), items=(0.2, (0, 1, 16, 100)))
        return {"compute": {"per_item": self.number(0, 1, 5, 20), **options}}

    def spec(self):
        self.names = [f"P{number}" for number in range(self.one(1, 2, 3))]
        groups = (1, 2, 3, 8, 16, 31, 32, 33, 48, 64, 96, 100, 128)
        values = [sorted(self.random.sample(range(1, 20) if number else groups, self.one(1, 2, 3)))
                  for number in range(len(self.names))]
        last = self.names[-1]
        spec = {"kernel": "drawn", "problem": {"n": self.one(1, 2, 31, 64, 100, 257, 1000, 1024, 4096, 99991, 1 << 20)},
                "parameters": {name: {"values": drawn} for name, drawn in zip(self.names, values)},
                "launch": {"work_items": self.one("n", f"ceil_div(n, {last})", "n * 3"), "work_group": "P0"}}
        if len(self.names) > 1 and self.perhaps(0.25):
            spec["launch"] = {"work_items": ["n", self.one("1", "3", "P1")], "work_group": ["P0", self.one("1", "2")]}
        spec["launch"].update(self.options(times=(0.25, ("2", "7", last))))
        constraints = (["n % P0 == 0"], ["P0 > 1"], [f"P0 * {last} <= 128"], ["n >= P0"])
        spec.update(self.options(constraints=(0.3, constraints)))
        if self.perhaps(0.6):
            spec["resources"] = {"registers": self.one("10", "20 + P0", "200", "63"),
                                 "local_memory": self.one("0", "P0 * 16", "1000", "20000")}
        spec["body"] = ["barrier", "barrier"] if self.perhaps(0.05) else self.body(0, self.random.randint(1, 6))
        return spec

    def gpu(self):
        """A profile, and true if its warps go in lockstep."""
        if self.perhaps(0.35):
            elements = self.one(1, 2, 4, 6, 8, 32)
            dispatchers = self.one(*[number for number in (1, 2, 3, 4, 8) if elements % number == 0])
            numbers = {"multiprocessors": self.one(1, 2, 3, 16), "elements": elements, "dispatchers": dispatchers,
                       "memory": self.one(0, 1, 3, 10, 100), "local": self.one(0, 1, 2),
                       "launch": self.one(0, 7, 10**5)}
            return LOCKSTEP.format(**numbers), True
        text = re.sub(r"(?m)^aliases:.*\n", "", self.profile(self.one(*GPUS)))
        text = re.sub(r"(?m)^name:.*", "name: drawn", text)
        schedulers = self.one(1, 2, 3, 4, 5)
        registers = re.search(r"(?m)^registers_per_sm: *(\d+)", text)
        if registers:       # the schedulers share them equally
            share = max(1, int(registers[1]) // 1024 // schedulers)
            text = field(text, "registers_per_sm", share * 1024 * schedulers)
        for name, numbers in (("schedulers_per_sm", [schedulers]), ("multiprocessors", (1, 2, 3, 7, 16, 80)),
                              ("max_blocks_per_sm", (1, 2, 3, 5, 8)), ("max_warps_per_sm", (1, 2, 4, 5, 7, 12, 16))):
            text = field(text, name, self.one(*numbers))
        for name, numbers in (("latency_dram_cycles", (1, 10, 3000)), ("kernel_launch_overhead_us", (0, 0.5, 100)),
                              ("memory_bandwidth_GBps", (1, 5000))):
            if self.perhaps(0.3):
                text = field(text, name, self.one(*numbers))
        return text, False
