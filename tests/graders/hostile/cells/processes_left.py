"""Processes of sessions of their own, with the pipes open and every signal ignored, beside a right answer."""

# question 06.3
import os
import signal
import time

for _ in range(3):
    if not os.fork():
        os.setsid()
        for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
            signal.signal(number, signal.SIG_IGN)
        if os.fork():
            os._exit(0)
        time.sleep(600)
@SOLUTION@
