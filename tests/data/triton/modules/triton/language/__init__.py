"""The names of Triton's language that files use outside of kernels."""


class dtype:  # noqa: N801  It has Triton's name.
    """The type of a number."""

    def __init__(self, name):
        self.name = name

    def __str__(self):
        return self.name


class constexpr:  # noqa: N801  It has Triton's name.
    """A constant of the compilation."""

    def __init__(self, value):
        self.value = value


float16, bfloat16, float32, int32, int64 = (dtype(name) for name in ("fp16", "bf16", "fp32", "int32", "int64"))
