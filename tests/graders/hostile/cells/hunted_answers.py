"""Looks through frames, the garbage collector and modules for what is expected; gives up if it finds it."""

# question 06.6
import gc
import inspect
import sys

@SOLUTION@
honest_forward = CausalHead.forward
TELLING_KEYS = ({"expected_arrays"}, {"salt", "digests"}, {"mistakes", "hints"}, {"explanation", "loses"})
TELLING = {"Concealed", "Exam", "ExamPart", "ExamQuestion", "Fingerprint", "Mistake", "Part", "Question", "Case"}


def hunted(self, x):
    output, weights = honest_forward(self, x)
    for found in gc.get_objects():
        if type(found).__name__ in TELLING:
            raise SystemError(f"ESCAPED: an object of type {type(found).__name__}")
        if type(found) is dict and "__module__" not in found and any(telling <= found.keys() for telling in TELLING_KEYS):
            raise SystemError(f"ESCAPED: a dict with {list(found)}")
        if type(found) is dict and type(found.get("expected")) in (dict, list, np.ndarray):
            raise SystemError(f"ESCAPED: a dict with {list(found)}")
    local = [value for frame in inspect.stack(0) for value in list(frame.frame.f_locals.values())]
    arrays = [a for value in local for a in (value if isinstance(value, list) else [value])]
    for right in (output.detach().numpy(), weights.detach().numpy()):
        for array in arrays:
            same = isinstance(array, np.ndarray) and array.shape == right.shape and array is not right
            if same and np.allclose(array, right, atol=1e-4):
                raise SystemError("ESCAPED: the expected array")
    if any(name.startswith("autograder_questions") for name in sys.modules):
        raise SystemError("ESCAPED: a specification")
    return output, weights


CausalHead.forward = hunted
