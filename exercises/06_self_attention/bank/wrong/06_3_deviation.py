"""the standard deviation in place of the variance"""
# loses: variance
variance = 72**0.5
scale = 72**-0.5
shifted = 720
own_mean = 48
own_variance = 96
