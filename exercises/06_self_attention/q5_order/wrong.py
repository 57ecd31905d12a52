"""Named mistakes in question 06.5."""


# %% all_masks: every mask taken for a breach of symmetry
# loses: with masks
without_masks = [True, False, True, True, False]
with_masks = [False, False, False, False]


# %% axis: a softmax over queries taken for something that sees order
# loses: without masks
without_masks = [False, False, True, True, False]
with_masks = [True, False, True, False]


# %% causal: the causal mask taken for harmless
# loses: with masks
without_masks = [True, False, True, True, False]
with_masks = [True, True, True, False]


# %% content: a mask by content taken for one by place
# loses: with masks
without_masks = [True, False, True, True, False]
with_masks = [False, False, True, False]


# %% convolution: a convolution taken for blind to order, because it shares its weights
# loses: without masks
without_masks = [True, False, True, True, True]
with_masks = [True, False, True, False]


# %% mean: the mean of all objects taken for not equivariant
# loses: without masks
without_masks = [True, False, True, False, False]
with_masks = [True, False, True, False]


# %% network: a position-wise network taken for something that depends on the position
# loses: without masks
without_masks = [True, False, False, True, False]
with_masks = [True, False, True, False]


# %% places: learned vectors for positions taken for blind to order
# loses: without masks
without_masks = [True, True, True, True, False]
with_masks = [True, False, True, False]


# %% self: a mask on the diagonal taken for a breach of symmetry
# loses: with masks
without_masks = [True, False, True, True, False]
with_masks = [True, False, False, False]


# %% window: a window taken for harmless, because it looks the same everywhere
# loses: with masks
without_masks = [True, False, True, True, False]
with_masks = [True, False, True, True]
