"""The six numbers."""

blocks = 16_515_072
whole = 22_159_360
forward = 57_193_529_344
crossing = 2688
cache = 25_165_824
states = 88_637_440
