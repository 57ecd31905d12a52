"""Recursion without end on a raised limit, until the interpreter's stack is gone."""

# 06.3: crashed

# question 06.3
import sys

sys.setrecursionlimit(2**31 - 1)


class Deep:
    def __repr__(self):
        return repr(self)


repr(Deep())
@SOLUTION@
