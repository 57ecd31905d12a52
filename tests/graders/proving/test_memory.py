"""Code in the proving process may ask for any amount of memory: it gets an error, and the process lives."""

import sys

import pytest
from autograder.proving.memory import bounded_memory

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="only Linux bounds a process's memory so")


def test_who_asks_for_more_than_may_be_gets_an_error_and_afterwards_there_is_no_bound() -> None:
    with bounded_memory(1 << 30):
        bytearray(1 << 28)
        with pytest.raises(MemoryError):
            bytearray(2 << 30)
    assert len(bytearray(2 << 30)) == 2 << 30


def test_a_bound_that_was_there_stays() -> None:
    import resource

    with bounded_memory(1 << 30):
        outer = resource.getrlimit(resource.RLIMIT_AS)
        with bounded_memory(1 << 40):
            assert resource.getrlimit(resource.RLIMIT_AS) == outer
        assert resource.getrlimit(resource.RLIMIT_AS) == outer
    assert resource.getrlimit(resource.RLIMIT_AS) != outer
