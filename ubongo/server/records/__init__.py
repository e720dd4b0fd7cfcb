"""What finished matches came to: results, records, replays."""
