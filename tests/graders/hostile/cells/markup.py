"""Markup, terminal codes and spreadsheet formulas in what the student is told."""

# 06.3: crashed
# 06.5: ok

# question 06.3
print("<script>alert('printed')</script>\x1b]0;title\x07\x1b[2J")
raise ValueError("<script>alert('raised')</script></pre><img src=x onerror=alert(1)> \x1b[2J =1+1")
# question 06.5
without_masks = with_masks = "<script>alert('returned')</script>"
