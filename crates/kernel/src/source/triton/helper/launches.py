"""What a user's call launches, found by executing the call where there is no GPU; and a kernel's own configurations.

The user's file is loaded as `loading` says, with its lists of configurations and heuristics. Every launch of Triton's is
intercepted: its arguments, options and grid are noted, for each configuration of a tuned kernel, and nothing is compiled.
"""

import ast
import importlib
import inspect
import os
import re
import sys
import traceback

from . import gpu as devices
from . import grids, loading
from .files import Refused
from .loading import FUNCTIONS, called, names_of, reason

# The decorators that a kernel keeps for a call.
KEPT = ("jit", "heuristics")
# Triton's names of the types of PyTorch.
TYPES = {
    "float16": "fp16", "half": "fp16", "bfloat16": "bf16", "float32": "fp32", "float": "fp32", "float64": "fp64",
    "double": "fp64", "int8": "i8", "int16": "i16", "int32": "i32", "int": "i32", "int64": "i64", "long": "i64",
    "uint8": "u8", "uint16": "u16", "uint32": "u32", "uint64": "u64", "bool": "i1", "int1": "i1",
    "float8_e4m3fn": "fp8e4nv", "float8_e5m2": "fp8e5", "float8_e4m3fnuz": "fp8e4b8", "float8_e5m2fnuz": "fp8e5b16",
    "fp8e4nv": "fp8e4nv", "fp8e5": "fp8e5",
}
# The names that go to the compiler, and the values that Triton gives what a configuration leaves out.
USUAL = {"num_warps": 4, "num_stages": 3}
# Options of a launch that change nothing here.
SILENT = ("debug", "warmup", "grid", "stream", "device", "device_type", "num_ctas", "enable_fp_fusion", "launch_pdl",
          "launch_cooperative_grid", "ir_override", "num_buffers_warp_spec", "num_consumer_groups", "reg_dec_producer",
          "reg_inc_consumer", "allow_fp8e4nv", "sanitize_overflow", "instrumentation_mode", "backend_name")
# Names that expressions of a spec use.
RESERVED = ("min", "max", "ceil_div", "floor_div", "mean", "log2", "pow2", "true", "false")
# The names of distances between elements, which are not sizes of the problem.
STRIDE = re.compile(r"stride|(^|_)row(_|$)|(^|_)ld[a-z]?(_|$)")
# The name of the call's own text in a traceback.
CALL = "<call>"
# The most launches that are kept.
MOST = 4096


class Launch:
    """One launch of a kernel with one configuration."""

    def __init__(self, kernel, bound, options, config, number):
        self.kernel, self.bound, self.options, self.config, self.number = kernel, bound, options, config, number
        self.where = caller()
        # The sides of the grid: numbers, and expressions of the configuration or the reason why there are none.
        self.count, self.sides, self.why, self.is_fixed = None, None, None, False

    def take_grid(self, grid, names, sizes):
        """Evaluates the grid, as a launch does: with the configuration's values, and with symbols in their place."""
        known = {**USUAL, **self.options, **self.bound}
        self.is_fixed = not callable(grid)
        try:
            self.count = grids.dimensions(grid if self.is_fixed else grid(known))
        except grids.NoExpression as why:
            raise Refused("call", f"the grid of the launch is not understood: {why}", *self.where) from why
        grids.SIZES.clear()
        grids.SIZES.update(sizes)
        if self.is_fixed:
            self.sides = self.count
            return
        try:
            self.sides = grids.symbolic(grid, known, names)
        except Exception as why:
            self.why = str(why) if isinstance(why, grids.NoExpression) else reason(why)

    @property
    def file(self):
        """The file of the kernel."""
        return os.path.realpath(self.kernel.fn.__code__.co_filename)

    @property
    def kernel_line(self):
        """The line where the kernel begins."""
        return self.kernel.fn.__code__.co_firstlineno

    @property
    def name(self):
        """The name of the kernel."""
        return self.kernel.fn.__name__


class Recorder:
    """The launches of a call."""

    def __init__(self):
        self.is_on, self.launches, self.config, self.number = False, [], None, 0
        self.notes = []
        # The values of the parameters that are tuned instead of a kernel's own list: the first and the last ones.
        self.corners = []
        # What the user's options give: parameters with their values, names, and sizes of the problem.
        self.parameters, self.given, self.given_sizes = {}, (), ()

    def launch(self, kernel, args, kwargs, grid):
        """Notes a launch of a kernel."""
        if not self.is_on or len(self.launches) >= MOST:
            return None
        for one in loading.Statements.all:
            if one.path == kernel.fn.__code__.co_filename and kernel.fn.__name__ in one.untuned:
                raise Untuned(untuned(one, kernel.fn.__name__))
        signature = inspect.signature(kernel.fn)
        named = {name: value for name, value in kwargs.items() if name in signature.parameters}
        options = {name: value for name, value in kwargs.items() if name not in signature.parameters}
        bound = signature.bind(*args, **named)
        bound.apply_defaults()
        if self.config is None:
            self.number += 1
        one = Launch(kernel, dict(bound.arguments), options, self.config, self.number)
        one.take_grid(grid, list(self.parameters) or list({**USUAL, **(self.config or {})}), self.sizes(kernel, one.bound))
        self.launches.append(one)
        return None

    def sizes(self, kernel, bound):
        """The integers among a launch's arguments that are sizes of the problem: those that are not strides."""
        found = {}
        for one in kernel.params:
            value = bound.get(one.name)
            is_integer = hasattr(value, "__index__") and not isinstance(value, bool) and not hasattr(value, "data_ptr")
            is_open = one.name not in self.given or one.name in self.given_sizes
            is_size = not STRIDE.search(one.name.lower()) and one.name not in RESERVED
            if is_integer and not one.is_constexpr and is_open and is_size and value.__index__() > 1:
                found[one.name] = value.__index__()
        return found

    def tuned(self, tuner, args, kwargs):
        """Notes a launch for each configuration that a tuner would try."""
        if not self.is_on:
            return None
        tuner.nargs = dict(zip(tuner.arg_names, args))
        listed = self.pruned(tuner, {name: value for name, value in kwargs.items() if name not in ("grid", "warmup")})
        self.each(tuner.fn.run, args, kwargs, self.corners or [all_values(config) for config in listed])
        return None

    def heuristic(self, run, heuristics, args, kwargs):
        """Notes a launch for each corner of the parameters, whose values heuristics may look at."""
        if self.is_on and self.corners and self.config is None:
            self.each(lambda *args, **kwargs: run(heuristics, *args, **kwargs), args, kwargs, self.corners)
            return None
        return run(heuristics, *args, **kwargs)

    def each(self, run, args, kwargs, configurations):
        """Runs a kernel for each configuration of one launch."""
        self.number += self.config is None
        outer = self.config
        for values in configurations:
            self.config = {**(outer or {}), **values}
            run(*args, **{**kwargs, **values})
        self.config = outer

    def pruned(self, tuner, kwargs):
        """The configurations that a tuner would try."""
        listed = list(tuner.configs)
        prune = getattr(tuner, "early_config_prune", None)
        if getattr(tuner, "perf_model", None):
            self.note("the list's `perf_model` is not asked: all configurations are compared")
        if not prune:
            return listed
        try:
            return list(prune(listed, tuner.nargs, **kwargs)) or listed
        except Exception as why:
            self.note(f"the list is not pruned: `early_config_prune` fails with {reason(why)}")
            return listed

    def note(self, text):
        """Keeps a note for the user, once."""
        if text not in self.notes:
            self.notes.append(text)


RECORDER = Recorder()


def all_values(config):
    """The values of a configuration by name, without options that it leaves out."""
    values = dict(config.kwargs)
    for name in ("num_warps", "num_stages", "num_ctas", "maxnreg"):
        value = getattr(config, name, None)
        if value is not None and not (name == "num_ctas" and value == 1):
            values[name] = value
    return values


def caller():
    """The file and line that launches: the innermost that is neither Triton's nor ours."""
    frame, own = sys._getframe(1), os.path.dirname(os.path.abspath(__file__))
    while frame is not None:
        file = frame.f_code.co_filename
        if not os.path.abspath(file).startswith(own) and f"{os.sep}triton{os.sep}runtime{os.sep}" not in file:
            return file, frame.f_lineno
        frame = frame.f_back
    return None, 0


def tuned(configs, prune_configs_by=None):
    """A decorator that keeps a list of configurations, in place of Triton's or of another tuner's."""
    import triton

    listed = list(configs)
    return lambda function: triton.autotune(configs=listed, key=[], prune_configs_by=prune_configs_by)(function)


def intercept(facts):
    """Puts the recorder in the place of Triton's launches, and the GPU of the question in that of the driver."""
    device = devices.Gpu(facts)
    try:
        import torch
    except ImportError:
        from . import stand_in_torch

        torch = stand_in_torch.installed()
    else:
        from . import real_torch

        real_torch.prepare(torch)
    devices.answering(torch, device)
    import triton
    from triton.runtime import autotuner, jit

    def run(kernel, *args, grid=None, warmup=False, **kwargs):
        return RECORDER.launch(kernel, args, kwargs, grid)

    jit.JITFunction.run = run
    jit.JITFunction.warmup = lambda kernel, *args, **kwargs: run(kernel, *args, **{**kwargs, "warmup": True})
    autotuner.Autotuner.run = lambda tuner, *args, **kwargs: RECORDER.tuned(tuner, args, kwargs)
    heuristic = autotuner.Heuristics.run
    autotuner.Heuristics.run = lambda kept, *args, **kwargs: RECORDER.heuristic(heuristic, kept, args, kwargs)
    driver = getattr(triton.runtime, "driver", None)
    if driver is not None and hasattr(driver, "set_active"):
        driver.set_active(devices.Driver(device, torch.device("meta")))
    return torch


def mutating(tree, names):
    """The statements at a module's top level that fill these names: loops, conditions and calls of their methods."""
    for node in tree.body:
        if isinstance(node, (ast.For, ast.While, ast.With, ast.If, ast.Try, ast.AugAssign, ast.Expr)):
            stored = {one.id for one in ast.walk(node) if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store)}
            touched = {root(one.func.value) for one in ast.walk(node)
                       if isinstance(one, ast.Call) and isinstance(one.func, ast.Attribute)}
            touched |= {root(one.value) for one in ast.walk(node)
                        if isinstance(one, ast.Subscript) and isinstance(one.ctx, ast.Store)}
            if (stored | touched) & names:
                yield node


def root(node):
    """The name that attributes and elements belong to; `None` if it is not a name."""
    while isinstance(node, (ast.Attribute, ast.Subscript)):
        node = node.value
    return node.id if isinstance(node, ast.Name) else None


def needed(tree):
    """The names that the lists of configurations of a file's kernels are made of."""
    made = {}
    for node in tree.body:
        for name in names_of(node):
            made.setdefault(name, []).append(node)
    modules = {name for node in tree.body if isinstance(node, (ast.Import, ast.ImportFrom)) for name in names_of(node)}
    names, open_nodes = set(), []
    for node in loading.kernels(tree):
        if (lists := loading.tuner(node)) is not None:
            open_nodes += [one for one in loading.listing(lists) if one is not None]
    while open_nodes:
        for one in ast.walk(open_nodes.pop()):
            if isinstance(one, ast.Name) and one.id not in names:
                names.add(one.id)
                open_nodes += [node for node in made.get(one.id, []) if not loading.is_kernel(node)]
    return names - modules


def loaded(path):
    """The user's file with its lists of configurations."""
    return loading.load(path, KEPT, lambda tree: mutating(tree, needed(tree)))


class Untuned(Exception):
    """A launch of a kernel whose list of configurations cannot be evaluated."""

    def __init__(self, refused):
        super().__init__(refused.answer["message"])
        self.refused = refused


def untuned(statements, name):
    """The error of a list of configurations that cannot be evaluated."""
    line, why = statements.untuned[name]
    file, at, words = place(why, statements)
    return Refused("configs", f"the configurations of `{name}` cannot be evaluated: {words}",
                   file if at else statements.path, at or line)


def place(why, statements):
    """The innermost place of an exception in the user's own files, and its words with the reason of a missing name."""
    frames = traceback.extract_tb(why.__traceback__)
    own = os.path.dirname(os.path.abspath(__file__))
    frames = [one for one in frames if not one.filename.startswith((own, "<frozen"))]
    near = [one for one in frames if one.filename == statements.path or one.filename == CALL]
    of_python = os.path.dirname(os.__file__)
    others = [one for one in frames if os.path.isfile(one.filename) and "-packages" not in one.filename
              and not one.filename.startswith(of_python)]
    chosen = (others or near or frames or [None])[-1]
    words = reason(why)
    name = getattr(why, "name", None) if isinstance(why, NameError) else None
    seen = set()
    while name is not None and name not in seen:
        seen.add(name)
        causes = [(one.path, one.failed[name]) for one in loading.Statements.all if name in one.failed]
        if causes:
            words += f"; it is missing since {os.path.basename(causes[0][0])} fails there with {causes[0][1]}"
        # What cannot be imported has a cause of its own, in the module that should make it.
        further = re.search(r"cannot import name '(\w+)' from '([\w.]+)'|name '(\w+)' is not defined",
                            causes[0][1] if causes else "")
        name = further and (further.group(1) or further.group(3))
        if further and further.group(2):
            made = [one for one in loading.Statements.all if one.module.__name__ == further.group(2) and name in one.failed]
            words += "".join(f"; {os.path.basename(os.path.dirname(one.path))}/{os.path.basename(one.path)} fails with "
                             f"{one.failed[name]}" for one in made[:1])
            further = re.search(r"name '(\w+)' is not defined", made[0].failed[name]) if made else None
            name = further and further.group(1)
    return (chosen.filename, chosen.lineno or 0, words) if chosen else (None, 0, words)


def configs(request):
    """The configurations of a kernel's own list, pruned as far as the known arguments allow it."""
    ready(request)
    statements = loaded(request["file"])
    kernel = getattr(statements.module, request["kernel"], None)
    if request["kernel"] in statements.untuned:
        raise untuned(statements, request["kernel"])
    while kernel is not None and not hasattr(kernel, "configs"):
        kernel = getattr(kernel, "fn", None)
    there = [node.name for node in loading.kernels(statements.tree)]
    if kernel is None and request["kernel"] not in there:
        raise Refused("no kernel", " ".join(there), request["file"])
    if kernel is None:
        failed = statements.failed.get(request["kernel"])
        words = f"the kernel `{request['kernel']}` cannot be loaded: {failed}" if failed else ""
        raise Refused("kernel" if failed else "no configs", words, request["file"])
    kernel.nargs = {name: value for name, value in request["arguments"].items() if name in kernel.arg_names}
    listed = [all_values(one) for one in RECORDER.pruned(kernel, {})]
    names = dict.fromkeys(name for one in listed for name in one)
    _, line = next(((node, loading.tuner(node).lineno) for node in loading.kernels(statements.tree)
                    if node.name == request["kernel"] and loading.tuner(node)), (None, 0))
    found = [numbers(one, names, request["file"], line) for one in listed]
    yield {"kernel": request["kernel"], "configurations": distinct(found), "notes": RECORDER.notes}


def numbers(values, names, file, line):
    """A configuration's values as integers, with the usual ones of the compiler."""
    found = {}
    for name in names:
        if name not in values and name not in USUAL:
            raise Refused("configs", f"a configuration of the list has no `{name}`, and others have one", file, line)
        value = values.get(name, USUAL.get(name))
        value = getattr(value, "value", value)
        if not hasattr(value, "__index__"):
            raise Refused("configs", f"`{name}` is {value!r} in a configuration of the list: integers alone are compared",
                          file, line)
        found[name] = value.__index__()
    return {**found, **{name: value for name, value in USUAL.items() if name not in found}}


def distinct(listed):
    """Different configurations in their order."""
    found = []
    for one in listed:
        if one not in found:
            found.append(one)
    return found


def ready(request):
    """Loads Triton and PyTorch, or what stands for it."""
    try:
        return intercept(request["gpu"])
    except ImportError as why:
        raise Refused("absent", f"Triton cannot be imported: {why}") from why


def call(request):
    """What a call launches, as options of a command line say it."""
    torch = ready(request)
    path = request["file"]
    statements = loaded(path)
    names = statements.module.__dict__
    import triton

    names.setdefault("torch", torch)
    names.setdefault("triton", triton)
    ends = [{name: values[at] for name, values in request["parameters"].items()} for at in (0, -1)]
    RECORDER.corners = distinct(ends) if request["parameters"] else []
    RECORDER.parameters, RECORDER.given, RECORDER.given_sizes = request["parameters"], request["given"], request["sizes"]
    execute(request["call"], names, statements)
    chosen = select(RECORDER.launches, request, statements)
    yield {**described(chosen, request), "notes": RECORDER.notes}


def execute(text, names, statements):
    """Executes a call: statements, of which the last may be an expression; a function's name alone calls it."""
    try:
        tree = ast.parse(text.strip(), CALL)
    except (SyntaxError, ValueError) as why:
        words = why.msg if isinstance(why, SyntaxError) else str(why)
        raise Refused("call", f"the call is not an expression of Python: {words}") from why
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    RECORDER.is_on = True
    try:
        if tree.body:
            exec(compile(tree, CALL, "exec"), names)
        if last is not None:
            value = eval(compile(ast.Expression(last.value), CALL, "eval"), names)
            if not RECORDER.launches and inspect.isfunction(value):
                value()
    except KeyboardInterrupt:
        raise
    except Untuned as why:
        raise why.refused from why
    except Refused:
        raise
    except BaseException as why:
        # What is launched before a failure is no answer: what follows might launch the kernel, too.
        file, line, words = place(why, statements)
        in_call = file == CALL
        raise Refused("call", f"the call fails: {words}", None if in_call else file, 0 if in_call else line) from why
    finally:
        RECORDER.is_on = False


def select(launches, request, statements):
    """The launches of the kernel that is asked for, or of the only one: those of the first time with its arguments."""
    path, wanted = os.path.realpath(request["file"]), request["kernel"]
    kinds = {}
    for one in launches:
        kinds.setdefault((one.file, one.name), []).append(one)
    listed = [f"`{os.path.basename(file)}:{name}`" for file, name in kinds]
    if not launches:
        failed = [f"{name}: {why}" for name, why in statements.failed.items() if isinstance(name, str)]
        words = f"; of the file these failed to load: {'; '.join(failed[:5])}" if failed else ""
        raise Refused("call", f"the call launches no kernel{words}")
    if wanted is None and len(kinds) > 1:
        raise Refused("several", ", ".join(listed))
    found = [key for key in kinds if wanted in (None, key[1])]
    if not found:
        raise Refused("call", f"the call does not launch `{wanted}`: it launches {', '.join(listed)}")
    of_file = [key for key in found if key[0] == path]
    if not of_file:
        file, name = found[0]
        raise Refused("call", f"the kernel `{name}` is in another file: name it, as in `{file}:{name}`")
    chosen = kinds[of_file[0]]
    first = [one for one in chosen if one.number == chosen[0].number]
    others = {one.number: one for one in chosen if one.number != chosen[0].number}
    forms = {shape(one) for one in others.values()} - {shape(first[0])}
    if forms:
        lines = sorted({one.where[1] for one in chosen})
        RECORDER.note(f"the call launches `{first[0].name}` {len(others) + 1} times in {len(forms) + 1} forms, at the lines "
                      f"{', '.join(map(str, lines[:8]))}: the first is taken")
    return first


def shape(launch):
    """The text that tells a launch's arguments from others'."""
    return str([(name, str(describe_value(value))) for name, value in launch.bound.items()]) + str(launch.options)


def describe_value(value):
    """A value for a comparison: of a tensor, its type and alignment."""
    if hasattr(value, "data_ptr"):
        return pointer(value)
    return repr(value) if isinstance(value, (int, float, str, type(None))) else type(value).__name__


def pointer(tensor):
    """The type of a tensor's elements as Triton names it, and whether its address is a multiple of 16."""
    name = str(tensor.dtype).split(".")[-1]
    base = getattr(tensor, "base", tensor)
    base = tensor if base is None else base
    offset = base.storage_offset() * base.element_size() if hasattr(base, "storage_offset") else 0
    return TYPES.get(name), offset % 16 == 0


class Values:
    """What the launches of one kernel say: types, values and constants."""

    def __init__(self, sizes):
        self.sizes = sizes
        self.types, self.arguments, self.problem, self.define = {}, {}, {}, {}
        self.unaligned, self.contents = [], {}

    def take(self, name, value, parameter):
        """Takes an argument that is not a constant of the compilation; returns its constant value if it becomes one."""
        value = getattr(value, "value", value) if type(value).__name__ == "constexpr" else value
        if value is None:
            return "None"
        if hasattr(value, "data_ptr"):
            self.tensor(name, value)
        elif isinstance(value, bool):
            self.types[name], self.arguments[name] = "i1", str(int(value))
        elif isinstance(value, float) or type(value).__name__.startswith("float"):
            if value != value or value in (float("inf"), float("-inf")):
                raise Refused("call", f"the argument `{name}` is {value}: give its value with `--argument {name}=1.0`")
            self.arguments[name] = f"{float(value)!r}"
        elif hasattr(value, "__index__"):
            self.integer(name, value.__index__(), parameter)
        else:
            raise Refused("call", f"the argument `{name}` of the kernel is a {type(value).__name__}: only tensors, numbers "
                                  "and truths are understood")
        return None

    def tensor(self, name, value):
        """Takes a pointer."""
        kind, is_aligned = pointer(value)
        if kind is None:
            raise Refused("call", f"the tensor `{name}` holds {value.dtype}, which is not understood")
        self.types[name] = f"*{kind}"
        if not is_aligned:
            self.unaligned.append(name)
        if kind in ("i32", "i64", "i16", "i8"):
            held = contents(value)
            if held is not None:
                self.contents[name] = held

    def integer(self, name, value, parameter):
        """Takes an integer: a size of the problem, unless its name says that it is a stride."""
        annotation = str(getattr(parameter, "annotation", "") or "")
        if re.search(r"\b(u?int64|[iu]64)\b", annotation):
            self.types[name] = "i64"
        if name in self.sizes:
            self.problem[name] = value
        else:
            self.arguments[name] = str(value)


def contents(tensor):
    """The elements of an array on the processor as an expression of `i`; `None` if they are unknown or are not one."""
    if str(getattr(tensor, "device", "meta")) != "cpu" or tensor.numel() > 1 << 16 or not hasattr(tensor, "tolist"):
        return None
    try:
        held = tensor.tolist()
    except Exception:
        return None
    while isinstance(held, list) and held and isinstance(held[0], list):
        held = [one for row in held for one in row]
    if not isinstance(held, list) or len(held) < 2:
        return None
    first, step = held[0], held[1] - held[0]
    if any(value != first + step * at for at, value in enumerate(held)) or first < 0 or step < 0:
        return None
    if step == 0:
        return str(first)
    if (first, step) == (0, 1):
        return "identity"
    return f"{step} * i" + (f" + {first}" if first else "")


def constant(value, name):
    """A constant as `--define` says it."""
    value = getattr(value, "value", value) if type(value).__name__ == "constexpr" else value
    if value is None or isinstance(value, (bool, int)):
        return str(value)
    if isinstance(value, float):
        return repr(value)
    if isinstance(value, str):
        try:
            ast.literal_eval(value)
        except (ValueError, SyntaxError):
            return repr(value) if value.startswith("tl.") else value
        return repr(value)
    words = type_name(value)
    if words is not None:
        return words
    if hasattr(value, "__index__"):
        return str(value.__index__())
    raise Refused("call", f"the constant `{name}` of the kernel is a {type(value).__name__}: numbers, texts and types of "
                          "Triton are understood")


def type_name(value):
    """The name of a type of Triton, `tl.float16`; `None` for anything else."""
    import triton.language

    if type(value).__name__ != "dtype":
        return None
    name = str(value).split(".")[-1]
    for known, one in vars(triton.language).items():
        if type(one).__name__ == "dtype" and (one is value or str(one) == name) and not known.startswith("_"):
            return f"tl.{known}"
    return f"tl.{name}" if hasattr(triton.language, name) else None


def described(launches, request):
    """The launches of one kernel with its configurations as options."""
    kernel, first = launches[0].kernel, launches[0]
    parameters = {one.name: one for one in kernel.params}
    values = Values(RECORDER.sizes(kernel, first.bound))
    constants = [{} for _ in launches]
    for name, parameter in parameters.items():
        if parameter.is_constexpr:
            for held, launch in zip(constants, launches):
                if name not in request["parameters"] and name not in request["given"]:
                    held[name] = constant(launch.bound.get(name), name)
        else:
            made = values.take(name, first.bound.get(name), parameter)
            for held in constants if made is not None else []:
                held[name] = made
    for held, launch in zip(constants, launches):
        for name, value in launch.options.items():
            if name == "num_ctas" and value not in (None, 1):
                raise Refused("call", f"the launch asks for clusters: `num_ctas` is {value}")
            if value is not None and name not in SILENT and name not in request["parameters"]:
                held[name] = constant(value, name)
    varied = [name for name in dict.fromkeys(name for held in constants for name in held)
              if len({held.get(name) for held in constants}) > 1]
    tuned_names = dict.fromkeys([*(name for name in first.config or () if name in constants[0]), *varied])
    is_listed = not request["parameters"]
    if not is_listed and varied:
        raise Refused("call", f"the constant `{varied[0]}` follows from the parameters: it is {constants[0].get(varied[0])} "
                              f"at one end and {constants[-1].get(varied[0])} at the other; compare a list of "
                              "configurations instead, or give it with `--define`", first.file, first.kernel_line)
    configurations = [chosen(held, tuned_names, first) for held in constants] if is_listed else []
    defined = {name: text for name, text in constants[0].items() if name not in tuned_names or not is_listed}
    if not is_listed:
        for name in first.config or ():
            defined.pop(name, None)
    else:
        for name in USUAL:
            text = defined.pop(name, None)
            for one in configurations:
                one.setdefault(name, int(text) if text is not None else USUAL[name])
    values.define = defined
    programs = grid_of(launches, configurations, values.problem, request)
    return {
        "kernel": first.name, "types": values.types, "arguments": values.arguments, "problem": values.problem,
        "define": values.define, "unaligned": values.unaligned, "contents": values.contents, "programs": programs,
        "configurations": distinct(configurations),
    }


def chosen(held, names, launch):
    """The values of a configuration as integers."""
    found = {}
    for name in names:
        text = held.get(name)
        value = {"True": 1, "False": 0}.get(text, text)
        try:
            found[name] = int(value)
        except (TypeError, ValueError) as why:
            raise Refused("call", f"the constant `{name}` differs between the configurations, and is {text} in one: "
                                  "integers alone are compared", launch.file) from why
    return found


def grid_of(launches, configurations, problem, request):
    """The sides of the grid as texts."""
    first = launches[0]
    grids.SIZES.clear()
    grids.SIZES.update(problem)
    if first.is_fixed:
        passed = [name for name in request["parameters"] if isinstance(first.bound.get(name), int)]
        if passed and "programs" not in request["given"]:
            raise Refused("call", f"the call computes its grid {tuple(first.count)} before the launch, so that nothing says "
                                  f"how it follows `{passed[0]}`: give it with `--programs`", *first.where)
        return grids.texts(first.count)
    why = first.why
    if first.sides is not None:
        if is_same(first.sides, launches, configurations, problem):
            return grids.texts(first.sides)
        why = "its expression has other values than the function"
    if request["parameters"]:
        if "programs" in request["given"]:
            return []
        raise Refused("call", f"the grid cannot be expressed by the parameters ({why}): give it with `--programs`",
                      *first.where)
    try:
        counts = [[one.count[side] for one in launches] for side in range(3)]
        return grids.texts([grids.by_cases(configurations, counted) for counted in counts])
    except grids.NoExpression as failure:
        raise Refused("call", f"the grid cannot be expressed by the configuration ({why}; {failure}): give it with "
                              "`--programs`", *first.where) from failure


def is_same(sides, launches, configurations, problem):
    """True if a grid's expressions have the values that its function has, for each configuration."""
    corners = configurations or [one.config or {} for one in launches]
    for values, launch in zip(corners, launches):
        own = {name: value for name, value in {**launch.options, **launch.bound}.items() if isinstance(value, int)}
        known = {**USUAL, **own, **problem, **values}
        found = [side if isinstance(side, int) else grids.value_of(side.text, known) for side in sides]
        if found != launch.count:
            return False
    return True
