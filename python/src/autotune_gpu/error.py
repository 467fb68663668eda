"""The error of a program that is missing, refuses a question, or ends early."""


class AutotuneError(Exception):
    """`autotune` is missing, refuses the spec, the GPU or a request, or ended before it answered."""
