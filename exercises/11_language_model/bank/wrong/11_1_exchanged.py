"""the sizes of one table and of two exchanged"""
# loses: tied, untied
tied = 58432
untied = 42432
nats = 0.92
bits = 0.92 / math.log(2)
odds = math.exp(1.9)
total = 2.5
