"""Compiles kernels in Triton as far as LLVM's text, for a GPU that need not be there.

It runs in the user's own Python: emit.py REQUEST, where REQUEST is a file of JSON. It prints lines of JSON: what is in a
file (`describe`, which imports nothing), or one line for each configuration (`compile`), each in a process of its own.
The user's module is not imported: of its statements, only imports, assignments, classes and functions are executed, and
of its decorators only `jit`. So a file that asks for a device or starts a benchmark loads where there is no GPU. What a
decorator `autotune` lists (`configs`) and what a call launches (`call`) is found by the module `launches` beside this one.
"""

import ast
import importlib.metadata
import importlib.util
import inspect
import json
import os
import re
import resource
import signal
import sys
import warnings

from autotune_helper import uses
from autotune_helper.files import Refused, imports, neighbours, parsed, trees
from autotune_helper.loading import kernels, know_jits, load, tuner

# The oldest version whose interface is known.
OLDEST = (3, 1)
# The version of PTX that is asked for, so that no assembler is asked for its own.
PTX_VERSION = 86
# What of the compiler's notes is told.
TOLD = ("shared", "num_warps", "num_ctas", "tmem_size", "global_scratch_size", "warp_size")


def version():
    """The version of Triton that is installed; `None` if there is none. Triton is not imported."""
    try:
        return importlib.metadata.version("triton")
    except importlib.metadata.PackageNotFoundError:
        return None


def numbers(text):
    """The first two numbers of a version."""
    parts = text.split(".")
    return tuple(int("".join(c for c in part if c.isdigit()) or 0) for part in parts[:2])


# --- What is in a file ---------------------------------------------------------------------------------------------


def default_of(node):
    """A default value as it is told: a literal, or the text."""
    try:
        return {"value": ast.literal_eval(node)}
    except ValueError:
        return {"text": ast.unparse(node)}


def arguments(node):
    """The arguments of a kernel: name, whether it is a constant of the compilation, and its default."""
    listed = node.args.posonlyargs + node.args.args + node.args.kwonlyargs
    positional = node.args.posonlyargs + node.args.args
    defaults = dict(zip([one.arg for one in positional][::-1], node.args.defaults[::-1]))
    defaults |= {one.arg: value for one, value in zip(node.args.kwonlyargs, node.args.kw_defaults) if value is not None}
    for one in listed:
        is_constant = one.annotation is not None and "constexpr" in ast.unparse(one.annotation)
        default = defaults.get(one.arg)
        yield {"name": one.arg, "constant": is_constant, "default": default and default_of(default)}


def absent(trees):
    """The modules that files import and that are not installed. Nothing is imported."""
    names = set()
    for node in (node for tree in trees for node in imports(tree)):
        if isinstance(node, ast.Import):
            names.update(alias.name.split(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and not node.level:
            names.add(node.module.split(".")[0])
    return sorted(name for name in names if not is_installed(name))


def is_installed(name):
    """True if a module of this name can be found."""
    try:
        return name in sys.modules or importlib.util.find_spec(name) is not None
    except (ImportError, ValueError):
        return False


def describe(request):
    """What a file has, without executing it."""
    path = request["file"]
    tree = parsed(path)
    files = neighbours(path, tree, [])
    read = list(trees(path, files))
    know_jits(path, files)
    listed = []
    for node in kernels(tree):
        of_kernel = {"name": node.name, "line": node.lineno, "arguments": list(arguments(node))}
        listed.append({**of_kernel, "pointers": uses.pointers(node, tree), "tuned": tuner(node) is not None})
    known = {"python": sys.version.split()[0], "triton": version(), "absent": absent(read)}
    yield {**known, "kernels": listed, "files": files}


# --- Compilation ---------------------------------------------------------------------------------------------------


def constant(value):
    """A constant of a kernel as a spec says it: a number, a literal, a boolean as Python or YAML writes it, a type `tl.float16`,
    or words."""
    if not isinstance(value, str):
        return value
    if value.startswith("tl."):
        import triton.language

        found = getattr(triton.language, value[3:], None)
        if found is None:
            raise Refused("constant", f"`{value}` is not in triton.language")
        return found
    if value in ("true", "false"):
        return value == "true"
    try:
        return ast.literal_eval(value)
    except (ValueError, SyntaxError):
        return value


def fitting(function, given):
    """Calls a function with those of the given arguments that it takes: versions of Triton differ in them."""
    taken = inspect.signature(function).parameters
    return function(*[given[name] for name in taken if name in given])


def source(kernel, asked, request):
    """The kernel with its types, constants and hints, as this version of Triton takes them; and the arguments left."""
    from triton.compiler import ASTSource

    signature, constants, hints = {}, {}, []
    known = {name: constant(value) for name, value in asked["constants"].items()}
    for position, parameter in enumerate(kernel.params):
        name = parameter.name
        hint = asked["hints"].get(name, 0)
        specializes = not parameter.do_not_specialize
        if parameter.is_constexpr:
            if name in known:
                constants[name] = known[name]
            elif parameter.default is not inspect.Parameter.empty:
                constants[name] = parameter.default
            else:
                raise Refused("constant", f"the constant `{name}` of the kernel has no value")
            continue
        kind = request["types"].get(name) or asked["types"].get(name)
        if name in known and known[name] is None:
            constants[name] = None
            continue
        if kind is None:
            raise Refused("type", f"the argument `{name}` has no type")
        if hint == 1 and specializes:
            constants[name] = 1
            continue
        signature[name] = kind
        is_aligned = kind.startswith("*") and name not in request["unaligned"]
        if is_aligned or (hint == 16 and specializes):
            hints.append(position)
    left = list(signature)
    takes = inspect.signature(ASTSource).parameters
    if "constexprs" in takes:
        signature = {name: signature.get(name, "constexpr") for name in kernel.arg_names}
        attributes = {(position,): [["tt.divisibility", 16]] for position in hints}
        return ASTSource(kernel, signature, constants, attributes), left
    ones = {position for position, name in enumerate(kernel.arg_names) if asked["hints"].get(name) == 1}
    return ASTSource(kernel, signature, constants, described_attributes(hints, ones)), left


def described_attributes(hints, ones):
    """The hints as versions before 3.3 take them."""
    try:
        from triton.compiler.compiler import AttrsDescriptor
    except ImportError:
        from triton.backends.compiler import AttrsDescriptor
    if "divisible_by_16" in inspect.signature(AttrsDescriptor).parameters:
        return AttrsDescriptor(divisible_by_16=set(hints), equal_to_1=ones)
    made = AttrsDescriptor()
    made.arg_properties = {"tt.divisibility": list(hints), "tt.equal_to": list(ones)}
    return made


def emit(kernel, asked, request):
    """The texts of one configuration: LLVM's, and the target's own if it is asked for.

    Assumptions have marks in LLVM's text, which is then made a second time: no assembler knows them."""
    plain = emitted(kernel, asked, request)
    taken, trips = (set(request.get("assumed", {}).get(name, ())) for name in ("taken", "trips"))
    if not taken and not trips:
        return plain
    import marks

    with marks.marking(taken, trips):
        made = emitted(kernel, asked, {**request, "assembly": False})
    return {**plain, "llir": made["llir"]}


def emitted(kernel, asked, request):
    """The texts of one configuration, as Triton makes them."""
    from triton._C.libtriton import ir
    from triton.backends.compiler import GPUTarget
    from triton.compiler.compiler import make_backend

    target = GPUTarget(*request["target"])
    backend = make_backend(target)
    options = dict(asked["options"])
    if target.backend == "cuda":
        options["ptx_version"] = PTX_VERSION
    made, left = source(kernel, asked, request)
    options = backend.parse_options({**options, **made.parse_options()})
    context = ir.context()
    ir.load_dialects(context)
    backend.load_dialects(context)
    given = {
        "target": target,
        "options": options,
        "context": context,
        "module_map": backend.get_module_map() if hasattr(backend, "get_module_map") else {},
        "codegen_fns": fitting(backend.get_codegen_implementation, {"options": options}),
    }
    stages = {}
    fitting(backend.add_stages, {"stages": stages, "options": options, "language": getattr(made, "language", None)})
    notes = {"target": target, **options.__dict__}
    text = fitting(made.make_ir, given)
    texts = {}
    last = ("ptx" if target.backend == "cuda" else "amdgcn") if request["assembly"] else "llir"
    for name, stage in stages.items():
        text = stage(text, notes)
        texts[name] = text
        if name == last:
            break
    told = {name: notes.get(name) for name in TOLD}
    return {"llir": str(texts["llir"]), "assembly": str(texts[last]) if request["assembly"] else None,
            "arguments": left, "metadata": told}


def place_of(why, module):
    """The file, line and column of the user's text that a failed compilation names; zeros if it names none."""
    while why is not None:
        node, text = getattr(why, "node", None), getattr(why, "src", None)
        functions = [one for one in vars(module).values() if hasattr(one, "starting_line_number") and hasattr(one, "src")]
        found = [one for one in functions if one.src == text]
        if node is not None and found and not isinstance(why.__cause__, type(why)):
            line = line_of_def(found[0].fn) + node.lineno - 1
            return found[0].fn.__code__.co_filename, line, getattr(node, "col_offset", -1) + 1
        why = why.__cause__
    return None, 0, 0


def line_of_def(function):
    """The line of a function's `def`, which Triton counts from: decorators stand before it."""
    lines, first = inspect.getsourcelines(function)
    return first + next((number for number, line in enumerate(lines) if line.lstrip().startswith("def ")), 0)


def is_in_all(why, kernel):
    """True if an error is there whatever the constants are: of a name that is missing in a statement of the kernel that no
    condition leaves out."""
    node, text = getattr(why, "node", None), getattr(why, "src", None)
    words = message_of(why)
    name = re.match(r"NameError\('(\w+) is not defined'\)$", words)
    if node is None or text != kernel.src or not (name or re.match(r"AttributeError\(.module '", words)):
        return False
    function = ast.parse(text).body[0]
    stored = {one.id for one in ast.walk(function) if isinstance(one, ast.Name) and not isinstance(one.ctx, ast.Load)}
    if name and name.group(1) in stored:
        return False
    for statement in function.body:
        if statement.lineno <= node.lineno <= statement.end_lineno:
            deciding = (ast.IfExp, ast.BoolOp, ast.stmt)
            return not any(isinstance(one, deciding) for one in ast.walk(statement) if one is not statement)
        if any(isinstance(one, ast.Return) for one in ast.walk(statement)):
            return False
    return False


def message_of(why):
    """The words of an exception, without the text that Triton quotes."""
    while isinstance(why.__cause__, Exception) and hasattr(why.__cause__, "node"):
        why = why.__cause__
    words = getattr(why, "error_message", None) or (why.__cause__ and str(why.__cause__)) or str(why)
    return " ".join(str(words).split())[:500] or type(why).__name__


def answered(kernel, loaded, asked, request):
    """The answer for one configuration. An error is open to change if the file could not be loaded as a whole."""
    try:
        return emit(kernel, asked, request)
    except Refused as why:
        return {"error": why.answer}
    except Exception as why:
        file, line, column = place_of(why, loaded.module)
        error = {"kind": "compile", "message": message_of(why), "file": file, "line": line, "column": column}
        return {"error": {**error, "open": bool(loaded.failed), "in_all": is_in_all(why, kernel)}}


def forked(work, seconds):
    """The result of a function in a process of its own, which may end without one."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reading)
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 5))
        # What the compiler prints is not an answer.
        os.dup2(2, 1)
        try:
            with os.fdopen(writing, "w", encoding="utf-8") as out:
                json.dump(work(), out)
        finally:
            os._exit(0)
    os.close(writing)
    with os.fdopen(reading, encoding="utf-8") as answer:
        text = answer.read()
    _, status = os.waitpid(child, 0)
    try:
        return json.loads(text)
    except ValueError:
        ended = os.WTERMSIG(status) if os.WIFSIGNALED(status) else 0
        kind, how = ("overrun", str(seconds)) if ended == signal.SIGXCPU else ("ended", f"signal {ended}")
        return {"error": {"kind": kind, "message": how, "file": None, "line": 0, "column": 0}}


def compile_all(request):
    """Compiles the configurations one after the other."""
    warnings.simplefilter("ignore")
    found = version()
    if found is None:
        raise Refused("absent", "Triton is not installed")
    if numbers(found) < OLDEST:
        raise Refused("old", found)
    try:
        import triton.compiler  # noqa: F401  It is loaded once, before the processes part.
    except Exception as why:
        raise Refused("absent", f"Triton cannot be imported: {why}") from why
    loaded = load(request["file"])
    kernel = getattr(loaded.module, request["kernel"], None)
    while not hasattr(kernel, "params") and hasattr(kernel, "fn"):
        kernel = kernel.fn
    if not hasattr(kernel, "params"):
        why = loaded.failed.get(request["kernel"], "it is not a function with the decorator `jit`")
        raise Refused("kernel", f"the kernel `{request['kernel']}` cannot be loaded: {why}", request["file"])
    for number, asked in enumerate(request["configurations"]):
        work = lambda: answered(kernel, loaded, asked, request)  # noqa: E731
        yield {"number": number, "triton": found, **forked(work, request["seconds"])}


def launched(request):
    """A kernel's own configurations, or what a call launches."""
    warnings.simplefilter("ignore")
    found = version()
    if found is None:
        raise Refused("absent", "Triton is not installed")
    if numbers(found) < OLDEST:
        raise Refused("old", found)
    from autotune_helper import launches

    return {"configs": launches.configs, "call": launches.call}[request["do"]](request)


def main():
    """Answers the request in the file that is named."""
    with open(sys.argv[1], encoding="utf-8") as file:
        request = json.load(file)
    # Only answers are printed: what a user's module prints goes where errors go.
    out, sys.stdout = sys.stdout, sys.stderr
    answer = {"describe": describe, "compile": compile_all, "configs": launched, "call": launched}[request["do"]]
    try:
        for line in answer(request):
            print(json.dumps(line, default=str), file=out, flush=True)
    except Refused as why:
        print(json.dumps({"error": why.answer}), file=out, flush=True)
    except OSError as why:
        words = f"cannot read `{why.filename}`: {why.strerror}" if why.filename else str(why)
        print(json.dumps({"error": Refused("file", words).answer}), file=out, flush=True)


if __name__ == "__main__":
    main()
