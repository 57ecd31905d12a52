"""Calls sys.exit(0) behind a right answer."""

# 06.3: crashed

# question 06.3
@SOLUTION@
import sys

sys.exit(0)
