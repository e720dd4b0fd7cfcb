"""A table while people are at it: its match is recorded and then broadcast."""
