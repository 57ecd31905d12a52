"""Code that nobody should trust: processes that run it, and the messages to and from them.

``session`` asks and ``__main__`` answers, with ``messages`` and ``values`` between them. ``launcher`` starts
a worker. ``sandbox``, ``groups``, ``holdings``, ``seccomp``, ``confine``, ``forbids`` and ``preflight`` see
to it that it does no harm.
"""
