"""Threads that never end, beside a right answer."""

# question 06.3
import threading


def turn():
    while True:
        sum(range(1000))


for _ in range(4):
    threading.Thread(target=turn, daemon=False).start()
@SOLUTION@
