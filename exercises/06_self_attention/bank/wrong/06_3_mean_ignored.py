"""the variance of shifted keys as if their mean did not matter"""
# loses: shifted
variance = 96
scale = 96**-0.5
shifted = 48
own_mean = 48
own_variance = 96
