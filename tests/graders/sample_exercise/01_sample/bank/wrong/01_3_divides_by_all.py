"""the sum of the kept values divided by the length of the row"""


# loses: mean
def masked_mean(values, keep):
    return (values * keep).mean(-1)
