"""Calls sys.exit(0) behind a right answer: what it had defined until then counts."""

# 06.3: crashed, keeps variance, scale, shifted, own

# question 06.3
@SOLUTION@
import sys

sys.exit(0)
