"""a mean of zero for a token's score with itself"""
# loses: own
variance = 96
scale = 96**-0.5
shifted = 240
own_mean = 0
own_variance = 96
