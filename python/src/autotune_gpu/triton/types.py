"""Types and constants of arguments, in the words of a spec."""

from __future__ import annotations

from typing import Any

from ..error import AutotuneError

TYPES = {
    "bool": "i1", "int8": "i8", "int16": "i16", "int32": "i32", "int64": "i64",
    "uint8": "u8", "uint16": "u16", "uint32": "u32", "uint64": "u64",
    "float16": "fp16", "bfloat16": "bf16", "float32": "fp32", "float64": "fp64",
    "float8_e4m3fn": "fp8e4nv", "float8e4nv": "fp8e4nv", "float8_e5m2": "fp8e5", "float8e5": "fp8e5",
    "float8_e4m3fnuz": "fp8e4b8", "float8e4b8": "fp8e4b8", "float8_e5m2fnuz": "fp8e5b16", "float8e5b16": "fp8e5b16",
}
"""Triton's types of elements by the names that torch, NumPy and `triton.language` give them."""


def type_of(name: str, value: Any) -> str:
    """The type of an argument that is a tensor or a fraction: `*fp16`, `fp32`.

    Raises:
        AutotuneError: if the value is neither
    """
    if isinstance(value, float):
        return "fp32"
    # A descriptor of a tensor has a type of elements, too, but is not a pointer.
    if not hasattr(value, "dtype") or hasattr(value, "block_shape"):
        raise AutotuneError(f"the argument `{name}` is {type(value).__name__}, whose type is not known; name it by `types=`")
    word = str(value.dtype).split(".")[-1]
    element = TYPES.get(word, word if word in TYPES.values() else None)
    if element is None:
        raise AutotuneError(f"the argument `{name}` has elements of `{value.dtype}`, which is not known")
    return f"*{element}"


def constant(value: Any) -> int | str:
    """A constant of a kernel in a `define`: a number, a literal of Python, or a type as `tl.float16`.

    Raises:
        AutotuneError: if the constant is none of them
    """
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    if value is None or isinstance(value, (bool, float, str)):
        return repr(value)
    element = str(value).split(".")[-1]
    for word, name in TYPES.items():
        if element in (word, name) and not word.startswith("float8_") and word != "bool":
            return f"tl.{word}"
    raise AutotuneError(f"the constant {value!r} cannot be said in a spec")
