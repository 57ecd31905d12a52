"""A cell of ten million characters, whose syntax tree would fill the grader's memory."""

# 06.3: unreadable

# question 06.3
@GIANT@
