"""Tables and guests: who may open, join, host and close; bots at their seats."""
