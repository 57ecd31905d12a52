"""Numbers from a pocket calculator."""


peak, early, late = 0.00197642354, 250.0, 16000.0
weights, more, scores = 1048576, 1.33333333, 75.0
