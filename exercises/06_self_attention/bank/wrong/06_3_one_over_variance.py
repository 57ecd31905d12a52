"""one over the variance, not over its root"""
# loses: scale
variance = 72
scale = 1/72
shifted = 720
own_mean = 48
own_variance = 96
