"""Bots: players that lay pieces at a human pace, through the same interface as people.

A bot is a function (`player.next_move`): what its seat sees, its level and luck of its own give the next move and when.
"""
