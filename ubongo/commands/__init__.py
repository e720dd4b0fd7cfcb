"""One module a command, thin over the library."""


class Complaint(Exception):
    """What is wrong with what was asked, in one sentence for the one who asked; nothing has been done."""
