"""An endless loop in a method, reached by every part of the question."""

# 06.6: timeout

# question 06.6
@SOLUTION@


def forever(self, x):
    while True:
        pass


CausalHead.forward = forever
