"""One module a command, thin over the library."""

from typing import Annotated

from cyclopts import Parameter

# A flag is off unless it is given; nobody has to be told.
Flag = Annotated[bool, Parameter(show_default=False)]


class Complaint(Exception):
    """What is wrong with what was asked, in one sentence for the one who asked; nothing has been done."""
