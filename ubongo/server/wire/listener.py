"""A place to listen: opened, explained when it cannot be, and named for people."""

import errno
import socket
import sys


def listen(host: str, port: int, shared: bool = False) -> socket.socket:
    """A socket that listens there, or one clear sentence and exit status 2. `shared`: with others of this program."""
    try:
        if not 0 <= port <= 65_535:
            # The resolver would quietly take what is left of it after division.
            raise OverflowError
        family, *_, place = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)[0]
        return socket.create_server(place[:2], family=family, backlog=2048, reuse_port=shared)
    except (OSError, OverflowError, UnicodeError) as problem:
        print(f"ubongo serve: cannot listen on {host}:{port}: {advice(problem, host, port)}", file=sys.stderr)
        raise SystemExit(2) from None


def hold(host: str, port: int) -> socket.socket:
    """A place for several to listen at. It is kept for them, and nobody is heard at it yet; errors as above."""
    with listen(host, port) as alone:
        place = alone.getsockname()
    held = socket.socket(alone.family)
    for option in (socket.SO_REUSEADDR, socket.SO_REUSEPORT):
        held.setsockopt(socket.SOL_SOCKET, option, 1)
    held.bind(place[:2])
    return held


def has_room() -> bool:
    """Whether the system lets us open one more file: every connection is one."""
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
    """What to type into a browser on this machine."""
    # All addresses' is not one that can be opened.
    reachable = {"0.0.0.0": "127.0.0.1", "::": "::1", "": "127.0.0.1"}.get(host, host)  # noqa: S104 - nobody listens here
    return f"http://[{reachable}]:{port}/" if ":" in reachable else f"http://{reachable}:{port}/"
