"""Random kernels: statements of a kernel, their accesses with addresses of their own, and the text for a GPU and for the processor.

An access is written LD, ST, AT, DEREF or PUT: for the processor these are macros that count, for a GPU `rendered` makes them the
language's own. Each access of a work item has an element of its own, or its array is volatile, or a store lies between: no
compiler may drop one or join two. A line has one access. The rounds of a loop are marked by ENTER, ROUND and LEAVE, which only the
processor sees.
"""
import random
import re
import zlib
from contextlib import contextmanager
from dataclasses import dataclass, field

# The types of elements. The sides of a branch have accesses of different types, because compilers make one of two that are alike.
TYPES = ["float", "int", "short", "long", "double", "char"]
OF_C = {"char": "unsigned char"}
# Arrays by name: the type, and how far apart the elements of one work item and its neighbour lie. `own`: each in a sector of its
# own, `side`: work items side by side, `big`: without an order of the work items.
ARRAYS = {
    **{f"{name}_a": (f"const {OF_C.get(name, name)}", "own") for name in TYPES},
    **{f"{name}_s": (f"const {OF_C.get(name, name)}", "side") for name in TYPES},
    **{f"{name}_o": (OF_C.get(name, name), "own") for name in TYPES},
    "o": ("float", "own"), "y": ("const int", "own"), "at": ("int", "own"), "v": ("volatile float", "own"), "vi": ("volatile int", "own"),
    "w": ("const float", "own"), "u": ("float", "own"), "rows": ("const int", "big"), "in": ("const float", "big"),
}
# Pointers that may lead to the same memory in each kernel.
UNRESTRICTED = {"w", "u", "v", "vi"}
# Elements of `in` for each access, and of `rows`.
FAR, ROWS = 1 << 15, 96
GPUS = {
    "opencl": [("a100", 32), ("mi50", 64), ("gtx1080ti", 32), ("rtx4090", 32)],
    "cuda": [("a100", 32), ("h100", 32), ("v100", 32)],
    "hip": [("mi250x", 64), ("mi50", 64)],
}
ENDINGS = {"opencl": "cl", "cuda": "cu", "hip": "hip"}


@dataclass
class Line:
    """A line of a kernel with what is assumed of it."""

    text: str
    assumed: dict = field(default_factory=dict)
    # What is compared: `all`, or only `warps` where the work items of a warp take both sides.
    compared: str = "all"


@dataclass
class Statement:
    """A part of a kernel that can be left out: lines and parts, and the functions and local arrays that they need."""

    form: str
    parts: list = field(default_factory=list)
    functions: list = field(default_factory=list)
    locals: list = field(default_factory=list)
    # Lines whose counts only their sum is known of, because a compiler may move an access from one to another.
    joined: bool = False
    compared: str = "all"

    def line(self, text, **assumed):
        self.parts.append(Line(text, assumed, self.compared))

    def function(self, *lines):
        self.functions.append([line if isinstance(line, Line) else Line(line) for line in lines])
        for line in self.functions[-1]:
            line.compared = self.compared

    def inner(self):
        """All statements within this one."""
        return [one for part in self.parts if isinstance(part, Statement) for one in [part, *part.inner()]]


@dataclass
class Fill:
    """The value of a data element in all work items, or in those whose bit is 1 and in the others."""

    slot: int
    value: int
    other: int = 0
    bit: int = -1


class Draw:
    """The random choices for one kernel."""

    def __init__(self, seed, language, forms):
        self.random = random.Random(seed)
        self.language, self.forms = language, forms
        self.gpu, self.warp = self.random.choice(GPUS[language])
        self.group = self.random.choice([(64, 1), (128, 1), (32, 2), (16, 8), (40, 1), (96, 1), (256, 1)])
        self.groups = self.random.choice([(1, 1), (5, 1), (3, 3), (8, 1), (16, 1)])
        self.argument = self.random.choice([0, 1, 3, 10, 77])
        self.slots = dict.fromkeys(ARRAYS, 0)
        self.fills: list[Fill] = []
        self.loops: list[tuple[str, int]] = []
        self.names = self.depth = 0
        # The types of accesses that may stand where the drawing is.
        self.types = list(TYPES)
        # Branches around whose sides the lanes of a warp take both, and what forbids to leave the kernel.
        self.mixed = self.held = 0
        # Parts of the kernel around that not all lanes of a warp execute, by their ids.
        self.by_lane = 0
        # Loops around whose counters begin with data of each lane.
        self.scattered = 0
        # True if all rounds of the innermost loop are made, and all work items reach the place in each.
        self.exact = False
        # True as long as barriers may stand.
        self.uniform = True

    @property
    def items(self):
        return self.group[0] * self.group[1] * self.groups[0] * self.groups[1]

    @property
    def is_c(self):
        return self.language == "opencl"

    def chance(self, share):
        return self.random.random() < share

    def choice(self, *values):
        return self.random.choice(values)

    def name(self, stem):
        self.names += 1
        return f"{stem}{self.names}"

    # Text of the language.

    @property
    def device(self):
        return "static" if self.is_c else "static __device__"

    def pointer(self, type_):
        """A pointer to global memory."""
        return f"__global {type_} *" if self.is_c else f"{type_} *"

    def barrier(self):
        return "barrier(CLK_LOCAL_MEM_FENCE);" if self.is_c else "__syncthreads();"

    # Elements.

    def rounds(self):
        """The number of combinations of the counters around, and the number of the present one as a text."""
        number, text = 1, ""
        for counter, bound in self.loops:
            text = f"({text} * {bound} + {counter})" if text else counter
            number *= bound
        return number, text

    def slot(self, array):
        """Elements of an array that nothing else touches: the first, and a text that follows the loops around."""
        number, text = self.rounds()
        first = self.slots[array]
        self.slots[array] += number
        return first, f"{first} + {text}" if text else str(first)

    def element(self, array):
        """The index of a work item's element."""
        _, slot = self.slot(array)
        layout = ARRAYS[array][1]
        if layout == "own":
            return f"(me * S_{array} + {slot}) * 8"
        start = f"({slot}) * 3 * N"
        return self.choice(f"{start} + me", f"{start} + me", f"{start} + 2 * me", f"{start} + 3 * me + 1", f"{start} + N - 1 - me")

    def data(self, values, others=None):
        """The index of a data element whose value is one of `values`, by the innermost counter; by a bit of the lane if there
        are `others`."""
        first, slot = self.slot("y")
        number, _ = self.rounds()
        bit = -1 if others is None else self.mixed
        for place in range(number):
            value = values[place % len(values)]
            self.fills.append(Fill(first + place, value, 0 if others is None else others[place % len(others)], bit))
        return f"(me * S_y + {slot}) * 8"

    def loaded(self):
        """An array to load from."""
        layout = "s" if self.chance(0.3) and not self.mixed and not self.scattered else "a"
        return f"{self.random.choice(self.types)}_{layout}"

    def load(self):
        array = self.loaded()
        return f"LD({array}, {self.element(array)})"

    # Where the drawing is.

    @contextmanager
    def inside(self, counter, rounds, exact=False, scattered=False):
        """In a loop with a counter of its rounds; `exact` if each round is made, `scattered` if the counter begins with data."""
        before = self.exact
        self.scattered += scattered
        self.exact = exact and rounds > 1
        self.held += exact
        self.loops.append((counter, rounds))
        yield
        self.loops.pop()
        self.scattered -= scattered
        self.held -= exact
        self.exact = before

    @contextmanager
    def on_side(self, share):
        """On a side of a branch on data; without a share the lanes of a warp take both sides."""
        before, decided = self.exact, share in (0, 1)
        self.exact &= decided
        self.held += not decided
        self.mixed += share is None
        yield
        self.mixed -= share is None
        self.held -= not decided
        self.exact = before

    @property
    def can_mix(self):
        """True if data may send the lanes of each warp to both sides of a branch."""
        return self.mixed < 3 and not self.by_lane and self.group[0] % 8 == 0

    @contextmanager
    def parted(self, parts=True):
        """Where lanes are by their ids."""
        self.by_lane += parts
        yield
        self.by_lane -= parts

    @contextmanager
    def part(self, place, parts=2):
        """In one of several sides, whose accesses have types of their own."""
        before = self.types
        self.types = before[place::parts] or before
        yield
        self.types = before

    # Statements.

    def block(self, statement, most=3):
        """Adds some statements."""
        self.depth += 1
        for _ in range(self.random.randint(1, most)):
            statement.parts.append(self.statement())
        self.depth -= 1

    def statement(self):
        usable = [form for form in self.forms if form.suits(self)]
        form = self.random.choices(usable, [form.weight for form in usable])[0]
        statement = Statement(form.name)
        statement.compared = "warps" if self.mixed else "all"
        form.draw(self, statement)
        return statement


def drawn(number, seed, language, forms):
    """A random kernel. Statements with barriers come first, because work items may leave in the others."""
    draw = Draw(f"{seed} {number}", language, forms)
    draw.held = 1
    statements = [draw.statement() for _ in range(draw.random.randint(0, 3))]
    draw.held, draw.uniform = 0, False
    statements += [draw.statement() for _ in range(draw.random.randint(1, 4))]
    return Kernel(number, draw, statements)


@dataclass
class Kernel:
    """A drawn kernel."""

    number: int
    draw: Draw
    statements: list

    def lines(self):
        """All lines: functions, the kernel's head, local arrays, the statements, the end."""
        draw, all_ = self.draw, []
        statements = [one for statement in self.statements for one in [statement, *statement.inner()]]
        for statement in statements:
            for function in statement.functions:
                all_ += [(line, statement) for line in function]
        parameters = []
        for name in self.used():
            keyword = "restrict" if draw.is_c else "__restrict__"
            keyword = f"{keyword} " if name not in UNRESTRICTED and zlib.crc32(f"{self.number} {name}".encode()) % 5 < 3 else ""
            parameters.append(f"{draw.pointer(ARRAYS[name][0])}{keyword}{name}")
        start = "__kernel void k" if draw.is_c else "KERNEL void k"
        if draw.is_c:
            ids = ["get_local_id(0)", "get_local_id(1)", "get_group_id(0)", "get_group_id(1)"]
        else:
            ids = ["threadIdx.x", "threadIdx.y", "blockIdx.x", "blockIdx.y"]
        wide, high = draw.group
        names = ", ".join(f"{name} = {id_}" for name, id_ in zip(["lx", "ly", "gx", "gy"], ids))
        head = [f"{start}({', '.join(parameters)}, int arg)", "{"]
        head += [f"  const int {names};"]
        head += [f"  const int lid = ly * {wide} + lx, me = (gy * {draw.groups[0]} + gx) * {wide * high} + lid;"]
        head += ["  float acc = 0;"]
        head += [f"  {local}" for statement in statements for local in statement.locals]
        all_ += [(Line(text), None) for text in head]
        for statement in self.statements:
            all_ += flat(statement, 1)
        return [*all_, (Line(f"  ST(o, (me * S_o + {draw.slots['o']}) * 8, acc);"), None), (Line("}"), None)]

    def used(self):
        """The names of the arrays that the kernel has."""
        statements = [one for statement in self.statements for one in [statement, *statement.inner()]]
        texts = [part.text for statement in statements for part in statement.parts if isinstance(part, Line)]
        words = {word for text in texts for word in re.findall(r"[a-z_]+", text)} | {"o"}
        return [name for name in ARRAYS if name in words]

    def sizes(self):
        """The elements of a work item in each array."""
        return {f"S_{name}": slots + 1 for name, slots in self.draw.slots.items()} | {"N": self.draw.items}

    def sized(self, text):
        sizes = self.sizes()
        return re.sub(r"\b(S_[a-z_]+|N)\b", lambda match: str(sizes[match[0]]), text)

    def of_device(self):
        """The text for a GPU."""
        return "\n".join(rendered(self.sized(line.text), self.draw) for line, _ in self.lines()) + "\n"

    def of_processor(self):
        """The text for the processor, line by line that for a GPU."""
        texts = [self.sized(line.text).replace("KERNEL ", "") for line, _ in self.lines()]
        return "\n".join("" if text.lstrip().startswith("#pragma") else text for text in texts) + "\n"

    def assumptions(self):
        """The options that say what the data is."""
        of_lines = [(number, line) for number, (line, _) in enumerate(self.lines(), 1)]
        return [f"{what}@{number}={value}" for number, line in of_lines for what, value in line.assumed.items()]

    def places(self):
        """What is compared of each line, and for lines that are compared together the first of them."""
        compared, first, of_statement = {}, {}, {}
        for number, (line, statement) in enumerate(self.lines(), 1):
            compared[number] = line.compared
            together = statement is not None and statement.joined
            first[number] = of_statement.setdefault(id(statement), number) if together else number
        return compared, first

    def forms(self):
        return sorted({one.form for statement in self.statements for one in [statement, *statement.inner()]})

    def without(self, left_out):
        """The kernel without one of its statements."""
        def kept(parts):
            result = []
            for part in parts:
                if part is left_out:
                    continue
                if isinstance(part, Statement):
                    part = Statement(**{**vars(part), "parts": kept(part.parts)})
                result.append(part)
            return result
        return Kernel(self.number, self.draw, kept(self.statements))


def flat(statement, depth):
    """The lines of a statement with the statement that each belongs to."""
    lines = []
    for part in statement.parts:
        if isinstance(part, Statement):
            lines += flat(part, depth + 1)
        else:
            lines.append((Line("  " * depth + part.text, part.assumed, part.compared), statement))
    return lines


def arguments(text, start):
    """The arguments of a call whose parenthesis opens at `start`, and the place behind it."""
    depth, parts, begin = 0, [], start + 1
    for place in range(start, len(text)):
        if text[place] in "([{":
            depth += 1
        elif text[place] in ")]}":
            depth -= 1
        if (depth == 1 and text[place] == ",") or depth == 0:
            parts.append(text[begin:place].strip())
            begin = place + 1
        if depth == 0:
            return parts, place + 1
    raise ValueError(f"a parenthesis stays open: {text}")


ACCESS = re.compile(r"\b(LD|ST|AT|DEREF|PUT|LDCV|LOCAL_ARRAY)\(")
OF_ROUNDS = re.compile(r" ?\b(ENTER|ROUND|LEAVE)\(\d+\)")


def rendered(text, draw):
    """A line in the language of the GPU."""
    text = OF_ROUNDS.sub("", text).replace("KERNEL ", 'extern "C" __global__ ')
    while match := ACCESS.search(text):
        parts, end = arguments(text, match.end() - 1)
        made = {
            "LD": lambda array, index: f"{array}[{index}]",
            "ST": lambda array, index, value: f"{array}[{index}] = {value}",
            "AT": lambda array, index: f"atomic_inc(&{array}[{index}])" if draw.is_c else f"atomicAdd(&{array}[{index}], 1)",
            "DEREF": lambda pointer: f"*{pointer}",
            "PUT": lambda pointer, value: f"*{pointer} = {value}",
            "LDCV": lambda array, index: f"__ldcv(&{array}[{index}])",
            "LOCAL_ARRAY": lambda type_, name, size: f"{'__local' if draw.is_c else '__shared__'} {type_} {name}[{size}]",
        }[match[1]](*parts)
        text = text[:match.start()] + made + text[end:]
    return text
