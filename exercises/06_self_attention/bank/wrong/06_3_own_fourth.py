"""the fourth moment without the squared mean subtracted"""
# loses: own
variance = 96
scale = 96**-0.5
shifted = 240
own_mean = 48
own_variance = 48 * 3
