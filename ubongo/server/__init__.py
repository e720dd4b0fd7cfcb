"""Everything with a clock, a disk or a socket: the program that people's browsers talk to."""
