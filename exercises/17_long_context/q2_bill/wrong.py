"""Named mistakes in question 17.2."""


# %% own_word: a reach in which every layer counts the word itself again
# loses: reach
reach = 6 * 129
layers = 6
per_word = 131072
texts = 13


# %% one_layer: the reach of a single layer
# loses: reach
reach = 128
layers = 6
per_word = 131072
texts = 13


# %% rounded_down: layers rounded down
# loses: layers
reach = 768
layers = 5
per_word = 131072
texts = 13


# %% query_heads: a cache with keys and values for each head of queries
# loses: bytes, texts
reach = 768
layers = 6
per_word = 2 * 32 * 32 * 128 * 2
texts = 3


# %% keys_alone: a cache of the keys without the values
# loses: bytes, texts
reach = 768
layers = 6
per_word = 32 * 8 * 128 * 2
texts = 27


# %% one_block: the cache of a single block
# loses: bytes, texts
reach = 768
layers = 6
per_word = 2 * 8 * 128 * 2
texts = 447


# %% rounded_up: a part of a text counted as a text
# loses: texts
reach = 768
layers = 6
per_word = 131072
texts = 14
