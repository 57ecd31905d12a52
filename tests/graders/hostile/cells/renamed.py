"""The function has another name, and another number of arguments."""

# 06.1: ok
# 06.6: ok

# question 06.1
def my_attention(query, key, value, allowed=None):
    return value
# question 06.6
class CausalHead(nn.Module):
    def __init__(self, width):
        super().__init__()
