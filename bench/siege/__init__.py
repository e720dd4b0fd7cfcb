"""`make siege`: one attacker beside two hundred honest players."""
