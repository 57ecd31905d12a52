"""A setup cell that never ends; what comes after it cannot be graded."""

# 06.1: timeout
# 06.2: timeout
# 06.3: timeout
# 06.4: timeout
# 06.5: timeout
# 06.6: timeout
# 06.7: timeout
# 06.8: timeout

# setup
while True:
    pass
