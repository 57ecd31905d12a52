"""Ctrl-C is noted once, so that a step can end, and is then what it was."""

import signal
from concurrent.futures import ThreadPoolExecutor

import pytest

from transformer_lib.training.interruption import ctrl_c_held_back


def test_the_first_ctrl_c_is_noted_and_the_second_interrupts():
    with pytest.raises(KeyboardInterrupt), ctrl_c_held_back(is_alone=True) as is_pressed:
        assert not is_pressed()
        signal.raise_signal(signal.SIGINT)
        assert is_pressed()
        signal.raise_signal(signal.SIGINT)
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_one_of_several_processes_is_interrupted_at_once():
    with pytest.raises(KeyboardInterrupt), ctrl_c_held_back(is_alone=False):
        signal.raise_signal(signal.SIGINT)


def test_in_another_thread_which_cannot_hold_it_back_ctrl_c_stays_what_it_is():
    def hold():
        with ctrl_c_held_back(is_alone=True) as is_pressed:
            return is_pressed(), signal.getsignal(signal.SIGINT)

    with ThreadPoolExecutor(1) as other:
        assert other.submit(hold).result() == (False, signal.default_int_handler)
