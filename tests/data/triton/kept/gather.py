"""Rows of a table, chosen by their numbers."""

import triton
import triton.language as tl


@triton.jit
def gather(table, numbers, chosen, count, columns, ROWS: tl.constexpr, COLUMNS: tl.constexpr):
    rows = tl.program_id(0) * ROWS + tl.arange(0, ROWS)
    is_row = rows < count
    number = tl.load(numbers + rows, mask=is_row, other=0)
    at = tl.arange(0, COLUMNS)
    values = tl.load(table + number[:, None] * columns + at[None, :], mask=is_row[:, None])
    tl.store(chosen + rows[:, None] * columns + at[None, :], values, mask=is_row[:, None])
