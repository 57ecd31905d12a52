"""The numbers, typed."""


ratio = 12.18249396
temperature = 0.7369655942
first = 0.5
unspoiled = 0.3806760611
kept = 24576000
products = 26086400
alpha = 0.7245419390
empty = 61
