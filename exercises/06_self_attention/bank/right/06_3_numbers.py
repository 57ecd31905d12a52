"""Numbers."""
variance = 72
scale = 0.11785113019775793
shifted = 720
own_mean = 48
own_variance = 96
