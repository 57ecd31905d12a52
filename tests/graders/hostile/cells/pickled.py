"""Returns objects whose unpickling would run a command."""

# 06.3: ok
# 06.6: ok

# question 06.3
import os
import pickle


class Command:
    def __reduce__(self):
        return os.system, ("touch @OUTSIDE@/unpickled",)


variance, scale = Command(), np.array([Command()], dtype=object)
shifted, own_mean, own_variance = pickle.dumps(Command()), pickle.dumps(Command()).hex(), b""
# question 06.6
@SOLUTION@


class Carrier(torch.Tensor):
    def __reduce_ex__(self, protocol):
        return os.system, ("touch @OUTSIDE@/unpickled",)


import os

CausalHead.forward = lambda self, x: (torch.zeros(1).as_subclass(Carrier), torch.zeros(1).as_subclass(Carrier))
