"""the numbers of the last conditional alone"""
# loses: chain
table = 4**6 - 1
history = 63
chain = 4**5 * 3
distributions = 21
