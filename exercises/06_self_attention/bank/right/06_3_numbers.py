"""Numbers."""
variance = 96
scale = 0.10206207261596577
shifted = 240
own_mean = 48
own_variance = 96
