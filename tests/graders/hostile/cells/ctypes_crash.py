"""Reads memory that is not there."""

# 06.3: crashed
# 06.6: crashed, keeps rows, scale

# question 06.3
import ctypes

ctypes.string_at(0)
@SOLUTION@
# question 06.6
import ctypes

@SOLUTION@
honest_forward, calls = CausalHead.forward, []


def forward(self, x):
    calls.append(1)
    return honest_forward(self, x) if len(calls) < 7 else ctypes.string_at(0)


CausalHead.forward = forward
