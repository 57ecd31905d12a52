"""Two cells are gone, another is marked with a question that does not exist."""

# 06.1: missing
# 06.5: missing

# question 06.1
@NOTHING@
# question 06.5
@NOTHING@
# question 06.99
raise SystemExit(0)
