"""One module per command, a thin layer over the library."""

from typing import Annotated

from cyclopts import Parameter

# A flag is off unless it is given, so the help does not show its default.
Flag = Annotated[bool, Parameter(show_default=False)]


class Complaint(Exception):
    """Bad input, described in one sentence for the user; nothing has been done."""
