"""the variance of shifted keys as if their mean did not matter"""
# loses: shifted
variance = 72
scale = 72**-0.5
shifted = 144
own_mean = 48
own_variance = 96
