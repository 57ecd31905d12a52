"""counts in which each distribution has V numbers instead of V - 1"""
# loses: table, history, chain
table = 4**6
history = 4 + 4 * 4 + 16 * 4
chain = sum(4**t * 4 for t in range(6))
distributions = 21
