"""variances added where the factors are multiplied"""
# loses: variance, scale
variance = 48 * 4.5
scale = (48 * 4.5)**-0.5
shifted = 240
own_mean = 48
own_variance = 96
