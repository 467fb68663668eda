"""Compiles a kernel in Triton to a program for a GPU of NVIDIA's, as Triton's launcher would: for `ci/on_gpu`."""
import dataclasses
import importlib.util


@dataclasses.dataclass
class Built:
    """A program: its file, the kernel's name there, the bytes of local memory, the places of the arguments that are left
    among those that are no constants. In place of all that, the words of an error."""

    cubin: str = ""
    name: str = ""
    shared: int = 0
    places: tuple = ()
    error: str = ""


def compiled(work):
    """The program of one configuration of an example."""
    example, configuration, folder, target = work
    try:
        return compile_one(example, configuration, folder, target)
    except Exception as error:
        return Built(error=f"{type(error).__name__}: {error}")


def compile_one(example, configuration, folder, target):
    import triton
    from triton.backends.compiler import GPUTarget

    kernel = kernel_of(example)
    given = configuration | example.source.get("define", {})
    options = {name: given.pop(name) for name in ("num_warps", "num_stages") if name in given}
    source, places = source_of(kernel, example, given)
    made = triton.compile(source, target=GPUTarget("cuda", int(target.removeprefix("sm_")), 32), options=options)
    cubin = folder / ("_".join(str(value) for value in configuration.values()) + ".cubin")
    cubin.write_bytes(made.asm["cubin"])
    return Built(str(cubin), made.metadata.name, made.metadata.shared, tuple(places))


def kernel_of(example):
    """The function with the decorator `jit`, without that of a tuner."""
    spec = importlib.util.spec_from_file_location(example.file.stem, example.file)
    loaded = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(loaded)
    kernel = getattr(loaded, example.source["kernel"])
    return getattr(kernel, "fn", kernel) if hasattr(kernel, "configs") else kernel


def source_of(kernel, example, constants):
    """The kernel with types, constants and hints, and the places of the arguments that are left.

    An integer of 1 is a constant; pointers and integers that 16 divides are told so."""
    from triton.compiler import ASTSource

    constants, signature, hints, places, place = dict(constants), {}, {}, [], 0
    for position, parameter in enumerate(kernel.params):
        name = parameter.name
        if parameter.is_constexpr:
            signature[name] = "constexpr"
            continue
        kind = example.source["types"].get(name, "i32")
        value = example.argument(name) if kind.startswith("i") else None
        if value == 1:
            signature[name], constants[name] = "constexpr", 1
        else:
            signature[name] = kind
            places.append(place)
            if kind.startswith("*") or (value is not None and value % 16 == 0):
                hints[(position,)] = [["tt.divisibility", 16]]
        place += 1
    return ASTSource(kernel, signature, constants, hints), places
