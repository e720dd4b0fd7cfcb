"""The command line: the list of commands, and how all of them report bad input.

A command is a module in `commands/`, imported only when it is called, so that short commands start quickly.
"""

from __future__ import annotations

import errno
import os
import signal
import sys
from collections.abc import Sequence

from cyclopts import App, CycloptsError, Parameter

from ubongo import __version__
from ubongo.commands import Complaint

# A full disk, a full quota, a file size limit: not a bug.
NO_ROOM = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}
# What each does, and an example.
COMMANDS = {
    "backup": (
        "Copy the database of a running server, as it is at one moment.",
        "ubongo backup monday.db",
    ),
    "ban": (
        "Ban a guest, an address or a network from a server, also while the server runs.",
        "ubongo ban 203.0.113.0/24 --for 7d --reason 'a script that takes seats'",
    ),
    "booklet": (
        "Look up solutions, as pictures in the terminal or to print.",
        "ubongo booklet cubes --board A25 --task 7",
    ),
    "catalogue": (
        "Write any number of different tasks, each graded and with exactly one filling.",
        "ubongo catalogue extreme --tasks 100000 --out tasks.jsonl",
    ),
    "check": (
        "Prove editions: every task has one filling and the difficulty it states, and no player gets a harder one.",
        "ubongo check mine.json --thorough",
    ),
    "dump": (
        "List every task, card or area of an edition.",
        "ubongo dump extreme --json",
    ),
    "make": (
        "Make a new edition of a game: boards, cards or sheets that nobody has seen.",
        "ubongo make extreme --seed 7 --out mine.json",
    ),
    "migrate": (
        "Migrate what a server keeps from its file into PostgreSQL; an interrupted migration continues.",
        "ubongo migrate --from ubongo.db --to postgresql://ubongo@localhost/ubongo",
    ),
    "pieces": (
        "List every piece of an edition, with all its orientations.",
        "ubongo pieces cubes --json",
    ),
    "print": (
        "Print an edition to cut out and play on a real table: boards, pieces, cards, dice, solutions, rules.",
        "ubongo print extreme --out extreme.pdf --url https://play.example.org",
    ),
    "records": (
        "List records, remove some, also while the server runs; or rebuild all of them from the logs.",
        "ubongo records --remove --run 1234 --reason 'faster than anybody can be'",
    ),
    "referee": (
        "Play a match by the rules, move by move: JSON lines in, what follows out.",
        """echo '{"game": "extreme", "seats": ["Ann", "Bo"], "seed": "abc"}' | ubongo referee""",
    ),
    "repair": (
        "Save what is intact of a damaged database in a new file, and name what is not (status 1 if anything is lost).",
        "ubongo repair ubongo.db --out saved.db",
    ),
    "replay": (
        "Tell a recorded match as a story, round by round, with pictures.",
        "ubongo replay match.jsonl",
    ),
    "serve": (
        "Serve the games on this machine, for browsers.",
        "ubongo serve --port 8080 --open",
    ),
    "simulate": (
        "Let bots play against bots as fast as possible: who wins, and how long they take.",
        "ubongo simulate extreme --seats easy,expert --matches 200 --seed 1 --json",
    ),
    "solve": (
        "Fill regions with pieces: how many ways there are, one of them, or all.",
        """echo '{"lattice": "square", "region": [[0,0],[1,0]], "pieces": [[[0,0]],[[0,0]]]}' | ubongo solve - --all""",
    ),
    "tables": (
        "List the tables that are open on a server, or close one, also while the server runs.",
        "ubongo tables --close amber-heron-4172 --reason 'insults'",
    ),
    "watch": (
        "Watch bots play, with pictures, at their own speed or faster.",
        "ubongo watch extreme --seats easy,expert --speed 4",
    ),
}

app = App(
    name="ubongo",
    help="Four puzzle games that everyone plays at once: engine, puzzles and server.",
    version=__version__,
    help_format="plaintext",
    result_action="return_value",
    suppress_keyboard_interrupt=False,
    default_parameter=Parameter(negative=""),
)
for _name, (_help, _example) in COMMANDS.items():
    app.command(f"ubongo.commands.{_name}:{_name}", name=_name, help=_help, help_epilogue=f"Example:\n\n{_example}")
# The name of `migrate` in 0.1, for one more release.
app.command("ubongo.commands.migrate:migrate", name="move", show=False, help="The old name of `migrate`.")


def main(words: Sequence[str] | None = None) -> None:
    """Runs a command, that of the shell if none is given.

    Bad input ends in one line on standard error and status 2, never in a traceback.
    """
    try:
        status = app(words, exit_on_error=False, print_error=False)
        sys.stdout.flush()
    except (CycloptsError, Complaint) as problem:
        print("ubongo:", " ".join(str(problem).split()), file=sys.stderr)
        status = 2
    except KeyboardInterrupt:
        # A second Ctrl-C would only disturb the exit.
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        status = 130
    except BrokenPipeError:
        # The reader of the pipe has closed it.
        _let_output_go()
        status = 0
    except Exception as problem:
        if isinstance(problem, OSError) and problem.errno in NO_ROOM:
            print(f"ubongo: there is no room for what is to be written: {problem.strerror}", file=sys.stderr)
            _let_output_go()
            status = 74
        elif os.environ.get("UBONGO_DEBUG"):
            raise
        else:
            print(f"ubongo: this should not have happened: {problem!r}; UBONGO_DEBUG=1 tells where", file=sys.stderr)
            status = 70
    sys.exit(status)


def _let_output_go() -> None:
    """Discards what Python would still flush at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
