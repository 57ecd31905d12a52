"""the fourth moment without the squared mean subtracted"""
# loses: own
variance = 72
scale = 72**-0.5
shifted = 720
own_mean = 48
own_variance = 48 * 3
