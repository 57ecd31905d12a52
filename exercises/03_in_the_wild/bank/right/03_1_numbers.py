"""Numbers from a pocket calculator."""

field, milliseconds = 1024, 191.875
doubled, plain = 9, 392
smaller = 42.66667
uniform = 305.677907
bits = 0.1625424
