"""the mean of the positions that are not kept"""


# loses: mean
def masked_mean(values, keep):
    return (values * ~keep).sum(-1) / keep.sum(-1)
