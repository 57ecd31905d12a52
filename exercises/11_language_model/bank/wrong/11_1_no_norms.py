"""sizes without any norm"""
# loses: tied, untied
tied = 42112
untied = 58112
nats = 0.92
bits = 0.92 / math.log(2)
odds = math.exp(1.9)
total = 2.5
