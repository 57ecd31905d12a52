"""a variance as if the token were independent of itself"""
# loses: own
variance = 96
scale = 96**-0.5
shifted = 240
own_mean = 48
own_variance = 48
