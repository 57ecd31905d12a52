"""TensorBoard's logs of a run, for those who ask for them."""

from pathlib import Path

__all__ = ["Board"]


class Board:
    """Curves in ``log_dir``; with ``None`` there are none, and nothing is imported.

    Parameters
    ----------
    first_step
        Points from this step on, of a run that was resumed, are replaced.

    Raises
    ------
    ModuleNotFoundError
        If the package tensorboard is missing.
    """

    def __init__(self, log_dir: str | Path | None, first_step: int = 0) -> None:
        self.writer = None
        if log_dir is None:
            return
        try:
            from torch.utils.tensorboard import SummaryWriter
        except ModuleNotFoundError as error:
            raise ModuleNotFoundError(
                f"logs for TensorBoard need the package {error.name}: "
                "pip install 'transformer-lib[tensorboard]'",
                name=error.name,
            ) from error
        self.writer = SummaryWriter(log_dir, purge_step=first_step + 1)

    def write(self, step: int, **values: float) -> None:
        """Add a point to the curve of each name."""
        if self.writer is not None:
            for name, value in values.items():
                self.writer.add_scalar(name, value, step)

    def __enter__(self) -> "Board":
        return self

    def __exit__(self, *_: object) -> None:
        if self.writer is not None:
            self.writer.close()
