"""Leaves work for the end of the process: handlers, finalizers and streams that do not close."""

# question 06.3
import atexit
import os
import sys
import threading


class Endless:
    closed = False

    def flush(self):
        while True:
            pass

    def write(self, text):
        return len(text)

    def __del__(self):
        while True:
            pass


atexit.register(os._exit, 1)
threading._register_atexit(lambda: os._exit(1))
at_exit_kept = Endless()
@SOLUTION@
# question 06.4
@SOLUTION@
import sys


class Endless:
    closed = False

    def flush(self):
        while True:
            pass

    def write(self, text):
        return len(text)


sys.stdout = sys.stderr = Endless()
