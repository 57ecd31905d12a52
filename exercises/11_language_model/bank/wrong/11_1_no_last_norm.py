"""sizes without the norm before the head"""
# loses: tied, untied
tied = 42368
untied = 58368
nats = 0.92
bits = 0.92 / math.log(2)
odds = math.exp(1.9)
total = 2.5
