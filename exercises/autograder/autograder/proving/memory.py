"""A bound on the memory of this process, for code in it that may ask for any amount."""

import contextlib
import sys
from collections.abc import Iterator
from pathlib import Path

BYTES = 8 << 30


@contextlib.contextmanager
def bounded_memory(more: int = BYTES) -> Iterator[None]:
    """Inside, who asks for more bytes than that gets an error; without the bound Linux ends the process.

    A mutant that counts to ``2**n`` where the answer counts to ``2 * n`` is lost then, as it should be.
    Only Linux bounds the memory of a process in this way.
    """
    if sys.platform != "linux":
        yield
        return
    import resource

    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0])
    soft, hard = resource.getrlimit(resource.RLIMIT_AS)
    allowed = pages * resource.getpagesize() + more
    bounds = [limit for limit in (allowed, soft, hard) if limit != resource.RLIM_INFINITY]
    resource.setrlimit(resource.RLIMIT_AS, (min(bounds), hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_AS, (soft, hard))
