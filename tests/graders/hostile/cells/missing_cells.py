"""Two cells are gone, another is marked with a question that does not exist."""

# 06.1: missing
# 06.5: missing
# 06.2: empty
# 06.8: ok, keeps log totals, merge, extremes

# question 06.1
@NOTHING@
# question 06.5
@NOTHING@
# question 06.99
raise SystemExit(0)
