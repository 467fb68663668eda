import triton
import triton.language as tl


@triton.jit
def search(starts, x, y, count, BLOCK: tl.constexpr):
    # which row does this program belong to? a search by halves in a sorted list, and then a branch
    left: tl.int32 = 0
    right = count
    while left < right:
        middle = (left + right) // 2
        if tl.load(starts + middle) <= tl.program_id(0):
            left = middle + 1
        else:
            right = middle
    row = left - 1
    begin = tl.load(starts + row)
    end = tl.load(starts + row + 1)
    if tl.program_id(0) - begin >= end - begin:
        return
    i = tl.arange(0, BLOCK)
    tl.store(y + row * BLOCK + i, tl.load(x + begin * BLOCK + i))
