"""linear maps with biases"""
# loses: tied, untied
tied = 43008
untied = 59008
nats = 0.92
bits = 0.92 / math.log(2)
odds = math.exp(1.9)
total = 2.5
