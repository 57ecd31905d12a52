"""the sum instead of the mean"""


# loses: mean
def masked_mean(values, keep):
    return (values * keep).sum(-1)
