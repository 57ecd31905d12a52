"""a head that has a table of places as well"""

# loses: untied
tied = 42432
untied = 59968
nats = 0.92
bits = 0.92 / math.log(2)
odds = math.exp(1.9)
total = 2.5
