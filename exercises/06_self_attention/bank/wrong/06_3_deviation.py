"""the standard deviation in place of the variance"""
# loses: variance
variance = 96**0.5
scale = 96**-0.5
shifted = 240
own_mean = 48
own_variance = 96
