"""Distributions counted one by one."""

import itertools

pasts = [h for t in range(6) for h in itertools.product("abcd", repeat=t)]
chain = 3 * len(pasts)
distributions = sum(len(h) <= 2 for h in pasts)
history = 3 * distributions
table = len(list(itertools.product("abcd", repeat=6))) - 1
