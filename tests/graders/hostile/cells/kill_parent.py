"""Kills the process that started it, and every other process that it can."""

# 06.3: crashed

# question 06.3
import os
import signal

os.kill(os.getppid(), signal.SIGKILL)
os.kill(-1, signal.SIGKILL)
os.kill(os.getpid(), signal.SIGKILL)
@SOLUTION@
