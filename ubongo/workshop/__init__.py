"""Makes material; never imported at play time."""
