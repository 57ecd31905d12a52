"""one over the variance, not over its root"""
# loses: scale
variance = 96
scale = 1/96
shifted = 240
own_mean = 48
own_variance = 96
