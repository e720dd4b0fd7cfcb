"""The server's listening socket: opened, with advice if it cannot be, and its address as a URL."""

import errno
import socket
import sys


def listen(host: str, port: int, shared: bool = False) -> socket.socket:
    """A listening socket, or one clear sentence and exit status 2. `shared`: several workers listen on the port."""
    try:
        if not 0 <= port <= 65_535:
            # The resolver would silently take the number modulo 65536.
            raise OverflowError
        family, *_, place = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)[0]
        return socket.create_server(place[:2], family=family, backlog=2048, reuse_port=shared)
    except (OSError, OverflowError, UnicodeError) as problem:
        print(f"ubongo serve: cannot listen on {host}:{port}: {advice(problem, host, port)}", file=sys.stderr)
        raise SystemExit(2) from None


def reserve(host: str, port: int) -> socket.socket:
    """Reserves a port for several workers, without listening on it; errors as in `listen`."""
    with listen(host, port) as first:
        place = first.getsockname()
    reserved = socket.socket(first.family)
    for option in (socket.SO_REUSEADDR, socket.SO_REUSEPORT):
        reserved.setsockopt(socket.SOL_SOCKET, option, 1)
    reserved.bind(place[:2])
    return reserved


def has_free_descriptor() -> bool:
    """Whether the system lets us open one more file: every connection needs a descriptor."""
    try:
        socket.socket().close()
    except OSError:
        return False
    return True


def advice(problem: Exception, host: str, port: int) -> str:
    match problem:
        case OverflowError():
            return "a port is a number from 0 to 65535."
        case socket.gaierror() | UnicodeError():
            return f"there is no host {host!r}. 127.0.0.1 is this machine alone, 0.0.0.0 all its addresses."
        case OSError(errno=number) if number == errno.EADDRINUSE:
            return f"the port is taken. Another one: --port {port + 1}, or --port 0 for any that is free."
        case OSError(errno=number) if number == errno.EADDRNOTAVAIL:
            return (
                "this machine does not have that address. 127.0.0.1 is this machine alone, 0.0.0.0 all its addresses."
            )
        case OSError(errno=number) if number == errno.EACCES:
            return "ports below 1024 are for the system. Another one: --port 8000."
        case _:
            return f"{problem}."


def address(host: str, port: int) -> str:
    """The URL for a browser on this machine."""
    # A browser cannot open the address that means all addresses.
    reachable = {"0.0.0.0": "127.0.0.1", "::": "::1", "": "127.0.0.1"}.get(host, host)  # noqa: S104 - nobody listens here
    return f"http://[{reachable}]:{port}/" if ":" in reachable else f"http://{reachable}:{port}/"
