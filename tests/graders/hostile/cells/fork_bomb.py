"""Starts processes as long as it is let, leaves them behind, then answers rightly."""

# question 06.3
import os

for _ in range(5000):
    try:
        os.posix_spawn("/usr/bin/sleep", ["sleep", "600"], {}, setsid=True)
    except OSError:
        break
@SOLUTION@
