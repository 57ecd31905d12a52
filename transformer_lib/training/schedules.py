r"""The learning rate over time: a linear warm-up to the peak, then one of three ways on.

Each schedule is a function of the step alone (chapters 13 and 15), so that a resumed run needs no state
to go on as it would have.
"""

import math

__all__ = ["SCHEDULES", "learning_rate_factor"]

SCHEDULES = ("constant", "cosine", "inverse-sqrt")
"""The schedules of the learning rate, by name; :func:`learning_rate_factor` has their formulas."""


def learning_rate_factor(
    schedule: str, step: int, *, steps: int, warmup_steps: int = 0, final_factor: float = 0.0
) -> float:
    r"""What the peak learning rate is multiplied by at ``step`` = 0, 1, ..., ``steps`` - 1.

    With :math:`n = \text{step} + 1` and :math:`w` warm-up steps the factor is :math:`n / w` up to
    :math:`n = w`; from there

    - ``constant``: 1;
    - ``cosine``: from 1 down to ``final_factor`` :math:`= f` at the last step, as
      :math:`f + (1 - f)(1 + \cos \pi u) / 2`, where :math:`u` is the share of the remaining steps taken;
    - ``inverse-sqrt``: :math:`\sqrt{w / n}`, Vaswani et al.'s (2017) schedule scaled to a peak of 1.

    Raises
    ------
    ValueError
        If the schedule has none of these names.
    """
    if schedule not in SCHEDULES:
        raise ValueError(f"schedule must be one of {', '.join(SCHEDULES)}; got {schedule!r}")
    count = step + 1
    if count < warmup_steps:
        return count / warmup_steps
    if schedule == "constant":
        return 1.0
    warmup_steps = max(1, warmup_steps)
    if schedule == "inverse-sqrt":
        return math.sqrt(warmup_steps / count)
    progress = min(1.0, (count - warmup_steps) / max(1, steps - warmup_steps))
    return final_factor + (1 - final_factor) * (1 + math.cos(math.pi * progress)) / 2
