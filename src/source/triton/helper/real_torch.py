"""PyTorch where there is no GPU: what is put on a GPU is put on the device `meta`, which has shapes and no elements."""


def is_gpu(torch, value):
    """True for a device that is a GPU."""
    if isinstance(value, str):
        return value.split(":")[0] in ("cuda", "hip", "xpu")
    return isinstance(value, torch.device) and value.type in ("cuda", "hip", "xpu")


def prepare(torch):
    """Sends all that asks for a GPU to the device `meta`."""
    from torch.overrides import TorchFunctionMode

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
