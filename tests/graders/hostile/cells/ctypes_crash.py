"""Reads memory that is not there: at once in one question, where gradients are asked for in another."""

# 06.3: crashed
# 06.6: crashed, keeps rows, reach, scale, output

# question 06.3
import ctypes

ctypes.string_at(0)
@SOLUTION@
# question 06.6
import ctypes

@SOLUTION@
honest_forward = CausalHead.forward


def forward(self, x):
    return ctypes.string_at(0) if x.requires_grad else honest_forward(self, x)


CausalHead.forward = forward
