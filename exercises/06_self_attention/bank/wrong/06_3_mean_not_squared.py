"""E[k^2] taken for variance plus mean, without the square"""
# loses: shifted
variance = 72
scale = 72**-0.5
shifted = 48 * 3 * 3
own_mean = 48
own_variance = 96
