"""Stands for PyTorch where it is not installed: tensors have a type, a shape and strides, and no elements.

It has what wrappers around kernels need to allocate, to look at shapes and to launch. What it lacks is an error that names
it, so that nothing is computed from a guess.
"""

import builtins
import contextlib
import math
import sys
import types

from .gpu import Context

# The names of element types, with their bytes and whether they have fractions.
ELEMENTS = {
    "float16": (2, True), "bfloat16": (2, True), "float32": (4, True), "float64": (8, True), "int8": (1, False),
    "int16": (2, False), "int32": (4, False), "int64": (8, False), "uint8": (1, False), "uint16": (2, False),
    "uint32": (4, False), "uint64": (8, False), "bool": (1, False), "float8_e4m3fn": (1, True), "float8_e5m2": (1, True),
    "float8_e4m3fnuz": (1, True), "float8_e5m2fnuz": (1, True), "float8_e8m0fnu": (1, True), "float4_e2m1fn_x2": (1, True),
    "complex64": (8, True),
}
OTHER_NAMES = {"half": "float16", "float": "float32", "double": "float64", "int": "int32", "long": "int64", "short": "int16"}
# Operations whose result has the operands' common shape: those that keep the type, and those that give truths.
EACH = ("add", "sub", "mul", "div", "pow", "maximum", "minimum", "exp", "log", "sqrt", "rsqrt", "abs", "neg", "sigmoid",
        "tanh", "relu", "clamp", "sin", "cos", "floor", "ceil", "round", "where", "erf", "clamp_", "add_", "mul_", "sub_",
        "div_", "copy_", "zero_", "fill_", "normal_", "uniform_", "masked_fill", "masked_fill_", "exp_", "softmax",
        "log_softmax", "cumsum", "square", "sign", "remainder", "bitwise_and", "bitwise_or", "flip", "roll", "tril", "triu")
TRUTHS = ("eq", "ne", "lt", "le", "gt", "ge", "isnan", "logical_not", "logical_and", "logical_or", "isinf")
REDUCING = ("sum", "mean", "amax", "amin", "prod", "norm", "var", "std", "logsumexp", "all", "any", "argmax", "argmin")


class dtype:  # noqa: N801  It has PyTorch's name.
    """The type of a tensor's elements."""

    def __init__(self, name):
        self.name, (self.itemsize, self.is_floating_point) = name, ELEMENTS[name]
        self.is_complex, self.is_signed = name.startswith("complex"), not name.startswith("uint")

    def __repr__(self):
        return f"torch.{self.name}"

    def __reduce__(self):
        return self.name


DTYPES = {name: dtype(name) for name in ELEMENTS}
DEFAULT = DTYPES["float32"]


class device:  # noqa: N801  It has PyTorch's name.
    """A device by its type and number."""

    def __init__(self, name="meta", index=None):
        words = str(name.type if isinstance(name, device) else "cuda" if isinstance(name, int) else name).split(":")
        self.type = words[0]
        self.index = int(words[1]) if len(words) > 1 else name if isinstance(name, int) else index

    def __eq__(self, other):
        return isinstance(other, device) and (self.type, self.index or 0) == (other.type, other.index or 0)

    def __hash__(self):
        return hash(self.type)

    def __repr__(self):
        return self.type if self.index is None else f"{self.type}:{self.index}"

    __str__ = __repr__


class Size(tuple):
    """A shape."""

    def numel(self):
        """The number of elements."""
        return math.prod(self)


def sizes(values):
    """A shape from numbers or from one list of them."""
    if len(values) == 1 and isinstance(values[0], (tuple, list)):
        values = values[0]
    return Size(int(value) for value in values)


def packed(shape):
    """The strides of a tensor whose last dimension is the fastest."""
    strides, step = [], 1
    for size in reversed(shape):
        strides.insert(0, step)
        step *= builtins.max(size, 1)
    return tuple(strides)


class Tensor:
    """A tensor without elements; those of a list are kept."""

    def __init__(self, shape=(), of=DEFAULT, on=None, strides=None, offset=0, held=None):
        self.shape, self.dtype = Size(shape), of
        self.device = on if isinstance(on, device) else device(on or "cuda")
        self.strides = tuple(strides) if strides is not None else packed(self.shape)
        self.offset, self.held = offset, held
        self.requires_grad, self.grad, self.is_cuda, self.is_contiguous_now = False, None, True, None
        self.is_leaf, self.grad_fn, self.layout, self.is_sparse, self.is_meta = True, None, "strided", False, True

    def like(self, shape=None, of=None, strides=None, offset=None):
        """A tensor with other properties."""
        shape = self.shape if shape is None else shape
        return Tensor(shape, of or self.dtype, self.device, strides, self.offset if offset is None else offset)

    ndim = property(lambda self: len(self.shape))
    itemsize = property(lambda self: self.dtype.itemsize)
    T = property(lambda self: self.permute(*reversed(range(self.ndim))))
    mT = property(lambda self: self.transpose(-1, -2))
    data = property(lambda self: self)
    nbytes = property(lambda self: self.numel() * self.itemsize)

    def dim(self):
        """The number of dimensions."""
        return self.ndim

    def size(self, at=None):
        """The shape, or the size of a dimension."""
        return self.shape if at is None else self.shape[at]

    def stride(self, at=None):
        """The strides, or the stride of a dimension."""
        return self.strides if at is None else self.strides[at]

    def numel(self):
        """The number of elements."""
        return math.prod(self.shape)

    nelement = numel

    def element_size(self):
        """The bytes of an element."""
        return self.dtype.itemsize

    def storage_offset(self):
        """The elements before the first one."""
        return self.offset

    def data_ptr(self):
        """An address with the alignment of the first element."""
        return (1 << 20) + self.offset * self.itemsize

    def get_device(self):
        """The number of the only device."""
        return 0

    def is_contiguous(self, *_values, **_words):
        """True if the elements lie one after the other."""
        of_all = zip(self.shape, self.strides, packed(self.shape))
        return all(size <= 1 or step == usual for size, step, usual in of_all)

    def contiguous(self, *_values, **_words):
        """The tensor, or a packed copy."""
        return self if self.is_contiguous() else self.like(offset=0)

    def is_floating_point(self):
        """True for a type with fractions."""
        return self.dtype.is_floating_point

    def view(self, *shape):
        """The tensor with another shape, or with another type."""
        if len(shape) == 1 and isinstance(shape[0], dtype):
            ratio = self.itemsize, shape[0].itemsize
            last = self.shape[-1] * ratio[0] // ratio[1] if self.shape else 1
            return self.like((*self.shape[:-1], last), shape[0])
        shape = list(sizes(shape))
        if -1 in shape:
            rest = math.prod(size for size in shape if size != -1)
            shape[shape.index(-1)] = self.numel() // builtins.max(rest, 1)
        if math.prod(shape) != self.numel():
            raise RuntimeError(f"shape '{shape}' is invalid for input of size {self.numel()}")
        kept = [size for size in self.shape if size != 1]
        if [size for size in shape if size != 1] == kept and not self.is_contiguous():
            steps = [step for size, step in zip(self.shape, self.strides) if size != 1]
            return self.like(shape, strides=[1 if size == 1 else steps.pop(0) for size in shape])
        if not self.is_contiguous():
            joined = self.joined()
            if joined is None or len(shape) > 2 or shape[-1] != self.shape[-1]:
                return self.like(shape, offset=0)
            return self.like(shape, strides=[joined, self.strides[-1]][-len(shape):])
        return self.like(shape)

    def joined(self):
        """The stride of all dimensions but the last as one; `None` if they are none."""
        outer = list(zip(self.shape[:-1], self.strides[:-1]))
        steps = all(step == inner * size for (_, step), (size, inner) in zip(outer, outer[1:]))
        return outer[-1][1] if outer and steps else None

    reshape = view

    def view_as(self, other):
        """The tensor with another's shape."""
        return self.view(*other.shape)

    reshape_as = view_as

    def flatten(self, start=0, end=-1, **words):
        """The tensor whose dimensions from start to end are one."""
        start, end = words.get("start_dim", start), words.get("end_dim", end) % builtins.max(self.ndim, 1)
        shape = self.shape
        return self.view(*shape[:start], math.prod(shape[start:end + 1]), *shape[end + 1:])

    def unflatten(self, at, shape):
        """The tensor whose dimension is several."""
        at %= self.ndim
        return self.view(*self.shape[:at], *shape, *self.shape[at + 1:])

    def permute(self, *order):
        """The tensor with its dimensions in another order."""
        order = [at % self.ndim for at in sizes(order)]
        return self.like([self.shape[at] for at in order], strides=[self.strides[at] for at in order])

    def transpose(self, one, other):
        """The tensor with two dimensions exchanged."""
        order = list(range(self.ndim))
        order[one], order[other] = order[other], order[one]
        return self.permute(*order)

    swapaxes = transpose

    def t(self):
        """The transposed matrix."""
        return self.T

    def unsqueeze(self, at):
        """The tensor with a dimension of size 1 more."""
        at %= self.ndim + 1
        step = self.strides[at] * self.shape[at] if at < self.ndim else 1
        return self.like((*self.shape[:at], 1, *self.shape[at:]), strides=(*self.strides[:at], step, *self.strides[at:]))

    def squeeze(self, at=None):
        """The tensor without dimensions of size 1."""
        kept = [one for one, size in enumerate(self.shape) if size != 1 or (at is not None and one != at % self.ndim)]
        return self.like([self.shape[one] for one in kept], strides=[self.strides[one] for one in kept])

    def expand(self, *shape):
        """The tensor with dimensions of size 1 repeated without copies."""
        shape, strides = list(sizes(shape)), [0] * (len(sizes(shape)) - self.ndim) + list(self.strides)
        own = [1] * (len(shape) - self.ndim) + list(self.shape)
        shape = [size if wanted == -1 else wanted for size, wanted in zip(own, shape)]
        return self.like(shape, strides=[0 if size != wanted else step for size, wanted, step in zip(own, shape, strides)])

    def expand_as(self, other):
        """The tensor with another's shape."""
        return self.expand(*other.shape)

    def chunk(self, parts, dim=0):
        """The parts along a dimension."""
        return self.split(-(-self.shape[dim] // parts), dim)

    def split(self, length, dim=0):
        """The parts of a length along a dimension."""
        whole, at, found = self.shape[dim], 0, []
        lengths = length if isinstance(length, (tuple, list)) else [length] * -(-whole // length)
        for one in lengths:
            found.append(self.narrow(dim, at, builtins.min(one, whole - at)))
            at += one
        return tuple(found)

    def narrow(self, at, start, length):
        """A part along a dimension."""
        at %= self.ndim
        shape = (*self.shape[:at], length, *self.shape[at + 1:])
        return self.like(shape, strides=self.strides, offset=self.offset + start * self.strides[at])

    def select(self, at, index):
        """The tensor at an index of a dimension."""
        return self.narrow(at, index % self.shape[at], 1).squeeze(at)

    def unbind(self, dim=0):
        """The tensors at all indices of a dimension."""
        return tuple(self.select(dim, one) for one in range(self.shape[dim]))

    def __getitem__(self, index):
        index = list(index) if isinstance(index, tuple) else [index]
        if Ellipsis in [one for one in index if not isinstance(one, Tensor)]:
            at = next(at for at, one in enumerate(index) if one is Ellipsis)
            many = self.ndim - sum(1 for one in index if one is not None and one is not Ellipsis)
            index[at:at + 1] = [slice(None)] * many
        found, at = self, 0
        for one in index:
            if one is None:
                found = found.unsqueeze(at)
                at += 1
            elif isinstance(one, slice):
                start, stop, step = one.indices(found.shape[at])
                length = len(range(start, stop, step))
                found = found.narrow(at, start, length)
                found.strides = (*found.strides[:at], found.strides[at] * step, *found.strides[at + 1:])
                at += 1
            elif isinstance(one, Tensor):
                shape = (*found.shape[:at], *one.shape, *found.shape[at + 1:])
                found = found.like(shape, offset=0)
                at += one.ndim
            else:
                found = found.select(at, int(one))
        if self.held is not None and not found.shape and len(index) == 1 and isinstance(index[0], int):
            found.held = self.held[index[0]]
        return found

    def __setitem__(self, index, value):
        """Nothing is stored: there are no elements."""

    def __len__(self):
        return self.shape[0]

    def __iter__(self):
        return iter(self.unbind())

    def to(self, *values, **words):
        """The tensor with another type."""
        wanted = [one for one in (*values, words.get("dtype")) if isinstance(one, (dtype, Tensor))]
        of = getattr(wanted[0], "dtype", wanted[0]) if wanted else self.dtype
        return self if of is self.dtype else self.like(of=of, offset=0)

    type = type_as = to

    def elements(self):
        """The elements of a list; an error for any other tensor."""
        if self.held is None:
            raise RuntimeError("a tensor without elements has no values: make it of a list, `torch.tensor([...])`")
        return self.held

    def item(self):
        """The only element."""
        held = self.elements()
        while isinstance(held, list):
            held = held[0]
        return held

    tolist = elements

    def __bool__(self):
        return bool(self.item())

    def __int__(self):
        return int(self.item())

    def __float__(self):
        return float(self.item())

    def same(self, *_values, **_words):
        """The tensor itself."""
        return self

    cuda = cpu = detach = requires_grad_ = clone = detach_ = pin_memory = same

    def backward(self, *_values, **_words):
        """An error: gradients need PyTorch."""
        raise RuntimeError("gradients need PyTorch: call the function that launches the kernel, or `pip install torch`")

    def new_empty(self, *shape, dtype=None, **_words):
        """Another tensor on the same device."""
        return Tensor(sizes(shape), dtype or self.dtype, self.device)

    new_zeros = new_ones = new_empty

    def new_full(self, shape, _value, dtype=None, **_words):
        """Another tensor on the same device."""
        return self.new_empty(shape, dtype=dtype)

    def repeat(self, *times):
        """The repeated tensor."""
        times = sizes(times)
        own = [1] * (len(times) - self.ndim) + list(self.shape)
        return self.like([size * many for size, many in zip(own, times)], offset=0)

    def __matmul__(self, other):
        return matmul(self, other)


def common(values):
    """The tensor that an operation on each element gives."""
    tensors = [value for value in values if isinstance(value, Tensor)]
    shape = []
    for one in tensors:
        own = list(one.shape)
        longest = builtins.max(len(own), len(shape))
        own, shape = [1] * (longest - len(own)) + own, [1] * (longest - len(shape)) + shape
        for left, right in zip(own, shape):
            if left != right and 1 not in (left, right):
                raise RuntimeError(f"the shapes {[list(each.shape) for each in tensors]} do not fit")
        shape = [right if left == 1 else left for left, right in zip(own, shape)]
    rank = lambda one: (one.dtype.is_floating_point, one.ndim > 0, one.dtype.itemsize)  # noqa: E731
    first = builtins.max(tensors, key=rank)
    return Tensor(shape, first.dtype, first.device)


def each(*values, out=None, dtype=None, **_words):
    """An operation on each element."""
    result = out if out is not None else common(values)
    return result.to(dtype) if dtype is not None else result


def in_place(tensor, *_values, **_words):
    """An operation that changes its tensor."""
    return tensor


def truths(*values, **_words):
    """A comparison of each element."""
    return common(values).to(DTYPES["bool"])


def reduced(tensor, dim=None, keepdim=False, dtype=None, **words):
    """A sum or another reduction."""
    dim = words.get("axis", dim)
    dims = range(tensor.ndim) if dim is None else [dim] if isinstance(dim, int) else dim
    dims = {at % builtins.max(tensor.ndim, 1) for at in dims}
    shape = [1 if at in dims else size for at, size in enumerate(tensor.shape) if keepdim or at not in dims]
    return Tensor(shape, dtype or tensor.dtype, tensor.device)


def extreme(tensor, dim=None, keepdim=False, **words):
    """The greatest or smallest elements, with their indices if a dimension is given."""
    if isinstance(dim, Tensor):
        return common([tensor, dim])
    if dim is None and "axis" not in words:
        found = Tensor((), tensor.dtype, tensor.device)
        if isinstance(tensor.held, list) and tensor.held and not isinstance(tensor.held[0], list):
            found.held = builtins.max(tensor.held)
        return found
    values = reduced(tensor, dim, keepdim, **words)
    return values, values.to(DTYPES["int64"])


def matmul(left, right, **_words):
    """A product of matrices."""
    if right.ndim == 1:
        return Tensor(left.shape[:-1], left.dtype, left.device)
    if left.shape[-1] != right.shape[-2]:
        raise RuntimeError(f"the shapes {list(left.shape)} and {list(right.shape)} do not fit")
    outer = left.shape[:-2] if left.ndim >= right.ndim else right.shape[:-2]
    return Tensor((*outer, *left.shape[-2:-1], right.shape[-1]), left.dtype, left.device)


def cat(tensors, dim=0, **_words):
    """Tensors one behind the other."""
    dim = _words.get("axis", dim) % tensors[0].ndim
    shape = list(tensors[0].shape)
    shape[dim] = sum(one.shape[dim] for one in tensors)
    return tensors[0].like(shape, offset=0)


def stack(tensors, dim=0, **_words):
    """Tensors as a new dimension."""
    return cat([one.contiguous().unsqueeze(dim) for one in tensors], dim)


def shape_of(held):
    """The shape of nested lists."""
    return (len(held), *shape_of(held[0])) if isinstance(held, (list, tuple)) and held else (0,) if held == [] else ()


def of_values(held, dtype=None, device=None, **_words):
    """A tensor of a list, whose elements are kept."""
    if isinstance(held, Tensor):
        return held.to(dtype) if dtype else held
    first = held
    while isinstance(first, (list, tuple)) and first:
        first = first[0]
    usual = "bool" if isinstance(first, bool) else "int64" if isinstance(first, int) else "float32"
    held = list(held) if isinstance(held, tuple) else held
    return Tensor(shape_of(held), dtype or DTYPES[usual], device or "cpu", held=held)


def made(*shape, dtype=None, device=None, size=None, **_words):
    """A new tensor of a shape."""
    return Tensor(sizes(shape) if size is None else sizes([size]), dtype or DEFAULT, device)


def full(shape, _value=0, dtype=None, device=None, **_words):
    """A new tensor with one value."""
    return made(shape, dtype=dtype, device=device)


def randint(*values, dtype=None, device=None, size=None, **_words):
    """A new tensor of integers."""
    shape = size if size is not None else next(value for value in values if isinstance(value, (tuple, list)))
    return made(shape, dtype=dtype or DTYPES["int64"], device=device)


def arange(start, end=None, step=1, dtype=None, device=None, **_words):
    """A new tensor of integers in their order."""
    start, end = (0, start) if end is None else (start, end)
    held = list(range(start, end, step)) if end - start <= 1 << 16 else None
    length = builtins.max(0, math.ceil((end - start) / step))
    return Tensor((length,), dtype or DTYPES["int64"], device or "cpu", held=held)


def like(tensor, *_values, dtype=None, **_words):
    """A new tensor with another's shape."""
    dense = sorted(zip(tensor.strides, tensor.shape), reverse=True)
    is_dense = [step for step, _ in dense] == list(packed([size for _, size in dense]))
    return Tensor(tensor.shape, dtype or tensor.dtype, tensor.device, tensor.strides if is_dense else None)


def empty_strided(shape, strides, dtype=None, device=None, **_words):
    """A new tensor with strides."""
    return Tensor(shape, dtype or DEFAULT, device, strides)


def broadcast_tensors(*tensors):
    """Tensors with their common shape."""
    return tuple(one.expand(*common(tensors).shape) for one in tensors)


class Function:
    """A function with gradients, of which the forward part is called."""

    @classmethod
    def apply(cls, *values, **words):
        """Calls the forward part."""
        return cls.forward(FunctionContext(len(values)), *values, **words)


class FunctionContext:
    """What a forward part keeps for the backward part."""

    def __init__(self, many=0):
        self.needs_input_grad, self.saved_tensors = (True,) * many, ()

    def save_for_backward(self, *tensors):
        """Keeps tensors."""
        self.saved_tensors = tensors

    def mark_non_differentiable(self, *_tensors):
        """Nothing is differentiated."""

    mark_dirty = set_materialize_grads = mark_non_differentiable


class Module:
    """A part of a network, which is called."""

    training = True

    def __call__(self, *values, **words):
        return self.forward(*values, **words)

    def register_buffer(self, name, value, **_words):
        """Keeps a tensor."""
        setattr(self, name, value)

    register_parameter = register_buffer

    def same(self, *_values, **_words):
        """The part itself."""
        return self

    to = cuda = eval = train = half = bfloat16 = same


def finfo(_dtype):
    """Limits of a type."""
    return types.SimpleNamespace(min=-3.4e38, max=3.4e38, eps=1.2e-7, tiny=1.2e-38)


def unchanged(function=None, **_words):
    """A decorator that changes nothing, with or without words."""
    return function if callable(function) else lambda function: function


def marking(*_values, **_words):
    """A decorator that changes nothing, made by a call."""
    return lambda function: function


class Module_(types.ModuleType):
    """A module of the stand-in."""

    def __init__(self, name, **contents):
        super().__init__(name)
        self.__dict__.update(contents)
        self.__path__ = []
        sys.modules[name] = self

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        raise AttributeError(f"autotune's stand-in for PyTorch has no `{self.__name__}.{name}`: `pip install torch`")


def operations():
    """The functions and methods on each element, and the reductions."""
    found = {name: in_place if name.endswith("_") else each for name in EACH}
    found |= {name: truths for name in TRUTHS} | {name: reduced for name in REDUCING}
    return found | {"max": extreme, "min": extreme, "matmul": matmul, "mm": matmul, "bmm": matmul}


def methods():
    """Gives tensors their operators and methods."""
    for name, function in operations().items():
        setattr(Tensor, name, function)
    for sign in ("add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "and", "or", "xor"):
        setattr(Tensor, f"__{sign}__", each)
        setattr(Tensor, f"__r{sign}__", each)
        setattr(Tensor, f"__i{sign}__", in_place)
    for sign in ("lt", "le", "gt", "ge", "eq", "ne"):
        setattr(Tensor, f"__{sign}__", truths)
    Tensor.__hash__ = object.__hash__
    Tensor.__neg__ = Tensor.__invert__ = Tensor.__abs__ = each
    for name, of in [*((name, name) for name in ELEMENTS), *OTHER_NAMES.items()]:
        setattr(Tensor, name, lambda self, of=of: self.to(DTYPES[of]))


def installed():
    """The stand-in as the module `torch`."""
    methods()
    torch = Module_("torch", dtype=dtype, device=device, Tensor=Tensor, Size=Size, tensor=of_values, as_tensor=of_values,
                    arange=arange, full=full, randint=randint, empty_strided=empty_strided, cat=cat, stack=stack,
                    concat=cat, broadcast_tensors=broadcast_tensors, finfo=finfo, iinfo=finfo, compile=unchanged,
                    set_default_device=lambda _device: None, manual_seed=lambda _seed: None, Generator=Context,
                    get_default_dtype=lambda: DEFAULT, get_float32_matmul_precision=lambda: "highest",
                    is_tensor=lambda value: isinstance(value, Tensor), __version__="2.6.0", inference_mode=Context,
                    is_grad_enabled=lambda: False, are_deterministic_algorithms_enabled=lambda: False, no_grad=Context, enable_grad=Context, set_grad_enabled=Context,
                    is_autocast_enabled=lambda *_: False, get_autocast_gpu_dtype=lambda: DTYPES["float16"],
                    get_autocast_dtype=lambda _device: DTYPES["float16"],
                    broadcast_shapes=lambda *shapes: common([Tensor(one) for one in shapes]).shape,
                    contiguous_format="contiguous", preserve_format="preserve", strided="strided")
    for name in ("empty", "zeros", "ones", "rand", "randn"):
        setattr(torch, name, made)
        setattr(torch, f"{name}_like", like)
    torch.full_like = torch.randint_like = like
    for name in ("reshape", "transpose", "permute", "squeeze", "unsqueeze", "flatten", "chunk", "split", "numel", "clone",
                 "unbind", "narrow", "select", "t"):
        setattr(torch, name, getattr(Tensor, name))
    for name, function in operations().items():
        setattr(torch, name, function)
    for name in ("Long", "Int", "Float", "Half", "BFloat16", "Bool", "Double", "Short", "Byte"):
        setattr(torch, f"{name}Tensor", Tensor)
    for name in ELEMENTS:
        setattr(torch, name, DTYPES[name])
    for name, of in OTHER_NAMES.items():
        setattr(torch, name, DTYPES[of])
    parts(torch)
    return torch


def parts(torch):
    """The modules below `torch`."""
    torch.cuda = Module_("torch.cuda")
    torch.cuda.amp = Module_("torch.cuda.amp", custom_fwd=unchanged, custom_bwd=unchanged, autocast=Context)
    torch.amp = Module_("torch.amp", custom_fwd=unchanged, custom_bwd=unchanged, autocast=Context)
    torch.version = Module_("torch.version")
    torch.autograd = Module_("torch.autograd", Function=Function)
    torch.autograd.function = Module_("torch.autograd.function", FunctionCtx=FunctionContext, Function=Function,
                                      once_differentiable=unchanged)
    torch.nn = Module_("torch.nn", Module=Module, Parameter=lambda tensor, **_words: tensor)
    torch.nn.functional = Module_("torch.nn.functional", softmax=each, relu=each, silu=each, gelu=each, sigmoid=each)
    torch.compiler = Module_("torch.compiler", disable=unchanged, is_compiling=lambda: False, allow_in_graph=unchanged)
    torch._dynamo = Module_("torch._dynamo", disable=unchanged, allow_in_graph=unchanged)
    torch.library = Module_("torch.library", custom_op=marking, triton_op=marking, register_fake=marking,
                            wrap_triton=lambda kernel: kernel)
    torch.backends = Module_("torch.backends")
    torch.backends.cuda = Module_("torch.backends.cuda")
    torch.profiler = Module_("torch.profiler", record_function=Context)
    torch.utils = Module_("torch.utils")
    torch.distributed = Module_("torch.distributed", is_available=lambda: False, is_initialized=lambda: False)
    torch.random = Module_("torch.random", fork_rng=contextlib.nullcontext)
