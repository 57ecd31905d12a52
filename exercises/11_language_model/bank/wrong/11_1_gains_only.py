"""norms with gains and without biases"""
# loses: tied, untied
tied = 42272
untied = 58272
nats = 0.92
bits = 0.92 / math.log(2)
odds = math.exp(1.9)
total = 2.5
