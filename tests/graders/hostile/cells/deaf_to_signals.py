"""Ignores every signal that can be ignored and loops."""

# 06.3: timeout

# question 06.3
import signal

for number in range(1, 65):
    try:
        signal.signal(number, signal.SIG_IGN)
    except (OSError, ValueError):
        pass
while True:
    try:
        while True:
            pass
    except BaseException:
        pass
