"""The GPU that a user's program finds where there is none: the one of the question."""

import types


class NoFact(Exception):
    """A question about the GPU that has no answer here."""


class Gpu:
    """The facts of a GPU: its name, Triton's target, and numbers."""

    def __init__(self, facts):
        self.facts = facts
        self.backend, self.architecture, self.warp = facts["target"] or ("cuda", 80, 32)

    def fact(self, name):
        """A number of the profile."""
        value = self.facts.get(name)
        if value is None:
            raise NoFact(f"the call asks for the GPU's {name.replace('_', ' ')}, and no GPU is named: `--gpu NAME`")
        return value

    def capability(self):
        """The compute capability, of AMD's GPUs the two numbers of the architecture."""
        if self.backend == "cuda":
            return divmod(self.architecture, 10)
        digits = self.architecture.removeprefix("gfx")
        return int(digits[:-2]), int(digits[-2], 16)

    def properties(self):
        """The properties as PyTorch names them."""
        major, minor = self.capability()
        local = self.fact("local_memory")
        return types.SimpleNamespace(
            name=self.facts["name"], major=major, minor=minor, multi_processor_count=self.fact("multiprocessors"),
            total_memory=80 << 30, warp_size=self.warp, max_threads_per_multi_processor=self.fact("work_items"),
            shared_memory_per_block=48 << 10, shared_memory_per_block_optin=local,
            shared_memory_per_multiprocessor=self.fact("local_memory_of_multiprocessor"),
            regs_per_multiprocessor=self.fact("registers"), L2_cache_size=self.facts.get("l2") or 0,
            gcnArchName=str(self.architecture), is_integrated=0, is_multi_gpu_board=0, max_threads_per_block=1024)


class Utils:
    """What of a driver answers questions about a device."""

    def __init__(self, gpu):
        self.gpu = gpu

    def get_device_properties(self, _device=0):
        """The properties as Triton names them."""
        gpu = self.gpu
        return {"max_shared_mem": gpu.fact("local_memory"), "max_num_regs": gpu.fact("registers"),
                "multiprocessor_count": gpu.fact("multiprocessors"), "warpSize": gpu.warp, "sm_clock_rate": 0,
                "mem_clock_rate": 0, "mem_bus_width": 0}


class Driver:
    """Stands for the driver that Triton asks about its target."""

    def __init__(self, gpu, device):
        self.gpu, self.device, self.utils = gpu, device, Utils(gpu)

    def get_current_target(self):
        """The target as Triton names it."""
        try:
            from triton.backends.compiler import GPUTarget
        except ImportError:
            return types.SimpleNamespace(backend=self.gpu.backend, arch=self.gpu.architecture, warp_size=self.gpu.warp)
        return GPUTarget(self.gpu.backend, self.gpu.architecture, self.gpu.warp)

    def get_current_device(self):
        """The number of the only device."""
        return 0

    def set_current_device(self, _device):
        """Does nothing: there is one device."""

    def get_current_stream(self, _device=None):
        """The number of the only stream."""
        return 0

    def get_active_torch_device(self):
        """The device of tensors."""
        return self.device

    def get_device_capability(self, _device=None):
        """The compute capability."""
        return self.gpu.capability()

    def get_device_interface(self):
        """The module of PyTorch that has events and streams."""
        import torch

        return torch.cuda

    @staticmethod
    def is_active():
        """True: it stands for a driver."""
        return True


class Context:
    """A stream, an event or a context that does nothing."""

    cuda_stream = stream_id = device_index = 0

    def __init__(self, *_values, **_words):
        pass

    def __enter__(self):
        return self

    def __exit__(self, *_why):
        return False

    def __call__(self, function):
        return function

    def record(self, *_values):
        """Nothing happens on a stream."""

    wait_stream = wait_event = synchronize = wait = record

    def elapsed_time(self, _other):
        """No time passes on a stream."""
        return 1.0


def answering(torch, gpu):
    """Puts the GPU's answers into PyTorch's module `cuda`."""
    cuda = torch.cuda
    answers = {
        "is_available": lambda: True, "device_count": lambda: 1, "current_device": lambda: 0,
        "set_device": lambda _device: None, "synchronize": lambda _device=None: None, "empty_cache": lambda: None,
        "get_device_capability": lambda _device=None: gpu.capability(), "is_bf16_supported": lambda *_: True,
        "get_device_name": lambda _device=None: gpu.facts["name"], "is_initialized": lambda: True, "init": lambda: None,
        "get_device_properties": lambda _device=None: gpu.properties(), "manual_seed": lambda _seed: None,
        "current_stream": lambda _device=None: Context(), "default_stream": lambda _device=None: Context(),
        "max_memory_allocated": lambda _device=None: 0, "memory_allocated": lambda _device=None: 0,
        "is_current_stream_capturing": lambda: False, "device": Context, "device_of": Context, "stream": Context,
        "Stream": Context, "Event": Context,
    }
    for name, answer in answers.items():
        setattr(cuda, name, answer)
    version = getattr(torch, "version", None)
    if version is not None:
        version.cuda, version.hip = ("12.4", None) if gpu.backend == "cuda" else (None, "6.2")
