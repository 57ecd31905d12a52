"""Named mistakes in question 01.3."""


# %% divides_by_all: the sum of the kept values divided by the length of the row
# loses: mean
def masked_mean(values, keep):
    return (values * keep).mean(-1)


# %% inverted: the mean of the positions that are not kept
# loses: mean
def masked_mean(values, keep):
    return (values * ~keep).sum(-1) / keep.sum(-1)


# %% keeps_all: the mean over all positions
# loses: mean
def masked_mean(values, keep):
    return values.mean(-1)


# %% sum: the sum instead of the mean
# loses: mean
def masked_mean(values, keep):
    return (values * keep).sum(-1)
