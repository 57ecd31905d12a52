"""Puts false modules in the places of torch, numpy and json."""

# 06.6: crashed

# question 06.6
import sys
import types

@SOLUTION@
CausalHead.forward = lambda self, x: (x * 0, x.new_zeros(len(x), x.shape[1], x.shape[1]))
for name in ("torch", "numpy", "json", "struct", "os", "autograder", "autograder.worker.values", "msgspec", "math", "random"):
    sys.modules[name] = types.ModuleType(name)
