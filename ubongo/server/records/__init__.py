"""Results of finished matches: results, leaderboards, replays."""
