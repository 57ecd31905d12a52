"""Forks itself without end, and each fork does the same."""

# 06.3: out-of-memory or timeout

# question 06.3
import os

while True:
    try:
        os.fork()
    except OSError:
        pass
