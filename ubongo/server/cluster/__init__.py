"""Several servers that share one database: membership, news between them, worker processes."""
