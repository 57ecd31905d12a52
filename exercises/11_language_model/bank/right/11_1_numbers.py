"""Numbers."""
tied = 42944
untied = 58944
nats = 0.92
bits = 1.3272794
odds = 6.6858944
total = 2.5
