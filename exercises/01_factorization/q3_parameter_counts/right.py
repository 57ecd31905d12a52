"""Right answers to question 01.3."""


# %% closed: The geometric sums in closed form.
V, T, p = 4, 6, 2
table = V**T - 1
history = V ** (p + 1) - 1
chain = V**T - 1
distributions = 21


# %% count: Distributions counted one by one.
import itertools

pasts = [h for t in range(6) for h in itertools.product("abcd", repeat=t)]
chain = 3 * len(pasts)
distributions = sum(len(h) <= 2 for h in pasts)
history = 3 * distributions
table = len(list(itertools.product("abcd", repeat=6))) - 1
