"""Forms of statements that are accesses: plain, volatile, over a store that may alias, beside a fence, into two memories, and of
rows that are the same for all lanes."""
from drawn import ARRAYS, FAR, ROWS
from forms import ON_GPUS, form


@form("load", weight=4)
def load(draw, statement):
    statement.line(f"acc += {draw.load()};")


@form("store", weight=2)
def store(draw, statement):
    array = draw.random.choice(draw.types) + "_o"
    statement.line(f"ST({array}, {draw.element(array)}, acc);")


@form("atomic", types=("int",))
def atomic(draw, statement):
    result = draw.choice("", "acc += ")
    statement.line(f"{result}AT(at, {draw.element('at')});")


@form("in_function")
def in_function(draw, statement):
    name, array = draw.name("part"), draw.loaded()
    pointer = draw.pointer(ARRAYS[array][0])
    statement.function(f"{draw.device} float {name}({pointer}from, int i)", "{", "  return LD(from, i);", "}")
    statement.line(f"acc += {name}({array}, {draw.element(array)});")


@form("in_macro")
def in_macro(draw, statement):
    name, array = draw.name("ADD"), draw.loaded()
    statement.function(f"#define {name}(array, i) acc += LD(array, i)")
    statement.line(f"{name}({array}, {draw.element(array)});")


@form("in_template", languages=ON_GPUS)
def in_template(draw, statement):
    name, array = draw.name("part"), draw.loaded()
    statement.function(f"template <class T, int STEP> {draw.device} float {name}(const T *from, int i)", "{", "  return LD(from, STEP * i);", "}")
    statement.line(f"acc += {name}<{ARRAYS[array][0].removeprefix('const ')}, 2>({array}, ({draw.element(array)}) / 2);")


@form("by_pointer")
def by_pointer(draw, statement):
    name, array = draw.name("p"), draw.loaded()
    statement.line(f"{draw.pointer(ARRAYS[array][0])}{name} = {array} + {draw.element(array)};")
    statement.line(f"acc += DEREF({name});")


@form("volatile", weight=1.5, types=("float", "int"))
def volatile(draw, statement):
    array, element = draw.choice("v", "vi"), None
    element = draw.element(array)
    for _ in range(draw.random.randint(2, 4)):
        if draw.chance(0.7):
            statement.line(f"acc += LD({array}, {element});")
        else:
            statement.line(f"ST({array}, {element}, 1);")


@form("volatile_loop", loops=True, types=("float",))
def volatile_loop(draw, statement):
    counter, element = draw.name("j"), draw.element("v")
    if draw.chance(0.5):
        statement.line("#pragma unroll")
    statement.line(f"ENTER({counter[1:]}) for (int {counter} = 0; {counter} < {draw.choice(2, 4, 9)}; ++{counter}) {{ ROUND({counter[1:]})")
    statement.line(f"  acc += LD(v, {element});")
    statement.line(f"}} LEAVE({counter[1:]})")


@form("reload", types=("float",))
def reload(draw, statement):
    """A store through a pointer that may lead to what is loaded before and behind it."""
    element = draw.element("w")
    for _ in range(draw.random.randint(1, 3)):
        statement.line(f"acc += LD(w, {element});")
        statement.line(f"ST(u, {draw.element('u')}, acc);")
    statement.line(f"acc += LD(w, {element});")


@form("reload_loop", loops=True, types=("float",))
def reload_loop(draw, statement):
    counter, element, rounds = draw.name("j"), draw.element("w"), draw.choice(2, 5, 8, 16)
    statement.line(f"ENTER({counter[1:]}) for (int {counter} = 0; {counter} < {rounds}; ++{counter}) {{ ROUND({counter[1:]})")
    with draw.inside(counter, rounds):
        statement.line(f"  ST(u, {draw.element('u')}, LD(w, {element}) + 1);")
    statement.line(f"}} LEAVE({counter[1:]})")


FENCES = {
    "opencl": ["mem_fence(CLK_GLOBAL_MEM_FENCE);"],
    "cuda": ["__threadfence();", "__threadfence_block();", 'asm volatile("" ::: "memory");'],
    "hip": ["__threadfence();", "__threadfence_block();", 'asm volatile("" ::: "memory");'],
}


@form("fence", types=("float",))
def fence(draw, statement):
    """Loads of one element on both sides of a fence."""
    element, fences = draw.element("u"), FENCES[draw.language]
    if draw.language == "cuda" and not draw.depth:
        fences = [*fences, "__syncwarp();"]
    statement.line(f"acc += LD(u, {element});")
    statement.line(draw.random.choice(fences))
    statement.line(f"acc += LD(u, {element});")


@form("past_caches", languages=("cuda",), weight=0.5, types=("float",))
def past_caches(draw, statement):
    """Loads of one element that each go to memory."""
    element = draw.element("float_a")
    for _ in range(2):
        statement.line(f"acc += LDCV(float_a, {element});")


@form("two_memories", languages=ON_GPUS, barriers=True, weight=2)
def two_memories(draw, statement):
    size = draw.group[0] * draw.group[1]
    local, mine = draw.name("s"), draw.choice("lid", f"{size - 1} - lid", f"(lid + 5) % {size}")
    statement.locals.append(f"LOCAL_ARRAY(float, {local}, {size});")
    statement.line(f"ST({local}, lid, {draw.choice('acc', 'lid')});")
    statement.line(draw.barrier())
    condition = draw.choice("lid == 0", "lid % 32 == 0", "lid % 32 != 0", "lid < 16", "lid & 1", f"lid == {size - 1}", "lid >= 33")
    element, value = draw.element("float_a"), draw.name("l")
    way = draw.choice("branch", "choice", "function", "store")
    here, there = (f"LD(float_a, {element})", f"LD({local}, {mine})")
    if draw.chance(0.5):
        here, there = there, here
    if way == "branch":
        statement.joined = True
        statement.line(f"float {value};")
        statement.line(f"if ({condition})")
        statement.line(f"  {value} = {here};")
        statement.line("else")
        statement.line(f"  {value} = {there};")
        statement.line(f"ST(double_o, {draw.element('double_o')}, {value});")
    elif way == "choice":
        statement.line(f"const float *{value} = {condition} ? float_a + {element} : {local} + {mine};")
        statement.line(f"acc += DEREF({value});")
    elif way == "store":
        statement.line(f"float *{value} = {condition} ? float_o + {draw.element('float_o')} : {local} + {mine};")
        statement.line(f"PUT({value}, acc);")
        statement.line(draw.barrier())
        statement.line(f"acc += LD({local}, lid);")
    else:
        name = draw.name("either")
        statement.function(f"{draw.device} float {name}(const float *from, int i) {{ return LD(from, i); }}")
        statement.line(f"acc += {name}({condition} ? float_a : {local}, {condition} ? {element} : {mine});")
    statement.line(draw.barrier())


# What is the same for all lanes.


def row(draw):
    """The index of an element of `in` from a row `r` that is the same for all lanes."""
    return draw.choice("{r} * 256 + lid", "{r} * 256 + lid", "{r}", "({r} ^ 3) * 64 + lid", "{r} / 2 * 256 + lid", "({r} + 1) * 8 + 2 * lid", "{r} * 256 + 255 - lid")


@form("uniform", together=True, weight=1.5, types=("float",))
def uniform(draw, statement):
    name = draw.name("r")
    (_, slot), (_, there) = draw.slot("rows"), draw.slot("in")
    statement.line(f"const int {name} = LD(rows, ({slot}) * {ROWS} + {draw.choice('gx', 'gx', '5')});")
    statement.line(f"acc += LD(in, ({there}) * {FAR} + {row(draw).format(r=name)});")


@form("uniform_rows", together=True, loops=True, types=("float",))
def uniform_rows(draw, statement):
    """Rows that are not zero, as in a sparse matrix: their numbers, and where they begin, are data."""
    counter, first, rounds = draw.name("j"), draw.name("r"), draw.choice(2, 4, 8)
    number = counter[1:]
    _, slot = draw.slot("rows")
    statement.line(f"const int {first} = LD(rows, ({slot}) * {ROWS} + gx);")
    statement.line(f"ENTER({number}) for (int {counter} = {first}; {counter} < {first} + {rounds}; ++{counter}) {{ ROUND({number})")
    _, there = draw.slot("in")
    statement.line(f"  acc += LD(in, ({there}) * {FAR} + {counter} * 256 + lid);")
    statement.line(f"}} LEAVE({number})")


@form("staged", barriers=True)
def staged(draw, statement):
    size = draw.group[0] * draw.group[1]
    local, counter, rounds = draw.name("s"), draw.name("j"), draw.choice(2, 4, 10)
    number = counter[1:]
    statement.locals.append(f"LOCAL_ARRAY(int, {local}, {size});")
    _, slot = draw.slot("rows")
    statement.line(f"ST({local}, lid, LD(rows, ({slot}) * {ROWS} + lid % 64));")
    statement.line(draw.barrier())
    statement.line(f"ENTER({number}) for (int {counter} = 0; {counter} < {rounds}; ++{counter}) {{ ROUND({number})")
    with draw.inside(counter, rounds):
        _, there = draw.slot("in")
        statement.line(f"  acc += LD(in, ({there}) * {FAR} + LD({local}, {counter} * 3) * {draw.choice('8', '256 + lid', '32 + lid')});")
    statement.line(f"}} LEAVE({number})")
    statement.line(draw.barrier())


@form("local", barriers=True)
def local(draw, statement):
    """Neighbours exchange numbers in local memory."""
    size = draw.group[0] * draw.group[1]
    name = draw.name("s")
    statement.locals.append(f"LOCAL_ARRAY(float, {name}, {2 * size});")
    array = draw.loaded()
    statement.line(f"ST({name}, lid, LD({array}, {draw.element(array)}));")
    statement.line(draw.barrier())
    statement.line(f"acc += LD({name}, (lid + {draw.choice(1, 7, 16)}) % {size});")
    if draw.chance(0.5):
        statement.line(f"ST({name}, {size} + lid, acc);")
        statement.line(draw.barrier())
        statement.line(f"acc *= LD({name}, {size} + {size - 1} - lid);")
    statement.line(draw.barrier())
