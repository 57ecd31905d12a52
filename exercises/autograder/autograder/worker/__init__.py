"""Code that nobody should trust: processes that run it, and the messages to and from them."""
