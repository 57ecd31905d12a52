"""Source that is nested more deeply than a parser likes."""

# 06.3: crashed
# 06.4: crashed
# 06.5: crashed

# question 06.3
variance = @OPENED@
# question 06.4
own = @MINUS@1
# question 06.5
without_masks = 1@PLUS@
