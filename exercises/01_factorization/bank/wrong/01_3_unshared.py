"""a count in which every time has windows of its own"""
# loses: history
table = 4**6 - 1
history = 3 + 4 * 3 + 4 * 16 * 3
chain = 4**6 - 1
distributions = 21
