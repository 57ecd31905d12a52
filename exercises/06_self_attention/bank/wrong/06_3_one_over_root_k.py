"""the scale 1/sqrt(48), although the entries have not variance 1"""
# loses: scale
variance = 96
scale = 48**-0.5
shifted = 240
own_mean = 48
own_variance = 96
