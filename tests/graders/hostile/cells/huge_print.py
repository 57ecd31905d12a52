"""Prints 200 MB on both streams before a right answer."""

# question 06.3
import sys

for _ in range(100):
    print("x" * 1_000_000)
    print("y" * 1_000_000, file=sys.stderr)
@SOLUTION@
