"""Operators' decisions while servers run, and how servers carry them out."""
