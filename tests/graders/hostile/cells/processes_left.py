"""Processes of its own session that hold the pipes open, beside right answers."""

# question 06.3
import os
import subprocess
import sys

for _ in range(3):
    subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"], start_new_session=True, close_fds=False)
if not os.fork():
    os.setsid()
    while True:
        pass
@SOLUTION@
