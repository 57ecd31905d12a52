"""What a long computation shows while it runs: a bar, or TensorBoard's curves."""

import logging
from pathlib import Path
from typing import Any

from transformer_lib.checks import how_to_install

__all__ = ["shows_progress", "tensorboard_writer"]

log = logging.getLogger(__name__)


def shows_progress() -> bool:
    """Whether to show bars: where messages of the level INFO are shown."""
    return log.isEnabledFor(logging.INFO)


def tensorboard_writer(log_dir: str | Path, first_step: int) -> Any:
    """TensorBoard's writer; points from ``first_step`` on, of a run that was resumed, are replaced.

    Raises
    ------
    ModuleNotFoundError
        If TensorBoard is missing.
    """
    try:
        from torch.utils.tensorboard import SummaryWriter
    except ModuleNotFoundError as error:
        raise ModuleNotFoundError(
            f"logs for TensorBoard need the package {error.name}: {how_to_install('tensorboard')}",
            name=error.name,
        ) from error
    return SummaryWriter(log_dir, purge_step=first_step)
