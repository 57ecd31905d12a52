"""sizes without the vectors of the places"""
# loses: tied, untied
tied = 40896
untied = 56896
nats = 0.92
bits = 0.92 / math.log(2)
odds = math.exp(1.9)
total = 2.5
