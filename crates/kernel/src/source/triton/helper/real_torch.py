"""PyTorch where there is no GPU: what is put on a GPU is put on the device `meta`, which has shapes and no elements."""


def is_gpu(torch, value):
    """True for a device that is a GPU."""
    if isinstance(value, str):
        return value.split(":")[0] in ("cuda", "hip", "xpu")
    return isinstance(value, torch.device) and value.type in ("cuda", "hip", "xpu")


def unchanged(function=None, **_words):
    """A decorator that changes nothing, with or without words."""
    return function if callable(function) else lambda function: function


def marking(*_values, **_words):
    """A decorator that changes nothing, made by a call."""
    return lambda function: function


def newer(torch):
    """Adds what newer versions have, so that a file of today loads with PyTorch 1.13: decorators that change nothing here,
    and questions about mixed precision, which is off. A kernel is launched as itself, never through a registry."""
    import types

    asks = torch.is_autocast_enabled
    torch.is_autocast_enabled = lambda *_device: asks()
    added = {
        torch: {"get_autocast_dtype": lambda _device: torch.float16, "compiler": types.SimpleNamespace(),
                "amp": types.SimpleNamespace(), "library": types.SimpleNamespace(), "compile": unchanged},
    }
    for module, names in added.items():
        for name, value in names.items():
            if not hasattr(module, name):
                setattr(module, name, value)
    parts = {
        "amp": {"custom_fwd": unchanged, "custom_bwd": unchanged},
        "compiler": {"disable": unchanged, "is_compiling": lambda: False, "allow_in_graph": unchanged},
        "library": {"custom_op": marking, "triton_op": marking, "register_fake": marking},
    }
    for part, names in parts.items():
        for name, value in names.items():
            if not hasattr(getattr(torch, part), name):
                setattr(getattr(torch, part), name, value)
    torch.library.wrap_triton = lambda kernel: kernel


def prepare(torch):
    """Sends all that asks for a GPU to the device `meta`."""
    from torch.overrides import TorchFunctionMode

    newer(torch)

    class ToMeta(TorchFunctionMode):
        """Replaces devices in the calls of PyTorch's functions."""

        def __torch_function__(self, function, _types, args=(), kwargs=None):
            name = getattr(function, "__name__", "")
            kwargs = {key: self.replaced(value) for key, value in (kwargs or {}).items()}
            if isinstance(kwargs.get("device"), int) and not isinstance(kwargs["device"], bool):
                kwargs["device"] = "meta"
            if name == "cuda" and args:
                return args[0].to("meta")
            if name in ("pin_memory", "record_stream"):
                return args[0]
            return function(*[self.replaced(value) for value in args], **kwargs)

        @staticmethod
        def replaced(value):
            return torch.device("meta") if is_gpu(torch, value) else value

    torch.Tensor.is_cuda = property(lambda tensor: True)
    torch.Tensor.get_device = lambda tensor: 0
    ToMeta().__enter__()
