"""A table while people are at it: its match, recorded and then broadcast."""
