"""Distributions counted one by one."""
import itertools

distributions = [h for t in range(6) for h in itertools.product("abcd", repeat=t)]
chain = 3 * len(distributions)
history = 3 * sum(len(h) <= 2 for h in distributions)
table = len(list(itertools.product("abcd", repeat=6))) - 1
