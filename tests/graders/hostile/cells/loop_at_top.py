"""An endless loop at the top level of a cell."""

# 06.3: timeout

# question 06.3
while True:
    pass
