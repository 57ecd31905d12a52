"""a mean of zero for a token's score with itself"""
# loses: own
variance = 72
scale = 72**-0.5
shifted = 720
own_mean = 0
own_variance = 96
