"""Whether a long computation shows how far it is."""

import logging

__all__ = ["shows_progress"]

log = logging.getLogger(__name__)


def shows_progress() -> bool:
    """Whether to show bars: where messages of the level INFO are shown."""
    return log.isEnabledFor(logging.INFO)
