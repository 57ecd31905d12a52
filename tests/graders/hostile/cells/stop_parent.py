"""Stops the process that started it, and itself."""

# 06.3: timeout

# question 06.3
import os
import signal

os.kill(os.getppid(), signal.SIGSTOP)
os.kill(os.getpid(), signal.SIGSTOP)
@SOLUTION@
