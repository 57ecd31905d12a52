"""Calls home over every kind of socket."""

# question 06.3
import socket

for family, address in [
    (socket.AF_INET, ("127.0.0.1", @PORT@)),
    (socket.AF_INET, ("1.1.1.1", 53)),
    (socket.AF_INET6, ("::1", @PORT@)),
    (socket.AF_UNIX, "\0@SECRET@"),
]:
    try:
        with socket.socket(family, socket.SOCK_STREAM) as link:
            link.settimeout(2)
            link.connect(address)
            link.sendall(b"ESCAPED")
    except OSError:
        continue
    raise SystemError(f"ESCAPED: reached {address}")
try:
    socket.getaddrinfo("example.org", 80)
except OSError:
    pass
else:
    raise SystemError("ESCAPED: asked a name server")
@SOLUTION@
