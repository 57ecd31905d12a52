"""What turns a right answer into a wrong one: effects on what a function takes and gives.

The text of this module runs beside the answer in the worker, so it knows nothing of this package. An effect
says on standard error when it was within reach, which tells a weak input from an effect that does not apply.
"""

import inspect
import math
import re
import sys
import weakref
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import torch
from torch.overrides import TorchFunctionMode

APPLIES, REACHED = "[sabotage applies]", "[sabotage reached]"
MANY = 100
_told: set[str] = set()
_memory: dict[Any, Any] = {}
_entered: list[str] = []
_results: Any = weakref.WeakKeyDictionary()  # what a module gave first, by the shapes of its inputs
_options: Any = weakref.WeakKeyDictionary()  # what a module was made with
AXIS_IS_ONE = re.compile(r"(\w+) is 1")
PAIR = re.compile(r"(\w+) and (\w+) (agree|differ)")
ABOVE = re.compile(r"(\w+) above 4 counts as 4")
ON_VALUES = re.compile(r"(\w+) (below a thousandth is 0|clipped at 10|wrapped at 256)")
LONG = 30


def _tell(mark: str) -> None:
    if mark not in _told:
        _told.add(mark)
        print(mark, file=sys.stderr)


def _mapped(value: Any, change: Callable[[torch.Tensor], torch.Tensor]) -> Any:
    """The value with each of its tensors changed; a number counts as one."""
    if isinstance(value, torch.Tensor):
        return change(value)
    if isinstance(value, tuple | list):
        return type(value)(_mapped(item, change) for item in value)
    if isinstance(value, dict):
        return {name: _mapped(item, change) for name, item in value.items()}
    if isinstance(value, np.ndarray):
        return change(torch.from_numpy(value)).numpy()
    if isinstance(value, bool | int | float):
        return change(torch.tensor(value)).item()
    return value


def _tensors(values: Any) -> Iterator[torch.Tensor]:
    for value in values:
        if isinstance(value, torch.Tensor):
            yield value
        elif isinstance(value, np.ndarray):
            yield torch.from_numpy(value)
        elif isinstance(value, tuple | list):
            yield from _tensors(value)
        elif isinstance(value, dict):
            yield from _tensors(value.values())


def _spoiled(tensor: torch.Tensor) -> torch.Tensor:
    return ~tensor if tensor.dtype is torch.bool else 2 * tensor + 1


def _half(tensor: torch.Tensor) -> torch.Tensor:
    return tensor.half().to(tensor.dtype) if tensor.is_floating_point() else tensor


def _constant(tensor: torch.Tensor) -> torch.Tensor:
    """A tensor of that shape without its information."""
    if tensor.dtype is torch.bool or tensor.is_floating_point():
        return torch.ones_like(tensor)
    return (
        tensor.flatten()[:1].expand(tensor.numel()).reshape(tensor.shape).clone()
        if tensor.numel()
        else tensor
    )


def _filled(tensor: torch.Tensor, number: float) -> torch.Tensor:
    """A tensor of that shape, with the gradient of one that the arguments lead to."""
    return 0.0 * tensor.double().nan_to_num(0.0, 0.0, 0.0) + number


def _first(tensor: torch.Tensor) -> torch.Tensor:
    return tensor[:1].expand_as(tensor).clone() if tensor.ndim and len(tensor) > 1 else tensor


def _same(one: Any, other: Any) -> bool:
    pairs = list(zip(_tensors([one]), _tensors([other]), strict=True))
    return all(a.shape == b.shape and torch.equal(a.nan_to_num(), b.nan_to_num()) for a, b in pairs)


def _sizes(value: Any) -> tuple[int, ...]:
    """The shape of a tensor, or of a list of tensors with the longest in its second place."""
    if isinstance(value, torch.Tensor):
        return tuple(value.shape)
    if isinstance(value, list) and value and all(isinstance(item, torch.Tensor) for item in value):
        return (len(value), *(max(sizes) for sizes in zip(*(item.shape for item in value))))
    return ()


def _shapes(bound: inspect.BoundArguments) -> list[tuple[int, ...]]:
    return [sizes for value in bound.arguments.values() if (sizes := _sizes(value))]


def _plural(bound: inspect.BoundArguments) -> tuple[int, ...]:
    """The sizes of the first argument that has two or more."""
    return next((sizes for sizes in _shapes(bound) if len(sizes) > 1), ())


def _deep(bound: inspect.BoundArguments) -> list[tuple[int, ...]]:
    return [sizes for sizes in _shapes(bound) if len(sizes) > 2]


def _seen(bound: inspect.BoundArguments) -> bool:
    """Whether a call with these shapes, and with other values, was before this one."""
    given = [t.detach().clone() for t in _tensors(bound.arguments.values())]
    before = _memory.setdefault(("seen", *_shapes(bound)), given)
    return before is not given and not _same(before, given)


FILLS = {"only zeros": 0.0, "only ones": 1.0, "only nan": math.nan}
# where an answer may be wrong without anybody's noticing: None if the arguments have no such place
PLACES: dict[str, Callable[[inspect.BoundArguments], bool | None]] = {
    "one in the batch, of several": lambda b: _plural(b)[0] == 1 < _plural(b)[1] if _plural(b) else None,
    "several in the batch, of one": lambda b: _plural(b)[1] == 1 < _plural(b)[0] if _plural(b) else None,
    "equal widths": lambda b: any(s[-1] == s[-2] for s in _deep(b)) if _deep(b) else None,
    "longer than wide": lambda b: any(s[-2] > s[-1] for s in _deep(b)) if _deep(b) else None,
    "wider than long": lambda b: any(s[-2] < s[-1] for s in _deep(b)) if _deep(b) else None,
    "more than a hundred": lambda b: any(max(s) > MANY for s in _shapes(b)) if _shapes(b) else None,
    "a shape that was there before": lambda b: _seen(b) if _shapes(b) else None,
}


def _shapes_of(value: Any, axes: int) -> list[tuple[int, ...]]:
    """The shapes in a value, as many sizes in each as it has axes: of lists, of arrays in lists too."""
    if isinstance(value, torch.Tensor | np.ndarray):
        return [tuple(value.shape)] if value.ndim == axes else []
    if not isinstance(value, list | tuple) or not axes:
        return []
    inner = [_shapes_of(item, axes - 1) for item in value]
    if axes == 1 and not any(
        isinstance(item, torch.Tensor | np.ndarray | list | tuple) and _ndim(item) for item in value
    ):
        return [(len(value),)]
    if all(inner) and value:
        return [(len(value), *shape) for shapes in inner for shape in shapes]
    return [shape for item in value for shape in _shapes_of(item, axes)]


def _ndim(value: Any) -> int:
    if isinstance(value, list | tuple):
        return 1
    return value.ndim if isinstance(value, torch.Tensor | np.ndarray) else 0


def _named(bound: inspect.BoundArguments, axes: dict[str, tuple[str, ...]]) -> dict[str, set[int]]:
    """The sizes of each axis that has a name, and the whole numbers by their names."""
    found: dict[str, set[int]] = {}
    for argument, names in axes.items():
        for shape in _shapes_of(bound.arguments.get(argument), len(names)):
            for name, size in zip(names, shape):
                if name:
                    found.setdefault(name, set()).add(size)
    first = next(iter(bound.arguments.values()), None)
    made = _options.get(first, {}) if isinstance(first, torch.nn.Module) else {}
    for name, value in (*made.items(), *bound.arguments.items()):
        if isinstance(value, int | np.integer) and not isinstance(value, bool):
            found.setdefault(name, set()).add(int(value))
    return found


def _is_where(effect: str, bound: inspect.BoundArguments, axes: dict[str, tuple[str, ...]]) -> bool | None:
    """Whether the sizes are those at which an answer is to be wrong; None for an effect of another kind."""
    one, pair = AXIS_IS_ONE.fullmatch(effect), PAIR.fullmatch(effect)
    if not one and not pair:
        return None
    sizes = _named(bound, axes)
    if one:
        if one[1] not in sizes:
            return False
        _tell(APPLIES)
        return 1 in sizes[one[1]]
    names = pair[1], pair[2]  # type: ignore[index]
    if not all(name in sizes for name in names):
        return False
    _tell(APPLIES)
    return bool(sizes[names[0]] & sizes[names[1]]) == (pair[3] == "agree")  # type: ignore[index]


def _is_restricted(bound: inspect.BoundArguments) -> bool:
    """Whether a mask forbids something, lengths differ, or an optional argument is given."""
    for name, value in bound.arguments.items():
        if bound.signature.parameters[name].default is not inspect.Parameter.empty and value is not None:
            return True
        if isinstance(value, torch.Tensor) and value.dtype is torch.bool and not bool(value.all()):
            return True
        if name == "lengths" and len(value.unique()) > 1:
            return True
    return False


class Numerics(TorchFunctionMode):
    """Computes what has exponentials in another way, equal as long as no number is extreme."""

    def __init__(self, way: str):
        super().__init__()
        self.way = way
        self.hidden: torch.Tensor | None = None

    def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        kwargs = kwargs or {}
        name = getattr(func, "__name__", "").strip("_")
        changed = getattr(self, f"_{name}", None)
        if changed is None:
            return func(*args, **kwargs)
        right = func(*args, **kwargs)
        wrong = changed(*args, **kwargs)
        if wrong is None:
            return right
        _tell(APPLIES)
        if not torch.allclose(wrong.double(), right.double(), rtol=1e-3, atol=1e-6, equal_nan=True):
            _tell(REACHED)
        return wrong.to(right.dtype)

    def _shift(self, x: torch.Tensor, largest: torch.Tensor) -> torch.Tensor | None:
        if self.way == "no shift in float64":
            return torch.zeros_like(largest)
        if self.way == "shifted where positive":
            return largest.clamp(min=0.0)
        if self.way == "shifted where negative":
            return largest.clamp(max=0.0)
        if self.way == "shifted by the largest of all rows" and largest.numel() > 1:
            return x.amax().expand_as(largest)
        return None

    def _terms(self, x: torch.Tensor, dim: int) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor] | None:
        """The exponentials, the logarithm of their sum, and the numbers of which they were made."""
        wide = x.double()
        if self.way == "cut off at 80":
            wide = wide.clamp(-80.0, 80.0)
            total = wide.logsumexp(dim, keepdim=True)
            return (wide - total).exp(), total, wide
        if self.way == "masked after the normalization":
            if self.hidden is None or self.hidden.shape != x.shape:
                return None
            weights = x.softmax(dim).masked_fill(self.hidden, 0.0)
            left = weights.sum(dim, keepdim=True)
            total = x.logsumexp(dim, keepdim=True) + left.log()
            return weights / left, total, x.masked_fill(self.hidden, -math.inf)
        if (shift := self._shift(wide, wide.amax(dim, keepdim=True))) is None:
            return None
        powers = (wide - shift).exp()
        sums = powers.sum(dim, keepdim=True)
        return powers / sums, sums.log() + shift, wide

    def _softmax(self, input: Any, dim: int = -1, **rest: Any) -> torch.Tensor | None:
        found = self._terms(input, dim)
        return found and found[0]

    def _log_softmax(self, input: Any, dim: int = -1, **rest: Any) -> torch.Tensor | None:
        if self.way == "logarithm of a probability":
            return (input.double().softmax(dim) + 1e-12).log()
        found = self._terms(input, dim)
        return found and found[2] - found[1]

    def _logsumexp(self, input: Any, dim: int, keepdim: bool = False, **rest: Any) -> torch.Tensor | None:
        found = self._terms(input, dim)
        return found and (found[1] if keepdim else found[1].squeeze(dim))

    def _logaddexp(self, input: Any, other: Any, **rest: Any) -> torch.Tensor | None:
        x = torch.stack(torch.broadcast_tensors(input, other)).double()
        if (shift := self._shift(x, x.amax(0))) is None:
            return None
        return (x - shift).exp().sum(0).log() + shift

    def _sigmoid(self, input: Any, **rest: Any) -> torch.Tensor | None:
        if self.way != "an exponential over one plus itself":
            return None
        powers = input.double().exp()
        return powers / (1 + powers)

    def _div(self, input: Any, other: Any, **rest: Any) -> torch.Tensor | None:
        added = {"a millionth in a divisor": 1e-6, "a hundredth in a divisor": 1e-2}.get(self.way)
        if added is None or rest or not isinstance(other, torch.Tensor) or not other.is_floating_point():
            return None
        if bool((other == other.round()).all()):  # counts
            return None
        return input / (other + added)

    _truediv = _true_divide = _divide = _div

    def _rtruediv(self, input: Any, other: Any) -> torch.Tensor | None:
        return self._div(other, input)

    def _log(self, input: Any) -> torch.Tensor | None:
        return (input + 1e-9).log() if self.way == "a billionth in a logarithm" else None

    def _masked_fill(self, input: Any, mask: Any, value: Any) -> torch.Tensor | None:
        return self._filled(input, mask, value)

    def _where(
        self, condition: Any, input: Any = None, other: Any = None, **rest: Any
    ) -> torch.Tensor | None:
        return None if other is None else self._filled(input, ~condition, other)

    def _filled(self, x: Any, mask: torch.Tensor, value: Any) -> torch.Tensor | None:
        if not isinstance(x, torch.Tensor) or (isinstance(value, torch.Tensor) and value.ndim):
            return None
        if float(value) != -math.inf:
            return None
        if self.way == "a large negative number for minus infinity":
            return x.masked_fill(mask, -1e9)
        if self.way == "masked after the normalization":
            self.hidden = mask.expand_as(x)
            return x.clone()
        return None


EXTREMES = (
    "no shift in float64",
    "shifted where positive",
    "shifted where negative",
    "shifted by the largest of all rows",
    "cut off at 80",
    "logarithm of a probability",
    "an exponential over one plus itself",
)
NUMERICS = (
    *EXTREMES,
    "a large negative number for minus infinity",
    "masked after the normalization",
    "a millionth in a divisor",
    "a hundredth in a divisor",
    "a billionth in a logarithm",
)
WHEN = ("with a mask or option: ", "without mask and option: ")


def _outcome(effect: str, function: Callable, bound: inspect.BoundArguments, axes: dict[str, Any]) -> Any:
    """What the function gives under one effect."""
    call = lambda: function(*bound.args, **bound.kwargs)  # noqa: E731
    if (is_there := _is_where(effect, bound, axes)) is not None:
        if is_there:
            _tell(REACHED)
        return _mapped(call(), _spoiled) if is_there else call()
    if found := ON_VALUES.fullmatch(effect):
        return _with_other_values(found[1], found[2], call, bound)
    if found := ABOVE.fullmatch(effect):
        if found[1] in bound.arguments:
            bound.arguments[found[1]] = _at_most_four(bound.arguments[found[1]])
        return call()
    if effect == "the first result of a module again":
        return _again(call, bound)
    if effect == "no gradient beyond 30":
        return _cut_off(call(), max((max(s) for s in _shapes(bound)), default=0) > LONG)
    word, _, name = effect.partition(" of argument ")
    if effect in FILLS:
        return _mapped(call(), lambda tensor: _filled(tensor, FILLS[effect]))
    if effect in PLACES:
        reached = PLACES[effect](bound)
        if reached is not None:
            _tell(APPLIES)
        if reached:
            _tell(REACHED)
        return _mapped(call(), _spoiled) if reached else call()
    when = next((when for when in WHEN if effect.startswith(when)), "")
    if effect.removeprefix(when) in NUMERICS:
        if when and _is_restricted(bound) != when.startswith("with "):
            return call()
        with Numerics(effect.removeprefix(when)):
            return call()
    if effect == "no gradient":
        with torch.no_grad():
            output = call()
        if any(tensor.is_floating_point() for tensor in _tensors([output])):
            _tell(APPLIES)
        return output
    if effect == "no gradient to the parameters":
        module = bound.args[0]
        held = {key: value.detach() for key, value in module.named_parameters()}
        _tell(APPLIES)
        return torch.func.functional_call(module, held, bound.args[1:])
    if name:
        return _changed_argument(word, name, call, bound)
    if effect == "remembers by shape":
        key = (*_shapes(bound), *(v for v in bound.arguments.values() if isinstance(v, int | str)))
        given = [t.detach().clone() for t in _tensors(bound.arguments.values())]
        known = key in _memory
        before, output = _memory.setdefault(key, (given, None if known else call()))
        _tell(APPLIES)
        if known and not _same(before, given):
            _tell(REACHED)
        return output
    output = call()
    changes = {
        "half precision": _half,
        "the first of the batch for all": _first,
        "squeezed": lambda t: t.squeeze(),
    }
    wrong = _mapped(output, changes[effect])
    if any(t.ndim and (t.is_floating_point() or effect != "half precision") for t in _tensors([output])):
        _tell(APPLIES)
    if not _same(wrong, output):
        _tell(REACHED)
    return wrong


def _again(call: Callable, bound: inspect.BoundArguments) -> Any:
    """What a module gave when inputs of these shapes came first."""
    kept = _results.setdefault(bound.args[0], {})
    given = [t.detach().clone() for t in _tensors(list(bound.arguments.values())[1:])]
    shapes = tuple(tuple(t.shape) for t in given)
    _tell(APPLIES)
    if shapes in kept:
        before, output = kept[shapes]
        if not _same(before, given):
            _tell(REACHED)
        return output
    kept[shapes] = given, call()
    return kept[shapes][1]


def _cut_off(output: Any, is_long: bool) -> Any:
    """The output without its gradient, where an input is long."""
    if not any(tensor.requires_grad for tensor in _tensors([output])):
        return output
    _tell(APPLIES)
    if is_long:
        _tell(REACHED)
    return _mapped(output, lambda tensor: tensor.detach()) if is_long else output


def _at_most_four(value: Any) -> Any:
    if not isinstance(value, int) or isinstance(value, bool):
        return value
    _tell(APPLIES)
    if value > 4:
        _tell(REACHED)
    return min(value, 4)


def _with_other_values(name: str, how: str, call: Callable, bound: inspect.BoundArguments) -> Any:
    """The call with an argument whose numbers are cut: the small ones, the large ones, or the high bytes."""
    value = bound.arguments.get(name)
    found = list(_tensors([value]))
    if how == "wrapped at 256":
        if isinstance(value, list) and all(type(item) is int for item in value) and value:
            other: Any = [item % 256 for item in value]
            applies, reached = True, other != value
        else:
            applies = any(not t.is_floating_point() and t.dtype is not torch.bool for t in found)
            other = _mapped(value, lambda t: t if t.is_floating_point() or t.dtype is torch.bool else t % 256)
            reached = applies and not _same(value, other)
    else:
        applies = any(tensor.is_floating_point() for tensor in found)
        cut = _without_small if how.startswith("below") else _clipped
        other = _mapped(value, cut) if applies else value
        reached = applies and not _same(value, other)
    if not applies or isinstance(value, int | float):
        return call()
    _tell(APPLIES)
    if reached:
        _tell(REACHED)
        bound.arguments[name] = other
    return call()


def _without_small(tensor: torch.Tensor) -> torch.Tensor:
    return tensor * (tensor.abs() >= 1e-3) if tensor.is_floating_point() else tensor


def _clipped(tensor: torch.Tensor) -> torch.Tensor:
    if not tensor.is_floating_point():
        return tensor
    return torch.where(tensor.isfinite(), tensor.clamp(-10.0, 10.0), tensor)


def _changed_argument(word: str, name: str, call: Callable, bound: inspect.BoundArguments) -> Any:
    """Effects on one argument: it is ignored, cut off from the gradient, changed, or returned."""
    value = bound.arguments.get(name)
    if value is None or callable(value) or isinstance(value, Iterator):
        return call()
    if word == "ignorance":
        optional = bound.signature.parameters[name].default is not inspect.Parameter.empty
        if optional:
            constant = bound.signature.parameters[name].default
        elif isinstance(value, int | float):
            constant = 1
        elif isinstance(value, list) and value and next(_tensors(value), None) is None:
            constant = value[:1] * len(value)
        else:
            constant = _mapped(value, _constant)
        tensors = next(_tensors([value]), None) is not None
        if optional or (not _same(constant, value) if tensors else constant != value):
            _tell(APPLIES)
            _tell(REACHED)
        bound.arguments[name] = constant
        return call()
    found = list(_tensors([value]))
    if word == "no gradient":
        if any(tensor.requires_grad for tensor in found):
            _tell(APPLIES)
        bound.arguments[name] = _mapped(value, lambda tensor: tensor.detach())
        return call()
    output = call()
    if word == "change":
        for tensor in found:
            _tell(APPLIES)
            with torch.no_grad():
                tensor.copy_(_spoiled(tensor))
        return output
    for tensor in _tensors([output]):  # "return": the result stands in the argument's memory
        for own in found:
            if own.shape == tensor.shape and own.dtype == tensor.dtype:
                _tell(APPLIES)
                with torch.no_grad():
                    own.copy_(tensor)
                return own if output is tensor else type(output)(own if t is tensor else t for t in output)
    return output


def sabotaged(function: Callable, effect: str, axes: dict[str, tuple[str, ...]] | None = None) -> Callable:
    """The function under that effect; what it calls of itself is left as it is."""
    signature = inspect.signature(function)

    def wrong(*args: Any, **kwargs: Any) -> Any:
        if _entered:
            return function(*args, **kwargs)
        _entered.append(effect)
        try:
            return _outcome(effect, function, signature.bind(*args, **kwargs), axes or {})
        finally:
            _entered.clear()

    return wrong


def noting(init: Callable, effect: str) -> Callable:
    """An ``__init__`` that keeps what a module is made with; an option above 4 is 4 under that effect."""
    signature = inspect.signature(init)
    above = ABOVE.fullmatch(effect)

    def noted(*args: Any, **kwargs: Any) -> None:
        bound = signature.bind(*args, **kwargs)
        bound.apply_defaults()
        given = dict(list(bound.arguments.items())[1:])
        if above and above[1] in given:
            bound.arguments[above[1]] = _at_most_four(given[above[1]])
        init(*bound.args, **bound.kwargs)
        _options[args[0]] = given

    return noted
