"""a count of the shared windows alone, without the first two tokens"""
# loses: history
table = 4**6 - 1
history = 16 * 3
chain = 4**6 - 1
distributions = 21
