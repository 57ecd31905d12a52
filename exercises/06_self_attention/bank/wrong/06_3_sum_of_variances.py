"""variances added where the factors are multiplied"""
# loses: variance, scale
variance = 48 * 3.5
scale = (48 * 3.5)**-0.5
shifted = 720
own_mean = 48
own_variance = 96
