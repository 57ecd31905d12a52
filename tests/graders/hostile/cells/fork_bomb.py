"""Forks as often as it is let (at most 2,000 times), leaves the children behind, then answers rightly."""

# question 06.3
import os
import time

for _ in range(2000):
    try:
        if not os.fork():
            os.setsid()
            time.sleep(600)
            os._exit(0)
    except OSError:
        break
@SOLUTION@
